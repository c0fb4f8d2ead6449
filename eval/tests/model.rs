//! The store against the naive model, over long random histories: late arrivals, corrections, merges, splits, erasure,
//! narrowed views and views of the recorded past, on every backend, in any order and batching.

use std::collections::BTreeMap;
use std::sync::Arc;

use bygone_engine::backend::{Backend, Memory};
use bygone_engine::identity::SAME_AS;
use bygone_engine::store::{Recording, Space, Store, Target};
use bygone_engine::time::Instant;
use bygone_engine::wire::Statement;
use bygone_engine::{Narrowing, RecordedAt, View};
use bygone_eval::belief::believed::{Group, believed};
use bygone_eval::belief::naive::Stretch;
use bygone_eval::belief::random::{Operation, definitions, operations, views};
use bygone_eval::belief::splitmix::Random;
use bygone_eval::belief::visible::Recorded;
use bygone_ontology::Ontology;

/// Operations of one history: long enough for groups to fill up, short enough for the naive model.
const OPERATIONS: usize = 80;
/// Views asked of each history beside the latest one.
const VIEWS: usize = 8;

type Beliefs = BTreeMap<Group, Vec<Stretch>>;

fn open(backend: Box<dyn Backend>) -> Store {
    Store::open(backend, Arc::new(Ontology::core())).expect("opens")
}

fn clock(step: usize) -> Instant {
    let micros = 1_700_000_000_000_000 + i64::try_from(step).expect("few steps") * 1_000_000;
    Instant::from_micros(micros).expect("ordinary")
}

/// Records statements, of which the new ones are appended to the model's log under the sequence number given.
fn record(space: &Space<'_>, statements: &[&Statement], step: usize, log: &mut Vec<Recorded>) {
    let recording = Recording {
        episodes: statements.iter().map(|s| s.episode.clone()).collect(),
        assertions: statements.iter().map(|s| s.assertion.clone()).collect(),
        ..Recording::default()
    };
    let receipt = space.record(recording, clock(step)).expect("records");
    for statement in statements {
        if log.iter().all(|known| known.assertion.id != statement.assertion.id) {
            let seq = receipt.seq.expect("something new was recorded");
            log.push(Recorded { seq, at: clock(step), assertion: statement.assertion.clone() });
        }
    }
}

/// Plays a history into a space, in batches of random size, and returns what the model's log holds after it.
fn play(space: &Space<'_>, history: &[Operation], random: &mut Random) -> Vec<Recorded> {
    let mut log = Vec::new();
    let mut batch: Vec<&Statement> = Vec::new();
    for (step, operation) in history.iter().enumerate() {
        match operation {
            Operation::Assert(statement) => {
                batch.push(statement);
                if random.chance(40) {
                    record(space, &std::mem::take(&mut batch), step, &mut log);
                }
            }
            Operation::Erase { session } => {
                record(space, &std::mem::take(&mut batch), step, &mut log);
                space.erase(&Target::Session(session.clone()), clock(step)).expect("erases");
                log.retain(|known| known.assertion.source.session != *session);
            }
        }
    }
    record(space, &batch, history.len(), &mut log);
    log
}

/// Returns what the store believes in a view, in the model's form.
fn beliefs(space: &Space<'_>, view: &View) -> Beliefs {
    let snapshot = space.snapshot();
    let seen = snapshot.seen(view).expect("reads");
    let mut beliefs = Beliefs::new();
    for group in seen.groups().expect("reads") {
        if group.predicate == SAME_AS {
            continue;
        }
        let facts = seen.facts(&group).expect("reads");
        let stretches = facts
            .iter()
            .flat_map(|fact| fact.segments.iter().map(|s| (fact.object.clone(), s.from, s.to, s.basis)));
        let stretches = canonical(stretches.collect());
        if !stretches.is_empty() {
            beliefs.insert((group.subject, group.predicate, group.key), stretches);
        }
    }
    beliefs
}

/// Sorts stretches and joins touching ones: the model tells occurrences that touch as one.
fn canonical(mut stretches: Vec<Stretch>) -> Vec<Stretch> {
    stretches.sort_by_cached_key(|(object, from, to, basis)| (object.canonical(), *from, *to, *basis));
    let mut joined: Vec<Stretch> = Vec::new();
    for stretch in stretches {
        match joined.last_mut() {
            Some(last) if last.0 == stretch.0 && last.2 == stretch.1 && last.3 == stretch.3 => {
                last.2 = stretch.2;
            }
            _ => joined.push(stretch),
        }
    }
    joined
}

fn model(log: &[Recorded], view: &View) -> Beliefs {
    let believed = believed(&definitions(), log, view);
    believed.into_iter().map(|(group, stretches)| (group, canonical(stretches))).collect()
}

#[track_caller]
fn compare(what: &str, seed: u64, view: &View, found: &Beliefs, expected: &Beliefs) {
    if found != expected {
        for (group, stretches) in expected {
            assert_eq!(found.get(group), Some(stretches), "{what}, seed {seed}, {view:?}, {group:?}");
        }
        let extra: Vec<_> = found.keys().filter(|group| !expected.contains_key(*group)).collect();
        panic!("{what}, seed {seed}, {view:?}: nothing is expected of {extra:?}");
    }
}

/// A view whose recorded limit counts the store's own commits.
fn recorded_view(view: View, log: &[Recorded], random: &mut Random) -> View {
    let recorded = match view.recorded {
        RecordedAt::Latest => RecordedAt::Latest,
        RecordedAt::Seq(_) | RecordedAt::Instant(_) if log.is_empty() => RecordedAt::Latest,
        RecordedAt::Seq(_) => RecordedAt::Seq(random.one_of(log).seq),
        RecordedAt::Instant(_) => RecordedAt::Instant(random.one_of(log).at),
    };
    View { recorded, ..view }
}

/// Compares one history in many views, and its laws: order, batching, replay, withdrawal, repetition.
fn check_history(seed: u64, space: &Space<'_>) {
    let history = operations(seed, OPERATIONS);
    let mut random = Random::new(seed ^ 0x5eed);
    let log = play(space, &history, &mut random);
    let asked = views(seed, VIEWS, &history).into_iter().map(|(view, _)| view);
    let asked: Vec<View> = asked.map(|view| recorded_view(view, &log, &mut random)).collect();
    for view in &asked {
        compare("the store and the model", seed, view, &beliefs(space, view), &model(&log, view));
    }

    // What was erased was never read: a store given the rest, in another order and one batch, believes the same.
    let mut rest: Vec<&Statement> = history
        .iter()
        .filter_map(|operation| match operation {
            Operation::Assert(statement) => Some(&**statement),
            Operation::Erase { .. } => None,
        })
        .filter(|statement| log.iter().any(|known| known.assertion == statement.assertion))
        .collect();
    for place in (1..rest.len()).rev() {
        let other = random.below(place as u64 + 1);
        rest.swap(place, usize::try_from(other).expect("small"));
    }
    let shuffled = open(Box::new(Memory::new()));
    let shuffled = shuffled.space("default", true).expect("a space");
    record(&shuffled, &rest, 0, &mut Vec::new());
    // What was known by then is what a store knows that was told no more.
    let known = asked.iter().map(|view| view.known).min().unwrap_or(Instant::DISTANT_FUTURE);
    let told_less = open(Box::new(Memory::new()));
    let told_less = told_less.space("default", true).expect("a space");
    let early: Vec<&Statement> = rest.iter().copied().filter(|s| s.assertion.known_at <= known).collect();
    record(&told_less, &early, 0, &mut Vec::new());
    for view in &asked {
        let view = View { recorded: RecordedAt::Latest, ..view.clone() };
        compare("another order", seed, &view, &beliefs(&shuffled, &view), &beliefs(space, &view));
    }
    let as_known = View::known_at(known);
    compare(
        "as-known replay",
        seed,
        &as_known,
        &beliefs(&told_less, &View::LATEST),
        &beliefs(space, &as_known),
    );

    // Saying it all again changes nothing.
    let before = space.snapshot().last_seq().expect("reads");
    record(space, &rest, history.len() + 1, &mut log.clone());
    assert_eq!(space.snapshot().last_seq().expect("reads"), before, "seed {seed}: repetition is no news");
    let found = space.verify().expect("verifies");
    assert_eq!(found.faults, Vec::<String>::new(), "seed {seed}");
}

/// Histories of a test: `BYGONE_HISTORIES` makes them more, and `BYGONE_SEED` starts them elsewhere.
const HISTORIES: u64 = 640;

/// Returns what a variable of the environment sets.
#[expect(clippy::disallowed_methods, reason = "a run may be made longer, and another one")]
fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// Returns the seeds of a test, by the first that it has where nothing is set; no two tests share one.
fn seeds(first: u64) -> std::ops::Range<u64> {
    let first = first + setting("BYGONE_SEED", 0) * 1_000_000;
    first..first + setting("BYGONE_HISTORIES", HISTORIES)
}

fn check_seeds(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let store = open(Box::new(Memory::new()));
        check_history(seed, &store.space("default", true).expect("a space"));
    }
}

// 1,280 histories of 80 operations are 102,400 operations; two tests share them so that two cores do.

#[test]
fn memory_agrees_with_the_model_over_half_of_a_hundred_thousand_operations() {
    check_seeds(seeds(0));
}

#[test]
fn memory_agrees_with_the_model_over_the_other_half() {
    check_seeds(seeds(100_000));
}

#[cfg(feature = "rocksdb")]
mod rocks {
    use bygone_engine::backend::Rocks;

    use super::*;

    /// Erasing rewrites the whole store, so each takes only a few histories, in spaces of their own.
    fn check(seeds: std::ops::Range<u64>) {
        for seeds in seeds.collect::<Vec<_>>().chunks(8) {
            let folder = tempfile::tempdir().expect("a folder");
            let rocks = || open(Box::new(Rocks::open(folder.path(), true, "a test").expect("opens")));
            let name = |seed: u64| format!("seed-{seed}");
            let store = rocks();
            let mut before: Vec<Beliefs> = Vec::new();
            for &seed in seeds {
                let space = store.space(&name(seed), true).expect("a space");
                check_history(seed, &space);
                before.push(beliefs(&space, &View::LATEST));
            }
            drop(store);
            // What was believed before the store was closed is believed after it is opened, the other spaces aside.
            let store = rocks();
            for (&seed, before) in seeds.iter().zip(&before) {
                let space = store.space(&name(seed), false).expect("a space");
                assert_eq!(beliefs(&space, &View::LATEST), *before, "seed {seed}");
            }
        }
    }

    #[test]
    fn rocks_agrees_with_the_model_over_half_of_a_hundred_thousand_operations() {
        check(seeds(200_000));
    }

    #[test]
    fn rocks_agrees_with_the_model_over_the_other_half() {
        check(seeds(300_000));
    }
}

#[test]
fn a_narrowed_view_of_nobody_is_empty() {
    let store = open(Box::new(Memory::new()));
    let space = store.space("default", true).expect("a space");
    let history = operations(7, OPERATIONS);
    play(&space, &history, &mut Random::new(7));
    let narrowing = Narrowing { agent: Some("nobody".to_owned()), ..Narrowing::default() };
    assert_eq!(beliefs(&space, &View { narrowing, ..View::LATEST }), Beliefs::new());
}
