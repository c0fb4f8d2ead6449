//! Questions and answers, with their JSON.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Of what kind a question is: what it takes to answer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// What was so at a time, by all that is known.
    ValidTime,
    /// What was taken to be so at a time, by what was known then.
    KnownTime,
    /// What was taken to be so at a time, by what was known at another.
    BothClocks,
    /// When something was first believed.
    Learned,
    /// What differs between two states of belief.
    Difference,
    /// Whether a conclusion still stands.
    Staleness,
    /// What is known of somebody who had another name.
    Identity,
    /// What is left when a session is erased.
    Erasure,
    /// What is so at the time of a turn, as known before it and by it. Counted apart: see [`super::score::Closings`].
    Closing,
}

impl Kind {
    /// Every kind that is scored by itself, in the order of tables.
    pub const ALL: [Kind; 8] = [
        Kind::ValidTime,
        Kind::KnownTime,
        Kind::BothClocks,
        Kind::Learned,
        Kind::Difference,
        Kind::Staleness,
        Kind::Identity,
        Kind::Erasure,
    ];

    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::ValidTime => "valid_time",
            Kind::KnownTime => "known_time",
            Kind::BothClocks => "both_clocks",
            Kind::Learned => "learned",
            Kind::Difference => "diff",
            Kind::Staleness => "staleness",
            Kind::Identity => "identity",
            Kind::Erasure => "erasure",
            Kind::Closing => "closing",
        }
    }
}

/// What is asked. Times are RFC 3339; `known` is absent where all that is known counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Which objects hold at a time?
    Holds {
        /// When.
        valid: String,
        /// As known by when.
        known: Option<String>,
    },
    /// When was an object first believed to hold at any time?
    Learned {
        /// The object, by name.
        object: String,
    },
    /// Where do objects hold by what was known at the later time and not by what was known at the earlier, and the other
    /// way round?
    Difference {
        /// The earlier time.
        before: String,
        /// The later one.
        after: String,
    },
    /// Does a conclusion stand?
    Stands {
        /// When.
        valid: String,
        /// As known by when.
        known: Option<String>,
    },
}

/// A question about a subject and a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its number in its world.
    pub id: u64,
    /// Its kind.
    pub kind: Kind,
    /// Whose, as `type:Name`.
    pub subject: String,
    /// The predicate.
    pub predicate: String,
    /// Which of several parallel values; empty where there is one.
    pub key: String,
    /// What is asked.
    pub ask: Ask,
}

/// How a conclusion stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It is not concluded.
    None,
    /// What it stands on holds.
    Fresh,
    /// Something that it stands on does not.
    Stale,
}

/// An object with where it holds, `[from, to)`; nothing where it is open.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Held(pub String, pub Option<String>, pub Option<String>);

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Answer {
    /// To [`Ask::Holds`], in order.
    Objects {
        /// By name.
        objects: Vec<String>,
    },
    /// To [`Ask::Difference`], in order.
    Difference {
        /// Where objects came to hold.
        gained: Vec<Held>,
        /// Where they ceased to.
        lost: Vec<Held>,
    },
    /// To [`Ask::Stands`].
    Standing {
        /// How.
        stands: Standing,
    },
    /// To [`Ask::Learned`].
    At {
        /// When; nothing where it never was.
        #[serde(deserialize_with = "Option::deserialize")]
        at: Option<String>,
    },
}

impl Answer {
    /// Puts lists in order, so that the order in which a system gives them does not count.
    #[must_use]
    pub fn in_order(mut self) -> Answer {
        match &mut self {
            Answer::Objects { objects } => {
                objects.sort();
                objects.dedup();
            }
            Answer::Difference { gained, lost } => {
                gained.sort();
                lost.sort();
            }
            Answer::Standing { .. } | Answer::At { .. } => {}
        }
        self
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).unwrap_or_default())
    }
}

impl Question {
    /// Returns the JSON that a system is asked with.
    pub fn to_json(&self) -> Value {
        let Question { id, kind, subject, predicate, key, ask } = self;
        let mut value = json!({
            "op": "ask", "id": id, "kind": kind.name(), "subject": subject, "predicate": predicate, "key": key,
            "text": self.text(),
        });
        match ask {
            Ask::Holds { valid, known } => {
                value["ask"] = json!("holds");
                value["valid"] = json!(valid);
                value["known"] = json!(known);
            }
            Ask::Learned { object } => {
                value["ask"] = json!("learned");
                value["object"] = json!(object);
            }
            Ask::Difference { before, after } => {
                value["ask"] = json!("difference");
                value["known"] = json!([before, after]);
            }
            Ask::Stands { valid, known } => {
                value["ask"] = json!("stands");
                value["valid"] = json!(valid);
                value["known"] = json!(known);
            }
        }
        value
    }

    /// Returns it in English, for systems that read language.
    fn text(&self) -> String {
        let Question { subject, predicate, key, .. } = self;
        let of = if key.is_empty() { predicate.clone() } else { format!("{predicate} ({key})") };
        let known = |known: &Option<String>| {
            known.as_ref().map_or_else(String::new, |known| format!(", going by what was known at {known}"))
        };
        match &self.ask {
            Ask::Holds { valid, known: at } => {
                format!("What was the {of} of {subject} at {valid}{}?", known(at))
            }
            Ask::Learned { object } => {
                format!("When was it first believed that the {of} of {subject} is, was or will be {object}?")
            }
            Ask::Difference { before, after } => format!(
                "How does the {of} of {subject} as known at {after} differ from that as known at {before}?"
            ),
            Ask::Stands { valid, known: at } => {
                format!("Did the {of} of {subject} still stand at {valid}{}?", known(at))
            }
        }
    }
}
