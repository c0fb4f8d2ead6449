//! Answers that say only what was asked for: "What's your favourite book?" – "Dune, of course!".
//!
//! The question opens a slot, and the answer's first words fill it where they are a name or a noun phrase and no clause
//! of their own.

use bygone_engine::{EntityRef, Object};

use super::affirm::Affirmed;
use super::cues::hedged;
use super::lexicon;
use super::mood::ADVERBS;
use super::phrase::Clause;
use super::prose::{self, Piece};
use super::reader::Reader;
use super::saying::span_of;
use super::token::{self, Sentence};
use super::verb::{VerbForm, readings};
use crate::candidate::Form;

/// How many sentences of a turn may be the answer.
const SENTENCES: u8 = 2;

/// What a question asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    predicate: &'static str,
    rule: &'static str,
    /// The type of what is asked for.
    kind: &'static str,
    /// Among what: "book" in "your favourite book".
    key: String,
    form: Form,
    /// Sentences that may still answer.
    left: u8,
}

impl Asked {
    /// Reads the last question of a speech.
    pub(super) fn of(speech: &str) -> Option<Asked> {
        if !speech.contains('?') || !has_asking_word(speech) {
            return None;
        }
        let asks =
            |piece: &Piece| matches!(piece, Piece::Words(words) if speech[words.clone()].contains('?'));
        let last = |stretch: &[Piece]| {
            let mut asked = None;
            token::sentences(speech, stretch, |sentence| {
                if sentence.asks {
                    asked = Some(question(speech, sentence));
                }
            });
            asked
        };
        let pieces = prose::pieces(speech, 0..speech.len());
        let stretches = pieces.rsplit(|piece| *piece == Piece::End);
        stretches.filter(|stretch| stretch.iter().any(asks)).find_map(last).flatten()
    }
}

const FAVOURITE: &[&str] = &["favorite", "favourite", "fave"];
const ASKING: &[&str] = &["what", "which", "where"];

/// Says whether a speech has one of the words without which [`question`] reads none.
fn has_asking_word(speech: &str) -> bool {
    let words = speech.as_bytes();
    let stands = |at: usize, word: &&str| {
        words.get(at..at + word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
    };
    (0..words.len()).any(|at| match words[at] {
        b'w' | b'W' => ASKING.iter().any(|word| stands(at, word)),
        b'f' | b'F' => FAVOURITE.iter().any(|word| stands(at, word)),
        _ => false,
    })
}

fn question(text: &str, sentence: &Sentence) -> Option<Asked> {
    let clause = Clause { text, tokens: &sentence.tokens, times: &[] };
    let slot =
        |predicate, rule, kind, key, form| Some(Asked { predicate, rule, kind, key, form, left: SENTENCES });
    let n_tokens = clause.tokens.len();
    for at in 0..n_tokens {
        let yours = clause.is_one_of(at, &["your", "a", "any"]) && clause.is_one_of(at + 1, FAVOURITE);
        if yours && clause.any(0, &["you", "your"]) {
            let topic = clause.words(at + 2..(at + 3).min(n_tokens)).to_lowercase();
            let ends = clause
                .token(at + 3)
                .is_none_or(|next| next.is_one_of(&["to", "of", "from", "you", "that", "in", "for", "so"]));
            let one = clause.is(at, "your") && !topic.ends_with('s') && ends && !topic.is_empty();
            return if one {
                slot("prefers", "answer.prefers/1", "thing", topic, Form::State)
            } else {
                slot("likes", "answer.likes/1", "thing", String::new(), Form::State)
            };
        }
        if !clause.is_one_of(at, ASKING) {
            continue;
        }
        let Some(you) = (at + 1..(at + 8).min(n_tokens)).find(|next| {
            clause.is_one_of(*next, &["do", "did", "are", "have"]) && clause.is(*next + 1, "you")
        }) else {
            continue;
        };
        let past = clause.is(you, "did");
        let mut verb = you + 2;
        while clause.is_one_of(verb, ADVERBS) {
            verb += 1;
        }
        let bare = you == at + 1;
        return match () {
            () if clause.is(at, "where") => match () {
                () if past && clause.is_one_of(verb, &["go", "travel", "visit", "fly"]) => {
                    slot("visited", "answer.visited/1", "place", String::new(), Form::Event)
                }
                () => None,
            },
            () if clause.is_one_of(verb, &["like", "love", "enjoy", "prefer"])
                && !past
                && !clause.is(verb + 1, "to") =>
            {
                slot("likes", "answer.likes/1", "thing", String::new(), Form::State)
            }
            () if clause.is_one_of(verb, &["into"]) => {
                slot("likes", "answer.likes/1", "thing", String::new(), Form::State)
            }
            () if bare
                && !past
                && clause.is_one_of(verb, &["do", "like"])
                && clause
                    .any(verb, &["fun", "relax", "unwind", "destress", "de-stress", "free", "spare"]) =>
            {
                slot("has_hobby", "answer.has_hobby/1", "activity", String::new(), Form::State)
            }
            () if past
                && clause.is_one_of(
                    verb,
                    &["make", "cook", "bake", "paint", "draw", "write", "create", "build"],
                ) =>
            {
                slot("created", "answer.created/1", "thing", String::new(), Form::Event)
            }
            () if past && clause.is_one_of(verb, &["buy", "get"]) => {
                slot("acquired", "answer.acquired/1", "thing", String::new(), Form::Event)
            }
            () if clause.is_one_of(verb, &["read", "reading", "watch", "watching", "playing"]) => {
                slot("consumed", "answer.consumed/1", "work", String::new(), Form::Event)
            }
            () => None,
        };
    }
    None
}

impl Reader<'_> {
    /// Counts a sentence that has not answered.
    pub(super) fn let_pass(&mut self) {
        if let Some(asked) = &mut self.asked {
            asked.left -= 1;
            if asked.left == 0 {
                self.asked = None;
            }
        }
    }

    /// Reads a clause as the answer to what was just asked; says whether it is one.
    pub(super) fn answer(&mut self, clause: &Clause<'_>, at: usize) -> bool {
        const LEADS: &[&[&str]] = &[
            &["i", "would", "say"],
            &["i", "would", "have", "to", "say"],
            &["that", "would", "be"],
            &["my", "favorite", "is"],
            &["it", "has", "to", "be"],
            &["mostly"],
            &["definitely"],
            &["probably"],
            &["hmm"],
        ];
        const FINITE: &[&str] = &[
            "is",
            "are",
            "was",
            "were",
            "'s",
            "has",
            "have",
            "had",
            "do",
            "does",
            "did",
            "can",
            "could",
            "will",
            "would",
            "sounds",
            "looks",
            "love",
            "like",
            "get",
            "got",
            "thanks",
            "thank",
            "sorry",
            "let",
            "wow",
            "nice",
            "cool",
            "glad",
            "absolutely",
            "same",
            "good",
            "great",
            "sure",
            "yes",
            "no",
            "hey",
            "hi",
            "exactly",
            "right",
        ];
        let Some(asked) = self.asked.clone() else { return false };
        let Some(speaker) = self.speaker.filter(|speaker| speaker.kind() == "person").cloned() else {
            return false;
        };
        let mut from = at;
        while let Some(lead) = LEADS.iter().find(|lead| clause.are(from, lead)) {
            from += lead.len();
        }
        while clause.is_one_of(from, ADVERBS) || clause.is_one_of(from, &["probably", "maybe", "either"]) {
            from += 1;
        }
        if hedged(clause) || clause.any(from, FINITE) {
            return false;
        }
        let read = match asked.kind {
            "activity" => clause.object_doing(from).or_else(|| clause.object_thing(from)),
            "place" => clause.object_definite(from),
            _ => clause.object_thing(from),
        };
        let Some(extent) = read else { return false };
        // A clause in which no verb was found, or a word of praise.
        let words = extent.words.to_lowercase();
        let acts = words.split(' ').skip(1).any(|word| {
            readings(word)
                .iter()
                .any(|(_, form)| matches!(form, VerbForm::Base | VerbForm::Third | VerbForm::Past))
        });
        if acts || lexicon::is_quality(&extent.head) {
            return false;
        }
        // What goes on is a clause that was not understood.
        let over = clause.token(extent.end).is_none_or(|next| {
            next.lower.is_empty() || next.is_one_of(&["of", "for", "and", "too", "because", "but"])
        });
        if !over {
            return false;
        }
        let names = if extent.items.is_empty() { vec![extent.words] } else { extent.items };
        let several = names.len() > 1;
        for name in names {
            let Ok(entity) = EntityRef::new(asked.kind, &name) else { continue };
            let (predicate, rule, key) = if several && asked.predicate == "prefers" {
                ("likes", "answer.likes/1", String::new())
            } else {
                (asked.predicate, asked.rule, asked.key.clone())
            };
            self.affirm(Affirmed {
                subject: speaker.clone(),
                predicate,
                key,
                object: Some(Object::Entity(entity)),
                form: asked.form,
                confidence: 0.7,
                span: span_of(clause, at),
                rule,
            });
        }
        self.asked = None;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_question_of_a_speech_counts() {
        let asked = |speech| Asked::of(speech).map(|asked| (asked.predicate, asked.key));
        let book = Some(("prefers", "book".to_owned()));
        assert_eq!(asked("Nice! What's your favourite book?"), book);
        assert_eq!(asked("WHAT'S YOUR FAVOURITE BOOK? Tell me."), book);
        assert_eq!(asked("How was Rome?\n- And your favourite book?\n\nBye."), book);
        assert_eq!(asked("What's your favourite book? Anyway, how are you?"), None);
        assert_eq!(asked("\"What's your favourite book?\" she said"), None);
        assert_eq!(asked("My favourite book is what I told you of."), None);
        assert_eq!(asked("?"), None);
    }
}
