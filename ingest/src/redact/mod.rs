//! Secrets are masked before anything is read, so that no copy of them is ever stored.
//!
//! Each byte of a secret becomes `*`: lengths, offsets and JSON structure stay as they were. The [shapes](shape) are those
//! that issuers document for their keys, and places where a secret is assigned or sent; what stands there is masked where
//! it is [likely] to be one.
//!
//! A text may be masked piece by piece: a piece that ends where a secret [may go on](goes_on) must be masked together
//! with the next line.

mod likely;
mod shape;

use std::borrow::Cow;

use shape::{BARE_NAME, LONGEST_NAME, OPEN_KEY, SHAPES, Start};

/// Returns the bytes with every secret masked, and how many there were.
pub fn redact(bytes: &[u8]) -> (Cow<'_, [u8]>, u64) {
    let mut masked = Cow::Borrowed(bytes);
    let mut count = 0;
    for shape in SHAPES.iter() {
        let found: Vec<(usize, usize)> = shape
            .pattern
            .captures_iter(&masked)
            .filter_map(|captures| captures.name("secret").or_else(|| captures.get(0)))
            .filter(|secret| may_start(shape.start, &masked, secret.start()))
            .filter(|secret| !is_called(&masked, secret.end()))
            .filter(|secret| (shape.is_secret)(secret.as_bytes()))
            .map(|secret| (secret.start(), secret.end()))
            .collect();
        count += found.len() as u64;
        for (start, end) in found {
            mask(&mut masked.to_mut()[start..end]);
        }
    }
    (masked, count)
}

/// Returns a text with every secret masked, and how many there were.
pub fn redact_text(text: &str) -> (Cow<'_, str>, u64) {
    match redact(text.as_bytes()) {
        (Cow::Borrowed(_), _) => (Cow::Borrowed(text), 0),
        (Cow::Owned(masked), n_secrets) => {
            (Cow::Owned(String::from_utf8_lossy(&masked).into_owned()), n_secrets)
        }
    }
}

/// Says whether what ends at a place is the name of a function that is called, or of a list that is looked into.
fn is_called(text: &[u8], end: usize) -> bool {
    let is_name = text[..end].last().is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    is_name && matches!(text.get(end), Some(b'(' | b'['))
}

/// Says whether a secret that has to start so may start at a place.
fn may_start(start: Start, text: &[u8], at: usize) -> bool {
    match start {
        Start::Anywhere => true,
        Start::Part => text[..at].last() == Some(&b'_') || starts_word(text, at),
        Start::Word => starts_word(text, at),
    }
}

/// Says whether a word starts at a place: behind what is none, or behind an escape of JSON or of an address.
fn starts_word(text: &[u8], at: usize) -> bool {
    let before = &text[..at];
    let Some(last) = before.last() else { return true };
    if !last.is_ascii_alphanumeric() && *last != b'_' {
        return true;
    }
    let is_hex = |code: &[u8]| code.iter().all(u8::is_ascii_hexdigit);
    match before {
        [.., b'\\', b'n' | b'r' | b't' | b'b' | b'f'] => true,
        [.., b'%', one, two] => is_hex(&[*one, *two]),
        [.., b'\\', b'u', one, two, three, four] => is_hex(&[*one, *two, *three, *four]),
        _ => false,
    }
}

/// Says whether a secret may start in this text and end in the line after it: a private key before its end, or the name
/// of a secret whose value is yet to come.
pub fn goes_on(text: &[u8]) -> bool {
    let is_name = {
        let mut text = text.trim_ascii_end();
        let sets = [b":=".as_slice(), b"=>", b":", b"="];
        if let Some(rest) = sets.iter().find_map(|sets| text.strip_suffix(*sets)) {
            text = rest.trim_ascii_end();
        }
        let quotes = [b"\"", b"'", b"`"];
        if let Some(rest) = quotes.iter().find_map(|quote| text.strip_suffix(*quote)) {
            let n_escapes = rest.iter().rev().take_while(|b| **b == b'\\').count().min(3);
            text = &rest[..rest.len() - n_escapes];
        }
        // One more byte than the name has, to see where the word starts.
        BARE_NAME.is_match(&text[text.len().saturating_sub(LONGEST_NAME)..])
    };
    is_name || OPEN_KEY.is_match(text)
}

/// Masks all but white space and escapes, which hold the structure of a text together.
fn mask(secret: &mut [u8]) {
    let mut escaped = false;
    for byte in secret {
        let keep = escaped || *byte == b'\\' || byte.is_ascii_whitespace();
        escaped = !escaped && *byte == b'\\';
        if !keep {
            *byte = b'*';
        }
    }
}

#[cfg(test)]
mod tests;
