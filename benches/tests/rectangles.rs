//! The rectangles that peers are given are what the derivation believes at each known instant.

use std::collections::BTreeMap;

use bygone_benches::bitemporal::{
    Event, OPEN, SINGLE_VALUED, Shape, events, group_events, ontology, predicate_name, statement,
    subject_name,
};
use bygone_benches::rectangles::rectangles;
use bygone_engine::object::Number;
use bygone_engine::time::Instant;
use bygone_engine::{Assertion, Object};
use bygone_ontology::derive;

/// A fact: its start, its end, its object.
type Held = (i64, i64, u32);

fn open_end(instant: Instant) -> i64 {
    if instant == Instant::DISTANT_FUTURE { OPEN } else { instant.micros() }
}

/// What the derivation makes of the statements that are known by then.
fn derived(predicate: u32, known: &[Assertion]) -> Vec<Held> {
    let ontology = ontology();
    let definition = ontology.get_or_open(&predicate_name(predicate));
    let known: Vec<&Assertion> = known.iter().collect();
    let number = |object: &Object| match object {
        Object::Entity(entity) => entity.to_string()[subject_name(0).len() - 1..].parse().expect("a number"),
        Object::Number { value: Number::Whole(whole), .. } => u32::try_from(*whole).expect("small"),
        other => panic!("{other:?} is no object of the workload"),
    };
    let mut held: Vec<Held> = derive(&definition, &known)
        .iter()
        .map(|fact| {
            let period = fact.validity.period().expect("dated");
            (period.start().micros(), open_end(period.end()), number(&fact.object))
        })
        .collect();
    held.sort_unstable();
    held
}

/// Holds the rectangles against the derivation at every `step`-th known instant of every group.
fn check(events: &[Event], step: usize) {
    let mut groups: BTreeMap<(u32, u32), Vec<Event>> = BTreeMap::new();
    for event in events {
        groups.entry((event.subject, event.predicate)).or_default().push(*event);
    }
    let rectangles = rectangles(events);
    for ((subject, predicate), events) in groups {
        let statements: Vec<Assertion> =
            events.iter().enumerate().map(|(nth, event)| statement(event, nth).assertion).collect();
        let of_group = || rectangles.iter().filter(|r| (r.subject, r.predicate) == (subject, predicate));
        for at in (0..events.len()).rev().step_by(step) {
            let known = events[at].known;
            let mut believed: Vec<Held> = of_group()
                .filter(|r| r.known_from <= known && known < r.known_to)
                .map(|r| (r.valid_from, r.valid_to, r.object))
                .collect();
            believed.sort_unstable();
            assert_eq!(
                believed,
                derived(predicate, &statements[..=at]),
                "group {subject} {predicate}, after {:?}",
                &events[..=at]
            );
        }
    }
}

#[test]
fn rectangles_are_what_is_derived_at_each_known_instant() {
    for seed in 0..20 {
        check(&events(Shape { statements: 400, entities: 4, seed }), 1);
    }
}

#[test]
fn a_long_group_is_followed_as_it_is_derived() {
    for seed in 0..4 {
        check(&group_events(Shape { statements: 600, entities: 10, seed }, 1), 37);
    }
}

#[test]
fn the_shares_are_those_that_are_told() {
    let events = events(Shape { statements: 20_000, entities: 2_000, seed: 1 });
    let share = |count: usize| count * 1_000 / events.len();
    let denied = events.iter().filter(|event| event.denies).count();
    let late = events.iter().filter(|e| !e.denies && e.known - e.from > 86_400_000_000).count();
    let bounded = events.iter().filter(|event| event.to != OPEN).count();
    let single = events.iter().filter(|event| event.predicate < SINGLE_VALUED).count();
    assert!((40..60).contains(&share(denied)), "{denied} deny");
    assert!((200..260).contains(&share(late)), "{late} come late or correct");
    assert!((320..380).contains(&share(bounded)), "{bounded} are bounded");
    assert!((400..800).contains(&share(single)), "{single} are of predicates of one value");
    assert!(events.windows(2).all(|pair| pair[0].known < pair[1].known), "known instants increase");
}
