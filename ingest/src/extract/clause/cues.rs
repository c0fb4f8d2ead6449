//! Words that tell how far a clause can be believed: doubts, questions, suppositions, corrections.

use super::phrase::Clause;
use super::token::Token;

/// Says whether a clause takes back what was said.
pub(super) fn takes_back(tokens: &[Token]) -> bool {
    const WORDS: [&[&str]; 13] = [
        &["that", "was", "wrong"],
        &["that", "is", "wrong"],
        &["that", "'s", "wrong"],
        &["i", "was", "wrong"],
        &["i", "misspoke"],
        &["my", "mistake"],
        &["that", "was", "a", "mistake"],
        &["that", "is", "not", "right"],
        &["that", "'s", "not", "right"],
        &["that", "'s", "incorrect"],
        &["that", "was", "incorrect"],
        &["that", "is", "incorrect"],
        &["correction"],
    ];
    (0..tokens.len()).any(|at| {
        WORDS.iter().any(|words| {
            tokens.len() - at >= words.len()
                && words.iter().zip(&tokens[at..]).all(|(word, token)| token.is(word))
        })
    })
}

/// Says whether a clause opens as a question.
pub(super) fn opens_question(tokens: &[Token]) -> bool {
    const OPENERS: &[&str] = &[
        "do", "does", "did", "is", "are", "am", "was", "were", "can", "could", "would", "will", "what",
        "who", "where", "when", "why", "how", "which", "any", "have", "has", "had", "should", "shall", "may",
        "might", "whose", "whom", "got", "know", "anyone",
    ];
    tokens.first().is_some_and(|token| token.is_one_of(OPENERS))
}

/// Says whether a clause supposes rather than states.
pub(super) fn supposes(tokens: &[Token]) -> bool {
    const WORDS: &[&str] = &[
        "wish",
        "suppose",
        "imagine",
        "assume",
        "assuming",
        "pretend",
        "pretending",
        "hypothetically",
        "hope",
        "hopefully",
        "dream",
        "dreamed",
        "dreamt",
        "joking",
        "kidding",
        "considering",
    ];
    tokens.iter().any(|token| token.is_one_of(WORDS))
}

/// Says whether a clause does nothing but doubt the one before: ", I guess".
pub(super) fn doubts(tokens: &[Token]) -> bool {
    let guess = tokens.len() <= 3
        && tokens.first().is_some_and(|token| token.is("i"))
        && tokens
            .get(1)
            .is_some_and(|token| token.is_one_of(&["guess", "think", "suppose", "believe", "wish", "hope"]));
    let jest = tokens.len() <= 2
        && tokens.last().is_some_and(|token| token.is_one_of(&["kidding", "joking", "jk", "not"]));
    guess || jest
}

/// Says whether a clause is said with a doubt.
pub(super) fn hedged(clause: &Clause<'_>) -> bool {
    const WORDS: &[&str] = &[
        "maybe",
        "perhaps",
        "probably",
        "possibly",
        "presumably",
        "jk",
        "almost",
        "nearly",
        "sarcasm",
        "allegedly",
    ];
    clause.any(0, WORDS)
        || (0..clause.tokens.len()).any(|at| {
            clause.are(at, &["i", "guess"])
                || clause.are(at, &["i", "think"])
                || clause.are(at, &["in", "theory"])
        })
}

pub(super) fn any_more(clause: &Clause<'_>) -> bool {
    (0..clause.tokens.len()).any(|at| {
        clause.is(at, "anymore") || clause.are(at, &["any", "more"]) || clause.are(at, &["any", "longer"])
    })
}

/// Says whether work is said to be a second one: "part-time", "on the side", "also".
pub(super) fn is_aside(clause: &Clause<'_>) -> bool {
    clause.any(0, &["part-time", "also"])
        || (0..clause.tokens.len()).any(|at| clause.are(at, &["on", "the", "side"]))
}

/// Says whether time words name a year in four digits.
pub(super) fn names_year(words: &str) -> bool {
    words
        .split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20")))
}
