//! What costs how much: seeded workloads for the benches of this crate.

pub mod chat;
pub mod conversation;
pub mod cpu;
pub mod people;
pub mod plan;
pub mod talk;
pub mod workload;
