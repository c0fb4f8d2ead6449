//! What a clause speaks of: "she joined Acme", "did Anna go hiking", "moving to Berlin", "is Anna vegetarian".
//!
//! The table of verbs is tried first, then the values that somebody has, then the words of what somebody did. Of readings
//! that fit, the first that something is known of is taken.

use super::super::find::Found;
use super::super::forms::Ask;
use super::super::kind::{Likeness, is_wide};
use super::super::plan::selection::{
    Part, Selection, is_said_by_another, is_state, kind_of, of_patterns, of_value, of_words,
};
use super::super::plan_text;
use super::super::reading::{Plan, Stand};
use super::super::table::wider_noun;
use super::super::words::{POSSESSIVE, Word};
use super::{AUXILIARIES, Asking, is, starts_with_auxiliary, word};
use crate::error::QueryError;

/// Words that say nothing of what was done.
const EMPTY: &[&str] = &[
    "a", "an", "the", "to", "at", "in", "on", "for", "of", "with", "by", "from", "into", "my", "i", "'s",
    "our", "go", "goes", "went", "gone", "going", "do", "did", "done", "doing", "does", "be", "been",
    "being", "was", "were", "is", "are", "am", "has", "have", "had", "take", "took", "taken", "taking",
    "make", "made", "got", "get", "getting", "ever", "that", "and", "some", "any", "actually", "really",
    "again", "time", "first", "last", "we", "you", "us", "about", "up", "out", "see", "saw", "seen",
    "seeing",
];

/// Verbs that make a start or an end of what follows them.
const STARTING: &[&str] =
    &["start", "started", "starting", "begin", "began", "begun", "beginning", "took", "take"];
const STOPPING: &[&str] = &["stop", "stopped", "stopping", "quit", "quitting", "ended", "end"];

/// Returns what a clause speaks of; `None` where it is not understood. Nothing may be known of what it speaks of.
pub(super) fn select(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Selection>, QueryError> {
    let words = trimmed(words);
    let mut unknown = None;
    if let Some(patterns) = asking.patterns(words, Stand::Clause)? {
        let part = match patterns[0].ask {
            Ask::Start => Part::Start,
            Ask::End => Part::End,
            Ask::Object | Ask::Subject | Ask::Exists | Ask::When | Ask::Since => Part::Whole,
        };
        let selection = by_patterns(asking, words, &patterns, part)?;
        if !selection.found.is_empty() {
            return Ok(Some(selection));
        }
        unknown = Some(selection);
    }
    let by_status = match status(asking, words)? {
        Some(selection) => Some(selection),
        None => match switch(asking, words)? {
            Some(selection) => Some(selection),
            None => by_words(asking, words)?,
        },
    };
    Ok(by_status.or(unknown))
}

/// Returns what a clause speaks of, also where nothing is known of the words of it, as long as somebody is named in it.
pub(super) fn select_or_unknown(
    asking: &Asking<'_>,
    words: &[Word],
) -> Result<Option<Selection>, QueryError> {
    if let Some(selection) = select(asking, words)? {
        return Ok(Some(selection));
    }
    let Some((Some(entity), _, rest)) = parts(asking, trimmed(words))? else { return Ok(None) };
    let telling = content(rest);
    if telling.is_empty() {
        return Ok(None);
    }
    let text = format!("{entity}, {:?}", telling.join(" "));
    let said = asking.said(words);
    Ok(Some(Selection { said, text, patterns: Vec::new(), part: Part::Whole, found: Vec::new() }))
}

/// Takes off what only leads into a clause.
fn trimmed(words: &[Word]) -> &[Word] {
    let lead = usize::from(is(words, 0, &["that", "the", "when"]) && is(words, 1, &["i", "we"]));
    let lead = if is(words, 0, &["that"]) { 1 } else { lead };
    &words[lead..]
}

/// Makes a selection of what the table reads.
pub(super) fn by_patterns(
    asking: &Asking<'_>,
    words: &[Word],
    patterns: &[Plan],
    part: Part,
) -> Result<Selection, QueryError> {
    let found = of_patterns(asking.sight, patterns)?;
    let as_value: Vec<Plan> = patterns.iter().map(|plan| Plan { ask: Ask::Object, ..plan.clone() }).collect();
    let text = plan_text(&as_value, false);
    let text =
        text.strip_prefix("VALUE(").and_then(|text| text.strip_suffix(')')).unwrap_or(&text).to_owned();
    Ok(Selection { said: asking.said(words), text, patterns: patterns.to_vec(), part, found })
}

/// Whom a clause is about (`None`: anybody), whether it tells how somebody is, and the rest of its words.
type Parts<'w> = (Option<bygone_engine::EntityRef>, bool, &'w [Word]);

/// Splits a clause into whom it is about and the rest, whichever order its words are in.
fn parts<'w>(asking: &Asking<'_>, words: &'w [Word]) -> Result<Option<Parts<'w>>, QueryError> {
    let is_question = starts_with_auxiliary(words);
    let is_being = is(words, 0, &["is", "are", "am", "was", "were"])
        || is(words, 0, &["has", "have", "had"]) && words.iter().any(|word| word.folded == "been");
    let words = if is_question { &words[1..] } else { words };
    if is(words, 0, &["we", "anyone", "anybody", "someone", "somebody", "they"]) {
        return Ok(Some((None, is_being, &words[1..])));
    }
    for length in (1..=4.min(words.len())).rev() {
        if is(words, length, &[POSSESSIVE]) {
            continue;
        }
        if let Some(entity) = asking.entity(&words[..length])? {
            let rest = &words[length..];
            let is_being = is_being || is(rest, 0, &["is", "was", "were", "are", "am", "being"]);
            return Ok(Some((Some(entity), is_being, rest)));
        }
    }
    Ok(None)
}

/// Reads "the gateway moved to 1.4.0" and "did Harbor switch to PostgreSQL": the start of a value that stands alone.
fn switch(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Selection>, QueryError> {
    const SWITCHING: &[&str] = &[
        "switch",
        "switched",
        "switching",
        "move",
        "moved",
        "moving",
        "change",
        "changed",
        "changing",
        "upgrade",
        "upgraded",
        "upgrading",
        "migrate",
        "migrated",
        "migrating",
        "updated",
        "update",
    ];
    let Some((Some(entity), _, rest)) = parts(asking, words)? else { return Ok(None) };
    let lead = rest.iter().take_while(|word| AUXILIARIES.contains(&word.folded.as_str())).count();
    let [verb, to, value @ ..] = &rest[lead..] else { return Ok(None) };
    if entity.kind() == "person" || !SWITCHING.contains(&verb.folded.as_str()) || to.folded != "to" {
        return Ok(None);
    }
    let found = of_value(asking.sight, &entity, super::super::words::spoken(asking.text, value).as_str())?;
    if found.is_empty() || !found.iter().all(is_state) {
        return Ok(None);
    }
    let text = format!("{entity}, {:?}", super::folded(value));
    Ok(Some(Selection { said: asking.said(words), text, patterns: Vec::new(), part: Part::Start, found }))
}

/// Reads "Anna was vegetarian" and "has Anna been vegetarian": a value that she has or had.
fn status(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Selection>, QueryError> {
    let Some((Some(entity), true, rest)) = parts(asking, words)? else { return Ok(None) };
    let lead =
        rest.iter().take_while(|word| AUXILIARIES.contains(&word.folded.as_str()) || is_being(word)).count();
    let rest = &rest[lead..];
    let lead = usize::from(is(rest, 0, &["a", "an"]));
    let (Some(first), Some(last)) = (rest.get(lead), rest.last()) else { return Ok(None) };
    let Some(value) = asking.text.get(first.span.start..last.span.end) else { return Ok(None) };
    let found = of_value(asking.sight, &entity, value)?;
    if found.is_empty() {
        return Ok(None);
    }
    let predicates: Vec<&str> = found.iter().map(|found| found.row.group.predicate.as_str()).collect();
    let text = format!("{entity}, {}, {value:?}", predicates[0]);
    // "The request was merged" tells of a change, "Anna was vegetarian" of how she was.
    let is_change = predicates[0] == "has_status" && value.ends_with("ed");
    let part = if is_change { Part::Start } else { Part::Whole };
    Ok(Some(Selection { said: asking.said(words), text, patterns: Vec::new(), part, found }))
}

fn is_being(word: &Word) -> bool {
    ["been", "being", "ever"].contains(&word.folded.as_str())
}

/// Returns the words of a clause that say something; whose a thing is says nothing of what was done with it.
fn content(words: &[Word]) -> Vec<String> {
    let owner = words.iter().position(|word| word.folded == POSSESSIVE).unwrap_or(0);
    let is_short = owner > 0 && words.len() > owner + 1;
    let words: Vec<Word> = words
        .iter()
        .enumerate()
        .filter(|(nth, _)| !(is_short && *nth + 1 == owner))
        .map(|(_, word)| word.clone())
        .collect();
    let telling = words.iter().filter(|word| !EMPTY.contains(&word.folded.as_str()) && word.folded != ",");
    telling.map(|word| word.folded.clone()).collect()
}

/// Reads a clause by the words of what was done.
fn by_words(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Selection>, QueryError> {
    let Some((entity, is_going_on, rest)) = parts(asking, words)? else { return Ok(None) };
    let telling = content(rest);
    let mut found = of_words(asking.sight, entity.as_ref(), &telling)?;
    if entity.is_none() && words.iter().any(|word| word.folded == "we") {
        found = of_us(asking, &telling, found)?;
    }
    // A state that is told by what somebody did is meant as it began: "when she adopted the dog".
    let is_start = !is_going_on && found.iter().any(is_state);
    let mut part = if is_start { Part::Start } else { Part::Whole };
    if found.is_empty() {
        for (verbs, of_verb) in [(STARTING, Part::Start), (STOPPING, Part::End)] {
            let rest: Vec<String> =
                telling.iter().filter(|word| !verbs.contains(&word.as_str())).cloned().collect();
            if rest.len() < telling.len() && !rest.is_empty() {
                found = states_of_words(asking, entity.as_ref(), &rest)?;
                part = of_verb;
            }
            if !found.is_empty() {
                break;
            }
        }
    }
    if found.is_empty() {
        return Ok(None);
    }
    let of = entity.map_or_else(String::new, |entity| format!("{entity}, "));
    let text = format!("{of}{:?}", telling.join(" "));
    Ok(Some(Selection { said: asking.said(words), text, patterns: Vec::new(), part, found }))
}

/// "We" is the one who asks, and whoever works on things with them: what other people did is not meant.
fn of_us(asking: &Asking<'_>, words: &[String], of_anybody: Vec<Found>) -> Result<Vec<Found>, QueryError> {
    if let Some(speaker) = asking.entity(&[word(super::super::words::FIRST_PERSON)])? {
        let own = of_words(asking.sight, Some(&speaker), words)?;
        if !own.is_empty() {
            return Ok(own);
        }
    }
    Ok(of_anybody.into_iter().filter(|found| found.row.group.subject.kind() != "person").collect())
}

/// Returns the states whose object has all the words.
fn states_of_words(
    asking: &Asking<'_>,
    who: Option<&bygone_engine::EntityRef>,
    words: &[String],
) -> Result<Vec<Found>, QueryError> {
    Ok(super::super::plan::selection::all_of_words(asking.sight, who, words)?
        .into_iter()
        .filter(|found| found.kind == bygone_ontology::TemporalKind::State)
        .collect())
}

/// Reads a clause for what somebody does again and again: habits and occurrences alike.
pub(super) fn repeated(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Selection>, QueryError> {
    let Some((entity, _, rest)) = parts(asking, trimmed(words))? else { return Ok(None) };
    let telling = content(rest);
    let mut found = super::super::plan::selection::all_of_words(asking.sight, entity.as_ref(), &telling)?;
    found.retain(|found| {
        found.kind == bygone_ontology::TemporalKind::Event || found.row.group.predicate == "habit"
    });
    if found.is_empty() {
        return Ok(None);
    }
    let of = entity.map_or_else(String::new, |entity| format!("{entity}, "));
    let text = format!("{of}{:?}", telling.join(" "));
    Ok(Some(Selection { said: asking.said(words), text, patterns: Vec::new(), part: Part::Whole, found }))
}

/// Returns the states that a clause speaks of by the words of their value, attitudes included: "does Mia do pottery".
pub(super) fn states(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Selection>, QueryError> {
    let Some((Some(entity), _, rest)) = parts(asking, words)? else { return Ok(None) };
    let telling = content(rest);
    if telling.is_empty() {
        return Ok(None);
    }
    let mut found = Vec::new();
    for item in super::super::plan::selection::everything(asking.sight, Some(&entity))? {
        let said = super::super::kind::words_of(asking.sight.seen, asking.sight.ontology, &item.value)?;
        if is_state(&item) && telling.iter().all(|word| said.contains(&super::super::kind::stem(word))) {
            found.push(item);
        }
    }
    if found.is_empty() {
        return Ok(None);
    }
    let text = format!("{entity}, {:?}", telling.join(" "));
    let said = asking.said(words);
    Ok(Some(Selection { said, text, patterns: Vec::new(), part: Part::Whole, found }))
}

/// Returns everything that somebody did, for "Anna did" and "that I did".
pub(super) fn deeds(asking: &Asking<'_>, clause: &[Word]) -> Result<Option<Selection>, QueryError> {
    let clause = if is(clause, 0, &["that"]) { &clause[1..] } else { clause };
    let [who @ .., verb] = clause else { return Ok(None) };
    if verb.folded != "did" {
        return Ok(None);
    }
    let Some(entity) = asking.entity(who)? else { return Ok(None) };
    let mut found = super::super::plan::selection::everything(asking.sight, Some(&entity))?;
    found.retain(|found| found.kind == bygone_ontology::TemporalKind::Event);
    let (said, text) = (asking.said(clause), format!("events of {entity}"));
    Ok(Some(Selection { said, text, patterns: Vec::new(), part: Part::Whole, found }))
}

/// The words that may ask for an object.
const ASKING: &[&[&str]] =
    &[&["what"], &["where"], &["who"], &["what", "place"], &["which", "company"], &["when"]];

/// Returns what a clause without an object leaves out: "Anna went to", "have I lived in", "did Andrew have". The noun
/// says of which kind it is to be.
pub(super) fn objects(
    asking: &Asking<'_>,
    noun: Option<&[Word]>,
    clause: &[Word],
) -> Result<Option<Selection>, QueryError> {
    let clause = if is(clause, 0, &["that", "which", "who", "whom"]) { &clause[1..] } else { clause };
    let stand = if starts_with_auxiliary(clause) { Stand::Direct } else { Stand::Embedded };
    let mut leads: Vec<Vec<Word>> = Vec::new();
    if let Some(noun) = noun {
        leads.extend(
            ["what", "which"].map(|which| [word(which)].into_iter().chain(noun.iter().cloned()).collect()),
        );
    }
    // A dog may be among the pets.
    let wider = noun.and_then(|noun| noun.last()).and_then(|noun| wider_noun(&noun.folded));
    leads.extend(wider.map(|wider| vec![word("what"), word(wider)]));
    leads.extend(ASKING.iter().map(|lead| lead.iter().map(|folded| word(folded)).collect()));
    let ends: &[usize] =
        if is(clause, clause.len().saturating_sub(1), PREPOSITIONS) { &[0, 1] } else { &[0] };
    let noun_text = noun.map(super::folded);
    let mut best: Option<(u8, Selection)> = None;
    for lead in leads {
        for end in ends {
            let words: Vec<Word> =
                lead.iter().chain(&clause[..clause.len().saturating_sub(*end)]).cloned().collect();
            let Some(patterns) = asking.patterns(&words, stand)? else { continue };
            if !matches!(patterns[0].ask, Ask::Object | Ask::Subject) {
                continue;
            }
            let selection = by_patterns(asking, clause, &patterns, Part::Whole)?;
            let rank = rank(asking, &selection, noun_text.as_deref())?;
            if best.as_ref().is_none_or(|(other, _)| rank > *other) {
                best = Some((rank, selection));
            }
        }
    }
    if best.as_ref().is_none_or(|(rank, _)| *rank < 2)
        && let Some(noun) = noun
        && let Some(selection) = by_noun(asking, noun, clause)?
    {
        let rank = rank(asking, &selection, noun_text.as_deref())?;
        if best.as_ref().is_none_or(|(other, _)| rank > *other) {
            best = Some((rank, selection));
        }
    }
    Ok(best.map(|(_, selection)| selection))
}

/// Returns what "which city was Anna living in" asks about: what a clause leaves out, of the kind the noun says. Where of
/// none it is known whether it is of that kind, all of them.
pub(super) fn of_kind(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Selection>, QueryError> {
    if !is(words, 0, &["what", "which"]) {
        return Ok(None);
    }
    for at in 2..words.len().min(5) {
        let (noun, clause) = (&words[1..at], &words[at..]);
        if !starts_with_auxiliary(clause) || starts_with_auxiliary(noun) {
            continue;
        }
        let Some(mut of) = objects(asking, Some(noun), clause)?.filter(super::is_found) else { continue };
        let noun = super::folded(noun);
        let (mut alike, mut unknown) = (Vec::new(), Vec::new());
        for found in of.found {
            match kind_of(asking.sight, &found, &noun)? {
                Likeness::Yes => alike.push(found),
                Likeness::Unknown => unknown.push(found),
                Likeness::No => {}
            }
        }
        // A place may well be a city; that it is a capital is not said. What the noun itself was found by is one.
        let may_be = is_wide(&noun) || of.patterns.is_empty();
        of.found = if alike.is_empty() && may_be { unknown } else { alike };
        if super::is_found(&of) {
            return Ok(Some(of));
        }
    }
    Ok(None)
}

const PREPOSITIONS: &[&str] = &["in", "at", "to", "for", "with", "on", "from", "of"];

/// Ranks what a reading selects: nothing, something, or something of the kind that was named.
fn rank(asking: &Asking<'_>, selection: &Selection, noun: Option<&str>) -> Result<u8, QueryError> {
    let Some(noun) = noun else { return Ok(u8::from(!selection.found.is_empty())) };
    let mut rank = 0;
    for found in &selection.found {
        rank = rank.max(match kind_of(asking.sight, found, noun)? {
            Likeness::Yes => 2,
            Likeness::Unknown => 1,
            Likeness::No => 0,
        });
    }
    Ok(rank)
}

/// Selects by the noun itself: "the first marathon Anna ran".
fn by_noun(asking: &Asking<'_>, noun: &[Word], clause: &[Word]) -> Result<Option<Selection>, QueryError> {
    let Some((entity, _, rest)) = parts(asking, clause)? else { return Ok(None) };
    let noun: Vec<String> = noun.iter().map(|word| super::super::kind::singular(&word.folded)).collect();
    let telling = content(rest);
    // The verb of a clause may say no more than the noun: "the first marathon Anna ran". Nothing else may be passed over.
    let is_verb = |word: &String| {
        word.chars().all(char::is_alphabetic) && ![STARTING, STOPPING].concat().contains(&word.as_str())
    };
    let says_no_more = telling.len() <= 1 && telling.iter().all(is_verb);
    let all: Vec<String> = noun.iter().chain(&telling).cloned().collect();
    for words in std::iter::once(&all).chain(says_no_more.then_some(&noun)) {
        let mut found = of_words(asking.sight, entity.as_ref(), words)?;
        // The book that she liked is not the book that she read.
        if let ([verb], true) = (telling.as_slice(), words.len() < all.len()) {
            found.retain(|found| !is_said_by_another(&found.row.group.predicate, verb));
        }
        if !found.is_empty() {
            let of = entity.as_ref().map_or_else(String::new, |entity| format!("{entity}, "));
            let text = format!("{of}{:?}", words.join(" "));
            let said = asking.said(clause);
            return Ok(Some(Selection { said, text, patterns: Vec::new(), part: Part::Whole, found }));
        }
    }
    Ok(None)
}
