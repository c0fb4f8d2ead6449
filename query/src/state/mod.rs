//! Tool state: what agents keep for themselves, in the same statements as everything else, by stricter rules.
//!
//! Nothing here writes. Each change is a function from a snapshot to what is [decided](bygone_engine::store::Decided) of it,
//! which [`Space::decide`](bygone_engine::store::Space::decide) calls and records before anybody else writes; so a
//! change that depends on what is there cannot be made on what was there.
//!
//! ```text
//! request ─┐
//! snapshot ┴─▶ decision ─▶ an act: statements, known when they are recorded ─▶ one commit
//! ```
//!
//! Writes of an agent's run pass the [fence](fence::decide) on their way: one that is over changes nothing more.
//!
//! What is derived, such as whether somebody is alive, is derived at reading and never kept.

mod act;
pub mod artifact;
pub mod attempt;
pub mod call;
pub mod checkpoint;
pub mod conclude;
pub mod confirm;
pub mod decision;
mod error;
pub mod fence;
pub mod inbox;
pub mod incarnation;
pub mod lease;
pub mod liveness;
pub mod observe;
pub mod promise;
pub mod register;
pub mod roster;
mod said;
mod short;
mod stands;
pub mod take_over;
pub mod take_over_documents;
pub mod task;
pub mod tell;
pub mod work;

pub use act::{Act, Actor, party};
pub use error::StateError;
pub use fence::decide;
pub use incarnation::Incarnation;
pub use stands::{Standing, all_standing, stands};
