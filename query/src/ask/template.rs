//! Whether words have the form of a template, and what stands in its slots.
//!
//! A template is words in a row: `a|b` is either, `[a|b]` may be left out, `S`, `O` and `K` are slots of one to eight
//! words for a subject, an object and a key, `C` and `D` slots of any number for clauses. All words must be used up.

use std::ops::Range;

use super::words::Word;

/// The most words a slot may take.
const LONGEST_NAME: usize = 8;

/// One place of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Word(Vec<String>),
    Optional(Vec<String>),
    Slot(Slot),
}

/// What a slot is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Subject,
    Object,
    Key,
    Clause,
    Other,
}

/// The form of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template(Vec<Piece>);

/// What stands in a template's slots, as positions of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Match {
    /// The words of the subject.
    pub(super) subject: Option<Range<usize>>,
    /// The words of the object.
    pub(super) object: Option<Range<usize>>,
    /// The words of the key.
    pub(super) key: Option<Range<usize>>,
    /// The words of the clause.
    pub(super) clause: Option<Range<usize>>,
    /// The words of the other clause.
    pub(super) other: Option<Range<usize>>,
    /// Whether the word `still` was there.
    pub(super) still: bool,
    /// The words themselves that a multiple choice was met with, in order.
    pub(super) chosen: Vec<String>,
}

impl Template {
    /// Reads a template.
    pub(super) fn new(text: &str) -> Template {
        let choices = |text: &str| text.split('|').map(str::to_owned).collect();
        let pieces = text.split_whitespace().map(|piece| match piece {
            "S" => Piece::Slot(Slot::Subject),
            "O" => Piece::Slot(Slot::Object),
            "K" => Piece::Slot(Slot::Key),
            "C" => Piece::Slot(Slot::Clause),
            "D" => Piece::Slot(Slot::Other),
            piece => match piece.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
                Some(inner) => Piece::Optional(choices(inner)),
                None => Piece::Word(choices(piece)),
            },
        });
        Template(pieces.collect())
    }

    /// Returns every way in which the words have this form.
    pub(super) fn matches(&self, words: &[Word]) -> Vec<Match> {
        let mut found = Vec::new();
        // Most forms have a word that most texts have not; where the first is one, that is told at once.
        let has = |choices: &[String]| words.iter().any(|word| choices.contains(&word.folded));
        let may_fit = match self.0.first() {
            Some(Piece::Word(choices)) => words.first().is_some_and(|word| choices.contains(&word.folded)),
            _ => self.0.iter().all(|piece| match piece {
                Piece::Word(choices) => has(choices),
                Piece::Optional(_) | Piece::Slot(_) => true,
            }),
        };
        if !may_fit {
            return found;
        }
        step(&self.0, words, 0, &Match::default(), &mut found);
        found
    }
}

impl Template {
    /// Returns how many words from the start on have this form, and how; what may be left out is taken where it is there.
    /// A template with slots has none.
    pub(super) fn at_start(&self, words: &[Word]) -> Option<(usize, Match)> {
        let mut matched = Match::default();
        let mut at = 0;
        for piece in &self.0 {
            let here = words.get(at).map(|word| word.folded.as_str());
            let fits = |choices: &[String]| here.is_some_and(|here| choices.iter().any(|word| word == here));
            match piece {
                Piece::Word(choices) if fits(choices) => {
                    if choices.len() > 1 {
                        matched.chosen.extend(here.map(str::to_owned));
                    }
                    at += 1;
                }
                Piece::Optional(choices) if fits(choices) => at += 1,
                Piece::Optional(_) => {}
                Piece::Word(_) | Piece::Slot(_) => return None,
            }
        }
        (at > 0).then_some((at, matched))
    }
}

fn step(pieces: &[Piece], words: &[Word], at: usize, sofar: &Match, found: &mut Vec<Match>) {
    let Some((piece, rest)) = pieces.split_first() else {
        if at == words.len() {
            found.push(sofar.clone());
        }
        return;
    };
    let here = words.get(at).map(|word| word.folded.as_str());
    let fits = |choices: &[String]| here.is_some_and(|here| choices.iter().any(|choice| choice == here));
    match piece {
        Piece::Word(choices) => {
            if fits(choices) {
                let mut next = sofar.clone();
                next.still |= here == Some("still");
                if choices.len() > 1 {
                    next.chosen.extend(here.map(str::to_owned));
                }
                step(rest, words, at + 1, &next, found);
            }
        }
        Piece::Optional(choices) => {
            if fits(choices) {
                let mut next = sofar.clone();
                next.still |= here == Some("still");
                step(rest, words, at + 1, &next, found);
            }
            step(rest, words, at, sofar, found);
        }
        Piece::Slot(slot) => {
            let longest = match slot {
                Slot::Subject | Slot::Object | Slot::Key => LONGEST_NAME,
                Slot::Clause | Slot::Other => words.len(),
            };
            for end in at + 1..=words.len().min(at + longest) {
                let mut next = sofar.clone();
                let place = match slot {
                    Slot::Subject => &mut next.subject,
                    Slot::Object => &mut next.object,
                    Slot::Key => &mut next.key,
                    Slot::Clause => &mut next.clause,
                    Slot::Other => &mut next.other,
                };
                *place = Some(at..end);
                step(rest, words, end, &next, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::split;
    use super::*;

    #[track_caller]
    fn check(template: &str, text: &str, expected: &[(&str, &str)]) {
        let words = split(text);
        let said = |range: Option<Range<usize>>| {
            let words: Vec<&str> = range.into_iter().flatten().map(|at| words[at].folded.as_str()).collect();
            words.join(" ")
        };
        let found = Template::new(template).matches(&words);
        let found: Vec<(String, String)> =
            found.into_iter().map(|m| (said(m.subject), said(m.object))).collect();
        let found: Vec<(&str, &str)> = found.iter().map(|(s, o)| (s.as_str(), o.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn every_word_must_be_used() {
        check("does S [still] work at|for O", "does anna maria work for acme", &[("anna maria", "acme")]);
        check(
            "does S [still] work at|for O",
            "does anna still work at acme",
            &[("anna", "acme"), ("anna still", "acme")],
        );
        check("where does S live", "where does anna live alone", &[]);
        check("where does S live", "where does live", &[]);
    }
}
