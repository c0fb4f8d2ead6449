//! What one system came to in one question.
//!
//! Invariant: what was measured of a ranking follows from the ranks, and the ranks from what was needed and what was ranked:
//! a line of which that is not so is refused.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::header::{Header, Task};
use crate::metric::{LOCOMO, LONGMEMEVAL, Measure, Ranks, Score, WHOLE, score};

/// How many of the documents that a system ranked are written down.
pub const DEPTH: usize = 50;
/// How far two scores may lie apart that are the same: a number read from a text may be off in its last digit.
const SAME: f64 = 1e-9;
/// The score that does not follow from ranks: how many tokens the first k documents have.
pub const TOKENS: &str = "tokens";

/// A line of a run file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The question.
    pub id: String,
    /// The system.
    pub system: String,
    /// What the question asks for, as the data set has it.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its words.
    pub question: String,
    /// What is measured, by name; what a question is not in the population of is missing.
    pub parts: BTreeMap<String, Part>,
}

/// One thing that is measured: what was needed and what was found, by what the data set calls them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The pieces of evidence, each with the documents that hold it.
    pub needed: Vec<Vec<String>>,
    /// The first documents of the ranking, [`DEPTH`] at most.
    pub ranked: Vec<String>,
    /// The rank of each document that was needed, from 1; null where it was not found.
    pub ranks: Vec<Vec<Option<usize>>>,
    /// What that comes to.
    pub scores: Score,
}

impl Line {
    /// Returns the line, with its end.
    pub fn to_text(&self) -> String {
        let value = serde_json::to_value(self).expect("a line has a JSON form");
        format!("{value}\n")
    }

    /// Reads a line of a run.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str, header: &Header) -> Result<Line, String> {
        let mut line: Line = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if !header.systems.contains(&line.system) {
            return Err(format!("the run has no system {:?}", line.system));
        }
        for (name, part) in &mut line.parts {
            if !header.parts.contains_key(name) {
                return Err(format!("the run does not measure {name:?}"));
            }
            part.check(header).map_err(|reason| format!("{name}: {reason}"))?;
        }
        Ok(line)
    }
}

impl Part {
    /// Returns the best rank of each piece of evidence.
    pub fn best(&self) -> Vec<Option<usize>> {
        self.ranks.iter().map(|documents| documents.iter().flatten().min().copied()).collect()
    }

    /// Checks that the scores follow from what was found, and puts them as exactly as they follow from it.
    fn check(&mut self, header: &Header) -> Result<(), String> {
        let Part { needed, ranked, ranks, .. } = &*self;
        if !needed.iter().map(Vec::len).eq(ranks.iter().map(Vec::len)) {
            return Err("`ranks` has not a rank for each document of `needed`".to_owned());
        }
        let is_whole = self.scores.keys().any(|name| name.ends_with("@all"));
        let depth = if is_whole { 0 } else { DEPTH };
        for (document, rank) in needed.iter().flatten().zip(ranks.iter().flatten()) {
            let stands_at = ranked.iter().position(|ranked| ranked == document).map(|before| before + 1);
            let said = rank.filter(|rank| *rank <= depth);
            if stands_at != said {
                return Err(format!(
                    "{document:?} stands at {stands_at:?} of `ranked`, and its rank is {rank:?}"
                ));
            }
        }
        let Task::Retrieval = header.task;
        let Some(measures) = measures(&header.dataset) else {
            return Err(format!("the data set {:?} is not known here", header.dataset));
        };
        let ks: &[usize] = if is_whole { &[WHOLE] } else { &header.k };
        let mut follows = score(measures, ks, &Ranks::known(ranks.clone()));
        let (lengths, by_rank): (Score, Score) =
            std::mem::take(&mut self.scores).into_iter().partition(|(name, _)| is_tokens(name));
        if !by_rank.keys().eq(follows.keys()) {
            return Err(format!("`scores` are to be {:?}", follows.keys().collect::<Vec<_>>()));
        }
        for (name, said) in &by_rank {
            if (said - follows[name]).abs() > SAME {
                return Err(format!("{name} is {said}, and {} by the ranks", follows[name]));
            }
        }
        follows.extend(lengths);
        self.scores = follows;
        Ok(())
    }
}

fn is_tokens(name: &str) -> bool {
    name.strip_prefix(TOKENS).is_some_and(|rest| rest.starts_with('@'))
}

/// Returns what a data set is measured by.
pub fn measures(dataset: &str) -> Option<&'static [Measure]> {
    match dataset {
        "locomo" => Some(LOCOMO),
        "longmemeval" => Some(LONGMEMEVAL),
        _ => None,
    }
}
