//! Whether an undeclared predicate may be another name for a declared one.

use super::sides::{Pairs, is_most};
use crate::ontology::Ontology;
use crate::similarity::jaro_winkler;

/// From where on two names are alike letter by letter. Chosen, untested: `works_at` and `work_at` are, `likes` and
/// `dislikes` are not.
const ALIKE: f64 = 0.95;
/// Words of a name that carry none of its meaning.
const EMPTY_WORDS: &[&str] =
    &["a", "an", "are", "be", "been", "does", "had", "has", "have", "is", "the", "was", "were"];

/// What an undeclared predicate is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Likeness {
    /// The declared predicate.
    pub to: String,
    /// In what, in words.
    pub because: String,
}

/// Returns the declared predicates that this one is like, in order.
pub(super) fn find(id: &str, ontology: &Ontology, pairs: &Pairs) -> Vec<Likeness> {
    let words = words(id);
    let spelling = words.join("_");
    let stems: Vec<String> = stems(&words);
    let said = words.join(" ");
    let mut found = Vec::new();
    for definition in ontology.predicates() {
        let declared = self::words(&definition.id);
        let (n, n_shared) = (pairs.n_of(id), pairs.n_shared(id, &definition.id));
        let has_cue =
            definition.cues.iter().any(|cue| *cue == said || self::stems(&self::words(cue)) == stems);
        let because = if spelling == definition.id {
            "the same but for spelling".to_owned()
        } else if stems == self::stems(&declared) {
            "the same words in another form".to_owned()
        } else if has_cue {
            format!("{said:?} is said for it")
        } else if jaro_winkler(&spelling, &definition.id) >= ALIKE {
            "nearly the same name".to_owned()
        } else if is_most(n_shared, n) {
            format!("{n_shared} of {n} pairs are stated with it, too")
        } else {
            continue;
        };
        found.push(Likeness { to: definition.id.clone(), because });
    }
    found
}

/// Returns the words of a name in lower case: `livesIn`, `lives-in` and `lives in` have the same.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.last_mut().expect("there is one from the start").extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the words that carry meaning without the endings of verbs.
fn stems(words: &[String]) -> Vec<String> {
    let meaning = words.iter().filter(|word| !EMPTY_WORDS.contains(&word.as_str()));
    meaning.map(|word| stem(word).to_owned()).collect()
}

fn stem(word: &str) -> &str {
    for ending in ["ing", "es", "ed", "s", "e"] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.len() >= 3
            && !stem.ends_with('s')
        {
            return stem;
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_name_for_a_declared_predicate_is_found() {
        let core = Ontology::core();
        for (id, to) in [
            ("lives-in", "lives_in"),
            ("livesIn", "lives_in"),
            ("LIVES_IN", "lives_in"),
            ("living_in", "lives_in"),
            ("work_at", "works_at"),
            ("employed_by", "works_at"),
            ("is_part_of", "part_of"),
            ("wroks_at", "works_at"),
            ("hates", "dislikes"),
        ] {
            let found = find(id, &core, &Pairs::default());
            assert!(found.iter().any(|like| like.to == to), "{id}: {found:?}");
        }
    }

    #[test]
    fn what_only_looks_alike_is_not() {
        let core = Ontology::core();
        for id in ["mentored_by", "favourite_colour", "sings_in", "deployed_to_moon", "x"] {
            assert_eq!(find(id, &core, &Pairs::default()), [], "{id}");
        }
    }
}
