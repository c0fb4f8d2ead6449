//! Where one clause of a sentence ends and the next begins, and what ties them together.

use std::ops::Range;

use super::mood::ADVERBS;
use super::token::{Kind, Token};
use super::verb::{VerbForm, readings};

/// What a clause has to do with the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// It starts the sentence, or stands behind punctuation.
    Loose,
    /// "and", "then", or a comma: it may lean on the subject before.
    And,
    /// "but", "because", "so", "although": a statement of its own.
    Reason,
    /// "if", "unless", "whether": supposed, not said.
    Condition,
    /// "when", "while", "before": taken for granted, and not dated by what follows.
    Time,
    /// "who".
    Who,
    /// "which", "where", "whose".
    Relative,
}

impl Link {
    /// Says whether a clause that is tied so is said, and not supposed or taken for granted.
    pub(super) fn tells(self) -> bool {
        matches!(self, Link::Loose | Link::And | Link::Reason)
    }
}

/// A clause as positions in its sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Its tokens.
    pub(super) tokens: Range<usize>,
    /// How it is tied to the part before.
    pub(super) link: Link,
    /// Whether a comma or other stop stands before it.
    pub(super) stopped: bool,
}

/// Splits a sentence into its clauses, in order.
pub(super) fn parts(tokens: &[Token]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut link = Link::Loose;
    let mut stopped = false;
    let mut at = 0;
    while at < tokens.len() {
        let comma = tokens[at].kind == Kind::Comma;
        let split = match tokens[at].kind {
            Kind::Opaque => None,
            Kind::Break => Some((at + 1, Link::Loose)),
            Kind::Comma => {
                let word = tokens.get(at + 1).map_or("", |token| token.lower.as_str());
                match link_of(word) {
                    Some(link) => conjunction(tokens, at + 1, link),
                    None => begins_clause(tokens, at + 1, false).then_some((at + 1, Link::And)),
                }
            }
            Kind::Word => link_of(&tokens[at].lower).and_then(|link| conjunction(tokens, at, link)),
        };
        match split {
            Some((next, next_link)) => {
                if start < at {
                    let tokens = start..at;
                    parts.push(Part { tokens, link, stopped });
                    stopped = false;
                }
                stopped |= comma || tokens[at].kind == Kind::Break;
                start = next;
                link = next_link;
                at = next;
            }
            None => at += 1,
        }
    }
    if start < tokens.len() {
        let tokens = start..tokens.len();
        parts.push(Part { tokens, link, stopped });
    }
    parts
}

fn link_of(word: &str) -> Option<Link> {
    match word {
        "and" | "then" | "or" | "plus" => Some(Link::And),
        "but" | "so" | "because" | "although" | "though" | "since" | "as" | "yet" | "whereas" => {
            Some(Link::Reason)
        }
        "if" | "unless" | "whether" => Some(Link::Condition),
        "when" | "while" | "before" | "after" | "until" | "once" | "whenever" => Some(Link::Time),
        "who" => Some(Link::Who),
        "which" | "where" | "whose" => Some(Link::Relative),
        _ => None,
    }
}

/// Returns where the clause behind a conjunction starts, or `None` where no clause follows it.
fn conjunction(tokens: &[Token], at: usize, link: Link) -> Option<(usize, Link)> {
    let mut next = at + 1;
    let mut link = link;
    // "and then", "but since", "and if".
    while let Some(further) = tokens.get(next).and_then(|token| link_of(&token.lower)) {
        if link != Link::And && link != Link::Reason {
            break;
        }
        link = if further == Link::And { link } else { further };
        next += 1;
    }
    let splits = match link {
        Link::Condition | Link::Who | Link::Relative => true,
        Link::And => begins_clause(tokens, next, true),
        Link::Reason if tokens[at].is_one_of(&["because", "although", "though", "whereas"]) => true,
        Link::Time if tokens[at].is_one_of(&["when", "while", "whenever"]) => true,
        Link::Reason | Link::Time => begins_clause(tokens, next, false),
        Link::Loose => false,
    };
    splits.then_some((next, link))
}

/// Says whether a clause with a subject of its own (or, after "and", with a verb that leans on the one before) begins.
fn begins_clause(tokens: &[Token], from: usize, leaning: bool) -> bool {
    // "Tea and walks": more often a noun.
    const NOUNS: &[&str] = &[
        "play",
        "plays",
        "watch",
        "watches",
        "cook",
        "cooks",
        "paint",
        "paints",
        "dance",
        "dances",
        "run",
        "runs",
        "walk",
        "walks",
        "design",
        "designs",
        "records",
        "order",
        "orders",
        "read",
        "reads",
        "visits",
        "hikes",
        "hike",
        "draw",
        "sketch",
        "sketches",
        "swim",
        "swims",
        "surf",
        "exercise",
        "exercises",
        "drink",
        "drinks",
        "garden",
        "gardens",
        "coach",
        "call",
        "calls",
        "ski",
        "sings",
        "practice",
        "turn",
        "turns",
        "crafts",
        "craft",
        "pass",
        "passes",
        "cycle",
        "bakes",
        "open",
        "drive",
        "drives",
        "hosts",
        "stay",
        "stays",
        "vacation",
        "vacations",
        "head",
        "heads",
        "camp",
        "camps",
        "climb",
        "climbs",
    ];
    const PRONOUNS: &[&str] =
        &["i", "we", "he", "she", "they", "it", "you", "there", "that", "this", "everyone", "let"];
    const TIME_WORDS: &[&str] = &[
        "last",
        "this",
        "next",
        "yesterday",
        "today",
        "tomorrow",
        "week",
        "weekend",
        "month",
        "year",
        "night",
        "summer",
        "winter",
        "spring",
        "fall",
        "sometimes",
        "lately",
        "recently",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    const ASKING: &[&str] = &[
        "do", "does", "did", "can", "could", "would", "will", "is", "are", "am", "was", "were", "have",
        "has", "should", "shall", "what", "how", "any", "why",
    ];
    let mut at = from;
    while tokens.get(at).is_some_and(|token| token.is_one_of(ADVERBS)) {
        at += 1;
    }
    // "And last weekend I went".
    let mut behind = at;
    while behind < at + 3 && tokens.get(behind).is_some_and(|token| token.is_one_of(TIME_WORDS)) {
        behind += 1;
    }
    if behind > at
        && tokens.get(behind).is_some_and(|token| token.is_one_of(&["i", "we", "he", "she", "they"]))
    {
        return true;
    }
    let Some(token) = tokens.get(at) else {
        return false;
    };
    let follows = |at: usize| tokens.get(at);
    if token.is_one_of(PRONOUNS) {
        return !token.is_one_of(&["that", "this"]) || follows(at + 1).is_some_and(is_finite);
    }
    if token.is_one_of(&["my", "our", "the", "your", "his", "her"]) {
        // A noun phrase is a subject where a finite verb comes soon and nothing parts them.
        return tokens[at + 1..].iter().take(5).take_while(|token| token.kind == Kind::Word).any(is_finite);
    }
    if token.is_one_of(ASKING) {
        return leaning
            || token.is_one_of(&["what", "how", "any", "why"])
            || follows(at + 1).is_some_and(|next| next.is_one_of(PRONOUNS));
    }
    if token.capital && token.kind == Kind::Word {
        let behind = tokens[at..]
            .iter()
            .position(|token| !(token.is_one_of(ADVERBS) || (token.capital && token.kind == Kind::Word)));
        return behind.and_then(|offset| follows(at + offset)).is_some_and(is_finite);
    }
    leaning
        && !token.is_one_of(NOUNS)
        && readings(&token.lower).iter().any(|(_, form)| *form != VerbForm::Ing)
}

fn is_finite(token: &Token) -> bool {
    const AUXILIARIES: &[&str] =
        &["will", "would", "could", "can", "might", "may", "should", "does", "did", "do", "'s", "said"];
    token.is_one_of(AUXILIARIES)
        || token.is_one_of(&["says", "told", "never", "wants", "wanted", "plans"])
        || (!token.capital
            && readings(&token.lower)
                .iter()
                .any(|(_, form)| matches!(form, VerbForm::Third | VerbForm::Past | VerbForm::Base)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::clause::prose::Piece;
    use crate::extract::clause::token::sentences;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut found = Vec::new();
        sentences(text, &[Piece::Words(0..text.len())], |sentence| {
            for part in parts(&sentence.tokens) {
                let tokens = &sentence.tokens[part.tokens.clone()];
                found.push(text[tokens[0].span.start..tokens[tokens.len() - 1].span.end].to_owned());
            }
        });
        assert_eq!(found.join(" | "), expected);
    }

    #[test]
    fn a_clause_starts_where_a_subject_does() {
        check("I live in Boston and I work at Acme", "I live in Boston | I work at Acme");
        check("I love tea, coffee and cake", "I love tea, coffee and cake");
        check("I left Acme and joined Beta", "I left Acme | joined Beta");
        check("In March, I moved", "In March | I moved");
        check("I moved because Anna works here", "I moved | Anna works here");
        check("I work at Acme, can you help", "I work at Acme | can you help");
        check("I live in Lisbon, Portugal", "I live in Lisbon, Portugal");
        check("I moved, but if I stay, I win", "I moved | I stay | I win");
    }
}
