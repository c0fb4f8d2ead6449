//! What a reader makes of a file, as text that a person can check.

#![expect(unreachable_pub, reason = "a module of several test programs")]

use bygone_engine::time::{Instant, format_instant, parse_moment};
use bygone_ingest::read::{Bytes, Part, Read, Reader, Record, Source, Turn, by_name};

/// The time every test file was modified.
pub fn modified() -> Instant {
    parse_moment("2026-01-01T00:00:00Z").expect("a time").at
}

/// Reads bytes as a file of the format.
pub fn read(format: &str, name: &str, bytes: &[u8]) -> Vec<Read> {
    let reader: &Reader = by_name(format).expect("a format");
    let bytes = Bytes::Held(bytes.to_vec());
    let source = Source::new(name, &bytes, modified(), modified());
    let mut all = Vec::new();
    reader.read(&source, &mut |read| all.push(read)).expect("held bytes are read");
    all
}

/// Returns the turns.
pub fn turns(reads: &[Read]) -> impl Iterator<Item = &Turn> {
    reads.iter().filter_map(|read| match read {
        Read::Record(Record::Turn(turn)) => Some(&**turn),
        _ => None,
    })
}

/// What people and agents said, in order.
#[allow(dead_code, reason = "not every test program asks for speech")]
pub fn said(reads: &[Read]) -> Vec<&str> {
    turns(reads)
        .flat_map(|turn| {
            turn.parts.iter().filter_map(|part| match part {
                Part::Speech(span) => Some(&turn.episode.text[span.clone()]),
                _ => None,
            })
        })
        .collect()
}

/// Writes what was read, a line for each record and an indented one for each part and problem.
#[allow(dead_code, reason = "not every test program shows reads")]
pub fn show(reads: &[Read]) -> String {
    reads.iter().map(show_one).collect()
}

fn show_one(read: &Read) -> String {
    match read {
        Read::Record(Record::Turn(turn)) => show_turn(turn),
        Read::Record(Record::Skipped(place)) => format!("{} skipped\n", place.line),
        Read::Record(Record::Statement(place, statement)) => {
            format!("{} statement {}\n", place.line, statement.assertion.id)
        }
        Read::Record(Record::Quarantined { problem, raw, .. }) => {
            let (place, n_bytes) = (problem.place, raw.len());
            format!("{} quarantined @{}+{n_bytes}: {}\n", place.line, place.offset, problem.reason)
        }
        Read::Space(name) => format!("space {name}\n"),
        Read::Problem(problem) => format!("  ! {} {}\n", problem.place.line, problem.reason),
    }
}

fn show_turn(turn: &Turn) -> String {
    let episode = &turn.episode;
    let speaker = episode.speaker.as_ref().map_or("-".to_owned(), ToString::to_string);
    let inferred = if episode.time_inferred { " inferred" } else { "" };
    let zone = episode.zone.as_deref().map_or(String::new(), |zone| format!(" {zone}"));
    let head = format!(
        "{} {:?} {speaker} {}{inferred}{zone} session={} agent={} user={}\n",
        turn.place.line,
        episode.role,
        format_instant(episode.time),
        episode.session,
        episode.agent.as_deref().unwrap_or("-"),
        episode.user.as_deref().unwrap_or("-"),
    );
    let part = |part: &Part| {
        let (what, span) = match part {
            Part::Speech(span) => ("speech", span),
            Part::Harness(span) => ("harness", span),
            Part::Shown(span) => ("shown", span),
            Part::Thinking(span) => ("thinking", span),
            Part::ToolCall { span, .. } => ("call", span),
            Part::ToolResult { span, .. } => ("result", span),
        };
        format!("    {what} {:?}\n", &episode.text[span.clone()])
    };
    std::iter::once(head).chain(turn.parts.iter().map(part)).collect()
}
