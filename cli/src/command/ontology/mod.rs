//! `bygone ontology`: what predicates and types mean in the store, what the data suggests to declare, and what is accepted.

mod check;
mod declare;
mod show;
mod suggest;

use std::fmt::Write;
use std::io::BufRead;

use bygone_engine::AssertionId;
use bygone_engine::store::{Seen, Snapshot};
use bygone_ontology::suggest::{Suggestions, Survey};
use bygone_ontology::{Extension, Ontology};
use bygone_query::why::{Bearing, Evidence};

use crate::declared::listed;
use crate::failure::{Exit, Failure};
use crate::session::Context;
use crate::table::one_line;

#[derive(clap::Args)]
pub(crate) struct OntologyCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Show what is declared
    Show(show::Show),
    /// Check statements against what is declared, or a file of declarations against the store's
    Check(check::Check),
    /// Propose declarations for what statements use and nobody declared
    Suggest(suggest::Suggest),
    /// Declare what was suggested, or what a file says; what is stored is derived again
    Accept(declare::Accept),
    /// Take back a declaration of the store's own; what is stored is derived again
    Withdraw(declare::Withdraw),
}

impl OntologyCommand {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.action {
            Action::Show(show) => show.execute(context),
            Action::Check(check) => check.execute(context),
            Action::Suggest(suggest) => suggest.execute(context),
            Action::Accept(accept) => accept.execute(context),
            Action::Withdraw(withdraw) => withdraw.execute(context),
        }
    }
}

/// Reads a file of declarations; `-` is standard input.
fn text_of(file: &str, input: &mut dyn BufRead) -> Result<String, Failure> {
    if file == "-" {
        let mut text = String::new();
        return match input.read_to_string(&mut text) {
            Ok(_) => Ok(text),
            Err(error) => Err(Failure::Input(format!("cannot read standard input: {error}"))),
        };
    }
    fs_err::read_to_string(file).map_err(|error| Failure::Input(one_line(&error.to_string())))
}

/// Returns what the store declares itself.
fn extension(core: &Ontology, text: Option<&str>) -> Result<Extension, Failure> {
    Extension::read(core, text.unwrap_or_default()).map_err(|errors| Failure::Input(listed(&errors)))
}

/// Looks at every statement that a view sees.
fn survey(seen: &Seen<'_>, ontology: &Ontology) -> Result<Suggestions, Failure> {
    let mut survey = Survey::new(ontology);
    for group in seen.groups()? {
        for recorded in seen.statements(&group)? {
            survey.see(&recorded.assertion);
        }
    }
    Ok(survey.suggestions())
}

/// Returns statements with the turns that make them.
fn evidence(snapshot: &Snapshot<'_>, ids: &[AssertionId]) -> Result<Vec<Evidence>, Failure> {
    let mut found = Vec::new();
    for id in ids {
        if let Some(recorded) = snapshot.assertion(*id)? {
            let episode = snapshot.episode(recorded.assertion.source.episode)?;
            found.push(Evidence { bearing: Bearing::Supports, recorded, episode });
        }
    }
    Ok(found)
}

/// Lists names with their numbers: `person 12, org 1`.
fn counted(names: &[(String, u64)]) -> String {
    let mut text = String::new();
    for (name, n) in names {
        let comma = if text.is_empty() { "" } else { ", " };
        write!(text, "{comma}{name} {n}").expect("writing to a string cannot fail");
    }
    text
}
