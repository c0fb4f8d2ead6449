//! How a text is cut into words, numbers and marks, and which of them lie in code and are not to be read as prose.

use std::ops::Range;

use super::prefilter;

/// What a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Letters, underscores and inner apostrophes.
    Word,
    /// ASCII digits; the value saturates.
    Number { value: u64, digits: usize },
    /// Any other character.
    Mark(char),
}

/// One word, number or mark with its place in the text.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are facts about one token and exclude none of each other"
)]
pub(super) struct Token {
    /// The byte range, a possessive `'s` included.
    pub(super) span: Range<usize>,
    /// The lower-case text, a possessive `'s` left out.
    pub(super) lower: String,
    /// What it is made of.
    pub(super) shape: Shape,
    /// Whether it follows the token before it without white space.
    pub(super) glued: bool,
    /// Whether it starts with an upper-case letter.
    pub(super) capital: bool,
    /// Whether a possessive `'s` was cut off.
    pub(super) possessive: bool,
    /// Whether it is a number or a word of which every expression holds one.
    pub(super) telling: bool,
}

impl Token {
    /// Says whether it is a word that a number or a mark goes on with: "5th", "3pm".
    pub(super) fn is_suffix(&self) -> bool {
        self.glued && self.shape == Shape::Word
    }
}

/// Cuts the text into tokens; code spans, paths and addresses become marks that no rule accepts.
pub(super) fn tokenize(text: &str) -> Vec<Token> {
    let code = code_ranges(text);
    let mut tokens: Vec<Token> = Vec::new();
    let mut code_idx = 0;
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        while code.get(code_idx).is_some_and(|range| range.end <= at) {
            code_idx += 1;
        }
        let inside = code.get(code_idx).filter(|range| range.contains(&at)).map(|range| range.end);
        let (end, shape) = match inside {
            Some(end) => (end, Shape::Mark('\u{fffd}')),
            None => shape_at(text, at, first),
        };
        let glued = tokens.last().is_some_and(|last| last.span.end == at);
        let mut lower = String::new();
        let mut possessive = false;
        if shape == Shape::Word {
            lower = lower_case(&text[at..end]);
            if let Some(stem) = lower.strip_suffix("'s") {
                lower.truncate(stem.len());
                possessive = true;
            }
        }
        let telling = match shape {
            Shape::Word => prefilter::is_telling(&lower),
            Shape::Number { .. } => true,
            Shape::Mark(_) => false,
        };
        let capital = first.is_uppercase();
        tokens.push(Token { span: at..end, lower, shape, glued, capital, possessive, telling });
        at = end;
    }
    tokens
}

fn lower_case(word: &str) -> String {
    if word.is_ascii() { word.to_ascii_lowercase() } else { word.to_lowercase().replace('\u{2019}', "'") }
}

fn shape_at(text: &str, at: usize, first: char) -> (usize, Shape) {
    if first.is_ascii_digit() {
        let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        let value = text[at..at + digits].parse().unwrap_or(u64::MAX);
        return (at + digits, Shape::Number { value, digits });
    }
    if !is_letter(first) {
        return (at + first.len_utf8(), Shape::Mark(first));
    }
    let mut end = at;
    let mut rest = text[at..].chars().peekable();
    while let Some(next) = rest.next() {
        let apostrophe = matches!(next, '\'' | '\u{2019}') && rest.peek().copied().is_some_and(is_letter);
        if !is_letter(next) && !apostrophe {
            break;
        }
        end += next.len_utf8();
    }
    (end, Shape::Word)
}

fn is_letter(letter: char) -> bool {
    letter.is_alphabetic() || letter == '_'
}

/// Finds what is code and not prose: text between backticks, and white-space chunks that look like a path or an address.
fn code_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    if !text.bytes().any(|byte| matches!(byte, b'`' | b'/' | b'\\' | b'.')) {
        return ranges;
    }
    let mut from = 0;
    while let Some(open) = text[from..].find('`').map(|offset| from + offset) {
        let width = text[open..].bytes().take_while(|byte| *byte == b'`').count();
        let body = open + width;
        let Some(close) = text[body..].find(&text[open..body]).map(|offset| body + offset) else {
            from = body;
            continue;
        };
        ranges.push(open..close + width);
        from = close + width;
    }
    let n_fenced = ranges.len();
    let mut fence_idx = 0;
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        match (letter.is_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(from)) => {
                while fence_idx < n_fenced && ranges[fence_idx].end <= from {
                    fence_idx += 1;
                }
                let fenced = fence_idx < n_fenced && ranges[fence_idx].start < at;
                if !fenced && is_path(&text[from..at]) {
                    ranges.push(from..at);
                }
                start = None;
            }
            _ => {}
        }
    }
    ranges.sort_by_key(|range| range.start);
    ranges
}

/// "22/Jan/2019" or "2019/Jan/22", with the marks of a sentence around it.
fn is_slashed_date(chunk: &str) -> bool {
    let bare = chunk.trim_matches(|mark: char| !mark.is_alphanumeric());
    let parts: Vec<&str> = bare.split('/').collect();
    let number =
        |part: &str| !part.is_empty() && part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(parts[..], [first, name, last]
        if number(first) && number(last) && super::lexicon::month(&name.to_lowercase()).is_some())
}

fn is_path(chunk: &str) -> bool {
    if !chunk.bytes().any(|byte| matches!(byte, b'/' | b'\\' | b'.')) {
        return false;
    }
    if is_slashed_date(chunk) {
        return false;
    }
    let bare = chunk.trim_start_matches(['(', '"', '\'', '[', '<']);
    let slashes = bare.bytes().filter(|byte| matches!(byte, b'/' | b'\\')).count();
    let letters = bare.chars().any(char::is_alphabetic);
    bare.contains("://")
        || bare.contains('\\')
        || bare.starts_with("www.")
        || ["/", "./", "../", "~/"].iter().any(|root| bare.starts_with(root))
        || (letters && slashes >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        tokenize(text).into_iter().map(|token| &text[token.span]).collect()
    }

    #[test]
    fn digits_and_letters_part() {
        assert_eq!(cut("7th, 3pm"), ["7", "th", ",", "3", "pm"]);
        assert_eq!(cut("o'clock foo_1"), ["o'clock", "foo_", "1"]);
    }

    #[test]
    fn code_is_one_mark() {
        assert_eq!(
            cut("see `on 5 May` and /var/2023/05 ok"),
            ["see", "`on 5 May`", "and", "/var/2023/05", "ok"]
        );
    }
}
