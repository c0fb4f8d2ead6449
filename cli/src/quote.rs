//! How what was said is quoted to a person: the words, then who said them, when, and in which turn of which session.

use std::ops::Range;

use bygone_engine::time::{Moment, format_moment};
use bygone_engine::{EntityRef, Episode, Role};
use bygone_query::why::Evidence;

use crate::failure::Failure;
use crate::output::{Output, shorten};
use crate::table::Cell;

/// The longest quotation, in characters; `--json` has all of it.
pub(crate) const LONGEST: usize = 200;

/// Prints the words that make a statement, and where they come from.
pub(crate) fn quote(evidence: &Evidence, output: &mut Output<'_>) -> Result<(), Failure> {
    let assertion = &evidence.recorded.assertion;
    let source = &assertion.source;
    let role = evidence.episode.as_ref().map(|record| record.episode.role);
    let speaker = speaker_text(source.asserter.as_ref(), role);
    let time = format_moment(Moment::instant(assertion.known_at));
    output.cells(&[Cell::faint(format!("  \"{}\"", shorten(evidence.quote(), LONGEST)))])?;
    output.cells(&[Cell::faint(format!("    {speaker}, {time} ({}#{})", source.session, source.position))])
}

/// Says who spoke, when and where: `Anna, 18 February 2024, 12:30 (anna-and-ben#23)`.
pub(crate) fn turn_text(turn: &Episode) -> String {
    let speaker = speaker_text(turn.speaker.as_ref(), Some(turn.role));
    format!("{speaker}, {} ({}#{})", format_moment(Moment::instant(turn.time)), turn.session, turn.position)
}

/// Shows a part of a text on one line, and whether there is more before and after it.
pub(crate) fn excerpt(text: &str, span: &Range<usize>) -> String {
    let before = if text[..span.start].trim().is_empty() { "" } else { "… " };
    let after = if text[span.end..].trim().is_empty() { "" } else { " …" };
    let words: Vec<&str> = text[span.clone()].split_whitespace().collect();
    format!("{before}{}{after}", words.join(" "))
}

fn speaker_text(speaker: Option<&EntityRef>, role: Option<Role>) -> &str {
    match (speaker, role) {
        (Some(speaker), _) => speaker.name(),
        (None, Some(Role::Tool)) => "a tool",
        (None, Some(Role::System)) => "the harness",
        (None, Some(Role::User | Role::Agent | Role::Statement) | None) => "nobody named",
    }
}
