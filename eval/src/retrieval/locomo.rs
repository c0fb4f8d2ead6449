//! LoCoMo: what share of a question's evidence turns is among the first k?
//!
//! Counted are the questions of categories 1 to 4 that have evidence; those of category 5, whose evidence is what
//! misleads, are measured by themselves.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::{Asked, Plan, Progress, SYSTEMS, parallel};
use crate::dataset::Ledger;
use crate::dataset::errata::Errata;
use crate::dataset::locomo::{Category, Question, Sample, samples};
use crate::error::EvalError;
use crate::metric::{LOCOMO, Means, Ranks};

/// Where rankings are cut.
pub const KS: &[usize] = &[1, 5, 10, 20, 50];

/// A question with the ranks that each system gave to its evidence.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The sample it is of.
    pub sample: String,
    /// The question.
    pub question: Question,
    /// One entry for each of [`SYSTEMS`].
    pub ranks: Vec<Ranks>,
}

/// What an evaluation came to.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Every question that has evidence, in the order of the file.
    pub answered: Vec<Answered>,
    /// How many conversations were read.
    pub n_samples: usize,
    /// How many turns they have.
    pub n_turns: usize,
    /// How many questions were read.
    pub n_questions: usize,
    /// What was left out or set right.
    pub ledger: Ledger,
}

/// Evaluates every system on a file, with the evidence corrected by the errata.
///
/// # Errors
/// [`EvalError`] where the file is not that of LoCoMo, or cannot be recorded.
pub fn evaluate(
    path: &Path,
    mut errata: Errata,
    plan: Plan<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Report, EvalError> {
    let mut report = Report::default();
    let mut ledger = Ledger::default();
    parallel::each(
        path,
        plan.jobs,
        &mut samples(path, plan.n_questions, &mut errata, &mut ledger),
        &|sample| ask_all(sample, plan),
        &mut |bytes, (sample, ranks): (Sample, Vec<Vec<Ranks>>)| {
            report.n_samples += 1;
            report.n_turns += sample.conversation.turns.len();
            report.n_questions += sample.n_questions;
            for (question, ranks) in sample.questions.into_iter().zip(ranks) {
                report.answered.push(Answered { sample: sample.id.clone(), question, ranks });
            }
            progress(Progress { bytes, questions: report.answered.len() });
            Ok(())
        },
    )?;
    for id in errata.left() {
        ledger.note("errata of no question that was read", id);
    }
    report.ledger = ledger;
    Ok(report)
}

/// Asks each system every question of a sample.
fn ask_all(sample: Sample, plan: Plan<'_>) -> Result<(Sample, Vec<Vec<Ranks>>), EvalError> {
    let last = sample.conversation.turns.iter().map(|turn| turn.time).max();
    let mut ranks = vec![Vec::new(); sample.questions.len()];
    for system in SYSTEMS {
        let ranker = (system.open)(&sample.conversation, plan.vectors)?;
        for (question, ranks) in sample.questions.iter().zip(&mut ranks) {
            // The data set does not say when it is asked: after all was said.
            let Some(now) = last else { continue };
            plan.go_on()?;
            let ranking = ranker.rank(&Asked { text: &question.text, now, known: now })?;
            ranks.push(Ranks::of(&question.evidence, &ranking.turns));
        }
    }
    Ok((sample, ranks))
}

impl Report {
    /// Returns the means of a system over the questions of some categories.
    pub fn means(&self, system: usize, categories: &[Category]) -> Means {
        let mut means = Means::new(LOCOMO, KS);
        for answered in self.answered.iter().filter(|one| categories.contains(&one.question.category)) {
            means.add(&answered.ranks[system]);
        }
        means
    }

    /// Returns a row for each system; the last one, that of the system evaluated, is the summary.
    pub fn rows(&self) -> Vec<Value> {
        let mut rows: Vec<Value> = (0..SYSTEMS.len()).rev().map(|system| self.row(system)).collect();
        if let Some(summary) = rows.last_mut() {
            summary["conversations"] = json!(self.n_samples);
            summary["turns"] = json!(self.n_turns);
            summary["left_out"] = self.ledger.to_json();
        }
        rows
    }

    fn row(&self, system: usize) -> Value {
        let by_category = Category::ALL.into_iter().map(|category| {
            let mut members = members(&self.means(system, &[category]));
            members.insert("category".to_owned(), json!(category.number()));
            (category.name().to_owned(), Value::Object(members))
        });
        let by_category: Map<String, Value> = by_category.collect();
        let mut row = members(&self.means(system, COUNTED));
        row.insert("dataset".to_owned(), json!("locomo"));
        row.insert("system".to_owned(), json!(SYSTEMS[system].name));
        row.insert("by_category".to_owned(), Value::Object(by_category));
        Value::Object(row)
    }

    /// Returns a row for each question, with the best rank of each piece of its evidence, null where it was not found.
    pub fn details(&self) -> impl Iterator<Item = Value> {
        self.answered.iter().map(|Answered { sample, question, ranks }| {
            let evidence: Vec<&str> = question.evidence.iter().map(|unit| &*unit.label).collect();
            let ranks = SYSTEMS.iter().zip(ranks);
            let ranks: Map<String, Value> = ranks
                .map(|(system, ranks)| (system.name.to_owned(), json!(ranks.best().collect::<Vec<_>>())))
                .collect();
            json!({
                "dataset": "locomo", "sample": sample, "index": question.index, "question": question.text,
                "category": question.category.name(), "evidence": evidence, "ranks": ranks,
            })
        })
    }
}

/// The categories that are counted together.
pub const COUNTED: &[Category] =
    &[Category::MultiHop, Category::Temporal, Category::OpenDomain, Category::SingleHop];

fn members(means: &Means) -> Map<String, Value> {
    let mut members = means.members();
    members.insert("questions".to_owned(), json!(means.n_questions()));
    members
}
