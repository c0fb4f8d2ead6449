//! Searching items: those of a namespace and within it that have what a filter asks for, by meaning where a text is given.

use std::collections::BTreeMap;

use bygone_engine::document::{Documents, Listing};
use bygone_engine::store::Snapshot;
use bygone_engine::time::Instant;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::InterfaceError;
use super::batch::live_on;
use super::{ITEMS, Index, Item, Kept, Name, filter, lives, path, prefix};

/// How many texts are compared at most.
const MOST_TEXTS: usize = 20_000;

/// Which items are asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// The first labels of their namespaces.
    #[serde(default)]
    pub namespace_prefix: Vec<String>,
    /// What their values have.
    #[serde(default)]
    pub filter: Option<Map<String, Value>>,
    /// The most rows.
    #[serde(default = "ten")]
    pub limit: usize,
    /// How many are passed over first.
    #[serde(default)]
    pub offset: usize,
    /// What they are to be like in meaning.
    #[serde(default)]
    pub query: Option<String>,
    /// Whether those that are shown live on.
    #[serde(default = "yes")]
    pub refresh_ttl: bool,
}

fn ten() -> usize {
    10
}

fn yes() -> bool {
    true
}

/// Returns items: the most alike first where a text is given, then those without one; else by namespace and key.
pub(super) fn search(
    snapshot: &Snapshot<'_>,
    now: Instant,
    request: &Search,
    documents: &mut Documents,
) -> Result<Vec<Item>, InterfaceError> {
    let prefix = prefix(&request.namespace_prefix)?;
    let lives = lives(snapshot, &prefix)?;
    let query = request.query.as_deref().filter(|query| !query.trim().is_empty());
    let filter = request.filter.as_ref().filter(|filter| !filter.is_empty());
    let end = request.offset.saturating_add(request.limit);
    let mut found: Vec<(Vec<u8>, Kept, Option<f32>)> = Vec::new();
    let mut texts: Vec<(usize, String)> = Vec::new();
    for document in snapshot.documents(&Listing::new(&ITEMS, &prefix)) {
        if query.is_none() && found.len() >= end {
            break;
        }
        let document = document?;
        if lives.get(&document.name).is_some_and(|(_, end)| *end <= now) {
            continue;
        }
        let kept = Kept::read(&document)?;
        if query.is_some() || filter.is_some() {
            let value: Value =
                super::super::frame::read("the value of an item", kept.value.get().as_bytes())?;
            if let Some(filter) = filter
                && !filter::has(&value, filter)?
            {
                continue;
            }
            if query.is_some() {
                texts.extend(searched(&value, &kept.head.index).into_iter().map(|text| (found.len(), text)));
            }
        }
        found.push((document.name, kept, None));
    }
    if let Some(query) = query {
        rank(snapshot, query, &texts, &mut found)?;
    }
    let mut items = Vec::new();
    for (name, kept, score) in found.into_iter().skip(request.offset).take(request.limit) {
        let Some(named) = Name::read(&name) else { continue };
        if request.refresh_ttl
            && let Some((life, _)) = lives.get(&name)
        {
            live_on(documents, &name, *life, now)?;
        }
        items.push(Item { score, ..kept.into_item(&named) });
    }
    Ok(items)
}

/// Returns the texts by which an item is found.
fn searched(value: &Value, index: &Index) -> Vec<String> {
    match index {
        Index::Only(false) => Vec::new(),
        Index::Only(true) | Index::Whole => path::texts(value, "$"),
        Index::Paths(paths) => paths.iter().flat_map(|at| path::texts(value, at)).collect(),
    }
}

/// Gives each item the score of the text of it that is most alike, and puts them in order.
fn rank(
    snapshot: &Snapshot<'_>,
    query: &str,
    texts: &[(usize, String)],
    found: &mut [(Vec<u8>, Kept, Option<f32>)],
) -> Result<(), InterfaceError> {
    if texts.len() > MOST_TEXTS {
        return Err(InterfaceError::TooLarge(format!(
            "{} texts are more than are compared at once, which is {MOST_TEXTS}: expected a narrower namespace or filter",
            texts.len()
        )));
    }
    // The same text is compared once.
    let mut scores: BTreeMap<&str, f32> = texts.iter().map(|(_, text)| (text.as_str(), 0.0)).collect();
    let distinct: Vec<&str> = scores.keys().copied().collect();
    let cosines = snapshot.cosines(query, &distinct)?;
    for (score, cosine) in scores.values_mut().zip(cosines) {
        *score = cosine;
    }
    for (idx, text) in texts {
        let (Some((_, _, best)), Some(score)) = (found.get_mut(*idx), scores.get(text.as_str())) else {
            continue;
        };
        *best = Some(best.map_or(*score, |best| best.max(*score)));
    }
    found.sort_by(|(_, _, one), (_, _, other)| {
        let score = |score: &Option<f32>| score.unwrap_or(f32::NEG_INFINITY);
        score(other).total_cmp(&score(one))
    });
    Ok(())
}
