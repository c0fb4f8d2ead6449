//! What things are like, and what they do for somebody: "the castle was unbelievable", "painting helps me relax",
//! "family is important to me".
//!
//! It is the speaker's word, and of a thing that is named: what "it" was, nobody can tell away from the turn.

mod effect;
mod quality;
mod topic;

use bygone_engine::{EntityRef, Object};

use super::affirm::Affirmed;
use super::cues::hedged;
use super::phrase::Clause;
use super::reader::Reader;
use super::saying::span_of;
use crate::candidate::Form;

/// How sure these readings are.
pub(super) const CONFIDENCE: f64 = 0.7;

/// Words that make what follows stronger, or say for how long or how much.
pub(super) const WEIGHING: &[&str] = &[
    "so",
    "super",
    "very",
    "pretty",
    "quite",
    "too",
    "extremely",
    "incredibly",
    "kinda",
    "totally",
    "more",
    "most",
];

impl Reader<'_> {
    /// Reads what the speaker says that something is like or does; says whether it is read.
    pub(super) fn described(&mut self, clause: &Clause<'_>, at: usize) -> bool {
        let Some(speaker) = self.speaker.filter(|speaker| speaker.kind() == "person").cloned() else {
            return false;
        };
        if hedged(clause) {
            return false;
        }
        self.remembered(clause, at, &speaker)
            || self.aim(clause, at, &speaker)
            || self.favourites(clause, at, &speaker)
            || self.topic_told(clause, at, &speaker)
    }

    fn topic_told(&mut self, clause: &Clause<'_>, at: usize, speaker: &EntityRef) -> bool {
        let Some(topic) = self.topic_of(clause, at, speaker) else { return false };
        let span = span_of(clause, at);
        self.effect(clause, &topic, speaker, span.clone()) || self.quality(clause, at, topic, speaker, span)
    }

    /// Reads "it reminds me of Rome".
    fn remembered(&mut self, clause: &Clause<'_>, at: usize, speaker: &EntityRef) -> bool {
        const REMINDING: &[&str] = &["reminds", "reminded", "remind"];
        let found = (at + 1..clause.tokens.len().min(at + 9)).find(|at| {
            clause.is_one_of(*at, REMINDING)
                && clause.is_one_of(*at + 1, &["me", "us"])
                && clause.is(*at + 2, "of")
        });
        let Some(verb) = found else { return false };
        let Some((object, _)) = clause.object_thing_or_doing(verb + 3) else { return false };
        // A time behind it is that of what came to mind.
        let span = clause.tokens[at].span.start..clause.tokens[object.end - 1].span.end;
        self.tell(
            speaker.clone(),
            ("reminded_of", "described.reminded_of/1"),
            object.words,
            Form::Event,
            span,
        );
        true
    }

    /// Puts down in words what is told of something.
    pub(super) fn tell(
        &mut self,
        subject: EntityRef,
        (predicate, rule): (&'static str, &'static str),
        words: String,
        form: Form,
        span: std::ops::Range<usize>,
    ) {
        self.affirm(Affirmed {
            subject,
            predicate,
            key: String::new(),
            object: Some(Object::Text(words)),
            form,
            confidence: CONFIDENCE,
            span,
            rule,
        });
    }
}
