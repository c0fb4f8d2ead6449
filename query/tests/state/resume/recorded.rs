//! What the packet tells of what agents recorded.

use bygone_engine::View;
use bygone_engine::store::{Decided, Place, Snapshot};
use bygone_engine::time::parse_moment;
use bygone_ontology::Ontology;
use bygone_query::resume::{Asked, Section, fit, packet};
use bygone_query::state::call::{Begin, Retry, begin};
use bygone_query::state::decision::{Choice, decide};
use bygone_query::state::inbox::{Draft, read, send, start as start_message};
use bygone_query::state::lease::{COMPACTION, Start, note, start};
use bygone_query::state::liveness::Heard;
use bygone_query::state::promise::{Vow, promise};
use bygone_query::state::register::{Expectation, Setting, set};
use bygone_query::state::task::{self, Notes};
use bygone_query::state::{Actor, StateError, attempt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::super::desk::{agent, at, user};
use super::transcript::Transcript;
use super::{Desk, lines, packet_of, packet_then, text};

#[track_caller]
fn act<T: Serialize + DeserializeOwned>(
    desk: &Desk,
    now: &str,
    decide: impl FnOnce(&Snapshot<'_>, Place) -> Result<Decided<T>, StateError>,
) -> T {
    desk.act(now, decide).expect("done")
}

fn run(name: &str, epoch: u64) -> Actor {
    Actor { epoch: Some(epoch), ..agent(name) }
}

fn lease_of(desk: &Desk, now: &str, name: &str, minutes: i64) {
    let asked = Start { agent: name, ttl_micros: Some(minutes * 60_000_000), ..Start::default() };
    act(desk, now, |snapshot, place| start(snapshot, place, &agent(name), &asked));
}

/// Without the short id at the end of each line.
fn words(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().map(|line| line.rsplit_once(" [").expect("evidence").0.to_owned()).collect()
}

#[test]
fn what_was_noted_comes_before_what_the_transcript_says() {
    let desk = Desk::new();
    let mut told = Transcript::new("s1", "a");
    told.user("2026-03-01T09:00:00Z", "Ship it");
    told.agent("2026-03-01T09:01:00Z", "I'll look.");
    desk.record(told.into_recording(), "2026-03-01T09:02:00Z");
    let notes = Notes { objective: Some("ship 0.2"), doing: Some("the lexer"), next: Some("run the tests") };
    act(&desk, "2026-03-01T10:00:00Z", |snapshot, place| task::set(snapshot, place, &agent("a"), notes));
    let packet = packet_of(&desk, None, "2026-03-01T11:00:00Z");
    assert_eq!(
        words(lines(&packet, Section::Objective)),
        [
            "objective (recorded, 1 March 2026, 10:00): \"ship 0.2\"",
            "last request (from the transcript, 1 March 2026, 09:00): \"Ship it\"",
        ]
    );
    assert_eq!(
        words(lines(&packet, Section::Next)),
        [
            "task (recorded, 1 March 2026, 10:00): \"the lexer\"",
            "next step (recorded, 1 March 2026, 10:00): \"run the tests\"",
        ]
    );
    // A note that was ended is none, and the transcript speaks again.
    let ended = Notes { next: Some(""), ..Notes::default() };
    act(&desk, "2026-03-01T12:00:00Z", |snapshot, place| task::set(snapshot, place, &agent("a"), ended));
    let packet = packet_of(&desk, None, "2026-03-01T13:00:00Z");
    assert_eq!(packet.next[1].text, "I'll look.");
    assert_eq!(packet_then(&desk, "2026-03-01T11:30:00Z").next[1].text, "run the tests");
}

#[test]
fn attempts_and_decisions_of_the_whole_space_are_told_with_their_reasons() {
    let desk = Desk::new();
    act(&desk, "2026-03-01", |snapshot, place| {
        attempt::fail(snapshot, place, &agent("b"), "a bigger cache", "the index is slow", Some("speed"))
    });
    for (now, by, choice, because) in [
        ("2026-03-02", user("anna"), "SQLite", "no server"),
        ("2026-03-03", agent("b"), "Postgres", "it is faster"),
    ] {
        let over = vec!["MySQL".to_owned()];
        let choice = Choice { topic: "database", choice, because, over };
        act(&desk, now, |snapshot, place| decide(snapshot, place, &by, &choice));
    }
    let packet = packet_of(&desk, Some("a"), "2026-03-04");
    assert_eq!(
        words(lines(&packet, Section::Attempts)),
        ["speed: \"a bigger cache\", because \"the index is slow\" (agent:b, 1 March 2026, 00:00)"]
    );
    assert_eq!(
        words(lines(&packet, Section::Decisions)),
        [
            "database: \"SQLite\", because \"no server\"; and not \"MySQL\"; agent:b would choose \"Postgres\" \
          (person:anna, 2 March 2026, 00:00)"
        ]
    );
    let statement = &packet.attempts[0].statement;
    assert!(
        lines(&packet, Section::Attempts)[0].ends_with(&format!(" [{}]", &statement[..10])),
        "{statement}"
    );
    assert!(packet_of(&desk, Some("a"), "2026-02-01").attempts.is_empty());
}

#[test]
fn nothing_is_in_flight_without_a_lease() {
    let desk = Desk::new();
    lease_of(&desk, "2026-03-01T10:00:00Z", "a", 5);
    let mail = Begin {
        tool: "mail",
        key: "k1",
        input: Some(r#"{"to":"anna"}"#),
        retry: Retry::AtMostOnce,
        takes_over: false,
    };
    let read = Begin { tool: "fetch", key: "k2", input: None, retry: Retry::Pure, takes_over: false };
    let heard = Heard::new();
    act(&desk, "2026-03-01T10:01:00Z", |snapshot, place| begin(snapshot, place, &run("a", 1), &mail, &heard));
    act(&desk, "2026-03-01T10:02:00Z", |snapshot, place| begin(snapshot, place, &agent("a"), &read, &heard));
    let during = packet_of(&desk, Some("a"), "2026-03-01T10:03:00Z");
    assert_eq!(
        lines(&during, Section::Calls),
        [
            "fetch, begun 1 March 2026, 10:02 by a: outcome unknown, no lease: a did not say in which run it was \
             begun; safe to make again: it changes nothing [call:k2]",
            "mail `{\"to\":\"anna\"}`, begun 1 March 2026, 10:01 by a#1, which this is: in flight until `bygone call \
             succeed|fail|cancel k1` settles it [call:k1]",
        ]
    );
    assert!(during.calls.iter().all(|call| call.retry_is_safe() == (call.tool == "fetch")));
    assert!(during.agents.is_empty(), "its own lease is not lost");
    for later in ["2026-03-01T10:05:00Z", "2026-03-02", "2027-01-01"] {
        let after = packet_of(&desk, Some("a"), later);
        for said in [text(&after), after.to_json(&fit(&after, 2000)).to_string()] {
            assert!(!said.contains("in flight") && !said.contains("in_flight"), "{later}: {said}");
        }
        assert!(lines(&after, Section::Agents)[0].starts_with("own lease: a#1: "), "{later}");
    }
    assert!(packet_of(&desk, Some("b"), "2026-03-01T10:03:00Z").calls.is_empty(), "they are a's");
}

#[test]
fn messages_promises_and_teammates_are_told() {
    let desk = Desk::new();
    lease_of(&desk, "2026-03-01T09:00:00Z", "b", 5);
    let draft = |subject: &'static str| Draft {
        kind: "request",
        to: vec!["a".to_owned()],
        subject,
        due: parse_moment("2026-03-02").ok(),
        ..Draft::default()
    };
    let ids = ["review", "deploy", "clean up"].map(|subject| {
        act(&desk, "2026-03-01T09:10:00Z", |snapshot, place| {
            send(snapshot, place, &agent("b"), &draft(subject))
        })
        .id
    });
    act(&desk, "2026-03-01T09:20:00Z", |snapshot, place| read(snapshot, place, &agent("a"), &ids[0]));
    act(&desk, "2026-03-01T09:20:00Z", |snapshot, place| {
        start_message(snapshot, place, &agent("a"), &ids[1])
    });
    let vow = Vow { text: "write the tests", to: "b", due: parse_moment("2026-03-01").ok() };
    act(&desk, "2026-03-01T09:30:00Z", |snapshot, place| promise(snapshot, place, &agent("a"), &vow));

    lease_of(&desk, "2026-03-01T09:59:00Z", "c", 60);
    let packet = packet_of(&desk, Some("a"), "2026-03-01T10:00:00Z");
    assert_eq!(
        words(lines(&packet, Section::Inbox)),
        [
            "request from agent:b (normal, 1 March 2026, 09:10, due 2 March 2026, begun): \"deploy\"",
            "request from agent:b (normal, 1 March 2026, 09:10, due 2 March 2026): \"clean up\"",
        ]
    );
    let json = packet.to_json(&fit(&packet, 2000));
    assert_eq!((&json["inbox"][0]["status"], &json["inbox"][1]["status"]), (&json!("begun"), &json!("open")));
    assert_eq!(
        words(lines(&packet, Section::Agents)),
        [
            "b#1: dead, its lease of 5 min ran out 55 min ago, on 2026-03-01T09:05:00Z, seen 60 min ago",
            "c#1: alive, its lease runs until 2026-03-01T10:59:00Z, seen 60 s ago",
        ]
    );
    assert_eq!(
        words(lines(&packet, Section::Promises)),
        ["to agent:b: \"write the tests\" (1 March 2026, 09:30, due 1 March 2026)"]
    );
    let later = packet_of(&desk, Some("a"), "2026-04-01");
    assert_eq!(
        words(lines(&later, Section::Promises)),
        ["to agent:b: \"write the tests\" (1 March 2026, 09:30, due 1 March 2026, OVERDUE)"]
    );
    assert!(later.agents.is_empty(), "who was lost a month ago is no news");
}

#[test]
fn registers_are_told_those_of_the_agent_first_and_expired_ones_not_at_all() {
    let desk = Desk::new();
    let setting = |name, value, ttl_micros, source_version| Setting {
        name,
        value,
        expected: Expectation::None,
        ttl_micros,
        source_version,
    };
    for (now, by, setting) in [
        ("2026-03-01", "a", setting("page", "7", None, Some("etag-1"))),
        ("2026-03-02", "b", setting("row", "12", None, None)),
        ("2026-03-02", "b", setting("gone", "1", Some(1_000_000), None)),
    ] {
        act(&desk, now, |snapshot, place| set(snapshot, place, &agent(by), &setting));
    }
    let packet = packet_of(&desk, Some("a"), "2026-03-03");
    assert_eq!(
        lines(&packet, Section::Progress),
        [
            "page = \"7\", set by a, 1 March 2026, 00:00, read from version etag-1 [register:page]",
            "row = \"12\", set by b, 2 March 2026, 00:00 [register:row]",
        ]
    );
}

#[test]
fn what_is_shown_and_aged_is_warned_of_and_so_are_conclusions_from_what_fell() {
    let premise = r#"{"subject":"file:/a","predicate":"source_version","object":{"text":"v1"},"from":"2026-03-01","known_at":"2026-03-01T00:00:00Z","source":"w#0"}"#;
    let desk = Desk::told(&[premise]);
    let notes = Notes { next: Some("run the tests"), ..Notes::default() };
    act(&desk, "2026-03-01", |snapshot, place| task::set(snapshot, place, &agent("a"), notes));
    let fresh = packet_of(&desk, Some("a"), "2026-03-02");
    assert!(fresh.stale.is_empty(), "{:?}", fresh.stale);
    let packet = packet_of(&desk, Some("a"), "2026-03-20");
    assert_eq!(
        words(lines(&packet, Section::Stale)),
        ["next step of a (shown above): last confirmed 1 March 2026, \
          half-life 7 days: aging since 8 March 2026"]
    );

    let ids = desk.read(|seen| {
        let file = bygone_engine::EntityRef::new("file", "/a").expect("a name");
        let group = seen.group(&file, "source_version", "").expect("read").expect("a group");
        seen.statements(&group).expect("statements")
    });
    let conclusion = bygone_query::state::conclude::Conclusion {
        subject: bygone_engine::EntityRef::new("project", "shop").expect("a name"),
        predicate: "noted",
        key: "",
        object: bygone_engine::Object::Text("parses by hand".to_owned()),
        from: vec![bygone_query::state::conclude::Ground::Statement(ids[0].assertion.id)],
    };
    act(&desk, "2026-03-03", |snapshot, place| {
        bygone_query::state::conclude::conclude(snapshot, place, &agent("a"), &Ontology::core(), &conclusion)
    });
    desk.tell(
        r#"{"subject":"file:/a","predicate":"source_version","object":{"text":"v2"},"from":"2026-03-05","known_at":"2026-03-05T00:00:00Z"}"#,
        "2026-03-05",
    );
    let packet = packet_of(&desk, Some("a"), "2026-03-06");
    let stale: Vec<(&str, &str, bool)> = packet
        .stale
        .iter()
        .map(|warning| (warning.text.as_str(), warning.verdict, warning.shown_as.is_some()))
        .collect();
    assert_eq!(stale, [("shop noted parses by hand, since 3 March 2026, 00:00", "stale_premise", false)]);
    assert!(packet_of(&desk, Some("a"), "2026-03-04").stale.is_empty());
}

#[test]
fn tasks_are_due_a_week_ahead_and_not_once_they_are_done() {
    let task = |task: &str, predicate: &str, object: &str, at: &str| {
        format!(
            r#"{{"subject":"task:{task}","predicate":"{predicate}","object":{object},"from":"{at}","known_at":"{at}T00:00:00Z","source":"{task}{predicate}{at}#0"}}"#
        )
    };
    let mut told = Vec::new();
    for (name, due) in [("report", "2026-03-05"), ("taxes", "2026-03-09"), ("holiday", "2026-07-01")] {
        told.push(task(name, "assigned_to", r#"{"entity":"agent:a"}"#, "2026-03-01"));
        told.push(task(name, "due", &format!(r#"{{"instant":"{due}"}}"#), "2026-03-01"));
    }
    told.push(task("other", "assigned_to", r#"{"entity":"agent:b"}"#, "2026-03-01"));
    told.push(task("other", "due", r#"{"instant":"2026-03-05"}"#, "2026-03-01"));
    told.push(task("taxes", "has_status", r#"{"text":"done"}"#, "2026-03-07"));
    let lines_told: Vec<&str> = told.iter().map(String::as_str).collect();
    let desk = Desk::told(&lines_told);
    let packet = packet_of(&desk, Some("a"), "2026-03-06T12:00:00Z");
    assert_eq!(
        words(lines(&packet, Section::Due)),
        ["\"report\": due 5 March 2026, OVERDUE", "\"taxes\": due 9 March 2026"]
    );
    let packet = packet_of(&desk, Some("a"), "2026-03-08");
    assert_eq!(words(lines(&packet, Section::Due)), ["\"report\": due 5 March 2026, OVERDUE"]);
}

#[test]
fn a_compaction_that_a_run_noted_counts_as_well() {
    let desk = Desk::new();
    let mut told = Transcript::new("s1", "a");
    told.user("2026-03-01T09:00:00Z", "Ship it");
    told.agent("2026-03-01T09:01:00Z", "I'll look.");
    desk.record(told.into_recording(), "2026-03-01T09:02:00Z");
    lease_of(&desk, "2026-03-01T09:03:00Z", "a", 60);
    let by = run("a", 1);
    let own = by.incarnation().expect("a run");
    act(&desk, "2026-03-01T09:10:00Z", |snapshot, place| note(snapshot, place, &by, &own, COMPACTION));
    let packet = packet_of(&desk, None, "2026-03-01T09:20:00Z");
    assert_eq!(packet.compacted.iter().map(|compacted| compacted.n_turns).collect::<Vec<_>>(), [2]);
}

#[test]
fn nobody_has_a_packet_where_nobody_took_part_and_a_person_is_no_agent() {
    let desk = Desk::new();
    let heard = Heard::new();
    let asked = |agent| Asked { agent, at: at("2026-03-01"), heard: &heard };
    let read = |agent| desk.read_as(&View::LATEST, |seen| packet(seen, &Ontology::core(), &asked(agent)));
    assert_eq!(read(None).expect("read"), None);
    assert!(read(Some("nobody")).expect("read").is_some_and(|packet| packet.todos.is_empty()));
    assert_eq!(
        read(Some("person:anna")).expect_err("refused").to_string(),
        "\"person:anna\" is no agent: expected the name of one"
    );
}

#[test]
fn the_short_ids_of_lines_name_the_facts_and_statements_they_rest_on() {
    use bygone_query::why::{fact_meant, is_id};

    let desk = Desk::new();
    let notes = Notes { next: Some("run the tests"), ..Notes::default() };
    act(&desk, "2026-03-01", |snapshot, place| task::set(snapshot, place, &agent("a"), notes));
    let packet = packet_of(&desk, Some("a"), "2026-03-20");
    let short = |line: &str| {
        let (_, id) = line.rsplit_once('[').expect("evidence");
        id.trim_end_matches(']').to_owned()
    };
    let of_next = short(&lines(&packet, Section::Next)[0]);
    let of_warning = short(&lines(&packet, Section::Stale)[0]);
    assert!(is_id(&of_next) && is_id(&of_warning), "{of_next} {of_warning}");
    desk.read(|seen| {
        let fact = fact_meant(seen, &of_warning).expect("a fact");
        assert_eq!(fact, packet.stale[0].fact);
        assert_eq!(fact_meant(seen, &of_next).expect("a fact"), fact);
        assert_eq!(fact_meant(seen, &of_next[..9]).expect("a fact"), fact, "an odd number of digits");
        assert!(fact_meant(seen, "a:000000").is_err() && fact_meant(seen, "f:000000").is_err());
    });
    for text in ["a:1", "f:12345", "e:123456", "a:xxxxxx", "a:", ""] {
        assert!(!is_id(text), "{text}");
    }
}

#[test]
fn turns_are_found_by_their_place() {
    use bygone_query::turns::turns;

    let desk = Desk::new();
    let mut told = Transcript::new("s#1", "a");
    told.user("2026-03-01T09:00:00Z", "Ship it");
    told.agent("2026-03-01T09:01:00Z", "I'll look.");
    told.agent("2026-03-02T09:01:00Z", "Done.");
    desk.record(told.into_recording(), "2026-03-03");
    let said = |view: &View, place: &str| -> Vec<String> {
        let turns = desk.read_as(view, |seen| turns(seen, place)).expect("read");
        turns.into_iter().map(|turn| turn.episode.text).collect()
    };
    assert_eq!(said(&View::LATEST, "s#1#2"), ["I'll look."]);
    assert_eq!(said(&View::LATEST, "s#1#1..9"), ["Ship it", "I'll look.", "Done."]);
    assert_eq!(said(&super::super::desk::known("2026-03-01"), "s#1#1..9"), ["Ship it", "I'll look."]);
    for place in ["s#1", "s#1#4", "s#1#2..1", "s#1#", "s#1#x", "other#1", "s"] {
        assert_eq!(said(&View::LATEST, place), [] as [&str; 0], "{place}");
    }
}
