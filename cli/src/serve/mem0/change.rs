//! Changing memories and deleting them. A new text is recorded as a turn, too, so that it is found and read like the first.

use bygone_query::interface::AsOf;
use bygone_query::interface::memories::{self, Filter, Removed, Update};
use serde_json::{Value, json};

use super::Place;
use super::add::{Said, expiration_date, fresh_id, record};
use super::given::Given;
use crate::clock::Clock;
use crate::serve::reply::Problem;

pub(super) fn update(place: &Place<'_>, given: &Given, id: &str) -> Result<Value, Problem> {
    let mut changed = update_all(place, &[(id.to_owned(), given.clone())])?;
    let Some(mut memory) = changed.pop() else { return Err(Problem::broken()) };
    memory["text"] = memory["memory"].clone();
    Ok(memory)
}

pub(super) fn update_many(place: &Place<'_>, given: &Given) -> Result<Value, Problem> {
    let mut updates = Vec::new();
    for memory in &given.list("memories")? {
        let given = Given::within(memory)?;
        updates.push((named(&given)?, given));
    }
    let n_updated = update_all(place, &updates)?.len();
    Ok(json!({ "message": format!("Successfully updated {n_updated} memories") }))
}

fn named(given: &Given) -> Result<String, Problem> {
    given.text("memory_id")?.ok_or_else(|| Problem::bad_request("memory_id: expected the id of a memory"))
}

fn update_all(place: &Place<'_>, updates: &[(String, Given)]) -> Result<Vec<Value>, Problem> {
    let now = Clock::System.now();
    let mut wanted = Vec::new();
    for (id, given) in updates {
        let text = given.text("text")?;
        if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
            return Err(Problem::bad_request("text: expected one that is not empty"));
        }
        let metadata = given.object("metadata")?;
        // Null takes the day away, and nothing leaves it as it is.
        let expiration_date = match given.value("expiration_date") {
            None => None,
            Some(_) => Some(expiration_date(given)?),
        };
        if text.is_none() && metadata.is_none() && expiration_date.is_none() {
            return Err(Problem::bad_request("expected text, metadata or expiration_date"));
        }
        wanted.push((id.clone(), text, metadata, expiration_date));
    }
    // All that is to be changed is there before anything is recorded.
    let before = place.reading(|space| {
        let snapshot = space.snapshot();
        wanted
            .iter()
            .map(|(id, ..)| memories::get(&snapshot, id, &AsOf::default()))
            .collect::<Result<Vec<_>, _>>()
    })?;
    let before = before.ok_or_else(|| Problem::not_found("there is no such memory"))?;
    let mut changes = Vec::new();
    for ((id, text, metadata, expiration_date), memory) in wanted.into_iter().zip(before) {
        let text = match text {
            None => None,
            Some(text) => {
                let said = Said {
                    id: format!("mem0:{}", fresh_id()?),
                    role: memory.kept.role.clone(),
                    content: text.into(),
                    name: None,
                };
                let text = said.text();
                if text != memory.kept.text {
                    record(
                        place,
                        &memory.kept.whose,
                        &memory.kept.session,
                        now,
                        std::slice::from_ref(&said),
                    )?;
                }
                Some((text, said.id))
            }
        };
        changes.push((id, Update { text, metadata, expiration_date }));
    }
    place.writing(|space| {
        space.decide(None, now, |snapshot, place| {
            Ok(memories::update(snapshot, place, &changes)?
                .map(|changed| changed.iter().map(memories::Memory::to_json).collect::<Vec<Value>>()))
        })
    })
}

pub(super) fn delete(place: &Place<'_>, ids: &[String]) -> Result<Value, Problem> {
    remove(place, &Removed::Ids(ids))?;
    Ok(json!({ "message": "Memory deleted successfully!" }))
}

pub(super) fn delete_many(place: &Place<'_>, given: &Given) -> Result<Value, Problem> {
    let memories = given.list("memories")?;
    let ids = memories.iter().map(|memory| named(&Given::within(memory)?)).collect::<Result<Vec<_>, _>>()?;
    let n_deleted = remove(place, &Removed::Ids(&ids))?;
    Ok(json!({ "message": format!("Successfully deleted {n_deleted} memories") }))
}

pub(super) fn delete_all(place: &Place<'_>, given: &Given) -> Result<Value, Problem> {
    let filter = given.filter()?;
    if filter.is_empty() {
        let message = "nobody is named: expected user_id, agent_id, app_id or run_id, each of which may be *";
        return Err(Problem::bad_request(message));
    }
    remove(place, &Removed::Having(&filter))?;
    Ok(json!({ "message": "Memories deleted successfully!" }))
}

pub(super) fn delete_of(place: &Place<'_>, field: &str, name: &str) -> Result<Value, Problem> {
    if remove(place, &Removed::Having(&Filter::field(field, name)))? == 0 {
        return Err(Problem::not_found("there is no such entity"));
    }
    Ok(json!({ "message": "Entity deleted successfully!" }))
}

fn remove(place: &Place<'_>, removed: &Removed<'_>) -> Result<usize, Problem> {
    let now = Clock::System.now();
    place.writing(|space| {
        space.decide(None, now, |snapshot, place| memories::remove(snapshot, place, removed))
    })
}
