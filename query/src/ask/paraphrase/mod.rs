//! What else a question says, in words that the forms know: "which city does Ben call home" asks where he lives.
//!
//! ```text
//! text ─ runs of words put for others ─┬─ whole sentences put for others, again and again ─▶ paraphrases
//!                                      └─ clauses in the order of a question
//! ```
//!
//! It knows no store: a paraphrase may be no question that has a form, and is then left. Invariant: every word of a
//! question is in its paraphrase, or in the rule that made it.

mod order;
mod table;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::template::{Match, Template};
use super::words::{FIRST_PERSON, POSSESSIVE, Word, split};

/// Paraphrases that are tried at most.
const MOST: usize = 12;

/// A rule: what has this form says the same as each of these.
struct Rule {
    form: Template,
    means: &'static [&'static str],
}

fn rules(table: &'static [(&'static str, &'static [&'static str])]) -> Vec<Rule> {
    table.iter().map(|(form, means)| Rule { form: Template::new(form), means }).collect()
}

static RUNS: LazyLock<Vec<Rule>> = LazyLock::new(|| rules(table::RUNS));
static WHOLE: LazyLock<Vec<Rule>> = LazyLock::new(|| rules(table::WHOLE));

/// Returns what a normalised question says in other words, best first; nothing where no rule fits it.
pub(super) fn paraphrases(text: &str) -> Vec<String> {
    let plain = without_runs(text);
    let mut found: Vec<String> = Vec::new();
    let mut seen = BTreeSet::from([text.to_owned(), plain.clone()]);
    let mut open = vec![plain.clone()];
    while !open.is_empty() && found.len() < MOST {
        let mut next = Vec::new();
        for text in &open {
            for paraphrase in whole(text) {
                let paraphrase = without_runs(&paraphrase);
                if seen.insert(paraphrase.clone()) {
                    next.push(paraphrase);
                }
            }
        }
        // What was put in other words twice is nearer to a form than what was once.
        found.splice(0..0, next.iter().cloned());
        open = next;
    }
    if plain != text {
        found.push(plain);
    }
    found.truncate(MOST);
    found
}

/// Puts runs of words for others, wherever they stand: each rule at the first place where it fits, in the table's order.
fn without_runs(text: &str) -> String {
    let mut text = text.to_owned();
    let mut words = split(&text);
    for rule in RUNS.iter() {
        let run = (0..words.len()).find_map(|start| {
            let (length, matched) = rule.form.at_start(&words[start..])?;
            Some((start..start + length, matched))
        });
        let (Some((run, matched)), Some(means)) = (run, rule.means.first()) else { continue };
        let put = spell(&text, &words[run.clone()], &matched, means);
        let span = words[run.start].span.start..words[run.end - 1].span.end;
        text.replace_range(span, put.first().map_or("", String::as_str));
        text = tidy(&text);
        words = split(&text);
    }
    text
}

/// What a time in front of a question begins with.
const TIMES: &[&str] = &["in", "on", "at", "as", "since", "during", "by", "until", "last", "between", "from"];

/// Returns what a whole sentence says in the words of each rule that fits it, or what stands behind a time in front of it.
fn whole(text: &str) -> Vec<String> {
    let words = split(text);
    let mut found = by_rules(text, &words);
    let comma = words.iter().position(|word| word.folded == ",");
    if let (Some(first), Some(comma)) = (words.first(), comma)
        && TIMES.contains(&first.folded.as_str())
        && comma + 1 < words.len()
    {
        let front = &text[first.span.start..words[comma].span.end];
        let behind = by_rules(text, &words[comma + 1..]);
        found.extend(behind.iter().map(|question| format!("{front} {question}")));
    }
    found
}

fn by_rules(text: &str, words: &[Word]) -> Vec<String> {
    let mut found = Vec::new();
    for rule in WHOLE.iter() {
        for matched in rule.form.matches(words).iter().take(MOST) {
            for means in rule.means {
                found.extend(spell(text, words, matched, means));
            }
        }
    }
    found
}

/// Spells out what a rule puts for what it matched; several sentences where a clause has several orders.
fn spell(text: &str, words: &[Word], matched: &Match, means: &str) -> Vec<String> {
    let slot = |name: &str| -> Option<Range<usize>> {
        match name {
            "S" => matched.subject.clone(),
            "O" => matched.object.clone(),
            "K" => matched.key.clone(),
            "C" => matched.clause.clone(),
            "D" => matched.other.clone(),
            _ => None,
        }
    };
    let mut said: Vec<String> = vec![String::new()];
    for piece in means.split_whitespace() {
        if let Some(range) = piece.strip_prefix('^').and_then(slot) {
            let lead = said.first().cloned().unwrap_or_default();
            said = order::questions(&lead, text, &words[range]);
            continue;
        }
        let chosen = piece.strip_prefix('$').and_then(|nth| nth.parse::<usize>().ok());
        let put = match (slot(piece), chosen) {
            (Some(range), _) => spoken(text, words, &range),
            (None, Some(nth)) => matched.chosen.get(nth.wrapping_sub(1)).cloned().unwrap_or_default(),
            (None, None) => piece.to_owned(),
        };
        for said in &mut said {
            if put == POSSESSIVE && (said == "I" || said.ends_with(" I")) {
                said.pop();
                said.push_str("my");
            } else if put == POSSESSIVE || put == "," {
                said.push_str(&put);
            } else {
                said.push(' ');
                said.push_str(&put);
            }
        }
    }
    said.iter().map(|said| tidy(said)).collect()
}

/// Returns words as the text has them. The first half of "my" is "I".
fn spoken(text: &str, words: &[Word], range: &Range<usize>) -> String {
    let (Some(first), Some(last)) = (words.get(range.start), words.get(range.end.wrapping_sub(1))) else {
        return String::new();
    };
    let is_half =
        last.folded == FIRST_PERSON && words.get(range.end).is_some_and(|next| next.span == last.span);
    let end = if is_half { last.span.start } else { last.span.end };
    let own = text.get(first.span.start..end).unwrap_or_default().trim_end();
    let half = if is_half { "I" } else { "" };
    format!("{own} {half}").trim().to_owned()
}

fn tidy(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.replace(" ,", ",").trim_end_matches([',', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, among: &str) {
        let found = paraphrases(text);
        assert!(found.iter().any(|found| found == among), "{text}: {found:#?}");
    }

    #[test]
    fn idioms_are_put_in_the_words_of_the_table() {
        check("Which town did Eve call home in 2019", "Which town did Eve live in in 2019");
        check("Has my dog been ill all along", "Has my dog been ill always");
        check("When did my time at Acme come to an end", "when did I leave Acme");
    }

    #[test]
    fn clauses_are_put_in_the_order_of_a_question() {
        check("Tell me where Eve lives", "where does Eve live");
        check("I'd like to know which city Eve lived in", "which city did Eve live in");
        check("Could you tell me who Eve is married to", "who is Eve married to");
        check("Is it true that Eve left Acme", "did Eve leave Acme");
        check("Name the towns Eve has lived in", "which towns has Eve lived in");
    }

    #[test]
    fn what_no_rule_fits_has_no_paraphrase() {
        assert!(paraphrases("Where does Anna live").is_empty());
        assert!(paraphrases("").is_empty());
        assert!(paraphrases("'").is_empty());
    }
}
