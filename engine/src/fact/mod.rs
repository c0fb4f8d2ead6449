//! What statements amount to: a maximal period of one object in its group.

pub(crate) mod row;

use serde::{Deserialize, Serialize};

use crate::assertion::Authority;
use crate::id::AssertionId;
use crate::object::Object;
use crate::time::{Instant, Validity};

/// Whether somebody vouches for an instant, or it is presumed to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// Somebody vouches for it.
    Stated,
    /// It was so, and nothing says that it stopped.
    Presumed,
}

/// A stretch of a fact with one basis, half-open; the distant instants stand for open ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Segment {
    /// The first instant.
    pub from: Instant,
    /// The instant after the last.
    pub to: Instant,
    /// The basis throughout.
    pub basis: Basis,
}

/// Why a fact has an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndedBy {
    /// Its own stated end: a term, a lease that ran out.
    Bound,
    /// Another object took over.
    Change,
    /// Somebody said that it is no longer so.
    Deny,
}

/// Another value that somebody else vouches for over the same time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rival {
    /// The other value.
    pub object: Object,
    /// The statement that says so.
    pub assertion: AssertionId,
}

/// A derived fact: one object of a group over one maximal contiguous period.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// What holds.
    pub object: Object,
    /// When it holds, each bound with the granularity it was said with.
    pub validity: Validity,
    /// The stated and presumed stretches, in order, without gaps; empty for an undated fact.
    pub segments: Vec<Segment>,
    /// Why it ends, where it does.
    pub ended_by: Option<EndedBy>,
    /// The earliest known instant among its supports.
    pub known_from: Instant,
    /// The latest known instant among its supports.
    pub last_confirmed: Instant,
    /// The strongest authority among its supports.
    pub authority: Authority,
    /// The highest confidence among its supports.
    pub confidence: f64,
    /// The statements it rests on, in id order.
    pub support: Vec<AssertionId>,
    /// The values that other people vouch for over the same time.
    pub rivals: Vec<Rival>,
}
