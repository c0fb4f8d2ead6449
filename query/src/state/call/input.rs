//! What a call is made with, in one form for all ways to write it.
//!
//! Two inputs are the same where their canonical forms are: keys sorted, no white space. Whole numbers count by their digits,
//! however many there are; those that no machine word holds would be rounded by the JSON library and are kept apart from it.

use serde_json::Value;

/// Returns the canonical form of a JSON text.
///
/// # Errors
/// Why the text is none.
pub(super) fn canonical(text: &str) -> Result<String, serde_json::Error> {
    let numbers = large_numbers(text);
    if numbers.is_empty() {
        return Ok(serde_json::from_str::<Value>(text)?.to_string());
    }
    let mark = mark(text);
    let mut marked = String::with_capacity(text.len());
    let mut from = 0;
    for (n, (start, end)) in numbers.iter().enumerate() {
        marked.push_str(&text[from..*start]);
        marked.push_str(&placeholder(&mark, n));
        from = *end;
    }
    marked.push_str(&text[from..]);
    let mut canonical = serde_json::from_str::<Value>(&marked)?.to_string();
    for (n, (start, end)) in numbers.iter().enumerate() {
        canonical = canonical.replace(&placeholder(&mark, n), &text[*start..*end]);
    }
    Ok(canonical)
}

/// Says whether a text in canonical form has whole numbers that the JSON library would round.
pub(super) fn has_large_number(canonical: &str) -> bool {
    !large_numbers(canonical).is_empty()
}

/// Returns a string in JSON that stands for a number.
fn placeholder(mark: &str, n: usize) -> String {
    format!("\"{mark}{n};\"")
}

/// Returns letters that stand nowhere in a text.
fn mark(text: &str) -> String {
    let mut mark = "n".to_owned();
    while text.contains(&mark) {
        mark.push('n');
    }
    mark
}

/// Returns where the whole numbers stand that no machine word holds, outside of strings.
fn large_numbers(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at += 1;
                while let Some(byte) = bytes.get(at).filter(|byte| **byte != b'"') {
                    at += if *byte == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'-' | b'0'..=b'9' => {
                let is_of_number =
                    |byte: &&u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
                let n_bytes = bytes[at..].iter().take_while(is_of_number).count();
                let number = &text[at..at + n_bytes];
                let digits = number.strip_prefix('-').unwrap_or(number);
                let is_whole = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
                if is_whole
                    && !digits.is_empty()
                    && number.parse::<u64>().is_err()
                    && number.parse::<i64>().is_err()
                {
                    found.push((at, at + n_bytes));
                }
                at += n_bytes;
            }
            _ => at += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_have_one_form_and_keep_every_digit() {
        for (text, expected) in [
            (r#" { "b" : 1 , "a" : [ true ] } "#, r#"{"a":[true],"b":1}"#),
            ("18446744073709551615", "18446744073709551615"),
            ("18446744073709551616", "18446744073709551616"),
            ("-9223372036854775808", "-9223372036854775808"),
            (r#"{"n":[-9223372036854775809,1e3]}"#, r#"{"n":[-9223372036854775809,1000.0]}"#),
            (
                r#"{"b":123456789012345678901,"a":"123456789012345678901 n nn\" 99999999999999999999"}"#,
                r#"{"a":"123456789012345678901 n nn\" 99999999999999999999","b":123456789012345678901}"#,
            ),
        ] {
            assert_eq!(canonical(text).expect(text), expected);
            assert_eq!(canonical(expected).expect(text), expected);
        }
        let long = "9".repeat(400);
        assert_eq!(canonical(&long).expect("a number"), long);
        assert_ne!(
            canonical("100000000000000000001").expect("a number"),
            canonical("100000000000000000002").expect("a number")
        );
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in [
            "",
            "{",
            "12345678901234567890123x",
            "-",
            "00000000000000000000001",
            "[1 99999999999999999999]",
            "\"a",
        ] {
            assert!(canonical(text).is_err(), "{text}");
        }
    }
}
