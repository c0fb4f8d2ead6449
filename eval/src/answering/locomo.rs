//! LoCoMo's questions for a time: is the time that is answered the right one?
//!
//! Counted are the questions of category 2 that begin with "when" or ask what date, day, month or year; each is asked in its
//! conversation after all was said. Right answers that are no time count as missed.

use std::path::Path;

use bygone_engine::time::{Bound, Moment, Period};
use bygone_query::ask::{Answer, Value};

use super::Answered;
use crate::dataset::Ledger;
use crate::dataset::errata::Errata;
use crate::dataset::locomo::{Category, Question, Sample, samples};
use crate::error::EvalError;
use crate::metric::interval::Right;
use crate::retrieval::system::ingested;
use crate::retrieval::{Asked, Plan, Progress, parallel};

/// Asks every question for a time of a file, and returns what became of each, in order.
///
/// # Errors
/// [`EvalError`] where the file is not that of LoCoMo, or cannot be recorded.
pub fn evaluate(
    path: &Path,
    plan: Plan<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Vec<Answered>, Ledger), EvalError> {
    let mut ledger = Ledger::default();
    let mut errata = Errata::default();
    let mut all = Vec::new();
    let mut untimed = Vec::new();
    let of = n_counted(path, plan)?;
    parallel::each(
        path,
        plan.jobs,
        &mut samples(path, plan.n_questions, &mut errata, &mut ledger),
        &|sample| ask_all(sample, plan),
        &mut |(answered, of_sample)| {
            all.extend(answered);
            untimed.extend(of_sample);
            progress(Progress { questions: all.len(), of });
            Ok(())
        },
    )?;
    for which in untimed {
        ledger.note("right answers that are no time", which);
    }
    Ok((all, ledger))
}

/// Counts the questions that will be asked.
fn n_counted(path: &Path, plan: Plan<'_>) -> Result<usize, EvalError> {
    let mut n_counted = 0;
    parallel::each(
        path,
        plan.jobs,
        &mut samples(path, plan.n_questions, &mut Errata::default(), &mut Ledger::default()),
        &|sample| plan.go_on().map(|()| sample.questions.iter().filter(|one| is_counted(one)).count()),
        &mut |of_sample| {
            n_counted += of_sample;
            Ok(())
        },
    )?;
    Ok(n_counted)
}

/// Asks the questions of a sample that count, and tells the right answers that are no time.
fn ask_all(sample: Sample, plan: Plan<'_>) -> Result<(Vec<Answered>, Vec<String>), EvalError> {
    let (mut answered, mut untimed) = (Vec::new(), Vec::new());
    // The data set does not say when it is asked: after all was said.
    let Some(now) = sample.conversation.turns.iter().map(|turn| turn.time).max() else {
        return Ok((answered, untimed));
    };
    let conversation = ingested(&sample.conversation, plan.vectors)?;
    for question in sample.questions.into_iter().filter(is_counted) {
        plan.go_on()?;
        let answer = conversation.answer(&Asked { text: &question.text, now, known: now })?;
        let period = answer.as_ref().and_then(period);
        let right_answer = question.answer.unwrap_or_default();
        let right = Right::read(&right_answer, now);
        let id = format!("{} question {}", sample.id, question.index);
        if right.is_none() {
            untimed.push(format!("{id}: {right_answer:?}"));
        }
        let agrees = |is_so: fn(Right, Period) -> bool| {
            right.zip(period).is_some_and(|(right, period)| is_so(right, period))
        };
        answered.push(Answered {
            id,
            question: question.text,
            right_answer,
            is_known: period.is_some(),
            is_right: agrees(Right::is_right),
            is_near: agrees(Right::is_near),
            answer: answer.map(|answer| answer.answer),
        });
    }
    Ok((answered, untimed))
}

fn is_counted(question: &Question) -> bool {
    let text = question.text.to_lowercase();
    let mut words = text.split_whitespace();
    let asks_when = match words.next() {
        Some("when") => true,
        Some("what" | "which") => matches!(words.next(), Some("date" | "day" | "month" | "year")),
        _ => false,
    };
    asks_when && question.category == Category::Temporal
}

/// Returns the time that an answer says: one read from a turn, or the start of the first fact.
fn period(answer: &Answer) -> Option<Period> {
    if !answer.known {
        return None;
    }
    match &answer.value {
        Some(Value::Period(period)) => Some(*period),
        Some(_) => None,
        None => answer.rows.first().and_then(|row| row.fact.validity.period()).and_then(start),
    }
}

/// Returns the granule in which a period starts.
fn start(period: Period) -> Option<Period> {
    let from = period.from().moment()?;
    Period::new(Bound::At(from), Bound::At(Moment::new(from.end(), from.grain))).ok()
}
