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
    /// What was answered, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered: Option<Answered>,
}

/// An answer, and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// The right answer, as the data set words it.
    pub right: String,
    /// What was answered.
    pub said: String,
    /// Whether that is that there is no answer.
    pub abstains: bool,
    /// Whether that is the right answer.
    pub unanswerable: bool,
    /// Who says whether it is right, and by which prompt; nobody where words alone are compared.
    pub judged_by: Option<String>,
    /// Whether it is right; null where the judge said neither.
    pub verdict: Option<bool>,
    /// The words of the judge.
    pub judge_said: Option<String>,
    /// What the answer took.
    pub reader: Option<Asking>,
    /// What the verdict took.
    pub judge: Option<Asking>,
}

/// What a call of a model took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asking {
    /// Tokens asked.
    pub prompt_tokens: u64,
    /// Tokens answered.
    pub completion_tokens: u64,
    /// How long it took.
    pub latency_ms: u64,
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
            let right = part.scores.get("right").map(|right| *right > 0.5);
            let said = line.answered.as_ref().map(|answered| answered.verdict == Some(true));
            if right.is_some_and(|right| Some(right) != said) {
                return Err(format!("{name}: `right` does not follow from the verdict"));
            }
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
        for (document, rank) in needed.iter().flatten().zip(ranks.iter().flatten()) {
            let stands_at = ranked.iter().position(|ranked| ranked == document).map(|before| before + 1);
            // A rank behind those that are written down is one where more may have been ranked, or the order was not written.
            let is_open = ranked.is_empty() || ranked.len() == DEPTH;
            let said = rank.filter(|rank| !is_open || *rank <= ranked.len());
            if stands_at != said {
                return Err(format!(
                    "{document:?} stands at {stands_at:?} of `ranked`, and its rank is {rank:?}"
                ));
            }
        }
        match header.task {
            Task::Retrieval => self.check_scores(header),
            Task::Answers => Ok(()),
        }
    }

    fn check_scores(&mut self, header: &Header) -> Result<(), String> {
        let is_whole = self.scores.keys().any(|name| name.ends_with("@all"));
        let Some(measures) = measures(&header.dataset) else {
            return Err(format!("the data set {:?} is not known here", header.dataset));
        };
        let ks: &[usize] = if is_whole { &[WHOLE] } else { &header.k };
        let mut follows = score(measures, ks, &Ranks::known(self.ranks.clone()));
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
