//! What is done in a space, with its word in all of it.

use bygone_engine::checkpoint::State;
use bygone_engine::store::{Operation, Recording, Space, Target};
use bygone_engine::time::Instant;
use bygone_engine::wire::{Defaults, read_statement};
use bygone_engine::work::Status;
use bygone_engine::{EntityRef, Episode, EpisodeId, Role};
use bygone_query::state::checkpoint::{Saving, save};
use bygone_query::state::decision::{Choice, decide};
use bygone_query::state::promise::{Vow, promise};
use bygone_query::state::register::{Expectation, Setting, set};
use bygone_query::state::work::{Marking, items, mark};
use bygone_query::state::{Actor, StateError, attempt};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

use super::{CANARIES, at};

/// One thing that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// A statement about somebody whom every space knows.
    State,
    /// A turn of a session that every space has.
    Say,
    /// An entity of its own, under a predicate of its own.
    Name,
    /// A name that two entities bear.
    Share,
    /// A register, by an operation of which every space has one with the same key.
    Set,
    /// Items of a work-set.
    Mark,
    /// A checkpoint.
    Save,
    Decide,
    Promise,
    Fail,
    /// The session is erased.
    Erase,
}

impl Act {
    pub(super) const ALL: [Act; 11] = [
        Act::State,
        Act::Say,
        Act::Name,
        Act::Share,
        Act::Set,
        Act::Mark,
        Act::Save,
        Act::Decide,
        Act::Promise,
        Act::Fail,
        Act::Erase,
    ];

    /// Says whether what is told of it has to do with what was written.
    pub(super) fn is_told(self) -> bool {
        matches!(self, Act::Set | Act::Decide | Act::Promise | Act::Fail)
    }
}

impl Arbitrary for Act {
    type Parameters = ();
    type Strategy = proptest::sample::Select<Act>;

    fn arbitrary_with((): ()) -> Self::Strategy {
        proptest::sample::select(Act::ALL.to_vec())
    }
}

/// Acts in many spaces, one after another.
pub(super) fn acts() -> impl Strategy<Value = Vec<(usize, Act)>> {
    vec((0..CANARIES.len(), any::<Act>()), 16..40)
}

fn then(step: usize) -> Instant {
    at("2026-01-01").plus_micros(i64::try_from(step).expect("few steps") * 3_600_000_000)
}

/// Does it, and returns what was told.
pub(super) fn act(space: &Space<'_>, what: Act, canary: &str, step: usize) -> String {
    let by = Actor { agent: Some("worker".to_owned()), ..Actor::default() };
    let now = then(step);
    match what {
        Act::State => {
            let year = 2001 + step % 20;
            state(
                space,
                now,
                step,
                "person:Anna",
                "works_at",
                &json!({ "entity": format!("org:{canary} {year}") }),
                canary,
            )
        }
        Act::Say => {
            say(space, now, step, &format!("I saw a {canary} at the river, Anna. I work at {canary} Works."))
        }
        Act::Name => {
            let subject = format!("person:Ben {canary}");
            let object = json!({ "text": format!("{canary} clubs") });
            state(space, now, step, &subject, &format!("juggles_{canary}"), &object, canary)
        }
        Act::Share => {
            let subject = format!("person:{canary} {}", step % 2);
            state(space, now, step, &subject, "alias", &json!({ "text": "twin" }), canary)
        }
        Act::Set => {
            let value = format!("{canary}-{step}");
            let setting = Setting {
                name: "cursor",
                value: &value,
                expected: Expectation::None,
                ttl_micros: None,
                source_version: None,
            };
            let key = format!("operation-{}", step % 2);
            let operation = Operation { key: &key, request: "set" };
            told(space.decide(Some(operation), now, |snapshot, place| set(snapshot, place, &by, &setting)))
        }
        Act::Mark => {
            let texts = [format!("{canary}/{}", step % 5), (step % 7).to_string()];
            let items = items(texts.iter().map(String::as_str)).expect("items").into_iter().collect();
            let status = Status::ALL[step % 3];
            let marking = Marking { set: "pages", items, status, reason: Some(canary) };
            told(space.decide(None, now, |snapshot, place| mark(snapshot, place, &by, &marking)))
        }
        Act::Save => {
            let state = State::new(format!("{canary} ").repeat(40 + step).into_bytes()).expect("a state");
            let saving = Saving { state, parent: None, label: Some(canary), reason: None };
            told(space.decide(None, now, |snapshot, place| save(snapshot, place, &by, &saving)))
        }
        Act::Decide => {
            let choice = format!("{canary} {step}");
            let choice =
                Choice { topic: "plan", choice: &choice, because: canary, over: vec!["none".to_owned()] };
            told(space.decide(None, now, |snapshot, place| decide(snapshot, place, &by, &choice)))
        }
        Act::Promise => {
            let vow = Vow { text: &format!("feed the {canary}"), to: "reviewer", due: None };
            told(space.decide(None, now, |snapshot, place| promise(snapshot, place, &by, &vow)))
        }
        Act::Fail => told(space.decide(None, now, |snapshot, place| {
            attempt::fail(snapshot, place, &by, &format!("ask the {canary}"), "it flew", Some("plan"))
        })),
        Act::Erase => {
            let erased = space.erase(&Target::Session("shared".to_owned()), now);
            format!("{:?}", erased.expect("it is erased"))
        }
    }
}

fn told<T: std::fmt::Debug>(result: Result<T, StateError>) -> String {
    match result {
        Ok(told) => format!("{told:?}"),
        Err(error) => error.to_string(),
    }
}

fn state(
    space: &Space<'_>,
    now: Instant,
    step: usize,
    subject: &str,
    predicate: &str,
    object: &serde_json::Value,
    canary: &str,
) -> String {
    let line = json!({
        "subject": subject, "predicate": predicate, "object": object, "asserter": format!("person:{canary}"),
        "from": format!("20{:02}", 1 + step % 20), "session": "shared", "agent": "worker", "source": format!("log#{step}"),
    });
    let defaults = Defaults { now, document: "log".to_owned(), position: 0 };
    let said = read_statement(&line.to_string(), &defaults).expect("a statement");
    let recording =
        Recording { episodes: vec![said.episode], assertions: vec![said.assertion], ..Recording::default() };
    format!("{:?}", space.record(recording, now).expect("it is recorded"))
}

fn say(space: &Space<'_>, now: Instant, step: usize, text: &str) -> String {
    let episode = Episode {
        id: EpisodeId::UNHASHED,
        session: "shared".to_owned(),
        position: step as u64,
        role: Role::User,
        speaker: Some(EntityRef::new("person", "Anna").expect("an entity")),
        agent: Some("worker".to_owned()),
        user: Some("Anna".to_owned()),
        time: now,
        time_inferred: false,
        zone: None,
        native_id: Some(format!("turn-{step}")),
        text: text.to_owned(),
        raw: None,
    };
    let recording = Recording { episodes: vec![episode.with_content_id()], ..Recording::default() };
    format!("{:?}", space.record(recording, now).expect("it is recorded"))
}
