//! Statements that come in the order of time are added to their groups without reading them: it comes to the same as
//! deriving the whole group.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bygone_engine::backend::Memory;
use bygone_engine::store::{Recording, Space, Store};
use bygone_engine::time::Instant;
use bygone_engine::wire::{Defaults, Statement, read_statement};
use bygone_engine::{Appended, Assertion, Fact, Semantics, View};
use bygone_eval::belief::random::{Operation, operations};
use bygone_eval::belief::splitmix::Random;
use bygone_ontology::Ontology;

/// The core ontology, which counts what is appended.
struct Counting {
    ontology: Ontology,
    n_appended: AtomicUsize,
}

impl Semantics for Counting {
    fn derive(&self, predicate: &str, statements: &[&Assertion]) -> Vec<Fact> {
        self.ontology.derive(predicate, statements)
    }

    fn append(&self, predicate: &str, last: Option<&Fact>, statement: &Assertion) -> Option<Appended> {
        let appended = self.ontology.append(predicate, last, statement);
        self.n_appended.fetch_add(usize::from(appended.is_some()), Ordering::Relaxed);
        appended
    }

    fn renew(&self, predicate: &str, last: &Fact, statement: &Assertion) -> Option<Appended> {
        let renewed = self.ontology.renew(predicate, last, statement);
        self.n_appended.fetch_add(usize::from(renewed.is_some()), Ordering::Relaxed);
        renewed
    }

    fn fingerprint(&self) -> u64 {
        self.ontology.fingerprint()
    }

    fn extended(&self, declarations: &str) -> Result<Arc<dyn Semantics>, String> {
        self.ontology.extended(declarations)
    }
}

fn start() -> Instant {
    Instant::from_micros(0).expect("1970 is ordinary")
}

fn below(random: &mut Random, limit: u64) -> usize {
    usize::try_from(random.below(limit)).expect("small")
}

fn recording(statements: &[&Statement]) -> Recording {
    Recording {
        episodes: statements.iter().map(|statement| statement.episode.clone()).collect(),
        assertions: statements.iter().map(|statement| statement.assertion.clone()).collect(),
        ..Recording::default()
    }
}

/// Records statements in known order, a few in each commit, and all at once in another store; returns how many were
/// appended.
fn check(statements: &[Statement], random: &mut Random) -> usize {
    let mut in_order: Vec<&Statement> = statements.iter().collect();
    in_order.sort_by_key(|statement| statement.assertion.known_at);
    let semantics = Arc::new(Counting { ontology: Ontology::core(), n_appended: AtomicUsize::new(0) });
    let open = || Store::open(Box::new(Memory::new()), semantics.clone()).expect("opens");
    let (told, whole) = (open(), open());
    let (told, whole) = (told.space("s", true).expect("a space"), whole.space("s", true).expect("a space"));
    whole.record(recording(&in_order), start()).expect("records");
    let mut rest = &in_order[..];
    while !rest.is_empty() {
        let (few, after) = rest.split_at(rest.len().min(1 + below(random, 3)));
        told.record(recording(few), start()).expect("records");
        rest = after;
    }
    assert_eq!(facts(&told), facts(&whole));
    assert_eq!(told.verify().expect("reads").faults, [] as [String; 0]);
    semantics.n_appended.load(Ordering::Relaxed)
}

fn facts(space: &Space<'_>) -> Vec<(String, Vec<Fact>, usize)> {
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST).expect("reads");
    let groups = seen.groups().expect("reads");
    let told = groups.iter().map(|group| {
        let name = format!("{} {} {}", group.subject, group.predicate, group.key);
        (name, seen.facts(group).expect("reads"), seen.statements(group).expect("reads").len())
    });
    told.collect()
}

#[test]
fn appending_equals_deriving_over_random_histories() {
    let mut n_appended = 0;
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let history = operations(seed, 60).into_iter();
        let statements: Vec<Statement> = history
            .filter_map(|operation| match operation {
                Operation::Assert(statement) => Some(*statement),
                Operation::Erase { .. } => None,
            })
            .collect();
        n_appended += check(&statements, &mut random);
    }
    assert!(n_appended > 20, "only {n_appended} were appended: the test shows little");
}

/// A statement about one of few groups, said when it becomes so more often than not.
fn line(random: &mut Random, step: usize) -> String {
    let predicate = *random.one_of(&["works_at", "holds", "wrote", "lives_in", "alive", "likes", "born_on"]);
    let object = below(random, 3);
    let polarity = if random.chance(12) { "deny" } else { "affirm" };
    let authority = *random.one_of(&["user", "user", "tool", "agent", "inferred"]);
    // Now and then two are known at once.
    let minute = step - usize::from(random.chance(10) && step > 0);
    let time = |minute: usize| format!("2024-01-01T{:02}:{:02}:00Z", minute / 60, minute % 60);
    let from = match below(random, 8) {
        0 => format!("\"{}\"", time(minute + below(random, 9))),
        1 => format!("\"{}\"", time(minute.saturating_sub(below(random, 9)))),
        2 => "\"2024-01\"".to_owned(),
        _ => format!("\"{}\"", time(minute)),
    };
    let to = if random.chance(20) {
        format!("\"{}\"", time(minute + 10 + below(random, 5)))
    } else {
        "null".to_owned()
    };
    format!(
        r#"{{"subject":"person:A","predicate":"{predicate}","object":{{"text":"{object}"}},"polarity":"{polarity}",
           "from":{from},"to":{to},"known_at":"{}","authority":"{authority}","source":"d#{step}"}}"#,
        time(minute)
    )
}

#[test]
fn appending_equals_deriving_where_things_are_said_as_they_happen() {
    let mut n_appended = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let defaults = Defaults { now: start(), document: "d".to_owned(), position: 0 };
        let lines: Vec<String> = (0..50).map(|step| line(&mut random, step)).collect();
        let statements: Vec<Statement> =
            lines.iter().filter_map(|line| read_statement(line, &defaults).ok()).collect();
        assert!(statements.len() > 30, "most lines are statements");
        n_appended += check(&statements, &mut random);
    }
    assert!(n_appended > 1000, "only {n_appended} were appended: the test shows little");
}

/// A heartbeat more often than not: the same again, for a while from now.
fn heartbeat(random: &mut Random, step: usize) -> String {
    let time = |minute: usize| format!("2024-01-01T{:02}:{:02}:00Z", minute / 60, minute % 60);
    let authority = *random.one_of(&["tool", "user", "agent"]);
    let (from, to) = match random.below(12) {
        0 => (step + below(random, 9), step + 20),
        1 => (step.saturating_sub(below(random, 9)), step + 1 + below(random, 9)),
        _ => (step, step + 4 + below(random, 3)),
    };
    let object = if random.chance(3) { "false" } else { "true" };
    let polarity = if random.chance(3) { "deny" } else { "affirm" };
    let to = if polarity == "deny" { "null".to_owned() } else { format!("\"{}\"", time(to)) };
    let agent = below(random, 3);
    format!(
        r#"{{"subject":"agent:{agent}","predicate":"alive","object":{{"bool":{object}}},"polarity":"{polarity}",
           "from":"{}","to":{to},"known_at":"{}","authority":"{authority}","source":"d#{step}"}}"#,
        time(from),
        time(step)
    )
}

#[test]
fn renewing_equals_deriving_over_heartbeats() {
    let mut n_renewed = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let defaults = Defaults { now: start(), document: "d".to_owned(), position: 0 };
        let lines: Vec<String> = (0..60).map(|step| heartbeat(&mut random, step)).collect();
        let statements: Vec<Statement> =
            lines.iter().map(|line| read_statement(line, &defaults).expect("a statement")).collect();
        n_renewed += check(&statements, &mut random);
    }
    assert!(n_renewed > 3000, "only {n_renewed} were renewed: the test shows little");
}

#[test]
fn a_renewal_from_the_same_start_has_the_granularity_that_prevails() {
    let stay = |from: &str, to: &str, known: &str| {
        format!(
            r#"{{"subject":"person:A","predicate":"lives_in","object":{{"entity":"place:Rome"}},"from":"{from}",
               "to":"{to}","known_at":"{known}T00:00:00Z","source":"d#1"}}"#
        )
    };
    for [one, other] in [["2024-01-01", "2024-01"], ["2024-01", "2024-01-01"]] {
        let lines = [stay(one, "2024-02-02", "2024-01-05"), stay(other, "2024-05-01", "2024-01-06")];
        let defaults = Defaults { now: start(), document: "d".to_owned(), position: 0 };
        let statements = lines.map(|line| read_statement(&line, &defaults).expect("a statement"));
        // Some of these record one after the other.
        for seed in 0..8 {
            check(&statements, &mut Random::new(seed));
        }
    }
}
