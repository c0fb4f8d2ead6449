//! How words are quoted: a turn's speech out of what else stands in its text, on one line and not too long, and times as
//! people read them.
//!
//! What is quoted is data, whatever it says.

use bygone_engine::text::start_of;
use bygone_engine::time::{Granularity, Instant, Moment, format_moment};

use crate::retrieve::sentences;

/// The marks that turns are kept with, at the start of a line: calls, results and reasoning are nobody's speech.
const CALL: &str = "[tool ";
const BEHIND_WHICH_NOTHING_IS_SPEECH: [&str; 4] =
    ["[tool result]", "[tool error]", "[thinking]", "[thinking, encrypted]"];
/// What an editor's extension puts between what it tells of the editor and what the user says, in public session files of 2025.
const REQUEST: &str = "## My request for ";
/// What harnesses put in front of what the user says after an interruption.
const INTERRUPTED: &str = "[Request interrupted by user";

/// Words by which somebody says what they will do.
const INTENTIONS: [&str; 12] = [
    "i'll ",
    "i’ll ",
    "i will ",
    "let me ",
    "let's ",
    "i'm going to ",
    "i am going to ",
    "i need to ",
    "now i ",
    "next i ",
    "next, ",
    "next step",
];

/// Returns a text on one line, at most so many bytes long.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let start = start_of(&line, most);
    if start.len() < line.len() { format!("{}…", start.trim_end()) } else { line }
}

/// Returns what is speech in a turn's text.
pub(super) fn speech(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        if BEHIND_WHICH_NOTHING_IS_SPEECH.iter().any(|mark| line.starts_with(mark)) {
            break;
        }
        if !line.starts_with(CALL) {
            lines.push(line);
        }
    }
    let text = without_elements(&lines.join("\n"));
    let request = text.rsplit_once(REQUEST).and_then(|(_, rest)| rest.split_once('\n'));
    let text = request.map_or(text.as_str(), |(_, request)| request).trim();
    let rest = text.strip_prefix(INTERRUPTED).and_then(|rest| rest.split_once(']'));
    rest.map_or(text, |(_, rest)| rest).trim().to_owned()
}

/// Takes out elements such as `<system-reminder>…</system-reminder>`: the names that harnesses give theirs have a hyphen, and
/// those of HTML have none. One that is never closed goes to the end.
fn without_elements(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        let name =
            from[1..].split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).next().unwrap_or_default();
        kept.push_str(before);
        if !name.contains('-') || name.starts_with('-') {
            kept.push('<');
            rest = &from[1..];
            continue;
        }
        let end = format!("</{name}>");
        rest = from.find(&end).map_or("", |at| &from[at + end.len()..]);
    }
    kept.push_str(rest);
    kept
}

/// Returns the last sentence of a text in which somebody says what they will do.
pub(super) fn intention(text: &str) -> Option<&str> {
    let sentences = sentences(text);
    sentences.into_iter().rev().map(|range| &text[range]).find(|sentence| {
        let lower = sentence.to_lowercase();
        INTENTIONS.iter().any(|words| lower.starts_with(words) || lower.contains(&format!(" {words}")))
    })
}

/// Says an instant to the minute.
pub fn time_text(at: Instant) -> String {
    format_moment(Moment::instant(if at.is_ordinary() { Granularity::Minute.floor(at) } else { at }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speech_is_told_from_calls_results_and_what_harnesses_put_in() {
        for (text, expected) in [
            ("Fix the parser.\nAnd the lexer.", "Fix the parser.\nAnd the lexer."),
            ("I'll look.\n[tool Read] {\"file_path\":\"/a\"}", "I'll look."),
            ("[tool result] ok\nnot speech", ""),
            ("[thinking] hm\nmore", ""),
            ("Yes <system-reminder>no</system-reminder> please", "Yes  please"),
            ("use <b>HTML</b> & a < b", "use <b>HTML</b> & a < b"),
            ("a <system-reminder>never closed é", "a"),
            ("# Context\n## Open tabs:\n- a\n\n## My request for Codex:\nFix it.\n", "Fix it."),
            ("[Request interrupted by user for tool use] go on", "go on"),
        ] {
            assert_eq!(speech(text), expected, "{text}");
        }
    }

    #[test]
    fn what_somebody_will_do_is_the_last_sentence_that_says_so() {
        let said = "The lexer is done. I'll run the tests. Then we see.";
        assert_eq!(intention(said), Some("I'll run the tests."));
        assert_eq!(intention("Now let me fix it"), Some("Now let me fix it"));
        assert_eq!(intention("All tests pass. The annext is fine."), None);
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(one_line("a  b\nc", 10), "a b c");
        assert_eq!(one_line("äöü", 3), "ä…");
    }
}
