//! What the speaker takes back: "that was wrong, it isn't Acme".

use bygone_engine::{EntityRef, Modality, Object, Polarity};

use super::cues::hedged;
use super::phrase::Clause;
use super::reader::{Reader, Setting};
use crate::candidate::{Candidate, Form, When};

/// What a correction is about.
pub(super) struct Topic {
    /// Whom it was about.
    pub(super) subject: EntityRef,
    /// The predicate.
    pub(super) predicate: &'static str,
    /// The type of its object.
    pub(super) kind: String,
    /// The rule that read it.
    pub(super) rule: &'static str,
}

impl Reader<'_> {
    /// Reads "it isn't Acme", "it's Beta" after something was said that is being taken back.
    pub(super) fn corrected(&mut self, clause: &Clause<'_>, at: usize, setting: Setting) -> bool {
        let denied = [&["it", "is", "not"][..], &["it", "'s", "not"], &["it", "was", "not"]];
        let affirmed = [&["it", "is"][..], &["it", "'s"]];
        let (words, form) = match (
            denied.iter().find(|words| clause.are(at, words)),
            affirmed.iter().find(|words| clause.are(at, words)),
        ) {
            (Some(words), _) => (words.len(), Form::Never),
            (None, Some(words)) => (words.len(), Form::State),
            (None, None) => return false,
        };
        if !setting.corrects || hedged(clause) {
            return false;
        }
        let (Some((name, end)), Some(topic)) = (clause.name(at + words), &self.topic) else {
            return false;
        };
        let Ok(entity) = EntityRef::new(&topic.kind, &name) else {
            return false;
        };
        let span = clause.tokens[at].span.start..clause.tokens[end - 1].span.end;
        self.found.push(Candidate {
            subject: topic.subject.clone(),
            predicate: topic.predicate,
            key: String::new(),
            object: Some(Object::Entity(entity)),
            polarity: Polarity::Affirm,
            when: When::Said { form, clause: span.clone() },
            modality: Modality::Actual,
            authority: self.authority,
            confidence: 0.7,
            span,
            context: Vec::new(),
            rule: topic.rule,
        });
        true
    }
}
