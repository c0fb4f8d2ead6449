//! Whether tests passed, by what test runners print.
//!
//! Both the command and its output must be a test run's: a log that is printed proves nothing. The counts decide, not
//! the exit status, which a pipe or a later command may have changed.

use std::sync::LazyLock;

use bygone_engine::{EntityRef, Object};
use regex::Regex;

use super::call::Answer;
use super::failure::without_control;
use super::propose::{Triple, state};
use super::shell::{SEPARATOR, directory_after};
use crate::candidate::Candidate;

const RULE: &str = "tool.test/1";
/// How tests stand that went well.
const PASSED: &str = "passed";

/// A command, or the part of one between `&&`, `;` and `|`, that runs tests.
static RUNS_TESTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^(?:\w+=\S*\s+)* (?:sudo\s+|time\s+|npx\s+|bunx\s+|uv\s+run\s+|poetry\s+run\s+|pnpm\s+exec\s+|timeout\s+\S+\s+)*
          (?: cargo\s+(?:\+\S+\s+)?(?:test|t|nextest)\b
            | (?:npm|pnpm|yarn|bun|deno)\b (?:\s+\S+)*? \s+(?:run\s+)?test\S*
            | (?:python[\d.]*|py)\s+-m\s+(?:pytest|unittest)\b
            | (?:py\.test|pytest|jest|vitest|mocha|tox|nox|rspec|phpunit|ctest)\b
            | go\s+test\b | (?:make|just|gradle|\./gradlew|mvn|dotnet|swift|zig|bazel)\b .*\b(?:test|tests|check)\b )",
    )
    .expect("the pattern is valid")
});

/// Summary lines. Groups `failed` and `again` hold a count of failures, or a word that means failure.
static SUMMARIES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        // cargo test: `test result: FAILED. 3 passed; 1 failed; …`
        r"(?m)^test result: (?:ok|(?<failed>FAILED))\. \d+ passed",
        // cargo nextest: `Summary [   0.1s] 4 tests run: 3 passed, 1 failed, 0 skipped`
        r"(?m)^\s*Summary \[[^\]]*\]\s+\d+(?:/\d+)? tests? run:(?: \d+ passed)?(?: \([^)]*\))?(?:, (?<failed>\d+) (?:failed|timed out))?",
        // pytest: `==== 1 failed, 3 passed in 0.10s ====`, or the same bare with -q
        r"(?m)^(?:=+ )?(?:(?<failed>\d+) (?:failed|errors?)|\d+ (?:passed|skipped|xfailed|xpassed))(?:, \d+ (?:passed|skipped|deselected|xfailed|xpassed|warnings?|rerun))*(?:, (?<again>\d+) errors?)? in \d[\d.]*s(?: \([\d:]+\))?(?: =+)?\s*$",
        // jest: `Tests:       1 failed, 3 passed, 4 total`
        r"(?m)^Tests:\s+(?:(?<failed>\d+) failed, )?(?:\d+ \w+, )*\d+ total",
        // vitest: `Tests  1 failed | 3 passed (4)`, and the same of files
        r"(?m)^\s*(?:Test Files|Tests)  (?:(?<failed>\d+) failed(?: \| )?)?(?:\d+ \w+(?: \| )?)* ?\(\d+\)",
        // go test: `ok  \tpackage\t0.01s`, `FAIL\tpackage\t0.01s`, `--- FAIL: TestX`
        r"(?m)^(?:ok  \t\S+\t|(?<failed>FAIL)\t\S+|--- (?<again>FAIL): )",
        // mocha: `3 passing (10ms)`, `1 failing`
        r"(?m)^\s*(?:\d+ passing \(|(?<failed>\d+) failing\s*$)",
        // unittest: `Ran 4 tests in 0.001s`, then `OK` or `FAILED (failures=1)`
        r"(?m)^Ran \d+ tests? in [\d.]+s\s+(?:OK|(?<failed>FAILED))",
    ]
    .into_iter()
    .map(|pattern| Regex::new(pattern).expect("the pattern is valid"))
    .collect()
});

/// Reads whether the command's tests passed, if it ran any. The key is the command that ran them, so that a single
/// test that passes does not speak for its suite.
pub(super) fn read(answer: &Answer<'_>, command: &str) -> Option<Candidate> {
    let test_command = SEPARATOR.split(command).map(str::trim).find(|part| RUNS_TESTS.is_match(part))?;
    let has_passed = has_passed(&without_control(&answer.printed()))?;
    let directory = directory(command, answer.directory().as_deref());
    let suite = directory.as_deref().unwrap_or(&answer.turn.episode.session);
    let triple = Triple {
        subject: EntityRef::new("suite", suite).ok()?,
        predicate: "test_status",
        key: key(test_command),
        object: Object::Text(if has_passed { PASSED } else { "failed" }.to_owned()),
    };
    Some(state(answer.turn, answer.span, RULE, triple))
}

/// Says whether a command runs tests.
pub(super) fn is_test_run(command: &str) -> bool {
    RUNS_TESTS.is_match(command)
}

/// Says whether what was read is that tests passed.
pub(super) fn says_passed(candidate: &Candidate) -> bool {
    matches!(&candidate.object, Some(Object::Text(how)) if how == PASSED)
}

/// Writes a command as a key: single spaces, no redirections, at most 200 characters.
fn key(command: &str) -> String {
    let is_redirection = |word: &str| word.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('>');
    let words: Vec<&str> = command.split_whitespace().filter(|word| !is_redirection(word)).collect();
    words.join(" ").chars().take(200).collect()
}

/// Says whether the tests passed whose summaries stand in the output; `None` where none does.
fn has_passed(output: &str) -> Option<bool> {
    let mut verdict = None;
    for summary in SUMMARIES.iter().flat_map(|pattern| pattern.captures_iter(output)) {
        let failed = summary.name("failed").or_else(|| summary.name("again"));
        let is_failure = failed.is_some_and(|count| count.as_str().parse() != Ok(0_u64));
        verdict = Some(verdict.unwrap_or(true) && !is_failure);
    }
    verdict
}

/// Returns the directory the tests ran in.
fn directory(command: &str, cwd: Option<&str>) -> Option<String> {
    let parts = SEPARATOR.split(command).map(str::trim);
    directory_after(parts.take_while(|part| !RUNS_TESTS.is_match(part)), cwd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_of_each_runner_are_read() {
        let passed = [
            "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored",
            "     Summary [   0.012s] 10 tests run: 10 passed, 1 skipped",
            "===== 3 passed, 1 skipped in 0.12s =====",
            "...\n3 passed in 0.02s",
            "===== 12 passed, 2 warnings in 75.31s (0:01:15) =====",
            "Tests:       2 skipped, 5 passed, 7 total",
            " Test Files  1 passed (1)\n      Tests  5 passed (5)\n",
            "ok  \texample.org/a\t0.01s\n?   \texample.org/b\t[no test files]",
            "  3 passing (12ms)",
            "Ran 4 tests in 0.001s\n\nOK",
        ];
        for output in passed {
            assert_eq!(has_passed(output), Some(true), "{output}");
        }
        let failed = [
            "test result: ok. 2 passed; 0 failed\ntest result: FAILED. 0 passed; 1 failed; 0 ignored",
            "     Summary [   0.012s] 10 tests run: 9 passed, 1 failed, 0 skipped",
            "     Summary [   0.012s] 10 tests run: 9 passed (2 slow), 1 timed out, 0 skipped",
            "===== 1 failed, 3 passed in 0.12s =====",
            "1 error in 0.02s",
            "2 passed, 1 warning, 1 error in 0.02s",
            "Tests:       1 failed, 5 passed, 6 total",
            " Test Files  1 failed (1)\n      Tests  1 failed | 4 passed (5)\n",
            "--- FAIL: TestX (0.00s)\nFAIL\nFAIL\texample.org/a\t0.01s",
            "  3 passing (12ms)\n  1 failing\n",
            "Ran 4 tests in 0.001s\n\nFAILED (failures=1)",
        ];
        for output in failed {
            assert_eq!(has_passed(output), Some(false), "{output}");
        }
        for output in [
            "",
            "12 files in 3s",
            "error[E0425]: cannot find value",
            "All 3 tests passed, he said",
            "no tests ran in 0.01s",
        ] {
            assert_eq!(has_passed(output), None, "{output}");
        }
    }

    #[test]
    fn only_commands_that_run_tests_count() {
        for command in [
            "cargo test -p x",
            "RUST_LOG=1 cargo nextest run",
            "pnpm test a.test.tsx",
            "npm run test:unit",
            "npx vitest run",
            "python -m pytest -q tests",
            "uv run pytest",
            "go test ./...",
            "make check",
            "pnpm --filter web test",
            "timeout 60 cargo test",
        ] {
            assert!(RUNS_TESTS.is_match(command), "{command}");
        }
        for command in
            ["cat test.log", "grep -r test .", "cargo build", "git commit -m test", "ls tests", "echo pytest"]
        {
            assert!(!RUNS_TESTS.is_match(command), "{command}");
        }
    }

    #[test]
    fn the_directory_follows_cd() {
        assert_eq!(directory("cd apps/app && pnpm test", Some("/p")).as_deref(), Some("/p/apps/app"));
        assert_eq!(directory("cargo test && cd x", Some("/p")).as_deref(), Some("/p"));
        assert_eq!(directory("cd /q; cargo test", None).as_deref(), Some("/q"));
        assert_eq!(directory("cargo test", None), None);
    }
}
