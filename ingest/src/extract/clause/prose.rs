//! Which bytes of a speech are its speaker's own running words.
//!
//! Left out: code blocks, quoted lines, headings, tables, JSON and markup, indented text, and lines that a pasted chat
//! labels with somebody's name. Code and quotations inside a line stay as one opaque piece, so that words on either side
//! of them are not read as neighbours. One pass, linear.

use std::ops::Range;

/// A piece of a speech, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Running words.
    Words(Range<usize>),
    /// Something that stands in the sentence but is not the speaker's own words.
    Opaque(Range<usize>),
    /// The sentence, if one is running, ends here.
    End,
}

/// Splits `text[range]` into pieces.
pub(super) fn pieces(text: &str, range: Range<usize>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut fenced = false;
    let mut quoted = false;
    let mut running = false;
    let mut at = range.start;
    for line in text[range].split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced && !trimmed.is_empty() && !is_apparatus(line) {
            let bullet = bullet_length(trimmed);
            let goes_on = running && bullet == 0 && trimmed.starts_with(char::is_lowercase);
            if !goes_on {
                pieces.push(Piece::End);
            }
            let indent = line.len() - trimmed.len();
            line_pieces(text, start + indent + bullet..at, &mut quoted, &mut pieces);
            running = true;
            continue;
        }
        quoted = false;
        running = false;
        pieces.push(Piece::End);
    }
    pieces.push(Piece::End);
    pieces
}

/// Cuts inline code and quotations out of a line; a quotation may go on in the next.
fn line_pieces(text: &str, line: Range<usize>, quoted: &mut bool, pieces: &mut Vec<Piece>) {
    const OPENS_MARK: [bool; 256] = bytes(b"`\"\xc2\xe2");
    let mut from = line.start;
    let mut code = false;
    let push = |pieces: &mut Vec<Piece>, opaque: bool, range: Range<usize>| {
        if !range.is_empty() {
            pieces.push(if opaque { Piece::Opaque(range) } else { Piece::Words(range) });
        }
    };
    // Most characters are none of the marks, and told not to be by their first byte.
    let is_mark = |here: &usize| OPENS_MARK[usize::from(text.as_bytes()[*here])];
    for here in line.clone().filter(is_mark) {
        let Some(character) = text.get(here..).and_then(|rest| rest.chars().next()) else { continue };
        let after = here + character.len_utf8();
        let opens = match character {
            '`' if !*quoted => {
                push(pieces, code, from..here);
                code = !code;
                code
            }
            '"' if !code => {
                push(pieces, *quoted, from..here);
                *quoted = !*quoted;
                *quoted
            }
            '“' | '«' | '„' if !code && !*quoted => {
                push(pieces, false, from..here);
                *quoted = true;
                true
            }
            '”' | '»' if *quoted => {
                push(pieces, true, from..here);
                *quoted = false;
                false
            }
            _ => continue,
        };
        if opens {
            // Even an empty quotation parts the words around it.
            pieces.push(Piece::Opaque(here..after));
        }
        from = after;
    }
    push(pieces, code || *quoted, from..line.end);
}

/// Returns a table of which bytes are among some.
const fn bytes(among: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut at = 0;
    while at < among.len() {
        table[among[at] as usize] = true;
        at += 1;
    }
    table
}

/// Says whether a line is something other than running words.
fn is_apparatus(line: &str) -> bool {
    let trimmed = line.trim();
    line.starts_with("    ")
        || line.starts_with('\t')
        || trimmed.starts_with(['>', '#', '|', '{', '[', '<', '}', ']', '@', '$', '%', '/', '\\', '='])
        || is_markup(trimmed)
        || is_labelled(trimmed)
}

/// Says whether a line is mostly signs that prose has few of.
fn is_markup(line: &str) -> bool {
    const IS_SIGN: [bool; 256] = bytes(b"{}[]<>=;|\\^~@#%+$&/_");
    let signs = line.bytes().filter(|byte| IS_SIGN[usize::from(*byte)]).count();
    signs >= 3 && signs * 8 > line.len()
}

/// Says whether a line starts with the name of a speaker, as in a pasted chat: its "I" is somebody else.
fn is_labelled(line: &str) -> bool {
    const OWN: &[&str] = &[
        "update",
        "note",
        "fyi",
        "ps",
        "btw",
        "correction",
        "edit",
        "context",
        "background",
        "info",
        "news",
        "also",
        "tldr",
        "reminder",
        "yes",
        "no",
        "about",
        "fun",
    ];
    const ROLES: &[&str] = &["user", "assistant", "human", "system", "me", "you", "bot", "agent"];
    if !line.contains(':') {
        return false;
    }
    let body = line.trim_start_matches(|c: char| c.is_ascii_digit() || "[]()*_:.,/- ".contains(c));
    let body =
        body.trim_start_matches("AM").trim_start_matches("PM").trim_start_matches(['[', ']', ' ', '-']);
    let Some((label, rest)) = body.split_once(':') else {
        return false;
    };
    let mut words = label.trim_matches(['*', '_', ' ', ']']).split_whitespace();
    let Some(first) = words.next() else {
        return false;
    };
    let is_name = |word: &str| {
        word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
            && word.chars().all(|c| c.is_alphanumeric() || "-_.'".contains(c))
    };
    let lower = first.to_lowercase();
    (rest.is_empty() || rest.starts_with([' ', '\t', '*', '_']))
        && label.len() <= 40
        && (ROLES.contains(&lower.as_str()) || (is_name(first) && words.clone().all(is_name)))
        && words.count() <= 2
        && !OWN.contains(&lower.as_str())
}

/// Returns the length of a list marker at the start of a line, with the space behind it.
fn bullet_length(line: &str) -> usize {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let marker = if (1..=3).contains(&digits) {
        line[digits..].starts_with(['.', ')']).then_some(digits + 1)
    } else {
        line.chars().next().filter(|c| "-*•–+".contains(*c)).map(char::len_utf8)
    };
    match marker {
        Some(length) if line[length..].starts_with(' ') => length + 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, words: &[&str]) {
        let found: Vec<&str> = pieces(text, 0..text.len())
            .into_iter()
            .filter_map(|piece| match piece {
                Piece::Words(range) => Some(text[range].trim()),
                Piece::Opaque(_) | Piece::End => None,
            })
            .filter(|words| !words.is_empty())
            .collect();
        assert_eq!(found, words, "{text:?}");
    }

    #[test]
    fn only_running_words_are_left() {
        check("I live in Boston.", &["I live in Boston."]);
        check("a\n```\nI live in Boston\n```\nb", &["a", "b"]);
        check("> I live in Boston\nyes", &["yes"]);
        check("she said \"I live in Boston\" today", &["she said", "today"]);
        check("“I live\nin Boston” he said", &["he said"]);
        check("run `I live in Boston` now", &["run", "now"]);
        check("Alice: I live in Boston", &[]);
        check("[10:02] Bob: I live in Boston", &[]);
        check("Update: I live in Boston", &["Update: I live in Boston"]);
        check("No, that's wrong: I left", &["No, that's wrong: I left"]);
        check("{\"text\": I live in Boston}", &[]);
        check("- I live in Boston", &["I live in Boston"]);
        check("2. I live in Boston", &["I live in Boston"]);
        check("    let i = live;", &[]);
        check("if (a[i] == b[j]) { x += 1; }", &[]);
        check("```\nnever closed\nI live in Boston", &[]);
    }

    #[test]
    fn a_line_that_goes_on_in_small_letters_is_one_sentence_with_it() {
        let ends = |text: &str| {
            let pieces = pieces(text, 0..text.len());
            pieces.iter().filter(|piece| **piece == Piece::End).count()
        };
        assert_eq!(ends("I moved\nto Lisbon"), 2);
        assert_eq!(ends("I moved\nI stayed"), 3);
    }
}
