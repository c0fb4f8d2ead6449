//! How the file of MCP's memory server (`memory.jsonl`) is read: the entities and relations that agents noted.
//!
//! ```text
//! {"type": "entity", "name": "Ana", "entityType": "person", "observations": ["Speaks Greek"]}
//! {"type": "relation", "from": "Ana", "to": "Acme", "relationType": "works_at"}
//! ```
//!
//! After the public source of the server, and files that others write alike: without `type`, or with `_type`; with
//! observations that are objects with a time. An entity, each of its observations, and a relation are a turn each, with the
//! call by which an agent notes it, so that a file that was written anew with more in it adds only that. Lines of two
//! writers that ran into each other are taken apart where whole records stand in them.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

use bygone_engine::Role;
use serde_json::{Map, Value, json};

use super::document::{Document, object, parse, stamp, text};
use super::lines::{Line, lines};
use super::near::missing;
use super::stamp::kind_of;
use super::told::Told;
use super::turn_text::TurnText;
use super::turns::Turns;
use super::{INCOMPLETE, Manner, Place, Read, Reader, Source};

/// The format's entry in the registry.
pub const READER: Reader = Reader {
    name: "mcp-memory",
    about: "entities and relations of MCP's memory server (memory.jsonl)",
    sniff,
    read: Manner::File(read),
};

/// Who notes: the file does not say.
const AGENT: &str = "memory";
/// Where times stand, of an observation and of a line.
const TIMES: [&str; 6] = ["timestamp", "createdAt", "created_at", "updatedAt", "updated_at", "_savedAt"];
/// Keys that records have, which are never a slip for another one.
const KNOWN: [&str; 9] =
    ["type", "_type", "name", "entityType", "observations", "from", "to", "relationType", "_savedAt"];
/// How many places of a broken line are searched for the start of a record; chosen, untested.
const MOST_RESTARTS: usize = 16;

/// What a record is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Entity,
    Relation,
}

/// Tells what a record is, by its type or else by what it has.
fn kind(map: &Map<String, Value>) -> Option<Kind> {
    let has = |keys: &[&str]| keys.iter().all(|key| map.contains_key(*key));
    match text(map, &["type", "_type"]) {
        Some("entity") => Some(Kind::Entity),
        Some("relation") => Some(Kind::Relation),
        None if has(&["from", "to", "relationType"]) => Some(Kind::Relation),
        None if has(&["name", "entityType"]) || has(&["name", "observations"]) => Some(Kind::Entity),
        Some(_) | None => None,
    }
}

fn sniff(head: &[u8]) -> bool {
    let is_ours = |line: Line<'_>| {
        let map = object(line.raw).ok()?;
        let has = |keys: &[&str]| keys.iter().all(|key| map.contains_key(*key));
        let is_whole = has(&["name", "entityType"])
            || has(&["name", "observations"])
            || has(&["from", "to", "relationType"]);
        (is_whole && kind(&map).is_some()).then_some(())
    };
    lines(head).filter(|line| !line.is_blank()).take(8).any(|line| is_ours(line).is_some())
}

fn read(source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) -> io::Result<()> {
    let mut memory =
        Memory { session: source.stem(), types: types(source)?, turns: Turns::new(source, hand_on) };
    let mut lines = source.lines()?;
    while let Some(line) = lines.next()? {
        if let Some(reason) = &line.too_long {
            memory.turns.set_aside(line.place, line.raw, reason.clone());
        } else if !line.is_blank() {
            memory.line(&line);
        }
    }
    Ok(())
}

/// Finds the type of each entity: relations name only names.
fn types(source: &Source<'_>) -> io::Result<BTreeMap<String, String>> {
    let mut types = BTreeMap::new();
    let mut lines = source.lines_ahead()?;
    while let Some(line) = lines.next()? {
        for (_, record) in records(line.raw) {
            if let Ok(map) = record
                && let (Some(name), Some(kind)) = (text(&map, &["name"]), text(&map, &["entityType"]))
            {
                types.entry(name.to_owned()).or_insert_with(|| kind.to_owned());
            }
        }
    }
    Ok(types)
}

/// A piece of a line, and the object it is or why it is none.
type Piece = (Range<usize>, Result<Map<String, Value>, String>);

/// Returns the records of a line: one as a rule, several where writers ran into each other.
fn records(bytes: &[u8]) -> Vec<Piece> {
    let whole = object(bytes);
    if whole.is_ok() || parse(bytes).is_ok() {
        return vec![(0..bytes.len(), whole)];
    }
    let starts = bytes.windows(2).enumerate().filter(|(_, window)| window == b"{\"").map(|(at, _)| at);
    for start in starts.take(MOST_RESTARTS) {
        if let Some(found) = whole_records(bytes, start) {
            let broken = (start > 0).then(|| (0..start, object(&bytes[..start])));
            return broken.into_iter().chain(found).collect();
        }
    }
    vec![(0..bytes.len(), whole)]
}

/// Reads everything from a place on as records; `None` where anything else stands there.
fn whole_records(bytes: &[u8], start: usize) -> Option<Vec<Piece>> {
    let mut values = serde_json::Deserializer::from_slice(&bytes[start..]).into_iter::<Value>();
    let (mut found, mut from) = (Vec::new(), start);
    while let Some(value) = values.next() {
        let Ok(Value::Object(map)) = value else {
            return None;
        };
        kind(&map)?;
        let end = start + values.byte_offset();
        found.push((from..end, Ok(map)));
        from = end;
    }
    Some(found).filter(|found| !found.is_empty())
}

/// What is known of the file.
struct Memory<'a, 'out> {
    session: &'a str,
    types: BTreeMap<String, String>,
    turns: Turns<'a, 'out>,
}

/// What a turn of the file notes.
struct Noted<'a> {
    /// Its bytes in the line.
    range: Range<usize>,
    /// What it is told apart by from all others of the file.
    id: String,
    tool: &'a str,
    input: Value,
    words: String,
    /// Where its time may stand.
    times: [Option<&'a Map<String, Value>>; 2],
    problems: Vec<String>,
}

impl Memory<'_, '_> {
    fn line(&mut self, line: &Line<'_>) {
        let records = records(line.raw);
        let n_records = records.len();
        for (range, record) in records {
            let place = Place { offset: line.place.offset + range.start as u64, line: line.place.line };
            let bytes = &line.raw[range.clone()];
            let map = match record {
                Ok(map) => map,
                Err(reason) => {
                    let is_cut = !line.is_terminated && n_records == 1 && parse(bytes).is_err();
                    let reason = if is_cut { format!("{INCOMPLETE}: {reason}") } else { reason };
                    self.turns.set_aside(place, bytes, reason);
                    continue;
                }
            };
            let mut problems = line.repairs.clone();
            if n_records > 1 {
                problems.push("several records stand on one line".to_owned());
            }
            match kind(&map) {
                Some(Kind::Entity) => self.entity(line, &range, &map, problems),
                Some(Kind::Relation) => self.relation(line, range, &map, problems),
                None => {
                    let reason = match text(&map, &["type", "_type"]) {
                        Some(other) => format!("{other:?} is neither \"entity\" nor \"relation\""),
                        None => missing(&map, "type", &KNOWN),
                    };
                    self.turns.set_aside(place, bytes, reason);
                }
            }
        }
    }

    fn entity(
        &mut self,
        line: &Line<'_>,
        range: &Range<usize>,
        map: &Map<String, Value>,
        mut problems: Vec<String>,
    ) {
        let place = Place { offset: line.place.offset + range.start as u64, line: line.place.line };
        let Some(name) = text(map, &["name"]) else {
            return self.turns.set_aside(place, &line.raw[range.clone()], missing(map, "name", &KNOWN));
        };
        let class = text(map, &["entityType"]);
        match map.get("observations") {
            Some(Value::Array(_)) => {}
            Some(other) => problems.push(format!("`observations` is {}, not a list", kind_of(other))),
            None => problems.push(missing(map, "observations", &KNOWN)),
        }
        let words = class.map_or_else(|| name.to_owned(), |class| format!("{name} ({class})"));
        self.note(
            line,
            Noted {
                range: range.clone(),
                id: format!("entity {name} {}", class.unwrap_or_default()),
                tool: "create_entities",
                input: json!({ "entities": [{ "name": name, "entityType": class, "observations": [] }] }),
                words,
                times: [Some(map), None],
                problems,
            },
        );
        let Some(document) = Document::of(&line.raw[range.clone()]) else {
            return;
        };
        for item in document.list("observations").unwrap_or_default() {
            let item = range.start + item.start..range.start + item.end;
            self.observation(line, item, (name, class), map);
        }
    }

    fn observation(
        &mut self,
        line: &Line<'_>,
        range: Range<usize>,
        (name, class): (&str, Option<&str>),
        entity: &Map<String, Value>,
    ) {
        let own = parse(&line.raw[range.clone()]).unwrap_or(Value::Null);
        let words = own.as_str().or_else(|| text(own.as_object()?, &["text", "content"]));
        let Some(words) = words.map(str::trim).filter(|words| !words.is_empty()) else {
            let place = Place { offset: line.place.offset + range.start as u64, line: line.place.line };
            let reason = format!("an observation is {}, not text", kind_of(&own));
            return self.turns.set_aside(place, &line.raw[range], reason);
        };
        let input =
            json!({ "observations": [{ "entityName": name, "entityType": class, "contents": [words] }] });
        self.note(
            line,
            Noted {
                range,
                id: format!("observation {name} {words}"),
                tool: "add_observations",
                input,
                words: format!("{name}: {words}"),
                times: [own.as_object(), Some(entity)],
                problems: Vec::new(),
            },
        );
    }

    fn relation(
        &mut self,
        line: &Line<'_>,
        range: Range<usize>,
        map: &Map<String, Value>,
        problems: Vec<String>,
    ) {
        let field = |key: &'static str| text(map, &[key]).ok_or(key);
        let ends = field("from").and_then(|from| Ok((from, field("to")?, field("relationType")?)));
        let (from, to, relation) = match ends {
            Ok(ends) => ends,
            Err(key) => {
                let place = Place { offset: line.place.offset + range.start as u64, line: line.place.line };
                return self.turns.set_aside(place, &line.raw[range], missing(map, key, &KNOWN));
            }
        };
        let kind = |name: &str| self.types.get(name).cloned();
        let input = json!({ "relations": [{
            "from": from, "fromType": kind(from), "to": to, "toType": kind(to), "relationType": relation,
        }] });
        self.note(
            line,
            Noted {
                range,
                id: format!("relation {from} {relation} {to}"),
                tool: "create_relations",
                input,
                words: format!("{from} {relation} {to}"),
                times: [Some(map), None],
                problems,
            },
        );
    }

    /// Hands on a turn that notes something; the same noted twice in a file is the same turn.
    fn note(&mut self, line: &Line<'_>, noted: Noted<'_>) {
        let place = Place { offset: line.place.offset + noted.range.start as u64, line: line.place.line };
        let mut rendering = TurnText { problems: noted.problems, ..TurnText::default() };
        let time = noted.times.into_iter().flatten().find_map(|map| stamp(map, &TIMES));
        // The same noted at another time is noted again.
        let at = time.as_ref().and_then(|time| time.as_ref().ok()).map(|stamp| stamp.at.micros());
        let id = at.map_or_else(|| noted.id.clone(), |at| format!("{} {at}", noted.id));
        let call = format!("{}:{}", line.place.line, noted.range.start);
        rendering.note(&call, noted.tool, noted.input, &noted.words);
        let told = Told {
            place,
            bytes: Some(&line.raw[noted.range]),
            session: self.session,
            position: line.place.line,
            role: Role::Tool,
            speaker: None,
            agent: AGENT,
            user: None,
            native_id: Some(id),
            cwd: None,
            rendering,
        };
        self.turns.turn(told, time, &|| None);
    }
}
