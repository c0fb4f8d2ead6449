//! What each affirm vouches for, and which of them change what holds, as more and more is said: rules 2 and 4, where something
//! changes.
//!
//! Invariant: regions, cutters and change points are those that deriving everything said so far comes upon.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Excluded, Unbounded};

use bygone_engine::time::Instant;

use super::super::cover::Cover;
use super::super::denial::Denials;
use super::super::facts::Stretch;
use super::super::group::{Affirm, ObjectIdx, Rank};
use super::super::regions::{Region, cuts};
use super::super::state::sweep;
use super::spans::Spans;
use super::standing::{Standing, Turn};

/// The affirms of a group said so far.
pub(super) struct Regions {
    by_rank: BTreeMap<Rank, Region>,
    starts: BTreeSet<(Instant, Rank)>,
    /// What each vouches for by itself.
    uncut: Cover,
    /// What is left of that: of the open ones, and of those that are bounded.
    open: Cover,
    bounded: Cover,
    /// The open affirms that are not denied at their own start.
    cutters: BTreeSet<(Instant, Rank)>,
    /// Where regions are cut.
    cuts: BTreeSet<(Instant, Rank)>,
    /// The change points, by the instant that each is vouched for last.
    change_points: BTreeSet<(Instant, Rank)>,
    change_points_of: BTreeMap<ObjectIdx, BTreeSet<(Instant, Rank)>>,
    noted: BTreeMap<Rank, Instant>,
}

/// Whose standing has to be looked at again after something was said.
#[derive(Default)]
struct Touched {
    /// Open affirms that can cut where they did not, or no longer do.
    cutters: BTreeSet<Rank>,
    /// Open affirms that can be change points where they were none, or no longer are.
    change_points: BTreeSet<Rank>,
}

impl Regions {
    /// Returns no affirms, with room for those given.
    pub(super) fn none_of(affirms: &[Affirm]) -> Regions {
        let uncut = Cover::between(affirms.iter().flat_map(|affirm| [affirm.from, affirm.stated_to]));
        Regions {
            by_rank: BTreeMap::new(),
            starts: BTreeSet::new(),
            open: uncut.like(),
            bounded: uncut.like(),
            uncut,
            cutters: BTreeSet::new(),
            cuts: BTreeSet::new(),
            change_points: BTreeSet::new(),
            change_points_of: BTreeMap::new(),
            noted: BTreeMap::new(),
        }
    }

    /// Takes in affirms, and denials that came to stand or no longer do; adds to the spans where something can hold since that
    /// did not, or the other way round, or for other reasons.
    pub(super) fn take(
        &mut self,
        affirms: &[Affirm],
        turns: &[Turn],
        standing: &Standing,
        spans: &mut Spans,
    ) {
        let denials = &standing.denials;
        let mut touched = Touched::default();
        for affirm in affirms {
            spans.add(affirm.from, affirm.stated_to.max(affirm.from));
            self.starts.insert((affirm.from, affirm.rank));
            self.uncut.add((affirm.from, affirm.stated_to), affirm.rank);
            if affirm.is_open() {
                touched.cutters.insert(affirm.rank);
            }
            // Not cut yet, and in nobody's way before it is.
            self.by_rank.insert(affirm.rank, Region { to: affirm.from, ..Region::cut_at(affirm, None) });
        }
        for turn in turns {
            self.deny(turn, standing, spans, &mut touched);
        }
        self.cut(affirms, denials, spans, &mut touched);
        self.note_change_points(touched.change_points, denials, spans);
        for turn in turns {
            self.deny_presumed(turn, spans);
        }
    }

    /// Looks at the affirms that a denial concerns.
    fn deny(&self, turn: &Turn, standing: &Standing, spans: &mut Spans, touched: &mut Touched) {
        let deny = &turn.deny;
        let period = (deny.start, deny.end);
        let starting: Vec<Rank> = match deny.object {
            Some(object) => standing.starting(object, period).collect(),
            None => self.starting(period).collect(),
        };
        let concerned: BTreeSet<Rank> = self.uncut.over(deny.start).chain(starting).collect();
        for rank in concerned.into_iter().take_while(|rank| *rank < deny.rank) {
            let affirm = self.by_rank[&rank].affirm;
            if deny.object.is_some_and(|object| object != affirm.object) {
                continue;
            }
            let from = affirm.from.max(deny.start);
            let to = affirm.stated_to.min(deny.end).max(from);
            if !affirm.is_open() {
                spans.add(from, to);
                continue;
            }
            // Up to when it was vouched for last before an instant at which it is denied can depend on denials before that.
            spans.add(from, affirm.stated_to.max(from));
            if deny.covers(affirm.from) {
                touched.cutters.insert(rank);
                touched.change_points.insert(rank);
            }
            self.touch_change_points((from, to), touched);
        }
    }

    fn touch_change_points(&self, span: (Instant, Instant), touched: &mut Touched) {
        let open = self.starting(span).filter(|rank| self.by_rank[rank].affirm.is_open());
        touched.change_points.extend(open);
    }

    fn starting(&self, (from, to): (Instant, Instant)) -> impl Iterator<Item = Rank> {
        self.starts.range((from, 0)..(to, 0)).map(|(_, rank)| *rank)
    }

    /// Cuts what new cutters cut and what is new, and lets go what is cut no longer.
    fn cut(&mut self, new: &[Affirm], denials: &Denials, spans: &mut Spans, touched: &mut Touched) {
        let (mut come, mut gone) = (Vec::new(), Vec::new());
        for rank in std::mem::take(&mut touched.cutters) {
            let affirm = self.by_rank[&rank].affirm;
            let at = (affirm.from, rank);
            match (!denials.deny(rank, affirm.object, affirm.from), self.cutters.contains(&at)) {
                (true, false) => come.push(affirm),
                (false, true) => gone.push(at),
                (true, true) | (false, false) => {}
            }
        }
        self.cutters.extend(come.iter().map(|cutter| (cutter.from, cutter.rank)));
        for at in &gone {
            self.cutters.remove(at);
        }
        let was_cut_there = |&(at, _): &(Instant, Rank)| self.cuts.range((at, 0)..=(at, Rank::MAX));
        let let_go: BTreeSet<Rank> = gone.iter().flat_map(was_cut_there).map(|(_, rank)| *rank).collect();
        for rank in let_go {
            // Nothing cut it before that.
            let region = self.by_rank[&rank];
            self.set(
                Region::cut_at(&region.affirm, self.first_cut(&region.affirm, region.to)),
                spans,
                touched,
            );
        }
        for cutter in come {
            let there: BTreeSet<Rank> =
                self.open.over(cutter.from).chain(self.bounded.over(cutter.from)).collect();
            for rank in there {
                let affirm = self.by_rank[&rank].affirm;
                if cuts(&cutter, &affirm) {
                    self.set(Region::cut_at(&affirm, Some(cutter.from)), spans, touched);
                }
            }
        }
        for affirm in new {
            self.set(Region::cut_at(affirm, self.first_cut(affirm, affirm.from)), spans, touched);
        }
    }

    /// Returns where an affirm's region is cut first, from an instant on.
    fn first_cut(&self, affirm: &Affirm, from: Instant) -> Option<Instant> {
        let cutters = self.cutters.range((from, 0)..).take_while(|(at, _)| *at < affirm.stated_to);
        let mut cutting = cutters.filter(|(_, rank)| cuts(&self.by_rank[rank].affirm, affirm));
        cutting.next().map(|(at, _)| *at)
    }

    fn set(&mut self, region: Region, spans: &mut Spans, touched: &mut Touched) {
        let Affirm { rank, from, stated_to, .. } = region.affirm;
        let before = self.by_rank[&rank];
        let cover = if region.affirm.is_open() { &mut self.open } else { &mut self.bounded };
        cover.remove((from, before.to), rank);
        cover.add((from, region.to), rank);
        self.cuts.remove(&(before.to, rank));
        if region.to != stated_to {
            self.cuts.insert((region.to, rank));
        }
        let changed = (before.to.min(region.to), before.to.max(region.to));
        spans.add(changed.0, changed.1);
        if region.affirm.is_open() {
            touched.change_points.insert(rank);
            self.touch_change_points(changed, touched);
        }
        self.by_rank.insert(rank, region);
    }

    /// Looks at open affirms again: which of them are change points, and until when they are vouched for.
    fn note_change_points(&mut self, ranks: BTreeSet<Rank>, denials: &Denials, spans: &mut Spans) {
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        for rank in ranks {
            let Region { affirm, sure, .. } = self.by_rank[&rank];
            let is_one = !denials.deny(rank, affirm.object, affirm.from)
                && self.stated_by_open(denials, affirm.from) == Some(affirm.object);
            let (before, after) = (self.noted.get(&rank).copied(), sure.filter(|_| is_one));
            if before != after {
                gone.extend(before.map(|sure| (sure, affirm)));
                come.extend(after.map(|sure| (sure, affirm)));
            }
        }
        for &(sure, affirm) in &gone {
            if let Some(to) = self.reach_of((sure, affirm.rank), affirm.from) {
                spans.add(affirm.from, to);
            }
        }
        for (sure, affirm) in gone {
            self.noted.remove(&affirm.rank);
            self.change_points.remove(&(sure, affirm.rank));
            self.change_points_of.entry(affirm.object).or_default().remove(&(sure, affirm.rank));
        }
        for &(sure, affirm) in &come {
            self.noted.insert(affirm.rank, sure);
            self.change_points.insert((sure, affirm.rank));
            self.change_points_of.entry(affirm.object).or_default().insert((sure, affirm.rank));
        }
        for &(sure, affirm) in &come {
            if let Some(to) = self.reach_of((sure, affirm.rank), affirm.from) {
                spans.add(affirm.from, to);
            }
        }
    }

    /// Returns what is stated at an instant when bounded affirms are left aside.
    fn stated_by_open(&self, denials: &Denials, instant: Instant) -> Option<ObjectIdx> {
        let there: BTreeSet<Rank> = self.open.over(instant).collect();
        let objects = there.into_iter().rev().map(|rank| (rank, self.by_rank[&rank].affirm.object));
        let mut stated = objects.filter(|(rank, object)| !denials.deny(*rank, *object, instant));
        stated.next().map(|(_, object)| object)
    }

    /// Returns until when a change point can be the one vouched for last: until another one that is vouched for later is no
    /// longer vouched for. `None` where it never is.
    fn reach_of(&self, change_point: (Instant, Rank), from: Instant) -> Option<Instant> {
        let later = self.change_points.range((Excluded(change_point), Unbounded));
        // What was vouched for before it began counts from its start on, and others can begin before that.
        let mut later = later.filter(|(sure, rank)| self.by_rank[rank].affirm.from <= *sure);
        let reach = later.next().map_or(Instant::DISTANT_FUTURE, |(sure, _)| *sure);
        (from < reach).then_some(reach)
    }

    /// Adds where the denial can bear on what is presumed.
    fn deny_presumed(&self, turn: &Turn, spans: &mut Spans) {
        let deny = &turn.deny;
        let concerns = |affirm: &Affirm| deny.object.is_none_or(|object| object == affirm.object);
        let mut add = |&(sure, rank): &(Instant, Rank)| {
            let affirm = self.by_rank[&rank].affirm;
            if let Some(reach) = self.reach_of((sure, rank), affirm.from).filter(|_| concerns(&affirm)) {
                let (from, to) = (affirm.from.max(deny.start), reach.min(deny.end));
                if from <= to {
                    spans.add(from, to);
                }
            }
            affirm.from <= sure
        };
        // Of those vouched for before the denial starts, only the last counts by then.
        for change_point in self.change_points.range(..=(deny.start, Rank::MAX)).rev() {
            if add(change_point) {
                break;
            }
        }
        let later = (Excluded((deny.start, Rank::MAX)), Excluded((deny.end, 0)));
        let of_object = match deny.object {
            Some(object) => self.change_points_of.get(&object),
            None => Some(&self.change_points),
        };
        for change_point in of_object.into_iter().flat_map(|points| points.range(later)) {
            add(change_point);
        }
    }

    /// Says whether an affirm is a change point.
    pub(super) fn is_change_point(&self, rank: Rank) -> bool {
        self.noted.contains_key(&rank)
    }

    /// Returns what holds over `[from, to)`.
    pub(super) fn holding(&self, (from, to): (Instant, Instant), denials: &Denials) -> Vec<Stretch> {
        let reaching: BTreeSet<Rank> =
            self.open.over(from).chain(self.bounded.over(from)).chain(self.starting((from, to))).collect();
        let mut regions: Vec<&Region> = reaching.iter().map(|rank| &self.by_rank[rank]).collect();
        let mut change_points: Vec<(Instant, Affirm)> = Vec::new();
        for region in &regions {
            let Affirm { rank, from: start, .. } = region.affirm;
            let sure = self.noted.get(&rank).filter(|sure| start < from && **sure > from);
            change_points.extend(sure.map(|sure| (*sure, region.affirm)));
        }
        let settled = self.change_points.range(..=(from, Rank::MAX)).rev();
        let mut settled = settled.map(|(sure, rank)| (*sure, self.by_rank[rank].affirm));
        change_points.extend(settled.find(|(_, affirm)| affirm.from < from));
        let affirms =
            regions.iter().map(|region| region.affirm).chain(change_points.iter().map(|point| point.1));
        let objects: BTreeSet<ObjectIdx> = affirms.map(|affirm| affirm.object).collect();
        let edges = denials.bounds_within(objects, (from, to));
        sweep((from, to), &mut regions, change_points, edges.into_iter(), denials)
    }
}
