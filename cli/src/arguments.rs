//! What can be said on the command line.

use std::path::PathBuf;

use clap::Parser;

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
    /// Take this time for now
    #[arg(long, global = true, env = "BYGONE_NOW", value_name = "T")]
    pub(crate) now: Option<String>,
}
