//! What the index promises, held against a plain list, against stops at every step of a flush, and against damage.

mod crash;
mod damage;
mod graph;
mod model;
mod search;

use std::path::Path;

use super::sample::Sample;
use super::*;

const DIMENSION: usize = 16;

fn model() -> ModelName {
    ModelName { id: "test-16".to_owned(), hash: [7; 32], dimension: DIMENSION }
}

fn open(folder: Option<&Path>) -> VectorIndex {
    match VectorIndex::open(folder, model()).unwrap() {
        Opened::Kept(index) | Opened::Empty { index, .. } => index,
        Opened::OtherModel(held) => panic!("holds {held:?}"),
    }
}

/// Opens an index that must be whole.
fn kept(folder: &Path) -> VectorIndex {
    match VectorIndex::open(Some(folder), model()).unwrap() {
        Opened::Kept(index) => index,
        Opened::Empty { why, .. } => panic!("empty: {why}"),
        Opened::OtherModel(held) => panic!("holds {held:?}"),
    }
}

fn id(number: u64) -> [u8; 16] {
    // Not in the order of the numbers, as hashes are not.
    (u128::from(mix(number)) << 64 | u128::from(number)).to_be_bytes()
}

fn turn(number: u64, vector: Vec<f32>) -> VectorDocument {
    let pieces = vec![u16::try_from(number % 5).unwrap(), 9, u16::try_from(number % 3).unwrap(), 9];
    VectorDocument { space: SpaceId(1), kind: Kind::Turn, id: id(number), vector, pieces }
}

/// Turns with these numbers, each with a vector of its own.
fn turns(numbers: std::ops::Range<u64>) -> Vec<VectorDocument> {
    numbers.map(|number| turn(number, Sample::new(number).unit(DIMENSION))).collect()
}

fn mark(seq: u64) -> Mark {
    Mark { seq, digest: u128::from(seq) * 10 }
}

/// Ids by position, what is found, and how often pieces are counted.
type Seen = (Vec<[u8; 16]>, Vec<(u32, f32)>, Vec<u32>);

/// Returns everything that can be seen of the space of turns.
fn seen(index: &VectorIndex) -> Seen {
    let space = index.space(SpaceId(1), Kind::Turn);
    let found = space.nearest(&Sample::new(99).unit(DIMENSION), Allowed::All, 1000, Mode::Auto).unwrap();
    (space.ids().collect(), found, space.n_with_pieces(Allowed::All)[..11].to_vec())
}
