//! Attempts that failed.

use bygone_engine::View;
use bygone_query::state::attempt::{Attempt, attempts, fail};

use super::desk::{Desk, agent, at, known, refusal};

fn tell(desk: &Desk, now: &str, by: &str, approach: &str, on: Option<&str>) -> Attempt {
    let told =
        desk.act(now, |snapshot, place| fail(snapshot, place, &agent(by), approach, "it timed out", on));
    told.expect("told")
}

fn found(desk: &Desk, view: &View, on: Option<&str>, now: &str) -> Vec<Attempt> {
    desk.read_as(view, |seen| attempts(seen, on, at(now))).expect("read")
}

#[test]
fn every_agent_sees_what_others_tried_the_last_attempt_first() {
    let desk = Desk::new();
    let first = tell(&desk, "2026-03-01", "a", "a bigger cache", Some("speed"));
    let second = tell(&desk, "2026-03-02", "b", "an index", Some("speed"));
    let other = tell(&desk, "2026-03-03", "b", "a hammer", None);
    assert_eq!(found(&desk, &View::LATEST, None, "2026-03-04"), [other, second.clone(), first.clone()]);
    assert_eq!(found(&desk, &View::LATEST, Some(" speed"), "2026-03-04"), [second, first.clone()]);
    assert!(found(&desk, &View::LATEST, Some("size"), "2026-03-04").is_empty());
    assert_eq!((first.by.as_deref(), first.because.as_str()), (Some("agent:a"), "it timed out"));
    // As of then.
    assert_eq!(found(&desk, &known("2026-03-01"), None, "2026-03-04"), std::slice::from_ref(&first));
    assert_eq!(found(&desk, &View::LATEST, None, "2026-03-01"), [first]);
}

#[test]
fn the_same_approach_that_fails_twice_is_told_twice() {
    let desk = Desk::new();
    for _ in 0..2 {
        tell(&desk, "2026-03-01", "a", "a bigger cache", Some("speed"));
    }
    assert_eq!(found(&desk, &View::LATEST, None, "2026-03-04").len(), 2);
}

#[test]
fn an_attempt_without_approach_reason_or_topic_is_refused() {
    let desk = Desk::new();
    for (approach, because, on, expected) in [
        ("", "y", None, "the approach is empty"),
        ("x", " ", None, "the reason is empty"),
        ("x", "y", Some(""), "the topic is empty"),
    ] {
        let told = desk
            .act("2026-03-01", |snapshot, place| fail(snapshot, place, &agent("a"), approach, because, on));
        assert_eq!(refusal(told), expected);
    }
}
