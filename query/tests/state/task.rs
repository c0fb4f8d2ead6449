//! Notes of one's own work.

use bygone_engine::View;
use bygone_query::state::party;
use bygone_query::state::task::{Notes, Task, get, set};

use super::desk::{Desk, agent, at, known, refusal};

fn note(desk: &Desk, now: &str, by: &str, notes: Notes<'_>) -> Task {
    desk.act(now, |snapshot, place| set(snapshot, place, &agent(by), notes)).expect("noted")
}

fn found(desk: &Desk, view: &View, of: &str, now: &str) -> Task {
    let of = party(of).expect("a name");
    desk.read_as(view, |seen| get(seen, &of, at(now))).expect("read")
}

#[test]
fn a_note_stays_until_another_one_takes_its_place() {
    let desk = Desk::new();
    let first = Notes { objective: Some("ship 0.2"), next: Some("run the tests"), ..Notes::default() };
    note(&desk, "2026-03-01", "a", first);
    let told = note(&desk, "2026-03-02", "a", Notes { next: Some("fix the lexer"), ..Notes::default() });
    assert_eq!(found(&desk, &View::LATEST, "a", "2026-03-03"), told);
    let texts =
        [&told.objective, &told.doing, &told.next].map(|note| note.as_ref().map(|note| note.text.as_str()));
    assert_eq!(texts, [Some("ship 0.2"), None, Some("fix the lexer")]);
    for (view, now) in [(known("2026-03-01"), "2026-03-03"), (View::LATEST, "2026-03-01T12:00:00Z")] {
        let then = found(&desk, &view, "a", now);
        assert_eq!(then.next.expect("a next step").text, "run the tests");
    }
    assert!(found(&desk, &View::LATEST, "b", "2026-03-03").is_empty());
}

#[test]
fn a_note_said_again_goes_on_and_an_empty_one_ends() {
    let desk = Desk::new();
    note(&desk, "2026-03-01", "a", Notes { doing: Some("the lexer"), ..Notes::default() });
    let again = note(&desk, "2026-03-02", "a", Notes { doing: Some(" the lexer "), ..Notes::default() });
    assert_eq!(again.doing.as_ref().expect("a task").since, at("2026-03-01"));
    assert_eq!(found(&desk, &View::LATEST, "a", "2026-03-03"), again);
    let ended = note(&desk, "2026-03-03", "a", Notes { doing: Some(""), ..Notes::default() });
    assert!(ended.is_empty());
    assert!(found(&desk, &View::LATEST, "a", "2026-03-04").is_empty());
    assert!(!found(&desk, &View::LATEST, "a", "2026-03-02T12:00:00Z").is_empty());
}

#[test]
fn noting_nothing_is_refused() {
    let desk = Desk::new();
    let refused =
        desk.act("2026-03-01", |snapshot, place| set(snapshot, place, &agent("a"), Notes::default()));
    assert_eq!(refusal(refused), "there is nothing to note: expected an objective, a task or a next step");
}
