//! `bygone reindex`.

use crate::failure::{Exit, Failure};
use crate::session::{Context, Stored};

#[derive(clap::Args)]
pub(crate) struct Reindex {}

impl Reindex {
    #[expect(clippy::unused_self, reason = "commands are run alike")]
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Stored { store, mut output, .. } = context.store_to_read()?;
        store.reindex()?;
        output.remark("the indexes were made again")?;
        Ok(Exit::Done)
    }
}
