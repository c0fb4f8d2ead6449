//! Answers by a reader, and verdicts by a judge: `bygone eval … --reader MODEL`.
//!
//! This is the only file of the command that reads a key from the environment, and the clock.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bygone_engine::embed::{ApiKey, Caller, Service};
use bygone_eval::metric::Scores;
use bygone_eval::qa::report::{Abstention, name};
use bygone_eval::qa::{
    Answers, Budget, Calls, Dataset, Estimate, Model, OWN, Price, Questioning, Reader, Report, Role, Voice,
    estimate, evaluate,
};
use bygone_eval::retrieval::{Plan, Progress};
use serde_json::Value;

use super::{Options, intervals, mean, once, remark_on_left};
use crate::bar::Bar;
use crate::failure::{Exit, Failure};
use crate::output::{Output, count};
use crate::session::Context;
use crate::table::{Cell, one_line};

/// The reader that is no model.
const ASK: &str = "ask";

#[derive(clap::Args)]
pub(super) struct Models {
    /// Instead have questions answered: by a model that reads what is found, or, for "ask", as `bygone ask` does
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["answers", "details"])]
    reader: Option<String>,
    /// Have this model say which answers are right
    #[arg(long, value_name = "MODEL", requires = "reader")]
    judge: Option<String>,
    /// Where models are asked: what stands before /v1/chat/completions
    #[arg(long, value_name = "URL", requires = "reader")]
    endpoint: Option<String>,
    /// Where the judge is asked [default: as the reader]
    #[arg(long, value_name = "URL", requires = "judge")]
    judge_endpoint: Option<String>,
    /// The variable of the environment that holds the key of the endpoint
    #[arg(long, value_name = "NAME", requires = "reader")]
    key_env: Option<String>,
    /// The one that holds the key of the judge's endpoint [default: as the reader's, at the same endpoint]
    #[arg(long, value_name = "NAME", requires = "judge")]
    judge_key_env: Option<String>,
    /// How freely models choose their words
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, value_parser = temperature)]
    temperature: f64,
    /// What the choices of models start from, where a service heeds that
    #[arg(long, value_name = "N", requires = "reader")]
    model_seed: Option<u64>,
    /// The most tokens of an answer; one that is cut off there is an error
    #[arg(long, value_name = "N", default_value = "512")]
    max_tokens: NonZeroU32,
    /// What a million tokens of the reader cost: asked, and answered
    #[arg(long, value_name = "IN/OUT", value_parser = price, requires = "reader")]
    price: Option<Price>,
    /// What a million tokens of the judge cost [default: as the reader's]
    #[arg(long, value_name = "IN/OUT", value_parser = price, requires = "judge")]
    judge_price: Option<Price>,
    /// The most tokens of what was found that the reader is given
    #[arg(long, value_name = "TOKENS", default_value = "4000")]
    context: NonZeroUsize,
    /// How many questions are put at a time
    #[arg(long, value_name = "N", default_value = "4")]
    concurrency: NonZeroUsize,
    /// How often a question is asked at most while its trouble may pass
    #[arg(long, value_name = "N", default_value = "5")]
    attempts: NonZeroU32,
    /// How long one attempt may take, in seconds
    #[arg(long, value_name = "N", default_value = "120")]
    timeout: NonZeroU32,
    /// Record every call in a file, and ask nothing again that it holds
    #[arg(long, value_name = "FILE", requires = "reader")]
    calls: Option<PathBuf>,
    /// Ask nobody: take recorded calls only
    #[arg(long, requires = "calls")]
    replay: bool,
    /// The most tokens that may be asked and answered
    #[arg(long, value_name = "TOKENS", requires = "reader")]
    budget: Option<u64>,
    /// The most that calls may cost, by --price
    #[arg(long, value_name = "MONEY", requires = "price", value_parser = money)]
    budget_money: Option<f64>,
    /// Ask nobody, and say what it would take at most
    #[arg(long, requires = "reader")]
    dry_run: bool,
}

fn temperature(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    let number = number.filter(|number| (0.0..=2.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 2".to_owned())
}

fn money(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number.filter(|number| number.is_finite() && *number >= 0.0).ok_or_else(|| "expected a number".to_owned())
}

fn price(text: &str) -> Result<Price, String> {
    let (prompt, completion) = text.split_once('/').ok_or("expected two numbers, as in 0.15/0.60")?;
    Ok(Price { prompt: money(prompt)?, completion: money(completion)? })
}

impl Models {
    /// Says whether questions are to be answered.
    pub(super) const fn is_asked(&self) -> bool {
        self.reader.is_some()
    }

    /// Has the questions of a file answered, and prints what came of them.
    pub(super) fn execute(
        &self,
        options: &Options,
        dataset: Dataset,
        context: Context<'_>,
    ) -> Result<Exit, Failure> {
        let (vectors, is_watched) = (context.vector_mode(), context.is_watched());
        let Context { session, mut output, .. } = context;
        let plan = options.plan(vectors, session.stop_flag())?;
        let names_systems = !options.system.is_empty();
        let reader_name = self.reader.as_deref().unwrap_or(ASK);
        let reader = (reader_name != ASK).then(|| self.voice(Role::Reader, reader_name)).transpose()?;
        let judge = self.judge.as_deref().map(|name| self.voice(Role::Judge, name)).transpose()?;
        let start = Instant::now();
        let elapsed = || -> Duration { start.elapsed() };
        let budget = Budget { tokens: self.budget, money: self.budget_money };
        let calls = Calls::open(self.calls.as_deref(), budget, &elapsed)?;
        if reader.is_none() && names_systems {
            return Err(Failure::Usage(format!("--reader {ASK} finds for itself: expected no --system")));
        }
        // Calls cost, so that baselines are asked for by name.
        let systems = if names_systems { plan.systems } else { &plan.systems[..1] };
        let questioning = Questioning {
            plan: Plan { systems, ..plan },
            dataset,
            reader: reader.as_ref().map_or(Reader::Own, Reader::Model),
            judge: judge.as_ref(),
            calls: &calls,
            context_tokens: self.context.get(),
            concurrency: self.concurrency,
        };
        let mut bar = None;
        let mut show = |Progress { questions, of }| {
            let new = || Bar::of_questions(of as u64, questions as u64, is_watched);
            bar.get_or_insert_with(new).show_questions(questions as u64);
        };
        if self.dry_run {
            let estimate = estimate(&options.path, &questioning, &mut show)?;
            drop(bar);
            print_estimate(&estimate, &mut output)?;
            return Ok(Exit::Done);
        }
        let report = evaluate(&options.path, &questioning, &mut show)?;
        drop(bar);
        if output.json {
            for row in report.rows() {
                output.row(&row)?;
            }
        } else {
            print(&report, &mut output)?;
        }
        remark_on_left(&report.ledger, &mut output)?;
        Ok(if report.lines.is_empty() { Exit::No } else { Exit::Done })
    }

    /// Returns a model in a role.
    fn voice(&self, role: Role, name: &str) -> Result<Voice, Failure> {
        let is_judge = role == Role::Judge;
        let own = |endpoint: &Option<String>| if is_judge { endpoint.clone() } else { None };
        let base = own(&self.judge_endpoint).or_else(|| self.endpoint.clone());
        let Some(base) = base else {
            let what = format!("the {} {name:?} is asked somewhere: expected --endpoint URL", role.name());
            return Err(Failure::Usage(what));
        };
        // A key is for whom it was given, and no one else.
        let shares_key = !is_judge || self.judge_endpoint.is_none();
        let key_env = own(&self.judge_key_env).or_else(|| self.key_env.clone().filter(|_| shares_key));
        let mut service = Service::new(base);
        service.key = key_env.as_deref().map(key).transpose()?;
        service.attempts = self.attempts.get();
        service.timeout = Duration::from_secs(self.timeout.get().into());
        let caller = Caller::new(service, Box::new(std::thread::sleep));
        let caller = caller.map_err(|error| Failure::Usage(one_line(&error.to_string())))?;
        let price = if is_judge { self.judge_price.or(self.price) } else { self.price };
        let model = Model {
            name: name.to_owned(),
            temperature: self.temperature,
            seed: self.model_seed,
            max_tokens: self.max_tokens.get(),
            price: price.unwrap_or_default(),
        };
        let base = caller.base().to_owned();
        Ok(Voice { role, model, base, caller: (!self.replay && !self.dry_run).then_some(caller) })
    }
}

/// Returns the key that a variable holds. A name that is none may be a key given by mistake, and is not repeated.
fn key(name: &str) -> Result<ApiKey, Failure> {
    let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    if name.is_empty() || !name.bytes().all(fits) {
        let expected = "expected --key-env to be the name of a variable, in capitals, digits and underscores";
        return Err(Failure::Usage(expected.to_owned()));
    }
    let key = std::env::var(name).ok().filter(|key| !key.is_empty());
    key.map(ApiKey::new)
        .ok_or_else(|| Failure::Usage(format!("expected the variable {name} to hold the key")))
}

fn print_estimate(estimate: &Estimate, output: &mut Output<'_>) -> Result<(), Failure> {
    if output.json {
        return output.row(&estimate.to_json());
    }
    let Estimate { questions, calls, recorded, usage, money } = estimate;
    output.line(format!("{}: {} at most", count(*questions as u64, "question"), count(*calls, "call")))?;
    output.line(format!("{} asked, {} answered at most", count(usage.prompt, "token"), usage.completion))?;
    output.line(format!("{money:.2} to pay at most, by --price"))?;
    if *recorded > 0 {
        output.line(format!("{} recorded, and not asked again", count(*recorded, "call")))?;
    }
    Ok(())
}

fn print(report: &Report, output: &mut Output<'_>) -> Result<(), Failure> {
    let header = &report.header;
    let model = |described: Option<&Value>| name(described).as_str().map(one_line);
    let (reader, judge) = (model(header.reader.as_ref()), model(header.judge.as_ref()));
    let questions = count(header.questions as u64, "question");
    let reader = reader.unwrap_or_else(|| OWN.to_owned());
    let judged = judge.as_ref().map_or_else(|| "not judged".to_owned(), |judge| format!("judged by {judge}"));
    output.line(format!("{}: {questions} answered by {reader}, {judged}", header.dataset))?;
    let right = judge.as_ref().map(|judge| format!("right ({judge})"));
    let heads = ["", "questions", "system"].map(str::to_owned).into_iter().chain(right.clone());
    let heads = heads.chain(["F1 (words)", "evidence there", "tokens"].map(str::to_owned));
    let mut rows: Vec<Vec<Cell>> = vec![heads.map(Cell::from).collect()];
    let answers: Vec<(&String, Answers<'_>)> =
        header.systems.iter().map(|system| (system, Answers::of(header, &report.lines, system))).collect();
    let kinds = answers.first().map(|(_, answers)| answers.kinds()).unwrap_or_default();
    for kind in std::iter::once(None).chain(kinds.into_iter().map(Some)) {
        for (index, (system, answers)) in answers.iter().enumerate() {
            let scores = answers.scores("answer", kind, false);
            let found = answers.scores("context", kind, false);
            let what = match kind {
                None => Cell::strong(once(index, "all".to_owned())),
                Some(kind) => Cell::from(once(index, format!("  {kind}"))),
            };
            let n_questions = once(index, scores.n_questions().to_string());
            let mut row = vec![what, Cell::from(n_questions), Cell::from((*system).clone())];
            row.extend(judge.as_ref().map(|_| mean(scores.mean("right"))));
            row.extend([
                mean(scores.mean("f1")),
                mean(found.mean("sufficient")),
                whole(&scores, "context_tokens"),
            ]);
            rows.push(row);
        }
    }
    output.table(&rows)?;
    output.line("")?;
    output.line("Intervals of 95 %, and whether it is said that there is no answer")?;
    let heads = std::iter::once("system".to_owned()).chain(right);
    let heads = heads.chain(["F1 (words)", "said", "due", "precision", "recall"].map(str::to_owned));
    let mut rows: Vec<Vec<Cell>> = vec![heads.map(Cell::from).collect()];
    for (system, answers) in &answers {
        let scores = answers.scores("answer", None, false);
        let names: Vec<String> = judge.iter().map(|_| "right").chain(["f1"]).map(str::to_owned).collect();
        let abstention = answers.abstention();
        let Abstention { abstained, due, .. } = abstention;
        let mut row = vec![Cell::from((*system).clone())];
        row.extend(intervals(&scores, &names, header.seed));
        row.extend([abstained, due].map(|number| Cell::from(number.to_string())));
        row.extend([abstention.precision(), abstention.recall()].map(mean));
        rows.push(row);
    }
    output.table(&rows)?;
    for (system, answers) in &answers {
        if answers.n_unjudged() > 0 {
            let unjudged = count(answers.n_unjudged() as u64, "verdict");
            output.line(format!("{system}: {unjudged} neither yes nor no, and counted as wrong"))?;
        }
    }
    let spent = report.spent;
    let (calls, replayed) = (count(spent.calls, "call"), spent.replayed);
    let tokens = count(spent.usage.total(), "token");
    output.remark(format!("{calls}, {tokens}, {:.2} to pay; {replayed} recorded before", spent.money))
}

/// Returns the cell of a mean without decimals.
fn whole(scores: &Scores, name: &str) -> Cell {
    scores.mean(name).map_or_else(|| Cell::faint("–"), |mean| Cell::from(format!("{mean:.0}")))
}
