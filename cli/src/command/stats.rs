//! `bygone stats`.

use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Stats {}

impl Stats {
    #[expect(clippy::unused_self, reason = "every command is called alike")]
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Opened { space, mut output, .. } = context.reading()?;
        let stats = space.stats()?;
        if output.json {
            output.row(&json!(stats))?;
            return Ok(Exit::Done);
        }
        let rows = [
            ("episodes", stats.episodes),
            ("statements", stats.assertions),
            ("facts", stats.facts),
            ("entities", stats.entities),
            ("groups", stats.groups),
            ("records set aside", stats.quarantined),
            ("work-sets", stats.work_sets),
            ("items of work-sets", stats.work_items),
            ("checkpoints", stats.checkpoints),
            ("checkpoint pieces", stats.checkpoint_pieces),
            ("documents", stats.documents),
            ("versions of them", stats.document_versions),
            ("last sequence number", stats.last_seq),
            ("bytes on disk", stats.store_bytes),
        ];
        let mut rows: Vec<Vec<String>> =
            rows.iter().map(|(name, value)| vec![(*name).to_owned(), value.to_string()]).collect();
        rows.push(vec!["language".to_owned(), stats.language.name().to_owned()]);
        output.table(&rows)?;
        Ok(Exit::Done)
    }
}
