//! What somebody does to the state: statements made together, known at the instant at which they are recorded.
//!
//! An act is known at the stamp of its commit, not at the clock's now: of two acts the one recorded later is the later
//! one, also where the clock stood still or went back.

use bygone_engine::assertion::Source;
use bygone_engine::store::Recording;
use bygone_engine::time::{Bound, Instant, Moment, Period, Validity};
use bygone_engine::{
    Assertion, AssertionId, Authority, EntityRef, Episode, EpisodeId, Modality, Object, Polarity, Role,
};

use super::StateError;

/// The rule that statements of an act come from.
const EXTRACTOR: &str = "state/1";

/// Who acts, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actor {
    /// The agent that acts, by name; nothing where a person does.
    pub agent: Option<String>,
    /// Which of its runs it is, where it says so.
    pub epoch: Option<u64>,
    /// The user that it acts for.
    pub user: Option<String>,
    /// The session that the act belongs to; one of its own for each agent where none is named.
    pub session: Option<String>,
}

impl Actor {
    /// Returns the session that acts belong to.
    pub fn session(&self) -> String {
        let own = || format!("state:{}", self.agent.as_deref().or(self.user.as_deref()).unwrap_or("user"));
        self.session.clone().unwrap_or_else(own)
    }

    /// Returns the one who acts as an entity: the agent, else the user.
    pub fn entity(&self) -> Option<EntityRef> {
        let agent = self.agent.as_deref().and_then(|name| EntityRef::new("agent", name).ok());
        agent.or_else(|| EntityRef::new("person", self.user.as_deref().unwrap_or("user")).ok())
    }

    /// Returns the one who acts, who needs a name to be told from others.
    ///
    /// # Errors
    /// [`StateError::Name`] where the name is none.
    pub fn named(&self) -> Result<EntityRef, StateError> {
        match &self.agent {
            Some(agent) => party(agent),
            None => party(&format!("person:{}", self.user.as_deref().unwrap_or("user"))),
        }
    }

    /// Returns whose word it is what the one who acts says in their own name.
    pub const fn authority(&self) -> Authority {
        if self.agent.is_some() { Authority::Agent } else { Authority::User }
    }
}

/// Returns whom a text means: `person:NAME` or `agent:NAME`, or an agent by its bare name.
///
/// # Errors
/// [`StateError::Name`] where it is no name.
pub fn party(text: &str) -> Result<EntityRef, StateError> {
    let (kind, name) = match text.split_once(':') {
        Some((kind @ ("agent" | "person"), name)) => (kind, name),
        _ => ("agent", text),
    };
    EntityRef::new(kind, name).map_err(|error| StateError::Name(error.to_string()))
}

/// Statements made together.
#[derive(Clone, Debug)]
pub struct Act<'a> {
    by: &'a Actor,
    at: Instant,
    /// What was done, in words: what is quoted where a statement is proved.
    words: String,
    authority: Authority,
    recording: Recording,
}

impl<'a> Act<'a> {
    /// Starts an act that is known at an instant, told in words.
    pub fn new(by: &'a Actor, at: Instant, words: impl Into<String>) -> Act<'a> {
        Act { by, at, words: words.into(), authority: Authority::Tool, recording: Recording::default() }
    }

    /// Says whose word the statements are; those of tools otherwise.
    #[must_use]
    pub fn with_authority(self, authority: Authority) -> Act<'a> {
        Act { authority, ..self }
    }

    /// Says that something is so from now on.
    pub fn affirm(&mut self, subject: &EntityRef, predicate: &str, key: &str, object: Object) -> AssertionId {
        self.affirm_until(subject, predicate, key, object, None)
    }

    /// Says that something is so from now on until an instant, or for ever where none is given.
    pub fn affirm_until(
        &mut self,
        subject: &EntityRef,
        predicate: &str,
        key: &str,
        object: Object,
        until: Option<Instant>,
    ) -> AssertionId {
        self.affirm_from(subject, predicate, key, object, Vec::new(), until)
    }

    /// Says that something is so as [`Act::affirm_until`], concluded from other statements.
    pub fn affirm_from(
        &mut self,
        subject: &EntityRef,
        predicate: &str,
        key: &str,
        object: Object,
        derived_from: Vec<AssertionId>,
        until: Option<Instant>,
    ) -> AssertionId {
        // A time that is over before it starts is one instant long.
        let until = until.map_or(Bound::Open, |until| Bound::At(Moment::instant(until.max(self.at.next()))));
        let said = Said { subject, predicate, key, object: Some(object), polarity: Polarity::Affirm };
        self.say(said, self.period_until(until), derived_from)
    }

    /// Says that something is so over a period, which may have begun long before the act.
    pub fn affirm_over(
        &mut self,
        subject: &EntityRef,
        predicate: &str,
        key: &str,
        object: Object,
        period: Period,
    ) -> AssertionId {
        let said = Said { subject, predicate, key, object: Some(object), polarity: Polarity::Affirm };
        self.say(said, period, Vec::new())
    }

    fn period_until(&self, to: Bound) -> Period {
        Period::new(Bound::At(Moment::instant(self.at)), to).expect("a period that starts now ends later")
    }

    /// Says that something happened now.
    pub fn happen(&mut self, subject: &EntityRef, predicate: &str, key: &str, object: Object) -> AssertionId {
        self.affirm_until(subject, predicate, key, object, Some(self.at.next()))
    }

    /// Says that something is so no longer; whatever it is where no object is given.
    pub fn deny(
        &mut self,
        subject: &EntityRef,
        predicate: &str,
        key: &str,
        object: Option<Object>,
    ) -> AssertionId {
        let said = Said { subject, predicate, key, object, polarity: Polarity::Deny };
        self.say(said, self.period_until(Bound::Open), Vec::new())
    }

    fn say(&mut self, said: Said<'_>, period: Period, mut derived_from: Vec<AssertionId>) -> AssertionId {
        // As they stand in a statement that is read.
        derived_from.sort_unstable();
        derived_from.dedup();
        let is_open_affirm = said.polarity == Polarity::Affirm && period.to() == Bound::Open;
        let from = period.from().moment().unwrap_or(Moment::instant(self.at));
        let session = self.by.session();
        let assertion = Assertion {
            id: AssertionId::UNHASHED,
            subject: said.subject.clone(),
            predicate: said.predicate.to_owned(),
            key: said.key.to_owned(),
            object: said.object,
            polarity: said.polarity,
            validity: Validity::Over(period),
            sure_until: is_open_affirm.then_some(from),
            modality: Modality::Actual,
            authority: self.authority,
            confidence: 1.0,
            known_at: self.at,
            source: Source {
                document: session.clone(),
                position: self.recording.assertions.len() as u64,
                span: None,
                episode: EpisodeId::UNHASHED,
                context: Vec::new(),
                asserter: self.by.entity(),
                session,
                agent: self.by.agent.clone(),
                user: self.by.user.clone(),
                zone: None,
            },
            extractor: EXTRACTOR.to_owned(),
            derived_from,
        }
        .with_content_id();
        let id = assertion.id;
        self.add(assertion);
        id
    }

    fn add(&mut self, mut assertion: Assertion) {
        let source = &assertion.source;
        let episode = Episode {
            id: EpisodeId::UNHASHED,
            session: source.session.clone(),
            position: source.position,
            role: Role::Statement,
            speaker: source.asserter.clone(),
            agent: source.agent.clone(),
            user: source.user.clone(),
            time: self.at,
            time_inferred: false,
            zone: None,
            native_id: None,
            text: self.words.clone(),
            raw: None,
        }
        .carrying(assertion.id, true);
        assertion.source.episode = episode.id;
        self.recording.episodes.push(episode);
        self.recording.assertions.push(assertion);
    }

    /// Returns what is to be recorded.
    pub fn into_recording(self) -> Recording {
        self.recording
    }
}

struct Said<'s> {
    subject: &'s EntityRef,
    predicate: &'s str,
    key: &'s str,
    object: Option<Object>,
    polarity: Polarity,
}
