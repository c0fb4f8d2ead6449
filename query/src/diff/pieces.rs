//! How the facts of one group differ between two states of belief, instant by instant.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::object::ObjectKey;
use bygone_engine::time::{Instant, Validity};
use bygone_engine::{Fact, Object, ValidTime};

use super::Change;

/// Some instants that differ alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stretch {
    /// `[from, to)`.
    Over(Instant, Instant),
    /// The time nobody dated.
    Undated,
}

impl Stretch {
    /// Returns the instants that two have in common, where there are any.
    pub(super) fn common(self, other: Stretch) -> Option<Stretch> {
        match (self, other) {
            (Stretch::Undated, Stretch::Undated) => Some(Stretch::Undated),
            (Stretch::Over(from, to), Stretch::Over(other_from, other_to)) => {
                let (from, to) = (from.max(other_from), to.min(other_to));
                (from < to).then_some(Stretch::Over(from, to))
            }
            (Stretch::Undated, Stretch::Over(..)) | (Stretch::Over(..), Stretch::Undated) => None,
        }
    }

    /// Returns how many instants it has; the time nobody dated counts as one.
    pub(super) fn length(self) -> i128 {
        match self {
            Stretch::Undated => 1,
            Stretch::Over(from, to) => i128::from(to.micros()) - i128::from(from.micros()),
        }
    }
}

/// A difference, and where it lies.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) change: Change,
    pub(super) was: Option<Fact>,
    pub(super) fact: Option<Fact>,
    /// Where the object of `fact` holds and did not.
    pub(super) gained: Vec<Stretch>,
    /// Where the object of `was` held and does not.
    pub(super) lost: Vec<Stretch>,
}

impl Piece {
    /// Says whether the facts given have some of it: of what holds, where anything does.
    pub(super) fn begins_in(&self, facts: &[Fact]) -> bool {
        match (&self.fact, &self.was) {
            (Some(fact), _) if !self.gained.is_empty() => {
                self.gained.iter().any(|stretch| meets(facts, &fact.object, *stretch))
            }
            (_, Some(was)) => self.lost.iter().any(|stretch| !covers(facts, &was.object, *stretch)),
            (_, None) => false,
        }
    }
}

/// Says whether the object holds at some of the instants.
pub(super) fn meets(facts: &[Fact], object: &Object, stretch: Stretch) -> bool {
    facts.iter().any(|fact| fact.object.key() == object.key() && common(fact, stretch).is_some())
}

/// Says whether the object holds at all of the instants.
fn covers(facts: &[Fact], object: &Object, stretch: Stretch) -> bool {
    let Stretch::Over(from, to) = stretch else {
        return meets(facts, object, stretch);
    };
    let mut covered = from;
    let mut common: Vec<(Instant, Instant)> = facts
        .iter()
        .filter(|fact| fact.object.key() == object.key())
        .filter_map(|fact| common(fact, stretch))
        .collect();
    common.sort_unstable();
    for (start, end) in common {
        if start > covered {
            return false;
        }
        covered = covered.max(end);
    }
    covered >= to
}

/// Returns the instants that a fact shares with a stretch; for the undated time, any pair.
fn common(fact: &Fact, stretch: Stretch) -> Option<(Instant, Instant)> {
    match (fact.validity, stretch) {
        (Validity::Undated, Stretch::Undated) => Some((Instant::DISTANT_PAST, Instant::DISTANT_FUTURE)),
        (Validity::Over(period), Stretch::Over(from, to)) => {
            let (start, end) = (period.start().max(from), period.end().min(to));
            (start < end).then_some((start, end))
        }
        (Validity::Undated, Stretch::Over(..)) | (Validity::Over(_), Stretch::Undated) => None,
    }
}

/// Returns the differences between the facts of a group before and after. `independent` where its objects do not
/// displace each other.
pub(super) fn pieces(independent: bool, before: &[Fact], after: &[Fact], asked: ValidTime) -> Vec<Piece> {
    let mut tracks: BTreeMap<Option<ObjectKey>, [Side<'_>; 2]> = BTreeMap::new();
    let mut unplaced: BTreeMap<ObjectKey, [Option<Fact>; 2]> = BTreeMap::new();
    for (which, facts) in [before, after].into_iter().enumerate() {
        for fact in facts {
            let key = fact.object.key();
            if fact.validity == Validity::Undated {
                unplaced.entry(key).or_default()[which] = Some(fact.clone());
            } else {
                tracks.entry(independent.then_some(key)).or_default()[which].push(fact, key);
            }
        }
    }
    let mut pieces = Vec::new();
    for [before, after] in tracks.values() {
        pieces.extend(dated(before, after, asked));
    }
    for [was, fact] in unplaced.into_values() {
        pieces.extend(undated(was, fact));
    }
    pieces
}

/// Dated facts by start, with the keys of their objects.
#[derive(Default)]
struct Side<'a> {
    facts: Vec<&'a Fact>,
    keys: Vec<ObjectKey>,
    /// How far each and those before it reach.
    reach: Vec<Instant>,
}

impl<'a> Side<'a> {
    fn push(&mut self, fact: &'a Fact, key: ObjectKey) {
        let before = self.reach.last().copied().unwrap_or(Instant::DISTANT_PAST);
        self.facts.push(fact);
        self.keys.push(key);
        self.reach.push(before.max(end(fact)));
    }

    /// Returns the first fact that holds at an instant.
    fn at(&self, instant: Instant) -> Option<usize> {
        let first = self.reach.partition_point(|reach| *reach <= instant);
        self.facts.get(first).filter(|fact| start(fact) <= instant).map(|_| first)
    }

    /// Returns the other forms of a fact: of the same object, with instants in common.
    fn forms_of(&self, fact: &Fact, key: ObjectKey) -> impl DoubleEndedIterator<Item = (usize, &'a Fact)> {
        let from = start(fact);
        let first = self.reach.partition_point(|reach| *reach <= from);
        let last = self.facts.partition_point(|other| start(other) < end(fact));
        let is_form = move |place: &usize| self.keys[*place] == key && end(self.facts[*place]) > from;
        (first..last).filter(is_form).map(|place| (place, self.facts[place]))
    }
}

fn undated(was: Option<Fact>, fact: Option<Fact>) -> Option<Piece> {
    let (change, gained, lost) = match (&was, &fact) {
        (None, Some(_)) => (Change::Learned, vec![Stretch::Undated], Vec::new()),
        (Some(_), None) => (Change::Corrected, Vec::new(), vec![Stretch::Undated]),
        (None, None) | (Some(_), Some(_)) => return None,
    };
    Some(Piece { change, was, fact, gained, lost })
}

/// Which fact held, and which holds, by their places.
type Pair = (Option<usize>, Option<usize>);

fn dated(before: &Side<'_>, after: &Side<'_>, asked: ValidTime) -> Vec<Piece> {
    let differing = differing(before, after);
    let stretches = |pair: Pair| differing.get(&pair).cloned().unwrap_or_default();
    let replacing: BTreeSet<usize> =
        differing.keys().filter(|pair| pair.0.is_some()).filter_map(|pair| pair.1).collect();
    // Each with the place of its fact.
    let mut pieces: Vec<(Piece, Option<usize>)> = Vec::new();
    for (pair, parts) in &differing {
        match *pair {
            (Some(was), Some(fact)) => {
                pieces.push((replaced((before, was), (after, fact), parts, asked), Some(fact)));
            }
            (None, Some(fact)) if !replacing.contains(&fact) => {
                pieces.push((added(before, (after, fact), parts), Some(fact)));
            }
            // What replaced something tells of the rest of its period, too.
            (None, Some(_) | None) => {}
            (Some(was), None) => {
                let mut gone = removed((before, was), after, parts);
                for (piece, place) in &mut gone {
                    piece.gained = stretches((None, *place));
                }
                pieces.extend(gone);
            }
        }
    }
    // What was lost and what was gained of one fact is told together.
    let takes_back = |piece: &Piece| !piece.lost.is_empty() && piece.was.is_some();
    let told: BTreeSet<usize> =
        pieces.iter().filter(|(piece, _)| takes_back(piece)).filter_map(|(_, place)| *place).collect();
    pieces
        .retain(|(piece, place)| !piece.lost.is_empty() || !place.is_some_and(|place| told.contains(&place)));
    pieces.into_iter().map(|(piece, _)| piece).collect()
}

/// Returns the stretches at which the two sides differ, by what holds on either.
fn differing(before: &Side<'_>, after: &Side<'_>) -> BTreeMap<Pair, Vec<Stretch>> {
    let both = before.facts.iter().chain(&after.facts);
    let instants: BTreeSet<Instant> = both.flat_map(|fact| [start(fact), end(fact)]).collect();
    let instants: Vec<Instant> = instants.into_iter().collect();
    let mut differing: BTreeMap<Pair, Vec<Stretch>> = BTreeMap::new();
    for pair in instants.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let (was, fact) = (before.at(from), after.at(from));
        if was.map(|was| before.keys[was]) == fact.map(|fact| after.keys[fact]) {
            continue;
        }
        let stretches = differing.entry((was, fact)).or_default();
        match stretches.last_mut() {
            Some(Stretch::Over(_, end)) if *end == from => *end = to,
            Some(_) | None => stretches.push(Stretch::Over(from, to)),
        }
    }
    differing
}

fn replaced(
    (before, was): (&Side<'_>, usize),
    (after, fact): (&Side<'_>, usize),
    parts: &[Stretch],
    asked: ValidTime,
) -> Piece {
    let is_asked = parts.iter().any(|part| is_asked(asked, *part));
    let (former, key, fact) = (before.facts[was], before.keys[was], after.facts[fact]);
    let took_over = after.forms_of(former, key).any(|(_, left)| end(left) <= start(fact));
    Piece {
        change: if is_asked && took_over { Change::Changed } else { Change::Corrected },
        was: Some(former.clone()),
        fact: Some(fact.clone()),
        gained: parts.to_vec(),
        lost: parts.to_vec(),
    }
}

fn added(before: &Side<'_>, (after, fact): (&Side<'_>, usize), parts: &[Stretch]) -> Piece {
    let (fact, key) = (after.facts[fact], after.keys[fact]);
    let former = before.forms_of(fact, key).next_back().map(|(_, former)| former);
    let was_ended = former.is_some_and(|former| {
        let end = end(former);
        end != Instant::DISTANT_FUTURE && parts.contains(&Stretch::Over(end, Instant::DISTANT_FUTURE))
    });
    Piece {
        change: if was_ended { Change::Reopened } else { Change::Learned },
        was: former.cloned(),
        fact: Some(fact.clone()),
        gained: parts.to_vec(),
        lost: Vec::new(),
    }
}

/// Returns what went without anything in its place: once for each fact that is left of it, with the place of that.
fn removed(
    (before, was): (&Side<'_>, usize),
    after: &Side<'_>,
    parts: &[Stretch],
) -> Vec<(Piece, Option<usize>)> {
    let (was, key) = (before.facts[was], before.keys[was]);
    let left: Vec<(usize, &Fact)> = after.forms_of(was, key).collect();
    let piece = |change: Change, fact: Option<(usize, &Fact)>| {
        let piece = Piece {
            change,
            was: Some(was.clone()),
            fact: fact.map(|(_, fact)| fact.clone()),
            gained: Vec::new(),
            lost: parts.to_vec(),
        };
        (piece, fact.map(|(place, _)| place))
    };
    let is_open = end(was) == Instant::DISTANT_FUTURE;
    match (left.last(), parts) {
        (Some(last), [Stretch::Over(from, _)]) if is_open && *from == end(last.1) => {
            vec![piece(Change::Ended, Some(*last))]
        }
        (Some(_), _) => left.into_iter().map(|fact| piece(Change::Corrected, Some(fact))).collect(),
        (None, _) => vec![piece(Change::Corrected, None)],
    }
}

/// Says whether one fact is another form of the other: of the same object, with instants in common.
fn is_left_of(one: &Fact, other: &Fact) -> bool {
    one.object.key() == other.object.key() && start(one) < end(other) && start(other) < end(one)
}

fn is_asked(asked: ValidTime, stretch: Stretch) -> bool {
    match (asked, stretch) {
        (ValidTime::All, _) => true,
        (ValidTime::At(_) | ValidTime::During(_), Stretch::Undated) => false,
        (ValidTime::At(instant), Stretch::Over(from, to)) => from <= instant && instant < to,
        (ValidTime::During(period), Stretch::Over(from, to)) => period.start() < to && from < period.end(),
    }
}

fn start(fact: &Fact) -> Instant {
    fact.validity.period().map_or(Instant::DISTANT_PAST, bygone_engine::time::Period::start)
}

fn end(fact: &Fact) -> Instant {
    fact.validity.period().map_or(Instant::DISTANT_FUTURE, bygone_engine::time::Period::end)
}

/// Returns the differences that take the place of one that identity made: a fact that only grew takes nothing back, and
/// one that shrank is told with all that is left of it.
pub(super) fn as_identity(piece: Piece, after: &[Fact]) -> Vec<Piece> {
    match (piece.change, &piece.was) {
        (Change::Learned | Change::Reopened, _) => vec![Piece { was: None, ..piece }],
        (Change::Ended, Some(was)) => {
            let left = after.iter().filter(|fact| is_left_of(fact, was));
            left.map(|fact| Piece { fact: Some(fact.clone()), ..piece.clone() }).collect()
        }
        (Change::Changed | Change::Corrected | Change::Ended | Change::Merged | Change::Split, _) => {
            vec![piece]
        }
    }
}
