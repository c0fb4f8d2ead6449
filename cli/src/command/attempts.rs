//! `bygone attempts`.

use bygone_engine::time::{Moment, format_moment};
use bygone_query::state::attempt::{Attempt, attempts};

use crate::failure::{Exit, Failure};
use crate::output::{Output, count};
use crate::session::{Context, Opened};
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Attempts {
    /// Only those on this topic
    #[arg(long, value_name = "TOPIC")]
    on: Option<String>,
    #[command(flatten)]
    view: ViewOptions,
}

impl Attempts {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant(&snapshot, &request)?;
        let found = attempts(&seen, self.on.as_deref(), at)?;
        found.iter().try_for_each(|attempt| show(attempt, &mut output))?;
        if !output.json {
            output.remark(count(found.len() as u64, "failed attempt"))?;
        }
        Ok(Exit::Done)
    }
}

/// Prints an attempt.
pub(super) fn show(attempt: &Attempt, output: &mut Output<'_>) -> Result<(), Failure> {
    if output.json {
        return output.row(&attempt.to_json());
    }
    let topic = attempt.topic.as_ref().map_or_else(String::new, |topic| format!("{topic}: "));
    let by = attempt.by.as_deref().unwrap_or("somebody");
    let at = format_moment(Moment::instant(attempt.at));
    output.line(format!("{topic}{}, failed because {} ({by}, {at})", attempt.approach, attempt.because))
}
