//! The words of a pattern behind its verb, parted once and laid over many clauses.

use super::phrase::Clause;

/// The words behind a verb, in order.
#[derive(Clone, Debug)]
pub(super) struct Tail(Vec<Step>);

/// One word of them.
#[derive(Clone, Debug)]
struct Step {
    what: What,
    /// Whether it may be missing.
    optional: bool,
}

#[derive(Clone, Debug)]
enum What {
    Name,
    OneToThreeWords,
    OneOf(Vec<&'static str>),
}

impl Tail {
    /// Parts words by spaces: of those parted by `|` one stands, a word ending in `?` may be missing, `_` is one to three
    /// words, `@` a name.
    pub(super) fn of(words: &'static str) -> Tail {
        let step = |word: &'static str| {
            let (word, optional) = match word.strip_suffix('?') {
                Some(word) => (word, true),
                None => (word, false),
            };
            let what = match word {
                "@" => What::Name,
                "_" => What::OneToThreeWords,
                _ => What::OneOf(word.split('|').collect()),
            };
            Step { what, optional }
        };
        Tail(words.split_whitespace().map(step).collect())
    }

    /// Says whether the verb is all there is.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Says whether the words begin at a position, so that nothing there is passed over as loose. A word marked as one
    /// that may be missing may be passed over, too: "get really totally into".
    pub(super) fn opens(&self, clause: &Clause<'_>, at: usize) -> bool {
        self.0.first().is_some_and(|step| match &step.what {
            What::OneOf(words) => clause.is_one_of(at, &words[..words.len() - usize::from(step.optional)]),
            What::Name | What::OneToThreeWords => false,
        })
    }

    /// Returns the position behind the words; `None` where they do not stand at a position.
    pub(super) fn behind(&self, clause: &Clause<'_>, at: usize) -> Option<usize> {
        behind(&self.0, clause, at)
    }
}

fn behind(steps: &[Step], clause: &Clause<'_>, at: usize) -> Option<usize> {
    let Some((step, rest)) = steps.split_first() else {
        return Some(at);
    };
    let taken = match &step.what {
        What::Name => clause.name(at).and_then(|(_, end)| behind(rest, clause, end)),
        What::OneToThreeWords => (1..=3)
            .take_while(|count| !clause.ends_phrase(at + count - 1))
            .find_map(|count| behind(rest, clause, at + count)),
        What::OneOf(words) if clause.is_one_of(at, words) => behind(rest, clause, at + 1),
        What::OneOf(_) => None,
    };
    match taken {
        None if step.optional => behind(rest, clause, at),
        taken => taken,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::clause::prose::Piece;
    use crate::extract::clause::token::sentences;

    /// Lays words over a sentence; returns how many words of it they take.
    fn taken(words: &'static str, sentence: &str) -> Option<usize> {
        let mut taken = None;
        sentences(sentence, &[Piece::Words(0..sentence.len())], |found| {
            let clause = Clause { text: sentence, tokens: &found.tokens, times: &[] };
            taken = Tail::of(words).behind(&clause, 0);
        });
        taken
    }

    #[test]
    fn words_stand_or_may_be_missing() {
        assert_eq!(taken("", "on it"), Some(0));
        assert_eq!(taken("out of", "out of it"), Some(2));
        assert_eq!(taken("out of", "out it"), None);
        assert_eq!(taken("away|back? to", "back to it"), Some(2));
        assert_eq!(taken("away|back? to", "to it"), Some(1));
        assert_eq!(taken("_ of", "my whole team of it"), Some(4));
        assert_eq!(taken("_ of", "my whole good old team of it"), None);
        assert_eq!(taken("@ as", "Acme Labs as it"), Some(3));
        assert_eq!(taken("@ as", "acme as it"), None);
    }

    #[test]
    fn what_may_be_missing_is_passed_over_as_loose() {
        let text = "back again";
        sentences(text, &[Piece::Words(0..text.len())], |found| {
            let clause = Clause { text, tokens: &found.tokens, times: &[] };
            assert!(Tail::of("back to").opens(&clause, 0));
            assert!(!Tail::of("back? to").opens(&clause, 0));
            assert!(!Tail::of("").opens(&clause, 0));
        });
    }
}
