//! The command line: one file a command, everything it needs handed in, so that a test or a longer-lived program can
//! run commands against an open store.

#![allow(clippy::disallowed_methods, reason = "the edge: clock, environment and files come in here")]

mod acting;
mod arguments;
mod bar;
mod beats;
mod clock;
mod command;
mod config;
mod declared;
mod draw;
mod explain;
mod failure;
mod keys;
mod mask;
mod mcp;
mod open;
mod output;
mod quote;
mod repl;
mod screen;
mod serve;
mod session;
mod share;
mod table;
mod taken;
mod verb;
mod view;

use std::io::IsTerminal;
use std::process::ExitCode;

pub use clock::Clock;
pub use failure::{Exit, Failure};
pub use screen::{Screen, Signs};
pub use session::{Front, Session, Streams};

/// Runs the command that this process was started with.
pub fn main() -> ExitCode {
    // Other threads say on standard error what they have to, so it is not kept for this one.
    let (stdout, mut stderr) = (std::io::stdout(), std::io::stderr());
    let mut session = Session::new(Clock::System).sharing().before(Front {
        colour: stdout.is_terminal() && is_colour_welcome(),
        is_watched: stderr.is_terminal(),
        at_terminal: std::io::stdin().is_terminal() && stdout.is_terminal(),
        screen: Screen::detect(stdout.is_terminal(), |name| std::env::var_os(name)),
    });
    let mut streams = Streams {
        input: &mut std::io::stdin().lock(),
        output: &mut std::io::BufWriter::new(stdout.lock()),
        errors: &mut stderr,
    };
    let exit = session.run(std::env::args_os(), &mut streams);
    session.close(streams.errors);
    ExitCode::from(exit.code())
}

/// Says whether the environment lets colour through: see <https://no-color.org>.
fn is_colour_welcome() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}
