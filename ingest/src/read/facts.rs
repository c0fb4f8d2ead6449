//! Our own JSONL: one statement a line, in the wire form.

use bygone_engine::wire::{Defaults, read_statement};
use serde_json::Value;

use super::lines::lines;
use super::{INCOMPLETE, Problem, Read, Reader, Record, Source};

/// The format.
pub const READER: Reader =
    Reader { name: "facts", about: "statements in Bygone's own form, one JSON object a line", sniff, read };

/// A file of statements starts with an object that has a subject and a predicate.
fn sniff(source: &Source<'_>) -> bool {
    let first = lines(source.bytes).find(|line| !line.is_blank());
    let value = first.and_then(|line| serde_json::from_slice::<Value>(line.raw).ok());
    value.is_some_and(|value| value.get("subject").is_some() && value.get("predicate").is_some())
}

fn read(source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) {
    for line in lines(source.bytes) {
        if line.is_blank() {
            continue;
        }
        let place = line.place;
        let defaults = Defaults { now: source.now, document: source.stem().to_owned(), position: place.line };
        let read = match std::str::from_utf8(line.raw) {
            Err(error) => Err(format!("not valid UTF-8 from byte {} of the line", error.valid_up_to())),
            Ok(text) => read_statement(text, &defaults).map_err(|error| {
                let cut = !line.is_terminated && serde_json::from_str::<Value>(text).is_err();
                if cut { format!("{INCOMPLETE}: {error}") } else { error.to_string() }
            }),
        };
        hand_on(Read::Record(match read {
            Ok(statement) => Record::Statement(place, Box::new(statement)),
            Err(reason) => Record::set_aside(Problem { place, reason }, line.raw.to_vec()),
        }));
    }
}
