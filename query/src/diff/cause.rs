//! Which statement made a difference.

use std::collections::BTreeMap;

use bygone_engine::assertion::precedence;
use bygone_engine::identity::SAME_AS;
use bygone_engine::object::ObjectKey;
use bygone_engine::record::Recorded;
use bygone_engine::store::{GroupView, Seen};
use bygone_engine::time::{Instant, Validity};
use bygone_engine::{Assertion, AssertionId, EntityRef, Fact, Object, Polarity, StoreError, Told};

use super::pieces::{Piece, Stretch};

/// What the later view derived of a group after each instant at which something only it sees was known.
pub(super) struct Unlearning {
    /// What only the later view sees, in known order.
    new: Vec<Recorded>,
    /// When that was known, each instant once.
    known: Vec<Instant>,
    /// When each object held, and after which instants that was believed.
    held: BTreeMap<ObjectKey, Vec<Held>>,
}

/// Instants at which an object held, as was believed for a while. Batches are counted from what the earlier view sees, too, which
/// is the first; then comes what was new at each instant.
struct Held {
    stretch: Stretch,
    from: usize,
    to: Option<usize>,
}

impl Unlearning {
    /// Follows what the later view derives from what both views see and then, instant by instant, from what only it sees.
    ///
    /// # Errors
    /// [`StoreError::Interrupted`].
    pub(super) fn new(
        seen: &Seen<'_>,
        group: &GroupView,
        base: &[Recorded],
        new: Vec<Recorded>,
    ) -> Result<Unlearning, StoreError> {
        let at_once = new.chunk_by(|one, next| one.assertion.known_at == next.assertion.known_at);
        let known = at_once.clone().map(|batch| batch[0].assertion.known_at).collect();
        let batches: Vec<Vec<&Assertion>> = std::iter::once(base)
            .chain(at_once)
            .map(|batch| batch.iter().map(|recorded| &recorded.assertion).collect())
            .collect();
        let mut held: BTreeMap<ObjectKey, Vec<Held>> = BTreeMap::new();
        for form in seen.forms(group, &batches, Told::AtFirst)? {
            let stretch = match form.fact.validity {
                Validity::Undated => Stretch::Undated,
                Validity::Over(period) => Stretch::Over(period.start(), period.end()),
            };
            let of_object = held.entry(form.fact.object.key()).or_default();
            of_object.push(Held { stretch, from: form.from, to: form.to });
        }
        Ok(Unlearning { new, known, held })
    }

    /// Returns the statement that completed a difference, `None` where no new statement of the group is needed for it.
    pub(super) fn cause(&self, piece: &Piece) -> Option<AssertionId> {
        let gained = piece.fact.iter().flat_map(|fact| piece.gained.iter().map(move |at| (fact, *at)));
        let lost = piece.was.iter().flat_map(|was| piece.lost.iter().map(move |at| (was, *at)));
        let lacking = gained.filter_map(|(fact, at)| self.last_lacking(fact.object.key(), at));
        let holding = lost.filter_map(|(was, at)| self.last_holding(was.object.key(), at));
        // Without what was known at the instant after the last batch with which it does not stand, it did not.
        let known = self.known[lacking.chain(holding).max()?];
        self.bearing(known, piece)
    }

    /// Returns the last batch but the very last with which an object did not hold at all instants of a stretch.
    fn last_lacking(&self, object: ObjectKey, stretch: Stretch) -> Option<usize> {
        let whole = stretch.length();
        // What holds at a time does not overlap, so lengths tell.
        let mut changes: BTreeMap<usize, i128> = BTreeMap::from([(0, 0)]);
        for held in self.held.get(&object).into_iter().flatten() {
            if let Some(common) = held.stretch.common(stretch) {
                *changes.entry(held.from).or_default() += common.length();
                if let Some(to) = held.to {
                    *changes.entry(to).or_default() -= common.length();
                }
            }
        }
        let mut covered = 0;
        let mut last = None;
        let mut changes = changes.into_iter().peekable();
        while let Some((batch, change)) = changes.next() {
            covered += change;
            if covered != whole && batch < self.known.len() {
                let until = changes.peek().map_or(self.known.len(), |(next, _)| *next);
                last = Some(until.min(self.known.len()) - 1);
            }
        }
        last
    }

    /// Returns the last batch but the very last with which an object held at some instants of a stretch.
    fn last_holding(&self, object: ObjectKey, stretch: Stretch) -> Option<usize> {
        let held = self.held.get(&object).into_iter().flatten();
        let meeting =
            held.filter(|held| held.from < self.known.len() && held.stretch.common(stretch).is_some());
        meeting.map(|held| held.to.map_or(self.known.len(), |to| to.min(self.known.len())) - 1).max()
    }

    /// Returns the statement known at the instant that bears on the difference and comes last in precedence: one that
    /// what holds rests on, else one that denies what held, else any.
    fn bearing(&self, known: Instant, piece: &Piece) -> Option<AssertionId> {
        let first = self.new.partition_point(|recorded| recorded.assertion.known_at < known);
        let then = || self.new[first..].iter().take_while(|recorded| recorded.assertion.known_at == known);
        let supports = |recorded: &&Recorded| {
            let fact = piece.fact.as_ref().filter(|_| !piece.gained.is_empty());
            fact.is_some_and(|fact| fact.support.binary_search(&recorded.assertion.id).is_ok())
        };
        let denies = |recorded: &&Recorded| {
            recorded.assertion.polarity == Polarity::Deny
                && piece.was.as_ref().is_some_and(|was| concerns(recorded, &was.object))
        };
        last(then().filter(supports)).or_else(|| last(then().filter(denies))).or_else(|| last(then()))
    }
}

/// Says whether a statement is about the object, or about whatever holds.
fn concerns(recorded: &Recorded, object: &Object) -> bool {
    recorded.assertion.object.as_ref().is_none_or(|other| other.key() == object.key())
}

/// Returns the statement that comes last in precedence.
fn last<'r>(statements: impl Iterator<Item = &'r Recorded>) -> Option<AssertionId> {
    let last = statements.max_by(|one, other| precedence(&one.assertion, &other.assertion));
    last.map(|recorded| recorded.assertion.id)
}

/// Returns the decision that made entities one, or two: of the statements of identity about them that only the later
/// view sees, the last in precedence, one that affirms or denies as asked before any other.
pub(super) fn decision(
    decisions: &[Recorded],
    concerned: &[EntityRef],
    polarity: Polarity,
) -> Option<AssertionId> {
    let is_concerned = |entity: &EntityRef| concerned.contains(entity);
    let about = || {
        decisions.iter().map(|r| &r.assertion).filter(|a| {
            is_concerned(&a.subject) || a.object.as_ref().and_then(Object::entity).is_some_and(is_concerned)
        })
    };
    let last_of = |statements: &mut dyn Iterator<Item = &Assertion>| {
        statements.max_by(|one, other| precedence(one, other)).map(|a| a.id)
    };
    last_of(&mut about().filter(|a| a.polarity == polarity))
        .or_else(|| last_of(&mut about()))
        .or_else(|| last(decisions.iter()))
}

/// Returns the statements of identity that take part and that only the later view sees.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub(super) fn new_decisions(before: &Seen<'_>, after: &Seen<'_>) -> Result<Vec<Recorded>, StoreError> {
    let decides = |r: &&Recorded| r.assertion.predicate == SAME_AS && r.assertion.counts();
    let is_new = |recorded: &&Recorded| after.sees(recorded) && !before.sees(recorded);
    let identity = after.snapshot().identity_statements()?;
    Ok(identity.iter().filter(decides).filter(is_new).cloned().collect())
}

/// Returns the statement that dates the start of a fact, or else the last it rests on.
pub(super) fn start(statements: &[Recorded], fact: &Fact) -> AssertionId {
    let start = fact.validity.period().map(bygone_engine::time::Period::start);
    let support = || supports(statements, fact);
    let dates = |recorded: &&Recorded| match recorded.assertion.validity {
        Validity::Over(period) => Some(period.start()) == start,
        Validity::Undated => false,
    };
    last(support().filter(dates)).or_else(|| last(support())).unwrap_or(fact.support[0])
}

/// Returns the statement that ends a fact: its own bound, another value that starts there, a denial from there or over
/// it; or else the last it rests on.
pub(super) fn end(statements: &[Recorded], fact: &Fact) -> AssertionId {
    let Some(period) = fact.validity.period() else {
        return fact.support[0];
    };
    let end = period.end();
    let over = |recorded: &Recorded| recorded.assertion.validity.period();
    let bounds = |r: &&Recorded| over(r).is_some_and(|period| period.end() == end);
    let about_another =
        |r: &&Recorded| r.assertion.polarity == Polarity::Affirm && !concerns(r, &fact.object);
    let denies = |r: &&Recorded| r.assertion.polarity == Polarity::Deny && concerns(r, &fact.object);
    let starts = |r: &&Recorded| over(r).is_some_and(|period| period.start() == end);
    let covers = |r: &&Recorded| over(r).is_some_and(|period| period.contains(end));
    let counted = || statements.iter().filter(|recorded| recorded.assertion.counts());
    last(supports(statements, fact).filter(bounds))
        .or_else(|| last(counted().filter(about_another).filter(starts)))
        .or_else(|| last(counted().filter(denies).filter(starts)))
        .or_else(|| last(counted().filter(denies).filter(covers)))
        .or_else(|| last(supports(statements, fact)))
        .unwrap_or(fact.support[0])
}

fn supports<'r>(statements: &'r [Recorded], fact: &'r Fact) -> impl Iterator<Item = &'r Recorded> {
    statements.iter().filter(|recorded| fact.support.binary_search(&recorded.assertion.id).is_ok())
}
