//! Documents, against a map of all their versions: what is read now, as of each commit and each known instant, in lists, and
//! what is left of them once they are erased.

use std::collections::BTreeMap;
use std::sync::Arc;

use bygone_engine::backend::{Backend, Batch, Table};
use bygone_engine::document::{Collection, Content, Document, DocumentId, DocumentSet, Documents, Listing};
use bygone_engine::store::{Decided, Operation, Place, Space, Target};
use bygone_engine::time::Instant;
use bygone_engine::{RecordedAt, StoreError, View};
use proptest::prelude::*;

use super::{at, store};

static COLLECTION: Collection = Collection::fixed("things");

fn id(name: &[u8]) -> DocumentId {
    DocumentId::new(&COLLECTION, name).expect("a name")
}

/// Puts and removes documents in one commit, and returns its place.
fn write(space: &Space<'_>, now: &str, edits: &[(&[u8], Option<&[u8]>)]) -> Place {
    let mut documents = Documents::default();
    for (name, bytes) in edits {
        match bytes {
            Some(bytes) => documents.put(id(name), bytes.to_vec()),
            None => documents.remove(id(name)),
        }
    }
    let mut made = None;
    let done = space.decide(None, at(now), |_, place| {
        made = Some(place);
        Ok::<_, StoreError>(Decided::nothing(()).with_documents(documents))
    });
    done.expect("written");
    made.expect("a place")
}

fn bytes(found: Option<Document>) -> Option<Vec<u8>> {
    found.map(|document| document.content.bytes)
}

fn listed(space: &Space<'_>, listing: &Listing<'_>, view: &View) -> Vec<(Vec<u8>, Vec<u8>)> {
    let snapshot = space.snapshot();
    let pairs = snapshot.documents_in(listing, view).expect("a list").map(|document| {
        let document = document.expect("a document");
        (document.name, document.content.bytes)
    });
    pairs.collect()
}

fn as_of(seq: u64) -> View {
    View { recorded: RecordedAt::Seq(seq), ..View::LATEST }
}

type Map = BTreeMap<Vec<u8>, Vec<u8>>;
type Edits = Vec<(Vec<u8>, Option<u8>)>;

/// Names that are each other's starts, and have the bytes that keys are made of.
fn name() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(prop_oneof![Just(0_u8), Just(1), Just(b'a'), Just(255)], 0..4)
}

fn edits() -> impl Strategy<Value = Edits> {
    proptest::collection::vec((name(), proptest::option::weighted(0.7, 0_u8..3)), 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn documents_read_as_a_map_of_their_versions_does(
        commits in proptest::collection::vec(edits(), 1..8),
        prefix in name(),
        cursor in name(),
    ) {
        let (store, _) = store();
        let space = store.space("default", true).expect("a space");
        // What was there after each commit: its number, its stamp, and the map.
        let mut states: Vec<(u64, Instant, Map)> = vec![(0, Instant::DISTANT_PAST, BTreeMap::new())];
        let mut n_versions: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        for edits in &commits {
            let mut map = states.last().expect("a state").2.clone();
            let before = map.clone();
            for (name, value) in edits {
                match value {
                    Some(value) => drop(map.insert(name.clone(), vec![*value])),
                    None => drop(map.remove(name)),
                }
            }
            let as_bytes: Vec<(Vec<u8>, Option<Vec<u8>>)> =
                edits.iter().map(|(name, value)| (name.clone(), value.map(|value| vec![value]))).collect();
            let borrowed: Vec<(&[u8], Option<&[u8]>)> =
                as_bytes.iter().map(|(name, value)| (name.as_slice(), value.as_deref())).collect();
            let place = write(&space, "2026-03-01", &borrowed);
            if map == before {
                continue;
            }
            for name in before.keys().chain(map.keys()).collect::<std::collections::BTreeSet<_>>() {
                *n_versions.entry(name.clone()).or_default() += usize::from(before.get(name) != map.get(name));
            }
            states.push((place.seq, place.at, map));
        }
        let snapshot = space.snapshot();
        prop_assert_eq!(snapshot.last_seq().expect("a number"), states.len() as u64 - 1);
        for (seq, stamp, map) in &states {
            let views = [as_of(*seq), View::known_at(*stamp), View { recorded: RecordedAt::Instant(*stamp), ..View::LATEST }];
            for view in &views {
                for name in n_versions.keys() {
                    let found = bytes(snapshot.document_in(&id(name), view).expect("read"));
                    prop_assert_eq!(found.as_ref(), map.get(name));
                }
                for after in [None, Some(cursor.as_slice())] {
                    let expected: Vec<(Vec<u8>, Vec<u8>)> = map
                        .iter()
                        .filter(|(name, _)| name.starts_with(&prefix))
                        .map(|(name, value)| (name.clone(), value.clone()))
                        .collect();
                    let listing = Listing::new(&COLLECTION, &prefix).after(after);
                    let mut forwards = expected.clone();
                    forwards.retain(|(name, _)| after.is_none_or(|after| name.as_slice() > after));
                    prop_assert_eq!(listed(&space, &listing, view), forwards);
                    let mut back = expected;
                    back.retain(|(name, _)| after.is_none_or(|after| name.as_slice() < after));
                    back.reverse();
                    prop_assert_eq!(listed(&space, &listing.backwards(), view), back);
                }
            }
        }
        // What is there now is read in another way, and is the same.
        for listing in [Listing::new(&COLLECTION, &prefix), Listing::new(&COLLECTION, &prefix).backwards().after(Some(&cursor))] {
            let now: Vec<(Vec<u8>, Vec<u8>)> = snapshot
                .documents(&listing)
                .map(|document| document.map(|document| (document.name, document.content.bytes)))
                .collect::<Result<_, _>>()
                .expect("a list");
            prop_assert_eq!(now, listed(&space, &listing, &View::LATEST));
        }
        for (name, n) in &n_versions {
            prop_assert_eq!(snapshot.document_versions(&id(name)).expect("versions").len(), *n);
        }
        let found = space.verify().expect("a check");
        prop_assert!(found.faults.is_empty(), "{:?}", found.faults);
        let stats = space.stats().expect("counts");
        prop_assert_eq!(stats.documents, states.last().expect("a state").2.len() as u64);
        prop_assert_eq!(stats.document_versions, n_versions.values().sum::<usize>() as u64);
    }
}

#[test]
fn the_same_bytes_again_make_no_version_and_no_commit() {
    let (store, memory) = store();
    let space = store.space("default", true).expect("a space");
    let large = vec![7; 100_000];
    write(&space, "2026-03-01", &[(b"a", Some(&large))]);
    let size = memory.size().expect("a size");
    write(&space, "2026-03-02", &[(b"a", Some(&large)), (b"b", None)]);
    assert_eq!(memory.size().expect("a size"), size);
    assert_eq!(space.snapshot().last_seq().expect("a number"), 1);
    // Each version costs its size once.
    write(&space, "2026-03-03", &[(b"a", Some(&vec![8; 100_000]))]);
    write(&space, "2026-03-04", &[(b"a", None)]);
    let grown = memory.size().expect("a size") - size;
    assert!((100_000..101_000).contains(&grown), "{grown}");
}

#[test]
fn when_a_document_runs_out_is_a_part_of_what_it_holds() {
    let (store, _) = store();
    let space = store.space("default", true).expect("a space");
    for expires in [None, Some(at("2026-04-01")), Some(at("2026-04-01")), Some(at("2026-05-01"))] {
        let mut documents = Documents::default();
        documents.put(id(b"a"), Content { bytes: b"x".to_vec(), expires });
        let done = space.decide(None, at("2026-03-01"), |_, _| {
            Ok::<_, StoreError>(Decided::nothing(()).with_documents(documents))
        });
        done.expect("written");
    }
    let versions = space.snapshot().document_versions(&id(b"a")).expect("versions");
    let expires: Vec<Option<Instant>> =
        versions.iter().map(|version| version.content.as_ref().and_then(|content| content.expires)).collect();
    assert_eq!(expires, [None, Some(at("2026-04-01")), Some(at("2026-05-01"))]);
}

#[test]
fn what_is_put_depends_on_what_is_there_when_many_write() {
    let (store, _) = store();
    store.space("default", true).expect("a space");
    let store = Arc::new(store);
    let (n_threads, n_each) = (4, 50_u64);
    let threads: Vec<_> = (0..n_threads)
        .map(|_| {
            let store = Arc::clone(&store);
            std::thread::spawn(move || {
                let space = store.space("default", false).expect("a space");
                for _ in 0..n_each {
                    let added = space.decide(None, at("2026-03-01"), |snapshot, _| {
                        let n = bytes(snapshot.document(&id(b"count"))?)
                            .map_or(0, |bytes| u64::from_be_bytes(bytes.try_into().expect("eight bytes")));
                        let mut documents = Documents::default();
                        documents.put(id(b"count"), (n + 1).to_be_bytes().to_vec());
                        Ok::<_, StoreError>(Decided::nothing(n + 1).with_documents(documents))
                    });
                    added.expect("added");
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("done");
    }
    let space = store.space("default", false).expect("a space");
    let count = bytes(space.snapshot().document(&id(b"count")).expect("read")).expect("a count");
    assert_eq!(count, (n_threads * n_each).to_be_bytes());
    assert!(space.verify().expect("a check").faults.is_empty());
}

#[test]
fn spaces_and_collections_do_not_see_each_other_s_documents() {
    let (store, _) = store();
    let (here, there) = (store.space("a", true).expect("a space"), store.space("b", true).expect("a space"));
    write(&here, "2026-03-01", &[(b"x", Some(b"here"))]);
    write(&there, "2026-03-01", &[(b"x", Some(b"there")), (b"y", Some(b"there"))]);
    for (space, n) in [(&here, 1), (&there, 2)] {
        let snapshot = space.snapshot();
        assert_eq!(snapshot.documents(&Listing::new(&COLLECTION, b"")).count(), n);
        // Collections whose names start alike are others, too.
        for name in ["thing", "things2", "t"] {
            let collection = Collection::new(name).expect(name);
            assert_eq!(snapshot.documents(&Listing::new(&collection, b"")).count(), 0, "{name}");
            let listing = Listing::new(&collection, b"").backwards().after(Some(b"zzz"));
            assert_eq!(snapshot.documents(&listing).count(), 0, "{name}");
        }
    }
}

#[test]
fn of_documents_that_are_erased_nothing_is_left_in_any_table() {
    let (store, memory) = store();
    let space = store.space("default", true).expect("a space");
    let operation = Operation { key: "k", request: "r" };
    let put = space.decide(Some(operation), at("2026-03-01"), |_, _| {
        let mut documents = Documents::default();
        documents.put(id(b"a/1"), b"secret of the first version".to_vec());
        Ok::<_, StoreError>(Decided::nothing("told secret".to_owned()).with_documents(documents))
    });
    put.expect("written");
    write(&space, "2026-03-02", &[(b"a/1", Some(b"another secret")), (b"a/2", Some(b"gone secret"))]);
    write(&space, "2026-03-03", &[(b"a/2", None), (b"b", Some(b"what is kept"))]);
    let sets = vec![
        DocumentSet::StartingWith(COLLECTION.clone(), b"a/".to_vec()),
        DocumentSet::One(id(b"a/1")),
        DocumentSet::One(id(b"never there")),
    ];
    let certificate = space.erase(&Target::Documents(sets), at("2026-03-04")).expect("erased");
    assert_eq!((certificate.documents, certificate.seq), (2, Some(4)));
    assert!(certificate.needles >= 2 && certificate.found.is_empty(), "{certificate:?}");
    let image = memory.snapshot();
    for &table in Table::ALL {
        for pair in image.scan(table, std::ops::Bound::Unbounded, std::ops::Bound::Unbounded) {
            let (row, value) = pair.expect("a row");
            let has = |bytes: &[u8]| bytes.windows(6).any(|window| window == b"secret");
            assert!(!has(&row) && !has(&value), "{table:?}");
        }
    }
    let snapshot = space.snapshot();
    assert_eq!(snapshot.document_in(&id(b"a/1"), &as_of(1)).expect("read"), None);
    assert_eq!(bytes(snapshot.document(&id(b"b")).expect("read")), Some(b"what is kept".to_vec()));
    assert!(space.verify().expect("a check").faults.is_empty());
    let again = space.erase(&Target::Documents(vec![DocumentSet::One(id(b"a/1"))]), at("2026-03-05"));
    assert_eq!(again.expect("nothing to erase").seq, None);
}

/// Damages one row of a store of two versions and a removal, and returns what a check says.
fn check_after(damage: impl Fn(&mut Batch, Vec<(Vec<u8>, Vec<u8>)>)) -> Vec<String> {
    let (store, memory) = store();
    let space = store.space("default", true).expect("a space");
    write(&space, "2026-03-01", &[(b"a", Some(b"1"))]);
    write(&space, "2026-03-02", &[(b"a", Some(b"2"))]);
    let rows = memory
        .snapshot()
        .scan_prefix(Table::Documents, &[])
        .map(|pair| pair.map(|(row, value)| (row.into_vec(), value.into_vec())))
        .collect::<Result<Vec<_>, _>>()
        .expect("rows");
    assert_eq!(rows.len(), 2);
    let mut batch = Batch::default();
    damage(&mut batch, rows);
    memory.commit(&batch).expect("damaged");
    space.verify().expect("a check").faults
}

#[test]
fn a_check_sees_what_is_wrong_with_documents() {
    assert!(check_after(|_, _| {}).is_empty());
    let has = |faults: Vec<String>, told: &str| {
        assert!(faults.iter().any(|fault| fault.contains(told)), "{told}: {faults:?}");
    };
    let table = Table::Documents;
    // Rows are in the order of their keys: what counts now, then what counted before.
    has(check_after(|batch, rows| batch.put(table, rows[0].0.clone(), vec![9])), "does not decode");
    has(
        check_after(|batch, rows| batch.put(table, [rows[0].0.as_slice(), b"x"].concat(), vec![])),
        "does not decode",
    );
    has(check_after(|batch, rows| batch.remove(table, rows[0].0.clone())), "not its last version");
    has(check_after(|batch, rows| batch.put(table, rows[0].0.clone(), rows[1].1.clone())), "out of order");
    has(check_after(|batch, rows| batch.put(table, rows[1].0.clone(), rows[0].1.clone())), "another instant");
    let of_commit = |seq: u8, kind: u8, row: &[u8]| [&[0, kind, seq], &row[3..]].concat();
    has(
        check_after(|batch, rows| batch.put(table, rows[0].0.clone(), of_commit(9, 1, &rows[0].1))),
        "of no commit",
    );
    has(
        check_after(|batch, rows| batch.put(table, rows[0].0.clone(), of_commit(1, 1, &rows[0].1))),
        "after its commit",
    );
    let removed = |row: &[u8]| {
        row[..row.len() - 1]
            .iter()
            .enumerate()
            .map(|(at, byte)| if at == 1 { 0 } else { *byte })
            .collect::<Vec<u8>>()
    };
    has(check_after(|batch, rows| batch.put(table, rows[0].0.clone(), removed(&rows[0].1))), "was removed");
    has(
        check_after(|batch, rows| batch.put(table, rows[1].0.clone(), removed(&rows[1].1))),
        "nothing was kept",
    );
}
