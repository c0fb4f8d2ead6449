//! Which words in a user's message are the harness's and not the person's.

use std::ops::Range;

use crate::read::harness::elements;

/// Elements that Codex writes into messages of the user's role.
const ELEMENTS: [&str; 17] = [
    "environment_context",
    "user_instructions",
    "INSTRUCTIONS",
    "permissions instructions",
    "collaboration_mode",
    "skills_instructions",
    "apps_instructions",
    "personality_spec",
    "turn_aborted",
    "subagent_notification",
    "user_shell_command",
    "codex_internal_context",
    "goal_context",
    "recommended_plugins",
    "hook_prompt",
    "model_switch",
    "skill",
];

/// Openings of messages that are the harness's as a whole.
const OPENINGS: [&str; 2] =
    ["# AGENTS.md instructions", "Another language model started to solve this problem"];

/// What editors put in front of what was asked, and where that begins.
const EDITOR: (&str, &str) = ("# Context from my IDE setup:", "## My request for Codex:");

/// Finds the harness's stretches, in order and apart.
pub(super) fn stretches(text: &str) -> Vec<Range<usize>> {
    let start = text.len() - text.trim_start().len();
    let opens = |opening: &str| text[start..].starts_with(opening);
    let mut stretches = Vec::new();
    if OPENINGS.into_iter().any(opens) {
        stretches.push(0..text.len());
        return stretches;
    }
    let mut from = start;
    if opens(EDITOR.0) {
        from = text.find(EDITOR.1).map_or(text.len(), |at| at + EDITOR.1.len());
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
        check("I moved to <b>Lisbon</b>", &[]);
        let context = "<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>";
        check(context, &[context]);
        check(&format!("{context}\nI moved."), &[context]);
        check("<user_instructions>never closed é", &["<user_instructions>never closed é"]);
        check(
            "# AGENTS.md instructions for /repo\n\nUse tabs.",
            &["# AGENTS.md instructions for /repo\n\nUse tabs."],
        );
        check(
            "# Context from my IDE setup:\n\n## Open tabs:\n- a.rs\n\n## My request for Codex:\nFix it.",
            &["# Context from my IDE setup:\n\n## Open tabs:\n- a.rs\n\n## My request for Codex:"],
        );
        check("# Context from my IDE setup:\n- a.rs", &["# Context from my IDE setup:\n- a.rs"]);
        check(
            "<permissions instructions>\nx\n</permissions instructions>",
            &["<permissions instructions>\nx\n</permissions instructions>"],
        );
    }
}
