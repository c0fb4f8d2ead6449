//! From text to words, numbers, quoted texts and signs, each with its place. Every text has tokens or one error; the time it
//! takes grows with its length.

use std::fmt::Write;

use super::error::LanguageError;
use super::limits::MOST_BYTES;

/// A range of bytes of the text of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A name or a keyword, as it is written.
    Word(String),
    /// A name in backquotes, which is no keyword.
    Quoted(String),
    /// A text in quotes.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// Another number.
    Real(f64),
    /// A sign.
    Sign(&'static str),
    /// Where the text ends.
    End,
}

/// A token and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// The signs, longer ones before those that they start with.
const SIGNS: [&str; 21] = [
    "<=", ">=", "<>", "..", "(", ")", "[", "]", "{", "}", ",", ":", ".", "|", "*", "$", "=", "<", ">", "-",
    ";",
];

/// Cuts a text into tokens; the last one is [`Kind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, LanguageError> {
    if text.len() > MOST_BYTES {
        let message = format!("a query of {} bytes is longer than {MOST_BYTES}", text.len());
        return Err(LanguageError::new(message));
    }
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let start = at;
        let rest = &text[start..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let (kind, length) = if is_first(first) {
            let length = rest.find(|c| !is_further(c)).unwrap_or(rest.len());
            (Kind::Word(rest[..length].to_owned()), length)
        } else if first.is_ascii_digit() {
            number(rest).map_err(|message| error(text, start, start + digits(rest), message))?
        } else if matches!(first, '\'' | '"' | '`') {
            let (inner, length) = quoted(rest, first)
                .map_err(|(from, to, message)| error(text, start + from, start + to, message))?;
            (if first == '`' { Kind::Quoted(inner) } else { Kind::Text(inner) }, length)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Kind::Sign(sign), sign.len())
        } else {
            let end = start + first.len_utf8();
            return Err(error(text, start, end, format!("{first:?} means nothing in a query")));
        };
        at = start + length;
        tokens.push(Token { kind, span: Span { start, end: at } });
    }
    tokens.push(Token { kind: Kind::End, span: Span { start: text.len(), end: text.len() } });
    Ok(tokens)
}

fn error(text: &str, start: usize, end: usize, message: String) -> LanguageError {
    LanguageError::new(message).at(Span { start, end }).within(text)
}

/// Says whether a name may start with the character.
pub(super) fn is_first(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Says whether a name may go on with the character.
pub(super) fn is_further(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn digits(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())
}

/// Reads digits, with a fraction and an exponent where they are there: `1..3` is a number and a sign.
fn number(text: &str) -> Result<(Kind, usize), String> {
    let mut length = digits(text);
    let mut is_real = false;
    let fraction = text[length..].strip_prefix('.').map_or(0, digits);
    if fraction > 0 {
        length += 1 + fraction;
        is_real = true;
    }
    if let Some(rest) = text[length..].strip_prefix(['e', 'E']) {
        let sign = usize::from(rest.starts_with(['+', '-']));
        let exponent = digits(&rest[sign..]);
        if exponent > 0 {
            length += 1 + sign + exponent;
            is_real = true;
        }
    }
    if text[length..].starts_with(is_further) {
        return Err(
            "a number goes over into a word: a name starts with a letter, a time stands in quotes".to_owned()
        );
    }
    let written = &text[..length];
    if is_real {
        match written.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok((Kind::Real(value), length)),
            _ => Err(format!("number {written} is too large")),
        }
    } else {
        let whole = written.parse().map(|value| (Kind::Whole(value), length));
        whole.map_err(|_| format!("whole number {written} is beyond {}", i64::MAX))
    }
}

/// Reads a text in quotes and returns what it says, and its length with them.
fn quoted(text: &str, quote: char) -> Result<(String, usize), (usize, usize, String)> {
    let mut inner = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return Ok((inner, at + c.len_utf8()));
        }
        if c != '\\' || quote == '`' {
            inner.push(c);
            continue;
        }
        let Some((_, escaped)) = chars.next() else { break };
        match escaped {
            '\\' | '\'' | '"' => inner.push(escaped),
            'n' => inner.push('\n'),
            't' => inner.push('\t'),
            'r' => inner.push('\r'),
            'u' => {
                let code: String = chars.by_ref().take(4).map(|(_, digit)| digit).collect();
                let read = u32::from_str_radix(&code, 16).ok().filter(|_| code.len() == 4);
                let Some(read) = read.and_then(char::from_u32) else {
                    let message = "\\u is followed by the four digits of a character, as in \\u00e9";
                    return Err((at, at + 2, message.to_owned()));
                };
                inner.push(read);
            }
            other => {
                let message = format!("\\{other} means nothing: \\\\ \\' \\\" \\n \\t \\r \\u0000 do");
                return Err((at, at + 1 + other.len_utf8(), message));
            }
        }
    }
    Err((0, 1, format!("the quote {quote} is never closed")))
}

/// Writes a text in quotes, so that it reads back the same.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::from("'");
    for c in text.chars() {
        match c {
            '\\' => quoted.push_str("\\\\"),
            '\'' => quoted.push_str("\\'"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if c.is_control() => write!(quoted, "\\u{:04x}", u32::from(c)).unwrap_or_default(),
            c => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        tokens(text).expect(text).into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn hops_are_numbers_and_a_sign() {
        assert_eq!(
            kinds("*1..3"),
            [Kind::Sign("*"), Kind::Whole(1), Kind::Sign(".."), Kind::Whole(3), Kind::End]
        );
        assert_eq!(kinds("1.5e2"), [Kind::Real(150.0), Kind::End]);
    }

    #[test]
    fn texts_say_what_their_quotes_hold() {
        assert_eq!(kinds(r"'it\'s'"), [Kind::Text("it's".to_owned()), Kind::End]);
        assert_eq!(kinds("\"a\\u00e9\\n\" // the rest"), [Kind::Text("a\u{e9}\n".to_owned()), Kind::End]);
        assert_eq!(kinds("`a b`"), [Kind::Quoted("a b".to_owned()), Kind::End]);
        for text in ["'a\n\u{1}\\'\"", "", "\u{7f}é"] {
            assert_eq!(kinds(&quote(text)), [Kind::Text(text.to_owned()), Kind::End]);
        }
    }

    #[test]
    fn what_is_no_token_is_refused() {
        for (text, says) in [
            ("'open", "never closed"),
            ("'\\x'", "means nothing"),
            ("'\\u12'", "four digits"),
            ("3rd", "goes over into a word"),
            ("99999999999999999999", "beyond"),
            ("1e999", "too large"),
            ("a # b", "means nothing in a query"),
        ] {
            let error = tokens(text).expect_err(text).to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
        assert!(tokens(&"x".repeat(MOST_BYTES + 1)).is_err());
    }
}
