//! Whether a result says in words that the tool did what was asked: for harnesses that have no flag for it.
//!
//! Only how the result opens counts. What says neither proves neither.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::exit;

/// How tools open that did it; after the sources of the tools in the table.
static DONE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)^(?:
            (?:ok|done|success)[.!:]?$ | success\.\s | successfully\s | \w+\s+(?:added|created|deleted|saved|updated)\s+successfully\b
          | (?:the\s+)?(?:file|content|notebook)\b .* \b(?:successfully | (?:has\s+been|have\s+been|was|were)\s+(?:successfully\s+)?(?:created|deleted|edited|moved|overwritten|removed|renamed|saved|updated|written))\b
          | (?:applied|replaced)\s+\d+\s (?:edits?|occurrences?|replacements?)\b
          | (?:created|deleted|edited|moved|overwrote|removed|renamed|saved|updated|wrote)\s+(?:new\s+)?(?:file\b|cell\b|/|~|\.|\d+\s+(?:bytes|lines|characters))
          | todos\s+have\s+been\s+modified | plan\s+updated | (?:the\s+)?(?:todo|task)s?\s+list\s+.*\bupdated | last\s+edit\s+to\s.*\bundone
          | (?:updated|created)\s+task\b | task\s+\#?\d+\s+created )",
    )
    .expect("the pattern is valid")
});

/// How tools open that did not.
static NOT_DONE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)^(?: [\[<]?(?:tool_use_)?error\b | err: | failed\b | failure\b | fatal\b | traceback\s\(most | (?:\w+\.)*\w*(?:error|exception): | (?:could\snot|couldn't|cannot|can't|unable\sto)\b
          | no\ssuch\sfile | permission\sdenied | access\sdenied | invalid\b | no\sreplacement\swas\sperformed | file\snot\sfound
          | (?:the\s)?(?:file|path)\b .* \b(?:does\snot\sexist|doesn't\sexist|not\sfound|already\sexists) )",
    )
    .expect("the pattern is valid")
});

static NEGATION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:not|unsuccessfully)\b|n't\b").expect("the pattern is valid"));

/// A line of a file with its number before it, as `cat -n` and its like print it.
static NUMBERED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*\d+(?:\t|→|: |\|)").expect("the pattern is valid"));

/// The head of a file as SWE-agent shows it: `[File: /a/b.py (10 lines total)]`.
static FILE_HEAD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\[File: (\S.*?) \(\d+ lines total\)\]\r?$").expect("the pattern is valid")
});

/// What a harness puts above a line `Output:`.
const HEADS: [&str; 6] = [
    "Chunk ID:",
    "Exit code:",
    "Original token count:",
    "Process exited",
    "Total output lines:",
    "Wall time:",
];

/// Returns what the tool printed, out of what its harness put around it.
pub(super) fn printed(output: &str) -> Cow<'_, str> {
    let trimmed = output.trim_start();
    if trimmed.starts_with('{')
        && let Ok(Value::Object(object)) = serde_json::from_str(trimmed)
        && let Some(Value::String(inner)) = object.get("output").or_else(|| object.get("stdout"))
    {
        return Cow::Owned(inner.clone());
    }
    if let Some(inner) = exit::report(output).map(|(inner, _)| inner).or_else(|| in_element(trimmed)) {
        return Cow::Borrowed(inner);
    }
    let is_head = |line: &str| HEADS.iter().any(|head| line.starts_with(head));
    if is_head(trimmed) {
        let mut at = 0;
        for line in trimmed.split_inclusive('\n').take(8) {
            at += line.len();
            if line.trim() == "Output:" {
                return Cow::Borrowed(&trimmed[at..]);
            }
        }
    }
    Cow::Borrowed(output)
}

/// mini-swe-agent puts `<returncode>0</returncode>` and `<output>` around.
fn in_element(output: &str) -> Option<&str> {
    let (_, inner) = output.strip_prefix("<returncode>")?.split_once("<output>")?;
    Some(inner.rsplit_once("</output>").map_or(inner, |(inner, _)| inner))
}

/// Says whether what was printed says that it was done, or that it was not; `None` where it says neither.
pub(super) fn is_done(printed: &str) -> Option<bool> {
    let line = printed.lines().map(str::trim).find(|line| !line.is_empty())?;
    if NOT_DONE.is_match(line) {
        Some(false)
    } else if DONE.is_match(line) && !NEGATION.is_match(line) {
        Some(true)
    } else {
        None
    }
}

/// Says whether what was printed is a file, by what is put around files to show them.
pub(super) fn shows_file(printed: &str) -> bool {
    let mut lines = printed.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = lines.next() else {
        return false;
    };
    shown_file(printed).is_some()
        || NUMBERED.is_match(first)
        || (first.starts_with("Here's the result of running `cat -n` on")
            && lines.next().is_some_and(|line| NUMBERED.is_match(line)))
}

/// Returns the file whose head stands in what was printed.
pub(super) fn shown_file(printed: &str) -> Option<&str> {
    FILE_HEAD.captures(printed).and_then(|head| head.get(1)).map(|path| path.as_str())
}

#[cfg(test)]
mod tests {
    use super::{is_done, printed, shows_file};

    #[test]
    fn what_tools_say_is_understood() {
        for said in [
            "File created successfully at: src/error.rs",
            "The file /a/b.py has been edited. Here's the result of running `cat -n` on a snippet",
            "The file /a/b.py has been updated.",
            "Applied 2 edits to /a/b.py:",
            "Successfully overwrote file: /a/b.py.",
            "Successfully modified file: /a/b.py (1 replacements).",
            "Success. Updated the following files:\nM a.rs",
            "The content was successfully saved to a.rs.",
            "File written successfully to a.txt.",
            "Wrote 12 bytes",
            "Todos have been modified successfully. Ensure that you continue",
            "Plan updated",
            "Last edit to /a/b.py undone successfully.",
            "OK",
        ] {
            assert_eq!(is_done(said), Some(true), "{said}");
        }
        for said in [
            "Error: EACCES",
            "ERROR:\nInvalid `path`",
            "[ERROR] no",
            "Failed to edit, 0 occurrences found",
            "FileNotFoundError: [Errno 2] a.rs",
            "No replacement was performed, old_str did not appear",
            "The path /a does not exist. Please provide a valid path.",
            "Traceback (most recent call last):\n  File",
            "Unable to write",
        ] {
            assert_eq!(is_done(said), Some(false), "{said}");
        }
        for said in ["", "hm", "The file was not updated", "Updated 0 files", "a successfully placed word"] {
            assert_eq!(is_done(said), None, "{said}");
        }
    }

    #[test]
    fn a_file_is_told_by_what_shows_it() {
        for shown in [
            "     1\tfn main() {}",
            "     1→fn main() {}",
            "1: fn main() {}",
            "Here's the result of running `cat -n` on /a/b.py:\n     1\tx = 1",
            "[File: /a/b.py (10 lines total)]\r\n1:x",
        ] {
            assert!(shows_file(shown), "{shown}");
        }
        for shown in [
            "",
            "fn main() {}",
            "Here's the files and directories up to 2 levels deep in /a, excluding hidden items:\n/a/b",
            "File not found: a.rs",
        ] {
            assert!(!shows_file(shown), "{shown}");
        }
    }

    #[test]
    fn what_a_harness_puts_around_is_taken_off() {
        assert_eq!(printed(r#"{"output":"a\nb","metadata":{"exit_code":0}}"#), "a\nb");
        assert_eq!(printed("Exit code: 0\nWall time: 0 seconds\nOutput:\na\nb"), "a\nb");
        assert_eq!(printed("Output: a\nb\nExit Code: 1\nProcess Group PGID: 7"), "a\nb");
        assert_eq!(printed("<returncode>0</returncode>\n<output>\na\n</output>"), "\na\n");
        assert_eq!(printed("a\nOutput:\nb"), "a\nOutput:\nb");
        assert_eq!(printed(r#"{"result":1}"#), r#"{"result":1}"#);
    }
}
