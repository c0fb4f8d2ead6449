//! Secrets are masked before anything is read, so that no copy of them is ever stored.
//!
//! Each byte of a secret becomes `*`: lengths, offsets and JSON structure stay as they were. The shapes are those that
//! the vendors document for their keys, and the assignments that secret scanners look for (after gitleaks' rules).
//!
//! A text may be masked piece by piece: a piece that ends where a secret [may go on](goes_on) must be masked together
//! with the next line.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::bytes::{Regex, RegexBuilder};

/// A shape of secret; the group named `secret` is what is masked, or the whole match.
const SHAPES: &[&str] = &[
    // Amazon access key ids.
    r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b",
    // GitHub tokens, classic and fine-grained.
    r"\bgh[pousr]_[0-9A-Za-z]{36,}\b",
    r"\bgithub_pat_[0-9A-Za-z_]{22,}\b",
    // GitLab personal access tokens.
    r"\bglpat-[0-9A-Za-z_-]{20,}\b",
    // OpenAI and Anthropic keys.
    r"\bsk-[0-9A-Za-z][0-9A-Za-z_-]{19,}\b",
    // Slack tokens.
    r"\bxox[abeoprs]-[0-9A-Za-z-]{10,}\b",
    // Google API keys.
    r"\bAIza[0-9A-Za-z_-]{35}\b",
    // Stripe live and test keys.
    r"\b[rs]k_(?:live|test)_[0-9A-Za-z]{16,}\b",
    // npm and PyPI tokens.
    r"\bnpm_[0-9A-Za-z]{36}\b",
    r"\bpypi-[0-9A-Za-z_-]{50,}\b",
    // JSON web tokens.
    r"\beyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}\b",
    // Private keys in PEM, also with the line ends of JSON texts.
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?P<secret>[0-9A-Za-z+/=\s\\]+?)-----END",
    // A password in an address.
    r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\x22\\]+:(?P<secret>[^\s/:@\x22\\]{3,})@",
    // An assignment of something called a secret: see `NAMES`.
    r"(?i)(?:\b|_)(?:NAMES)\\?[\x22']?\s*[:=]\s*\\?[\x22']?(?P<secret>[0-9A-Za-z+/_=.&!@#$%^*~-]{8,})",
];

/// What is called a secret.
const NAMES: &str = "api[_-]?key|secret(?:[_-]?(?:access)?[_-]?key)?|access[_-]?token|auth[_-]?token|client[_-]?secret|password|passwd";
/// The longest of them, with room.
const LONGEST_NAME: usize = 32;

static RULES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    SHAPES
        .iter()
        .map(|shape| {
            let shape = shape.replace("NAMES", NAMES);
            RegexBuilder::new(&shape).unicode(false).build().expect("the shapes are fixed and compile")
        })
        .collect()
});

/// A private key that is not at its end.
static OPEN_KEY: LazyLock<Regex> = LazyLock::new(|| {
    let shape = r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[0-9A-Za-z+/=\s\\]*$";
    RegexBuilder::new(shape).unicode(false).build().expect("the shape is fixed and compiles")
});

/// The name of a secret, and nothing behind it.
static BARE_NAME: LazyLock<Regex> = LazyLock::new(|| {
    let shape = format!(r"(?i)(?:\b|_)(?:{NAMES})$");
    RegexBuilder::new(&shape).unicode(false).build().expect("the shape is fixed and compiles")
});

/// Returns the bytes with every secret masked, and how many there were.
pub fn redact(bytes: &[u8]) -> (Cow<'_, [u8]>, u64) {
    let mut masked = Cow::Borrowed(bytes);
    let mut count = 0;
    for rule in RULES.iter() {
        let found: Vec<(usize, usize)> = rule
            .captures_iter(&masked)
            .filter_map(|captures| captures.name("secret").or_else(|| captures.get(0)))
            .filter(|secret| is_random(secret.as_bytes()))
            .map(|secret| (secret.start(), secret.end()))
            .collect();
        count += found.len() as u64;
        for (start, end) in found {
            mask(&mut masked.to_mut()[start..end]);
        }
    }
    (masked, count)
}

/// Says whether a secret may start in this text and end in the line after it: a private key before its end, or the name
/// of a secret whose value is yet to come.
pub fn goes_on(text: &[u8]) -> bool {
    let is_name = {
        let text = text.trim_ascii_end();
        let text =
            text.strip_suffix(b":").or_else(|| text.strip_suffix(b"=")).unwrap_or(text).trim_ascii_end();
        let text = text.strip_suffix(b"\"").or_else(|| text.strip_suffix(b"'")).unwrap_or(text);
        let text = text.strip_suffix(b"\\").unwrap_or(text);
        // One more byte than the name has, to see where the word starts.
        BARE_NAME.is_match(&text[text.len().saturating_sub(LONGEST_NAME)..])
    };
    is_name || OPEN_KEY.is_match(text)
}

/// Keys mix letters and digits; words such as `placeholder_value` and masks do not.
fn is_random(secret: &[u8]) -> bool {
    secret.iter().any(u8::is_ascii_digit) && secret.iter().any(u8::is_ascii_alphabetic)
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
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let (masked, count) = redact(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&masked), expected);
        assert_eq!(count > 0, text != expected, "{text}");
        assert_eq!(redact(&masked).1, 0, "masking twice finds nothing more");
    }

    // The secrets are put together here so that no scanner takes this file for a leak.
    #[test]
    fn secrets_are_masked_in_place() {
        let key = format!("AKIA{}", "ABCDEFGH12345678");
        check(&format!("key {key}."), &format!("key {}.", "*".repeat(20)));
        let token = format!("ghp_{}", "a1".repeat(18));
        check(&format!(r#"{{"token":"{token}"}}"#), &format!(r#"{{"token":"{}"}}"#, "*".repeat(40)));
        check("postgres://anna:hunter2000@db/x", "postgres://anna:**********@db/x");
        check(r#"{"text":"PASSWORD=\"abc123def456\""}"#, r#"{"text":"PASSWORD=\"************\""}"#);
    }

    #[test]
    fn a_private_key_in_json_stays_json() {
        let body = format!("{}\\n{}", "MIIEow1".repeat(6), "AbC9".repeat(8));
        let text =
            format!(r#"{{"t":"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"}}"#);
        let (masked, count) = redact(text.as_bytes());
        assert_eq!((count, masked.len()), (1, text.len()));
        let value: serde_json::Value = serde_json::from_slice(&masked).expect("still JSON");
        assert!(!value.to_string().contains("MIIE"));
    }

    #[test]
    fn where_a_secret_may_go_on_the_next_line_is_needed() {
        for text in [
            "password:\n",
            "the Password \n",
            "\"api_key\" : \r\n\n",
            "\\\"secret\\\"=\n",
            "-----BEGIN PRIVATE KEY-----\n",
            "key: -----BEGIN RSA PRIVATE KEY----- MIIEow1\nAbC9\n",
        ] {
            assert!(goes_on(text.as_bytes()), "{text:?}");
        }
        for text in [
            "password: abc\n",
            "mypassword:\n",
            "passwords\n",
            "-----BEGIN PRIVATE KEY-----\nMIIEow1\n-----END PRIVATE KEY-----\n",
            "-----BEGIN PRIVATE KEY----- is how it starts.\n",
            "",
        ] {
            assert!(!goes_on(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in [
            "my password is a secret",
            "secret = placeholder_value_here",
            "sk-learn is a library",
            "https://example.org:8080/path@2x",
            r#"{"input_tokens": 1234567890123}"#,
        ] {
            check(text, text);
        }
    }
}
