//! Questions for what came before or after a value: "where did Anna live before Berlin", "the previous value of the port".

use bygone_engine::Object;
use bygone_engine::entity::fold_name;
use bygone_engine::time::format_moment;

use super::super::find::Found;
use super::super::forms::Ask;
use super::super::kind;
use super::super::plan::selection::{Part, Selection};
use super::super::plan::{Operation, Side};
use super::super::reading::Stand;
use super::super::words::Word;
use super::{Asking, Read, clause, is, noun, plan, word};
use crate::error::QueryError;
use crate::say::object_text;

/// The value beside the one in `D`, or beside what holds now.
const OF_NOUN: &[&str] = &[
    "what|who|which is|was the previous|prior|former value of C",
    "what|who|which is|was the previous|prior|former C",
    "what|who|which is|was the previous|prior|former value of C before it|that|this was|became D",
    "what|who|which is|was the previous|prior|former value of C before D",
    "what|who|which is|was the value of C before it|that was|became D",
    "what|who|which was C before it|that was|became D",
    "what|who|which was C before it was changed|set to D",
    "what|who|which was C before it changed to D",
    "what|who|which was the value of C before D",
];

const OWNED: &[&str] = &[
    "what|who|which is|was S 's previous|prior|former K",
    "what|who|which is|was S 's previous|prior|former K before D",
];

const BESIDE: &[(Side, &[&str])] =
    &[(Side::Previous, &["C before D", "C prior to D"]), (Side::Next, &["C after D"])];

const PREVIOUSLY: &[&str] =
    &["C previously|before|beforehand", "where did S previously C", "who did S previously C"];

pub(super) fn read(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    if asking.window.valid.is_some() {
        return Ok(None);
    }
    for matched in asking.matches(OF_NOUN) {
        let Some(range) = matched.clause else { continue };
        let Some(of) = noun::values(asking, &asking.words[range], false)? else { continue };
        let goal = matched.other.map(|range| asking.words[range].to_vec());
        if let Some(read) = beside(asking, Side::Previous, of, goal.as_deref())? {
            return Ok(Some(read));
        }
    }
    for matched in asking.matches(OWNED) {
        let (Some(owner), Some(noun)) = (matched.subject, matched.key) else { continue };
        let mut words = asking.words[owner.clone()].to_vec();
        words.push(asking.words[owner.end].clone());
        words.extend(asking.words[noun].iter().cloned());
        let goal = matched.other.map(|range| asking.words[range].to_vec());
        for is_series in [false, true] {
            let Some(of) = noun::values(asking, &words, is_series)? else { continue };
            if of.found.is_empty() && !is_series {
                continue;
            }
            if let Some(read) = beside(asking, Side::Previous, of, goal.as_deref())? {
                return Ok(Some(read));
            }
        }
    }
    for (side, templates) in BESIDE {
        for matched in asking.matches(templates) {
            let (Some(main), Some(goal)) = (matched.clause, matched.other) else { continue };
            let main = &asking.words[main];
            let is_near = is(main, main.len() - 1, super::limit::NEAR);
            let main = &main[..main.len() - usize::from(is_near)];
            let Some(of) = objects(asking, main)? else { continue };
            if let Some(read) = beside(asking, *side, of, Some(&asking.words[goal]))? {
                return Ok(Some(read));
            }
        }
    }
    for matched in asking.matches(PREVIOUSLY) {
        let Some(main) = matched.clause else { continue };
        let words: Vec<Word> = if matched.subject.is_some() {
            let last = asking.words.len() - main.len() - 1;
            asking.words[..last].iter().chain(&asking.words[main]).cloned().collect()
        } else {
            asking.words[main].to_vec()
        };
        if let Some(of) = objects(asking, &words)?
            && let Some(read) = beside(asking, Side::Previous, of, None)?
        {
            return Ok(Some(read));
        }
    }
    Ok(None)
}

/// Returns what a question for an object asks about, at any time.
fn objects(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Selection>, QueryError> {
    if let Some(patterns) = asking.patterns(words, Stand::Direct)?
        && patterns[0].ask == Ask::Object
    {
        return clause::by_patterns(asking, words, &patterns, Part::Whole).map(Some);
    }
    if let Some(of) = clause::of_kind(asking, words)? {
        return Ok(Some(of));
    }
    let noun = match words {
        [which, aux, noun @ ..]
            if ["what", "who", "which", "where"].contains(&which.folded.as_str())
                && ["was", "is", "were"].contains(&aux.folded.as_str()) =>
        {
            noun
        }
        _ => return Ok(None),
    };
    noun::values(asking, noun, false)
}

/// Words that lead to the value beside which another is asked for.
const LEADS: &[&[&str]] = &[
    &["it", "was", "changed", "to"],
    &["it", "was", "set", "to"],
    &["it", "changed", "to"],
    &["it", "moved", "to"],
    &["it", "was", "moved", "to"],
    &["it", "went", "to"],
    &["it", "switched", "to"],
    &["it", "upgraded", "to"],
    &["it", "migrated", "to"],
    &["it", "rose", "to"],
    &["changing", "to"],
    &["switching", "to"],
    &["it", "was"],
    &["it", "became"],
    &["becoming"],
    &["being"],
    &["it"],
    &[],
];

/// Reads the value that another one is beside; that of a clause is its object.
fn beside(
    asking: &Asking<'_>,
    side: Side,
    of: Selection,
    goal: Option<&[Word]>,
) -> Result<Option<Read>, QueryError> {
    let is_keyed = of.found.first().is_some_and(|found| {
        found.row.group.subject.kind() != "person"
            || ["measure", "earns"].contains(&found.row.group.predicate.as_str())
    });
    let Some(goal) = goal else {
        let than_said = "now".to_owned();
        return Ok(Some(plan(Operation::Neighbour { side, of, than: Vec::new(), than_said, is_keyed })));
    };
    let goal = without_subject(asking, &of, goal)?;
    let goal = goal.as_slice();
    for lead in LEADS {
        if goal.len() <= lead.len() || !lead.iter().enumerate().all(|(nth, word)| is(goal, nth, &[word])) {
            continue;
        }
        let than = named(asking, &of.found, &goal[lead.len()..])?;
        if !than.is_empty() {
            let than_said = object_text(&than[0].value);
            return Ok(Some(plan(Operation::Neighbour { side, of, than, than_said, is_keyed })));
        }
    }
    // "before she moved to Berlin": a clause about the very same thing.
    if let Some(selection) = of_clause(asking, &of, goal)? {
        let than_said = object_text(&selection[0].value);
        return Ok(Some(plan(Operation::Neighbour { side, of, than: selection, than_said, is_keyed })));
    }
    Ok(None)
}

/// Says whether the rest of a date is its year.
fn is_year(rest: &str) -> bool {
    let year = rest.trim_start();
    year.len() == 4 && year.len() < rest.len() && year.bytes().all(|byte| byte.is_ascii_digit())
}

/// Puts "it" for whoever the values are of, in "before Anna became vegetarian" of her diet, and takes off that somebody came
/// in a place: "before Dan took over".
fn without_subject(asking: &Asking<'_>, of: &Selection, goal: &[Word]) -> Result<Vec<Word>, QueryError> {
    const BECOMING: &[&str] = &["became", "turned", "was", "got"];
    const COMING: &[&[&str]] =
        &[&["took", "over"], &["took", "it", "over"], &["came", "in"], &["came", "along"]];
    let subject = of.found.first().map(|found| &found.row.group.subject);
    for at in 1..goal.len().min(4) {
        if is(goal, at, BECOMING) && asking.entity(&goal[..at])?.as_ref() == subject {
            let rest = &goal[at + 1..];
            let skip = usize::from(is(rest, 0, &["a", "an", "the"]));
            return Ok([word("it"), word("became")]
                .into_iter()
                .chain(rest[skip..].iter().cloned())
                .collect());
        }
    }
    for tail in COMING {
        if let Some(at) = goal.len().checked_sub(tail.len()).filter(|at| *at > 0)
            && tail.iter().enumerate().all(|(nth, word)| is(goal, at + nth, &[word]))
        {
            return Ok(goal[..at].to_vec());
        }
    }
    Ok(goal.to_vec())
}

/// Returns those of some facts that have the value that words name.
fn named(asking: &Asking<'_>, found: &[Found], words: &[Word]) -> Result<Vec<Found>, QueryError> {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return Ok(Vec::new()) };
    let Some(name) = asking.text.get(first.span.start..last.span.end) else { return Ok(Vec::new()) };
    // A number is named without its unit, too, and a day in any of its forms.
    let said = |found: &Found| {
        let text = object_text(&found.value);
        let number = text.split(' ').next().filter(|number| number.parse::<f64>().is_ok()).map(str::to_owned);
        let day = match &found.value {
            Object::Instant(moment) => Some(format_moment(*moment)),
            _ => None,
        };
        [Some(text), number, day]
    };
    let is_named = |found: &&Found| {
        said(found).into_iter().flatten().any(|text| {
            let (text, name) = (fold_name(&text), fold_name(name));
            text == name || text.strip_prefix(&name).is_some_and(|year| is_year(year) && name.contains(' '))
        })
    };
    let exactly: Vec<Found> = found.iter().filter(is_named).cloned().collect();
    if !exactly.is_empty() || name.contains(['\'']) {
        return Ok(exactly);
    }
    let entity = asking.entity(words)?;
    let is_entity = |found: &Found| entity.is_some() && found.value.entity() == entity.as_ref();
    let described = kind::noun_words(name);
    let mut kept = Vec::new();
    for item in found {
        if is_entity(item)
            || kind::is_described(asking.sight.seen, asking.sight.ontology, &item.value, &described)?
        {
            kept.push(item.clone());
        }
    }
    Ok(kept)
}

fn of_clause(asking: &Asking<'_>, of: &Selection, goal: &[Word]) -> Result<Option<Vec<Found>>, QueryError> {
    let Some(anchor) = noun::anchor(asking, goal)? else { return Ok(None) };
    let is_same = |found: &Found| of.found.iter().any(|other| other.row.id == found.row.id);
    let found = anchor.selection.found;
    let is_whole = !found.is_empty() && found.iter().all(is_same);
    Ok((is_whole && found.len() < of.found.len().max(2)).then_some(found))
}
