//! `bygone ontology check`.

use std::collections::BTreeMap;

use bygone_engine::AssertionId;
use bygone_ontology::{Ontology, validate};
use serde_json::json;

use super::{evidence, extension, text_of};
use crate::declared::listed;
use crate::failure::{Exit, Failure};
use crate::output::count;
use crate::quote::quote;
use crate::session::{Context, Opened};
use crate::table::Cell;
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Check {
    /// A file of declarations, to be checked instead of the statements; - reads standard input
    #[arg(value_name = "FILE")]
    file: Option<String>,
    #[command(flatten)]
    view: ViewOptions,
}

impl Check {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.file {
            Some(file) => check_file(file, context),
            None => self.check_statements(context),
        }
    }

    /// Lists what does not fit, each with how many statements and one of them.
    fn check_statements(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let mut misfits: BTreeMap<String, (u64, AssertionId)> = BTreeMap::new();
        let mut n_statements = 0;
        for group in seen.groups()? {
            for recorded in seen.statements(&group)? {
                n_statements += 1;
                for remark in validate(ontology, &recorded.assertion) {
                    let id = recorded.assertion.id;
                    misfits.entry(remark.to_string()).or_insert((0, id)).0 += 1;
                }
            }
        }
        for (remark, (n, example)) in &misfits {
            let example = evidence(&snapshot, &[*example])?;
            if output.json {
                let example: Vec<_> = example.iter().map(bygone_query::why::Evidence::to_json).collect();
                output.row(&json!({ "misfit": remark, "statements": n, "evidence": example }))?;
            } else {
                output
                    .cells(&[Cell::strong(&**remark), Cell::from(format!(": {}", count(*n, "statement")))])?;
                example.iter().try_for_each(|example| quote(example, &mut output))?;
            }
        }
        let all = if misfits.is_empty() { "all fit" } else { "not all fit" };
        output.remark(format!("{} looked at: {all}", count(n_statements, "statement")))?;
        Ok(if misfits.is_empty() { Exit::Done } else { Exit::No })
    }
}

fn check_file(file: &str, context: Context<'_>) -> Result<Exit, Failure> {
    let text = text_of(file, context.input)?;
    let (_, declared, mut output) = context.in_force(bygone_engine::RecordedAt::Latest)?;
    let core = Ontology::core();
    match extension(&core, declared.as_deref())?.with(&core, file, &text) {
        Ok(_) => {
            output.remark("all of it fits")?;
            Ok(Exit::Done)
        }
        Err(errors) if output.json => {
            errors.iter().try_for_each(|error| {
                output.row(&json!({
                    "file": error.name,
                    "line": error.line,
                    "column": error.column,
                    "problem": error.problem.to_string(),
                }))
            })?;
            Ok(Exit::BadInput)
        }
        Err(errors) => Err(Failure::Input(listed(&errors))),
    }
}
