//! How answers are counted: exactly, right or wrong, by kind; and what a system closed, against what was to be closed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::question::{Answer, Kind};
use crate::real::{real, rounded};

/// Right answers of questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Questions that were answered rightly.
    pub right: usize,
    /// Questions.
    pub asked: usize,
}

impl Tally {
    /// Returns the share of right answers; nothing where nothing was asked.
    pub fn accuracy(self) -> Option<f64> {
        share(self.right, self.asked)
    }
}

/// Facts that a turn closed: that held at its time as known before it, and did not as known by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Closings {
    /// Those the system closed.
    pub closed: usize,
    /// Those that were to be closed.
    pub due: usize,
    /// Those that were both.
    pub both: usize,
}

impl Closings {
    /// Counts what one turn closed, from what was answered of before it and by it, and from what is right.
    pub fn count(&mut self, answered: [Option<&Answer>; 2], expected: [&Answer; 2]) {
        let [before, after] = answered.map(|answer| answer.map_or_else(BTreeSet::new, objects));
        let closed: BTreeSet<&String> = before.difference(&after).copied().collect();
        let [before, after] = expected.map(objects);
        let due: BTreeSet<&String> = before.difference(&after).copied().collect();
        self.closed += closed.len();
        self.due += due.len();
        self.both += closed.intersection(&due).count();
    }

    /// Returns the share of what was closed that was to be.
    pub fn precision(self) -> Option<f64> {
        share(self.both, self.closed)
    }

    /// Returns the share of what was to be closed that was.
    pub fn recall(self) -> Option<f64> {
        share(self.both, self.due)
    }
}

fn objects(answer: &Answer) -> BTreeSet<&String> {
    match answer {
        Answer::Objects { objects } => objects.iter().collect(),
        Answer::Difference { .. } | Answer::Standing { .. } | Answer::At { .. } => BTreeSet::new(),
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| real(part) / real(whole))
}

/// What a system came to in one rendering.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scores {
    /// By kind of question.
    pub by_kind: BTreeMap<Kind, Tally>,
    /// What it closed.
    pub closings: Closings,
}

impl Scores {
    /// Counts an answer.
    pub fn count(&mut self, kind: Kind, is_right: bool) {
        let tally = self.by_kind.entry(kind).or_default();
        tally.asked += 1;
        tally.right += usize::from(is_right);
    }

    /// Returns the tally of all kinds together.
    pub fn total(&self) -> Tally {
        self.by_kind.values().fold(Tally::default(), |sum, tally| Tally {
            right: sum.right + tally.right,
            asked: sum.asked + tally.asked,
        })
    }

    /// Returns the members of a row.
    pub fn members(&self) -> Map<String, Value> {
        let accuracies = self
            .by_kind
            .iter()
            .map(|(kind, tally)| (kind.name().to_owned(), json!(tally.accuracy().map(rounded))));
        let counts = self.by_kind.iter().map(|(kind, tally)| (kind.name().to_owned(), json!(tally.asked)));
        let total = self.total();
        let mut members = Map::new();
        members.insert("accuracy".to_owned(), json!(total.accuracy().map(rounded)));
        members.insert("by_kind".to_owned(), Value::Object(accuracies.collect()));
        members.insert("questions".to_owned(), json!(total.asked));
        members.insert("questions_by_kind".to_owned(), Value::Object(counts.collect()));
        let Closings { closed, due, .. } = self.closings;
        let [precision, recall] =
            [self.closings.precision(), self.closings.recall()].map(|share| share.map(rounded));
        let closings = json!({ "closed": closed, "due": due, "precision": precision, "recall": recall });
        members.insert("invalidation".to_owned(), closings);
        members
    }
}
