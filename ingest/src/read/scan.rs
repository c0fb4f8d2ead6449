//! Where the values of a JSON text start and end, found without building them.
//!
//! ```text
//!             "                 \
//!   between ────> in a string ────> behind a backslash
//!           <────             <────
//!             "                any byte
//! ```
//!
//! Brackets count only between strings. What stands inside a value is not checked: that is for who parses it.

use std::ops::Range;

/// What a byte of a value means for its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The value goes on.
    Inside,
    /// The byte is the last of the value.
    Last,
    /// The byte is behind the value: it ends the list or the object around it, or parts it from the next one.
    Behind,
}

/// How far a value was followed, from its first byte on.
#[derive(Clone, Debug, Default)]
pub(super) struct Scan {
    depth: usize,
    in_string: bool,
    is_escaped: bool,
}

impl Scan {
    /// Takes the next byte of the value.
    pub(super) fn step(&mut self, byte: u8) -> Step {
        if self.in_string {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => {
                    self.in_string = false;
                    if self.depth == 0 {
                        return Step::Last;
                    }
                }
                _ => {}
            }
            return Step::Inside;
        }
        match byte {
            b'"' => self.in_string = true,
            b'[' | b'{' => self.depth += 1,
            b']' | b'}' | b',' if self.depth == 0 => return Step::Behind,
            b']' | b'}' => {
                self.depth -= 1;
                if self.depth == 0 {
                    return Step::Last;
                }
            }
            _ => {}
        }
        Step::Inside
    }
}

/// Returns the end of the value that starts at a place; the end of the text where the value does not end.
fn value_end(text: &[u8], start: usize) -> usize {
    let mut scan = Scan::default();
    for (index, byte) in text[start..].iter().enumerate() {
        match scan.step(*byte) {
            Step::Inside => {}
            Step::Last => return start + index + 1,
            Step::Behind => return start + text[start..start + index].trim_ascii_end().len(),
        }
    }
    text.len()
}

fn skip(text: &[u8], start: usize, also: &[u8]) -> usize {
    let is_skipped = |byte: &u8| byte.is_ascii_whitespace() || also.contains(byte);
    start + text[start..].iter().take_while(|byte| is_skipped(byte)).count()
}

/// Returns where the items of a list stand; `None` where the text is no list.
pub(super) fn items(text: &[u8]) -> Option<Vec<Range<usize>>> {
    let mut at = skip(text, 0, &[]);
    if text.get(at) != Some(&b'[') {
        return None;
    }
    at = skip(text, at + 1, b",");
    let mut items = Vec::new();
    while text.get(at).is_some_and(|byte| *byte != b']') {
        let end = value_end(text, at);
        if end == at {
            break;
        }
        items.push(at..end);
        at = skip(text, end, b",");
    }
    Some(items)
}

/// Returns the keys of an object, and where their values stand, as far as the text goes; `None` where it is no object.
pub(super) fn members(text: &[u8]) -> Option<Vec<(String, Range<usize>)>> {
    let mut at = skip(text, 0, &[]);
    if text.get(at) != Some(&b'{') {
        return None;
    }
    at = skip(text, at + 1, b",");
    let mut members = Vec::new();
    while text.get(at) == Some(&b'"') {
        let end = value_end(text, at);
        let Ok(key) = serde_json::from_slice::<String>(&text[at..end]) else {
            break;
        };
        let start = skip(text, end, b":");
        let end = value_end(text, start);
        members.push((key, start..end));
        at = skip(text, end, b",");
    }
    Some(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, ranges: impl IntoIterator<Item = Range<usize>>) -> Vec<&str> {
        ranges.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn items_are_found_where_they_stand() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(texts(text, items(text.as_bytes()).expect("a list")), expected, "{text}");
        };
        check(" [ ] ", &[]);
        check(r#"[1, "a,]\"[", {"b": [2]} ,null ]"#, &["1", r#""a,]\"[""#, r#"{"b": [2]}"#, "null"]);
        check(r#"[{"cut": ["#, &[r#"{"cut": ["#]);
        check("[}", &[]);
        assert_eq!(items(b"{}"), None);
        assert_eq!(items(b""), None);
    }

    #[test]
    fn members_are_found_as_far_as_the_text_goes() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let members = members(text.as_bytes()).expect("an object");
            let found: Vec<_> =
                members.into_iter().map(|(key, range)| (key, text[range].to_owned())).collect();
            let expected: Vec<_> =
                expected.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("{}", &[]);
        check(
            r#"{"a": {"b": "}"}, "c\"d":[1,2] , "e":3}"#,
            &[("a", r#"{"b": "}"}"#), ("c\"d", "[1,2]"), ("e", "3")],
        );
        check(r#"{"a": 1, "b": [2"#, &[("a", "1"), ("b", "[2")]);
        check(r#"{"a""#, &[("a", "")]);
        check(r#"{"a"#, &[]);
        assert_eq!(members(b"[]"), None);
    }
}
