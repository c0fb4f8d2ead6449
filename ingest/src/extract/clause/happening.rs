//! What one attends, wins or goes out for: "a pride parade", "my driving test", "camping".

use super::fill::{Filled, one};
use super::lexicon;
use super::pattern::Pattern;
use super::phrase::Clause;
use super::thing::{INDEFINITE, POINTING};

/// What one has by being there.
const HELD: &[&str] = &[
    "audition",
    "barbecue",
    "bbq",
    "concert",
    "gig",
    "interview",
    "match",
    "meeting",
    "party",
    "picnic",
    "recital",
    "reunion",
    "sleepover",
    "workshop",
];

/// Reads an event: by its kind, or by a name that says what it is.
pub(super) fn happening(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    let determined = clause.is_determiner(at, &[INDEFINITE, POINTING, &["the"]]);
    if let Some((name, _)) = clause.name(at) {
        let last = name.rsplit(' ').next().unwrap_or_default().to_lowercase();
        let known = lexicon::is_happening(&last) || (pattern.lemma == "attend" && !lexicon::is_place(&name));
        return (known && !lexicon::is_given_name(&name)).then(|| one(pattern, "event", &name)).flatten();
    }
    let thing = clause.thing(at + usize::from(determined))?;
    if pattern.lemma == "have"
        && pattern.tail.is_empty()
        && !(determined && HELD.contains(&thing.head.as_str()))
    {
        return None;
    }
    // "A great time meeting them".
    if thing.name.starts_with("time ") {
        return None;
    }
    let known = lexicon::is_happening(&thing.head) && !lexicon::is_activity(&thing.head);
    // "Went to class": which one stays open.
    let told = determined || (pattern.lemma == "attend" && thing.name.contains(' '));
    (known && told).then(|| one(pattern, "event", &thing.name)).flatten()
}

/// Reads what one won, passed or finished.
pub(super) fn achievement(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    const WON: &[&str] = &[
        "award",
        "awards",
        "championship",
        "competition",
        "contest",
        "cup",
        "game",
        "gold",
        "lottery",
        "match",
        "medal",
        "place",
        "prize",
        "race",
        "scholarship",
        "tournament",
        "trophy",
        "raffle",
        "title",
        "election",
    ];
    const PASSED: &[&str] = &[
        "audition",
        "certification",
        "class",
        "course",
        "exam",
        "exams",
        "inspection",
        "interview",
        "interviews",
        "test",
        "tests",
    ];
    const FINISHED: &[&str] = &[
        "5k",
        "10k",
        "bootcamp",
        "certification",
        "challenge",
        "course",
        "courses",
        "degree",
        "dissertation",
        "half-marathon",
        "internship",
        "marathon",
        "masters",
        "phd",
        "puzzle",
        "race",
        "residency",
        "semester",
        "thesis",
        "training",
        "triathlon",
    ];
    let ranked = clause.is_one_of(at, &["first", "second", "third"]) && clause.is(at + 1, "place");
    let determined = clause.is_determiner(at, &[INDEFINITE, POINTING, &["the"]]);
    if ranked {
        let rank = &clause.token(at)?.lower;
        return one(pattern, "award", &format!("{rank} place"));
    }
    if !determined {
        return None;
    }
    let thing = clause.thing(at + 1)?;
    let heads = match pattern.lemma {
        "win" | "earn" | "receive" => WON,
        "pass" => PASSED,
        _ => FINISHED,
    };
    // "The game" and "this race" name nothing that can be told from another.
    let telling = thing.name.contains(' ') || !clause.is_one_of(at, &["the", "this", "these"]);
    (telling && heads.contains(&thing.head.as_str()) && thing.head != "place")
        .then(|| one(pattern, "event", &thing.name))
        .flatten()
}

/// Reads what one went out for: "camping", "a bike ride", "a road trip".
pub(super) fn outing(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    if clause.is_determiner(at, &[INDEFINITE, &["my", "our"]]) {
        let thing = clause.thing(at + 1)?;
        return lexicon::is_outing(&thing.head).then(|| one(pattern, "activity", &thing.name)).flatten();
    }
    let (name, _) = clause.activity(at).or_else(|| {
        let word = &clause.token(at)?.lower;
        let bare = word.ends_with("ing") && lexicon::is_outing(word) && clause.ends_phrase(at + 1);
        bare.then(|| (word.clone(), at + 1))
    })?;
    one(pattern, "activity", &name)
}

/// Reads a kind of place: "the beach", "a museum".
pub(super) fn place_kind(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    if !clause.is_determiner(at, &[INDEFINITE, &["the"]]) {
        return None;
    }
    let thing = clause.thing(at + 1)?;
    lexicon::is_place_kind(&thing.head).then(|| one(pattern, "place", &thing.name)).flatten()
}

/// Reads an event that one gives: "a charity event", "a talk".
pub(super) fn staged(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    const GIVEN: &[&str] =
        &["talk", "speech", "presentation", "lecture", "workshop", "concert", "class", "performance", "tour"];
    if !clause.is_determiner(at, &[INDEFINITE, &["my", "our", "the"]]) {
        return None;
    }
    let thing = clause.thing(at + 1)?;
    let known = match pattern.lemma {
        "give" => GIVEN.contains(&thing.head.as_str()),
        _ => lexicon::is_happening(&thing.head),
    };
    known.then(|| one(pattern, "event", &thing.name)).flatten()
}
