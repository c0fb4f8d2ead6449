//! Tool state: decided on, recorded and read again, on stores in memory.

mod attempts;
mod decisions;
mod desk;
mod freshness;
mod inbox;
mod kept;
mod promises;
mod resume;
mod runs;
mod staleness;
mod task;
mod workstation;
