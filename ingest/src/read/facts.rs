//! Our own JSONL: one statement a line, in the wire form.

use std::io;

use bygone_engine::wire::{Defaults, read_kept, read_statement};
use serde_json::Value;

use super::lines::lines;
use super::{INCOMPLETE, Manner, Problem, Read, Reader, Record, Source};

/// The format.
pub const READER: Reader = Reader {
    name: "facts",
    about: "statements in Bygone's own form, one JSON object a line",
    sniff,
    read: Manner::File(read),
};

/// A file of statements starts with an object that has a subject and a predicate.
fn sniff(head: &[u8]) -> bool {
    let first = lines(head).find(|line| !line.is_blank());
    let value = first.and_then(|line| serde_json::from_slice::<Value>(line.raw).ok());
    value.is_some_and(|value| value.get("subject").is_some() && value.get("predicate").is_some())
}

fn read(source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) -> io::Result<()> {
    let mut lines = source.lines()?;
    while let Some(line) = lines.next()? {
        if line.is_blank() {
            continue;
        }
        let place = line.place;
        let defaults = Defaults { now: source.now, document: source.stem().to_owned(), position: place.line };
        let read = match (&line.too_long, std::str::from_utf8(line.raw)) {
            (Some(reason), _) => Err(reason.clone()),
            (None, Err(error)) => {
                Err(format!("not valid UTF-8 from byte {} of the line", error.valid_up_to()))
            }
            (None, Ok(text)) => read_statement(text, &defaults).map_err(|error| {
                let cut = !line.is_terminated && serde_json::from_str::<Value>(text).is_err();
                if cut { format!("{INCOMPLETE}: {error}") } else { error.to_string() }
            }),
        };
        // What is kept beside the statements is nobody's statement, and read elsewhere.
        let is_kept = std::str::from_utf8(line.raw).is_ok_and(|text| !matches!(read_kept(text), Ok(None)));
        if is_kept && line.too_long.is_none() {
            hand_on(Read::Record(Record::Skipped(place)));
            continue;
        }
        hand_on(Read::Record(match read {
            Ok(statement) => Record::Statement(place, Box::new(statement)),
            Err(reason) => Record::set_aside(Problem { place, reason }, line.raw.to_vec()),
        }));
    }
    Ok(())
}
