//! What is stored: one struct a kind of record, written through the codec.

use serde::{Deserialize, Serialize};

use crate::assertion::Assertion;
use crate::entity::EntityRef;
use crate::episode::Role;
use crate::id::{AssertionId, EpisodeId};
use crate::key::SpaceId;
use crate::store::append::Reach;
use crate::time::Instant;

/// An assertion with its place in recorded time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// What was said.
    pub assertion: Assertion,
    /// The commit that recorded it.
    pub seq: u64,
    /// When that commit was made.
    pub at: Instant,
}

/// The names that a group's key is the hash of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GroupNames {
    pub(crate) subject: EntityRef,
    pub(crate) predicate: String,
    pub(crate) key: String,
}

/// What a store keeps of a group beside its statements and facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GroupRecord {
    pub(crate) names: GroupNames,
    pub(crate) reach: Reach,
}

impl GroupNames {
    /// Returns the names of the group a statement belongs to.
    pub(crate) fn of(assertion: &Assertion) -> GroupNames {
        GroupNames {
            subject: assertion.subject.clone(),
            predicate: assertion.predicate.clone(),
            key: assertion.key.clone(),
        }
    }
}

/// What happened in a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LogEntry {
    pub(crate) space: SpaceId,
    pub(crate) at: Instant,
    pub(crate) change: Change,
}

/// What a commit changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Change {
    /// Episodes and assertions were recorded; what was erased of them since is no longer listed. Assertions that came as data
    /// have the ids of their episodes, and are not listed besides.
    Recorded { episodes: Vec<EpisodeId>, assertions: Vec<AssertionId>, quarantined: u64 },
    /// Episodes and assertions were erased: only how many.
    Erased { episodes: u64, assertions: u64 },
    /// The store declared what predicates mean; the entry is of no space.
    Declared,
}

/// What a store declared of predicates, whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// The commit that declared it.
    pub seq: u64,
    /// When that commit was made.
    pub at: Instant,
    /// The declarations, as the layer above writes them.
    pub text: String,
}

/// That somebody took part in a session, by one episode; when stands in the row's key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Participation {
    pub(crate) session: String,
    pub(crate) seq: u64,
    pub(crate) role: Role,
}

/// An episode with its place in recorded time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedEpisode {
    /// The turn.
    pub episode: crate::episode::Episode,
    /// The commit that recorded it.
    pub seq: u64,
    /// When that commit was made.
    pub at: Instant,
}

/// A record of a source that could not be read, kept as it stood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quarantined {
    /// The file it stands in.
    pub document: String,
    /// The byte it starts at.
    pub offset: u64,
    /// Its line, from 1.
    pub line: u64,
    /// Why it could not be read.
    pub reason: String,
    /// Its bytes.
    pub raw: Vec<u8>,
    /// Whether it is the start of a record whose rest may still be written.
    pub incomplete: bool,
    /// The sessions that stand in the same file: erasing one of them erases this, which may be part of it.
    pub sessions: Vec<String>,
}

/// An entity that statements mention.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EntityRecord {
    pub(crate) entity: EntityRef,
}
