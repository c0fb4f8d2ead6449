//! What a file of chats becomes: conversations and their messages in order, and what only shows across messages — times
//! taken from neighbours, call ids that repeat.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

use bygone_engine::time::Instant;
use serde_json::{Map, Value};

use super::message::{AGENT, KNOWN, Message, read_message};
use crate::read::call_ids::CallIds;
use crate::read::document::{parse, stamp};
use crate::read::hand_on::HandOn;
use crate::read::near::missing;
use crate::read::pieces::{Layout, Piece, pieces, session_of};
use crate::read::repeats::{Repeats, hash_of};
use crate::read::scan::{items, members};
use crate::read::stamp::{Stamp, kind_of};
use crate::read::times::Timed;
use crate::read::told::Told;
use crate::read::turns::native;
use crate::read::{INCOMPLETE, Place, Read, Source};

/// Where people write the time of a message or a conversation, in the order in which they are looked for.
const TIMES: [&str; 3] = ["timestamp", "created_at", "created"];
/// Where they write the id of a conversation, in it or in its messages; its own may also be its `id`.
const SESSIONS: [&str; 4] = ["session_id", "conversation_id", "thread_id", "chat_id"];

/// Reads a file of chats.
pub(super) fn read(source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) -> io::Result<()> {
    let layout = Layout::of(&source.head()?);
    let mut file = File {
        source,
        layout,
        hand_on: HandOn::new(hand_on),
        last_time: None,
        first_time: FirstTime::NotLookedFor,
        is_lack_told: false,
        n_messages: 0,
        calls: CallIds::default(),
        sessions: BTreeMap::new(),
        repeats: Repeats::default(),
    };
    pieces(source, layout, true, &mut |piece| {
        file.piece(&piece)?;
        Ok(true)
    })
}

/// What is known of the file so far.
struct File<'a, 'out> {
    source: &'a Source<'a>,
    layout: Layout,
    hand_on: HandOn<'out>,
    /// The time of the last message that has one.
    last_time: Option<Instant>,
    /// The first time in the file, once it was looked for.
    first_time: FirstTime,
    /// Whether it was told that messages have no time.
    is_lack_told: bool,
    /// Messages that stand by themselves so far.
    n_messages: u64,
    /// The tool calls of the conversation so far.
    calls: CallIds,
    /// Of each session, by the hash of its name: the hash of its first message, and its last position.
    sessions: BTreeMap<u64, (u64, u64)>,
    repeats: Repeats,
}

/// The first time in a file.
#[derive(Clone, Copy)]
enum FirstTime {
    NotLookedFor,
    Looked(Option<Instant>),
}

/// The conversation a message belongs to.
struct Conversation<'a> {
    session: &'a str,
    stamp: Option<&'a Stamp>,
}

impl File<'_, '_> {
    fn piece(&mut self, piece: &Piece<'_>) -> io::Result<()> {
        if let Some(fault) = &piece.fault {
            self.hand_on.set_aside(piece.place, piece.bytes, fault.clone());
            return Ok(());
        }
        let map = match parse(piece.bytes) {
            Ok(Value::Object(map)) => map,
            Ok(other) => {
                let reason = format!("{}, not an object", kind_of(&other));
                self.hand_on.set_aside(piece.place, piece.bytes, reason);
                return Ok(());
            }
            Err(error) => {
                let opening = if piece.is_terminated { "not JSON" } else { INCOMPLETE };
                self.hand_on.set_aside(piece.place, piece.bytes, format!("{opening}: {error}"));
                return Ok(());
            }
        };
        for reason in &piece.repairs {
            self.hand_on.tell(piece.place, reason.clone());
        }
        if map.contains_key("messages") {
            return self.conversation(piece, &map);
        }
        if !map.contains_key("role") {
            self.hand_on.set_aside(piece.place, piece.bytes, missing(&map, "role", &KNOWN));
            return Ok(());
        }
        self.n_messages += 1;
        let position = if self.layout == Layout::Lines { piece.number } else { self.n_messages };
        let session = first_text(&map, &SESSIONS).unwrap_or_else(|| self.source.stem().to_owned());
        self.message(piece.place, piece.bytes, position, &Conversation { session: &session, stamp: None })
    }

    fn conversation(&mut self, piece: &Piece<'_>, map: &Map<String, Value>) -> io::Result<()> {
        let list = members(piece.bytes).unwrap_or_default();
        let list = list.into_iter().rfind(|(key, _)| key == "messages").map(|(_, range)| range);
        let Some((range, messages)) =
            list.and_then(|range| Some((range.clone(), items(&piece.bytes[range])?)))
        else {
            self.hand_on.set_aside(piece.place, piece.bytes, "`messages` is no list".to_owned());
            return Ok(());
        };
        if messages.is_empty() {
            self.hand_on.skip(piece.place);
            return Ok(());
        }
        let given = match stamp(map, &TIMES) {
            Some(Ok(stamp)) => Some(stamp),
            Some(Err(reason)) => {
                self.hand_on.tell(piece.place, reason);
                None
            }
            None => None,
        };
        let session = first_text(map, &SESSIONS).or_else(|| first_text(map, &["id"]));
        let session = session.unwrap_or_else(|| session_of(self.source, self.layout, piece.number));
        self.calls.clear();
        let conversation = Conversation { session: &session, stamp: given.as_ref() };
        let first = &piece.bytes[range.start + messages[0].start..range.start + messages[0].end];
        let start = self.start_of(&session, hash_of(first), messages.len() as u64);
        for (message, position) in messages.into_iter().zip(start..) {
            let message: Range<usize> = range.start + message.start..range.start + message.end;
            let place = (piece.place_of)(message.start);
            self.message(place, &piece.bytes[message], position, &conversation)?;
        }
        Ok(())
    }

    /// Returns the position of a conversation's first message: a session that is told once more from its beginning starts
    /// where it did, and one that goes on goes on.
    fn start_of(&mut self, session: &str, first: u64, n_messages: u64) -> u64 {
        let known = self.sessions.entry(hash_of(session)).or_insert((first, 0));
        let before = if known.0 == first { 0 } else { known.1 };
        known.1 = known.1.max(before + n_messages);
        before + 1
    }

    fn message(
        &mut self,
        place: Place,
        bytes: &[u8],
        position: u64,
        conversation: &Conversation<'_>,
    ) -> io::Result<()> {
        let read = parse(bytes).map_err(|error| format!("not JSON: {error}")).and_then(|value| match value {
            Value::Object(map) => Ok((read_message(&map)?, stamp(&map, &TIMES), first_text(&map, &["id"]))),
            other => Err(format!("a message is an object, not {}", kind_of(&other))),
        });
        let (message, own, native_id) = match read {
            Ok(read) => read,
            Err(reason) => {
                self.hand_on.set_aside(place, bytes, reason);
                return Ok(());
            }
        };
        let Message { role, speaker, user, mut rendering } = message;
        let own = own.transpose().unwrap_or_else(|reason| {
            rendering.notice(reason);
            None
        });
        let timed = match own.as_ref().or(conversation.stamp) {
            Some(stamp) => {
                if let Some(assumed) = stamp.assumed {
                    rendering.notice(format!("the time has {assumed}"));
                }
                self.last_time = Some(stamp.at);
                Timed { at: stamp.at, zone: stamp.zone.clone(), is_inferred: false }
            }
            None => Timed { at: self.inferred(place)?, zone: None, is_inferred: true },
        };
        let told = Told {
            place,
            bytes: Some(bytes),
            session: conversation.session,
            position,
            role,
            speaker,
            agent: AGENT,
            user: user.as_deref(),
            native_id: native_id.map(|id| native(conversation.session, id)),
            cwd: None,
            rendering,
        };
        let (turn, mut problems) = told.at(timed);
        if let Some(reason) = self.repeats.refusal(&turn) {
            self.hand_on.set_aside(place, bytes, reason);
            return Ok(());
        }
        self.calls.check(self.source.stem(), &turn.parts, &mut problems);
        self.hand_on.turn(turn, problems);
        Ok(())
    }

    /// Returns the time of a message that has none: that of the message before, else of the next one that has one, else
    /// the file's. It is told once for the file.
    fn inferred(&mut self, place: Place) -> io::Result<Instant> {
        let (at, whence) = match self.last_time {
            Some(at) => (at, "the message before"),
            None => match self.first_time()? {
                Some(at) => (at, "the next message that has one"),
                None => (self.source.modified, "the file"),
            },
        };
        if !std::mem::replace(&mut self.is_lack_told, true) {
            self.hand_on
                .tell(place, format!("messages without a time, this one first; it is taken from {whence}"));
        }
        Ok(at)
    }

    /// Finds the first time in the file. Asked only while no message had one.
    fn first_time(&mut self) -> io::Result<Option<Instant>> {
        if let FirstTime::Looked(found) = self.first_time {
            return Ok(found);
        }
        let mut found = None;
        pieces(self.source, self.layout, false, &mut |piece| {
            if piece.fault.is_none()
                && let Ok(Value::Object(map)) = parse(piece.bytes)
            {
                let messages = map.get("messages").and_then(Value::as_array).into_iter().flatten();
                let mut maps = std::iter::once(&map).chain(messages.filter_map(Value::as_object));
                found = maps.find_map(|map| stamp(map, &TIMES)?.ok()).map(|stamp| stamp.at);
            }
            Ok(found.is_none())
        })?;
        self.first_time = FirstTime::Looked(found);
        Ok(found)
    }
}

/// Returns the first text that stands under one of the keys.
fn first_text(map: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    let text = keys.iter().find_map(|key| map.get(*key)?.as_str().filter(|text| !text.is_empty()))?;
    Some(text.to_owned())
}
