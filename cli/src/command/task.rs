//! `bygone task`: what one works towards, is doing, and will do next.

use bygone_engine::time::{Moment, format_moment};
use bygone_query::state::task::{Notes, get, set};

use crate::acting::{Acting, Whose};
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::{Context, Opened};
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Task {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Note something; an empty text ends a note, and what is not given stays as it is
    Set(Set),
    /// Show the notes of somebody, or those they had at another time
    Show(Show),
}

#[derive(clap::Args)]
struct Set {
    /// What one works towards
    #[arg(long, value_name = "TEXT")]
    objective: Option<String>,
    /// What one is doing
    #[arg(long, value_name = "TEXT")]
    doing: Option<String>,
    /// The exact next step
    #[arg(long, value_name = "TEXT")]
    next: Option<String>,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Args)]
struct Show {
    #[command(flatten)]
    whose: Whose,
    #[command(flatten)]
    view: ViewOptions,
}

impl Task {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.action {
            Action::Set(action) => action.execute(context),
            Action::Show(action) => action.execute(context),
        }
    }
}

impl Set {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let mask = self.acting.mask();
        let [objective, doing, next] =
            [&self.objective, &self.doing, &self.next].map(|note| mask.optional(note.as_deref()));
        let notes = Notes { objective: objective.as_deref(), doing: doing.as_deref(), next: next.as_deref() };
        let key = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        mask.tell(&mut output)?;
        let by = self.acting.actor();
        let task = self.acting.decide(&space, key.as_deref(), &notes, now, |snapshot, place| {
            set(snapshot, place, &by, notes)
        })?;
        show(&task, &mut output)?;
        Ok(Exit::Done)
    }
}

impl Show {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let of = self.whose.entity()?;
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant(&snapshot, &request)?;
        show(&get(&seen, &of, at)?, &mut output)?;
        Ok(Exit::Done)
    }
}

fn show(task: &bygone_query::state::task::Task, output: &mut Output<'_>) -> Result<(), Failure> {
    if output.json {
        return output.row(&task.to_json());
    }
    for (name, note) in [("objective", &task.objective), ("doing", &task.doing), ("next", &task.next)] {
        if let Some(note) = note {
            let since = format_moment(Moment::instant(note.since));
            output.line(format!("{name}: {} (since {since})", note.text))?;
        }
    }
    if task.is_empty() {
        output.remark(format!("{} has noted nothing", task.of))?;
    }
    Ok(())
}
