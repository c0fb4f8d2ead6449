//! Differences and first beliefs over random histories, against plain comparisons of whole views: what a difference
//! says explains exactly what differs, and nothing was believed before it was learned.

use std::collections::BTreeSet;
use std::sync::Arc;

use bygone_engine::backend::Memory;
use bygone_engine::identity::SAME_AS;
use bygone_engine::store::{Recording, Seen, Snapshot, Store};
use bygone_engine::time::{Instant, Validity};
use bygone_engine::{EntityRef, Object, RecordedAt, ValidTime, View};
use bygone_eval::belief::random::{Operation, operations, views};
use bygone_eval::belief::splitmix::Random;
use bygone_ontology::Ontology;
use bygone_query::diff::{Change, Difference};
use bygone_query::facts::judge_facts;
use bygone_query::{Request, Row, diff, learned};

const SEEDS: u64 = 300;
const OPERATIONS: usize = 50;

/// A subject, predicate, key and object at an instant; `None` for the time nobody dated.
type Held = (String, Option<Instant>);

fn clock(step: usize) -> Instant {
    let micros = 1_700_000_000_000_000 + i64::try_from(step).expect("few steps") * 1_000_000;
    Instant::from_micros(micros).expect("ordinary")
}

/// A store that was told a history without its erasures, a statement a commit.
fn told(seed: u64) -> (Vec<Operation>, Store) {
    let history = operations(seed, OPERATIONS);
    let store = Store::open(Box::new(Memory::new()), Arc::new(Ontology::core())).expect("opens");
    let space = store.space("default", true).expect("a space");
    for (step, operation) in history.iter().enumerate() {
        if let Operation::Assert(statement) = operation {
            let recording = Recording {
                episodes: vec![statement.episode.clone()],
                assertions: vec![statement.assertion.clone()],
                ..Recording::default()
            };
            space.record(recording, clock(step)).expect("records");
        }
    }
    drop(space);
    (history, store)
}

fn rows(seen: &Seen<'_>, request: &Request) -> Vec<Row> {
    let ontology = Ontology::core();
    let groups = seen.groups().expect("reads");
    groups.iter().flat_map(|group| judge_facts(seen, &ontology, request, group).expect("reads")).collect()
}

/// The instants at which something may change over some rows: every bound, and the beginning of time.
fn instants<'r>(rows: impl IntoIterator<Item = &'r Row>) -> BTreeSet<Instant> {
    let bounds = rows.into_iter().filter_map(|row| row.fact.validity.period());
    let bounds = bounds.flat_map(|period| [period.start(), period.end()]);
    let mut instants: BTreeSet<Instant> = bounds.collect();
    instants.insert(Instant::DISTANT_PAST);
    instants.remove(&Instant::DISTANT_FUTURE);
    instants
}

fn name(row: &Row) -> String {
    let group = &row.group;
    format!("{} {} {:?} {}", group.subject, group.predicate, group.key, row.fact.object.canonical())
}

/// What a row holds at the instants given, from `from` on.
fn held(row: &Row, instants: &BTreeSet<Instant>, within: Validity) -> BTreeSet<Held> {
    match (row.fact.validity, within) {
        (Validity::Undated, _) => BTreeSet::from([(name(row), None)]),
        (Validity::Over(_), Validity::Undated) => BTreeSet::new(),
        (Validity::Over(period), Validity::Over(within)) => instants
            .iter()
            .filter(|instant| period.contains(**instant) && within.contains(**instant))
            .map(|instant| (name(row), Some(*instant)))
            .collect(),
    }
}

fn all(rows: &[Row], instants: &BTreeSet<Instant>) -> BTreeSet<Held> {
    rows.iter().flat_map(|row| held(row, instants, row.fact.validity)).collect()
}

/// What a difference takes back, by the table in the documentation of `bygone_query::diff`.
fn taken_back(difference: &Difference, instants: &BTreeSet<Instant>) -> BTreeSet<Held> {
    let Some(was) = &difference.was else {
        return BTreeSet::new();
    };
    let whole = || held(was, instants, was.fact.validity);
    match (difference.change, &difference.fact) {
        (Change::Learned | Change::Reopened, _) => BTreeSet::new(),
        (Change::Ended, Some(fact)) => {
            let end = fact.fact.validity.period().expect("what ended is dated").end();
            whole().into_iter().filter(|(_, instant)| instant.is_some_and(|instant| instant >= end)).collect()
        }
        (_, Some(fact)) if name(fact) != name(was) => held(was, instants, fact.fact.validity),
        (_, Some(_) | None) => whole(),
    }
}

fn request(view: View, valid: ValidTime) -> Request {
    Request { view, valid, history: false, planned: false, now: clock(0) }
}

fn at(snapshot: &Snapshot<'_>, request: &Request, check: impl FnOnce(&Seen<'_>)) {
    check(&snapshot.seen(&request.view).expect("reads"));
}

#[test]
fn applying_the_differences_to_what_was_known_gives_what_is_known() {
    let mut kinds = BTreeSet::new();
    for seed in 0..SEEDS {
        let (history, store) = told(seed);
        let space = store.space("default", false).expect("a space");
        let snapshot = space.snapshot();
        let mut random = Random::new(seed);
        let last = snapshot.last_seq().expect("reads");
        for (view, valid) in views(seed, 6, &history) {
            let valid = valid.map_or(ValidTime::All, ValidTime::At);
            let recorded = match view.recorded {
                RecordedAt::Seq(seq) => RecordedAt::Seq(seq.min(last)),
                other => other,
            };
            let view = View { recorded, ..view };
            let mut known = [view.known, random.one_of(&views(seed + 1, 9, &history)).0.known];
            known.sort_unstable();
            let [before, after] = known.map(|known| request(View { known, ..view.clone() }, valid));
            at(&snapshot, &before, |seen_before| {
                at(&snapshot, &after, |seen_after| {
                    let what = format!("seed {seed}, {before:?} to {after:?}");
                    let sides = ((seen_before, &before), (seen_after, &after));
                    let found = diff::known(sides.0, sides.1, &Ontology::core(), None).expect("reads");
                    kinds.extend(found.iter().map(|difference| difference.change));
                    check_known(&what, sides.0, sides.1, &found);
                    check_about(&what, sides.0, sides.1, &found);
                });
            });
        }
    }
    assert_eq!(kinds, BTreeSet::from(Change::ALL), "every kind occurs");
}

fn check_known(
    what: &str,
    (before, asked_before): (&Seen<'_>, &Request),
    (after, asked_after): (&Seen<'_>, &Request),
    found: &[Difference],
) {
    let (were, are) = (rows(before, asked_before), rows(after, asked_after));
    let instants = instants(were.iter().chain(&are));
    let mut applied = all(&were, &instants);
    for difference in found {
        for held in taken_back(difference, &instants) {
            applied.remove(&held);
        }
    }
    for fact in found.iter().filter_map(|difference| difference.fact.as_ref()) {
        applied.extend(held(fact, &instants, fact.fact.validity));
    }
    let expected = all(&are, &instants);
    assert_eq!(applied, expected, "{what}\n{}", listed(found));

    let mut told = BTreeSet::new();
    for difference in found {
        let Difference { change, fact, was, cause } = difference;
        assert!(fact.as_ref().is_none_or(|fact| are.contains(fact)), "{what}: no fact of the later view");
        assert!(was.as_ref().is_none_or(|was| were.contains(was)), "{what}: no fact of the earlier view");
        assert!(told.insert((fact.as_ref().map(|r| r.id), was.as_ref().map(|r| r.id))), "{what}: told twice");
        let made = before.snapshot().assertion(*cause).expect("reads").expect("a statement");
        assert!(after.sees(&made) && !before.sees(&made), "{what}: {change:?} is caused by what was known");
        let of_identity = made.assertion.predicate == SAME_AS;
        let is_identity = matches!(change, Change::Merged | Change::Split);
        assert_eq!(of_identity, is_identity, "{what}: {change:?} and its cause");
        // No difference is told of what does not differ.
        let before_of =
            |row: &Row| all(&were, &instants).is_superset(&held(row, &instants, row.fact.validity));
        assert!(
            was.is_some() || fact.as_ref().is_some_and(|fact| !before_of(fact)),
            "{what}: nothing differs\n{}",
            listed(found)
        );
    }
}

/// With an entity, what is told is what is told without one, as far as it mentions the entity.
fn check_about(
    what: &str,
    before: (&Seen<'_>, &Request),
    after: (&Seen<'_>, &Request),
    found: &[Difference],
) {
    let entity = EntityRef::parse("person:Anna").expect("an entity");
    let class: BTreeSet<EntityRef> =
        [before.0, after.0].iter().flat_map(|seen| seen.identity().members(&entity)).collect();
    let mentions = |row: &Row| {
        class.contains(&row.group.subject) || row.fact.object.entity().is_some_and(|e| class.contains(e))
    };
    let expected: Vec<&Difference> = found
        .iter()
        .filter(|difference| [&difference.fact, &difference.was].into_iter().flatten().any(mentions))
        .collect();
    let about = diff::known(before, after, &Ontology::core(), Some(&entity)).expect("reads");
    assert_eq!(about.iter().collect::<Vec<_>>(), expected, "{what} about {entity}");
}

fn listed(found: &[Difference]) -> String {
    found.iter().map(|difference| difference.to_json().to_string() + "\n").collect()
}

#[test]
fn applying_the_differences_to_the_world_gives_the_later_world() {
    let mut kinds = BTreeSet::new();
    for seed in 0..SEEDS {
        let (history, store) = told(seed);
        let space = store.space("default", false).expect("a space");
        let snapshot = space.snapshot();
        let asked: Vec<_> = views(seed, 8, &history).into_iter().collect();
        for pair in asked.windows(2) {
            let ((view, Some(one)), (_, Some(other))) = (&pair[0], &pair[1]) else { continue };
            let (from, to) = (*one.min(other), *one.max(other));
            let request = request(View { recorded: RecordedAt::Latest, ..view.clone() }, ValidTime::At(to));
            let seen = snapshot.seen(&request.view).expect("reads");
            let found = diff::valid(&seen, &Ontology::core(), &request, (from, to), None).expect("reads");
            kinds.extend(found.iter().map(|difference| difference.change));
            let facts = rows(&seen, &request);
            let world = |instant: Instant| -> BTreeSet<String> {
                let holds = |row: &&Row| ValidTime::At(instant).selects(row.fact.validity);
                facts.iter().filter(holds).map(name).collect()
            };
            let mut applied = world(from);
            for Difference { change, fact, was, .. } in &found {
                let held_before = was.as_ref().zip(fact.as_ref()).is_some_and(|(was, fact)| {
                    let ended = was.fact.validity.period().is_some_and(|period| period.end() <= from);
                    ended && name(was) == name(fact)
                });
                assert_eq!(held_before, *change == Change::Reopened, "seed {seed}: {change:?}");
                if matches!(change, Change::Changed | Change::Ended) {
                    assert!(applied.remove(&name(was.as_ref().expect("what held"))));
                }
                if *change != Change::Ended {
                    assert!(applied.insert(name(fact.as_ref().expect("what holds"))));
                }
            }
            assert_eq!(applied, world(to), "seed {seed}, {from:?} to {to:?}\n{}", listed(&found));
        }
    }
    let expected = [Change::Learned, Change::Changed, Change::Ended, Change::Reopened];
    assert_eq!(kinds, BTreeSet::from(expected));
}

#[test]
fn nothing_was_believed_before_it_was_learned() {
    let mut n_learned = 0;
    for seed in 0..SEEDS {
        let (history, store) = told(seed);
        let space = store.space("default", false).expect("a space");
        let snapshot = space.snapshot();
        let known: BTreeSet<Instant> = history
            .iter()
            .filter_map(|operation| match operation {
                Operation::Assert(statement) => Some(statement.assertion.known_at),
                Operation::Erase { .. } => None,
            })
            .collect();
        for (view, _) in views(seed, 3, &history) {
            let view = View { recorded: RecordedAt::Latest, ..view };
            let seen = snapshot.seen(&view).expect("reads");
            let request = request(view.clone(), ValidTime::All);
            for (subject, predicate) in
                [("person:Ann", "works_at"), ("person:Anna", "lives_in"), ("person:Bob", "likes")]
            {
                let subject = EntityRef::parse(subject).expect("an entity");
                let found = learned::learned(&seen, &Ontology::core(), &request, &subject, predicate, None)
                    .expect("reads");
                n_learned += found.len();
                let rows: BTreeSet<_> = found
                    .iter()
                    .map(|item| {
                        let object = stands_for(&seen, &item.row.fact.object);
                        (item.row.group.key.clone(), object, item.known_from, item.until, item.again)
                    })
                    .collect();
                assert_eq!(
                    rows,
                    first_beliefs(&snapshot, &seen, &known, &subject, predicate),
                    "seed {seed}, {view:?}, {subject} {predicate}"
                );
                for item in &found {
                    let made = item.evidence.recorded.assertion.known_at;
                    assert!(made <= item.known_from, "seed {seed}: learned from what was said later");
                }
            }
        }
    }
    assert!(n_learned > 1000, "{n_learned} beliefs");
}

fn stands_for(seen: &Seen<'_>, object: &Object) -> String {
    match object {
        Object::Entity(entity) => seen.identity().representative(entity).to_string(),
        other => other.canonical(),
    }
}

type Belief = (String, String, Instant, Option<Instant>, Option<Instant>);

/// Looks through the views of every known instant for what each derives.
fn first_beliefs(
    snapshot: &Snapshot<'_>,
    seen: &Seen<'_>,
    known: &BTreeSet<Instant>,
    subject: &EntityRef,
    predicate: &str,
) -> BTreeSet<Belief> {
    let mut believed: Vec<(Instant, BTreeSet<(String, String)>)> = Vec::new();
    for &known in known.iter().filter(|known| **known <= seen.view().known) {
        let then = snapshot.seen(&View { known, ..seen.view().clone() }).expect("reads");
        let mut objects = BTreeSet::new();
        for group in then.groups_of(subject).expect("reads").iter().filter(|g| g.predicate == predicate) {
            for fact in then.facts(group).expect("reads") {
                objects.insert((group.key.clone(), stands_for(seen, &fact.object)));
            }
        }
        believed.push((known, objects));
    }
    let all: BTreeSet<_> = believed.iter().flat_map(|(_, objects)| objects.clone()).collect();
    all.into_iter()
        .map(|object| {
            let mut turns = Vec::new();
            for (known, objects) in &believed {
                if objects.contains(&object) != (turns.len() % 2 == 1) {
                    turns.push(*known);
                }
            }
            (object.0, object.1, turns[0], turns.get(1).copied(), turns.get(2).copied())
        })
        .collect()
}
