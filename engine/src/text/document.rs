//! What is found: a turn or a statement, as the words it is found by and what a view must know to see it.

use super::words::each_word;
use crate::assertion::{Assertion, Modality, Polarity};
use crate::episode::{Episode, Role};
use crate::id::hash_parts;
use crate::key::SpaceId;
use crate::object::{Number, Object};
use crate::record::{Recorded, RecordedEpisode};
use crate::time::{Granularity, Instant, Moment, format_moment};

/// What kind of thing is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A turn.
    Turn,
    /// A statement that takes part in derivation.
    Statement,
    /// A statement of a plan.
    Plan,
}

impl Kind {
    /// The letter that the kind's words start with in the index.
    pub(super) const fn letter(self) -> char {
        match self {
            Kind::Turn => 't',
            Kind::Statement => 's',
            Kind::Plan => 'p',
        }
    }
}

/// Something that can be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Document {
    pub(super) space: SpaceId,
    pub(super) kind: Kind,
    /// The bytes of an episode's or an assertion's id.
    pub(super) id: [u8; 16],
    pub(super) known_at: Instant,
    pub(super) seq: u64,
    /// Stands for the session's name.
    pub(super) session: u64,
    /// In order, repeated as they are.
    pub(super) words: Vec<String>,
}

/// Returns the number that stands for a session in the index.
pub(super) fn session_number(session: &str) -> u64 {
    let hash = hash_parts("session", [session.as_bytes()]);
    u64::from_be_bytes([hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]])
}

/// Returns a turn as a document: who speaks, on which day, and the words; nothing for a statement that came as data,
/// which is a document of its own.
pub(super) fn of_turn(space: SpaceId, record: &RecordedEpisode) -> Option<Document> {
    let Episode { id, session, role, speaker, time, text, .. } = &record.episode;
    if *role == Role::Statement {
        return None;
    }
    let mut words = Vec::new();
    let mut take = |word| words.push(word);
    if let Some(speaker) = speaker {
        each_word(speaker.name(), &mut take);
    }
    let day = Moment::new(Granularity::Day.floor(*time), Granularity::Day);
    each_word(&format_moment(day), &mut take);
    each_word(text, &mut take);
    let session = session_number(session);
    Some(Document { space, kind: Kind::Turn, id: id.0, known_at: *time, seq: record.seq, session, words })
}

/// Returns a statement as a document: its subject, predicate, key and object in words; nothing for what no fact can come
/// from.
pub(super) fn of_statement(space: SpaceId, recorded: &Recorded) -> Option<Document> {
    let Recorded { assertion, seq, .. } = recorded;
    let Assertion { id, subject, predicate, key, object, .. } = assertion;
    let kind = match (assertion.polarity, assertion.modality) {
        (Polarity::Deny, _) | (_, Modality::Hypothetical) => return None,
        (Polarity::Affirm, Modality::Planned) => Kind::Plan,
        (Polarity::Affirm, Modality::Actual | Modality::Reported) => Kind::Statement,
    };
    let mut words = Vec::new();
    let mut take = |word| words.push(word);
    each_word(subject.name(), &mut take);
    each_word(&predicate.replace('_', " "), &mut take);
    each_word(key, &mut take);
    if let Some(object) = object {
        object_words(object, &mut take);
    }
    let session = session_number(&assertion.source.session);
    Some(Document { space, kind, id: id.0, known_at: assertion.known_at, seq: *seq, session, words })
}

fn object_words(object: &Object, take: &mut impl FnMut(String)) {
    match object {
        Object::Entity(entity) => each_word(entity.name(), take),
        Object::Text(text) => each_word(text, take),
        Object::Number { value, unit } => {
            match value {
                Number::Whole(value) => each_word(&value.to_string(), &mut *take),
                Number::Real(value) => each_word(&value.to_string(), &mut *take),
            }
            each_word(unit.as_deref().unwrap_or_default(), take);
        }
        Object::Bool(_) => {}
        Object::Instant(moment) => each_word(&format_moment(*moment), take),
        Object::Period(_) | Object::Json(_) => each_word(&object.canonical(), take),
    }
}
