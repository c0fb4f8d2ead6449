//! Which words in a user's record are the harness's and not the person's.

use std::ops::Range;

use crate::read::harness::elements;

/// Elements the harness writes into user records.
const ELEMENTS: [&str; 14] = [
    "command-name",
    "command-message",
    "command-args",
    "command-contents",
    "local-command-caveat",
    "local-command-stdout",
    "local-command-stderr",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "system-reminder",
    "task-notification",
    "user-memory-input",
    "user-prompt-submit-hook",
];

/// Openings of texts that are the harness's as a whole.
const OPENINGS: [&str; 2] =
    ["Caveat: The messages below", "This session is being continued from a previous conversation"];

/// The opening of a note that ends with its bracket.
const INTERRUPTED: &str = "[Request interrupted by user";

/// Finds the harness's stretches, in order and apart.
pub(super) fn stretches(text: &str) -> Vec<Range<usize>> {
    let mut stretches = Vec::new();
    let start = text.len() - text.trim_start().len();
    if OPENINGS.iter().any(|opening| text[start..].starts_with(opening)) {
        stretches.push(0..text.len());
        return stretches;
    }
    let mut from = start;
    if text[start..].starts_with(INTERRUPTED) {
        from = text[start..].find(']').map_or(text.len(), |at| start + at + 1);
        stretches.push(start..from);
    }
    stretches.extend(elements(text, from, &ELEMENTS));
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = stretches(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_harness_is_told_from_the_person() {
        check("I use <b>HTML</b>", &[]);
        check(
            "<command-name>/x</command-name>\n<command-args></command-args>",
            &["<command-name>/x</command-name>", "<command-args></command-args>"],
        );
        check("Yes <system-reminder>no</system-reminder> please", &["<system-reminder>no</system-reminder>"]);
        check("a <system-reminder>never closed é", &["<system-reminder>never closed é"]);
        check(
            "[Request interrupted by user for tool use] go on",
            &["[Request interrupted by user for tool use]"],
        );
        check(" Caveat: The messages below were", &[" Caveat: The messages below were"]);
        check("<command-nameless>", &[]);
    }
}
