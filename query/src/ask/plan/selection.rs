//! The facts that a part of a question speaks of, at any time, and which part of their time it means.
//!
//! Invariant: what is selected is derived in the view; an operator narrows it and never adds to it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use bygone_engine::store::Seen;
use bygone_engine::time::{Instant, Period};
use bygone_engine::{EntityRef, Object, StoreError, ValidTime};
use bygone_ontology::{Ontology, TemporalKind};

use super::super::find::Found;
use super::super::kind::{Likeness, likeness, singular, stem, words_of, words_with};
use super::super::reading::Plan;
use super::super::respond::Sight;
use super::super::table::{narrower_words, verb_words, verbs_of};
use super::super::wording::{self, join};
use super::extent::{Edge, Extent, extent};
use super::memory::Told;
use crate::facts::{Filter, facts, group_rows};
use crate::request::Request;
use crate::row::Row;
use crate::say::object_text;

/// Which part of a fact's time is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ask) enum Part {
    /// All of it.
    Whole,
    /// Its start: "joined", "moved to".
    Start,
    /// Its end: "left", "sold".
    End,
}

/// The facts that some words speak of.
#[derive(Clone, Debug)]
pub(in crate::ask) struct Selection {
    /// The words, as an answer repeats them.
    pub(in crate::ask) said: String,
    /// What is looked up, for the plan.
    pub(in crate::ask) text: String,
    /// The patterns of the table, where the words have one.
    pub(in crate::ask) patterns: Vec<Plan>,
    /// Which part of their time is meant.
    pub(in crate::ask) part: Part,
    /// The facts, at whatever time, by their start.
    pub(in crate::ask) found: Vec<Found>,
}

impl Selection {
    /// Says that nothing of this is known.
    pub(in crate::ask) fn missing(&self) -> String {
        format!("Not known: nothing is known of {:?}.", self.said)
    }
}

/// Statements about what something is called, and about what was said: nobody did them.
const NO_DEEDS: &[&str] =
    &["same_as", "maybe_same", "name", "alias", "instance_of", "said", "noted", "described_as"];

/// Predicates that only speak of something that happens at another time.
const TALK: &[&str] = &[
    "said",
    "noted",
    "shared",
    "advised",
    "reminded_of",
    "talked_with",
    "decided",
    "believes",
    "considers",
    "planned",
    "has_goal",
    "misses",
    "values",
];

/// Attitudes, which hold over no stretch that one would name.
const ATTITUDES: &[&str] =
    &["likes", "dislikes", "prefers", "has_hobby", "values", "misses", "struggles_with"];

/// Returns what a pattern of the table selects, at any time.
pub(in crate::ask) fn of_patterns(sight: Sight<'_>, patterns: &[Plan]) -> Result<Vec<Found>, StoreError> {
    let mut found = Vec::new();
    for pattern in patterns {
        found.extend(sight.find(pattern, ValidTime::All)?);
    }
    sort(&mut found);
    Ok(found)
}

/// Sorts facts by their start; undated ones come last.
pub(in crate::ask) fn sort(found: &mut [Found]) {
    found.sort_by_cached_key(|found| {
        let period = found.row.fact.validity.period();
        (period.is_none(), period.map(Period::start), period.map(Period::end), found.row.order())
    });
}

fn whole(sight: Sight<'_>) -> Request {
    Request { valid: ValidTime::All, ..sight.request.clone() }
}

fn told(sight: Sight<'_>, row: Row, value: Object) -> Found {
    let kind = sight.ontology.get_or_open(&row.group.predicate).kind;
    Found { row, value, kind }
}

/// Returns everything that is known of somebody, or of anybody, each fact once, by start.
pub(in crate::ask) fn everything(
    sight: Sight<'_>,
    who: Option<&EntityRef>,
) -> Result<Vec<Found>, StoreError> {
    Ok(remembered(sight, who)?.iter().map(|told| told.found.clone()).collect())
}

/// Returns the same with the words that each fact is told in. Reads every fact of the space once a question where it is
/// asked of anybody.
fn remembered(sight: Sight<'_>, who: Option<&EntityRef>) -> Result<Rc<Vec<Told>>, StoreError> {
    let known = sight.seen.view().known;
    sight.memory.get_or_read(known, who, || {
        let all = read(sight, who)?;
        // What things are instances of is read along where all is read, and looked up where it is not.
        let mut kinds: BTreeMap<EntityRef, Vec<String>> = BTreeMap::new();
        for found in all.iter().filter(|found| who.is_none() && found.row.group.predicate == "instance_of") {
            kinds.entry(found.row.group.subject.clone()).or_default().push(object_text(&found.value));
        }
        let words_of = |object: &Object| match (who, object.entity()) {
            (None, Some(entity)) => {
                Ok(words_with(sight.ontology, object, kinds.get(entity).map_or(&[], Vec::as_slice)))
            }
            _ => words_of(sight.seen, sight.ontology, object),
        };
        let mut told = Vec::new();
        for found in all {
            if NO_DEEDS.contains(&found.row.group.predicate.as_str()) {
                continue;
            }
            let mut words: BTreeSet<String> = words_of(&found.value)?.into_iter().collect();
            words.extend(found.row.group.key.split(|c: char| !c.is_alphanumeric()).map(stem));
            let subject = &found.row.group.subject;
            if subject.kind() != "person" {
                words.extend(words_of(&Object::Entity(subject.clone()))?);
            }
            told.push(Told { found, words });
        }
        Ok(told)
    })
}

fn read(sight: Sight<'_>, who: Option<&EntityRef>) -> Result<Vec<Found>, StoreError> {
    let request = whole(sight);
    let mut found: Vec<Found> = Vec::new();
    let filter = Filter { subject: who.cloned(), ..Filter::default() };
    for row in facts(sight.seen, sight.ontology, &request, &filter)? {
        let value = row.fact.object.clone();
        found.push(told(sight, row, value));
    }
    if let Some(who) = who {
        let filter = Filter { object: Some(Object::Entity(who.clone())), ..Filter::default() };
        for row in facts(sight.seen, sight.ontology, &request, &filter)? {
            let definition = sight.ontology.get_or_open(&row.group.predicate);
            let said_of_them = definition.symmetric || definition.inverse.is_some();
            let is_known = found.iter().any(|other| {
                let is_inverse = definition.inverse.as_deref() == Some(&other.row.group.predicate)
                    && other.value == Object::Entity(row.group.subject.clone());
                other.row.id == row.id || is_inverse
            });
            if said_of_them && !is_known {
                let value = Object::Entity(row.group.subject.clone());
                found.push(told(sight, row, value));
            }
        }
    }
    sort(&mut found);
    Ok(found)
}

/// Returns what of somebody, or of anybody, has all the words, as [`all_of_words`] does; states count only where a word is
/// one of their verbs, and only where nothing happened that has the words.
pub(in crate::ask) fn of_words(
    sight: Sight<'_>,
    who: Option<&EntityRef>,
    words: &[String],
) -> Result<Vec<Found>, StoreError> {
    let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
    let mut kept = all_of_words(sight, who, words)?;
    kept.retain(|found| {
        let of_predicate = predicate_words(sight.ontology, &found.row.group.predicate);
        let is_status = found.row.group.predicate == "has_status";
        found.kind == TemporalKind::Event || is_status || stems.iter().any(|word| of_predicate.contains(word))
    });
    if kept.iter().any(|found| found.kind == TemporalKind::Event) {
        kept.retain(|found| found.kind == TemporalKind::Event);
    }
    Ok(kept)
}

/// Returns what of somebody, or of anybody, has all the words: in its object, in the subject where that is no person, in
/// the predicate, or in the verbs that say the predicate. Attitudes and what was only talked about are left out.
pub(in crate::ask) fn all_of_words(
    sight: Sight<'_>,
    who: Option<&EntityRef>,
    words: &[String],
) -> Result<Vec<Found>, StoreError> {
    let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
    let mut kept = Vec::new();
    if stems.is_empty() {
        return Ok(kept);
    }
    let mut of_predicates: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for Told { found, words } in remembered(sight, who)?.iter() {
        let predicate = found.row.group.predicate.as_str();
        if TALK.contains(&predicate)
            || ATTITUDES.contains(&predicate)
            || found.kind == TemporalKind::Rigid && !is_day(found)
        {
            continue;
        }
        let of_predicate = of_predicates
            .entry(predicate.to_owned())
            .or_insert_with(|| predicate_words(sight.ontology, predicate));
        if stems.iter().all(|word| words.contains(word) || of_predicate.contains(word)) {
            kept.push(found.clone());
        }
    }
    Ok(kept)
}

/// Says whether a fact is an attitude, which one does not do.
pub(in crate::ask) fn is_attitude(found: &Found) -> bool {
    ATTITUDES.contains(&found.row.group.predicate.as_str())
}

/// Says whether a fact that does not change gives a day: a birth, a death.
pub(in crate::ask) fn is_day(found: &Found) -> bool {
    matches!(found.row.fact.object, Object::Instant(_))
}

/// Says whether a fact is a state.
pub(in crate::ask) fn is_state(found: &Found) -> bool {
    found.kind == TemporalKind::State
}

/// Says whether a noun is the predicate's own, so that each of its values is one: "pets" of `has_pet`.
pub(in crate::ask) fn is_own_noun(predicate: &str, noun: &str) -> bool {
    let noun = stem(&singular(noun));
    predicate.split('_').any(|word| stem(word) == noun)
        || verb_words(predicate).any(|word| stem(word) == noun)
}

/// Says whether the value of a fact is of the kind that a noun names: by its predicate, by the key that it stands under, or
/// by itself.
pub(in crate::ask) fn kind_of(sight: Sight<'_>, found: &Found, noun: &str) -> Result<Likeness, StoreError> {
    let key = bygone_engine::entity::fold_name(&found.row.group.key);
    let is_own = is_own_noun(&found.row.group.predicate, noun) || key == singular(noun);
    Ok(match likeness(sight.seen, sight.ontology, &found.value, noun)? {
        Likeness::Unknown if is_own => Likeness::Yes,
        // What is said to be the port is no other thing.
        Likeness::Unknown if !key.is_empty() => Likeness::No,
        likeness => likeness,
    })
}

/// Says whether a verb says other predicates of a person and not this one.
pub(in crate::ask) fn is_said_by_another(predicate: &str, verb: &str) -> bool {
    let is_form = |forms: &str| forms.split(' ').any(|form| form == verb);
    let says = |predicate: &str| verbs_of(predicate).any(is_form);
    !says(predicate) && SAYING_MORE.iter().any(|other| says(other))
}

/// Predicates whose verbs are never said for another one's: who liked a book need not have read it.
const SAYING_MORE: &[&str] = &[
    "likes",
    "dislikes",
    "prefers",
    "values",
    "misses",
    "considers",
    "believes",
    "owns",
    "acquired",
    "created",
    "lost",
    "gave",
    "received",
    "consumed",
    "attended",
    "repaired",
    "tried",
    "discovered",
    "founded",
    "shared",
    "advised",
];

/// Returns the stems of the words by which a predicate is said.
fn predicate_words(ontology: &Ontology, predicate: &str) -> Vec<String> {
    let definition = ontology.get_or_open(predicate);
    let mut words: Vec<String> = predicate.split('_').map(stem).collect();
    words.extend(definition.cues.iter().flat_map(|cue| cue.split(' ')).map(stem));
    words.extend(verb_words(predicate).map(stem));
    // That somebody has a pet does not say that it is a dog.
    let narrower: Vec<String> = narrower_words(predicate).map(stem).collect();
    words.retain(|word| !narrower.contains(word));
    words
}

/// Returns the states of somebody that have or had just this value: "vegetarian", "married", "passing".
pub(in crate::ask) fn of_value(
    sight: Sight<'_>,
    who: &EntityRef,
    value: &str,
) -> Result<Vec<Found>, StoreError> {
    let mut kept = everything(sight, Some(who))?;
    let folded = bygone_engine::entity::fold_name(value);
    kept.retain(|found| {
        found.kind != TemporalKind::Event
            && bygone_engine::entity::fold_name(&object_text(&found.row.fact.object)) == folded
    });
    Ok(kept)
}

/// Returns the values that stand under a key, whoever's they are.
pub(in crate::ask) fn of_key(sight: Sight<'_>, key: &str) -> Result<Vec<Found>, StoreError> {
    let request = whole(sight);
    let mut found = Vec::new();
    for group in sight.seen.groups()? {
        if !group.key.is_empty() && bygone_engine::entity::fold_name(&group.key) == key {
            for row in group_rows(sight.seen, sight.ontology, &request, &group)? {
                let value = row.fact.object.clone();
                found.push(told(sight, row, value));
            }
        }
    }
    sort(&mut found);
    Ok(found)
}

/// Returns when a fact begins and ends, narrowed to the part that is meant.
pub(in crate::ask) fn extent_of(
    seen: &Seen<'_>,
    found: &Found,
    part: Part,
) -> Result<Option<Extent>, StoreError> {
    // A birth is at the time that it says, not for as long as it is true.
    if let (TemporalKind::Rigid, Object::Instant(moment)) = (found.kind, &found.row.fact.object) {
        let edge = Edge::of(*moment);
        return Ok(Some(Extent { start: edge, end: edge }));
    }
    let extent = extent(seen, &found.row, found.kind)?;
    Ok(match (part, extent) {
        (Part::Start, Some(extent)) => Some(Extent { start: extent.start, end: extent.start }),
        // What goes on has no end that could be meant.
        (Part::End, Some(extent)) if extent.end.lo == Instant::DISTANT_FUTURE => None,
        (Part::End, Some(extent)) => Some(Extent { start: extent.end, end: extent.end }),
        (Part::Whole, extent) => extent,
        (_, None) => None,
    })
}

/// Says a fact: its value, when it holds, and what it rests on.
pub(in crate::ask) fn value_line(sight: Sight<'_>, found: &Found) -> Result<String, StoreError> {
    let value = keyed(found);
    wording::line(sight.seen, &found.row, &value, found.kind, sight.request.valid)
}

/// Says the value of a fact, with its key.
pub(in crate::ask) fn keyed(found: &Found) -> String {
    let value = object_text(&found.value);
    match found.row.group.key.as_str() {
        "" => value,
        key => format!("{value} ({key})"),
    }
}

/// Says a fact among others: what was done, and when; with who did it where that was not asked.
pub(in crate::ask) fn deed_line(
    sight: Sight<'_>,
    found: &Found,
    with_subject: bool,
) -> Result<String, StoreError> {
    let line =
        wording::line(sight.seen, &found.row, &deed(found, with_subject), found.kind, sight.request.valid)?;
    Ok(line)
}

/// Says what was done, without the time.
pub(in crate::ask) fn deed(found: &Found, with_subject: bool) -> String {
    let subject = if with_subject { format!("{} ", found.row.group.subject.name()) } else { String::new() };
    format!("{subject}{} {}", found.row.group.predicate.replace('_', " "), keyed(found))
}

/// Says what was done and when, without what that rests on.
pub(in crate::ask) fn dated_deed(
    sight: Sight<'_>,
    found: &Found,
    with_subject: bool,
) -> Result<String, StoreError> {
    let deed = deed(found, with_subject);
    if found.kind == TemporalKind::Rigid {
        return Ok(deed);
    }
    Ok(format!("{deed}, {}", wording::dates(sight.seen, &found.row)?))
}

/// Says several facts by their values.
pub(in crate::ask) fn value_lines(sight: Sight<'_>, found: &[Found]) -> Result<String, StoreError> {
    let lines: Vec<String> = found.iter().map(|found| value_line(sight, found)).collect::<Result<_, _>>()?;
    Ok(join(&lines))
}

/// Says several facts by what was done.
pub(in crate::ask) fn deed_lines(
    sight: Sight<'_>,
    found: &[Found],
    with_subject: bool,
) -> Result<String, StoreError> {
    let lines: Vec<String> =
        found.iter().map(|found| deed_line(sight, found, with_subject)).collect::<Result<_, _>>()?;
    Ok(join(&lines))
}

/// Leaves each fact once.
pub(in crate::ask) fn unique(found: Vec<Found>) -> Vec<Found> {
    let mut once: Vec<Found> = Vec::new();
    for item in found {
        if once.iter().all(|other| other.row.id != item.row.id) {
            once.push(item);
        }
    }
    once
}
