//! Calls of tools: what begins, what is replayed, and what nobody knows.

use bygone_engine::{RecordedAt, View};
use bygone_query::state::call::{
    Begin, Begun, Call, Given, Outcome, Retry, Settled, State, begin, call, calls, settle,
};
use bygone_query::state::lease::{Beat, Start, beat, end, start};
use bygone_query::state::liveness::{Heard, Heartbeat};
use bygone_query::state::{Actor, Incarnation, StateError};

use super::{Desk, SECOND, agent, at, known, run};

/// A call of a tool that must not be made twice.
fn mail(key: &str) -> Begin<'_> {
    Begin { tool: "mail", key, input: Some(r#"{"to":"anna"}"#), retry: Retry::AtMostOnce, takes_over: false }
}

impl Desk {
    /// Starts a run with a lease of a minute.
    fn lease(&self, seconds: i64, name: &str) {
        let by = agent(name);
        let asked = Start { agent: name, ttl_micros: Some(60 * SECOND), ..Start::default() };
        self.decide(seconds, &by, |snapshot, place| start(snapshot, place, &by, &asked)).expect("a lease");
    }

    fn beat_of(&self, seconds: i64, by: &Actor) {
        self.decide(seconds, by, |snapshot, place| beat(snapshot, place, by, &Beat::default()))
            .expect("a heartbeat");
    }

    fn end_of(&self, seconds: i64, by: &Actor) {
        let run = by.incarnation().expect("a run");
        self.decide(seconds, by, |snapshot, place| end(snapshot, place, by, &run, "crash")).expect("an end");
    }

    fn begin(&self, seconds: i64, by: &Actor, asked: &Begin<'_>) -> Result<Begun, StateError> {
        self.decide(seconds, by, |snapshot, place| begin(snapshot, place, by, asked, &Heard::new()))
    }

    fn settle(&self, seconds: i64, by: &Actor, key: &str, outcome: &Outcome) -> Result<Settled, StateError> {
        self.decide(seconds, by, |snapshot, place| settle(snapshot, place, by, key, outcome, &Heard::new()))
    }

    fn succeed(&self, seconds: i64, by: &Actor, key: &str, result: &str) -> Result<Settled, StateError> {
        self.settle(seconds, by, key, &Outcome::Succeeded(Some(Given::read(result))))
    }

    fn call(&self, view: &View, seconds: i64, key: &str) -> Option<Call> {
        self.read(view, |seen| call(seen, key, at(seconds), &Heard::new()).expect("a call"))
    }

    fn state(&self, view: &View, seconds: i64, key: &str) -> Option<State> {
        self.call(view, seconds, key).map(|call| call.state)
    }

    fn listed(&self, seconds: i64, state: Option<State>) -> Vec<String> {
        let calls = self.read(&View::LATEST, |seen| calls(seen, at(seconds), &Heard::new(), state));
        calls.expect("calls").into_iter().map(|call| call.key).collect()
    }
}

fn refused<T: std::fmt::Debug>(result: Result<T, StateError>) -> String {
    match result {
        Err(StateError::Refused(text)) => text,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn a_call_runs_once_and_its_result_is_replayed() {
    let desk = Desk::new();
    desk.lease(0, "a");
    desk.lease(0, "b");
    let begun = desk.begin(1, &run("a", 1), &mail("k1")).expect("begun");
    assert_eq!((begun.name(), begun.call().attempt), ("run", 1));
    let again = desk.begin(2, &run("b", 1), &mail("k1")).expect("begun");
    assert_eq!((again.name(), again.call().by.to_string().as_str()), ("in_flight", "a#1"));
    assert_eq!(again.call().started_at, begun.call().at);

    desk.succeed(3, &run("a", 1), "k1", r#"{"sent": true}"#).expect("settled");
    let replay = desk.begin(4, &run("b", 1), &mail("k1")).expect("begun");
    assert_eq!(replay.name(), "replay");
    assert_eq!(replay.call().result, Some(Given::Json(r#"{"sent":true}"#.to_owned())));
    // The run that made it being over changes nothing of what it gave.
    desk.end_of(5, &run("a", 1));
    assert_eq!(desk.begin(6, &run("b", 1), &mail("k1")).expect("begun").name(), "replay");
}

#[test]
fn what_failed_or_was_called_off_is_tried_again() {
    let desk = Desk::new();
    desk.lease(0, "a");
    desk.begin(1, &run("a", 1), &mail("k1")).expect("begun");
    desk.settle(2, &run("a", 1), "k1", &Outcome::Failed("no route".to_owned())).expect("settled");
    let failed = desk.call(&View::LATEST, 3, "k1").expect("a call");
    assert_eq!((failed.state, failed.error.as_deref()), (State::Failed, Some("no route")));

    let second = desk.begin(4, &run("a", 1), &mail("k1")).expect("begun");
    assert_eq!((second.name(), second.call().attempt), ("run", 2));
    let running = desk.call(&View::LATEST, 5, "k1").expect("a call");
    assert_eq!((running.state, running.error, running.at), (State::InFlight, None, second.call().at));
    desk.settle(6, &run("a", 1), "k1", &Outcome::Cancelled).expect("settled");
    assert_eq!(desk.begin(7, &run("a", 1), &mail("k1")).expect("begun").call().attempt, 3);
    desk.succeed(8, &run("a", 1), "k1", "done").expect("settled");
    let done = desk.call(&View::LATEST, 9, "k1").expect("a call");
    assert_eq!((done.state, done.attempt, done.error), (State::Succeeded, 3, None));
}

#[test]
fn a_key_is_for_one_tool_and_one_input() {
    let desk = Desk::new();
    desk.begin(0, &agent("a"), &mail("k1")).expect("begun");
    for other in [
        Begin { tool: "post", ..mail("k1") },
        Begin { input: Some(r#"{"to":"bob"}"#), ..mail("k1") },
        Begin { input: None, ..mail("k1") },
    ] {
        let text = refused(desk.begin(1, &agent("a"), &other));
        assert!(text.starts_with(r#"the key "k1" is that of a call of mail with {"to":"anna"}"#), "{text}");
    }
    // Spelling is no difference.
    let spelt = Begin { input: Some(r#" { "to" : "anna" } "#), ..mail("k1") };
    assert_eq!(desk.begin(2, &agent("a"), &spelt).expect("begun").name(), "in_flight");
    let null = Begin { input: Some("null"), ..mail("k2") };
    desk.begin(3, &agent("a"), &null).expect("begun");
    let none = Begin { input: None, ..mail("k2") };
    assert_eq!(desk.begin(4, &agent("a"), &none).expect("begun").name(), "in_flight");
    for bad in [Begin { input: Some("{"), ..mail("k3") }, mail(" "), Begin { tool: "", ..mail("k3") }] {
        let result = desk.begin(5, &agent("a"), &bad);
        assert!(matches!(result, Err(StateError::Name(_))), "{result:?}");
    }
}

#[test]
fn nothing_is_in_flight_without_a_live_lease() {
    let desk = Desk::new();
    desk.lease(0, "a");
    desk.begin(1, &run("a", 1), &mail("k1")).expect("begun");
    for (seconds, expected) in [
        (1, State::InFlight),
        (59, State::InFlight),
        (60, State::OutcomeUnknown),
        (119, State::OutcomeUnknown),
        (5_000, State::OutcomeUnknown),
    ] {
        assert_eq!(desk.state(&View::LATEST, seconds, "k1"), Some(expected), "{seconds}");
    }
    // A heartbeat brings it back, and an end takes it for good.
    desk.beat_of(100, &run("a", 1));
    assert_eq!(desk.state(&View::LATEST, 101, "k1"), Some(State::InFlight));
    assert_eq!(desk.state(&View::LATEST, 90, "k1"), Some(State::OutcomeUnknown), "as it was then");
    desk.end_of(110, &run("a", 1));
    let unknown = desk.call(&View::LATEST, 111, "k1").expect("a call");
    assert_eq!(unknown.state, State::OutcomeUnknown);
    assert_eq!(unknown.basis, "a#1 is dead: it ended on 2026-01-01T00:01:50Z: crash");
}

#[test]
fn a_newer_run_makes_the_outcome_of_the_olders_calls_unknown() {
    let desk = Desk::new();
    desk.lease(0, "a");
    desk.begin(1, &run("a", 1), &mail("k1")).expect("begun");
    desk.lease(2, "a");
    let begun = desk.begin(3, &run("a", 2), &mail("k1")).expect("begun");
    assert_eq!(begun.name(), "unknown");
    assert_eq!(begun.call().basis, "a#1 is dead: epoch 2 of the same agent fences it");
    let text = refused(desk.succeed(4, &run("a", 1), "k1", "sent"));
    assert_eq!(text, "a#1 may not write: epoch 2 of the same agent fences it");
    assert_eq!(desk.state(&View::LATEST, 5, "k1"), Some(State::OutcomeUnknown));
    let late = bygone_engine::EntityRef::parse("incarnation:a#1").expect("an entity");
    let n_late = desk.read(&View::LATEST, |seen| {
        let group = seen.group(&late, "late_write", "").expect("read").expect("late writes");
        seen.facts(&group).expect("read").len()
    });
    assert_eq!(n_late, 1);
    // Who looked and found that it was done says so.
    desk.succeed(6, &run("a", 2), "k1", "sent").expect("settled");
    assert_eq!(desk.begin(7, &run("a", 2), &mail("k1")).expect("begun").name(), "replay");
}

#[test]
fn the_retry_class_says_whether_an_unknown_call_is_safe_to_make_again() {
    for (retry, is_safe) in
        [(Retry::Pure, true), (Retry::Idempotent, true), (Retry::Keyed, true), (Retry::AtMostOnce, false)]
    {
        let desk = Desk::new();
        desk.lease(0, "a");
        desk.lease(0, "b");
        let asked = Begin { retry, ..mail("k1") };
        let begun = desk.begin(1, &run("a", 1), &asked).expect("begun");
        assert_eq!(begun.call().retry_is_safe(), None, "nobody asks while it is made");
        desk.end_of(2, &run("a", 1));
        let unknown = desk.begin(3, &run("b", 1), &asked).expect("begun");
        assert_eq!(unknown.name(), "unknown", "{}: safe or not, it is the caller's to decide", retry.name());
        let row = unknown.to_json();
        assert_eq!(row["retry_is_safe"], is_safe, "{row}");
        assert_eq!(row["advice"], retry.advice());
        let taken = desk.begin(4, &run("b", 1), &Begin { takes_over: true, ..asked }).expect("begun");
        assert_eq!((taken.name(), taken.call().attempt), ("run", 2));
        let call = desk.call(&View::LATEST, 5, "k1").expect("a call");
        assert_eq!((call.state, call.attempt, call.by.to_string()), (State::InFlight, 2, "b#1".to_owned()));
        assert_eq!((call.at, call.seq), (taken.call().at, taken.call().seq));
    }
}

#[test]
fn a_call_in_flight_is_not_taken_over_and_one_taken_over_is_not_settled_by_the_first() {
    let desk = Desk::new();
    desk.lease(0, "a");
    desk.lease(0, "b");
    let take = Begin { takes_over: true, ..mail("k1") };
    desk.begin(1, &run("a", 1), &mail("k1")).expect("begun");
    assert_eq!(desk.begin(2, &run("b", 1), &take).expect("begun").name(), "in_flight");
    let text = refused(desk.succeed(3, &run("b", 1), "k1", "sent"));
    assert!(text.starts_with(r#"attempt 1 of the call "k1" is made by a#1, and a#1 is alive"#), "{text}");

    // The first lapses, another one takes over, and the first comes back too late.
    desk.beat_of(50, &run("b", 1));
    assert_eq!(desk.begin(70, &run("b", 1), &take).expect("begun").name(), "run");
    desk.beat_of(75, &run("a", 1));
    let text = refused(desk.succeed(76, &run("a", 1), "k1", "sent"));
    assert!(text.starts_with(r#"attempt 2 of the call "k1" is made by b#1"#), "{text}");
    desk.succeed(77, &run("b", 1), "k1", "sent").expect("settled");
}

#[test]
fn a_call_without_a_lease_stays_in_flight_and_says_so() {
    let desk = Desk::new();
    desk.begin(0, &agent("a"), &mail("k1")).expect("begun");
    let call = desk.call(&View::LATEST, 1_000_000, "k1").expect("a call");
    assert_eq!(call.state, State::InFlight);
    assert_eq!(call.basis, "no lease: a did not say in which run it was begun");
    assert_eq!(desk.begin(1, &agent("b"), &mail("k1")).expect("begun").name(), "in_flight");
    // Nobody can tell that it is over: who knows takes it over.
    let take = Begin { takes_over: true, ..mail("k1") };
    assert_eq!(desk.begin(2, &agent("b"), &take).expect("begun").call().attempt, 2);
    refused(desk.succeed(3, &agent("a"), "k1", "sent"));
    desk.succeed(4, &Actor::default(), "k1", "sent").expect("a person may settle it");
}

#[test]
fn settling_is_done_once_and_only_of_what_was_begun() {
    let desk = Desk::new();
    let missing = desk.succeed(0, &agent("a"), "k1", "x");
    assert!(matches!(missing, Err(StateError::Missing(_))), "{missing:?}");
    desk.begin(1, &agent("a"), &mail("k1")).expect("begun");
    let first = desk.succeed(2, &agent("a"), "k1", "sent").expect("settled");
    let seq = desk.last_seq().expect("read");
    let again = desk.succeed(3, &agent("a"), "k1", "sent").expect("settled");
    assert!(!first.was_settled && again.was_settled);
    assert_eq!((again.call, desk.last_seq().expect("read")), (first.call, seq));
    for other in [Outcome::Succeeded(None), Outcome::Failed("x".to_owned()), Outcome::Cancelled] {
        let text = refused(desk.settle(4, &agent("a"), "k1", &other));
        assert!(text.starts_with(r#"the call "k1" succeeded on 2026-01-01T00:00:02"#), "{text}");
    }
}

#[test]
fn calls_are_listed_by_how_they_stand_in_the_order_of_that() {
    let desk = Desk::new();
    desk.lease(0, "a");
    for (seconds, key) in [(1, "k3"), (2, "k1"), (3, "k2"), (4, "k4")] {
        desk.begin(seconds, &run("a", 1), &mail(key)).expect("begun");
    }
    desk.succeed(5, &run("a", 1), "k1", "x").expect("settled");
    desk.settle(6, &run("a", 1), "k3", &Outcome::Failed("x".to_owned())).expect("settled");
    assert_eq!(desk.listed(7, None), ["k2", "k4", "k1", "k3"]);
    assert_eq!(desk.listed(7, Some(State::InFlight)), ["k2", "k4"]);
    assert_eq!(desk.listed(7, Some(State::Failed)), ["k3"]);
    assert_eq!(desk.listed(7, Some(State::OutcomeUnknown)), [] as [&str; 0]);
    assert_eq!(desk.listed(70, Some(State::OutcomeUnknown)), ["k2", "k4"]);
    assert_eq!(desk.listed(70, Some(State::InFlight)), [] as [&str; 0]);
    assert_eq!(desk.listed(2, None), ["k3", "k1"], "as it was");
}

#[test]
fn every_view_of_a_call_answers_as_it_would_have_then() {
    let desk = Desk::new();
    desk.lease(0, "a");
    desk.lease(0, "b");
    desk.begin(10, &run("a", 1), &mail("k1")).expect("begun");
    desk.settle(20, &run("a", 1), "k1", &Outcome::Failed("x".to_owned())).expect("settled");
    desk.begin(30, &run("a", 1), &mail("k1")).expect("begun");
    let before_the_end = desk.last_seq().expect("read");
    desk.end_of(40, &run("a", 1));
    desk.beat_of(45, &run("b", 1));
    let take = Begin { takes_over: true, ..mail("k1") };
    desk.begin(50, &run("b", 1), &take).expect("begun");
    desk.succeed(60, &run("b", 1), "k1", "sent").expect("settled");

    for (seconds, expected) in [
        (9, None),
        (10, Some((State::InFlight, 1, "a#1"))),
        (20, Some((State::Failed, 1, "a#1"))),
        (30, Some((State::InFlight, 2, "a#1"))),
        (40, Some((State::OutcomeUnknown, 2, "a#1"))),
        (50, Some((State::InFlight, 3, "b#1"))),
        (60, Some((State::Succeeded, 3, "b#1"))),
    ] {
        for view in [View::LATEST, known(seconds)] {
            let call = desk.call(&view, seconds, "k1");
            let told = call.as_ref().map(|call| (call.state, call.attempt, call.by.to_string()));
            assert_eq!(told, expected.map(|(s, n, by)| (s, n, by.to_owned())), "{seconds}");
            let told_then = desk.call(&known(seconds), seconds, "k1");
            assert_eq!(call, told_then, "{seconds}: nothing of what came later");
        }
    }
    let recorded = View { recorded: RecordedAt::Seq(before_the_end), ..View::LATEST };
    assert_eq!(desk.state(&recorded, 41, "k1"), Some(State::InFlight), "by what was recorded then");
}

#[test]
fn a_jump_of_the_clock_loses_no_call_whose_run_this_process_heard() {
    let desk = Desk::new();
    desk.lease(0, "a");
    desk.begin(1, &run("a", 1), &mail("k1")).expect("begun");
    let a = Incarnation::parse("a#1").expect("a run");
    let heard = Heard::from([(a, Heartbeat { beat_at: at(0), ago_micros: 5 * SECOND })]);
    let by = agent("b");
    let later = desk
        .decide(3_605, &by, |snapshot, place| begin(snapshot, place, &by, &mail("k1"), &heard))
        .expect("begun");
    assert_eq!(later.name(), "in_flight");
}

#[test]
fn results_are_texts_unless_they_are_objects_arrays_or_null() {
    for (text, expected) in [
        ("sent", Given::Text("sent".to_owned())),
        ("42", Given::Text("42".to_owned())),
        ("true", Given::Text("true".to_owned())),
        ("\"quoted\"", Given::Text("\"quoted\"".to_owned())),
        ("{ \"b\": 1, \"a\": [2] }", Given::Json(r#"{"a":[2],"b":1}"#.to_owned())),
        ("[1, 2]", Given::Json("[1,2]".to_owned())),
        ("null", Given::Json("null".to_owned())),
        ("{broken", Given::Text("{broken".to_owned())),
    ] {
        assert_eq!(Given::read(text), expected, "{text}");
    }
}

#[test]
fn inputs_with_numbers_of_any_length_are_compared_digit_by_digit() {
    let desk = Desk::new();
    let by = agent("a");
    let asked = |input: &'static str| Begin { input: Some(input), ..mail("k1") };
    let first = r#"{"id": 100000000000000000001, "to": "anna"}"#;
    desk.begin(0, &by, &asked(first)).expect("begun");
    desk.succeed(1, &by, "k1", "sent").expect("settled");
    let again =
        desk.begin(2, &by, &asked(r#"{"to":"anna","id":100000000000000000001}"#)).expect("the same call");
    assert_eq!(again.name(), "replay");
    assert_eq!(again.call().input.as_deref(), Some(r#"{"id":100000000000000000001,"to":"anna"}"#));
    let other = desk.begin(3, &by, &asked(r#"{"id":100000000000000000002,"to":"anna"}"#));
    assert!(other.expect_err("another call").to_string().contains("100000000000000000001"));
}

#[test]
fn the_json_of_a_call_has_its_documented_keys() {
    let desk = Desk::new();
    desk.begin(0, &agent("a"), &mail("k1")).expect("begun");
    desk.succeed(1, &agent("a"), "k1", r#"{"id": 7}"#).expect("settled");
    let row = desk.begin(2, &agent("a"), &mail("k1")).expect("begun").to_json();
    assert_eq!(
        row.to_string(),
        r#"{"advice":null,"answer":"replay","at":"2026-01-01T00:00:01Z","attempt":1,"basis":"it was settled on 2026-01-01T00:00:01Z","by":"a","error":null,"from":"recorded","input":{"to":"anna"},"input_digest":"d64a90d1466848380c1e97d2ca1e3d19","key":"k1","result":{"id":7},"result_turn":null,"retry":"at-most-once","retry_is_safe":null,"seq":2,"started_at":"2026-01-01T00:00:00Z","state":"succeeded","tool":"mail","turn":null}"#
    );
}
