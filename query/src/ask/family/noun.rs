//! What a noun phrase names: something that happened ("the wedding", "the trip to Rome"), or a value ("my budget", "the
//! port").
//!
//! Of those who may have done it, the people named in the question come first, then the one who asks, then anybody.

use bygone_engine::EntityRef;
use bygone_ontology::TemporalKind;

use super::super::find::Found;
use super::super::forms::Ask;
use super::super::kind::{singular, stem};
use super::super::plan::anchor::Anchor;
use super::super::plan::selection::{Part, Selection, of_key, of_words};
use super::super::reading::{Plan, Stand};
use super::super::words::{POSSESSIVE, Word};
use super::{Asking, clause, is, word};
use crate::error::QueryError;

const DETERMINERS: &[&str] = &["the", "a", "an", "that", "this", "our", "my"];

/// Words that choose the last of several.
const LATEST: &[&str] = &["new", "last", "latest", "recent", "current"];
const EARLIEST: &[&str] = &["first", "original"];

/// Nouns for what a verb says.
const DEEDS: &[(&str, &[&str])] = &[
    ("graduation", &["graduated"]),
    ("retirement", &["retired"]),
    ("marriage", &["married"]),
    ("wedding", &["married"]),
    ("engagement", &["engaged"]),
    ("promotion", &["promoted"]),
    ("purchase", &["bought"]),
    ("adoption", &["adopted"]),
    ("arrival", &["moved"]),
    ("relocation", &["moved"]),
    ("surgery", &["operation"]),
    ("operation", &["surgery"]),
    ("vacation", &["trip"]),
    ("holiday", &["trip"]),
    ("journey", &["trip"]),
    ("stay", &["visited"]),
    ("deployment", &["deployed"]),
    ("hike", &["hiking"]),
    ("run", &["running"]),
];

/// Nouns that mean the end of a state.
const ENDINGS: &[&str] = &["divorce", "departure", "resignation", "breakup", "end"];

/// Words of a noun phrase that say nothing of what it is.
const EMPTY: &[&str] = &["to", "in", "at", "of", "for", "on", "with", "the", "a", "an", "my", "i"];

/// Returns the time of what words name: a clause, or a noun phrase.
pub(super) fn anchor(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Anchor>, QueryError> {
    let words = without_verb(words);
    let selection = match clause::select(asking, words)? {
        Some(selection) if super::is_found(&selection) => Some(selection),
        unknown => match event(asking, words)? {
            Some(selection) => Some(selection),
            None => match gerund(asking, words)? {
                Some(selection) => Some(selection),
                None => unknown,
            },
        },
    };
    let Some(selection) = selection else { return Ok(None) };
    let mut anchor = Anchor::new(asking.sight, selection)?;
    // "When the gateway was first deployed" is one of several times.
    let is_said = |any: &[&str]| words.iter().any(|word| any.contains(&word.folded.as_str()));
    if anchor.occasions.len() > 1 && is_said(&["first"]) {
        anchor.occasions.sort_by_key(|(_, extent)| extent.start.lo);
        anchor.occasions.truncate(1);
    } else if anchor.occasions.len() > 1 && is_said(&["last"]) {
        anchor.occasions.sort_by_key(|(_, extent)| std::cmp::Reverse(extent.start.lo));
        anchor.occasions.truncate(1);
    }
    Ok(Some(anchor))
}

/// Returns the times of the two that "my two visits to Rome" speaks of, the earlier first; `None` where there are not two.
pub(super) fn both(asking: &Asking<'_>, words: &[Word]) -> Result<Option<[Anchor; 2]>, QueryError> {
    let Some(at) = words.iter().position(|word| ["two", "both"].contains(&word.folded.as_str())) else {
        return Ok(None);
    };
    let mut noun = words.to_vec();
    noun.remove(at);
    if is(&noun, at, &["of"]) {
        noun.remove(at);
    }
    let Some(selection) = event(asking, &noun)? else { return Ok(None) };
    // Of what nobody dated it is not known whether it is one of the two.
    if selection.found.iter().any(|found| found.row.fact.validity.period().is_none()) {
        return Ok(None);
    }
    let now = asking.sight.request.now;
    let mut occasions = Anchor::new(asking.sight, selection.clone())?.occasions;
    occasions.retain(|(_, extent)| extent.start.is_dated() && extent.start.lo <= now);
    occasions.sort_by_key(|(_, extent)| extent.start.lo);
    let [one, other] = occasions.as_slice() else { return Ok(None) };
    let anchor = |(found, _): &(Found, _)| {
        Anchor::new(asking.sight, Selection { found: vec![found.clone()], ..selection.clone() })
    };
    Ok(Some([anchor(one)?, anchor(other)?]))
}

/// Takes off that something happened: "the race took place" is the race.
fn without_verb(words: &[Word]) -> &[Word] {
    const HAPPENED: &[&[&str]] =
        &[&["happened"], &["occurred"], &["took", "place"], &["began"], &["started"], &["was", "held"]];
    let is_noun = is(words, 0, DETERMINERS) || words.iter().any(|word| word.folded == POSSESSIVE);
    let verb = HAPPENED.iter().find(|verb| {
        let start = words.len().checked_sub(verb.len());
        start.is_some_and(|start| {
            start > 1 && words[start..].iter().map(|word| word.folded.as_str()).eq(verb.iter().copied())
        })
    });
    match verb {
        Some(verb) if is_noun => &words[..words.len() - verb.len()],
        _ => words,
    }
}

/// Reads "moving to Berlin" as a clause of the one who is spoken of.
fn gerund(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Selection>, QueryError> {
    if !words.first().is_some_and(|word| word.folded.ends_with("ing")) {
        return Ok(None);
    }
    for who in subjects(asking) {
        let clause: Vec<Word> = who.into_iter().chain(words.iter().cloned()).collect();
        if let Some(selection) = clause::select(asking, &clause)?.filter(super::is_found) {
            return Ok(Some(Selection { said: asking.said(words), ..selection }));
        }
    }
    Ok(None)
}

/// Returns the words that name those who are spoken of.
pub(super) fn subjects(asking: &Asking<'_>) -> Vec<Vec<Word>> {
    let mut subjects = Vec::new();
    for nth in 0..asking.words.len() {
        for length in (1..=3.min(asking.words.len() - nth)).rev() {
            let name = &asking.words[nth..nth + length];
            if let Ok(Some(entity)) = asking.entity(name)
                && asking.people.contains(&entity)
                && !subjects.contains(&name.to_vec())
            {
                subjects.push(name.to_vec());
                break;
            }
        }
    }
    if asking.speaks() {
        subjects.push(vec![word(super::super::words::FIRST_PERSON)]);
    }
    subjects
}

/// Whose something is, where that is said, and the noun without articles.
type Owned<'w> = (Option<EntityRef>, &'w [Word]);

/// Splits off whose it is, and articles.
fn owned<'w>(asking: &Asking<'_>, words: &'w [Word]) -> Result<Option<Owned<'w>>, QueryError> {
    if let Some(at) = words.iter().position(|word| word.folded == POSSESSIVE) {
        let owner = asking.entity(&words[..at])?;
        return Ok(owner.map(|owner| (Some(owner), &words[at + 1..])));
    }
    let lead = usize::from(is(words, 0, DETERMINERS));
    Ok(Some((None, &words[lead..])))
}

/// Returns what a noun phrase names of what happened.
pub(super) fn event(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Selection>, QueryError> {
    let Some((owner, noun)) = owned(asking, words)? else { return Ok(None) };
    let telling: Vec<String> =
        noun.iter().map(|word| word.folded.clone()).filter(|word| !EMPTY.contains(&word.as_str())).collect();
    let is_chosen = |any: &[&str]| telling.iter().any(|word| any.contains(&word.as_str()));
    let (is_latest, is_earliest) = (is_chosen(LATEST), is_chosen(EARLIEST));
    let chooses = |word: &String| LATEST.contains(&word.as_str()) || EARLIEST.contains(&word.as_str());
    let bare: Vec<String> =
        telling.iter().filter(|word| !chooses(word) && word.as_str() != "most").cloned().collect();
    let has_verb = noun.iter().any(|word| super::AUXILIARIES.contains(&word.folded.as_str()));
    if bare.is_empty() || has_verb {
        return Ok(None);
    }
    let is_end = bare.iter().any(|word| ENDINGS.contains(&word.as_str()));
    let mut found = Vec::new();
    for words in readings(&bare) {
        for who in levels(asking, owner.as_ref())? {
            found = of_words(asking.sight, who.as_ref(), &words)?;
            if !found.is_empty() {
                break;
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    if found.is_empty() {
        return Ok(None);
    }
    // A job is told by who employs, if anybody says so, and by the role otherwise.
    if found.iter().any(|found| found.row.group.predicate == "works_at") {
        found.retain(|found| found.row.group.predicate == "works_at");
    }
    let now = asking.sight.request.now;
    let start = |found: &Found| found.row.fact.validity.period().map(bygone_engine::time::Period::start);
    if is_latest {
        found.retain(|found| start(found).is_some_and(|start| start <= now));
        let last = found.iter().filter_map(start).max();
        found.retain(|found| start(found) == last);
    } else if is_earliest {
        let first = found.iter().filter_map(start).min();
        found.retain(|found| start(found) == first);
    }
    let is_state = found.iter().any(|found| found.kind == TemporalKind::State);
    let part = match (is_state, is_end) {
        (true, true) => Part::End,
        (true, false) => Part::Start,
        (false, _) => Part::Whole,
    };
    let of = owner.map_or_else(String::new, |owner| format!("{owner}, "));
    let text = format!("{of}{:?}", telling.join(" "));
    Ok(Some(Selection { said: asking.said(words), text, patterns: Vec::new(), part, found }))
}

/// Returns the words themselves, then what their verbs would say.
fn readings(words: &[String]) -> Vec<Vec<String>> {
    let mut readings = vec![words.to_vec()];
    for (noun, verbs) in DEEDS {
        if words.iter().any(|word| stem(word) == stem(noun)) {
            for verb in *verbs {
                let put = words
                    .iter()
                    .map(|word| if stem(word) == stem(noun) { (*verb).to_owned() } else { word.clone() });
                readings.push(put.collect());
            }
        }
    }
    readings
}

/// Returns whose it may be, one after another; `None` is anybody.
fn levels(asking: &Asking<'_>, owner: Option<&EntityRef>) -> Result<Vec<Option<EntityRef>>, QueryError> {
    if let Some(owner) = owner {
        return Ok(vec![Some(owner.clone())]);
    }
    let mut levels: Vec<Option<EntityRef>> = asking.people.iter().cloned().map(Some).collect();
    if asking.speaks()
        && let Some(speaker) = asking.entity(&[word(super::super::words::FIRST_PERSON)])?
    {
        levels.push(Some(speaker));
    }
    levels.push(None);
    Ok(levels)
}

/// Plural nouns for what several predicates say.
const SERIES: &[(&[&str], &[&str])] = &[
    (&["job", "career", "employment", "work"], &["works_at", "role"]),
    (&["employer", "company", "workplace"], &["works_at"]),
    (&["home", "address", "residence", "whereabouts", "place", "city"], &["lives_in"]),
    (&["boss", "manager", "supervisor"], &["reports_to"]),
    (&["relationship", "partner"], &["partner", "spouse", "engaged_to"]),
    (&["pet"], &["has_pet"]),
    (&["diet"], &["diet"]),
    (&["name"], &["name"]),
    (&["school", "university", "college"], &["studies_at"]),
    (&["salary", "pay", "income"], &["earns"]),
    (&["role", "position", "title"], &["role"]),
];

/// Returns the values that a noun phrase names: "Anna's jobs", "my budget", "the port", "the port of the importer".
pub(super) fn values(
    asking: &Asking<'_>,
    words: &[Word],
    is_series: bool,
) -> Result<Option<Selection>, QueryError> {
    if is_series && let Some(selection) = series(asking, words)? {
        return Ok(Some(selection));
    }
    let mut in_singular = words.to_vec();
    if let Some(last) = in_singular.last_mut() {
        last.folded = singular(&last.folded);
    }
    let mut definite = vec![word("the")];
    definite.extend(words.iter().cloned());
    for words in [words, &in_singular, &definite] {
        for lead in
            [["what", "was"], ["who", "was"], ["what", "is"], ["who", "is"], ["when", "is"], ["where", "is"]]
        {
            let asked: Vec<Word> =
                lead.iter().map(|folded| word(folded)).chain(words.iter().cloned()).collect();
            if let Some(patterns) = asking.patterns(&asked, Stand::Direct)?
                && patterns[0].ask == Ask::Object
            {
                return clause::by_patterns(asking, words, &patterns, Part::Whole).map(Some);
            }
        }
    }
    let lead = usize::from(is(words, 0, &["the", "our"]));
    let key: Vec<&str> = words[lead..].iter().map(|word| word.folded.as_str()).collect();
    let key = key.join(" ");
    let found = of_key(asking.sight, &key)?;
    if found.is_empty() || words.iter().any(|word| word.folded == POSSESSIVE) {
        return Ok(None);
    }
    let text = format!("{}, {key}", found[0].row.group.predicate);
    Ok(Some(Selection { said: asking.said(words), text, patterns: Vec::new(), part: Part::Whole, found }))
}

fn series(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Selection>, QueryError> {
    let (Some((Some(owner), noun)), true) = (owned(asking, words)?, words.len() > 1) else { return Ok(None) };
    let [noun] = noun else { return Ok(None) };
    let noun = singular(&noun.folded);
    let Some((_, predicates)) = SERIES.iter().find(|(nouns, _)| nouns.contains(&noun.as_str())) else {
        return Ok(None);
    };
    let patterns: Vec<Plan> = predicates
        .iter()
        .map(|predicate| Plan {
            predicate,
            ask: Ask::Object,
            scope: super::super::forms::Scope::Ever,
            subject: Some(owner.clone()),
            object: None,
            key: None,
            still: false,
            narrower: None,
            manner: "",
        })
        .collect();
    clause::by_patterns(asking, words, &patterns, Part::Whole).map(Some)
}

/// Returns what a noun phrase would name if anything were known under its last words: "my shoe size".
pub(super) fn unknown(asking: &Asking<'_>, words: &[Word]) -> Result<Option<Selection>, QueryError> {
    let asked: Vec<Word> = ["what", "was"].map(word).into_iter().chain(words.iter().cloned()).collect();
    match asking.unknown_key(&asked)? {
        Some(patterns) => clause::by_patterns(asking, words, &patterns, Part::Whole).map(Some),
        None => Ok(None),
    }
}
