//! Saying again what a fact says, as of now: for who has checked it.

use bygone_engine::store::{Decided, Place, Snapshot};
use bygone_engine::time::{Bound, Instant, Moment, Period};
use bygone_engine::{EndedBy, FactId, View};
use bygone_ontology::{Ontology, TemporalKind, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::StateError;
use super::act::{Act, Actor};
use crate::request::Request;
use crate::say::fact_text;
use crate::why::find;

/// A fact that was confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmed {
    /// The fact.
    pub fact: String,
    /// What it says.
    pub text: String,
    /// The statement that confirms it.
    pub statement: String,
    /// When.
    pub at: Instant,
    /// Who, as `type:Name`.
    pub by: String,
}

impl Confirmed {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        json!({
            "fact": self.fact,
            "text": self.text,
            "statement": self.statement,
            "at": self.at.to_rfc3339(),
            "by": self.by,
        })
    }
}

/// Decides on confirming a fact of the latest view: what it says is said again, in the own name of the one who acts, from
/// now on; up to its end where it has a term.
///
/// # Errors
/// [`StateError::Missing`] where there is no such fact; [`StateError::Refused`] where it has ended or has not begun;
/// [`StateError`] where the store cannot be read.
pub fn confirm(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    ontology: &Ontology,
    id: FactId,
) -> Result<Decided<Confirmed>, StateError> {
    let seen = snapshot.seen(&View::LATEST)?;
    let request = Request::present(place.at);
    let missing = || StateError::Missing(format!("there is no fact {id} in this view"));
    let row = find(&seen, ontology, &request, id)?.ok_or_else(missing)?;
    let text = fact_text(&row);
    let term = row.fact.validity.period().filter(|period| place.at < period.end());
    let Some(period) = term.filter(|_| row.verdict != Verdict::Ended) else {
        return Err(StateError::Refused(format!("the fact {id} has ended: {text}")));
    };
    if period.start() > place.at {
        return Err(StateError::Refused(format!("the fact {id} has not begun: {text}")));
    }
    let group = &row.group;
    let over = match ontology.get_or_open(&group.predicate).kind {
        // An occurrence said from now on would be another one.
        TemporalKind::Event => period,
        TemporalKind::State | TemporalKind::Rigid => {
            // A term is part of what was checked; a change or an end to come takes place whatever is said until then.
            let to = if row.fact.ended_by == Some(EndedBy::Bound) { period.to() } else { Bound::Open };
            let from = Bound::At(Moment::instant(place.at));
            Period::new(from, to).expect("what has not ended ends after now")
        }
    };
    let own = by.named()?;
    let mut act = Act::new(by, place.at, format!("confirmed: {text}")).with_authority(by.authority());
    let statement =
        act.affirm_over(&group.subject, &group.predicate, &group.key, row.fact.object.clone(), over);
    let confirmed = Confirmed {
        fact: id.to_string(),
        text,
        statement: statement.to_string(),
        at: place.at,
        by: own.to_string(),
    };
    Ok(Decided::record(act.into_recording(), confirmed))
}
