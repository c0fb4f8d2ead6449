//! `bygone ontology suggest`.

use bygone_ontology::suggest::PredicateSuggestion;
use bygone_ontology::write::{cardinality_name, kind_name};
use bygone_query::why::Evidence;
use serde_json::{Value, json};

use super::show::declaration;
use super::{counted, evidence, survey};
use crate::failure::{Exit, Failure};
use crate::output::count;
use crate::quote::quote;
use crate::session::{Context, Opened};
use crate::table::Cell;
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Suggest {
    /// Print the text of an ontology, which `ontology accept --file` takes
    #[arg(long, conflicts_with = "json")]
    toml: bool,
    #[command(flatten)]
    view: ViewOptions,
}

impl Suggest {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let suggestions = survey(&seen, ontology)?;
        if self.toml {
            suggestions.to_toml().lines().try_for_each(|line| output.line(line))?;
            return Ok(Exit::Done);
        }
        for suggestion in &suggestions.types {
            let name = &suggestion.declared.name;
            let quoted = evidence(&snapshot, &suggestion.evidence)?;
            if output.json {
                let row =
                    json!({ "type": name, "entities": suggestion.n_entities, "evidence": rows(&quoted) });
                output.row(&row)?;
            } else {
                let n = count(suggestion.n_entities, "entity").replace("entitys", "entities");
                output.cells(&[Cell::strong(&**name), Cell::from(format!("  type of {n}"))])?;
                quoted.iter().take(1).try_for_each(|example| quote(example, &mut output))?;
            }
        }
        for suggestion in &suggestions.predicates {
            let quoted = evidence(&snapshot, &suggestion.evidence)?;
            if output.json {
                output.row(&to_json(suggestion, &quoted))?;
                continue;
            }
            let definition = &suggestion.definition;
            let kind = kind_name(definition.kind);
            let cardinality = cardinality_name(definition.cardinality);
            output.cells(&[
                Cell::strong(&*definition.id),
                Cell::from(format!("  {kind}, {cardinality}, ")),
                Cell::from(format!("{} → {}", definition.domain.join("|"), definition.range.join("|"))),
            ])?;
            output.line(format!(
                "  {} about {}: {} → {}",
                count(suggestion.n_statements, "statement"),
                count(suggestion.n_subjects, "subject"),
                counted(&suggestion.domain),
                counted(&suggestion.range)
            ))?;
            suggestion.reasons().iter().try_for_each(|reason| output.line(format!("  {reason}")))?;
            quoted.iter().try_for_each(|example| quote(example, &mut output))?;
        }
        let n = (suggestions.types.len() + suggestions.predicates.len()) as u64;
        let hint = if n == 0 { "" } else { "; `bygone ontology accept NAME` declares one" };
        output.remark(format!("{}{hint}", count(n, "suggestion")))?;
        Ok(Exit::Done)
    }
}

fn to_json(suggestion: &PredicateSuggestion, quoted: &[Evidence]) -> Value {
    let numbers = |names: &[(String, u64)]| -> Value {
        names.iter().map(|(name, n)| (name.clone(), json!(n))).collect::<serde_json::Map<_, _>>().into()
    };
    let like = suggestion.likenesses.iter().map(|like| json!({ "to": like.to, "because": like.because }));
    json!({
        "predicate": suggestion.definition.id,
        "declaration": declaration(&suggestion.definition),
        "stands": suggestion.stands(),
        "statements": suggestion.n_statements,
        "denials": suggestion.n_denials,
        "subjects": suggestion.n_subjects,
        "domain": numbers(&suggestion.domain),
        "range": numbers(&suggestion.range),
        "like": like.collect::<Vec<_>>(),
        "obstacle": suggestion.obstacle,
        "reasons": suggestion.reasons(),
        "evidence": rows(quoted),
    })
}

fn rows(quoted: &[Evidence]) -> Vec<Value> {
    quoted
        .iter()
        .map(|evidence| {
            let mut row = evidence.to_json();
            row["quote"] = json!(evidence.quote());
            row
        })
        .collect()
}
