//! Do things stand in an answer in the order in which they came?
//!
//! A thing stands where the first of its own words stands: words of four letters or more that no other thing of the
//! question has. Where one thing is chosen, the answer has to have more of its words than of the other's.

use std::collections::BTreeSet;

/// Says whether names, in their order, agree with an answer. `question` holds the names among which one was chosen.
pub fn agrees(names: &[String], answer: &str, question: &str) -> bool {
    let said = words(answer);
    match names {
        [] => false,
        [name] => {
            let own: BTreeSet<String> = words(name).into_iter().collect();
            let has = |words: &BTreeSet<String>| words.iter().filter(|word| said.contains(word)).count();
            let others: BTreeSet<String> =
                words(question).into_iter().filter(|word| !own.contains(word)).collect();
            let among = said.iter().filter(|word| own.contains(*word) || others.contains(*word)).count();
            2 * has(&own) > among.max(1) || 2 * has(&own) > own.len().max(1)
        }
        names => {
            let all: Vec<Vec<String>> = names.iter().map(|name| words(name)).collect();
            let place = |nth: usize| {
                let is_own = |word: &&String| {
                    all.iter().enumerate().all(|(other, words)| other == nth || !words.contains(word))
                };
                all[nth]
                    .iter()
                    .filter(is_own)
                    .filter_map(|word| said.iter().position(|one| one == word))
                    .min()
            };
            let places: Option<Vec<usize>> = (0..names.len()).map(place).collect();
            places.is_some_and(|places| places.is_sorted())
        }
    }
}

/// Returns the words of a text that tell things apart.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts
        .filter(|word| word.chars().count() > 2 && !["the", "and"].contains(word))
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: &[&str], answer: &str, expected: bool) {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let question = "Which did I buy first, the red kite or the blue boat?";
        assert_eq!(agrees(&names, answer, question), expected, "{names:?}: {answer}");
    }

    #[test]
    fn one_thing_is_the_one_that_the_answer_has() {
        check(&["the red kite"], "The red kite", true);
        check(&["the red kite"], "You bought the red kite first.", true);
        check(&["the red kite"], "the blue boat", false);
        check(&[], "the blue boat", false);
    }

    #[test]
    fn several_things_stand_in_their_order() {
        check(&["I sold a bike", "I ran", "I slept"], "First I sold it, then I ran, then I slept.", true);
        check(&["I ran", "I sold a bike"], "First I sold it, then I ran.", false);
        check(&["I ran", "I swam"], "First I ran.", false);
    }
}
