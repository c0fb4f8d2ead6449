//! A session as a reader would have left it in the store: turns with their records, and what tools' results state.

use bygone_engine::assertion::{Source, Span};
use bygone_engine::store::Recording;
use bygone_engine::time::{Bound, Moment, Period, Validity};
use bygone_engine::wire::object_from_json;
use bygone_engine::{
    Assertion, AssertionId, Authority, EntityRef, Episode, EpisodeId, Modality, Polarity, Role,
};
use serde_json::{Value, json};

use crate::state::desk::at;

/// Turns of one session, in order.
pub(in crate::state) struct Transcript {
    session: String,
    agent: String,
    recording: Recording,
    n_turns: u64,
}

/// The predicates of what happens; all others that tools report are states.
const EVENTS: [&str; 7] = ["wrote", "read_file", "ran", "finished", "failed_call", "committed", "fetched"];

impl Transcript {
    pub(in crate::state) fn new(session: &str, agent: &str) -> Transcript {
        Transcript {
            session: session.to_owned(),
            agent: agent.to_owned(),
            recording: Recording::default(),
            n_turns: 0,
        }
    }

    pub(in crate::state) fn user(&mut self, time: &str, words: &str) -> EpisodeId {
        self.turn(time, Role::User, words, None)
    }

    pub(in crate::state) fn agent(&mut self, time: &str, words: &str) -> EpisodeId {
        self.turn(time, Role::Agent, words, None)
    }

    pub(in crate::state) fn harness(&mut self, time: &str, words: &str) -> EpisodeId {
        self.turn(time, Role::System, words, None)
    }

    /// The agent calls a tool.
    pub(in crate::state) fn call(&mut self, time: &str, id: &str, tool: &str, input: &Value) -> EpisodeId {
        let text = format!("[tool {tool}] {input}");
        let raw = json!({ "content": [{ "type": "tool_use", "id": id, "name": tool, "input": input }] });
        self.turn(time, Role::Agent, &text, Some(raw))
    }

    /// A tool answers a call; what it states follows with [`Transcript::says`].
    pub(in crate::state) fn result(&mut self, time: &str, id: &str, output: &str) -> EpisodeId {
        let raw = json!({ "content": [{ "type": "tool_result", "tool_use_id": id, "content": output }] });
        self.turn(time, Role::Tool, &format!("[tool result] {output}"), Some(raw))
    }

    /// A turn of a tool with the record that it was read from.
    pub(in crate::state) fn raw_result(&mut self, time: &str, raw: &Value) -> EpisodeId {
        self.turn(time, Role::Tool, "[tool result]", Some(raw.clone()))
    }

    /// A call and its result, and what the result states: subject, predicate, key, object.
    pub(in crate::state) fn did(
        &mut self,
        times: [&str; 2],
        tool: &str,
        input: &Value,
        states: &[(&str, &str, &str, Value)],
    ) {
        let id = format!("{}-{}", self.session, self.n_turns);
        let call = self.call(times[0], &id, tool, input);
        self.result(times[1], &id, "ok");
        for (subject, predicate, key, object) in states {
            self.says(call, subject, predicate, key, object);
        }
    }

    /// The last turn states something that answers a call.
    pub(in crate::state) fn says(
        &mut self,
        call: EpisodeId,
        subject: &str,
        predicate: &str,
        key: &str,
        object: &Value,
    ) {
        let turn = self.recording.episodes.last().expect("a turn").clone();
        let from = Moment::instant(turn.time);
        let to = if EVENTS.contains(&predicate) {
            Bound::At(Moment::instant(turn.time.next()))
        } else {
            Bound::Open
        };
        let assertion = Assertion {
            id: AssertionId::UNHASHED,
            subject: EntityRef::parse(subject).expect(subject),
            predicate: predicate.to_owned(),
            key: key.to_owned(),
            object: Some(object_from_json(object).expect("an object")),
            polarity: Polarity::Affirm,
            validity: Validity::Over(Period::new(Bound::At(from), to).expect("a period")),
            sure_until: (to == Bound::Open).then_some(from),
            modality: Modality::Actual,
            authority: Authority::Tool,
            confidence: 1.0,
            known_at: turn.time,
            source: Source {
                document: turn.session.clone(),
                position: turn.position,
                span: Some(Span { start: 0, end: 3 }),
                episode: turn.id,
                context: vec![call],
                asserter: None,
                session: turn.session.clone(),
                agent: turn.agent.clone(),
                user: None,
                zone: None,
            },
            extractor: "tool.test/1".to_owned(),
            derived_from: Vec::new(),
        };
        self.recording.assertions.push(assertion.with_content_id());
    }

    fn turn(&mut self, time: &str, role: Role, words: &str, raw: Option<Value>) -> EpisodeId {
        self.n_turns += 1;
        let speaker = match role {
            Role::User => EntityRef::new("person", "user").ok(),
            Role::Agent => EntityRef::new("agent", &self.agent).ok(),
            Role::Tool | Role::System | Role::Statement => None,
        };
        let episode = Episode {
            id: EpisodeId::UNHASHED,
            session: self.session.clone(),
            position: self.n_turns,
            role,
            speaker,
            agent: Some(self.agent.clone()),
            user: None,
            time: at(time),
            time_inferred: false,
            zone: None,
            native_id: None,
            text: words.to_owned(),
            raw: raw.map(|raw| raw.to_string().into_bytes()),
        }
        .with_content_id();
        let id = episode.id;
        self.recording.episodes.push(episode);
        id
    }

    /// Returns the turns and statements, which may be recorded once.
    pub(in crate::state) fn into_recording(self) -> Recording {
        self.recording
    }
}
