//! Things spoken of as one's own: "I took my bike to the shop" says that there is a bike.

use bygone_engine::{EntityRef, Object};

use super::affirm::Affirmed;
use super::kin;
use super::lexicon;
use super::phrase::Clause;
use super::reader::Reader;
use super::token::Token;
use crate::candidate::Form;

/// A "my bike" and where it stands.
pub(super) struct Possessed {
    name: String,
    /// The position of "my".
    pub(super) start: usize,
    end: usize,
}

/// Finds every "my bike", "my new camera" of a sentence.
pub(super) fn possessed(text: &str, tokens: &[Token]) -> Vec<Possessed> {
    const NOT_MINE_NOW: &[&str] = &[
        "old",
        "dream",
        "previous",
        "first",
        "former",
        "next",
        "last",
        "ideal",
        "future",
        "potential",
        "rental",
        "rented",
        "lost",
        "stolen",
        "favorite",
        "favourite",
    ];
    // Words that are more than one thing, or things one has without owning them.
    const UNSURE: &[&str] = &[
        "apartment",
        "album",
        "bag",
        "bass",
        "bed",
        "bottle",
        "bridge",
        "cabin",
        "case",
        "chain",
        "chair",
        "condo",
        "controller",
        "cooker",
        "cottage",
        "desk",
        "fan",
        "filter",
        "flat",
        "heater",
        "house",
        "machine",
        "mixer",
        "monitor",
        "notebook",
        "oven",
        "painting",
        "pan",
        "pen",
        "pickup",
        "pots",
        "print",
        "printer",
        "processor",
        "rack",
        "ring",
        "robot",
        "router",
        "set",
        "shelf",
        "shelves",
        "shirt",
        "speaker",
        "stand",
        "switch",
        "table",
        "tank",
        "tool",
        "tools",
        "top",
        "tops",
        "toy",
        "track",
        "vacuum",
        "watch",
        "suit",
        "glasses",
        "tattoo",
        "puzzle",
        "luggage",
        "cabinet",
        "sculpture",
        "poster",
        "spare",
        "clock",
        "mirror",
        "lens",
        "charger",
        "crib",
        "drone",
    ];
    let unsure = |word: &str| {
        UNSURE.contains(&word) || word.strip_suffix('s').is_some_and(|one| UNSURE.contains(&one))
    };
    let clause = Clause { text, tokens, times: &[] };
    let one = |at: usize| {
        if !clause.is(at, "my") {
            return None;
        }
        let first = at
            + 1
            + usize::from(
                clause.is_one_of(at + 1, &["new", "brand-new", "trusty", "beloved", "own", "current"]),
            );
        let end = (first + 1..=first + 3).find(|end| {
            clause
                .token(end - 1)
                .is_some_and(|token| lexicon::is_thing(&token.lower) && !unsure(&token.lower))
        })?;
        let words = &tokens[first..end];
        let plain = words.iter().all(|token| {
            !token.lower.is_empty()
                && !lexicon::is_deictic(&token.lower)
                && !lexicon::is_boundary(&token.lower)
                && !NOT_MINE_NOW.contains(&token.lower.as_str())
        });
        (plain && kin::closes(&clause, end)).then(|| Possessed {
            name: clause.words(first..end),
            start: at,
            end,
        })
    };
    (0..tokens.len()).filter_map(one).collect()
}

impl Reader<'_> {
    /// Puts down what the speaker calls their own, where the turn tells nothing else of it.
    pub(super) fn own(&mut self, one: &Possessed, tokens: &[Token]) {
        let Some(speaker) = self.speaker.filter(|speaker| speaker.kind() == "person") else {
            return;
        };
        let Ok(entity) = EntityRef::new("thing", &one.name) else { return };
        let head = one.name.rsplit(' ').next().unwrap_or_default();
        // "I sold my bike": said already, and otherwise.
        let told = self.found.iter().any(|candidate| {
            let object = candidate.object.as_ref().and_then(Object::entity);
            matches!(candidate.predicate, "owns" | "acquired" | "created")
                && object.is_some_and(|object| object.name().rsplit(' ').next() == Some(head))
        });
        if told {
            return;
        }
        let span = tokens[one.start].span.start..tokens[one.end - 1].span.end;
        self.affirm(Affirmed {
            subject: speaker.clone(),
            predicate: "owns",
            key: String::new(),
            object: Some(Object::Entity(entity)),
            form: Form::State,
            confidence: 0.7,
            span,
            rule: "clause.possessed/1",
        });
    }
}
