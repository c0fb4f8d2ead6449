//! A line in colours while it is typed: what it does, its options, what is quoted, and what will not be understood.
//!
//! Invariant: the characters shown are those of the line; only colours are added.

use super::question::{is_query, is_question};

const COMMAND: &str = "\u{1b}[1m";
const UNKNOWN: &str = "\u{1b}[31m";
const OPTION: &str = "\u{1b}[36m";
const QUOTED: &str = "\u{1b}[32m";
const COMMENT: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";

/// Colours a line.
pub(super) fn highlight(line: &str, is_command: impl Fn(&str) -> bool) -> String {
    if is_query(line) || is_question(line, &is_command) {
        return line.to_owned();
    }
    let mut shown = String::with_capacity(line.len());
    let mut is_first = true;
    for token in tokens(line) {
        let colour = match token {
            blank if blank.trim().is_empty() => None,
            comment if comment.starts_with('#') => Some(COMMENT),
            first if std::mem::take(&mut is_first) => {
                let is_known = first == "bygone" || first.starts_with(':') || is_command(first);
                Some(if is_known { COMMAND } else { UNKNOWN })
            }
            option if option.starts_with('-') && option.len() > 1 => Some(OPTION),
            quoted if quoted.contains(['"', '\'']) => Some(QUOTED),
            _ => None,
        };
        match colour {
            Some(colour) => shown.extend([colour, token, PLAIN]),
            None => shown.push_str(token),
        }
    }
    shown
}

/// Splits a line into words as they are written and the blanks between them; a comment is one word.
fn tokens(line: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = 0;
    let (mut quote, mut is_kept, mut is_blank) = (None, false, true);
    for (at, c) in line.char_indices() {
        let blank = quote.is_none() && !is_kept && c.is_whitespace();
        if blank != is_blank {
            if at > start {
                tokens.push(&line[start..at]);
            }
            if !blank && c == '#' {
                tokens.push(&line[at..]);
                return tokens;
            }
            (start, is_blank) = (at, blank);
        }
        if std::mem::take(&mut is_kept) {
            continue;
        }
        match (quote, c) {
            (None | Some('"'), '\\') => is_kept = true,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
    }
    if start < line.len() {
        tokens.push(&line[start..]);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_are_added() {
        let is_command = |word: &str| word == "facts";
        for line in [
            "",
            "  facts  --subject 'Anna Maria' # all",
            "oops x",
            "where is Anna?",
            "facts \\'a\" b",
            "é \"ü",
            "#",
            "a\\",
        ] {
            let mut shown = highlight(line, is_command);
            for colour in [COMMAND, UNKNOWN, OPTION, QUOTED, COMMENT, PLAIN] {
                shown = shown.replace(colour, "");
            }
            assert_eq!(shown, line);
        }
        let shown = highlight("facts --subject 'Anna Maria' # all", is_command);
        let expected = format!(
            "{COMMAND}facts{PLAIN} {OPTION}--subject{PLAIN} {QUOTED}'Anna Maria'{PLAIN} {COMMENT}# all{PLAIN}"
        );
        assert_eq!(shown, expected);
        assert_eq!(highlight("oops", is_command), format!("{UNKNOWN}oops{PLAIN}"));
        assert_eq!(highlight("where is Anna?", is_command), "where is Anna?");
    }
}
