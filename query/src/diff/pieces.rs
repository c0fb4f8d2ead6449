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
    /// Says whether the facts given have the difference, too.
    pub(super) fn stands_in(&self, facts: &[Fact]) -> bool {
        let gained = self.fact.iter().flat_map(|fact| self.gained.iter().map(move |stretch| (fact, stretch)));
        let lost = self.was.iter().flat_map(|was| self.lost.iter().map(move |stretch| (was, stretch)));
        gained.into_iter().all(|(fact, stretch)| covers(facts, &fact.object, *stretch))
            && lost.into_iter().all(|(was, stretch)| !meets(facts, &was.object, *stretch))
    }

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
    let keys: BTreeSet<ObjectKey> = before.iter().chain(after).map(|fact| fact.object.key()).collect();
    let select = |facts: &[Fact], dated: bool, object: Option<ObjectKey>| -> Vec<Fact> {
        let wanted = |fact: &&Fact| {
            (fact.validity != Validity::Undated) == dated && object.is_none_or(|key| key == fact.object.key())
        };
        facts.iter().filter(wanted).cloned().collect()
    };
    let tracks: Vec<Option<ObjectKey>> =
        if independent { keys.iter().copied().map(Some).collect() } else { vec![None] };
    let mut pieces = Vec::new();
    for track in tracks {
        pieces.extend(dated(&select(before, true, track), &select(after, true, track), asked));
    }
    for key in keys {
        let find = |facts: &[Fact]| select(facts, false, Some(key)).pop();
        pieces.extend(undated(find(before), find(after)));
    }
    pieces
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

/// Compares dated facts, of which at most one holds at an instant on either side.
fn dated(before: &[Fact], after: &[Fact], asked: ValidTime) -> Vec<Piece> {
    let differing = differing(before, after);
    let stretches = |pair: Pair| differing.get(&pair).cloned().unwrap_or_default();
    let mut pieces = Vec::new();
    for (pair, parts) in &differing {
        match *pair {
            (Some(was), Some(fact)) => pieces.push(replaced(&before[was], &after[fact], after, parts, asked)),
            (None, Some(fact))
                if !differing.keys().any(|other| other.0.is_some() && other.1 == Some(fact)) =>
            {
                pieces.push(added(before, &after[fact], parts));
            }
            // What replaced something tells of the rest of its period, too.
            (None, Some(_) | None) => {}
            (Some(was), None) => {
                let mut gone = removed(&before[was], after, parts);
                for piece in &mut gone {
                    let place = after.iter().position(|fact| Some(fact) == piece.fact.as_ref());
                    piece.gained = stretches((None, place));
                }
                pieces.extend(gone);
            }
        }
    }
    // What was lost and what was gained of one fact is told together.
    let told: Vec<(Fact, Fact)> = pieces
        .iter()
        .filter(|piece| !piece.lost.is_empty())
        .filter_map(|piece| Some((piece.was.clone()?, piece.fact.clone()?)))
        .collect();
    pieces.retain(|piece| {
        !piece.lost.is_empty() || !told.iter().any(|(_, fact)| Some(fact) == piece.fact.as_ref())
    });
    pieces
}

/// Returns the stretches at which the two sides differ, by what holds on either.
fn differing(before: &[Fact], after: &[Fact]) -> BTreeMap<Pair, Vec<Stretch>> {
    let bounds = |fact: &Fact| fact.validity.period().map(|period| [period.start(), period.end()]);
    let instants: BTreeSet<Instant> = before.iter().chain(after).filter_map(bounds).flatten().collect();
    let instants: Vec<Instant> = instants.into_iter().collect();
    let at = |facts: &[Fact], instant: Instant| {
        facts.iter().position(|fact| fact.validity.period().is_some_and(|period| period.contains(instant)))
    };
    let mut differing: BTreeMap<Pair, Vec<Stretch>> = BTreeMap::new();
    for pair in instants.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let (was, fact) = (at(before, from), at(after, from));
        let key = |facts: &[Fact], place: Option<usize>| place.map(|place| facts[place].object.key());
        if key(before, was) == key(after, fact) {
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

fn replaced(was: &Fact, fact: &Fact, after: &[Fact], parts: &[Stretch], asked: ValidTime) -> Piece {
    let is_asked = parts.iter().any(|part| is_asked(asked, *part));
    let took_over = after.iter().any(|left| is_left_of(left, was) && end(left) <= start(fact));
    Piece {
        change: if is_asked && took_over { Change::Changed } else { Change::Corrected },
        was: Some(was.clone()),
        fact: Some(fact.clone()),
        gained: parts.to_vec(),
        lost: parts.to_vec(),
    }
}

fn added(before: &[Fact], fact: &Fact, parts: &[Stretch]) -> Piece {
    let former = before.iter().rfind(|former| is_left_of(former, fact));
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

fn removed(was: &Fact, after: &[Fact], parts: &[Stretch]) -> Vec<Piece> {
    let left: Vec<&Fact> = after.iter().filter(|fact| is_left_of(fact, was)).collect();
    let piece = |change: Change, fact: Option<&Fact>| Piece {
        change,
        was: Some(was.clone()),
        fact: fact.cloned(),
        gained: Vec::new(),
        lost: parts.to_vec(),
    };
    let is_open = end(was) == Instant::DISTANT_FUTURE;
    match (left.last(), parts) {
        (Some(last), [Stretch::Over(from, _)]) if is_open && *from == end(last) => {
            vec![piece(Change::Ended, Some(last))]
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
