//! `bygone init`.

use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Init {}

impl Init {
    #[expect(clippy::unused_self, reason = "every command is called alike")]
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Opened { space, mut output, .. } = context.writing()?;
        if output.json {
            output.row(&json!({ "space": space.name() }))?;
        } else {
            output.remark(format!("The store is ready; its space is {:?}.", space.name()))?;
        }
        Ok(Exit::Done)
    }
}
