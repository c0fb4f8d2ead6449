//! LoCoMo: what share of a question's evidence turns is among the first k?
//!
//! Counted are the questions of categories 1 to 4 that have evidence; those of category 5, whose evidence is what
//! misleads, are measured by themselves.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::asking::{Documents, Opened, Scale};
use super::{Asked, Plan, Progress, System, parallel};
use crate::dataset::Ledger;
use crate::dataset::errata::Errata;
use crate::dataset::file::identify;
use crate::dataset::locomo::{Category, Question, Sample, samples};
use crate::error::EvalError;
use crate::metric::{LOCOMO, Scores};
use crate::run::file::Kept;
use crate::run::{Header, Line, Measured, Part, Run, Task};

/// Where rankings are cut.
pub const KS: &[usize] = &[1, 5, 10, 20, 50];

/// The categories that are counted together.
pub const COUNTED: &[Category] =
    &[Category::MultiHop, Category::Temporal, Category::OpenDomain, Category::SingleHop];

/// The part of a run's lines that is measured.
pub const PART: &str = "turn";

const SCALE: Scale = Scale { measures: LOCOMO, ks: KS };

/// A question with what each system found.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The sample it is of.
    pub sample: String,
    /// The question.
    pub question: Question,
    /// One entry for each system.
    pub found: Vec<Part>,
}

/// What an evaluation came to.
#[derive(Clone, Debug)]
pub struct Report {
    /// Who was asked, the one that is evaluated first.
    pub systems: Vec<&'static System>,
    /// Which run it is.
    pub header: Header,
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

/// Evaluates systems on a file, with the evidence corrected by the errata.
///
/// # Errors
/// [`EvalError`] where the file is not that of LoCoMo, or cannot be recorded, and where the run file is that of another run.
pub fn evaluate(
    path: &Path,
    mut errata: Errata,
    plan: Plan<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Report, EvalError> {
    let header = header(path, &errata, plan)?;
    let mut run = plan.out.map_or_else(|| Ok(Run::nowhere()), |out| Run::open(out, &header))?;
    let (of, n_kept) = (header.questions, run.n_kept() / plan.systems.len().max(1));
    progress(Progress { questions: n_kept, of });
    let mut ledger = Ledger::default();
    let mut report = Report {
        systems: plan.systems.to_vec(),
        header,
        answered: Vec::new(),
        n_samples: 0,
        n_turns: 0,
        n_questions: 0,
        ledger: Ledger::default(),
    };
    let (kept, written) = run.parts();
    parallel::each(
        path,
        plan.jobs,
        &mut samples(path, plan.n_questions, &mut errata, &mut ledger),
        &|sample| ask_all(sample, plan, kept),
        &mut |(sample, lines): (Sample, Vec<Vec<Line>>)| {
            report.n_samples += 1;
            report.n_turns += sample.conversation.turns.len();
            report.n_questions += sample.n_questions;
            for (question, lines) in sample.questions.into_iter().zip(lines) {
                let mut found = Vec::new();
                for mut line in lines {
                    written.put(&line)?;
                    found.extend(line.parts.remove(PART));
                }
                report.answered.push(Answered { sample: sample.id.clone(), question, found });
            }
            progress(Progress { questions: report.answered.len().max(n_kept), of });
            Ok(())
        },
    )?;
    written.end()?;
    for id in errata.left() {
        ledger.note("errata of no question that was read", id);
    }
    Ok(Report { ledger, ..report })
}

/// Reads the file through, and says which run it is.
fn header(path: &Path, errata: &Errata, plan: Plan<'_>) -> Result<Header, EvalError> {
    let data = identify(path)?;
    let mut n_questions = 0;
    parallel::each(
        path,
        plan.jobs,
        &mut samples(path, plan.n_questions, &mut errata.clone(), &mut Ledger::default()),
        &|sample| plan.go_on().map(|()| sample.questions.len()),
        &mut |of_sample| {
            n_questions += of_sample;
            Ok(())
        },
    )?;
    let measured = Measured {
        granularity: "turn".to_owned(),
        roles: vec!["both speakers".to_owned()],
        population: "questions with evidence; counted together are categories 1 to 4".to_owned(),
    };
    let counted = COUNTED.iter().map(|category| category.name().to_owned()).collect();
    Ok(Header {
        dataset: "locomo".to_owned(),
        errata: errata.file.clone(),
        counted: Some(counted),
        parts: BTreeMap::from([(PART.to_owned(), measured)]),
        k: KS.to_vec(),
        ..plan.header(Task::Retrieval, data, n_questions)
    })
}

/// Asks each system every question of a sample whose line is not there yet, and returns the lines of each question.
fn ask_all(sample: Sample, plan: Plan<'_>, kept: &Kept) -> Result<(Sample, Vec<Vec<Line>>), EvalError> {
    let mut lines = vec![Vec::new(); sample.questions.len()];
    // The data set does not say when it is asked: after all was said.
    let Some(now) = sample.conversation.turns.iter().map(|turn| turn.time).max() else {
        return Ok((sample, lines));
    };
    let [turns, _] = Documents::of(&sample.conversation, &sample.labels, &[]);
    for system in plan.systems {
        let mut opened = Opened::new(system, &sample.conversation, plan.vectors);
        for (question, lines) in sample.questions.iter().zip(&mut lines) {
            plan.go_on()?;
            let id = format!("{}#{}", sample.id, question.index);
            if let Some(line) = kept.line(&id, system.name) {
                lines.push(line.clone());
                continue;
            }
            let ranking = opened.rank(&Asked { text: &question.text, now, known: now })?;
            let part = turns.part(SCALE, system, &question.evidence, &ranking.turns);
            lines.push(Line {
                id,
                system: system.name.to_owned(),
                kind: question.category.name().to_owned(),
                question: question.text.clone(),
                parts: BTreeMap::from([(PART.to_owned(), part)]),
                answered: None,
            });
        }
    }
    Ok((sample, lines))
}

impl Report {
    /// Returns the scores of a system in the questions of some categories.
    pub fn scores(&self, system: usize, categories: &[Category]) -> Scores {
        let mut scores = Scores::new(SCALE.names(self.systems[system]));
        for answered in self.answered.iter().filter(|one| categories.contains(&one.question.category)) {
            scores.add(&answered.found[system].scores);
        }
        scores
    }

    /// Returns a row for each system; the last one, that of the system evaluated, is the summary.
    pub fn rows(&self) -> Vec<Value> {
        let mut rows: Vec<Value> = (0..self.systems.len()).rev().map(|system| self.row(system)).collect();
        if let Some(summary) = rows.last_mut() {
            summary["conversations"] = json!(self.n_samples);
            summary["turns"] = json!(self.n_turns);
            summary["left_out"] = self.ledger.to_json();
            summary["run"] = self.header.to_json();
        }
        rows
    }

    fn row(&self, system: usize) -> Value {
        let members = |categories: &[Category]| {
            let scores = self.scores(system, categories);
            let mut members = scores.members();
            members.insert("questions".to_owned(), json!(scores.n_questions()));
            members.insert("intervals".to_owned(), Value::Object(scores.interval_members(self.header.seed)));
            members
        };
        let by_category = Category::ALL.into_iter().map(|category| {
            let mut members = members(&[category]);
            members.insert("category".to_owned(), json!(category.number()));
            (category.name().to_owned(), Value::Object(members))
        });
        let by_category: Map<String, Value> = by_category.collect();
        let mut row = members(COUNTED);
        row.insert("dataset".to_owned(), json!("locomo"));
        row.insert("system".to_owned(), json!(self.systems[system].name));
        row.insert("by_category".to_owned(), Value::Object(by_category));
        Value::Object(row)
    }

    /// Returns a row for each question, with the best rank of each piece of its evidence, null where it was not found.
    pub fn details(&self) -> impl Iterator<Item = Value> {
        self.answered.iter().map(|Answered { sample, question, found }| {
            let evidence: Vec<&str> = question.evidence.iter().map(|unit| &*unit.label).collect();
            let ranks = self.systems.iter().zip(found);
            let ranks: Map<String, Value> =
                ranks.map(|(system, part)| (system.name.to_owned(), json!(part.best()))).collect();
            json!({
                "dataset": "locomo", "sample": sample, "index": question.index, "question": question.text,
                "category": question.category.name(), "evidence": evidence, "ranks": ranks,
            })
        })
    }
}
