//! LoCoMo's questions, all of them: those of categories 1 to 4 are judged, those of category 5 are right where the answer is
//! that there is none.

use std::collections::BTreeMap;
use std::path::Path;

use super::evaluate::{Hand, Questioning};
use super::item::{ANSWER, CONTEXT, Item, Rule, Source, Told};
use super::prompt;
use crate::dataset::Ledger;
use crate::dataset::errata::Errata;
use crate::dataset::file::identify;
use crate::dataset::locomo::{Category, Sample, samples};
use crate::error::EvalError;
use crate::retrieval::locomo::COUNTED;
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
        &mut samples(path, plan.n_questions, &mut Errata::default(), &mut ledger),
        &|sample| of_sample(&sample, questioning, kept),
        &mut |hands| hands.into_iter().try_for_each(&mut *hand_on),
    )?;
    Ok(ledger)
}

fn of_sample(sample: &Sample, questioning: &Questioning<'_>, kept: &Kept) -> Result<Vec<Hand>, EvalError> {
    let mut hands = Vec::new();
    // The data set does not say when it is asked: after all was said.
    let Some(now) = sample.conversation.turns.iter().map(|turn| turn.time).max() else {
        return Ok(hands);
    };
    let told = Told { conversation: &sample.conversation, labels: &sample.labels };
    let systems = questioning.plan.systems;
    let mut sources: Vec<Source<'_>> =
        systems.iter().map(|system| Source::new(told, system, questioning)).collect();
    for question in sample.all_questions() {
        for (system, source) in systems.iter().zip(&mut sources) {
            questioning.plan.go_on()?;
            let id = format!("{}#{}", sample.id, question.index);
            if let Some(line) = kept.line(&id, system.name) {
                hands.push(Hand::Kept(Box::new(line.clone())));
                continue;
            }
            let asked = Asked { text: &question.text, now, known: now };
            let (task, context) = source.reading(told, &asked, &question.evidence, questioning)?;
            let is_unanswerable = question.category == Category::Adversarial;
            hands.push(Hand::New(Box::new(Item {
                id,
                system: system.name,
                kind: question.category.name().to_owned(),
                question: question.text.clone(),
                right: question.answer.clone().unwrap_or_default(),
                is_unanswerable,
                rule: Rule::Locomo(question.category),
                judged_by: (!is_unanswerable).then_some(prompt::CONVERSATION),
                task,
                context,
            })));
        }
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
        &mut samples(path, plan.n_questions, &mut Errata::default(), &mut Ledger::default()),
        &|sample| plan.go_on().map(|()| sample.all_questions().count()),
        &mut |of_sample| {
            n_questions += of_sample;
            Ok(())
        },
    )?;
    let measured = |population: &str| Measured {
        granularity: "turn".to_owned(),
        roles: vec!["both speakers".to_owned()],
        population: population.to_owned(),
    };
    let answer = measured("all questions; counted together are categories 1 to 4");
    let context = measured("questions with evidence; counted together are categories 1 to 4");
    Ok(Header {
        dataset: "locomo".to_owned(),
        counted: Some(COUNTED.iter().map(|category| category.name().to_owned()).collect()),
        parts: BTreeMap::from([(ANSWER.to_owned(), answer), (CONTEXT.to_owned(), context)]),
        ..questioning.header(data, n_questions)
    })
}
