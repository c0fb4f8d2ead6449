//! `bygone attempt`.

use bygone_query::state::attempt::fail;

use super::attempts::show;
use crate::acting::Acting;
use crate::failure::{Exit, Failure};
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Attempt {
    /// What was tried
    #[arg(value_name = "APPROACH")]
    approach: String,
    /// Why it did not work
    #[arg(long, value_name = "REASON")]
    because: String,
    /// What it was about
    #[arg(long, value_name = "TOPIC")]
    on: Option<String>,
    #[command(flatten)]
    acting: Acting,
}

impl Attempt {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let mask = self.acting.mask();
        let (approach, because) = (mask.text(&self.approach), mask.text(&self.because));
        let key = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        mask.tell(&mut output)?;
        let by = self.acting.actor();
        let (approach, because, on) = (approach.as_str(), because.as_str(), self.on.as_deref());
        let request = ("attempt", approach, because, on);
        let told = self.acting.decide(&space, key.as_deref(), &request, now, |snapshot, place| {
            fail(snapshot, place, &by, approach, because, on)
        })?;
        show(&told, &mut output)?;
        Ok(Exit::Done)
    }
}
