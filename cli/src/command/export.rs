//! `bygone export`.

use bygone_engine::record::Recorded;
use bygone_engine::wire::assertion_to_json;

use crate::failure::{Exit, Failure};
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Export {
    /// Write JSON Lines, which `assert` reads back (the default, and the only form)
    #[arg(long)]
    jsonl: bool,
}

impl Export {
    #[expect(clippy::unused_self, reason = "every command is called alike")]
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Opened { space, mut output, .. } = context.reading()?;
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
    (&assertion.subject, &assertion.predicate, &assertion.key, assertion.known_at, assertion.id)
}
