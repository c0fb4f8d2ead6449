//! LongMemEval's questions of time: is the number, or the order, the right one?
//!
//! Counted are the questions of the type "temporal-reasoning" that ask for a number of days, weeks, months or years, or for
//! an order of things. A number is right where it is the one that the answer names, or one more, since the last day may
//! count; an order where the things stand in the answer as they came. What has no answer is right where nothing is known.

use std::path::Path;

use bygone_query::ask::{Answer, Value};

use super::Answered;
use crate::dataset::Ledger;
use crate::dataset::longmemeval::{Question, Sides, questions};
use crate::error::EvalError;
use crate::metric::length;
use crate::metric::sequence;
use crate::retrieval::system::ingested;
use crate::retrieval::{Asked, Plan, Progress, parallel};

/// The type of the questions of time.
const TEMPORAL: &str = "temporal-reasoning";

/// Asks every question of time of a file, and returns what became of each, in order.
///
/// # Errors
/// [`EvalError`] where the file is not that of LongMemEval, or cannot be recorded.
pub fn evaluate(
    path: &Path,
    plan: Plan<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Vec<Answered>, Ledger), EvalError> {
    let mut ledger = Ledger::default();
    let mut all: Vec<Answered> = Vec::new();
    let of = n_counted(path, plan)?;
    parallel::each(
        path,
        plan.jobs,
        &mut questions(path, plan.n_questions, &mut ledger),
        &|question| answer(&question, plan),
        &mut |answered| {
            all.extend(answered);
            progress(Progress { questions: all.len(), of });
            Ok(())
        },
    )?;
    Ok((all, ledger))
}

/// Counts the questions that will be asked.
fn n_counted(path: &Path, plan: Plan<'_>) -> Result<usize, EvalError> {
    let mut n_counted = 0;
    parallel::each(
        path,
        plan.jobs,
        &mut questions(path, plan.n_questions, &mut Ledger::default()),
        &|question| plan.go_on().map(|()| is_counted(&question)),
        &mut |is_counted| {
            n_counted += usize::from(is_counted);
            Ok(())
        },
    )?;
    Ok(n_counted)
}

fn answer(question: &Question, plan: Plan<'_>) -> Result<Option<Answered>, EvalError> {
    if !is_counted(question) {
        return Ok(None);
    }
    plan.go_on()?;
    let Question { id, text, asked, until, is_abstention, answer: right_answer, .. } = question;
    let conversation = ingested(&question.haystack(Sides::Both).conversation, plan.vectors)?;
    let answer = conversation.answer(&Asked { text, now: *asked, known: *until })?;
    let is_known = answer.as_ref().is_some_and(|answer| answer.known);
    let is_right = if *is_abstention {
        !is_known
    } else {
        answer.as_ref().is_some_and(|answer| is_right(answer, right_answer, text))
    };
    Ok(Some(Answered {
        id: id.clone(),
        question: text.clone(),
        right_answer: right_answer.clone(),
        answer: answer.map(|answer| answer.answer),
        is_known,
        is_right,
        is_near: is_right,
    }))
}

fn is_counted(question: &Question) -> bool {
    let text = question.text.to_lowercase();
    let asks_length = ["how many days", "how many weeks", "how many months", "how many years", "how long"]
        .iter()
        .any(|start| text.starts_with(start));
    let asks_order = ["order of", " first,", " first among", " first, second", " most recently,"]
        .iter()
        .any(|words| text.contains(words));
    question.kind == TEMPORAL && (asks_length || asks_order)
}

fn is_right(answer: &Answer, right: &str, question: &str) -> bool {
    match &answer.value {
        Some(Value::Length(length)) if answer.known => length::agrees(*length, right),
        Some(Value::Order(names)) if answer.known => sequence::agrees(names, right, question),
        _ => false,
    }
}
