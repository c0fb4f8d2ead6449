//! `bygone learned`.

use bygone_engine::time::{Instant, Moment, format_moment};
use bygone_query::QueryError;
use bygone_query::learned::learned;
use bygone_query::names::{bearer, resolve};
use bygone_query::predicates::unknown_predicate;
use bygone_query::say::{object_text, validity_text};

use super::facts::{object, predicate, subject};
use crate::failure::{Exit, Failure};
use crate::output::shorten;
use crate::quote::quote;
use crate::session::{Context, Opened};
use crate::table::Cell;
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct LearnedCommand {
    /// The entity
    #[arg(value_name = "ENTITY")]
    entity: String,
    /// The predicate
    #[arg(value_name = "PREDICATE")]
    predicate: String,
    /// Only this object: an entity, a text, or JSON as in {"number":3}
    #[arg(value_name = "OBJECT")]
    object: Option<String>,
    #[command(flatten)]
    view: ViewOptions,
}

impl LearnedCommand {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        // The one that bears the name, not what stands for its class today: that may have been learned later.
        let entity = match bearer(&seen, &self.entity) {
            Err(QueryError::Ambiguous { .. }) => resolve(&seen, &self.entity)?,
            Err(QueryError::NoEntity(_)) => subject(&seen, &self.entity)?,
            found => found?,
        };
        let of = Some((&entity, Some(self.predicate.as_str())));
        let wanted = self.object.as_deref().map(|text| object(&seen, "OBJECT", text, of)).transpose()?;
        let found = learned(&seen, ontology, &request, &entity, &self.predicate, wanted.as_ref())?;
        if output.json {
            found.iter().try_for_each(|item| output.row(&item.to_json()))?;
        }
        if found.is_empty() {
            let object = wanted.map_or_else(String::new, |object| format!(" {}", object_text(&object)));
            let unknown = unknown_predicate(&snapshot, ontology, &self.predicate)?;
            let unknown = unknown.map_or_else(String::new, |unknown| format!(": {unknown}"));
            return Err(Failure::NotKnown(format!(
                "not known: {entity} {}{object}{unknown}",
                self.predicate
            )));
        }
        if output.json {
            return Ok(Exit::Done);
        }
        let instant = |at: Instant| format_moment(Moment::instant(at));
        for item in &found {
            let fact = &item.row.fact;
            let again = item.again.map_or_else(String::new, |at| format!(", again from {}", instant(at)));
            let until = item.until.map_or_else(String::new, |at| format!(" until {}{again}", instant(at)));
            output.cells(&[
                Cell::from(format!("{} {} ", item.row.group.subject, predicate(&item.row))),
                Cell::strong(shorten(&object_text(&fact.object), 60)),
                Cell::from(format!(
                    ", {}: believed from {}{until}",
                    validity_text(fact.validity, fact.ended_by),
                    instant(item.known_from)
                )),
            ])?;
            quote(&item.evidence, &mut output)?;
        }
        Ok(Exit::Done)
    }
}
