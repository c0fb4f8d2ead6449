//! The interactive shell: every command of the command line over a store that stays open, with options that stick, names
//! that complete themselves, and questions asked as they are.
//!
//! The shell knows no command by name. What there is, which options it takes and what its arguments are for is read off
//! the definitions of the command line.

mod complete;
mod grammar;
mod highlight;
mod history_file;
mod question;
mod script;
mod settings;
mod shell;
mod terminal;
mod vocabulary;
mod words;

use crate::arguments::Global;
use crate::failure::{Exit, Failure};
use crate::session::{Session, Streams};
use shell::Shell;

/// Runs a shell over the session until it is left, or its input ends.
pub(crate) fn run(
    session: &mut Session,
    global: &Global,
    keeps_history: bool,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let at_terminal = session.is_at_terminal();
    let mut shell = Shell::new(session, global);
    if !at_terminal {
        return script::run(&mut shell, streams);
    }
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let history = keeps_history.then(|| history_file::path(variable)).flatten();
    terminal::run(shell, history, streams)
}
