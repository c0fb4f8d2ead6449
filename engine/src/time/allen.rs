//! How two periods lie to each other: Allen's thirteen relations (Allen 1983, "Maintaining knowledge about temporal
//! intervals"), over half-open periods.

use super::Period;

/// One of Allen's thirteen relations, read "the first … the second".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Allen {
    /// Ends before the second starts, with a gap.
    Before,
    /// Ends where the second starts.
    Meets,
    /// Starts first and ends inside the second.
    Overlaps,
    /// Starts together with the second and ends first.
    Starts,
    /// Lies inside the second, touching neither end.
    During,
    /// Starts later and ends together with the second.
    Finishes,
    /// Is the same period.
    Equals,
    /// Inverse of `Finishes`.
    FinishedBy,
    /// Inverse of `During`.
    Contains,
    /// Inverse of `Starts`.
    StartedBy,
    /// Inverse of `Overlaps`.
    OverlappedBy,
    /// Inverse of `Meets`.
    MetBy,
    /// Inverse of `Before`.
    After,
}

impl Allen {
    /// Returns the one relation that holds between the two periods.
    pub fn between(first: Period, second: Period) -> Allen {
        use std::cmp::Ordering::{Equal, Greater, Less};
        if first.end() < second.start() {
            return Allen::Before;
        }
        if second.end() < first.start() {
            return Allen::After;
        }
        if first.end() == second.start() {
            return Allen::Meets;
        }
        if second.end() == first.start() {
            return Allen::MetBy;
        }
        match (first.start().cmp(&second.start()), first.end().cmp(&second.end())) {
            (Less, Less) => Allen::Overlaps,
            (Less, Equal) => Allen::FinishedBy,
            (Less, Greater) => Allen::Contains,
            (Equal, Less) => Allen::Starts,
            (Equal, Equal) => Allen::Equals,
            (Equal, Greater) => Allen::StartedBy,
            (Greater, Less) => Allen::During,
            (Greater, Equal) => Allen::Finishes,
            (Greater, Greater) => Allen::OverlappedBy,
        }
    }

    /// Returns the relation of the second period to the first.
    #[must_use]
    pub const fn inverse(self) -> Allen {
        match self {
            Allen::Before => Allen::After,
            Allen::Meets => Allen::MetBy,
            Allen::Overlaps => Allen::OverlappedBy,
            Allen::Starts => Allen::StartedBy,
            Allen::During => Allen::Contains,
            Allen::Finishes => Allen::FinishedBy,
            Allen::Equals => Allen::Equals,
            Allen::FinishedBy => Allen::Finishes,
            Allen::Contains => Allen::During,
            Allen::StartedBy => Allen::Starts,
            Allen::OverlappedBy => Allen::Overlaps,
            Allen::MetBy => Allen::Meets,
            Allen::After => Allen::Before,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::time::{Bound, Instant, Moment};

    fn period(from: i64, to: i64) -> Period {
        let bound = |at| Bound::At(Moment::instant(Instant::from_micros(at).expect("small")));
        Period::new(bound(from), bound(to)).expect("not empty")
    }

    #[test]
    fn every_pair_has_one_relation_and_its_inverse() {
        let periods: Vec<Period> = (0..5).flat_map(|a| (a + 1..6).map(move |b| period(a, b))).collect();
        let mut seen = BTreeSet::new();
        for &first in &periods {
            for &second in &periods {
                let relation = Allen::between(first, second);
                assert_eq!(relation.inverse(), Allen::between(second, first));
                let share = !matches!(relation, Allen::Before | Allen::Meets | Allen::MetBy | Allen::After);
                assert_eq!(share, first.overlaps(second));
                seen.insert(relation);
            }
        }
        assert_eq!(seen.len(), 13);
    }

    #[test]
    fn open_ends_compare_like_any_other() {
        assert_eq!(Allen::between(Period::ALWAYS, Period::ALWAYS), Allen::Equals);
        assert_eq!(Allen::between(period(1, 2), Period::ALWAYS), Allen::During);
    }
}
