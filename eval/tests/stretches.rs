//! Facts of a stretch of time, and what added statements change, are told from few statements: it comes to the same as deriving
//! all of them.

use std::ops::Range;
use std::sync::Arc;

use bygone_engine::backend::Memory;
use bygone_engine::mark::{Mark, Outside, Stretch};
use bygone_engine::store::{Recording, Space, Store, Target};
use bygone_engine::time::{Bound, Instant, Moment, Period};
use bygone_engine::view::RecordedAt;
use bygone_engine::wire::{Defaults, Statement, read_statement};
use bygone_engine::{Assertion, Fact, Semantics, StoreError, View};
use bygone_eval::belief::random::{Operation, operations};
use bygone_eval::belief::splitmix::Random;
use bygone_ontology::Ontology;

fn below(random: &mut Random, limit: usize) -> usize {
    usize::try_from(random.below(limit as u64)).expect("small")
}

fn time(minute: usize) -> String {
    format!("2024-01-{:02}T{:02}:{:02}:00Z", 1 + minute / 1440, minute / 60 % 24, minute % 60)
}

/// How a history is told.
#[derive(Clone, Copy)]
struct Manner {
    predicate: &'static str,
    n_objects: usize,
    denials: u64,
    late: u64,
    bounded: u64,
    coarse: u64,
}

/// A statement of a history in which something is said every few minutes.
fn line(random: &mut Random, manner: Manner, step: usize) -> String {
    let known = 100 + step * 7 - usize::from(random.chance(5)) * 7;
    let about = if random.chance(manner.late) { known.saturating_sub(1 + below(random, 600)) } else { known };
    let object = format!(r#"{{"text":"{}"}}"#, below(random, manner.n_objects));
    let authority = *random.one_of(&["user", "user", "user", "tool", "agent", "inferred"]);
    let is_denial = random.chance(manner.denials);
    let sort = below(random, 10);
    let from = match sort {
        0 if is_denial => "null".to_owned(),
        1 if random.chance(manner.coarse / 10) => r#""2024-01-01""#.to_owned(),
        2 if random.chance(manner.coarse) => format!(r#""{}","from_grain":"hour""#, time(about / 60 * 60)),
        3 => format!(r#""{}""#, time(about / 60 * 60)),
        _ => format!(r#""{}""#, time(about)),
    };
    let to = match sort {
        4..=6 if is_denial => format!(r#""{}""#, time(about + 1 + below(random, 60))),
        _ if !is_denial && random.chance(manner.bounded) => {
            format!(r#""{}""#, time(about + 1 + below(random, 30)))
        }
        _ => "null".to_owned(),
    };
    let object = if is_denial && random.chance(10) { "null".to_owned() } else { object };
    let polarity = if is_denial { "deny" } else { "affirm" };
    let asserter = *random.one_of(&["person:B", "person:C"]);
    format!(
        r#"{{"subject":"person:A","predicate":"{}","object":{object},"polarity":"{polarity}","from":{from},"to":{to},
           "known_at":"{}","authority":"{authority}","asserter":"{asserter}","source":"d#{step}"}}"#,
        manner.predicate,
        time(known),
    )
}

/// Statements of a history as they are read.
fn statements(random: &mut Random, manner: Manner, n_statements: usize) -> Vec<Statement> {
    let now = Instant::from_micros(0).expect("ordinary");
    let defaults = Defaults { now, document: "d".to_owned(), position: 0 };
    let lines: Vec<String> = (0..n_statements).map(|step| line(random, manner, step)).collect();
    let read: Vec<Statement> = lines.iter().filter_map(|line| read_statement(line, &defaults).ok()).collect();
    assert!(read.len() * 2 > n_statements, "most lines are statements: {}", lines[0]);
    read
}

/// Dated statements of one group that count, in the order of a history.
fn in_order(mut statements: Vec<Assertion>) -> Vec<Assertion> {
    statements.retain(|statement| Mark::of(statement).is_some());
    let place = |a: &Assertion| (a.validity.period().map(Period::start), a.known_at, a.id);
    statements.sort_by_key(place);
    statements
}

fn history(random: &mut Random, manner: Manner, n_statements: usize) -> Vec<Assertion> {
    let read = statements(random, manner, n_statements).into_iter();
    in_order(read.map(|statement| statement.assertion).collect())
}

fn derive(ontology: &Ontology, statements: &[Assertion]) -> Vec<Fact> {
    let dated = |fact: &Fact| fact.validity.period().is_some();
    let all: Vec<&Assertion> = statements.iter().collect();
    let Some(first) = all.first() else { return Vec::new() };
    ontology.derive(&first.predicate, &all).into_iter().filter(dated).collect()
}

fn outside(marks: &[Mark]) -> Outside {
    let mut outside = Outside::NOTHING;
    for mark in marks {
        outside.add(mark);
    }
    outside
}

/// Calls something with a stretch of a history and how to read it.
fn with_stretch<T>(
    statements: &[Assertion],
    range: Range<usize>,
    tell: impl FnOnce(&Stretch<'_>, &mut dyn FnMut(Range<usize>) -> Result<Vec<Assertion>, StoreError>) -> T,
) -> T {
    let marks: Vec<Mark> = statements.iter().filter_map(Mark::of).collect();
    assert_eq!(marks.len(), statements.len());
    let (before, after) = (outside(&marks[..range.start]), outside(&marks[range.end..]));
    let stretch = Stretch { marks: &marks[range.clone()], before: &before, after: &after };
    let mut read =
        |part: Range<usize>| Ok(statements[range.start + part.start..range.start + part.end].to_vec());
    tell(&stretch, &mut read)
}

/// A short period at random, now and then a long or an open one.
fn period(random: &mut Random) -> Period {
    let minute = 1_000_000 * 60;
    let base = Instant::from_micros(1_704_067_200_000_000).expect("ordinary");
    let from = base.plus_micros(minute * i64::try_from(below(random, 900)).expect("small"));
    let width = match below(random, 5) {
        0 => minute * 30,
        1 => minute,
        _ => 1,
    };
    let to = if random.chance(3) { Bound::Open } else { Bound::At(Moment::instant(from.plus_micros(width))) };
    Period::new(Bound::At(Moment::instant(from)), to).expect("not empty")
}

/// Asks for periods in random stretches; returns how many were answered, and from how many statements in all.
fn ask(
    ontology: &Ontology,
    statements: &[Assertion],
    random: &mut Random,
    n_questions: usize,
) -> (usize, usize) {
    let derived = derive(ontology, statements);
    let (mut n_answered, mut n_read) = (0, 0);
    for _ in 0..n_questions {
        let asked = period(random);
        let overlaps = |fact: &&Fact| fact.validity.period().is_some_and(|period| period.overlaps(asked));
        let expected: Vec<Fact> = derived.iter().filter(overlaps).cloned().collect();
        let at = statements
            .partition_point(|a| a.validity.period().is_some_and(|period| period.start() <= asked.start()));
        let from = at.saturating_sub(below(random, 40));
        let to = (at + below(random, 40)).min(statements.len());
        let told = with_stretch(statements, from..to, |stretch, read| {
            let mut count = |range: Range<usize>| {
                n_read += range.len();
                read(range)
            };
            ontology.facts_over(&statements[0].predicate, asked, stretch, &mut count).expect("reads")
        });
        if let Some(told) = told {
            assert_eq!(told, expected, "asked for {asked:?} of {from}..{to}");
            n_answered += 1;
        }
    }
    (n_answered, n_read)
}

/// Adds a statement in a random stretch; says whether it was told what changes.
fn add(ontology: &Ontology, statements: &[Assertion], random: &mut Random) -> bool {
    let new = below(random, statements.len());
    let mut others = statements.to_vec();
    others.remove(new);
    let (before, after) = (derive(ontology, &others), derive(ontology, statements));
    let from = new.saturating_sub(below(random, 40));
    let to = (new + 1 + below(random, 40)).min(statements.len());
    let is_new: Vec<bool> = (from..to).map(|at| at == new).collect();
    let told = with_stretch(statements, from..to, |stretch, read| {
        ontology.added(&statements[0].predicate, stretch, &is_new, read).expect("reads")
    });
    let Some(added) = told else { return false };
    let start = |fact: &Fact| fact.validity.period().map(Period::start).expect("dated");
    let is_replaced = |fact: &Fact| {
        added.from.is_none_or(|from| start(fact) >= from) && added.to.is_none_or(|to| start(fact) < to)
    };
    assert!(added.facts.iter().all(is_replaced), "only facts of the stretch are told");
    let mut changed: Vec<Fact> = before.into_iter().filter(|fact| !is_replaced(fact)).collect();
    changed.extend(added.facts.iter().cloned());
    changed.sort_by_key(|fact| (start(fact), fact.object.canonical()));
    let mut expected = after;
    expected.sort_by_key(|fact| (start(fact), fact.object.canonical()));
    for (changed, expected) in changed.iter().zip(&expected) {
        assert_eq!(changed, expected, "{:?} was added: {:?} to {:?}", statements[new], added.from, added.to);
    }
    assert_eq!(changed.len(), expected.len());
    true
}

const PLAIN: Manner =
    Manner { predicate: "lives_in", n_objects: 12, denials: 0, late: 15, bounded: 0, coarse: 0 };

#[test]
fn few_statements_tell_what_holds_at_an_instant() {
    let ontology = Ontology::core();
    let manners = [
        PLAIN,
        Manner { denials: 6, ..PLAIN },
        Manner { denials: 12, bounded: 15, coarse: 30, n_objects: 4, ..PLAIN },
        Manner { denials: 30, late: 40, n_objects: 3, bounded: 10, coarse: 60, ..PLAIN },
        Manner { denials: 25, late: 5, n_objects: 2, bounded: 50, ..PLAIN },
        Manner { predicate: "visited", denials: 8, bounded: 40, coarse: 10, n_objects: 6, ..PLAIN },
    ];
    let answered = manners.map(|manner| {
        let mut answered = (0, 0);
        for seed in 0..25 {
            let mut random = Random::new(seed);
            let statements = history(&mut random, manner, 120);
            let (n_answered, n_read) = ask(&ontology, &statements, &mut random, 60);
            answered = (answered.0 + n_answered, answered.1 + n_read);
        }
        answered
    });
    assert!(answered[0].0 > 750, "plain histories are answered from few statements: {answered:?}");
    assert!(answered.iter().all(|(n_answered, _)| *n_answered > 25), "{answered:?}");
}

#[test]
fn few_statements_tell_what_an_added_one_changes() {
    let ontology = Ontology::core();
    let manners = [
        PLAIN,
        Manner { denials: 6, ..PLAIN },
        Manner { denials: 12, bounded: 15, coarse: 30, n_objects: 60, ..PLAIN },
        Manner { late: 60, n_objects: 3, bounded: 40, coarse: 20, ..PLAIN },
        Manner { predicate: "visited", denials: 8, bounded: 40, coarse: 10, n_objects: 60, ..PLAIN },
    ];
    let told = manners.map(|manner| {
        let mut n_told = 0;
        for seed in 0..25 {
            let mut random = Random::new(seed);
            let statements = history(&mut random, manner, 100);
            n_told += (0..20).filter(|_| add(&ontology, &statements, &mut random)).count();
        }
        n_told
    });
    assert!(told[0] > 250, "what is added to plain histories is told from few statements: {told:?}");
    assert!(told.iter().all(|n_told| *n_told > 40), "{told:?}");
}

#[test]
fn legal_but_odd_histories_are_told_as_the_derivation_tells_them() {
    let ontology = Ontology::core();
    let mut n_answered = 0;
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let asserted = operations(seed, 60).into_iter().filter_map(|operation| match operation {
            Operation::Assert(statement) => Some(statement.assertion),
            Operation::Erase { .. } => None,
        });
        let asserted: Vec<Assertion> = asserted.collect();
        for predicate in ["lives_in", "works_at", "visited"] {
            let of_one = asserted.iter().filter(|a| a.predicate == predicate && a.subject.name() == "Ann");
            let statements = in_order(of_one.filter(|a| a.key.is_empty()).cloned().collect());
            if statements.is_empty() {
                continue;
            }
            n_answered += ask(&ontology, &statements, &mut random, 20).0;
            for _ in 0..5 {
                n_answered += usize::from(add(&ontology, &statements, &mut random));
            }
        }
    }
    assert!(n_answered > 250, "only {n_answered} were told: the test shows little");
}

/// Compares the facts of short periods with all facts, in random views.
fn check_store(space: &Space<'_>, random: &mut Random, last: u64) {
    let snapshot = space.snapshot();
    for _ in 0..25 {
        let known = match below(random, 3) {
            0 => Instant::DISTANT_FUTURE,
            _ => period(random).start(),
        };
        let recorded = match below(random, 3) {
            0 => RecordedAt::Seq(1 + random.below(last)),
            _ => RecordedAt::Latest,
        };
        let view = View { known, recorded, ..View::LATEST };
        let seen = snapshot.seen(&view).expect("reads");
        for group in seen.groups().expect("reads") {
            let asked = period(random);
            let mut expected = seen.facts(&group).expect("reads");
            expected.retain(|fact| fact.validity.period().is_some_and(|period| period.overlaps(asked)));
            let told = seen.facts_over(&group, asked).expect("reads");
            assert_eq!(told, expected, "{view:?}, asked for {asked:?}");
        }
    }
    assert_eq!(space.verify().expect("reads").faults, [] as [String; 0]);
}

#[test]
fn a_store_tells_of_a_stretch_what_it_tells_of_all_however_statements_arrive() {
    let manners = [
        PLAIN,
        Manner { denials: 6, ..PLAIN },
        Manner { denials: 20, late: 40, n_objects: 3, bounded: 20, coarse: 40, ..PLAIN },
        Manner { predicate: "visited", denials: 8, bounded: 40, coarse: 10, n_objects: 20, ..PLAIN },
        Manner { predicate: "likes", denials: 8, bounded: 10, n_objects: 5, ..PLAIN },
    ];
    for (seed, manner) in (0..).zip(manners.into_iter().cycle().take(15)) {
        let mut random = Random::new(seed);
        let store = Store::open(Box::new(Memory::new()), Arc::new(Ontology::core())).expect("opens");
        let space = store.space("s", true).expect("a space");
        let mut arriving = statements(&mut random, manner, 300);
        // In order, shuffled a little, or not in order at all.
        let reach = [1, 20, arriving.len()][below(&mut random, 3)];
        for at in 0..arriving.len() {
            let other = (at + below(&mut random, reach)).min(arriving.len() - 1);
            arriving.swap(at, other);
        }
        let now = Instant::from_micros(0).expect("ordinary");
        let mut rest = arriving.into_iter().peekable();
        let mut last = 0;
        while rest.peek().is_some() {
            let n_together = 1 + below(&mut random, 4) * below(&mut random, 12);
            let mut recording = Recording::default();
            for mut statement in rest.by_ref().take(n_together) {
                let session = format!("session-{}", below(&mut random, 4));
                statement.episode.session.clone_from(&session);
                statement.assertion.source.session = session;
                recording.episodes.push(statement.episode);
                recording.assertions.push(statement.assertion);
            }
            last = space.record(recording, now).expect("records").seq.unwrap_or(last);
        }
        check_store(&space, &mut random, last);
        space.erase(&Target::Session("session-2".to_owned()), now).expect("erases");
        check_store(&space, &mut random, last);
    }
}
