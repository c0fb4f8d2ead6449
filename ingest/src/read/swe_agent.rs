//! How trajectories of SWE-agent (`.traj`) are read.
//!
//! ```text
//! {"trajectory": [{"action": "open a.py", "observation": "[File: …", "thought": …, "response": …,
//!                  "state": {"working_dir": …, …}}, …],
//!  "history": [{"role": "system", …}, {"role": "user", …}, {"role": "assistant", …}, …], "info": {…}}
//! ```
//!
//! After the public trajectories and sources of SWE-agent 0.4 to 1.1. Both lists tell the same run: the steps are read, and of
//! the history only what stands above the agent's first answer; all of the history where there are no steps. Demonstrations
//! are passed over. An action is a line for a shell. The format has no time of its own.

use std::io;
use std::ops::Range;

use bygone_engine::Role;
use serde_json::{Map, Value, json};

use super::blocks::{self, Calls};
use super::document::{Document, decoded, object, stamp, text};
use super::near::missing;
use super::pieces::{Layout, Piece, pieces};
use super::speaker::speaker;
use super::start::unmarked;
use super::told::Told;
use super::turn_text::{Answer, TurnText};
use super::turns::Turns;
use super::{Manner, Part, Read, Reader, Source};

/// The format's entry in the registry.
pub const READER: Reader =
    Reader { name: "swe-agent", about: "trajectories of SWE-agent (.traj)", sniff, read: Manner::File(read) };

const AGENT: &str = "swe-agent";
/// What an action is run by.
const SHELL: &str = "bash";
const TIMES: [&str; 1] = ["timestamp"];
/// Keys that steps have, which are never a slip for another one.
const KNOWN: [&str; 9] = [
    "action",
    "observation",
    "response",
    "thought",
    "state",
    "query",
    "messages",
    "execution_time",
    "extra_info",
];

fn sniff(head: &[u8]) -> bool {
    let head = unmarked(head);
    let Some(document) = Document::of(head) else {
        return false;
    };
    let first = |key: &str| {
        let item = document.list(key)?.into_iter().next()?;
        Document::of(&head[item])
    };
    first("trajectory").is_some_and(|step| step.has("action") && step.has("observation"))
        || (first("history").is_some_and(|entry| entry.has("role")) && document.has("trajectory"))
}

fn read(source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) -> io::Result<()> {
    let layout = Layout::of_documents(&source.head()?);
    let mut turns = Turns::new(source, hand_on);
    pieces(source, layout, true, &mut |piece| {
        turns.tell_all(piece.place, &piece.repairs);
        run(source, layout, &piece, &mut turns);
        Ok(true)
    })
}

fn run(source: &Source<'_>, layout: Layout, piece: &Piece<'_>, turns: &mut Turns<'_, '_>) {
    let lists = Document::of(piece.bytes)
        .map(|document| (document.list("trajectory"), document.list("history")))
        .filter(|(steps, history)| steps.is_some() || history.is_some());
    let Some((steps, history)) = lists else {
        let reason = piece.fault.clone().unwrap_or_else(|| "neither `trajectory` nor `history`".to_owned());
        return turns.set_aside(piece.place, piece.bytes, reason);
    };
    if let Some(fault) = &piece.fault {
        turns.tell(piece.place, fault.clone());
    }
    let session = match (layout, piece.number) {
        (Layout::List, number) => format!("{}.{number}", source.stem()),
        (_, 1) => source.stem().to_owned(),
        (_, number) => format!("{}.{number}", source.stem()),
    };
    let (steps, history) = (steps.unwrap_or_default(), history.unwrap_or_default());
    let mut reading = Reading { piece, session: &session, turns, cwd: None, last_call: None };
    let mut has_begun = false;
    for (range, number) in history.iter().zip(0..) {
        reading.entry(range, number, !steps.is_empty(), &mut has_begun);
    }
    for (range, number) in steps.iter().zip(1..) {
        reading.step(range, number);
    }
    if steps.is_empty() && history.is_empty() {
        reading.turns.skip(piece.place);
    }
}

/// What is known of the run so far.
struct Reading<'a, 'b, 'c> {
    piece: &'a Piece<'a>,
    session: &'a str,
    turns: &'a mut Turns<'b, 'c>,
    /// The directory that the last step ended in.
    cwd: Option<String>,
    /// The last call in the history.
    last_call: Option<String>,
}

/// A turn of the run.
struct Said {
    position: u64,
    name: String,
    role: Role,
    cwd: Option<String>,
    rendering: TurnText,
}

impl Reading<'_, '_, '_> {
    fn object(&mut self, range: &Range<usize>) -> Option<Map<String, Value>> {
        let reason = match object(&self.piece.bytes[range.clone()]) {
            Ok(map) => return Some(map),
            Err(reason) => self.piece.reason(reason),
        };
        self.set_aside(range, reason);
        None
    }

    fn set_aside(&mut self, range: &Range<usize>, reason: String) {
        let place = (self.piece.place_of)(range.start);
        self.turns.set_aside(place, &self.piece.bytes[range.clone()], reason);
    }

    fn step(&mut self, range: &Range<usize>, number: u64) {
        let Some(map) = self.object(range) else {
            return;
        };
        if !map.contains_key("action") && !map.contains_key("observation") {
            return self.set_aside(range, format!("the step has {}", missing(&map, "action", &KNOWN)));
        }
        let mut rendering = TurnText::default();
        match text(&map, &["thought"]) {
            Some(thought) => rendering.think(thought),
            None => rendering.say(text(&map, &["response"]).unwrap_or_default(), Part::Speech),
        }
        let observation = blocks::plain(map.get("observation").unwrap_or(&Value::Null));
        if let Some(action) = text(&map, &["action"]) {
            let call = format!("step-{number}");
            rendering.call(&call, SHELL, json!({ "command": action.trim_end() }));
            rendering.answer(Answer { call, is_error: None, output: observation, details: None });
        } else {
            if !map.contains_key("action") {
                rendering.notice(format!("the step has {}", missing(&map, "action", &KNOWN)));
            }
            rendering.say(&observation, Part::Harness);
        }
        let state = decoded(map.get("state").cloned().unwrap_or(Value::Null));
        let ended_in = state.get("working_dir").and_then(Value::as_str).map(str::to_owned);
        let cwd = self.cwd.clone().or_else(|| ended_in.clone());
        self.cwd = ended_in.or_else(|| self.cwd.take());
        let name = format!("step-{number}");
        self.say(range, &map, Said { position: number, name, role: Role::Agent, cwd, rendering });
    }

    /// Reads an entry of the history; with steps, only those above the agent's first answer.
    fn entry(&mut self, range: &Range<usize>, number: u64, has_steps: bool, has_begun: &mut bool) {
        let Some(map) = self.object(range) else {
            return;
        };
        let Some(role) = map.get("role").and_then(Value::as_str) else {
            return self
                .set_aside(range, format!("the entry has {}", missing(&map, "role", &["content", "agent"])));
        };
        let is_demo = map.get("is_demo").and_then(Value::as_bool) == Some(true)
            || text(&map, &["message_type"]) == Some("demonstration");
        *has_begun |= role == "assistant" && !is_demo;
        if is_demo || (has_steps && *has_begun) {
            return self.turns.skip((self.piece.place_of)(range.start));
        }
        let mut rendering = TurnText::default();
        let content = map.get("content").cloned().unwrap_or(Value::Null);
        let role = match role {
            "assistant" => {
                match text(&map, &["thought"]) {
                    Some(thought) => rendering.think(thought),
                    None => blocks::render(&content, Part::Speech, Calls::Beside, &mut rendering),
                }
                if let Some(action) = text(&map, &["action"]) {
                    let call = format!("entry-{number}");
                    rendering.call(&call, SHELL, json!({ "command": action.trim_end() }));
                    self.last_call = Some(call);
                }
                Role::Agent
            }
            "tool" | "user" if self.last_call.is_some() => {
                let (call, output) = (self.last_call.take().unwrap_or_default(), blocks::plain(&content));
                rendering.answer(Answer { call, is_error: None, output, details: None });
                Role::Tool
            }
            // The task stands in a template that the harness fills, so that its words are not the person's.
            "user" => {
                blocks::render(&content, Part::Harness, Calls::Beside, &mut rendering);
                Role::User
            }
            _ => {
                blocks::render(&content, Part::Harness, Calls::Beside, &mut rendering);
                Role::System
            }
        };
        let position = if has_steps { 0 } else { number + 1 };
        let name = format!("entry-{number}");
        self.say(range, &map, Said { position, name, role, cwd: None, rendering });
    }

    fn say(&mut self, range: &Range<usize>, map: &Map<String, Value>, said: Said) {
        let told = Told {
            place: (self.piece.place_of)(range.start),
            bytes: Some(&self.piece.bytes[range.clone()]),
            session: self.session,
            position: said.position,
            role: said.role,
            speaker: speaker(said.role, AGENT),
            agent: AGENT,
            user: None,
            native_id: Some(said.name),
            cwd: said.cwd,
            rendering: said.rendering,
        };
        self.turns.turn(told, stamp(map, &TIMES), &|| None);
    }
}
