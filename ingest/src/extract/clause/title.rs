//! Works by their titles: "Dune" in quotation marks, a name, "a movie called Casablanca".

use super::fill::{Filled, one};
use super::lexicon;
use super::pattern::Pattern;
use super::phrase::Clause;
use super::token::Kind;

/// Words that point, ask or answer. In quotation marks they are stressed or repeated as often as they name a work.
#[rustfmt::skip]
const POINTING: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "he", "him", "his", "she", "her", "hers", "they",
    "them", "their", "theirs", "i", "me", "my", "mine", "you", "your", "yours", "we", "us", "our", "ours", "one", "all",
    "both", "some", "any", "none", "such", "same", "here", "there", "now", "then", "what", "which", "who", "whom",
    "whose", "when", "where", "why", "how", "is", "are", "was", "were", "and", "or", "but", "so", "not", "no", "yes",
    "everything", "something", "anything", "nothing", "everyone", "someone", "anyone", "nobody",
];

/// Reads the title of a work.
pub(super) fn title(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    const KINDS: &[&str] = &[
        "book",
        "novel",
        "movie",
        "film",
        "series",
        "show",
        "podcast",
        "documentary",
        "album",
        "song",
        "memoir",
        "anime",
        "musical",
        "story",
        "audiobook",
        "trilogy",
        "game",
    ];
    let mut at = at;
    let mut told = false;
    if clause.is_one_of(at, &["a", "an", "the", "this"]) {
        let kind = (at + 1..at + 5).find(|at| clause.is_one_of(*at, KINDS));
        match kind {
            Some(kind) => {
                at = kind + 1 + usize::from(clause.is_one_of(kind + 1, &["called", "titled", "named"]));
                told = true;
            }
            None => at += 1,
        }
    }
    if clause.token(at).is_some_and(|token| token.kind == Kind::Opaque) {
        let name = if told { quotation(clause, at) } else { quoted(clause, at) }?;
        return one(pattern, "work", &name);
    }
    let (name, mut end) = clause.name_run(at)?;
    let number = clause.token(end).is_some_and(|token| token.lower.bytes().all(|byte| byte.is_ascii_digit()));
    let name = if number && clause.token(end).is_some_and(|token| token.kind == Kind::Word) {
        end += 1;
        clause.words(at..end)
    } else {
        name
    };
    let other = lexicon::is_given_name(&name) && !told
        || lexicon::is_language(&name)
        || lexicon::is_place(&name)
        || lexicon::is_no_place(&name) && lexicon::technology(&name).is_none();
    // Who one saw may be anybody.
    let shown = told || !matches!(pattern.lemma, "see" | "start");
    (clause.ends_phrase(end) && !other && shown).then(|| one(pattern, "work", &name)).flatten()
}

/// Returns the title between quotation marks; none where its words only point or ask: "That", "What Is This".
pub(super) fn quoted(clause: &Clause<'_>, at: usize) -> Option<String> {
    let points = |word: &str| word.is_empty() || POINTING.contains(&word.to_lowercase().as_str());
    quotation(clause, at).filter(|title| !title.split(|c: char| !c.is_alphanumeric()).all(points))
}

/// Returns the words between quotation marks that may be a title, without the stop at their end.
fn quotation(clause: &Clause<'_>, at: usize) -> Option<String> {
    let mut words = String::new();
    for token in clause.tokens[at..].iter().take_while(|token| token.kind == Kind::Opaque) {
        words.push_str(&clause.text[token.span.clone()]);
    }
    let code = words.starts_with('`');
    let title = words.trim_matches(|c: char| "\"“”«»„,.!? ".contains(c));
    (!code
        && (2..=80).contains(&title.len())
        && title.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()))
    .then(|| title.to_owned())
}
