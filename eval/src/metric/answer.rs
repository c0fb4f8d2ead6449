//! How good is an answer, told by its words? As LoCoMo's authors score them: `task_eval/evaluation.py` of
//! <https://github.com/snap-research/locomo>.
//!
//! ```text
//! words   commas and punctuation out, lower case, without a, an, the and and, stemmed
//! F1      of the words that two texts share, each as often as it stands in both
//!
//! 1 multi-hop     both are parted at commas: the best F1 of each part of the right answer, on average
//! 3 open-domain   the right answer counts up to its first semicolon
//! 5 adversarial   1 where the answer says "no information available" or "not mentioned"
//! 2, 4            F1
//! ```

use std::collections::BTreeMap;

use super::porter::stem;
use crate::dataset::locomo::Category;
use crate::real::real;

/// What says that there is no answer.
const ABSTENTIONS: [&str; 2] = ["no information available", "not mentioned"];

/// Scores an answer to a question of LoCoMo.
pub fn locomo(category: Category, answer: &str, right: &str) -> f64 {
    match category {
        Category::MultiHop => {
            let parts: Vec<&str> = right.split(',').map(str::trim).collect();
            let best = |part: &&str| answer.split(',').map(|one| f1(one.trim(), part)).fold(0.0, f64::max);
            parts.iter().map(best).sum::<f64>() / real(parts.len())
        }
        Category::Temporal | Category::SingleHop => f1(answer, right),
        Category::OpenDomain => f1(answer, right.split(';').next().unwrap_or_default().trim()),
        Category::Adversarial => f64::from(abstains(answer)),
    }
}

/// Says whether an answer is that there is none.
pub fn abstains(answer: &str) -> bool {
    let answer = answer.to_lowercase();
    ABSTENTIONS.iter().any(|phrase| answer.contains(phrase))
}

/// Returns the harmonic mean of the shares of words that two texts have in common; 0 where they have none.
pub fn f1(answer: &str, right: &str) -> f64 {
    let (answer, right) = (words(answer), words(right));
    let mut left: BTreeMap<&String, usize> = BTreeMap::new();
    for word in &right {
        *left.entry(word).or_default() += 1;
    }
    let mut n_common = 0;
    for word in &answer {
        if let Some(n_left) = left.get_mut(word).filter(|n_left| **n_left > 0) {
            *n_left -= 1;
            n_common += 1;
        }
    }
    if n_common == 0 {
        return 0.0;
    }
    let [precision, recall] = [answer.len(), right.len()].map(|n_words| real(n_common) / real(n_words));
    2.0 * precision * recall / (precision + recall)
}

fn words(text: &str) -> Vec<String> {
    let plain: String = text.to_lowercase().chars().filter(|c| !c.is_ascii_punctuation()).collect();
    // An article is one also where a mark that is no ASCII stands at it.
    let mut kept = String::new();
    let mut word = String::new();
    for c in plain.chars().chain([' ']) {
        if c.is_alphanumeric() {
            word.push(c);
        } else {
            kept.push_str(if matches!(&*word, "a" | "an" | "the" | "and") { " " } else { &word });
            kept.push(c);
            word.clear();
        }
    }
    kept.split_whitespace().map(stem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(category: Category, answer: &str, right: &str, expected: f64) {
        let found = locomo(category, answer, right);
        assert!((found - expected).abs() < 1e-12, "{answer:?} for {right:?}: {found}, not {expected}");
    }

    #[test]
    fn words_are_counted_without_articles_and_by_their_stems() {
        check(Category::SingleHop, "The kites, and a dog!", "kite dogs", 1.0);
        // One word of two, which is one of one: 2 · 1/2 · 1 / (3/2).
        check(Category::SingleHop, "red kite", "kites", 2.0 / 3.0);
        check(Category::SingleHop, "kite kite", "kite", 2.0 / 3.0);
        check(Category::SingleHop, "kite", "balloon", 0.0);
        check(Category::SingleHop, "", "kite", 0.0);
        check(Category::SingleHop, "the", "the", 0.0);
        check(Category::Temporal, "7 May, 2023", "7 May 2023", 1.0);
        check(Category::Temporal, "May 2023", "7 May 2023", 0.8);
        check(Category::SingleHop, "the\u{2019} kite", "kite \u{2019}", 1.0);
    }

    #[test]
    fn parts_of_a_multi_hop_answer_count_alike() {
        check(Category::MultiHop, "pottery, swimming", "swimming, pottery", 1.0);
        // "camping" is found, "swimming" is not; "went camping" shares one word of two.
        check(Category::MultiHop, "camping", "camping, swimming", 0.5);
        check(Category::MultiHop, "went camping", "camping, swimming", (2.0 / 3.0) / 2.0);
    }

    #[test]
    fn open_domain_answers_count_up_to_the_semicolon_and_traps_are_to_be_refused() {
        check(Category::OpenDomain, "likely yes", "Likely yes; she said so", 1.0);
        check(Category::SingleHop, "likely yes", "Likely yes; she said so", 4.0 / 7.0);
        check(Category::Adversarial, "That is Not Mentioned.", "a bowl", 1.0);
        check(Category::Adversarial, "No information available", "", 1.0);
        check(Category::Adversarial, "a bowl", "a bowl", 0.0);
        check(Category::SingleHop, "not mentioned", "a bowl", 0.0);
    }
}
