//! Who contradicts whom: two people who vouch for different values over the same time.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::fact::Rival;
use bygone_engine::time::{Instant, Validity};
use bygone_engine::{Authority, Fact};

use super::denial::Denials;
use super::ends;
use super::group::{Affirm, Group, ObjectIdx, Rank};
use crate::definition::TemporalKind;

/// Sets beside each fact of a single-valued group the values that others vouch for over the same time.
///
/// What is compared is what each vouches for before the other's word cuts it short: otherwise the later statement
/// would always have silenced the earlier one already.
pub(super) fn mark(kind: TemporalKind, group: &Group<'_>, facts: &mut [Fact]) {
    let spoken: Vec<&Affirm> = group
        .affirms
        .iter()
        .filter(|affirm| {
            let statement = group.statements[affirm.rank];
            statement.authority != Authority::Inferred && statement.source.asserter.is_some()
        })
        .collect();
    let asserter = |rank: Rank| group.statements[rank].source.asserter.as_ref();
    let two_voices = spoken.iter().any(|affirm| asserter(affirm.rank) != asserter(spoken[0].rank));
    if !two_voices {
        return;
    }
    let denies = match kind {
        TemporalKind::State => Denials::new(&ends::standing(&group.affirms, &group.denies)),
        TemporalKind::Event | TemporalKind::Rigid => Denials::new(&group.denies),
    };
    for fact in facts {
        let Validity::Over(period) = fact.validity else {
            continue;
        };
        let within = (period.start(), period.end());
        let winners = spoken.iter().filter(|affirm| supports(group, fact, affirm.rank));
        let lost = winners.flat_map(|winner| {
            spoken.iter().filter(|other| {
                other.rank < winner.rank
                    && other.object != winner.object
                    && asserter(other.rank) != asserter(winner.rank)
                    && clash(kind, &denies, winner, other, within)
            })
        });
        // Each other value once, by the latest who vouches for it.
        let mut latest: BTreeMap<ObjectIdx, Rank> = BTreeMap::new();
        for other in lost {
            let rank = latest.entry(other.object).or_insert(other.rank);
            *rank = other.rank.max(*rank);
        }
        let ranks: BTreeSet<Rank> = latest.into_values().collect();
        fact.rivals = ranks.into_iter().map(|rank| rival(group, rank)).collect();
    }
}

fn rival(group: &Group<'_>, rank: Rank) -> Rival {
    let statement = group.statements[rank];
    let object = statement.object.clone().expect("an affirm has an object");
    Rival { object, assertion: statement.id }
}

fn supports(group: &Group<'_>, fact: &Fact, rank: Rank) -> bool {
    fact.support.binary_search(&group.statements[rank].id).is_ok()
}

/// Says whether both vouch for an instant of the fact at which neither is denied. What does not change is vouched for
/// at all times by whoever said it, and denied with its own start.
fn clash(
    kind: TemporalKind,
    denies: &Denials,
    one: &Affirm,
    other: &Affirm,
    within: (Instant, Instant),
) -> bool {
    let stands = |affirm: &Affirm, at: Instant| !denies.deny(affirm.rank, affirm.object, at);
    if kind == TemporalKind::Rigid {
        return stands(one, one.from) && stands(other, other.from);
    }
    let from = one.from.max(other.from).max(within.0);
    let to = one.stated_to.min(other.stated_to).min(within.1);
    // Whoever is denied at first speaks again only where a denial ends.
    let mut instants = std::iter::once(from).chain(denies.all().map(|deny| deny.end));
    instants.any(|at| from <= at && at < to && stands(one, at) && stands(other, at))
}
