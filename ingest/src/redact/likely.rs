//! Whether what stands where a secret may stand is one: not a word, a placeholder, a reference in code, a path.

/// Words of placeholders. Only a whole word counts, so that a key that happens to hold one is a key all the same.
const PLACEHOLDER_WORDS: &[&str] = &[
    "changeme",
    "default",
    "dummy",
    "env",
    "example",
    "fake",
    "foo",
    "getenv",
    "here",
    "insert",
    "my",
    "none",
    "null",
    "placeholder",
    "process",
    "redacted",
    "replace",
    "sample",
    "some",
    "todo",
    "undefined",
    "value",
    "your",
];
/// What stands for a password in an address of documentation.
const PASSWORD_WORDS: &[&str] = &[
    "password",
    "passwd",
    "pass",
    "pwd",
    "pw",
    "secret",
    "token",
    "changeme",
    "your",
    "placeholder",
    "example",
    "redacted",
];
/// Bits a letter that the value of something called a token has at least. Chosen, untested: words have about 3.
const TOKEN_BITS: f64 = 3.0;
/// The least length of it.
const TOKEN_BYTES: usize = 16;
/// A key has at least so many letters and digits in a row.
const KEY_RUN: usize = 16;

/// Keys mix letters and digits; words such as `placeholder_value` and masks do not.
pub(super) fn is_mixed(secret: &[u8]) -> bool {
    secret.iter().any(u8::is_ascii_digit) && secret.iter().any(u8::is_ascii_alphabetic)
}

/// Says whether a text whose first letters tell that it is a key goes on as one: letters alone can be one by chance, if
/// they are many and different.
pub(super) fn is_issued(secret: &[u8]) -> bool {
    let is_run = |run: &[u8]| run.len() >= KEY_RUN && n_distinct(run) >= KEY_RUN / 2;
    is_mixed(secret) || secret.split(|b| !b.is_ascii_alphanumeric()).any(is_run)
}

/// Says whether a text that is only told by its first letters has a stretch that no words have.
pub(super) fn is_key(secret: &[u8]) -> bool {
    is_mixed(secret)
        && secret.split(|b| !b.is_ascii_alphanumeric()).any(|run| run.len() >= KEY_RUN && n_digits(run) > 0)
}

/// Says whether the value of something called a password, key or secret is one.
pub(super) fn is_assigned(secret: &[u8]) -> bool {
    (is_mixed(secret) || is_jumbled(secret)) && !is_reference(secret) && !is_placeholder(secret)
}

/// Says whether the value of something called a token is one: the word has many other meanings.
pub(super) fn is_token(secret: &[u8]) -> bool {
    secret.len() >= TOKEN_BYTES
        && is_assigned(secret)
        && !is_uuid(secret)
        && bits_per_byte(secret) >= TOKEN_BITS
}

/// Says whether the password of an address is one: there, letters alone are no excuse.
pub(super) fn is_password(secret: &[u8]) -> bool {
    let lower = secret.to_ascii_lowercase();
    let mut words = lower.split(|b| !b.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let is_word = words.all(|word| PASSWORD_WORDS.iter().any(|known| known.as_bytes() == word));
    let is_repeated = secret.windows(2).all(|pair| pair[0] == pair[1]);
    !is_word && !is_repeated && !secret.iter().any(|b| b"$<>{}%*".contains(b) && !is_percent_encoded(secret))
}

/// Says whether a text is user and password in base64.
pub(super) fn is_basic(secret: &[u8]) -> bool {
    decoded(secret).is_some_and(|text| {
        let colon = text.iter().position(|b| *b == b':');
        colon.is_some_and(|at| at > 0 && at + 1 < text.len()) && text.iter().all(|b| (0x20..0x7f).contains(b))
    })
}

fn n_digits(text: &[u8]) -> usize {
    text.iter().filter(|b| b.is_ascii_digit()).count()
}

/// Says whether every percent sign begins the code of a byte, as in an address.
fn is_percent_encoded(text: &[u8]) -> bool {
    !text.iter().any(|b| b"$<>{}*".contains(b))
        && text.iter().enumerate().filter(|(_, b)| **b == b'%').all(|(at, _)| {
            text.get(at + 1..at + 3).is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit))
        })
}

/// Says whether a value names something: a variable, a place in a structure, a path, an address.
fn is_reference(value: &[u8]) -> bool {
    let starts_so = [b"$".as_slice(), b"%", b"/", b"./", b"../", b"~/", b"@", b"&", b"*"];
    if starts_so.iter().any(|start| value.starts_with(start))
        || contains(value, b"://")
        || contains(value, b"${")
    {
        return true;
    }
    // `config.auth2.password`: names with a dot between them.
    let parts: Vec<&[u8]> = value.split(|b| *b == b'.').collect();
    let is_name = |part: &&[u8]| {
        part.first().is_some_and(u8::is_ascii_alphabetic)
            && part.len() < KEY_RUN
            && part.iter().all(|b| b.is_ascii_alphabetic() || *b == b'_' || b.is_ascii_digit())
            && n_digits(part) <= 1
    };
    parts.len() > 1 && parts.iter().all(is_name)
}

/// Says whether a value is words, or one byte again and again.
fn is_placeholder(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    let words: Vec<&[u8]> =
        lower.split(|b| !b.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.iter().any(|word| PLACEHOLDER_WORDS.iter().any(|known| known.as_bytes() == *word)) {
        return true;
    }
    // `test-token-v2`: words of small or of capital letters, and short numbers.
    let is_word = |word: &[u8]| {
        let (n, n_digits) = (word.len(), n_digits(word));
        n_digits == 0 || (n_digits == n && n <= 4) || (n <= 3 && n_digits == 1)
    };
    let has_one_case = !value.iter().any(u8::is_ascii_lowercase) || !value.iter().any(u8::is_ascii_uppercase);
    if words.len() > 1 && has_one_case && words.iter().all(|word| is_word(word)) {
        return true;
    }
    n_distinct(&lower) <= 3
}

fn n_distinct(text: &[u8]) -> usize {
    let mut distinct = text.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct.len()
}

/// Says whether small and capital letters follow each other as in no words, `readFile` and `HTTPServer` included.
fn is_jumbled(text: &[u8]) -> bool {
    let is_letter = |pair: &[u8]| pair.iter().all(u8::is_ascii_alphabetic);
    let changes = text
        .windows(2)
        .filter(|pair| is_letter(pair) && pair[0].is_ascii_uppercase() != pair[1].is_ascii_uppercase());
    text.len() >= 10 && changes.count() * 2 >= text.len()
}

/// Says whether a text is a UUID, RFC 9562 section 4: 8, 4, 4, 4 and 12 hexadecimal digits.
fn is_uuid(text: &[u8]) -> bool {
    let lengths: Vec<usize> = text.split(|b| *b == b'-').map(<[u8]>::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-')
}

/// Returns Shannon's entropy of the bytes of a text.
#[expect(clippy::cast_precision_loss, reason = "texts are short")]
fn bits_per_byte(text: &[u8]) -> f64 {
    let mut counts = [0_usize; 256];
    for b in text {
        counts[usize::from(*b)] += 1;
    }
    let share = |n: usize| n as f64 / text.len() as f64;
    counts.iter().filter(|n| **n > 0).map(|n| -share(*n) * share(*n).log2()).sum()
}

/// Decodes base64, RFC 4648 section 4, with or without padding; `None` where it is none.
fn decoded(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |b: u8| match b {
        b'A'..=b'Z' => Some(b - b'A'),
        b'a'..=b'z' => Some(b - b'a' + 26),
        b'0'..=b'9' => Some(b - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let end = text.iter().rposition(|b| *b != b'=')? + 1;
    let mut bytes = Vec::new();
    for four in text[..end].chunks(4) {
        let mut bits = 0_u32;
        for &b in four {
            bits = bits << 6 | u32::from(digit(b)?);
        }
        bits <<= 6 * (4 - four.len());
        let n_bytes = match four.len() {
            4 => 3,
            3 => 2,
            2 => 1,
            _ => return None,
        };
        bytes.extend_from_slice(&bits.to_be_bytes()[1..=n_bytes]);
    }
    Some(bytes)
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded() {
        // The test vectors of RFC 4648, section 10.
        for (text, expected) in
            [("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar"), ("Zm8", "fo")]
        {
            assert_eq!(decoded(text.as_bytes()).as_deref(), Some(expected.as_bytes()), "{text}");
        }
        assert_eq!(decoded(b"Zm9v!"), None);
        assert_eq!(decoded(b"Z"), None);
    }

    #[test]
    fn user_and_password_are_told_from_other_base64() {
        assert!(is_basic(b"YW5uYTpodW50ZXIy"));
        for other in ["Zm9vYmFy", "authentication", "OnB3", "YW5uYTo=", "credentials"] {
            assert!(!is_basic(other.as_bytes()), "{other}");
        }
    }
}
