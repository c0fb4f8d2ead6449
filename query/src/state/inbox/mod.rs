//! Messages between agents, and people: what is asked, told and handed over, to whom, and whether it is done.
//!
//! A message is an entity, `message:ID`. What it says, who sent it and to whom are statements; how far it is dealt with is a
//! state, and so is who has read it. Nothing is deleted.
//!
//! ```text
//!        start (who it was sent to)      close (who sent it)
//! open ─────────────────────────▶ in progress ──────────────▶ resolved
//!   └──────────────────────────── close ─────────────────────────▲
//! ```

mod change;
mod handover;
mod list;
mod send;

use bygone_engine::store::Seen;
use bygone_engine::time::{Instant, Moment};
use bygone_engine::wire::valid_text;
use bygone_engine::{EntityRef, Object};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::StateError;
use super::said::{field, json_of};
use super::short::named;
use super::stands::{Standing, all_standing, stands};

pub use change::{close, read, reply, start};
pub use handover::HandOver;
pub use list::{Mailbox, Wanted, list};
pub use send::{Draft, send};

/// The type of a message.
const MESSAGE: &str = "message";
/// The predicate of what a message says.
const SAYS: &str = "message";
/// The predicate of who sent it.
const SENT_BY: &str = "sent_by";
/// The predicate of whom it is for.
const SENT_TO: &str = "sent_to";
/// The predicate of who is to know of it.
const COPIED_TO: &str = "copied_to";
/// The predicate of what it answers.
const REPLY_TO: &str = "reply_to";
/// The predicate of how far it is dealt with.
const STATE: &str = "message_state";
/// The predicate of who has read it.
const READ_BY: &str = "read_by";
/// The predicate of how urgent it is.
const PRIORITY: &str = "priority";
/// The predicate of when it is to be dealt with.
const DUE: &str = "due";
/// The kind of a message that hands work over.
pub const HAND_OVER: &str = "handover";

/// How far a message is dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nobody has begun.
    Open,
    /// Somebody it was sent to has begun.
    InProgress,
    /// Who sent it says that it is done.
    Resolved,
}

impl Status {
    /// Every status, in the order in which a message goes through them.
    pub const ALL: [Status; 3] = [Status::Open, Status::InProgress, Status::Resolved];

    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::InProgress => "in_progress",
            Status::Resolved => "resolved",
        }
    }

    /// Returns the status of a name.
    pub fn from_name(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// How urgent a message is, least first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// It can wait.
    Low,
    /// As others.
    #[default]
    Normal,
    /// Before others.
    High,
    /// At once.
    Urgent,
}

impl Priority {
    /// Every priority, least first.
    pub const ALL: [Priority; 4] = [Priority::Low, Priority::Normal, Priority::High, Priority::Urgent];

    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Priority::Low => "low",
            Priority::Normal => "normal",
            Priority::High => "high",
            Priority::Urgent => "urgent",
        }
    }

    /// Returns the priority of a name.
    pub fn from_name(name: &str) -> Option<Priority> {
        Priority::ALL.into_iter().find(|priority| priority.name() == name)
    }
}

/// That somebody has read a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadMark {
    /// Who, as `type:Name`.
    pub by: String,
    /// When first.
    pub at: Instant,
}

/// A message as it stands at an instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Its short name.
    pub id: String,
    /// What it is: a request, a report, a question, a hand-over; any word.
    pub kind: String,
    /// What it is about; may be empty.
    pub subject: String,
    /// What it says; may be empty where it has a subject.
    pub body: String,
    /// The parts of a hand-over.
    pub handover: Option<HandOver>,
    /// Who sent it, as `type:Name`.
    pub from: String,
    /// Whom it is for, as `type:Name`, in order.
    pub to: Vec<String>,
    /// Who is to know of it, as `type:Name`, in order.
    pub cc: Vec<String>,
    /// When it was sent.
    pub sent_at: Instant,
    /// How far it is dealt with.
    pub status: Status,
    /// Since when.
    pub status_at: Instant,
    /// Who said so, as `type:Name`.
    pub status_by: Option<String>,
    /// How urgent it is.
    pub priority: Priority,
    /// When it is to be dealt with.
    pub due: Option<Moment>,
    /// Whether that is over and it is not resolved.
    pub is_overdue: bool,
    /// The message that it answers.
    pub reply_to: Option<String>,
    /// Who has read it, in the order in which they did.
    pub read_by: Vec<ReadMark>,
}

impl Message {
    /// Says whether somebody, as `type:Name`, has read it.
    pub fn is_read_by(&self, reader: &str) -> bool {
        self.read_by.iter().any(|mark| mark.by == reader)
    }

    /// Says whether it is for somebody, as `type:Name`, or they are to know of it.
    pub fn concerns(&self, reader: &str) -> bool {
        self.to.iter().chain(&self.cc).any(|one| one == reader)
    }

    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        let marks = |mark: &ReadMark| json!({ "by": mark.by, "at": mark.at.to_rfc3339() });
        json!({
            "id": self.id,
            "kind": self.kind,
            "subject": self.subject,
            "body": self.body,
            "handover": self.handover.as_ref().map(HandOver::to_json),
            "from": self.from,
            "to": self.to,
            "cc": self.cc,
            "sent_at": self.sent_at.to_rfc3339(),
            "status": self.status.name(),
            "status_at": self.status_at.to_rfc3339(),
            "status_by": self.status_by,
            "priority": self.priority.name(),
            "due": self.due.map(valid_text),
            "overdue": self.is_overdue,
            "reply_to": self.reply_to,
            "read_by": self.read_by.iter().map(marks).collect::<Vec<_>>(),
        })
    }
}

/// Returns a message as it stands at an instant; nothing where it was not sent by then.
///
/// # Errors
/// [`StateError`] where the id is no name, or the store cannot be read.
pub fn get(seen: &Seen<'_>, id: &str, at: Instant) -> Result<Option<Message>, StateError> {
    message(seen, &named(MESSAGE, id)?, at)
}

/// Returns a message that there is.
fn known(seen: &Seen<'_>, id: &str, at: Instant) -> Result<Message, StateError> {
    get(seen, id, at)?.ok_or_else(|| StateError::Missing(format!("there is no message {id:?}")))
}

fn message(seen: &Seen<'_>, entity: &EntityRef, at: Instant) -> Result<Option<Message>, StateError> {
    let one = |predicate: &str| stands(seen, entity, predicate, "", at);
    let many = |predicate: &str| all_standing(seen, entity, predicate, "", at);
    let names = |standing: Vec<Standing>| {
        let mut names: Vec<String> = standing.iter().map(|one| name(&one.object)).collect();
        names.sort();
        names
    };
    let (Some(says), Some(sent_by)) = (one(SAYS)?, one(SENT_BY)?) else { return Ok(None) };
    let content = json_of(&says.object);
    let state = one(STATE)?;
    let status = state.as_ref().and_then(|state| Status::from_name(&state.text())).unwrap_or(Status::Open);
    let due = one(DUE)?.and_then(|due| match due.object {
        Object::Instant(moment) => Some(moment),
        _ => None,
    });
    let priority = one(PRIORITY)?.and_then(|priority| Priority::from_name(&priority.text()));
    let reply_to = one(REPLY_TO)?.and_then(|to| to.object.entity().map(|to| to.name().to_owned()));
    let read_by = many(READ_BY)?;
    Ok(Some(Message {
        id: entity.name().to_owned(),
        kind: field(&content, "kind"),
        subject: field(&content, "subject"),
        body: field(&content, "body"),
        handover: content.get(HAND_OVER).map(HandOver::from_json),
        from: name(&sent_by.object),
        to: names(many(SENT_TO)?),
        cc: names(many(COPIED_TO)?),
        sent_at: sent_by.since,
        status,
        status_at: state.as_ref().map_or(sent_by.since, |state| state.since),
        status_by: state.and_then(|state| state.asserter).map(|by| representative(seen, &by)),
        priority: priority.unwrap_or_default(),
        due,
        is_overdue: status != Status::Resolved && due.is_some_and(|due| due.end() <= at),
        reply_to,
        read_by: read_by.iter().map(|mark| ReadMark { by: name(&mark.object), at: mark.since }).collect(),
    }))
}

/// Returns the name of somebody as messages of a view have it: that of their class.
fn representative(seen: &Seen<'_>, somebody: &EntityRef) -> String {
    seen.identity().representative(somebody).to_string()
}

/// Returns somebody as `type:Name`.
fn name(object: &Object) -> String {
    object.entity().map_or_else(|| object.canonical(), ToString::to_string)
}
