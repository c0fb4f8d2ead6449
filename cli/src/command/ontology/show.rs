//! `bygone ontology show`.

use bygone_ontology::write::{cardinality_name, kind_name, predicate, type_line};
use bygone_ontology::{Definition, Ontology, Type};
use serde_json::{Value, json};

use super::extension;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::Context;
use crate::table::Cell;
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Show {
    /// Only the predicate or type of this name
    #[arg(value_name = "PREDICATE")]
    name: Option<String>,
    /// Only what the store declares itself
    #[arg(long)]
    own: bool,
    /// Print declarations as they are written
    #[arg(long, conflicts_with = "json")]
    toml: bool,
    #[command(flatten)]
    view: ViewOptions,
}

impl Show {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let view = self.view.request(context.now())?.view;
        let (ontology, text, output) = context.in_force(view.recorded)?;
        let own = extension(&Ontology::core(), text.as_deref())?;
        let wanted = |name: &str| {
            self.name.as_deref().is_none_or(|asked| asked == name) && (!self.own || own.declares(name))
        };
        let types: Vec<&Type> = ontology.types().filter(|declared| wanted(&declared.name)).collect();
        let predicates: Vec<&Definition> =
            ontology.predicates().filter(|definition| wanted(&definition.id)).collect();
        if let Some(name) = &self.name
            && types.is_empty()
            && predicates.is_empty()
        {
            let whose = if self.own { "by the store itself" } else { "here" };
            return Err(Failure::NotKnown(format!("{name:?} is not declared {whose}")));
        }
        print(&types, &predicates, self.toml, |name| own.declares(name), output)?;
        Ok(Exit::Done)
    }
}

fn print(
    types: &[&Type],
    predicates: &[&Definition],
    as_toml: bool,
    is_own: impl Fn(&str) -> bool,
    mut output: Output<'_>,
) -> Result<(), Failure> {
    if as_toml {
        if !types.is_empty() {
            output.line("[types]")?;
        }
        types.iter().try_for_each(|declared| output.line(type_line(declared)))?;
        for (idx, definition) in predicates.iter().enumerate() {
            if idx > 0 || !types.is_empty() {
                output.line("")?;
            }
            output.line(predicate(definition))?;
        }
        return Ok(());
    }
    if output.json {
        for declared in types {
            let Type { name, parent, note } = declared;
            output.row(&json!({ "type": name, "parent": parent, "note": note, "own": is_own(name) }))?;
        }
        return predicates.iter().try_for_each(|definition| {
            let mut row = declaration(definition);
            row["own"] = json!(is_own(&definition.id));
            output.row(&row)
        });
    }
    let own = |name: &str| Cell::faint(if is_own(name) { "the store's own" } else { "" });
    let mut rows = Vec::new();
    for declared in types {
        let parent =
            declared.parent.as_ref().map_or_else(String::new, |parent| format!("a kind of {parent}"));
        rows.push(vec![Cell::strong(&*declared.name), "type".into(), parent.into(), own(&declared.name)]);
    }
    for definition in predicates {
        let how = format!("{}, {}", kind_name(definition.kind), cardinality_name(definition.cardinality));
        let key = definition.key.as_ref().map_or_else(String::new, |key| format!(" [{key}]"));
        let sides = format!("{}{key} → {}", definition.domain.join("|"), definition.range.join("|"));
        rows.push(vec![Cell::strong(&*definition.id), how.into(), sides.into(), own(&definition.id)]);
    }
    output.table(&rows)
}

/// Returns the JSON form of a declaration, keys sorted.
pub(super) fn declaration(definition: &Definition) -> Value {
    let Definition {
        id,
        domain,
        range,
        kind,
        cardinality,
        key,
        inverse,
        symmetric,
        half_life_days,
        cues,
        end_cues,
        schema,
        wikidata,
        note,
    } = definition;
    json!({
        "predicate": id,
        "domain": domain,
        "range": range,
        "kind": kind_name(*kind),
        "cardinality": cardinality_name(*cardinality),
        "key": key,
        "inverse": inverse,
        "symmetric": symmetric,
        "half_life_days": half_life_days,
        "cues": cues,
        "end_cues": end_cues,
        "schema": schema,
        "wikidata": wikidata,
        "note": note,
    })
}
