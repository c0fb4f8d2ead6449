//! What in the view is about these words? Turns and facts, best first, each with the reason it was found.
//!
//! Does not decide what is true: facts are those that the view derives, turns those that it sees, and the valid time
//! asked about selects among facts alone (a turn in April may tell of March).
//! Invariant: nothing is returned that the view does not see.

mod found;
mod passage;
mod text;

use bygone_engine::StoreError;
use bygone_engine::store::Seen;
use bygone_ontology::Ontology;

pub(crate) use found::rounded;
pub use found::{Found, Item};
pub use passage::passage;

use crate::request::Request;

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

/// What a channel is asked.
pub(crate) struct Sought<'a> {
    pub(crate) seen: &'a Seen<'a>,
    pub(crate) ontology: &'a Ontology,
    pub(crate) request: &'a Request,
    pub(crate) text: &'a str,
    /// The kinds looked for.
    pub(crate) kinds: &'a [Kind],
    /// How many are wanted.
    pub(crate) n_wanted: usize,
}

/// A way of finding things, with the name that it bears on the wire. Returns the best of each kind.
pub(crate) struct Channel {
    pub(crate) name: &'static str,
    pub(crate) find: fn(&Sought<'_>) -> Result<Vec<Scored>, StoreError>,
}

/// Something a channel found, and the score it gives it, 0 to 1.
pub(crate) type Scored = (Item, f64);

/// Every channel.
const CHANNELS: &[Channel] = &[text::CHANNEL];

/// Returns the `n_wanted` things in the view that fit the words best, best first; ties by kind, then by id.
///
/// # Errors
/// [`StoreError`] where the store or its index cannot be read.
pub fn search(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    text: &str,
    kinds: &[Kind],
    n_wanted: usize,
) -> Result<Vec<Found>, StoreError> {
    let sought = Sought { seen, ontology, request, text, kinds, n_wanted };
    let mut found: Vec<Found> = Vec::new();
    for channel in CHANNELS {
        for (item, score) in (channel.find)(&sought)? {
            found.push(Found { item, score, channels: vec![(channel.name, score)] });
        }
    }
    found.sort_by(|one, other| {
        let place = |found: &Found| (found.item.kind(), found.item.id());
        other.score.total_cmp(&one.score).then_with(|| place(one).cmp(&place(other)))
    });
    found.truncate(n_wanted);
    Ok(found)
}
