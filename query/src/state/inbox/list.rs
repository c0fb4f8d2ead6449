//! Which messages somebody got or sent.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use bygone_engine::EntityRef;
use bygone_engine::store::Seen;
use bygone_engine::time::Instant;

use super::super::StateError;
use super::{COPIED_TO, MESSAGE, Message, SENT_BY, SENT_TO, Status, message, representative};

/// Whose messages are wanted in which part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mailbox {
    /// Those sent to somebody, or of which they are to know.
    #[default]
    Received,
    /// Those that they sent.
    Sent,
}

/// Which messages are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Got or sent.
    pub mailbox: Mailbox,
    /// Only those of this status.
    pub status: Option<Status>,
    /// Only those that whose they are has not read.
    pub only_unread: bool,
}

/// Returns the messages of somebody as they stand at an instant: those that are not resolved first, then the more urgent
/// ones, those that are due sooner, and those that were sent earlier.
///
/// # Errors
/// [`StateError`] where the store cannot be read.
pub fn list(
    seen: &Seen<'_>,
    of: &EntityRef,
    wanted: Wanted,
    at: Instant,
) -> Result<Vec<Message>, StateError> {
    let predicates: &[&str] = match wanted.mailbox {
        Mailbox::Received => &[SENT_TO, COPIED_TO],
        Mailbox::Sent => &[SENT_BY],
    };
    let groups = seen.groups_about(of)?.into_iter();
    let entities: BTreeSet<EntityRef> = groups
        .filter(|group| predicates.contains(&group.predicate.as_str()) && group.subject.kind() == MESSAGE)
        .map(|group| group.subject)
        .collect();
    let own = representative(seen, of);
    let mut messages = Vec::new();
    for entity in &entities {
        let found = message(seen, entity, at)?.filter(|message| {
            let is_theirs = match wanted.mailbox {
                Mailbox::Received => message.concerns(&own),
                Mailbox::Sent => message.from == own,
            };
            is_theirs
                && wanted.status.is_none_or(|status| status == message.status)
                && !(wanted.only_unread && message.is_read_by(&own))
        });
        messages.extend(found);
    }
    messages.sort_by_cached_key(|message| {
        let due = message.due.map_or(Instant::LAST, bygone_engine::time::Moment::end);
        let is_done = message.status == Status::Resolved;
        (is_done, Reverse(message.priority), due, message.sent_at, message.id.clone())
    });
    Ok(messages)
}
