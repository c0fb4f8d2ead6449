//! Word lists that the patterns stand on; the long ones are data, in `words/`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Which pronoun stands for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gender {
    /// She.
    She,
    /// He.
    He,
}

fn entries(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().filter(|line| !line.starts_with('#')).flat_map(|line| line.split(';'))
}

fn lines_by_label(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    list.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(": "))
        .flat_map(|(label, names)| names.split(';').map(move |name| (name, label)))
}

static PLACES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| entries(include_str!("words/places.txt")).collect());

static NOT_PLACES: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| entries(include_str!("words/not_places.txt")).collect());

static OCCUPATIONS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| entries(include_str!("words/occupations.txt")).collect());

static GIVEN_NAMES: LazyLock<BTreeMap<&str, &str>> =
    LazyLock::new(|| lines_by_label(include_str!("words/given_names.txt")).collect());

static TECHNOLOGIES: LazyLock<BTreeMap<String, (&str, &str)>> = LazyLock::new(|| {
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
    const FIRMS: &[&str] = &[
        "Corp", "Corp.", "Inc", "Inc.", "Ltd", "Ltd.", "GmbH", "AG", "LLC", "Labs", "University",
    ];
    NOT_PLACES.contains(name)
        || technology(name).is_some()
        || given_name(name.split(' ').next().unwrap_or_default()).is_some() && !is_place(name)
        || name.split(' ').any(|word| FIRMS.contains(&word))
}

/// Says whether a word is the last word of the name of an occupation.
pub(super) fn is_occupation(word: &str) -> bool {
    OCCUPATIONS.contains(word)
}

/// Returns whether a word is a frequent given name and, inside, the pronoun that stands for it.
pub(super) fn given_name(word: &str) -> Option<Option<Gender>> {
    GIVEN_NAMES.get(word).map(|label| match *label {
        "she" => Some(Gender::She),
        "he" => Some(Gender::He),
        _ => None,
    })
}

/// Returns the usual spelling and the slot of a technology.
pub(super) fn technology(name: &str) -> Option<(&'static str, &'static str)> {
    TECHNOLOGIES.get(&name.to_lowercase()).copied()
}

/// Says whether a word names a month or a day of the week.
pub(super) fn is_calendar(lower: &str) -> bool {
    const WORDS: &[&str] = &[
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "monday",
        "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue", "wed", "thu", "fri", "christmas",
        "easter",
    ];
    WORDS.contains(&lower)
}

/// Says whether a word, capitalised at the start of a sentence, names nobody.
pub(super) fn is_no_name(lower: &str) -> bool {
    const WORDS: &[&str] = &[
        "i", "a", "an", "the", "my", "your", "his", "her", "our", "their", "its", "we", "he", "she", "it", "they", "you",
        "this", "that", "these", "those", "there", "here", "everyone", "everybody", "someone", "somebody", "nobody",
        "anyone", "anybody", "no", "one", "who", "what", "when", "where", "why", "how", "which", "and", "but", "so", "or",
        "if", "then", "also", "well", "yes", "yeah", "ok", "okay", "hi", "hey", "hello", "thanks", "thank", "please", "just",
        "now", "today", "yesterday", "tomorrow", "mom", "mum", "dad", "mother", "father", "grandma", "grandpa", "sister",
        "brother", "wife", "husband", "both", "all", "some", "most", "many", "each", "every", "people", "users", "god",
        "nothing", "something", "everything", "none", "neither", "either", "another", "other", "others", "always", "never",
        "customer", "client", "user", "boss", "lol", "omg", "btw", "tbh", "imo", "asap", "fyi", "haha", "wow", "yay", "sir",
        "team", "company", "friend", "kids", "children", "oh", "anyway", "actually", "because", "since", "in", "on", "at",
        "for", "from", "after", "before",
    ];
    WORDS.contains(&lower) || is_calendar(lower) || is_occupation(lower)
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
        assert_eq!(given_name("Anna"), Some(Some(Gender::She)));
        assert_eq!(given_name("Alex"), Some(None));
        assert_eq!(technology("postgres"), Some(("Postgres", "database")));
    }
}
