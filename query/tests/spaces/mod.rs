//! The wall between spaces: whatever is written in one, nothing that is read in another changes by it or shows it.
//!
//! Every space has words of its own, its **canary**, in everything that is written there, and all of them share names: of
//! people, sessions, agents, registers, work-sets, topics and operations. A response that has another space's canary in it
//! has crossed the wall.
//!
//! To see it fail, mix up the space in one place: take that of the first space for every one in the key of an operation
//! (`key::operation`) or of a work-set (`key::work_set`, `key::work_leaves`), or leave it out of the words of the full-text
//! index (`term_text` and the comparison of spaces in `text/tail.rs`).

mod acts;
mod responses;

use std::sync::Arc;

use bygone_engine::backend::Memory;
use bygone_engine::store::Store;
use bygone_engine::time::{Instant, parse_moment};
use bygone_ontology::Ontology;
use proptest::prelude::*;

use acts::{Act, act, acts};
use responses::{Known, responses};

/// The spaces' words. None is part of another, and none means anything to a question.
const CANARIES: [&str; 4] = ["quetzal", "hoatzin", "kakapo", "shoebill"];

/// The name of a space, which has its word in it.
fn space_name(nth: usize) -> String {
    format!("of-{}", CANARIES[nth])
}

fn at(text: &str) -> Instant {
    parse_moment(text).expect(text).at
}

fn now() -> Instant {
    at("2026-06-01")
}

/// Says which other space's word stands in a response.
fn stranger(response: &str, own: usize) -> Option<&'static str> {
    let response = response.to_lowercase();
    let others = CANARIES.iter().enumerate().filter(|(nth, _)| *nth != own);
    others.map(|(_, canary)| *canary).find(|canary| response.contains(canary))
}

/// The spaces of a store that were acted in so far, with what is known of all of them by id.
struct World {
    ontology: Arc<Ontology>,
    store: Store,
    known: Known,
}

impl World {
    fn new() -> World {
        let ontology = Arc::new(Ontology::core());
        let store = Store::open(Box::new(Memory::new()), ontology.clone()).expect("a store");
        for nth in 0..CANARIES.len() {
            store.space(&space_name(nth), true).expect("a space");
        }
        World { ontology, store, known: Known::default() }
    }

    /// Everything that can be read in a space.
    fn read(&self, nth: usize) -> Vec<(&'static str, String)> {
        let space = self.store.space(&space_name(nth), false).expect("a space");
        let snapshot = space.snapshot();
        responses(&snapshot, &self.ontology, &self.known, CANARIES[nth])
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(8) })]

    #[test]
    fn nothing_of_one_space_shows_in_another(steps in acts()) {
        let mut world = World::new();
        for (step, (nth, what)) in steps.iter().enumerate() {
            let told = {
                let space = world.store.space(&space_name(*nth), false).expect("a space");
                act(&space, *what, CANARIES[*nth], step)
            };
            prop_assert_eq!(stranger(&told, *nth), None, "{:?} is told {}", what, told);
            world.known.learn(&world.store, &space_name(*nth));
        }
        for (nth, canary) in CANARIES.iter().enumerate() {
            for (what, response) in world.read(nth) {
                prop_assert_eq!(stranger(&response, nth), None, "{} in {}: {}", what, canary, response);
            }
        }
    }

    #[test]
    fn an_act_in_one_space_changes_no_response_of_another(steps in acts(), last in any::<Act>(), whose in 0..CANARIES.len()) {
        let mut world = World::new();
        for (step, (nth, what)) in steps.iter().enumerate() {
            let space = world.store.space(&space_name(*nth), false).expect("a space");
            act(&space, *what, CANARIES[*nth], step);
            world.known.learn(&world.store, &space_name(*nth));
        }
        let others: Vec<usize> = (0..CANARIES.len()).filter(|nth| *nth != whose).collect();
        let before: Vec<_> = others.iter().map(|nth| world.read(*nth)).collect();
        // What is open meanwhile reads on as it was, that of the space itself too; but an erasure throws the index of words
        // away at once, for every snapshot.
        let own = world.store.space(&space_name(whose), false).expect("a space");
        let open = own.snapshot();
        let read_on = |world: &World| {
            let mut all = responses(&open, &world.ontology, &world.known, CANARIES[whose]);
            all.retain(|(what, _)| last != Act::Erase || !responses::SEARCHED.contains(what));
            all
        };
        let own_before = read_on(&world);
        act(&own, last, CANARIES[whose], steps.len());
        let own_after = read_on(&world);
        prop_assert_eq!(own_before, own_after, "an open snapshot of {} after {:?}", CANARIES[whose], last);
        for (nth, before) in others.into_iter().zip(before) {
            prop_assert_eq!(before, world.read(nth), "{} after {:?} in {}", CANARIES[nth], last, CANARIES[whose]);
        }
    }
}

#[test]
fn every_response_shows_what_its_own_space_was_told() {
    // Else there would be nothing that could cross the wall.
    let mut world = World::new();
    let space = space_name(0);
    for (step, what) in Act::ALL.iter().filter(|act| **act != Act::Erase).cycle().take(24).enumerate() {
        let space = world.store.space(&space, false).expect("a space");
        let told = act(&space, *what, CANARIES[0], step);
        assert!(!what.is_told() || told.contains(CANARIES[0]), "{what:?} is told {told}");
    }
    world.known.learn(&world.store, &space);
    for (what, response) in world.read(0) {
        let shows = response.to_lowercase().contains(CANARIES[0]);
        assert!(shows || responses::SILENT.contains(&what), "{what}: {response}");
    }
}
