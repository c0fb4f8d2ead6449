//! LongMemEval: are the sessions, and the turns, that hold the answer among the first k?
//!
//! Two populations, each with its own documents:
//!
//! | population | documents | questions |
//! |---|---|---|
//! | user turns | turns of the user; a session is those, joined | not `_abs`, and with evidence on the user's side |
//! | both sides | turns of user and assistant | not `_abs`, and with evidence on either side |
//!
//! The first is that of the authors' own code, so that its figures compare with published ones.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::{Asked, Plan, Progress, SYSTEMS, parallel};
use crate::dataset::longmemeval::{Haystack, PREFERENCE, Question, Sides, questions};
use crate::dataset::{Ledger, Unit};
use crate::error::EvalError;
use crate::metric::{LONGMEMEVAL, Means, Ranks};

/// Where rankings are cut.
pub const KS: &[usize] = &[1, 3, 5, 10, 20, 30, 50];

/// The populations, that of the authors first.
pub const POPULATIONS: [Sides; 2] = [Sides::User, Sides::Both];

/// What is ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Sessions.
    Session,
    /// Turns.
    Turn,
}

impl Level {
    /// Every level.
    pub const ALL: [Level; 2] = [Level::Session, Level::Turn];

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Session => "session",
            Level::Turn => "turn",
        }
    }
}

/// A question with the ranks that each system gave to its evidence.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Its id.
    pub id: String,
    /// What it asks for.
    pub kind: String,
    /// The question.
    pub text: String,
    /// What was found in each of [`POPULATIONS`]; `None` where it is not in it.
    found: [Option<Found>; 2],
}

/// The evidence of a question in one population, and where each system ranked it.
#[derive(Clone, Debug)]
struct Found {
    session: Ranked,
    turn: Ranked,
}

/// Evidence of one level and its ranks, one entry for each of [`SYSTEMS`].
#[derive(Clone, Debug)]
struct Ranked {
    evidence: Vec<String>,
    ranks: Vec<Ranks>,
}

/// What an evaluation came to.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Every question that is in a population, in the order of the file.
    pub answered: Vec<Answered>,
    /// How many questions were read.
    pub n_questions: usize,
    /// What was left out or set right.
    pub ledger: Ledger,
}

/// Evaluates every system on a file.
///
/// # Errors
/// [`EvalError`] where the file is not that of LongMemEval, or cannot be recorded.
pub fn evaluate(
    path: &Path,
    plan: Plan<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Report, EvalError> {
    let mut ledger = Ledger::default();
    let mut report = Report::default();
    parallel::each(
        path,
        plan.jobs,
        &mut questions(path, plan.n_questions, &mut ledger),
        &|question| ask(question, plan),
        &mut |bytes, (answered, left_out)| {
            report.n_questions += 1;
            report.ledger.extend(left_out);
            report.answered.extend(answered);
            progress(Progress { bytes, questions: report.n_questions });
            Ok(())
        },
    )?;
    ledger.extend(report.ledger);
    Ok(Report { ledger, ..report })
}

/// Asks each system a question in each population; returns what was left out, too.
fn ask(question: Question, plan: Plan<'_>) -> Result<(Option<Answered>, Ledger), EvalError> {
    plan.go_on()?;
    let mut ledger = Ledger::default();
    let id = question.id.clone();
    if question.is_abstention {
        ledger.note("questions without an answer (_abs)", id);
        return Ok((None, ledger));
    }
    let mut found = [None, None];
    for (population, found) in POPULATIONS.into_iter().zip(&mut found) {
        let haystack = question.haystack(population);
        if !haystack.turns.is_empty() {
            *found = Some(look(&question, &haystack, plan)?);
        }
    }
    match found {
        [None, None] => {
            ledger.note("questions without evidence", id);
            return Ok((None, ledger));
        }
        [None, Some(_)] => {
            ledger.note("questions without evidence in the user's turns, counted for both sides alone", id);
        }
        [Some(_), _] => {}
    }
    let Question { id, kind, text, .. } = question;
    Ok((Some(Answered { id, kind, text, found }), ledger))
}

fn place_of(population: Sides) -> usize {
    match population {
        Sides::User => 0,
        Sides::Both => 1,
    }
}

fn look(question: &Question, haystack: &Haystack, plan: Plan<'_>) -> Result<Found, EvalError> {
    let ranked = |evidence: &[Unit]| Ranked {
        evidence: evidence.iter().map(|unit| unit.label.clone()).collect(),
        ranks: Vec::new(),
    };
    let (mut session, mut turn) = (ranked(&haystack.sessions), ranked(&haystack.turns));
    let asked = Asked { text: &question.text, now: question.asked, known: question.until };
    for system in SYSTEMS {
        let ranking = (system.open)(&haystack.conversation, plan.vectors)?.rank(&asked)?;
        session.ranks.push(Ranks::of(&haystack.sessions, &ranking.sessions));
        turn.ranks.push(Ranks::of(&haystack.turns, &ranking.turns));
    }
    Ok(Found { session, turn })
}

impl Found {
    fn level(&self, level: Level) -> &Ranked {
        match level {
            Level::Session => &self.session,
            Level::Turn => &self.turn,
        }
    }

    /// Returns the evidence of each level with its best ranks by each system, null where it was not found.
    fn to_json(&self) -> Value {
        let of_level = |level: Level| {
            let Ranked { evidence, ranks } = self.level(level);
            let ranks = SYSTEMS.iter().zip(ranks);
            let ranks: Map<String, Value> = ranks
                .map(|(system, ranks)| (system.name.to_owned(), json!(ranks.best().collect::<Vec<_>>())))
                .collect();
            json!({ "evidence": evidence, "ranks": ranks })
        };
        json!({ "session": of_level(Level::Session), "turn": of_level(Level::Turn) })
    }
}

impl Answered {
    /// Returns the best rank that a system gave to each piece of evidence, in the last population that has the question.
    pub fn best(&self, level: Level, system: usize) -> Vec<Option<usize>> {
        let found = self.found.iter().rev().flatten().next();
        found.map(|found| found.level(level).ranks[system].best().collect()).unwrap_or_default()
    }

    fn to_json(&self) -> Value {
        let [user, both] = &self.found;
        let found = |found: &Option<Found>| found.as_ref().map(Found::to_json);
        json!({
            "dataset": "longmemeval", "question_id": self.id, "question_type": self.kind, "question": self.text,
            "user_turns": found(user), "both_sides": found(both),
        })
    }
}

impl Report {
    /// Returns the types of the questions in a population, in order.
    pub fn kinds(&self, population: Sides) -> BTreeSet<&str> {
        let place = place_of(population);
        let answered = self.answered.iter().filter(|answered| answered.found[place].is_some());
        answered.map(|answered| &*answered.kind).collect()
    }

    /// Returns the means of a system in a population at a level, over the questions of one type or of all.
    pub fn means(&self, population: Sides, level: Level, system: usize, kind: Option<&str>) -> Means {
        let mut means = Means::new(LONGMEMEVAL, KS);
        let place = place_of(population);
        for answered in self.answered.iter().filter(|one| kind.is_none_or(|kind| one.kind == kind)) {
            if let Some(found) = &answered.found[place] {
                means.add(&found.level(level).ranks[system]);
            }
        }
        means
    }

    /// Returns the questions about preferences, whose evidence shares few words with them.
    pub fn preferences(&self) -> impl Iterator<Item = &Answered> {
        self.answered.iter().filter(|answered| answered.kind == PREFERENCE)
    }

    /// Returns a row for each system; the last one, that of the system evaluated, is the summary.
    pub fn rows(&self) -> Vec<Value> {
        let mut rows: Vec<Value> = (0..SYSTEMS.len()).rev().map(|system| self.row(system)).collect();
        if let Some(summary) = rows.last_mut() {
            summary["asked"] = json!(self.n_questions);
            summary["left_out"] = self.ledger.to_json();
            summary["preferences"] = self.preferences().map(Answered::to_json).collect();
        }
        rows
    }

    fn row(&self, system: usize) -> Value {
        let mut row = self.population(Sides::User, system);
        row.insert("both_sides".to_owned(), Value::Object(self.population(Sides::Both, system)));
        row.insert("dataset".to_owned(), json!("longmemeval"));
        row.insert("system".to_owned(), json!(SYSTEMS[system].name));
        Value::Object(row)
    }

    fn population(&self, population: Sides, system: usize) -> Map<String, Value> {
        let mut members = self.levels(population, system, None);
        let of_kind = |kind: &str| Value::Object(self.levels(population, system, Some(kind)));
        let by_kind = self.kinds(population).into_iter().map(|kind| (kind.to_owned(), of_kind(kind)));
        members.insert("by_type".to_owned(), Value::Object(by_kind.collect()));
        members
    }

    fn levels(&self, population: Sides, system: usize, kind: Option<&str>) -> Map<String, Value> {
        let mut members = Map::new();
        for level in Level::ALL {
            let means = self.means(population, level, system, kind);
            members.insert("questions".to_owned(), json!(means.n_questions()));
            members.insert(level.name().to_owned(), Value::Object(means.members()));
        }
        members
    }

    /// Returns a row for each question that is in a population.
    pub fn details(&self) -> impl Iterator<Item = Value> {
        self.answered.iter().map(Answered::to_json)
    }
}
