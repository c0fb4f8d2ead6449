//! How trajectories in the Agent Trajectory Interchange Format are read.
//!
//! ```text
//! {"schema_version": "ATIF-v1.4", "session_id": …, "agent": {"name": …, …}, "steps": [
//!    {"step_id": 1, "timestamp": …, "source": "user", "message": …},
//!    {"step_id": 2, "source": "agent", "message": …, "reasoning_content": …,
//!     "tool_calls": [{"tool_call_id": "a", "function_name": …, "arguments": {…}}],
//!     "observation": {"results": [{"source_call_id": "a", "content": …}]}}, …]}
//! ```
//!
//! After the public RFC of the format (harbor, 0001) and the schemas of those who write it, versions 1.0 to 1.8. A step is
//! a turn, with its calls and what they answered. A trajectory that goes on in another file (`continued_trajectory_ref`)
//! has the same session there; what that file copies of this one (`is_copied_context`) is passed over.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, Role};
use serde_json::{Map, Value};

use super::blocks::{self, Calls};
use super::document::{Document, decoded, object, stamp, text};
use super::near::missing;
use super::pieces::{Layout, Piece, pieces, session_of};
use super::speaker::speaker;
use super::start::first_value;
use super::told::Told;
use super::turn_text::{Answer, TurnText};
use super::turns::Turns;
use super::{Manner, Part, Read, Reader, Source};

/// The format's entry in the registry.
pub const READER: Reader = Reader {
    name: "atif",
    about: "trajectories in the Agent Trajectory Interchange Format",
    sniff,
    read: Manner::File(read),
};

/// The agent's name where a trajectory names none.
const AGENT: &str = "agent";
const TIMES: [&str; 1] = ["timestamp"];
/// Keys that steps have, which are never a slip for another one.
const KNOWN: [&str; 13] = [
    "step_id",
    "timestamp",
    "source",
    "message",
    "model_name",
    "reasoning_effort",
    "reasoning_content",
    "tool_calls",
    "observation",
    "metrics",
    "extra",
    "is_copied_context",
    "llm_call_count",
];

fn sniff(head: &[u8]) -> bool {
    let bytes = first_value(head);
    let Some(document) = Document::of(bytes) else {
        return false;
    };
    if document.text(&["schema_version"]).is_some_and(|version| version.starts_with("ATIF")) {
        return true;
    }
    let step = document.list("steps").and_then(|steps| Document::of(&bytes[steps.into_iter().next()?]));
    step.is_some_and(|step| step.has("step_id") && step.has("source"))
}

fn read(source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) -> io::Result<()> {
    let layout = Layout::of_documents(&source.head()?);
    let mut turns = Turns::new(source, hand_on);
    pieces(source, layout, true, &mut |piece| {
        turns.tell_all(piece.place, &piece.repairs);
        let whole = 0..piece.bytes.len();
        trajectory(source, layout, &piece, &whole, None, &mut turns);
        Ok(true)
    })
}

/// Reads one trajectory, and those of its subagents behind it.
fn trajectory(
    source: &Source<'_>,
    layout: Layout,
    piece: &Piece<'_>,
    whole: &Range<usize>,
    above: Option<&str>,
    turns: &mut Turns<'_, '_>,
) {
    let place = (piece.place_of)(whole.start);
    let bytes = &piece.bytes[whole.clone()];
    let document = Document::of(bytes);
    let Some((document, steps)) = document.and_then(|document| {
        let steps = document.list("steps")?;
        Some((document, steps))
    }) else {
        let reason = piece.fault.clone().unwrap_or_else(|| "no list of `steps`".to_owned());
        return turns.set_aside(place, bytes, reason);
    };
    if let (Some(fault), 0) = (&piece.fault, whole.start) {
        turns.tell(place, fault.clone());
    }
    let session = document.text(&["session_id", "trajectory_id"]);
    let session = session.unwrap_or_else(|| session_of(source, layout, piece.number));
    let name = document.object("agent").and_then(|(_, agent)| agent.text(&["name"]));
    let agent = name.filter(|name| EntityRef::new("agent", name).is_ok()).unwrap_or_else(|| AGENT.to_owned());
    let reading = Reading {
        piece,
        session: &session,
        agent: &agent,
        above,
        steps: steps.into_iter().map(|step| whole.start + step.start..whole.start + step.end).collect(),
    };
    if reading.steps.is_empty() {
        turns.skip(place);
    }
    turns.begin();
    let mut seen = BTreeMap::new();
    for (step, position) in reading.steps.iter().zip(1..) {
        reading.step(step, position, &mut seen, turns);
    }
    for inner in document.list("subagent_trajectories").unwrap_or_default() {
        let inner = whole.start + inner.start..whole.start + inner.end;
        trajectory(source, layout, piece, &inner, Some(&agent), turns);
    }
}

/// What is known of the trajectory whose steps are read.
struct Reading<'a> {
    piece: &'a Piece<'a>,
    session: &'a str,
    agent: &'a str,
    /// The agent that this one works for: what stands as the user's comes from there.
    above: Option<&'a str>,
    steps: Vec<Range<usize>>,
}

impl Reading<'_> {
    /// Finds the first time among the steps.
    fn ahead(&self) -> Option<Instant> {
        let time = |step: &Range<usize>| stamp(&object(&self.piece.bytes[step.clone()]).ok()?, &TIMES)?.ok();
        self.steps.iter().find_map(time).map(|stamp| stamp.at)
    }

    fn step<'a>(
        &'a self,
        range: &Range<usize>,
        position: u64,
        seen: &mut BTreeMap<u64, &'a [u8]>,
        turns: &mut Turns<'_, '_>,
    ) {
        let place = (self.piece.place_of)(range.start);
        let bytes = &self.piece.bytes[range.clone()];
        let map = match object(bytes) {
            Ok(map) => map,
            Err(reason) => return turns.set_aside(place, bytes, self.piece.reason(reason)),
        };
        if map.get("is_copied_context").and_then(Value::as_bool) == Some(true) {
            return turns.skip(place);
        }
        let mut rendering = TurnText::default();
        let (role, speaker) = match self.said(&map, &mut rendering) {
            Ok(said) => said,
            Err(reason) => return turns.set_aside(place, bytes, reason),
        };
        let number = map.get("step_id").and_then(Value::as_u64);
        // The numbers start again in a file that goes on with the session, so that they name no turn elsewhere.
        if let Some(number) = number
            && *seen.entry(number).or_insert(bytes) != bytes
        {
            let reason = format!("step {number} stands above with other content; the first one counts");
            return turns.set_aside(place, bytes, reason);
        }
        match number {
            Some(number) if number != position => {
                rendering.notice(format!("step {number} stands where step {position} was expected"));
            }
            Some(_) => {}
            None => rendering.notice(format!("the step has {}", missing(&map, "step_id", &KNOWN))),
        }
        let told = Told {
            place,
            bytes: Some(bytes),
            session: self.session,
            position,
            role,
            speaker,
            agent: self.agent,
            user: None,
            native_id: None,
            cwd: None,
            rendering,
        };
        turns.turn(told, stamp(&map, &TIMES), &|| self.ahead());
    }

    /// Renders a step and returns whose it is.
    ///
    /// # Errors
    /// Why it is none, in words.
    fn said(
        &self,
        map: &Map<String, Value>,
        into: &mut TurnText,
    ) -> Result<(Role, Option<EntityRef>), String> {
        let source = match map.get("source") {
            Some(Value::String(source)) => source.as_str(),
            Some(_) => return Err("the step's `source` is not a string".to_owned()),
            None => return Err(format!("the step has {}", missing(map, "source", &KNOWN))),
        };
        let (role, part): (_, fn(Range<usize>) -> Part) = match source {
            "user" if self.above.is_some() => (Role::Agent, Part::Speech),
            "user" => (Role::User, Part::Speech),
            "agent" | "assistant" => (Role::Agent, Part::Speech),
            "system" => (Role::System, Part::Harness),
            other => {
                into.notice(format!("the source {other:?} is not known; nothing is read from its words"));
                (Role::System, Part::Harness)
            }
        };
        blocks::think(text(map, &["reasoning_content"]).unwrap_or_default(), into);
        match map.get("message") {
            Some(message) => blocks::render(message, part, Calls::Beside, into),
            None => into.notice(format!("the step has {}", missing(map, "message", &KNOWN))),
        }
        for call in map.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            let field = |key: &str| call.get(key).and_then(Value::as_str).unwrap_or_default();
            let input = decoded(call.get("arguments").cloned().unwrap_or(Value::Null));
            blocks::call(field("tool_call_id"), field("function_name"), input, into);
        }
        let results = map.get("observation").and_then(|observation| observation.get("results")?.as_array());
        for result in results.into_iter().flatten() {
            let call = result.get("source_call_id").and_then(Value::as_str).unwrap_or_default();
            let output = blocks::plain(result.get("content").unwrap_or(&Value::Null));
            if call.is_empty() {
                // What the environment shows without being asked.
                into.say(&output, Part::Harness);
            } else {
                let extra = result.get("extra").filter(|extra| !extra.is_null()).cloned();
                let (call, is_error) = (call.to_owned(), is_error(extra.as_ref()));
                into.answer(Answer { call, is_error, output, details: extra });
            }
        }
        let above = self.above.filter(|_| source == "user");
        Ok((role, speaker(role, above.unwrap_or(self.agent))))
    }
}

/// Says whether a result failed, where whoever wrote the trajectory says so beside it.
fn is_error(extra: Option<&Value>) -> Option<bool> {
    let extra = extra?;
    let flag = ["is_error", "tool_result_is_error"].iter().find_map(|key| extra.get(*key)?.as_bool());
    flag.or_else(|| match extra.get("status")?.as_str()? {
        "success" | "ok" | "completed" => Some(false),
        "error" | "failed" => Some(true),
        _ => None,
    })
}
