//! The query language: patterns over entities, facts and turns, with a clock for each of the three times.
//!
//! ```text
//! text ─ token.rs, parse/ ─▶ query (ast.rs) ─ check.rs, plan/ ─▶ steps ─ run/ ─▶ rows
//!                 JSON ──────────▲
//! ```
//!
//! The grammar, with an example for each line, is in `docs/query-language.md`; the JSON form is in `docs/query.schema.json`.
//! Decides nothing of what is true: facts are those that the view derives, with their verdicts.

mod answer;
pub mod ast;
mod check;
mod error;
mod explain;
mod failed;
mod groups;
pub mod limits;
mod parse;
mod plan;
mod print;
mod remark;
mod run;
mod token;
mod value;
mod vocabulary;

pub use answer::{Answer, answer, asked_of};
pub use ast::Query;
pub use error::LanguageError;
pub use explain::{Explained, ExplainedStep, explain};
pub use failed::Failed;
pub use parse::parse;
pub use plan::term::Parameters;
pub use token::Span;
pub use value::{Path, Value};
