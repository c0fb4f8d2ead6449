//! What measures come to over many questions.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Measure, Ranks};
use crate::real::{real, rounded};

/// Means of measures at several k over the questions added, each question with the same weight.
#[derive(Clone, Debug)]
pub struct Means {
    measures: &'static [Measure],
    ks: &'static [usize],
    n_questions: usize,
    /// By measure and then k.
    sums: BTreeMap<(usize, usize), f64>,
}

impl Means {
    /// Starts with no question.
    pub fn new(measures: &'static [Measure], ks: &'static [usize]) -> Means {
        Means { measures, ks, n_questions: 0, sums: BTreeMap::new() }
    }

    /// Adds a question.
    pub fn add(&mut self, ranks: &Ranks) {
        self.n_questions += 1;
        for (index, measure) in self.measures.iter().enumerate() {
            for k in self.ks {
                *self.sums.entry((index, *k)).or_default() += (measure.of)(ranks, *k);
            }
        }
    }

    /// Returns how many questions were added.
    pub fn n_questions(&self) -> usize {
        self.n_questions
    }

    /// Returns the mean of a measure at k; `None` before the first question, or where that is not measured.
    pub fn at(&self, measure: &str, k: usize) -> Option<f64> {
        let index = self.measures.iter().position(|known| known.name == measure)?;
        Some(self.sums.get(&(index, k))? / real(self.n_questions))
    }

    /// Returns the JSON members "measure@k", null before the first question.
    pub fn members(&self) -> Map<String, Value> {
        let each = self.measures.iter().flat_map(|measure| self.ks.iter().map(move |k| (measure.name, *k)));
        let member = |(name, k): (&str, usize)| (format!("{name}@{k}"), json!(self.at(name, k).map(rounded)));
        each.map(member).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::LOCOMO;
    use super::*;
    use crate::dataset::Unit;

    #[test]
    fn questions_weigh_the_same_however_much_evidence_they_have() {
        let unit = |document| Unit { label: String::new(), documents: vec![document] };
        let mut means = Means::new(LOCOMO, &[1, 5]);
        assert_eq!(Value::Object(means.members()), json!({ "recall@1": null, "recall@5": null }));
        means.add(&Ranks::of(&[unit(1)], &[1, 2, 3]));
        means.add(&Ranks::of(&[unit(1), unit(2), unit(9)], &[8, 2, 1]));
        assert_eq!(means.n_questions(), 2);
        assert_eq!(Value::Object(means.members()), json!({ "recall@1": 0.5, "recall@5": 0.833_333 }));
        assert_eq!(means.at("recall", 7), None);
    }
}
