//! A world as a system is given it: as statements on the wire, or as conversations.
//!
//! Both tell the same. Conversations are what people say, and what agents conclude from facts that they name; nothing in
//! them gives away a statement.

use serde_json::{Value, json};

use super::calendar::Minute;
use super::wording::{say, small_talk};
use super::world::{CONCLUDED, CONCLUDER, Conclusion, Event, Session, Stated, World};
use crate::belief::splitmix::Random;

/// In which form a world is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rendering {
    /// As conversations.
    Chat,
    /// As statements.
    Assertions,
}

impl Rendering {
    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Rendering::Chat => "chat",
            Rendering::Assertions => "assertions",
        }
    }
}

/// A turn of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// When.
    pub time: Minute,
    /// By whom.
    pub speaker: String,
    /// What.
    pub text: String,
}

/// Something that a system is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A statement.
    Assert(Box<Stated>),
    /// A conversation.
    Session {
        /// Its name.
        name: String,
        /// Its turns, in order.
        turns: Vec<Turn>,
    },
    /// A conclusion.
    Conclude(Conclusion),
    /// A session is erased.
    Erase {
        /// Its name.
        session: String,
        /// When.
        time: Minute,
    },
}

/// Who answers people.
const ASSISTANT: &str = "assistant";

/// Returns what a system is told before the session is erased, in the order of time.
pub fn steps(world: &World, said: &[Stated], rendering: Rendering) -> Vec<Step> {
    match rendering {
        Rendering::Assertions => said.iter().cloned().map(Box::new).map(Step::Assert).collect(),
        Rendering::Chat => {
            let mut random = Random::new(world.seed ^ 0xc4a7);
            let told = world.events.iter().map(|event| match event {
                Event::Session(session) => {
                    Step::Session { name: session.name.clone(), turns: turns(session, &mut random) }
                }
                Event::Conclusion(conclusion) => Step::Conclude(conclusion.clone()),
            });
            told.collect()
        }
    }
}

/// Puts a session in words: what is told, some of it behind small talk, with an answer to each turn.
fn turns(session: &Session, random: &mut Random) -> Vec<Turn> {
    let mut turns = Vec::new();
    for telling in &session.tellings {
        let mut text = say(telling, random);
        if random.chance(30) {
            text = format!("{} {text}", small_talk(random));
        }
        turns.push(Turn { time: telling.time, speaker: telling.speaker.clone(), text });
        let answer = small_talk(random).to_owned();
        turns.push(Turn { time: telling.time.plus(1), speaker: ASSISTANT.to_owned(), text: answer });
    }
    turns
}

impl Step {
    /// Returns the JSON that a system outside is told.
    pub fn to_json(&self) -> Value {
        match self {
            Step::Assert(stated) => json!({ "op": "assert", "statement": stated.wire }),
            Step::Session { name, turns } => {
                let turns = turns.iter().map(
                    |turn| json!({ "time": turn.time.text(), "speaker": turn.speaker, "text": turn.text }),
                );
                json!({ "op": "session", "session": name, "turns": turns.collect::<Vec<_>>() })
            }
            Step::Conclude(Conclusion { time, key, object, because }) => {
                let because = because.iter().map(|ground| {
                    json!({
                        "subject": ground.subject, "predicate": ground.predicate, "key": ground.key,
                        "object": ground.object,
                    })
                });
                json!({
                    "op": "conclude", "time": time.text(), "subject": CONCLUDER, "predicate": CONCLUDED,
                    "key": key, "object": object, "because": because.collect::<Vec<_>>(),
                })
            }
            Step::Erase { session, .. } => json!({ "op": "erase", "session": session }),
        }
    }
}
