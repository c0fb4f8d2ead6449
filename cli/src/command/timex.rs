//! `bygone timex`.

use bygone_engine::time::{Moment, format_instant, format_moment};
use bygone_ontology::timex::{Context as TimeContext, Tense, find, json::to_json};

use crate::failure::{Exit, Failure};
use crate::session::Context;

#[derive(clap::Args)]
pub(crate) struct Timex {
    /// The text
    #[arg(value_name = "TEXT")]
    text: String,
    /// The tense of the clause
    #[arg(long, value_enum, default_value = "none")]
    tense: TenseName,
    /// The month the fiscal year starts in
    #[arg(long, value_name = "MONTH", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=12))]
    fiscal_start: u32,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum TenseName {
    Past,
    Present,
    Future,
    None,
}

impl Timex {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let tense = match self.tense {
            TenseName::Past => Tense::Past,
            TenseName::Present => Tense::Present,
            TenseName::Future => Tense::Future,
            TenseName::None => Tense::None,
        };
        let time = TimeContext { now: context.now(), tense, fiscal_start: self.fiscal_start };
        let mut output = context.output;
        let found = find(&self.text, &time);
        if output.json {
            found.iter().try_for_each(|expression| output.row(&to_json(&self.text, expression)))?;
            return Ok(Exit::Done);
        }
        let mut rows = Vec::new();
        for expression in &found {
            let value = to_json(&self.text, expression);
            let start = expression.start.map(|at| format_moment(Moment::new(at, expression.grain)));
            let end = expression.end.map(|at| format!("before {}", format_instant(at)));
            let length = expression.duration.clone().or_else(|| expression.rrule.clone());
            rows.push(vec![
                self.text[expression.span.clone()].to_owned(),
                value["kind"].as_str().unwrap_or_default().to_owned(),
                [start, end, length].into_iter().flatten().collect::<Vec<_>>().join(", "),
            ]);
        }
        output.table(&rows)?;
        Ok(Exit::Done)
    }
}
