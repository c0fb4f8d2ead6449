//! Runs of agents: leases, the fence, and who lives when.

use bygone_engine::store::Recording;
use bygone_engine::{EntityRef, Episode, EpisodeId, RecordedAt, Role, View};
use bygone_ontology::Ontology;
use bygone_query::Request;
use bygone_query::facts::{Filter, facts};
use bygone_query::state::lease::{Beat, COMPACTION, End, Leased, Start, beat, end, start};
use bygone_query::state::liveness::{Heard, Heartbeat, Lifetime, Liveness};
use bygone_query::state::register::{Expectation, Set, Setting, get, set};
use bygone_query::state::roster::{Member, Which, roster};
use bygone_query::state::{Actor, Incarnation, StateError};

use super::{Desk, SECOND, agent, at, known, run};

/// A lease of a minute.
fn minute(name: &str) -> Start<'_> {
    Start { agent: name, ttl_micros: Some(60 * SECOND), ..Start::default() }
}

impl Desk {
    fn start(&self, seconds: i64, asked: &Start<'_>) -> Result<Leased, StateError> {
        let by = agent(asked.agent);
        self.decide(seconds, &by, |snapshot, place| start(snapshot, place, &by, asked))
    }

    fn beat(&self, seconds: i64, by: &Actor, asked: &Beat<'_>) -> Result<Leased, StateError> {
        self.decide(seconds, by, |snapshot, place| beat(snapshot, place, by, asked))
    }

    fn end(&self, seconds: i64, by: &Actor, reason: &str) -> Result<End, StateError> {
        let run = by.incarnation().expect("a run");
        self.decide(seconds, by, |snapshot, place| end(snapshot, place, by, &run, reason))
    }

    fn set(&self, seconds: i64, by: &Actor, value: &str) -> Result<Set, StateError> {
        let setting = Setting {
            name: "page",
            value,
            expected: Expectation::None,
            ttl_micros: None,
            source_version: None,
        };
        self.decide(seconds, by, |snapshot, place| set(snapshot, place, by, &setting))
    }

    fn held(&self, seconds: i64) -> Option<String> {
        let value = self.read(&View::LATEST, |seen| get(seen, "page", at(seconds)).expect("a register"));
        value.map(|value| value.value)
    }

    fn roster(&self, view: &View, seconds: i64, which: Which) -> Vec<Member> {
        self.read(view, |seen| roster(seen, at(seconds), &Heard::new(), which).expect("a roster"))
    }

    /// Who lives at a second, each as `NAME#EPOCH liveness`.
    fn lives(&self, view: &View, seconds: i64) -> Vec<String> {
        let members = self.roster(view, seconds, Which::All);
        let told = |member: &Member| {
            let name = member.run().map_or_else(|| member.agent.clone(), |run| run.to_string());
            format!("{name} {}", member.liveness.name())
        };
        members.iter().map(told).collect()
    }

    /// The facts of a predicate at a second, each as `subject object`.
    fn facts(&self, predicate: &str, seconds: i64) -> Vec<String> {
        let filter = Filter { predicate: Some(predicate.to_owned()), ..Filter::default() };
        let request = Request::present(at(seconds));
        let rows = self
            .read(&View::LATEST, |seen| facts(seen, &Ontology::core(), &request, &filter).expect("facts"));
        rows.iter().map(|row| format!("{} {}", row.group.subject, row.fact.object.canonical())).collect()
    }
}

fn refused<T: std::fmt::Debug>(result: Result<T, StateError>) -> String {
    match result {
        Err(StateError::Refused(text)) => text,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn epochs_count_from_one_and_a_newer_run_fences_the_older() {
    let desk = Desk::new();
    let first = desk.start(0, &minute("builder")).expect("a lease");
    assert_eq!((first.run.to_string().as_str(), first.at, first.until), ("builder#1", at(0), at(60)));
    assert_eq!(first.fences, None);
    let second = desk.start(10, &minute("builder")).expect("a lease");
    assert_eq!((second.run.epoch, second.fences), (2, Some(first.run)));
    assert_eq!(desk.lives(&View::LATEST, 20), ["builder#1 dead", "builder#2 alive"]);
    assert_eq!(desk.facts("alive", 20), [r#"incarnation:builder#2 {"bool":true}"#]);
    assert_eq!(desk.start(30, &minute("tester")).expect("a lease").run.epoch, 1);
    let last: Vec<String> = desk
        .roster(&View::LATEST, 30, Which::Leased)
        .iter()
        .map(|member| member.run().expect("a run").to_string())
        .collect();
    assert_eq!(last, ["builder#2", "tester#1"]);
}

#[test]
fn of_two_lives_the_older_cannot_write_and_that_it_tried_is_kept() {
    let desk = Desk::new();
    desk.start(0, &minute("builder")).expect("a lease");
    desk.set(1, &run("builder", 1), "one").expect("set");
    desk.start(10, &minute("builder")).expect("a lease");
    desk.set(11, &run("builder", 2), "two").expect("set");

    let text = refused(desk.set(12, &run("builder", 1), "late"));
    assert_eq!(text, "builder#1 may not write: epoch 2 of the same agent fences it");
    assert_eq!(desk.held(20).as_deref(), Some("two"));
    refused(desk.beat(13, &run("builder", 1), &Beat::default()));
    refused(desk.end(14, &run("builder", 1), "exit"));

    let late = desk.facts_of("incarnation:builder#1", "late_write");
    let told = |refused: &str| {
        format!(r#"{{"because":"epoch 2 of the same agent fences it","by_epoch":2,"refused":"{refused}"}}"#)
    };
    let expected = ["cursor set page late", "lease beat builder#1", "lease end builder#1: exit"];
    assert_eq!(late, expected.map(told));
    assert_eq!(desk.held(20).as_deref(), Some("two"));
    assert_eq!(desk.lives(&View::LATEST, 20), ["builder#1 dead", "builder#2 alive"]);
    // The newer one is not disturbed.
    desk.set(15, &run("builder", 2), "three").expect("set");
    assert_eq!(desk.held(20).as_deref(), Some("three"));
}

impl Desk {
    /// The objects of all facts of a subject and a predicate, as JSON, in the order of time.
    fn facts_of(&self, subject: &str, predicate: &str) -> Vec<String> {
        let subject = EntityRef::parse(subject).expect("an entity");
        self.read(&View::LATEST, |seen| {
            let group = seen.group(&subject, predicate, "").expect("read");
            let facts = group.map(|group| seen.facts(&group).expect("read")).unwrap_or_default();
            let json = |object: &bygone_engine::Object| match object {
                bygone_engine::Object::Json(text) => text.clone(),
                other => other.canonical(),
            };
            facts.iter().map(|fact| json(&fact.object)).collect()
        })
    }
}

#[test]
fn a_write_that_would_have_written_nothing_leaves_no_trace() {
    let desk = Desk::new();
    desk.start(0, &minute("builder")).expect("a lease");
    desk.start(1, &minute("builder")).expect("a lease");
    let before = desk.last_seq().expect("read");
    let by = run("builder", 1);
    let setting = Setting {
        name: "page",
        value: "x",
        expected: Expectation::Value("other".to_owned()),
        ttl_micros: None,
        source_version: None,
    };
    refused(desk.decide(2, &by, |snapshot, place| set(snapshot, place, &by, &setting)));
    assert_eq!(desk.last_seq().expect("read"), before);
}

#[test]
fn a_run_that_never_started_writes_nothing() {
    let desk = Desk::new();
    for result in [
        desk.set(0, &run("builder", 1), "x").map(drop),
        desk.beat(0, &run("builder", 1), &Beat::default()).map(drop),
        desk.end(0, &run("builder", 1), "exit").map(drop),
        desk.start(0, &minute("builder"))
            .map(drop)
            .and_then(|()| desk.set(1, &run("builder", 2), "x").map(drop)),
    ] {
        assert!(matches!(result, Err(StateError::Missing(_))), "{result:?}");
    }
    assert_eq!(desk.held(1), None);
    let nobody = desk.beat(1, &agent("builder"), &Beat::default());
    assert!(matches!(nobody, Err(StateError::Name(_))), "{nobody:?}");
}

#[test]
fn after_its_lease_no_read_says_that_it_is_alive() {
    let desk = Desk::new();
    desk.start(0, &minute("builder")).expect("a lease");
    desk.beat(30, &run("builder", 1), &Beat::default()).expect("a heartbeat");
    for (seconds, liveness, n_facts) in
        [(0, "alive", 1), (89, "alive", 1), (90, "suspect", 0), (149, "suspect", 0), (150, "dead", 0)]
    {
        assert_eq!(desk.lives(&View::LATEST, seconds), [format!("builder#1 {liveness}")], "{seconds}");
        assert_eq!(desk.facts("alive", seconds).len(), n_facts, "{seconds}");
    }
    // Nobody took its place, and it says that it lives.
    desk.beat(500, &run("builder", 1), &Beat::default()).expect("a heartbeat");
    assert_eq!(desk.lives(&View::LATEST, 510), ["builder#1 alive"]);
    assert_eq!(desk.lives(&View::LATEST, 200), ["builder#1 dead"]);
}

#[test]
fn the_last_heartbeat_decides_how_long_the_lease_is() {
    let desk = Desk::new();
    desk.start(0, &Start { ttl_micros: Some(3_600 * SECOND), ..minute("builder") }).expect("a lease");
    let beat_of = |seconds, ttl: Option<i64>| {
        let asked = Beat { ttl_micros: ttl.map(|ttl| ttl * SECOND), ..Beat::default() };
        desk.beat(seconds, &run("builder", 1), &asked).expect("a heartbeat").until
    };
    assert_eq!(beat_of(10, Some(20)), at(30));
    assert_eq!(desk.lives(&View::LATEST, 30), ["builder#1 suspect"]);
    assert_eq!(desk.facts("alive", 30), [] as [&str; 0]);
    assert_eq!(beat_of(40, None), at(60), "as long as the last one");
    assert_eq!(beat_of(41, Some(100)), at(141));
    assert_eq!(desk.lives(&View::LATEST, 140), ["builder#1 alive"]);
    assert_eq!(desk.lives(&View::LATEST, 35), ["builder#1 suspect"]);
    assert_eq!(desk.lives(&View::LATEST, 5), ["builder#1 alive"]);
}

#[test]
fn progress_and_last_words_are_those_of_the_instant() {
    let desk = Desk::new();
    desk.start(0, &Start { role: Some("reviewer"), ..minute("builder") }).expect("a lease");
    let told = Beat { progress: Some("2 of 5"), words: Some("reading"), ..Beat::default() };
    desk.beat(10, &run("builder", 1), &told).expect("a heartbeat");
    desk.beat(20, &run("builder", 1), &told).expect("a heartbeat");
    desk.beat(30, &run("builder", 1), &Beat { progress: Some("3 of 5"), ..Beat::default() }).expect("a beat");
    let at_second = |seconds| {
        let member = desk.roster(&View::LATEST, seconds, Which::Last).remove(0);
        (member.progress, member.last_words, member.last_seen)
    };
    let said = |text: &str| Some(text.to_owned());
    assert_eq!(at_second(5), (None, None, Some(at(0))));
    assert_eq!(at_second(25), (said("2 of 5"), said("reading"), Some(at(20))));
    assert_eq!(at_second(35), (said("3 of 5"), said("reading"), Some(at(30))));
    let row = desk.roster(&View::LATEST, 35, Which::Last).remove(0).to_json();
    assert_eq!(
        row.to_string(),
        r#"{"age_seconds":5,"agent":"builder","basis":"its lease runs until 2026-01-01T00:01:30Z","epoch":1,"incarnation":"builder#1","last_seen":"2026-01-01T00:00:30Z","last_words":"reading","lifetime":null,"liveness":"alive","parent":null,"progress":"3 of 5","role":"reviewer","since":"2026-01-01T00:00:00Z","until":"2026-01-01T00:01:30Z"}"#
    );
}

#[test]
fn an_end_is_told_once_and_ends_every_write() {
    let desk = Desk::new();
    desk.start(0, &minute("builder")).expect("a lease");
    let ended = desk.end(10, &run("builder", 1), "exit").expect("an end");
    assert_eq!(ended, End::Now { at: at(10), reason: "exit".to_owned() });
    assert_eq!(desk.lives(&View::LATEST, 11), ["builder#1 dead"]);
    assert_eq!(desk.facts("alive", 11), [] as [&str; 0]);
    let member = desk.roster(&View::LATEST, 11, Which::Last).remove(0);
    assert_eq!(member.basis, "it ended on 2026-01-01T00:00:10Z: exit");
    refused(desk.beat(12, &run("builder", 1), &Beat::default()));
    refused(desk.set(12, &run("builder", 1), "late"));
    assert_eq!(desk.lives(&View::LATEST, 13), ["builder#1 dead"]);

    // Somebody else may say that it ended; it is told what is known already.
    let (by, ended_run) = (agent("watch"), Incarnation { agent: "builder".to_owned(), epoch: 1 });
    let again = desk.decide(14, &by, |snapshot, place| end(snapshot, place, &by, &ended_run, "crash"));
    assert_eq!(again.expect("an end"), End::Before { at: at(10), reason: "exit".to_owned() });
    assert_eq!(desk.facts_of("incarnation:builder#1", "ended"), [r#"{"text":"exit"}"#]);
}

#[test]
fn a_restart_kills_who_dies_with_it_and_a_compaction_does_not() {
    let desk = Desk::new();
    desk.start(0, &minute("lead")).expect("a lease");
    let child = |name, parent, lifetime| Start { parent: Some(parent), lifetime, ..minute(name) };
    desk.start(1, &child("mate", "lead", Lifetime::DiesWith)).expect("a lease");
    desk.start(2, &child("helper", "mate#1", Lifetime::DiesWith)).expect("a lease");
    desk.start(3, &child("daemon", "incarnation:mate#1", Lifetime::Independent)).expect("a lease");

    let noted = desk.end(5, &run("lead", 1), COMPACTION).expect("a compaction");
    assert_eq!(noted, End::GoesOn { at: at(5), through: COMPACTION.to_owned() });
    let all_alive = ["daemon#1 alive", "helper#1 alive", "lead#1 alive", "mate#1 alive"];
    assert_eq!(desk.lives(&View::LATEST, 6), all_alive);
    assert_eq!(desk.facts_of("incarnation:lead#1", "survived"), [r#"{"text":"compaction"}"#]);

    desk.end(10, &run("lead", 1), "restart").expect("an end");
    let after = ["daemon#1 alive", "helper#1 dead", "lead#1 dead", "mate#1 dead"];
    assert_eq!(desk.lives(&View::LATEST, 11), after);
    assert_eq!(desk.lives(&View::LATEST, 9), all_alive);
    let members = desk.roster(&View::LATEST, 11, Which::Last);
    assert_eq!(
        members[1].basis,
        "it dies with lead#1, which is dead: it ended on 2026-01-01T00:00:10Z: restart"
    );
    assert_eq!(
        (members[1].parent.clone(), members[1].lifetime),
        (Incarnation::parse("mate#1"), Some(Lifetime::DiesWith))
    );
    refused(desk.set(12, &run("helper", 1), "late"));
    desk.set(12, &run("daemon", 1), "still here").expect("set");
}

#[test]
fn a_newer_run_of_the_parent_kills_the_children_of_the_older() {
    let desk = Desk::new();
    desk.start(0, &minute("lead")).expect("a lease");
    let child = Start { parent: Some("lead"), lifetime: Lifetime::DiesWith, ..minute("mate") };
    desk.start(1, &child).expect("a lease");
    desk.start(2, &minute("lead")).expect("a lease");
    assert_eq!(desk.lives(&View::LATEST, 3), ["lead#1 dead", "lead#2 alive", "mate#1 dead"]);
    // The next child is one of the newer run.
    desk.start(4, &child).expect("a lease");
    assert_eq!(desk.lives(&View::LATEST, 5), ["lead#1 dead", "lead#2 alive", "mate#1 dead", "mate#2 alive"]);
}

#[test]
fn a_parent_has_started_and_one_to_die_with_is_not_dead() {
    let desk = Desk::new();
    let child = |lifetime, parent| Start { parent: Some(parent), lifetime, ..minute("mate") };
    for parent in ["lead", "lead#1", "mate"] {
        let result = desk.start(0, &child(Lifetime::Independent, parent));
        assert!(matches!(result, Err(StateError::Missing(_))), "{parent}: {result:?}");
    }
    desk.start(1, &minute("lead")).expect("a lease");
    desk.end(2, &run("lead", 1), "exit").expect("an end");
    let text = refused(desk.start(3, &child(Lifetime::DiesWith, "lead")));
    assert_eq!(text, "lead#1 is dead already: it ended on 2026-01-01T00:00:02Z: exit");
    desk.start(4, &child(Lifetime::Independent, "lead")).expect("a lease");
    let named_as_a_run = desk.start(5, &minute("lead#1"));
    assert!(matches!(named_as_a_run, Err(StateError::Name(_))), "{named_as_a_run:?}");
}

#[test]
fn every_view_answers_as_it_would_have_then() {
    let desk = Desk::new();
    desk.start(0, &minute("builder")).expect("a lease");
    desk.beat(30, &run("builder", 1), &Beat::default()).expect("a heartbeat");
    let before_the_second = desk.last_seq().expect("read");
    desk.start(40, &minute("builder")).expect("a lease");
    desk.end(50, &run("builder", 2), "exit").expect("an end");

    // Valid time alone: what was so, by all that is known.
    for (seconds, expected) in [
        (-1, &[] as &[&str]),
        (29, &["builder#1 alive"]),
        (39, &["builder#1 alive"]),
        (40, &["builder#1 dead", "builder#2 alive"]),
        (50, &["builder#1 dead", "builder#2 dead"]),
    ] {
        assert_eq!(desk.lives(&View::LATEST, seconds), expected, "at {seconds}");
        // What was known by then says the same of then.
        assert_eq!(desk.lives(&known(seconds), seconds), expected, "as known at {seconds}");
    }
    // Known time alone: of now, by what was known then, a lease has run out that was prolonged later.
    assert_eq!(desk.lives(&known(29), 55), ["builder#1 alive"]);
    assert_eq!(desk.lives(&known(29), 60), ["builder#1 suspect"]);
    assert_eq!(desk.lives(&known(39), 60), ["builder#1 alive"]);
    let recorded = View { recorded: RecordedAt::Seq(before_the_second), ..View::LATEST };
    assert_eq!(desk.lives(&recorded, 60), ["builder#1 alive"]);
    // The basis does not tell what came later either.
    let then = desk.roster(&View::LATEST, 20, Which::All).remove(0);
    assert_eq!(then.basis, "its lease runs until 2026-01-01T00:01:00Z");
    let then = desk.roster(&View::LATEST, 39, Which::All).remove(0);
    assert_eq!((then.until, then.last_seen), (Some(at(90)), Some(at(30))));
}

#[test]
fn a_clock_that_stands_or_goes_back_gives_no_epoch_twice() {
    let desk = Desk::new();
    for epoch in 1..=3 {
        assert_eq!(desk.start(0, &minute("builder")).expect("a lease").run.epoch, epoch);
    }
    assert_eq!(desk.start(-3_600, &minute("builder")).expect("a lease").run.epoch, 4);
    refused(desk.set(-3_600, &run("builder", 3), "late"));
    desk.set(-3_600, &run("builder", 4), "mine").expect("set");
}

#[test]
fn a_jump_of_the_clock_kills_nobody_whose_heartbeat_this_process_received() {
    let desk = Desk::new();
    let lease = desk.start(0, &minute("builder")).expect("a lease");
    let heard = Heard::from([(lease.run.clone(), Heartbeat { beat_at: lease.at, ago_micros: 5 * SECOND })]);
    let liveness = |heard: &Heard| {
        desk.read(&View::LATEST, |seen| {
            roster(seen, at(3_605), heard, Which::Leased).expect("a roster").remove(0).liveness
        })
    };
    assert_eq!(liveness(&heard), Liveness::Alive);
    assert_eq!(
        liveness(&Heard::new()),
        Liveness::Dead,
        "a process that did not receive it has only the clock"
    );
}

#[test]
fn an_agent_that_only_spoke_is_unknown_and_was_seen_with_its_last_turn() {
    let desk = Desk::new();
    let turn = |position: u64, seconds, text: &str| {
        Episode {
            id: EpisodeId::UNHASHED,
            session: "talk".to_owned(),
            position,
            role: Role::Agent,
            speaker: None,
            agent: Some("claude".to_owned()),
            user: None,
            time: at(seconds),
            time_inferred: false,
            zone: None,
            native_id: None,
            text: text.to_owned(),
            raw: None,
        }
        .with_content_id()
    };
    let episodes = vec![turn(0, 10, "Done with the first."), turn(1, 20, "Done with the second.")];
    let space = desk.store.space("default", true).expect("a space");
    space.record(Recording { episodes, ..Recording::default() }, at(100)).expect("recorded");
    desk.start(101, &minute("builder")).expect("a lease");

    let members = desk.roster(&View::LATEST, 110, Which::Last);
    let agents: Vec<&str> = members.iter().map(|member| member.agent.as_str()).collect();
    assert_eq!(agents, ["builder", "claude"]);
    let spoke = &members[1];
    assert_eq!((spoke.liveness, spoke.epoch, spoke.last_seen), (Liveness::Unknown, None, Some(at(20))));
    assert_eq!(spoke.last_words.as_deref(), Some("Done with the second."));
    assert_eq!(desk.roster(&View::LATEST, 110, Which::Leased).len(), 1);
    let then = desk.roster(&View::LATEST, 15, Which::Last);
    assert_eq!(then[0].last_words.as_deref(), Some("Done with the first."));
    assert_eq!(desk.roster(&known(5), 110, Which::Last), []);
}
