//! How a fact stands in the view that asks: the contract's table of verdicts, the first that applies.

use bygone_engine::time::{Instant, Validity};
use bygone_engine::{Basis, Fact, ValidTime};

use crate::definition::Definition;

/// How a fact stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It is intended, not so.
    Planned,
    /// It was believed once, and is no longer.
    Superseded,
    /// Everything it was concluded from has fallen.
    StalePremise,
    /// Two people vouch for different values.
    Contested,
    /// It is over.
    Ended,
    /// It has been presumed for longer than such things last.
    Aging,
    /// Nothing says that it stopped.
    Presumed,
    /// Somebody vouches for it.
    Stated,
}

impl Verdict {
    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Planned => "planned",
            Verdict::Superseded => "superseded",
            Verdict::StalePremise => "stale_premise",
            Verdict::Contested => "contested",
            Verdict::Ended => "ended",
            Verdict::Aging => "aging",
            Verdict::Presumed => "presumed",
            Verdict::Stated => "stated",
        }
    }
}

/// Returns the instant at which a fact is judged: the asked instant; for a period or all time, the fact's last instant
/// inside it but not after now. A fact that starts after now is judged at its start.
pub fn judged_instant(validity: Validity, asked: ValidTime, now: Instant) -> Instant {
    let limit = match asked {
        ValidTime::At(instant) => return instant,
        ValidTime::During(period) => now.min(period.end().previous()),
        ValidTime::All => now,
    };
    let start = validity.period().map_or(limit, bygone_engine::time::Period::start);
    limit.max(start)
}

/// Returns the verdict on a derived fact, judged at an instant. Whether it is stale is decided apart, over its
/// premises.
pub fn verdict(fact: &Fact, definition: &Definition, judged: Instant, is_stale: bool) -> Verdict {
    let has_ended = match fact.validity {
        Validity::Undated => true,
        Validity::Over(period) => period.end() <= judged,
    };
    if is_stale {
        Verdict::StalePremise
    } else if !fact.rivals.is_empty() {
        Verdict::Contested
    } else if has_ended {
        Verdict::Ended
    } else if basis_at(fact, judged) == Basis::Stated {
        Verdict::Stated
    } else if is_aging(fact, definition, judged) {
        Verdict::Aging
    } else {
        Verdict::Presumed
    }
}

fn basis_at(fact: &Fact, judged: Instant) -> Basis {
    let segment = fact.segments.iter().find(|segment| segment.from <= judged && judged < segment.to);
    segment.map_or(Basis::Presumed, |segment| segment.basis)
}

/// Says whether a fact has been presumed for longer than its half-life.
fn is_aging(fact: &Fact, definition: &Definition, judged: Instant) -> bool {
    ages_at(fact, definition, judged).is_some_and(|due| due < judged)
}

/// Returns the instant after which a fact that is only presumed counts as ageing, as of an instant: a half-life after it
/// was last confirmed or last vouched for, whichever is later; `None` where its predicate has none.
pub fn ages_at(fact: &Fact, definition: &Definition, judged: Instant) -> Option<Instant> {
    const DAY_MICROS: i64 = 86_400_000_000;
    let days = definition.half_life_days?;
    Some(last_vouched(fact, judged).plus_micros(i64::from(days) * DAY_MICROS))
}

/// Returns when a fact was last confirmed or last vouched for by an instant, whichever is later.
pub fn last_vouched(fact: &Fact, judged: Instant) -> Instant {
    let stated = fact.segments.iter().filter(|s| s.basis == Basis::Stated && s.to <= judged);
    let last_stated = stated.map(|segment| segment.to).max().unwrap_or(fact.last_confirmed);
    last_stated.max(fact.last_confirmed)
}
