//! Questions for the first or the last of several: "the first concert Anna went to", "when did I last see the dentist".

use super::super::forms::Ask;
use super::super::plan::selection::{Part, Selection};
use super::super::plan::{Extremity, Operation};
use super::super::reading::Stand;
use super::super::words::Word;
use super::{Asking, Read, clause, noun, plan, word};
use crate::error::QueryError;

/// Words that choose one end, with the templates' placeholder for them.
const ENDS: &[(Extremity, &[&str])] = &[
    (Extremity::First, &["first", "very first", "earliest", "oldest"]),
    (Extremity::Last, &["last", "latest", "most recent", "newest", "very last"]),
];

/// The same as adverbs.
const ADVERBS: &[(Extremity, &[&str])] =
    &[(Extremity::First, &["first"]), (Extremity::Last, &["last", "most recently"])];

const OF_CLAUSE: &[&str] = &["what|which|who is|was|were the A K C"];
const OWNED: &[&str] = &["what|which|who is|was|were S 's A K"];
const TIME: &[&str] = &[
    "when is|was|were the A time C",
    "when is|was the A time that C",
    "when did the A time C happen",
    "when was it A that C",
];
const TIME_OF_OWNED: &[&str] = &["when is|was S 's A K", "when was the A K C"];

const TIME_ADVERB: &[&str] =
    &["when did S A C", "when did S C for the A time", "when did S C A", "when was S A C", "when did C A"];
const OBJECT_ADVERB: &[&str] = &[
    "where|what|who|which did S A C",
    "where|what|who|which did S C A",
    "where|what|who|which was|were S A C",
];
const KIND_ADVERB: &[&str] =
    &["what|which K did S A C", "what|which K did S C A", "what|which K did S C the A time"];

pub(super) fn read(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    for (end, words) in ENDS {
        for chosen in *words {
            let spelt = |templates: &[&str]| -> Vec<String> {
                templates.iter().map(|template| template.replace('A', chosen)).collect()
            };
            if let Some(read) = of_clause(asking, *end, &spelt(OF_CLAUSE))? {
                return Ok(Some(read));
            }
            if let Some(read) = owned(asking, *end, &spelt(OWNED), false)? {
                return Ok(Some(read));
            }
            if let Some(read) = time(asking, *end, &spelt(TIME))? {
                return Ok(Some(read));
            }
            if let Some(read) = owned(asking, *end, &spelt(TIME_OF_OWNED), true)? {
                return Ok(Some(read));
            }
        }
    }
    for (end, words) in ADVERBS {
        for chosen in *words {
            let spelt = |templates: &[&str]| -> Vec<String> {
                templates.iter().map(|template| template.replace('A', chosen)).collect()
            };
            if let Some(read) = time(asking, *end, &spelt(TIME_ADVERB))? {
                return Ok(Some(read));
            }
            if let Some(read) = objects(asking, *end, &spelt(OBJECT_ADVERB))? {
                return Ok(Some(read));
            }
            if let Some(read) = objects(asking, *end, &spelt(KIND_ADVERB))? {
                return Ok(Some(read));
            }
        }
    }
    Ok(None)
}

fn matches(asking: &Asking<'_>, templates: &[String]) -> Vec<super::super::template::Match> {
    let templates: Vec<&str> = templates.iter().map(String::as_str).collect();
    asking.matches(&templates)
}

fn extreme(
    asking: &Asking<'_>,
    end: Extremity,
    of: Selection,
    noun: Option<String>,
    asks_time: bool,
) -> Read {
    plan(Operation::Extreme { end, of, noun, asks_time, window: asking.window.clone() })
}

fn of_clause(asking: &Asking<'_>, end: Extremity, templates: &[String]) -> Result<Option<Read>, QueryError> {
    for matched in matches(asking, templates) {
        let (Some(noun), Some(range)) = (matched.key, matched.clause) else { continue };
        let (noun, words) = (&asking.words[noun], &asking.words[range]);
        if super::is(noun, 0, &["thing"])
            && noun.len() == 1
            && let Some(of) = clause::deeds(asking, words)?
        {
            return Ok(Some(extreme(asking, end, of, None, false)));
        }
        if noun.len() > 3 || super::is(noun, noun.len() - 1, &["that", "which", "who"]) {
            continue;
        }
        if let Some(of) = clause::objects(asking, Some(noun), words)?.filter(super::is_found) {
            return Ok(Some(extreme(asking, end, of, Some(singular(noun)), false)));
        }
    }
    Ok(None)
}

fn singular(noun: &[Word]) -> String {
    super::super::kind::singular(&super::folded(noun))
}

fn owned(
    asking: &Asking<'_>,
    end: Extremity,
    templates: &[String],
    asks_time: bool,
) -> Result<Option<Read>, QueryError> {
    for matched in matches(asking, templates) {
        let Some(key) = matched.key else { continue };
        if let Some(range) = matched.clause {
            let (noun, words) = (&asking.words[key], &asking.words[range]);
            if let Some(of) = clause::objects(asking, Some(noun), words)?.filter(super::is_found) {
                return Ok(Some(extreme(asking, end, of, Some(singular(noun)), asks_time)));
            }
            continue;
        }
        let Some(owner) = matched.subject else { continue };
        let mut words = asking.words[owner.clone()].to_vec();
        words.push(asking.words[owner.end].clone());
        words.extend(asking.words[key].iter().cloned());
        for is_series in [false, true] {
            if let Some(of) = noun::values(asking, &words, is_series)?.filter(super::is_found) {
                return Ok(Some(extreme(asking, end, of, None, asks_time)));
            }
        }
        if let Some(of) = noun::event(asking, &words)? {
            return Ok(Some(extreme(asking, end, of, None, asks_time)));
        }
    }
    Ok(None)
}

fn time(asking: &Asking<'_>, end: Extremity, templates: &[String]) -> Result<Option<Read>, QueryError> {
    for matched in matches(asking, templates) {
        let Some(range) = matched.clause else { continue };
        let clause: Vec<Word> = match &matched.subject {
            None => asking.words[range].to_vec(),
            Some(subject) => {
                let who = asking.words[subject.clone()].iter().cloned();
                [asking.words[1].clone()]
                    .into_iter()
                    .chain(who)
                    .chain(asking.words[range].iter().cloned())
                    .collect()
            }
        };
        if let Some(of) = clause::select(asking, &clause)? {
            let of = Selection { part: if of.part == Part::End { Part::End } else { Part::Whole }, ..of };
            return Ok(Some(extreme(asking, end, of, None, true)));
        }
    }
    Ok(None)
}

fn objects(asking: &Asking<'_>, end: Extremity, templates: &[String]) -> Result<Option<Read>, QueryError> {
    for matched in matches(asking, templates) {
        let (Some(subject), Some(range)) = (matched.subject, matched.clause) else { continue };
        let verb = if matched.chosen.len() > 1 && super::is(&asking.words, 1, &["was", "were"]) {
            asking.words[1].clone()
        } else {
            word("did")
        };
        let rest: Vec<Word> = [verb]
            .into_iter()
            .chain(asking.words[subject].iter().cloned())
            .chain(asking.words[range].iter().cloned())
            .collect();
        if let Some(noun) = matched.key {
            let noun = &asking.words[noun];
            if let Some(of) = clause::objects(asking, Some(noun), &rest)?.filter(super::is_found) {
                return Ok(Some(extreme(asking, end, of, Some(singular(noun)), false)));
            }
            continue;
        }
        let words: Vec<Word> = [asking.words[0].clone()].into_iter().chain(rest).collect();
        if let Some(patterns) = asking.patterns(&words, Stand::Direct)?
            && matches!(patterns[0].ask, Ask::Object | Ask::Subject)
        {
            let of = clause::by_patterns(asking, &words, &patterns, Part::Whole)?;
            return Ok(Some(extreme(asking, end, of, None, false)));
        }
    }
    Ok(None)
}
