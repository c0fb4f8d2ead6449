//! Interfaces that agents' frameworks speak already, kept as documents: what they put comes back byte by byte, and every
//! version stays.
//!
//! | interface | of |
//! |---|---|
//! | [`sessions`] | the `SessionStore` of the Claude Agent SDK |
//! | [`checkpoints`] | LangGraph's checkpointers |
//! | [`items`] | LangGraph's `BaseStore` |
//! | [`memories`] | Mem0 |
//! | [`memory_tool`] | the memory tool of Anthropic's API |
//!
//! Each operation is a request in and an answer out, both JSON; [`call`] does one by its names, so that a server needs nothing
//! but a route. Nothing here knows of HTTP, and no clock is read: now is an argument.
//!
//! ```text
//! names, body ─▶ request ─┬▶ answer                       reads one snapshot
//!                         └▶ decision ─▶ commit ─▶ answer   writes under the lock
//! ```

mod call;
pub mod checkpoints;
mod error;
mod frame;
pub mod items;
mod listing;
pub mod memories;
pub mod memory_tool;
mod moment;
mod name;
pub mod sessions;

pub use call::{Scope, call, operations, scope};
pub use error::InterfaceError;
pub use moment::AsOf;
