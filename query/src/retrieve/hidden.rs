//! What would be found if the view had no limits, and what keeps it from being found.
//!
//! Says of what is hidden where it stands and why, never what it says: whoever asks in a view is told nothing that the
//! view does not see.

use std::collections::BTreeSet;

use bygone_engine::time::{Instant, format_instant};
use bygone_engine::{Hiding, StoreError, ValidTime, View};
use serde_json::{Value, json};

use super::found::{Found, Item};
use super::{Kind, Ranked, Sought};
use crate::facts::group_rows;
use crate::request::Request;
use crate::row::Row;

/// What keeps something from being found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// The view does not see what was said.
    View(Hiding),
    /// It is a plan, and plans are not asked for.
    Planned,
    /// It is believed no more, and what was is not asked for.
    Superseded,
    /// It is not so at the valid time asked about.
    OtherTime,
    /// What the view sees amounts to something else.
    NotBelieved,
}

impl Why {
    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Why::View(hiding) => hiding.name(),
            Why::Planned => "planned",
            Why::Superseded => "superseded",
            Why::OtherTime => "other_valid_time",
            Why::NotBelieved => "not_believed",
        }
    }
}

/// Something that the view hides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Its place among all that is found without limits, from 1.
    pub rank: usize,
    /// What it is.
    pub kind: Kind,
    /// Its id.
    pub id: String,
    /// The session in which it was said, where that is known.
    pub session: Option<String>,
    /// Its place in the session.
    pub turn: Option<u64>,
    /// When it was said.
    pub time: Option<Instant>,
    /// What hides it.
    pub why: Why,
}

impl Hidden {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        json!({
            "rank": self.rank,
            "kind": self.kind.name(),
            "id": self.id,
            "session": self.session,
            "turn": self.turn,
            "time": self.time.map(format_instant),
            "why": self.why.name(),
        })
    }
}

/// How many of the first are looked at, at most: a context takes hundreds, and who reads them looks at a few.
const MOST: usize = 10;

/// Returns what would be among the first without the limits of the view and the request, best first.
pub(super) fn hidden(sought: &Sought<'_>) -> Result<Vec<Hidden>, StoreError> {
    let open = Request {
        view: View::LATEST,
        valid: ValidTime::All,
        history: true,
        planned: true,
        now: sought.request.now,
    };
    if *sought.request == open {
        return Ok(Vec::new());
    }
    let seen = sought.seen.snapshot().seen(&open.view)?;
    let n_wanted = sought.n_wanted.min(MOST);
    let without_limits = Sought { seen: &seen, request: &open, n_wanted, ..*sought };
    let all = Ranked::of(&without_limits)?.found(&without_limits)?;
    let mut hidden = Vec::new();
    for (rank, found) in (1..).zip(all) {
        if let Some(why) = why(sought, &found)? {
            let turn = found.item.turn().map(|record| &record.episode);
            hidden.push(Hidden {
                rank,
                kind: found.item.kind(),
                id: found.item.id(),
                session: turn.map(|turn| turn.session.clone()),
                turn: turn.map(|turn| turn.position),
                time: turn.map(|turn| turn.time),
                why,
            });
        }
    }
    Ok(hidden)
}

fn why(sought: &Sought<'_>, found: &Found) -> Result<Option<Why>, StoreError> {
    match &found.item {
        Item::Turn(record) => Ok(sought.seen.hiding_of_turn(record).map(Why::View)),
        Item::Fact(row, _) => why_not_fact(sought, row),
    }
}

fn why_not_fact(sought: &Sought<'_>, row: &Row) -> Result<Option<Why>, StoreError> {
    let Sought { seen, ontology, request, .. } = *sought;
    let mut hidings = BTreeSet::new();
    let (mut is_seen, mut is_of_other) = (false, false);
    for id in &row.fact.support {
        if let Some(recorded) = seen.snapshot().assertion(*id)? {
            let hiding = seen.hiding(&recorded);
            is_seen |= hiding.is_none();
            is_of_other |= *seen.identity().representative(&recorded.assertion.subject) != row.group.subject;
            hidings.extend(hiding);
        }
    }
    if let (false, Some(hiding)) = (is_seen, hidings.first()) {
        return Ok(Some(Why::View(*hiding)));
    }
    let all = Request { history: true, planned: true, ..request.clone() };
    for group in seen.groups_of(&row.group.subject)? {
        if (&group.predicate, &group.key) != (&row.group.predicate, &row.group.key) {
            continue;
        }
        let rows = group_rows(seen, ontology, &all, &group)?;
        let is_plan = |row: &Row| row.verdict == bygone_ontology::Verdict::Planned;
        let same = |one: &&Row| one.id == row.id && is_plan(one) == is_plan(row);
        if let Some(here) = rows.iter().find(same) {
            return Ok(match here {
                here if is_plan(here) && !request.planned => Some(Why::Planned),
                here if here.known_to.is_some() && !request.history => Some(Why::Superseded),
                here if !request.valid.selects(here.fact.validity) => Some(Why::OtherTime),
                _ => None,
            });
        }
    }
    // It may be a fact only by what the view does not see: that two are one, or more of what it rests on.
    if is_of_other {
        hidings.extend(seen.snapshot().identity_statements()?.iter().filter_map(|one| seen.hiding(one)));
    }
    Ok(Some(hidings.first().map_or(Why::NotBelieved, |hiding| Why::View(*hiding))))
}
