//! How something stands at an instant: the last value that a group took by then, and the statement that vouches for it.

use bygone_engine::record::Recorded;
use bygone_engine::store::{GroupView, Seen};
use bygone_engine::time::{Bound, Instant, Period};
use bygone_engine::{AssertionId, Authority, EntityRef, Fact, Object, Polarity, StoreError};

/// A value that something has, or had last.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The value.
    pub object: Object,
    /// The commit of the statement that vouches for it last.
    pub seq: u64,
    /// When that statement was known.
    pub at: Instant,
    /// When it began to be so.
    pub since: Instant,
    /// When it ends or ended; nothing where that is open.
    pub until: Option<Instant>,
    /// Until when the statement that vouches for it last says that it is so; nothing where that is open.
    pub said_until: Option<Instant>,
    /// Whether it has ended by the instant asked about.
    pub has_ended: bool,
    /// The agent that said so last.
    pub agent: Option<String>,
    /// The session in which it was said last.
    pub session: String,
    /// Who said so last.
    pub asserter: Option<EntityRef>,
    /// The strongest authority of those who said so.
    pub authority: Authority,
    /// The statement that vouches for it last.
    pub statement: AssertionId,
}

impl Standing {
    /// Returns who said so last, as `type:Name`.
    pub fn by(&self) -> Option<String> {
        self.asserter.as_ref().map(ToString::to_string)
    }

    /// Returns the value as a text, other values in their canonical form.
    pub fn text(&self) -> String {
        match &self.object {
            Object::Text(text) => text.clone(),
            other => other.canonical(),
        }
    }
}

/// Returns the value that started last by an instant, of the group that a subject, a predicate and a key name.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn stands(
    seen: &Seen<'_>,
    subject: &EntityRef,
    predicate: &str,
    key: &str,
    at: Instant,
) -> Result<Option<Standing>, StoreError> {
    let Some(group) = seen.group(subject, predicate, key)? else { return Ok(None) };
    let Some(fact) = seen.last_fact_by(&group, at)? else { return Ok(None) };
    vouched(seen, &group, fact, at)
}

/// Returns everything that stands at an instant in the group that a subject, a predicate and a key name, in the order in
/// which it began, and by value.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn all_standing(
    seen: &Seen<'_>,
    subject: &EntityRef,
    predicate: &str,
    key: &str,
    at: Instant,
) -> Result<Vec<Standing>, StoreError> {
    let Some(group) = seen.group(subject, predicate, key)? else { return Ok(Vec::new()) };
    let mut standing = Vec::new();
    for fact in seen.facts(&group)? {
        if fact.validity.period().is_some_and(|period| period.contains(at)) {
            standing.extend(vouched(seen, &group, fact, at)?);
        }
    }
    standing.sort_by_cached_key(|standing: &Standing| (standing.since, standing.object.canonical()));
    Ok(standing)
}

/// Returns a fact with the statement that vouches for it last; nothing where it is undated.
fn vouched(
    seen: &Seen<'_>,
    group: &GroupView,
    fact: Fact,
    at: Instant,
) -> Result<Option<Standing>, StoreError> {
    let Some(period) = fact.validity.period() else { return Ok(None) };
    let vouches = |recorded: &Recorded| {
        let assertion = &recorded.assertion;
        assertion.polarity == Polarity::Affirm && fact.support.binary_search(&assertion.id).is_ok()
    };
    let said = seen.said_at(group, fact.last_confirmed)?;
    let Some(last) = said.iter().rfind(|recorded| vouches(recorded)) else { return Ok(None) };
    let until = end(period);
    Ok(Some(Standing {
        seq: last.seq,
        at: last.assertion.known_at,
        since: period.start(),
        until,
        said_until: last.assertion.validity.period().and_then(end),
        has_ended: until.is_some_and(|until| until <= at),
        agent: last.assertion.source.agent.clone(),
        session: last.assertion.source.session.clone(),
        asserter: last.assertion.source.asserter.clone(),
        authority: fact.authority,
        statement: last.assertion.id,
        object: fact.object,
    }))
}

fn end(period: Period) -> Option<Instant> {
    match period.to() {
        Bound::Open => None,
        Bound::At(moment) => Some(moment.at),
    }
}
