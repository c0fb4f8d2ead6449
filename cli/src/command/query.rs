//! `bygone query`.

use std::io::{BufRead, Read};

use bygone_query::language::{self, Answer, Failed, Parameters, answer, asked_of, limits};

use crate::failure::{Exit, Failure};
use crate::output::{Output, count, shorten};
use crate::session::{Context, Opened};
use crate::table::Cell;
use crate::view::ViewOptions;

/// The widest cell for a person, in characters; `--json` has all of it.
const WIDEST: usize = 60;

#[derive(clap::Args)]
pub(crate) struct Query {
    /// The query, as in `MATCH (p)-[:lives_in]->(c) RETURN p, c`; its JSON form; or - to read it from standard input
    #[arg(value_name = "QUERY")]
    written: String,
    #[command(flatten)]
    given: Given,
    #[command(flatten)]
    view: ViewOptions,
}

/// What is given beside a query.
#[derive(clap::Args)]
pub(super) struct Given {
    /// The value of a parameter, $NAME in the query: JSON, or else a text
    #[arg(long = "param", value_name = "NAME=VALUE")]
    parameters: Vec<String>,
}

impl Given {
    /// Returns the parameters by name.
    pub(super) fn parameters(&self) -> Result<Parameters, Failure> {
        let mut parameters = Parameters::new();
        for given in &self.parameters {
            let Some((name, value)) = given.split_once('=').filter(|(name, _)| !name.is_empty()) else {
                return Err(Failure::Usage(format!("--param {given}: NAME=VALUE is expected")));
            };
            let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
            if parameters.insert(name.to_owned(), value).is_some() {
                return Err(Failure::Usage(format!("--param {name} is given twice")));
            }
        }
        Ok(parameters)
    }
}

impl Query {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let text = text(&self.written, context.input)?;
        let query = read(&text)?;
        let parameters = self.given.parameters()?;
        let base = self.view.request(context.now())?;
        let place = |failed: Failed| failed.within(&text);
        let request = asked_of(&query, &base, &parameters).map_err(place)?;
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let found = answer(&space.snapshot(), ontology, &base, &query, &parameters).map_err(place)?;
        print(&found, &mut output)?;
        found.remarks.iter().try_for_each(|remark| output.remark(remark))?;
        Ok(Exit::Done)
    }
}

/// Returns the text of a query: the argument, or what standard input holds.
pub(super) fn text(argument: &str, input: &mut dyn BufRead) -> Result<String, Failure> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut text = String::new();
    // One byte more than a query may have is enough to see that it has too many.
    let most = limits::MOST_BYTES as u64 + 1;
    input
        .take(most)
        .read_to_string(&mut text)
        .map_err(|error| Failure::Input(format!("standard input cannot be read: {error}")))?;
    Ok(text)
}

/// Reads a query in either form.
pub(super) fn read(text: &str) -> Result<language::Query, Failure> {
    if !text.trim_start().starts_with('{') {
        return Ok(language::parse(text).map_err(Failed::from)?);
    }
    let json = serde_json::from_str(text)
        .map_err(|error| Failure::Usage(format!("query is not valid JSON: {error}")))?;
    Ok(language::Query::from_json(&json).map_err(Failed::from)?)
}

fn print(answer: &Answer, output: &mut Output<'_>) -> Result<(), Failure> {
    if output.json {
        return answer.rows.iter().try_for_each(|row| output.row(&answer.row_json(row)));
    }
    if !answer.rows.is_empty() {
        let mut table: Vec<Vec<Cell>> =
            vec![answer.columns.iter().map(|column| Cell::faint(shorten(column, WIDEST))).collect()];
        for row in &answer.rows {
            table.push(row.iter().map(|value| shorten(&value.to_text(), WIDEST).into()).collect());
        }
        output.table(&table)?;
    }
    output.remark(count(answer.rows.len() as u64, "row"))
}
