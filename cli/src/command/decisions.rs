//! `bygone decisions`.

use bygone_engine::time::{Moment, format_moment};
use bygone_query::state::decision::{Decision, decisions, decisions_made};

use crate::failure::{Exit, Failure};
use crate::output::{Output, count};
use crate::session::{Context, Opened};
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Decisions {
    /// Only those on this topic
    #[arg(value_name = "TOPIC")]
    topic: Option<String>,
    #[command(flatten)]
    view: ViewOptions,
}

impl Decisions {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant(&snapshot, &request)?;
        let topic = self.topic.as_deref();
        let found =
            if request.history { decisions_made(&seen, topic, at)? } else { decisions(&seen, topic, at)? };
        found.iter().try_for_each(|decision| show(decision, &mut output))?;
        if !output.json {
            output.remark(count(found.len() as u64, "decision"))?;
        }
        Ok(Exit::Done)
    }
}

/// Prints a decision.
pub(super) fn show(decision: &Decision, output: &mut Output<'_>) -> Result<(), Failure> {
    if output.json {
        return output.row(&decision.to_json());
    }
    let instant = |at| format_moment(Moment::instant(at));
    let by = decision.by.as_deref().unwrap_or("somebody");
    output.line(format!("{}: {} ({by}, {})", decision.topic, decision.choice, instant(decision.at)))?;
    if !decision.because.is_empty() {
        output.line(format!("  because {}", decision.because))?;
    }
    if !decision.over.is_empty() {
        output.line(format!("  and not {}", decision.over.join(", ")))?;
    }
    if let Some(next) = &decision.superseded_by {
        let by = next.by.as_deref().unwrap_or("somebody");
        output.line(format!("  superseded by {} ({by}, {})", next.choice, instant(next.at)))?;
    } else if !decision.is_in_force {
        output.line("  no longer in force")?;
    }
    for proposal in &decision.proposed {
        let by = proposal.by.as_deref().unwrap_or("somebody");
        let (choice, because) = (&proposal.choice, &proposal.because);
        output
            .line(format!("  {by} has since said {choice}, because {because} ({})", instant(proposal.at)))?;
    }
    Ok(())
}
