//! `bygone explain`.

use bygone_query::language::{Explained, Failed, asked_of, explain};
use bygone_query::{AskError, ask};
use serde_json::json;

use super::query::{Given, read, text};
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::{Context, Opened};
use crate::table::Cell;
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Explain {
    /// A query, as `bygone query` takes it, or a question in English
    #[arg(value_name = "QUERY | QUESTION")]
    text: String,
    /// Run the query, too, and count the rows of each step
    #[arg(long)]
    analyze: bool,
    #[command(flatten)]
    given: Given,
    #[command(flatten)]
    view: ViewOptions,
}

impl Explain {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let text = text(&self.text, context.input)?;
        if !is_query(&text) {
            return self.explain_question(&text, context);
        }
        let query = read(&text)?;
        let parameters = self.given.parameters()?;
        let base = self.view.request(context.now())?;
        let place = |failed: Failed| failed.within(&text);
        let request = asked_of(&query, &base, &parameters).map_err(place)?;
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let explained = explain(&space.snapshot(), ontology, &base, &query, &parameters, self.analyze);
        print(&explained.map_err(place)?, &mut output)?;
        Ok(Exit::Done)
    }

    /// Shows how a question in English is read, and not its answer.
    fn explain_question(&self, question: &str, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let reading = match ask(&space.snapshot(), ontology, &request, question) {
            Ok(answer) => answer.reading,
            Err(AskError::Query(error)) => return Err(error.into()),
            Err(other) => return Err(Failure::NotUnderstood(other.to_string())),
        };
        if output.json {
            output.row(&json!({
                "question": question,
                "valid": reading.valid,
                "known": reading.known,
                "intent": reading.intent,
                "plan": reading.plan,
            }))?;
            return Ok(Exit::Done);
        }
        let rows = [
            ("valid", reading.valid.as_str()),
            ("known", reading.known.as_str()),
            ("intent", reading.intent),
            ("plan", reading.plan.as_str()),
        ];
        output.table(&rows.map(|(name, value)| vec![Cell::faint(name), Cell::from(value)]))?;
        Ok(Exit::Done)
    }
}

/// Says whether a text is a query rather than a question.
fn is_query(text: &str) -> bool {
    let start = text.trim_start();
    let word: String = start.chars().take_while(|c| c.is_alphabetic()).collect();
    start.starts_with('{') || word.eq_ignore_ascii_case("MATCH")
}

fn print(explained: &Explained, output: &mut Output<'_>) -> Result<(), Failure> {
    if output.json {
        output.row(&explained.to_json())?;
    } else {
        output.line(&explained.query)?;
        let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
        let mut table: Vec<Vec<Cell>> = vec![["", "step", "expected", "rows", ""].map(Cell::faint).to_vec()];
        for (nth, step) in (1..).zip(&explained.steps) {
            table.push(vec![
                Cell::faint(format!("{nth}")),
                Cell::from(step.action),
                Cell::from(number(step.expected)),
                Cell::from(number(step.rows)),
                Cell::strong(&*step.what),
            ]);
        }
        output.table(&table)?;
        if !explained.rules.is_empty() {
            output.line(format!("rules: {}", explained.rules.join(", ")))?;
        }
        if let Some(n_looked_at) = explained.n_looked_at {
            output.line(format!("looked at: {n_looked_at}"))?;
        }
    }
    explained.remarks.iter().try_for_each(|remark| output.remark(remark))
}
