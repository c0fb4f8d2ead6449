//! Time, assertions and facts, and the bitemporal store that keeps them.
//!
//! The engine knows what was said and when, and keeps it exactly; what a predicate *means* is handed in through
//! [`Semantics`], so that this crate names nothing above it. It reads no clock: every stamp is an argument.

pub mod assertion;
pub mod backend;
pub mod checkpoint;
mod codec;
mod digest;
mod durable;
pub mod embed;
pub mod entity;
pub mod episode;
mod error;
pub mod fact;
mod history;
mod id;
pub mod identity;
mod key;
mod log;
pub mod mark;
#[doc(hidden)]
pub mod measured;
pub mod object;
mod origin;
mod own;
pub mod record;
pub mod semantics;
pub mod store;
pub mod text;
pub mod time;
mod varint;
mod vector;
pub mod view;
pub mod wire;
pub mod work;

pub use assertion::{Assertion, Authority, Modality, Polarity, Source};
pub use entity::EntityRef;
pub use episode::{Episode, Role};
pub use error::StoreError;
pub use fact::{Basis, EndedBy, Fact, Segment};
pub use id::{AssertionId, CheckpointId, EpisodeId, FactId, StateId, content_digits};
pub use object::Object;
pub use origin::Origin;
pub use semantics::{Added, Appended, Form, Semantics, Told};
pub use view::{Hiding, Narrowing, RecordedAt, ValidTime, View};
