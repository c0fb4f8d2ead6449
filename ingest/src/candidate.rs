//! What an extractor proposes: a statement in the words of the turn, not yet dated, resolved or checked.

use std::ops::Range;

use bygone_engine::time::{Moment, Validity};
use bygone_engine::{Authority, EntityRef, EpisodeId, Modality, Object, Polarity};

/// The form a statement was made in, which decides what its time words mean (semantics, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// "I live in Boston", "I've lived in Berlin since 2018": it is so.
    State,
    /// "I worked at Gamma from 2010 to 2012", "… until 2019": it was so.
    Was,
    /// "I moved to Lisbon in March": it began then.
    Change,
    /// "I used to work at Gamma": it was so, undated, and is no longer.
    UsedTo,
    /// "I no longer work at Acme": it is not so from now on, or from the time named.
    NoLonger,
    /// "I left Acme in June": it ended with the granule named.
    Ended,
    /// "I never worked at Acme", "that was wrong": it was not so at any time.
    Never,
    /// "I bought a bike last Friday": it happened.
    Event,
    /// "I've been to China": it happened, nobody said when; with a time, as [`Form::Event`].
    Experience,
    /// "I'll move to Oslo next year": it is intended.
    Plan,
}

/// When a candidate holds.
#[derive(Clone, Debug, PartialEq)]
pub enum When {
    /// To be grounded from the form and the time words of the clause.
    Said {
        /// The form of the statement.
        form: Form,
        /// The bytes of the turn's text in which to look for time words: the clause.
        clause: Range<usize>,
    },
    /// Known exactly, as for tool results.
    Exactly {
        /// When it holds.
        validity: Validity,
        /// The last moment vouched for, with an open end.
        sure_until: Option<Moment>,
    },
}

/// A statement proposed by an extractor.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// What it is about.
    pub subject: EntityRef,
    /// The predicate's id.
    pub predicate: &'static str,
    /// Which of several parallel values.
    pub key: String,
    /// What it says; `None` only in a denial of whatever holds.
    pub object: Option<Object>,
    /// Whether it affirms or denies. With [`When::Said`], the form decides and this is what the words affirm of.
    pub polarity: Polarity,
    /// When.
    pub when: When,
    /// How it stands to the world.
    pub modality: Modality,
    /// Whose word it is.
    pub authority: Authority,
    /// How sure the rule is, 0 to 1.
    pub confidence: f64,
    /// The bytes of the turn's text that say it.
    pub span: Range<usize>,
    /// Earlier turns whose words it repeats: the call that a result answers, the statement that a correction takes back.
    pub context: Vec<EpisodeId>,
    /// The rule that read it, with its version: `clause.works_at/1`.
    pub rule: &'static str,
}
