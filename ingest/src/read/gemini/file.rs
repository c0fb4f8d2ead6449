//! What a session file becomes: its messages in order, each with what is new in it, and what only shows across them —
//! messages that grow, and messages that are taken back.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use bygone_engine::Role;
use bygone_engine::time::Instant;
use serde_json::{Map, Value};

use super::message::{self, Message};
use super::{AGENT, is_ours};
use crate::read::document::stamp;
use crate::read::hand_on::HandOn;
use crate::read::json::{members_but, parse, values};
use crate::read::pieces::Layout;
use crate::read::repeats::hash_of;
use crate::read::scan::{items, members};
use crate::read::speaker::speaker;
use crate::read::stamp::{Stamp, kind_of, read_stamp};
use crate::read::times::Times;
use crate::read::told::Told;
use crate::read::turn_text::TurnText;
use crate::read::{Element, INCOMPLETE_ELEMENT, Part, Place, Read, Source};

/// Where a time stands.
const TIMES: [&str; 1] = ["timestamp"];

/// Reads a session file.
pub(super) fn read(source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) -> io::Result<()> {
    let mut file = File {
        source,
        hand_on: HandOn::new(hand_on),
        session: None,
        is_subagent: false,
        withdrawn: BTreeSet::new(),
        said: BTreeMap::new(),
        called: BTreeSet::new(),
        times: Times::of_records(),
        n_turns: 0,
    };
    if Layout::of(&source.head()?) != Layout::Lines {
        let mut documents = source.values(true)?;
        while let Some(mut document) = documents.next_element()? {
            source.mask(&mut document.bytes);
            file.document(&document)?;
        }
        return Ok(());
    }
    file.withdrawn = withdrawn(source)?;
    let mut lines = source.lines()?;
    while let Some(line) = lines.next()? {
        if let Some(reason) = &line.too_long {
            file.hand_on.set_aside(line.place, line.raw, reason.clone());
        } else if !line.is_blank() {
            for piece in values(&line, is_ours) {
                let place =
                    Place { offset: line.place.offset + piece.range.start as u64, line: line.place.line };
                let raw = &line.raw[piece.range];
                let place_of = |at: usize| Place { offset: place.offset + at as u64, line: place.line };
                let held = Held { place, raw, repairs: line.repairs.clone(), place_of: &place_of };
                match piece.value {
                    Ok(value) => file.record(&held, value)?,
                    Err(reason) => file.hand_on.set_aside(place, raw, reason),
                }
            }
        }
    }
    Ok(())
}

/// Finds the messages that were taken back and not written again, by the hash of their ids.
fn withdrawn(source: &Source<'_>) -> io::Result<BTreeSet<u64>> {
    let mut order: Vec<u64> = Vec::new();
    let mut places: BTreeMap<u64, usize> = BTreeMap::new();
    let mut withdrawn = BTreeSet::new();
    let mut lines = source.lines_ahead()?;
    while let Some(line) = lines.next()? {
        let members = members(line.raw).unwrap_or_default();
        let id = |name: &str| {
            let (_, range) = members.iter().find(|(key, _)| key == name)?;
            serde_json::from_slice::<String>(&line.raw[range.clone()]).ok().map(|id| hash_of(&id))
        };
        if let Some(id) = id("$rewindTo") {
            // As the harness does: an id that is not there takes all of it back.
            let from = places.get(&id).copied().unwrap_or(0);
            for id in order.drain(from..) {
                places.remove(&id);
                withdrawn.insert(id);
            }
        } else if let Some(id) = id("id") {
            withdrawn.remove(&id);
            places.entry(id).or_insert_with(|| {
                order.push(id);
                order.len() - 1
            });
        }
    }
    Ok(withdrawn)
}

/// What is known of the file so far.
struct File<'a, 'out> {
    source: &'a Source<'a>,
    hand_on: HandOn<'out>,
    session: Option<String>,
    is_subagent: bool,
    /// Messages that were taken back, by the hash of their ids.
    withdrawn: BTreeSet<u64>,
    /// What each message said first, by the hash of its id.
    said: BTreeMap<u64, u64>,
    /// The calls and the results that were handed on, by the hash of their ids.
    called: BTreeSet<(u64, bool)>,
    times: Times,
    /// Turns so far: the position of the last one.
    n_turns: u64,
}

/// A record and where it stands.
struct Held<'a> {
    place: Place,
    raw: &'a [u8],
    repairs: Vec<String>,
    /// Says where a byte of it stands.
    place_of: &'a dyn Fn(usize) -> Place,
}

/// A turn to be.
struct Said<'a> {
    place: Place,
    raw: Option<&'a [u8]>,
    role: Role,
    rendering: TurnText,
    native_id: Option<String>,
    stamp: Option<Result<Stamp, String>>,
}

impl File<'_, '_> {
    /// Reads a document, as far as it goes where the file ends in it.
    fn document(&mut self, document: &Element) -> io::Result<()> {
        if let Some(fault) = document.fault.as_ref().filter(|fault| !fault.starts_with(INCOMPLETE_ELEMENT)) {
            self.hand_on.set_aside(document.place, &document.bytes, fault.clone());
            return Ok(());
        }
        let place_of = |at| document.place_of(at);
        let (place, raw, repairs) = (document.place, &document.bytes, Vec::new());
        self.messages(&Held { place, raw, repairs, place_of: &place_of })
    }

    /// Reads what stands on a line.
    fn record(&mut self, held: &Held<'_>, value: Value) -> io::Result<()> {
        let Value::Object(map) = value else {
            self.hand_on.set_aside(held.place, held.raw, format!("{}, not an object", kind_of(&value)));
            return Ok(());
        };
        let has = |key: &str| map.contains_key(key);
        if has("messages") {
            return self.messages(held);
        }
        if has("type") || has("content") {
            return self.message(held, &map);
        }
        if has("$set") || has("$rewindTo") || has("sessionId") {
            self.session(map.get("$set").and_then(Value::as_object).unwrap_or(&map));
            self.skip(held);
            return Ok(());
        }
        self.hand_on.set_aside(held.place, held.raw, "neither a message nor a session".to_owned());
        Ok(())
    }

    /// Takes what is said of the session.
    fn session(&mut self, map: &Map<String, Value>) {
        let text = |key: &str| map.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        self.session = self.session.take().or_else(|| text("sessionId").map(str::to_owned));
        self.is_subagent |= text("kind") == Some("subagent");
        if let Some(start) = text("startTime").and_then(|start| read_stamp(&start.into()).ok()) {
            self.times.note(start.at);
        }
    }

    /// Reads the messages of a whole session. What a document says of the session may stand behind them.
    fn messages(&mut self, held: &Held<'_>) -> io::Result<()> {
        let members = members(held.raw).unwrap_or_default();
        self.session(&members_but("messages", held.raw, &members));
        let list = members.into_iter().rfind(|(key, _)| key == "messages").map(|(_, range)| range);
        let Some((range, messages)) = list.and_then(|range| Some((range.clone(), items(&held.raw[range])?)))
        else {
            self.hand_on.set_aside(held.place, held.raw, "the document has no list of `messages`".to_owned());
            return Ok(());
        };
        if messages.is_empty() {
            self.skip(held);
        }
        for message in messages {
            let message = range.start + message.start..range.start + message.end;
            let place_of = |at: usize| (held.place_of)(message.start + at);
            let (place, raw) = (place_of(0), &held.raw[message.clone()]);
            match parse(raw) {
                Ok((Value::Object(map), repairs)) => {
                    self.message(&Held { place, raw, repairs, place_of: &place_of }, &map)?;
                }
                Ok((other, _)) => {
                    self.hand_on.set_aside(
                        place,
                        raw,
                        format!("a message is an object, not {}", kind_of(&other)),
                    );
                }
                Err(reason) if message.end == held.raw.len() => {
                    self.hand_on.set_aside(place, raw, format!("{INCOMPLETE_ELEMENT}: {reason}"));
                }
                Err(reason) => self.hand_on.set_aside(place, raw, reason),
            }
        }
        Ok(())
    }

    fn message(&mut self, held: &Held<'_>, map: &Map<String, Value>) -> io::Result<()> {
        let Message { role, mut rendering } = match message::read(map, self.is_subagent) {
            Ok(message) => message,
            Err(reason) => {
                self.hand_on.set_aside(held.place, held.raw, reason);
                return Ok(());
            }
        };
        let native_id = map.get("id").and_then(Value::as_str).filter(|id| !id.is_empty()).map(str::to_owned);
        let content = hash_of(&(role as u8, &rendering.text));
        let first = native_id.as_ref().map(|id| (hash_of(id), self.said.get(&hash_of(id)).copied()));
        if let Some((id, None)) = first
            && !rendering.text.is_empty()
        {
            self.said.insert(id, content);
        }
        let first = first.and_then(|(_, first)| first);
        let given = stamp(map, &TIMES);
        let holds_nothing = rendering.text.is_empty() && rendering.problems.is_empty();
        if first == Some(content) || holds_nothing {
            self.skip(held);
        } else {
            rendering.problems.splice(0..0, held.repairs.iter().cloned());
            if let (Some(id), Some(_)) = (&native_id, first) {
                rendering.notice(format!("id {id:?} stands above with other content; both are kept"));
            }
            if native_id.as_ref().is_some_and(|id| self.withdrawn.contains(&hash_of(id))) {
                unsay(&mut rendering);
            }
            let (place, raw, native_id, stamp) =
                (held.place, Some(held.raw), native_id.clone(), given.clone());
            self.turn(Said { place, raw, role, rendering, native_id, stamp })?;
        }
        self.calls(held, native_id.as_deref(), given.as_ref())
    }

    /// Hands on the calls of a message, and their results, as far as they are new.
    fn calls(
        &mut self,
        held: &Held<'_>,
        message: Option<&str>,
        said_at: Option<&Result<Stamp, String>>,
    ) -> io::Result<()> {
        let list = members(held.raw).unwrap_or_default().into_iter().rfind(|(key, _)| key == "toolCalls");
        let Some((range, calls)) =
            list.and_then(|(_, range)| Some((range.clone(), items(&held.raw[range])?)))
        else {
            return Ok(());
        };
        for (call, number) in calls.into_iter().zip(1..) {
            let call = range.start + call.start..range.start + call.end;
            let (place, raw) = ((held.place_of)(call.start), &held.raw[call]);
            let Ok((Value::Object(call), _)) = parse(raw) else {
                self.hand_on.set_aside(place, raw, "a tool call is an object, and this is none".to_owned());
                continue;
            };
            let own = call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
            let id = match (own, message) {
                (Some(id), _) => id.to_owned(),
                (None, Some(message)) => format!("{message}.{number}"),
                (None, None) => format!("{}.{number}", self.n_turns),
            };
            let done = message::read_call(&call, &id);
            let stamp = stamp(&call, &TIMES).or_else(|| said_at.cloned());
            // What stands here is kept with the result alone: it is the call, too.
            let (called, answered) = ((id.clone(), false), (format!("{id}.result"), true));
            let call = (Some(done.call), Role::Agent, called, None);
            let result = (done.result, Role::Tool, answered, Some(raw));
            for (rendering, role, (native_id, is_result), raw) in [call, result] {
                if let Some(rendering) = rendering
                    && self.called.insert((hash_of(&id), is_result))
                {
                    let (native_id, stamp) = (Some(native_id), stamp.clone());
                    self.turn(Said { place, raw, role, rendering, native_id, stamp })?;
                }
            }
        }
        Ok(())
    }

    fn turn(&mut self, said: Said<'_>) -> io::Result<()> {
        let Said { place, raw, role, mut rendering, native_id, stamp } = said;
        let source = self.source;
        let timed = self.times.of(stamp, source.modified, &mut rendering.problems, || first_time(source))?;
        self.n_turns += 1;
        let session = self.session.as_deref();
        let told = Told {
            place,
            bytes: raw,
            session: session.unwrap_or(source.stem()),
            position: self.n_turns,
            role,
            speaker: speaker(role, AGENT),
            agent: AGENT,
            user: None,
            native_id,
            cwd: None,
            rendering,
        };
        let (turn, problems) = told.at(timed);
        self.hand_on.turn(turn, problems);
        Ok(())
    }

    fn skip(&mut self, held: &Held<'_>) {
        self.hand_on.skip(held.place);
        self.hand_on.tell_all(held.place, held.repairs.clone());
    }
}

/// Makes words that were taken back nobody's statement; they can still be found.
fn unsay(rendering: &mut TurnText) {
    for part in &mut rendering.parts {
        if let Part::Speech(span) = part {
            *part = Part::Harness(span.clone());
        }
    }
}

/// Finds the first time in the file.
fn first_time(source: &Source<'_>) -> io::Result<Option<Instant>> {
    let first = |map: &Map<String, Value>| {
        let messages = map.get("messages").and_then(Value::as_array).into_iter().flatten();
        let mut maps = std::iter::once(map).chain(messages.filter_map(Value::as_object));
        maps.find_map(|map| stamp(map, &TIMES)?.ok()).map(|stamp| stamp.at)
    };
    let mut values = source.values(false)?;
    while let Some(value) = values.next_element()? {
        if let Ok((Value::Object(map), _)) = parse(&value.bytes)
            && let Some(at) = first(&map)
        {
            return Ok(Some(at));
        }
    }
    Ok(None)
}
