//! A graph on disk: one file, written once, and read whole when the index is opened.
//!
//! ```text
//! gen-N-space-kind.graph      space in hexadecimal, kind as a letter; the manifest has its length and BLAKE3 hash
//!   magic 8 "byggraph" │ version 4 │ group 5 │ nodes 4 │ entry 4
//!   a node:   number of links 4 │ links 4·32                     in the lowest layer
//!   a node and each of its layers above: number of links 4 │ links 4·16
//! ```
//!
//! Numbers are little-endian; nodes are positions. How many layers a node has follows from its position.

use super::bytes::{Bytes, extend};
use super::damage::{Damage, damaged};
use super::files::Files;
use super::graph::Graph;
use super::group::Group;

const VERSION: u32 = 1;
const MAGIC: [u8; 8] = *b"byggraph";

/// What the manifest says of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GraphRecord {
    /// The generation that wrote it.
    pub(super) number: u64,
    pub(super) n_bytes: u64,
    pub(super) hash: [u8; 32],
}

impl GraphRecord {
    /// Returns the name of the file.
    pub(super) fn name(&self, group: Group) -> String {
        name(self.number, group)
    }
}

/// Writes a graph. Its file is durable afterwards, its name is once the folder is synced.
pub(super) fn write(
    files: &dyn Files,
    number: u64,
    group: Group,
    graph: &Graph,
) -> Result<GraphRecord, Damage> {
    let mut bytes = header(group);
    bytes.extend_from_slice(&graph.len().to_le_bytes());
    bytes.extend_from_slice(&graph.entry().to_le_bytes());
    let (lowest, upper) = graph.slots();
    extend(&mut bytes, lowest, u32::to_le_bytes);
    extend(&mut bytes, upper, u32::to_le_bytes);
    files.write(&name(number, group), &mut |to| to.write_all(&bytes)).map_err(damaged)?;
    Ok(GraphRecord { number, n_bytes: bytes.len() as u64, hash: *blake3::hash(&bytes).as_bytes() })
}

/// Reads a graph over at most so many documents.
pub(super) fn read(
    files: &dyn Files,
    group: Group,
    record: &GraphRecord,
    n_documents: u32,
) -> Result<Graph, Damage> {
    let name = record.name(group);
    let bytes = files.read(&name).map_err(damaged)?;
    if bytes.len() as u64 != record.n_bytes || *blake3::hash(&bytes).as_bytes() != record.hash {
        return Err(damaged(format!("{name} is not what was written")));
    }
    let graph = parse(&bytes, group).filter(|graph| graph.len() <= n_documents);
    graph.ok_or_else(|| damaged(format!("{name} is no graph of version {VERSION} over its documents")))
}

fn name(number: u64, group: Group) -> String {
    format!("gen-{number}-{group}.graph")
}

fn header(group: Group) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&group.to_bytes());
    bytes
}

fn parse(bytes: &[u8], group: Group) -> Option<Graph> {
    let mut bytes = Bytes::new(bytes);
    let expected = header(group);
    (bytes.take(expected.len())? == expected).then_some(())?;
    let [n_nodes, entry] = [bytes.u32()?, bytes.u32()?];
    let [n_lowest, n_upper] = Graph::n_slots(n_nodes)?;
    let lowest = bytes.many(n_lowest, u32::from_le_bytes)?;
    let upper = bytes.many(n_upper, u32::from_le_bytes)?;
    if bytes.is_empty() { Graph::from_slots(n_nodes, entry, lowest, upper) } else { None }
}
