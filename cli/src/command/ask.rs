//! `bygone ask`.

use bygone_query::ask::Passage;
use bygone_query::{AskError, ask};

use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::quote::{excerpt, quote, turn_text};
use crate::session::{Context, Opened};
use crate::view::ViewOptions;

/// Turns quoted below an answer at most; `--json` has all of them.
const QUOTES: usize = 5;

#[derive(clap::Args)]
pub(crate) struct Ask {
    /// The question, in English
    #[arg(value_name = "QUESTION")]
    question: String,
    #[command(flatten)]
    view: ViewOptions,
}

impl Ask {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let answer = match ask(&snapshot, ontology, &request, &self.question) {
            Ok(answer) => answer,
            Err(AskError::Query(error)) => return Err(error.into()),
            Err(AskError::NotUnderstood { reason, understood, .. }) if output.json => {
                let mut row = json!({ "question": self.question, "reading": null, "known": false });
                row["answer"] = json!(format!("not understood: {reason}"));
                row["understood"] = json!(understood);
                row["facts"] = json!([]);
                row["evidence"] = json!([]);
                output.row(&row)?;
                return Ok(Exit::No);
            }
            Err(AskError::NotUnderstood { question, reason, understood }) => {
                let examples = understood.join("\n  ");
                return Err(Failure::NotUnderstood(format!(
                    "question {question:?} is not understood: {reason}\nQuestions such as these are:\n  {examples}"
                )));
            }
            Err(other) => return Err(Failure::NotUnderstood(other.to_string())),
        };
        if output.json {
            output.row(&answer.to_json())?;
        } else {
            output.line(&answer.answer)?;
            let reading = &answer.reading;
            let clocks = [format!("valid: {}", reading.valid), format!("known: {}", reading.known)];
            let limits: Vec<String> = clocks.into_iter().chain(self.view.limits()).collect();
            output.remark(format!("({})", limits.join("; ")))?;
            for evidence in answer.evidence.iter().take(QUOTES) {
                quote(evidence, &mut output)?;
            }
            for Passage { record, score, span } in &answer.passages {
                let turn = &record.episode;
                output.line(format!("  {score:.3}  {}", turn_text(turn)))?;
                output.line(format!("         \"{}\"", excerpt(&turn.text, span)))?;
            }
            if answer.evidence.len() > QUOTES {
                output.remark(format!("and {} more turns", answer.evidence.len() - QUOTES))?;
            }
        }
        Ok(if answer.known { Exit::Done } else { Exit::No })
    }
}
