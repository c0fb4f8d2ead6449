//! What was believed of one group, on two axes: valid time across, known time downward.
//!
//! ```text
//! known from            2018       2020       2022
//! 1 May 2018            AAAaaaaaaaaaaaaaaaaaaaaaaa
//! 1 June 2022           AAAaaaaaaaaaBBBBBBbbbbbbbb
//! ```
//!
//! Each line is what was believed from then until the next; each object has a letter, a capital where it is stated and a
//! small one where it is presumed. Invariant: no line is wider than the screen.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::time::{Granularity, Instant, Moment, Period, Validity, format_moment};
use bygone_engine::{Basis, Fact};
use bygone_query::facts::Belief;
use bygone_query::say::object_text;
use unicode_width::UnicodeWidthStr;

use super::scale::Scale;
use super::{axis, bounds, cut, fitted, pointer};
use crate::screen::{Screen, Signs};
use crate::table::harmless;

/// Lines drawn at most, the last ones: what was believed long ago and changed often is listed, not drawn.
const MOST_LINES: usize = 40;
/// The letters of objects; those beyond them share a sign.
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// The sign of objects without a letter, and where several hold at once.
const SEVERAL: char = '#';
/// The characters of an object's name in the legend, at most.
const NAME_CHARS: usize = 30;

/// Draws the beliefs of one group.
pub(crate) fn draw_beliefs(beliefs: &[&Belief], now: Instant, screen: Screen) -> Vec<String> {
    let Screen { width, signs } = screen;
    let mut turns: BTreeSet<Instant> = BTreeSet::new();
    for belief in beliefs {
        turns.insert(belief.known_from);
        turns.extend(belief.known_to);
    }
    let n_left_out = turns.len().saturating_sub(MOST_LINES);
    let turns: Vec<Instant> = turns.into_iter().skip(n_left_out).collect();
    let labels: Vec<String> = turns.iter().map(|at| known(*at)).collect();
    let heading = "known from";
    let room = labels.iter().map(|label| label.width()).chain([heading.len()]).max().unwrap_or(0);
    let room = room.min(width * 2 / 5);
    let instants = beliefs.iter().flat_map(|belief| bounds(belief.fact.validity)).chain([now]);
    let Some(scale) = Scale::over(instants, width.saturating_sub(room + 1)) else { return Vec::new() };
    let letters = letters(beliefs);
    let mut lines = Vec::new();
    let mut put = |label: &str, rest: &str| lines.push(fitted(label, room, rest, width, signs));
    put("", &pointer("now", scale.column(now), &scale, signs));
    let (years, rule) = axis(&scale, signs);
    put(heading, &years);
    put("", &rule);
    if n_left_out > 0 {
        put(&format!("… {n_left_out} before"), "");
    }
    for (at, label) in turns.iter().zip(&labels) {
        let is_held =
            |belief: &&&Belief| belief.known_from <= *at && belief.known_to.is_none_or(|until| *at < until);
        let mut columns = vec![' '; scale.columns()];
        for belief in beliefs.iter().filter(is_held) {
            let letter = letters.get(&object_text(&belief.fact.object)).copied().unwrap_or(SEVERAL);
            fill(&mut columns, &belief.fact, letter, &scale);
        }
        put(label, &columns.into_iter().collect::<String>());
    }
    let mut named: Vec<(&String, &char)> = letters.iter().collect();
    named.sort_by_key(|(_, letter)| **letter);
    let mut legend: Vec<String> =
        named.iter().map(|(name, letter)| format!("{letter} {}", shown(name, signs))).collect();
    legend.push("capital: stated, small: presumed".to_owned());
    lines.push(cut(&legend.join("  "), width, signs));
    lines
}

/// Says a known instant: by its day, unless it needs the time of day.
fn known(at: Instant) -> String {
    let day = Granularity::Day.floor(at);
    format_moment(if day == at { Moment::new(day, Granularity::Day) } else { Moment::instant(at) })
}

/// Gives each object a letter, in the order in which they came to be believed.
fn letters(beliefs: &[&Belief]) -> BTreeMap<String, char> {
    let mut letters = BTreeMap::new();
    let mut free = LETTERS.chars();
    for belief in beliefs {
        let name = object_text(&belief.fact.object);
        if !letters.contains_key(&name)
            && let Some(letter) = free.next()
        {
            letters.insert(name, letter);
        }
    }
    letters
}

fn fill(columns: &mut [char], fact: &Fact, letter: char, scale: &Scale) {
    let Validity::Over(period) = fact.validity else {
        columns[0] = '?';
        return;
    };
    let mut put = |from: Instant, to: Instant, sign: char| {
        for column in &mut columns[scale.column(from)..=scale.column(to.previous())] {
            let is_other = *column != ' ' && !column.eq_ignore_ascii_case(&letter);
            *column = if is_other { SEVERAL } else { sign };
        }
    };
    put(Period::start(period), period.end(), letter.to_ascii_lowercase());
    for segment in fact.segments.iter().filter(|segment| segment.basis == Basis::Stated) {
        put(segment.from, segment.to, letter);
    }
}

fn shown(name: &str, signs: Signs) -> String {
    cut(&harmless(&name.split_whitespace().collect::<Vec<_>>().join(" ")), NAME_CHARS, signs)
}
