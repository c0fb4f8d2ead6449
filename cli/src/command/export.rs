//! `bygone export`: the statements, and what is kept beside them.

use bygone_engine::record::Recorded;
use bygone_engine::wire::assertion_to_json;
use bygone_query::state::tell::tell;

use crate::failure::{Exit, Failure};
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Export {
    /// Write JSON Lines, which `import` reads back (the default, and the only form)
    #[arg(long)]
    jsonl: bool,
    /// Leave out work-sets and checkpoints: statements alone, which `assert` reads back
    #[arg(long)]
    statements: bool,
}

impl Export {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Opened { space, mut output, .. } = context.reading()?;
        let snapshot = space.snapshot();
        let mut recorded = snapshot.assertions().collect::<Result<Vec<_>, _>>()?;
        // The order says nothing of how or when the statements arrived.
        recorded.sort_by(|one, other| order(one).cmp(&order(other)));
        for Recorded { assertion, .. } in &recorded {
            output.row(&assertion_to_json(assertion))?;
        }
        if !self.statements {
            tell(&snapshot, |row| output.row(row))?;
        }
        Ok(Exit::Done)
    }
}

fn order(recorded: &Recorded) -> impl Ord + '_ {
    let assertion = &recorded.assertion;
    (&assertion.subject, &assertion.predicate, &assertion.key, assertion.known_at, assertion.id)
}
