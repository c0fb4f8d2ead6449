//! People and animals introduced by what they are to the speaker: "my sister Anna", "my cat, Luna".

use super::lexicon::Gender;
use super::phrase::Clause;
use super::token::Kind;

/// What a noun behind "my" makes of the one it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kin {
    /// The predicate from the speaker to them.
    pub(super) predicate: &'static str,
    /// What they are to the speaker, where one can be told by it alone: "sister", "mother".
    pub(super) role: Option<&'static str>,
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
    /// What tells the one named from others of the same kin.
    pub(super) slot: Option<String>,
    /// The position of "my", or of a name before it.
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
    "kitty",
    "pig",
    "doggo",
    "goat",
    "hedgehog",
    "iguana",
    "chinchilla",
    "terrier",
    "beagle",
    "bulldog",
    "corgi",
    "husky",
    "collie",
    "dachshund",
    "chihuahua",
    "pug",
    "parakeet",
    "cockatiel",
    "shepherd",
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
            "kid" | "child" => ("parent_of", None, "clause.parent_of/1"),
            "girlfriend" => ("partner", Some(She), "clause.partner/1"),
            "boyfriend" => ("partner", Some(He), "clause.partner/1"),
            "partner" => ("partner", None, "clause.partner/1"),
            "fiancée" => ("engaged_to", Some(She), "clause.engaged_to/1"),
            "fiancé" | "fiance" | "fiancee" => ("engaged_to", None, "clause.engaged_to/1"),
            "friend" | "buddy" | "neighbor" | "neighbour" | "colleague" | "coworker" | "co-worker"
            | "roommate" | "flatmate" | "housemate" | "classmate" => ("knows", None, "clause.knows/1"),
            "boss" | "manager" => ("reports_to", None, "clause.reports_to/1"),
            "aunt" | "auntie" | "grandmother" | "grandma" | "niece" | "granddaughter" => {
                ("relative", Some(She), "clause.relative/1")
            }
            "uncle" | "grandfather" | "grandpa" | "nephew" | "grandson" => {
                ("relative", Some(He), "clause.relative/1")
            }
            "cousin" => ("relative", None, "clause.relative/1"),
            pet if is_pet(pet) => ("has_pet", None, "clause.has_pet/1"),
            _ => return None,
        };
        Some(Kin { predicate, role: role(noun), gender, rule })
    };
    match (one(noun), singular.and_then(one)) {
        (Some(kin), _) => Some((kin, false)),
        (None, Some(kin)) => Some((kin, true)),
        (None, None) => None,
    }
}

/// Returns the one word for what somebody is to the speaker. Friends and animals have none: "my friend" is another one
/// each time.
fn role(noun: &str) -> Option<&'static str> {
    const ROLES: &[&str] = &[
        "sister",
        "brother",
        "mother",
        "father",
        "daughter",
        "son",
        "wife",
        "husband",
        "spouse",
        "girlfriend",
        "boyfriend",
        "partner",
        "boss",
        "manager",
        "aunt",
        "uncle",
        "niece",
        "nephew",
        "cousin",
        "grandmother",
        "grandfather",
        "granddaughter",
        "grandson",
    ];
    let noun = match noun {
        "mom" | "mum" => "mother",
        "dad" => "father",
        "grandma" => "grandmother",
        "grandpa" => "grandfather",
        "auntie" => "aunt",
        "fiancée" | "fiancé" | "fiance" | "fiancee" => return Some("fiancé"),
        other => other,
    };
    ROLES.iter().find(|role| **role == noun).copied()
}

/// Somebody spoken of only by what they are to the speaker: "my younger sister".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unnamed {
    /// The relation.
    pub(super) kin: Kin,
    /// What tells them from others of the same: "younger sister".
    pub(super) slot: String,
    /// The position of "my".
    pub(super) start: usize,
    /// The position behind the noun.
    pub(super) end: usize,
}

/// Reads "my younger sister" where no name and no further noun follows.
pub(super) fn unnamed(clause: &Clause<'_>, at: usize) -> Option<Unnamed> {
    let (kin, plural, end) = noun(clause, at)?;
    if plural || !closes(clause, end) {
        return None;
    }
    Some(Unnamed { kin, slot: slot(clause, kin, at, end)?, start: at, end })
}

/// Returns what tells somebody from others of the same kin, by the words from "my" to the noun.
pub(super) fn slot(clause: &Clause<'_>, kin: Kin, start: usize, end: usize) -> Option<String> {
    const TELLING: &[&str] =
        &["younger", "older", "little", "big", "elder", "eldest", "youngest", "oldest", "twin", "baby"];
    let mut words: Vec<&str> = clause.tokens[start..end]
        .iter()
        .filter(|token| token.is_one_of(TELLING))
        .map(|token| token.lower.as_str())
        .collect();
    words.push(kin.role?);
    Some(words.join(" "))
}

/// Says whether a noun phrase is over: "my sister company" goes on, "my sister plays" does not.
pub(super) fn closes(clause: &Clause<'_>, end: usize) -> bool {
    const PARTICLES: &[&str] = &["out", "up", "down", "along", "off", "home", "back", "inside"];
    const AUXILIARIES: &[&str] = &[
        "will", "would", "can", "could", "may", "might", "should", "must", "used", "'s", "said", "says",
        "told", "who", "wants", "loves",
    ];
    if clause.are(end, &["in", "law"]) || clause.name_run(end).is_some() {
        return false;
    }
    clause.ends_phrase(end)
        || clause.is_one_of(end, AUXILIARIES)
        || clause.is_one_of(end, PARTICLES)
        || clause.token(end).is_some_and(|token| {
            let readings = super::verb::readings(&token.lower);
            readings
                .iter()
                .any(|(_, form)| matches!(form, super::verb::VerbForm::Third | super::verb::VerbForm::Past))
        })
}

/// Reads "my younger sister" at a position: the relation, whether it is a plural, and the position behind.
pub(super) fn noun(clause: &Clause<'_>, at: usize) -> Option<(Kin, bool, usize)> {
    clause.is_one_of(at, &["my", "our"]).then(|| noun_behind(clause, at)).flatten()
}

/// Reads "younger sister" behind a determiner.
pub(super) fn noun_behind(clause: &Clause<'_>, at: usize) -> Option<(Kin, bool, usize)> {
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
        "guinea",
        "two",
        "three",
        "four",
        "furry",
        "pet",
        "rescue",
    ];
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
    if let Some(apposed) = apposed(clause, at) {
        return Some(apposed);
    }
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
    let slot = (!plural).then(|| slot(clause, kin, at, behind)).flatten();
    Some(Introduction { kin, names, slot, start: at, end })
}

/// Reads "Emma, my sister," at a position.
fn apposed(clause: &Clause<'_>, at: usize) -> Option<Introduction> {
    let is_comma = |at: usize| clause.token(at).is_some_and(|token| token.kind == Kind::Comma);
    // In the middle of a name nothing starts.
    let inside = at > 0
        && clause.token(at - 1).is_some_and(|token| token.capital && token.kind == Kind::Word && at > 1);
    if inside || !clause.token(at)?.capital {
        return None;
    }
    let end = clause.name_run_end(at).filter(|end| is_comma(*end))?;
    let (kin, plural, behind) = noun(clause, end + 1)?;
    let (name, _) = name(clause, at)?;
    let alone = is_comma(behind) || clause.token(behind).is_none();
    let slot = slot(clause, kin, end + 1, behind);
    (alone && !plural).then(|| Introduction { kin, names: vec![name], slot, start: at, end: behind })
}

/// Reads a name of one or two words; a possessive "'s" may follow.
fn name(clause: &Clause<'_>, at: usize) -> Option<(String, usize)> {
    let (name, end) = clause.name_run(at)?;
    let first = clause.token(at)?;
    let known = !super::lexicon::is_no_name(&first.lower) && !super::lexicon::is_place(&name);
    (end - at <= 2 && known).then_some((name, end))
}
