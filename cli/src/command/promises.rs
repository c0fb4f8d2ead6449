//! `bygone promises`.

use bygone_engine::time::format_moment;
use bygone_query::state::promise::{Fate, Promise, promises};

use crate::acting::Whose;
use crate::failure::{Exit, Failure};
use crate::output::{Output, count, shorten};
use crate::session::{Context, Opened};
use crate::table::Cell;
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Promises {
    /// Only those of which nothing became yet
    #[arg(long)]
    open: bool,
    /// Only those that were to be done by now and are open
    #[arg(long)]
    overdue: bool,
    /// Those of everybody, also where an agent or a user is named
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    whose: Whose,
    #[command(flatten)]
    view: ViewOptions,
}

impl Promises {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let whose = if self.all { None } else { self.whose.named()? };
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant(&snapshot, &request)?;
        let mut found = promises(&seen, whose.as_ref(), at)?;
        found.retain(|promise| {
            (!self.open || promise.fate == Fate::Open) && (!self.overdue || promise.is_overdue)
        });
        show(&found, &mut output)?;
        if !output.json {
            output.remark(count(found.len() as u64, "promise"))?;
        }
        Ok(Exit::Done)
    }
}

/// Prints promises.
pub(super) fn show(promises: &[Promise], output: &mut Output<'_>) -> Result<(), Failure> {
    if output.json {
        return promises.iter().try_for_each(|promise| output.row(&promise.to_json()));
    }
    let table: Vec<Vec<Cell>> = promises.iter().map(columns).collect();
    output.table(&table)
}

fn columns(promise: &Promise) -> Vec<Cell> {
    let due = promise.due.map_or_else(String::new, |due| {
        let word = if promise.is_overdue { "overdue since" } else { "due" };
        format!("{word} {}", format_moment(due))
    });
    vec![
        Cell::strong(promise.id.clone()),
        promise.fate.name().into(),
        due.into(),
        shorten(&format!("{} to {}", promise.by, promise.to), 60).into(),
        Cell::strong(shorten(&promise.text, 60)),
    ]
}
