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

/// What is measured allocates as `bygone` does.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;
