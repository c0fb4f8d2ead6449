//! Words that tell how far a clause can be believed: doubts, questions, suppositions, corrections.

use super::phrase::Clause;
use super::token::{Kind, Token};

const RETRACTIONS: [(&[&str], Retraction); 13] = [
    (&["that", "was", "wrong"], Retraction::OfOnesOwn),
    (&["that", "is", "wrong"], Retraction::OfAnything),
    (&["that", "'s", "wrong"], Retraction::OfAnything),
    (&["i", "was", "wrong"], Retraction::OfOnesOwn),
    (&["i", "misspoke"], Retraction::OfOnesOwn),
    (&["my", "mistake"], Retraction::OfOnesOwn),
    (&["that", "was", "a", "mistake"], Retraction::OfOnesOwn),
    (&["that", "is", "not", "right"], Retraction::OfAnything),
    (&["that", "'s", "not", "right"], Retraction::OfAnything),
    (&["that", "'s", "incorrect"], Retraction::OfAnything),
    (&["that", "was", "incorrect"], Retraction::OfOnesOwn),
    (&["that", "is", "incorrect"], Retraction::OfAnything),
    (&["correction"], Retraction::OfOnesOwn),
];

/// What the words that take something back may refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Retraction {
    /// "I was wrong", "that was wrong": what the speaker said.
    OfOnesOwn,
    /// "that's wrong": what the speaker said, or somebody else just now.
    OfAnything,
    /// "sorry": it may be for no words at all.
    Apology,
}

/// Says whether a clause takes back what was said. Each of the words opens with one of those of `FIRST`.
pub(super) fn takes_back(tokens: &[Token]) -> bool {
    (0..tokens.len()).any(|at| retraction_at(tokens, at).is_some())
}

fn retraction_at(tokens: &[Token], at: usize) -> Option<(usize, Retraction)> {
    const FIRST: &[&str] = &["that", "i", "my", "correction"];
    if !tokens[at].is_one_of(FIRST) {
        return None;
    }
    RETRACTIONS.iter().find_map(|(words, retraction)| {
        let fits = tokens.len() - at >= words.len()
            && words.iter().zip(&tokens[at..]).all(|(word, token)| token.is(word));
        fits.then_some((words.len(), *retraction))
    })
}

/// Returns how a sentence takes back what was said, where the speaker says so plainly: "I don't think that was wrong",
/// "Ben said I was wrong" and "the correction of the exam" take back nothing.
pub(super) fn retraction(tokens: &[Token]) -> Option<Retraction> {
    const BEFORE: &[&str] = &[
        "no", "sorry", "oh", "oops", "well", "ah", "and", "but", "so", "actually", "wait", "ok", "okay",
        "yes", "i", "think", "am", "afraid", "see", "realise", "realize", "realised", "realized", "now",
        "just", "know", "noticed", "it", "was", "that", "a", "one", "small", "quick",
    ];
    let sorry = tokens.iter().any(|token| token.is_one_of(&["sorry", "oops"]));
    let plain = (0..tokens.len()).find_map(|at| {
        let (n_words, retraction) = retraction_at(tokens, at)?;
        let led = tokens[..at].iter().rev().take_while(|token| token.kind == Kind::Word);
        let stops = tokens.get(at + n_words).is_none_or(|next| next.kind != Kind::Word);
        let heads = !tokens[at].is("correction") || stops;
        (heads && led.into_iter().all(|token| token.is_one_of(BEFORE))).then_some(retraction)
    });
    match plain {
        Some(_) if sorry => Some(Retraction::OfOnesOwn),
        None if sorry => Some(Retraction::Apology),
        plain => plain,
    }
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

/// Says whether a clause supposes rather than states. What one hopes or dreams to do is wanted, and stated.
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
        "hopefully",
        "dreamed",
        "dreamt",
        "joking",
        "kidding",
    ];
    tokens.iter().enumerate().any(|(at, token)| {
        let wants = tokens.get(at + 1).is_some_and(|next| next.is_one_of(&["to", "of"]));
        token.is_one_of(WORDS) || (token.is("hope") && !wants)
    })
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

/// Says whether there is nothing but a doubt: "Maybe,".
pub(super) fn only_hedges(tokens: &[Token]) -> bool {
    matches!(tokens, [one] if one.is_one_of(&["maybe", "perhaps", "probably", "possibly"]))
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
        "must",
    ];
    clause.any(0, WORDS)
        || is_sarcasm(clause)
        || (0..clause.tokens.len()).any(|at| {
            clause.are(at, &["i", "guess"])
                || clause.are(at, &["i", "think"])
                || clause.are(at, &["in", "theory"])
        })
}

/// Says whether a clause is marked as not meant: "/s", or eyes that roll.
fn is_sarcasm(clause: &Clause<'_>) -> bool {
    let rest = clause.tokens.last().map_or("", |last| &clause.text[last.span.end..]);
    let line = rest.trim_start_matches([' ', '.', '!']);
    clause.tokens.last().is_some_and(|last| last.is("s") && clause.text[..last.span.start].ends_with('/'))
        || line.starts_with("/s")
        || line.starts_with('🙄')
}

/// Says whether a denial reaches only some time back: "in ages", "lately".
pub(super) fn of_late(clause: &Clause<'_>) -> bool {
    (0..clause.tokens.len()).any(|at| {
        clause.is_one_of(at, &["lately", "recently"])
            || (clause.is_one_of(at, &["in", "for"])
                && clause.is_one_of(at + 1, &["ages", "years", "months", "weeks", "forever"]))
            || clause.are(at, &["a", "while"])
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
