//! How a query is answered: its steps, what is expected of each, and what each came to.

use bygone_engine::store::Snapshot;
use bygone_ontology::Ontology;
use serde_json::{Value as Json, json};

use super::answer::asked_of;
use super::ast::Query;
use super::failed::Failed;
use super::groups::Groups;
use super::plan::step::{output_text, step_text};
use super::plan::term::Parameters;
use super::plan::{Plan, plan};
use super::remark::remarks;
use super::run::run;
use crate::request::Request;

/// How a query is answered, and, where it was run, how much each step came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// The query in canonical form.
    pub query: String,
    /// The steps, in order.
    pub steps: Vec<ExplainedStep>,
    /// The rules that changed how it is answered.
    pub rules: Vec<&'static str>,
    /// Entities, facts and turns that were looked at, where it was run.
    pub n_looked_at: Option<u64>,
    /// What else is to be said.
    pub remarks: Vec<String>,
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedStep {
    /// What is done.
    pub action: &'static str,
    /// With what.
    pub what: String,
    /// Rows that were expected after it; nothing where no estimate is made.
    pub expected: Option<u64>,
    /// Rows that there were, where it was run.
    pub rows: Option<u64>,
}

impl Explained {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Json {
        let step = |step: &ExplainedStep| json!({ "action": step.action, "what": step.what, "expected": step.expected, "rows": step.rows });
        json!({
            "query": self.query,
            "steps": self.steps.iter().map(step).collect::<Vec<_>>(),
            "rules": self.rules,
            "looked_at": self.n_looked_at,
        })
    }
}

/// Says how a query is answered; with `analyze` it is run, and each step counted.
///
/// # Errors
/// As [`super::answer()`].
pub fn explain(
    snapshot: &Snapshot<'_>,
    ontology: &Ontology,
    base: &Request,
    query: &Query,
    parameters: &Parameters,
    analyze: bool,
) -> Result<Explained, Failed> {
    let request = asked_of(query, base, parameters)?;
    let seen = snapshot.seen(&request.view)?;
    let groups = Groups::new(&seen);
    let plan = plan(query, &groups, parameters)?;
    let ran = if analyze { Some(run(&plan, &groups, ontology, &request)?) } else { None };
    let counts = ran.as_ref().map(|ran| ran.counts.as_slice());
    Ok(Explained {
        query: query.to_string(),
        steps: explained_steps(&plan, counts, ran.as_ref().map(|ran| ran.rows.len())),
        rules: plan.rules,
        n_looked_at: ran.map(|ran| ran.n_looked_at),
        remarks: remarks(&seen, ontology, query)?,
    })
}

fn explained_steps(plan: &Plan, counts: Option<&[u64]>, n_returned: Option<usize>) -> Vec<ExplainedStep> {
    let mut steps = Vec::new();
    for (nth, step) in plan.steps.iter().enumerate() {
        let (action, what) = step_text(&step.action, &plan.titles);
        let rows = counts.and_then(|counts| counts.get(nth)).copied();
        steps.push(ExplainedStep { action, what, expected: Some(rounded(step.n_expected)), rows });
    }
    let outputs = output_text(&plan.output);
    let n_outputs = outputs.len();
    for (nth, (action, what)) in outputs.into_iter().enumerate() {
        let rows = n_returned.filter(|_| nth + 1 == n_outputs).and_then(|rows| u64::try_from(rows).ok());
        steps.push(ExplainedStep { action, what, expected: None, rows });
    }
    steps
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an estimate is small and not negative"
)]
fn rounded(estimate: f64) -> u64 {
    estimate.ceil().clamp(0.0, 1e15) as u64
}
