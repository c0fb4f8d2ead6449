//! Questions about what was said and known: what was said first, whether it was ever told, when it was learned, what has
//! changed, and the history of something.

use super::super::forms::Ask;
use super::super::plan::selection::{Part, Selection};
use super::super::plan::window::{Relation, Window};
use super::super::plan::{Manner, Operation};
use super::super::reading::Stand;
use super::super::words::Word;
use super::{Asking, Read, clause, is, noun, plan};
use crate::error::QueryError;

const ORIGINAL: &[&str] = &[
    "what did S originally|first|initially say C was|is|were|are",
    "what did S originally|first|initially tell you|us C was|is|were|are",
    "what did S say C was|is|were originally|first|initially",
    "what was|is|were the original|initial|starting value of C",
    "what was|is|were the original|initial|starting C",
    "what was|were|is C originally|initially",
    "what was|were|is C at first",
    "who was C originally|initially",
];

const ORIGINAL_OWNED: &[&str] = &["what|who|where was|is|were S 's original|initial|starting K"];

const ORIGINAL_CLAUSE: &[&str] = &["where|what|who did S originally|first|initially say C"];

const TOLD: &[&str] = &[
    "did S [ever] tell you|us|anyone C",
    "did S [ever] mention|say|state C",
    "did S [ever] mention|say to you C",
    "have|has S [ever] told you|us|anyone C",
    "have|has S [ever] mentioned|said|stated C",
    "do you know C",
    "do we know C",
    "do you remember|recall C",
];

const CHANGED: &[&str] = &[
    "what has|have changed about|for|with|in S",
    "what changed about|for|with|in S",
    "what is new about|with|for S",
    "what is different about|with|for S",
    "what has|have changed in S 's life",
    "what changed in S 's life",
    "how has|have S changed",
    "how has|have S 's life changed",
    "what changes has|have S had",
    "what has|have been different about|for S",
];

const HISTORY: &[&str] = &[
    "what is|was the history of C",
    "what is|was the full|complete|whole history of C",
    "show|give|tell [i] the history of C",
    "list|show [all] C",
    "list all of C",
    "what are|were all [of] C",
    "how has|have C changed over time",
    "how has|have C evolved",
    "how did C change [over] [time]",
    "what values has|have C had",
    "what has|have C been over time",
];

const HISTORY_OWNED: &[&str] = &[
    "show|give|tell [i] the K history of S",
    "what is|was S 's K history",
    "show|give|tell [i] S 's K history",
    "what is|was the K history of S",
];

pub(super) fn read(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    for family in [original, told, changed, history] {
        if let Some(read) = family(asking)? {
            return Ok(Some(read));
        }
    }
    Ok(None)
}

fn original(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    for matched in asking.matches(ORIGINAL) {
        let Some(range) = matched.clause else { continue };
        if let Some(of) = noun::values(asking, &asking.words[range], false)? {
            return Ok(Some(plan(Operation::Original { of })));
        }
    }
    for matched in asking.matches(ORIGINAL_OWNED) {
        let (Some(owner), Some(key)) = (matched.subject, matched.key) else { continue };
        let words = owned(asking, &owner, &key);
        if let Some(of) = noun::values(asking, &words, false)? {
            return Ok(Some(plan(Operation::Original { of })));
        }
    }
    for matched in asking.matches(ORIGINAL_CLAUSE) {
        let Some(range) = matched.clause else { continue };
        let words: Vec<Word> =
            [asking.words[0].clone()].into_iter().chain(asking.words[range].iter().cloned()).collect();
        if let Some(patterns) = asking.patterns(&words, Stand::Embedded)?
            && patterns[0].ask == Ask::Object
        {
            let of = clause::by_patterns(asking, &words, &patterns, Part::Whole)?;
            return Ok(Some(plan(Operation::Original { of })));
        }
    }
    Ok(None)
}

/// Puts an owner, the possessive behind it and a noun together.
fn owned(asking: &Asking<'_>, owner: &std::ops::Range<usize>, noun: &std::ops::Range<usize>) -> Vec<Word> {
    let mark = Word { folded: super::super::words::POSSESSIVE.to_owned(), span: 0..0 };
    let mark = asking.words.get(owner.end).filter(|word| word.folded == mark.folded).cloned().unwrap_or(mark);
    let owner = asking.words[owner.clone()].iter().cloned();
    owner.chain([mark]).chain(asking.words[noun.clone()].iter().cloned()).collect()
}

fn told(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    for matched in asking.matches(TOLD) {
        let Some(range) = matched.clause else { continue };
        let words = &asking.words[range];
        let words = if is(words, 0, &["about"]) { &words[1..] } else { words };
        let of = match noun::values(asking, words, false)? {
            Some(of) => Some(of),
            None => match embedded(asking, words)? {
                Some(of) => Some(of),
                None => noun::unknown(asking, words)?,
            },
        };
        if let Some(of) = of {
            return Ok(Some(plan(Operation::Held { manner: Manner::Told, of, window: Window::always() })));
        }
    }
    Ok(None)
}

/// Reads "where I live", "that I moved to Berlin", "what my shoe size is".
fn embedded(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Selection>, QueryError> {
    if is(words, 0, &["that"]) {
        return clause::select(asking, &words[1..]);
    }
    if is(words, 0, &["what", "who", "where", "when"]) {
        if let Some(patterns) = asking.patterns(words, Stand::Embedded)?
            && patterns[0].ask == Ask::Object
        {
            return clause::by_patterns(asking, words, &patterns, Part::Whole).map(Some);
        }
        if is(words, words.len() - 1, &["is", "was", "are", "were"]) {
            return noun::values(asking, &words[1..words.len() - 1], false);
        }
    }
    Ok(None)
}

fn changed(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    let (words, window) = if asking.window.relation == Relation::Always {
        let limited = super::limit::split(asking)?.into_iter().find_map(|limited| match limited {
            super::limit::Limited::Within(asking) if asking.window.relation == Relation::After => {
                Some(asking)
            }
            _ => None,
        });
        match limited {
            Some(limited) => (limited.words, limited.window),
            None => return Ok(None),
        }
    } else {
        (asking.words.clone(), asking.window.clone())
    };
    let asking = asking.with(words, window);
    for matched in asking.matches(CHANGED) {
        let Some(range) = matched.subject else { continue };
        if let Some(who) = asking.entity(&asking.words[range])? {
            return Ok(Some(plan(Operation::Changed { who, window: asking.window.clone() })));
        }
    }
    Ok(None)
}

fn history(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    for matched in asking.matches(HISTORY) {
        let Some(range) = matched.clause else { continue };
        // All that ever was has the former ones in it.
        let former = ["previous", "former", "past", "old", "prior"];
        let words: Vec<Word> = asking.words[range]
            .iter()
            .filter(|word| !former.contains(&word.folded.as_str()))
            .cloned()
            .collect();
        if let Some(of) = noun::values(asking, &words, true)?.filter(super::is_found) {
            return Ok(Some(plan(Operation::History { of })));
        }
    }
    for matched in asking.matches(HISTORY_OWNED) {
        let (Some(owner), Some(key)) = (matched.subject, matched.key) else { continue };
        let words = owned(asking, &owner, &key);
        if let Some(of) = noun::values(asking, &words, true)? {
            return Ok(Some(plan(Operation::History { of })));
        }
    }
    Ok(None)
}

/// Reads when something was learned that is no plain statement of what is so: "that Anna moved", "that she left Acme",
/// "about the wedding", "where Anna lives".
pub(super) fn learned(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    let words = asking.words.as_slice();
    if is(words, 0, &["about", "of"]) {
        if let Some(of) = noun::event(asking, &words[1..])? {
            return Ok(Some(plan(Operation::Learned { of: Selection { part: Part::Whole, ..of } })));
        }
        return match noun::values(asking, &words[1..], false)? {
            Some(of) => Ok(Some(plan(Operation::Learned { of }))),
            None => Ok(None),
        };
    }
    if let Some(patterns) = asking.patterns(words, Stand::Embedded)?
        && patterns[0].ask == Ask::Exists
        && patterns[0].object.is_some()
    {
        return Ok(None);
    }
    if is(words, 0, &["who", "what", "where", "when"]) {
        return Ok(None);
    }
    match clause::select(asking, words)? {
        Some(of) => Ok(Some(plan(Operation::Learned { of }))),
        None => Ok(None),
    }
}
