//! Does a time agree with the right one?
//!
//! ```text
//! right    the same granule as the right one, at its granularity ("3 May" and "3 May, 10:00"; "May" for a day of May where
//!          May is asked for), or a period that holds it and is one granule longer at most ("the week of 1 May" for 3 May)
//! near     right, or a period no longer than a week, or than the right one, that starts or ends within three days of it
//! ```
//!
//! Answers are written for people: "The week before 9 June 2023", "April.2023". What is no time even so agrees with nothing.

use bygone_engine::time::{Granularity, Instant, Period};
use bygone_ontology::timex::{self, Context, Tense, TimeExpression};

/// A day, in microseconds.
const DAY: i64 = 86_400_000_000;

/// The right time, as the data set words it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Right {
    start: Instant,
    end: Instant,
    grain: Granularity,
}

impl Right {
    /// Reads an answer; `now` is when the question is asked.
    pub fn read(answer: &str, now: Instant) -> Option<Right> {
        let spaced = spaced(answer);
        let year = spaced.parse::<u16>().ok().filter(|year| *year >= 1000).map(|year| format!("in {year}"));
        // "Last week before 13 October" is the week before it, seen from there.
        let plain = spaced.strip_prefix("Last ").filter(|rest| rest.contains("before")).unwrap_or(&spaced);
        let context = Context { now, tense: Tense::Past, fiscal_start: 1 };
        let written = [year.unwrap_or_else(|| plain.to_owned()), format!("the {plain}")];
        written.iter().find_map(|text| timex::find(text, &context).iter().find_map(right))
    }

    /// Says whether a period is right.
    pub fn is_right(self, period: Period) -> bool {
        let Right { start, end, grain } = self;
        let is_within = start <= period.start() && period.end() <= end;
        let holds = period.start() <= start && end <= period.end();
        let longer =
            Granularity::ALL.into_iter().find(|longer| *longer > grain && *longer != Granularity::Quarter);
        let most = longer.filter(|longer| *longer != Granularity::Unknown).map_or(i64::MAX, length);
        is_within || (holds && period.end().micros() - period.start().micros() <= most)
    }

    /// Says whether a period is right or within three days of it.
    pub fn is_near(self, period: Period) -> bool {
        let [from, to, start, end] =
            [period.start(), period.end(), self.start, self.end].map(Instant::micros);
        let gap = (start - to).max(from - end).max(0);
        self.is_right(period) || (gap <= 3 * DAY && to - from <= (end - start).max(7 * DAY))
    }
}

/// Returns the length of the longest granule.
fn length(grain: Granularity) -> i64 {
    let start = grain
        .floor(Instant::FIRST.max(Instant::from_micros(1_672_531_200_000_000).unwrap_or(Instant::FIRST)));
    let (one, next) = (grain.after(start), grain.after(grain.after(start)));
    (one.micros() - start.micros()).max(next.micros() - one.micros())
}

fn right(time: &TimeExpression) -> Option<Right> {
    let start = time.start?;
    let end = time.end.unwrap_or_else(|| time.grain.after(time.grain.floor(start)));
    Some(Right { start, end, grain: time.grain })
}

/// Puts a space where letters and digits meet a stray mark: "April.2023", "3´ July".
fn spaced(answer: &str) -> String {
    let kept = |c: char| if matches!(c, '.' | '`') { ' ' } else { c };
    answer.chars().map(kept).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use bygone_engine::time::{Bound, Moment, parse_moment};

    use super::*;

    fn at(text: &str) -> Instant {
        parse_moment(text).expect(text).at
    }

    fn period(from: &str, to: &str) -> Period {
        let bound = |text| Bound::At(Moment::new(at(text), Granularity::Day));
        Period::new(bound(from), bound(to)).expect("a period")
    }

    #[track_caller]
    fn check(answer: &str, (from, to): (&str, &str), is_right: bool, is_near: bool) {
        let right = Right::read(answer, at("2023-12-01")).expect(answer);
        let period = period(from, to);
        assert_eq!(
            (right.is_right(period), right.is_near(period)),
            (is_right, is_near),
            "{answer}: {right:?}"
        );
    }

    #[test]
    fn a_time_is_right_at_the_granularity_that_is_asked_for() {
        check("7 May 2023", ("2023-05-07", "2023-05-08"), true, true);
        check("7 May 2023", ("2023-05-01", "2023-05-08"), true, true);
        check("7 May 2023", ("2023-05-01", "2023-06-01"), false, false);
        check("7 May 2023", ("2023-05-10", "2023-05-11"), false, true);
        check("7 May 2023", ("2023-05-12", "2023-05-13"), false, false);
        check("May 2023", ("2023-05-10", "2023-05-11"), true, true);
        check("May 2023", ("2023-06-02", "2023-06-03"), false, true);
        check("2022", ("2022-03-01", "2022-04-01"), true, true);
        check("2022", ("2021-03-01", "2021-04-01"), false, false);
        check("2022", ("2020-01-01", "2030-01-01"), true, true);
    }

    #[test]
    fn answers_are_read_as_people_write_them() {
        check("The week before 9 June 2023", ("2023-05-29", "2023-06-05"), true, true);
        check("week before August 7, 2023.", ("2023-07-31", "2023-08-07"), true, true);
        check("Last week before 13 October 2022.", ("2022-10-03", "2022-10-10"), true, true);
        check("The sunday before 3` July 2023", ("2023-07-02", "2023-07-03"), true, true);
        check("April.2023", ("2023-04-01", "2023-05-01"), true, true);
        check("Since 2016", ("2016-01-01", "2017-01-01"), true, true);
        assert_eq!(Right::read("at dusk", at("2023-12-01")), None);
    }
}
