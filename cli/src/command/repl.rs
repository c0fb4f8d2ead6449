//! `bygone repl`.

use crate::failure::{Exit, Failure};
use crate::repl;
use crate::session::{Context, Streams};

#[derive(clap::Args)]
pub(crate) struct Repl {
    /// Keep no file of the lines that were typed
    #[arg(long)]
    no_history: bool,
}

impl Repl {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Context { session, global, input, output, .. } = context;
        let mut streams = Streams { input, output: output.results, errors: output.errors };
        session.enter_shell()?;
        let exit = repl::run(session, global, !self.no_history, &mut streams);
        session.leave_shell();
        exit
    }
}
