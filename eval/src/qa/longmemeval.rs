//! LongMemEval's questions, those without an answer (`_abs`) too: each is judged by the rules of its type.

use std::collections::BTreeMap;
use std::path::Path;

use super::evaluate::{Hand, Questioning};
use super::item::{ANSWER, CONTEXT, Item, Rule, Source, Told};
use super::judge;
use crate::dataset::Ledger;
use crate::dataset::file::identify;
use crate::dataset::longmemeval::{Question, Sides, questions};
use crate::error::EvalError;
use crate::retrieval::{Asked, parallel};
use crate::run::file::Kept;
use crate::run::{Header, Measured};

/// Hands on the questions of a file that have no line yet, in order, and the lines of those that have.
pub(super) fn items(
    path: &Path,
    questioning: &Questioning<'_>,
    kept: &Kept,
    hand_on: &mut dyn FnMut(Hand) -> Result<(), EvalError>,
) -> Result<Ledger, EvalError> {
    let mut ledger = Ledger::default();
    let plan = &questioning.plan;
    parallel::each(
        path,
        plan.jobs,
        &mut questions(path, plan.n_questions, &mut ledger),
        &|question| of_question(&question, questioning, kept),
        &mut |hands| hands.into_iter().try_for_each(&mut *hand_on),
    )?;
    Ok(ledger)
}

fn of_question(
    question: &Question,
    questioning: &Questioning<'_>,
    kept: &Kept,
) -> Result<Vec<Hand>, EvalError> {
    let Question { id, kind, text, asked, until, is_abstention, answer, .. } = question;
    let systems = questioning.plan.systems;
    let there: Vec<_> = systems.iter().map(|system| kept.line(id, system.name)).collect();
    if there.iter().all(Option::is_some) {
        return Ok(there.into_iter().flatten().map(|line| Hand::Kept(Box::new(line.clone()))).collect());
    }
    let haystack = question.haystack(Sides::Both);
    let told = Told { conversation: &haystack.conversation, labels: &haystack.turn_labels };
    // What cannot be answered has no evidence, whatever is marked as such.
    let evidence = if *is_abstention { &[] } else { &*haystack.turns };
    let mut hands = Vec::new();
    for (system, line) in systems.iter().zip(there) {
        questioning.plan.go_on()?;
        if let Some(line) = line {
            hands.push(Hand::Kept(Box::new(line.clone())));
            continue;
        }
        let asked = Asked { text, now: *asked, known: *until };
        let (task, context) =
            Source::new(told, system, questioning).reading(told, &asked, evidence, questioning)?;
        hands.push(Hand::New(Box::new(Item {
            id: id.clone(),
            system: system.name,
            kind: kind.clone(),
            question: text.clone(),
            right: answer.clone(),
            is_unanswerable: *is_abstention,
            rule: Rule::Words,
            judged_by: Some(judge::longmemeval(kind, *is_abstention)),
            task,
            context,
        })));
    }
    Ok(hands)
}

/// Reads the file through, and says which run it is, without who reads and who judges.
pub(super) fn header(path: &Path, questioning: &Questioning<'_>) -> Result<Header, EvalError> {
    let plan = &questioning.plan;
    let data = identify(path)?;
    let mut n_questions = 0;
    parallel::each(
        path,
        plan.jobs,
        &mut questions(path, plan.n_questions, &mut Ledger::default()),
        &|_| plan.go_on(),
        &mut |()| {
            n_questions += 1;
            Ok(())
        },
    )?;
    let measured = |population: &str| Measured {
        granularity: "turn".to_owned(),
        roles: vec!["user".to_owned(), "assistant".to_owned()],
        population: population.to_owned(),
    };
    let answer = measured("all questions, _abs too");
    let context = measured("not _abs, and with evidence");
    Ok(Header {
        dataset: "longmemeval".to_owned(),
        parts: BTreeMap::from([(ANSWER.to_owned(), answer), (CONTEXT.to_owned(), context)]),
        ..questioning.header(data, n_questions)
    })
}
