//! People and animals introduced by what they are to the speaker: "my sister Anna", "my cat, Luna".

use super::lexicon::Gender;
use super::phrase::Clause;
use super::token::Kind;

/// What a noun behind "my" makes of the one it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kin {
    /// The predicate from the speaker to them.
    pub(super) predicate: &'static str,
    /// Which pronoun stands for them.
    pub(super) gender: Option<Gender>,
    /// The rule's name and version.
    pub(super) rule: &'static str,
}

/// An introduction: who, as what, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Introduction {
    /// The relation.
    pub(super) kin: Kin,
    /// The names; more than one after a plural.
    pub(super) names: Vec<String>,
    /// The position of "my".
    pub(super) start: usize,
    /// The position behind the last name.
    pub(super) end: usize,
}

const PETS: &[&str] = &[
    "dog",
    "cat",
    "puppy",
    "pup",
    "kitten",
    "parrot",
    "rabbit",
    "hamster",
    "horse",
    "pony",
    "tortoise",
    "turtle",
    "goldfish",
    "budgie",
    "ferret",
    "snake",
    "lizard",
    "gecko",
    "canary",
    "bunny",
    "poodle",
    "labrador",
    "retriever",
    "spaniel",
];

/// Says whether a noun names an animal that people keep.
pub(super) fn is_pet(lower: &str) -> bool {
    PETS.contains(&lower)
}

/// Returns what a noun makes of the one it names, and whether it is a plural.
fn kin(noun: &str) -> Option<(Kin, bool)> {
    use Gender::{He, She};
    let singular = noun.strip_suffix('s').filter(|_| !["boss"].contains(&noun));
    let one = |noun: &str| {
        let (predicate, gender, rule) = match noun {
            "sister" => ("sibling", Some(She), "clause.sibling/1"),
            "brother" => ("sibling", Some(He), "clause.sibling/1"),
            "sibling" => ("sibling", None, "clause.sibling/1"),
            "mother" | "mom" | "mum" => ("child_of", Some(She), "clause.child_of/1"),
            "father" | "dad" => ("child_of", Some(He), "clause.child_of/1"),
            "daughter" => ("parent_of", Some(She), "clause.parent_of/1"),
            "son" => ("parent_of", Some(He), "clause.parent_of/1"),
            "wife" => ("spouse", Some(She), "clause.spouse/1"),
            "husband" => ("spouse", Some(He), "clause.spouse/1"),
            "spouse" => ("spouse", None, "clause.spouse/1"),
            "girlfriend" => ("partner", Some(She), "clause.partner/1"),
            "boyfriend" => ("partner", Some(He), "clause.partner/1"),
            "partner" => ("partner", None, "clause.partner/1"),
            "fiancée" => ("engaged_to", Some(She), "clause.engaged_to/1"),
            "fiancé" | "fiance" | "fiancee" => ("engaged_to", None, "clause.engaged_to/1"),
            "friend" | "buddy" | "neighbor" | "neighbour" | "colleague" | "coworker" | "co-worker"
            | "roommate" | "flatmate" | "housemate" | "classmate" => ("knows", None, "clause.knows/1"),
            "boss" | "manager" => ("reports_to", None, "clause.reports_to/1"),
            "aunt" | "grandmother" | "grandma" | "niece" => ("relative", Some(She), "clause.relative/1"),
            "uncle" | "grandfather" | "grandpa" | "nephew" => ("relative", Some(He), "clause.relative/1"),
            "cousin" => ("relative", None, "clause.relative/1"),
            pet if is_pet(pet) => ("has_pet", None, "clause.has_pet/1"),
            _ => return None,
        };
        Some(Kin { predicate, gender, rule })
    };
    match (one(noun), singular.and_then(one)) {
        (Some(kin), _) => Some((kin, false)),
        (None, Some(kin)) => Some((kin, true)),
        (None, None) => None,
    }
}

/// Reads "my younger sister" at a position: the relation, whether it is a plural, and the position behind.
pub(super) fn noun(clause: &Clause<'_>, at: usize) -> Option<(Kin, bool, usize)> {
    const ADJECTIVES: &[&str] = &[
        "younger",
        "older",
        "little",
        "big",
        "elder",
        "eldest",
        "youngest",
        "oldest",
        "twin",
        "best",
        "good",
        "close",
        "dear",
        "new",
        "beloved",
        "lovely",
        "sweet",
        "beautiful",
        "wonderful",
        "amazing",
        "baby",
        "kid",
        "work",
        "school",
        "college",
        "golden",
        "childhood",
    ];
    if !clause.is_one_of(at, &["my", "our"]) {
        return None;
    }
    let mut next = at + 1;
    while next < at + 3 && clause.is_one_of(next, ADJECTIVES) {
        next += 1;
    }
    let token = clause.token(next)?;
    if token.kind != Kind::Word || token.capital {
        return None;
    }
    let (kin, plural) = kin(&token.lower)?;
    Some((kin, plural, next + 1))
}

/// Reads "my sister Anna", "my cat, Luna,", "my friends Josh and Mark" at a position.
pub(super) fn introduction(clause: &Clause<'_>, at: usize) -> Option<Introduction> {
    let (kin, plural, behind) = noun(clause, at)?;
    let is_comma = |at: usize| clause.token(at).is_some_and(|token| token.kind == Kind::Comma);
    let apposition = is_comma(behind);
    let start =
        behind + usize::from(apposition) + usize::from(clause.is_one_of(behind, &["named", "called"]));
    let (name, mut end) = name(clause, start)?;
    // "My sister, Anna and Bob": two people more, or one? Only a name between commas is hers.
    if apposition && (plural || !(is_comma(end) || clause.token(end).is_none()) || clause.is(end + 1, "and"))
    {
        return None;
    }
    let mut names = vec![name];
    if plural {
        let and = |at: usize| {
            clause.is(at, "and") || (is_comma(at) && clause.token(at + 1).is_some_and(|t| t.capital))
        };
        while and(end) {
            let Some((next, behind)) = self::name(clause, end + 1) else {
                break;
            };
            names.push(next);
            end = behind;
        }
        if names.len() == 1 {
            return None;
        }
    }
    Some(Introduction { kin, names, start: at, end })
}

/// Reads a name of one or two words; a possessive "'s" may follow.
fn name(clause: &Clause<'_>, at: usize) -> Option<(String, usize)> {
    let (name, end) = clause.name_run(at)?;
    let first = clause.token(at)?;
    let known = !super::lexicon::is_no_name(&first.lower) && !super::lexicon::is_place(&name);
    (end - at <= 2 && known).then_some((name, end))
}
