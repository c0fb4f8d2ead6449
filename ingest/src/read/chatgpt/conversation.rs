//! What one conversation becomes: its nodes in the order of the tree, and what only shows across them — times taken from
//! the node above, calls that wait for their results, ids that repeat.

use bygone_engine::time::Instant;
use serde_json::{Map, Value};

use super::AGENT;
use super::message::{self, Context, Message};
use crate::read::document::stamp;
use crate::read::hand_on::HandOn;
use crate::read::json::{members_but, parse};
use crate::read::repeats::Repeats;
use crate::read::scan::members;
use crate::read::speaker::speaker;
use crate::read::stamp::{Stamp, kind_of};
use crate::read::times::TimesOfTree;
use crate::read::told::Told;
use crate::read::tree::{self, Node};
use crate::read::turn_text::TurnText;
use crate::read::{Element, Place, Read, Source};

/// Where a conversation tells its id.
const IDS: [&str; 2] = ["conversation_id", "id"];

/// Where conversations and messages tell their times.
const TIMES: [&str; 2] = ["create_time", "update_time"];

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
    let fields = members_but("mapping", &element.bytes, &members);
    let mapping = members.into_iter().find(|(key, _)| key == "mapping").map(|(_, range)| range);
    let Some((start, nodes)) =
        mapping.and_then(|range| Some((range.start, self::members(element.get(&range))?)))
    else {
        return hand_on.set_aside(
            element.place,
            &element.bytes,
            "a conversation without a `mapping` of nodes",
        );
    };
    if nodes.is_empty() {
        return hand_on.skip(element.place);
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
    hand_on: HandOn<'out>,
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
        mut hand_on: HandOn<'out>,
    ) -> Conversation<'out> {
        let text = |key: &str| fields.get(key)?.as_str().filter(|id| !id.is_empty());
        let session = IDS.into_iter().find_map(text).map(str::to_owned);
        if session.is_none() {
            let reason = "a conversation without an id is of the session that the file's name is".to_owned();
            hand_on.tell(element.place, reason);
        }
        let began = TIMES.iter().find_map(|key| stamp(fields, &[key])?.ok());
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
            self.hand_on.tell_all(first.place, problems);
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
                self.hand_on.set_aside(held.place, held.raw, reason);
                return above;
            }
        };
        let message = match value.get("message") {
            Some(Value::Object(message)) => message,
            None | Some(Value::Null) if value.is_object() => {
                self.hand_on.skip(held.place);
                return above;
            }
            other => {
                let kind = kind_of(other.unwrap_or(&value));
                let reason = format!("a node is an object with a message, and this is {kind}");
                self.hand_on.set_aside(held.place, held.raw, reason);
                return above;
            }
        };
        let native_id = message.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
        let id = native_id.unwrap_or(&held.id);
        let context = Context { id, call: above.call.as_ref(), is_current: place.is_current };
        match message::read(message, &context) {
            Ok(read) if read.rendering.text.trim().is_empty() && read.rendering.problems.is_empty() => {
                self.hand_on.skip(held.place);
                above
            }
            Ok(read) => {
                let call = read.calls.as_ref().map(|tool| (id.to_owned(), tool.clone()));
                let given = stamp(message, &TIMES);
                let native_id = native_id.map(str::to_owned);
                let time = self.turn(held, place.depth, read, native_id, (given, above.time), problems);
                Above { time: Some(time), call: call.or(above.call) }
            }
            Err(reason) => {
                self.hand_on.set_aside(held.place, held.raw, reason);
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
        mut noticed: Vec<String>,
    ) -> Instant {
        let Message { role, mut rendering, .. } = message;
        noticed.append(&mut rendering.problems);
        let timed = self.times.of(given, above, &mut noticed);
        let told = Told {
            place: held.place,
            bytes: Some(held.raw),
            session: &self.session,
            position,
            role,
            speaker: speaker(role, AGENT),
            agent: AGENT,
            user: None,
            native_id,
            cwd: None,
            rendering: TurnText { problems: noticed, ..rendering },
        };
        let (turn, mut problems) = told.at(timed);
        let at = turn.episode.time;
        self.repeats.note(&turn, &mut problems);
        self.hand_on.turn(turn, problems);
        at
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
