//! What the vector index costs, and what its graph finds of what there is: `cargo run --release -p bygone-benches --example
//! vectors`, with a number of documents behind `--` if another one than 20,000 is meant.
//!
//! Processor time, since it runs alone nowhere; vectors of 256 numbers around 1,000 centres, so that two of one centre have
//! a cosine of about a half, as sentences on one matter do. The index is private to the engine until a search goes
//! through it, so its files are compiled into this program.
#![allow(clippy::disallowed_methods, reason = "the edge: arguments and the processor's clock come in here")]
#![allow(clippy::print_stdout, reason = "what was measured is what it is for")]

use roaring::RoaringBitmap;

use key::SpaceId;
use text::Kind;
use vector::{Allowed, Mark, Mode, ModelName, Opened, VectorDocument, VectorIndex};

#[expect(dead_code, reason = "only what is measured is called")]
#[path = "../../engine/src/vector/mod.rs"]
mod vector;

/// What the index names of the engine.
mod error {
    pub(crate) use bygone_engine::StoreError;
}

mod key {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct SpaceId(pub(crate) u32);
}

mod text {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) enum Kind {
        Turn,
        Statement,
        Plan,
    }
}

const DIMENSION: usize = 256;
const N_CENTRES: usize = 1000;
const N_QUERIES: u64 = 200;
const K: usize = 10;

fn main() {
    let n_documents = std::env::args().nth(1).map_or(20_000, |number| number.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let mut cloud = Cloud::new();
    let mut index = open(folder.path());

    let documents: Vec<VectorDocument> = (0..n_documents).map(|number| cloud.document(number)).collect();
    let each = |micros: f64| micros / f64::from(n_documents);
    println!(
        "adding        {:8.1} µs a document",
        each(timed(|| index.add(documents, MARK).expect("adds")).1)
    );
    println!(
        "writing       {:8.1} µs a document",
        each(timed(|| index.flush(Mode::Exact).expect("writes")).1)
    );
    println!(
        "the graph     {:8.1} µs a document",
        each(timed(|| index.flush(Mode::Graph).expect("writes")).1)
    );
    drop(index);
    let (index, micros) = timed(|| open(folder.path()));
    println!("opening       {:8.1} ms", micros / 1e3);

    let queries: Vec<Vec<f32>> = (0..N_QUERIES).map(|_| cloud.vector()).collect();
    let space = index.space(SpaceId(1), Kind::Turn);
    println!("    allowed     exact µs     graph µs   recall@{K}   counting pieces µs");
    for thousandths in [1000, 500, 250, 100, 20] {
        let allowed: RoaringBitmap = (0..n_documents).filter(|_| cloud.below(1000) < thousandths).collect();
        let allowed = if thousandths == 1000 { Allowed::All } else { Allowed::Only(&allowed) };
        let search = |mode| {
            let nearest = |query: &Vec<f32>| space.nearest(query, allowed, K, mode).expect("searches");
            timed(|| queries.iter().map(nearest).collect::<Vec<_>>())
        };
        let [(exact, exact_micros), (graph, graph_micros)] = [Mode::Exact, Mode::Graph].map(search);
        let pairs = exact.iter().zip(&graph);
        let n_found: usize =
            pairs.map(|(exact, graph)| exact.iter().filter(|near| graph.contains(near)).count()).sum();
        let n_there: usize = exact.iter().map(Vec::len).sum();
        let (_, pieces_micros) = timed(|| space.n_with_piece(allowed, &[1, 2, 3, 4, 5, 6, 7, 8]));
        println!(
            "{:>11} {:12.0} {:12.0} {:11.4} {:20.0}",
            match allowed {
                Allowed::All => u64::from(n_documents),
                Allowed::Only(allowed) => allowed.len(),
            },
            exact_micros / to_f64(queries.len()),
            graph_micros / to_f64(queries.len()),
            to_f64(n_found) / to_f64(n_there),
            pieces_micros,
        );
    }
}

const MARK: Mark = Mark { seq: 1, stamp: 1 };

fn open(folder: &std::path::Path) -> VectorIndex {
    let model = ModelName { id: "measured".to_owned(), hash: [0; 32], dimension: DIMENSION };
    match VectorIndex::open(Some(folder), model).expect("opens") {
        Opened::Kept(index) | Opened::Empty { index, .. } => index,
        Opened::OtherModel(_) => unreachable!("there is one model"),
    }
}

/// Returns the microseconds of processor time that this thread spent on something, and what came of it.
fn timed<T>(act: impl FnOnce() -> T) -> (T, f64) {
    let start = processor_nanos();
    let made = act();
    (made, (processor_nanos() - start) / 1e3)
}

/// The first number that Linux tells of a thread's scheduling.
fn processor_nanos() -> f64 {
    let told = fs_err::read_to_string("/proc/thread-self/schedstat").expect("runs on Linux");
    told.split(' ').next().and_then(|nanos| nanos.parse().ok()).expect("a number of nanoseconds")
}

fn to_f64(number: usize) -> f64 {
    f64::from(u32::try_from(number).expect("a few thousand"))
}

/// Vectors around some centres, the same at every run.
struct Cloud {
    state: u64,
    centres: Vec<Vec<f32>>,
}

impl Cloud {
    fn new() -> Cloud {
        let mut cloud = Cloud { state: 1, centres: Vec::new() };
        cloud.centres = (0..N_CENTRES).map(|_| cloud.direction()).collect();
        cloud
    }

    fn document(&mut self, number: u32) -> VectorDocument {
        let id = (u128::from(self.number()) << 64 | u128::from(number)).to_be_bytes();
        let pieces = (0..30).map(|_| u16::try_from(self.below(30_000)).expect("below")).collect();
        VectorDocument { space: SpaceId(1), kind: Kind::Turn, id, vector: self.vector(), pieces }
    }

    fn vector(&mut self) -> Vec<f32> {
        let centre = self.below(N_CENTRES);
        let aside = self.direction();
        self.centres[centre].iter().zip(&aside).map(|(centre, aside)| centre + aside).collect()
    }

    /// A vector of length 1, any direction as likely as any other: about normal, the sums of twelve numbers.
    fn direction(&mut self) -> Vec<f32> {
        let mut vector = Vec::with_capacity(DIMENSION);
        for _ in 0..DIMENSION {
            let twelve =
                (0..12).map(|_| f32::from(u16::try_from(self.number() >> 48).expect("16 bits")) / 65536.0);
            vector.push(twelve.sum::<f32>() - 6.0);
        }
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        vector.into_iter().map(|value| value / length).collect()
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.number() % most as u64).expect("below")
    }

    /// `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014).
    fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let number = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }
}
