//! Which statement made a difference.

use bygone_engine::assertion::precedence;
use bygone_engine::identity::SAME_AS;
use bygone_engine::record::Recorded;
use bygone_engine::store::{GroupView, Seen};
use bygone_engine::time::{Instant, Validity};
use bygone_engine::{AssertionId, EntityRef, Fact, Object, Polarity, StoreError};

use super::pieces::Piece;

/// What the later view derives of a group as statements are taken away from the latest back.
pub(super) struct Unlearning<'a> {
    seen: &'a Seen<'a>,
    group: &'a GroupView,
    /// What the earlier view sees, too.
    base: Vec<Recorded>,
    /// What only the later view sees, in known order.
    new: Vec<Recorded>,
    /// The instants at which something new was known, from the latest back, each with what was derived before it.
    before: Vec<(Instant, Vec<Fact>)>,
}

impl<'a> Unlearning<'a> {
    pub(super) fn new(
        seen: &'a Seen<'a>,
        group: &'a GroupView,
        base: Vec<Recorded>,
        new: Vec<Recorded>,
    ) -> Unlearning<'a> {
        Unlearning { seen, group, base, new, before: Vec::new() }
    }

    /// Returns the statement that completed a difference, `None` where no new statement of the group is needed for it.
    pub(super) fn cause(&mut self, piece: &Piece) -> Result<Option<AssertionId>, StoreError> {
        let mut place = 0;
        loop {
            if place == self.before.len() {
                let earlier = self.before.last().map_or(Instant::DISTANT_FUTURE, |(known, _)| *known);
                let Some(known) = self.last_known_before(place == 0, earlier) else { return Ok(None) };
                let derived = self.derived_before(known)?;
                self.before.push((known, derived));
            }
            let (known, facts) = &self.before[place];
            if !piece.stands_in(facts) {
                return Ok(self.bearing(*known, piece));
            }
            place += 1;
        }
    }

    fn last_known_before(&self, is_first: bool, limit: Instant) -> Option<Instant> {
        let known = self.new.iter().map(|recorded| recorded.assertion.known_at);
        known.filter(|known| is_first || *known < limit).max()
    }

    fn derived_before(&self, known: Instant) -> Result<Vec<Fact>, StoreError> {
        let earlier = self.new.iter().filter(|recorded| recorded.assertion.known_at < known);
        let statements: Vec<Recorded> = self.base.iter().chain(earlier).cloned().collect();
        self.seen.derive(self.group, &statements)
    }

    /// Returns the statement known at the instant that bears on the difference and comes last in precedence: one that
    /// what holds rests on, else one that denies what held, else any.
    fn bearing(&self, known: Instant, piece: &Piece) -> Option<AssertionId> {
        let then = || self.new.iter().filter(|recorded| recorded.assertion.known_at == known);
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
    let last_of = |statements: &mut dyn Iterator<Item = &bygone_engine::Assertion>| {
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
