//! Statements that come as they do in the world: most of them in order, some late, some to correct others, some to take
//! them back; a few subjects have very many.
//!
//! 72 in 100 are of the last day, 15 come late by some 60 days, 8 correct an earlier statement (the same subject,
//! predicate and start, another object), and 5 deny an earlier one over its period. One in three is bounded, for some 90
//! days. There are 20 predicates, of which the first 12 hold one value at a time and the rest many; subjects are drawn by
//! Zipf's law with exponent 0.8, objects with 0.6, and three predicates in ten say numbers. Six years, every known instant
//! once. The shares and exponents are chosen, after what stores of agents' statements look like; nothing is measured of
//! the world by them.

use bygone_engine::time::Instant;
use bygone_engine::wire::{Defaults, Statement, read_statement};
use bygone_ontology::Ontology;
use serde_json::json;

use crate::random::{Random, Zipf};

/// Predicates there are.
pub const PREDICATES: u32 = 20;
/// Of these, those that hold one value at a time: the first ones.
pub const SINGLE_VALUED: u32 = 12;
/// Where a period ends that has no end.
pub const OPEN: i64 = i64::MAX;
/// A day in microseconds.
pub const DAY: i64 = 86_400_000_000;

/// The first instant of the workload, 2020-01-01.
const START: i64 = 1_577_836_800_000_000;
const SPAN: i64 = 6 * 365 * DAY;

/// A statement, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Whether it denies.
    pub denies: bool,
    /// Which subject.
    pub subject: u32,
    /// Which predicate.
    pub predicate: u32,
    /// Which object.
    pub object: u32,
    /// When it says that it starts.
    pub from: i64,
    /// When it says that it ends; [`OPEN`] where it does not.
    pub to: i64,
    /// When it is known.
    pub known: i64,
}

/// What to make.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Statements.
    pub statements: usize,
    /// Entities that are subjects and objects.
    pub entities: u32,
    /// The seed.
    pub seed: u64,
}

/// Returns statements about many subjects, in known order.
pub fn events(shape: Shape) -> Vec<Event> {
    let mut random = Random::new(shape.seed);
    let mut names: Vec<u32> = (0..shape.entities).collect();
    random.shuffle(&mut names);
    let subjects = Zipf::new(names.len(), 0.8);
    let mut ranked: Vec<u32> = (0..PREDICATES).collect();
    random.shuffle(&mut ranked);
    let predicates = Zipf::new(ranked.len(), 0.5);
    made(shape, &mut random, |random| (names[subjects.pick(random)], ranked[predicates.pick(random)]))
}

/// Returns statements of one group of a predicate that holds one value at a time, in known order.
pub fn group_events(shape: Shape, subject: u32) -> Vec<Event> {
    made(shape, &mut Random::new(shape.seed), |_| (subject, 0))
}

/// Returns statements of one group that come in order: a cursor, a status. Each is a new value from when it is known on.
pub fn in_order(count: usize, subject: u32) -> Vec<Event> {
    let step = SPAN / i64::try_from(count.max(1)).expect("a count");
    let at = |nth: u32| {
        let known = START + step * i64::from(nth);
        Event { denies: false, subject, predicate: 0, object: nth, from: known, to: OPEN, known }
    };
    (0..u32::try_from(count).expect("a count")).map(at).collect()
}

fn made(shape: Shape, random: &mut Random, mut group: impl FnMut(&mut Random) -> (u32, u32)) -> Vec<Event> {
    let mut names: Vec<u32> = (0..shape.entities).collect();
    random.shuffle(&mut names);
    let objects = Zipf::new(names.len(), 0.6);
    let most = 2 * SPAN.unsigned_abs() / shape.statements.max(1) as u64;
    let mut known = START;
    let mut events: Vec<Event> = Vec::with_capacity(shape.statements);
    let mut affirmed: Vec<usize> = Vec::new();
    for at in 0..shape.statements {
        known += 1 + i64::try_from(random.below(most.max(2) - 1)).expect("a few minutes");
        let entity = names[objects.pick(random)];
        let object = |random: &mut Random, predicate: u32| {
            if is_number(predicate) {
                u32::try_from(random.below(u64::from(shape.entities) * 4)).expect("small")
            } else {
                entity
            }
        };
        let kind = random.unit();
        let event = if kind < 0.87 || affirmed.is_empty() {
            let (subject, predicate) = group(random);
            #[expect(clippy::cast_precision_loss, reason = "a few months in microseconds")]
            let day = DAY as f64;
            let late = if kind < 0.72 {
                i64::try_from(random.below(DAY.unsigned_abs())).expect("a day")
            } else {
                random.log_normal(60.0 * day, 1.2)
            };
            let from = known - late;
            let is_bounded = random.unit() < 0.35;
            let to = if is_bounded { from + random.log_normal(90.0 * day, 1.0) } else { OPEN };
            affirmed.push(at);
            Event { denies: false, subject, predicate, object: object(random, predicate), from, to, known }
        } else {
            // The more recent, the likelier.
            let back = random.unit();
            #[expect(
                clippy::cast_precision_loss,
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a place in a list"
            )]
            let place = (affirmed.len() as f64 * (1.0 - back * back)) as usize;
            let earlier = events[affirmed[place.clamp(1, affirmed.len()) - 1]];
            if kind < 0.95 {
                Event { object: object(random, earlier.predicate), known, ..earlier }
            } else {
                Event { denies: true, known, ..earlier }
            }
        };
        events.push(event);
    }
    events
}

/// Says whether a predicate's objects are numbers.
pub const fn is_number(predicate: u32) -> bool {
    predicate % 3 == 2 && predicate < 18
}

/// Returns the name of a subject.
pub fn subject_name(subject: u32) -> String {
    format!("thing:E{subject}")
}

/// Returns the name of a predicate.
pub fn predicate_name(predicate: u32) -> String {
    format!("w{predicate:02}")
}

/// Returns the ontology with the predicates of the workload.
///
/// # Panics
/// Never: they are sound.
pub fn ontology() -> Ontology {
    let declared = (0..PREDICATES).map(|predicate| {
        let range = if is_number(predicate) { "number" } else { "thing" };
        let cardinality = if predicate < SINGLE_VALUED { "one" } else { "many" };
        let id = predicate_name(predicate);
        format!(
            "[[predicate]]\nid = \"{id}\"\ndomain = [\"thing\"]\nrange = [\"{range}\"]\nkind = \"state\"\n\
             cardinality = \"{cardinality}\"\n"
        )
    });
    let text: String = declared.collect();
    Ontology::core().extend("the workload", &text).expect("sound declarations")
}

/// Returns an event as a statement in a turn of its own, whose text is a few words.
///
/// # Panics
/// Where a time leaves the calendar, which those of the generators do not.
pub fn statement(event: &Event, nth: usize) -> Statement {
    let time = |micros: i64| Instant::from_micros(micros).expect("ordinary").to_rfc3339();
    let object = if is_number(event.predicate) {
        json!({ "number": event.object })
    } else {
        json!({ "entity": subject_name(event.object) })
    };
    let line = json!({
        "subject": subject_name(event.subject),
        "predicate": predicate_name(event.predicate),
        "object": object,
        "polarity": if event.denies { "deny" } else { "affirm" },
        "from": time(event.from),
        "to": (event.to != OPEN).then(|| time(event.to)),
        "known_at": time(event.known),
        "source": format!("log-{}#{nth}", nth / 1_000),
    });
    let now = Instant::from_micros(event.known).expect("ordinary");
    let defaults = Defaults { now, document: String::new(), position: 0 };
    let mut statement = read_statement(&line.to_string(), &defaults).expect("the workload is well formed");
    let word = if event.denies { "not" } else { "is" };
    statement.episode.text = format!("E{} w{:02} {word} {}", event.subject, event.predicate, event.object);
    statement
}
