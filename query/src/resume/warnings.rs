//! What the packet shows and nobody checked, and conclusions anywhere in the space that stand on what fell.
//!
//! Only groups that the packet shows are looked at for age, and conclusions by what they stand on: `bygone stale` walks the
//! whole space.

use std::collections::BTreeSet;

use bygone_engine::store::{GroupView, Seen};
use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, FactId};
use bygone_ontology::Ontology;
use serde_json::{Value, json};

use super::Packet;
use super::aim::Origin;
use super::changes::FILE_STATE;
use super::failures::{TEST_STATUS, What};
use super::progress::{CURSOR, Progress};
use super::todos::HAS_STATUS;
use crate::facts::judge;
use crate::request::Request;
use crate::say::fact_text;
use crate::stale::{Stale, why_stale};
use crate::state::StateError;
use crate::state::decision::DECIDED;
use crate::state::task::{DOING, NEXT, OBJECTIVE};

/// Conclusions that are looked at.
const MOST_CONCLUSIONS: usize = 500;

/// A fact that ought to be checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// The fact.
    pub fact: FactId,
    /// What it says.
    pub text: String,
    /// Its verdict: `aging` or `stale_premise`.
    pub verdict: &'static str,
    /// Since when it ought to be checked.
    pub since: Instant,
    /// Why, in words.
    pub reason: String,
    /// What the packet shows it as, where it does.
    pub shown_as: Option<String>,
}

impl Warning {
    fn of(stale: &Stale, shown_as: Option<String>) -> Warning {
        Warning {
            fact: stale.row.id,
            text: fact_text(&stale.row),
            verdict: stale.row.verdict.name(),
            since: stale.since,
            reason: stale.reason_text(),
            shown_as,
        }
    }

    pub(super) fn to_json(&self) -> Value {
        json!({
            "fact": self.fact.to_string(),
            "text": self.text,
            "verdict": self.verdict,
            "since": self.since.to_rfc3339(),
            "reason": self.reason,
            "shown": self.shown_as.is_some(),
            "evidence": [self.fact.to_string()],
        })
    }
}

/// Returns what of a packet ought to be checked, as it stands there, and then what else was concluded from what fell.
pub(super) fn warnings(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    packet: &Packet,
    at: Instant,
) -> Result<Vec<Warning>, StateError> {
    let mut warnings = Vec::new();
    let mut told = BTreeSet::new();
    for (subject, predicate, key) in shown(packet)? {
        let Some(group) = seen.group(&subject, predicate, &key)? else { continue };
        let Some(fact) = seen.last_fact_by(&group, at)? else { continue };
        let row = judge(seen, ontology, request, &group, fact)?;
        if let Some(stale) = why_stale(seen, ontology, request, row)?
            && told.insert(stale.row.id)
        {
            // What a list says of a todo is not how it stands.
            let todo = packet.todos.iter().find(|todo| todo.task == subject.to_string());
            let todo = todo.map(|todo| format!("todo {:?}", todo.text));
            let words = |group: &GroupView| {
                let key = if group.key.is_empty() { String::new() } else { format!(" ({})", group.key) };
                format!("{} of {}{key}", group.predicate.replace('_', " "), group.subject.name())
            };
            let shown_as = todo.clone().unwrap_or_else(|| words(&group));
            let mut warning = Warning::of(&stale, Some(shown_as));
            warning.text = todo.unwrap_or(warning.text);
            warnings.push(warning);
        }
    }
    for stale in conclusions(seen, ontology, request)? {
        if told.insert(stale.row.id) {
            warnings.push(Warning::of(&stale, None));
        }
    }
    Ok(warnings)
}

/// Returns the groups that a packet shows, in its order.
fn shown(packet: &Packet) -> Result<Vec<(EntityRef, &'static str, String)>, StateError> {
    let agent = crate::state::party(&format!("agent:{}", packet.agent))?;
    let mut groups: Vec<(EntityRef, &'static str, String)> = Vec::new();
    let mut show = |subject: Result<EntityRef, _>, predicate, key: &str| {
        groups.extend(subject.ok().map(|subject: EntityRef| (subject, predicate, key.to_owned())));
    };
    let noted = packet.objective.iter().chain(&packet.next).any(|aim| aim.origin == Origin::Recorded);
    for predicate in [OBJECTIVE, DOING, NEXT] {
        if noted {
            show(Ok(agent.clone()), predicate, "");
        }
    }
    for decision in &packet.decisions {
        show(EntityRef::new("team", "space"), DECIDED, &decision.topic);
    }
    for change in &packet.changes {
        show(EntityRef::new("file", &change.path), FILE_STATE, "");
    }
    for failure in packet.failures.iter().filter(|failure| failure.what == What::Tests) {
        let suite = failure.place.as_deref().unwrap_or_default();
        show(EntityRef::new("suite", suite), TEST_STATUS, &failure.text);
    }
    for todo in &packet.todos {
        show(EntityRef::parse(&todo.task), HAS_STATUS, "");
    }
    for progress in &packet.progress {
        if let Progress::Cursor(cursor) = progress {
            show(Ok(agent.clone()), CURSOR, &cursor.list);
        }
    }
    Ok(groups)
}

/// Returns the conclusions that stand on what fell, those that ought to have been checked earliest first.
fn conclusions(seen: &Seen<'_>, ontology: &Ontology, request: &Request) -> Result<Vec<Stale>, StateError> {
    let ids = seen.snapshot().conclusions(MOST_CONCLUSIONS)?;
    let said = seen.statements_by_id(&ids)?;
    let groups: BTreeSet<(EntityRef, String, String)> = said
        .into_iter()
        .map(|recorded| recorded.assertion)
        .map(|assertion| (assertion.subject, assertion.predicate, assertion.key))
        .collect();
    let mut stale = Vec::new();
    for (subject, predicate, key) in groups {
        let group: Option<GroupView> = seen.group(&subject, &predicate, &key)?;
        let Some(group) = group else { continue };
        for fact in seen.facts(&group)? {
            if request.valid.selects(fact.validity) && fact.known_from <= request.now {
                let row = judge(seen, ontology, request, &group, fact)?;
                if !row.broken_path.is_empty() {
                    stale.extend(why_stale(seen, ontology, request, row)?);
                }
            }
        }
    }
    stale.sort_by_cached_key(|stale| (stale.since, stale.row.order()));
    Ok(stale)
}
