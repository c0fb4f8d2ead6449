//! Artifacts that are being made: what is missing, in each view.

use bygone_engine::View;
use bygone_engine::store::Space;
use bygone_engine::time::Instant;
use bygone_query::state::StateError;
use bygone_query::state::artifact::{Artifact, Setting, get, list, set};

use super::{agent, at, recorded, store};

fn say(
    space: &Space<'_>,
    path: &str,
    missing: Option<&str>,
    hash: Option<&str>,
) -> Result<Artifact, StateError> {
    let by = agent("a");
    let setting = Setting { path, hash, missing, complete: missing.is_none() };
    space.decide(None, at("2026-03-01"), |snapshot, place| set(snapshot, place, &by, &setting))
}

fn brief(space: &Space<'_>, view: &View) -> Vec<String> {
    let snapshot = space.snapshot();
    let seen = snapshot.seen(view).expect("a view");
    let artifacts = list(&seen, Instant::LAST).expect("artifacts").into_iter();
    artifacts
        .map(|it| format!("{} {}", it.path, it.missing.unwrap_or_else(|| "complete".to_owned())))
        .collect()
}

#[test]
fn an_artifact_is_listed_with_what_is_missing_as_of_each_view() {
    let (store, _) = store();
    let space = store.space("default", true).expect("a space");
    let first = say(&space, "report.md", Some("section 3"), Some("h1")).expect("set");
    say(&space, "a/migration.sql", Some("down"), None).expect("set");
    let last = say(&space, "report.md", None, Some("h2")).expect("set");
    assert_eq!((first.seq, last.seq, last.complete), (1, 3, true));
    assert_eq!(brief(&space, &View::LATEST), ["a/migration.sql down", "report.md complete"]);
    assert_eq!(brief(&space, &recorded(2)), ["a/migration.sql down", "report.md section 3"]);
    assert_eq!(brief(&space, &View::known_at(first.at)), ["report.md section 3"]);
    assert!(brief(&space, &recorded(0)).is_empty());
    assert_eq!(space.verify().expect("verifies").faults, [] as [&str; 0]);
}

#[test]
fn the_same_said_again_changes_nothing_and_a_contradiction_is_refused() {
    let (store, _) = store();
    let space = store.space("default", true).expect("a space");
    let first = say(&space, "x", Some("all"), None).expect("set");
    assert_eq!(say(&space, "x", Some("all"), None).expect("said again"), first);
    let by = agent("a");
    for (missing, complete) in [(Some("all"), true), (None, false)] {
        let setting = Setting { path: "x", hash: None, missing, complete };
        let done: Result<Artifact, StateError> =
            space.decide(None, at("2026-03-01"), |snapshot, place| set(snapshot, place, &by, &setting));
        assert!(matches!(done, Err(StateError::Name(_))), "{missing:?} {complete}");
    }
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST).expect("a view");
    assert_eq!(get(&seen, "y", Instant::LAST).expect("reads"), None);
}
