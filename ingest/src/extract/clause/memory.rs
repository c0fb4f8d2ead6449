//! What was said in a file so far, for corrections that come turns later, "That was wrong, it isn't Gamma", and for
//! ends that name less than was said: "I'm no longer a nurse", after "I'm a nurse at City Hospital".
//!
//! Statements are kept by session and speaker: nobody takes back what another said, or what was said elsewhere. What
//! a correction finds depends on nothing but the turns read before it, in their order.
//!
//! Invariant: of each speaker at most [`KEPT`] statements and [`TAIL_BYTES`] of their last turn are held, and at most
//! [`SESSIONS`] sessions: those heard last.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bygone_engine::time::{Instant, Moment, Validity};
use bygone_engine::{EntityRef, Episode, Modality, Object, Polarity};
use bygone_ontology::TemporalKind;

use super::kinship::Kinship;
use super::lexicon;
use crate::candidate::{Candidate, Form, When};
use crate::ground::ground_candidate;

/// How many statements of a speaker are kept (chosen, untested).
const KEPT: usize = 64;

/// How many sessions are kept (chosen, untested).
const SESSIONS: usize = 256;

/// How much of a turn counts as just said (chosen, untested).
const TAIL_BYTES: usize = 4096;

/// What the speakers of a file said so far: one for a file, its turns in order.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    sessions: BTreeMap<String, Session>,
    /// How many turns were heard.
    n_turns: u64,
    /// The names of animals that were spoken of: no persons, whatever they love.
    animals: BTreeSet<String>,
    /// Who is whose sister, in whatever session it was told.
    pub(super) kinship: Kinship,
}

#[derive(Clone, Debug, Default)]
struct Session {
    /// Its last turn, counted from 1.
    heard: u64,
    /// Who spoke last.
    last: Option<EntityRef>,
    speakers: BTreeMap<EntityRef, Spoken>,
}

#[derive(Clone, Debug, Default)]
struct Spoken {
    /// Oldest first.
    statements: VecDeque<Remembered>,
    /// How many turns were heard.
    n_turns: u64,
    /// The end of the last one.
    last: String,
}

/// A statement of an earlier turn, dated only where somebody asks for it: few are ever taken back.
#[derive(Clone, Debug)]
pub(super) struct Remembered {
    /// What was said; where it is dated by a clause, that is the whole of `clause`.
    pub(super) said: Candidate,
    /// The words in which to look for times.
    clause: String,
    said_at: Instant,
    /// The speaker's turn that said it, counted from 1.
    turn: u64,
}

/// When something was said to hold, and until when vouched for. `None` where it was denied or planned: what a correction
/// of that would mean is not clear.
type Affirmed = Option<(Validity, Option<Moment>)>;

impl Remembered {
    fn of(candidate: &Candidate, episode: &Episode, turn: u64) -> Option<Remembered> {
        let (when, clause) = match &candidate.when {
            When::Said { form, clause } => {
                let clause = episode.text.get(clause.clone())?;
                (When::Said { form: *form, clause: 0..clause.len() }, clause)
            }
            exactly @ When::Exactly { .. } => (exactly.clone(), ""),
        };
        let context = candidate.context.iter().copied().chain([episode.id]).collect();
        let said = Candidate { when, context, ..candidate.clone() };
        Some(Remembered { said, clause: clause.to_owned(), said_at: episode.time, turn })
    }

    /// Returns when it was said to hold, or nothing where what it says of that contradicts itself: then nothing was said.
    fn affirmed(&self) -> Option<Affirmed> {
        // Beside plans, of which none is affirmed, the predicate's kind makes no difference.
        let kind = TemporalKind::State;
        let grounded = ground_candidate(&self.said, kind, &self.clause, self.said_at).ok()?;
        let affirmed = grounded.iter().find(|one| {
            let holds = matches!(one.modality, Modality::Actual | Modality::Reported);
            holds && one.polarity == Polarity::Affirm
        });
        Some(affirmed.map(|one| (one.validity, one.sure_until)))
    }

    /// Returns when the statement was said to hold, and until when vouched for.
    pub(super) fn time(&self) -> Affirmed {
        self.affirmed().flatten()
    }

    fn names(&self, name: &str) -> bool {
        let object = self.said.object.as_ref();
        object.is_some_and(|object| object_named(object, name).as_ref() == Some(object))
    }
}

impl Spoken {
    fn ends_of_each_key(&self, end: &Candidate) -> Vec<Candidate> {
        let mut latest: BTreeMap<&str, &Remembered> = BTreeMap::new();
        for statement in &self.statements {
            let said = &statement.said;
            let is_same =
                (&said.subject, said.predicate, &said.object) == (&end.subject, end.predicate, &end.object);
            if is_same && !said.key.is_empty() && statement.affirmed().is_some() {
                latest.insert(&said.key, statement);
            }
        }
        let goes_on = |statement: &&Remembered| matches!(statement.time(), Some((_, Some(_sure_until))));
        latest
            .into_values()
            .filter(goes_on)
            .map(|statement| Candidate {
                key: statement.said.key.clone(),
                context: statement.said.context.clone(),
                ..end.clone()
            })
            .collect()
    }
}

impl Memory {
    /// Returns the state before a file's first turn.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Returns whom the speaker of a turn speaks to: the one other person who spoke in the session.
    pub(super) fn addressee(&self, episode: &Episode) -> Option<&EntityRef> {
        let session = self.sessions.get(&episode.session)?;
        let speaker = episode.speaker.as_ref()?;
        let mut others = session.speakers.keys().filter(|other| *other != speaker);
        let other = others.next()?;
        (others.next().is_none() && other.kind() == "person").then_some(other)
    }

    /// Returns the end of what was said just before a turn, by somebody else.
    pub(super) fn said_before(&self, episode: &Episode) -> Option<&str> {
        let session = self.sessions.get(&episode.session)?;
        let last = session.last.as_ref().filter(|last| episode.speaker.as_ref() != Some(*last))?;
        session.speakers.get(last).map(|spoken| spoken.last.as_str())
    }

    /// Says whether a name is known to be an animal's.
    pub(super) fn is_animal(&self, name: &str) -> bool {
        self.animals.contains(name)
    }

    /// Keeps what a turn stated; `speech` is what its speaker said in it, or the end of that.
    pub(super) fn hear(&mut self, episode: &Episode, speech: &str, candidates: &[Candidate]) {
        self.n_turns += 1;
        if self.sessions.len() >= SESSIONS && !self.sessions.contains_key(&episode.session) {
            let oldest = self.sessions.iter().min_by_key(|(_, session)| session.heard);
            if let Some(oldest) = oldest.map(|(name, _)| name.clone()) {
                self.sessions.remove(&oldest);
            }
        }
        let objects =
            candidates.iter().filter_map(|candidate| candidate.object.as_ref().and_then(Object::entity));
        let animals = objects
            .filter(|entity| entity.kind() == "animal" && entity.name().starts_with(char::is_uppercase));
        self.animals.extend(animals.map(|entity| entity.name().to_owned()));
        let session = self.sessions.entry(episode.session.clone()).or_default();
        session.heard = self.n_turns;
        session.last.clone_from(&episode.speaker);
        let Some(speaker) = &episode.speaker else { return };
        let spoken = session.speakers.entry(speaker.clone()).or_default();
        spoken.n_turns += 1;
        tail(speech).clone_into(&mut spoken.last);
        let candidates = &candidates[candidates.len().saturating_sub(KEPT)..];
        let turn = spoken.n_turns;
        spoken.statements.extend(candidates.iter().filter_map(|one| Remembered::of(one, episode, turn)));
        let n_extra = spoken.statements.len().saturating_sub(KEPT);
        spoken.statements.drain(..n_extra);
    }

    /// Returns the ends that the turn's candidates leave unsaid. Who says without a key that something is over ends it
    /// under each key under which they last said that it goes on.
    pub(super) fn also_ended(&self, episode: &Episode, candidates: &[Candidate]) -> Vec<Candidate> {
        let session = self.sessions.get(&episode.session);
        let spoken = session.zip(episode.speaker.as_ref());
        let Some(spoken) = spoken.and_then(|(session, speaker)| session.speakers.get(speaker)) else {
            return Vec::new();
        };
        let ends = candidates.iter().filter(|candidate| {
            let is_end = matches!(candidate.when, When::Said { form: Form::NoLonger | Form::Ended, .. });
            is_end && candidate.key.is_empty() && candidate.modality == Modality::Actual
        });
        ends.flat_map(|end| spoken.ends_of_each_key(end)).collect()
    }

    /// Returns what the speaker of a turn takes back by saying that it isn't `name`: the latest thing they said of it.
    ///
    /// `None` where that denied or planned, and where `name` came up since without a statement, so that the correction
    /// may be of something that was not understood: in the speaker's own last turn, or, where they may be speaking
    /// of `another`'s words, in the turn just before by someone else.
    pub(super) fn latest(&self, episode: &Episode, name: &str, another: bool) -> Option<&Remembered> {
        let session = self.sessions.get(&episode.session)?;
        let speaker = episode.speaker.as_ref()?;
        let spoken = session.speakers.get(speaker)?;
        let says = |statement: &&Remembered| statement.names(name) && statement.affirmed().is_some();
        let latest = spoken.statements.iter().rfind(says)?;
        if latest.turn != spoken.n_turns && mentions(&spoken.last, name) {
            return None;
        }
        let before = session.last.as_ref().filter(|last| *last != speaker);
        let before = before.and_then(|last| session.speakers.get(last));
        if another && before.is_some_and(|other| mentions(&other.last, name)) {
            return None;
        }
        // One clause may affirm and deny: "I graduated from MIT" ends the studies there.
        let mut clause = spoken.statements.iter().rev().filter(|statement| {
            (statement.turn, &statement.said.span) == (latest.turn, &latest.said.span)
                && statement.names(name)
        });
        clause.find(|statement| statement.time().is_some())
    }
}

/// Says whether a text, or its end where it is long, has a name as a word of its own.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    let text = tail(text);
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// Returns the object of the same type that bears a name, where that type has names.
pub(super) fn object_named(like: &Object, name: &str) -> Option<Object> {
    match like {
        Object::Entity(entity) => {
            let usual = lexicon::technology(name).filter(|_| entity.kind() == "tech");
            let name = usual.map_or(name, |(usual, _)| usual);
            EntityRef::new(entity.kind(), name).ok().map(Object::Entity)
        }
        Object::Text(_) => Some(Object::Text(name.to_owned())),
        Object::Number { .. }
        | Object::Bool(_)
        | Object::Instant(_)
        | Object::Period(_)
        | Object::Json(_) => None,
    }
}

/// Returns the end of a text.
pub(super) fn tail(text: &str) -> &str {
    let mut start = text.len().saturating_sub(TAIL_BYTES);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}
