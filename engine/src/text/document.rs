//! What is found: a turn or a statement, as the words it is found by and what a view must know to see it.

use super::words::WordReader;
use crate::assertion::{Assertion, Modality, Polarity};
use crate::entity::{EntityRef, fold_name};
use crate::episode::{Episode, Role};
use crate::id::hash_parts;
use crate::key::SpaceId;
use crate::log::Heard;
use crate::object::{Number, Object};
use crate::record::{Recorded, RecordedEpisode};
use crate::time::{Granularity, Instant, Moment, format_moment};

/// What kind of thing is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A turn.
    Turn,
    /// A statement that takes part in derivation.
    Statement,
    /// A statement of a plan.
    Plan,
}

impl Kind {
    /// Returns the kind of a statement; nothing for what no fact can come from.
    pub(crate) fn of(assertion: &Assertion) -> Option<Kind> {
        match (assertion.polarity, assertion.modality) {
            (Polarity::Deny, _) | (_, Modality::Hypothetical) => None,
            (Polarity::Affirm, Modality::Planned) => Some(Kind::Plan),
            (Polarity::Affirm, Modality::Actual | Modality::Reported) => Some(Kind::Statement),
        }
    }

    /// The letter that the kind's words start with in the index.
    pub(super) const fn letter(self) -> char {
        match self {
            Kind::Turn => 't',
            Kind::Statement => 's',
            Kind::Plan => 'p',
        }
    }
}

/// How a turn is said, beside its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner {
    pub(super) role: Role,
    /// Whether something is asked in it.
    pub(super) asks: bool,
    /// Whether it ends with a question.
    pub(super) ends_asking: bool,
}

impl Manner {
    fn of(role: Role, text: &str) -> Manner {
        // What is shown with a turn stands on lines of its own after it.
        let ends_asking = text.split("\n[").next().is_some_and(|said| said.trim_end().ends_with('?'));
        Manner { role, asks: text.contains('?'), ends_asking }
    }

    /// Returns the number that stands for it in the index.
    pub(super) fn number(self) -> u64 {
        let role = match self.role {
            Role::User => 0,
            Role::Agent => 1,
            Role::Tool => 2,
            Role::System => 3,
            Role::Statement => 4,
        };
        role | u64::from(self.asks) << 3 | u64::from(self.ends_asking) << 4
    }

    /// Returns what a number stands for.
    pub(super) fn from_number(number: u64) -> Manner {
        let role = match number & 7 {
            0 => Role::User,
            1 => Role::Agent,
            2 => Role::Tool,
            3 => Role::System,
            _ => Role::Statement,
        };
        Manner { role, asks: number & 1 << 3 != 0, ends_asking: number & 1 << 4 != 0 }
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
    /// Its place in the session.
    pub(super) position: u64,
    /// Stands for the name of who speaks; 0 for nobody known.
    pub(super) speaker: u64,
    /// Stands for the first word of that name.
    pub(super) given: u64,
    pub(super) manner: Manner,
    /// In order, repeated as they are; a name whole and in its parts.
    pub(super) words: Vec<String>,
    /// How many words it is long: a name is one.
    pub(super) length: u32,
}

/// Returns the number that stands for a session in the index.
pub(super) fn session_number(session: &str) -> u64 {
    number("session", session)
}

/// Returns the number that stands for the name of a speaker, letter case and spacing aside; never 0.
pub fn name_number(name: &str) -> u64 {
    number("speaker", &fold_name(name)).max(1)
}

fn number(what: &str, text: &str) -> u64 {
    let hash = hash_parts(what, [text.as_bytes()]);
    u64::from_be_bytes([hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]])
}

/// Returns what was heard as a document; nothing for what cannot be found.
pub(super) fn of(space: SpaceId, heard: &Heard, reader: &mut WordReader) -> Option<Document> {
    match heard {
        Heard::Turn(record) => of_turn(space, record, reader),
        Heard::Statement(recorded) => of_statement(space, recorded, reader),
    }
}

/// Returns a turn as a document: who speaks, on which day, and the words; nothing for a statement that came as data,
/// which is a document of its own.
fn of_turn(space: SpaceId, record: &RecordedEpisode, reader: &mut WordReader) -> Option<Document> {
    let Episode { id, session, position, role, speaker, time, text, .. } = &record.episode;
    if *role == Role::Statement {
        return None;
    }
    let mut said = Said::by(reader);
    if let Some(speaker) = speaker {
        said.add(speaker.name());
    }
    let day = Moment::new(Granularity::Day.floor(*time), Granularity::Day);
    said.add(&format_moment(day));
    said.add(text);
    let Said { words, length, .. } = said;
    let name = speaker.as_ref().map(EntityRef::name);
    Some(Document {
        space,
        kind: Kind::Turn,
        id: id.0,
        known_at: *time,
        seq: record.seq,
        session: session_number(session),
        position: *position,
        speaker: name.map_or(0, name_number),
        given: name.and_then(|name| name.split_whitespace().next()).map_or(0, name_number),
        manner: Manner::of(*role, text),
        words,
        length,
    })
}

/// Returns a statement as a document: its subject, predicate, key and object in words; nothing for what no fact can come
/// from.
fn of_statement(space: SpaceId, recorded: &Recorded, reader: &mut WordReader) -> Option<Document> {
    let Recorded { assertion, seq, .. } = recorded;
    let id = assertion.id;
    let kind = Kind::of(assertion)?;
    let mut said = Said::by(reader);
    for part in parts(assertion) {
        said.add(&part);
    }
    let Said { words, length, .. } = said;
    Some(Document {
        space,
        kind,
        id: id.0,
        known_at: assertion.known_at,
        seq: *seq,
        session: session_number(&assertion.source.session),
        position: assertion.source.position,
        speaker: 0,
        given: 0,
        manner: Manner { role: Role::Statement, asks: false, ends_asking: false },
        words,
        length,
    })
}

/// The words of a document, while they are gathered.
struct Said<'r> {
    reader: &'r mut WordReader,
    words: Vec<String>,
    length: u32,
}

impl<'r> Said<'r> {
    fn by(reader: &'r mut WordReader) -> Said<'r> {
        Said { reader, words: Vec::new(), length: 0 }
    }

    fn add(&mut self, text: &str) {
        let Said { reader, words, length } = self;
        reader.each_word(text, |word| {
            words.push(word.text.to_owned());
            *length = length.saturating_add(u32::from(word.is_counted));
        });
    }
}

/// Returns what a statement is found by: its subject, predicate, key and object in words.
pub(crate) fn parts(assertion: &Assertion) -> Vec<String> {
    let Assertion { subject, predicate, key, object, .. } = assertion;
    let mut parts = vec![subject.name().to_owned(), predicate.replace('_', " "), key.clone()];
    match object {
        Some(Object::Entity(entity)) => parts.push(entity.name().to_owned()),
        Some(Object::Text(text)) => parts.push(text.clone()),
        Some(Object::Number { value, unit }) => {
            parts.push(match value {
                Number::Whole(value) => value.to_string(),
                Number::Real(value) => value.to_string(),
            });
            parts.extend(unit.clone());
        }
        Some(Object::Instant(moment)) => parts.push(format_moment(*moment)),
        Some(object @ (Object::Period(_) | Object::Json(_))) => parts.push(object.canonical()),
        Some(Object::Bool(_)) | None => {}
    }
    parts.retain(|part| !part.is_empty());
    parts
}
