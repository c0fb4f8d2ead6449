//! How chats of LangChain are read: messages as `messages_to_dict`, `dumps` and `model_dump` write them.
//!
//! ```text
//! {"type": "human", "data": {"content": "Hi!", "id": …}}                                  messages_to_dict, chat histories
//! {"lc": 1, "type": "constructor", "id": ["langchain", …, "HumanMessage"], "kwargs": {…}}  dumps
//! {"type": "human", "content": "Hi!", "additional_kwargs": {}}                             model_dump
//! [ … ]    one a line    {"messages": [ … ]}    {"lc": 1, …, "kwargs": {"messages": [ … ]}}
//! ```
//!
//! After the public sources of langchain-core (messages, `load/dump.py`). The format has no time of its own; one that a
//! program or a model's answer adds is read.

use std::io;
use std::ops::Range;

use bygone_engine::{EntityRef, Role};
use serde_json::{Map, Value};

use super::blocks::{self, Calls};
use super::document::{Document, decoded, object, stamp, text};
use super::near::missing;
use super::pieces::{Layout, Piece, pieces, session_of};
use super::speaker::named;
use super::start::first_value;
use super::told::Told;
use super::turn_text::{Answer, TurnText};
use super::turns::Turns;
use super::{Manner, Part, Read, Reader, Source};

/// The format's entry in the registry.
pub const READER: Reader = Reader {
    name: "langchain",
    about: "chats of LangChain: messages_to_dict, dumps or model_dump, as a JSON list, a document or JSON Lines",
    sniff,
    read: Manner::File(read),
};

/// The agent's name where a message names none.
const AGENT: &str = "assistant";
/// Where the id of a conversation stands.
const SESSIONS: [&str; 3] = ["thread_id", "session_id", "conversation_id"];
/// Where programs and models' answers put a time.
const TIMES: [&str; 3] = ["timestamp", "created_at", "created"];
/// Keys that messages have, which are never a slip for another one.
const KNOWN: [&str; 13] = [
    "content",
    "type",
    "id",
    "name",
    "role",
    "additional_kwargs",
    "response_metadata",
    "tool_calls",
    "invalid_tool_calls",
    "tool_call_id",
    "artifact",
    "status",
    "usage_metadata",
];

/// Whose a message is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Human,
    Agent,
    System,
    Tool,
    /// One whose `role` says it.
    Chat,
    /// It says that another message is no longer in the chat.
    Remove,
}

impl Kind {
    /// Reads the name of a class, such as `HumanMessage` or `HumanMessageChunk`.
    fn of_class(name: &str) -> Option<Kind> {
        name.strip_suffix("Chunk").unwrap_or(name).ends_with("Message").then(|| Kind::of(name)).flatten()
    }

    /// Reads `human`, or the name of a class.
    fn of(name: &str) -> Option<Kind> {
        let name = name.strip_suffix("Chunk").unwrap_or(name);
        Some(match name.strip_suffix("Message").unwrap_or(name) {
            "human" | "Human" => Kind::Human,
            "ai" | "AI" => Kind::Agent,
            "system" | "System" => Kind::System,
            "tool" | "Tool" | "function" | "Function" => Kind::Tool,
            "chat" | "Chat" => Kind::Chat,
            "remove" | "Remove" => Kind::Remove,
            _ => return None,
        })
    }
}

fn sniff(head: &[u8]) -> bool {
    let first = first_value(head);
    let Some(document) = Document::of(first) else {
        return false;
    };
    let messages = |document: &Document<'_>| document.list("messages")?.into_iter().next();
    if let Some(message) = messages(&document) {
        return is_message(&first[message]);
    }
    if let Some((range, inner)) = document.object("kwargs")
        && let Some(message) = messages(&inner)
    {
        return is_message(&first[range][message]);
    }
    is_message(first)
}

/// Says whether the bytes are a message in one of the forms, as far as they go.
fn is_message(bytes: &[u8]) -> bool {
    let Some(document) = Document::of(bytes) else {
        return false;
    };
    if document.has("lc") {
        let class = document
            .list("id")
            .and_then(|id| serde_json::from_slice::<String>(&bytes[id.last()?.clone()]).ok());
        return class.is_some_and(|class| Kind::of_class(&class).is_some());
    }
    let is_kind = document.text(&["type"]).is_some_and(|kind| Kind::of(&kind).is_some());
    let has_content = document.object("data").is_some_and(|(_, data)| data.has("content"));
    is_kind && (has_content || (document.has("content") && document.has("additional_kwargs")))
}

fn read(source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) -> io::Result<()> {
    let layout = Layout::of(&source.head()?);
    let mut turns = Turns::new(source, hand_on);
    let mut n_messages = 0;
    pieces(source, layout, true, &mut |piece| {
        read_piece(source, layout, &piece, &mut n_messages, &mut turns);
        Ok(true)
    })
}

fn read_piece(
    source: &Source<'_>,
    layout: Layout,
    piece: &Piece<'_>,
    n_messages: &mut u64,
    turns: &mut Turns<'_, '_>,
) {
    turns.tell_all(piece.place, &piece.repairs);
    let document = Document::of(piece.bytes);
    let inner = document.as_ref().and_then(|document| document.object("kwargs"));
    let start = inner.as_ref().map_or(0, |(range, _)| range.start);
    let holder = inner.as_ref().map(|(_, kwargs)| kwargs).filter(|kwargs| kwargs.has("messages"));
    let (holder, start) = holder.map_or((document.as_ref(), 0), |kwargs| (Some(kwargs), start));
    let Some(messages) = holder.and_then(|holder| holder.list("messages")) else {
        *n_messages += 1;
        if let Some(fault) = &piece.fault {
            return turns.set_aside(piece.place, piece.bytes, fault.clone());
        }
        let whole = 0..piece.bytes.len();
        return message(piece, &whole, *n_messages, source.stem(), turns);
    };
    if messages.is_empty() {
        return match &piece.fault {
            Some(fault) => turns.set_aside(piece.place, piece.bytes, fault.clone()),
            None => turns.skip(piece.place),
        };
    }
    if let Some(fault) = &piece.fault {
        turns.tell(piece.place, fault.clone());
    }
    let named = document.as_ref().and_then(|document| {
        let configured = document.object("configurable").and_then(|(_, inner)| inner.text(&SESSIONS));
        document.text(&SESSIONS).or(configured)
    });
    let session = named.unwrap_or_else(|| session_of(source, layout, piece.number));
    for (range, position) in messages.into_iter().zip(1..) {
        let range = start + range.start..start + range.end;
        message(piece, &range, position, &session, turns);
    }
}

/// Reads one message.
fn message(piece: &Piece<'_>, range: &Range<usize>, position: u64, session: &str, turns: &mut Turns<'_, '_>) {
    let place = (piece.place_of)(range.start);
    let bytes = &piece.bytes[range.clone()];
    let read = object(bytes).and_then(|map| {
        let (kind, data) = unwrapped(&map)?;
        Ok((kind, data.clone()))
    });
    let (kind, data) = match read {
        Ok((Kind::Remove, _)) => return turns.skip(place),
        Ok(read) => read,
        Err(reason) => return turns.set_aside(place, bytes, piece.reason(reason)),
    };
    let mut rendering = TurnText::default();
    let name = text(&data, &["name"]);
    let (role, speaker) = said(kind, &data, name, &mut rendering);
    let metadata = |key: &str| data.get(key).and_then(Value::as_object);
    let time = stamp(&data, &TIMES)
        .or_else(|| stamp(metadata("additional_kwargs")?, &TIMES))
        .or_else(|| stamp(metadata("response_metadata")?, &TIMES));
    let told = Told {
        place,
        bytes: Some(bytes),
        session,
        position,
        role,
        user: name.filter(|_| role == Role::User),
        speaker,
        agent: AGENT,
        native_id: text(&data, &["id"]).map(str::to_owned),
        cwd: None,
        rendering,
    };
    turns.turn(told, time, &|| None);
}

/// Takes a message out of what its form puts around it.
fn unwrapped(map: &Map<String, Value>) -> Result<(Kind, &Map<String, Value>), String> {
    let inner = |key: &str| map.get(key).and_then(Value::as_object);
    if map.contains_key("lc") {
        let class = map.get("id").and_then(|id| id.as_array()?.last()?.as_str()).unwrap_or_default();
        let kind =
            Kind::of(class).ok_or_else(|| format!("an object of the class {class:?}, not a message"))?;
        return Ok((kind, inner("kwargs").ok_or("an object without `kwargs`, which could not be written")?));
    }
    let kind = match map.get("type") {
        Some(Value::String(kind)) => {
            Kind::of(kind).ok_or_else(|| format!("{kind:?} is no type of message"))?
        }
        Some(_) => return Err("no type: `type` is not a string".to_owned()),
        None => return Err(missing(map, "type", &KNOWN)),
    };
    Ok((kind, inner("data").unwrap_or(map)))
}

/// Renders the message and returns whose it is.
fn said(
    kind: Kind,
    data: &Map<String, Value>,
    name: Option<&str>,
    into: &mut TurnText,
) -> (Role, Option<EntityRef>) {
    let kind = match (kind, text(data, &["role"])) {
        (Kind::Chat, Some("user" | "human")) => Kind::Human,
        (Kind::Chat, Some("assistant" | "ai")) => Kind::Agent,
        (kind, _) => kind,
    };
    let null = Value::Null;
    let content = data.get("content").unwrap_or(&null);
    if !data.contains_key("content") {
        into.notice(format!("the message has {}", missing(data, "content", &KNOWN)));
    }
    match kind {
        Kind::Human => {
            blocks::render(content, Part::Speech, Calls::Here, into);
            (Role::User, named("person", name, "user", &mut into.problems))
        }
        Kind::Agent => {
            let has_list = ["tool_calls", "invalid_tool_calls"]
                .iter()
                .any(|key| data.get(*key).and_then(Value::as_array).is_some_and(|calls| !calls.is_empty()));
            let calls_at = if has_list { Calls::Beside } else { Calls::Here };
            if let Some(reasoning) =
                data.get("additional_kwargs").and_then(|kwargs| kwargs.get("reasoning_content"))
            {
                blocks::think(reasoning.as_str().unwrap_or_default(), into);
            }
            blocks::render(content, Part::Speech, calls_at, into);
            if has_list {
                calls(data, into);
            } else {
                raw_calls(data, into);
            }
            (Role::Agent, named("agent", name, AGENT, &mut into.problems))
        }
        Kind::Tool => {
            let is_error = match text(data, &["status"]) {
                Some("error") => Some(true),
                Some("success") => Some(false),
                _ => None,
            };
            let call = text(data, &["tool_call_id"]).or(name).unwrap_or_default();
            let artifact = data.get("artifact").filter(|artifact| !artifact.is_null()).cloned();
            let (call, output) = (call.to_owned(), blocks::plain(content));
            blocks::answer(Answer { call, is_error, output, details: artifact }, into);
            (Role::Tool, None)
        }
        Kind::System | Kind::Chat | Kind::Remove => {
            blocks::render(content, Part::Harness, Calls::Here, into);
            (Role::System, None)
        }
    }
}

fn calls(data: &Map<String, Value>, into: &mut TurnText) {
    for key in ["tool_calls", "invalid_tool_calls"] {
        for call in data.get(key).and_then(Value::as_array).into_iter().flatten() {
            let field = |key: &str| call.get(key).and_then(Value::as_str).unwrap_or_default();
            let input = call.get("args").cloned().unwrap_or(Value::Null);
            blocks::call(field("id"), field("name"), input, into);
        }
    }
}

/// Reads the calls as the model gave them, where LangChain did not take them out of its answer.
fn raw_calls(data: &Map<String, Value>, into: &mut TurnText) {
    let Some(kwargs) = data.get("additional_kwargs") else {
        return;
    };
    let input = |function: &Value| decoded(function.get("arguments").cloned().unwrap_or(Value::Null));
    let name = |function: &Value| function.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    for call in kwargs.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        let id = call.get("id").and_then(Value::as_str).unwrap_or_default();
        if let Some(function) = call.get("function") {
            blocks::call(id, &name(function), input(function), into);
        }
    }
    // The older form has one call and no id: the function's name stands for it.
    if let Some(function @ Value::Object(_)) = kwargs.get("function_call") {
        blocks::call(&name(function), &name(function), input(function), into);
    }
}
