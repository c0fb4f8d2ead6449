//! `bygone context`.

use bygone_query::context::{context, explained};

use crate::failure::{Exit, Failure};
use crate::output::{count, shorten};
use crate::quote::LONGEST;
use crate::session::{Context as Running, Opened};
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Context {
    /// What the prompt is about
    #[arg(value_name = "TEXT")]
    text: String,
    /// The most tokens the block may have (word pieces and three tenths more)
    #[arg(long, value_name = "TOKENS", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    budget: u32,
    /// Also say why: how the text was read, which channels found what, and what the view hides
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    view: ViewOptions,
}

impl Context {
    pub(crate) fn execute(&self, running: Running<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(running.now())?;
        let Opened { space, ontology, mut output, .. } = running.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let budget = self.budget as usize;
        let (block, explanation) = if self.explain {
            let (block, explanation) = explained(&seen, ontology, &request, &self.text, budget)?;
            (block, Some(explanation))
        } else {
            (context(&seen, ontology, &request, &self.text, budget)?, None)
        };
        if output.json {
            output.row(&block.to_json(budget))?;
        } else if !block.text.is_empty() {
            output.line(&block.text)?;
            output.remark(format!(
                "({} of {}; {} more found that had no room)",
                block.tokens,
                count(budget as u64, "token"),
                block.n_left_out
            ))?;
        }
        if let Some(explanation) = &explanation {
            crate::explain::print(explanation, &mut output)?;
        }
        if block.found.is_empty() {
            let reason = if block.n_left_out > 0 {
                format!("nothing that was found fits into {}", count(budget as u64, "token"))
            } else if snapshot.analyzer().asked(&self.text).is_empty() {
                format!("there is no word to look for in {:?}", shorten(&self.text, LONGEST))
            } else {
                format!("nothing in this view seems to be about {:?}", shorten(&self.text, LONGEST))
            };
            output.remark(reason)?;
            return Ok(Exit::No);
        }
        Ok(Exit::Done)
    }
}
