//! The time of what a phrase names, read from what was said.
//!
//! ```text
//! turns that fit ─ their sentences ─ times told, and the day on which it was said ─ the best of all
//! ```
//!
//! Of the times in the turns that fit best, the one is taken whose sentence has most of the phrase, in the turn that fits
//! best; a turn that tells of no time is taken to tell of its own day. Times are read against the day on which they were
//! said. Nothing is read where no turn has enough of the phrase.
//!
//! The numbers were chosen in a prototype over the questions of five conversations of `LoCoMo` that ask when, one at a time,
//! before turns were held to whom the phrase names; what they come to is told in `docs/evaluation.md`.

use std::collections::BTreeSet;
use std::ops::Range;

use bygone_engine::record::RecordedEpisode;
use bygone_engine::text::Analyzer;
use bygone_engine::time::{Bound, Granularity, Instant, Moment, Period};
use bygone_engine::{Episode, StoreError};
use bygone_ontology::timex::{self, Context, Kind as TimeKind, Tense, TimeExpression};

use super::super::answer::Passage;
use crate::retrieve::{Item, Kind, Sought, named, search, sentences};

/// How well the best turn must fit a question: all did in their own conversation, and two in five of another one.
pub(super) const LEAST_FIT: f64 = 0.5;
/// Turns that are looked at. With five, two in a hundred fewer answers are right; with twenty, as many.
const N_TURNS: usize = 10;

/// The type of people, and the name of the one who asks.
const PERSON: &str = "person";
const ASKER: &str = "user";

/// What a time gets for the share of the phrase's words that its sentence has, beside 1.
const IN_SENTENCE: f64 = 0.6;
/// What it gets where no sentence of the turn has more of them. The one of the two without the other costs five answers in a
/// hundred.
const IN_BEST_SENTENCE: f64 = 0.3;
/// What the day of a turn that tells of no time gets, and again for the share of the phrase's words in its best sentence.
/// Between .5 and .7 two in a hundred answers are moved.
const OWN_DAY: f64 = 0.6;
/// What times keep that say little: of a year or more, and "now" or "lately".
const OF_A_YEAR: f64 = 0.9;
const VAGUE: f64 = 0.3;
/// What a time keeps that lies outside a time that the phrase names.
const ELSEWHERE: f64 = 0.5;

/// Times that are told without meaning any in particular.
const VAGUE_TIMES: [&str; 11] = [
    "now",
    "right now",
    "nowadays",
    "these days",
    "currently",
    "recently",
    "lately",
    "soon",
    "this week",
    "this month",
    "this year",
];

/// A time that was read.
pub(super) struct Told {
    /// When it was.
    pub(super) period: Period,
    /// The sentence that tells it.
    pub(super) passage: Passage,
}

/// A time in a turn, with how well it answers.
struct InTurn {
    worth: f64,
    period: Period,
    sentence: Range<usize>,
}

/// Reads when what a phrase names was, where the best turn fits it well enough, from turns that have one of some words; any
/// turns where none are given.
///
/// # Errors
/// As [`search`].
pub(super) fn read(
    sought: &Sought<'_>,
    phrase: &str,
    least: f64,
    needed: &[String],
) -> Result<Option<Told>, StoreError> {
    let sought = &Sought { text: phrase, kinds: &[Kind::Turn], n_wanted: N_TURNS, ..*sought };
    let analyzer = sought.seen.snapshot().analyzer();
    let asked: BTreeSet<String> = analyzer.words(phrase).into_iter().collect();
    let about = About::of(sought, &asked)?;
    let mut best: Option<(InTurn, RecordedEpisode, f64)> = None;
    for found in search(sought)?.found {
        let Item::Turn(record) = found.item else { continue };
        if best.is_none() && found.score < least {
            break;
        }
        if !needed.is_empty()
            && !analyzer.words(&record.episode.text).iter().any(|word| needed.contains(word))
        {
            continue;
        }
        if !about.may_tell(&record.episode, analyzer) {
            continue;
        }
        for mut told in told(&record.episode, phrase, analyzer, &asked) {
            told.worth *= found.score;
            if best.as_ref().is_none_or(|(best, ..)| told.worth > best.worth) {
                best = Some((told, (*record).clone(), found.score));
            }
        }
    }
    Ok(best.map(|(told, record, score)| Told {
        period: told.period,
        passage: Passage { record, span: told.sentence, score },
    }))
}

/// What a phrase is about, as far as turns can be held to it.
struct About {
    /// The people it names, by the words of their names.
    people: Vec<BTreeSet<String>>,
    /// Whether it speaks of the one who asks.
    is_own: bool,
    /// The rest of its words.
    rest: BTreeSet<String>,
}

impl About {
    fn of(sought: &Sought<'_>, asked: &BTreeSet<String>) -> Result<About, StoreError> {
        let analyzer = sought.seen.snapshot().analyzer();
        let people = named(sought)?.into_iter().filter(|entity| entity.kind() == PERSON);
        let people: Vec<BTreeSet<String>> =
            people.map(|person| analyzer.words(person.name()).into_iter().collect()).collect();
        let rest = asked.iter().filter(|word| !people.iter().any(|name| name.contains(*word))).cloned();
        let is_own = sought
            .text
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| ["i", "my", "me", "mine"].contains(&word.to_lowercase().as_str()));
        Ok(About { rest: rest.collect(), people, is_own })
    }

    /// Says whether a turn may tell of it: whoever is named says it or is named in it, and it has one of the other
    /// words.
    fn may_tell(&self, turn: &Episode, analyzer: Analyzer) -> bool {
        let said: BTreeSet<String> = analyzer.words(&turn.text).into_iter().collect();
        let speaker = turn.speaker.as_ref();
        let by: BTreeSet<String> =
            speaker.map(|speaker| analyzer.words(speaker.name()).into_iter().collect()).unwrap_or_default();
        let is_there =
            |name: &BTreeSet<String>| name.iter().any(|word| said.contains(word) || by.contains(word));
        let is_by_asker = speaker.is_none_or(|speaker| speaker.kind() != PERSON || speaker.name() == ASKER);
        (self.people.is_empty() || self.people.iter().any(is_there))
            && (!self.is_own || is_by_asker)
            && (self.rest.is_empty() || !self.rest.is_disjoint(&said))
    }
}

/// Returns the times that a turn tells of, and its own day where it tells of none.
fn told(turn: &Episode, phrase: &str, analyzer: Analyzer, asked: &BTreeSet<String>) -> Vec<InTurn> {
    let sentences = sentences(&turn.text);
    #[expect(clippy::cast_precision_loss, reason = "a phrase has few words")]
    let share = |sentence: &Range<usize>| {
        let words: BTreeSet<String> = analyzer.words(&turn.text[sentence.clone()]).into_iter().collect();
        words.intersection(asked).count() as f64 / asked.len().max(1) as f64
    };
    let shares: Vec<f64> = sentences.iter().map(share).collect();
    let greatest = shares.iter().copied().fold(0.0, f64::max);
    let context = Context { now: turn.time, tense: Tense::None, fiscal_start: 1 };
    let named: Vec<Period> = timex::find(phrase, &context).iter().filter_map(period).collect();
    let kept = |period: &Period| {
        let is_meant = named.is_empty()
            || named.iter().any(|named| period.start() < named.end() && named.start() < period.end());
        if is_meant { 1.0 } else { ELSEWHERE }
    };
    let mut found = Vec::new();
    for time in timex::find(&turn.text, &context) {
        let Some(period) = period(&time) else { continue };
        let Some(at) = sentences.iter().position(|sentence| sentence.contains(&time.span.start)) else {
            continue;
        };
        let in_best = if shares[at] >= greatest { IN_BEST_SENTENCE } else { 0.0 };
        let worth = (1.0 + IN_SENTENCE * shares[at] + in_best) * says(&time, &turn.text) * kept(&period);
        found.push(InTurn { worth, period, sentence: sentences[at].clone() });
    }
    if found.is_empty()
        && let Some(day) = granule(turn.time, Granularity::Day)
        && let Some(at) = shares.iter().position(|share| *share >= greatest)
    {
        let worth = OWN_DAY * (1.0 + greatest) * kept(&day);
        found.push(InTurn { worth, period: day, sentence: sentences[at].clone() });
    }
    found
}

/// Returns how much a time says.
fn says(time: &TimeExpression, text: &str) -> f64 {
    if VAGUE_TIMES.contains(&text[time.span.clone()].to_lowercase().as_str()) {
        VAGUE
    } else if time.grain >= Granularity::Year {
        OF_A_YEAR
    } else {
        1.0
    }
}

/// Returns the period that an expression names, or in which what it names starts; at least a day.
fn period(time: &TimeExpression) -> Option<Period> {
    match (time.kind, time.start, time.end) {
        (TimeKind::Point | TimeKind::Span, Some(start), Some(end)) => {
            let day = granule(start, Granularity::Day)?;
            if end <= day.end() {
                return Some(day);
            }
            let [from, to] = [start, end].map(|at| Bound::At(Moment::new(at, time.grain)));
            Period::new(from, to).ok()
        }
        (TimeKind::Since, Some(start), _) => granule(start, time.grain.max(Granularity::Day)),
        _ => None,
    }
}

/// Returns the granule in which an instant lies.
fn granule(at: Instant, grain: Granularity) -> Option<Period> {
    let start = grain.floor(at);
    let [from, to] = [start, grain.after(start)].map(|at| Bound::At(Moment::new(at, grain)));
    Period::new(from, to).ok()
}
