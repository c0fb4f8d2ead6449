//! How a rule outside the table of patterns states that something is so: in the speaker's own word, dated by its clause.

use std::ops::Range;

use bygone_engine::{EntityRef, Modality, Object, Polarity};

use super::reader::Reader;
use crate::candidate::{Candidate, Form, When};

/// What a rule has read.
pub(super) struct Affirmed {
    pub(super) subject: EntityRef,
    pub(super) predicate: &'static str,
    pub(super) key: String,
    pub(super) object: Option<Object>,
    pub(super) form: Form,
    /// The clause that says it.
    pub(super) span: Range<usize>,
    pub(super) confidence: f64,
    pub(super) rule: &'static str,
}

impl Reader<'_> {
    /// Adds what a rule has read to what was found.
    pub(super) fn affirm(&mut self, affirmed: Affirmed) {
        let Affirmed { subject, predicate, key, object, form, span, confidence, rule } = affirmed;
        self.found.push(Candidate {
            subject,
            predicate,
            key,
            object,
            polarity: Polarity::Affirm,
            when: When::Said { form, clause: span.clone() },
            modality: Modality::Actual,
            authority: self.authority,
            confidence,
            span,
            context: Vec::new(),
            rule,
        });
    }
}
