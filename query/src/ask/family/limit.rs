//! What limits a question in time other than a date: "before she joined Acme", "while I lived in Paris", "two weeks after
//! the surgery", "on her birthday in 2022".

use bygone_engine::time::{Granularity, Instant};
use bygone_engine::{Object, ValidTime};

use super::super::find::Found;
use super::super::plan::anchor::Anchor;
use super::super::plan::extent::Edge;
use super::super::plan::length::Unit;
use super::super::plan::selection::everything;
use super::super::plan::window::{Relation, Window};
use super::super::respond::Response;
use super::super::words::{POSSESSIVE, Word};
use super::{Asking, is, noun};
use crate::error::QueryError;
use crate::say::object_text;

/// A question with its limit apart.
pub(super) enum Limited<'q> {
    /// The rest of it within a window.
    Within(Box<Asking<'q>>),
    /// What it goes by has no one time.
    Nowhere(Box<Asking<'q>>, Response),
}

/// The limit's own words and the rest.
struct Parts {
    rest: Vec<Word>,
    relation: Relation,
    distance: Option<(i64, Unit)>,
    said: Vec<Word>,
    goal: Vec<Word>,
}

/// Returns the ways in which a question can be split into a limit and the rest, as far as what the limit goes by is
/// known here.
pub(super) fn split<'q>(asking: &Asking<'q>) -> Result<Vec<Limited<'q>>, QueryError> {
    let mut found = Vec::new();
    for parts in parts(&asking.words) {
        let limited = match birthday(asking, &parts)? {
            Some(limited) => Some(limited),
            None => turned(asking, &parts)?,
        };
        if let Some(limited) = limited {
            found.push(limited);
            continue;
        }
        // What is understood and not known is an answer; what is not understood is a name or a word of another form.
        let is_clause =
            |anchor: &Anchor| super::is_found(&anchor.selection) || !anchor.selection.patterns.is_empty();
        let Some(anchor) = noun::anchor(asking, &parts.goal)?.filter(is_clause) else {
            continue;
        };
        if !super::is_found(&anchor.selection) {
            let text = anchor.selection.missing();
            let window = Window { relation: parts.relation, ..Window::always() };
            let rest = Box::new(asking.with(parts.rest, window));
            found.push(Limited::Nowhere(rest, Response { text, ..Response::default() }));
            continue;
        }
        let text = asking.said(&parts.said);
        let sight = asking.sight;
        let window = match parts.distance {
            Some(distance) => Window::offset(sight, text, anchor, distance)?,
            None => Window::around(sight, parts.relation, text, anchor)?,
        };
        found.push(match window {
            Ok(window) => {
                let window = narrowed(window, asking.window.valid);
                Limited::Within(Box::new(asking.with(parts.rest, window)))
            }
            Err(response) => {
                let window = Window { relation: parts.relation, ..Window::always() };
                Limited::Nowhere(Box::new(asking.with(parts.rest, window)), response)
            }
        });
    }
    // What is limited by one thing is not answered by that another one is undated.
    found.sort_by_key(|limited| matches!(limited, Limited::Nowhere(..)));
    Ok(found)
}

/// Narrows a window to a date that was named, too.
fn narrowed(mut window: Window, date: Option<ValidTime>) -> Window {
    let Some(ValidTime::During(period)) = date else { return window };
    let (first, last) = (period.start(), period.end().previous());
    for span in &mut window.spans {
        span.sure = (span.sure.0.max(first), span.sure.1.min(last));
        span.may = (span.may.0.max(first), span.may.1.min(last));
    }
    window
}

/// What may stand in front of "before" and "after" and says nothing that is known.
pub(super) const NEAR: &[&str] =
    &["right", "shortly", "immediately", "just", "soon", "straight", "directly", "ever"];

/// The words that lead into a limit, and how it lies to what follows.
const LEADS: &[(&[&str], Relation)] = &[
    (&["before"], Relation::Before),
    (&["prior", "to"], Relation::Before),
    (&["after"], Relation::After),
    (&["following"], Relation::After),
    (&["ahead", "of"], Relation::Before),
    (&["as", "long", "as"], Relation::During),
    (&["since"], Relation::After),
    (&["while"], Relation::During),
    (&["at", "the", "same", "time", "as"], Relation::During),
    (&["at", "the", "moment", "when"], Relation::During),
    (&["at", "the", "moment", "that"], Relation::During),
    (&["at", "the", "moment"], Relation::During),
    (&["during"], Relation::During),
    (&["when"], Relation::During),
    (&["whilst"], Relation::During),
    (&["at", "the", "time", "of"], Relation::During),
    (&["at", "the", "time", "when"], Relation::During),
    (&["by", "the", "time"], Relation::During),
    (&["at", "the", "time"], Relation::During),
    (&["on", "the", "day", "of"], Relation::On),
    (&["on", "the", "day", "that"], Relation::On),
    (&["on", "the", "day", "when"], Relation::On),
    (&["the", "day", "that"], Relation::On),
    (&["on", "the", "day"], Relation::On),
    (&["on"], Relation::On),
    (&["at"], Relation::During),
];

fn parts(words: &[Word]) -> Vec<Parts> {
    let mut found = Vec::new();
    for at in 0..words.len() {
        let fits = |lead: &[&str]| lead.iter().enumerate().all(|(nth, word)| is(words, at + nth, &[word]));
        let Some((lead, relation)) = LEADS.iter().find(|(lead, _)| fits(lead)) else { continue };
        let (start, distance) = distance(words, at, *relation);
        let goal_at = at + lead.len();
        let comma = words[goal_at..].iter().position(|word| word.folded == ",").map(|comma| goal_at + comma);
        let (goal, rest) = match (start, comma) {
            (0, Some(comma)) => (words[goal_at..comma].to_vec(), words[comma + 1..].to_vec()),
            (0, None) => continue,
            (start, _) => {
                let rest = words[..start].to_vec();
                let rest =
                    if is(&rest, rest.len() - 1, &[","]) { rest[..rest.len() - 1].to_vec() } else { rest };
                (words[goal_at..].to_vec(), rest)
            }
        };
        if goal.is_empty() || rest.is_empty() {
            continue;
        }
        let said: Vec<Word> = words[start..goal_at].iter().chain(&goal).cloned().collect();
        found.push(Parts { rest, relation: *relation, distance, said, goal });
    }
    found
}

const NUMBERS: &[&str] = &[
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

/// Reads "two weeks" or "the day" in front of "after": where it starts, and how far it reaches.
fn distance(words: &[Word], at: usize, relation: Relation) -> (usize, Option<(i64, Unit)>) {
    let sign = match relation {
        Relation::Before => -1,
        Relation::After => 1,
        _ => return (at, None),
    };
    if at > 0 && is(words, at - 1, NEAR) {
        return (at - 1, None);
    }
    let Some(unit) = at.checked_sub(1).and_then(|at| Unit::named(&words[at].folded)) else {
        return (at, None);
    };
    let Some(number) = at.checked_sub(2).map(|at| words[at].folded.as_str()) else { return (at, None) };
    // "The days after" are not one day.
    if number == "the" && words[at - 1].folded.ends_with('s') {
        return (at, None);
    }
    let n = match number {
        "a" | "an" | "the" => Some(1),
        _ => NUMBERS.iter().position(|word| *word == number).and_then(|n| i64::try_from(n).ok()),
    };
    match n.or_else(|| number.parse::<i64>().ok()).filter(|n| (0..=1000).contains(n)) {
        Some(n) => {
            let lead = usize::from(at > 2 && is(words, at - 3, &["exactly", "about", "on", "in"]));
            (at - 2 - lead, Some((sign * n, unit)))
        }
        None => (at, None),
    }
}

/// Reads "on her birthday in 2022": the year is the date named, or the present one.
fn birthday<'q>(asking: &Asking<'q>, parts: &Parts) -> Result<Option<Limited<'q>>, QueryError> {
    let [owner @ .., mark, birthday] = parts.goal.as_slice() else { return Ok(None) };
    if birthday.folded != "birthday" || mark.folded != POSSESSIVE {
        return Ok(None);
    }
    let Some(who) = asking.entity(owner)? else { return Ok(None) };
    let year = match asking.window.valid {
        Some(ValidTime::During(period)) => Granularity::Year.floor(period.start()),
        _ => Granularity::Year.floor(asking.sight.request.now),
    };
    let text = asking.said(&parts.said);
    for found in everything(asking.sight, Some(&who))? {
        let Some(day) = day_of_year(&found, year) else { continue };
        let edge = Edge { lo: day, hi: Granularity::Day.after(day).previous(), grain: Granularity::Day };
        let shown = bygone_engine::time::Moment::new(day, Granularity::Day);
        let text = format!("{text} ({})", bygone_engine::time::format_moment(shown));
        let window = match (parts.relation, parts.distance) {
            (Relation::On | Relation::During, None) => Window::on(text, edge, vec![found]),
            _ => return Ok(None),
        };
        return Ok(Some(Limited::Within(Box::new(asking.with(parts.rest.clone(), window)))));
    }
    let text = format!("Not known: nobody said when {} has their birthday.", who.name());
    let window = Window { relation: Relation::On, ..Window::always() };
    let rest = asking.with(parts.rest.clone(), window);
    Ok(Some(Limited::Nowhere(Box::new(rest), Response { text, ..Response::default() })))
}

/// Reads "on the day she turned 32" and "the day after Anna turned 32": so many years after her birth.
fn turned<'q>(asking: &Asking<'q>, parts: &Parts) -> Result<Option<Limited<'q>>, QueryError> {
    let [who @ .., verb, age] = parts.goal.as_slice() else { return Ok(None) };
    let Ok(age) = age.folded.parse::<u8>() else { return Ok(None) };
    if !["turned", "became"].contains(&verb.folded.as_str()) {
        return Ok(None);
    }
    let Some(who) = asking.entity(who)? else { return Ok(None) };
    let text = asking.said(&parts.said);
    for found in everything(asking.sight, Some(&who))? {
        let Object::Instant(born) = &found.value else { continue };
        if found.row.group.predicate != "born_on" || born.grain > Granularity::Day {
            continue;
        }
        let year = (0..age).fold(Granularity::Year.floor(born.at), |year, _| Granularity::Year.after(year));
        let Some(day) = day_of_year(&found, year) else { continue };
        let days = match (parts.relation, parts.distance) {
            (Relation::On | Relation::During, None) => 0,
            (Relation::Before | Relation::After, Some((n, Unit::Day))) => n,
            _ => return Ok(None),
        };
        let day = (0..days.abs()).fold(day, |day, _| match days {
            ..0 => Granularity::Day.before(day),
            _ => Granularity::Day.after(day),
        });
        let edge = Edge { lo: day, hi: Granularity::Day.after(day).previous(), grain: Granularity::Day };
        let shown = bygone_engine::time::Moment::new(day, Granularity::Day);
        let text = format!("{text} ({})", bygone_engine::time::format_moment(shown));
        let window = Window::on(text, edge, vec![found]);
        return Ok(Some(Limited::Within(Box::new(asking.with(parts.rest.clone(), window)))));
    }
    let text = format!("Not known: nobody said on which day {} was born.", who.name());
    let window = Window { relation: Relation::On, ..Window::always() };
    let rest = asking.with(parts.rest.clone(), window);
    Ok(Some(Limited::Nowhere(Box::new(rest), Response { text, ..Response::default() })))
}

/// Returns the day of a year on which a birthday falls that a fact gives.
fn day_of_year(found: &Found, year: Instant) -> Option<Instant> {
    use chrono::Datelike;
    let (month, day) = match (found.row.group.predicate.as_str(), &found.value) {
        ("born_on", Object::Instant(born)) if born.grain <= Granularity::Day => {
            let born = born.at.to_chrono();
            (born.month(), born.day())
        }
        ("birthday", value) => {
            let text = object_text(value);
            let (month, day) = text.strip_prefix("--")?.split_once('-')?;
            (month.parse().ok()?, day.parse().ok()?)
        }
        _ => return None,
    };
    let date = chrono::NaiveDate::from_ymd_opt(year.to_chrono().year(), month, day)?;
    Instant::from_chrono(date.and_hms_opt(0, 0, 0)?.and_utc())
}
