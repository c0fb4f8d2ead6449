//! People with the facts of ordinary lives, who know one another: a million statements in all.

use bygone_engine::time::Instant;
use bygone_engine::wire::{Defaults, Statement, read_statement};
use serde_json::{Value, json};

use crate::workload::mixed;

/// People there are.
pub const PEOPLE: u64 = 60_000;

/// What is said of each: predicate, how often, and of how many things.
const SAID: [(&str, u64, Object); 6] = [
    ("works_at", 3, Object::Shared("org", 300)),
    ("lives_in", 3, Object::Shared("place", 400)),
    ("visited", 3, Object::Shared("place", 400)),
    ("likes", 2, Object::Shared("activity", 200)),
    ("knows", 5, Object::Person),
    ("role", 1, Object::Text),
];

#[derive(Clone, Copy)]
enum Object {
    /// One of so many of a type.
    Shared(&'static str, u64),
    Person,
    Text,
}

/// Returns a person as `type:Name`.
pub fn person(nth: u64) -> String {
    format!("person:P{nth}")
}

/// Returns what is said of a person.
///
/// # Panics
/// Never with a person there is.
pub fn statements(nth: u64) -> Vec<Statement> {
    let now = Instant::from_micros(0).expect("the epoch is ordinary");
    let mut statements = Vec::new();
    for (kind, (predicate, times, object)) in (0..).zip(SAID) {
        for time in 0..times {
            let seed = mixed(nth * 1000 + kind * 10 + time);
            // From 2015 on, each later than the one before, and known some weeks later.
            let (year, month) = (2015 + time * 3 + seed % 3, seed / 3 % 12 + 1);
            let from = format!("{year}-{month:02}");
            let known = format!("{}-{month:02}-{:02}T12:00:00Z", year + seed / 40 % 2, seed / 100 % 28 + 1);
            let position = statements.len() as u64;
            let line = json!({
                "subject": person(nth),
                "predicate": predicate,
                "object": value(object, seed / 1000),
                "from": from,
                "known_at": known,
                "source": format!("life-{nth}#{position}"),
            });
            let defaults = Defaults { now, document: String::new(), position };
            statements
                .push(read_statement(&line.to_string(), &defaults).expect("the workload is well formed"));
        }
    }
    statements
}

fn value(object: Object, seed: u64) -> Value {
    match object {
        Object::Shared(kind, count) => json!({ "entity": format!("{kind}:{kind} {}", seed % count) }),
        Object::Person => json!({ "entity": person(seed % PEOPLE) }),
        Object::Text => json!({ "text": format!("role {}", seed % 50) }),
    }
}
