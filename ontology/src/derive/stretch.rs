//! The facts of a stretch of time, from the few statements that they follow from.
//!
//! Of a long history most statements have no say about a given instant. Which ones have is decided by their marks alone, by
//! looking for *clean cuts*: instants that nothing before reaches over. What starts from one clean cut up to the next is
//! derived by itself, and whatever lies wholly between them is as the derivation of everything has it.
//!
//! For events an instant is a clean cut where no affirm before it reaches beyond it. For a state of one value one more thing
//! is asked, since a presumption goes on without end: an open affirm, not denied there, starts at the cut. It is a change point
//! that is vouched for later than all before it, so what came before is over. In both cases no endless denial from before may
//! prevail over a statement after the cut that it can concern, and for states no later END may correct one between the cuts.
//!
//! Invariant: what is returned is what deriving all statements gives; where marks do not tell, nothing is returned.

use std::ops::Range;

use bygone_engine::mark::{Act, Mark, Outside, Precedence, SORTS, Stretch, sort_of};
use bygone_engine::semantics::ReadStatements;
use bygone_engine::time::{Instant, Period};
use bygone_engine::{Added, Assertion, Fact, StoreError};

use super::derive;
use crate::definition::{Cardinality, Definition, TemporalKind};

/// How often a range of statements is derived in the hope that it tells.
const ATTEMPTS: usize = 3;

/// Returns the facts that overlap a period, by start and then object; undated ones aside. `None` where a longer stretch is
/// needed to tell, or the whole group.
///
/// # Errors
/// [`StoreError`] where statements cannot be read.
pub fn facts_over(
    definition: &Definition,
    asked: Period,
    stretch: &Stretch<'_>,
    read: &mut ReadStatements<'_>,
) -> Result<Option<Vec<Fact>>, StoreError> {
    let Some(cuts) = Cuts::new(definition, stretch) else { return Ok(None) };
    let mut starts = cuts.before(asked.start());
    let mut ends = cuts.after(asked.end());
    // A fact often starts at the last cut, and ends at the next; the ones beyond tell so without a second look.
    let mut from = starts.next();
    if cuts.kind == TemporalKind::State
        && let Some(earlier) = starts.next()
    {
        from = Some(earlier);
    }
    let mut to = ends.next();
    let mut n_derived = 0;
    while let (Some(first), Some(last)) = (from, to)
        && n_derived < ATTEMPTS
    {
        if !cuts.is_not_denied_from_before(first..last) {
            from = starts.next();
            continue;
        }
        if !cuts.ends_are_final(first..last) {
            to = ends.next();
            continue;
        }
        n_derived += 1;
        let statements = read(first..last)?;
        let facts = derive(definition, &statements.iter().collect::<Vec<_>>());
        let (starts_early, ends_late) = cuts.touched(&facts, &(first..last), asked);
        if starts_early {
            from = starts.next();
        }
        if ends_late {
            to = ends.next();
        }
        if !starts_early && !ends_late {
            let overlaps = |fact: &Fact| fact.validity.period().is_some_and(|period| period.overlaps(asked));
            return Ok(Some(facts.into_iter().filter(overlaps).collect()));
        }
    }
    Ok(None)
}

/// Returns what changes where statements are added to a group. `is_new` says which of the stretch's marks are theirs. `None`
/// where a longer stretch is needed to tell, or the whole group.
///
/// # Errors
/// [`StoreError`] where statements cannot be read.
pub fn added(
    definition: &Definition,
    stretch: &Stretch<'_>,
    is_new: &[bool],
    read: &mut ReadStatements<'_>,
) -> Result<Option<Added>, StoreError> {
    let Some(cuts) = Cuts::new(definition, stretch) else { return Ok(None) };
    let new = || stretch.marks.iter().zip(is_new).filter_map(|(mark, new)| new.then_some(mark));
    let Some(first_new) = new().map(|mark| mark.start).min() else { return Ok(None) };
    let last_reached = new().map(|mark| mark.end).max().unwrap_or(first_new);
    if new().any(|mark| mark.act == Act::Deny || cuts.has_ends_of(mark.object)) {
        return Ok(None);
    }
    // A cut at which nothing new starts is one with the new statements and without them.
    let mut starts = cuts.before(first_new).filter(|&at| cuts.edge(at).is_none_or(|edge| edge < first_new));
    let mut ends = cuts.after(last_reached).filter(|&at| at == stretch.marks.len() || cuts.is_clean(at));
    let (mut from, mut to) = (starts.next(), ends.next());
    let mut outer = starts.next();
    let mut n_derived = 0;
    while let (Some(first), Some(last)) = (from, to)
        && n_derived < ATTEMPTS
    {
        // What lies around the two cuts tells whether facts break off there.
        let outermost = outer.or_else(|| cuts.edge(first).is_none().then_some(first));
        let (Some(earlier), Some(later)) = (outermost, cuts.beyond(last)) else { return Ok(None) };
        if !cuts.is_not_denied_from_before(earlier..later) {
            (from, outer) = (outer, starts.next());
            continue;
        }
        if !cuts.ends_are_final(earlier..later) || !cuts.is_not_denied_from_before(last..later) {
            to = ends.next();
            continue;
        }
        n_derived += 1;
        let statements = read(earlier..later)?;
        let with: Vec<&Assertion> = statements.iter().collect();
        let without: Vec<&Assertion> = statements
            .iter()
            .zip(&is_new[earlier..later])
            .filter(|(_, new)| !**new)
            .map(|(s, _)| s)
            .collect();
        let (after, before) = (derive(definition, &with), derive(definition, &without));
        let (at_first, at_last) = (cuts.edge(first), cuts.edge(last));
        let breaks =
            |at: Option<Instant>| at.is_none_or(|at| breaks_at(&after, at) && breaks_at(&before, at));
        match (breaks(at_first), breaks(at_last)) {
            (true, true) => {
                let starts_there = |fact: &Fact| {
                    let start = fact.validity.period().map(Period::start);
                    start.is_some_and(|start| {
                        at_first.is_none_or(|first| start >= first) && at_last.is_none_or(|last| start < last)
                    })
                };
                let facts = after.into_iter().filter(starts_there).collect();
                return Ok(Some(Added { from: at_first, to: at_last, facts }));
            }
            (false, _) => (from, outer) = (outer, starts.next()),
            (_, false) => to = ends.next(),
        }
    }
    Ok(None)
}

/// Says whether no fact goes on over an instant.
fn breaks_at(facts: &[Fact], at: Instant) -> bool {
    let goes_on = |period: Period| period.start() < at && at < period.end();
    !facts.iter().filter_map(|fact| fact.validity.period()).any(goes_on)
}

/// Where a stretch can be cut.
struct Cuts<'a> {
    kind: TemporalKind,
    marks: &'a [Mark],
    before: &'a Outside,
    after: &'a Outside,
    /// How far what starts before each mark reaches, endless denials aside.
    reach: Vec<Instant>,
}

impl<'a> Cuts<'a> {
    /// `None` where the rules of the predicate look at everything that was said.
    fn new(definition: &Definition, stretch: &Stretch<'a>) -> Option<Cuts<'a>> {
        let Stretch { marks, before, after } = *stretch;
        let has_cuts = match (definition.kind, definition.cardinality) {
            (TemporalKind::State, Cardinality::One) | (TemporalKind::Event, _) => true,
            (TemporalKind::State, Cardinality::Many) | (TemporalKind::Rigid, _) => false,
        };
        let has_odd = before.has_odd || after.has_odd || marks.iter().any(Mark::is_odd);
        if !has_cuts || has_odd {
            return None;
        }
        let reach = marks
            .iter()
            .scan(before.reach, |reach, mark| {
                let before = *reach;
                if !mark.is_endless_denial() {
                    *reach = before.max(mark.end);
                }
                Some(before)
            })
            .collect();
        Some(Cuts { kind: definition.kind, marks, before, after, reach })
    }

    /// Returns the cuts not after an instant, the last first: the first of the marks that follow each.
    fn before(&self, instant: Instant) -> impl Iterator<Item = usize> {
        let last = self.marks.partition_point(|mark| mark.start <= instant);
        (0..last).rev().filter(|&at| self.is_clean(at)).chain(
            // Where nothing lies before, that is as good as a cut.
            (self.before.is_empty && last == 0).then_some(0),
        )
    }

    /// Returns the cuts after an instant, the first one first: the first of the marks that follow each, or their number where
    /// nothing follows.
    fn after(&self, instant: Instant) -> impl Iterator<Item = usize> {
        let first = self.marks.partition_point(|mark| mark.start <= instant);
        let ends = self.after.is_empty.then_some(self.marks.len());
        let is_at_end = move |at: &usize| Some(*at) != ends;
        (first..self.marks.len()).filter(|&at| self.is_over(at)).filter(is_at_end).chain(ends)
    }

    /// Returns the first cut after another one; a cut at the end is its own.
    fn beyond(&self, cut: usize) -> Option<usize> {
        match self.marks.get(cut) {
            Some(mark) => self.after(mark.start).next(),
            None => Some(cut),
        }
    }

    /// Returns the instant of a cut; `None` at the start or the end of everything.
    fn edge(&self, cut: usize) -> Option<Instant> {
        let is_start = cut == 0 && self.before.is_empty;
        self.marks.get(cut).filter(|_| !is_start).map(|mark| mark.start)
    }

    /// Says whether what starts from a mark on can be told by itself.
    fn is_clean(&self, at: usize) -> bool {
        if at == 0 && self.before.is_empty {
            return true;
        }
        self.is_over(at) && (self.kind == TemporalKind::Event || self.anchors(at))
    }

    /// Says whether a mark is the first that starts where it does, and nothing before reaches over its start. The marks before
    /// the stretch may start at the same instant as its first.
    fn is_over(&self, at: usize) -> bool {
        let start = self.marks[at].start;
        at > 0 && self.marks[at - 1].start < start && self.reach[at] <= start
    }

    /// Says whether an open affirm that is vouched for no earlier starts where a mark does, and no denial.
    fn anchors(&self, at: usize) -> bool {
        let mut here = self.marks[at..].iter().take_while(|mark| mark.start == self.marks[at].start);
        let mut anchored = false;
        here.all(|mark| {
            anchored |= mark.act == Act::Open { anchors: true };
            mark.act != Act::Deny
        }) && anchored
    }

    /// Says whether no endless denial from before a range prevails over a statement in it that it can concern.
    fn is_not_denied_from_before(&self, range: Range<usize>) -> bool {
        let mut denials: [Option<Precedence>; SORTS] = self.before.denials;
        let mut of_whatever: Option<Precedence> = None;
        for mark in self.marks[..range.start].iter().filter(|mark| mark.is_endless_denial()) {
            let most = match mark.object {
                0 => &mut of_whatever,
                object => &mut denials[sort_of(object)],
            };
            *most = (*most).max(Some(mark.precedence));
        }
        // A denial of whatever holds is itself neither denied nor corrected.
        self.marks[range].iter().filter(|mark| mark.object != 0).all(|mark| {
            let most = denials[sort_of(mark.object)].max(of_whatever);
            most.is_none_or(|most| most < mark.precedence)
        })
    }

    /// Says whether no END after a range can correct one in it. Events have none.
    fn ends_are_final(&self, range: Range<usize>) -> bool {
        if self.kind == TemporalKind::Event {
            return true;
        }
        let (within, later) = (&self.marks[range.clone()], &self.marks[range.end..]);
        within.iter().filter(|mark| mark.is_endless_denial() && mark.object != 0).all(|end| {
            let affirms_later =
                |mark: &&Mark| mark.object == end.object && mark.act != Act::Deny && mark.start > end.start;
            if within.iter().any(|mark| affirms_later(&mark)) {
                return true;
            }
            let resumption = later.iter().find(affirms_later).map(|mark| mark.start);
            let corrects = |mark: &Mark| {
                mark.object == end.object
                    && mark.is_endless_denial()
                    && resumption.is_none_or(|resumption| mark.start < resumption)
            };
            let is_known = resumption.is_some() || self.after.denials[sort_of(end.object)].is_none();
            is_known && !later.iter().any(corrects)
        })
    }

    /// Says whether an END of an object is anywhere, or can be.
    fn has_ends_of(&self, object: u64) -> bool {
        let sort = sort_of(object);
        self.before.denials[sort].is_some()
            || self.after.denials[sort].is_some()
            || self.marks.iter().any(|mark| mark.is_endless_denial() && mark.object == object)
    }

    /// Says whether facts that overlap the asked period may go on beyond the first or the last cut of a range.
    fn touched(&self, facts: &[Fact], range: &Range<usize>, asked: Period) -> (bool, bool) {
        if self.kind == TemporalKind::Event {
            return (false, false);
        }
        let periods = facts.iter().filter_map(|fact| fact.validity.period());
        let mut touched = (false, false);
        for period in periods.filter(|period| period.overlaps(asked)) {
            touched.0 |= self.edge(range.start).is_some_and(|from| period.start() <= from);
            touched.1 |= self.edge(range.end).is_some_and(|to| period.end() >= to);
        }
        touched
    }
}
