//! All that holds of an entity at an instant, and its timeline: of any entity, and of the one of which most was said.
//!
//! Corpus: 20,000 seeded statements about 2,000 entities under 20 predicates, in a store on disk, of which one entity has
//! over a thousand. A round asks about sixteen entities of chance, or sixteen times about the hub. Rows are judged and
//! sorted, as commands print them. Everything is in memory after the first round.

use bygone_benches::bitemporal::{Shape, events, ontology, subject_name};
use bygone_benches::loaded::{opened, record_events, space};
use bygone_benches::random::Random;
use bygone_engine::backend::Rocks;
use bygone_engine::store::Store;
use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, ValidTime, View};
use bygone_ontology::Ontology;
use bygone_query::Request;
use bygone_query::facts::{Filter, facts};
use bygone_query::timeline::timeline;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const SHAPE: Shape = Shape { statements: 20_000, entities: 2_000, seed: 1 };
/// Questions of a round.
const QUESTIONS: usize = 16;

fn asking(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = opened(Rocks::open(folder.path(), true, "a bench").expect("opens"));
    let ontology = ontology();
    let said = events(SHAPE);
    record_events(&store, &said, 10_000);
    let name = |subject: u32| EntityRef::parse(&subject_name(subject)).expect("an entity");
    let mut counts = vec![0_u32; 2_000];
    for event in &said {
        counts[event.subject as usize] += 1;
    }
    let hub = (0..).zip(&counts).max_by_key(|(_, count)| **count).map_or(0, |(subject, _)| subject);
    let mut random = Random::new(1);
    let any = (0..QUESTIONS).map(|_| name(u32::try_from(random.below(2_000)).expect("small"))).collect();
    let now = Instant::from_micros(said[said.len() - 1].known).expect("ordinary");
    let then = Instant::from_micros(said[said.len() / 2].known).expect("ordinary");
    let views = [("now", View::LATEST, now), ("as of and as known then", View::known_at(then), then)];
    let mut group = criterion.benchmark_group("an entity");
    group.throughput(Throughput::Elements(QUESTIONS as u64));
    group.sample_size(20);
    for (who, entities) in [("any", any), ("the hub", vec![name(hub); QUESTIONS])] {
        for (when, view, valid) in &views {
            let request =
                Request { view: view.clone(), valid: ValidTime::At(*valid), ..Request::present(now) };
            group.bench_with_input(
                BenchmarkId::new(format!("all that holds {when}"), who),
                &entities,
                |b, all| {
                    b.iter(|| all.iter().map(|one| around(&store, &ontology, &request, one)).sum::<usize>());
                },
            );
        }
        let request = Request { valid: ValidTime::All, ..Request::present(now) };
        group.bench_with_input(BenchmarkId::new("its timeline", who), &entities, |bencher, all| {
            bencher.iter(|| all.iter().map(|one| told(&store, &ontology, &request, one)).sum::<usize>());
        });
    }
    group.finish();
}

fn around(store: &Store, ontology: &Ontology, request: &Request, subject: &EntityRef) -> usize {
    let space = space(store);
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&request.view).expect("reads");
    let filter = Filter { subject: Some(subject.clone()), ..Filter::default() };
    facts(&seen, ontology, request, &filter).expect("reads").len()
}

fn told(store: &Store, ontology: &Ontology, request: &Request, entity: &EntityRef) -> usize {
    let space = space(store);
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&request.view).expect("reads");
    timeline(&seen, ontology, request, entity).expect("reads").len()
}

criterion_group!(benches, asking);
criterion_main!(benches);
