//! What in the view is about these words? Turns and facts, best first, each with the reason it was found.
//!
//! Does not decide what is true: facts are those that the view derives, turns those that it sees, and the valid time
//! asked about selects among facts alone (a turn in April may tell of March).
//! Invariant: nothing is returned that the view does not see.

mod channel;
mod diversity;
mod explain;
mod facts;
mod found;
mod graph;
mod hidden;
mod meaning;
mod normal;
mod passage;
mod question;
mod ranking;
mod rerank;
mod spread;
mod statements;
mod table;
mod times;
mod turns;
mod weights;

use bygone_engine::StoreError;
use bygone_engine::store::Seen;
use bygone_engine::text::Kind as Document;
use bygone_ontology::Ontology;

pub use channel::Channel;
pub use diversity::diverse;
pub use explain::{Explanation, Searched, Word};
pub(crate) use found::rounded;
pub use found::{Found, Item};
pub use hidden::{Hidden, Why};
pub use passage::Passages;
pub use passage::sentences;
pub(crate) use question::asks_when;
pub use rerank::CHANNEL as RERANK;
pub(crate) use statements::named;

use crate::request::Request;
use channel::OF_TURNS;
use ranking::{Fit, shares};
use statements::Statements;
use turns::Turns;

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

/// What is looked for, and where.
#[derive(Clone, Copy)]
pub struct Sought<'a> {
    /// The view.
    pub seen: &'a Seen<'a>,
    /// What predicates mean in it.
    pub ontology: &'a Ontology,
    /// The valid time asked about, and what is shown besides current facts.
    pub request: &'a Request,
    /// Any text.
    pub text: &'a str,
    /// Of which kinds.
    pub kinds: &'a [Kind],
    /// How many are wanted.
    pub n_wanted: usize,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// What was found, best first; of what fits as well, turns come first, and what was said earlier.
    pub found: Vec<Found>,
    /// Whether any of it may be an answer, rather than found by chance.
    pub answers: bool,
}

/// Returns the things in the view that fit the words best. Where the store has a reranker, the best are in its order.
///
/// # Errors
/// [`StoreError`] where the store or its index cannot be read; [`StoreError::Embed`] where embedder or reranker fails.
pub fn search(sought: &Sought<'_>) -> Result<Results, StoreError> {
    Ranked::of(sought)?.results(sought)
}

/// Returns what [`search`] does, and why it was found.
///
/// # Errors
/// As [`search`].
pub fn explain(sought: &Sought<'_>) -> Result<(Results, Explanation), StoreError> {
    let ranked = Ranked::of(sought)?;
    Ok((ranked.results(sought)?, Explanation::of(sought, &ranked)?))
}

/// Everything that is searched, ranked.
struct Ranked {
    statements: Statements,
    plans: Option<Statements>,
    turns: Option<Turns>,
}

impl Ranked {
    fn of(sought: &Sought<'_>) -> Result<Ranked, StoreError> {
        let kinds = sought.kinds;
        // Turns are found through the statements that they make, too.
        let statements = Statements::rank(sought, Document::Statement)?;
        let wants_plans = kinds.contains(&Kind::Fact) && sought.request.planned;
        let plans = wants_plans.then(|| Statements::rank(sought, Document::Plan)).transpose()?;
        let wants_turns = kinds.contains(&Kind::Turn);
        let turns = wants_turns.then(|| Turns::rank(sought, &statements)).transpose()?;
        Ok(Ranked { statements, plans, turns })
    }

    fn answers(&self) -> bool {
        let turns = self.turns.iter().map(|turns| turns.fit);
        let statements = self.plans.iter().chain([&self.statements]).map(|statements| statements.fit);
        turns.chain(statements).any(Fit::answers)
    }

    /// Returns the best, in the order of the reranker where there is one.
    fn results(&self, sought: &Sought<'_>) -> Result<Results, StoreError> {
        let answers = self.answers();
        let Some(reranker) = sought.seen.snapshot().reranker() else {
            return Ok(Results { found: self.found(sought)?, answers });
        };
        let n_wanted = sought.n_wanted;
        let mut found = self.found(&Sought { n_wanted: n_wanted.max(rerank::MOST), ..*sought })?;
        rerank::rerank(reranker, sought.text, &mut found)?;
        found.truncate(n_wanted);
        Ok(Results { found, answers })
    }

    fn found(&self, sought: &Sought<'_>) -> Result<Vec<Found>, StoreError> {
        let mut found: Vec<Found> = Vec::new();
        if let Some(turns) = &self.turns {
            found.extend(turns_found(sought, turns)?);
        }
        if sought.kinds.contains(&Kind::Fact) {
            found.extend(facts::of(sought, &self.statements)?);
        }
        if let Some(plans) = &self.plans {
            found.extend(facts::of(sought, plans)?);
        }
        // Each kind is in its order, so that fewer that are wanted are the first of more.
        found.sort_by(|one, other| other.score.total_cmp(&one.score));
        found.truncate(sought.n_wanted);
        Ok(found)
    }
}

/// Returns the best turns.
fn turns_found(sought: &Sought<'_>, turns: &Turns) -> Result<Vec<Found>, StoreError> {
    let mut found = Vec::new();
    for (at, score) in turns.ranked() {
        if found.len() == sought.n_wanted {
            break;
        }
        let Some(record) = sought.seen.turn(&turns.corpus.rows()[at])? else { continue };
        let channels = shares(&OF_TURNS, &turns.parts[at], score);
        found.push(Found { item: Item::Turn(Box::new(record)), score: f64::from(score), channels });
    }
    Ok(found)
}

/// Returns the sessions of the view in which most of what is asked for was said, best first, each with its best turn. The
/// kinds do not matter.
///
/// # Errors
/// As [`search`].
pub fn sessions(sought: &Sought<'_>) -> Result<Vec<Found>, StoreError> {
    let statements = Statements::rank(sought, Document::Statement)?;
    let turns = Turns::rank(sought, &statements)?;
    let mut best: Vec<Option<usize>> = vec![None; turns.sessions.len()];
    for (at, _) in turns.ranked() {
        best[turns.corpus.rows()[at].session as usize].get_or_insert(at);
    }
    let mut ranked: Vec<(usize, f32)> = turns.sessions.iter().copied().enumerate().collect();
    ranked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let mut found = Vec::new();
    for (session, score) in ranked.into_iter().take(sought.n_wanted) {
        let Some(at) = best[session] else { continue };
        let Some(record) = sought.seen.turn(&turns.corpus.rows()[at])? else { continue };
        found.push(Found {
            item: Item::Turn(Box::new(record)),
            score: f64::from(score),
            channels: Vec::new(),
        });
    }
    Ok(found)
}
