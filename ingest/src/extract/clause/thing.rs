//! Things by their kind: "a new camera", "some banana bread", "a painting of a sunset".

use super::fill::{Filled, one};
use super::lexicon;
use super::pattern::{Class, Pattern};
use super::phrase::Clause;
use super::token::Kind;

/// A noun phrase, without what counts, praises or places it.
pub(super) struct Thing {
    /// Its words: "painting of a sunset".
    pub(super) name: String,
    /// Its noun, in small letters: "painting".
    pub(super) head: String,
    /// The position behind it.
    pub(super) end: usize,
}

/// What stands before a thing that is spoken of for the first time.
pub(super) const INDEFINITE: &[&str] = &[
    "a", "an", "some", "another", "several", "multiple", "two", "three", "four", "five", "six", "seven",
    "eight", "nine", "ten",
];

/// What stands before a thing one shows or has: "this painting", "my first marathon".
pub(super) const POINTING: &[&str] = &["this", "these", "my", "our", "his", "her", "their"];

impl Clause<'_> {
    /// Says whether one of these determiners, or a number, stands at a position.
    pub(super) fn is_determiner(&self, at: usize, sets: &[&[&str]]) -> bool {
        let number =
            self.token(at).is_some_and(|token| token.lower.bytes().all(|byte| byte.is_ascii_digit()));
        sets.iter().any(|set| self.is_one_of(at, set)) || (number && !self.ends_phrase(at))
    }

    /// Reads a thing behind its determiner: at most six words, perhaps with what it is of.
    pub(super) fn thing(&self, from: usize) -> Option<Thing> {
        const MAX_WORDS: usize = 6;
        // "A pair of boots" is boots.
        const MEASURES: &[&str] = &[
            "pair", "pairs", "couple", "set", "bunch", "few", "piece", "slice", "batch", "plate", "bowl",
            "bag", "bags", "bottle", "bottles", "box", "pack", "can", "cup", "jar", "glass", "case", "pot",
        ];
        // Behind a noun, these tell about it.
        const TRAILING: &[&str] = &[
            "inspired",
            "made",
            "called",
            "named",
            "titled",
            "entitled",
            "featuring",
            "showing",
            "using",
            "filled",
            "covered",
            "designed",
            "full",
            "focused",
            "focusing",
            "held",
            "hosted",
            "organized",
            "dedicated",
            "given",
            "depicting",
            "coming",
            "going",
            "scheduled",
            "online",
            "back",
            "home",
            "there",
            "here",
            "instead",
            "myself",
            "ourselves",
            "including",
            "such",
        ];
        let mut at = from;
        loop {
            let compound = usize::from(!self.ends_phrase(at + 1) && self.is_one_of(at + 1, MEASURES));
            if self.is_one_of(at + compound, MEASURES) && self.is(at + compound + 1, "of") {
                at += compound + 2;
            } else if self.token(at).is_some_and(|token| lexicon::is_praise_of_things(&token.lower))
                && (self.is_one_of(at, &["really", "very"]) || !self.ends_phrase(at + 1))
                && !self.is(at + 1, "of")
            {
                at += 1;
            } else {
                break;
            }
        }
        let end = self.run_of_nouns(at, |at_noun| at_noun > at && self.is_one_of(at_noun, TRAILING))?;
        let head = self.token(end - 1)?.lower.clone();
        let mut behind = end;
        if self.is(end, "of") {
            let inner = end + 1 + usize::from(self.is_one_of(end + 1, &["a", "an", "the"]));
            // "A print of it" is a print.
            behind = self.run_of_nouns(inner, |_| false).unwrap_or(end);
        }
        if behind - at > MAX_WORDS + 2 * usize::from(behind > end) || !self.is_even(at..behind) {
            return None;
        }
        Some(Thing { name: self.words(at..behind), head, end: behind })
    }

    /// Returns the position behind words that name, up to where a phrase ends, "of" or `stop`.
    fn run_of_nouns(&self, from: usize, stop: impl Fn(usize) -> bool) -> Option<usize> {
        let mut end = from;
        while !self.ends_phrase(end) && !self.is(end, "of") && !stop(end) {
            let token = self.token(end)?;
            let names = token.kind == Kind::Word
                && !lexicon::is_deictic(&token.lower)
                && token.lower.contains(char::is_alphabetic);
            if !names {
                return None;
            }
            end += 1;
        }
        (end > from).then_some(end)
    }
}

/// Reads what was bought: anything but what is used up or no thing.
pub(super) fn bought(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    if !clause.is_determiner(at, &[INDEFINITE, POINTING]) {
        return None;
    }
    let thing = clause.thing(at + 1)?;
    if lexicon::is_nothing_owned(&thing.head)
        || lexicon::is_abstract(&thing.head)
        || super::kin::is_pet(&thing.head)
    {
        return None;
    }
    let mut filled = one(pattern, "thing", &thing.name)?;
    let gift = (thing.end..clause.tokens.len()).any(|at| {
        const OTHERS: &[&str] = &["my", "our", "his", "her", "him", "them", "their", "someone"];
        clause.is(at, "for") && (clause.is_one_of(at + 1, OTHERS) || clause.name_run(at + 1).is_some())
    });
    if gift {
        // Bought for somebody: bought all the same, but not kept.
        filled.sayings.retain(|saying| saying.class == Class::Event);
    }
    Some(filled)
}

/// Reads what was got or is had: only what is known to be a thing that people keep.
pub(super) fn kept(clause: &Clause<'_>, pattern: &Pattern, at: usize, pointing: bool) -> Option<Filled> {
    let determiners: &[&[&str]] = if pointing { &[INDEFINITE, POINTING] } else { &[INDEFINITE] };
    if !clause.is_determiner(at, determiners) {
        return None;
    }
    let thing = clause.thing(at + 1)?;
    // "A new Samsung Galaxy S22".
    let words = thing.name.split(' ');
    let branded = words.clone().count() > 1
        && clause.is_one_of(at + 1, &["new", "used", "second-hand"])
        && words.clone().all(|word| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()));
    (lexicon::is_thing(&thing.head) || branded).then(|| one(pattern, "thing", &thing.name)).flatten()
}

/// Reads what was made: with hands, by verbs that only make; otherwise only what is known to be made.
pub(super) fn made(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    // "Finished a book" may be reading.
    const PICTURES: &[&str] =
        &["painting", "drawing", "sketch", "sculpture", "quilt", "mural", "portrait", "sweater"];
    const BY_HAND: &[&str] = &["bake", "cook", "knit", "sew", "carve", "craft", "compose"];
    let determined = clause.is_determiner(at, &[INDEFINITE, POINTING]);
    let thing = clause.thing(at + usize::from(determined))?;
    if pattern.lemma == "finish" && pattern.tail.is_empty() {
        let known = determined && PICTURES.contains(&thing.head.as_str());
        return known.then(|| one(pattern, "thing", &thing.name)).flatten();
    }
    let known = lexicon::is_made(&thing.head) || (pattern.lemma == "build" && lexicon::is_thing(&thing.head));
    let by_hand = determined && BY_HAND.contains(&pattern.lemma) && !lexicon::is_abstract(&thing.head);
    (known || by_hand).then(|| one(pattern, "thing", &thing.name)).flatten()
}
