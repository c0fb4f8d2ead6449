//! Which exit status a result says.
//!
//! What the harness recorded beside the output comes first. In the output itself a status counts where a harness puts
//! it: alone on the first line, alone on the last one, or in the head above a line `Output:`. Two that differ say
//! nothing, since one of them is the program's own.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::call::Answer;
use super::failure::without_control;

const RECORDED: [&str; 4] = ["exitCode", "exit_code", "returnCode", "returncode"];

/// The lines of Gemini CLI's report below the output.
const REPORTED: [&str; 4] = ["Background PIDs:", "Error:", "Exit Code:", "Signal:"];

/// `exit code: 1`, `Error: Exit code 1`, `Process exited with code 1`, `exited with status 1`.
static IN_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)^(?:error:\s+)?
          (?: (?:(?:the\s+)?(?:process|command)\s+)? (?:exited|failed|finished|completed) \s+ with \s+ (?:exit\s+)? (?:code|status)
            | exit[\s_-]?(?:code|status) )
          (?: \s*[:=]\s* | \s+ ) (-?\d{1,9}) \.?$",
    )
    .expect("the pattern is valid")
});

/// `[exit 1]`: without the bracket it could be a line of a script.
static BARE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)^exit:?\s+(-?\d{1,9})$").expect("the pattern is valid"));

/// Returns the exit status that the result says, if it says one.
pub(super) fn status(answer: &Answer<'_>) -> Option<i64> {
    recorded(answer).or_else(|| in_output(answer.output)).or_else(|| line_status(answer.details?.as_str()?))
}

/// Returns the exit status that the harness recorded beside the output.
pub(super) fn recorded(answer: &Answer<'_>) -> Option<i64> {
    RECORDED.into_iter().find_map(|key| answer.detail(key)?.as_i64())
}

fn in_output(output: &str) -> Option<i64> {
    if let Some(status) = in_json(output) {
        return Some(status);
    }
    let output = without_control(output);
    if let Some(status) = in_element(&output).or_else(|| in_report(&output)) {
        return Some(status);
    }
    let lines: Vec<&str> = output.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if let Some(end) = lines.iter().take(8).position(|line| *line == "Output:") {
        return lines[..end].iter().find_map(|line| line_status(line));
    }
    let (first, last) = (line_status(lines.first()?), line_status(lines.last()?));
    match (first, last) {
        (Some(first), Some(last)) if first != last => None,
        (first, last) => first.or(last),
    }
}

/// Some harnesses answer with an object: `{"output":"…","metadata":{"exit_code":1}}`.
fn in_json(output: &str) -> Option<i64> {
    let object: Value = output.trim().starts_with('{').then(|| serde_json::from_str(output).ok())??;
    let of = |object: &Value| RECORDED.into_iter().find_map(|key| object.get(key)?.as_i64());
    of(&object).or_else(|| of(object.get("metadata")?))
}

/// mini-swe-agent opens its observations with `<returncode>1</returncode>`.
fn in_element(output: &str) -> Option<i64> {
    let (status, _) = output.trim_start().strip_prefix("<returncode>")?.split_once("</returncode>")?;
    status.trim().parse().ok()
}

/// Gemini CLI reports `Output: …`, then `Error:`, `Exit Code:`, `Signal:`, `Background PIDs:` and at the end `Process Group
/// PGID:`; until 2025 `Command:` and `Directory:` stand above, and every line is there. Since then a line is left out
/// where it has nothing to say, so that without a code and a signal the status is 0.
fn in_report(output: &str) -> Option<i64> {
    let (_, fields) = report(output)?;
    let field = |name: &str| fields.iter().find_map(|line| line.strip_prefix(name)).map(str::trim);
    match field("Exit Code:") {
        Some(status) => status.parse().ok(),
        None if output.starts_with("Command: ") || field("Signal:").or(field("Error:")).is_some() => None,
        None => Some(0),
    }
}

/// Parts such a report into what the command printed and the lines below that.
pub(super) fn report(output: &str) -> Option<(&str, Vec<&str>)> {
    let (report, _) = output.rsplit_once("\nProcess Group PGID: ")?;
    let printed = match report.strip_prefix("Output: ") {
        Some(printed) => printed,
        None => report.strip_prefix("Command: ")?.split_once("\nOutput: ")?.1,
    };
    let is_field = |line: &&str| REPORTED.iter().any(|name| line.starts_with(name));
    let fields: Vec<&str> = printed.lines().rev().take_while(is_field).collect();
    let n_bytes = fields.last().map_or(printed.len(), |first| offset_in(printed, first).saturating_sub(1));
    Some((&printed[..n_bytes], fields))
}

/// Returns where a piece of a text starts in it.
fn offset_in(text: &str, piece: &str) -> usize {
    piece.as_ptr().addr() - text.as_ptr().addr()
}

/// Reads a line that is an exit status and nothing else.
fn line_status(line: &str) -> Option<i64> {
    let line = line.trim();
    let bracketed = line.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).map(str::trim);
    let found = IN_WORDS.captures(bracketed.unwrap_or(line)).or_else(|| BARE.captures(bracketed?))?;
    found[1].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::in_output;

    #[test]
    fn a_status_counts_where_a_harness_puts_it() {
        for (output, status) in [
            ("1 failed, 3 passed\nexit code: 1", 1),
            ("Exit code 2\nmake: *** No targets.", 2),
            ("Error: Exit code 1", 1),
            ("done\n\nProcess exited with code 0.\n", 0),
            ("The command exited with status 127", 127),
            ("a.ts\n[exit 0]", 0),
            ("[exit code: -9]\nkilled", -9),
            ("\u{1b}[31mexit code: 1\u{1b}[0m", 1),
            ("Exit code: 0\nWall time: 0.1 seconds\nOutput:\nexit code: 3", 0),
            ("Wall time: 0.1 seconds\nProcess exited with code 4\nOutput:\nx", 4),
            (r#"{"output":"x","metadata":{"exit_code":1,"duration_seconds":0.1}}"#, 1),
            (r#"{"stdout":"","returncode":0}"#, 0),
            ("<returncode>1</returncode>\n<output>\nno\n</output>", 1),
            ("ls: x\n[The command completed with exit code 2.]", 2),
            (
                "Command: ls\nDirectory: (root)\nOutput: a\nError: (none)\nExit Code: 3\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 12",
                3,
            ),
            ("Output: a\nExit Code: 9\nb\nProcess Group PGID: 12", 0),
            ("Output: a\nExit Code: 1\nProcess Group PGID: 12", 1),
        ] {
            assert_eq!(in_output(output), Some(status), "{output}");
        }
        for output in [
            "",
            "ok",
            "set -e\nmake\nexit 1",
            "exit 1",
            "a\nexit code: 1\nb",
            "exit code: 0\nx\nexit code: 1",
            "it says exit code: 1 here",
            "Session running\nOutput:\nexit code: 1",
            r#"{"exit_code":"?"}"#,
            "Output: a\nSignal: 9\nProcess Group PGID: 12",
            "Command: ls\nDirectory: x\nOutput: a\nExit Code: (none)\nSignal: 9\nProcess Group PGID: 12",
            "Output: a",
        ] {
            assert_eq!(in_output(output), None, "{output}");
        }
    }
}
