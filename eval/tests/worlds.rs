//! The belief benchmark: its worlds, its sentences, who is right in it, and whether it catches who errs.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;
use std::ops::RangeInclusive;

use bygone_engine::time::{Instant, parse_moment};
use bygone_eval::EvalError;
use bygone_eval::worlds::question::{Held, Standing};
use bygone_eval::worlds::steps::steps;
use bygone_eval::worlds::system::{Bygone, Latest, Outside, Rectangles};
use bygone_eval::worlds::wording::KINDS;
use bygone_eval::worlds::{
    Answer, Ask, Entry, Kind, Plan, Posed, Question, Rendering, Report, Scores, Step, System, World,
    evaluate, questions,
};
use serde_json::{Value, json};

fn plan(seeds: RangeInclusive<u64>) -> Plan<'static> {
    Plan { seeds, n_questions: usize::MAX, stop: None }
}

fn scores(system: &mut dyn System, rendering: Rendering, seeds: RangeInclusive<u64>) -> Scores {
    evaluate(system, rendering, &plan(seeds), &mut |_| Ok(())).expect("evaluates")
}

#[test]
fn every_kind_of_sentence_has_forty_of_its_own_and_a_place_for_what_it_tells() {
    assert_eq!(KINDS.len(), 22);
    for kind in KINDS {
        let sentences: BTreeSet<&str> = kind.sentences().collect();
        assert!(sentences.len() >= 40, "{}: {}", kind.name, sentences.len());
        assert_eq!(sentences.len(), kind.sentences().count(), "{}: one stands twice", kind.name);
        let form = kind.name.rsplit('_').next().expect("a name");
        for sentence in sentences {
            let has = |place: &str| sentence.contains(place);
            let dates = ["{at}", "{at_start}", "{point}"].iter().filter(|place| has(place)).count();
            let fits = match form {
                "since" | "start" | "end" => has("{x}") && dates == 1,
                "bounded" => has("{x}") && has("{from}") && has("{to}") && dates == 0,
                "correction" => has("{right}") && has("{wrong}") && dates == 0,
                _ => has("{x}") && dates == 0,
            };
            assert!(fits, "{}: {sentence}", kind.name);
        }
    }
}

#[test]
fn a_seed_makes_one_world_and_another_seed_another() {
    let [one, same, other] = [3, 3, 4].map(World::new);
    assert_eq!(one, same);
    assert_ne!(one.events, other.events);
    let said = one.said();
    assert_eq!(steps(&one, &said, Rendering::Chat), steps(&same, &same.said(), Rendering::Chat));
    assert_eq!(questions(&one, &said), questions(&same, &same.said()));
}

#[test]
fn worlds_are_told_in_the_order_of_time_with_conclusions_on_what_was_said() {
    for seed in 1..=10 {
        let world = World::new(seed);
        let said = world.said();
        assert!(said.iter().map(|stated| stated.assertion.known_at).is_sorted(), "seed {seed}");
        let ids: BTreeSet<_> = said.iter().map(|stated| stated.assertion.id).collect();
        assert_eq!(ids.len(), said.len(), "seed {seed}: a statement stands twice");
        let conclusions: Vec<_> =
            said.iter().filter(|stated| stated.assertion.predicate == "decided").collect();
        assert!(!conclusions.is_empty(), "seed {seed}");
        for made in conclusions {
            let premises = &made.assertion.derived_from;
            assert!(
                !premises.is_empty() && premises.iter().all(|premise| ids.contains(premise)),
                "seed {seed}"
            );
        }
    }
}

#[test]
fn every_kind_of_question_is_asked_of_worlds_and_conclusions_stand_and_fall_alike() {
    let mut by_kind: BTreeMap<Kind, usize> = BTreeMap::new();
    let mut by_standing: BTreeMap<Standing, usize> = BTreeMap::new();
    let mut n_something = 0;
    for seed in 1..=4 {
        let world = World::new(seed);
        let asked = questions(&world, &world.said());
        for Posed { question, expected } in asked.told.iter().chain(&asked.erased) {
            *by_kind.entry(question.kind).or_default() += 1;
            if let (Kind::Staleness, Answer::Standing { stands }) = (question.kind, expected) {
                *by_standing.entry(*stands).or_default() += 1;
            }
            let nothing = [
                Answer::Objects { objects: Vec::new() },
                Answer::Difference { gained: Vec::new(), lost: Vec::new() },
                Answer::At { at: None },
                Answer::Standing { stands: Standing::None },
            ];
            n_something += usize::from(!nothing.contains(expected));
        }
    }
    for kind in Kind::ALL {
        assert!(by_kind[&kind] >= 40, "{kind:?}: {by_kind:?}");
    }
    let n_asked: usize = by_kind.values().sum();
    // Silence is no way to score.
    assert!(n_something * 100 >= n_asked * 65, "{n_something} of {n_asked} have an answer");
    let standing = |standing| by_standing.get(&standing).copied().unwrap_or_default();
    let (fresh, stale) = (standing(Standing::Fresh), standing(Standing::Stale));
    assert!(fresh * 10 >= stale * 7 && stale * 10 >= fresh * 7, "{fresh} fresh, {stale} stale");
}

#[test]
fn the_store_answers_every_question_about_what_is_asserted() {
    let scores = scores(&mut Bygone::default(), Rendering::Assertions, 1..=2);
    for kind in Kind::ALL {
        let tally = scores.by_kind[&kind];
        assert_eq!(tally.right, tally.asked, "{kind:?}");
    }
    let closings = scores.closings;
    assert!(closings.due > 20, "{closings:?}");
    assert_eq!((closings.closed, closings.both), (closings.due, closings.due));
}

#[test]
fn simple_ways_to_keep_facts_do_worse() {
    let accuracy = |system: &mut dyn System| {
        scores(system, Rendering::Assertions, 1..=3).total().accuracy().expect("questions")
    };
    let (rectangles, latest) = (accuracy(&mut Rectangles::default()), accuracy(&mut Latest::default()));
    assert!(latest < 0.5, "{latest}");
    assert!(latest < rectangles && rectangles < 1.0, "{rectangles}");
}

#[test]
fn two_runs_give_the_same_rows() {
    let row = || {
        let scores = scores(&mut Bygone::default(), Rendering::Chat, 1..=1);
        Value::Object(scores.members()).to_string()
    };
    assert_eq!(row(), row());
}

#[test]
fn the_last_row_is_the_summary_with_the_other_rendering_beside_it() {
    let mut scores = Scores::default();
    scores.count(Kind::ValidTime, true);
    scores.count(Kind::ValidTime, false);
    let entry =
        |system: &str, rendering| Entry { system: system.to_owned(), rendering, scores: scores.clone() };
    let entries = vec![
        entry("bygone", Rendering::Chat),
        entry("latest", Rendering::Assertions),
        entry("bygone", Rendering::Assertions),
    ];
    let rows = Report { seeds: 1..=20, entries }.rows();
    let nothing_closed = json!({ "closed": 0, "due": 0, "precision": null, "recall": null });
    let expected = json!({
        "dataset": "belief", "system": "latest", "rendering": "assertions", "seeds": "1..20", "accuracy": 0.5,
        "by_kind": { "valid_time": 0.5 }, "questions": 2, "questions_by_kind": { "valid_time": 2 },
        "invalidation": nothing_closed,
    });
    assert_eq!(rows[1], expected);
    assert_eq!((&rows[2]["system"], &rows[2]["chat"]["accuracy"]), (&json!("bygone"), &json!(0.5)));
    assert_eq!(rows[0]["assertions"], Value::Null);
}

#[test]
fn a_limit_asks_the_first_questions_alone() {
    let plan = Plan { n_questions: 5, ..plan(1..=2) };
    let mut asked = Vec::new();
    let scores = evaluate(&mut Latest::default(), Rendering::Assertions, &plan, &mut |answered| {
        if answered.posed.question.kind != Kind::Closing {
            asked.push((answered.seed, answered.posed.question.id));
        }
        Ok(())
    });
    assert_eq!(scores.expect("evaluates").total().asked, 10);
    assert_eq!(asked, [1, 2].map(|seed| [1, 2, 3, 4, 5].map(|id| (seed, id))).concat());
}

/// A system that asks another one something else than it was asked, and joins what comes back.
struct Bent(Bygone, fn(&Question) -> Vec<Question>);

impl System for Bent {
    fn begin(&mut self, seed: u64, rendering: Rendering) -> Result<(), EvalError> {
        self.0.begin(seed, rendering)
    }

    fn take(&mut self, step: &Step) -> Result<(), EvalError> {
        self.0.take(step)
    }

    fn ask(&mut self, question: &Question) -> Result<Option<Answer>, EvalError> {
        let mut all = Vec::new();
        for question in (self.1)(question) {
            match self.0.ask(&question)? {
                Some(Answer::Objects { objects }) => all.extend(objects),
                other => return Ok(other),
            }
        }
        Ok(Some(Answer::Objects { objects: all }))
    }
}

/// The same question a microsecond earlier in valid time.
fn just_before(question: &Question) -> Question {
    match &question.ask {
        Ask::Holds { valid, known } => {
            let valid = parse_moment(valid).expect("a time").at.previous().to_rfc3339();
            Question { ask: Ask::Holds { valid, known: known.clone() }, ..question.clone() }
        }
        _ => question.clone(),
    }
}

#[test]
fn a_period_that_includes_its_end_is_caught() {
    let mut bent = Bent(Bygone::default(), |question| vec![question.clone(), just_before(question)]);
    let scores = scores(&mut bent, Rendering::Assertions, 1..=1);
    for kind in [Kind::ValidTime, Kind::BothClocks, Kind::Erasure] {
        let tally = scores.by_kind[&kind];
        assert!(tally.right < tally.asked, "{kind:?}: {tally:?}");
    }
}

/// Answers rightly, but that each period in a difference ends a day later.
struct EndsLate(Bygone);

impl System for EndsLate {
    fn begin(&mut self, seed: u64, rendering: Rendering) -> Result<(), EvalError> {
        self.0.begin(seed, rendering)
    }

    fn take(&mut self, step: &Step) -> Result<(), EvalError> {
        self.0.take(step)
    }

    fn ask(&mut self, question: &Question) -> Result<Option<Answer>, EvalError> {
        let late = |held: Vec<Held>| -> Vec<Held> {
            let end = |end: String| {
                let at = parse_moment(&end).expect("a time").at;
                at.plus_micros(86_400_000_000).to_rfc3339().replace("T00:00:00Z", "")
            };
            held.into_iter().map(|Held(object, from, to)| Held(object, from, to.map(end))).collect()
        };
        Ok(match self.0.ask(question)? {
            Some(Answer::Difference { gained, lost }) => {
                Some(Answer::Difference { gained: late(gained), lost: late(lost) })
            }
            other => other,
        })
    }
}

#[test]
fn a_period_that_ends_a_day_late_is_caught() {
    let scores = scores(&mut EndsLate(Bygone::default()), Rendering::Assertions, 1..=1);
    for (kind, tally) in &scores.by_kind {
        assert_eq!(tally.right == tally.asked, *kind != Kind::Difference, "{kind:?}: {tally:?}");
    }
}

#[test]
fn what_lies_outside_its_view_is_caught() {
    let mut bent = Bent(Bygone::default(), |question| match &question.ask {
        Ask::Holds { valid, .. } => {
            vec![Question { ask: Ask::Holds { valid: valid.clone(), known: None }, ..question.clone() }]
        }
        _ => vec![question.clone()],
    });
    let scores = scores(&mut bent, Rendering::Assertions, 1..=1);
    for kind in [Kind::KnownTime, Kind::BothClocks, Kind::Identity] {
        let tally = scores.by_kind[&kind];
        assert!(tally.right < tally.asked, "{kind:?}: {tally:?}");
    }
    assert_eq!(scores.by_kind[&Kind::ValidTime].right, scores.by_kind[&Kind::ValidTime].asked);
    assert_eq!(scores.closings.closed, 0, "with one view nothing is ever closed");
}

/// The lines of a system that answers all questions of a world rightly.
fn right_answers(seed: u64) -> Vec<Value> {
    let world = World::new(seed);
    let asked = questions(&world, &world.said());
    let closings = asked.closings.iter().flatten();
    let all = asked.told.iter().chain(closings).chain(&asked.erased);
    let line = |posed: &Posed| {
        let mut line = json!(posed.expected);
        line["id"] = json!(posed.question.id);
        line
    };
    all.map(line).collect()
}

fn outside(lines: &[Value]) -> (Result<Scores, EvalError>, Vec<Value>) {
    let answers = lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    let mut told = Vec::new();
    let mut system = Outside::new(Cursor::new(answers), &mut told);
    let outcome = evaluate(&mut system, Rendering::Chat, &plan(2..=2), &mut |_| Ok(()));
    let told = String::from_utf8(told).expect("text");
    (outcome, told.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

#[test]
fn a_system_outside_is_told_a_world_and_scored_by_its_answers() {
    let mut lines = right_answers(2);
    let (scores, told) = outside(&lines);
    let scores = scores.expect("evaluates");
    assert_eq!(scores.total().right, scores.total().asked);
    assert_eq!((scores.closings.precision(), scores.closings.recall()), (Some(1.0), Some(1.0)));
    let ops: BTreeSet<&str> = told.iter().filter_map(|line| line["op"].as_str()).collect();
    assert_eq!(ops.into_iter().collect::<Vec<_>>(), ["ask", "begin", "conclude", "erase", "session"]);
    assert_eq!(told[0], json!({ "op": "begin", "protocol": 1, "world": 2, "rendering": "chat" }));
    assert_eq!(told.iter().filter(|line| line["op"] == "ask").count(), lines.len());

    // A wrong answer, one that is none, and one with a part that answers do not have.
    lines[0] = json!({ "id": lines[0]["id"], "objects": ["Nowhere"] });
    lines[1] = json!({ "id": lines[1]["id"] });
    lines[2]["sure"] = json!(true);
    let wrong = outside(&lines).0.expect("evaluates");
    assert_eq!(wrong.total().right, scores.total().right - 3);
}

#[test]
fn a_system_outside_that_does_not_speak_the_protocol_is_refused() {
    let refusal = |lines: &[Value]| outside(lines).0.expect_err("a refusal").to_string();
    let answers = right_answers(2);
    assert_eq!(refusal(&[]), "the system that is compared ended without an answer to question 1");
    assert_eq!(
        refusal(&[json!({ "id": 7, "objects": [] })]),
        r#"the system that is compared line 1 is no answer to question 1: expected its "id": {"id":7,"objects":[]}"#
    );
    assert_eq!(
        refusal(&[answers[0].clone(), json!(3)]),
        r#"the system that is compared line 2 is no answer to question 2: expected its "id": 3"#
    );
    let mut told = Vec::new();
    let mut system = Outside::new(Cursor::new("hello\n"), &mut told);
    let outcome = evaluate(&mut system, Rendering::Assertions, &plan(2..=2), &mut |_| Ok(()));
    let refused = outcome.expect_err("a refusal").to_string();
    assert_eq!(refused, "the system that is compared line 1 is no JSON: hello");
}

#[test]
fn closings_are_counted_by_turn() {
    let answer =
        |objects: &[&str]| Answer::Objects { objects: objects.iter().map(ToString::to_string).collect() };
    let mut closings = bygone_eval::worlds::Closings::default();
    let (ab, b, none) = (answer(&["a", "b"]), answer(&["b"]), answer(&[]));
    closings.count([Some(&ab), Some(&b)], [&ab, &none]);
    closings.count([Some(&b), Some(&none)], [&b, &b]);
    closings.count([None, Some(&b)], [&b, &b]);
    assert_eq!((closings.closed, closings.due, closings.both), (2, 2, 1));
    assert_eq!((closings.precision(), closings.recall()), (Some(0.5), Some(0.5)));
}

mod oracle {
    use bygone_engine::wire::{Defaults, read_statement};
    use bygone_eval::worlds::oracle::{Asked, Oracle};
    use bygone_eval::worlds::world::Stated;

    use super::*;

    const HOME: Asked<'static> = Asked { subject: "person:Ann", predicate: "lives_in", key: "" };

    /// Each line is a day of January 2024, a session, a polarity, an object, and a start.
    fn said(lines: &[(u32, &str, &str, &str, Option<&str>)]) -> Vec<Stated> {
        let stated = |(day, session, polarity, object, from): &(u32, &str, &str, &str, Option<&str>)| {
            let wire = json!({
                "subject": "person:Ann", "predicate": "lives_in", "object": { "entity": format!("place:{object}") },
                "polarity": polarity, "from": from, "known_at": format!("2024-01-{day:02}T00:00:00Z"),
                "source": format!("{session}#1"),
            });
            let defaults = Defaults { now: Instant::FIRST, document: "t".to_owned(), position: 0 };
            let assertion = read_statement(&wire.to_string(), &defaults).expect("reads").assertion;
            Stated { wire, assertion }
        };
        lines.iter().map(stated).collect()
    }

    fn at(text: &str) -> Instant {
        parse_moment(text).expect(text).at
    }

    #[test]
    fn what_is_taken_back_was_believed_until_then() {
        let oracle = Oracle::new(&said(&[
            (1, "one", "affirm", "Oslo", Some("2020")),
            (2, "two", "affirm", "Rome", Some("2022")),
            (3, "three", "deny", "Rome", None),
        ]));
        let holds = |valid: &str, known: &str| oracle.holds(HOME, at(valid), at(known));
        assert_eq!(holds("2023-01-01", "2024-01-01"), ["Oslo"]);
        assert_eq!(holds("2023-01-01", "2024-01-02"), ["Rome"]);
        assert_eq!(holds("2023-01-01", "2024-01-03"), ["Oslo"]);
        assert_eq!(holds("2019-12-31", "2024-01-03"), [""; 0]);
        assert_eq!(oracle.learned(HOME, "Rome"), Some(at("2024-01-02")));
        assert_eq!(oracle.learned(HOME, "Paris"), None);
        let (gained, lost) = oracle.difference(HOME, at("2024-01-02"), at("2024-01-03"));
        let since_2022 = |object: &str| vec![Held(object.to_owned(), Some("2022-01-01".to_owned()), None)];
        assert_eq!((gained, lost), (since_2022("Oslo"), since_2022("Rome")));
    }

    #[test]
    fn an_erased_session_was_never_heard() {
        let mut oracle = Oracle::new(&said(&[
            (1, "one", "affirm", "Oslo", Some("2020")),
            (2, "two", "affirm", "Rome", Some("2022")),
        ]));
        oracle.erase("two");
        assert_eq!(oracle.holds(HOME, at("2023-01-01"), at("2024-01-02")), ["Oslo"]);
        assert_eq!(oracle.learned(HOME, "Rome"), None);
    }
}
