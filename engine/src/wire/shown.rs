//! Values whose JSON form is the text that they are displayed as.

use std::fmt;

use serde::{Serialize, Serializer};

/// A JSON text of what something is displayed as.
pub(super) struct Shown<T>(pub(super) T);

impl<T: fmt::Display> Serialize for Shown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}
