//! Sending a message.

use std::collections::BTreeSet;

use bygone_engine::store::{Decided, Place, Seen, Snapshot};
use bygone_engine::time::Moment;
use bygone_engine::{EntityRef, Object, View};
use serde_json::json;

use super::super::act::{Act, Actor};
use super::super::said::{json_object, text};
use super::super::short::unused;
use super::super::{StateError, party};
use super::{
    COPIED_TO, DUE, HAND_OVER, HandOver, MESSAGE, Message, PRIORITY, Priority, REPLY_TO, SAYS, SENT_BY,
    SENT_TO, STATE, Status,
};

/// A message to send.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft<'a> {
    /// What it is: `request`, `report`, `question`, any word in lower case.
    pub kind: &'a str,
    /// Whom it is for: names of agents, or `type:Name`.
    pub to: Vec<String>,
    /// Who is to know of it.
    pub cc: Vec<String>,
    /// What it is about.
    pub subject: &'a str,
    /// What it says.
    pub body: &'a str,
    /// How urgent it is.
    pub priority: Priority,
    /// When it is to be dealt with.
    pub due: Option<Moment>,
    /// The parts of a hand-over; there where the kind is that, and only there.
    pub handover: Option<HandOver>,
}

/// Decides on sending a message.
///
/// # Errors
/// [`StateError::Name`] where it is for nobody, says nothing, or lacks a part; [`StateError`] where the store cannot be
/// read.
pub fn send(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    draft: &Draft<'_>,
) -> Result<Decided<Message>, StateError> {
    let seen = snapshot.seen(&View::LATEST)?;
    let mut act = Act::new(by, place.at, words(draft));
    let message = compose(&seen, &mut act, place, by, draft, None)?;
    Ok(Decided::record(act.into_recording(), message))
}

/// Says in an act that a message is sent, as the answer to another one where that is given.
pub(super) fn compose(
    seen: &Seen<'_>,
    act: &mut Act<'_>,
    place: Place,
    by: &Actor,
    draft: &Draft<'_>,
    reply_to: Option<&EntityRef>,
) -> Result<Message, StateError> {
    let (kind, subject, body) = (draft.kind, draft.subject.trim(), draft.body.trim());
    check(draft)?;
    let from = by.named()?;
    let to = parties(&draft.to)?;
    let cc: BTreeSet<EntityRef> = parties(&draft.cc)?.difference(&to).cloned().collect();
    if to.is_empty() {
        return Err(StateError::Name(
            "the message is for nobody: expected somebody it is sent to".to_owned(),
        ));
    }
    let mut content = json!({ "kind": kind, "subject": subject, "body": body });
    if let Some(handover) = &draft.handover {
        content[HAND_OVER] = handover.to_json();
    }
    let sender = from.to_string();
    let sent_at = place.at.to_rfc3339();
    let names: Vec<String> = to.iter().map(ToString::to_string).collect();
    let said = content.to_string();
    let parts = [sender.as_str(), sent_at.as_str(), said.as_str()];
    let entity = unused(seen, MESSAGE, SAYS, parts.into_iter().chain(names.iter().map(String::as_str)))?;
    act.affirm(&entity, SAYS, "", json_object(&content));
    act.affirm(&entity, SENT_BY, "", Object::Entity(from));
    for one in &to {
        act.affirm(&entity, SENT_TO, "", Object::Entity(one.clone()));
    }
    for one in &cc {
        act.affirm(&entity, COPIED_TO, "", Object::Entity(one.clone()));
    }
    act.affirm(&entity, STATE, "", text(Status::Open.name()));
    act.affirm(&entity, PRIORITY, "", text(draft.priority.name()));
    if let Some(due) = draft.due {
        act.affirm(&entity, DUE, "", Object::Instant(due));
    }
    if let Some(original) = reply_to {
        act.affirm(&entity, REPLY_TO, "", Object::Entity(original.clone()));
    }
    Ok(Message {
        id: entity.name().to_owned(),
        kind: kind.to_owned(),
        subject: subject.to_owned(),
        body: body.to_owned(),
        handover: draft.handover.clone(),
        from: sender.clone(),
        to: names,
        cc: cc.iter().map(ToString::to_string).collect(),
        sent_at: place.at,
        status: Status::Open,
        status_at: place.at,
        status_by: Some(sender),
        priority: draft.priority,
        due: draft.due,
        is_overdue: draft.due.is_some_and(|due| due.end() <= place.at),
        reply_to: reply_to.map(|original| original.name().to_owned()),
        read_by: Vec::new(),
    })
}

/// Returns the words in which the sending is quoted.
pub(super) fn words(draft: &Draft<'_>) -> String {
    let about = if draft.subject.trim().is_empty() { draft.body } else { draft.subject };
    format!("inbox: {} to {}: {}", draft.kind, draft.to.join(", "), about.trim())
}

fn check(draft: &Draft<'_>) -> Result<(), StateError> {
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    if draft.kind.is_empty() || !draft.kind.chars().all(is_word) {
        return Err(StateError::Name(format!(
            "{:?} is no kind of message: expected a word in lower case, such as request",
            draft.kind
        )));
    }
    match &draft.handover {
        Some(handover) => handover.check(),
        None if draft.kind == HAND_OVER => HandOver::default().check(),
        None if draft.subject.trim().is_empty() && draft.body.trim().is_empty() => {
            Err(StateError::Name("the message says nothing: expected a subject or a body".to_owned()))
        }
        None => Ok(()),
    }
}

fn parties(names: &[String]) -> Result<BTreeSet<EntityRef>, StateError> {
    names.iter().map(|name| party(name)).collect()
}
