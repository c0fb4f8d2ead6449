//! What a line may say, read off the definitions of the command line: which command its words name, what may stand where
//! they end, and which options it leaves open.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use crate::arguments::{Arguments, Variables, definition};

/// Returns the definition of everything that can be said.
pub(super) fn root() -> Command {
    // A shell within the shell is refused, so it is not offered.
    let mut root = definition::<Arguments>(&Variables::Own).mut_subcommand("repl", |repl| repl.hide(true));
    // Options of every command are handed down to the commands only then.
    root.build();
    root
}

/// What the next word of a line may be.
pub(super) enum Next<'c> {
    /// A command, or an option of every command.
    Command(&'c Command),
    /// An option of this command, where it starts with a dash, or else the argument at its place.
    Argument(&'c Command, Option<&'c Arg>),
    /// The value of an option.
    Value(&'c Arg),
}

/// Says what may follow some words.
pub(super) fn after<'c>(root: &'c Command, words: &[String]) -> Next<'c> {
    let mut command = root;
    let mut value_of: Option<&Arg> = None;
    let mut place = 0;
    let mut only_places = false;
    for word in words {
        if value_of.take().is_some() {
            continue;
        }
        if !only_places && word == "--" {
            only_places = true;
        } else if !only_places && word.starts_with('-') && word.len() > 1 {
            value_of = option(command, word).filter(|arg| takes_value(arg) && !word.contains('='));
        } else if let Some(inner) = command.find_subcommand(word) {
            command = inner;
        } else {
            place += 1;
        }
    }
    if let Some(arg) = value_of {
        return Next::Value(arg);
    }
    if command.has_subcommands() {
        return Next::Command(command);
    }
    let places: Vec<&Arg> = command.get_positionals().collect();
    let repeated =
        || places.last().copied().filter(|arg| arg.get_num_args().is_some_and(|n| n.max_values() > 1));
    Next::Argument(command, places.get(place).copied().or_else(repeated))
}

/// Finds the option that a word with dashes names.
pub(super) fn option<'c>(command: &'c Command, word: &str) -> Option<&'c Arg> {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    match (name.strip_prefix("--"), name.strip_prefix('-')) {
        (Some(long), _) => command.get_arguments().find(|arg| arg.get_long() == Some(long)),
        // Of short ones written together the last may take a value.
        (None, Some(short)) => {
            let last = short.chars().last();
            command.get_arguments().find(|arg| arg.get_short().is_some() && arg.get_short() == last)
        }
        (None, None) => None,
    }
}

/// Says whether an option is followed by a value.
pub(super) fn takes_value(arg: &Arg) -> bool {
    arg.get_action().takes_values()
}

/// Says whether two options are one and the same by their definitions.
pub(super) fn is_alike(one: &Arg, other: &Arg) -> bool {
    one.get_long() == other.get_long()
        && takes_value(one) == takes_value(other)
        && one.get_value_names() == other.get_value_names()
}

/// What a line was read as.
pub(super) struct Reading<'c> {
    command: &'c Command,
    matches: ArgMatches,
}

/// Reads a line's words, the program's name first; `None` where they say nothing that can be done.
pub(super) fn read<'c>(root: &'c Command, words: &[String]) -> Option<Reading<'c>> {
    let mut matches = root.clone().try_get_matches_from(words).ok()?;
    let mut command = root;
    while let Some((name, inner)) = matches.remove_subcommand() {
        command = command.find_subcommand(name)?;
        matches = inner;
    }
    Some(Reading { command, matches })
}

impl Reading<'_> {
    /// Says whether the command takes an option like this one and the line does not give it.
    pub(super) fn leaves_open(&self, option: &Arg) -> bool {
        let mut own = self.command.get_arguments();
        own.any(|arg| is_alike(arg, option) && self.source(arg) != Some(ValueSource::CommandLine))
    }

    /// Says whether the command takes an option without a value and the line does not give it.
    pub(super) fn takes_flag(&self, name: &str) -> bool {
        let mut own = self.command.get_arguments();
        own.any(|arg| {
            arg.get_long() == Some(name)
                && !takes_value(arg)
                && self.source(arg) != Some(ValueSource::CommandLine)
        })
    }

    /// Says whether the command looks through a view, as reading ones do.
    pub(super) fn takes_a_view(&self) -> bool {
        self.command.get_arguments().any(|arg| arg.get_long() == Some("known"))
    }

    fn source(&self, arg: &Arg) -> Option<ValueSource> {
        self.matches.value_source(arg.get_id().as_str())
    }
}
