//! What one joins, starts or works for: "a chess club", "the Rowing Club", "my own bakery".

use super::fill::{Filled, one};
use super::lexicon;
use super::pattern::Pattern;
use super::phrase::Clause;
use super::thing::{INDEFINITE, POINTING};

/// Reads a club by its kind, or by a name that says that it is one.
pub(super) fn club(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    // Of the others "the" tells which.
    let determined = clause.is_determiner(at, &[INDEFINITE, POINTING, &["the"]]);
    let thing = clause.thing(at + usize::from(determined))?;
    let named = thing.name.starts_with(char::is_uppercase);
    let telling =
        thing.name.contains(' ') || !clause.is_one_of(at, &["this", "these", "the"]) || pattern.lemma != "be";
    ((determined || named) && telling && lexicon::is_club(&thing.head))
        .then(|| one(pattern, "org", &thing.name))
        .flatten()
}

/// Reads a business by its kind.
pub(super) fn venture(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    const CLUBS: &[&str] =
        &["band", "charity", "choir", "club", "foundation", "organization", "organisation"];
    const BUSINESSES: &[&str] = &[
        "agency",
        "bakery",
        "boutique",
        "brand",
        "business",
        "café",
        "clinic",
        "company",
        "firm",
        "foundation",
        "label",
        "nonprofit",
        "restaurant",
        "salon",
        "shop",
        "startup",
        "store",
        "studio",
    ];
    if !clause.is_one_of(at, &["a", "an", "my", "our"]) {
        return None;
    }
    let thing = clause.thing(at + 1)?;
    let known = BUSINESSES.contains(&thing.head.as_str())
        || (pattern.lemma == "start" && CLUBS.contains(&thing.head.as_str()));
    known.then(|| one(pattern, "org", &thing.name)).flatten()
}

/// Reads an employer by its kind: "a hospital", "a small law firm".
pub(super) fn workplace(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    const WORKPLACES: &[&str] = &[
        "agency",
        "airline",
        "airport",
        "bakery",
        "bank",
        "bar",
        "bookstore",
        "café",
        "clinic",
        "college",
        "company",
        "dealership",
        "factory",
        "farm",
        "firm",
        "hospital",
        "hotel",
        "kindergarten",
        "lab",
        "laboratory",
        "library",
        "magazine",
        "museum",
        "newspaper",
        "nonprofit",
        "pharmacy",
        "publisher",
        "restaurant",
        "salon",
        "school",
        "shop",
        "start-up",
        "startup",
        "store",
        "studio",
        "supermarket",
        "university",
        "warehouse",
    ];
    if !clause.is_one_of(at, &["a", "an"]) {
        return None;
    }
    let thing = clause.thing(at + 1)?;
    WORKPLACES.contains(&thing.head.as_str()).then(|| one(pattern, "org", &thing.name)).flatten()
}
