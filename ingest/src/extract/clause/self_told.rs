//! What people tell of themselves in a word or two: age, health, diet, languages, whether they are married.

use bygone_engine::Object;
use bygone_engine::object::Number;

use super::fill::{Filled, Saying, one, say_all};
use super::kin;
use super::lexicon;
use super::pattern::{Class, Pattern};
use super::phrase::Clause;
use super::thing::INDEFINITE;

/// Reads an age in years: "34 years old", or "34" where nothing follows that counts something else.
pub(super) fn age(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    let years = number(clause, at).filter(|years| (1..=120).contains(years))?;
    let old = clause.is_one_of(at + 1, &["years", "year"]) && clause.is(at + 2, "old");
    // "I'm 32 now", but not "I'm 32 in line".
    let stops =
        |token: &super::token::Token| token.lower.is_empty() || token.is_one_of(&["now", "and", "so"]);
    let bare = match pattern.lemma {
        "turn" => clause.ends_phrase(at + 1),
        _ => (18..100).contains(&years) && clause.token(at + 1).is_none_or(stops),
    };
    let object = Object::Number { value: Number::Whole(years), unit: None };
    (old || bare).then(|| Filled { sayings: say_all(pattern, &object), ..Filled::default() })
}

fn number(clause: &Clause<'_>, at: usize) -> Option<i64> {
    const WORDS: &[&str] = &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let token = clause.token(at)?;
    let word = WORDS.iter().position(|word| token.is(word)).and_then(|at| i64::try_from(at + 1).ok());
    word.or_else(|| token.lower.parse().ok())
}

/// Reads how many children, sisters or dogs: a number, and for animals that there are some.
pub(super) fn counted(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    const PEOPLE: &[&str] = &[
        "children",
        "sons",
        "daughters",
        "sisters",
        "brothers",
        "siblings",
        "grandchildren",
        "cousins",
        "nieces",
        "nephews",
    ];
    let count = number(clause, at).filter(|count| *count > 1)?;
    let mut head = at + 1;
    while head < at + 3
        && clause
            .is_one_of(head, &["beautiful", "young", "wonderful", "older", "younger", "little", "adorable"])
    {
        head += 1;
    }
    let noun = clause.token(head)?.lower.as_str();
    let noun = if noun == "kids" { "children" } else { noun };
    let pet = noun.strip_suffix('s').filter(|pet| kin::is_pet(pet));
    if !clause.ends_phrase(head + 1) || (pet.is_none() && !PEOPLE.contains(&noun)) {
        return None;
    }
    let measure = Saying {
        predicate: "measure",
        class: Class::State,
        key: noun.to_owned(),
        object: Some(Object::Number { value: Number::Whole(count), unit: None }),
        rule: "clause.count/1",
        only_if_held: true,
    };
    let mut filled = match pet {
        Some(pet) => one(pattern, "animal", pet)?,
        None => Filled::default(),
    };
    filled.sayings.push(measure);
    Some(filled)
}

/// Reads a condition of health; what is diagnosed is one, whatever it is called.
pub(super) fn condition(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    let at = at + usize::from(clause.is_determiner(at, &[INDEFINITE, &["my"]]));
    let thing = clause.thing(at)?;
    let known = pattern.lemma == "be" || lexicon::is_condition(&thing.head);
    (known && !lexicon::is_abstract(&thing.head)).then(|| one(pattern, "condition", &thing.name)).flatten()
}

/// Reads what one is allergic to.
pub(super) fn allergy(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    let thing = clause.thing(at)?;
    let mut filled = one(pattern, "condition", &format!("allergy to {}", thing.name))?;
    for other in clause.more_noun_phrases(thing.end) {
        filled.sayings.extend(one(pattern, "condition", &format!("allergy to {other}"))?.sayings);
    }
    Some(filled)
}

/// Reads languages one speaks.
pub(super) fn languages(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    let at = at + usize::from(clause.is_one_of(at, &["fluent", "some", "both"]));
    let (name, end) = clause.name(at)?;
    let mut filled = Filled::default();
    for name in [vec![name], clause.more_names(end)].concat() {
        if !lexicon::is_language(&name) {
            return None;
        }
        filled.sayings.extend(one(pattern, "language", &name)?.sayings);
    }
    Some(filled)
}

/// Reads a word that says all: "vegan", "single".
pub(super) fn word(clause: &Clause<'_>, pattern: &Pattern, at: usize, words: &[&str]) -> Option<Filled> {
    let at = at + usize::from(clause.is_one_of(at, &["a", "an"]));
    let word = words.iter().find(|word| clause.is(at, word))?;
    let ends = clause.ends_phrase(at + 1) && !clause.is_one_of(at + 1, &["to", "by", "with", "from", "for"]);
    ends.then(|| Filled { sayings: say_all(pattern, &Object::Text((*word).to_owned())), ..Filled::default() })
}

/// How people eat.
pub(super) const DIETS: &[&str] =
    &["vegan", "vegetarian", "pescatarian", "flexitarian", "gluten-free", "dairy-free", "kosher", "halal"];

/// Whether people are with somebody.
pub(super) const STATUSES: &[&str] = &["single", "married", "divorced", "widowed", "engaged", "separated"];
