//! Word lists that the patterns stand on; the long ones are data, in `words/`.

use std::sync::LazyLock;

use super::known::{ByWord, KnownWords};

/// Which pronoun stands for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gender {
    /// She.
    She,
    /// He.
    He,
}

fn entries(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| line.split(';'))
        .filter(|entry| !entry.is_empty())
}

fn lines_by_label(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    list.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(": "))
        .flat_map(|(label, names)| names.split(';').map(move |name| (name, label)))
}

static PLACES: LazyLock<KnownWords> = LazyLock::new(|| entries(include_str!("words/places.txt")).collect());

static NOT_PLACES: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/not_places.txt")).collect());

static OCCUPATIONS: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/occupations.txt")).collect());

static NO_NAMES: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/no_names.txt")).collect());

static CALENDAR: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/calendar.txt")).collect());

static BOUNDARIES: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/boundaries.txt")).collect());

static DEICTIC: LazyLock<KnownWords> = LazyLock::new(|| entries(include_str!("words/deictic.txt")).collect());

static VAGUE: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/vague_activities.txt")).collect());

static NOT_OWNED: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/not_owned.txt")).collect());

static NOT_ROLES: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/not_roles.txt")).collect());

static PRAISE: LazyLock<KnownWords> = LazyLock::new(|| entries(include_str!("words/praise.txt")).collect());

static ACTIVITIES: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/activities.txt")).collect());

static OUTINGS: LazyLock<KnownWords> = LazyLock::new(|| entries(include_str!("words/outings.txt")).collect());

static HAPPENINGS: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/happenings.txt")).collect());

static THINGS: LazyLock<KnownWords> = LazyLock::new(|| entries(include_str!("words/things.txt")).collect());

static MADE: LazyLock<KnownWords> = LazyLock::new(|| entries(include_str!("words/made.txt")).collect());

static CLUBS: LazyLock<KnownWords> = LazyLock::new(|| entries(include_str!("words/clubs.txt")).collect());

static CONDITIONS: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/conditions.txt")).collect());

static LANGUAGES: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/languages.txt")).collect());

static PLACE_KINDS: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/place_kinds.txt")).collect());

static PRAISE_OF_THINGS: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/praise_of_things.txt")).collect());

static QUALITIES: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/qualities.txt")).collect());

static VAGUE_NOUNS: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/vague_nouns.txt")).collect());

static POINTING: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/pointing.txt")).collect());

static ABSTRACT: LazyLock<KnownWords> =
    LazyLock::new(|| entries(include_str!("words/abstract.txt")).collect());

static GIVEN_NAMES: LazyLock<ByWord<&str, &str>> =
    LazyLock::new(|| lines_by_label(include_str!("words/given_names.txt")).collect());

static TECHNOLOGIES: LazyLock<ByWord<String, (&str, &str)>> = LazyLock::new(|| {
    lines_by_label(include_str!("words/technologies.txt"))
        .map(|(name, slot)| (name.to_lowercase(), (name, slot)))
        .collect()
});

/// Says whether a name is a well-known place.
pub(super) fn is_place(name: &str) -> bool {
    PLACES.contains(name)
}

/// Says whether a capitalised thing is known to be no place.
pub(super) fn is_no_place(name: &str) -> bool {
    const FIRMS: &[&str] =
        &["Corp", "Corp.", "Inc", "Inc.", "Ltd", "Ltd.", "GmbH", "AG", "LLC", "Labs", "University"];
    NOT_PLACES.contains(name)
        || technology(name).is_some()
        || is_given_name(name) && !is_place(name)
        || name.split(' ').any(|word| FIRMS.contains(&word))
}

/// Says whether a word is the last word of the name of an occupation.
pub(super) fn is_occupation(word: &str) -> bool {
    OCCUPATIONS.contains(word)
}

/// Says whether a name starts with a frequent given name.
pub(super) fn is_given_name(name: &str) -> bool {
    GIVEN_NAMES.contains_key(name.split(' ').next().unwrap_or_default())
}

/// Returns the pronoun that stands for whoever is called so, where only one does.
pub(super) fn gender(name: &str) -> Option<Gender> {
    match *GIVEN_NAMES.get(name.split(' ').next()?)? {
        "she" => Some(Gender::She),
        "he" => Some(Gender::He),
        _ => None,
    }
}

/// Returns the usual spelling and the slot of a technology.
pub(super) fn technology(name: &str) -> Option<(&'static str, &'static str)> {
    TECHNOLOGIES.get(&name.to_lowercase()).copied()
}

/// Says whether a word names a month or a day of the week.
pub(super) fn is_calendar(lower: &str) -> bool {
    CALENDAR.contains(lower)
}

/// Says whether a word, capitalised at the start of a sentence, names nobody.
pub(super) fn is_no_name(lower: &str) -> bool {
    NO_NAMES.contains(lower) || is_calendar(lower) || is_occupation(lower)
}

/// Says whether a word, no preposition, ends the phrase before it.
pub(super) fn is_boundary(lower: &str) -> bool {
    BOUNDARIES.contains(lower)
}

/// Says whether a word points instead of naming.
pub(super) fn is_deictic(lower: &str) -> bool {
    DEICTIC.contains(lower)
}

/// Says whether an activity says nothing without what follows.
pub(super) fn is_vague_activity(lower: &str) -> bool {
    VAGUE.contains(lower)
}

/// Says whether a thing bought is used up, given away or no thing at all.
pub(super) fn is_nothing_owned(lower: &str) -> bool {
    NOT_OWNED.contains(lower)
}

/// Says whether a word makes an occupation none.
pub(super) fn is_no_role(lower: &str) -> bool {
    NOT_ROLES.contains(lower)
}

/// Says whether a word only praises.
pub(super) fn is_praise(lower: &str) -> bool {
    PRAISE.contains(lower)
}

/// Says whether a word, in the singular or as a plural, is in a list.
fn has_noun(list: &KnownWords, word: &str) -> bool {
    let singular = |ending| word.strip_suffix(ending).is_some_and(|word| list.contains(word));
    list.contains(word) || singular("s") || singular("es")
}

/// Says whether a phrase in small letters is something people do for its own sake.
pub(super) fn is_activity(lower: &str) -> bool {
    ACTIVITIES.contains(lower)
}

/// Says whether a word is something one goes on and comes back from.
pub(super) fn is_outing(lower: &str) -> bool {
    has_noun(&OUTINGS, lower)
}

/// Says whether a word is something that takes place and is attended.
pub(super) fn is_happening(lower: &str) -> bool {
    has_noun(&HAPPENINGS, lower)
}

/// Says whether a word is a thing with a body that people keep.
pub(super) fn is_thing(lower: &str) -> bool {
    has_noun(&THINGS, lower)
}

/// Says whether a word is something that people make.
pub(super) fn is_made(lower: &str) -> bool {
    has_noun(&MADE, lower)
}

/// Says whether a word is something one can be a member of.
pub(super) fn is_club(lower: &str) -> bool {
    CLUBS.contains(lower)
}

/// Says whether a word is a condition of health.
pub(super) fn is_condition(lower: &str) -> bool {
    CONDITIONS.contains(lower)
}

/// Says whether a name is that of a language.
pub(super) fn is_language(name: &str) -> bool {
    LANGUAGES.contains(name)
}

/// Says whether a word is a kind of place one goes to and comes back from.
pub(super) fn is_place_kind(lower: &str) -> bool {
    has_noun(&PLACE_KINDS, lower)
}

/// Says whether a word before a noun praises, counts or places it and is no part of what it is.
pub(super) fn is_praise_of_things(lower: &str) -> bool {
    PRAISE_OF_THINGS.contains(lower)
}

/// Says whether a word is made, had or gone through only in a manner of speaking.
pub(super) fn is_abstract(lower: &str) -> bool {
    has_noun(&ABSTRACT, lower)
}

/// Says whether a word, in small letters, tells what something is like.
pub(super) fn is_quality(lower: &str) -> bool {
    QUALITIES.contains(lower)
}

/// Says whether a word, in small letters, points to what was said before, or to who is there.
pub(super) fn is_pointing(lower: &str) -> bool {
    POINTING.contains(lower)
}

/// Says whether a noun, in small letters, says nothing by itself.
pub(super) fn is_vague_noun(lower: &str) -> bool {
    VAGUE_NOUNS.contains(lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_read() {
        assert!(is_place("St. Gallen") && is_place("Zürich") && !is_place("Acme"));
        assert!(is_no_place("Acme Corp") && is_no_place("Postgres") && is_no_place("Anna"));
        assert!(!is_no_place("Charlotte"), "a city too");
        assert!(is_occupation("nurse") && !is_occupation("beginner"));
        assert_eq!((is_given_name("Anna Berg"), gender("Anna")), (true, Some(Gender::She)));
        assert_eq!((is_given_name("Alex"), gender("Alex")), (true, None));
        assert_eq!(technology("postgres"), Some(("Postgres", "database")));
    }
}
