//! The forms that the facts of a group take while more and more is said of it: what `history` tells, for the cost of what
//! changes with each statement, and not of deriving the group again after each.
//!
//! ```text
//! a batch ─┬─ state: denials that turn → regions, change points → spans swept again ─┐
//!          ├─ event: clusters of occurrences that overlap                            ├─ forms
//!          └─ rigid: who stands                                                      ┘
//! ```
//!
//! Invariant: they are those that `bygone_engine::semantics::derived_after_each` returns.

mod event;
mod regions;
mod rigid;
mod runs;
mod spans;
mod standing;
mod state;
mod undated;

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::assertion::precedence;
use bygone_engine::semantics::Proceed;
use bygone_engine::time::Instant;
use bygone_engine::{Assertion, Form, StoreError, Told};

use self::event::Event;
use self::state::State;
use self::undated::Undated;
use super::contest::Voices;
use super::group::{Affirm, Deny, Group, ObjectIdx, Rank, moments_of};
use crate::definition::{Cardinality, Definition, TemporalKind};

/// Returns every form that the facts of one group took while statements were added, batch after batch, in no order that means
/// anything.
///
/// # Errors
/// Whatever `proceed` fails with.
pub fn forms(
    definition: &Definition,
    batches: &[Vec<&Assertion>],
    told: Told,
    proceed: &mut Proceed<'_>,
) -> Result<Vec<Form>, StoreError> {
    let (group, said) = in_batches(batches);
    let everything = || said.iter().map(Vec::as_slice).enumerate();
    let mut forms = Vec::new();
    match (definition.kind, definition.cardinality) {
        (TemporalKind::State, Cardinality::One) => {
            let state = State::new(&group, Voices::of(definition.kind, &group), told);
            forms.extend(follow(state, everything(), proceed)?);
        }
        (TemporalKind::State, Cardinality::Many) => {
            let groups = group.by_object();
            let bounds = bounds_of_each(&groups);
            for (of_one, said) in groups.iter().zip(bearing_on_each(&group, &groups, &bounds, &said)) {
                let said = said.iter().map(|(batch, said)| (*batch, said.as_slice()));
                forms.extend(follow(State::new(of_one, None, told), said, proceed)?);
            }
        }
        (TemporalKind::Event, _) => {
            let groups = group.by_object();
            for (of_one, said) in groups.iter().zip(bearing_on_each(&group, &groups, &Bounds::new(), &said)) {
                let said = said.iter().map(|(batch, said)| (*batch, said.as_slice()));
                forms.extend(follow(Event::new(of_one, told), said, proceed)?);
            }
        }
        (TemporalKind::Rigid, _) => {
            return rigid::forms(definition, &group, &said, told, proceed);
        }
    }
    if !group.undated.is_empty() {
        forms.extend(follow(Undated::new(&group, told), everything(), proceed)?);
    }
    Ok(forms)
}

/// Instants at which facts can start or end, each with the groups of one object by whose own statements they can.
type Bounds = BTreeMap<Instant, Vec<usize>>;

fn bounds_of_each(groups: &[Group<'_>]) -> Bounds {
    let mut bounds = Bounds::new();
    for (place, group) in groups.iter().enumerate() {
        let mut add = |at: Instant| {
            let places = bounds.entry(at).or_default();
            if places.last() != Some(&place) {
                places.push(place);
            }
        };
        for affirm in &group.affirms {
            moments_of(group.statements[affirm.rank]).for_each(|moment| add(moment.at));
            [affirm.from, affirm.stated_to].into_iter().for_each(&mut add);
            // What is presumed can end where another is vouched for last, of which nobody has to say anything.
            affirm.sure_until.into_iter().for_each(|sure| add(sure.at));
        }
        for deny in &group.denies {
            moments_of(group.statements[deny.rank]).for_each(|moment| add(moment.at));
            [deny.start, deny.end].into_iter().for_each(&mut add);
        }
    }
    bounds
}

/// Returns which statements of each batch bear on each group of one object: its own affirms and denials, and those that say
/// something of one of its bounds, which the latest of them gives its granularity.
fn bearing_on_each(
    whole: &Group<'_>,
    groups: &[Group<'_>],
    bounds: &Bounds,
    said: &[Vec<Rank>],
) -> Vec<Vec<(usize, Vec<Rank>)>> {
    let places: BTreeMap<ObjectIdx, usize> =
        groups.iter().enumerate().map(|(place, group)| (group.affirms[0].object, place)).collect();
    let mut bearing: Vec<Vec<(usize, Vec<Rank>)>> = vec![Vec::new(); groups.len()];
    for (batch, said) in said.iter().enumerate() {
        for &rank in said {
            let moments = moments_of(whole.statements[rank]);
            let mut concerned: BTreeSet<usize> =
                moments.filter_map(|moment| bounds.get(&moment.at)).flatten().copied().collect();
            match (whole.affirm(rank), whole.deny(rank)) {
                (Some(Affirm { object, .. }), _) | (None, Some(Deny { object: Some(object), .. })) => {
                    concerned.extend(places.get(object));
                }
                (None, Some(Deny { object: None, .. })) => concerned.extend(0..groups.len()),
                (None, None) => {}
            }
            for place in concerned {
                match bearing[place].last_mut() {
                    Some((last, ranks)) if *last == batch => ranks.push(rank),
                    _ => bearing[place].push((batch, vec![rank])),
                }
            }
        }
    }
    bearing
}

/// What is believed of a group while its statements are taken in.
trait Follow {
    /// Takes in what is said with a batch.
    fn take(&mut self, batch: usize, said: &[Rank]);

    /// Returns all forms, once everything is taken in.
    fn forms(self) -> Vec<Form>;
}

fn follow<'s>(
    mut followed: impl Follow,
    said: impl Iterator<Item = (usize, &'s [Rank])>,
    proceed: &mut Proceed<'_>,
) -> Result<Vec<Form>, StoreError> {
    for (batch, said) in said {
        proceed()?;
        followed.take(batch, said);
    }
    Ok(followed.forms())
}

/// Returns the group of all statements, and the ranks of those of each batch.
fn in_batches<'a>(batches: &[Vec<&'a Assertion>]) -> (Group<'a>, Vec<Vec<Rank>>) {
    let numbered = batches.iter().enumerate().flat_map(|(batch, of)| of.iter().map(move |&a| (a, batch)));
    let mut ranked: Vec<(&Assertion, usize)> = numbered.filter(|(statement, _)| statement.counts()).collect();
    ranked.sort_by(|one, other| precedence(one.0, other.0));
    let mut said = vec![Vec::new(); batches.len()];
    for (rank, (_, batch)) in ranked.iter().enumerate() {
        said[*batch].push(rank);
    }
    let statements: Vec<&Assertion> = ranked.into_iter().map(|(statement, _)| statement).collect();
    (Group::new(&statements), said)
}
