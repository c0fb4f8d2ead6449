//! Which lines may fit a sentence: those of which it has the words that they cannot do without.
//!
//! Most sentences have them of no line, and nothing more is done with those. What is left out here, [`Parted::fit`]
//! would not fit: the words needed are part of the lines themselves.

use super::table::{Line, Parted};
use crate::extract::clause::known::ByWord;
use crate::extract::clause::token::Token;

/// Lines with the words they need, each word by its number.
pub(super) struct Needed {
    lines: Vec<(Parted, Vec<Vec<usize>>)>,
    numbers: ByWord<&'static str, usize>,
}

impl Needed {
    pub(super) fn of(lines: &'static [Line]) -> Needed {
        let mut numbers = ByWord::default();
        let mut numbered = |words: Vec<&'static str>| {
            let number = |word| {
                let next = numbers.len();
                *numbers.entry(word).or_insert(next)
            };
            words.into_iter().map(number).collect()
        };
        let mut parted = |line| {
            let line = Parted::of(line);
            let needed = line.needed().map(&mut numbered).collect();
            (line, needed)
        };
        let lines = lines.iter().map(&mut parted).collect();
        Needed { lines, numbers }
    }

    /// Returns the lines that may fit some words, in their order.
    pub(super) fn lines(&self, tokens: &[Token]) -> impl Iterator<Item = &Parted> {
        let mut stands = vec![false; self.numbers.len()];
        for token in tokens {
            if let Some(number) = self.numbers.get(token.lower.as_str()) {
                stands[*number] = true;
            }
        }
        let fits = move |needed: &[Vec<usize>]| {
            needed.iter().all(|words| words.iter().any(|number| stands[*number]))
        };
        self.lines.iter().filter(move |(_, needed)| fits(needed)).map(|(line, _)| line)
    }
}

#[cfg(test)]
mod tests {
    use bygone_engine::time::Instant;

    use super::super::lines::LINES;
    use super::super::reduced::Reduced;
    use super::super::tense;
    use super::*;
    use crate::extract::clause::opening::Times;
    use crate::extract::clause::prose::pieces;
    use crate::extract::clause::token::sentences;

    /// Puts a word of a pattern into a sentence: one of the alternatives, where there are several by turns.
    fn word(pattern: &'static str, turn: usize) -> &'static str {
        let words: Vec<&str> = pattern.split('|').collect();
        match words[turn % words.len()] {
            "X" => "Project Falcon",
            "<me>" if turn.is_multiple_of(2) => "I",
            "<me>" => "we",
            "<det>" => "our",
            "<adj>" => "current",
            "<job>" => "role",
            "<home>" => "flat",
            "_" => "nice",
            word => word,
        }
    }

    /// Returns the forms in which a verb is told.
    fn told(lemma: &'static str) -> Vec<&'static str> {
        match lemma {
            "be" => vec!["am", "are", "is", "was", "were", "have been", "used to be"],
            lemma => tense::words(lemma).to_vec(),
        }
    }

    /// Returns sentences made of a line: with every form of its verbs, with and without what may be missing.
    fn made_of(line: &Line) -> Vec<String> {
        let mut made = Vec::new();
        for (turn, verb) in line.verbs.split('|').flat_map(told).enumerate() {
            for optional in [true, false] {
                let part = |words: &'static str| -> Vec<&str> {
                    let stands = |word: &&str| optional || !word.ends_with('?');
                    let words = words.split_whitespace().filter(stands);
                    words.map(|part| word(part.trim_end_matches('?'), turn)).collect()
                };
                let (before, after) = (part(line.before).join(" "), part(line.after).join(" "));
                made.push(format!("Oh {before} {verb} {after}."));
            }
        }
        made
    }

    #[test]
    fn no_line_is_left_out_that_fits() {
        let needed = Needed::of(LINES);
        let said_at = Instant::from_micros(1_700_000_000_000_000).expect("ordinary");
        let mut n_fitting = 0;
        for text in LINES.iter().flat_map(made_of) {
            let times = Times::of(&text, said_at);
            sentences(&text, &pieces(&text, 0..text.len()), |sentence| {
                let Some(reduced) = Reduced::of(&text, said_at, &times, &sentence.tokens) else { return };
                let words = |line: &Line| (line.before, line.verbs, line.after);
                let may_fit: Vec<_> =
                    needed.lines(&sentence.tokens).map(|parted| words(parted.line)).collect();
                for line in LINES {
                    if Parted::of(line).fit(&reduced, &|_, _, _| true).is_some() {
                        n_fitting += 1;
                        assert!(may_fit.contains(&words(line)), "{text}: {:?}", words(line));
                    }
                }
            });
        }
        assert!(n_fitting > 5 * LINES.len(), "{n_fitting} of {}", LINES.len());
    }

    #[test]
    fn most_talk_has_the_words_of_no_line() {
        for text in ["It was raining all day.", "Thanks a lot!", "Could Anna bring the Acme cups?"] {
            sentences(text, &pieces(text, 0..text.len()), |sentence| {
                assert_eq!(Needed::of(LINES).lines(&sentence.tokens).count(), 0, "{text}");
            });
        }
    }
}
