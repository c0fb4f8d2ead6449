//! Questions for lengths of time: "how long has", "how long ago", "how many days between", "how long did it take".

use super::super::kind;
use super::super::plan::anchor::Anchor;
use super::super::plan::length::Unit;
use super::super::plan::selection::{Part, Selection, all_of_words};
use super::super::plan::{Operation, Until};
use super::super::template::Match;
use super::super::words::Word;
use super::{Asking, Read, clause, is, noun, plan, starts_with_auxiliary};
use crate::error::QueryError;

const BETWEEN: &[&str] = &[
    "how many|much K passed|elapsed|lie|lies|lay between C and D",
    "how many|much K were|was|are|is there between C and D",
    "how many|much K were|was|are|is between C and D",
    "how many K went by between C and D",
    "how many K did S wait between C and D",
    "how long was|is it between C and D",
    "how long was|is it from C to|until D",
    "how many K was|is it from C to|until D",
    "how long between C and D",
    "how long passed|elapsed between C and D",
    "what was the time between C and D",
    "how long before|after C was|were|is D",
    "how many K before|after C was|were|is D",
    "how much time before|after C was|were|is D",
];

/// Between the two of a kind: "my two dentist appointments", "both deployments".
const BETWEEN_TWO: &[&str] = &[
    "how many|much K passed|elapsed|lie|lies|lay between C",
    "how many|much K were|was|are|is there between C",
    "how many|much K were|was|are|is between C",
    "how long was|is it between C",
    "how far apart are|were C",
];

const TAKEN: &[&str] = &[
    "how long did it take S to C",
    "how long did it take for S to C",
    "how many K did it take S to C",
    "how long did S take to C",
    "how long did S need to C",
    "how many K did S take|need to C",
    "how long did S spend C",
    "how many K did S spend C",
];

const AGO: &[&str] = &[
    "how long ago C",
    "how many K ago C",
    "how long has|is it been since C",
    "how long is it since C",
    "how many K has it been since C",
    "how many K is it since C",
    "how much time has passed since C",
    "how many K have|has passed since C",
];

const HELD: &[&str] =
    &["how long C", "for how long C", "how many K C", "for how many K C", "how much time C"];

const THEN: &[&str] = &["how long before|after C D", "how many K before|after C D"];

pub(super) fn read(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    for (templates, form) in [
        (BETWEEN, between as fn(&Asking<'_>, &Match, Option<Unit>) -> _),
        (BETWEEN_TWO, between_two),
        (TAKEN, taken),
        (AGO, ago),
        (THEN, then),
        (HELD, held),
    ] {
        for matched in asking.matches(templates) {
            let unit = match &matched.key {
                None => None,
                Some(range) if super::folded(&asking.words[range.clone()]) == "time" => None,
                Some(range) => match unit(&asking.words[range.clone()]) {
                    Some(unit) => Some(unit),
                    None => continue,
                },
            };
            if let Some(read) = form(asking, &matched, unit)? {
                return Ok(Some(read));
            }
        }
    }
    Ok(None)
}

fn unit(words: &[Word]) -> Option<Unit> {
    let [word] = words else { return None };
    Unit::named(&word.folded)
}

fn of<'a>(asking: &'a Asking<'_>, range: Option<&std::ops::Range<usize>>) -> &'a [Word] {
    range.map_or(&[], |range| &asking.words[range.clone()])
}

fn between(asking: &Asking<'_>, matched: &Match, unit: Option<Unit>) -> Result<Option<Read>, QueryError> {
    let from = noun::anchor(asking, of(asking, matched.clause.as_ref()))?;
    let to = noun::anchor(asking, of(asking, matched.other.as_ref()))?;
    let (Some(from), Some(to)) = (from, to) else { return Ok(None) };
    Ok(Some(plan(Operation::Difference { from, to: Until::Another(to), unit })))
}

fn between_two(asking: &Asking<'_>, matched: &Match, unit: Option<Unit>) -> Result<Option<Read>, QueryError> {
    match noun::both(asking, of(asking, matched.clause.as_ref()))? {
        Some([from, to]) => Ok(Some(plan(Operation::Difference { from, to: Until::Another(to), unit }))),
        None => Ok(None),
    }
}

fn ago(asking: &Asking<'_>, matched: &Match, unit: Option<Unit>) -> Result<Option<Read>, QueryError> {
    let words = of(asking, matched.clause.as_ref());
    let from = match noun::anchor(asking, words)? {
        // "How long ago was the wedding?"
        None if is(words, 0, &["was", "were", "is"]) => noun::anchor(asking, &words[1..])?,
        from => from,
    };
    let Some(mut from) = from else { return Ok(None) };
    if from.selection.part == Part::Whole
        && from.selection.found.iter().any(super::super::plan::selection::is_state)
    {
        // "How long ago did Anna live in Paris?" is asked of its end.
        let over = Selection { part: Part::End, ..from.selection.clone() };
        let ended = Anchor::new(asking.sight, over)?;
        if ended.only().is_ok() {
            from = ended;
        }
    }
    Ok(Some(plan(Operation::Difference { from, to: Until::Now, unit })))
}

/// "How long after the wedding did Anna move to Berlin?"
fn then(asking: &Asking<'_>, matched: &Match, unit: Option<Unit>) -> Result<Option<Read>, QueryError> {
    let later = of(asking, matched.other.as_ref());
    if !starts_with_auxiliary(later) {
        return Ok(None);
    }
    between(asking, matched, unit)
}

fn held(asking: &Asking<'_>, matched: &Match, unit: Option<Unit>) -> Result<Option<Read>, QueryError> {
    let words = of(asking, matched.clause.as_ref());
    if !starts_with_auxiliary(words) || is(words, 1, &["it", "there"]) {
        return Ok(None);
    }
    let is_open = is(words, 0, &["has", "have", "is", "are", "am"]);
    let Some(selection) = clause::select_or_unknown(asking, words)? else { return Ok(None) };
    Ok(Some(plan(Operation::Duration { of: Selection { part: Part::Whole, ..selection }, unit, is_open })))
}

/// Verbs that only say that something came to its end.
const FINISHING: &[&str] = &["finish", "complete", "end", "do", "get", "through"];

fn taken(asking: &Asking<'_>, matched: &Match, unit: Option<Unit>) -> Result<Option<Read>, QueryError> {
    let Some(who) = asking.entity(of(asking, matched.subject.as_ref()))? else { return Ok(None) };
    let words = of(asking, matched.clause.as_ref());
    let [verb, object @ ..] = words else { return Ok(None) };
    let noun: Vec<String> = kind::noun_words(&super::folded(object))
        .into_iter()
        .filter(|word| !FINISHING.contains(&word.as_str()))
        .collect();
    let is_verb_told = !FINISHING.contains(&verb.folded.as_str());
    let mut told = noun.clone();
    if is_verb_told && noun.is_empty() {
        told.push(verb.folded.clone());
    }
    let all = all_of_words(asking.sight, Some(&who), &told)?;
    let text = format!("{who}, {:?}", told.join(" "));
    let select = |said: String, found| Selection {
        said,
        text: text.clone(),
        patterns: Vec::new(),
        part: Part::Whole,
        found,
    };
    let is_start = |predicate: &str| predicate == "started";
    let ends: Vec<_> = all
        .iter()
        .filter(|found| {
            !super::super::plan::selection::is_state(found) && !is_start(&found.row.group.predicate)
        })
        .cloned()
        .collect();
    // What was finished may be told by its name where it was started as "the book".
    let mut names = told.clone();
    names.extend(ends.iter().flat_map(|found| kind::noun_words(&crate::say::object_text(&found.value))));
    let started = super::super::plan::selection::everything(asking.sight, Some(&who))?;
    let mut starts = Vec::new();
    for found in started {
        if !is_start(&found.row.group.predicate) {
            continue;
        }
        let said = kind::words_of(asking.sight.seen, asking.sight.ontology, &found.value)?;
        if names.iter().any(|name| said.contains(&kind::stem(name))) {
            starts.push(found);
        }
    }
    let preferred: Vec<_> = ends
        .iter()
        .filter(|found| {
            ["consumed", "created", "achieved", "graduated", "repaired"]
                .contains(&found.row.group.predicate.as_str())
        })
        .cloned()
        .collect();
    let mut ends = if preferred.is_empty() { ends } else { preferred };
    ends.retain(|found| found.row.group.predicate != "acquired");
    // Of several things that were finished, the one whose start is told is meant.
    let mut begun = Vec::new();
    for end in &ends {
        let name = kind::noun_words(&crate::say::object_text(&end.value));
        for start in &starts {
            let said = kind::words_of(asking.sight.seen, asking.sight.ontology, &start.value)?;
            if name.iter().all(|word| said.contains(&kind::stem(word))) {
                begun.push((start.clone(), end.clone()));
            }
        }
    }
    if let [(start, end)] = begun.as_slice() {
        (starts, ends) = (vec![start.clone()], vec![end.clone()]);
    }
    if ends.is_empty() && starts.is_empty() {
        return Ok(None);
    }
    let said = asking.said(words);
    Ok(Some(plan(Operation::Taken {
        started: select(format!("start of {said}"), starts),
        finished: select(said, ends),
        unit,
    })))
}
