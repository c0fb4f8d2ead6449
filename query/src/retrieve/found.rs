//! Something found, and how it is handed out.

use bygone_engine::record::RecordedEpisode;
use bygone_engine::time::format_instant;
use serde_json::{Map, Value, json};

use super::Kind;
use crate::row::Row;
use crate::say::fact_text;
use crate::why::Evidence;

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A turn.
    Turn(Box<RecordedEpisode>),
    /// A fact, and the statement by which it was found with its turn.
    Fact(Box<Row>, Box<Evidence>),
}

impl Item {
    /// Returns its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Item::Turn(_) => Kind::Turn,
            Item::Fact(..) => Kind::Fact,
        }
    }

    /// Returns its id, `e:…` or `f:…`.
    pub fn id(&self) -> String {
        match self {
            Item::Turn(record) => record.episode.id.to_string(),
            Item::Fact(row, _) => row.id.to_string(),
        }
    }

    /// Returns the turn that says it, where that is kept.
    pub fn turn(&self) -> Option<&RecordedEpisode> {
        match self {
            Item::Turn(record) => Some(record),
            Item::Fact(_, evidence) => evidence.episode.as_ref(),
        }
    }

    /// Returns the words: the turn's own, or the fact as a sentence.
    pub fn text(&self) -> String {
        match self {
            Item::Turn(record) => record.episode.text.clone(),
            Item::Fact(row, _) => fact_text(row),
        }
    }
}

/// Something found, with how well it fits and by which channels.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What was found.
    pub item: Item,
    /// How well it fits, 0 to 1.
    pub score: f64,
    /// What each channel gave it.
    pub channels: Vec<(&'static str, f64)>,
}

impl Found {
    /// Returns the JSON form, keys sorted; ranks count from 1.
    pub fn to_json(&self, rank: usize) -> Value {
        let turn = self.item.turn().map(|record| &record.episode);
        let channels: Map<String, Value> =
            self.channels.iter().map(|(name, score)| ((*name).to_owned(), json!(rounded(*score)))).collect();
        let mut row = json!({
            "rank": rank,
            "score": rounded(self.score),
            "kind": self.item.kind().name(),
            "id": self.item.id(),
            "session": turn.map(|turn| &turn.session),
            "turn": turn.map(|turn| turn.position),
            "speaker": turn.and_then(|turn| turn.speaker.as_ref()).map(ToString::to_string),
            "time": turn.map(|turn| format_instant(turn.time)),
            "text": self.item.text(),
            "channels": channels,
        });
        match &self.item {
            Item::Turn(record) => row["native_id"] = json!(record.episode.native_id),
            Item::Fact(fact, evidence) => {
                row["fact"] = fact.to_json();
                row["quote"] = json!(evidence.quote());
            }
        }
        row
    }
}

/// Keeps six decimals: more are noise to a reader.
pub(crate) fn rounded(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}
