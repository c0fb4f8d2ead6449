//! `bygone verify`.

use bygone_engine::StoreError;
use bygone_engine::store::Verification;
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
        let unchecked = match space.store().verify_indexes(&mut found) {
            Ok(()) => None,
            // That a model does not answer, or that another one is configured, is no fault of the store.
            Err(
                error @ (StoreError::Embed(_)
                | StoreError::OtherModel { .. }
                | StoreError::OtherDimension { .. }),
            ) => Some(error),
            Err(error) => return Err(error.into()),
        };
        if output.json {
            output.row(&json!(found))?;
        } else {
            for fault in &found.faults {
                output.line(fault)?;
            }
            for index in &found.made_anew {
                output.line(format!("{index}: what was on disk could not be used, and was made anew"))?;
            }
            output.line(format!(
                "format {}, {}, {}, {}, {}: {}",
                found.format,
                count(found.commits, "commit"),
                count(found.episodes, "episode"),
                count(found.assertions, "statement"),
                count(found.groups, "group"),
                verdict(&found),
            ))?;
        }
        match unchecked {
            _ if !found.faults.is_empty() => Ok(Exit::Corrupt),
            Some(error) => Err(error.into()),
            None => Ok(Exit::Done),
        }
    }
}

/// Says what came of the check. Nothing is called sound that was not looked at.
fn verdict(found: &Verification) -> String {
    let faults = match found.faults.len() {
        0 if found.unchecked.is_empty() => "all sound".to_owned(),
        0 => "no fault".to_owned(),
        n_faults => count(n_faults as u64, "fault"),
    };
    if found.unchecked.is_empty() {
        return faults;
    }
    format!("{faults}; not checked: {}", found.unchecked.join(", "))
}
