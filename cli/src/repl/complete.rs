//! What may stand at the end of a line that is being typed.
//!
//! Commands and options come from the definitions of the command line, what an argument may be from the name that its
//! definition gives its value, and names from the store.

use std::collections::BTreeSet;

use clap::{Arg, Command};

use super::grammar::{Next, after, option, takes_value};
use super::question::is_question;
use super::settings::Settings;
use super::shell::OWN_WORDS;
use super::vocabulary::Vocabulary;
use super::words::{Unfinished, escaped, quoted, split_typed};

/// The candidates offered, at most.
const MOST: usize = 100;

/// The words of a name within English, at most.
const MOST_NAME_WORDS: usize = 4;

/// How a line may go on.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Completion {
    /// With one of these texts, from a byte of the line on.
    Words(usize, Vec<Candidate>),
    /// With the name of a file.
    File,
}

/// One way to go on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    /// What is listed.
    pub(super) shown: String,
    /// What is put into the line.
    pub(super) inserted: String,
}

/// What a place in a line is for.
enum Place<'c> {
    Words(Vec<String>),
    Options(&'c Command),
    Entity,
    Predicate,
    Space,
    /// English, in which entities are named.
    Text,
    File,
    Anything,
}

/// Completes a line up to the cursor.
pub(super) fn complete(
    line: &str,
    root: &Command,
    settings: &Settings,
    vocabulary: &dyn Vocabulary,
) -> Completion {
    let typed = split_typed(line);
    let is_command = |word: &str| OWN_WORDS.contains(&word) || root.find_subcommand(word).is_some();
    if !typed.words.is_empty() && is_question(line, is_command) {
        return in_text(line, None, vocabulary);
    }
    let end = Unfinished { start: line.len(), text: String::new(), open: None, is_quoted: false };
    let last = typed.last.unwrap_or(end);
    let place = place(&typed.words, &last, root, settings);
    // The value of `--option=value` is completed by itself.
    let value_at = match last.text.split_once('=') {
        Some((name, _)) if last.text.starts_with("--") && !last.is_quoted => name.len() + 1,
        _ => 0,
    };
    let start = &last.text[value_at..];
    let found: Vec<String> = match place {
        Place::File => return Completion::File,
        Place::Text if last.open.is_some() => return in_text(line, last.open, vocabulary),
        // Without a quote around it, what goes on is one word of the text.
        Place::Text if start.is_empty() => Vec::new(),
        Place::Text => vocabulary.entities(start, MOST).iter().filter_map(|entity| name_of(entity)).collect(),
        Place::Words(words) => starting(words, start),
        Place::Options(command) => starting(options(command), start),
        Place::Entity => entities(start, vocabulary),
        Place::Predicate => starting(vocabulary.predicates(), start),
        Place::Space => starting(vocabulary.spaces(), start),
        Place::Anything => Vec::new(),
    };
    Completion::Words(last.start + value_at, as_words(found, last.open))
}

fn place<'c>(words: &[String], last: &Unfinished, root: &'c Command, settings: &'c Settings) -> Place<'c> {
    let Some((first, rest)) = words.split_first() else {
        let mut words = commands(root);
        words.extend(OWN_WORDS.iter().map(|word| (*word).to_owned()));
        return if last.text.starts_with('-') { Place::Options(root) } else { Place::Words(words) };
    };
    let names = || settings.names().map(str::to_owned);
    match (first.as_str(), rest) {
        ("set", []) => return Place::Words(names().collect()),
        ("set", [name]) => {
            return match settings.definition(name) {
                Some(arg) if takes_value(arg) => of_argument(arg),
                Some(_) => Place::Words(vec!["off".to_owned(), "on".to_owned()]),
                None => Place::Anything,
            };
        }
        ("unset", []) => return Place::Words(names().chain(["all".to_owned()]).collect()),
        ("timing", []) => return Place::Words(vec!["off".to_owned(), "on".to_owned()]),
        ("view", _) => return Place::Words(names().map(|name| format!("{name}=")).collect()),
        ("help", []) => return Place::Words(commands(root)),
        ("set" | "unset" | "timing" | "exit" | "quit", _) => return Place::Anything,
        _ => {}
    }
    match after(root, words) {
        Next::Command(command) | Next::Argument(command, _) if is_option(last) => {
            match option(command, &last.text).filter(|arg| takes_value(arg) && last.text.contains('=')) {
                Some(arg) => of_argument(arg),
                None => Place::Options(command),
            }
        }
        Next::Command(command) => Place::Words(commands(command)),
        Next::Value(arg) | Next::Argument(_, Some(arg)) => of_argument(arg),
        Next::Argument(_, None) => Place::Anything,
    }
}

fn is_option(word: &Unfinished) -> bool {
    word.text.starts_with('-') && !word.is_quoted
}

fn commands(command: &Command) -> Vec<String> {
    let shown = command.get_subcommands().filter(|inner| !inner.is_hide_set());
    shown.map(|inner| inner.get_name().to_owned()).collect()
}

fn options(command: &Command) -> Vec<String> {
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
    shown.filter_map(Arg::get_long).map(|long| format!("--{long}")).collect()
}

/// Says what an argument is for, by the name its definition gives to its value.
fn of_argument<'c>(arg: &Arg) -> Place<'c> {
    let values = arg.get_possible_values();
    if !values.is_empty() {
        return Place::Words(values.iter().map(|value| value.get_name().to_owned()).collect());
    }
    if arg.get_id() == "space" {
        return Place::Space;
    }
    match arg.get_value_names().and_then(<[_]>::first).map(clap::builder::Str::as_str) {
        Some("ENTITY" | "OBJECT" | "A" | "B") => Place::Entity,
        Some("PREDICATE") => Place::Predicate,
        Some("QUESTION" | "TEXT") => Place::Text,
        Some("PATH" | "FILE" | "DIR") => Place::File,
        _ => Place::Anything,
    }
}

fn starting(words: Vec<String>, start: &str) -> Vec<String> {
    words.into_iter().filter(|word| word.starts_with(start)).collect()
}

/// Returns entities as they are written where one is expected: by type and name where a type is being typed, else by
/// name alone; a type itself is offered, too.
fn entities(start: &str, vocabulary: &dyn Vocabulary) -> Vec<String> {
    let found = vocabulary.entities(start, MOST);
    if start.contains(':') {
        return found;
    }
    let names = found.iter().filter_map(|entity| name_of(entity));
    // Without a beginning every type would be offered beside every name.
    let kinds = vocabulary.types().into_iter().map(|kind| format!("{kind}:"));
    names.chain(kinds.filter(|kind| !start.is_empty() && kind.starts_with(start))).collect()
}

/// Turns texts into words, in order and each once, within the quote that is open, or else without one: a quote that
/// nobody opened would be left open by what the words have in common.
fn as_words(found: Vec<String>, open: Option<char>) -> Vec<Candidate> {
    let found: BTreeSet<String> = found.into_iter().collect();
    let candidate = |word: String| {
        let whole = open.map_or_else(|| escaped(&word), |quote| quoted(&word, quote));
        // A type is followed by a name, and an option that is written with = by a value.
        let inserted = match open {
            Some(_) if word.ends_with(':') => whole[..whole.len() - 1].to_owned(),
            None if word.ends_with(':') => whole,
            _ => format!("{whole} "),
        };
        Candidate { shown: word, inserted }
    };
    let mut candidates: Vec<Candidate> = found.into_iter().take(MOST).map(candidate).collect();
    let common = common_start(&candidates);
    let n_backslashes = common.len() - common.trim_end_matches('\\').len();
    if n_backslashes % 2 == 1 && candidates.len() > 1 {
        // Only what each word keeps with it tells that backslash's meaning, so what they have in common ends before it.
        let whole = common[..common.len() - 1].to_owned();
        for candidate in &mut candidates {
            candidate.inserted.clone_from(&whole);
        }
    }
    candidates
}

/// Returns what the texts to be inserted start with, all of them: as much as is put into the line.
fn common_start(candidates: &[Candidate]) -> &str {
    let Some((first, others)) = candidates.split_first() else { return "" };
    let shared = |text: &str, other: &str| {
        let differs = text.char_indices().zip(other.chars()).find(|((_, one), other)| one != other);
        differs.map_or(text.len().min(other.len()), |((at, _), _)| at)
    };
    let end = others.iter().map(|other| shared(&first.inserted, &other.inserted)).min();
    &first.inserted[..end.unwrap_or(first.inserted.len())]
}

/// Returns the name in `type:Name`.
fn name_of(entity: &str) -> Option<String> {
    entity.split_once(':').map(|(_, name)| name.to_owned())
}

/// Completes a name within English: the longest one that the last words may be the beginning of. Within a quote, only
/// names that stand in it as they are.
fn in_text(line: &str, open: Option<char>, vocabulary: &dyn Vocabulary) -> Completion {
    let is_start = |(at, c): &(usize, char)| {
        let before = line[..*at].chars().next_back();
        !is_between(*c) && before.is_none_or(is_between)
    };
    let starts: Vec<usize> = line.char_indices().filter(is_start).map(|(at, _)| at).collect();
    if line.chars().next_back().is_none_or(is_between) {
        return Completion::Words(line.len(), Vec::new());
    }
    for &at in starts.iter().rev().take(MOST_NAME_WORDS).rev() {
        let found = vocabulary.entities(&line[at..], MOST);
        let names = found.iter().filter_map(|entity| name_of(entity));
        let stands =
            |name: &String| open.is_none_or(|quote| quoted(name, quote) == format!("{quote}{name}{quote}"));
        let names: BTreeSet<String> = names.filter(stands).collect();
        if !names.is_empty() {
            let candidate = |name: String| Candidate { inserted: name.clone(), shown: name };
            return Completion::Words(at, names.into_iter().map(candidate).collect());
        }
    }
    Completion::Words(line.len(), Vec::new())
}

/// Says whether a character stands between the words of English, as far as names are concerned.
fn is_between(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '(' | ',')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repl::grammar::root;

    /// A small world, and one entity of which there are many.
    struct World;

    impl Vocabulary for World {
        fn entities(&self, start: &str, most: usize) -> Vec<String> {
            let named = [
                "org:Acme",
                "person:Anna",
                "person:Anna Maria",
                "person:Melanie",
                "person:Melanie's daughter",
                "person:O Neil",
                "person:O'Hara",
                "pet:\"Rex\"",
                "project:Anna",
            ];
            let many = (0..1000).map(|number| format!("file:many-{number:04}"));
            let all = named.into_iter().map(str::to_owned).chain(many);
            let fits = |entity: &String| match start.split_once(':') {
                Some(_) => entity.to_lowercase().starts_with(&start.to_lowercase()),
                None => entity
                    .split_once(':')
                    .is_some_and(|(_, name)| name.to_lowercase().starts_with(&start.to_lowercase())),
            };
            all.filter(fits).take(most).collect()
        }

        fn types(&self) -> Vec<String> {
            ["org", "person", "project"].map(str::to_owned).into()
        }

        fn predicates(&self) -> Vec<String> {
            ["lives_in", "likes", "works_at"].map(str::to_owned).into()
        }

        fn spaces(&self) -> Vec<String> {
            ["default", "work"].map(str::to_owned).into()
        }
    }

    fn completion(line: &str) -> Completion {
        let global = crate::arguments::Global {
            vector_index: crate::arguments::VectorIndex::Auto,
            config: None,
            store: "s".into(),
            space: "default".into(),
            json: false,
            quiet: false,
            now: None,
        };
        complete(line, &root(), &Settings::new(&global), &World)
    }

    /// The lines that a line may become.
    fn lines(line: &str) -> Vec<String> {
        let Completion::Words(start, candidates) = completion(line) else { panic!("{line}: a file") };
        candidates.iter().map(|candidate| format!("{}{}", &line[..start], candidate.inserted)).collect()
    }

    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        assert_eq!(lines(line), expected, "{line}");
    }

    #[test]
    fn commands_and_the_shells_own_words_are_completed() {
        check("fac", &["facts "]);
        check("uns", &["unset "]);
        check("help fa", &["help facts "]);
        check("exit no", &[]);
        for command in root().get_subcommands().filter(|command| !command.is_hide_set()) {
            let name = command.get_name();
            assert!(lines(name).contains(&format!("{name} ")), "{name}");
        }
    }

    #[test]
    fn options_of_the_command_are_completed() {
        check("facts --sub", &["facts --subject "]);
        check("facts --in-", &["facts --in-session "]);
        check("--js", &["--json "]);
        check("facts --js", &["facts --json "]);
        check("stats --val", &[]);
        check("search x --kind ", &["search x --kind fact ", "search x --kind turn "]);
        check("search x --kind=t", &["search x --kind=turn "]);
    }

    #[test]
    fn entities_are_completed_by_name_and_by_type() {
        check("show person:An", &["show person:Anna ", r"show person:Anna\ Maria "]);
        check("show Ac", &["show Acme "]);
        check("show ac", &["show Acme "]);
        check("show An", &["show Anna ", r"show Anna\ Maria "]);
        check("show \"Anna M", &["show \"Anna Maria\" "]);
        check("show Anna\\ M", &[r"show Anna\ Maria "]);
        check("show 'Anna M", &["show 'Anna Maria' "]);
        check(r"show O\'", &[r"show O\'Hara "]);
        check("show 'O", &["show 'O Neil' ", r"show 'O'\''Hara' "]);
        check("show pers", &["show person:"]);
        check("merge Acme Ac", &["merge Acme Acme "]);
        check("facts --subject=Ac", &["facts --subject=Acme "]);
        check("facts --valid all --subject Ac", &["facts --valid all --subject Acme "]);
        check("show Acme An", &[]);
    }

    #[test]
    fn what_several_names_have_in_common_is_a_whole_word() {
        check("show Mel", &["show Melanie ", r"show Melanie\'s\ daughter "]);
        check(
            "learned Anna likes \"Mel",
            &["learned Anna likes \"Melanie\" ", "learned Anna likes \"Melanie's daughter\" "],
        );
        // `O\'Hara` and `O\ Neil` both go on with a backslash.
        check("show O", &["show O", "show O"]);
        for line in [
            "show Mel",
            "show ",
            "show O",
            "learned Anna likes ",
            "show person:",
            "search Mel",
            "merge Anna An",
        ] {
            let lines = lines(line);
            let (first, others) = lines.split_first().expect(line);
            let shared = |other: &String| {
                first.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
            };
            let common = &first[..others.iter().map(shared).min().unwrap_or(first.len())];
            assert!(crate::repl::words::split(common).is_ok(), "{line}: {common}");
        }
    }

    #[test]
    fn predicates_and_spaces_are_completed() {
        check("history Acme li", &["history Acme likes ", "history Acme lives_in "]);
        check("facts --predicate w", &["facts --predicate works_at "]);
        check("facts --space w", &["facts --space work "]);
        check("set space w", &["set space work "]);
    }

    #[test]
    fn what_can_be_set_is_completed() {
        check("set val", &["set valid "]);
        check("unset a", &["unset all "]);
        check("set history o", &["set history off ", "set history on "]);
        check("set valid 20", &[]);
    }

    #[test]
    fn names_within_english_are_completed_as_they_stand() {
        check("where does Anna M", &["where does Anna Maria"]);
        check("where does Anna Q", &[]);
        check("where does Ac", &["where does Acme"]);
        check("ask \"where does Ac", &["ask \"where does Acme"]);
        check("ask ", &[]);
        check("where does Mel", &["where does Melanie", "where does Melanie's daughter"]);
        check("ask \"where does Mel", &["ask \"where does Melanie", "ask \"where does Melanie's daughter"]);
        check("ask 'where does Mel", &["ask 'where does Melanie"]);
        check("search Melanie\\'", &[r"search Melanie\'s\ daughter "]);
    }

    #[test]
    fn files_are_left_to_who_knows_them() {
        assert_eq!(completion("ingest sam"), Completion::File);
        assert_eq!(completion("assert sam"), Completion::File);
    }

    #[test]
    fn candidates_are_bounded() {
        assert_eq!(lines("show man").len(), MOST);
        assert_eq!(lines("show file:many-").len(), MOST);
    }
}
