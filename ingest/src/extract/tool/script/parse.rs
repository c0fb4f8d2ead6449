//! The commands of a shell text, and which of them its status speaks for.
//!
//! ```text
//! script    list ; list ⏎ list
//! list      pipeline && pipeline || pipeline
//! pipeline  command | command
//! ```
//!
//! Where the whole ended well, so did what is proven by it: the last list, unless it has an alternative; lists that end the
//! script where they fail; and in a pipeline the last command alone, unless the shell was told otherwise. Only what is proven
//! up to the end is handed on as such, since what may have happened in between could undo it.

use super::token::{Token, Word, tokens};

/// A command with its words and the files its output goes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Command {
    /// The words, those that set a variable left out.
    pub(super) words: Vec<Word>,
    /// The files its output goes to.
    pub(super) outputs: Vec<Word>,
}

impl Command {
    /// Returns the name of the program, where it is known.
    pub(super) fn name(&self) -> Option<&str> {
        self.words.first()?.literal()
    }
}

/// A command and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The command.
    pub(super) command: Command,
    /// Whether it ended well, if the whole did.
    pub(super) is_proven: bool,
    /// Whether it ran in a process of its own, so that it changes no directory.
    pub(super) is_apart: bool,
}

/// Words that begin what is more than a command, or that change what runs below them or whether it runs.
const REFUSED: [&str; 32] = [
    "!", "[[", "alias", "break", "builtin", "case", "continue", "coproc", "do", "done", "elif", "else",
    "enable", "esac", "eval", "exec", "fi", "for", "function", "if", "in", "return", "select", "shopt",
    "then", "trap", "unalias", "until", "while", "{", "}", "]]",
];

/// Returns the commands of a text in order; nothing where it is refused.
pub(super) fn steps(text: &str) -> Option<Vec<Step>> {
    let lists = lists(&tokens(text)?)?;
    let mut shell = Shell::default();
    let mut is_proven_list = Vec::with_capacity(lists.len());
    let mut pipefail = Vec::with_capacity(lists.len());
    for (n, list) in lists.iter().enumerate() {
        shell.set(list)?;
        let decides = n + 1 == lists.len() || shell.ends_at(list);
        is_proven_list.push(list.ends_script()? || (list.is_plain() && decides));
        pipefail.push(shell.is_pipefail);
    }
    let proven_from = is_proven_list.iter().rposition(|is_proven| !is_proven).map_or(0, |at| at + 1);
    let mut steps = Vec::new();
    for (n, list) in lists.into_iter().enumerate() {
        let guards = list.ends_script()?;
        for (m, (_, pipeline)) in list.pipelines.into_iter().enumerate() {
            if guards && m == 1 {
                continue;
            }
            let n_commands = pipeline.len();
            for (k, command) in pipeline.into_iter().enumerate() {
                let decides = k + 1 == n_commands || pipefail[n];
                steps.push(Step {
                    command,
                    is_proven: n >= proven_from && decides,
                    is_apart: n_commands > 1,
                });
            }
        }
    }
    Some(steps)
}

/// What the shell was told to do where something fails.
#[derive(Clone, Copy, Debug, Default)]
struct Shell {
    is_errexit: bool,
    is_pipefail: bool,
}

impl Shell {
    /// Says whether the script ends where the list fails.
    fn ends_at(self, list: &List) -> bool {
        self.is_errexit && list.pipelines.len() == 1
    }

    /// Follows `set`; nothing where it is told something whose effect is not followed.
    fn set(&mut self, list: &List) -> Option<()> {
        let is_set = |command: &Command| command.name() == Some("set");
        if !list.pipelines.iter().flat_map(|(_, pipeline)| pipeline).any(is_set) {
            return Some(());
        }
        let [(_, pipeline)] = list.pipelines.as_slice() else { return None };
        let [command] = pipeline.as_slice() else { return None };
        let mut words = command.words.iter().skip(1);
        while let Some(word) = words.next() {
            for letter in word.literal()?.strip_prefix('-')?.chars() {
                match letter {
                    'e' => self.is_errexit = true,
                    'u' | 'x' | 'v' => {}
                    'o' => match words.next()?.literal()? {
                        "errexit" => self.is_errexit = true,
                        "pipefail" => self.is_pipefail = true,
                        "nounset" | "xtrace" | "verbose" => {}
                        _ => return None,
                    },
                    _ => return None,
                }
            }
        }
        Some(())
    }
}

/// How a pipeline hangs on the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joined {
    First,
    And,
    Or,
}

#[derive(Clone, Debug, Default)]
struct List {
    pipelines: Vec<(Joined, Vec<Command>)>,
}

impl List {
    /// Says whether all of it has to go well for the whole to do so.
    fn is_plain(&self) -> bool {
        self.pipelines.iter().all(|(joined, _)| *joined != Joined::Or)
    }

    /// Says whether it is `… || exit 1`, by which the script ends badly where it fails; nothing where it may end the script
    /// in another way.
    fn ends_script(&self) -> Option<bool> {
        let exits = |pipeline: &[Command]| pipeline.iter().any(|command| command.name() == Some("exit"));
        if !self.pipelines.iter().any(|(_, pipeline)| exits(pipeline)) {
            return Some(false);
        }
        let [(_, guarded), (Joined::Or, exit)] = self.pipelines.as_slice() else { return None };
        let [exit] = exit.as_slice() else { return None };
        let is_failure = match exit.words.as_slice() {
            [_] => true,
            [_, status] => status.literal()?.parse::<u8>().is_ok_and(|status| status != 0),
            _ => false,
        };
        (is_failure && !exits(guarded)).then_some(true)
    }
}

fn lists(tokens: &[Token]) -> Option<Vec<List>> {
    let mut lists = Vec::new();
    let mut reading = Reading::default();
    let mut tokens = tokens.iter();
    while let Some(token) = tokens.next() {
        match token {
            Token::Word(word) => reading.word(word)?,
            Token::Into | Token::Aside => {
                let Some(Token::Word(word)) = tokens.next() else { return None };
                reading.is_started = true;
                if *token == Token::Into {
                    reading.command.outputs.push(word.clone());
                }
            }
            Token::Pipe => reading.end_command()?,
            Token::And => reading.end_pipeline(Joined::And)?,
            Token::Or => reading.end_pipeline(Joined::Or)?,
            Token::End if reading.waits() => {}
            Token::End => lists.push(reading.end_list()?),
        }
    }
    if !reading.waits() {
        lists.push(reading.end_list()?);
    }
    // What a sign at the end waits for does not come.
    reading.is_empty().then_some(lists)
}

/// What was read of a list.
#[derive(Debug, Default)]
struct Reading {
    command: Command,
    is_started: bool,
    pipeline: Vec<Command>,
    list: List,
    joined: Option<Joined>,
}

impl Reading {
    /// Says whether a command is to come: at the start, and after `|`, `&&` and `||`, where lines may end.
    fn waits(&self) -> bool {
        !self.is_started
    }

    fn is_empty(&self) -> bool {
        !self.is_started && self.pipeline.is_empty() && self.list.pipelines.is_empty()
    }

    fn word(&mut self, word: &Word) -> Option<()> {
        self.is_started = true;
        if self.command.words.is_empty() {
            if is_assignment(&word.text) {
                return Some(());
            }
            if REFUSED.contains(&word.text.as_str()) {
                return None;
            }
        }
        self.command.words.push(word.clone());
        Some(())
    }

    fn end_command(&mut self) -> Option<()> {
        if !self.is_started {
            return None;
        }
        self.is_started = false;
        self.pipeline.push(std::mem::take(&mut self.command));
        Some(())
    }

    fn end_pipeline(&mut self, next: Joined) -> Option<()> {
        self.end_command()?;
        let joined = self.joined.replace(next).unwrap_or(Joined::First);
        self.list.pipelines.push((joined, std::mem::take(&mut self.pipeline)));
        Some(())
    }

    fn end_list(&mut self) -> Option<List> {
        self.end_pipeline(Joined::First)?;
        self.joined = None;
        Some(std::mem::take(&mut self.list))
    }
}

/// Says whether a word before the program sets a variable.
fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::steps;

    /// Writes each command by its name, in brackets where it is not proven.
    fn shown(text: &str) -> Option<String> {
        let show = |step: super::Step| match (step.command.name().unwrap_or("-").to_owned(), step.is_proven) {
            (name, true) => name,
            (name, false) => format!("({name})"),
        };
        Some(steps(text)?.into_iter().map(show).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_status_speaks_for_what_had_to_go_well() {
        for (text, expected) in [
            ("a", "a"),
            ("a && b && c", "a b c"),
            ("a ; b", "(a) b"),
            ("a\nb && c\n", "(a) b c"),
            ("a || b", "(a) (b)"),
            ("a && b || true", "(a) (b) (true)"),
            ("a | b", "(a) b"),
            ("x && a | b | c", "x (a) (b) c"),
            ("set -e\na\nb", "set a b"),
            ("set -e; a && b; c", "(set) (a) (b) c"),
            ("set -e; a || true; c", "(set) (a) (true) c"),
            ("set -euo pipefail\na | b\nc", "set a b c"),
            ("set -o pipefail; a | b", "(set) a b"),
            ("cd a || exit 1\nb", "cd b"),
            ("cd a || exit; b", "cd b"),
            ("x; cd a || exit 1\nb", "(x) cd b"),
            ("A=1 B=$C d", "d"),
            ("a &&\n b |\n c", "a (b) c"),
            ("> f", "-"),
            ("", ""),
            ("\n\n a \n\n", "a"),
        ] {
            assert_eq!(shown(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_may_run_otherwise_than_it_stands_is_refused() {
        for text in [
            "for f in a b; do rm c; done",
            "if a; then b; fi",
            "while true; do a; done",
            "! rm a",
            "{ rm a; }",
            "rm a && exit 0; b",
            "exit 0",
            "cd a || exit 0; b",
            "a && b || exit 1",
            "set +e; a",
            "set -n; a",
            "set -e | a",
            "trap 'rm a' EXIT; b",
            "eval rm a",
            "exec rm a",
            "a &&",
            "a |",
            "| a",
            "&& a",
            "a && && b",
            ";; a",
            "a >",
            "a > && b",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
