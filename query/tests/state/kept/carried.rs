//! What is kept beside the statements goes from one store to another, and is there as it was here.

use bygone_engine::checkpoint::State;
use bygone_engine::document::{Collection, Content, Document, DocumentId, Documents, Listing};
use bygone_engine::store::{Checkpoint, Decided, Recording, Space, Target, WorkItem};
use bygone_engine::time::Instant;
use bygone_engine::wire::{Defaults, Kept, assertion_to_json, read_kept, read_statement};
use bygone_engine::work::{Items, Status};
use bygone_engine::{Narrowing, View};
use bygone_query::state::checkpoint::{Pruning, Saving, prune, save};
use bygone_query::state::take_over::{Arriving, take_over_checkpoint, take_over_work};
use bygone_query::state::take_over_documents::{ArrivingDocuments, TookDocuments};
use bygone_query::state::tell::tell;
use bygone_query::state::work::{Marking, items, mark};
use bygone_query::state::{Actor, StateError};

use super::{agent, at, recorded, store};

fn marked(space: &Space<'_>, now: &str, by: &Actor, status: Status, texts: &[&str], reason: Option<&str>) {
    let items: Items = items(texts.iter().copied()).expect("items").into_iter().collect();
    let marking = Marking { set: "pages", items, status, reason };
    let done = space.decide(None, at(now), |snapshot, place| mark(snapshot, place, by, &marking));
    done.unwrap_or_else(|error: StateError| panic!("{error}"));
}

fn saved(space: &Space<'_>, now: &str, by: &Actor, bytes: &[u8], label: Option<&str>) {
    let saving =
        Saving { state: State::new(bytes.to_vec()).expect("a state"), parent: None, label, reason: None };
    let done = space.decide(None, at(now), |snapshot, place| save(snapshot, place, by, &saving));
    done.unwrap_or_else(|error: StateError| panic!("{error}"));
}

/// Items in all states, said by two agents, and checkpoints, one of which is pruned and two of which have one state.
fn filled(space: &Space<'_>) {
    let (a, b) = (agent("a"), agent("b"));
    marked(space, "2026-03-01", &a, Status::Queued, &["1", "2", "3", "x y"], None);
    marked(space, "2026-03-02", &b, Status::Failed, &["2", "x y"], Some("timed out"));
    marked(space, "2026-03-03", &b, Status::Failed, &["2"], Some("again"));
    marked(space, "2026-03-04", &a, Status::Done, &["1", "2"], None);
    marked(space, "2026-03-05", &b, Status::Done, &["1"], None);
    let long = |n: u8| (0..200_000_u32).map(|i| (i % 251) as u8 ^ n).collect::<Vec<u8>>();
    saved(space, "2026-03-01", &a, &long(1), Some("first"));
    saved(space, "2026-03-02", &a, &[long(1), b"more".to_vec()].concat(), None);
    saved(space, "2026-03-03", &b, &long(1), None);
    saved(space, "2026-03-04", &b, b"", Some("empty"));
    let pruning = Pruning { ids: &[], keep: Some(1), older_than_micros: None, agent: Some("a") };
    let done = space.decide(None, at("2026-03-06"), |snapshot, place| prune(snapshot, place, &a, &pruning));
    assert_eq!(done.unwrap_or_else(|error: StateError| panic!("{error}")).pruned, 1);
}

/// Everything that a space holds, as an export writes it.
fn exported(space: &Space<'_>) -> Vec<String> {
    let snapshot = space.snapshot();
    let mut lines: Vec<String> = snapshot
        .assertions()
        .map(|recorded| assertion_to_json(&recorded.expect("a statement").assertion).to_string())
        .collect();
    lines.sort_unstable();
    tell(&snapshot, |row| {
        lines.push(row.to_string());
        Ok::<(), StateError>(())
    })
    .expect("told");
    lines
}

/// Reads lines as an import does. Returns how many of what they tell of was not known, and what was refused.
fn imported(space: &Space<'_>, lines: &[String]) -> (u64, Vec<String>) {
    let now = at("2026-06-01");
    let (mut n_news, mut refused) = (0, Vec::new());
    let (mut arriving, mut documents) = (Arriving::default(), ArrivingDocuments::default());
    for (line, position) in lines.iter().zip(1..) {
        let took = match read_kept(line).expect(line) {
            None => {
                let defaults = Defaults { now, document: "export".to_owned(), position };
                let said = read_statement(line, &defaults).expect(line);
                let recording = Recording {
                    episodes: vec![said.episode],
                    assertions: vec![said.assertion],
                    ..Recording::default()
                };
                space.record(recording, now).expect("recorded");
                Ok(0)
            }
            Some(Kept::Work(said)) => space.decide(None, now, |snapshot, _| take_over_work(snapshot, &said)),
            Some(Kept::State(part)) => arriving.take(part).map(|()| 0),
            Some(Kept::Checkpoint(told)) => space
                .decide(None, now, |snapshot, _| {
                    take_over_checkpoint(snapshot, &told, arriving.state(told.state))
                })
                .map(u64::from),
            Some(Kept::Document(part)) => documents.take(position, *part).and_then(|()| {
                let took = if position % 3 == 0 || position == lines.len() as u64 {
                    documents.take_over(space, now)?
                } else {
                    TookDocuments::default()
                };
                refused.extend(took.refused.into_iter().map(|(_, why)| why));
                Ok(took.n_taken)
            }),
        };
        match took {
            Ok(n) => n_news += n,
            Err(error) => refused.push(error.to_string()),
        }
    }
    (n_news, refused)
}

/// The items as a view has them, without the commits that said so.
fn items_in(space: &Space<'_>, view: &View) -> Vec<WorkItem> {
    let snapshot = space.snapshot();
    let seen = snapshot.seen(view).expect("a view");
    let work = seen.work("pages", Instant::LAST).expect("a set");
    let rows = work.items().map(|row| WorkItem { seq: 0, ..row.expect("an item") });
    rows.collect()
}

/// The checkpoints as a view has them, without the commits that made them, and their states.
fn checkpoints_in(space: &Space<'_>, view: &View) -> Vec<(Checkpoint, Option<Vec<u8>>)> {
    let snapshot = space.snapshot();
    let seen = snapshot.seen(view).expect("a view");
    let mut found = seen.checkpoints().expect("a list");
    found.sort_by_key(|checkpoint| (checkpoint.at, checkpoint.id));
    let state = |id| snapshot.restore(id).expect("a state");
    found.into_iter().map(|found| (Checkpoint { seq: 0, ..found.clone() }, state(found.id))).collect()
}

#[test]
fn what_was_exported_is_the_same_in_every_view_once_it_was_read_back() {
    let ((here, _), (there, _)) = (store(), store());
    let here = here.space("default", true).expect("a space");
    let other = there.space("default", true).expect("a space");
    filled(&here);
    let lines = exported(&here);
    let (n_news, refused) = imported(&other, &lines);
    assert_eq!((n_news, refused), (10 + 4, Vec::new()));
    let mut views = vec![View::LATEST];
    views.extend(
        ["2026-02-01", "2026-03-01T12:00:00Z", "2026-03-02T12:00:00Z", "2026-03-04T12:00:00Z"]
            .map(|known| View::known_at(at(known))),
    );
    for session in ["state:a", "state:b", "state:c"] {
        let narrowing = Narrowing { session: Some(session.to_owned()), ..Narrowing::default() };
        views.push(View { narrowing, ..View::LATEST });
    }
    for view in &views {
        assert_eq!(items_in(&other, view), items_in(&here, view), "{view:?}");
        assert_eq!(checkpoints_in(&other, view), checkpoints_in(&here, view), "{view:?}");
    }
    assert_eq!(items_in(&here, &View::LATEST).len(), 4);
    assert_eq!(checkpoints_in(&here, &View::LATEST).iter().filter(|(_, state)| state.is_some()).count(), 3);
    assert_eq!(exported(&other), lines, "an export of it is the same");
    for space in [&here, &other] {
        assert_eq!(space.verify().expect("verifies").faults, [] as [&str; 0]);
    }
}

#[test]
fn what_is_read_back_twice_or_where_it_is_known_changes_nothing() {
    let (there, _) = store();
    let space = there.space("default", true).expect("a space");
    filled(&space);
    let (lines, seq) = (exported(&space), space.snapshot().last_seq().expect("a number"));
    assert_eq!(imported(&space, &lines), (0, Vec::new()));
    assert_eq!(exported(&space), lines);
    // Statements are recorded with a commit each, known or not; what is beside them adds none.
    let n_statements = lines.iter().filter(|line| read_kept(line).expect(line).is_none()).count() as u64;
    assert!(space.snapshot().last_seq().expect("a number") <= seq + n_statements);
}

#[test]
fn a_checkpoint_without_its_statement_or_its_state_is_refused() {
    let ((here, _), (there, _)) = (store(), store());
    let here = here.space("default", true).expect("a space");
    let other = there.space("default", true).expect("a space");
    filled(&here);
    let lines = exported(&here);
    let kept: Vec<String> =
        lines.iter().filter(|line| read_kept(line).expect(line).is_some()).cloned().collect();
    let (n_news, refused) = imported(&other, &kept);
    assert_eq!((n_news, refused.len()), (10, 4), "{refused:?}");
    assert!(refused.iter().all(|why| why.contains("was made by statement a:")), "{refused:?}");
    let without_states: Vec<String> =
        lines.iter().filter(|line| !line.contains("\"base64\"")).cloned().collect();
    let (n_news, refused) = imported(&other, &without_states);
    assert_eq!((n_news, refused.len()), (1, 3), "only the pruned one has no state: {refused:?}");
    assert!(refused.iter().all(|why| why.contains("is of state s:")), "{refused:?}");
    let (n_news, refused) = imported(&other, &lines);
    assert_eq!((n_news, refused.len()), (3, 0), "{refused:?}");
    assert_eq!(other.verify().expect("verifies").faults, [] as [&str; 0]);
}

#[test]
fn a_state_whose_pieces_are_not_all_there_is_none() {
    let (here, _) = store();
    let here = here.space("default", true).expect("a space");
    filled(&here);
    let piece = |line: &String| match read_kept(line) {
        Ok(Some(Kept::State(part))) => Some(part),
        _ => None,
    };
    let whole = exported(&here).iter().find_map(piece).expect("a piece");
    let (first, second) = whole.bytes.split_at(10);
    let part = |part, bytes: &[u8]| {
        let mut piece = whole.clone();
        (piece.part, piece.of, piece.bytes) = (part, 2, bytes.to_vec());
        piece
    };
    let mut arriving = Arriving::default();
    arriving.take(part(1, first)).expect("the first");
    assert_eq!(arriving.state(whole.state), None);
    arriving.take(part(2, second)).expect("the second");
    assert_eq!(arriving.state(whole.state).map(|state| state.id()), Some(whole.state));
    arriving.take(part(2, second)).expect_err("it came before");
    assert_eq!(arriving.state(whole.state), None);
}

#[test]
fn what_was_taken_over_is_erased_with_its_session() {
    let ((here, _), (there, _)) = (store(), store());
    let here = here.space("default", true).expect("a space");
    let other = there.space("default", true).expect("a space");
    filled(&here);
    imported(&other, &exported(&here));
    other.erase(&Target::Session("state:b".to_owned()), at("2026-06-02")).expect("erased");
    here.erase(&Target::Session("state:b".to_owned()), at("2026-06-02")).expect("erased");
    assert_eq!(items_in(&other, &View::LATEST), items_in(&here, &View::LATEST));
    assert_eq!(checkpoints_in(&other, &View::LATEST), checkpoints_in(&here, &View::LATEST));
    assert_eq!(other.verify().expect("verifies").faults, [] as [&str; 0]);
}

static THINGS: Collection = Collection::fixed("things");

fn thing(name: &str) -> DocumentId {
    DocumentId::new(&THINGS, name).expect("a name")
}

fn written(space: &Space<'_>, now: &str, edits: &[(&str, Option<&[u8]>)]) {
    let mut documents = Documents::default();
    for (name, bytes) in edits {
        match bytes {
            Some(bytes) => {
                let expires = name.starts_with("until").then(|| at("2027-01-01"));
                documents.put(thing(name), Content { bytes: bytes.to_vec(), expires });
            }
            None => documents.remove(thing(name)),
        }
    }
    let done = space
        .decide(None, at(now), |_, _| Ok::<_, StateError>(Decided::nothing(()).with_documents(documents)));
    done.expect("written");
}

fn things_in(space: &Space<'_>, view: &View) -> Vec<Document> {
    let snapshot = space.snapshot();
    let found = snapshot.documents_in(&Listing::new(&THINGS, b""), view).expect("a list");
    found.map(|document| Document { seq: 0, ..document.expect("a document") }).collect()
}

#[test]
fn documents_are_carried_with_their_history() {
    let ((here, _), (there, _)) = (store(), store());
    let here = here.space("default", true).expect("a space");
    let other = there.space("default", true).expect("a space");
    written(&here, "2026-03-01", &[("a", Some(b"1")), ("b", Some(b"\xff\0")), ("until", Some(b"x"))]);
    written(&here, "2026-03-02", &[("a", Some(b"2")), ("b", None)]);
    written(&here, "2026-03-03", &[("a", None), ("c", Some(b""))]);
    written(&here, "2026-03-04", &[("a", Some(b"3"))]);
    let lines = exported(&here);
    assert_eq!(imported(&other, &lines), (8, Vec::new()));
    for known in ["2026-02-01", "2026-03-01", "2026-03-02", "2026-03-03", "2026-03-05"] {
        let view = View::known_at(at(known));
        assert_eq!(things_in(&other, &view), things_in(&here, &view), "{known}");
    }
    assert_eq!(things_in(&here, &View::LATEST).len(), 3);
    assert_eq!(exported(&other), lines, "an export of it is the same");
    assert_eq!(imported(&other, &lines), (0, Vec::new()), "what is known changes nothing");
    // What went on elsewhere is taken over from where it was left.
    written(&here, "2026-03-06", &[("a", Some(b"4"))]);
    assert_eq!(imported(&other, &exported(&here)), (1, Vec::new()));
    // Two histories of one name stay two.
    written(&other, "2026-06-02", &[("a", Some(b"there"))]);
    written(&here, "2026-05-01", &[("a", Some(b"here"))]);
    let (n_news, refused) = imported(&other, &exported(&here));
    assert_eq!((n_news, refused.len()), (0, 1), "{refused:?}");
    assert!(refused[0].contains("another history"), "{refused:?}");
    // Nothing is known before it is recorded.
    written(&here, "2028-01-01", &[("d", Some(b"later"))]);
    let (n_news, refused) = imported(&other, &exported(&here));
    assert_eq!((n_news, refused.len()), (0, 2), "{refused:?}");
    for space in [&here, &other] {
        assert_eq!(space.verify().expect("verifies").faults, [] as [&str; 0]);
    }
}

#[test]
fn documents_that_were_carried_are_recorded_when_they_came() {
    let ((here, _), (there, _)) = (store(), store());
    let here = here.space("default", true).expect("a space");
    let other = there.space("default", true).expect("a space");
    written(&here, "2026-03-01", &[("a", Some(b"1"))]);
    written(&here, "2026-03-02", &[("a", Some(b"2")), ("b", Some(b"x"))]);
    written(&other, "2026-04-01", &[("own", Some(b"y"))]);
    let seq = other.snapshot().last_seq().expect("a number");
    imported(&other, &exported(&here));
    let names = |view: &View| {
        let names = things_in(&other, view).into_iter().map(|document| document.name);
        names.map(|name| String::from_utf8(name).expect("a text")).collect::<Vec<_>>()
    };
    // By what was known they were there in March; by what was recorded they came after April.
    assert_eq!(names(&View::known_at(at("2026-03-01"))), ["a"]);
    assert_eq!(names(&recorded(seq)), ["own"]);
    assert_eq!(names(&View { known: at("2026-03-05"), ..recorded(seq) }), [] as [&str; 0]);
    assert_eq!(names(&View::LATEST), ["a", "b", "own"]);
}
