//! What a name is made of: given and family name without honorifics, and the key under which all spellings are one.

use bygone_engine::EntityRef;
use bygone_engine::entity::plain_name;

/// What is said before a name, by whom it may be said of; without one, of anybody.
const HONORIFICS: &[(&str, Option<Gender>)] = &[
    ("mr", Some(Gender::Man)),
    ("mister", Some(Gender::Man)),
    ("sir", Some(Gender::Man)),
    ("lord", Some(Gender::Man)),
    ("mrs", Some(Gender::Woman)),
    ("ms", Some(Gender::Woman)),
    ("miss", Some(Gender::Woman)),
    ("madam", Some(Gender::Woman)),
    ("lady", Some(Gender::Woman)),
    ("dame", Some(Gender::Woman)),
    ("mx", None),
    ("dr", None),
    ("doctor", None),
    ("prof", None),
    ("professor", None),
    ("rev", None),
    ("reverend", None),
    ("judge", None),
    ("capt", None),
    ("captain", None),
    ("coach", None),
];
/// What is said behind a person's name and is none of it.
const DEGREES: &[&str] = &["phd", "md", "mba", "esq", "msc", "bsc"];
/// What is said behind a company's name and is none of it.
const LEGAL_FORMS: &[&str] = &[
    "inc",
    "incorporated",
    "ltd",
    "limited",
    "llc",
    "llp",
    "gmbh",
    "corp",
    "corporation",
    "co",
    "plc",
    "ag",
];
/// The types whose names are words: spelling aside, the same name is the same entity. A path or an id is not.
const NAMED_TYPES: &[&str] = &["person", "org", "team", "group", "place", "project", "event", "animal"];
/// The types of which names that differ by a letter or two are worth a remark.
const MISSPELT_TYPES: &[&str] = &["org", "team", "project"];

/// Whom an honorific is said of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gender {
    Man,
    Woman,
}

/// A name taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// The same for every spelling, and only within one type: `person anna smith`.
    pub(super) key: String,
    /// A person's first name; `None` where the name is not one of words.
    pub(super) given: Option<String>,
    /// The rest of a person's name; empty where only the first is known.
    pub(super) family: String,
    pub(super) gender: Option<Gender>,
    /// Whether a slip of a letter is worth a remark.
    pub(super) may_be_misspelt: bool,
}

impl Name {
    /// Takes the name of an entity apart; `None` where its type is none that words name, or where it is only told by
    /// whose it is, as in "Anna's sister".
    pub(super) fn of(entity: &EntityRef) -> Option<Name> {
        Name::new(entity.kind(), entity.name())
    }

    /// Takes a name for an entity of this type apart.
    pub(super) fn new(kind: &str, name: &str) -> Option<Name> {
        let is_slot = name.contains("'s ") || name.contains("\u{2019}s ");
        if !NAMED_TYPES.contains(&kind) || is_slot {
            return None;
        }
        let is_person = kind == "person";
        let plain = match name.split_once(',') {
            // "Smith, Anna"
            Some((family, given)) if is_person && !is_degree(given) => {
                plain_name(&format!("{given} {family}"))
            }
            _ => plain_name(name),
        };
        let mut words: Vec<&str> = plain.split(' ').filter(|word| !word.is_empty()).collect();
        let mut gender = None;
        if is_person {
            while let [first, _, ..] = words.as_slice()
                && let Some((_, of)) = HONORIFICS.iter().find(|(honorific, _)| honorific == first)
            {
                gender = gender.or(*of);
                words.remove(0);
            }
        }
        let behind = if is_person { DEGREES } else { LEGAL_FORMS };
        while words.len() > 1 && words.last().is_some_and(|last| behind.contains(last)) {
            words.pop();
        }
        let is_of_words = words.iter().all(|word| word.chars().all(char::is_alphabetic));
        let given = words.first().filter(|first| is_person && is_of_words && first.chars().count() > 1);
        // "Mr Smith" tells no first name.
        let given = given.filter(|_| gender.is_none() || words.len() > 1);
        Some(Name {
            key: (!words.is_empty()).then(|| format!("{kind} {}", words.concat()))?,
            given: given.map(|given| (*given).to_owned()),
            family: if given.is_some() { words[1..].join(" ") } else { String::new() },
            gender,
            may_be_misspelt: MISSPELT_TYPES.contains(&kind),
        })
    }

    /// Says whether only a first name is known.
    pub(super) fn is_short(&self) -> bool {
        self.given.is_some() && self.family.is_empty()
    }

    /// Says whether first and family name are known.
    pub(super) fn is_full(&self) -> bool {
        self.given.is_some() && !self.family.is_empty()
    }
}

fn is_degree(text: &str) -> bool {
    let plain = plain_name(text);
    let mut words = plain.split(' ');
    words.all(|word| DEGREES.contains(&word) || ["jr", "sr", "ii", "iii", "iv"].contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_has_one_key() {
        for (kind, names) in [
            (
                "person",
                &[
                    "Anna Smith",
                    "anna  smith",
                    "ANNA SMITH",
                    "Ánna Smith",
                    "Dr. Anna Smith",
                    "Smith, Anna",
                    "Prof. Dr. Anna Smith",
                    "Anna Smith, PhD",
                    "Anna-Smith",
                    "Annasmith",
                ][..],
            ),
            ("org", &["Acme", "ACME", "Acme, Inc.", "Acme Ltd", "Acme Co. Ltd."]),
            ("person", &["O'Brien", "O\u{2019}Brien", "OBrien", "Mr O'Brien"]),
        ] {
            let keys: Vec<String> = names.iter().map(|name| Name::new(kind, name).expect(name).key).collect();
            assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
        }
    }

    #[test]
    fn different_names_have_different_keys() {
        let names = [
            ("person", "Anna"),
            ("person", "Anna Smith"),
            ("person", "Anna Smith Jr"),
            ("person", "Anna B Smith"),
            ("org", "Anna"),
            ("place", "Anna"),
            ("person", "Doctor"),
            ("org", "Inc"),
            ("person", "Smith Anna"),
        ];
        let mut keys: Vec<String> =
            names.iter().map(|(kind, name)| Name::new(kind, name).expect(name).key).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), names.len());
    }

    #[test]
    fn what_is_not_named_by_words_has_no_name() {
        for (kind, name) in
            [("file", "/a/B.rs"), ("person", "Anna's sister"), ("person", "?!"), ("url", "http://a")]
        {
            assert_eq!(Name::new(kind, name), None, "{kind}:{name}");
        }
    }

    #[test]
    fn a_persons_name_has_parts() {
        let parts = |name: &str| {
            let name = Name::new("person", name).expect(name);
            (name.given.unwrap_or_default(), name.family, name.gender)
        };
        assert_eq!(parts("Mrs. Anna van Dyk"), ("anna".into(), "van dyk".into(), Some(Gender::Woman)));
        assert_eq!(parts("Anna"), ("anna".into(), String::new(), None));
        assert_eq!(parts("Mr Smith"), (String::new(), String::new(), Some(Gender::Man)));
        assert_eq!(parts("User 1"), (String::new(), String::new(), None));
        assert_eq!(parts("J Smith"), (String::new(), String::new(), None));
    }
}
