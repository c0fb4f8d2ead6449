//! What one conversation becomes: its nodes in the order of the tree, and what only shows across them — times taken from
//! the node above, calls that wait for their results, ids that repeat.

use bygone_engine::time::Instant;
use bygone_engine::{Episode, EpisodeId};
use serde_json::{Map, Value};

use super::AGENT;
use super::message::{self, Context, Message};
use crate::read::json::parse;
use crate::read::repeats::{Repeats, hash_of};
use crate::read::scan::members;
use crate::read::speaker::speaker;
use crate::read::stamp::{Stamp, kind_of, read_stamp};
use crate::read::times::{Timed, TimesOfTree};
use crate::read::tree::{self, Node};
use crate::read::turn_text::TurnText;
use crate::read::{Element, Place, Problem, Read, Record, Source, Turn};

/// Where a conversation tells its id.
const IDS: [&str; 2] = ["conversation_id", "id"];

/// Reads a conversation.
pub(super) fn read(source: &Source<'_>, element: &Element, hand_on: &mut dyn FnMut(Read)) {
    let whole = || element.bytes.clone();
    let Some(members) = members(&element.bytes) else {
        return set_aside(element.place, whole(), "a conversation is an object, and this is none", hand_on);
    };
    let mut fields = Map::new();
    for (key, range) in members.iter().filter(|(key, _)| key != "mapping") {
        if let Ok((value, _)) = parse(element.get(range)) {
            fields.insert(key.clone(), value);
        }
    }
    let mapping = members.into_iter().find(|(key, _)| key == "mapping").map(|(_, range)| range);
    let Some((start, nodes)) =
        mapping.and_then(|range| Some((range.start, self::members(element.get(&range))?)))
    else {
        return set_aside(element.place, whole(), "a conversation without a `mapping` of nodes", hand_on);
    };
    if nodes.is_empty() {
        return hand_on(Read::Record(Record::Skipped(element.place)));
    }
    let held: Vec<Held<'_>> = nodes
        .into_iter()
        .map(|(id, range)| {
            let range = start + range.start..start + range.end;
            Held { id, place: element.place_of(range.start), raw: element.get(&range) }
        })
        .collect();
    Conversation::new(source, element, &fields, hand_on).read(&held, &fields);
}

/// A node and where it stands.
struct Held<'a> {
    id: String,
    place: Place,
    raw: &'a [u8],
}

/// What is known of a conversation so far.
struct Conversation<'out> {
    hand_on: &'out mut dyn FnMut(Read),
    session: String,
    times: TimesOfTree,
    repeats: Repeats,
}

/// What the nodes below a node need to know of it.
#[derive(Clone, Default)]
struct Above {
    /// The time of the last message on the way to it.
    time: Option<Instant>,
    /// The last call on the way, by its name, and the tool it calls.
    call: Option<(String, String)>,
}

impl<'out> Conversation<'out> {
    fn new(
        source: &Source<'_>,
        element: &Element,
        fields: &Map<String, Value>,
        hand_on: &'out mut dyn FnMut(Read),
    ) -> Conversation<'out> {
        let text = |key: &str| fields.get(key)?.as_str().filter(|id| !id.is_empty());
        let session = IDS.into_iter().find_map(text).map(str::to_owned);
        if session.is_none() {
            let reason = "a conversation without an id is of the session that the file's name is".to_owned();
            hand_on(Read::Problem(Problem { place: element.place, reason }));
        }
        let began = ["create_time", "update_time"].into_iter().find_map(|key| stamp(fields, key)?.ok());
        Conversation {
            hand_on,
            session: session.unwrap_or_else(|| source.stem().to_owned()),
            times: TimesOfTree::new(began.map(|stamp| stamp.at), source.modified),
            repeats: Repeats::default(),
        }
    }

    fn read(&mut self, held: &[Held<'_>], fields: &Map<String, Value>) {
        let nodes: Vec<Node> = held.iter().map(links).collect();
        let current = fields.get("current_node").and_then(Value::as_str);
        let (places, problems) = tree::order(&nodes, current);
        if let Some(first) = held.first() {
            for reason in problems {
                self.tell(first.place, reason);
            }
        }
        let mut above: Vec<Above> = vec![Above::default(); nodes.len()];
        for place in places {
            let over = place.parent.map(|parent| above[parent].clone()).unwrap_or_default();
            above[place.node] = self.node(&held[place.node], place, over);
        }
    }

    /// Reads a node; returns what those below it need to know.
    fn node(&mut self, held: &Held<'_>, place: tree::Place, above: Above) -> Above {
        let (value, problems) = match parse(held.raw) {
            Ok(read) => read,
            Err(reason) => {
                set_aside(held.place, held.raw.to_vec(), &reason, self.hand_on);
                return above;
            }
        };
        let message = match value.get("message") {
            Some(Value::Object(message)) => message,
            None | Some(Value::Null) if value.is_object() => {
                (self.hand_on)(Read::Record(Record::Skipped(held.place)));
                return above;
            }
            other => {
                let kind = kind_of(other.unwrap_or(&value));
                let reason = format!("a node is an object with a message, and this is {kind}");
                set_aside(held.place, held.raw.to_vec(), &reason, self.hand_on);
                return above;
            }
        };
        let native_id = message.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
        let id = native_id.unwrap_or(&held.id);
        let context = Context { id, call: above.call.as_ref(), is_current: place.is_current };
        match message::read(message, &context) {
            Ok(read) if read.rendering.text.trim().is_empty() && read.rendering.problems.is_empty() => {
                (self.hand_on)(Read::Record(Record::Skipped(held.place)));
                above
            }
            Ok(read) => {
                let call = read.calls.as_ref().map(|tool| (id.to_owned(), tool.clone()));
                let given = ["create_time", "update_time"].into_iter().find_map(|key| stamp(message, key));
                let native_id = native_id.map(str::to_owned);
                let time = self.turn(held, place.depth, read, native_id, (given, above.time), problems);
                Above { time: Some(time), call: call.or(above.call) }
            }
            Err(reason) => {
                set_aside(held.place, held.raw.to_vec(), &reason, self.hand_on);
                above
            }
        }
    }

    fn turn(
        &mut self,
        held: &Held<'_>,
        position: u64,
        message: Message,
        native_id: Option<String>,
        (given, above): (Option<Result<Stamp, String>>, Option<Instant>),
        mut problems: Vec<String>,
    ) -> Instant {
        let Message { role, rendering: TurnText { text, parts, problems: noticed }, .. } = message;
        problems.extend(noticed);
        let Timed { at, zone, is_inferred } = self.times.of(given, above, &mut problems);
        let is_conflict =
            native_id.as_ref().is_some_and(|id| self.repeats.is_conflict(id, hash_of(&(role as u8, &text))));
        if let (true, Some(id)) = (is_conflict, &native_id) {
            problems.push(format!("id {id:?} stands above with other content; both are kept"));
        }
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

/// Reads what a node says of the tree, also where its message is damaged.
fn links(held: &Held<'_>) -> Node {
    let members = members(held.raw).unwrap_or_default();
    let value = |name: &str| {
        let (_, range) = members.iter().find(|(key, _)| key == name)?;
        Some(parse(&held.raw[range.clone()]).ok()?.0)
    };
    let children = match value("children") {
        Some(Value::Array(children)) => {
            children.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    let parent = value("parent").and_then(|parent| parent.as_str().map(str::to_owned));
    Node { id: held.id.clone(), parent, children }
}

fn stamp(map: &Map<String, Value>, key: &str) -> Option<Result<Stamp, String>> {
    let value = map.get(key).filter(|value| !value.is_null())?;
    Some(read_stamp(value).map_err(|reason| format!("{key}: {reason}")))
}

fn set_aside(place: Place, raw: Vec<u8>, reason: &str, hand_on: &mut dyn FnMut(Read)) {
    let problem = Problem { place, reason: reason.to_owned() };
    hand_on(Read::Record(Record::set_aside(problem, raw)));
}
