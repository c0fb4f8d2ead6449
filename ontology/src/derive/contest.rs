//! Who contradicts whom: two people who vouch for different values over the same time.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::fact::Rival;
use bygone_engine::time::{Instant, Validity};
use bygone_engine::{AssertionId, Authority, EntityRef, Fact};

use super::cover::Cover;
use super::denial::Denials;
use super::ends;
use super::group::{Affirm, Group, ObjectIdx, Rank};
use crate::definition::TemporalKind;

/// Up to so many affirms are looked through one by one. Chosen, untested.
const FEW: usize = 32;

/// Sets beside each fact of a single-valued group the values that others vouch for over the same time.
pub(super) fn mark(kind: TemporalKind, group: &Group<'_>, facts: &mut [Fact]) {
    let Some(mut voices) = Voices::of(kind, group) else { return };
    for affirm in &group.affirms {
        voices.add(affirm);
    }
    let denies = match kind {
        TemporalKind::State => Denials::new(&ends::standing(&group.affirms, &group.denies)),
        TemporalKind::Event | TemporalKind::Rigid => Denials::new(&group.denies),
    };
    for fact in facts {
        fact.rivals = voices.rivals(group, &denies, fact);
    }
}

/// Who vouches for what, of those whose word makes a contest: first-hand, and known by name.
///
/// What is compared is what each vouches for before the other's word cuts it short: otherwise the later statement
/// would always have silenced the earlier one already.
pub(super) struct Voices<'a> {
    kind: TemporalKind,
    /// Who affirms, by rank; `None` for whoever makes no contest.
    asserters: Vec<Option<&'a EntityRef>>,
    /// The rank of each statement that makes one.
    ranks: BTreeMap<AssertionId, Rank>,
    /// Those that were added, by start.
    starts: BTreeSet<(Instant, Rank)>,
    /// The same by what they vouch for; `None` where they are few.
    cover: Option<Cover>,
}

impl<'a> Voices<'a> {
    /// Returns nobody yet, with room for everybody in the group; `None` where they cannot contradict one another.
    pub(super) fn of(kind: TemporalKind, group: &Group<'a>) -> Option<Voices<'a>> {
        let asserter = |affirm: &Affirm| {
            let statement = group.statements[affirm.rank];
            let asserter = statement.source.asserter.as_ref();
            asserter.filter(|_| statement.authority != Authority::Inferred)
        };
        let mut voices = group.affirms.iter().filter_map(asserter);
        let first = voices.next()?;
        if voices.all(|other| other == first) {
            return None;
        }
        let mut asserters = vec![None; group.statements.len()];
        let (mut ranks, mut instants) = (BTreeMap::new(), Vec::new());
        for affirm in &group.affirms {
            if let Some(asserter) = asserter(affirm) {
                asserters[affirm.rank] = Some(asserter);
                ranks.insert(group.statements[affirm.rank].id, affirm.rank);
                instants.extend([affirm.from, affirm.stated_to]);
            }
        }
        let cover = (ranks.len() > FEW).then(|| Cover::between(instants));
        Some(Voices { kind, asserters, ranks, starts: BTreeSet::new(), cover })
    }

    /// Lets an affirm be heard.
    pub(super) fn add(&mut self, affirm: &Affirm) {
        if self.asserters[affirm.rank].is_some() {
            self.starts.insert((affirm.from, affirm.rank));
            if let Some(cover) = &mut self.cover {
                cover.add((affirm.from, affirm.stated_to), affirm.rank);
            }
        }
    }

    /// Returns the values that others vouch for over the time of a fact, each once, by the latest who does.
    pub(super) fn rivals(&self, group: &Group<'_>, denies: &Denials, fact: &Fact) -> Vec<Rival> {
        let Validity::Over(period) = fact.validity else { return Vec::new() };
        let within = (period.start(), period.end());
        let winners = Winners::new(
            fact.support.iter().filter_map(|id| self.ranks.get(id)).map(|rank| affirm(group, *rank)),
        );
        let mut latest: BTreeMap<ObjectIdx, Rank> = BTreeMap::new();
        for rank in self.heard(within).into_iter().rev() {
            let other = affirm(group, rank);
            if latest.contains_key(&other.object) {
                continue;
            }
            let contradicts = |winner: &&Affirm| {
                other.rank < winner.rank
                    && other.object != winner.object
                    && self.asserters[other.rank] != self.asserters[winner.rank]
                    && clash(self.kind, denies, winner, other, within)
            };
            let of_its_time = match self.kind {
                TemporalKind::Rigid => &winners.by_start[..],
                TemporalKind::State | TemporalKind::Event => winners.over(other.from, other.stated_to),
            };
            if of_its_time.iter().any(contradicts) {
                latest.insert(other.object, rank);
            }
        }
        let ranks: BTreeSet<Rank> = latest.into_values().collect();
        ranks.into_iter().map(|rank| rival(group, rank)).collect()
    }

    /// Returns at least those who vouch for anything over some time. What does not change is vouched for at all times by
    /// whoever said it.
    fn heard(&self, (from, to): (Instant, Instant)) -> BTreeSet<Rank> {
        match &self.cover {
            Some(cover) if self.kind != TemporalKind::Rigid => {
                let starting = self.starts.range((from, 0)..(to, 0)).map(|(_, rank)| *rank);
                cover.over(from).chain(starting).collect()
            }
            Some(_) | None => self.starts.iter().map(|(_, rank)| *rank).collect(),
        }
    }
}

/// The affirms that a fact rests on.
struct Winners<'g> {
    by_start: Vec<&'g Affirm>,
    /// How far each and those before it reach.
    reach: Vec<Instant>,
}

impl<'g> Winners<'g> {
    fn new(affirms: impl Iterator<Item = &'g Affirm>) -> Winners<'g> {
        let mut by_start: Vec<&Affirm> = affirms.collect();
        by_start.sort_by_key(|affirm| affirm.from);
        let reach = by_start.iter().scan(Instant::DISTANT_PAST, |reach, affirm| {
            *reach = affirm.stated_to.max(*reach);
            Some(*reach)
        });
        Winners { reach: reach.collect(), by_start }
    }

    /// Returns at least those that vouch for an instant of `[from, to)`.
    fn over(&self, from: Instant, to: Instant) -> &[&'g Affirm] {
        let first = self.reach.partition_point(|reach| *reach <= from);
        let last = self.by_start.partition_point(|affirm| affirm.from < to);
        &self.by_start[first.min(last)..last]
    }
}

fn affirm<'g>(group: &'g Group<'_>, rank: Rank) -> &'g Affirm {
    group.affirm(rank).expect("who makes a contest affirms")
}

fn rival(group: &Group<'_>, rank: Rank) -> Rival {
    let statement = group.statements[rank];
    let object = statement.object.clone().expect("an affirm has an object");
    Rival { object, assertion: statement.id }
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
    let ends = || [one, other].into_iter().flat_map(|affirm| denies.ends_within(affirm.object, (from, to)));
    let both_stand = |at: Instant| stands(one, at) && stands(other, at);
    from < to && (both_stand(from) || ends().any(both_stand))
}
