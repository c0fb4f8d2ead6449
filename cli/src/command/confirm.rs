//! `bygone confirm`.

use bygone_engine::FactId;
use bygone_query::state::confirm::confirm;

use crate::acting::Acting;
use crate::failure::{Exit, Failure};
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Confirm {
    /// The fact's id, f:…
    #[arg(value_name = "FACT-ID")]
    fact: String,
    #[command(flatten)]
    acting: Acting,
}

impl Confirm {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let id = FactId::parse(&self.fact).ok_or_else(|| {
            Failure::Usage(format!("{:?} is no fact id: expected f: and 32 hexadecimal digits", self.fact))
        })?;
        let key = context.sent();
        let Opened { space, ontology, now, mut output } = context.writing()?;
        let by = self.acting.actor();
        let request = ("confirm", id);
        let confirmed = self.acting.decide(&space, key.as_deref(), &request, now, |snapshot, place| {
            confirm(snapshot, place, &by, ontology, id)
        })?;
        if output.json {
            output.row(&confirmed.to_json())?;
        } else {
            output.line(format!("confirmed: {}", confirmed.text))?;
        }
        Ok(Exit::Done)
    }
}
