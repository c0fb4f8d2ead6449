//! The graph: it finds what going through all finds, or nearly so, and nothing that is not allowed; and it is always the
//! same.

use super::*;

/// Turns around some centres, so that there is something near.
fn clustered(numbers: std::ops::Range<u64>) -> Vec<VectorDocument> {
    let centres: Vec<Vec<f32>> = (0..30).map(|centre| Sample::new(centre).unit(DIMENSION)).collect();
    let vector = |number: u64| {
        let mut sample = Sample::new(number + 1000);
        let centre = sample.below(centres.len());
        sample.near(&centres[centre])
    };
    numbers.map(|number| turn(number, vector(number))).collect()
}

fn with_graph(folder: &Path, n_documents: u64) -> VectorIndex {
    let mut index = open(Some(folder));
    index.add(clustered(0..n_documents), mark(1)).unwrap();
    index.flush(Mode::Graph).unwrap();
    index
}

fn graph_files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = Folder::new(folder).unwrap();
    let names = files.names().unwrap().into_iter().filter(|name| name.contains("graph"));
    names.map(|name| (name.clone(), files.read(&name).unwrap())).collect()
}

/// Compares what the graph finds with what there is, and returns the part of it that it finds.
fn recall(index: &VectorIndex, allowed: Allowed<'_>, k: usize) -> f64 {
    let space = index.space(SpaceId(1), Kind::Turn);
    let [mut n_found, mut n_there] = [0, 0];
    for query in clustered(50_000..50_040) {
        let exact = space.nearest(&query.vector, allowed, k, Mode::Exact).unwrap();
        let found = space.nearest(&query.vector, allowed, k, Mode::Graph).unwrap();
        assert_eq!(found.len(), exact.len());
        assert!(found.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        if let Allowed::Only(allowed) = allowed {
            assert!(found.iter().all(|(position, _)| allowed.contains(*position)));
        }
        // The same document has the same cosine, bit by bit.
        n_found += exact.iter().filter(|near| found.contains(near)).count();
        n_there += exact.len();
    }
    #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
    let recall = n_found as f64 / n_there as f64;
    recall
}

#[test]
fn the_graph_finds_what_there_is_whatever_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let index = with_graph(folder.path(), 4000);
    assert_eq!(graph_files(folder.path()).len(), 1);
    assert!(recall(&index, Allowed::All, 10) >= 0.98);
    let mut sample = Sample::new(4);
    for one_in in [2, 4, 10, 100, 3000] {
        let allowed: RoaringBitmap = (0..4000).filter(|_| sample.below(one_in) == 0).collect();
        for k in [1, 10, 50] {
            let recall = recall(&index, Allowed::Only(&allowed), k);
            assert!(recall >= 0.98, "one in {one_in}, {k}: {recall}");
        }
    }
}

#[test]
fn the_graph_returns_as_many_as_there_are_also_where_they_are_all_far_away() {
    let folder = tempfile::tempdir().unwrap();
    let index = with_graph(folder.path(), 2000);
    let space = index.space(SpaceId(1), Kind::Turn);
    let query = clustered(7..8).remove(0).vector;
    let all = space.nearest(&query, Allowed::All, 5000, Mode::Graph).unwrap();
    assert_eq!(all.len(), 2000);
    let farthest: RoaringBitmap = all[1990..].iter().map(|(position, _)| *position).collect();
    let found = space.nearest(&query, Allowed::Only(&farthest), 10, Mode::Graph).unwrap();
    assert_eq!(found, all[1990..]);
}

#[test]
fn documents_that_are_all_alike_are_found_through_the_graph() {
    let folder = tempfile::tempdir().unwrap();
    let vector = Sample::new(5).unit(DIMENSION);
    for vector in [vector, vec![0.0; DIMENSION]] {
        VectorIndex::discard(folder.path()).unwrap();
        let mut index = open(Some(folder.path()));
        index.add((0..500).map(|number| turn(number, vector.clone())).collect(), mark(1)).unwrap();
        index.flush(Mode::Graph).unwrap();
        let space = index.space(SpaceId(1), Kind::Turn);
        let found = space.nearest(&vector, Allowed::All, 20, Mode::Graph).unwrap();
        assert_eq!(found.len(), 20);
        let allowed: RoaringBitmap = [3, 99, 400].into_iter().collect();
        let found = space.nearest(&vector, Allowed::Only(&allowed), 20, Mode::Graph).unwrap();
        assert_eq!(found.len(), 3);
    }
}

#[test]
fn one_document_is_a_graph_too() {
    let folder = tempfile::tempdir().unwrap();
    drop(with_graph(folder.path(), 1));
    let index = kept(folder.path());
    let space = index.space(SpaceId(1), Kind::Turn);
    assert_eq!(space.nearest(&[1.0; DIMENSION], Allowed::All, 3, Mode::Graph).unwrap().len(), 1);
    assert_eq!(graph_files(folder.path()).len(), 1);
}

#[test]
fn documents_that_the_graph_does_not_have_yet_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = with_graph(folder.path(), 1000);
    let before = graph_files(folder.path());
    index.add(clustered(1000..1030), mark(2)).unwrap();
    index.flush(Mode::Graph).unwrap();
    assert_eq!(graph_files(folder.path()), before, "too few to write the graph anew");
    index.add(clustered(1030..1040), mark(3)).unwrap();
    let space = index.space(SpaceId(1), Kind::Turn);
    for (position, document) in (1000..).zip(clustered(1000..1040)) {
        let found = space.nearest(&document.vector, Allowed::All, 1, Mode::Graph).unwrap();
        assert_eq!(found[0].0, position);
    }
    index.add(clustered(1040..1080), mark(4)).unwrap();
    index.flush(Mode::Graph).unwrap();
    assert_ne!(graph_files(folder.path()), before);
}

#[test]
fn the_graph_is_the_same_however_often_it_was_taken_up_again() {
    let links = |ends: &[u64]| {
        let folder = tempfile::tempdir().unwrap();
        let mut start = 0;
        for (seq, &end) in (1..).zip(ends) {
            let mut index = open(Some(folder.path()));
            index.add(clustered(start..end), mark(seq)).unwrap();
            index.flush(Mode::Graph).unwrap();
            start = end;
        }
        graph_files(folder.path()).remove(0).1
    };
    assert_eq!(links(&[600]), links(&[10, 100, 350, 600]));
}

#[test]
fn a_graph_is_made_only_where_the_mode_wants_one_and_goes_where_positions_change() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(Some(folder.path()));
    index.add(clustered(0..100), mark(1)).unwrap();
    for mode in [Mode::Exact, Mode::Auto] {
        index.flush(mode).unwrap();
        assert_eq!(graph_files(folder.path()), []);
    }
    index.flush(Mode::Graph).unwrap();
    let made = graph_files(folder.path());
    assert_eq!(made.len(), 1);
    index.flush(Mode::Auto).unwrap();
    assert_eq!(graph_files(folder.path()), made);
    index.remove(SpaceId(1), Kind::Turn, &(0..30).map(id).collect::<Vec<_>>());
    let space = index.space(SpaceId(1), Kind::Turn);
    let found = space.nearest(&clustered(3..4)[0].vector, Allowed::All, 100, Mode::Graph).unwrap();
    assert_eq!(found.len(), 70);
    assert!(found.iter().all(|(position, _)| *position >= 30));
    index.flush(Mode::Auto).unwrap();
    assert_eq!(graph_files(folder.path()), []);
    assert_eq!(index.space(SpaceId(1), Kind::Turn).ids().count(), 70);
    index.flush(Mode::Graph).unwrap();
    drop(index);
    assert!(recall(&kept(folder.path()), Allowed::All, 5) >= 0.98);
}
