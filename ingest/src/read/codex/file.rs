//! What a session file becomes: its records in order, and what only shows across records — the session and the directory
//! they are of, times taken from neighbours, ids that repeat.

use std::collections::BTreeSet;
use std::io;

use bygone_engine::Role;
use bygone_engine::time::Instant;
use serde_json::{Map, Value};

use super::item::{self, Said, user_words};
use super::stream::{self, Item};
use super::{AGENT, is_first_line, is_ours};
use crate::read::call_ids::CallIds;
use crate::read::document::stamp;
use crate::read::hand_on::HandOn;
use crate::read::json::{Found, LineValue, records, values};
use crate::read::lines::Line;
use crate::read::near::missing;
use crate::read::repeats::{Repeats, hash_of};
use crate::read::scan::members;
use crate::read::speaker::speaker;
use crate::read::stamp::{Stamp, kind_of};
use crate::read::times::Times;
use crate::read::told::Told;
use crate::read::turn_text::TurnText;
use crate::read::{Part, Place, Read, Source};

/// Where a time stands.
const TIMES: [&str; 1] = ["timestamp"];
/// Keys that records have, which are never a slip for another one.
const KNOWN: [&str; 12] = [
    "timestamp",
    "type",
    "payload",
    "id",
    "role",
    "content",
    "call_id",
    "item",
    "thread_id",
    "usage",
    "record_type",
    "instructions",
];

/// How much of a line is looked at to tell a compaction: its type stands in front of the history.
const START: usize = 4 << 10;

/// Where a compaction repeats the history.
const HISTORY: &str = "replacement_history";
/// What the turn opens with that a compaction leaves behind, in the words of Claude Code.
const COMPACTED: &str = "Conversation compacted";

/// Events that tell a message once more.
const MESSAGES: [&str; 2] = ["user_message", "agent_message"];

/// Reads a session file.
pub(super) fn read(source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) -> io::Result<()> {
    let mut file = File {
        source,
        hand_on: HandOn::new(hand_on),
        session: None,
        cwd: None,
        is_subagent: false,
        times: Times::of_records(),
        repeats: Repeats::default(),
        calls: CallIds::default(),
        called: BTreeSet::new(),
        has_messages: None,
        told: BTreeSet::new(),
    };
    let mut lines = source.lines()?;
    while let Some(line) = lines.next()? {
        if is_compaction(line.raw) {
            file.compaction(&line)?;
        } else if let Some(reason) = &line.too_long {
            file.hand_on.set_aside(line.place, line.raw, reason.clone());
        } else if !line.is_blank() {
            file.line(&line)?;
        }
    }
    Ok(())
}

/// Says whether a line repeats the history, without parsing it.
fn is_compaction(raw: &[u8]) -> bool {
    let members = members(&raw[..raw.len().min(START)]).unwrap_or_default();
    let kind = members.into_iter().find(|(key, _)| key == "type");
    kind.is_some_and(|(_, range)| raw.get(range) == Some(b"\"compacted\""))
}

/// Takes the history out of a compaction, of which every turn stands in the file already: what is left has the summary.
fn without_history(raw: &[u8]) -> Vec<u8> {
    let inside = |text: &[u8], key: &str| {
        members(text).unwrap_or_default().into_iter().find(|(name, _)| name == key).map(|(_, range)| range)
    };
    let history = inside(raw, "payload").and_then(|payload| {
        let history = inside(&raw[payload.clone()], HISTORY)?;
        Some(payload.start + history.start..payload.start + history.end)
    });
    match history {
        Some(history) => [&raw[..history.start], b"[]", &raw[history.end..]].concat(),
        None => raw.to_vec(),
    }
}

/// What is known of the file so far.
struct File<'a, 'out> {
    source: &'a Source<'a>,
    hand_on: HandOn<'out>,
    /// The session, once a record named it: a fork repeats the records of the one it came from, its name included.
    session: Option<String>,
    cwd: Option<String>,
    is_subagent: bool,
    times: Times,
    repeats: Repeats,
    calls: CallIds,
    /// The calls of a stream that were handed on, by the hash of their ids.
    called: BTreeSet<u64>,
    /// Whether messages stand in the file as items, once that was looked for.
    has_messages: Option<bool>,
    /// The kinds that are not known and were told.
    told: BTreeSet<String>,
}

/// A record and where it stands.
struct Held<'a> {
    place: Place,
    raw: &'a [u8],
    problems: Vec<String>,
    /// What it says of its time.
    stamp: Option<Result<Stamp, String>>,
    native_id: Option<String>,
}

impl File<'_, '_> {
    fn line(&mut self, line: &Line<'_>) -> io::Result<()> {
        for Found { place, raw, object } in records(line, is_ours) {
            match object {
                Ok((record, problems)) => {
                    let held = Held { place, raw, problems, stamp: stamp(&record, &TIMES), native_id: None };
                    self.record(held, &record)?;
                }
                Err(reason) => self.hand_on.set_aside(place, raw, reason),
            }
        }
        Ok(())
    }

    /// Reads what a compaction leaves behind. The history is passed over without being parsed, and so is a line that is too
    /// long or damaged.
    fn compaction(&mut self, line: &Line<'_>) -> io::Result<()> {
        let raw = if line.too_long.is_some() { Vec::new() } else { without_history(line.raw) };
        let Ok(Value::Object(record)) = serde_json::from_slice::<Value>(&raw) else {
            self.hand_on.skip(line.place);
            return Ok(());
        };
        let stamp = stamp(&record, &TIMES);
        let held = Held { place: line.place, raw: &raw, problems: Vec::new(), stamp, native_id: None };
        self.record(held, &record)
    }

    /// A compaction is the harness's turn, as it is elsewhere: that it happened, and the summary where there is one.
    fn compacted(&mut self, held: Held<'_>, record: &Map<String, Value>) -> io::Result<()> {
        let payload = record.get("payload").and_then(Value::as_object);
        let summary = payload.and_then(|payload| text(payload, "message"));
        let mut rendering = TurnText::default();
        rendering.say(COMPACTED, Part::Harness);
        if let Some(summary) = summary {
            rendering.say(&summary, Part::Harness);
        }
        self.turn(held, Said::by(Role::System, rendering))
    }

    fn record(&mut self, held: Held<'_>, record: &Map<String, Value>) -> io::Result<()> {
        let kind = match record.get("type") {
            Some(Value::String(kind)) => kind.as_str(),
            Some(other) => {
                self.hand_on.set_aside(
                    held.place,
                    held.raw,
                    format!("no type: `type` is {}, not a string", kind_of(other)),
                );
                return Ok(());
            }
            None if record.contains_key("record_type") => return self.pass(held),
            None if is_first_line(record) => {
                self.meta(record, &held);
                return self.pass(held);
            }
            None => {
                self.hand_on.set_aside(
                    held.place,
                    held.raw,
                    format!("no type: the record has {}", missing(record, "type", &KNOWN)),
                );
                return Ok(());
            }
        };
        match kind {
            "session_meta" | "turn_context" | "event_msg" | "response_item" => {
                let Some(Value::Object(payload)) = record.get("payload") else {
                    let lack = match record.get("payload") {
                        Some(other) => format!("`payload` is {}, not an object", kind_of(other)),
                        None => format!("the record has {}", missing(record, "payload", &KNOWN)),
                    };
                    self.hand_on.set_aside(held.place, held.raw, lack);
                    return Ok(());
                };
                match kind {
                    "session_meta" => {
                        self.meta(payload, &held);
                        self.pass(held)
                    }
                    "turn_context" => {
                        self.cwd = text(payload, "cwd").or(self.cwd.take());
                        self.pass(held)
                    }
                    "event_msg" => self.event(held, payload),
                    _ => self.item(held, payload),
                }
            }
            "thread.started" => {
                self.session = self.session.take().or_else(|| text(record, "thread_id"));
                self.pass(held)
            }
            "item.started" | "item.updated" | "item.completed" => {
                self.stream(held, record, kind == "item.completed")
            }
            "error" | "turn.failed" => {
                let error = record.get("error").and_then(Value::as_object).unwrap_or(record);
                let mut rendering = TurnText::default();
                rendering
                    .say(&format!("[error] {}", text(error, "message").unwrap_or_default()), Part::Harness);
                self.turn(held, Said::by(Role::System, rendering))
            }
            "turn.started" | "turn.completed" => self.pass(held),
            "compacted" => self.compacted(held, record),
            "message" | "reasoning" => self.item(held, record),
            _ if kind.ends_with("_call") || kind.ends_with("_call_output") => self.item(held, record),
            _ => self.pass_unknown(held, kind),
        }
    }

    /// Takes what the first line of a session says of it.
    fn meta(&mut self, meta: &Map<String, Value>, held: &Held<'_>) {
        if self.session.is_none() {
            self.session = text(meta, "id");
            self.is_subagent = meta.get("source").is_some_and(|source| source.get("subagent").is_some());
        }
        self.cwd = text(meta, "cwd").or(self.cwd.take());
        let stamp = held.stamp.clone().or_else(|| stamp(meta, &TIMES));
        if let Some(Ok(stamp)) = stamp {
            self.times.note(stamp.at);
        }
    }

    fn item(&mut self, mut held: Held<'_>, item: &Map<String, Value>) -> io::Result<()> {
        if is_message(item) {
            self.has_messages = Some(true);
        }
        held.stamp = held.stamp.or_else(|| stamp(item, &TIMES));
        held.native_id = text(item, "id");
        match item::read(item, self.is_subagent) {
            Ok(Some(said)) => self.turn(held, said),
            Ok(None) => self.pass(held),
            Err(reason) => {
                self.hand_on.set_aside(held.place, held.raw, reason);
                Ok(())
            }
        }
    }

    fn event(&mut self, held: Held<'_>, event: &Map<String, Value>) -> io::Result<()> {
        let kind = event.get("type").and_then(Value::as_str).unwrap_or_default();
        if !MESSAGES.contains(&kind) || self.has_messages(held.place)? {
            return self.pass(held);
        }
        let words = text(event, "message").unwrap_or_default();
        let mut rendering = TurnText::default();
        let role = if kind == "agent_message" {
            rendering.say(&words, Part::Speech);
            Role::Agent
        } else {
            user_words(&words, &mut rendering);
            let has_speech = rendering.has(|part| matches!(part, Part::Speech(_)));
            if has_speech { Role::User } else { Role::System }
        };
        self.turn(held, Said::by(role, rendering))
    }

    /// Says whether the file tells messages as items, too. Asked only while none was seen.
    fn has_messages(&mut self, place: Place) -> io::Result<bool> {
        if let Some(has_messages) = self.has_messages {
            return Ok(has_messages);
        }
        let mut lines = self.source.lines_ahead()?;
        let mut found = false;
        while let Some(line) = lines.next()? {
            if line.place.line < place.line || line.too_long.is_some() || is_compaction(line.raw) {
                continue;
            }
            let is_item = |piece: LineValue| {
                let value = piece.value.ok()?;
                Some(value.get("type")? == "response_item" && is_message(value.get("payload")?.as_object()?))
            };
            if values(&line, is_ours).into_iter().any(|piece| is_item(piece) == Some(true)) {
                found = true;
                break;
            }
        }
        self.has_messages = Some(found);
        Ok(found)
    }

    fn stream(&mut self, held: Held<'_>, record: &Map<String, Value>, is_completed: bool) -> io::Result<()> {
        let Some(Value::Object(map)) = record.get("item") else {
            self.hand_on.set_aside(
                held.place,
                held.raw,
                format!("the event has {}", missing(record, "item", &KNOWN)),
            );
            return Ok(());
        };
        let id = hash_of(stream::id(map));
        let item = Item { map, is_completed, is_called: self.called.contains(&id) };
        match stream::read(&item) {
            Ok(Some(said)) => {
                if said.rendering.has(|part| matches!(part, Part::ToolCall { .. })) {
                    self.called.insert(id);
                }
                self.turn(held, said)
            }
            Ok(None) => self.pass(held),
            Err(reason) => {
                self.hand_on.set_aside(held.place, held.raw, reason);
                Ok(())
            }
        }
    }

    fn turn(&mut self, held: Held<'_>, said: Said) -> io::Result<()> {
        let Held { place, raw, problems: mut noticed, stamp, native_id } = held;
        let Said { role, mut rendering, cwd } = said;
        noticed.append(&mut rendering.problems);
        let source = self.source;
        let timed = self.times.of(stamp, source.modified, &mut noticed, || first_time(source, place))?;
        let session = self.session.clone();
        let told = Told {
            place,
            bytes: Some(raw),
            session: session.as_deref().unwrap_or(source.stem()),
            position: place.line,
            role,
            speaker: speaker(role, AGENT),
            agent: AGENT,
            user: None,
            native_id,
            cwd: cwd.or_else(|| self.cwd.clone()),
            rendering: TurnText { problems: noticed, ..rendering },
        };
        let (turn, mut problems) = told.at(timed);
        self.repeats.note(&turn, &mut problems);
        self.calls.check(source.stem(), &turn.parts, &mut problems);
        self.hand_on.turn(turn, problems);
        Ok(())
    }

    /// Passes over a record that holds no turn. Its time is still that of what follows and tells none.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "it ends a record like the ways that may have to read ahead"
    )]
    fn pass(&mut self, held: Held<'_>) -> io::Result<()> {
        if let Some(Ok(stamp)) = &held.stamp {
            self.times.note(stamp.at);
        }
        self.hand_on.skip(held.place);
        self.hand_on.tell_all(held.place, held.problems);
        Ok(())
    }

    fn pass_unknown(&mut self, mut held: Held<'_>, kind: &str) -> io::Result<()> {
        if self.told.insert(kind.to_owned()) {
            held.problems.push(format!("records of unknown type {kind:?} are skipped, this one first"));
        }
        self.pass(held)
    }
}

/// Finds the first time after a place.
fn first_time(source: &Source<'_>, place: Place) -> io::Result<Option<Instant>> {
    let mut lines = source.lines_ahead()?;
    while let Some(line) = lines.next()? {
        if line.place.line < place.line || line.too_long.is_some() || is_compaction(line.raw) {
            continue;
        }
        for piece in values(&line, is_ours) {
            let Ok(Value::Object(record)) = piece.value else {
                continue;
            };
            let payload = record.get("payload").and_then(Value::as_object);
            let stamp = stamp(&record, &TIMES).or_else(|| stamp(payload?, &TIMES));
            if let Some(Ok(stamp)) = stamp {
                return Ok(Some(stamp.at));
            }
        }
    }
    Ok(None)
}

fn is_message(item: &Map<String, Value>) -> bool {
    item.get("type").map_or(item.contains_key("role"), |kind| kind == "message")
}

/// Returns the text under a key, unless it is empty.
fn text(record: &Map<String, Value>, key: &str) -> Option<String> {
    record.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}
