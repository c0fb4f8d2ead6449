//! What a query is answered with.

use bygone_engine::store::Snapshot;
use bygone_ontology::Ontology;
use serde_json::{Map, Value as Json};

use super::ast::Query;
use super::failed::Failed;
use super::groups::Groups;
use super::plan::term::Parameters;
use super::plan::{clocks, plan};
use super::remark::remarks;
use super::run::run;
use super::value::Value;
use crate::request::Request;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, each with a value for each column.
    pub rows: Vec<Vec<Value>>,
    /// What else is to be said: names in the query that nothing here has.
    pub remarks: Vec<String>,
}

impl Answer {
    /// Returns a row as a JSON object, by column.
    pub fn row_json(&self, row: &[Value]) -> Json {
        let cells = self.columns.iter().zip(row).map(|(column, value)| (column.clone(), value.to_json()));
        Json::Object(cells.collect::<Map<_, _>>())
    }
}

/// Returns what a query is asked of: its own clocks, and where it says nothing of one, that of `base`.
///
/// # Errors
/// [`Failed::Language`] where a parameter is missing or no time.
pub fn asked_of(query: &Query, base: &Request, parameters: &Parameters) -> Result<Request, Failed> {
    clocks::request(query, base, parameters)
}

/// Answers a query. What it does not say of its clocks is as `base` has it.
///
/// # Errors
/// [`Failed`] by what is wrong.
pub fn answer(
    snapshot: &Snapshot<'_>,
    ontology: &Ontology,
    base: &Request,
    query: &Query,
    parameters: &Parameters,
) -> Result<Answer, Failed> {
    let request = asked_of(query, base, parameters)?;
    let seen = snapshot.seen(&request.view)?;
    let groups = Groups::new(&seen);
    let plan = plan(query, &groups, parameters)?;
    let ran = run(&plan, &groups, ontology, &request)?;
    let columns = plan.output.columns.iter().map(|column| column.title.clone()).collect();
    Ok(Answer { columns, rows: ran.rows, remarks: remarks(&seen, ontology, query)? })
}
