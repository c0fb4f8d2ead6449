//! What one conversation becomes: its messages in the order of the file or of their tree, and what only shows across
//! them — times taken from the message above, ids that repeat.

use bygone_engine::time::Instant;
use bygone_engine::{Episode, EpisodeId};
use serde_json::{Map, Value};

use super::AGENT;
use super::message::{self, Message};
use crate::read::json::parse;
use crate::read::repeats::{CallIds, Repeats, hash_of};
use crate::read::scan::{items, members};
use crate::read::speaker::speaker;
use crate::read::stamp::{Stamp, kind_of, read_stamp};
use crate::read::times::{Timed, TimesOfTree};
use crate::read::tree::{self, Node};
use crate::read::turn_text::TurnText;
use crate::read::{Element, Place, Problem, Read, Record, Source, Turn};

/// The name of the message above the first one.
const NONE_ABOVE: &str = "00000000-0000-4000-8000-000000000000";

/// Reads a conversation.
pub(super) fn read(source: &Source<'_>, element: &Element, hand_on: &mut dyn FnMut(Read)) {
    let whole = || element.bytes.clone();
    let Some(members) = members(&element.bytes) else {
        return set_aside(element.place, whole(), "a conversation is an object, and this is none", hand_on);
    };
    let mut fields = Map::new();
    for (key, range) in members.iter().filter(|(key, _)| key != "chat_messages") {
        if let Ok((value, _)) = parse(element.get(range)) {
            fields.insert(key.clone(), value);
        }
    }
    let messages = members.into_iter().find(|(key, _)| key == "chat_messages").map(|(_, range)| range);
    let Some((start, messages)) = messages.and_then(|range| Some((range.start, items(element.get(&range))?)))
    else {
        return set_aside(
            element.place,
            whole(),
            "a conversation without a list of `chat_messages`",
            hand_on,
        );
    };
    if messages.is_empty() {
        return hand_on(Read::Record(Record::Skipped(element.place)));
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
        hand_on(Read::Problem(Problem { place: element.place, reason }));
    }
    let began = stamp(&fields).and_then(Result::ok).map(|stamp| stamp.at);
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
    hand_on: &'out mut dyn FnMut(Read),
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
            for reason in problems {
                self.tell(first.place, reason);
            }
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
                        self.tell(held.place, reason);
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
                    (self.hand_on)(Read::Record(Record::Skipped(held.place)));
                    return None;
                }
                Ok(message) => return Some(self.turn(held, map, message, repairs, place.depth, above)),
                Err(reason) => reason,
            },
            Ok((other, _)) => format!("a message is an object, not {}", kind_of(other)),
            Err(reason) => reason.clone(),
        };
        set_aside(held.place, held.raw.to_vec(), &refusal, self.hand_on);
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
        let Message { role, rendering: TurnText { text, parts, problems: noticed } } = message;
        let mut problems = repairs.to_vec();
        problems.extend(noticed);
        let Timed { at, zone, is_inferred } = self.times.of(stamp(map), above, &mut problems);
        let native_id = held.text("uuid").map(str::to_owned);
        let is_conflict =
            native_id.as_ref().is_some_and(|id| self.repeats.is_conflict(id, hash_of(&(role as u8, &text))));
        if let (true, Some(id)) = (is_conflict, &native_id) {
            problems.push(format!("id {id:?} stands above with other content; both are kept"));
        }
        self.calls.check(&parts, &mut problems);
        let episode = Episode {
            id: EpisodeId::UNHASHED,
            session: self.session.clone(),
            position,
            role,
            speaker: speaker(role, AGENT),
            agent: Some(AGENT.to_owned()),
            user: None,
            time: at,
            time_inferred: is_inferred,
            zone,
            native_id,
            text,
            raw: Some(held.raw.to_vec()),
        };
        let turn = Turn { place: held.place, episode: episode.with_content_id(), cwd: None, parts };
        (self.hand_on)(Read::Record(Record::Turn(Box::new(turn))));
        for reason in problems {
            self.tell(held.place, reason);
        }
        at
    }

    fn tell(&mut self, place: Place, reason: String) {
        (self.hand_on)(Read::Problem(Problem { place, reason }));
    }
}

fn stamp(map: &Map<String, Value>) -> Option<Result<Stamp, String>> {
    let of = |key: &str| {
        let value = map.get(key).filter(|value| !value.is_null())?;
        Some(read_stamp(value).map_err(|reason| format!("{key}: {reason}")))
    };
    of("created_at").or_else(|| of("updated_at"))
}

fn set_aside(place: Place, raw: Vec<u8>, reason: &str, hand_on: &mut dyn FnMut(Read)) {
    let problem = Problem { place, reason: reason.to_owned() };
    hand_on(Read::Record(Record::set_aside(problem, raw)));
}
