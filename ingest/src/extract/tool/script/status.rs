//! For which of a command's parts its exit status speaks.
//!
//! The status of `a | b` is that of `b`, and so is that of `a; b`; that of `a || b` says that one of them went well. A status
//! of 0 is then no success of `a`.

use super::parse::{Command, steps};

/// Programs of which nobody asks whether they went well.
const ASIDE: [&str; 11] =
    [":", "cd", "echo", "export", "printf", "pwd", "set", "sleep", "true", "wait", "yes"];

/// What a status of 0 leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Open {
    /// Nothing: it speaks for all.
    Nothing,
    /// How these commands went, by their words.
    Commands(Vec<String>),
    /// Something; what, is not known.
    Something,
}

/// Returns what a status of 0 of the command leaves open.
pub(in super::super) fn open(command: &str) -> Open {
    let Some(steps) = steps(command) else {
        // What is not read as a shell does is looked through for the signs that hide a status.
        return if has_bar(command) { Open::Something } else { Open::Nothing };
    };
    let open: Vec<String> = steps
        .iter()
        .filter(|step| !step.is_proven && !step.command.name().is_some_and(|name| ASIDE.contains(&name)))
        .map(|step| words(&step.command))
        .collect();
    if open.is_empty() { Open::Nothing } else { Open::Commands(open) }
}

fn words(command: &Command) -> String {
    command.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Says whether `|` or `||` stands in a text outside of quotes.
fn has_bar(text: &str) -> bool {
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None | Some('"'), '\\') => drop(chars.next()),
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, '|') => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_speaks_for_what_it_is_the_status_of() {
        for command in [
            "pytest",
            "cd a && make && pytest -q",
            "cd a; pytest",
            "echo y | apt install x",
            "set -o pipefail; pytest | tail",
            "set -e\nmake\npytest",
            "grep 'a|b' c",
            "git commit -m \"$(cat <<'EOF'\na || b\nEOF\n)\"",
            "for f in a b; do make $f; done",
        ] {
            assert_eq!(open(command), Open::Nothing, "{command}");
        }
        for (command, left_open) in [
            ("pytest | tail -5", "pytest"),
            ("cd a && python -m pytest -q 2>&1 | tail -5", "python -m pytest -q"),
            ("pytest; echo done", "pytest"),
            ("pytest || true", "pytest"),
            ("make\nls", "make"),
        ] {
            assert_eq!(open(command), Open::Commands(vec![left_open.to_owned()]), "{command}");
        }
        for command in
            ["pytest $(ls) | tail", "for f in a b; do make $f; done | tail", "(cd a && make) || true"]
        {
            assert_eq!(open(command), Open::Something, "{command}");
        }
    }
}
