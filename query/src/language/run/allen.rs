//! How two stretches of time lie to each other where an end may not be known.
//!
//! A bound that exists although nobody dated it may be anywhere before the other end. What holds wherever it is, holds; what
//! holds for some places only is not known. How it lies to another period depends on its order among that period's ends
//! alone, so that one place between each two of them stands for all.

use bygone_engine::time::{Allen, Bound, Granularity, Instant, Moment, Period, Validity};

use crate::language::ast::Operator;

/// Says whether one stretch of time lies to another as an operator says; `None` where that is not known.
pub(super) fn relates(one: Validity, operator: Operator, other: Validity) -> Option<bool> {
    let (Validity::Over(one), Validity::Over(other)) = (one, other) else { return None };
    let mut known = None;
    for first in places(one, other) {
        for second in places(other, one) {
            let holds = holds(operator, first, second);
            if known.is_some_and(|known| known != holds) {
                return None;
            }
            known = Some(holds);
        }
    }
    known
}

fn holds(operator: Operator, one: Period, other: Period) -> bool {
    let relation = Allen::between(one, other);
    match operator {
        Operator::Before => relation == Allen::Before,
        Operator::After => relation == Allen::After,
        Operator::Meets => relation == Allen::Meets,
        Operator::MetBy => relation == Allen::MetBy,
        Operator::Overlaps => relation == Allen::Overlaps,
        Operator::OverlappedBy => relation == Allen::OverlappedBy,
        Operator::During => relation == Allen::During,
        Operator::Contains => relation == Allen::Contains,
        Operator::Starts => relation == Allen::Starts,
        Operator::StartedBy => relation == Allen::StartedBy,
        Operator::Finishes => relation == Allen::Finishes,
        Operator::FinishedBy => relation == Allen::FinishedBy,
        Operator::Equals => relation == Allen::Equals,
        Operator::Within => {
            matches!(relation, Allen::During | Allen::Starts | Allen::Finishes | Allen::Equals)
        }
        Operator::Intersects => one.overlaps(other),
        Operator::Equal
        | Operator::Unequal
        | Operator::Less
        | Operator::AtMost
        | Operator::Greater
        | Operator::AtLeast
        | Operator::In
        | Operator::StartsWith
        | Operator::EndsWith => false,
    }
}

/// Returns the periods that one may be, as far as another can tell them apart.
fn places(period: Period, other: Period) -> Vec<Period> {
    let candidates = |bound: Bound| match bound {
        Bound::At(moment) if moment.grain == Granularity::Unknown => {
            let ends = [other.start(), other.end()];
            let around = ends.into_iter().flat_map(|end| [end.previous(), end, end.next()]);
            let own =
                [moment.at, period.end().previous(), period.start().next(), Instant::FIRST, Instant::LAST];
            around.chain(own).filter(|at| at.is_ordinary()).map(|at| Bound::At(Moment::instant(at))).collect()
        }
        bound => vec![bound],
    };
    let (starts, ends): (Vec<Bound>, Vec<Bound>) = (candidates(period.from()), candidates(period.to()));
    let pairs = starts.iter().flat_map(|start| ends.iter().map(move |end| (*start, *end)));
    pairs.filter_map(|(start, end)| Period::new(start, end).ok()).collect()
}

#[cfg(test)]
mod tests {
    use bygone_engine::time::parse_moment;

    use super::*;

    fn bound(text: &str) -> Bound {
        match text {
            "" => Bound::Open,
            _ => match text.strip_prefix('?') {
                Some(text) => {
                    Bound::At(Moment::new(parse_moment(text).expect(text).at, Granularity::Unknown))
                }
                None => Bound::At(parse_moment(text).expect(text)),
            },
        }
    }

    fn valid(from: &str, to: &str) -> Validity {
        Validity::Over(Period::new(bound(from), bound(to)).expect("a period"))
    }

    #[test]
    fn an_end_that_nobody_dated_leaves_open_what_depends_on_it() {
        let until_2019 = valid("?2019", "2020");
        for (operator, other, expected) in [
            (Operator::Before, valid("2021", "2022"), Some(true)),
            (Operator::Meets, valid("2020", "2022"), Some(true)),
            (Operator::After, valid("2021", "2022"), Some(false)),
            (Operator::Overlaps, valid("2018", "2022"), None),
            (Operator::Within, valid("2018", "2022"), None),
            (Operator::Within, valid("", ""), Some(true)),
            (Operator::Intersects, valid("2019-06", "2022"), Some(true)),
            (Operator::Intersects, valid("2010", "2011"), None),
        ] {
            assert_eq!(relates(until_2019, operator, other), expected, "{operator} {other:?}");
        }
        assert_eq!(relates(Validity::Undated, Operator::Intersects, valid("", "")), None);
    }

    #[test]
    fn open_ends_are_without_end() {
        assert_eq!(relates(valid("2020", ""), Operator::Contains, valid("2021", "2022")), Some(true));
        assert_eq!(relates(valid("2020", ""), Operator::FinishedBy, valid("2021", "")), Some(true));
        assert_eq!(relates(valid("", ""), Operator::Equals, valid("", "")), Some(true));
    }
}
