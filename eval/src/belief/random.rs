//! Random histories: statements, merges, splits and erasures over few names and few days, so that bounds collide.
//!
//! The same seed gives the same history on every machine. Nothing here is realistic; everything is legal.

use bygone_engine::time::{Instant, parse_moment};
use bygone_engine::view::RecordedAt;
use bygone_engine::wire::{Defaults, Statement, read_statement};
use bygone_engine::{Narrowing, View};
use bygone_ontology::{Cardinality, Definition, TemporalKind};
use serde_json::{Map, Value, json};

use super::classes::SAME_AS;
use super::splitmix::Random;

/// One step of a history.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Something is said.
    Assert(Box<Statement>),
    /// A session is erased. None of its statements are said again later.
    Erase {
        /// The session.
        session: String,
    },
}

/// A granule's start as text, and its granularity where the text says another one.
type Said = (&'static str, Option<&'static str>);

/// A predicate of the random histories.
struct Predicate {
    id: &'static str,
    kind: TemporalKind,
    cardinality: Cardinality,
    keys: &'static [&'static str],
    objects: &'static [&'static str],
}

const PREDICATES: [Predicate; 5] = [
    Predicate {
        id: "lives_in",
        kind: TemporalKind::State,
        cardinality: Cardinality::One,
        keys: &[""],
        objects: &PLACES,
    },
    Predicate {
        id: "works_at",
        kind: TemporalKind::State,
        cardinality: Cardinality::One,
        keys: &["", "", "side"],
        objects: &ORGS,
    },
    Predicate {
        id: "likes",
        kind: TemporalKind::State,
        cardinality: Cardinality::Many,
        keys: &[""],
        objects: &PLACES,
    },
    Predicate {
        id: "visited",
        kind: TemporalKind::Event,
        cardinality: Cardinality::Many,
        keys: &[""],
        objects: &PLACES,
    },
    Predicate {
        id: "born_on",
        kind: TemporalKind::Rigid,
        cardinality: Cardinality::One,
        keys: &[""],
        objects: &[],
    },
];

const PERSONS: [&str; 3] = ["person:Ann", "person:Anna", "person:Bob"];
const PLACES: [&str; 3] = ["place:Berlin", "place:Munich", "place:Muenchen"];
const ORGS: [&str; 4] = ["org:Acme", "org:Acme Inc", "org:Beta", "org:Gamma"];
const BIRTHDAYS: [&str; 3] = ["1990-03-01", "1990-03", "1991"];
const SESSIONS: u64 = 5;
const AGENTS: [&str; 2] = ["scribe", "planner"];
const USERS: [&str; 2] = ["ann", "bob"];

/// Starts of granules, each with the grain it is said with; few, so that they meet.
const MOMENTS: [Said; 20] = [
    ("2023", None),
    ("2023-12", None),
    ("2023-12-31", None),
    ("2023-12-31T22:00:00Z", Some("day")),
    ("2024", None),
    ("2024-01", None),
    ("2024-01-01", None),
    ("2024-01-01", Some("week")),
    ("2024-01-01", Some("quarter")),
    ("2024-01-01T00:00:00Z", None),
    ("2024-01-02", None),
    ("2024-01-02T00:00:00Z", None),
    ("2024-01-03", None),
    ("2024-01-08", None),
    ("2024-01-08", Some("week")),
    ("2024-02", None),
    ("2024-02-01", None),
    ("2024-02-02", None),
    ("2024-03", None),
    ("2025", None),
];

/// Known times; most are also starts of granules, so that a statement can date itself.
const KNOWN: [&str; 10] = [
    "2023-12-31T00:00:00Z",
    "2024-01-01T00:00:00Z",
    "2024-01-01T12:00:00Z",
    "2024-01-02T00:00:00Z",
    "2024-01-03T00:00:00Z",
    "2024-01-08T00:00:00Z",
    "2024-01-31T23:59:59.999999Z",
    "2024-02-01T00:00:00Z",
    "2024-02-02T00:00:00Z",
    "2024-03-01T00:00:00Z",
];

/// Returns the definitions of the predicates that the histories use; `same_as` is not among them.
pub fn definitions() -> Vec<Definition> {
    PREDICATES
        .iter()
        .map(|predicate| definition(predicate.id, predicate.kind, predicate.cardinality))
        .collect()
}

/// Returns a definition that says how a predicate behaves in time and nothing else.
pub fn definition(id: &str, kind: TemporalKind, cardinality: Cardinality) -> Definition {
    Definition {
        id: id.to_owned(),
        domain: vec!["any".to_owned()],
        range: vec!["any".to_owned()],
        kind,
        cardinality,
        key: None,
        inverse: None,
        symmetric: false,
        half_life_days: None,
        cues: Vec::new(),
        end_cues: Vec::new(),
        schema: None,
        wikidata: None,
        note: None,
    }
}

/// Returns a history of `count` operations.
///
/// Statements are affirms and denies of every form, ends told again, corrections (a deny and an affirm), repetitions of
/// the same statement, and merges and splits of entities; a few operations erase a session. Most are about one subject
/// and predicate. Known times do not follow the order of arrival. Histories of one seed are prefixes of each other.
pub fn operations(seed: u64, count: usize) -> Vec<Operation> {
    let mut history = History::new(seed);
    while history.operations.len() < count {
        history.step();
    }
    history.operations.truncate(count);
    history.operations
}

/// Returns views of a history of the operations given, each with the valid instant asked, `None` for all time.
///
/// The first is the latest view of all time. Known instants lie at, just before and just after those of the history.
/// A recorded sequence number counts operations, from 1: where a store numbers otherwise, translate it.
pub fn views(seed: u64, count: usize, operations: &[Operation]) -> Vec<(View, Option<Instant>)> {
    // Another stream than the history of the same seed.
    let mut random = Random::new(!seed);
    let mut views = vec![(View::LATEST, None)];
    while views.len() < count {
        let view = View {
            known: known_limit(&mut random),
            recorded: recorded_limit(&mut random, operations),
            narrowing: narrowing(&mut random, operations),
        };
        let valid = random.chance(60).then(|| valid_instant(&mut random));
        views.push((view, valid));
    }
    views.truncate(count);
    views
}

/// The history so far.
struct History {
    random: Random,
    operations: Vec<Operation>,
    /// How often each session has been erased and begun again under another name.
    generations: Vec<u64>,
    /// The position of the next statement, in every document.
    position: u64,
    /// What most statements are about: the place of a predicate in the table, and a subject.
    focus: (usize, &'static str),
}

/// What a statement is about.
struct Topic {
    subject: String,
    predicate: &'static str,
    key: &'static str,
    objects: Vec<Value>,
}

impl History {
    fn new(seed: u64) -> History {
        let mut random = Random::new(seed);
        let focus = (predicate_place(&mut random), *random.one_of(&PERSONS));
        History {
            random,
            operations: Vec::new(),
            generations: (0..SESSIONS).map(|_| 0).collect(),
            position: 0,
            focus,
        }
    }

    fn step(&mut self) {
        match self.random.below(100) {
            0..42 => self.affirm(),
            42..62 => self.deny(),
            62..72 => self.end_again(),
            72..80 => self.correct(),
            80..88 => self.same_as("affirm"),
            88..94 => self.same_as("deny"),
            94..98 => self.repeat(),
            _ => self.erase(),
        }
    }

    fn affirm(&mut self) {
        let topic = self.topic();
        let object = self.object(&topic);
        let mut line = self.line(&topic, "affirm", Some(object));
        self.affirmed_time(&mut line);
        self.say(line);
    }

    fn deny(&mut self) {
        let topic = self.topic();
        let named = self.random.chance(80);
        let object = named.then(|| self.object(&topic));
        let mut line = self.line(&topic, "deny", object);
        self.denied_time(&mut line);
        self.say(line);
    }

    /// Ends of one object on several dates, and sometimes a start between them.
    fn end_again(&mut self) {
        let topic = self.topic();
        let object = self.object(&topic);
        for _ in 0..2 + self.random.below(2) {
            let mut line = self.line(&topic, "deny", Some(object.clone()));
            if self.random.chance(70) {
                let (one, other) = self.two_moments();
                put(&mut line, "from", if self.random.chance(50) { one } else { other });
            } else {
                let known_at = line["known_at"].clone();
                line.insert("from".to_owned(), known_at);
            }
            self.say(line);
        }
        if self.random.chance(40) {
            let mut line = self.line(&topic, "affirm", Some(object));
            let (from, _) = self.two_moments();
            put(&mut line, "from", from);
            self.say(line);
        }
    }

    /// A deny over all time or a wrong period, and the right value.
    fn correct(&mut self) {
        let topic = self.topic();
        let wrong = self.object(&topic);
        let right = self.object(&topic);
        let known = *self.random.one_of(&KNOWN);
        let mut deny = self.line(&topic, "deny", Some(wrong));
        deny.insert("known_at".to_owned(), json!(known));
        let mut affirm = self.line(&topic, "affirm", Some(right));
        affirm.insert("known_at".to_owned(), json!(known));
        let (from, to) = self.two_moments();
        if self.random.chance(60) {
            put(&mut deny, "from", from);
            put(&mut deny, "to", to);
        }
        put(&mut affirm, "from", from);
        self.say(deny);
        self.say(affirm);
    }

    fn same_as(&mut self, polarity: &str) {
        let names: &[&str] = match self.random.below(5) {
            0..2 => &PERSONS,
            2..4 => &ORGS,
            _ => &PLACES,
        };
        let subject = (*self.random.one_of(names)).to_owned();
        let other = *self.random.one_of(names);
        let topic = Topic { subject, predicate: SAME_AS, key: "", objects: Vec::new() };
        let line = self.line(&topic, polarity, Some(json!({ "entity": other })));
        self.say(line);
    }

    /// The same statement once more, where its session still stands.
    fn repeat(&mut self) {
        if self.operations.is_empty() {
            return;
        }
        let operation = self.random.one_of(&self.operations).clone();
        let Operation::Assert(statement) = &operation else {
            return;
        };
        let session = &statement.assertion.source.session;
        if (0..SESSIONS).any(|place| self.session(place) == *session) {
            self.operations.push(operation);
        }
    }

    fn erase(&mut self) {
        let place = self.random.below(SESSIONS);
        let session = self.session(place);
        for (other, generation) in (0..).zip(&mut self.generations) {
            if other == place {
                *generation += 1;
            }
        }
        self.operations.push(Operation::Erase { session });
    }

    fn session(&self, place: u64) -> String {
        let generation = (0..)
            .zip(&self.generations)
            .find_map(|(other, generation)| (other == place).then_some(*generation));
        format!("session-{place}-{}", generation.unwrap_or_default())
    }

    fn topic(&mut self) -> Topic {
        let (place, subject) = if self.random.chance(60) {
            self.focus
        } else {
            (predicate_place(&mut self.random), *self.random.one_of(&PERSONS))
        };
        let predicate = &PREDICATES[place];
        let key = *self.random.one_of(predicate.keys);
        let objects = match predicate.objects {
            [] => BIRTHDAYS.iter().map(|day| json!({ "instant": day })).collect(),
            names => names.iter().map(|name| json!({ "entity": name })).collect(),
        };
        Topic { subject: subject.to_owned(), predicate: predicate.id, key, objects }
    }

    /// One of the objects; the first more often than the others, so that statements about one object meet.
    fn object(&mut self, topic: &Topic) -> Value {
        if self.random.chance(35) {
            topic.objects[0].clone()
        } else {
            self.random.one_of(&topic.objects).clone()
        }
    }

    /// Everything of a statement but its valid time.
    fn line(&mut self, topic: &Topic, polarity: &str, object: Option<Value>) -> Map<String, Value> {
        let random = &mut self.random;
        let place = random.below(SESSIONS);
        let document = random.below(2);
        let authority = *random.one_of(&["user", "user", "user", "tool", "agent", "inferred"]);
        let modality = match random.below(20) {
            0 => "planned",
            1 => "hypothetical",
            2 | 3 => "reported",
            _ => "actual",
        };
        let known_at = *random.one_of(&KNOWN);
        let asserter = random.chance(70).then(|| *random.one_of(&PERSONS));
        // Mostly the session's own agent and user, sometimes another one or none.
        let own = usize::try_from(place % 2).unwrap_or_default();
        let agent = participant(random, AGENTS, own);
        let user = participant(random, USERS, own);
        let span = random.chance(30).then(|| random.below(3));
        self.position += 1;
        let mut line = Map::new();
        line.insert("subject".to_owned(), json!(topic.subject));
        line.insert("predicate".to_owned(), json!(topic.predicate));
        line.insert("key".to_owned(), json!(topic.key));
        line.insert("polarity".to_owned(), json!(polarity));
        line.insert("authority".to_owned(), json!(authority));
        line.insert("modality".to_owned(), json!(modality));
        line.insert("known_at".to_owned(), json!(known_at));
        line.insert("session".to_owned(), json!(self.session(place)));
        line.insert("source".to_owned(), json!(format!("document-{document}#{}", self.position)));
        let optional = [
            ("object", object),
            ("asserter", asserter.map(|name| json!(name))),
            ("agent", agent.map(|name| json!(name))),
            ("user", user.map(|name| json!(name))),
            ("span", span.map(|start| json!([start, start + 5]))),
        ];
        for (key, value) in optional {
            if let Some(value) = value {
                line.insert(key.to_owned(), value);
            }
        }
        line
    }

    fn affirmed_time(&mut self, line: &mut Map<String, Value>) {
        let (from, to) = self.two_moments();
        match self.random.below(20) {
            // From when it was known, as an instant.
            0..2 => {}
            2..8 => put(line, "from", from),
            8..12 => {
                put(line, "from", from);
                put(line, "sure_until", to);
            }
            // Said at large of a coarse granule that the start lies in.
            12 => {
                put(line, "from", ("2024-02-01", None));
                put(line, "sure_until", ("2024", None));
            }
            13..17 => {
                put(line, "from", from);
                put(line, "to", to);
            }
            17 => {
                line.insert("from".to_owned(), json!("unknown"));
                put(line, "to", to);
            }
            18 => {
                put(line, "from", from);
                line.insert("to".to_owned(), json!("unknown"));
            }
            _ => {
                line.insert("from".to_owned(), json!("unknown"));
                line.insert("to".to_owned(), json!("unknown"));
            }
        }
    }

    fn denied_time(&mut self, line: &mut Map<String, Value>) {
        let (from, to) = self.two_moments();
        match self.random.below(20) {
            0..8 => put(line, "from", if self.random.chance(50) { from } else { to }),
            // An END dated by being said.
            8..11 => {
                let known_at = line["known_at"].clone();
                line.insert("from".to_owned(), known_at);
            }
            11..15 => {
                put(line, "from", from);
                put(line, "to", to);
            }
            15..17 => put(line, "to", to),
            _ => {}
        }
    }

    /// Two moments, the second starting after the first.
    fn two_moments(&mut self) -> (Said, Said) {
        loop {
            let (one, other) = (*self.random.one_of(&MOMENTS), *self.random.one_of(&MOMENTS));
            match instant(one.0).cmp(&instant(other.0)) {
                std::cmp::Ordering::Less => return (one, other),
                std::cmp::Ordering::Greater => return (other, one),
                std::cmp::Ordering::Equal => {}
            }
        }
    }

    fn say(&mut self, line: Map<String, Value>) {
        let defaults = Defaults { now: instant("2024-03-01"), document: "document".to_owned(), position: 0 };
        let statement = read_statement(&Value::Object(line).to_string(), &defaults)
            .expect("the generator writes statements that are legal");
        self.operations.push(Operation::Assert(Box::new(statement)));
    }
}

/// The place of a predicate in the table; states come up more often than events and rigid values.
const fn predicate_place(random: &mut Random) -> usize {
    match random.below(10) {
        0..4 => 0,
        4..6 => 1,
        6..8 => 2,
        8 => 3,
        _ => 4,
    }
}

fn participant(random: &mut Random, names: [&'static str; 2], own: usize) -> Option<&'static str> {
    match random.below(20) {
        0..15 => names.get(own).copied(),
        15..17 => Some(*random.one_of(&names)),
        _ => None,
    }
}

fn put(line: &mut Map<String, Value>, key: &str, (text, grain): Said) {
    line.insert(key.to_owned(), json!(text));
    if let Some(grain) = grain {
        let prefix = if key == "sure_until" { "sure" } else { key };
        line.insert(format!("{prefix}_grain"), json!(grain));
    }
}

fn instant(text: &str) -> Instant {
    parse_moment(text).expect("the tables hold times").at
}

fn beside(random: &mut Random, instant: Instant) -> Instant {
    match random.below(4) {
        0 => instant.previous(),
        1 => instant.next(),
        _ => instant,
    }
}

fn known_limit(random: &mut Random) -> Instant {
    if random.chance(40) {
        return Instant::DISTANT_FUTURE;
    }
    let known = *random.one_of(&KNOWN);
    beside(random, instant(known))
}

fn valid_instant(random: &mut Random) -> Instant {
    let valid = instant(random.one_of(&MOMENTS).0);
    beside(random, valid)
}

fn recorded_limit(random: &mut Random, operations: &[Operation]) -> RecordedAt {
    let length = u64::try_from(operations.len()).expect("a length fits in 64 bits");
    if length == 0 || random.chance(60) {
        RecordedAt::Latest
    } else {
        RecordedAt::Seq(1 + random.below(length))
    }
}

fn narrowing(random: &mut Random, operations: &[Operation]) -> Narrowing {
    let mut narrowing = Narrowing::default();
    match random.below(10) {
        0 => narrowing.agent = Some((*random.one_of(&AGENTS)).to_owned()),
        1 => narrowing.user = Some((*random.one_of(&USERS)).to_owned()),
        2 if !operations.is_empty() => {
            narrowing.session = Some(match random.one_of(operations) {
                Operation::Assert(statement) => statement.assertion.source.session.clone(),
                Operation::Erase { session } => session.clone(),
            });
        }
        3 => {
            narrowing.agent = Some((*random.one_of(&AGENTS)).to_owned());
            narrowing.user = Some((*random.one_of(&USERS)).to_owned());
        }
        _ => {}
    }
    narrowing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_one_history_and_a_shorter_one_is_its_start() {
        let long = operations(7, 200);
        assert_eq!(long, operations(7, 200));
        assert_eq!(long[..50], operations(7, 50));
        assert_ne!(long, operations(8, 200));
        assert_eq!(views(7, 20, &long), views(7, 20, &long));
    }

    #[test]
    fn nothing_is_said_in_a_session_after_its_erasure() {
        for seed in 0..20 {
            let mut erased = Vec::new();
            for operation in operations(seed, 300) {
                match operation {
                    Operation::Erase { session } => erased.push(session),
                    Operation::Assert(statement) => {
                        assert!(!erased.contains(&statement.assertion.source.session));
                    }
                }
            }
        }
    }
}
