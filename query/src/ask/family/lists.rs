//! Questions for what somebody did or means to do, for what happened, and for what tests came to.

use super::super::forms::Ask;
use super::super::plan::window::Relation;
use super::super::plan::{Listed, Operation};
use super::super::reading::Stand;
use super::super::words::Word;
use super::{Asking, Read, is, plan};
use crate::error::QueryError;

const DEEDS: &[&str] = &[
    "what did S do",
    "what else did S do",
    "what all did S do",
    "what has|have S done",
    "what had S done",
    "what happened to|with S",
    "what did S get up to",
    "what things did S do",
    "what happened in S 's life",
];

const DOINGS: &[&str] = &[
    "what was|were S doing",
    "what was|were S up to",
    "what has|have S been doing",
    "what has|have S been up to",
    "what had S been doing",
    "what had S been up to",
    "what kept S busy",
    "what was going on with|for S",
    "what was S 's life like",
];

const HAPPENINGS: &[&str] = &[
    "what happened",
    "what else happened",
    "what took place",
    "what occurred",
    "what was going on",
    "what has happened",
];

const EVENTS: &[&str] = &[
    "what|which events happened|occurred",
    "what|which events took place",
    "what|which events were|are there",
];

const PLANS: &[&str] = &[
    "what is|are|am|was|were S planning [to] [do]",
    "what does|do|did S plan [to] [do]",
    "what is|are|was|were S 's plans",
    "what plans does|do|did S have",
    "what does|do|did S have planned",
    "what will S do",
    "what will S be doing",
    "what is|are|am S going to do",
    "what is|are|am S doing",
    "what is|are coming up for S",
    "what does|do S intend|want|mean to do",
    "what has|have S planned",
    "what does|do S have lined|coming up",
    "what has|have S lined|coming up",
    "what has|have S got lined|coming up",
    "what lies ahead for S",
    "what is ahead|next for S",
    "what is on S 's agenda|calendar|schedule",
];

/// What somebody means to do of one kind: "where will Anna live", "what is she planning to visit".
const PLANS_OF_KIND: &[&str] = &[
    "where|what|who|which will S C",
    "where|what|who|which is|are|am S going to C",
    "where|what|who|which is|are|am S planning to C",
    "where|what|who|which does|do S plan|intend|want to C",
];

const ANYBODYS_PLANS: &[&str] =
    &["what is|are|was planned", "what is|are coming up", "what plans are there", "what is|are scheduled"];

/// What may stand between a plan and the time it is for.
const FOR: &[&str] = &["for", "in", "on", "during", "over", "this"];

const TESTS: &[(&str, &[&str])] = &[
    (
        "passed",
        &[
            "was|were|is|are T passing|green|successful|ok",
            "did T pass|succeed",
            "had T passed",
            "what was|were the status|state|result of T",
        ],
    ),
    ("failed", &["was|were|is|are T failing|red|broken", "did T fail", "had T failed"]),
];

/// What a set of tests is called.
const SUITES: &[&str] =
    &["the [test] suite", "the [unit] tests", "all [the] tests", "tests", "the build", "our tests", "ci"];

pub(super) fn read(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    let n = asking.words.len();
    let ends: &[usize] = if n > 2 && is(&asking.words, n - 1, FOR) { &[0, 1] } else { &[0] };
    for end in ends {
        let asking = asking.with(asking.words[..n - end].to_vec(), asking.window.clone());
        for family in [deeds, plans] {
            if let Some(read) = family(&asking)? {
                return Ok(Some(read));
            }
        }
        if let Some(read) = tests(&asking) {
            return Ok(Some(read));
        }
    }
    Ok(None)
}

fn deeds(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    let window = || asking.window.clone();
    for (templates, what) in [(DEEDS, Listed::Deeds), (DOINGS, Listed::Doings)] {
        for matched in asking.matches(templates) {
            let Some(range) = matched.subject else { continue };
            if let Some(who) = asking.entity(&asking.words[range])? {
                return Ok(Some(plan(Operation::List { who: Some(who), what, window: window() })));
            }
        }
    }
    for (templates, what) in [(HAPPENINGS, Listed::Happenings), (EVENTS, Listed::Events)] {
        if !asking.matches(templates).is_empty() && asking.window.relation != Relation::Always {
            return Ok(Some(plan(Operation::List { who: None, what, window: window() })));
        }
    }
    Ok(None)
}

fn plans(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    for matched in asking.matches(PLANS) {
        let Some(range) = matched.subject else { continue };
        let is_doing = asking.words.last().is_some_and(|word: &Word| word.folded == "doing");
        let is_ahead = asking.window.spans.first().is_some_and(|span| span.sure.0 > asking.sight.request.now);
        if is_doing && !is_ahead {
            continue;
        }
        if let Some(who) = asking.entity(&asking.words[range])? {
            return Ok(Some(plan(Operation::Planned {
                who: Some(who),
                predicates: Vec::new(),
                window: asking.window.clone(),
            })));
        }
    }
    for matched in asking.matches(PLANS_OF_KIND) {
        let (Some(range), Some(clause)) = (matched.subject, matched.clause) else { continue };
        let Some(who) = asking.entity(&asking.words[range.clone()])? else { continue };
        let words: Vec<Word> = [asking.words[0].clone(), super::word("does")]
            .into_iter()
            .chain(asking.words[range].iter().cloned())
            .chain(asking.words[clause].iter().cloned())
            .collect();
        let past: Vec<Word> = words
            .iter()
            .enumerate()
            .map(|(nth, word)| if nth == 1 { super::word("did") } else { word.clone() })
            .collect();
        for words in [words, past] {
            if let Some(patterns) = asking.patterns(&words, Stand::Direct)?
                && patterns[0].ask == Ask::Object
            {
                let predicates = patterns.iter().map(|pattern| pattern.predicate).collect();
                let window = asking.window.clone();
                return Ok(Some(plan(Operation::Planned { who: Some(who), predicates, window })));
            }
        }
    }
    if !asking.matches(ANYBODYS_PLANS).is_empty() {
        return Ok(Some(plan(Operation::Planned {
            who: None,
            predicates: Vec::new(),
            window: asking.window.clone(),
        })));
    }
    Ok(None)
}

fn tests(asking: &Asking<'_>) -> Option<Read> {
    if asking.window.relation == Relation::Always {
        return None;
    }
    for (wanted, templates) in TESTS {
        for template in *templates {
            for suite in SUITES {
                let template = template.replace('T', suite);
                if !asking.matches(&[&template]).is_empty() {
                    return Some(plan(Operation::Suite { wanted, window: asking.window.clone() }));
                }
            }
        }
    }
    None
}
