//! Do two systems, or two runs of one, differ by more than chance?
//!
//! Questions are paired: both sides answered the same ones, measured alike, or there is no comparison.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::loaded::Loaded;
use crate::error::EvalError;
use crate::metric::Scores;
use crate::metric::resample::{DIFFERENCE_DRAWS, Interval, intervals, p_values};
use crate::real::{real, rounded};

/// A system in a run.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The run.
    pub run: &'a Loaded,
    /// The system.
    pub system: &'a str,
}

/// How far one score of the second side lies from that of the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What is measured.
    pub part: String,
    /// The score.
    pub score: String,
    /// Of which type of questions; of all that are counted together where it is not said.
    pub kind: Option<String>,
    /// How many questions.
    pub n_questions: usize,
    /// The means of the first and of the second side.
    pub means: [f64; 2],
    /// The second mean less the first.
    pub difference: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// How likely a difference as far from 0 is by chance.
    pub p: f64,
}

/// Compares two sides in every score that they have in common, of all questions and of each type.
///
/// # Errors
/// [`EvalError::Incomparable`] where they were not asked the same questions, or a run has not come to its end.
pub fn compare(one: Side<'_>, other: Side<'_>, seed: u64) -> Result<Vec<Difference>, EvalError> {
    let refuse = |reason: String| Err(EvalError::Incomparable(reason));
    for Side { run, system } in [one, other] {
        let Loaded { name, header, lines, .. } = run;
        if !header.systems.iter().any(|known| known == system) {
            return refuse(format!("{name} has no system {system:?}, only {}", header.systems.join(", ")));
        }
        if !run.is_complete() {
            let (there, all) = (lines.len(), header.questions * header.systems.len());
            return refuse(format!(
                "{name} has {there} of {all} lines: it was stopped, and can be gone on with"
            ));
        }
    }
    if let Some(difference) = one.run.header.incomparable(&other.run.header) {
        return refuse(difference.replace(" there", " in the first").replace(" here", " in the second"));
    }
    let mut differences = Vec::new();
    for part in one.run.header.parts.keys() {
        let kinds = one.run.kinds(part).into_iter().map(|kind| Some(kind.to_owned()));
        for kind in std::iter::once(None).chain(kinds) {
            let (ids, first) = one.run.scores(part, one.system, kind.as_deref());
            let (other_ids, second) = other.run.scores(part, other.system, kind.as_deref());
            if ids != other_ids {
                return refuse(format!("the questions of {part} are not the same"));
            }
            differences.extend(paired(part, kind.as_deref(), &first, &second, seed));
        }
    }
    if differences.is_empty() {
        return refuse("they have no score in common".to_owned());
    }
    Ok(differences)
}

fn paired(part: &str, kind: Option<&str>, first: &Scores, second: &Scores, seed: u64) -> Vec<Difference> {
    let common: Vec<&str> =
        first.names().iter().filter(|name| second.names().contains(name)).map(|name| &**name).collect();
    let (first, second) = (first.only(&common), second.only(&common));
    let less = |(first, second): (&Vec<f64>, &Vec<f64>)| -> Vec<f64> {
        first.iter().zip(second).map(|(first, second)| second - first).collect()
    };
    let rows: Vec<Vec<f64>> = first.rows().iter().zip(second.rows()).map(less).collect();
    let intervals = intervals(&rows, seed, DIFFERENCE_DRAWS);
    let p_values = p_values(&rows, seed, DIFFERENCE_DRAWS);
    let mut differences = Vec::new();
    for (column, score) in common.iter().enumerate() {
        let (Some(one), Some(other)) = (first.mean(score), second.mean(score)) else { continue };
        differences.push(Difference {
            part: part.to_owned(),
            score: (*score).to_owned(),
            kind: kind.map(str::to_owned),
            n_questions: rows.len(),
            means: [one, other],
            difference: rows.iter().map(|row| row[column]).sum::<f64>() / real(rows.len()),
            interval: intervals[column],
            p: p_values[column],
        });
    }
    differences
}

impl Difference {
    /// Returns the row, keys sorted.
    pub fn to_json(&self) -> Value {
        let Difference { part, score, kind, n_questions, means, difference, interval, p } = self;
        json!({
            "part": part, "score": score, "type": kind, "n": n_questions,
            "a": rounded(means[0]), "b": rounded(means[1]), "difference": rounded(*difference),
            "interval": interval.map(rounded), "p": rounded(*p),
        })
    }
}

/// Returns the row that says what was compared, keys sorted.
pub fn summary(one: Side<'_>, other: Side<'_>, seed: u64) -> Value {
    let side = |Side { run, system }: Side<'_>| json!({ "file": run.name, "hash": run.hash, "system": system, "version": run.header.version });
    let header = &one.run.header;
    let data = BTreeMap::from([("dataset", &header.dataset), ("hash", &header.data.hash)]);
    json!({
        "a": side(one), "b": side(other), "data": data, "draws": DIFFERENCE_DRAWS, "seed": seed,
        "judge": header.judge.as_ref().map(|judge| &judge["model"]),
        "test": "sign flips of paired differences, two-sided; interval by paired bootstrap",
    })
}
