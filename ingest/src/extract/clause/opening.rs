//! What stands before the subject of a clause: interjections, adverbs, and times, which belong to it.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use bygone_engine::time::Instant;
use bygone_ontology::timex::{self, Context, Tense, TimeExpression};

use super::mood::ADVERBS;
use super::phrase::Clause;
use super::split::{Link, Part};
use super::token::{Kind, Token};

/// The time words of a turn, each stretch of it looked through once: sentences, their clauses and what stands before them
/// often are the same words.
pub(super) struct Times<'t> {
    text: &'t str,
    said_at: Instant,
    /// What was found in the sentence that is read.
    found: RefCell<Vec<Looked>>,
}

/// A stretch of the text, and the time words in it.
type Looked = (Range<usize>, Rc<[TimeExpression]>);

impl<'t> Times<'t> {
    pub(super) fn of(text: &'t str, said_at: Instant) -> Times<'t> {
        Times { text, said_at, found: RefCell::default() }
    }

    /// Forgets what was found in the sentence before.
    pub(super) fn begin_sentence(&mut self) {
        self.found.get_mut().clear();
    }

    /// Finds the time words of some tokens, with their place in the turn's text.
    pub(super) fn among(&self, tokens: &[Token]) -> Rc<[TimeExpression]> {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return Rc::default();
        };
        let range = first.span.start..last.span.end;
        let mut found = self.found.borrow_mut();
        if let Some((_, times)) = found.iter().find(|(searched, _)| *searched == range) {
            return Rc::clone(times);
        }
        let times: Rc<[TimeExpression]> = find(self.text, self.said_at, range.clone()).into();
        found.push((range, Rc::clone(&times)));
        times
    }
}

fn find(text: &str, said_at: Instant, range: Range<usize>) -> Vec<TimeExpression> {
    let context = Context { now: said_at, tense: Tense::Present, fiscal_start: 1 };
    let mut times = timex::find(&text[range.clone()], &context);
    for time in &mut times {
        time.span = range.start + time.span.start..range.start + time.span.end;
    }
    times
}

/// Joins a part that only says when ("In March,") to the one behind it; beside each part, where its own words start.
pub(super) fn merge_time_prefixes(
    times: &Times<'_>,
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
            let times = times.among(words);
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
