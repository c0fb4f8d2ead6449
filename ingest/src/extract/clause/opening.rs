//! What stands before the subject of a clause: interjections, adverbs, and times, which belong to it.

use bygone_engine::time::Instant;
use bygone_ontology::timex::{self, Context, Tense, TimeExpression};

use super::mood::ADVERBS;
use super::phrase::Clause;
use super::split::{Link, Part};
use super::token::{Kind, Token};

/// Finds the time words of some tokens, with their place in the turn's text.
pub(super) fn times(text: &str, said_at: Instant, tokens: &[Token]) -> Vec<TimeExpression> {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
        return Vec::new();
    };
    let base = first.span.start;
    let context = Context { now: said_at, tense: Tense::Present, fiscal_start: 1 };
    let mut times = timex::find(&text[base..last.span.end], &context);
    for time in &mut times {
        time.span = base + time.span.start..base + time.span.end;
    }
    times
}

/// Joins a part that only says when ("In March,") to the one behind it; beside each part, where its own words start.
pub(super) fn merge_time_prefixes(
    text: &str,
    said_at: Instant,
    tokens: &[Token],
    parts: Vec<Part>,
) -> Vec<(Part, usize)> {
    let mut merged: Vec<(Part, usize)> = Vec::with_capacity(parts.len());
    let mut prefix: Option<Part> = None;
    for part in parts {
        let own = part.tokens.start;
        let part = match prefix.take() {
            Some(before) => Part {
                tokens: before.tokens.start..part.tokens.end,
                link: if part.link == Link::And { before.link } else { part.link },
                stopped: before.stopped,
            },
            None => part,
        };
        let short = part.tokens.len() <= 8 && part.tokens.end < tokens.len();
        let only_time = short && own == part.tokens.start && {
            let words = &tokens[part.tokens.clone()];
            let times = times(text, said_at, words);
            !times.is_empty()
                && words.iter().all(|token| {
                    token.is_one_of(&[
                        "in", "on", "at", "back", "around", "since", "from", "the", "of", "just",
                    ]) || times
                        .iter()
                        .any(|time| time.span.start <= token.span.start && token.span.end <= time.span.end)
                })
        };
        if only_time {
            prefix = Some(part);
        } else {
            merged.push((part, own));
        }
    }
    if let Some(part) = prefix {
        let own = part.tokens.start;
        merged.push((part, own));
    }
    merged
}

/// Skips interjections, adverbs and time words; says whether one of them made it hearsay.
pub(super) fn skip_openers(clause: &Clause<'_>, head: usize) -> (usize, bool) {
    const OPENERS: &[&str] = &[
        "well",
        "oh",
        "yes",
        "yeah",
        "yep",
        "ok",
        "okay",
        "hi",
        "hey",
        "hello",
        "so",
        "and",
        "but",
        "anyway",
        "btw",
        "fyi",
        "ps",
        "then",
        "no",
        "nope",
        "sure",
        "ah",
        "also",
        "plus",
        "because",
        "though",
        "however",
        "today",
        "yesterday",
        "nowadays",
        "lately",
    ];
    // "Update: …", but "Correction fluid is cheap".
    const HEADINGS: &[&str] = &["sorry", "update", "correction"];
    let mut at = head;
    let mut reported = false;
    loop {
        if clause.are(at, &["by", "the", "way"]) {
            at += 3;
        } else if clause.is_one_of(at, &["apparently", "supposedly", "reportedly", "allegedly"]) {
            reported = true;
            at += 1;
        } else if clause.is_one_of(at, OPENERS)
            || (clause.is_one_of(at, HEADINGS)
                && !clause.token(at + 1).is_some_and(|next| next.kind == Kind::Word && !next.capital))
            || clause.is_one_of(at, ADVERBS)
            || clause.token(at).is_some_and(|token| token.kind == Kind::Comma)
            || (clause.is_one_of(at, &["in", "on", "since", "at", "back"]) && covered(clause, at + 1))
            || covered(clause, at)
        {
            at += 1;
        } else {
            return (at, reported);
        }
    }
}

/// Returns where a time before the subject starts, with the preposition that leads it.
pub(super) fn time_before(clause: &Clause<'_>, subject: usize) -> Option<usize> {
    let first = (0..subject).find(|at| covered(clause, *at))?;
    let led = first > 0 && clause.is_one_of(first - 1, &["in", "on", "since", "at", "until"]);
    Some(first - usize::from(led))
}

fn covered(clause: &Clause<'_>, at: usize) -> bool {
    clause.token(at).is_some_and(|token| {
        clause.times.iter().any(|time| time.span.start <= token.span.start && token.span.end <= time.span.end)
    })
}
