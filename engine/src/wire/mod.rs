//! The JSON form of an assertion: what `assert` reads, `export` writes and content hashes stand on.
//!
//! Reading fills every default, so that what is written says everything; a written line reads back to the same
//! assertion with the same id. What is kept beside the statements has forms of its own (`kept.rs`, `document.rs`).

mod document;
mod kept;
mod object;
mod read;
mod shown;
mod time;
mod unique;
mod write;

pub use document::{DocumentPart, document_to_json};
pub use kept::{Kept, KeptError, StatePart, checkpoint_to_json, read_kept, state_to_json, work_to_json};
pub(crate) use object::ObjectForm;
pub use object::{ObjectError, object_from_json, object_to_json};
pub use read::{Defaults, Statement, WireError, read_statement};
pub use time::valid_text;
pub use unique::read_unique;
pub use write::assertion_to_json;
pub(crate) use write::content_text;
