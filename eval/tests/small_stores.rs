//! What small stores answer where random histories do not look: conclusions and users erased, the recorded past by the
//! wall clock, statements of identity under a merge.
//!
//! Statements are in the wire form, one a line; a premise is given by its place in the list.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bygone_engine::backend::{Backend, Batch, Memory, Table};
use bygone_engine::store::{Recording, Space, Store, Target};
use bygone_engine::time::{Instant, parse_moment};
use bygone_engine::wire::{Defaults, Statement, read_statement};
use bygone_engine::{EntityRef, Narrowing, RecordedAt, StoreError, View};
use bygone_ontology::Ontology;
use serde_json::{Value, json};

const LINES: &str = r#"
{"subject": "person:Ann", "predicate": "lives_in", "object": {"entity": "place:Berlin"}, "from": "2020", "session": "one", "user": "ann"}
{"subject": "person:Ann", "predicate": "time_zone", "object": {"text": "CET"}, "from": "2020", "session": "two", "derived_from": [0]}
{"subject": "person:Ann", "predicate": "meets_at", "object": {"text": "nine"}, "from": "2020", "session": "three", "derived_from": [1]}
{"subject": "person:Ann", "predicate": "lives_in", "object": {"entity": "place:Oslo"}, "from": "2010", "session": "two"}
{"subject": "person:Ann", "predicate": "works_at", "object": {"entity": "org:Acme"}, "from": "2015", "session": "two", "user": "ben"}
{"subject": "person:Ann", "predicate": "works_at", "object": {"entity": "org:Acme"}, "polarity": "deny", "from": "2022-07", "session": "one", "user": "ann"}
"#;

const LATER: &str = r#"
{"subject": "person:Ann", "predicate": "lives_in", "object": {"entity": "place:Rome"}, "from": "2023", "session": "four"}
"#;

fn instant(text: &str) -> Instant {
    parse_moment(text).expect(text).at
}

fn statements(lines: &str) -> Vec<Statement> {
    let mut read: Vec<Statement> = Vec::new();
    for (position, line) in (0..).zip(lines.lines().filter(|line| !line.is_empty())) {
        let mut value: Value = serde_json::from_str(line).expect(line);
        for place in value.get_mut("derived_from").and_then(Value::as_array_mut).into_iter().flatten() {
            let premise = place.as_u64().and_then(|place| read.get(usize::try_from(place).ok()?));
            *place = json!(premise.expect("a premise above").assertion.id.to_string());
        }
        let defaults = Defaults { now: instant("2024-01-01"), document: "case".to_owned(), position };
        read.push(read_statement(&value.to_string(), &defaults).expect(line));
    }
    read
}

fn store() -> Store {
    Store::open(Box::new(Memory::new()), Arc::new(Ontology::core())).expect("opens")
}

fn record(space: &Space<'_>, statements: &[Statement], now: &str) {
    let recording = Recording {
        episodes: statements.iter().map(|statement| statement.episode.clone()).collect(),
        assertions: statements.iter().map(|statement| statement.assertion.clone()).collect(),
        ..Recording::default()
    };
    space.record(recording, instant(now)).expect("records");
}

/// Every fact of a view, as what holds and its segments.
fn beliefs(space: &Space<'_>, view: &View) -> Vec<String> {
    let snapshot = space.snapshot();
    let seen = snapshot.seen(view).expect("reads");
    let groups = seen.groups().expect("reads");
    let of_group = |group| {
        let facts = seen.facts(group).expect("reads");
        facts.into_iter().map(|fact| {
            format!("{} {} {} {:?}", group.subject, group.predicate, fact.object.canonical(), fact.segments)
        })
    };
    groups.iter().flat_map(of_group).collect()
}

/// Erases a source of the lines, of which those at the places given are left.
#[track_caller]
fn check_erased(target: &Target, left: &[usize]) {
    let told = statements(LINES);
    let store = store();
    let space = store.space("default", true).expect("a space");
    record(&space, &told, "2024-02-01");
    space.erase(target, instant("2024-03-01")).expect("erases");
    let never_read = self::store();
    let never_read = never_read.space("default", true).expect("a space");
    let rest: Vec<Statement> = left.iter().map(|&place| told[place].clone()).collect();
    record(&never_read, &rest, "2024-02-01");
    for user in [None, Some("ann"), Some("ben")] {
        let narrowing = Narrowing { user: user.map(str::to_owned), ..Narrowing::default() };
        let view = View { narrowing, ..View::LATEST };
        assert_eq!(beliefs(&space, &view), beliefs(&never_read, &view), "{target:?} by {user:?}");
    }
    for entity in ["person:Ann", "place:Berlin", "place:Oslo", "org:Acme"] {
        let entity = EntityRef::parse(entity).expect("an entity");
        let is_there = |space: &Space<'_>| {
            let snapshot = space.snapshot();
            let is_found = !snapshot.entities_named(entity.name()).expect("reads").is_empty();
            let is_object = !snapshot
                .seen(&View::LATEST)
                .expect("reads")
                .groups_about(&entity)
                .expect("reads")
                .is_empty();
            (snapshot.has_entity(&entity).expect("reads"), is_found, is_object)
        };
        assert_eq!(is_there(&space), is_there(&never_read), "{target:?}: {entity}");
    }
    assert_eq!(space.verify().expect("verifies").faults, Vec::<String>::new(), "{target:?}");
}

#[test]
fn an_erased_source_takes_what_was_concluded_from_it_and_reopens_what_it_closed() {
    check_erased(&Target::Session("one".to_owned()), &[3, 4]);
    check_erased(&Target::User("ann".to_owned()), &[3, 4]);
    check_erased(&Target::User("ben".to_owned()), &[0, 1, 2, 3, 5]);
    check_erased(&Target::Session("three".to_owned()), &[0, 1, 3, 4, 5]);
    let told = statements(LINES);
    check_erased(&Target::Episode(told[0].episode.id), &[3, 4, 5]);
    check_erased(&Target::Episode(told[5].episode.id), &[0, 1, 2, 3, 4]);
}

#[test]
fn the_recorded_past_is_what_was_recorded_up_to_and_at_an_instant() {
    let told = statements(LINES);
    let store = store();
    let space = store.space("default", true).expect("a space");
    record(&space, &told[3..4], "2024-02-01");
    record(&space, &told[4..5], "2024-02-02");
    let seen = |recorded: RecordedAt| beliefs(&space, &View { recorded, ..View::LATEST }).len();
    let at = |text: &str| seen(RecordedAt::Instant(instant(text)));
    assert_eq!(at("2024-01-31"), 0);
    assert_eq!(at("2024-02-01"), 1);
    assert_eq!(at("2024-02-01T23:59:59.999999Z"), 1);
    assert_eq!(at("2024-02-02"), 2);
    assert_eq!(at("2025-01-01"), 2);
    assert_eq!((seen(RecordedAt::Seq(0)), seen(RecordedAt::Latest)), (0, 2));
}

#[test]
fn statements_that_two_are_one_stay_as_they_were_made() {
    let told = statements(
        r#"{"subject": "person:Anna", "predicate": "same_as", "object": {"entity": "person:Ann"}, "from": "2020"}
{"subject": "person:Anna", "predicate": "same_as", "object": {"entity": "person:Annie"}, "from": "2020"}"#,
    );
    let store = store();
    let space = store.space("default", true).expect("a space");
    record(&space, &told, "2024-02-01");
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST).expect("reads");
    let [group] = &seen.groups().expect("reads")[..] else { panic!("one group") };
    let mut kept: Vec<_> = seen.statements(group).expect("reads").into_iter().map(|r| r.assertion).collect();
    kept.sort_by_key(|assertion| assertion.source.position);
    assert_eq!(kept, told.into_iter().map(|statement| statement.assertion).collect::<Vec<_>>());
}

#[test]
fn what_is_said_of_one_entity_is_told_of_the_first_of_its_class() {
    let told = statements(
        r#"{"subject": "person:Anna", "predicate": "same_as", "object": {"entity": "person:Ann"}, "from": "2020"}
{"subject": "person:Anna", "predicate": "knows", "object": {"entity": "person:Anna"}, "from": "2020"}"#,
    );
    let store = store();
    let space = store.space("default", true).expect("a space");
    record(&space, &told, "2024-02-01");
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST).expect("reads");
    let ann = EntityRef::parse("person:Ann").expect("an entity");
    let [group] = &seen
        .groups_about(&ann)
        .expect("reads")
        .into_iter()
        .filter(|g| g.predicate == "knows")
        .collect::<Vec<_>>()[..]
    else {
        panic!("one group")
    };
    let statements = seen.statements(group).expect("reads");
    let named: Vec<_> = statements
        .iter()
        .map(|recorded| {
            (&recorded.assertion.subject, recorded.assertion.object.as_ref().and_then(|o| o.entity()))
        })
        .collect();
    assert_eq!(named, [(&ann, Some(&ann))]);
}

#[test]
fn a_purge_that_was_cut_off_is_done_when_the_store_is_opened() {
    let memory = Memory::new();
    let open = || {
        Store::open(Box::new(memory.clone()), Arc::new(Ontology::core())).expect("opens");
    };
    open();
    let mut batch = Batch::default();
    batch.put(Table::Meta, b"purge".to_vec(), Vec::new());
    memory.commit(&batch).expect("commits");
    open();
    assert_eq!(memory.snapshot().read(Table::Meta, b"purge").expect("reads"), None);
}

/// A walk that is stopped says so, and a commit that has not begun does not happen; with the flag down all goes on.
#[test]
fn an_interrupt_stops_reads_and_new_commits_while_it_is_up() {
    let flag = Arc::new(AtomicBool::new(false));
    let store = store().with_interrupt(Arc::clone(&flag));
    let space = store.space("default", true).expect("a space");
    let (first, rest) = (statements(LINES), statements(LATER));
    record(&space, &first, "2024-01-01");
    let before = beliefs(&space, &View::LATEST);
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST).expect("reads");
    let groups = seen.groups().expect("reads");
    let group = groups.iter().find(|group| group.predicate == "lives_in").expect("a group");
    let of_group = seen.statements(group).expect("reads");
    let mut walk = snapshot.assertions();
    assert!(walk.next().expect("a statement").is_ok());

    flag.store(true, Ordering::Relaxed);
    let is_interrupted = |error: StoreError| matches!(error, StoreError::Interrupted);
    // What the step before read is handed out; the next one stops.
    assert!(walk.find_map(Result::err).is_some_and(is_interrupted), "a walk under way");
    assert!(snapshot.seen(&View::LATEST).err().is_some_and(is_interrupted), "a view");
    assert!(seen.groups().err().is_some_and(is_interrupted), "a scan");
    assert!(seen.derive(group, &of_group).err().is_some_and(is_interrupted), "a derivation");
    let recording = Recording {
        episodes: rest.iter().map(|statement| statement.episode.clone()).collect(),
        assertions: rest.iter().map(|statement| statement.assertion.clone()).collect(),
        ..Recording::default()
    };
    let error = space.record(recording.clone(), instant("2024-01-02")).err();
    assert!(error.is_some_and(is_interrupted), "a commit");
    assert!(
        space.erase(&Target::User("ann".to_owned()), instant("2024-01-02")).is_ok(),
        "erasure is finished"
    );

    flag.store(false, Ordering::Relaxed);
    assert_ne!(beliefs(&space, &View::LATEST), before, "the erasure was done");
    let receipt = space.record(recording, instant("2024-01-02")).expect("records");
    assert_eq!(receipt.assertions, rest.len() as u64);
    assert!(space.verify().expect("reads").faults.is_empty());
}
