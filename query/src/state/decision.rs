//! Decisions: what was chosen on a topic, why, and what else was thought of.
//!
//! Those who work in a space decide as one, `team:space`: a later decision on a topic takes the place of the earlier one,
//! whoever made either. But what the user decided stays until the user decides otherwise: what an agent would choose
//! since then is kept beside it as a proposal. Reasons and alternatives are statements known at the instant of the decision.

use std::collections::BTreeSet;

use bygone_engine::record::Recorded;
use bygone_engine::store::{Decided, GroupView, Place, Seen, Snapshot};
use bygone_engine::time::Instant;
use bygone_engine::{Assertion, Authority, Object, Polarity, View};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::StateError;
use super::act::{Act, Actor};
use super::said::{everybody, field, json_object, json_of, required, text, topic};
use super::stands::{all_standing, stands};

/// The predicate of what is decided on a topic.
pub(crate) const DECIDED: &str = "decided";
/// The predicate of why.
const BECAUSE: &str = "decided_because";
/// The predicate of what else was thought of.
const AGAINST: &str = "decided_against";
/// The predicate of what an agent would choose otherwise than the user did.
const PROPOSED: &str = "decision_proposed";

/// A decision to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<'a> {
    /// What it is about.
    pub topic: &'a str,
    /// What is chosen.
    pub choice: &'a str,
    /// Why.
    pub because: &'a str,
    /// What else was thought of.
    pub over: Vec<String>,
}

/// What took the place of a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Successor {
    /// What was chosen.
    pub choice: String,
    /// By whom, as `type:Name`.
    pub by: Option<String>,
    /// When.
    pub at: Instant,
}

/// What an agent would choose otherwise than the user decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// What it would choose.
    pub choice: String,
    /// Why.
    pub because: String,
    /// Who, as `type:Name`.
    pub by: Option<String>,
    /// Since when.
    pub at: Instant,
}

/// A decision as it stands at an instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// What it is about.
    pub topic: String,
    /// What was chosen.
    pub choice: String,
    /// Why; empty where nobody said.
    pub because: String,
    /// What else was thought of, in order.
    pub over: Vec<String>,
    /// Who decided, as `type:Name`.
    pub by: Option<String>,
    /// Whose word it is.
    pub authority: Authority,
    /// When.
    pub at: Instant,
    /// The statement that says so.
    pub statement: String,
    /// Whether it is in force.
    pub is_in_force: bool,
    /// What took its place; nothing where it is in force, or was only taken back.
    pub superseded_by: Option<Successor>,
    /// What agents have said since that they would choose otherwise; of a decision in force.
    pub proposed: Vec<Proposal>,
}

impl Decision {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        let successor =
            |next: &Successor| json!({ "choice": next.choice, "by": next.by, "at": next.at.to_rfc3339() });
        let proposal = |proposal: &Proposal| {
            json!({
                "choice": proposal.choice,
                "because": proposal.because,
                "by": proposal.by,
                "at": proposal.at.to_rfc3339(),
            })
        };
        json!({
            "topic": self.topic,
            "choice": self.choice,
            "because": self.because,
            "over": self.over,
            "by": self.by,
            "authority": self.authority,
            "at": self.at.to_rfc3339(),
            "statement": self.statement,
            "in_force": self.is_in_force,
            "superseded_by": self.superseded_by.as_ref().map(successor),
            "proposed": self.proposed.iter().map(proposal).collect::<Vec<_>>(),
        })
    }
}

/// What deciding came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decides {
    /// The choice is in force.
    InForce(Decision),
    /// The user decided otherwise, which stays in force; the choice is kept beside it as a proposal.
    Proposed(Decision),
}

/// Decides on making a decision.
///
/// # Errors
/// [`StateError::Name`] where the topic, the choice or the reason is empty; [`StateError`] where the store cannot be read.
pub fn decide(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    choice: &Choice<'_>,
) -> Result<Decided<Decides>, StateError> {
    let seen = snapshot.seen(&View::LATEST)?;
    let topic = topic(choice.topic)?;
    let chosen = required("the choice", choice.choice)?;
    let because = required("the reason", choice.because)?;
    let over: BTreeSet<&str> =
        choice.over.iter().map(|other| required("an alternative", other)).collect::<Result<_, _>>()?;
    let team = everybody();
    let own = by.named()?;
    let object = text(chosen);
    let before = stands(&seen, &team, DECIDED, &topic, place.at)?.filter(|before| !before.has_ended);
    let authority = by.authority();
    let words = format!("decided on {topic}: {chosen}, because {because}");
    let mut act = Act::new(by, place.at, words).with_authority(authority);
    let stronger = before.filter(|before| before.authority.rank() > authority.rank());
    if stronger.as_ref().is_some_and(|before| before.object.key() != object.key()) {
        let proposal = json!({ "choice": chosen, "because": because });
        act.affirm(&team, PROPOSED, &topic, json_object(&proposal));
        let mut standing = in_force(&seen, &topic, place.at)?;
        let Some(mut decision) = standing.pop() else {
            return Err(StateError::Missing(format!("nothing is decided on {topic}")));
        };
        decision.proposed.push(Proposal {
            choice: chosen.to_owned(),
            because: because.to_owned(),
            by: Some(own.to_string()),
            at: place.at,
        });
        return Ok(Decided::record(act.into_recording(), Decides::Proposed(decision)));
    }
    let statement = act.affirm(&team, DECIDED, &topic, object);
    act.affirm(&team, BECAUSE, &topic, text(because));
    for predicate in [AGAINST, PROPOSED] {
        // Who agrees with the user settles nothing that others proposed.
        if stronger.is_none() && !all_standing(&seen, &team, predicate, &topic, place.at)?.is_empty() {
            act.deny(&team, predicate, &topic, None);
        }
    }
    for other in &over {
        act.affirm(&team, AGAINST, &topic, text(other));
    }
    let decision = Decision {
        choice: chosen.to_owned(),
        because: because.to_owned(),
        over: over.into_iter().map(str::to_owned).collect(),
        by: Some(own.to_string()),
        authority,
        at: place.at,
        statement: statement.to_string(),
        is_in_force: true,
        superseded_by: None,
        proposed: Vec::new(),
        topic,
    };
    Ok(Decided::record(act.into_recording(), Decides::InForce(decision)))
}

/// Returns the decisions that are in force at an instant, by topic: on one topic, or on all of them.
///
/// # Errors
/// [`StateError`] where the topic is none, or the store cannot be read.
pub fn decisions(seen: &Seen<'_>, on: Option<&str>, at: Instant) -> Result<Vec<Decision>, StateError> {
    let mut decisions = Vec::new();
    for topic in topics(seen, on)? {
        decisions.extend(in_force(seen, &topic, at)?);
    }
    Ok(decisions)
}

/// Returns every decision that was made by an instant, by topic and then in the order in which they were made.
///
/// # Errors
/// As [`decisions`].
pub fn decisions_made(seen: &Seen<'_>, on: Option<&str>, at: Instant) -> Result<Vec<Decision>, StateError> {
    let mut decisions = Vec::new();
    for topic in topics(seen, on)? {
        decisions.extend(made(seen, &topic, at)?);
    }
    Ok(decisions)
}

fn topics(seen: &Seen<'_>, on: Option<&str>) -> Result<Vec<String>, StateError> {
    if let Some(on) = on {
        return Ok(vec![topic(on)?]);
    }
    let groups = seen.groups_of(&everybody())?.into_iter();
    Ok(groups.filter(|group| group.predicate == DECIDED).map(|group| group.key).collect())
}

/// The decision in force: of those that say the same, the one of the strongest word, and of these the last.
fn in_force(seen: &Seen<'_>, topic: &str, at: Instant) -> Result<Vec<Decision>, StateError> {
    let standing = made(seen, topic, at)?.into_iter().filter(|decision| decision.is_in_force);
    let strongest = standing.max_by_key(|decision| (decision.authority.rank(), decision.at));
    let mut decisions: Vec<Decision> = strongest.into_iter().collect();
    for decision in &mut decisions {
        decision.proposed = proposals(seen, topic, at)?;
    }
    Ok(decisions)
}

fn made(seen: &Seen<'_>, topic: &str, at: Instant) -> Result<Vec<Decision>, StateError> {
    let Some(group) = seen.group(&everybody(), DECIDED, topic)? else { return Ok(Vec::new()) };
    let facts = seen.facts(&group)?;
    let holding = facts.iter().find(|fact| fact.validity.period().is_some_and(|period| period.contains(at)));
    let is_choice = |recorded: &Recorded| {
        let assertion = &recorded.assertion;
        assertion.counts() && assertion.polarity == Polarity::Affirm && assertion.known_at <= at
    };
    let mut statements = seen.statements(&group)?;
    statements.retain(is_choice);
    let mut decisions = Vec::new();
    for (place, Recorded { assertion, .. }) in statements.iter().enumerate() {
        let is_in_force = holding.is_some_and(|fact| fact.support.binary_search(&assertion.id).is_ok());
        let next = statements[place + 1..].iter().find(|next| key(&next.assertion) != key(assertion));
        let superseded_by = next.filter(|_| !is_in_force).map(|next| Successor {
            choice: words(&next.assertion),
            by: asserter(&next.assertion),
            at: next.assertion.known_at,
        });
        decisions.push(Decision {
            topic: topic.to_owned(),
            choice: words(assertion),
            because: beside(seen, BECAUSE, topic, assertion)?.pop().unwrap_or_default(),
            over: beside(seen, AGAINST, topic, assertion)?,
            by: asserter(assertion),
            authority: assertion.authority,
            at: assertion.known_at,
            statement: assertion.id.to_string(),
            is_in_force,
            superseded_by,
            proposed: Vec::new(),
        });
    }
    Ok(decisions)
}

/// What was said beside a decision, in order: known when it was, by the same one.
fn beside(
    seen: &Seen<'_>,
    predicate: &str,
    topic: &str,
    decision: &Assertion,
) -> Result<Vec<String>, StateError> {
    let group: Option<GroupView> = seen.group(&decision.subject, predicate, topic)?;
    let Some(group) = group else { return Ok(Vec::new()) };
    let said = seen.said_at(&group, decision.known_at)?;
    let is_beside = |assertion: &Assertion| {
        assertion.polarity == Polarity::Affirm && assertion.source.asserter == decision.source.asserter
    };
    let mut texts: Vec<String> =
        said.iter().map(|recorded| &recorded.assertion).filter(|a| is_beside(a)).map(words).collect();
    texts.sort();
    Ok(texts)
}

fn proposals(seen: &Seen<'_>, topic: &str, at: Instant) -> Result<Vec<Proposal>, StateError> {
    let standing = all_standing(seen, &everybody(), PROPOSED, topic, at)?;
    let proposal = |standing: &super::Standing| {
        let content = json_of(&standing.object);
        Proposal {
            choice: field(&content, "choice"),
            because: field(&content, "because"),
            by: standing.by(),
            at: standing.at,
        }
    };
    Ok(standing.iter().map(proposal).collect())
}

fn key(assertion: &Assertion) -> Option<bygone_engine::object::ObjectKey> {
    assertion.object.as_ref().map(Object::key)
}

fn words(assertion: &Assertion) -> String {
    match &assertion.object {
        Some(Object::Text(text)) => text.clone(),
        Some(other) => other.canonical(),
        None => String::new(),
    }
}

fn asserter(assertion: &Assertion) -> Option<String> {
    assertion.source.asserter.as_ref().map(ToString::to_string)
}
