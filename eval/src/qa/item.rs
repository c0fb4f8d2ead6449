//! A question as it is put to a reader, with what it takes to score the answer.

use std::collections::BTreeMap;

use super::context::context;
use super::evaluate::{Questioning, Reader};
use super::prompt::{Prompt, READER};
use crate::dataset::locomo::Category;
use crate::dataset::{Conversation, Unit};
use crate::error::EvalError;
use crate::metric::recall::{all, fraction};
use crate::metric::{Ranks, WHOLE, answer};
use crate::real::real;
use crate::retrieval::asking::Opened;
use crate::retrieval::system::{Ingested, ingested};
use crate::retrieval::{Asked, Gives, System};
use crate::run::Part;
use crate::run::line::DEPTH;

/// The part of a line that says whether the evidence is in the context.
pub(crate) const CONTEXT: &str = "context";
/// The part that says whether the answer is right.
pub(crate) const ANSWER: &str = "answer";
/// What `bygone ask` says, for the rules, where it has no answer.
const NO_ANSWER: &str = "Not mentioned.";

/// A question, ready to be put to a reader.
pub(super) struct Item {
    pub(super) id: String,
    pub(super) system: &'static str,
    pub(super) kind: String,
    pub(super) question: String,
    /// The right answer, as the data set words it.
    pub(super) right: String,
    /// Whether the right answer is that there is none.
    pub(super) is_unanswerable: bool,
    /// By which rules words are compared.
    pub(super) rule: Rule,
    /// What a judge is told; none where the rules alone say what is right.
    pub(super) judged_by: Option<Prompt>,
    pub(super) task: Reading,
    /// Whether the evidence is in the context; none where there is no evidence, or no context.
    pub(super) context: Option<Part>,
}

/// What is to be read, or what was answered without reading.
pub(super) enum Reading {
    Prompt { text: String, context_tokens: usize },
    Answered(String),
}

/// How words are compared with those of the right answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// As LoCoMo's authors do.
    Locomo(Category),
    /// By the words alone; of what cannot be answered, whether the answer says so.
    Words,
}

impl Item {
    /// Scores an answer by its words.
    pub(super) fn f1(&self, said: &str) -> f64 {
        match self.rule {
            Rule::Locomo(category) => answer::locomo(category, said, &self.right),
            Rule::Words if self.is_unanswerable => f64::from(answer::abstains(said)),
            Rule::Words => answer::f1(said, &self.right),
        }
    }
}

/// What answers questions about one conversation: a system that finds turns and a prompt, or `bygone ask`.
pub(super) enum Source<'a> {
    Found { opened: Opened<'a>, system: &'static System },
    Own(Option<Box<Ingested>>),
}

/// A conversation with what the data set calls its turns.
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    pub(super) conversation: &'a Conversation,
    pub(super) labels: &'a [String],
}

impl<'a> Source<'a> {
    pub(super) fn new(told: Told<'a>, system: &'static System, questioning: &Questioning<'_>) -> Source<'a> {
        match questioning.reader {
            Reader::Own => Source::Own(None),
            Reader::Model(_) => {
                let opened = Opened::new(system, told.conversation, questioning.plan.vectors);
                Source::Found { opened, system }
            }
        }
    }

    /// Makes what is to be read, and says whether the evidence is in it.
    ///
    /// # Errors
    /// [`EvalError`] where the system cannot be asked.
    pub(super) fn reading(
        &mut self,
        told: Told<'_>,
        asked: &Asked<'_>,
        evidence: &[Unit],
        questioning: &Questioning<'_>,
    ) -> Result<(Reading, Option<Part>), EvalError> {
        match self {
            Source::Own(read) => {
                let read = match read {
                    Some(read) => read,
                    None => read.insert(Box::new(ingested(told.conversation, questioning.plan.vectors)?)),
                };
                let answer = read.answer(asked)?.filter(|answer| answer.known);
                let text = answer.map_or_else(|| NO_ANSWER.to_owned(), |answer| answer.answer);
                Ok((Reading::Answered(text), None))
            }
            Source::Found { opened, system } => {
                let ranked = opened.rank(asked)?.turns;
                let budget = match system.gives {
                    Gives::Ranking => questioning.context_tokens,
                    Gives::Everything => usize::MAX,
                };
                let context = context(told.conversation, &ranked, budget);
                let part =
                    (!evidence.is_empty()).then(|| part(told.labels, system, evidence, &context.turns));
                let now = asked.now.to_rfc3339();
                let now = now.get(..16).unwrap_or(&now).replace('T', " ");
                let values = [("context", &*context.text), ("now", &now), ("question", asked.text)];
                let text = READER.fill(&values);
                Ok((Reading::Prompt { text, context_tokens: context.tokens }, part))
            }
        }
    }
}

fn part(labels: &[String], system: &System, evidence: &[Unit], turns: &[usize]) -> Part {
    let ranks = Ranks::of(evidence, turns);
    let label = |turn: &usize| labels[*turn].clone();
    let n_written = if system.gives == Gives::Everything { 0 } else { DEPTH };
    Part {
        needed: evidence.iter().map(|unit| unit.documents.iter().map(label).collect()).collect(),
        ranked: turns.iter().take(n_written).map(label).collect(),
        ranks: ranks.units().to_vec(),
        scores: BTreeMap::from([
            ("recall".to_owned(), fraction(&ranks, WHOLE)),
            ("sufficient".to_owned(), all(&ranks, WHOLE)),
            ("turns".to_owned(), real(turns.len())),
        ]),
    }
}
