//! Promises: who may say what became of them, and when they are overdue.

use bygone_engine::View;
use bygone_engine::time::parse_moment;
use bygone_query::state::promise::{Fate, Promise, Vow, get, promise, promises, settle};
use bygone_query::state::{StateError, party};

use super::desk::{Desk, agent, at, known, refusal};

fn made(desk: &Desk, now: &str, by: &str, text: &str, due: Option<&str>) -> Promise {
    let due = due.map(|due| parse_moment(due).expect(due));
    let vow = Vow { text, to: "b", due };
    desk.act(now, |snapshot, place| promise(snapshot, place, &agent(by), &vow)).expect("promised")
}

fn say(desk: &Desk, now: &str, by: &str, id: &str, fate: Fate) -> Result<Promise, StateError> {
    desk.act(now, |snapshot, place| settle(snapshot, place, &agent(by), id, fate))
}

fn found(desk: &Desk, view: &View, id: &str, now: &str) -> Promise {
    desk.read_as(view, |seen| get(seen, id, at(now))).expect("read").expect("a promise")
}

#[test]
fn what_is_told_of_a_promise_is_what_is_read_of_it() {
    let desk = Desk::new();
    let told = made(&desk, "2026-03-01", "a", "write the tests", Some("2026-03-05"));
    assert_eq!((told.by.as_str(), told.to.as_str()), ("agent:a", "agent:b"));
    assert_eq!(found(&desk, &View::LATEST, &told.id, "2026-03-02"), told);
}

#[test]
fn a_promise_is_overdue_once_the_whole_day_is_over_and_as_long_as_it_is_open() {
    let desk = Desk::new();
    let id = made(&desk, "2026-03-01", "a", "write the tests", Some("2026-03-05")).id;
    for (now, expected) in [("2026-03-05T23:59:59Z", false), ("2026-03-06", true)] {
        assert_eq!(found(&desk, &View::LATEST, &id, now).is_overdue, expected, "{now}");
    }
    say(&desk, "2026-03-08", "a", &id, Fate::Kept).expect("kept");
    assert!(!found(&desk, &View::LATEST, &id, "2026-03-09").is_overdue);
    // Kept late: it was overdue then, and is in what was known then.
    assert!(found(&desk, &View::LATEST, &id, "2026-03-07").is_overdue);
    assert!(found(&desk, &known("2026-03-07"), &id, "2026-03-09").is_overdue);
}

#[test]
fn only_the_two_it_is_between_say_what_became_of_it() {
    let desk = Desk::new();
    let id = made(&desk, "2026-03-01", "a", "write the tests", None).id;
    assert_eq!(
        refusal(say(&desk, "2026-03-02", "c", &id, Fate::Kept)),
        format!(
            "the promise {id} is between agent:a and agent:b: only agent:a or agent:b may say that it is kept, not \
             agent:c"
        )
    );
    assert!(refusal(say(&desk, "2026-03-02", "b", &id, Fate::Withdrawn)).contains("only agent:a may say"));
    let broken = say(&desk, "2026-03-02", "b", &id, Fate::Broken).expect("broken");
    assert_eq!((broken.fate, broken.fate_by.as_deref()), (Fate::Broken, Some("agent:b")));
    assert_eq!(say(&desk, "2026-03-03", "a", &id, Fate::Broken).expect("as it is").fate_at, broken.fate_at);
    assert_eq!(
        refusal(say(&desk, "2026-03-03", "a", &id, Fate::Kept)),
        format!("the promise {id} is broken since 2026-03-02T00:00:00Z")
    );
    assert_eq!(
        refusal(say(&desk, "2026-03-03", "a", "00000000", Fate::Kept)),
        r#"there is no promise "00000000""#
    );
}

#[test]
fn promises_are_listed_for_both_sides_open_ones_first() {
    let desk = Desk::new();
    let kept = made(&desk, "2026-03-01", "a", "one", None).id;
    say(&desk, "2026-03-02", "a", &kept, Fate::Kept).expect("kept");
    let late = made(&desk, "2026-03-02", "a", "two", Some("2026-05")).id;
    let soon = made(&desk, "2026-03-03", "c", "three", Some("2026-04")).id;
    let of = |name: Option<&str>, now: &str| -> Vec<String> {
        let name = name.map(|name| party(name).expect("a name"));
        let found = desk.read(|seen| promises(seen, name.as_ref(), at(now))).expect("read");
        found.into_iter().map(|promise| promise.id).collect()
    };
    assert_eq!(of(Some("a"), "2026-03-04"), [late.clone(), kept.clone()]);
    assert_eq!(of(Some("b"), "2026-03-04"), [soon.clone(), late.clone(), kept.clone()]);
    assert_eq!(of(None, "2026-03-04"), [soon, late, kept.clone()]);
    assert_eq!(of(None, "2026-03-01T12:00:00Z"), [kept]);
    assert!(of(Some("d"), "2026-03-04").is_empty());
}

#[test]
fn a_promise_that_says_nothing_is_refused() {
    let desk = Desk::new();
    let vow = Vow { text: " ", to: "b", due: None };
    let refused = desk.act("2026-03-01", |snapshot, place| promise(snapshot, place, &agent("a"), &vow));
    assert_eq!(refusal(refused), "the promise is empty");
}
