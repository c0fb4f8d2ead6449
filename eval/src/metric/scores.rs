//! What scores come to over many questions.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::resample::{INTERVAL_DRAWS, Interval, intervals};
use crate::real::{real, rounded};

/// The scores of one question, by name, such as "recall@5".
pub type Score = BTreeMap<String, f64>;

/// The scores of several questions under the same names, each question with the same weight.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    names: Vec<String>,
    /// A row for each question, in the order of the names.
    rows: Vec<Vec<f64>>,
}

impl Scores {
    /// Starts with no question.
    pub fn new(names: impl IntoIterator<Item = String>) -> Scores {
        Scores { names: names.into_iter().collect(), rows: Vec::new() }
    }

    /// Adds a question.
    ///
    /// # Panics
    /// Where it has no score of one of the names.
    pub fn add(&mut self, score: &Score) {
        self.rows.push(self.names.iter().map(|name| score[name]).collect());
    }

    /// Returns how many questions were added.
    pub fn n_questions(&self) -> usize {
        self.rows.len()
    }

    /// Returns the names of the scores.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the scores of each question, in the order of the names.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// Returns the mean of a score; `None` before the first question, or where there is no such score.
    pub fn mean(&self, name: &str) -> Option<f64> {
        self.column(name).and_then(|column| self.mean_of(column))
    }

    /// Returns the 95 % interval of each mean, in the order of the names; none before the first question. It costs some
    /// thousand passes over the scores.
    pub fn intervals(&self, seed: u64) -> Vec<Interval> {
        intervals(&self.rows, seed, INTERVAL_DRAWS)
    }

    /// Returns the scores of some names only.
    #[must_use]
    pub fn only(&self, names: &[&str]) -> Scores {
        let columns: Vec<usize> = names.iter().filter_map(|name| self.column(name)).collect();
        let rows = self.rows.iter().map(|row| columns.iter().map(|column| row[*column]).collect());
        Scores {
            names: columns.iter().map(|column| self.names[*column].clone()).collect(),
            rows: rows.collect(),
        }
    }

    /// Returns the mean of each score as a JSON member, null before the first question.
    pub fn members(&self) -> Map<String, Value> {
        let member =
            |(column, name): (usize, &String)| (name.clone(), json!(self.mean_of(column).map(rounded)));
        self.names.iter().enumerate().map(member).collect()
    }

    /// Returns the interval of each mean as a JSON member; none before the first question.
    pub fn interval_members(&self, seed: u64) -> Map<String, Value> {
        let intervals = self.intervals(seed);
        let member = |(name, interval): (&String, Interval)| (name.clone(), json!(interval.map(rounded)));
        self.names.iter().zip(intervals).map(member).collect()
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    fn mean_of(&self, column: usize) -> Option<f64> {
        let n_questions = self.rows.len();
        (n_questions > 0).then(|| self.rows.iter().map(|row| row[column]).sum::<f64>() / real(n_questions))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LOCOMO, Ranks, names, score};
    use super::*;
    use crate::dataset::Unit;

    #[test]
    fn questions_weigh_the_same_however_much_evidence_they_have() {
        let unit = |document| Unit { label: String::new(), documents: vec![document] };
        let mut scores = Scores::new(names(LOCOMO, &[1, 5]));
        assert_eq!(Value::Object(scores.members()), json!({ "recall@1": null, "recall@5": null }));
        assert!(scores.interval_members(0).is_empty());
        for (evidence, ranking) in [(vec![unit(1)], [1, 2, 3]), (vec![unit(1), unit(2), unit(9)], [8, 2, 1])]
        {
            scores.add(&score(LOCOMO, &[1, 5], &Ranks::of(&evidence, &ranking)));
        }
        assert_eq!(scores.n_questions(), 2);
        assert_eq!(Value::Object(scores.members()), json!({ "recall@1": 0.5, "recall@5": 0.833_333 }));
        assert_eq!(scores.mean("recall@7"), None);
        let expected = json!({ "recall@1": [0.0, 1.0], "recall@5": [0.666_667, 1.0] });
        assert_eq!(Value::Object(scores.interval_members(0)), expected);
        assert_eq!(scores.only(&["recall@5", "recall@9"]).rows(), [[1.0], [2.0 / 3.0]]);
    }
}
