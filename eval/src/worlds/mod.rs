//! Does a system believe what it was told, and no more?
//!
//! The belief benchmark: small worlds of people who tell where they work, where they live and which projects they are on,
//! in order, late, with mistakes that they correct; agents that conclude things from it; somebody who changes their name;
//! and a session that is erased. A world is told as statements or as conversations, and then asked about.
//!
//! ```text
//! seed ─▶ world ─▶ statements ──▶ oracle ─▶ questions with right answers ─┐
//!           │           │                                                 ├─▶ scores
//!           └─ wording ─┴─▶ steps ─▶ system ─▶ answers ───────────────────┘
//! ```
//!
//! Invariant: what is right is told by [`oracle`], over statements as they were meant, with no part of the store's
//! derivation; the same seed gives the same world, the same questions and the same words.

pub mod asked;
pub mod calendar;
mod names;
pub mod oracle;
pub mod question;
pub mod report;
pub mod run;
pub mod score;
pub mod steps;
mod story;
pub mod system;
pub mod telling;
pub mod wording;
pub mod world;

pub use asked::{Posed, Questions, questions};
pub use question::{Answer, Ask, Kind, Question};
pub use report::{Entry, Report};
pub use run::{Answered, Plan, evaluate};
pub use score::{Closings, Scores, Tally};
pub use steps::{Rendering, Step};
pub use system::{SYSTEMS, System};
pub use world::World;
