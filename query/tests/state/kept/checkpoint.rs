//! Checkpoints: whatever was saved comes back byte for byte until it is pruned, and costs what changed.

use std::collections::BTreeMap;

use bygone_engine::backend::{Backend, Table};
use bygone_engine::checkpoint::State;
use bygone_engine::store::{Checkpoint, Space, Target};
use bygone_engine::time::Instant;
use bygone_engine::{CheckpointId, Narrowing, View};
use bygone_query::state::checkpoint::{Pruned, Pruning, Saved, Saving, last, named, prune, restore, save};
use bygone_query::state::{Actor, StateError};
use proptest::prelude::*;

use super::{agent, at, recorded, store};

const NOON: &str = "2026-03-01T12:00:00Z";

fn try_save(space: &Space<'_>, by: &Actor, bytes: &[u8], parent: Option<&str>) -> Result<Saved, StateError> {
    let state = State::new(bytes.to_vec()).expect("a state");
    let saving = Saving { state, parent, label: None, reason: None };
    space.decide(None, at(NOON), |snapshot, place| save(snapshot, place, by, &saving))
}

fn saved(space: &Space<'_>, by: &Actor, bytes: &[u8]) -> CheckpointId {
    try_save(space, by, bytes, None).expect("saved").id
}

fn pruned(space: &Space<'_>, pruning: &Pruning<'_>) -> Pruned {
    let by = agent("a");
    let done = space.decide(None, at(NOON), |snapshot, place| prune(snapshot, place, &by, pruning));
    done.unwrap_or_else(|error: StateError| panic!("{error}"))
}

fn listed(space: &Space<'_>, view: &View) -> Vec<Checkpoint> {
    space.snapshot().seen(view).expect("a view").checkpoints().expect("a list")
}

fn restored(space: &Space<'_>, id: CheckpointId) -> Result<Vec<u8>, StateError> {
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST)?;
    restore(&seen, &named(&seen, &id.to_string())?)
}

/// The last checkpoint of an agent in a view, as of an instant.
fn last_of(space: &Space<'_>, name: &str, view: &View, instant: Instant) -> Option<CheckpointId> {
    let snapshot = space.snapshot();
    let seen = snapshot.seen(view).expect("a view");
    let who = agent(name).entity().expect("an entity");
    last(&seen, &who, instant).expect("reads").map(|checkpoint| checkpoint.id)
}

/// Numbers that look like chance and are the same each time (`SplitMix64`).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).expect("it is less than a length")
    }

    fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n.div_ceil(8)).flat_map(|_| self.next().to_le_bytes()).take(n).collect()
    }
}

#[test]
fn a_state_comes_back_as_it_was_and_the_last_by_any_instant_is_told() {
    let (store, _) = store();
    let space = store.space("default", true).expect("a space");
    let by = agent("a");
    let one = saved(&space, &by, b"one");
    let two = saved(&space, &by, b"one and two");
    let other = saved(&space, &agent("b"), b"");
    assert_eq!(restored(&space, one).expect("restored"), b"one");
    assert_eq!(restored(&space, two).expect("restored"), b"one and two");
    assert_eq!(restored(&space, other).expect("restored"), b"");
    let list = listed(&space, &View::LATEST);
    assert_eq!(
        list.iter().map(|it| (it.id, it.parent)).collect::<Vec<_>>(),
        [(one, None), (two, Some(one)), (other, None)]
    );
    let first = list[0].at;
    for (view, instant) in
        [(View::LATEST, first), (View::known_at(first), Instant::LAST), (recorded(1), Instant::LAST)]
    {
        assert_eq!(last_of(&space, "a", &view, instant), Some(one), "{view:?}");
    }
    assert_eq!(last_of(&space, "a", &View::LATEST, Instant::LAST), Some(two));
    assert_eq!(last_of(&space, "a", &recorded(0), Instant::LAST), None);
    assert_eq!(listed(&space, &recorded(2)).len(), 2);
    let narrowing = Narrowing { agent: Some("b".to_owned()), ..Narrowing::default() };
    assert_eq!(listed(&space, &View { narrowing, ..View::LATEST }).len(), 1);
}

#[test]
fn the_same_state_saved_again_is_the_same_checkpoint_unless_it_is_called_otherwise() {
    let (store, _) = store();
    let space = store.space("default", true).expect("a space");
    let by = agent("a");
    let one = saved(&space, &by, b"state");
    let again = try_save(&space, &by, b"state", None).expect("saved");
    assert_eq!(again, Saved { id: one, is_unchanged: true });
    let labelled = Saving {
        state: State::new(b"state".to_vec()).expect("a state"),
        parent: None,
        label: Some("before the flight"),
        reason: None,
    };
    let named: Result<Saved, StateError> =
        space.decide(None, at(NOON), |snapshot, place| save(snapshot, place, &by, &labelled));
    assert_ne!(named.expect("saved").id, one);
    assert_eq!(space.stats().expect("stats").checkpoint_pieces, 1);
    // Going back to an earlier state is a checkpoint of its own.
    saved(&space, &by, b"other");
    assert_ne!(saved(&space, &by, b"state"), one);
}

#[test]
fn a_fork_goes_on_from_the_checkpoint_it_names() {
    let (store, _) = store();
    let space = store.space("default", true).expect("a space");
    let by = agent("a");
    let one = saved(&space, &by, b"one");
    saved(&space, &by, b"two");
    let short = one.to_string()[..8].to_owned();
    let fork = try_save(&space, &by, b"three", Some(&short)).expect("saved").id;
    let snapshot = space.snapshot();
    assert_eq!(snapshot.checkpoint(fork).expect("reads").expect("a checkpoint").parent, Some(one));
    for (parent, words) in
        [("c:0000", "there is no checkpoint"), ("latest", "is no checkpoint"), ("c:", "at least 4 digits")]
    {
        let error = try_save(&space, &by, b"four", Some(parent)).expect_err("refused").to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn what_is_pruned_is_told_and_what_live_ones_reach_stays() {
    let (store, memory) = store();
    let space = store.space("default", true).expect("a space");
    let by = agent("a");
    let mut chance = Chance(1);
    let mut state = chance.bytes(60_000);
    let mut ids = Vec::new();
    for _ in 0..20 {
        let place = chance.below(state.len() - 2000);
        let new = chance.bytes(2000);
        state.splice(place..place + 2000, new);
        ids.push((saved(&space, &by, &state), state.clone()));
    }
    let theirs = saved(&space, &agent("b"), &ids[3].1);
    let blobs = || -> usize {
        let image = memory.snapshot();
        image.scan_prefix(Table::Blobs, &[]).map(|pair| pair.expect("reads").1.len()).sum()
    };
    let before = blobs();
    assert_eq!(
        pruned(&space, &Pruning { keep: Some(2), ..Pruning::default() }),
        Pruned { pruned: 18, kept: 3 }
    );
    assert!(blobs() < before);
    for (id, state) in &ids[18..] {
        assert_eq!(&restored(&space, *id).expect("restored"), state);
    }
    assert_eq!(restored(&space, theirs).expect("restored"), ids[3].1);
    let error = restored(&space, ids[3].0).expect_err("it is gone").to_string();
    assert!(error.contains("was pruned on 2026-03-01"), "{error}");
    let list = listed(&space, &View::LATEST);
    assert_eq!((list.len(), list.iter().filter(|it| it.pruned.is_some()).count()), (21, 18));
    assert_eq!(space.verify().expect("verifies").faults, [] as [&str; 0]);
    let none = pruned(&space, &Pruning { keep: Some(2), ..Pruning::default() });
    assert_eq!(none, Pruned { pruned: 0, kept: 3 }, "what was pruned is not pruned again");
    // With one left, what is kept is that state and nothing else.
    pruned(&space, &Pruning { ids: &[theirs.to_string(), ids[18].0.to_string()], ..Pruning::default() });
    let n_pieces = usize::try_from(space.stats().expect("stats").checkpoint_pieces).expect("few");
    assert_eq!(blobs(), state.len() + n_pieces, "a byte a piece says that it is whole");
    assert_eq!(restored(&space, ids[19].0).expect("restored"), state);
    assert_eq!(space.verify().expect("verifies").faults, [] as [&str; 0]);
}

#[test]
fn old_ones_are_pruned_by_their_age_and_nothing_without_a_word() {
    let (store, _) = store();
    let space = store.space("default", true).expect("a space");
    saved(&space, &agent("a"), b"one");
    let by = agent("a");
    let later = |pruning: Pruning<'_>| -> Result<Pruned, StateError> {
        space
            .decide(None, at("2026-03-02T12:00:00Z"), |snapshot, place| prune(snapshot, place, &by, &pruning))
    };
    let hours = |n: i64| Some(n * 3_600_000_000);
    let counted = |pruning| later(pruning).expect("pruned").pruned;
    assert_eq!(counted(Pruning { older_than_micros: hours(25), ..Pruning::default() }), 0);
    assert_eq!(counted(Pruning { older_than_micros: hours(1), keep: Some(1), ..Pruning::default() }), 0);
    assert_eq!(counted(Pruning { older_than_micros: hours(1), agent: Some("b"), ..Pruning::default() }), 0);
    assert!(matches!(later(Pruning::default()), Err(StateError::Name(_))));
    assert_eq!(counted(Pruning { older_than_micros: hours(23), ..Pruning::default() }), 1);
}

#[test]
fn an_erased_session_takes_its_checkpoints_along() {
    let (store, memory) = store();
    let space = store.space("default", true).expect("a space");
    let mut chance = Chance(2);
    let ours = chance.bytes(20_000);
    let mut theirs = ours.clone();
    let secret = b"a sentence that only the erased session saved";
    theirs.splice(10_000..10_000, secret.iter().copied());
    let kept = saved(&space, &agent("a"), &ours);
    let gone = saved(&space, &agent("b"), &theirs);
    let holds = || {
        let image = memory.snapshot();
        let blobs: Vec<u8> =
            image.scan_prefix(Table::Blobs, &[]).flat_map(|pair| pair.expect("reads").1.into_vec()).collect();
        blobs.windows(secret.len()).any(|window| window == secret)
    };
    assert!(holds());
    let certificate = space.erase(&Target::Session("state:b".to_owned()), at(NOON)).expect("erased");
    assert_eq!((certificate.checkpoints, certificate.assertions), (1, 1));
    assert!(!holds());
    assert_eq!(restored(&space, kept).expect("restored"), ours);
    assert!(matches!(restored(&space, gone), Err(StateError::Missing(_))));
    assert_eq!(space.verify().expect("verifies").faults, [] as [&str; 0]);
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures are what the test is run for by hand")]
fn a_thousand_checkpoints_of_a_megabyte_with_a_kilobyte_changed_cost_under_four() {
    let (store, memory) = store();
    let space = store.space("default", true).expect("a space");
    let by = agent("a");
    let mut chance = Chance(3);
    let mut state = chance.bytes(1 << 20);
    let mut middle = None;
    // Unoptimized, a tenth of them says as much.
    let n_checkpoints = if cfg!(debug_assertions) { 100 } else { 1000 };
    let mut first = 0;
    for nth in 0..n_checkpoints {
        if nth > 0 {
            let place = chance.below(state.len() - 1024);
            let new = chance.bytes(1024);
            state.splice(place..place + 1024, new);
        }
        let id = saved(&space, &by, &state);
        if nth == 0 {
            first = memory.size().expect("a size");
        } else if nth == n_checkpoints / 2 {
            middle = Some((id, state.clone()));
        }
    }
    let image = memory.snapshot();
    let mut total = 0;
    for &table in Table::ALL {
        let rows = image.scan_prefix(table, &[]).map(|pair| pair.expect("reads"));
        let (n_rows, n_bytes) =
            rows.fold((0, 0), |(n, bytes), (row, value)| (n + 1, bytes + row.len() + value.len()));
        total += n_bytes;
        println!("{:14} {n_rows:>6} rows {n_bytes:>8} bytes", table.name());
    }
    let each = (total as u64 - first) / (n_checkpoints - 1);
    println!("all            {total} bytes: the first {first}, each other {each}");
    let thousand = first + 999 * each;
    assert!(thousand < 4_000_000, "{thousand} bytes");
    let (id, expected) = middle.expect("it was saved");
    assert_eq!(restored(&space, id).expect("restored"), expected);
}

/// What is done to the checkpoints of a space.
#[derive(Clone, Debug)]
enum Step {
    /// Change some bytes of the state that somebody is at, and save it.
    Save { by: usize, place: usize, n_gone: usize, n_new: usize },
    /// Go on from an earlier one.
    Fork { by: usize, from: usize },
    /// Let one go.
    Prune { which: usize },
    /// Let all but some go.
    Keep { n: usize },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let save = (0..2_usize, any::<usize>(), 0..3000_usize, 0..3000_usize)
        .prop_map(|(by, place, n_gone, n_new)| Step::Save { by, place, n_gone, n_new });
    let fork = (0..2_usize, any::<usize>()).prop_map(|(by, from)| Step::Fork { by, from });
    let step = prop_oneof![
        8 => save,
        2 => fork,
        2 => any::<usize>().prop_map(|which| Step::Prune { which }),
        1 => (0..4_usize).prop_map(|n| Step::Keep { n }),
    ];
    proptest::collection::vec(step, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_checkpoint_that_is_not_pruned_comes_back(steps in steps(), seed: u64) {
        let (store, _) = store();
        let space = store.space("default", true).expect("a space");
        let mut chance = Chance(seed);
        let mut at_hand = [chance.bytes(30_000), Vec::new()];
        let mut from: [Option<CheckpointId>; 2] = [None, None];
        let mut model: BTreeMap<CheckpointId, Vec<u8>> = BTreeMap::new();
        let mut all: Vec<CheckpointId> = Vec::new();
        for step in steps {
            match step {
                Step::Save { by, place, n_gone, n_new } => {
                    let state = &mut at_hand[by];
                    let place = place % (state.len() + 1);
                    let end = (place + n_gone).min(state.len());
                    state.splice(place..end, chance.bytes(n_new));
                    let parent = from[by].take().map(|id| id.to_string());
                    let who = agent(["a", "b"][by]);
                    let id = try_save(&space, &who, state, parent.as_deref()).expect("saved").id;
                    model.insert(id, state.clone());
                    all.push(id);
                }
                Step::Fork { by, from: earlier } if !model.is_empty() => {
                    let (id, state) = model.iter().nth(earlier % model.len()).expect("one of them");
                    from[by] = Some(*id);
                    at_hand[by].clone_from(state);
                }
                Step::Prune { which } if !model.is_empty() => {
                    let id = *model.keys().nth(which % model.len()).expect("one of them");
                    pruned(&space, &Pruning { ids: &[id.to_string()], ..Pruning::default() });
                    model.remove(&id);
                }
                Step::Keep { n } => {
                    pruned(&space, &Pruning { keep: Some(n), ..Pruning::default() });
                    let kept = listed(&space, &View::LATEST).into_iter().filter(|it| it.pruned.is_none());
                    let kept: Vec<CheckpointId> = kept.map(|it| it.id).collect();
                    prop_assert!(kept.len() <= 2 * n);
                    model.retain(|id, _| kept.contains(id));
                    prop_assert_eq!(model.len(), kept.len());
                }
                Step::Fork { .. } | Step::Prune { .. } => {}
            }
        }
        for id in all {
            match (restored(&space, id), model.get(&id)) {
                (Ok(state), Some(expected)) => prop_assert!(state == *expected, "{id} is another state"),
                (Err(StateError::Missing(_)), None) => {}
                (restored, expected) => {
                    prop_assert!(false, "{id}: {:?}, expected {}", restored.map(|_| ()), expected.is_some());
                }
            }
        }
        prop_assert_eq!(space.verify().expect("verifies").faults, [] as [&str; 0]);
    }
}
