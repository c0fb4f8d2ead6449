//! The facts about an entity in the order in which they were so.

use std::collections::BTreeSet;

use bygone_engine::store::Seen;
use bygone_engine::time::Period;
use bygone_engine::{EntityRef, Object, StoreError};
use bygone_ontology::Ontology;

use crate::facts::{Filter, facts};
use crate::request::Request;
use crate::row::Row;

/// Returns the facts of the view of which the entity is the subject or the object, each once, by start and then end;
/// undated ones come last.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn timeline(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    entity: &EntityRef,
) -> Result<Vec<Row>, StoreError> {
    let of = Filter { subject: Some(entity.clone()), ..Filter::default() };
    let about = Filter { object: Some(Object::Entity(entity.clone())), ..Filter::default() };
    let mut rows = facts(seen, ontology, request, &of)?;
    rows.extend(facts(seen, ontology, request, &about)?);
    // What an entity says of itself was found both ways.
    let mut told = BTreeSet::new();
    rows.retain(|row| told.insert((row.id, row.verdict)));
    rows.sort_by_cached_key(|row| {
        let period = row.fact.validity.period();
        (period.is_none(), period.map(Period::start), period.map(Period::end), row.order())
    });
    Ok(rows)
}
