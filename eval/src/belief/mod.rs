//! What a store ought to believe: a reference that is slow and plain, and random histories to hold a store to it.
//!
//! The reference shares no rule with the derivation it judges: it has its own order of precedence, looks at one
//! instant at a time, and keeps nothing between two looks.

pub mod believed;
pub mod classes;
pub mod naive;
pub mod order;
pub mod random;
pub mod splitmix;
pub mod visible;

pub use believed::{Group, believed};
pub use classes::{classes, mapped, representative};
pub use naive::{Stretch, holding_at, segments};
pub use random::{Operation, definitions, operations, views};
pub use visible::{Recorded, replay, visible};
