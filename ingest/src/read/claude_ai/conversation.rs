//! What one conversation becomes: its messages in the order of the file or of their tree, and what only shows across
//! them — times taken from the message above, ids that repeat.

use bygone_engine::time::Instant;
use serde_json::{Map, Value};

use super::AGENT;
use super::message::{self, Message};
use crate::read::call_ids::CallIds;
use crate::read::document::stamp;
use crate::read::hand_on::HandOn;
use crate::read::json::{members_but, parse};
use crate::read::repeats::Repeats;
use crate::read::scan::{items, members};
use crate::read::speaker::speaker;
use crate::read::stamp::kind_of;
use crate::read::times::TimesOfTree;
use crate::read::told::Told;
use crate::read::tree::{self, Node};
use crate::read::{Element, Place, Read, Source};

/// The name of the message above the first one.
const NONE_ABOVE: &str = "00000000-0000-4000-8000-000000000000";

/// Where conversations and messages tell their times.
const TIMES: [&str; 2] = ["created_at", "updated_at"];

/// Reads a conversation.
pub(super) fn read(source: &Source<'_>, element: &Element, hand_on: &mut dyn FnMut(Read)) {
    let mut hand_on = HandOn::new(hand_on);
    let Some(members) = members(&element.bytes) else {
        return hand_on.set_aside(
            element.place,
            &element.bytes,
            "a conversation is an object, and this is none",
        );
    };
    let fields = members_but("chat_messages", &element.bytes, &members);
    let messages = members.into_iter().find(|(key, _)| key == "chat_messages").map(|(_, range)| range);
    let Some((start, messages)) = messages.and_then(|range| Some((range.start, items(element.get(&range))?)))
    else {
        return hand_on.set_aside(
            element.place,
            &element.bytes,
            "a conversation without a list of `chat_messages`",
        );
    };
    if messages.is_empty() {
        return hand_on.skip(element.place);
    }
    let held: Vec<Held<'_>> = messages
        .into_iter()
        .map(|range| {
            let range = start + range.start..start + range.end;
            let raw = element.get(&range);
            Held { place: element.place_of(range.start), raw, read: parse(raw) }
        })
        .collect();
    let text = |key: &str| fields.get(key)?.as_str().filter(|id| !id.is_empty());
    let session = text("uuid").or_else(|| text("id")).map(str::to_owned);
    if session.is_none() {
        let reason = "a conversation without an id is of the session that the file's name is".to_owned();
        hand_on.tell(element.place, reason);
    }
    let began = stamp(&fields, &TIMES).and_then(Result::ok).map(|stamp| stamp.at);
    let mut conversation = Conversation {
        hand_on,
        session: session.unwrap_or_else(|| source.stem().to_owned()),
        times: TimesOfTree::new(began, source.modified),
        repeats: Repeats::default(),
        calls: CallIds::default(),
    };
    conversation.read(&held, text("current_leaf_message_uuid"));
}

/// A message and where it stands.
struct Held<'a> {
    place: Place,
    raw: &'a [u8],
    read: Result<(Value, Vec<String>), String>,
}

impl Held<'_> {
    fn text(&self, key: &str) -> Option<&str> {
        self.read.as_ref().ok()?.0.get(key)?.as_str().filter(|text| !text.is_empty())
    }
}

/// What is known of a conversation so far.
struct Conversation<'out> {
    hand_on: HandOn<'out>,
    session: String,
    times: TimesOfTree,
    repeats: Repeats,
    calls: CallIds,
}

impl Conversation<'_> {
    fn read(&mut self, held: &[Held<'_>], current: Option<&str>) {
        let nodes = self.nodes(held);
        let current = current.filter(|current| nodes.iter().any(|node| node.id == *current));
        let current = current.or_else(|| nodes.last().map(|node| node.id.as_str()));
        let (places, problems) = tree::order(&nodes, current);
        if let Some(first) = held.first() {
            self.hand_on.tell_all(first.place, problems);
        }
        let mut times: Vec<Option<Instant>> = vec![None; nodes.len()];
        for place in places {
            let above = place.parent.and_then(|parent| times[parent]);
            let node = &nodes[place.node];
            times[place.node] = self.message(&held[place.node], node, place, above).or(above);
        }
    }

    /// Returns the messages as nodes. One that names none above it, or none that is there, is below the one before it.
    fn nodes(&mut self, held: &[Held<'_>]) -> Vec<Node> {
        let mut nodes: Vec<Node> = Vec::new();
        let ids: std::collections::BTreeSet<&str> =
            held.iter().filter_map(|held| held.text("uuid")).collect();
        let mut seen = std::collections::BTreeSet::new();
        for (held, index) in held.iter().zip(0_usize..) {
            let before = nodes.last().map(|node: &Node| node.id.clone());
            let parent = match held.text("parent_message_uuid") {
                Some(NONE_ABOVE) => None,
                Some(parent) if ids.contains(parent) => Some(parent.to_owned()),
                Some(parent) => {
                    if before.is_some() {
                        let reason = format!(
                            "the message above, {parent:?}, is not there; the one before is taken for it"
                        );
                        self.hand_on.tell(held.place, reason);
                    }
                    before
                }
                None => before,
            };
            // A second message under an id is a node of its own.
            let id = held.text("uuid").filter(|id| seen.insert(id.to_owned()));
            let id = id.map_or_else(|| format!("\0{index}"), str::to_owned);
            nodes.push(Node { id, parent, children: Vec::new() });
        }
        nodes
    }

    /// Reads a message; returns its time, unless it is none.
    fn message(
        &mut self,
        held: &Held<'_>,
        node: &Node,
        place: tree::Place,
        above: Option<Instant>,
    ) -> Option<Instant> {
        let refusal = match &held.read {
            Ok((Value::Object(map), repairs)) => match message::read(map, &node.id, place.is_current) {
                Ok(Message { rendering, .. })
                    if rendering.text.trim().is_empty() && rendering.problems.is_empty() =>
                {
                    self.hand_on.skip(held.place);
                    return None;
                }
                Ok(message) => return Some(self.turn(held, map, message, repairs, place.depth, above)),
                Err(reason) => reason,
            },
            Ok((other, _)) => format!("a message is an object, not {}", kind_of(other)),
            Err(reason) => reason.clone(),
        };
        self.hand_on.set_aside(held.place, held.raw, refusal);
        None
    }

    fn turn(
        &mut self,
        held: &Held<'_>,
        map: &Map<String, Value>,
        message: Message,
        repairs: &[String],
        position: u64,
        above: Option<Instant>,
    ) -> Instant {
        let Message { role, mut rendering } = message;
        rendering.problems.splice(0..0, repairs.iter().cloned());
        let timed = self.times.of(stamp(map, &TIMES), above, &mut rendering.problems);
        let told = Told {
            place: held.place,
            bytes: Some(held.raw),
            session: &self.session,
            position,
            role,
            speaker: speaker(role, AGENT),
            agent: AGENT,
            user: None,
            native_id: held.text("uuid").map(str::to_owned),
            cwd: None,
            rendering,
        };
        let (turn, mut problems) = told.at(timed);
        let at = turn.episode.time;
        self.repeats.note(&turn, &mut problems);
        self.calls.check(&self.session, &turn.parts, &mut problems);
        self.hand_on.turn(turn, problems);
        at
    }
}
