//! What costs how much: seeded workloads for the benches of this crate.

pub mod bitemporal;
pub mod chat;
pub mod conversation;
pub mod cpu;
pub mod loaded;
pub mod people;
pub mod plan;
pub mod random;
pub mod rectangles;
pub mod smoke;
pub mod talk;
pub mod workload;
