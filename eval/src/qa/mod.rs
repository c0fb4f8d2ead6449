//! Are questions answered rightly, when a model reads what a system found and another model judges what it says?
//!
//! ```text
//! question ─▶ system ─▶ ranking ─▶ context.rs ─▶ reader ─▶ answer ─┬─▶ F1 by the rules of the data set
//!                                                                  └─▶ judge ─▶ right or not
//! ```
//!
//! Both models are asked through [`calls`]: within a budget, recorded, and not asked again what is recorded. The reader may
//! be `bygone ask` itself, which needs no model.
//! Invariant: whether the evidence is in the context is measured apart from whether the answer is right; and a figure that
//! rests on a judge stands with its name.

pub mod calls;
pub mod chat;
pub mod context;
pub mod evaluate;
mod item;
pub mod judge;
mod locomo;
mod longmemeval;
pub mod prompt;
pub mod report;

pub use calls::{Budget, Call, Calls, Role, Spent, Voice};
pub use chat::{Model, Price, Usage};
pub use evaluate::{Dataset, Estimate, OWN, Questioning, Reader, estimate, evaluate};
pub use report::{Answers, Report};
