//! What holds of every file that is ingested: whatever its format, each record of it becomes something; the parts of a turn
//! lie in its text; what is stated in it can be dated or says why not.

use std::io::Write as _;

use bygone_engine::time::Period;
use bygone_ingest::extract::{clause, shown, tool};
use bygone_ingest::ground::ground_candidate;
use bygone_ingest::read::{Bytes, Read, Reader, Record, Source, Turn, archive, by_name};
use bygone_ontology::TemporalKind;

use super::now;

/// Reads the bytes as a file: of the format that their first line names, or else of the one that they look like. What starts
/// like an archive is opened as one.
pub(super) fn check(bytes: &[u8]) {
    if bytes.starts_with(b"PK") {
        opened(bytes);
        return;
    }
    let named = bytes.split(|byte| *byte == b'\n').next().and_then(|line| std::str::from_utf8(line).ok());
    let (reader, rest) = match named.and_then(|name| Some((by_name(name)?, &bytes[name.len()..]))) {
        Some((reader, rest)) => (Some(reader), rest.strip_prefix(b"\n").unwrap_or(rest)),
        None => (None, bytes),
    };
    read(reader, &Bytes::Held(rest.to_vec()));
}

/// Reads the entries of an archive.
fn opened(bytes: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().expect("there is room for a file");
    file.write_all(bytes).expect("there is room for some bytes");
    let Ok(Some(entries)) = archive::entries(file.path()) else { return };
    for entry in entries {
        if let Ok(stretch) = entry.place {
            assert!(!entry.name.split(['/', '\\']).any(|part| part == ".."), "{:?} leads out", entry.name);
            read(None, &Bytes::Entry(stretch));
        }
    }
}

fn read(reader: Option<&Reader>, bytes: &Bytes) {
    let source = Source::new("folder/fuzzed.jsonl", bytes, now(), now());
    let told = source.format();
    let Some(reader) = reader.or_else(|| told.ok().flatten()) else { return };
    let mut told = Told::default();
    // What cannot be read further is an error, and what was read before it counts.
    drop(reader.read(&source, &mut |read| told.hear(read)));
}

/// What was read so far.
#[derive(Default)]
struct Told {
    calls: tool::Calls,
    memory: clause::Memory,
}

impl Told {
    fn hear(&mut self, read: Read) {
        match read {
            Read::Space(name) => assert!(!name.is_empty()),
            Read::Problem(problem) => assert!(!problem.reason.is_empty()),
            Read::Record(record) => {
                if let Record::Quarantined { problem, .. } = &record {
                    assert!(!problem.reason.is_empty());
                }
                if let Record::Turn(turn) = record {
                    self.extract(&turn);
                }
            }
        }
    }

    fn extract(&mut self, turn: &Turn) {
        let text = &turn.episode.text;
        assert!(turn.episode.time.is_ordinary(), "{:?}", turn.episode.time);
        for part in &turn.parts {
            let span = part.span();
            assert!(text.get(span.clone()).is_some(), "{span:?} of {text:?}");
        }
        let mut candidates = tool::extract(turn, &mut self.calls);
        candidates.extend(clause::extract(turn, &mut self.memory));
        candidates.extend(shown::extract(turn));
        for candidate in candidates {
            for kind in [TemporalKind::State, TemporalKind::Event] {
                match ground_candidate(&candidate, kind, text, turn.episode.time) {
                    Ok(grounded) => {
                        for one in grounded {
                            let period = one.validity.period().unwrap_or(Period::ALWAYS);
                            assert!(period.start() < period.end(), "{candidate:?}: {one:?}");
                        }
                    }
                    Err(reason) => assert!(!reason.is_empty(), "{candidate:?}"),
                }
            }
        }
    }
}
