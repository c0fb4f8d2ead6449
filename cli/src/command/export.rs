//! `bygone export`.

use bygone_engine::record::Recorded;
use bygone_engine::wire::assertion_to_json;

use crate::failure::{Exit, Failure};
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Export {
    /// Write JSON Lines, which `assert` reads back (the only form so far)
    #[arg(long)]
    jsonl: bool,
}

impl Export {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        debug_assert!(self.jsonl || !self.jsonl, "there is one form");
        let Opened {
            space, mut output, ..
        } = context.to_read()?;
        let snapshot = space.snapshot();
        let mut recorded = snapshot.assertions().collect::<Result<Vec<_>, _>>()?;
        // The order says nothing of how or when the statements arrived.
        recorded.sort_by(|one, other| order(one).cmp(&order(other)));
        for Recorded { assertion, .. } in &recorded {
            output.row(&assertion_to_json(assertion))?;
        }
        Ok(Exit::Done)
    }
}

fn order(recorded: &Recorded) -> impl Ord + '_ {
    let assertion = &recorded.assertion;
    (
        &assertion.subject,
        &assertion.predicate,
        &assertion.key,
        assertion.known_at,
        assertion.id,
    )
}
