//! What a text asks for: its words with those that may stand for them, who is named, and which times.
//!
//! Does not understand the question, and needs none: any text will do. Names of those who speak are not looked for as
//! words, since whoever is named speaks in most turns: they say whose turns are meant.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use bygone_engine::embed::Similar;
use bygone_engine::text::{Analyzer, Asked, Language, name_number};
use bygone_engine::time::Instant;
use bygone_ontology::timex::{self, Context, Kind, Tense};

use super::Sought;
use super::table::table;
use super::weights::{MOST_SIMILAR, SIMILAR, SIMILAR_FROM};

/// The longest name of a speaker that is looked for, in words.
const LONGEST_NAME: usize = 3;
/// Words for which others may stand, at most: a question has few, and a pasted text has enough of its own.
const MOST_STOOD_FOR: usize = 12;
/// The month in which a year of business starts, where a question speaks of one.
pub(super) const FISCAL_START: u32 = 1;

/// Words whose like are remembered, at most: when there are so many, all are forgotten. Chosen: about a megabyte.
const MOST_REMEMBERED: usize = 1024;

/// What was looked up. A pass over the vocabulary costs more than the rest of a small search, and questions are made of
/// the same words.
static REMEMBERED: Mutex<BTreeMap<String, Vec<Similar>>> = Mutex::new(BTreeMap::new());

/// Returns the words that mean much the same as a word.
fn alike(word: &str) -> Vec<Similar> {
    let mut remembered = REMEMBERED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(similar) = remembered.get(word) {
        return similar.clone();
    }
    let similar = table().map_or(Vec::new(), |table| table.similar(word, SIMILAR_FROM, MOST_SIMILAR));
    if remembered.len() == MOST_REMEMBERED {
        remembered.clear();
    }
    remembered.insert(word.to_owned(), similar.clone());
    similar
}

/// A period of time that a question names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asking {
    pub(super) start: Instant,
    pub(super) end: Instant,
}

/// What a text asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Question {
    /// The words, without the names of speakers unless there is nothing else.
    pub(super) words: Vec<Asked>,
    /// These words as they are written.
    pub(super) written: Vec<String>,
    /// Whether nothing else is asked than what these speakers say.
    pub(super) is_names_alone: bool,
    /// The numbers of the names of speakers.
    pub(super) speakers: BTreeSet<u64>,
    /// These names, as they are written.
    pub(super) names: Vec<String>,
    /// Whether it asks when.
    pub(super) asks_when: bool,
    /// The times that it names.
    pub(super) times: Vec<Asking>,
}

impl Question {
    /// Reads a text, in which the names of those who speak are known by what stands for them.
    pub(super) fn read(sought: &Sought<'_>, known: &BTreeSet<u64>) -> Question {
        let text = sought.text;
        let tokens: Vec<&str> = text.split_whitespace().collect();
        let Speakers { numbers, names, is_name } = speakers(&tokens, known);
        let analyzer = sought.seen.snapshot().analyzer();
        let mut words = Words::new(analyzer);
        for (token, is_name) in tokens.iter().zip(&is_name) {
            if !is_name {
                words.add(token);
            }
        }
        // Whoever speaks says something, whatever the word for that is.
        let is_names_alone = !names.is_empty() && words.written.iter().all(|word| is_saying(word));
        if is_names_alone || words.asked.is_empty() {
            words = Words::new(analyzer);
            for token in tokens.iter().filter(|token| !is_names_alone || !is_saying(bare(token))) {
                words.add(token);
            }
        }
        let context = Context { now: sought.request.now, tense: tense(&tokens), fiscal_start: FISCAL_START };
        let times = timex::find(text, &context).into_iter().filter_map(|time| {
            match (time.kind, time.start, time.end) {
                (Kind::Point | Kind::Span, Some(start), Some(end)) => Some(Asking { start, end }),
                _ => None,
            }
        });
        Question {
            words: words.asked,
            written: words.written,
            is_names_alone,
            speakers: numbers,
            names,
            asks_when: asks_when(text),
            times: times.collect(),
        }
    }
}

/// The names of speakers among some words.
struct Speakers {
    numbers: BTreeSet<u64>,
    /// As they are written.
    names: Vec<String>,
    /// Which of the words are part of one.
    is_name: Vec<bool>,
}

/// Finds the names of speakers among some words. A name is written with a capital, unless nothing is.
fn speakers(tokens: &[&str], known: &BTreeSet<u64>) -> Speakers {
    let has_capitals = tokens.iter().any(|token| token.chars().any(char::is_uppercase));
    let bare: Vec<&str> = tokens.iter().map(|token| bare(token)).collect();
    let (mut numbers, mut names) = (BTreeSet::new(), Vec::new());
    let mut is_name = vec![false; tokens.len()];
    for n_words in (1..=LONGEST_NAME).rev() {
        for (at, window) in bare.windows(n_words).enumerate() {
            let starts = window.iter().all(|word| !has_capitals || word.starts_with(char::is_uppercase));
            let name = window.join(" ");
            let number = name_number(&name);
            if starts && known.contains(&number) && !is_name[at..at + n_words].contains(&true) {
                if numbers.insert(number) {
                    names.push(name);
                }
                is_name[at..at + n_words].fill(true);
            }
        }
    }
    Speakers { numbers, names, is_name }
}

/// Returns a word without the marks around it and without an owner's s.
pub(super) fn bare(token: &str) -> &str {
    let word = token.trim_matches(|c: char| !c.is_alphanumeric());
    ["'s", "\u{2019}s", "'S"].iter().find_map(|s| word.strip_suffix(s)).unwrap_or(word)
}

/// The words of a question while they are gathered.
struct Words {
    analyzer: Analyzer,
    n_stood_for: usize,
    asked: Vec<Asked>,
    written: Vec<String>,
    /// By word, its place among the asked ones.
    places: HashMap<String, usize>,
}

impl Words {
    fn new(analyzer: Analyzer) -> Words {
        Words { analyzer, n_stood_for: 0, asked: Vec::new(), written: Vec::new(), places: HashMap::new() }
    }

    fn add(&mut self, token: &str) {
        let words = self.analyzer.asked(token);
        let is_plain = words.len() == 1;
        if words.iter().any(|(word, _)| !self.places.contains_key(word)) {
            self.written.push(bare(token).to_owned());
        }
        for (word, weight) in words {
            if let Some(&place) = self.places.get(&word) {
                self.asked[place].weight += weight;
                continue;
            }
            self.places.insert(word.clone(), self.asked.len());
            let similar = if is_plain { self.similar(bare(token), &word) } else { Vec::new() };
            self.asked.push(Asked { word, weight, similar });
        }
    }

    /// Returns what may stand for a word, in the forms in which it is found. The table is one of English words.
    fn similar(&mut self, written: &str, word: &str) -> Vec<(String, f64)> {
        let is_word = written.chars().all(char::is_alphabetic);
        if !is_word || self.analyzer.language() != Language::English || self.n_stood_for == MOST_STOOD_FOR {
            return Vec::new();
        }
        self.n_stood_for += 1;
        let mut similar: BTreeMap<String, f64> = BTreeMap::new();
        for (other, likeness) in alike(written) {
            for form in self.analyzer.words(other) {
                let worth = similar.entry(form).or_default();
                *worth = worth.max(f64::from(SIMILAR * likeness));
            }
        }
        similar.remove(word);
        similar.into_iter().collect()
    }
}

/// Says whether a word only says that something is said.
fn is_saying(word: &str) -> bool {
    const SAYING: [&str; 12] = [
        "say",
        "says",
        "said",
        "saying",
        "tell",
        "tells",
        "told",
        "telling",
        "mention",
        "mentions",
        "mentioned",
        "mentioning",
    ];
    SAYING.contains(&word.to_lowercase().as_str())
}

/// Says whether a question is for a time.
pub(crate) fn asks_when(text: &str) -> bool {
    let mut words = text.split_whitespace().map(|token| bare(token).to_lowercase());
    let mut word = || words.next().unwrap_or_default();
    match word().as_str() {
        "when" => true,
        "what" | "which" => matches!(word().as_str(), "date" | "day" | "week" | "month" | "year" | "time"),
        _ => false,
    }
}

/// Which way the times of a question lie where they do not say so themselves: what is remembered is mostly past.
fn tense(tokens: &[&str]) -> Tense {
    let is_future =
        tokens.iter().any(|token| matches!(bare(token).to_lowercase().as_str(), "will" | "going"));
    if is_future { Tense::Future } else { Tense::Past }
}
