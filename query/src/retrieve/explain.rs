//! Why was found what was found: how the text was read, what there was to find, which channels found how much, and what
//! the view kept out.

use std::collections::BTreeMap;

use bygone_engine::text::Asked;
use bygone_engine::time::{Instant, format_instant};
use bygone_engine::{EntityRef, Hiding, StoreError};
use serde_json::{Map, Value, json};

use super::channel::Channel;
use super::hidden::{Hidden, hidden};
use super::{Kind, Ranked, Sought, rounded};

/// Words shown that stand for an asked one, at most; the best of those that stand in something seen.
const MOST_SIMILAR: usize = 5;

/// A word that was looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// In the form in which it is found.
    pub word: String,
    /// How much it weighs among the others, before how rare it is.
    pub weight: f64,
    /// How many turns and statements of those seen have it.
    pub n_with: BTreeMap<Kind, usize>,
    /// Words that stand for it, of those that stand in something seen, each with what it is worth.
    pub similar: Vec<(String, f64)>,
}

/// What there was to find of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// Turns, or the statements that facts rest on.
    pub kind: Kind,
    /// How many the view sees.
    pub n_seen: usize,
    /// How many it does not see, by why.
    pub n_hidden: BTreeMap<Hiding, usize>,
    /// Each channel, with how many it found.
    pub channels: Vec<(Channel, usize)>,
    /// How much of the asked words the one with most of them has, 0 to 1.
    pub best_words: f64,
    /// The cosine of the one most like in meaning, at least 0.
    pub best_likeness: f64,
}

/// Why a search found what it found.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The words that were looked for.
    pub words: Vec<Word>,
    /// Names of those whose turns are meant, as they are written in the text.
    pub speakers: Vec<String>,
    /// The entities of the view that the text names.
    pub entities: Vec<EntityRef>,
    /// The times that it names, each from its first instant to the one after its last.
    pub times: Vec<(Instant, Instant)>,
    /// Whether it asks for a time.
    pub asks_when: bool,
    /// Whether anything found may be an answer, rather than found by chance.
    pub answers: bool,
    /// What there was to find.
    pub searched: Vec<Searched>,
    /// What would have been among the first few without the limits of the view.
    pub hidden: Vec<Hidden>,
}

impl Explanation {
    pub(super) fn of(sought: &Sought<'_>, ranked: &Ranked) -> Result<Explanation, StoreError> {
        let kinds = sought.kinds;
        let Ranked { statements, turns, .. } = ranked;
        // Names of speakers are words to look for in statements, and none in turns.
        let question = turns.as_ref().map_or(&statements.question, |turns| &turns.question);
        let corpora = || {
            let turns = turns.iter().map(|turns| (Kind::Turn, &turns.corpus));
            turns.chain([(Kind::Fact, &statements.corpus)]).filter(|(kind, _)| kinds.contains(kind))
        };
        let n_with = |word: &str| -> Result<BTreeMap<Kind, usize>, StoreError> {
            corpora().map(|(kind, corpus)| Ok((kind, corpus.n_with(word)?))).collect()
        };
        let word = |asked: &Asked| -> Result<Word, StoreError> {
            let mut similar = Vec::new();
            for (other, worth) in &asked.similar {
                if n_with(other)?.values().any(|n_with| *n_with > 0) {
                    similar.push((other.clone(), *worth));
                }
            }
            similar.sort_by(|(one, one_worth), (other, other_worth)| {
                other_worth.total_cmp(one_worth).then_with(|| one.cmp(other))
            });
            similar.truncate(MOST_SIMILAR);
            let Asked { word, weight, .. } = asked;
            Ok(Word { word: word.clone(), weight: *weight, n_with: n_with(word)?, similar })
        };
        let searched = corpora().map(|(kind, corpus)| {
            let (counts, fit) = match (kind, turns) {
                (Kind::Turn, Some(turns)) => (counts(&turns.parts), turns.fit),
                (Kind::Turn | Kind::Fact, _) => (counts(&statements.parts), statements.fit),
            };
            Searched {
                kind,
                n_seen: corpus.rows().len(),
                n_hidden: corpus.n_hidden().clone(),
                channels: Channel::of(kind).iter().copied().zip(counts).collect(),
                best_words: f64::from(fit.words),
                best_likeness: f64::from(fit.likeness),
            }
        });
        Ok(Explanation {
            words: question.words.iter().map(word).collect::<Result<_, _>>()?,
            speakers: question.names.clone(),
            entities: statements.named.clone(),
            times: question.times.iter().map(|asking| (asking.start, asking.end)).collect(),
            asks_when: question.asks_when,
            answers: ranked.answers(),
            searched: searched.collect(),
            hidden: hidden(sought)?,
        })
    }

    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Value {
        let period = |(from, to): &(Instant, Instant)| json!({ "from": format_instant(*from), "to": format_instant(*to) });
        json!({
            "words": self.words.iter().map(Word::to_json).collect::<Vec<_>>(),
            "speakers": self.speakers,
            "entities": self.entities.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "times": self.times.iter().map(period).collect::<Vec<_>>(),
            "asks_when": self.asks_when,
            "answers": self.answers,
            "searched": self.searched.iter().map(Searched::to_json).collect::<Vec<_>>(),
            "hidden": self.hidden.iter().map(Hidden::to_json).collect::<Vec<_>>(),
        })
    }
}

/// Returns, by channel, how many have anything from it.
fn counts<const N: usize>(parts: &[[f32; N]]) -> Vec<usize> {
    (0..N).map(|channel| parts.iter().filter(|parts| parts[channel] > 0.0).count()).collect()
}

impl Word {
    fn to_json(&self) -> Value {
        let similar =
            self.similar.iter().map(|(word, worth)| json!({ "word": word, "worth": rounded(*worth) }));
        let n_with: Map<String, Value> =
            self.n_with.iter().map(|(kind, n_with)| (kind.name().to_owned(), json!(n_with))).collect();
        json!({
            "word": self.word,
            "weight": rounded(self.weight),
            "found_in": n_with,
            "similar": similar.collect::<Vec<_>>(),
        })
    }
}

impl Searched {
    fn to_json(&self) -> Value {
        let n_hidden: Map<String, Value> =
            self.n_hidden.iter().map(|(why, n)| (why.name().to_owned(), json!(n))).collect();
        let channel = |(channel, n_found): &(Channel, usize)| {
            let Channel { name, about, weight } = channel;
            let weight = weight.map(|weight| rounded(f64::from(weight)));
            json!({ "name": name, "about": about, "weight": weight, "found": n_found })
        };
        json!({
            "kind": self.kind.name(),
            "seen": self.n_seen,
            "hidden": n_hidden,
            "channels": self.channels.iter().map(channel).collect::<Vec<_>>(),
            "best_words": rounded(self.best_words),
            "best_likeness": rounded(self.best_likeness),
        })
    }
}
