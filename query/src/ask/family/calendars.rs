//! Questions for a part of a date, for the time of something that is no verb of the table, and for ages.

use super::super::plan::anchor::Anchor;
use super::super::plan::selection::{Part, Selection};
use super::super::plan::weekday::Days;
use super::super::plan::window::{Relation, Window};
use super::super::plan::{Calendar, Operation};
use super::super::words::{POSSESSIVE, Word};
use super::{Asking, Read, clause, is, noun, plan};
use crate::error::QueryError;

const PARTS: &[(Calendar, &[&str])] = &[
    (
        Calendar::Weekday,
        &[
            "on which|what weekday C",
            "which|what weekday C",
            "on which|what day of the week C",
            "which|what day of the week C",
        ],
    ),
    (Calendar::Month, &["in which|what month C", "which|what month C"]),
    (Calendar::Year, &["in which|what year C", "which|what year C"]),
    (Calendar::Date, &["on which|what date|day C", "which|what date|day C"]),
];

/// Whether something fell on such a day.
const ON_DAY: &[&str] = &[
    "was|is it [on] a|the D when|that C",
    "was|is|were C [on] a|the D",
    "did C fall|happen on a|the D",
    "did C take place on a|the D",
    "did C on|at a|the D",
];

const WHEN: &[&str] = &["when C", "when exactly C"];

const AGES: &[&str] = &[
    "how old is|was|were|am|are S",
    "how old will S be",
    "what age was|is|were|am S",
    "how old had S been",
    "what is|was S 's age",
];

const AGE_OF_DEED: &[&str] = &["at what|which age C"];

pub(super) fn read(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    for (part, templates) in PARTS {
        for matched in asking.matches(templates) {
            let Some(range) = matched.clause else { continue };
            if let Some(of) = deed(asking, &asking.words[range])? {
                return Ok(Some(plan(Operation::Calendar { part: *part, of })));
            }
        }
    }
    for matched in asking.matches(ON_DAY) {
        let (Some(range), Some(day)) = (matched.clause, matched.other) else { continue };
        let [day] = &asking.words[day] else { continue };
        let Some(days) = Days::named(&day.folded) else { continue };
        let words = &asking.words[range];
        let verb = asking.words[0].clone();
        let asked: Vec<Word> = [verb].into_iter().chain(words.iter().cloned()).collect();
        let of = match noun::anchor(asking, words)?.filter(|anchor| super::is_found(&anchor.selection)) {
            Some(of) => Some(of),
            None => deed(asking, &asked)?,
        };
        if let Some(of) = of {
            return Ok(Some(plan(Operation::OnDay { of, days })));
        }
    }
    for matched in asking.matches(AGE_OF_DEED) {
        let Some(range) = matched.clause else { continue };
        let words = &asking.words[range];
        let Some(selection) = clause::select(asking, words)? else { continue };
        let (Some(found), Some(who)) = (selection.found.first(), asking.people.first()) else { continue };
        let who = if asking.people.len() == 1 { who.clone() } else { found.row.group.subject.clone() };
        let text = asking.said(words);
        let anchor = Anchor::new(asking.sight, selection)?;
        return match Window::around(asking.sight, Relation::During, text, anchor)? {
            Ok(window) => Ok(Some(plan(Operation::Age { who, window }))),
            Err(response) => Ok(Some(Read::Answer { intent: "age_at", response })),
        };
    }
    for matched in asking.matches(WHEN) {
        let Some(range) = matched.clause else { continue };
        if let Some(of) = time(asking, &asking.words[range])? {
            return Ok(Some(plan(Operation::TimeOf { of })));
        }
    }
    Ok(None)
}

/// Reads what has a date: a clause, "was the wedding", "did the race take place".
fn deed(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Anchor>, QueryError> {
    if let Some(anchor) = noun::anchor(asking, words)?.filter(|anchor| super::is_found(&anchor.selection)) {
        return Ok(Some(anchor));
    }
    let noun = match words {
        [aux, noun @ .., take, place]
            if is(std::slice::from_ref(aux), 0, &["did"])
                && take.folded == "take"
                && place.folded == "place" =>
        {
            noun
        }
        [aux, noun @ .., last]
            if aux.folded == "did" && ["happen", "occur"].contains(&last.folded.as_str()) =>
        {
            noun
        }
        [aux, noun @ .., fall, on] if aux.folded == "did" && fall.folded == "fall" && on.folded == "on" => {
            noun
        }
        [aux, noun @ .., fall] if aux.folded == "did" && fall.folded == "fall" => noun,
        [aux, noun @ ..] if ["was", "is", "were"].contains(&aux.folded.as_str()) => noun,
        _ => return Ok(None),
    };
    Ok(noun::anchor(asking, noun)?.filter(|anchor| super::is_found(&anchor.selection)))
}

/// Reads the time of what the table does not read: it has its own forms of "when".
fn time(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Anchor>, QueryError> {
    let asked: Vec<Word> = [super::word("when")].into_iter().chain(words.iter().cloned()).collect();
    if asking.window.relation != Relation::Always
        || asking.patterns(&asked, super::super::reading::Stand::Direct)?.is_some()
    {
        return Ok(None);
    }
    if words.iter().any(|word| {
        ["first", "last", "recently", "latest", "recent", "newest", "earliest"]
            .contains(&word.folded.as_str())
    }) {
        return Ok(None);
    }
    let is_noun =
        words.iter().skip(1).take(3).any(|word| ["the", "our", POSSESSIVE].contains(&word.folded.as_str()));
    // "When was Harbor paused?" is asked of when it became so.
    if is(words, 0, &["was", "were"])
        && let Some(of) = clause::select(asking, words)?.filter(super::is_found)
        && of.patterns.is_empty()
        && of.found.iter().all(|found| found.row.group.predicate == "has_status")
    {
        return Ok(Some(Anchor::new(asking.sight, Selection { part: Part::Start, ..of })?));
    }
    if !super::starts_with_auxiliary(words) || is(words, 0, &["was", "is", "were"]) && !is_noun {
        return Ok(None);
    }
    if let Some(anchor) = deed(asking, words)? {
        return Ok(Some(anchor));
    }
    match clause::select_or_unknown(asking, words)? {
        Some(selection) if is(words, 0, &["did", "has", "have"]) => {
            Ok(Some(Anchor::new(asking.sight, selection)?))
        }
        _ => Ok(None),
    }
}

/// Reads questions for an age, at a time that may be limited.
pub(super) fn age(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    for matched in asking.matches(AGES) {
        let Some(range) = matched.subject else { continue };
        if let Some(who) = asking.entity(&asking.words[range])? {
            return Ok(Some(plan(Operation::Age { who, window: asking.window.clone() })));
        }
    }
    Ok(None)
}
