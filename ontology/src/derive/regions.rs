//! Rule 2: what each affirm vouches for, and where others cut it short.

use bygone_engine::time::Instant;

use super::denial::Denials;
use super::group::Affirm;

/// What an affirm vouches for once the others have had their say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) affirm: Affirm,
    /// The exclusive end of the cut region; equal to the start where nothing is left.
    pub(super) to: Instant,
    /// The start of the granule it is sure until, cut with the region; `None` for a bounded affirm.
    pub(super) sure: Option<Instant>,
}

impl Region {
    /// Returns what is left where the first cutter starts at an instant, or nothing cuts.
    pub(super) fn cut_at(affirm: &Affirm, cut: Option<Instant>) -> Region {
        let sure = affirm.sure_until.map(|moment| match cut {
            Some(cut) => moment.at.min(cut.previous()),
            None => moment.at,
        });
        Region { affirm: *affirm, to: cut.unwrap_or(affirm.stated_to), sure }
    }

    pub(super) fn contains(&self, instant: Instant) -> bool {
        self.affirm.from <= instant && instant < self.to
    }
}

/// Returns the region of every affirm, in the order of the affirms.
pub(super) fn cut(affirms: &[Affirm], denies: &Denials) -> Vec<Region> {
    let mut cutters: Vec<&Affirm> = affirms
        .iter()
        .filter(|affirm| affirm.is_open() && !denies.deny(affirm.rank, affirm.object, affirm.from))
        .collect();
    cutters.sort_by_key(|cutter| cutter.from);
    affirms.iter().map(|affirm| region(affirm, &cutters)).collect()
}

/// Cuts one region where the first cutter starts in it. The cutters are sorted by start.
fn region(affirm: &Affirm, cutters: &[&Affirm]) -> Region {
    let first_inside = cutters.partition_point(|cutter| cutter.from < affirm.from);
    let cut = cutters[first_inside..]
        .iter()
        .take_while(|cutter| cutter.from < affirm.stated_to)
        .find(|cutter| cuts(cutter, affirm))
        .map(|cutter| cutter.from);
    Region::cut_at(affirm, cut)
}

/// Says whether an open affirm that starts in another's region cuts it: a later one does wherever it starts, an earlier one
/// only a bare granule, after its start, and only with at least its authority.
pub(super) fn cuts(cutter: &Affirm, affirm: &Affirm) -> bool {
    let is_later = cutter.rank > affirm.rank;
    cutter.object != affirm.object
        && (is_later || affirm.is_bare && cutter.from > affirm.from && cutter.authority >= affirm.authority)
}
