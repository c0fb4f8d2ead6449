//! Which key was probably meant: the near miss of a key that a record should have and has not.

use serde_json::{Map, Value};

/// The most letters by which a key may differ from the one that was meant; chosen, untested.
const MOST_EDITS: usize = 2;
/// Longer keys than this are nobody's slip.
const LONGEST: usize = 64;

/// Finds the key of the record that is most like `expected` but is none of the `known` ones; ties go to the first
/// in the record's order.
pub(crate) fn near_miss<'a>(
    record: &'a Map<String, Value>,
    expected: &str,
    known: &[&str],
) -> Option<&'a str> {
    record
        .keys()
        .filter(|key| !known.contains(&key.as_str()))
        .filter_map(|key| Some((edits(&folded(key)?, &folded(expected)?), key)))
        .filter(|(edits, _)| *edits <= MOST_EDITS)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, key)| key.as_str())
}

/// Says which key is missing, and which one may have been meant for it.
pub(crate) fn missing(record: &Map<String, Value>, expected: &str, known: &[&str]) -> String {
    match near_miss(record, expected, known) {
        Some(key) => format!("no `{expected}`; is `{key}` meant for it?"),
        None => format!("no `{expected}`"),
    }
}

/// Letters and digits in lower case, so that `session_id` is `sessionId`; `None` for what is too long to be a key.
fn folded(key: &str) -> Option<Vec<char>> {
    let letters = key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    (key.len() <= LONGEST).then(|| letters.collect())
}

/// Counts the insertions, deletions, replacements and swaps of neighbours between two words (optimal string
/// alignment; Boytsov 2011, "Indexing methods for approximate dictionary searching", section 2.1).
fn edits(one: &[char], other: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, wanted) in other.iter().enumerate() {
            let replaced = above[column] + usize::from(letter != wanted);
            let mut least = replaced.min(above[column + 1] + 1).min(current[column] + 1);
            let is_swap = row > 0 && column > 0 && one[row - 1] == *wanted && *letter == other[column - 1];
            if is_swap {
                least = least.min(before[column - 1] + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut above, current);
    }
    above[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(keys: &[&str], expected: &str, near: Option<&str>) {
        let record: Map<_, _> = keys.iter().map(|key| ((*key).to_owned(), Value::Null)).collect();
        assert_eq!(near_miss(&record, expected, &["messageId"]), near);
    }

    #[test]
    fn slips_are_named_and_strangers_are_not() {
        check(&["type", "timesstamp"], "timestamp", Some("timesstamp"));
        check(&["role", "contenst"], "content", Some("contenst"));
        check(&["mesasge"], "message", Some("mesasge"));
        check(&["session_id"], "sessionId", Some("session_id"));
        check(&["messageId"], "message", None);
        check(&["cwd", "version"], "uuid", None);
        check(&[], "uuid", None);
    }
}
