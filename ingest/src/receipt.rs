//! What an ingest came to: every record of every file is in it once.

use serde_json::{Value, json};

use crate::read::Place;

/// How many problems are told one by one; of what is beyond them, the number is told.
pub const MOST_LISTED: usize = 1_000;

/// Something a person should know about a record: it was kept, but not as it should have been; or it could not be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The file.
    pub file: String,
    /// Where in it; `None` for the file as a whole.
    pub place: Option<Place>,
    /// What, in words.
    pub reason: String,
}

/// What an ingest came to.
///
/// Invariant: `read = episodes + duplicates + skipped + quarantined`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Receipt {
    /// Files read.
    pub files: u64,
    /// Records in them.
    pub read: u64,
    /// Turns that were new.
    pub episodes: u64,
    /// Turns that were there already.
    pub duplicates: u64,
    /// Records that hold no turn by design.
    pub skipped: u64,
    /// Records that could not be read and are kept as they stood.
    pub quarantined: u64,
    /// Statements that were new.
    pub assertions: u64,
    /// Secrets that were masked.
    pub redacted: u64,
    /// What a person should know: the first of it, at most [`MOST_LISTED`].
    pub problems: Vec<Notice>,
    /// How much more there is to know than is listed.
    pub unlisted: u64,
}

impl Receipt {
    /// Adds another receipt to this one.
    pub fn add(&mut self, other: Receipt) {
        self.files += other.files;
        self.read += other.read;
        self.episodes += other.episodes;
        self.duplicates += other.duplicates;
        self.skipped += other.skipped;
        self.quarantined += other.quarantined;
        self.assertions += other.assertions;
        self.redacted += other.redacted;
        self.unlisted += other.unlisted;
        for notice in other.problems {
            self.tell(notice);
        }
    }

    /// Lists what a person should know, or counts it where enough is listed.
    pub fn tell(&mut self, notice: Notice) {
        if self.problems.len() < MOST_LISTED {
            self.problems.push(notice);
        } else {
            self.unlisted += 1;
        }
    }

    /// Returns how much there is to know, listed or not.
    pub fn n_problems(&self) -> u64 {
        self.problems.len() as u64 + self.unlisted
    }

    /// Returns the JSON form; `seconds` is what it took. How much is not listed stands there only where something is not.
    pub fn to_json(&self, seconds: f64) -> Value {
        let problems: Vec<Value> = self
            .problems
            .iter()
            .map(|notice| {
                json!({
                    "file": notice.file,
                    "offset": notice.place.map(|place| place.offset),
                    "line": notice.place.map(|place| place.line),
                    "reason": notice.reason,
                })
            })
            .collect();
        let mut receipt = json!({
            "files": self.files,
            "read": self.read,
            "episodes": self.episodes,
            "duplicates": self.duplicates,
            "skipped": self.skipped,
            "quarantined": self.quarantined,
            "assertions": self.assertions,
            "redacted": self.redacted,
            "problems": problems,
            "seconds": seconds,
        });
        if self.unlisted > 0 {
            receipt["unlisted"] = json!(self.unlisted);
        }
        receipt
    }
}
