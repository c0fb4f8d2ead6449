//! Bygone as it is used: statements and conversations are ingested into a store in memory, conclusions are made from facts
//! in it, and questions go to the functions behind `facts`, `learned` and `diff`.

use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};

use bygone_engine::backend::Memory;
use bygone_engine::store::{Store, Target};
use bygone_engine::time::{Instant, parse_moment};
use bygone_engine::{EntityRef, Object, ValidTime, View};
use bygone_ingest::read::{Bytes, Reader, by_name};
use bygone_ingest::{Document, Outcome, ingest};
use bygone_ontology::{Ontology, Verdict};
use bygone_query::diff::{self, Change, Difference};
use bygone_query::facts::{Filter, facts};
use bygone_query::learned::learned;
use bygone_query::state::conclude::{Conclusion, Ground, conclude};
use bygone_query::state::{self, Actor, StateError};
use bygone_query::{Request, Row};

use super::System;
use crate::error::EvalError;
use crate::worlds::oracle::{name, without};
use crate::worlds::question::{Answer, Ask, Question, Standing};
use crate::worlds::steps::{Rendering, Step, Turn};
use crate::worlds::world::{self, CONCLUDED, CONCLUDER};

static ONTOLOGY: LazyLock<Arc<Ontology>> = LazyLock::new(|| Arc::new(Ontology::core()));

const SPACE: &str = "default";

/// An object over a period.
type Period = (String, Instant, Instant);

/// A store of its own for each world.
#[derive(Default)]
pub struct Bygone {
    store: Option<Store>,
}

impl System for Bygone {
    fn begin(&mut self, _: u64, _: Rendering) -> Result<(), EvalError> {
        self.store = Some(Store::open(Box::new(Memory::new()), Arc::clone(&ONTOLOGY) as _)?);
        Ok(())
    }

    fn take(&mut self, step: &Step) -> Result<(), EvalError> {
        match step {
            Step::Assert(stated) => {
                self.ingest("statements.jsonl", "facts", &stated.wire.to_string(), stated.assertion.known_at)
            }
            Step::Session { name, turns } => {
                let Some(last) = turns.last() else { return Ok(()) };
                self.ingest(&format!("{name}.txt"), "plain", &transcript(turns), last.time.instant())
            }
            Step::Conclude(conclusion) => self.conclude(conclusion),
            Step::Erase { session, time } => {
                let space = self.store()?.space(SPACE, false)?;
                space.erase(&Target::Session(session.clone()), time.instant())?;
                Ok(())
            }
        }
    }

    fn ask(&mut self, question: &Question) -> Result<Option<Answer>, EvalError> {
        let space = self.store()?.space(SPACE, false)?;
        let snapshot = space.snapshot();
        let Ok(subject) = EntityRef::parse(&question.subject) else { return Ok(None) };
        let filter = Filter {
            subject: Some(subject.clone()),
            predicate: Some(question.predicate.clone()),
            object: None,
        };
        let rows = |request: &Request| -> Result<Vec<Row>, EvalError> {
            let seen = snapshot.seen(&request.view)?;
            let mut rows = facts(&seen, &ONTOLOGY, request, &filter)?;
            rows.retain(|row| row.group.key == question.key);
            Ok(rows)
        };
        Ok(Some(match &question.ask {
            Ask::Holds { valid, known } => {
                let rows = rows(&request(ValidTime::At(instant(valid)?), known.as_deref())?)?;
                Answer::Objects { objects: rows.iter().map(|row| name(&row.fact.object)).collect() }
            }
            Ask::Stands { valid, known } => {
                let rows = rows(&request(ValidTime::At(instant(valid)?), known.as_deref())?)?;
                let stands = match &rows[..] {
                    [] => Standing::None,
                    rows if rows.iter().all(|row| row.verdict == Verdict::StalePremise) => Standing::Stale,
                    _ => Standing::Fresh,
                };
                Answer::Standing { stands }
            }
            Ask::Learned { object } => {
                let request = request(ValidTime::All, None)?;
                let seen = snapshot.seen(&request.view)?;
                let found = learned(&seen, &ONTOLOGY, &request, &subject, &question.predicate, None)?;
                let of = found.iter().filter(|found| name(&found.row.fact.object) == *object);
                Answer::At { at: of.map(|found| found.known_from).min().map(Instant::to_rfc3339) }
            }
            Ask::Difference { before, after } => {
                let before = request(ValidTime::All, Some(before))?;
                let after = request(ValidTime::All, Some(after))?;
                let seen = [snapshot.seen(&before.view)?, snapshot.seen(&after.view)?];
                let sides = ((&seen[0], &before), (&seen[1], &after));
                let mut differences = diff::known(sides.0, sides.1, &ONTOLOGY, Some(&subject))?;
                differences.retain(|difference| difference.row().group.predicate == question.predicate);
                let were: Vec<Period> = rows(&before)?.iter().filter_map(period).collect();
                let are = applied(&were, &differences);
                Answer::Difference { gained: without(&are, &were), lost: without(&were, &are) }
            }
        }))
    }
}

impl Bygone {
    fn store(&self) -> Result<&Store, EvalError> {
        let none = || EvalError::Unrecorded {
            name: "bygone".to_owned(),
            reason: "asked before it was given a world".to_owned(),
        };
        self.store.as_ref().ok_or_else(none)
    }

    fn ingest(&self, name: &str, format: &str, text: &str, now: Instant) -> Result<(), EvalError> {
        let refuse = |reason: String| EvalError::Unrecorded { name: name.to_owned(), reason };
        let bytes = Bytes::Held(text.as_bytes().to_vec());
        let plan = bygone_ingest::Plan {
            documents: &[Document { name: name.to_owned(), bytes, modified: now }],
            format: by_name(format) as Option<&Reader>,
            space: SPACE,
            prefix: None,
            ontology: &ONTOLOGY,
            jobs: NonZeroUsize::MIN,
            keeps_secrets: true,
            now,
        };
        let Outcome { receipt, refused, .. } = ingest(self.store()?, &plan, &mut |_| ())?;
        if let Some(refused) = refused.first() {
            return Err(refuse(format!("cannot be ingested: {:?}", refused.why)));
        }
        if receipt.quarantined > 0 || receipt.episodes == 0 {
            return Err(refuse(format!("was not recorded: {:?}", receipt.problems)));
        }
        Ok(())
    }

    /// Concludes from the facts that are named, as they stand at the time. One that is not known is no ground, and from
    /// none nothing is concluded.
    fn conclude(&self, told: &world::Conclusion) -> Result<(), EvalError> {
        let space = self.store()?.space(SPACE, false)?;
        let now = told.time.instant();
        let request = Request::present(now);
        let mut from = Vec::new();
        {
            let snapshot = space.snapshot();
            let seen = snapshot.seen(&request.view)?;
            for ground in &told.because {
                let subject = EntityRef::parse(&ground.subject).ok();
                let filter = Filter { subject, predicate: Some(ground.predicate.to_owned()), object: None };
                let rows = facts(&seen, &ONTOLOGY, &request, &filter)?;
                let named = rows
                    .into_iter()
                    .filter(|row| row.group.key == ground.key && name(&row.fact.object) == ground.object);
                from.extend(named.map(|row| Ground::Fact(row.id)));
            }
        }
        if from.is_empty() {
            return Ok(());
        }
        let subject = EntityRef::parse(CONCLUDER).expect("the concluder is an entity");
        let object = Object::Text(told.object.clone());
        let conclusion = Conclusion { subject, predicate: CONCLUDED, key: &told.key, object, from };
        let by = Actor { agent: Some("planner".to_owned()), ..Actor::default() };
        let made = state::decide(&space, &by, None, now, |snapshot, place| {
            conclude(snapshot, place, &by, &ONTOLOGY, &conclusion)
        });
        match made {
            Ok(_) => Ok(()),
            Err(StateError::Store(error)) => Err(error.into()),
            Err(error) => Err(EvalError::Unrecorded { name: told.key.clone(), reason: error.to_string() }),
        }
    }
}

/// Writes turns in the format `plain`.
fn transcript(turns: &[Turn]) -> String {
    let lines: Vec<String> = turns
        .iter()
        .map(|Turn { time, speaker, text }| format!("{} {speaker}: {text}\n", time.text()))
        .collect();
    lines.concat()
}

fn instant(text: &str) -> Result<Instant, EvalError> {
    let refuse = |error| EvalError::Unrecorded { name: text.to_owned(), reason: format!("{error}") };
    parse_moment(text).map(|moment| moment.at).map_err(refuse)
}

fn request(valid: ValidTime, known: Option<&str>) -> Result<Request, EvalError> {
    let view = match known {
        Some(known) => View::known_at(instant(known)?),
        None => View::LATEST,
    };
    Ok(Request { view, valid, ..Request::present(Instant::LAST) })
}

/// Returns what a row says holds, and where.
fn period(row: &Row) -> Option<Period> {
    let period = row.fact.validity.period()?;
    Some((name(&row.fact.object), period.start(), period.end()))
}

/// Applies differences to what was believed: takes back what the rows say, then lets every fact hold over its period.
fn applied(were: &[Period], differences: &[Difference]) -> Vec<Period> {
    let mut left = were.to_vec();
    for difference in differences {
        let Some((object, from, to)) = difference.was.as_ref().and_then(period) else { continue };
        let fact = difference.fact.as_ref().and_then(period);
        let taken = match (difference.change, fact) {
            (Change::Learned | Change::Reopened, _) => continue,
            (Change::Ended, Some((_, _, end))) => (end, to),
            (_, Some((other, from, to))) if other != object => (from, to),
            _ => (from, to),
        };
        left = left.into_iter().flat_map(|held| cut(held, &object, taken)).collect();
    }
    left.extend(differences.iter().filter_map(|difference| difference.fact.as_ref().and_then(period)));
    left
}

/// Returns what is left of a period when another is taken back of that object.
fn cut(held: Period, object: &str, (from, to): (Instant, Instant)) -> Vec<Period> {
    let (of, start, end) = held;
    if of != object || to <= start || end <= from {
        return vec![(of, start, end)];
    }
    let pieces = [(start, from), (to, end)];
    pieces.into_iter().filter(|(from, to)| from < to).map(|(from, to)| (of.clone(), from, to)).collect()
}
