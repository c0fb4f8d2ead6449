//! What an evaluation came to, as rows.

use std::ops::RangeInclusive;

use serde_json::{Value, json};

use super::score::Scores;
use super::steps::Rendering;

/// What one system came to in one rendering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub system: String,
    /// The rendering.
    pub rendering: Rendering,
    /// What was counted.
    pub scores: Scores,
}

/// What an evaluation came to; the last entry is the one it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The seeds of the worlds.
    pub seeds: RangeInclusive<u64>,
    /// In the order of rows.
    pub entries: Vec<Entry>,
}

impl Report {
    /// Returns a row for each entry. The last one, the summary, has beside its own figures those of its system in the
    /// other rendering, under the name of that.
    pub fn rows(&self) -> Vec<Value> {
        let mut rows: Vec<Value> = self.entries.iter().map(|entry| self.row(entry)).collect();
        if let (Some(summary), Some(last)) = (rows.last_mut(), self.entries.last()) {
            let is_other = |entry: &&Entry| entry.system == last.system && entry.rendering != last.rendering;
            if let Some(other) = self.entries.iter().find(is_other) {
                summary[other.rendering.name()] = Value::Object(other.scores.members());
            }
        }
        rows
    }

    fn row(&self, entry: &Entry) -> Value {
        let mut members = entry.scores.members();
        members.insert("dataset".to_owned(), json!("belief"));
        members.insert("system".to_owned(), json!(entry.system));
        members.insert("rendering".to_owned(), json!(entry.rendering.name()));
        members.insert("seeds".to_owned(), json!(format!("{}..{}", self.seeds.start(), self.seeds.end())));
        Value::Object(members)
    }
}
