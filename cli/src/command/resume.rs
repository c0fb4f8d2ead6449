//! `bygone resume`: what an agent needs to carry on.

use bygone_query::resume::{Asked, fit, packet};
use bygone_query::state::liveness::Heard;

use crate::failure::{Exit, Failure};
use crate::output::count;
use crate::session::{Context, Opened};
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Resume {
    /// The agent [default: the one that took part last]
    #[arg(long, env = "BYGONE_AGENT", value_name = "A")]
    agent: Option<String>,
    /// The most tokens the packet may have (word pieces and three tenths more)
    #[arg(long, value_name = "TOKENS", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    budget: u32,
    #[command(flatten)]
    view: ViewOptions,
}

impl Resume {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let beats = context.beats().filter(|_| self.view.is_present());
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant_then(&snapshot, &request)?;
        let heard = beats.map_or_else(Heard::new, |beats| beats.heard());
        let asked = Asked { agent: self.agent.as_deref(), at, heard: &heard };
        let Some(packet) = packet(&seen, ontology, &asked)? else {
            output.remark("no agent took part in anything yet; `bygone ingest` reads transcripts")?;
            return Ok(Exit::No);
        };
        let budget = self.budget as usize;
        let fitted = fit(&packet, budget);
        if output.json {
            output.row(&packet.to_json(&fitted))?;
        } else {
            output.line(&fitted.text)?;
            output.remark(format!("({} of {})", fitted.tokens, count(budget as u64, "token")))?;
        }
        Ok(Exit::Done)
    }
}
