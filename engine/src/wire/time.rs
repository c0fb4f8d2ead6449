//! The JSON form of a valid time: the shortest text that reads back with the same granularity.

use crate::time::{Granularity, Moment, format_instant};

/// Writes a moment so that it reads back the same: `2024`, `2024-03`, `2024-03-01`, or RFC 3339 for an instant.
/// Where the text alone would read back at another granularity, [`grain_beside`] says the right one beside it.
pub fn valid_text(moment: Moment) -> String {
    let date = format_instant(moment.at);
    let aligned = moment.grain.floor(moment.at) == moment.at;
    match moment.grain {
        Granularity::Instant | Granularity::Second | Granularity::Minute | Granularity::Hour => {
            moment.at.to_rfc3339()
        }
        Granularity::Year if aligned => strip(&date, "-01-01"),
        Granularity::Month if aligned => strip(&date, "-01"),
        _ => date,
    }
}

fn strip(date: &str, suffix: &str) -> String {
    date.strip_suffix(suffix).unwrap_or(date).to_owned()
}

/// Returns the name of a moment's granularity where its text alone would read back at another one.
pub(super) fn grain_beside(moment: Moment) -> Option<&'static str> {
    let is_implied = match moment.grain {
        Granularity::Instant => true,
        Granularity::Day | Granularity::Month | Granularity::Year => {
            moment.grain.floor(moment.at) == moment.at
        }
        _ => false,
    };
    (!is_implied).then(|| moment.grain.name())
}
