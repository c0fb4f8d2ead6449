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

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::asking::{Documents, Opened, Scale};
use super::{Asked, Plan, Progress, System, parallel};
use crate::dataset::Ledger;
use crate::dataset::file::identify;
use crate::dataset::longmemeval::{Haystack, PREFERENCE, Question, Sides, questions};
use crate::error::EvalError;
use crate::metric::{LONGMEMEVAL, Scores};
use crate::run::file::Kept;
use crate::run::{Header, Line, Measured, Part, Run, Task};

/// Where rankings are cut.
pub const KS: &[usize] = &[1, 3, 5, 10, 20, 30, 50];

/// The populations, that of the authors first.
pub const POPULATIONS: [Sides; 2] = [Sides::User, Sides::Both];

const SCALE: Scale = Scale { measures: LONGMEMEVAL, ks: KS };

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

/// Returns the name of what is measured at a level in a population, as the lines of a run have it.
pub fn part_name(population: Sides, level: Level) -> String {
    match population {
        Sides::User => level.name().to_owned(),
        Sides::Both => format!("both_sides.{}", level.name()),
    }
}

/// A question with what each system found.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Its id.
    pub id: String,
    /// What it asks for.
    pub kind: String,
    /// The question.
    pub text: String,
    /// What each system found in each population that has the question, by [`part_name`].
    pub found: Vec<BTreeMap<String, Part>>,
}

/// What an evaluation came to.
#[derive(Clone, Debug)]
pub struct Report {
    /// Who was asked, the one that is evaluated first.
    pub systems: Vec<&'static System>,
    /// Which run it is.
    pub header: Header,
    /// Every question that is in a population, in the order of the file.
    pub answered: Vec<Answered>,
    /// How many questions were read.
    pub n_questions: usize,
    /// What was left out or set right.
    pub ledger: Ledger,
}

/// Evaluates systems on a file.
///
/// # Errors
/// [`EvalError`] where the file is not that of LongMemEval, or cannot be recorded, and where the run file is that of another
/// run.
pub fn evaluate(
    path: &Path,
    plan: Plan<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Report, EvalError> {
    let header = header(path, plan)?;
    let mut run = plan.out.map_or_else(|| Ok(Run::nowhere()), |out| Run::open(out, &header))?;
    let (of, n_kept) = (header.questions, run.n_kept() / plan.systems.len().max(1));
    progress(Progress { questions: n_kept, of });
    let mut ledger = Ledger::default();
    let mut left_out = Ledger::default();
    let mut report = Report {
        systems: plan.systems.to_vec(),
        header,
        answered: Vec::new(),
        n_questions: 0,
        ledger: Ledger::default(),
    };
    let (kept, written) = run.parts();
    parallel::each(
        path,
        plan.jobs,
        &mut questions(path, plan.n_questions, &mut ledger),
        &|question| ask(question, plan, kept),
        &mut |Asking { id, kind, text, remark, lines }| {
            report.n_questions += 1;
            if let Some(remark) = remark {
                left_out.note(remark, id.clone());
            }
            if let Some(lines) = lines {
                for line in &lines {
                    written.put(line)?;
                }
                let found = lines.into_iter().map(|line| line.parts).collect();
                report.answered.push(Answered { id, kind, text, found });
            }
            progress(Progress { questions: report.answered.len().max(n_kept), of });
            Ok(())
        },
    )?;
    written.end()?;
    ledger.extend(left_out);
    Ok(Report { ledger, ..report })
}

/// Reads the file through, and says which run it is.
fn header(path: &Path, plan: Plan<'_>) -> Result<Header, EvalError> {
    let data = identify(path)?;
    let mut n_questions = 0;
    parallel::each(
        path,
        plan.jobs,
        &mut questions(path, plan.n_questions, &mut Ledger::default()),
        &|question| plan.go_on().map(|()| populations(&question).0.contains(&true)),
        &mut |is_measured| {
            n_questions += usize::from(is_measured);
            Ok(())
        },
    )?;
    let measured = |(population, level): (Sides, Level)| {
        let (roles, questions): (&[&str], &str) = match population {
            Sides::User => (&["user"], "not _abs, and with evidence in a turn of the user"),
            Sides::Both => (&["user", "assistant"], "not _abs, and with evidence"),
        };
        let measured = Measured {
            granularity: level.name().to_owned(),
            roles: roles.iter().map(|role| (*role).to_owned()).collect(),
            population: questions.to_owned(),
        };
        (part_name(population, level), measured)
    };
    let each = POPULATIONS.into_iter().flat_map(|sides| Level::ALL.map(|level| (sides, level)));
    Ok(Header {
        dataset: "longmemeval".to_owned(),
        parts: each.map(measured).collect(),
        k: KS.to_vec(),
        ..plan.header(Task::Retrieval, data, n_questions)
    })
}

/// What came of a question.
struct Asking {
    id: String,
    kind: String,
    text: String,
    /// Why it is left out of a population.
    remark: Option<&'static str>,
    /// A line for each system; none where it is in no population.
    lines: Option<Vec<Line>>,
}

/// Says which of [`POPULATIONS`] have a question, and why one does not.
fn populations(question: &Question) -> ([bool; 2], Option<&'static str>) {
    if question.is_abstention {
        return ([false; 2], Some("questions without an answer (_abs)"));
    }
    match POPULATIONS.map(|population| question.has_evidence(population)) {
        [false, false] => ([false; 2], Some("questions without evidence")),
        [false, true] => (
            [false, true],
            Some("questions without evidence in the user's turns, counted for both sides alone"),
        ),
        both => (both, None),
    }
}

/// Asks each system a question in each population, where its line is not there yet.
fn ask(question: Question, plan: Plan<'_>, kept: &Kept) -> Result<Asking, EvalError> {
    plan.go_on()?;
    let (is_in, remark) = populations(&question);
    let lines = is_in.contains(&true).then(|| ask_systems(&question, is_in, plan, kept)).transpose()?;
    let Question { id, kind, text, .. } = question;
    Ok(Asking { id, kind, text, remark, lines })
}

fn ask_systems(
    question: &Question,
    is_in: [bool; 2],
    plan: Plan<'_>,
    kept: &Kept,
) -> Result<Vec<Line>, EvalError> {
    let Question { id, kind, text, asked, until, .. } = question;
    let of = |system: &System| kept.line(id, system.name).cloned();
    let there: Vec<Option<Line>> = plan.systems.iter().map(|system| of(system)).collect();
    let is_needed = there.contains(&None);
    let haystacks: Vec<(Sides, Haystack)> = POPULATIONS
        .into_iter()
        .zip(is_in)
        .filter(|(_, is_in)| is_needed && *is_in)
        .map(|(population, _)| (population, question.haystack(population)))
        .collect();
    let documents: Vec<[Documents<'_>; 2]> = haystacks
        .iter()
        .map(|(_, hay)| Documents::of(&hay.conversation, &hay.turn_labels, &hay.session_labels))
        .collect();
    let asked = Asked { text, now: *asked, known: *until };
    let mut lines = Vec::new();
    for (system, line) in plan.systems.iter().zip(there) {
        if let Some(line) = line {
            lines.push(line);
            continue;
        }
        let mut parts = BTreeMap::new();
        for ((population, haystack), [turns, sessions]) in haystacks.iter().zip(&documents) {
            plan.go_on()?;
            let ranking = Opened::new(system, &haystack.conversation, plan.vectors).rank(&asked)?;
            let session = sessions.part(SCALE, system, &haystack.sessions, &ranking.sessions);
            parts.insert(part_name(*population, Level::Session), session);
            let turn = turns.part(SCALE, system, &haystack.turns, &ranking.turns);
            parts.insert(part_name(*population, Level::Turn), turn);
        }
        let (id, kind, question) = (id.clone(), kind.clone(), text.clone());
        lines.push(Line { id, system: system.name.to_owned(), kind, question, parts, answered: None });
    }
    Ok(lines)
}

impl Answered {
    /// Returns the best rank that a system gave to each piece of evidence, in the last population that has the question.
    pub fn best(&self, level: Level, system: usize) -> Vec<Option<usize>> {
        let of = |population| self.found[system].get(&part_name(population, level));
        POPULATIONS.into_iter().rev().find_map(of).map(Part::best).unwrap_or_default()
    }

    /// Returns the evidence of each level in a population with its best ranks by each system, null where it was not found.
    fn ranks(&self, systems: &[&'static System], population: Sides) -> Value {
        let of_level = |level: Level| -> Option<Value> {
            let name = part_name(population, level);
            let first = self.found.first()?.get(&name)?;
            let evidence: Vec<&String> =
                first.needed.iter().filter_map(|documents| documents.first()).collect();
            let ranks = systems.iter().zip(&self.found);
            let ranks: Map<String, Value> = ranks
                .filter_map(|(system, parts)| Some((system.name.to_owned(), json!(parts.get(&name)?.best()))))
                .collect();
            Some(json!({ "evidence": evidence, "ranks": ranks }))
        };
        match Level::ALL.map(of_level) {
            [Some(session), Some(turn)] => json!({ "session": session, "turn": turn }),
            _ => Value::Null,
        }
    }

    fn to_json(&self, systems: &[&'static System]) -> Value {
        json!({
            "dataset": "longmemeval", "question_id": self.id, "question_type": self.kind, "question": self.text,
            "user_turns": self.ranks(systems, Sides::User), "both_sides": self.ranks(systems, Sides::Both),
        })
    }
}

impl Report {
    /// Returns the types of the questions in a population, in order.
    pub fn kinds(&self, population: Sides) -> BTreeSet<&str> {
        let name = part_name(population, Level::Session);
        let answered =
            self.answered.iter().filter(|one| one.found.iter().any(|parts| parts.contains_key(&name)));
        answered.map(|answered| &*answered.kind).collect()
    }

    /// Returns the scores of a system in a population at a level, in the questions of one type or of all.
    pub fn scores(&self, population: Sides, level: Level, system: usize, kind: Option<&str>) -> Scores {
        let mut scores = Scores::new(SCALE.names(self.systems[system]));
        let name = part_name(population, level);
        for answered in self.answered.iter().filter(|one| kind.is_none_or(|kind| one.kind == kind)) {
            if let Some(part) = answered.found[system].get(&name) {
                scores.add(&part.scores);
            }
        }
        scores
    }

    /// Returns the questions about preferences, whose evidence shares few words with them.
    pub fn preferences(&self) -> impl Iterator<Item = &Answered> {
        self.answered.iter().filter(|answered| answered.kind == PREFERENCE)
    }

    /// Returns a row for each system; the last one, that of the system evaluated, is the summary.
    pub fn rows(&self) -> Vec<Value> {
        let mut rows: Vec<Value> = (0..self.systems.len()).rev().map(|system| self.row(system)).collect();
        if let Some(summary) = rows.last_mut() {
            summary["asked"] = json!(self.n_questions);
            summary["left_out"] = self.ledger.to_json();
            summary["preferences"] = self.preferences().map(|one| one.to_json(&self.systems)).collect();
            summary["run"] = self.header.to_json();
        }
        rows
    }

    fn row(&self, system: usize) -> Value {
        let mut row = self.population(Sides::User, system);
        row.insert("both_sides".to_owned(), Value::Object(self.population(Sides::Both, system)));
        row.insert("dataset".to_owned(), json!("longmemeval"));
        row.insert("system".to_owned(), json!(self.systems[system].name));
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
            let scores = self.scores(population, level, system, kind);
            members.insert("questions".to_owned(), json!(scores.n_questions()));
            let mut of_level = scores.members();
            let intervals = Value::Object(scores.interval_members(self.header.seed));
            of_level.insert("intervals".to_owned(), intervals);
            members.insert(level.name().to_owned(), Value::Object(of_level));
        }
        members
    }

    /// Returns a row for each question that is in a population.
    pub fn details(&self) -> impl Iterator<Item = Value> {
        self.answered.iter().map(|answered| answered.to_json(&self.systems))
    }
}
