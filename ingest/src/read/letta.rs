//! How agent files of Letta (`.af`) are read: the messages of its agents, and their blocks of memory.
//!
//! ```text
//! {"agents": [{"name": …, "messages": [ … ]}, …], "blocks": [{"label": …, "value": …}, …], …}      since mid-2025
//! {"agent_type": …, "name": …, "core_memory": [{"label": …, "value": …}, …], "messages": [ … ]}    before
//! "{\n  \"agents\": …"                                                                              the same, put into a string
//! ```
//!
//! After the public agent files and sources of Letta. A block of memory is what the harness shows the model: kept and found,
//! and nobody's statement. What an agent says with `send_message` it says to the person. People's messages, and what tools
//! answered, may be objects in a text, with the harness's own events among them.

use std::io;
use std::ops::Range;

use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, Role};
use serde_json::{Map, Value};

use super::blocks::{self, Calls};
use super::document::{Document, decoded, object, parse, stamp, text};
use super::near::missing;
use super::pieces::{Layout, Piece, pieces};
use super::speaker::speaker;
use super::start::unmarked;
use super::told::Told;
use super::turn_text::{Answer, TurnText};
use super::turns::Turns;
use super::{Manner, Part, Place, Read, Reader, Source};

/// The format's entry in the registry.
pub const READER: Reader =
    Reader { name: "letta", about: "agent files of Letta (.af)", sniff, read: Manner::File(read) };

/// The agent's name where the file names none.
const AGENT: &str = "letta";
/// Where times stand.
const TIMES: [&str; 2] = ["created_at", "date"];
/// Keys that messages have, which are never a slip for another one.
const KNOWN: [&str; 14] = [
    "type",
    "role",
    "content",
    "name",
    "otid",
    "sender_id",
    "group_id",
    "id",
    "model",
    "agent_id",
    "tool_calls",
    "tool_call_id",
    "tool_returns",
    "created_at",
];

fn sniff(head: &[u8]) -> bool {
    let head = unmarked(head).trim_ascii();
    match text_inside(head) {
        Some(inner) => is_agent_file(&inner),
        None => is_agent_file(head),
    }
}

fn is_agent_file(bytes: &[u8]) -> bool {
    let Some(document) = Document::of(bytes) else {
        return false;
    };
    let is_agent = |agent: &Document<'_>| agent.has("agent_type") || agent.has("in_context_message_ids");
    if document.has("agent_type") && (document.has("core_memory") || document.has("messages")) {
        return true;
    }
    let first = document.list("agents").and_then(|agents| agents.into_iter().next());
    first.is_some_and(|agent| Document::of(&bytes[agent]).is_some_and(|agent| is_agent(&agent)))
}

/// Returns the object that was put into a string, as far as it goes.
fn text_inside(bytes: &[u8]) -> Option<Vec<u8>> {
    if !bytes.starts_with(b"\"") {
        return None;
    }
    match parse(bytes) {
        Ok(Value::String(inner)) => Some(inner.into_bytes()),
        _ => None,
    }
}

fn read(source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) -> io::Result<()> {
    let layout = Layout::of_documents(&source.head()?);
    let mut turns = Turns::new(source, hand_on);
    pieces(source, layout, true, &mut |piece| {
        turns.tell_all(piece.place, &piece.repairs);
        match text_inside(piece.bytes) {
            Some(inner) => {
                let place = piece.place;
                file(source, &Piece { bytes: &inner, place_of: &|_| place, ..piece }, &mut turns);
            }
            None => file(source, &piece, &mut turns),
        }
        Ok(true)
    })
}

fn file(source: &Source<'_>, piece: &Piece<'_>, turns: &mut Turns<'_, '_>) {
    let document = Document::of(piece.bytes);
    let Some(document) = document.filter(|document| document.has("agents") || document.has("messages"))
    else {
        let reason = piece.fault.clone().unwrap_or_else(|| "neither `agents` nor `messages`".to_owned());
        return turns.set_aside(piece.place, piece.bytes, reason);
    };
    if let Some(fault) = &piece.fault {
        turns.tell(piece.place, fault.clone());
    }
    let agents = match document.list("agents") {
        Some(agents) => agents,
        None => std::iter::once(0..piece.bytes.len()).collect(),
    };
    let shared = document.list("blocks").unwrap_or_default();
    for (range, number) in agents.into_iter().zip(1..) {
        let Some(agent) = Document::of(&piece.bytes[range.clone()]) else {
            let reason = "an agent is no object".to_owned();
            turns.set_aside((piece.place_of)(range.start), &piece.bytes[range], reason);
            continue;
        };
        let name = agent.text(&["name"]);
        let session = match number {
            1 => source.stem().to_owned(),
            _ => format!("{}.{number}", source.stem()),
        };
        let own = |key: &str| {
            let ranges = agent.list(key).unwrap_or_default().into_iter();
            ranges.map(|item| range.start + item.start..range.start + item.end).collect::<Vec<_>>()
        };
        let messages = own("messages");
        let reading = Reading {
            piece,
            session: &session,
            agent: name.as_deref().filter(|name| EntityRef::new("agent", name).is_ok()).unwrap_or(AGENT),
            made: stamp_of(&document).or_else(|| stamp_of(&agent)),
            messages: &messages,
        };
        let memory =
            own("core_memory").into_iter().chain(if number == 1 { shared.clone() } else { Vec::new() });
        turns.begin();
        for (message, position) in messages.iter().zip(1..) {
            reading.message(message, position, turns);
        }
        for block in memory {
            reading.block(&block, turns);
        }
    }
}

fn stamp_of(document: &Document<'_>) -> Option<Value> {
    TIMES.iter().find_map(|key| document.value(key))
}

/// What is known of the agent whose messages are read.
struct Reading<'a> {
    piece: &'a Piece<'a>,
    session: &'a str,
    agent: &'a str,
    /// When the file was made.
    made: Option<Value>,
    messages: &'a [Range<usize>],
}

impl Reading<'_> {
    fn place_and_bytes(&self, range: &Range<usize>) -> (Place, &[u8]) {
        ((self.piece.place_of)(range.start), &self.piece.bytes[range.clone()])
    }

    fn set_aside(&self, range: &Range<usize>, reason: String, turns: &mut Turns<'_, '_>) {
        let (place, bytes) = self.place_and_bytes(range);
        let reason = self.piece.reason(reason);
        turns.set_aside(place, bytes, reason);
    }

    /// Finds the first time among the messages.
    fn ahead(&self) -> Option<Instant> {
        let times =
            |range: &Range<usize>| stamp(&object(&self.piece.bytes[range.clone()]).ok()?, &TIMES)?.ok();
        self.messages.iter().find_map(times).map(|stamp| stamp.at)
    }

    /// Reads a block of memory, which has the time at which the file was made.
    fn block(&self, range: &Range<usize>, turns: &mut Turns<'_, '_>) {
        let (place, bytes) = self.place_and_bytes(range);
        let map = match object(bytes) {
            Ok(map) => map,
            Err(reason) => return self.set_aside(range, reason, turns),
        };
        let Some(value) = map.get("value").and_then(Value::as_str) else {
            return self.set_aside(
                range,
                format!("a block of memory has {}", missing(&map, "value", &["label"])),
                turns,
            );
        };
        let label = text(&map, &["label"]).unwrap_or("memory");
        let mut rendering = TurnText::default();
        rendering.say(&format!("[memory {label}] {}", value.trim()), Part::Harness);
        let made = self.made.as_ref().map(|made| Map::from_iter([("created_at".to_owned(), made.clone())]));
        let own = stamp(&map, &["updated_at", "created_at"]);
        turns.turn(
            Told {
                place,
                bytes: Some(bytes),
                session: self.session,
                position: 0,
                role: Role::System,
                speaker: None,
                agent: self.agent,
                user: None,
                native_id: text(&map, &["id"]).map(str::to_owned),
                cwd: None,
                rendering,
            },
            own.or_else(|| stamp(&made?, &TIMES)),
            &|| self.ahead(),
        );
    }

    fn message(&self, range: &Range<usize>, position: u64, turns: &mut Turns<'_, '_>) {
        let (place, bytes) = self.place_and_bytes(range);
        let map = match object(bytes) {
            Ok(map) => map,
            Err(reason) => return self.set_aside(range, reason, turns),
        };
        let Some(role) = map.get("role").and_then(Value::as_str) else {
            return self.set_aside(
                range,
                format!("the message has {}", missing(&map, "role", &KNOWN)),
                turns,
            );
        };
        let mut rendering = TurnText::default();
        let (role, speaker, user) = said(role, &map, self.agent, &mut rendering);
        turns.turn(
            Told {
                place,
                bytes: Some(bytes),
                session: self.session,
                position,
                role,
                speaker,
                agent: self.agent,
                user: user.as_deref(),
                native_id: text(&map, &["id"]).map(str::to_owned),
                cwd: None,
                rendering,
            },
            stamp(&map, &TIMES),
            &|| self.ahead(),
        );
    }
}

/// Renders a message and returns whose it is, and the person's name where it has one.
fn said(
    role: &str,
    map: &Map<String, Value>,
    agent: &str,
    into: &mut TurnText,
) -> (Role, Option<EntityRef>, Option<String>) {
    let null = Value::Null;
    // The older files have `text` beside `content` or in its place.
    let content = map.get("content").filter(|content| !content.is_null()).or_else(|| map.get("text"));
    let content = content.unwrap_or_else(|| {
        if !["tool_calls", "tool_returns"]
            .iter()
            .any(|key| map.get(*key).is_some_and(|value| !value.is_null()))
        {
            into.notice(format!("the message has {}", missing(map, "content", &KNOWN)));
        }
        &null
    });
    match role {
        "user" => {
            let name = text(map, &["name"]).and_then(|name| EntityRef::new("person", name).ok());
            let user = name.as_ref().map(|name| name.name().to_owned());
            let person = name.or_else(|| speaker(Role::User, agent));
            match event(&blocks::plain(content)) {
                Some(Event::Message(words)) => into.say(&words, Part::Speech),
                Some(Event::Harness(words)) => {
                    into.say(&words, Part::Harness);
                    return (Role::System, None, None);
                }
                None => blocks::render(content, Part::Speech, Calls::Here, into),
            }
            (Role::User, person, user)
        }
        "assistant" => {
            // With a call to `send_message`, what stands in the content is the agent's inner monologue.
            let calls = map.get("tool_calls").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let name = |call: &Value| {
                call.get("function")
                    .unwrap_or(call)
                    .get("name")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned()
            };
            let is_monologue = calls.iter().any(|call| name(call) == "send_message");
            if is_monologue {
                blocks::think(&blocks::plain(content), into);
            } else {
                blocks::render(
                    content,
                    Part::Speech,
                    if calls.is_empty() { Calls::Here } else { Calls::Beside },
                    into,
                );
            }
            for call in calls {
                let function = call.get("function").unwrap_or(call);
                let input = decoded(function.get("arguments").cloned().unwrap_or(null.clone()));
                if name(call) == "send_message"
                    && let Some(words) = input.get("message").and_then(Value::as_str)
                {
                    into.say(words, Part::Speech);
                }
                let id = ["id", "tool_call_id"].iter().find_map(|key| call.get(*key)?.as_str());
                blocks::call(id.unwrap_or_default(), &name(call), input, into);
            }
            (Role::Agent, speaker(Role::Agent, agent), None)
        }
        "tool" => {
            results(map, content, into);
            (Role::Tool, None, None)
        }
        "system" => {
            blocks::render(content, Part::Harness, Calls::Here, into);
            (Role::System, None, None)
        }
        other => {
            // Approvals, summaries: what they hold is kept.
            if !matches!(other, "approval" | "summary" | "developer") {
                into.notice(format!("the role {other:?} is not known; nothing is read from its words"));
            }
            blocks::render(content, Part::Harness, Calls::Here, into);
            (Role::System, None, None)
        }
    }
}

/// What a person's message is that is an object in a text.
enum Event {
    Message(String),
    Harness(String),
}

/// Reads `{"type": "user_message", "message": "Hi!", "time": …}`; logins, heartbeats and alerts are the harness's.
fn event(content: &str) -> Option<Event> {
    let map = content.trim().starts_with('{').then(|| object(content.as_bytes()).ok())??;
    let message = map.get("message").or_else(|| map.get("reason")).and_then(Value::as_str);
    match map.get("type")?.as_str()? {
        "user_message" => Some(Event::Message(message?.to_owned())),
        "heartbeat" | "login" | "system_alert" | "system_message" => {
            Some(Event::Harness(message.unwrap_or(content).to_owned()))
        }
        _ => None,
    }
}

/// Reads what tools answered: a list of returns with a status each, or an object in a text.
fn results(map: &Map<String, Value>, content: &Value, into: &mut TurnText) {
    let call = text(map, &["tool_call_id"]).unwrap_or_default();
    let failed = |status: &str| match status.to_ascii_lowercase().as_str() {
        "success" | "ok" => Some(false),
        "error" | "failed" => Some(true),
        _ => None,
    };
    let output = blocks::plain(content);
    let wrapped = output.trim().starts_with('{').then(|| object(output.as_bytes()).ok()).flatten();
    let inner = wrapped.as_ref().and_then(|map| {
        let status = failed(map.get("status")?.as_str()?)?;
        Some((status, map.get("message").map(blocks::plain)?))
    });
    let returns = map.get("tool_returns").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let status = |item: &Value| item.get("status").and_then(Value::as_str).and_then(failed);
    let mut answer = |call: &str, is_error, output, details: Option<&Value>| {
        let answer = Answer { call: call.to_owned(), is_error, output, details: details.cloned() };
        blocks::answer(answer, into);
    };
    match (returns, inner) {
        ([], Some((is_error, message))) => answer(call, Some(is_error), message, None),
        ([], None) => answer(call, None, output, None),
        ([only], inner) => {
            let id = only.get("tool_call_id").and_then(Value::as_str).unwrap_or(call);
            let is_error = status(only).or(inner.as_ref().map(|(is_error, _)| *is_error));
            let said = only.get("func_response").and_then(Value::as_str).map(str::to_owned);
            let output = inner.map(|(_, message)| message).or(said).unwrap_or(output);
            answer(id, is_error, output, Some(only));
        }
        (several, _) => {
            for item in several {
                let id = item.get("tool_call_id").and_then(Value::as_str).unwrap_or_default();
                let said = item.get("func_response").map(blocks::plain).unwrap_or_default();
                answer(id, status(item), said, Some(item));
            }
        }
    }
}
