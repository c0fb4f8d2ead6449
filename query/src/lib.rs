//! From questions to answers with evidence.
//!
//! Everything here reads one snapshot; nothing is written, and no clock is read: now is an argument. Changes of tool state
//! are decided here (`state`) and recorded by the engine.

pub mod ask;
pub mod context;
pub mod diff;
pub mod entities;
pub mod facts;
pub mod history;
pub mod interface;
pub mod language;
pub mod learned;
pub mod names;
pub mod predicates;
pub mod request;
pub mod resume;
pub mod retrieve;
pub mod row;
pub mod say;
pub mod stale;
pub mod state;
pub mod timeline;
pub mod turns;
pub mod why;
pub mod workstation;

mod error;

pub use ask::{Answer, AskError, ask};
pub use error::QueryError;
pub use request::Request;
pub use row::Row;
