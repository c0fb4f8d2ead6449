//! As of when something is asked.

use bygone_engine::time::parse_moment;
use bygone_engine::{RecordedAt, View};
use serde::Deserialize;

use super::InterfaceError;

/// As of when: a known instant, a commit, or both; now where neither is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AsOf {
    /// What was known by then. A coarse time means its end, an instant is inclusive.
    pub known: Option<String>,
    /// What was recorded up to and including this commit.
    pub recorded: Option<u64>,
}

impl AsOf {
    /// Returns the view.
    ///
    /// # Errors
    /// [`InterfaceError::Request`] where the time is none.
    pub fn view(&self) -> Result<View, InterfaceError> {
        let known = match &self.known {
            None => View::LATEST.known,
            Some(text) => {
                let moment = parse_moment(text)
                    .map_err(|error| InterfaceError::Request(format!("as_of.known: {error}")))?;
                moment.end().previous()
            }
        };
        let recorded = self.recorded.map_or(RecordedAt::Latest, RecordedAt::Seq);
        Ok(View { known, recorded, ..View::LATEST })
    }
}

/// Returns the view of an optional moment.
///
/// # Errors
/// [`InterfaceError::Request`] where the time is none.
pub(super) fn view(as_of: Option<&AsOf>) -> Result<View, InterfaceError> {
    as_of.map_or(Ok(View::LATEST), AsOf::view)
}
