//! What costs how much: seeded workloads, measured by the benches of this crate.
