//! `bygone verify`.

use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::output::count;
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Verify {}

impl Verify {
    #[expect(clippy::unused_self, reason = "every command is called alike")]
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Opened { space, mut output, .. } = context.reading()?;
        let mut found = space.verify()?;
        found.faults.extend(space.store().verify_indexes()?);
        if output.json {
            output.row(&json!(found))?;
        } else {
            for fault in &found.faults {
                output.line(fault)?;
            }
            output.line(format!(
                "{}, {}, {}, {}: {}",
                count(found.commits, "commit"),
                count(found.episodes, "episode"),
                count(found.assertions, "statement"),
                count(found.groups, "group"),
                if found.faults.is_empty() {
                    "all sound".to_owned()
                } else {
                    count(found.faults.len() as u64, "fault")
                },
            ))?;
        }
        Ok(if found.faults.is_empty() { Exit::Done } else { Exit::Corrupt })
    }
}
