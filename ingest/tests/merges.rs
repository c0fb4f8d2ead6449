//! Merges and splits undo each other in every view: whatever is said of who is who, a view that knows a split last sees
//! what was never merged, and views from before it see what they saw.

use std::sync::Arc;

use bygone_engine::backend::Memory;
use bygone_engine::store::{Recording, Store};
use bygone_engine::time::{Instant, parse_moment};
use bygone_engine::wire::{Defaults, read_statement};
use bygone_engine::{Fact, Narrowing, RecordedAt, View};
use bygone_ontology::Ontology;
use proptest::prelude::*;
use serde_json::{Value, json};

const NAMES: [&str; 3] = ["Ada", "Bea", "Cleo"];

/// The day so many days into 2024.
fn day(number: usize) -> Instant {
    parse_moment("2024-01-01")
        .expect("a day")
        .at
        .plus_micros(i64::try_from(number).expect("few") * 86_400_000_000)
}

fn record(store: &Store, position: u64, line: &Value) {
    let space = store.space("default", true).expect("a space");
    let defaults = Defaults { now: day(0), document: "d".to_owned(), position };
    let statement = read_statement(&line.to_string(), &defaults).expect("a statement");
    let recording = Recording {
        episodes: vec![statement.episode],
        assertions: vec![statement.assertion],
        ..Recording::default()
    };
    space.record(recording, day(400)).expect("memory does not fail");
}

/// What a view derives, by subject and predicate; statements of identity left out.
fn derived(store: &Store, known: Instant, recorded: RecordedAt) -> Vec<(String, Vec<Fact>)> {
    let space = store.space("default", false).expect("a space");
    let snapshot = space.snapshot();
    let view = View { known, recorded, narrowing: Narrowing::default() };
    let seen = snapshot.seen(&view).expect("memory does not fail");
    let groups = seen.groups().expect("memory does not fail");
    let groups = groups.into_iter().filter(|group| group.predicate != "same_as");
    groups
        .map(|group| {
            (
                format!("{} {}", group.subject, group.predicate),
                sorted(seen.facts(&group).expect("memory does not fail")),
            )
        })
        .filter(|(_, facts)| !facts.is_empty())
        .collect()
}

/// Brings facts that start together into one order, whether they were kept or derived.
fn sorted(mut facts: Vec<Fact>) -> Vec<Fact> {
    facts.sort_by_cached_key(|fact| (fact.validity, fact.object.key()));
    facts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_split_undoes_a_merge_and_a_merge_a_split_in_every_view(
        facts in prop::collection::vec((0..3_usize, 0..2_usize, 0..4_usize, 0..30_usize), 1..8),
        decisions in prop::collection::vec((0..3_usize, any::<bool>()), 1..6),
    ) {
        let store = Store::open(Box::new(Memory::new()), Arc::new(Ontology::core())).expect("opens");
        let never = Store::open(Box::new(Memory::new()), Arc::new(Ontology::core())).expect("opens");
        let mut position = 0;
        for (subject, predicate, object, from) in facts {
            position += 1;
            let predicate = ["works_at", "knows"][predicate];
            let object = ["org:Acme", "org:Beta", "person:Bea", "person:Cleo"][object];
            let line = json!({
                "subject": format!("person:{}", NAMES[subject]),
                "predicate": predicate,
                "object": { "entity": object },
                "from": format!("2024-01-{:02}", from + 1),
                "known_at": format!("2024-01-{:02}", from + 1),
                "source": format!("d#{position}"),
            });
            record(&store, position, &line);
            record(&never, position, &line);
        }
        let n_facts = position;
        // Each pair is decided in turn; what holds is the last word on it.
        let mut said: Vec<(usize, usize, bool)> = Vec::new();
        for (idx, (pair, same)) in decisions.iter().enumerate() {
            let (one, other) = [(0, 1), (1, 2), (0, 2)][*pair];
            position += 1;
            record(&store, position, &json!({
                "subject": format!("person:{}", NAMES[one]),
                "predicate": "same_as",
                "object": { "entity": format!("person:{}", NAMES[other]) },
                "polarity": if *same { "affirm" } else { "deny" },
                "known_at": format!("2024-03-{:02}", idx + 1),
                "source": format!("d#{position}"),
            }));
            said.push((one, other, *same));
        }
        // Now everything is split again.
        for (idx, (one, other)) in [(0, 1), (1, 2), (0, 2)].into_iter().enumerate() {
            position += 1;
            record(&store, position, &json!({
                "subject": format!("person:{}", NAMES[one]),
                "predicate": "same_as",
                "object": { "entity": format!("person:{}", NAMES[other]) },
                "polarity": "deny",
                "known_at": format!("2024-04-{:02}", idx + 1),
                "source": format!("d#{position}"),
            }));
        }
        let latest = Instant::DISTANT_FUTURE;
        prop_assert_eq!(derived(&store, latest, RecordedAt::Latest), derived(&never, latest, RecordedAt::Latest));
        // What was known, or recorded, before anything was merged.
        for at in [day(0), day(10), day(20), day(50)] {
            let plain = derived(&never, at, RecordedAt::Latest);
            prop_assert_eq!(derived(&store, at, RecordedAt::Latest), plain.clone());
            prop_assert_eq!(derived(&store, at, RecordedAt::Seq(n_facts)), plain);
        }
        // Every step of the way is what a store amounts to that was only told so much; known and recorded agree there.
        let n_said = said.len();
        for step in 1..=n_said {
            let only = Store::open(Box::new(Memory::new()), Arc::new(Ontology::core())).expect("opens");
            let space = store.space("default", false).expect("a space");
            let snapshot = space.snapshot();
            let upto = n_facts + step as u64;
            let mut statements: Vec<_> =
                snapshot.assertions().map(|recorded| recorded.expect("memory does not fail")).collect();
            statements.retain(|recorded| recorded.seq <= upto);
            let target = only.space("default", true).expect("a space");
            for recorded in statements {
                let episode = snapshot.episode(recorded.assertion.source.episode).expect("memory does not fail");
                let recording = Recording {
                    episodes: vec![episode.expect("every statement has one").episode],
                    assertions: vec![recorded.assertion],
                    ..Recording::default()
                };
                target.record(recording, day(400)).expect("memory does not fail");
            }
            let then = derived(&only, latest, RecordedAt::Latest);
            prop_assert_eq!(derived(&store, latest, RecordedAt::Seq(upto)), then.clone());
            let known = parse_moment(&format!("2024-03-{step:02}")).expect("a day").end().previous();
            prop_assert_eq!(derived(&store, known, RecordedAt::Latest), then);
        }
    }
}
