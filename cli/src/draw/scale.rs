//! Where on the screen an instant lies, and which instants are labelled.

use bygone_engine::time::{Granularity, Instant, format_instant};

/// A stretch of time laid over a number of columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    first: i64,
    last: i64,
    columns: usize,
}

/// A label of the axis.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tick {
    pub(super) column: usize,
    pub(super) label: String,
}

/// The steps of an axis, from the finest; years are counted in so many.
const STEPS: &[(Granularity, i64)] = &[
    (Granularity::Second, 1),
    (Granularity::Minute, 1),
    (Granularity::Hour, 1),
    (Granularity::Day, 1),
    (Granularity::Week, 1),
    (Granularity::Month, 1),
    (Granularity::Quarter, 1),
    (Granularity::Year, 1),
    (Granularity::Year, 2),
    (Granularity::Year, 5),
    (Granularity::Decade, 1),
    (Granularity::Decade, 2),
    (Granularity::Decade, 5),
    (Granularity::Decade, 10),
    (Granularity::Decade, 50),
    (Granularity::Decade, 100),
];

/// Columns between the end of a label and the next.
const GAP: usize = 2;

impl Scale {
    /// Makes the scale on which all the instants lie; `None` where there is no room for one.
    pub(super) fn over(instants: impl IntoIterator<Item = Instant>, columns: usize) -> Option<Scale> {
        let ordinary = instants.into_iter().filter(|instant| instant.is_ordinary()).map(Instant::micros);
        let (first, last) = ordinary.fold(None, |range, at| match range {
            None => Some((at, at)),
            Some((first, last)) => Some((at.min(first), at.max(last))),
        })?;
        // What lies in one instant gets a day around it.
        let margin = if first == last { 43_200_000_000 } else { 0 };
        (columns > 0).then_some(Scale { first: first - margin, last: last + margin, columns })
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the column of an instant; what lies outside is at the edge.
    pub(super) fn column(&self, instant: Instant) -> usize {
        let at = i128::from(instant.micros().clamp(self.first, self.last) - self.first);
        let column = at * self.columns as i128 / i128::from(self.last - self.first);
        usize::try_from(column).map_or(0, |column| column.min(self.columns - 1))
    }

    /// Returns the labels of the axis: those of the finest step whose labels all have room. Where that gives less than
    /// two, those of a finer step that have room.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        let fits = |&(grain, n): &(Granularity, i64)| {
            let (start, width) = (instant(self.first), label_width(grain));
            let next = (0..n).fold(start, |at, _| grain.after(at));
            let step = i128::from(next.micros() - start.micros()) * self.columns as i128;
            step / i128::from(self.last - self.first) >= (width + GAP) as i128
        };
        let best = STEPS.iter().position(fits).unwrap_or(STEPS.len() - 1);
        let mut of_step = (0..=best).rev().map(|step| self.ticks_of(STEPS[step]));
        of_step.find(|ticks| ticks.len() > 1).unwrap_or_else(|| self.ticks_of(STEPS[best]))
    }

    fn ticks_of(&self, (grain, n): (Granularity, i64)) -> Vec<Tick> {
        let mut ticks: Vec<Tick> = Vec::new();
        let mut at = grain.floor(instant(self.first));
        let mut free = 0;
        // A step too fine for the stretch is only tried for a start.
        let most = 4 * self.columns * usize::try_from(n).unwrap_or(1);
        for _ in 0..most {
            if at.micros() > self.last {
                break;
            }
            if at.micros() >= self.first && is_on_step(at, grain, n) {
                let (column, label) = (self.column(at), label(at, grain));
                if column >= free && column + label.len() <= self.columns {
                    free = column + label.len() + GAP;
                    ticks.push(Tick { column, label });
                }
            }
            at = grain.after(at);
        }
        ticks
    }
}

/// Brings microseconds back to an instant; a margin may have led out of the ordinary years.
fn instant(micros: i64) -> Instant {
    let edge = if micros < 0 { Instant::FIRST } else { Instant::LAST };
    Instant::from_micros(micros).unwrap_or(edge)
}

/// Says whether the granule that starts here is the first of so many.
fn is_on_step(at: Instant, grain: Granularity, n: i64) -> bool {
    let year = || label(at, Granularity::Year).parse::<i64>().unwrap_or_default();
    match grain {
        Granularity::Year => year().rem_euclid(n) == 0,
        Granularity::Decade => year().div_euclid(10).rem_euclid(n) == 0,
        _ => true,
    }
}

/// Writes an instant as it could be given to `--valid`, as finely as the step needs.
fn label(at: Instant, grain: Granularity) -> String {
    let date = format_instant(at);
    let spared = match grain {
        Granularity::Year | Granularity::Decade => "-01-01".len(),
        Granularity::Quarter | Granularity::Month | Granularity::Season => "-01".len(),
        _ => 0,
    };
    if date.contains('T') { date } else { date[..date.len() - spared].to_owned() }
}

fn label_width(grain: Granularity) -> usize {
    match grain {
        Granularity::Year | Granularity::Decade => 4,
        Granularity::Quarter | Granularity::Month | Granularity::Season => 7,
        Granularity::Week | Granularity::Day => 10,
        _ => 20,
    }
}
