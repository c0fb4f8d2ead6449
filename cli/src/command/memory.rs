//! `bygone memory`: files of the memory tool of Anthropic's API.

use bygone_query::interface::memory_tool::{Answer, History, Past, ViewFiles, history, run_view};
use bygone_query::interface::{AsOf, InterfaceError, call};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::output::{Output, shorten};
use crate::session::{Context, Opened};
use crate::table::Cell;

/// How many characters of a text are shown in a table.
const MOST_SHOWN: usize = 60;

#[derive(clap::Args)]
pub(crate) struct MemoryCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Do a command of the tool as a model sends it: view, create, `str_replace`, insert, delete or rename
    ///
    /// The answer is what the model is to be told. Exit code 1: it was not done, and the answer says why.
    Run(Run),
    /// Show a file or a folder, as the tool does, or as it was at another time
    ///
    /// Exit code 1: there is none.
    View(View),
    /// List what a file was, and from which commit on
    History(HistoryOf),
}

#[derive(clap::Args)]
struct Run {
    /// The command, such as {"command":"view","path":"/memories"}
    #[arg(value_name = "JSON")]
    command: String,
}

#[derive(clap::Args)]
struct View {
    /// The path of a file or a folder
    #[arg(value_name = "PATH", default_value = "/memories")]
    path: String,
    /// What was known by then
    #[arg(long, value_name = "T")]
    known: Option<String>,
    /// What was recorded up to this commit
    #[arg(long, value_name = "SEQ")]
    recorded: Option<u64>,
}

#[derive(clap::Args)]
struct HistoryOf {
    /// The path of a file
    #[arg(value_name = "PATH")]
    path: String,
}

impl MemoryCommand {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.action {
            Action::Run(action) => action.execute(context),
            Action::View(action) => action.execute(context),
            Action::History(action) => action.execute(context),
        }
    }
}

impl Run {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let sent = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        let told = call(&space, now, sent.as_deref(), ("memory-tool", "run"), self.command.as_bytes())?;
        let answer: Answer =
            serde_json::from_str(told.get()).map_err(|error| Failure::Input(error.to_string()))?;
        tell(&answer, &mut output)
    }
}

impl View {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Opened { space, mut output, .. } = context.reading()?;
        let as_of = AsOf { known: self.known.clone(), recorded: self.recorded };
        let asked = ViewFiles { path: self.path.clone(), view_range: None, as_of: Some(as_of) };
        tell(&run_view(&space.snapshot(), &asked)?, &mut output)
    }
}

impl HistoryOf {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Opened { space, mut output, .. } = context.reading()?;
        let past = history(&space.snapshot(), &History { path: self.path.clone() })?;
        if output.json {
            for Past { recorded, known, text } in &past {
                output.row(&json!({ "recorded": recorded, "known": known, "text": text }))?;
            }
        } else {
            output.table(&past.iter().map(columns).collect::<Vec<_>>())?;
        }
        Ok(if past.is_empty() { Exit::No } else { Exit::Done })
    }
}

fn columns(past: &Past) -> Vec<Cell> {
    let text = match &past.text {
        Some(text) => Cell::from(shorten(text, MOST_SHOWN)),
        None => Cell::faint("gone".to_owned()),
    };
    vec![Cell::from(past.recorded.to_string()), Cell::from(past.known.clone()), text]
}

fn tell(answer: &Answer, output: &mut Output<'_>) -> Result<Exit, Failure> {
    if output.json {
        output.row(&json!({ "text": answer.text, "is_error": answer.is_error }))?;
    } else {
        answer.text.split('\n').try_for_each(|line| output.line(line))?;
    }
    Ok(if answer.is_error { Exit::No } else { Exit::Done })
}

impl From<InterfaceError> for Failure {
    fn from(error: InterfaceError) -> Failure {
        match error {
            InterfaceError::Store(error) => error.into(),
            error @ InterfaceError::Missing(_) => Failure::NotKnown(error.to_string()),
            error => Failure::Usage(error.to_string()),
        }
    }
}
