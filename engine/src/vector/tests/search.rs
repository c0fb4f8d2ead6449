//! What is found: the nearest of what is allowed, always as many as there are, in an order that is always the same.

use super::*;
use crate::vector::code::{dot, normalise};

fn ids(space: &SpaceVectors<'_>, found: &[(u32, f32)]) -> Vec<[u8; 16]> {
    let all: Vec<[u8; 16]> = space.ids().collect();
    found.iter().map(|(position, _)| all[*position as usize]).collect()
}

/// The nearest by going through a list.
fn plainly(documents: &[VectorDocument], query: &[f32], k: usize) -> Vec<([u8; 16], f32)> {
    let mut all: Vec<([u8; 16], f32)> =
        documents.iter().map(|document| (document.id, dot(query, &document.vector))).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all.truncate(k);
    all
}

#[test]
fn the_nearest_are_those_of_a_plain_list_for_filters_of_every_width() {
    let mut sample = Sample::new(3);
    let centres: Vec<Vec<f32>> = (0..20).map(|_| sample.unit(DIMENSION)).collect();
    let vector = |sample: &mut Sample| {
        let centre = sample.below(centres.len());
        sample.near(&centres[centre])
    };
    let documents: Vec<VectorDocument> = (0..2000).map(|number| turn(number, vector(&mut sample))).collect();
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(Some(folder.path()));
    for (seq, part) in (1..).zip(documents.chunks(700)) {
        index.add(part.to_vec(), mark(seq)).unwrap();
        if seq < 3 {
            index.flush(Mode::Auto).unwrap();
        }
    }
    let space = index.space(SpaceId(1), Kind::Turn);
    for one_in in [1, 2, 10, 100, 1999] {
        for k in [1, 10, 150, 3000] {
            let query = vector(&mut sample);
            let positions: RoaringBitmap = (0..2000).filter(|_| sample.below(one_in) == 0).collect();
            let allowed: Vec<VectorDocument> =
                positions.iter().map(|position| documents[position as usize].clone()).collect();
            let found = space.nearest(&query, Allowed::Only(&positions), k, Mode::Auto).unwrap();
            let expected = plainly(&allowed, &query, k);
            assert_eq!(ids(&space, &found), expected.iter().map(|(id, _)| *id).collect::<Vec<_>>());
            for ((_, cosine), (_, expected)) in found.iter().zip(&expected) {
                assert!((cosine - expected).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn what_codes_cannot_tell_apart_vectors_do() {
    let mut sample = Sample::new(8);
    let base = sample.unit(DIMENSION);
    let mut beside = || -> Vec<f32> {
        let aside = sample.unit(DIMENSION);
        let mut vector: Vec<f32> =
            base.iter().zip(&aside).map(|(base, aside)| base + aside / 300.0).collect();
        normalise(&mut vector);
        vector
    };
    let documents: Vec<VectorDocument> = (0..500).map(|number| turn(number, beside())).collect();
    let query = beside();
    let mut index = open(None);
    index.add(documents.clone(), mark(1)).unwrap();
    let space = index.space(SpaceId(1), Kind::Turn);
    let found = space.nearest(&query, Allowed::All, 10, Mode::Exact).unwrap();
    // Rounding may order what is equal to six digits either way, so cosines are compared and not ids.
    for ((_, cosine), (_, expected)) in found.iter().zip(plainly(&documents, &query, 10)) {
        assert!((cosine - expected).abs() < 2e-7, "{cosine} for {expected}");
    }
}

#[test]
fn nothing_is_found_in_nothing() {
    let mut index = open(None);
    let query = Sample::new(1).unit(DIMENSION);
    let space = index.space(SpaceId(1), Kind::Turn);
    assert_eq!(space.nearest(&query, Allowed::All, 5, Mode::Auto).unwrap(), []);
    assert_eq!(space.scores(&query, Allowed::All).unwrap(), []);
    assert!(space.n_with_pieces(Allowed::All).iter().all(|n_with| *n_with == 0));
    index.add(turns(0..3), mark(1)).unwrap();
    let space = index.space(SpaceId(1), Kind::Turn);
    assert_eq!(space.nearest(&query, Allowed::Only(&RoaringBitmap::new()), 5, Mode::Auto).unwrap(), []);
    assert_eq!(space.nearest(&query, Allowed::All, 0, Mode::Auto).unwrap(), []);
    // Positions that are none are nobody's.
    let beyond: RoaringBitmap = [1, 3, 4000].into_iter().collect();
    assert_eq!(space.nearest(&query, Allowed::Only(&beyond), 5, Mode::Auto).unwrap().len(), 1);
}

#[test]
fn equals_come_in_the_order_of_their_ids() {
    let vector = Sample::new(5).unit(DIMENSION);
    let mut index = open(None);
    index.add((0..300).map(|number| turn(number, vector.clone())).collect(), mark(1)).unwrap();
    let space = index.space(SpaceId(1), Kind::Turn);
    let found = ids(&space, &space.nearest(&vector, Allowed::All, 7, Mode::Auto).unwrap());
    let mut expected: Vec<[u8; 16]> = (0..300).map(id).collect();
    expected.sort_unstable();
    assert_eq!(found, expected[..7]);
}

#[test]
fn vectors_without_direction_are_found_last_and_find_all_alike() {
    let zero = vec![0.0; DIMENSION];
    let mut index = open(None);
    index.add((0..5).map(|number| turn(number, zero.clone())).collect(), mark(1)).unwrap();
    let space = index.space(SpaceId(1), Kind::Turn);
    for query in [zero, Sample::new(1).unit(DIMENSION)] {
        let found = space.nearest(&query, Allowed::All, 9, Mode::Auto).unwrap();
        assert_eq!(found.len(), 5);
        assert!(found.iter().all(|(_, cosine)| *cosine == 0.0), "{found:?}");
    }
}

#[test]
fn scores_are_near_the_cosines_of_all_that_is_allowed() {
    let documents = turns(0..200);
    let mut index = open(None);
    index.add(documents.clone(), mark(1)).unwrap();
    let query = Sample::new(77).unit(DIMENSION);
    let allowed: RoaringBitmap = (0..200).filter(|position| position % 3 == 0).collect();
    let scores = index.space(SpaceId(1), Kind::Turn).scores(&query, Allowed::Only(&allowed)).unwrap();
    assert!(scores.iter().map(|(position, _)| *position).eq(allowed.iter()));
    for (position, score) in scores {
        assert!((score - dot(&query, &documents[position as usize].vector)).abs() < 0.01);
    }
}

#[test]
fn pieces_are_counted_once_a_document_and_among_the_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(Some(folder.path()));
    index.add(turns(0..20), mark(1)).unwrap();
    index.flush(Mode::Auto).unwrap();
    index.add(turns(20..30), mark(2)).unwrap();
    let space = index.space(SpaceId(1), Kind::Turn);
    // Piece 1 stands in numbers of 5n + 1 and of 3n + 1; 15n + 1 has it twice.
    let counts = |allowed: Allowed<'_>| {
        let n_with = space.n_with_pieces(allowed);
        [1, 4, 8, 9].map(|piece| n_with[piece])
    };
    assert_eq!(counts(Allowed::All), [14, 6, 0, 30]);
    let allowed: RoaringBitmap = [1, 2, 16, 25].into_iter().collect();
    assert_eq!(counts(Allowed::Only(&allowed)), [3, 0, 0, 4]);
}

#[test]
fn spaces_and_kinds_are_apart() {
    let mut index = open(None);
    let of = |space, kind, number| VectorDocument {
        space: SpaceId(space),
        kind,
        ..turns(number..number + 1).remove(0)
    };
    let documents =
        vec![of(1, Kind::Turn, 1), of(2, Kind::Turn, 2), of(1, Kind::Statement, 3), of(1, Kind::Plan, 4)];
    index.add(documents, mark(1)).unwrap();
    let query = Sample::new(1).unit(DIMENSION);
    for (space, kind, number) in
        [(1, Kind::Turn, 1), (2, Kind::Turn, 2), (1, Kind::Statement, 3), (1, Kind::Plan, 4)]
    {
        let space = index.space(SpaceId(space), kind);
        let found = space.nearest(&query, Allowed::All, 5, Mode::Auto).unwrap();
        assert_eq!(ids(&space, &found), [id(number)]);
    }
}

#[test]
fn what_is_no_vector_of_the_model_is_refused_and_changes_nothing() {
    let mut index = open(None);
    index.add(turns(0..2), mark(1)).unwrap();
    let before = seen(&index);
    let mut short = turns(2..4);
    short[1].vector.pop();
    let mut odd = turns(2..4);
    odd[1].vector[0] = f32::NAN;
    for documents in [short, odd] {
        assert!(index.add(documents, mark(2)).is_err());
        assert_eq!((seen(&index), index.mark()), (before.clone(), mark(1)));
    }
    let space = index.space(SpaceId(1), Kind::Turn);
    assert!(space.nearest(&[0.5; 4], Allowed::All, 1, Mode::Auto).is_err());
    assert!(space.scores(&[f32::INFINITY; DIMENSION], Allowed::All).is_err());
}
