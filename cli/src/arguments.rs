//! What can be said on the command line.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

use bygone_engine::store::VectorMode;
use clap::{Command as Definition, CommandFactory, Parser};

use crate::command::Command;

/// The space that is meant where none is named.
pub(crate) const DEFAULT_SPACE: &str = "default";

/// A memory for agents that keeps what was said and when, and answers what was true when, and what was known when.
#[derive(Parser)]
#[command(name = "bygone", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Where a command's variables of the environment come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Variables {
    /// The environment of this process.
    #[default]
    Own,
    /// That of the process that sent the command.
    Sent(BTreeMap<String, OsString>),
}

/// Returns the definition of what can be said, which variables of the environment that are set to nothing take no part in.
pub(crate) fn definition<A: CommandFactory>(variables: &Variables) -> Definition {
    with_variables(A::command(), variables)
}

fn with_variables(definition: Definition, variables: &Variables) -> Definition {
    let definition = definition.mut_args(|arg| {
        let Some(name) = arg.get_env().map(ToOwned::to_owned) else { return arg };
        match variables {
            Variables::Own if std::env::var_os(&name).is_some_and(|value| value.is_empty()) => {
                arg.env(None::<&'static str>)
            }
            Variables::Own => arg,
            Variables::Sent(sent) => {
                let value = name.to_str().and_then(|name| sent.get(name)).filter(|value| !value.is_empty());
                let arg = arg.env(None::<&'static str>);
                match value {
                    Some(value) => arg.default_value(value.clone()),
                    None => arg,
                }
            }
        }
    });
    definition.mut_subcommands(|command| with_variables(command, variables))
}

/// Reads words by their [`definition`].
///
/// # Errors
/// What is wrong with them, or the help that they ask for.
pub(crate) fn parse<A: Parser, W: Into<OsString> + Clone>(
    words: impl IntoIterator<Item = W>,
    variables: &Variables,
) -> Result<A, clap::Error> {
    by(definition::<A>(variables), words)
}

/// Reads the words of a command.
///
/// # Errors
/// What is wrong with them, or the help that they ask for.
pub(crate) fn command<W: Into<OsString> + Clone>(
    words: impl IntoIterator<Item = W>,
    variables: &Variables,
) -> Result<Arguments, clap::Error> {
    /// What whoever sends no variables can say. Making it anew takes longer than many commands.
    static WITHOUT_VARIABLES: LazyLock<Definition> =
        LazyLock::new(|| definition::<Arguments>(&Variables::Sent(BTreeMap::new())));
    match variables {
        Variables::Sent(sent) if sent.is_empty() => by(WITHOUT_VARIABLES.clone(), words),
        Variables::Own | Variables::Sent(_) => parse(words, variables),
    }
}

fn by<A: Parser, W: Into<OsString> + Clone>(
    mut definition: Definition,
    words: impl IntoIterator<Item = W>,
) -> Result<A, clap::Error> {
    let mut matches = definition.try_get_matches_from_mut(words)?;
    A::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut definition))
}

/// How vectors are compared, by the names on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum VectorIndex {
    /// Through a graph where a space has very many, else all of them
    #[default]
    Auto,
    /// All of them
    Exact,
    /// Through a graph (HNSW), which is made for every space
    Hnsw,
}

impl VectorIndex {
    /// Returns the name on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            VectorIndex::Auto => "auto",
            VectorIndex::Exact => "exact",
            VectorIndex::Hnsw => "hnsw",
        }
    }

    pub(crate) const fn mode(self) -> VectorMode {
        match self {
            VectorIndex::Auto => VectorMode::Auto,
            VectorIndex::Exact => VectorMode::Exact,
            VectorIndex::Hnsw => VectorMode::Graph,
        }
    }
}

/// The options that every command takes.
#[derive(clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// The store's folder
    #[arg(long, global = true, env = "BYGONE_STORE", value_name = "DIR", default_value = "bygone.db")]
    pub(crate) store: PathBuf,
    /// The space within the store
    #[arg(long, global = true, value_name = "NAME", default_value = DEFAULT_SPACE)]
    pub(crate) space: String,
    /// Print JSON Lines
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print results only, no remarks
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// How vectors are compared: all of them, through a graph, or as their number asks for
    #[arg(long, global = true, value_enum, value_name = "HOW", default_value_t)]
    pub(crate) vector_index: VectorIndex,
    /// Ask the models that this file names for vectors and order, instead of what is built in
    #[arg(long, global = true, env = "BYGONE_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Take this time for now (leases and what agents said of their work go on from the last commit, where that is later)
    #[arg(long, global = true, env = "BYGONE_NOW", value_name = "T")]
    pub(crate) now: Option<String>,
}
