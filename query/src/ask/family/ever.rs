//! Questions whether something is always, still, or no longer so.

use super::super::plan::selection::Selection;
use super::super::plan::window::Relation;
use super::super::plan::{Manner, Operation};
use super::super::words::Word;
use super::{Asking, Read, clause, is, plan, starts_with_auxiliary};
use crate::error::QueryError;

/// Words that say that something is over, wherever they stand.
const OVER: &[&[&str]] =
    &[&["no", "longer"], &["not", "anymore"], &["not", "any", "more"], &["not", "any", "longer"]];

/// The same apart from their "not".
const ANYMORE: &[&[&str]] = &[&["anymore"], &["any", "more"], &["any", "longer"]];

/// Words for an end that say no more than that: what was sold is no longer owned, but what is not may have been lost.
const LEAVING: &[&str] = &["left", "leave", "quit", "stopped", "stop", "rid", "off"];

/// Contracted verbs.
const NEGATED: &[(&str, &str)] = &[
    ("isn't", "is"),
    ("aren't", "are"),
    ("doesn't", "does"),
    ("don't", "do"),
    ("hasn't", "has"),
    ("wasn't", "was"),
    ("didn't", "did"),
];

pub(super) fn read(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    let words = &asking.words;
    if let Some(rest) = without_over(words)
        && starts_with_auxiliary(&rest)
        && let Some(of) = state(asking, &rest)?
    {
        return Ok(Some(plan(Operation::Held {
            manner: Manner::NoLonger,
            of,
            window: asking.window.clone(),
        })));
    }
    // "Has Anna stopped working at Acme?", "Has Anna left Acme?"
    if is(words, 0, &["has", "have", "did"])
        && words.iter().any(|word| LEAVING.contains(&word.folded.as_str()))
        && asking.window.relation == Relation::Always
        && let Some(of) = clause::select(asking, words)?
        && of.part == super::super::plan::selection::Part::End
    {
        return Ok(Some(plan(Operation::Held {
            manner: Manner::NoLonger,
            of,
            window: asking.window.clone(),
        })));
    }
    if let Some(rest) = without(words, "always")
        && is(&rest, 0, &["has", "have", "was", "were", "did", "is"])
        && let Some(of) = state(asking, &rest)?
    {
        return Ok(Some(plan(Operation::Held { manner: Manner::Always, of, window: asking.window.clone() })));
    }
    if let Some(rest) = without(words, "still")
        && is(&rest, 0, &["is", "are", "am"])
        && asking.window.relation == Relation::Always
        && asking.patterns(words, super::super::reading::Stand::Direct)?.is_none()
        && let Some(of) = state(asking, &rest)?.filter(super::is_found)
    {
        return Ok(Some(plan(Operation::Held { manner: Manner::Still, of, window: asking.window.clone() })));
    }
    Ok(None)
}

/// Reads what holds of somebody; what happened is not what is asked.
fn state(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Selection>, QueryError> {
    let Some(of) = clause::select(asking, words)? else {
        // "no longer at Acme" has the form of "still at Acme".
        let mut still = words.to_vec();
        for at in 2..words.len() {
            still.insert(at, super::word("still"));
            if let Some(patterns) = asking.patterns(&still, super::super::reading::Stand::Direct)? {
                let part = super::super::plan::selection::Part::Whole;
                return clause::by_patterns(asking, words, &patterns, part).map(Some);
            }
            still.remove(at);
        }
        return clause::states(asking, words);
    };
    // What is read and of which nothing is known may be told in other words.
    if !super::is_found(&of)
        && let Some(told) = clause::states(asking, words)?
    {
        return Ok(Some(told));
    }
    Ok(Some(Selection { part: super::super::plan::selection::Part::Whole, ..of }))
}

fn without(words: &[Word], left_out: &str) -> Option<Vec<Word>> {
    let at = words.iter().position(|word| word.folded == left_out)?;
    let mut rest = words.to_vec();
    rest.remove(at);
    Some(rest)
}

fn without_over(words: &[Word]) -> Option<Vec<Word>> {
    let find = |run: &[&str]| {
        words
            .windows(run.len())
            .position(|window| window.iter().map(|word| word.folded.as_str()).eq(run.iter().copied()))
    };
    for run in OVER {
        if let Some(at) = find(run) {
            let mut rest = words.to_vec();
            rest.drain(at..at + run.len());
            return Some(rest);
        }
    }
    let run = ANYMORE.iter().find(|run| find(run).is_some())?;
    let mut rest = words.to_vec();
    let at = find(run)?;
    rest.drain(at..at + run.len());
    let first = rest.first_mut()?;
    if let Some((_, verb)) = NEGATED.iter().find(|(negated, _)| *negated == first.folded) {
        first.folded = (*verb).to_owned();
        return Some(rest);
    }
    without(&rest, "not")
}
