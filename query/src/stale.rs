//! What nobody checked: facts that have been presumed for longer than such things last, and conclusions from what fell.
//!
//! Nothing is kept of this: a fact is found stale when it is looked at, by its half-life and by its premises.

use bygone_engine::record::Recorded;
use bygone_engine::store::Seen;
use bygone_engine::time::{Bound, Granularity, Instant, Moment, Period, format_moment};
use bygone_engine::{Assertion, AssertionId, EntityRef, Fact, Polarity, StoreError};
use bygone_ontology::verdict::{ages_at, last_vouched};
use bygone_ontology::{Cardinality, Ontology, TemporalKind, Verdict, judged_instant};
use serde_json::{Value, json};

use crate::facts::{Filter, facts, facts_beside, premises_asked_at};
use crate::request::Request;
use crate::row::Row;
use crate::say::{object_text, statement_text};
use crate::timeline::timeline;

/// A statement on the way from a stale fact to the premise that broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The statement.
    pub id: AssertionId,
    /// What it says; nothing where the view does not see it.
    pub text: Option<String>,
}

/// What became of a premise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fall {
    /// Something else took its place, or, where it denies, what it denies is so.
    Replaced {
        /// What is so instead.
        by: String,
    },
    /// It is so no longer.
    Ended,
    /// It was taken back: it was never so.
    TakenBack,
    /// The view does not see it.
    NotSeen,
}

/// Why a fact ought to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It has been presumed for longer than its half-life.
    Aging {
        /// When it was last confirmed.
        last_confirmed: Instant,
        /// The half-life.
        half_life_days: u32,
    },
    /// Everything that it was concluded from fell.
    Premise {
        /// From the statement that supports it down to the premise that broke.
        path: Vec<Step>,
        /// What became of that premise.
        fall: Fall,
    },
}

/// A fact that ought to be checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Stale {
    /// The fact.
    pub row: Row,
    /// Since when it ought to be.
    pub since: Instant,
    /// Why.
    pub reason: Reason,
}

impl Stale {
    /// Says why it ought to be checked.
    pub fn reason_text(&self) -> String {
        match &self.reason {
            Reason::Aging { last_confirmed, half_life_days } => format!(
                "last confirmed {}, half-life {half_life_days} days: aging since {}",
                day_text(*last_confirmed),
                day_text(self.since),
            ),
            Reason::Premise { path, fall } => {
                let premises = path.iter().skip(1).map(|step| match &step.text {
                    Some(text) => format!("\"{text}\""),
                    None => step.id.to_string(),
                });
                let premises: Vec<String> = premises.collect();
                let since = day_text(self.since);
                let fall = match fall {
                    Fall::Replaced { by } => format!("which gave way to \"{by}\" on {since}"),
                    Fall::Ended => format!("which ended on {since}"),
                    Fall::TakenBack => format!("which was taken back on {since}"),
                    Fall::NotSeen => "which this view does not know".to_owned(),
                };
                format!("concluded from {}, {fall}", premises.join(", which was concluded from "))
            }
        }
    }

    /// Returns the JSON form, keys sorted: that of the fact, with why it ought to be checked.
    pub fn to_json(&self) -> Value {
        let mut json = self.row.to_json();
        json["stale_since"] = json!(self.since.to_rfc3339());
        json["reason"] = json!(self.reason_text());
        if let Reason::Premise { path, fall } = &self.reason {
            let step = |step: &Step| json!({ "assertion": step.id.to_string(), "text": step.text });
            let (fall, by) = match fall {
                Fall::Replaced { by } => ("replaced", Some(by)),
                Fall::Ended => ("ended", None),
                Fall::TakenBack => ("taken_back", None),
                Fall::NotSeen => ("not_seen", None),
            };
            json["premise"] = json!({
                "path": path.iter().map(step).collect::<Vec<_>>(),
                "fall": fall,
                "replaced_by": by,
            });
        }
        json
    }
}

/// Returns what nobody checked among the facts of a view, or among those about one entity: what ought to have been checked
/// earliest first.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn stale(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    about: Option<&EntityRef>,
) -> Result<Vec<Stale>, StoreError> {
    let rows = match about {
        Some(entity) => timeline(seen, ontology, request, entity)?,
        None => facts(seen, ontology, request, &Filter::default())?,
    };
    let mut stale = Vec::new();
    for row in rows {
        stale.extend(why_stale(seen, ontology, request, row)?);
    }
    stale.sort_by_cached_key(|stale| (stale.since, stale.row.order()));
    Ok(stale)
}

/// Returns why a fact of a view ought to be checked; nothing where it need not.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn why_stale(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    row: Row,
) -> Result<Option<Stale>, StoreError> {
    match row.verdict {
        Verdict::Aging => {
            let judged = judged_instant(row.fact.validity, request.valid, request.now);
            let definition = ontology.get_or_open(&row.group.predicate);
            let due = ages_at(&row.fact, &definition, judged);
            let (Some(since), Some(half_life_days)) = (due, definition.half_life_days) else {
                return Ok(None);
            };
            let last_confirmed = last_vouched(&row.fact, judged);
            Ok(Some(Stale { row, since, reason: Reason::Aging { last_confirmed, half_life_days } }))
        }
        Verdict::StalePremise => {
            let at = premises_asked_at(&row.fact, request);
            let mut path = Vec::new();
            let mut last = None;
            for id in &row.broken_path {
                let recorded = seen.snapshot().assertion(*id)?.filter(|recorded| seen.sees(recorded));
                let text = recorded.as_ref().map(|recorded| statement_text(&recorded.assertion));
                path.push(Step { id: *id, text });
                last = recorded;
            }
            let (fall, since) = match last {
                Some(Recorded { assertion, .. }) => fell(seen, ontology, &assertion, at)?,
                None => (Fall::NotSeen, row.fact.last_confirmed),
            };
            Ok(Some(Stale { row, since, reason: Reason::Premise { path, fall } }))
        }
        Verdict::Planned
        | Verdict::Superseded
        | Verdict::Contested
        | Verdict::Ended
        | Verdict::Presumed
        | Verdict::Stated => Ok(None),
    }
}

/// Says what became of a premise that is broken at an instant, and when.
fn fell(
    seen: &Seen<'_>,
    ontology: &Ontology,
    premise: &Assertion,
    at: Instant,
) -> Result<(Fall, Instant), StoreError> {
    let facts = facts_beside(seen, premise)?;
    let definition = ontology.get_or_open(&premise.predicate);
    let is_alone = definition.kind != TemporalKind::Event && definition.cardinality == Cardinality::One;
    let is_its_object =
        |fact: &Fact| premise.object.as_ref().is_none_or(|object| object.key() == fact.object.key());
    // Of several at a time, another one takes nobody's place.
    let instead = facts.iter().find(|fact| {
        let holds = fact.validity.period().is_some_and(|period| period.contains(at));
        holds && (is_its_object(fact) || (is_alone && premise.polarity == Polarity::Affirm))
    });
    let own = facts.iter().filter(|fact| fact.support.binary_search(&premise.id).is_ok());
    let last_end = own.filter_map(|fact| match fact.validity.period()?.to() {
        Bound::At(moment) if moment.at <= at => Some(moment.at),
        Bound::At(_) | Bound::Open => None,
    });
    Ok(match (instead, last_end.max()) {
        (Some(fact), ended) => {
            let start = fact.validity.period().map_or(fact.known_from, Period::start);
            let since = ended.unwrap_or(start.max(fact.known_from));
            (Fall::Replaced { by: object_text(&fact.object) }, since)
        }
        (None, Some(ended)) => (Fall::Ended, ended),
        (None, None) => (Fall::TakenBack, last_told(seen, premise)?),
    })
}

/// When something was last said in the group of a statement.
fn last_told(seen: &Seen<'_>, premise: &Assertion) -> Result<Instant, StoreError> {
    let group = seen.group(&premise.subject, &premise.predicate, &premise.key)?;
    let said = group.map_or_else(|| Ok(Vec::new()), |group| seen.statements(&group))?;
    Ok(said.last().map_or(premise.known_at, |recorded| recorded.assertion.known_at))
}

/// Says the day of an instant.
fn day_text(instant: Instant) -> String {
    format_moment(Moment::new(Granularity::Day.floor(instant), Granularity::Day))
}
