//! `bygone mcp`.

use crate::failure::{Exit, Failure};
use crate::keys::Chance;
use crate::mcp::over_stdio;
use crate::session::Context;
use crate::verb::{Pages, Place};

#[derive(clap::Args)]
pub(crate) struct Mcp {}

impl Mcp {
    #[expect(clippy::unused_self, reason = "commands are run alike")]
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Context { session, global, .. } = context;
        let place = Place {
            store: global.store.clone(),
            space: global.space.clone(),
            vector_index: global.vector_index,
            config: global.config.clone(),
        };
        over_stdio(session, place, Pages::new(Chance::draw()?.secret()))?;
        Ok(Exit::Done)
    }
}
