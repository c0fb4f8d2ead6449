//! What was said: an immutable statement with its three clocks and its source.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::entity::EntityRef;
use crate::id::{AssertionId, EpisodeId, hash_parts};
use crate::object::Object;
use crate::time::{Bound, Instant, Moment, Validity};

/// Whether a statement says that something is so, or that it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Polarity {
    /// It is so.
    Affirm,
    /// It is not so.
    Deny,
}

/// How a statement stands to the world. Only `Actual` and `Reported` take part in derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Modality {
    /// Said as a fact.
    Actual,
    /// Said as an intention.
    Planned,
    /// Said as a supposition.
    Hypothetical,
    /// Said as somebody else's word.
    Reported,
}

/// Whose word a statement is, weakest first. `User` and `Tool` weigh the same: compare [`Authority::rank`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Authority {
    /// Concluded or reported at second hand.
    Inferred,
    /// The agent's own words.
    Agent,
    /// What a tool returned.
    Tool,
    /// What a person said.
    User,
}

impl Authority {
    /// Returns the weight in the order of precedence: 0 inferred, 1 agent, 2 user and tool.
    pub const fn rank(self) -> u8 {
        match self {
            Authority::Inferred => 0,
            Authority::Agent => 1,
            Authority::Tool | Authority::User => 2,
        }
    }
}

/// A range of bytes in an episode's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// Where a statement was made.
///
/// Statements known at the same instant are ordered by document, session, position and span.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Source {
    /// The session or document it stands in; on the wire the text before the last `#`.
    pub document: String,
    /// The turn's position in the document; on the wire the number after the last `#`.
    pub position: u64,
    /// Where in the episode's text the words stand, where that is known.
    pub span: Option<Span>,
    /// The episode that holds it.
    pub episode: EpisodeId,
    /// Earlier episodes whose words it repeats: the call that a result answers, the statement that a correction takes
    /// back. Erasing one of them erases it.
    pub context: Vec<EpisodeId>,
    /// Who said it, where that is known.
    pub asserter: Option<EntityRef>,
    /// The session it was said in.
    pub session: String,
    /// The agent that took part.
    pub agent: Option<String>,
    /// The user that took part.
    pub user: Option<String>,
    /// The zone or offset the source gave its times in, where not UTC.
    pub zone: Option<String>,
}

/// One immutable statement. See the semantics' section 2 for what each field means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assertion {
    /// The content hash, or the id that was sent.
    pub id: AssertionId,
    /// What it is about.
    pub subject: EntityRef,
    /// The predicate's id.
    pub predicate: String,
    /// Which of several parallel values; usually empty.
    pub key: String,
    /// What it says; `None` only in a denial, where it means whatever holds.
    pub object: Option<Object>,
    /// Whether it affirms or denies.
    pub polarity: Polarity,
    /// When it says it is so.
    pub validity: Validity,
    /// The last moment the speaker vouches for; `Some` exactly for an affirm with an open end.
    pub sure_until: Option<Moment>,
    /// How it stands to the world.
    pub modality: Modality,
    /// Whose word it is.
    pub authority: Authority,
    /// How sure the extractor is, 0 to 1.
    pub confidence: f64,
    /// When the agent came to know it.
    pub known_at: Instant,
    /// Where it was said.
    pub source: Source,
    /// The rule or model that read it, with its version.
    pub extractor: String,
    /// The assertions it was concluded from.
    pub derived_from: Vec<AssertionId>,
}

/// Compares two statements in the order of precedence: authority, known time, position in the source, id.
/// The greater one is the *later* one, which prevails.
pub fn precedence(one: &Assertion, other: &Assertion) -> Ordering {
    let rank = |a: &Assertion| (a.authority.rank(), a.known_at);
    let place = |a: &Assertion| (a.source.position, a.source.span.map(|span| (span.start, span.end)));
    rank(one)
        .cmp(&rank(other))
        .then_with(|| one.source.document.cmp(&other.source.document))
        .then_with(|| one.source.session.cmp(&other.source.session))
        .then_with(|| place(one).cmp(&place(other)))
        .then_with(|| one.id.cmp(&other.id))
}

impl Assertion {
    /// Says whether the statement takes part in derivation at all.
    pub const fn counts(&self) -> bool {
        matches!(self.modality, Modality::Actual | Modality::Reported)
    }

    /// Says whether the statement is an affirm whose end is open.
    pub fn is_open_affirm(&self) -> bool {
        self.polarity == Polarity::Affirm
            && matches!(self.validity, Validity::Over(period) if period.to() == Bound::Open)
    }

    /// Returns the id of this content. The extractor and the episode do not enter: a better rule that reads the
    /// same from the same place has said nothing new.
    pub fn content_id(&self) -> AssertionId {
        let json = crate::wire::content_text(self);
        AssertionId(hash_parts("assertion", [json.as_bytes()]))
    }

    /// Returns the statement with its content hash as its id.
    #[must_use]
    pub fn with_content_id(mut self) -> Assertion {
        self.id = self.content_id();
        self
    }
}
