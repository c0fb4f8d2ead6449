//! Puts questions to a reader and its answers to a judge, several at a time, and scores them.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::calls::{Call, Calls, Voice};
use super::chat::Usage;
use super::item::{ANSWER, CONTEXT, Item, Reading};
use super::judge::{asked, control, controls, verdict};
use super::prompt::{self, Prompt};
use super::report::Report;
use super::{locomo, longmemeval};
use crate::dataset::Ledger;
use crate::dataset::file::Data;
use crate::error::EvalError;
use crate::metric::answer::abstains;
use crate::real::{real, rounded};
use crate::retrieval::{Plan, Progress};
use crate::run::file::Kept;
use crate::run::line::{Answered, Asking};
use crate::run::{Header, Line, Part, Run, Task};

/// The prompts by which LoCoMo's answers are judged.
const OF_LOCOMO: &[Prompt] = &[prompt::CONVERSATION];
/// Those by which LongMemEval's are.
const OF_LONGMEMEVAL: &[Prompt] =
    &[prompt::FACT, prompt::TEMPORAL, prompt::UPDATE, prompt::PREFERENCE, prompt::UNANSWERABLE];
/// How many questions are held for each that is put at a time.
const HELD: usize = 8;

/// Whose questions are put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dataset {
    /// LoCoMo.
    Locomo,
    /// LongMemEval.
    Longmemeval,
}

/// Who reads.
#[derive(Clone, Copy)]
pub enum Reader<'a> {
    /// `bygone ask`, which finds for itself.
    Own,
    /// A model, which is given what a system found.
    Model(&'a Voice),
}

/// How questions are put and answers judged.
#[derive(Clone, Copy)]
pub struct Questioning<'a> {
    /// Which questions, and who finds.
    pub plan: Plan<'a>,
    /// Whose they are.
    pub dataset: Dataset,
    /// Who reads.
    pub reader: Reader<'a>,
    /// Who judges, if anybody; else there are the rules alone.
    pub judge: Option<&'a Voice>,
    /// How models are called.
    pub calls: &'a Calls<'a>,
    /// The most tokens of what was found that a reader is given, by our own count.
    pub context_tokens: usize,
    /// How many questions are put at a time.
    pub concurrency: NonZeroUsize,
}

/// A question that is to be put, or what came of it before.
pub(super) enum Hand {
    New(Box<Item>),
    Kept(Box<Line>),
}

/// The most that putting all questions may take, by our own count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// How many questions.
    pub questions: usize,
    /// How many calls of services.
    pub calls: u64,
    /// How many that are recorded.
    pub recorded: u64,
    /// The tokens of the former.
    pub usage: Usage,
    /// What they cost.
    pub money: f64,
}

impl Questioning<'_> {
    fn prompts(&self) -> &'static [Prompt] {
        match self.dataset {
            Dataset::Locomo => OF_LOCOMO,
            Dataset::Longmemeval => OF_LONGMEMEVAL,
        }
    }

    /// Returns the header of a run, without what the data set decides.
    pub(super) fn header(&self, data: Data, n_questions: usize) -> Header {
        let versions = |prompts: &[Prompt]| -> BTreeMap<&str, String> {
            prompts.iter().map(|prompt| (prompt.name, prompt.hash())).collect()
        };
        let described = |Voice { model, base, .. }: &Voice, prompts: &[Prompt]| {
            json!({
                "model": model.name, "base": base, "temperature": model.temperature, "seed": model.seed,
                "max_tokens": model.max_tokens, "prompts": versions(prompts),
                "price": [model.price.prompt, model.price.completion],
            })
        };
        let mut header = self.plan.header(Task::Answers, data, n_questions);
        header.reader = Some(match self.reader {
            Reader::Own => json!({ "model": OWN }),
            Reader::Model(voice) => {
                header.settings.insert("context_tokens".to_owned(), json!(self.context_tokens));
                described(voice, &[prompt::READER])
            }
        });
        header.judge = self.judge.map(|voice| described(voice, self.prompts()));
        header
    }

    fn read(&self, path: &Path) -> Result<Header, EvalError> {
        match self.dataset {
            Dataset::Locomo => locomo::header(path, self),
            Dataset::Longmemeval => longmemeval::header(path, self),
        }
    }

    fn items(
        &self,
        path: &Path,
        kept: &Kept,
        hand_on: &mut dyn FnMut(Hand) -> Result<(), EvalError>,
    ) -> Result<Ledger, EvalError> {
        match self.dataset {
            Dataset::Locomo => locomo::items(path, self, kept, hand_on),
            Dataset::Longmemeval => longmemeval::items(path, self, kept, hand_on),
        }
    }
}

/// The name of the reader that is no model.
pub const OWN: &str = "bygone ask";

/// Puts the questions of a file, and returns what came of them.
///
/// # Errors
/// [`EvalError`] where the file is not that of the data set, the run file that of another run, a model does not answer, or
/// the judge is none. What was answered by then is kept.
pub fn evaluate(
    path: &Path,
    questioning: &Questioning<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Report, EvalError> {
    let Questioning { plan, concurrency, .. } = *questioning;
    let header = questioning.read(path)?;
    let mut run = plan.out.map_or_else(|| Ok(Run::nowhere()), |out| Run::open(out, &header))?;
    let n_systems = plan.systems.len().max(1);
    let (of, n_kept) = (header.questions, run.n_kept() / n_systems);
    progress(Progress { questions: n_kept, of });
    let n_controls = match questioning.judge {
        Some(judge) if run.n_kept() < of * n_systems => {
            control(questioning.calls, judge, questioning.prompts())?
        }
        _ => 0,
    };
    let mut lines: Vec<Line> = Vec::new();
    let (kept, written) = run.parts();
    let mut held: Vec<Hand> = Vec::new();
    let mut put = |held: &mut Vec<Hand>| -> Result<(), EvalError> {
        for line in put_all(std::mem::take(held), questioning) {
            let line = line?;
            written.put(&line)?;
            lines.push(line);
            progress(Progress { questions: (lines.len() / n_systems).max(n_kept), of });
        }
        Ok(())
    };
    let ledger = questioning.items(path, kept, &mut |hand| {
        held.push(hand);
        if held.len() >= concurrency.get() * HELD { put(&mut held) } else { Ok(()) }
    })?;
    put(&mut held)?;
    written.end()?;
    Ok(Report { header, lines, ledger, spent: questioning.calls.spent(), n_controls })
}

/// Says what [`evaluate`] may take at most. Nobody is asked.
///
/// # Errors
/// [`EvalError`] where the file is not that of the data set, or cannot be recorded.
pub fn estimate(
    path: &Path,
    questioning: &Questioning<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Estimate, EvalError> {
    let header = questioning.read(path)?;
    let run = questioning.plan.out.filter(|out| out.exists());
    let mut run = run.map_or_else(|| Ok(Run::nowhere()), |out| Run::open(out, &header))?;
    let mut estimate = Estimate::default();
    let mut count = |voice: &Voice, prompt: &str, more: u64| {
        if questioning.calls.is_known(voice, prompt) {
            estimate.recorded += 1;
            return;
        }
        let at_most = voice.model.at_most(prompt).with(Usage { prompt: more, completion: 0 });
        estimate.calls += 1;
        estimate.usage = estimate.usage.with(at_most);
        estimate.money += voice.model.price.of(at_most);
    };
    if let Some(judge) = questioning.judge {
        controls(questioning.prompts()).for_each(|prompt| count(judge, &prompt, 0));
    }
    let mut n_hands = 0;
    let (kept, _) = run.parts();
    questioning.items(path, kept, &mut |hand| {
        n_hands += 1;
        progress(Progress {
            questions: n_hands / questioning.plan.systems.len().max(1),
            of: header.questions,
        });
        let Hand::New(item) = hand else { return Ok(()) };
        let mut n_answer = 0;
        if let (Reader::Model(reader), Reading::Prompt { text, .. }) = (questioning.reader, &item.task) {
            count(reader, text, 0);
            n_answer = reader.model.max_tokens.into();
        }
        if let (Some(judge), Some(prompt)) = (questioning.judge, item.judged_by) {
            count(judge, &asked(prompt, &item.question, &item.right, ""), n_answer);
        }
        Ok(())
    })?;
    Ok(Estimate { questions: header.questions, ..estimate })
}

/// Puts questions, several at a time; what came of them comes back in order, up to the first that failed.
fn put_all(hands: Vec<Hand>, questioning: &Questioning<'_>) -> Vec<Result<Line, EvalError>> {
    let n_hands = hands.len();
    let hands: Vec<Mutex<Option<Hand>>> = hands.into_iter().map(|hand| Mutex::new(Some(hand))).collect();
    let lines: Vec<Mutex<Option<Result<Line, EvalError>>>> = (0..n_hands).map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let take = |hand: &Mutex<Option<Hand>>| hand.lock().unwrap_or_else(PoisonError::into_inner).take();
    std::thread::scope(|scope| {
        for _ in 0..questioning.concurrency.get().min(n_hands) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::SeqCst);
                    let Some(hand) = hands.get(index).and_then(take) else { break };
                    let line = match hand {
                        Hand::Kept(line) => Ok(*line),
                        Hand::New(item) => answer(*item, questioning),
                    };
                    if line.is_err() {
                        // What is under way is finished, and nothing more begun.
                        next.store(n_hands, Ordering::SeqCst);
                    }
                    *lines[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(line);
                }
            });
        }
    });
    lines.into_iter().map_while(|line| line.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// Puts one question.
fn answer(item: Item, questioning: &Questioning<'_>) -> Result<Line, EvalError> {
    questioning.plan.go_on()?;
    let calls = questioning.calls;
    let (said, read, context_tokens) = match (&item.task, questioning.reader) {
        (Reading::Answered(text), _) | (Reading::Prompt { text, .. }, Reader::Own) => (text.clone(), None, 0),
        (Reading::Prompt { text, context_tokens }, Reader::Model(reader)) => {
            let call = calls.ask(reader, text)?;
            (call.said.text.clone(), Some(asking(&call)), *context_tokens)
        }
    };
    let f1 = item.f1(&said);
    let mut scores =
        BTreeMap::from([("context_tokens".to_owned(), real(context_tokens)), ("f1".to_owned(), f1)]);
    let mut answered = Answered {
        right: item.right.clone(),
        said: said.clone(),
        abstains: abstains(&said),
        unanswerable: item.is_unanswerable,
        judged_by: None,
        verdict: None,
        judge_said: None,
        reader: read,
        judge: None,
    };
    if let Some(judge) = questioning.judge {
        if let Some(prompt) = item.judged_by {
            let call = calls.ask(judge, &asked(prompt, &item.question, &item.right, &said))?;
            answered.verdict = verdict(&call.said.text);
            answered.judged_by = Some(format!("{} by {}", judge.model.name, prompt.name));
            answered.judge = Some(asking(&call));
            answered.judge_said = Some(call.said.text);
        } else {
            answered.verdict = Some(f1 > 0.5);
            answered.judged_by = Some("the rule of the data set".to_owned());
        }
        scores.insert("right".to_owned(), f64::from(answered.verdict == Some(true)));
    }
    let part = Part { needed: Vec::new(), ranked: Vec::new(), ranks: Vec::new(), scores };
    let mut parts = BTreeMap::from([(ANSWER.to_owned(), part)]);
    parts.extend(item.context.map(|context| (CONTEXT.to_owned(), context)));
    Ok(Line {
        id: item.id,
        system: item.system.to_owned(),
        kind: item.kind,
        question: item.question,
        parts,
        answered: Some(answered),
    })
}

fn asking(call: &Call) -> Asking {
    let Usage { prompt, completion } = call.said.usage;
    Asking { prompt_tokens: prompt, completion_tokens: completion, latency_ms: call.latency_ms }
}

impl Estimate {
    /// Returns the row, keys sorted.
    pub fn to_json(&self) -> Value {
        let Estimate { questions, calls, recorded, usage, money } = self;
        json!({
            "questions": questions, "calls": calls, "recorded": recorded, "prompt_tokens": usage.prompt,
            "completion_tokens_at_most": usage.completion, "money_at_most": rounded(*money),
        })
    }
}
