//! `bygone spaces`.

use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::output::count;
use crate::session::{Context, Stored};

#[derive(clap::Args)]
pub(crate) struct Spaces {}

impl Spaces {
    #[expect(clippy::unused_self, reason = "commands are run alike")]
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Stored { store, sight, mut output, .. } = context.store_to_read()?;
        let mut names = store.spaces()?;
        names.retain(|name| sight.sees(name));
        let mut rows = Vec::new();
        for name in &names {
            let stats = store.space(name, false)?.stats()?;
            if output.json {
                let (episodes, statements) = (stats.episodes, stats.assertions);
                output.row(&json!({ "space": name, "episodes": episodes, "statements": statements }))?;
            } else {
                let counts = [count(stats.episodes, "episode"), count(stats.assertions, "statement")];
                rows.push([name.clone()].into_iter().chain(counts).collect());
            }
        }
        output.table(&rows)?;
        output.remark(count(names.len() as u64, "space"))?;
        Ok(Exit::Done)
    }
}
