//! Whether something fell on a day of the week, or on a weekend. It is told only where the day is known.

use bygone_engine::StoreError;
use bygone_engine::time::Granularity;

use super::super::respond::{Response, Sight};
use super::super::wording::join;
use super::anchor::{Anchor, Timeless};
use super::selection::{dated_deed, unique};

/// Days of the week by their names, the first of them Monday.
const NAMES: &[&str] = &["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// Some days of the week.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ask) struct Days {
    /// Their names.
    names: &'static [&'static str],
    /// What they are called together.
    pub(in crate::ask) said: &'static str,
}

impl Days {
    /// Reads the name of a day, "weekend" or "weekday".
    pub(in crate::ask) fn named(word: &str) -> Option<Days> {
        match word {
            "weekend" => Some(Days { names: &NAMES[5..], said: "weekend" }),
            "weekday" => Some(Days { names: &NAMES[..5], said: "weekday" }),
            _ => {
                let at = NAMES.iter().position(|name| name.eq_ignore_ascii_case(word))?;
                Some(Days { names: &NAMES[at..=at], said: NAMES[at] })
            }
        }
    }
}

/// Answers whether something fell on one of some days, at least once.
pub(super) fn answer(sight: Sight<'_>, of: &Anchor, days: &Days) -> Result<Response, StoreError> {
    let (mut on, mut off, mut vague) = (Vec::new(), Vec::new(), Vec::new());
    for (found, extent) in &of.occasions {
        let line = dated_deed(sight, found, true)?;
        let edge = extent.start;
        let is_day = edge.is_dated() && Granularity::Day.floor(edge.lo) == Granularity::Day.floor(edge.hi);
        if !is_day {
            vague.push(line);
            continue;
        }
        let day = edge.lo.to_chrono().format("%A").to_string();
        let said = format!("{day} ({line})");
        if days.names.contains(&day.as_str()) { on.push(said) } else { off.push(said) }
    }
    if of.occasions.is_empty() {
        return of.refuse(sight, &Timeless::Undated);
    }
    let rows = unique(of.occasions.iter().map(|(found, _)| found.clone()).collect());
    let (text, known) = if !on.is_empty() {
        (format!("Yes: {}.", join(&on)), true)
    } else if vague.is_empty() {
        (format!("No: {}.", join(&off)), true)
    } else {
        (format!("Not known: it is not dated so finely: {}.", join(&vague)), false)
    };
    sight.respond(text, known, rows)
}
