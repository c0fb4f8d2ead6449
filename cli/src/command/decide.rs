//! `bygone decide`.

use bygone_query::state::decision::{Choice, Decides, decide};

use super::decisions::show;
use crate::acting::Acting;
use crate::failure::{Exit, Failure};
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Decide {
    /// What it is about
    #[arg(value_name = "TOPIC")]
    topic: String,
    /// What is chosen
    #[arg(value_name = "CHOICE")]
    choice: String,
    /// Why
    #[arg(long, value_name = "REASON")]
    because: String,
    /// What else was thought of; may be given again
    #[arg(long, value_name = "ALTERNATIVE")]
    over: Vec<String>,
    #[command(flatten)]
    acting: Acting,
}

impl Decide {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let mask = self.acting.mask();
        let (chosen, because) = (mask.text(&self.choice), mask.text(&self.because));
        let choice =
            Choice { topic: &self.topic, choice: &chosen, because: &because, over: mask.all(&self.over) };
        let key = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        mask.tell(&mut output)?;
        let by = self.acting.actor();
        let decided = self.acting.decide(&space, key.as_deref(), &choice, now, |snapshot, place| {
            decide(snapshot, place, &by, &choice)
        })?;
        if let (Some(agent), Some(user)) = (&by.agent, &by.user) {
            output.remark(format!(
                "this is the word of the agent {agent}, which acts for {user}; BYGONE_AGENT= before the command makes it \
                 {user}'s own"
            ))?;
        }
        match decided {
            Decides::InForce(decision) => {
                show(&decision, &mut output)?;
                Ok(Exit::Done)
            }
            Decides::Proposed(decision) => {
                show(&decision, &mut output)?;
                output.remark("not decided: what the user decided stays; the choice is kept beside it")?;
                Ok(Exit::No)
            }
        }
    }
}
