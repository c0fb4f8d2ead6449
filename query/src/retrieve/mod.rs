//! What in the view is about these words? Turns and facts, best first, each with the reason it was found.
//!
//! Does not decide what is true: facts are those that the view derives, turns those that it sees, and the valid time
//! asked about selects among facts alone (a turn in April may tell of March).
//! Invariant: nothing is returned that the view does not see.

mod facts;
mod found;
mod graph;
mod normal;
mod passage;
mod question;
mod ranking;
mod rerank;
mod spread;
mod statements;
mod times;
mod turns;
mod weights;

use bygone_engine::StoreError;
use bygone_engine::store::Seen;
use bygone_engine::text::Kind as Document;
use bygone_ontology::Ontology;

pub(crate) use found::rounded;
pub use found::{Found, Item};
pub use passage::passage;

use crate::request::Request;
use ranking::shares;
use statements::Statements;
use turns::{PARTS, Turns};

/// What kind of things are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Turns of sessions.
    Turn,
    /// Derived facts.
    Fact,
}

impl Kind {
    /// Every kind.
    pub const ALL: &'static [Kind] = &[Kind::Turn, Kind::Fact];

    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Turn => "turn",
            Kind::Fact => "fact",
        }
    }
}

/// What is looked for.
pub(crate) struct Sought<'a> {
    pub(crate) seen: &'a Seen<'a>,
    pub(crate) ontology: &'a Ontology,
    pub(crate) request: &'a Request,
    pub(crate) text: &'a str,
    /// How many are wanted.
    pub(crate) n_wanted: usize,
}

/// Returns the `n_wanted` things in the view that fit the words best, best first; ties by kind, then by id. Where the store
/// has a reranker, the best are in its order.
///
/// # Errors
/// [`StoreError`] where the store or its index cannot be read; [`StoreError::Embed`] where embedder or reranker fails.
pub fn search(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    text: &str,
    kinds: &[Kind],
    n_wanted: usize,
) -> Result<Vec<Found>, StoreError> {
    let reranker = seen.snapshot().reranker();
    let n_gathered = reranker.map_or(n_wanted, |_| n_wanted.max(rerank::MOST));
    let sought = Sought { seen, ontology, request, text, n_wanted: n_gathered };
    let mut found: Vec<Found> = Vec::new();
    let statements = Statements::rank(&sought, Document::Statement)?;
    for kind in kinds {
        match kind {
            Kind::Turn => found.extend(turns_found(&sought, &statements)?),
            Kind::Fact => {
                found.extend(facts::of(&sought, &statements)?);
                if request.planned {
                    let plans = Statements::rank(&sought, Document::Plan)?;
                    found.extend(facts::of(&sought, &plans)?);
                }
            }
        }
    }
    found.sort_by(|one, other| {
        let place = |found: &Found| (found.item.kind(), found.item.id());
        other.score.total_cmp(&one.score).then_with(|| place(one).cmp(&place(other)))
    });
    if let Some(reranker) = reranker {
        rerank::rerank(reranker, text, &mut found)?;
    }
    found.truncate(n_wanted);
    Ok(found)
}

/// Returns the best turns.
fn turns_found(sought: &Sought<'_>, statements: &Statements) -> Result<Vec<Found>, StoreError> {
    let turns = Turns::rank(sought, statements)?;
    let mut found = Vec::new();
    for (at, score) in turns.ranked() {
        if found.len() == sought.n_wanted {
            break;
        }
        let Some(record) = sought.seen.turn(&turns.corpus.rows()[at])? else { continue };
        let channels = shares(&PARTS, &turns.parts[at], score);
        found.push(Found { item: Item::Turn(Box::new(record)), score: f64::from(score), channels });
    }
    Ok(found)
}

/// Returns the sessions of the view in which most of what is asked for was said, best first, each with its best turn.
///
/// # Errors
/// As [`search`].
pub fn sessions(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    text: &str,
    n_wanted: usize,
) -> Result<Vec<Found>, StoreError> {
    let sought = Sought { seen, ontology, request, text, n_wanted };
    let statements = Statements::rank(&sought, Document::Statement)?;
    let turns = Turns::rank(&sought, &statements)?;
    let mut best: Vec<Option<usize>> = vec![None; turns.sessions.len()];
    for (at, _) in turns.ranked() {
        best[turns.corpus.rows()[at].session as usize].get_or_insert(at);
    }
    let mut ranked: Vec<(usize, f32)> = turns.sessions.iter().copied().enumerate().collect();
    ranked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let mut found = Vec::new();
    for (session, score) in ranked.into_iter().take(n_wanted) {
        let Some(at) = best[session] else { continue };
        let Some(record) = seen.turn(&turns.corpus.rows()[at])? else { continue };
        found.push(Found {
            item: Item::Turn(Box::new(record)),
            score: f64::from(score),
            channels: Vec::new(),
        });
    }
    Ok(found)
}
