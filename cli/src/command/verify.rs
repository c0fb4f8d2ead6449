//! `bygone verify`.

use bygone_engine::StoreError;
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
        let unchecked = match space.store().verify_indexes(&mut found.faults) {
            Ok(()) => None,
            // That a model does not answer, or that another one is configured, is no fault of the store.
            Err(error @ (StoreError::Embed(_) | StoreError::OtherModel { .. })) => Some(error),
            Err(error) => return Err(error.into()),
        };
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
        match unchecked {
            _ if !found.faults.is_empty() => Ok(Exit::Corrupt),
            Some(error) => Err(error.into()),
            None => Ok(Exit::Done),
        }
    }
}
