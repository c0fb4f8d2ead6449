//! `bygone ontology accept` and `withdraw`: the store's own declarations change, and what is stored is derived again.

use bygone_engine::View;
use bygone_ontology::{Extension, LoadError, Ontology};
use serde_json::json;

use super::{extension, survey, text_of};
use crate::declared::listed;
use crate::failure::{Exit, Failure};
use crate::session::{Context, Stored};

#[derive(clap::Args)]
pub(crate) struct Accept {
    /// Predicates and types that `ontology suggest` lists
    #[arg(value_name = "NAME", required_unless_present = "file")]
    names: Vec<String>,
    /// Declare what a file says instead; - reads standard input
    #[arg(long, value_name = "FILE", conflicts_with = "names")]
    file: Option<String>,
}

#[derive(clap::Args)]
pub(crate) struct Withdraw {
    /// A predicate or type that the store declares itself
    #[arg(value_name = "PREDICATE")]
    name: String,
}

impl Accept {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let wrong = |errors: Vec<LoadError>| Failure::Input(listed(&errors));
        if let Some(file) = &self.file {
            let text = text_of(file, context.input)?;
            return change(context.store()?, |own, core, _| own.with(core, file, &text).map_err(wrong));
        }
        change(context.store_to_read()?, |own, core, stored| {
            own.with(core, "the suggestion", &suggested(&self.names, stored)?).map_err(wrong)
        })
    }
}

/// Returns the declarations of what the space's statements suggest under these names.
fn suggested(names: &[String], stored: &Stored<'_>) -> Result<String, Failure> {
    let space = stored.store.space(stored.space, false)?;
    let snapshot = space.snapshot();
    let suggestions = survey(&snapshot.seen(&View::LATEST)?, stored.ontology)?;
    suggestions.text_of(names).map_err(Failure::Usage)
}

impl Withdraw {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        change(context.store_to_read()?, |own, core, _| match own.without(core, &self.name) {
            Ok(Some(left)) => Ok(left),
            Ok(None) => Err(Failure::Usage(format!("{:?} is not declared by the store itself", self.name))),
            Err(errors) => Err(Failure::Usage(format!(
                "{:?} cannot be withdrawn while others need it:\n{}",
                self.name,
                listed(&errors)
            ))),
        })
    }
}

/// Declares what becomes of the store's own declarations, and says what changed.
fn change(
    mut stored: Stored<'_>,
    to: impl FnOnce(&Extension, &Ontology, &Stored<'_>) -> Result<Extension, Failure>,
) -> Result<Exit, Failure> {
    let core = Ontology::core();
    let declared = stored.store.declared()?;
    let before = extension(&core, declared.last().map(|declared| declared.text.as_str()))?;
    let after = to(&before, &core, &stored)?;
    let seq = stored.store.declare(&after.to_toml(), stored.now)?;
    let names = |of: &Extension, not_in: &Extension| -> Vec<String> {
        of.names().filter(|name| !of.is_as_in(name, not_in)).map(str::to_owned).collect()
    };
    let (declared, withdrawn) = (names(&after, &before), names(&before, &after));
    let withdrawn: Vec<String> = withdrawn.into_iter().filter(|name| !after.declares(name)).collect();
    let output = &mut stored.output;
    if output.json {
        output.row(&json!({ "seq": seq, "declared": declared, "withdrawn": withdrawn }))?;
        return Ok(Exit::Done);
    }
    let Some(seq) = seq else {
        output.line("that is declared already")?;
        return Ok(Exit::Done);
    };
    for (what, names) in [("declared", &declared), ("withdrawn", &withdrawn)] {
        if !names.is_empty() {
            output.line(format!("{what}: {}", names.join(", ")))?;
        }
    }
    output.remark(format!("in force from commit {seq} on; what is stored is derived again"))?;
    Ok(Exit::Done)
}
