//! What becomes of a message: read, begun, answered, resolved.

use bygone_engine::store::{Decided, Place, Seen, Snapshot};
use bygone_engine::{Object, View};

use super::super::StateError;
use super::super::act::{Act, Actor};
use super::super::said::{required, text};
use super::super::short::named;
use super::send::{compose, words};
use super::{Draft, MESSAGE, Message, READ_BY, ReadMark, STATE, Status, known, representative};

/// The kind of an answer.
const REPLY: &str = "reply";

/// Decides on marking a message as read by the one who acts. One that is read already stays as it is.
///
/// # Errors
/// [`StateError::Missing`] where there is no such message; [`StateError`] where the store cannot be read.
pub fn read(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    id: &str,
) -> Result<Decided<Message>, StateError> {
    let seen = snapshot.seen(&View::LATEST)?;
    let mut message = known(&seen, id, place.at)?;
    let mut act = Act::new(by, place.at, format!("inbox: read {}", message.id));
    mark(&seen, &mut act, place, by, &mut message)?;
    Ok(Decided::record(act.into_recording(), message))
}

/// Decides on beginning with what a message asks for.
///
/// # Errors
/// [`StateError::Refused`] where it was sent to others, is resolved, or somebody else has begun; as [`read`].
pub fn start(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    id: &str,
) -> Result<Decided<Message>, StateError> {
    let seen = snapshot.seen(&View::LATEST)?;
    let mut message = known(&seen, id, place.at)?;
    let own = own_name(&seen, by)?;
    if !message.concerns(&own) {
        let to: Vec<String> = message.to.iter().chain(&message.cc).cloned().collect();
        return Err(refused(
            &message,
            &format!("was sent to {}: only they may begin with it", to.join(", ")),
        ));
    }
    match message.status {
        Status::Open => {}
        Status::InProgress if message.status_by.as_ref() == Some(&own) => {
            return Ok(Decided::nothing(message));
        }
        Status::InProgress => {
            let by = message.status_by.as_deref().unwrap_or("somebody else");
            return Err(refused(&message, &format!("is in progress: {by} has begun with it")));
        }
        Status::Resolved => return Err(refused(&message, "is resolved")),
    }
    let mut act = Act::new(by, place.at, format!("inbox: start {}", message.id));
    mark(&seen, &mut act, place, by, &mut message)?;
    turn(&mut act, place, own, &mut message, Status::InProgress)?;
    Ok(Decided::record(act.into_recording(), message))
}

/// Decides on resolving a message. One that is resolved already stays as it is.
///
/// # Errors
/// [`StateError::Refused`] where somebody else sent it; as [`read`].
pub fn close(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    id: &str,
) -> Result<Decided<Message>, StateError> {
    let seen = snapshot.seen(&View::LATEST)?;
    let mut message = known(&seen, id, place.at)?;
    let own = own_name(&seen, by)?;
    if message.from != own {
        let from = message.from.clone();
        return Err(refused(&message, &format!("was sent by {from}: only {from} may close it, not {own}")));
    }
    if message.status == Status::Resolved {
        return Ok(Decided::nothing(message));
    }
    let mut act = Act::new(by, place.at, format!("inbox: close {}", message.id));
    turn(&mut act, place, own, &mut message, Status::Resolved)?;
    Ok(Decided::record(act.into_recording(), message))
}

/// Decides on answering a message: to who sent it, or, where that is the one who acts, to whom it was sent; who was to
/// know of it knows of the answer. Who answers has read it.
///
/// # Errors
/// [`StateError::Name`] where the answer says nothing; as [`read`].
pub fn reply(
    snapshot: &Snapshot<'_>,
    place: Place,
    by: &Actor,
    id: &str,
    body: &str,
) -> Result<Decided<Message>, StateError> {
    let seen = snapshot.seen(&View::LATEST)?;
    let mut original = known(&seen, id, place.at)?;
    let own = own_name(&seen, by)?;
    let is_own = original.from == own;
    let to = if is_own { original.to.clone() } else { vec![original.from.clone()] };
    let cc = original.cc.iter().filter(|one| **one != own).cloned().collect();
    let body = required("the answer", body)?;
    let subject = match original.subject.as_str() {
        "" => String::new(),
        subject if subject.starts_with("Re: ") => subject.to_owned(),
        subject => format!("Re: {subject}"),
    };
    let draft = Draft {
        kind: REPLY,
        to,
        cc,
        subject: &subject,
        body,
        priority: original.priority,
        ..Draft::default()
    };
    let mut act = Act::new(by, place.at, words(&draft));
    let answer = compose(&seen, &mut act, place, by, &draft, Some(&named(MESSAGE, id)?))?;
    if !is_own {
        mark(&seen, &mut act, place, by, &mut original)?;
    }
    Ok(Decided::record(act.into_recording(), answer))
}

/// Says that the one who acts has read a message, unless they had.
fn mark(
    seen: &Seen<'_>,
    act: &mut Act<'_>,
    place: Place,
    by: &Actor,
    message: &mut Message,
) -> Result<(), StateError> {
    let own = own_name(seen, by)?;
    if !message.is_read_by(&own) {
        act.affirm(&named(MESSAGE, &message.id)?, READ_BY, "", Object::Entity(by.named()?));
        message.read_by.push(ReadMark { by: own, at: place.at });
    }
    Ok(())
}

/// Says that a message has another status.
fn turn(
    act: &mut Act<'_>,
    place: Place,
    own: String,
    message: &mut Message,
    status: Status,
) -> Result<(), StateError> {
    act.affirm(&named(MESSAGE, &message.id)?, STATE, "", text(status.name()));
    message.status = status;
    message.status_at = place.at;
    message.status_by = Some(own);
    message.is_overdue &= status != Status::Resolved;
    Ok(())
}

/// Returns the name of the one who acts as messages have it: that of their class.
fn own_name(seen: &Seen<'_>, by: &Actor) -> Result<String, StateError> {
    Ok(representative(seen, &by.named()?))
}

fn refused(message: &Message, why: &str) -> StateError {
    StateError::Refused(format!("the message {} {why}", message.id))
}
