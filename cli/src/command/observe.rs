//! `bygone observe`.

use bygone_query::state::observe::observe;

use crate::acting::Acting;
use crate::failure::{Exit, Failure};
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Observe {
    /// The source: the entity of a file or of a page
    #[arg(value_name = "SOURCE")]
    source: String,
    /// Its version: a hash, a commit, an entity tag
    #[arg(value_name = "VERSION")]
    version: String,
    #[command(flatten)]
    acting: Acting,
}

impl Observe {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let mask = self.acting.mask();
        let version = mask.text(&self.version);
        let key = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        mask.tell(&mut output)?;
        let by = self.acting.actor();
        let request = ("observe", &self.source, &version);
        let observed = self.acting.decide(&space, key.as_deref(), &request, now, |snapshot, place| {
            observe(snapshot, place, &by, &self.source, &version)
        })?;
        if output.json {
            output.row(&observed.to_json())?;
            return Ok(Exit::Done);
        }
        output.line(&observed.statement)?;
        if let Some(was) = &observed.was {
            output.remark(format!("it was {was}: what was concluded from that is stale"))?;
        }
        Ok(Exit::Done)
    }
}
