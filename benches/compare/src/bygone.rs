//! The facts in a store of ours, on disk.

use std::path::Path;

use bygone_benches::bitemporal::{OPEN, predicate_name, subject_name};
use bygone_benches::loaded::{opened, record, space};
use bygone_engine::backend::{Backend, Rocks};
use bygone_engine::object::Number;
use bygone_engine::store::{Seen, Store};
use bygone_engine::time::{Bound, Instant, Moment, Period};
use bygone_engine::wire::Statement;
use bygone_engine::{EntityRef, Fact, Object, View};

use crate::question::{Around, Held, LATEST, Point};

/// A store in a folder.
pub(crate) struct Bygone {
    store: Store,
}

pub(crate) fn instant(micros: i64) -> Instant {
    Instant::from_micros(micros).expect("an instant of the workload")
}

impl Bygone {
    pub(crate) fn open(folder: &Path) -> Bygone {
        Bygone { store: opened(Rocks::open(folder, true, "a comparison").expect("the store opens")) }
    }

    /// Brings the files into the form that they come to rest in.
    pub(crate) fn settle(folder: &Path) {
        let backend = Rocks::open(folder, false, "a comparison").expect("the store opens");
        backend.purge().expect("the store is compacted");
    }

    /// Records statements, so many a commit.
    pub(crate) fn load(&self, statements: Vec<Statement>, batch: usize) {
        record(&self.store, statements, batch);
    }

    fn with_view<T>(&self, known: i64, read: impl FnOnce(&Seen<'_>) -> T) -> T {
        let space = space(&self.store);
        let view = if known == LATEST { View::LATEST } else { View::known_at(instant(known)) };
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&view).expect("the view is read");
        read(&seen)
    }

    /// Returns what holds at a point, as a caller would ask: an image and a view of its own for each question.
    pub(crate) fn point(&self, point: &Point, held: &mut Vec<Held>) {
        let subject = EntityRef::parse(&subject_name(point.subject)).expect("an entity");
        let predicate = predicate_name(point.predicate);
        let valid = instant(point.valid);
        self.with_view(point.known, |seen| {
            let Some(group) = seen.group(&subject, &predicate, "").expect("reads") else { return };
            let facts = seen.facts_over(&group, at(valid)).expect("reads");
            held.extend(facts.iter().filter_map(|fact| holding(fact, valid)));
        });
    }

    /// Returns all that holds of a subject.
    pub(crate) fn around(&self, around: &Around, held: &mut Vec<Held>) {
        let subject = EntityRef::parse(&subject_name(around.subject)).expect("an entity");
        let valid = instant(around.valid);
        self.with_view(around.known, |seen| {
            for group in seen.groups_of(&subject).expect("reads") {
                let facts = seen.facts_over(&group, at(valid)).expect("reads");
                held.extend(facts.iter().filter_map(|fact| holding(fact, valid)));
            }
        });
    }
}

/// The period of one instant.
fn at(instant: Instant) -> Period {
    let bound = |instant| Bound::At(Moment::instant(instant));
    Period::new(bound(instant), bound(instant.next())).expect("it is not empty")
}

fn holding(fact: &Fact, valid: Instant) -> Option<Held> {
    let period = fact.validity.period().filter(|period| period.contains(valid))?;
    let end = Period::end(period);
    let to = if end == Instant::DISTANT_FUTURE { OPEN } else { end.micros() };
    Some((object_number(&fact.object), period.start().micros(), to))
}

fn object_number(object: &Object) -> u32 {
    match object {
        Object::Entity(entity) => entity.name()[1..].parse().expect("an entity of the workload"),
        Object::Number { value: Number::Whole(whole), .. } => u32::try_from(*whole).expect("small"),
        other => panic!("{other:?} is no object of the workload"),
    }
}
