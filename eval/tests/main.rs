//! The tests of the store against models, in one program: each more would hold RocksDB once more, and take as long to
//! link.

mod answers;
mod comparing;
mod corpora;
mod differences;
mod histories;
mod hostile;
mod in_order;
mod indexes;
mod model;
mod model_server;
mod naive;
mod planted;
mod reporting;
mod retrieval;
mod runs;
mod search;
mod small_stores;
mod stretches;
mod worlds;
