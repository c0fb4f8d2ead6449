//! What nobody sends by mistake: depth, length and names that are made to do harm. Each costs its own record, with a reason, or
//! is kept as data.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::sync::Arc;

use bygone_engine::backend::Memory;
use bygone_engine::store::Store;
use bygone_engine::wire::{Defaults, read_statement};
use bygone_ingest::extract::{clause, tool};
use bygone_ingest::read::{Bytes, READERS, Read, Record, by_name};
use bygone_ingest::{Document, Plan, ingest};
use bygone_ontology::Ontology;

use crate::common::{modified, read, turns};

/// Deeper than any stack.
const DEEP: usize = 100_000;

/// Values that are so many times in each other.
fn deep(times: usize) -> [String; 3] {
    [
        format!("{}{}", "[".repeat(times), "]".repeat(times)),
        format!("{}1{}", "{\"a\":".repeat(times), "}".repeat(times)),
        "[{\"content\":".repeat(times),
    ]
}

/// Reads a file in every format, and everything that is stated in it.
fn read_in_every_format(text: &str) {
    for reader in READERS {
        (reader.sniff)(text.as_bytes());
        let reads = read(reader.name, "x.jsonl", text.as_bytes());
        let (mut calls, mut memory) = (tool::Calls::new(), clause::Memory::default());
        for turn in turns(&reads) {
            tool::extract(turn, &mut calls);
            clause::extract(turn, &mut memory);
        }
    }
}

#[test]
fn depth_costs_its_own_record() {
    for value in deep(DEEP) {
        read_in_every_format(&format!("{value}\n"));
    }
    for value in &deep(DEEP / 10)[1..2] {
        for key in ["message", "content", "payload", "mapping", "messages", "trajectory", "agents"] {
            read_in_every_format(&format!("{{\"type\":\"user\",\"role\":\"user\",\"{key}\":{value}}}\n"));
        }
    }
}

#[test]
fn depth_within_a_line_costs_no_other_line() {
    let good = r#"{"subject":"person:Ann","predicate":"plays","object":{"text":"chess"},"from":"2020"}"#;
    for value in deep(DEEP) {
        let bad = format!(r#"{{"subject":"person:Ann","predicate":"plays","object":{{"json":{value}}}}}"#);
        let reads = read("facts", "x.jsonl", format!("{good}\n{bad}\n{good}\n").as_bytes());
        let kinds = reads.iter().map(|read| match read {
            Read::Record(Record::Statement(..)) => "statement",
            Read::Record(Record::Quarantined { problem, .. }) => {
                assert!(problem.reason.contains("not valid JSON"), "{}", problem.reason);
                "set aside"
            }
            Read::Record(Record::Turn(_) | Record::Skipped(_)) | Read::Space(_) | Read::Problem(_) => "other",
        });
        assert_eq!(kinds.collect::<Vec<_>>(), ["statement", "set aside", "statement"]);
    }
}

#[test]
fn words_in_a_row_without_an_end_are_read_in_time() {
    let mut long = String::from("2024-03-01 Ann: ");
    for word in ["I moved to ", "my sister's ", "\"", "((", "and and ", "from 2019 to ", "`", "http://"] {
        long.truncate(16);
        while long.len() < 50_000 {
            long.push_str(word);
        }
        read_in_every_format(&long);
    }
}

#[test]
fn what_names_a_thing_is_refused_beyond_its_length_and_what_names_a_source_is_kept() {
    let long = "x".repeat(65_536);
    let defaults = Defaults { now: modified(), document: "known".to_owned(), position: 1 };
    let mut good = String::from(r#"{"subject":"person:Ann","predicate":"plays","object":{"text":"chess"}"#);
    write!(good, r#","source":"{long}","session":"{long}","agent":"{long}","user":"{long}"}}"#)
        .expect("a text");
    let kept = read_statement(&good, &defaults).expect("names of sources are data").assertion.source;
    assert_eq!((kept.document.len(), kept.session.len()), (65_536, 65_536));
    for (line, said) in [
        (format!(r#"{{"subject":"person:{long}","predicate":"p","object":{{"bool":true}}}}"#), "65536"),
        (format!(r#"{{"subject":"{long}:Ann","predicate":"p","object":{{"bool":true}}}}"#), "65536"),
        (
            format!(r#"{{"subject":"person:Ann","predicate":"{long}","object":{{"bool":true}}}}"#),
            "at most 4096 bytes",
        ),
        (
            format!(r#"{{"subject":"person:Ann","predicate":"p","key":"{long}","object":{{"bool":true}}}}"#),
            "at most 4096 bytes",
        ),
        (
            format!(r#"{{"subject":"person:Ann","predicate":"p","object":{{"entity":"org:{long}"}}}}"#),
            "65536",
        ),
        (
            format!(r#"{{"subject":"person:Ann","predicate":"p","object":{{"bool":true}},"{long}":1}}"#),
            "unknown key",
        ),
        (
            format!(r#"{{"subject":"person:Ann","predicate":"p","object":{{"bool":true}},"from":"{long}"}}"#),
            "time",
        ),
        (format!(r#"{{"subject":"person:Ann","predicate":"p","object":{{"{long}":1}}}}"#), "object"),
        (r#"{"subject":"person:Ann","subject":"person:Ben","predicate":"p"}"#.to_owned(), "stands twice"),
        (r#"{"subject":"person:A\ud800nn","predicate":"p","object":{"bool":true}}"#.to_owned(), "hex escape"),
    ] {
        let error = read_statement(&line, &defaults).expect_err(said).to_string();
        assert!(error.contains(said), "{error}");
        assert!(error.len() < 1_000, "a reason of {} bytes: {}…", error.len(), &error[..80]);
    }
}

#[test]
fn of_very_many_records_that_cannot_be_read_the_first_are_kept_and_all_are_counted() {
    const BAD: u64 = 12_000;
    let good =
        r#"{"subject":"person:Ann","predicate":"lives_in","object":{"entity":"place:Rome"},"from":"2020"}"#;
    let text = "{\n".repeat(usize::try_from(BAD).expect("small")) + good + "\n";
    let document = Document {
        name: "bad.jsonl".to_owned(),
        bytes: Bytes::Held(text.into_bytes()),
        modified: modified(),
    };
    let ontology = Ontology::core();
    let store = Store::open(Box::new(Memory::new()), Arc::new(ontology.clone())).expect("a store");
    let plan = Plan {
        documents: &[document],
        format: by_name("facts"),
        space: "default",
        prefix: None,
        ontology: &ontology,
        jobs: NonZeroUsize::MIN,
        keeps_secrets: false,
        now: modified(),
    };
    let receipt = ingest(&store, &plan, &mut |_| {}).expect("it runs").receipt;
    assert_eq!((receipt.read, receipt.quarantined, receipt.assertions), (BAD + 1, BAD, 1));
    assert_eq!((receipt.problems.len(), receipt.problems[0].place.map(|place| place.line)), (1_000, Some(1)));
    let kept = store.space("default", false).expect("a space").snapshot().quarantined().expect("they read");
    assert_eq!((kept.len() as u64, receipt.n_problems()), (10_001, 10_001));
    let last = kept.iter().max_by_key(|record| record.line).expect("the last");
    assert_eq!((last.line, last.raw.as_slice()), (10_001, b"{".as_slice()));
    assert!(last.reason.starts_with("2000 more records"), "{}", last.reason);
}
