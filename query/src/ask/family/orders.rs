//! Questions for order: "which came first, … or …", "in what order did …".

use super::super::plan::anchor::Anchor;
use super::super::plan::{Claim, Operation};
use super::super::words::{POSSESSIVE, Word};
use super::{Asking, Read, clause, is, noun, plan, word};
use crate::error::QueryError;

const FIRST: &[&str] = &[
    "which|what came|happened|was|occurred first [,] C or D",
    "which|what came|happened|occurred earlier [,] C or D",
    "which|what one came|happened first [,] C or D",
    "which|what event came|happened|occurred first [,] C or D",
    "what was|came earlier [,] C or D",
    "which|what was|is|came|happened earlier|sooner|first [,] C or D",
];

const DEEDS: &[&str] = &[
    "what|which did S do first [,] C or D",
    "did S C or D first",
    "did S first C or D",
    "what did S do earlier [,] C or D",
];

/// "Which did Ben visit first, Rome or Oslo?": the same deed of each.
const EITHER_OBJECT: &[&str] = &["what|which|who|where did S K first|earlier [,] C or D"];

const EITHER: &[&str] = &[
    "did C before or after D",
    "was|is|were C before or after D",
    "did C happen before or after D",
    "did C take place before or after D",
];

const PEOPLE: &[&str] = &["who C first [,] S or O", "who first C [,] S or O", "who C earlier [,] S or O"];

const CLAIMS: &[(Claim, &[&str])] = &[
    (
        Claim::Before,
        &[
            "did C happen|come|occur before D",
            "did C take place before D",
            "was|is|were C before D",
            "was|is|were C earlier than D",
            "did C happen|come|occur earlier than D",
        ],
    ),
    (
        Claim::After,
        &[
            "did C happen|come|occur after D",
            "did C take place after D",
            "was|is|were C after D",
            "was|is|were C later than D",
            "did C happen|come|occur later than D",
        ],
    ),
];

const ALL: &[&str] = &[
    "in what|which order did C",
    "in what|which order were|was C",
    "what is|was the order of C",
    "how are|were C ordered in time",
];

pub(super) fn read(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    for matched in asking.matches(FIRST) {
        let (Some(one), Some(other)) = (matched.clause, matched.other) else { continue };
        if let Some(anchors) = anchors(asking, &[&asking.words[one], &asking.words[other]])? {
            return Ok(Some(plan(Operation::Order { of: anchors, all: false, claim: None })));
        }
    }
    for (claim, templates) in CLAIMS {
        for matched in asking.matches(templates) {
            let (Some(one), Some(other)) = (matched.clause, matched.other) else { continue };
            let one = noun::event(asking, &asking.words[one])?;
            let other = noun::anchor(asking, &asking.words[other])?;
            let (Some(one), Some(other)) = (one, other) else { continue };
            let of = vec![Anchor::new(asking.sight, one)?, other];
            return Ok(Some(plan(Operation::Order { of, all: false, claim: Some(*claim) })));
        }
    }
    for matched in asking.matches(DEEDS) {
        let (Some(who), Some(one), Some(other)) = (matched.subject, matched.clause, matched.other) else {
            continue;
        };
        let did = |deed: std::ops::Range<usize>| -> Vec<Word> {
            let deed = asking.words[deed].iter().filter(|word| word.folded != ",");
            [word("did")]
                .into_iter()
                .chain(asking.words[who.clone()].iter().cloned())
                .chain(deed.cloned())
                .collect()
        };
        if let Some(anchors) = anchors(asking, &[&did(one), &did(other)])? {
            return Ok(Some(plan(Operation::Order { of: anchors, all: false, claim: None })));
        }
    }
    for matched in asking.matches(EITHER_OBJECT) {
        let (Some(who), Some(verb), Some(one), Some(other)) =
            (matched.subject, matched.key, matched.clause, matched.other)
        else {
            continue;
        };
        let did = |object: std::ops::Range<usize>| -> Vec<Word> {
            let object = asking.words[object].iter().filter(|word| word.folded != ",");
            let deed = asking.words[who.clone()].iter().chain(&asking.words[verb.clone()]).chain(object);
            [word("did")].into_iter().chain(deed.cloned()).collect()
        };
        if let Some(mut anchors) = anchors(asking, &[&did(one.clone()), &did(other.clone())])? {
            for (anchor, object) in anchors.iter_mut().zip([one, other]) {
                anchor.selection.said = asking.said(&asking.words[object]);
            }
            return Ok(Some(plan(Operation::Order { of: anchors, all: false, claim: None })));
        }
    }
    for matched in asking.matches(EITHER) {
        let (Some(one), Some(other)) = (matched.clause, matched.other) else { continue };
        let deed: Vec<Word> =
            [asking.words[0].clone()].into_iter().chain(asking.words[one.clone()].iter().cloned()).collect();
        let one = match clause::select(asking, &deed)?.filter(super::is_found) {
            Some(selection) => Some(selection),
            None => noun::event(asking, &asking.words[one])?,
        };
        let (Some(one), Some(other)) = (one, noun::anchor(asking, &asking.words[other])?) else { continue };
        let of = vec![Anchor::new(asking.sight, one)?, other];
        return Ok(Some(plan(Operation::Order { of, all: false, claim: None })));
    }
    for matched in asking.matches(PEOPLE) {
        let (Some(deed), Some(one), Some(other)) = (matched.clause, matched.subject, matched.object) else {
            continue;
        };
        let did = |who: std::ops::Range<usize>| -> Vec<Word> {
            asking.words[who].iter().chain(&asking.words[deed.clone()]).cloned().collect()
        };
        if let Some(anchors) = anchors(asking, &[&did(one), &did(other)])? {
            return Ok(Some(plan(Operation::Order { of: anchors, all: false, claim: None })));
        }
    }
    for matched in asking.matches(ALL) {
        let Some(range) = matched.clause else { continue };
        if let Some(anchors) = all(asking, &asking.words[range])? {
            return Ok(Some(plan(Operation::Order { of: anchors, all: true, claim: None })));
        }
    }
    Ok(None)
}

fn anchors(asking: &Asking<'_>, parts: &[&[Word]]) -> Result<Option<Vec<Anchor>>, QueryError> {
    let mut anchors = Vec::new();
    for part in parts {
        let part = if is(part, 0, &[","]) { &part[1..] } else { part };
        match noun::anchor(asking, part)? {
            Some(anchor) => anchors.push(anchor),
            None => return Ok(None),
        }
    }
    Ok(Some(anchors))
}

/// Reads "I visit Rome, Oslo and Lima", "Anna join Acme, move to Berlin and buy a car", and "the race and the wedding
/// happen".
fn all(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Vec<Anchor>>, QueryError> {
    let items: Vec<&[Word]> = words
        .split(|word| word.folded == "," || word.folded == "and")
        .filter(|item| !item.is_empty())
        .collect();
    let [first, rest @ ..] = items.as_slice() else { return Ok(None) };
    if rest.is_empty() {
        return Ok(None);
    }
    let mut nouns: Vec<&[Word]> = items.clone();
    if let Some(last) = nouns.last_mut() {
        let n_verb = usize::from(is(last, last.len() - 1, &["happen", "occur", "come"]));
        let n_verb = if is(last, last.len() - 1, &["place"]) && last.len() > 1 { 2 } else { n_verb };
        *last = &last[..last.len() - n_verb];
        let is_noun =
            is(first, 0, &["the", "my", "our"]) || first.iter().any(|word| word.folded == POSSESSIVE);
        if (n_verb > 0 || is_noun)
            && let Some(anchors) = anchors(asking, &nouns)?
        {
            return Ok(Some(anchors));
        }
    }
    for at in (1..first.len()).rev() {
        let mut found = Vec::new();
        for (nth, item) in items.iter().enumerate() {
            let item = if nth == 0 { &first[at..] } else { item };
            let deed: Vec<Word> = [word("did")]
                .into_iter()
                .chain(first[..at].iter().cloned())
                .chain(item.iter().cloned())
                .collect();
            let Some(selection) = clause::select(asking, &deed)?.filter(super::is_found) else { break };
            let selection = super::super::plan::selection::Selection { said: asking.said(item), ..selection };
            found.push(Anchor::new(asking.sight, selection)?);
        }
        if found.len() == items.len() {
            return Ok(Some(found));
        }
    }
    deeds(asking, &items)
}

/// Reads "Mia receive a prize, lose her passport and found Brightline": each of them is something that she did.
fn deeds(asking: &Asking<'_>, items: &[&[Word]]) -> Result<Option<Vec<Anchor>>, QueryError> {
    let Some(first) = items.first() else { return Ok(None) };
    for at in 1..first.len() {
        if asking.entity(&first[..at])?.is_none() {
            continue;
        }
        let mut found = Vec::new();
        for (nth, item) in items.iter().enumerate() {
            let item = if nth == 0 { &first[at..] } else { item };
            let who = first[..at].iter().cloned();
            let deed: Vec<Word> = [word("did")].into_iter().chain(who).chain(item.iter().cloned()).collect();
            let Some(selection) = clause::select(asking, &deed)?.filter(super::is_found) else { break };
            let selection = super::super::plan::selection::Selection { said: asking.said(item), ..selection };
            found.push(Anchor::new(asking.sight, selection)?);
        }
        if found.len() == items.len() {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
