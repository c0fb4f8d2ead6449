//! Random histories of an index on disk, held against a list in memory.

use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug)]
enum Step {
    Add(Vec<u64>),
    Remove(Vec<u64>),
    Flush(Mode),
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    let numbers = || prop::collection::vec(0_u64..60, 0..20);
    prop_oneof![
        4 => numbers().prop_map(Step::Add),
        2 => numbers().prop_map(Step::Remove),
        2 => Just(Step::Flush(Mode::Exact)),
        2 => Just(Step::Flush(Mode::Graph)),
        1 => Just(Step::Reopen),
    ]
}

fn document(number: u64) -> VectorDocument {
    let kind = if number.is_multiple_of(4) { Kind::Statement } else { Kind::Turn };
    let space = SpaceId(u32::try_from(number % 3).unwrap());
    // Some are alike.
    let vector = Sample::new(number / 2).unit(DIMENSION);
    VectorDocument { space, kind, ..turn(number, vector) }
}

/// Numbers in the order in which they came, and the mark.
type List = (Vec<u64>, u64);

fn check(index: &VectorIndex, (numbers, seq): &List) {
    assert_eq!(index.mark().seq, *seq);
    let query = Sample::new(1000).unit(DIMENSION);
    for space_number in 0..3 {
        for kind in [Kind::Turn, Kind::Statement, Kind::Plan] {
            let space = index.space(SpaceId(space_number), kind);
            let ids: Vec<[u8; 16]> = space.ids().collect();
            let documents = numbers.iter().map(|number| document(*number));
            let ours: Vec<VectorDocument> =
                documents.filter(|it| it.space.0 == space_number && it.kind == kind).collect();
            let mut expected: Vec<(f32, [u8; 16])> =
                ours.iter().map(|it| (code::dot(&query, &it.vector), it.id)).collect();
            expected.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            // So few that a graph finds them all.
            for (k, mode) in [(3, Mode::Exact), (3, Mode::Graph), (100, Mode::Auto), (100, Mode::Graph)] {
                let found = space.nearest(&query, Allowed::All, k, mode).unwrap();
                let found: Vec<[u8; 16]> =
                    found.iter().map(|(position, _)| ids[*position as usize]).collect();
                let expected: Vec<[u8; 16]> = expected.iter().take(k).map(|(_, id)| *id).collect();
                assert_eq!(found, expected);
            }
            let n_with_2 = ours.iter().filter(|it| it.pieces.contains(&2)).count();
            assert_eq!(space.n_with_pieces(Allowed::All)[2] as usize, n_with_2);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_index_is_the_list_of_what_was_added_and_not_removed(steps in prop::collection::vec(step(), 1..25)) {
        let folder = tempfile::tempdir().unwrap();
        let mut index = open(Some(folder.path()));
        let mut now: List = (Vec::new(), 0);
        let mut flushed = now.clone();
        for step in steps {
            match step {
                Step::Add(numbers) => {
                    now.1 += 1;
                    index.add(numbers.iter().map(|number| document(*number)).collect(), mark(now.1)).unwrap();
                    for number in numbers {
                        if !now.0.contains(&number) {
                            now.0.push(number);
                        }
                    }
                }
                Step::Remove(numbers) => {
                    for number in numbers {
                        let VectorDocument { space, kind, id, .. } = document(number);
                        index.remove(space, kind, &[id]);
                        now.0.retain(|other| *other != number);
                    }
                }
                Step::Flush(mode) => {
                    index.flush(mode).unwrap();
                    flushed.clone_from(&now);
                }
                Step::Reopen => {
                    drop(index);
                    index = open(Some(folder.path()));
                    now.clone_from(&flushed);
                }
            }
            check(&index, &now);
        }
    }
}

#[test]
fn an_id_that_is_there_already_is_left_out_also_when_it_is_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(Some(folder.path()));
    index.add(turns(0..4), mark(1)).unwrap();
    index.flush(Mode::Auto).unwrap();
    drop(index);
    let mut index = kept(folder.path());
    index.add(turns(2..6), mark(2)).unwrap();
    assert!(seen(&index).0.into_iter().eq((0..6).map(id)));
}

#[test]
fn the_removed_are_gone_from_the_files_once_they_are_a_fifth() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(Some(folder.path()));
    index.add(turns(0..10), mark(1)).unwrap();
    index.flush(Mode::Auto).unwrap();
    index.remove(SpaceId(1), Kind::Turn, &[id(3)]);
    index.flush(Mode::Auto).unwrap();
    drop(index);
    let mut index = kept(folder.path());
    // Told in the manifest, and still in its place.
    assert_eq!(index.space(SpaceId(1), Kind::Turn).ids().nth(3), Some(id(3)));
    assert_eq!(seen(&index).1.len(), 9);
    index.remove(SpaceId(1), Kind::Turn, &[id(3), id(4), id(777)]);
    index.flush(Mode::Auto).unwrap();
    let expected: Vec<[u8; 16]> = (0..10).filter(|number| ![3, 4].contains(number)).map(id).collect();
    assert_eq!(seen(&index).0, expected);
    drop(index);
    assert_eq!(seen(&kept(folder.path())).0, expected);
}

#[test]
fn an_index_of_which_all_is_removed_is_empty() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(Some(folder.path()));
    index.add(turns(0..3), mark(1)).unwrap();
    index.flush(Mode::Auto).unwrap();
    index.remove(SpaceId(1), Kind::Turn, &[id(0), id(1), id(2)]);
    index.flush(Mode::Auto).unwrap();
    drop(index);
    let index = kept(folder.path());
    assert_eq!((seen(&index).0.len(), index.mark()), (0, mark(1)));
    assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_same_documents_make_the_same_files() {
    let files = |ends: &[u64]| {
        let folder = tempfile::tempdir().unwrap();
        let mut index = open(Some(folder.path()));
        for (seq, &end) in (1..).zip(ends) {
            let start = ends.iter().rev().find(|other| **other < end).copied().unwrap_or_default();
            index.add(turns(start..end), mark(seq)).unwrap();
        }
        index.add(Vec::new(), mark(9)).unwrap();
        index.flush(Mode::Auto).unwrap();
        let mut names: Vec<_> =
            fs_err::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        names.iter().map(|name| fs_err::read(name).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(files(&[50]), files(&[20, 30, 50]));
}
