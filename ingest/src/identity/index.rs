//! The names that a space knows, found by what they may have in common with another one.
//!
//! Invariant: a look-up visits a bounded number of names, however many there are, so that an ingest stays linear in them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use bygone_engine::EntityRef;
use bygone_ontology::similarity::jaro_winkler;

use super::name::Name;
use super::nickname::{is_name, names_of, short_forms_of};
use super::rule::{self, Rule};

/// Candidates that are looked at for one name; more of them make it no less ambiguous.
const MOST_CANDIDATES: usize = 8;
/// Names of one beginning that are compared letter by letter.
const MOST_COMPARED: usize = 32;
/// Letters that a name must have for its beginning to be taken for a short form, and that it must lack.
const LEAST_PREFIX: usize = 3;
const LEAST_REST: usize = 2;
/// Endings that make another name of a name: Paulina is not called Paul.
const OTHER_NAMES: &[&str] = &["ella", "elle", "etta", "ette", "ica", "ina", "ine", "ita", "ia"];
/// Letters that names have in common at their beginning to be compared.
const SAME_BEGINNING: usize = 2;
/// The least length of a name in which a slip of a letter can be told from another name.
const LEAST_MISSPELT: usize = 6;
/// From where on names are taken for each other's misspelling. Chosen, untested.
const MISSPELT: f64 = 0.95;

/// Who may be meant, and by which rule.
pub(super) type Candidates = BTreeMap<EntityRef, &'static Rule>;

/// Names by their parts.
#[derive(Default)]
pub(super) struct Index {
    by_key: BTreeMap<String, BTreeSet<EntityRef>>,
    /// People of whom only the first name is known, by it.
    short: BTreeMap<String, BTreeSet<EntityRef>>,
    /// Other people, by first and family name and the other way round.
    by_given: BTreeMap<(String, String), BTreeSet<EntityRef>>,
    by_family: BTreeMap<(String, String), BTreeSet<EntityRef>>,
}

impl Index {
    pub(super) fn add(&mut self, entity: &EntityRef, name: &Name) {
        self.by_key.entry(name.key.clone()).or_default().insert(entity.clone());
        let Some(given) = &name.given else { return };
        if name.is_short() {
            self.short.entry(given.clone()).or_default().insert(entity.clone());
        } else {
            let parts = (given.clone(), name.family.clone());
            self.by_family.entry((parts.1.clone(), parts.0.clone())).or_default().insert(entity.clone());
            self.by_given.entry(parts).or_default().insert(entity.clone());
        }
    }

    /// Returns those whose name is the same but for spelling.
    pub(super) fn spelt_alike(&self, entity: &EntityRef, name: &Name) -> Candidates {
        let bearers = self.by_key.get(&name.key).into_iter().flatten();
        bearers
            .filter(|other| *other != entity)
            .map(|other| (other.clone(), &rule::KEY))
            .take(MOST_CANDIDATES)
            .collect()
    }

    /// Returns those whose name is this one in full.
    pub(super) fn in_full(&self, name: &Name) -> Candidates {
        let Some(given) = &name.given else { return Candidates::new() };
        let mut found = Candidates::new();
        if name.is_short() {
            for (form, rule) in forms(given) {
                self.full_of(&form, rule, &mut found);
            }
            if is_open_prefix(given) {
                let longer =
                    starting(&self.by_given, |(name, _)| name, given, (given.clone(), String::new()));
                for ((other, _), bearers) in longer.filter(|((other, _), _)| is_prefix(given, other)) {
                    debug_assert!(other.starts_with(given), "it is in the range");
                    add(bearers, &rule::PREFIX, &mut found);
                }
            }
            if found.is_empty() {
                self.longer_first_names(given, &mut found);
            }
        } else {
            for (form, rule) in forms(given).skip(1).filter(|(form, _)| is_longer(form, given)) {
                let bearers = self.by_family.get(&(name.family.clone(), form));
                if let Some(bearers) = bearers {
                    add(bearers, rule, &mut found);
                }
            }
            self.misspelt_people(given, &name.family, &mut found);
        }
        found
    }

    /// Returns those for whom this name may be the full one, or a further candidate: what was decided of them must be
    /// looked at again.
    pub(super) fn affected(&self, name: &Name) -> BTreeSet<EntityRef> {
        let Some(given) = &name.given else { return BTreeSet::new() };
        let mut found = BTreeSet::new();
        let mut shorts = |form: &str| {
            found.extend(self.short.get(form).into_iter().flatten().take(MOST_CANDIDATES).cloned());
        };
        forms(given).for_each(|(form, _)| shorts(&form));
        let ends = given.char_indices().map(|(at, _)| at).skip(LEAST_PREFIX);
        for prefix in ends.map(|end| &given[..end]) {
            if is_open_prefix(prefix) && is_prefix(prefix, given) {
                shorts(prefix);
            }
        }
        if name.is_full() {
            for (form, _) in forms(given) {
                let bearers = self.by_family.get(&(name.family.clone(), form));
                found.extend(bearers.into_iter().flatten().take(MOST_CANDIDATES).cloned());
            }
            let mut misspelt = Candidates::new();
            self.misspelt_people(given, &name.family, &mut misspelt);
            found.extend(misspelt.into_keys());
        }
        found
    }

    /// Returns names of things that differ from this one by a slip.
    pub(super) fn misspelt_things(&self, entity: &EntityRef, name: &Name) -> Candidates {
        let mut found = Candidates::new();
        let n_beginning = entity.kind().len() + 1 + SAME_BEGINNING;
        let Some(beginning) = name.key.get(..n_beginning).filter(|_| name.may_be_misspelt) else {
            return found;
        };
        let alike = starting(&self.by_key, |key| key, beginning, beginning.to_owned());
        for (key, bearers) in alike.take(MOST_COMPARED) {
            if *key != name.key
                && are_misspelt(&key[entity.kind().len() + 1..], &name.key[entity.kind().len() + 1..])
            {
                add(bearers, &rule::SPELLING, &mut found);
            }
        }
        found
    }

    fn full_of(&self, given: &str, rule: &'static Rule, found: &mut Candidates) {
        let first = (given.to_owned(), String::new());
        let of_name = self.by_given.range(first..).take_while(|((name, _), _)| name == given);
        of_name.take(MOST_CANDIDATES).for_each(|(_, bearers)| add(bearers, rule, found));
    }

    /// Adds people of whom only a first name is known, too, and that is this one in full.
    fn longer_first_names(&self, given: &str, found: &mut Candidates) {
        for name in names_of(given) {
            self.short.get(name).into_iter().for_each(|bearers| add(bearers, &rule::NICKNAME, found));
        }
        if is_open_prefix(given) {
            let longer = starting(&self.short, |name| name, given, given.to_owned());
            for (_, bearers) in longer.filter(|(other, _)| is_prefix(given, other)) {
                add(bearers, &rule::PREFIX, found);
            }
        }
    }

    fn misspelt_people(&self, given: &str, family: &str, found: &mut Candidates) {
        for (index, same, other) in [(&self.by_family, family, given), (&self.by_given, given, family)] {
            let beginning: String = other.chars().take(SAME_BEGINNING).collect();
            let alike = index.range((same.to_owned(), beginning.clone())..);
            let alike = alike.take_while(|((one, two), _)| one == same && two.starts_with(&beginning));
            for ((_, two), bearers) in alike.take(MOST_COMPARED) {
                // Two names that are both well known are two names.
                let are_names = is_name(two) && is_name(other);
                if two != other && !are_names && are_misspelt(two, other) {
                    add(bearers, &rule::SPELLING, found);
                }
            }
        }
    }
}

fn add(bearers: &BTreeSet<EntityRef>, rule: &'static Rule, found: &mut Candidates) {
    for bearer in bearers {
        if found.len() > MOST_CANDIDATES {
            return;
        }
        found.entry(bearer.clone()).or_insert(rule);
    }
}

/// Walks the entries one part of whose key starts with a text.
fn starting<'i, K: Ord, V>(
    index: &'i BTreeMap<K, V>,
    part: impl Fn(&K) -> &String + 'i,
    start: &'i str,
    first: K,
) -> impl Iterator<Item = (&'i K, &'i V)> {
    index
        .range((Bound::Included(first), Bound::Unbounded))
        .take_while(move |(key, _)| part(key).starts_with(start))
        .take(MOST_COMPARED)
}

/// Returns the forms under which a first name may be known, itself first, with the rule that says so.
fn forms(given: &str) -> impl Iterator<Item = (String, &'static Rule)> {
    let others = names_of(given).iter().chain(short_forms_of(given));
    let others = others.map(|form| (form.clone(), &rule::NICKNAME));
    std::iter::once((given.to_owned(), &rule::GIVEN_NAME)).chain(others)
}

/// Says whether a form is the full one of a name.
fn is_longer(form: &str, given: &str) -> bool {
    names_of(given).iter().any(|name| name == form)
}

/// Says whether a first name may be the beginning of another one: the table does not say what it is short for.
fn is_open_prefix(given: &str) -> bool {
    given.chars().count() >= LEAST_PREFIX && names_of(given).is_empty() && !is_name(given)
}

fn is_prefix(short: &str, long: &str) -> bool {
    let rest = long.strip_prefix(short);
    rest.is_some_and(|rest| rest.chars().count() >= LEAST_REST && !OTHER_NAMES.contains(&rest))
}

fn are_misspelt(one: &str, other: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let n = one.chars().count().min(other.chars().count());
    n >= LEAST_MISSPELT && digits(one) == digits(other) && jaro_winkler(one, other) >= MISSPELT
}
