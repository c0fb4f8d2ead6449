//! What answers came to, as rows.
//!
//! Invariant: a share of right answers stands beside the name of the judge.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::calls::Spent;
use super::chat::{Price, Usage};
use super::item::{ANSWER, CONTEXT};
use crate::dataset::Ledger;
use crate::metric::Scores;
use crate::real::{real, rounded};
use crate::run::line::{Answered, Asking};
use crate::run::{Header, Line};

/// What answers came to.
#[derive(Clone, Debug)]
pub struct Report {
    /// Which run it is.
    pub header: Header,
    /// What came of each question, by each system.
    pub lines: Vec<Line>,
    /// What was left out or set right.
    pub ledger: Ledger,
    /// What calls came to in this process.
    pub spent: Spent,
    /// How many plain answers the judge was controlled with in this process.
    pub n_controls: usize,
}

/// What the answers of one system came to.
#[derive(Clone, Debug)]
pub struct Answers<'a> {
    header: &'a Header,
    lines: Vec<&'a Line>,
}

/// How well it is told that there is no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abstention {
    /// Answers that there is none.
    pub abstained: usize,
    /// Questions that have none.
    pub due: usize,
    /// Both.
    pub both: usize,
}

impl Abstention {
    /// Returns the share of the answers that there is none which are right.
    pub fn precision(self) -> Option<f64> {
        (self.abstained > 0).then(|| real(self.both) / real(self.abstained))
    }

    /// Returns the share of the questions without an answer of which that is said.
    pub fn recall(self) -> Option<f64> {
        (self.due > 0).then(|| real(self.both) / real(self.due))
    }
}

impl<'a> Answers<'a> {
    /// Takes the answers of a system.
    pub fn of(header: &'a Header, lines: &'a [Line], system: &str) -> Answers<'a> {
        Answers { header, lines: lines.iter().filter(|line| line.system == system).collect() }
    }

    /// Returns the types of the questions, in order.
    pub fn kinds(&self) -> BTreeSet<&'a str> {
        self.lines.iter().map(|line| &*line.kind).collect()
    }

    /// Returns the scores of the questions of one type, or of all that are counted together: of the answers, or of the
    /// contexts, of those that have one; where `is_sufficient`, of the answers to contexts that hold all of the evidence.
    pub fn scores(&self, part: &str, kind: Option<&str>, is_sufficient: bool) -> Scores {
        let is_asked = |line: &&&Line| match kind {
            Some(kind) => line.kind == kind,
            None => self.header.counts(&line.kind),
        };
        let is_full = |line: &Line| {
            line.parts
                .get(CONTEXT)
                .and_then(|part| part.scores.get("sufficient"))
                .is_some_and(|share| *share >= 1.0)
        };
        let lines = self.lines.iter().filter(is_asked).filter(|line| !is_sufficient || is_full(line));
        let parts: Vec<_> = lines.filter_map(|line| line.parts.get(part)).collect();
        let names =
            parts.first().map(|part| part.scores.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
        let mut scores = Scores::new(names);
        for part in parts {
            scores.add(&part.scores);
        }
        scores
    }

    /// Counts the answers that there is none, of all questions.
    pub fn abstention(&self) -> Abstention {
        let count = |is_so: fn(&Answered) -> bool| self.answered().filter(|one| is_so(one)).count();
        Abstention {
            abstained: count(|one| one.abstains),
            due: count(|one| one.unanswerable),
            both: count(|one| one.abstains && one.unanswerable),
        }
    }

    /// Counts the answers of which the judge said neither yes nor no: they count as wrong.
    pub fn n_unjudged(&self) -> usize {
        self.answered().filter(|one| one.judged_by.is_some() && one.verdict.is_none()).count()
    }

    /// Returns what calls took: how many, their tokens, what they cost, and the median and the 95th percentile of how long
    /// they took.
    fn calls(&self, of: fn(&Answered) -> Option<&Asking>, voice: Option<&Value>) -> Value {
        let asked: Vec<&Asking> = self.answered().filter_map(of).collect();
        let usage = asked.iter().fold(Usage::default(), |sum, one| {
            sum.with(Usage { prompt: one.prompt_tokens, completion: one.completion_tokens })
        });
        let price = |at: usize| voice.and_then(|voice| voice["price"][at].as_f64()).unwrap_or_default();
        let money = Price { prompt: price(0), completion: price(1) }.of(usage);
        let mut latencies: Vec<u64> = asked.iter().map(|one| one.latency_ms).collect();
        latencies.sort_unstable();
        // The least that so many of a hundred do not exceed.
        let percentile = |share: usize| {
            let place = (latencies.len() * share).div_ceil(100).saturating_sub(1);
            latencies.get(place).copied()
        };
        json!({
            "calls": asked.len(), "prompt_tokens": usage.prompt, "completion_tokens": usage.completion,
            "money": rounded(money), "latency_ms": { "p50": percentile(50), "p95": percentile(95) },
        })
    }

    fn answered(&self) -> impl Iterator<Item = &'a Answered> {
        self.lines.iter().filter_map(|line| line.answered.as_ref())
    }

    /// Returns the members of a row.
    fn members(&self) -> Map<String, Value> {
        let seed = self.header.seed;
        let of = |part: &str, kind: Option<&str>, is_sufficient| {
            let scores = self.scores(part, kind, is_sufficient);
            let mut members = scores.members();
            members.insert("questions".to_owned(), json!(scores.n_questions()));
            members.insert("intervals".to_owned(), Value::Object(scores.interval_members(seed)));
            Value::Object(members)
        };
        let by_type = self.kinds().into_iter().map(|kind| (kind.to_owned(), of(ANSWER, Some(kind), false)));
        let by_type: Map<String, Value> = by_type.collect();
        let abstention = self.abstention();
        let Abstention { abstained, due, .. } = abstention;
        let [precision, recall] =
            [abstention.precision(), abstention.recall()].map(|share| share.map(rounded));
        let mut members = match of(ANSWER, None, false) {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        members.insert("by_type".to_owned(), Value::Object(by_type));
        members.insert("context".to_owned(), of(CONTEXT, None, false));
        members.insert("when_sufficient".to_owned(), of(ANSWER, None, true));
        let abstention =
            json!({ "abstained": abstained, "due": due, "precision": precision, "recall": recall });
        members.insert("abstention".to_owned(), abstention);
        members.insert("unjudged".to_owned(), json!(self.n_unjudged()));
        members.insert("reader".to_owned(), name(self.header.reader.as_ref()));
        members.insert("judge".to_owned(), name(self.header.judge.as_ref()));
        let reader = self.calls(|one| one.reader.as_ref(), self.header.reader.as_ref());
        let judge = self.calls(|one| one.judge.as_ref(), self.header.judge.as_ref());
        members.insert("calls".to_owned(), json!({ "reader": reader, "judge": judge }));
        members
    }
}

/// Returns the name of a model, as a header describes it.
pub fn name(described: Option<&Value>) -> Value {
    described.map_or(Value::Null, |voice| voice["model"].clone())
}

impl Report {
    /// Returns a row for each system; the last one, that of the first system, is the summary.
    pub fn rows(&self) -> Vec<Value> {
        let mut rows: Vec<Value> = self.header.systems.iter().rev().map(|system| self.row(system)).collect();
        if let Some(summary) = rows.last_mut() {
            let Spent { calls, replayed, usage, money } = self.spent;
            summary["spent"] = json!({
                "calls": calls, "replayed": replayed, "prompt_tokens": usage.prompt,
                "completion_tokens": usage.completion, "money": rounded(money),
            });
            summary["controls"] = json!(self.n_controls);
            summary["left_out"] = self.ledger.to_json();
            summary["run"] = self.header.to_json();
        }
        rows
    }

    fn row(&self, system: &str) -> Value {
        let mut row = Answers::of(&self.header, &self.lines, system).members();
        row.insert("dataset".to_owned(), json!(self.header.dataset));
        row.insert("task".to_owned(), json!("answers"));
        row.insert("system".to_owned(), json!(system));
        Value::Object(row)
    }
}
