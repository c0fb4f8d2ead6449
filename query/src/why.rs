//! Why a fact is believed: the statements it rests on, down to the quoted turns, and what speaks against it.

use std::collections::BTreeSet;

use bygone_engine::record::{Recorded, RecordedEpisode};
use bygone_engine::store::{GroupView, Seen};
use bygone_engine::time::Period;
use bygone_engine::wire::assertion_to_json;
use bygone_engine::{AssertionId, FactId, Polarity, StoreError};
use bygone_ontology::Ontology;
use serde_json::{Value, json};

use crate::error::QueryError;
use crate::facts::group_rows;
use crate::request::Request;
use crate::row::Row;

/// How a statement bears on a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bearing {
    /// The fact rests on it.
    Supports,
    /// A statement the fact rests on was concluded from it.
    Premise,
    /// It denies the same object, or whatever holds.
    Denies,
    /// It states another value.
    OtherValue,
}

impl Bearing {
    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Bearing::Supports => "supports",
            Bearing::Premise => "premise",
            Bearing::Denies => "denies",
            Bearing::OtherValue => "other_value",
        }
    }
}

/// A statement that bears on a fact, with the turn that makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// How it bears on the fact.
    pub bearing: Bearing,
    /// The statement.
    pub recorded: Recorded,
    /// The turn.
    pub episode: Option<RecordedEpisode>,
}

impl Evidence {
    /// Returns the words that make the statement, or the whole turn where no span is known.
    pub fn quote(&self) -> &str {
        let Some(record) = &self.episode else { return "" };
        let text = record.episode.text.as_str();
        let span = self.recorded.assertion.source.span;
        span.and_then(|span| text.get(span.start as usize..span.end as usize)).unwrap_or(text)
    }
}

impl Evidence {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        let assertion = &self.recorded.assertion;
        let turn = self.episode.as_ref().map(|record| {
            json!({
                "id": record.episode.id.to_string(),
                "session": record.episode.session,
                "position": record.episode.position,
                "speaker": record.episode.speaker.as_ref().map(ToString::to_string),
                "time": record.episode.time.to_rfc3339(),
                "time_inferred": record.episode.time_inferred,
            })
        });
        json!({
            "bearing": self.bearing.name(),
            "assertion": assertion_to_json(assertion),
            "recorded": { "seq": self.recorded.seq, "at": self.recorded.at.to_rfc3339() },
            "quote": self.quote(),
            "turn": turn,
        })
    }
}

/// The proof of a fact.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The fact.
    pub row: Row,
    /// The statements that bear on it: what supports it first, then premises, then what speaks against it; each in
    /// known order.
    pub evidence: Vec<Evidence>,
}

impl Proof {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        let evidence: Vec<Value> = self.evidence.iter().map(Evidence::to_json).collect();
        json!({ "fact": self.row.to_json(), "evidence": evidence })
    }
}

/// Returns the proof of a fact.
///
/// # Errors
/// [`QueryError::NoFact`] where the view derives no such fact; with `history` in the request, superseded ones count.
pub fn why(seen: &Seen<'_>, ontology: &Ontology, request: &Request, id: FactId) -> Result<Proof, QueryError> {
    let row = find(seen, ontology, request, id)?.ok_or_else(|| QueryError::NoFact(id.to_string()))?;
    let evidence = evidence(seen, &row)?;
    Ok(Proof { row, evidence })
}

/// The fewest digits of an id by which a fact or a statement may be named.
const FEWEST_DIGITS: usize = 6;

/// Says whether a text is the id of a fact or of a statement, or the start of one that is long enough to name it.
pub fn is_id(text: &str) -> bool {
    let digits = text.strip_prefix("f:").or_else(|| text.strip_prefix("a:"));
    digits.is_some_and(|digits| {
        (FEWEST_DIGITS..=32).contains(&digits.len()) && digits.bytes().all(|c| c.is_ascii_hexdigit())
    })
}

/// Returns the fact that an id means, or the start of one: that of a fact, or that of a statement, which means the fact that
/// rests on it, of several the last one. The start of a fact's id is looked up among the facts of the latest view.
///
/// # Errors
/// [`QueryError::Ambiguous`] where several ids start so; [`QueryError::NoFact`] where none does, or no fact of the view rests
/// on the statement.
pub fn fact_meant(seen: &Seen<'_>, text: &str) -> Result<FactId, QueryError> {
    let none = || QueryError::NoFact(text.to_owned());
    let snapshot = seen.snapshot();
    if let Some(id) = FactId::parse(text) {
        return Ok(id);
    }
    if text.starts_with("f:") {
        return only(text, snapshot.facts_starting(text)?)?.ok_or_else(none);
    }
    let id = match AssertionId::parse(text) {
        Some(id) => id,
        None => only(text, snapshot.assertions_starting(text)?)?.ok_or_else(none)?,
    };
    let recorded = snapshot.assertion(id)?.filter(|recorded| seen.sees(recorded)).ok_or_else(none)?;
    let assertion = recorded.assertion;
    let group = seen.group(&assertion.subject, &assertion.predicate, &assertion.key)?.ok_or_else(none)?;
    let facts = seen.facts(&group)?;
    let rests = facts.iter().rfind(|fact| fact.support.binary_search(&id).is_ok()).ok_or_else(none)?;
    Ok(seen.fact_id(&group, &rests.object, rests.validity.period().map(Period::start)))
}

fn only<I: ToString>(text: &str, ids: Vec<I>) -> Result<Option<I>, QueryError> {
    if ids.len() > 1 {
        let candidates = ids.iter().map(ToString::to_string).collect();
        return Err(QueryError::Ambiguous { name: text.to_owned(), candidates });
    }
    Ok(ids.into_iter().next())
}

/// Finds a fact by its id: in the group that the latest view has it in, else by looking through every group.
pub(crate) fn find(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    id: FactId,
) -> Result<Option<Row>, StoreError> {
    let in_group = |group: &GroupView| -> Result<Option<Row>, StoreError> {
        Ok(group_rows(seen, ontology, request, group)?.into_iter().find(|row| row.id == id))
    };
    if let Some(group) = seen.group_of_fact(id)?
        && let Some(row) = in_group(&group)?
    {
        return Ok(Some(row));
    }
    for group in seen.groups()? {
        if let Some(row) = in_group(&group)? {
            return Ok(Some(row));
        }
    }
    Ok(None)
}

/// Returns the statements that bear on a fact, with their turns.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn evidence(seen: &Seen<'_>, row: &Row) -> Result<Vec<Evidence>, StoreError> {
    let mut evidence = Vec::new();
    let mut premises: BTreeSet<AssertionId> = BTreeSet::new();
    let object = row.fact.object.key();
    for recorded in seen.statements(&row.group)? {
        let assertion = &recorded.assertion;
        let bearing = if row.fact.support.binary_search(&assertion.id).is_ok() {
            premises.extend(&assertion.derived_from);
            Bearing::Supports
        } else if !assertion.counts() {
            continue;
        } else if assertion.polarity == Polarity::Deny {
            if assertion.object.as_ref().is_some_and(|denied| denied.key() != object) {
                continue;
            }
            Bearing::Denies
        } else if assertion.object.as_ref().is_some_and(|other| other.key() != object) {
            Bearing::OtherValue
        } else {
            continue;
        };
        evidence.push(with_turn(seen, bearing, recorded)?);
    }
    let mut visited = BTreeSet::new();
    while let Some(id) = premises.pop_first() {
        if !visited.insert(id) {
            continue;
        }
        let Some(recorded) = seen.snapshot().assertion(id)?.filter(|recorded| seen.sees(recorded)) else {
            continue;
        };
        premises.extend(&recorded.assertion.derived_from);
        evidence.push(with_turn(seen, Bearing::Premise, recorded)?);
    }
    evidence.sort_by_key(|item| (item.bearing, item.recorded.assertion.known_at, item.recorded.assertion.id));
    Ok(evidence)
}

/// Returns a statement with its turn.
pub(crate) fn with_turn(
    seen: &Seen<'_>,
    bearing: Bearing,
    recorded: Recorded,
) -> Result<Evidence, StoreError> {
    let episode = seen.snapshot().episode(recorded.assertion.source.episode)?;
    Ok(Evidence { bearing, recorded, episode })
}

/// Returns a statement by its id, with its turn; `None` where the store has no such statement.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn statement(seen: &Seen<'_>, bearing: Bearing, id: AssertionId) -> Result<Option<Evidence>, StoreError> {
    let recorded = seen.snapshot().assertion(id)?;
    recorded.map(|recorded| with_turn(seen, bearing, recorded)).transpose()
}
