//! Who said something that is kept beside the statements, and where.

use serde::{Deserialize, Serialize};

/// Who said something, and in which session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Origin {
    /// The session.
    pub session: String,
    /// The agent, where one acted.
    pub agent: Option<String>,
    /// The user that it acted for.
    pub user: Option<String>,
}
