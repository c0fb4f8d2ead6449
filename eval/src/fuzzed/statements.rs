//! What holds of every line that is imported: it is refused with a reason, or what was read is written so that it reads back
//! the same, id and all; and a store takes it in, and gives it back.

use std::sync::{Arc, LazyLock};

use bygone_engine::View;
use bygone_engine::backend::Memory;
use bygone_engine::store::{Recording, Store};
use bygone_engine::wire::{
    Defaults, Kept, Statement, assertion_to_json, checkpoint_to_json, document_to_json, read_kept,
    read_statement, state_to_json, work_to_json,
};
use bygone_ontology::Ontology;

use super::now;

static ONTOLOGY: LazyLock<Arc<Ontology>> = LazyLock::new(|| Arc::new(Ontology::core()));

/// A store is made for one input of so many, by its length, since that takes a hundred times as long as all the rest.
const TAKEN_IN: usize = 8;

/// Reads each line as a statement, and as what is kept beside the statements.
pub(super) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut statements = Vec::new();
    for (position, line) in (0..).zip(text.lines()) {
        kept(line);
        let defaults = Defaults { now: now(), document: "fuzzed".to_owned(), position };
        match read_statement(line, &defaults) {
            Ok(statement) => {
                reads_back(&statement);
                statements.push(statement);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    if !statements.is_empty() && text.len().is_multiple_of(TAKEN_IN) {
        taken_in(statements);
    }
}

/// Reads what was written with other defaults, since it says everything.
fn reads_back(statement: &Statement) {
    let written = assertion_to_json(&statement.assertion).to_string();
    let others = Defaults { now: now().next(), document: "another".to_owned(), position: 9 };
    let read = read_statement(&written, &others).unwrap_or_else(|error| panic!("{written}\n{error}"));
    assert_eq!(read.assertion, statement.assertion, "{written}");
    assert_eq!(read.assertion.content_id(), statement.assertion.content_id(), "{written}");
}

fn kept(line: &str) {
    match read_kept(line) {
        Ok(Some(Kept::Work(work))) => {
            let rows = work_to_json(&work);
            let read = rows.iter().map(|row| read_kept(&row.to_string()).expect("what was written reads"));
            let mut n_items = 0;
            for row in read {
                let Some(Kept::Work(row)) = row else { panic!("{line} is written as something else") };
                n_items += row.items.as_slice().len();
                assert_eq!((&row.set, row.status, row.said_at), (&work.set, work.status, work.said_at));
            }
            assert_eq!(n_items, work.items.as_slice().len(), "{line}");
        }
        Ok(Some(Kept::Checkpoint(told))) => {
            let row = checkpoint_to_json(&told).to_string();
            assert_eq!(read_kept(&row).expect("what was written reads"), Some(Kept::Checkpoint(told)));
        }
        Ok(Some(Kept::State(part))) => {
            for row in state_to_json(part.state, &part.bytes) {
                assert!(matches!(read_kept(&row.to_string()), Ok(Some(Kept::State(_)))), "{line}");
            }
        }
        Ok(Some(Kept::Document(part))) => {
            for row in document_to_json(&part.told) {
                let read = read_kept(&row.to_string()).expect("what was written reads");
                let Some(Kept::Document(read)) = read else { panic!("{line} is written as something else") };
                assert_eq!((&read.told.id, read.told.at), (&part.told.id, part.told.at), "{line}");
            }
        }
        Ok(None) => {}
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A store takes the statements in, is sound, and has each of them as it was.
fn taken_in(statements: Vec<Statement>) {
    let store = Store::open(Box::new(Memory::new()), ONTOLOGY.clone()).expect("a store");
    let space = store.space("default", true).expect("a space");
    let mut recording = Recording::default();
    for Statement { assertion, episode } in statements {
        recording.assertions.push(assertion);
        recording.episodes.push(episode);
    }
    let told = recording.assertions.clone();
    let receipt = space.record(recording, now()).expect("whatever was read is recorded");
    let snapshot = space.snapshot();
    for assertion in told {
        let content = assertion.content_id();
        let recorded = snapshot.assertion(assertion.id).expect("it reads").expect("it is there");
        // Of two that were sent with one id, the first is kept, and the other one told of.
        let is_told = receipt.conflicts.contains(&content);
        assert!(
            is_told || recorded.assertion.content_id() == content,
            "{recorded:?} instead of {assertion:?}"
        );
    }
    let seen = snapshot.seen(&View::LATEST).expect("it is seen");
    for group in seen.groups().expect("they read") {
        for fact in seen.facts(&group).expect("they read") {
            assert!(!fact.support.is_empty(), "{fact:?}");
        }
    }
    let found = space.verify().expect("it is verified");
    assert!(found.faults.is_empty(), "{:?}", found.faults);
}
