//! A bitemporal table as one would keep it in SQL: a row is an object over a period of valid time and one of recorded time.
//!
//! A statement overrides what the table holds over its period, as `FOR PORTION OF` does in SQL:2011 (Kulkarni and
//! Michels, "Temporal features in SQL:2011", SIGMOD Record 41(3), 2012), and rows are closed in recorded time, never
//! changed. The time at which something was said is its recorded time. Conclusions keep the ids of what they stand on.
//! It knows nothing of how sure a statement is, of authority, and of what a taken back statement had closed.

use bygone_engine::identity::SAME_AS;
use bygone_engine::time::{Instant, Period, parse_moment};
use bygone_engine::{Assertion, AssertionId, EntityRef, Object, Polarity};

use super::System;
use crate::error::EvalError;
use crate::worlds::oracle::{name, without};
use crate::worlds::question::{Answer, Ask, Question, Standing};
use crate::worlds::steps::{Rendering, Step};
use crate::worlds::telling::Topic;

/// A row: what holds over `[from, to)`, as recorded over `[since, until)`.
#[derive(Clone)]
struct Rectangle {
    subject: EntityRef,
    predicate: String,
    key: String,
    object: String,
    from: Instant,
    to: Instant,
    since: Instant,
    until: Instant,
    session: String,
    id: AssertionId,
    because: Vec<AssertionId>,
}

/// The table, and a second one of names.
#[derive(Default)]
pub struct Rectangles {
    rows: Vec<Rectangle>,
    /// Two names of one person, since when that is known, and from which session.
    names: Vec<(EntityRef, EntityRef, Instant, String)>,
}

impl System for Rectangles {
    fn begin(&mut self, _: u64, _: Rendering) -> Result<(), EvalError> {
        *self = Rectangles::default();
        Ok(())
    }

    fn take(&mut self, step: &Step) -> Result<(), EvalError> {
        match step {
            Step::Assert(stated) => self.keep(&stated.assertion),
            Step::Erase { session, .. } => self.erase(session),
            Step::Session { .. } | Step::Conclude(_) => {}
        }
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Option<Answer>, EvalError> {
        Ok(self.answer(question))
    }
}

impl Rectangles {
    fn keep(&mut self, said: &Assertion) {
        let Some(object) = &said.object else { return };
        let known = said.known_at;
        if said.predicate == SAME_AS {
            if let Object::Entity(other) = object {
                self.names.push((said.subject.clone(), other.clone(), known, said.source.session.clone()));
            }
            return;
        }
        let Some(period) = said.validity.period() else { return };
        let row = Rectangle {
            subject: said.subject.clone(),
            predicate: said.predicate.clone(),
            key: said.key.clone(),
            object: name(object),
            from: Period::start(period),
            to: Period::end(period),
            since: known,
            until: Instant::DISTANT_FUTURE,
            session: said.source.session.clone(),
            id: said.id,
            because: said.derived_from.clone(),
        };
        let of_object_only = said.polarity == Polarity::Deny || said.predicate == Topic::Project.predicate();
        let mut left = Vec::new();
        for old in &mut self.rows {
            let is_hit = old.until == Instant::DISTANT_FUTURE
                && (&old.subject, &old.predicate, &old.key) == (&row.subject, &row.predicate, &row.key)
                && (!of_object_only || old.object == row.object)
                && old.from < row.to
                && row.from < old.to;
            if is_hit {
                old.until = known;
                let open = Rectangle { since: known, until: Instant::DISTANT_FUTURE, ..old.clone() };
                left.push(Rectangle { to: row.from, ..open.clone() });
                left.push(Rectangle { from: row.to, ..open });
            }
        }
        self.rows.extend(left.into_iter().filter(|row| row.from < row.to));
        if said.polarity == Polarity::Affirm {
            self.rows.push(row);
        }
    }

    /// Deletes the rows of a session, and those that stand on one of them.
    fn erase(&mut self, session: &str) {
        self.names.retain(|(_, _, _, said_in)| said_in != session);
        let mut gone: Vec<AssertionId> = Vec::new();
        loop {
            let is_gone =
                |row: &Rectangle| row.session == session || row.because.iter().any(|id| gone.contains(id));
            let (erased, left): (Vec<_>, Vec<_>) =
                std::mem::take(&mut self.rows).into_iter().partition(is_gone);
            self.rows = left;
            if erased.is_empty() {
                return;
            }
            gone.extend(erased.into_iter().map(|row| row.id));
        }
    }

    fn answer(&self, question: &Question) -> Option<Answer> {
        let at = |text: &str| parse_moment(text).ok().map(|moment| moment.at);
        let known = |text: &Option<String>| match text {
            Some(text) => at(text),
            None => Some(Instant::LAST),
        };
        Some(match &question.ask {
            Ask::Holds { valid, known: text } => {
                let (valid, known) = (at(valid)?, known(text)?);
                let rows = self.of(question, known).filter(|row| row.from <= valid && valid < row.to);
                Answer::Objects { objects: rows.map(|row| row.object.clone()).collect() }
            }
            Ask::Learned { object } => {
                let latest = Instant::LAST;
                let bearers = self.bearers(&EntityRef::parse(&question.subject).ok()?, latest);
                let rows = self.rows.iter().filter(|row| {
                    bearers.contains(&row.subject)
                        && row.predicate == question.predicate
                        && row.object == *object
                });
                Answer::At { at: rows.map(|row| row.since).min().map(Instant::to_rfc3339) }
            }
            Ask::Difference { before, after } => {
                let held = |known: Instant| -> Vec<(String, Instant, Instant)> {
                    let rows = self.of(question, known);
                    rows.map(|row| (row.object.clone(), row.from, row.to)).collect()
                };
                let (before, after) = (held(at(before)?), held(at(after)?));
                Answer::Difference { gained: without(&after, &before), lost: without(&before, &after) }
            }
            Ask::Stands { valid, known: text } => {
                let (valid, known) = (at(valid)?, known(text)?);
                let mut rows = self.of(question, known).filter(|row| row.from <= valid && valid < row.to);
                let stands = match rows.next() {
                    None => Standing::None,
                    Some(row) if row.because.iter().all(|id| self.is_firm(*id, valid, known)) => {
                        Standing::Fresh
                    }
                    Some(_) => Standing::Stale,
                };
                Answer::Standing { stands }
            }
        })
    }

    /// Says whether a row of a statement holds, and so does what it stands on.
    fn is_firm(&self, id: AssertionId, valid: Instant, known: Instant) -> bool {
        self.rows.iter().any(|row| {
            row.id == id
                && row.since <= known
                && known < row.until
                && row.from <= valid
                && valid < row.to
                && row.because.iter().all(|id| self.is_firm(*id, valid, known))
        })
    }

    /// Returns the rows of what a question is about, as recorded at an instant.
    fn of<'a>(&'a self, question: &'a Question, known: Instant) -> impl Iterator<Item = &'a Rectangle> {
        let subject = EntityRef::parse(&question.subject).ok();
        let bearers = subject.map(|subject| self.bearers(&subject, known)).unwrap_or_default();
        self.rows.iter().filter(move |row| {
            bearers.contains(&row.subject)
                && row.predicate == question.predicate
                && row.key == question.key
                && row.since <= known
                && known < row.until
        })
    }

    /// Returns the names of one person, as known at an instant.
    fn bearers(&self, subject: &EntityRef, known: Instant) -> Vec<EntityRef> {
        let mut bearers = vec![subject.clone()];
        for (one, other, since, _) in &self.names {
            if *since <= known && (one == subject || other == subject) {
                bearers.extend([one.clone(), other.clone()]);
            }
        }
        bearers
    }
}
