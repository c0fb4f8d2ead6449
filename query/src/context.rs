//! A block of context for a prompt: the facts and turns closest to a text, with their dates and sources, within a budget.
//!
//! What is quoted is data: it stands in quotation marks on lines of its own, whatever it says.
//! Invariant: the block never counts more tokens than the budget.

use std::collections::BTreeSet;

use bygone_engine::StoreError;
use bygone_engine::embed::wordpiece::pieces;
use bygone_engine::store::Seen;
use bygone_engine::text::start_of;
use bygone_engine::time::{Granularity, Instant, Moment, format_instant, format_moment};
use bygone_ontology::Ontology;
use serde_json::{Value, json};

use crate::request::Request;
use crate::retrieve::{Explanation, Found, Item, Kind, Passages, Results, Sought, diverse, explain, search};
use crate::say::known_text;

/// Things looked at, best first, before the block is full.
const MOST_FOUND: usize = 200;
/// The longest part of a turn that is quoted, in bytes.
const PASSAGE_BYTES: usize = 600;
/// The longest part of what was looked for that the block opens with, in bytes: a prompt may be longer than its context.
const SOUGHT_BYTES: usize = 120;

/// A block of context.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    /// The block.
    pub text: String,
    /// How many tokens it counts, by [`tokens`].
    pub tokens: usize,
    /// What is in it, in the order of the block.
    pub found: Vec<Found>,
    /// How many things were found that there was no room for.
    pub n_left_out: usize,
    /// How many things were found that say, word for word, what is in it.
    pub n_repeated: usize,
}

impl Context {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self, budget: usize) -> Value {
        let sources: Vec<Value> = self.found.iter().map(source_json).collect();
        json!({
            "text": self.text,
            "tokens": self.tokens,
            "budget": budget,
            "sources": sources,
            "left_out": self.n_left_out,
            "repeated": self.n_repeated,
        })
    }
}

fn source_json(found: &Found) -> Value {
    let turn = found.item.turn().map(|record| &record.episode);
    json!({
        "kind": found.item.kind().name(),
        "id": found.item.id(),
        "session": turn.map(|turn| &turn.session),
        "turn": turn.map(|turn| turn.position),
        "time": turn.map(|turn| format_instant(turn.time)),
    })
}

/// Estimates how many tokens a language model reads a text as: its word pieces and three tenths more, rounded up.
pub fn tokens(text: &str) -> usize {
    estimate(pieces(text).len())
}

pub(crate) const fn estimate(n_pieces: usize) -> usize {
    (n_pieces * 13).div_ceil(10)
}

/// Builds the block. Facts come first, then turns in the order in which they were said. An empty block is one in which
/// nothing was found that may be about the text, or for which the budget has no room.
///
/// # Errors
/// [`StoreError`] where the store or its index cannot be read.
pub fn context(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    text: &str,
    budget: usize,
) -> Result<Context, StoreError> {
    let sought = Sought { seen, ontology, request, text, kinds: Kind::ALL, n_wanted: MOST_FOUND };
    Ok(block(&sought, budget, search(&sought)?))
}

/// Returns what [`context`] does, and why it was found.
///
/// # Errors
/// As [`context`].
pub fn explained(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    text: &str,
    budget: usize,
) -> Result<(Context, Explanation), StoreError> {
    let sought = Sought { seen, ontology, request, text, kinds: Kind::ALL, n_wanted: MOST_FOUND };
    let (results, explanation) = explain(&sought)?;
    Ok((block(&sought, budget, results), explanation))
}

fn block(sought: &Sought<'_>, budget: usize, Results { found, answers }: Results) -> Context {
    let Sought { seen, request, text, .. } = *sought;
    let found = if answers { found } else { Vec::new() };
    let opening = opening(text, request);
    // Lines do not share pieces, so that each is counted once.
    let mut n_pieces = pieces(&opening).len();
    let mut kinds: BTreeSet<Kind> = BTreeSet::new();
    let mut lines: Vec<(Found, String)> = Vec::new();
    let mut told: BTreeSet<String> = BTreeSet::new();
    let passages = Passages::new(seen.snapshot().analyzer(), text);
    let (mut n_left_out, mut n_repeated) = (0, 0);
    for one in diverse(found) {
        let kind = one.item.kind();
        let told_here = quoted(&one.item, &passages);
        let letters = letters(&told_here);
        if told.contains(&letters) {
            n_repeated += 1;
            continue;
        }
        let line = line(&one.item, &told_here);
        let heading = if kinds.contains(&kind) { 0 } else { pieces(heading(kind)).len() };
        let longer = n_pieces + heading + pieces(&line).len();
        if estimate(longer) <= budget {
            n_pieces = longer;
            kinds.insert(kind);
            told.insert(letters);
            lines.push((one, line));
        } else {
            n_left_out += 1;
        }
    }
    if lines.is_empty() {
        return Context { text: String::new(), tokens: 0, found: Vec::new(), n_left_out, n_repeated };
    }
    lines.sort_by_cached_key(|(found, _)| place(found));
    let mut block = opening;
    let mut last = None;
    for (one, line) in &lines {
        let kind = one.item.kind();
        if last.replace(kind) != Some(kind) {
            block.push_str(heading(kind));
        }
        block.push_str(line);
    }
    let found = lines.into_iter().map(|(found, _)| found).collect();
    Context { tokens: tokens(&block), text: block, found, n_left_out, n_repeated }
}

/// Where something stands in the block.
fn place(found: &Found) -> impl Ord + use<> {
    let turn = found.item.turn().map(|record| &record.episode);
    let said = turn.map(|turn| (turn.time, turn.session.clone(), turn.position));
    (found.item.kind() == Kind::Turn, said, found.item.id())
}

fn opening(sought: &str, request: &Request) -> String {
    let known = match request.view.known {
        Instant::DISTANT_FUTURE => String::new(),
        known => format!(", as known by {}", known_text(known)),
    };
    let start = start_of(sought, SOUGHT_BYTES);
    let cut = if start.len() < sought.len() { "…" } else { "" };
    format!("What is remembered about {start:?}{cut}{known}:\n")
}

const fn heading(kind: Kind) -> &'static str {
    match kind {
        Kind::Fact => "Facts:\n",
        Kind::Turn => "Said:\n",
    }
}

/// Returns what is told of a thing: a fact as a sentence, the part of a turn that has most of the words.
fn quoted(item: &Item, passages: &Passages) -> String {
    match item {
        Item::Fact(..) => item.text(),
        Item::Turn(record) => {
            let text = &record.episode.text;
            let span = passages.find(text, PASSAGE_BYTES);
            text[span].split_whitespace().collect::<Vec<_>>().join(" ")
        }
    }
}

/// Returns the letters and digits of a text in lower case: texts that differ in nothing else say the same.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn line(item: &Item, told: &str) -> String {
    let source = item.turn().map(|record| {
        let turn = &record.episode;
        let day = Moment::new(Granularity::Day.floor(turn.time), Granularity::Day);
        let speaker = turn.speaker.as_ref().map_or(String::new(), |speaker| format!("{}, ", speaker.name()));
        format!("{speaker}{} ({}#{})", format_moment(day), turn.session, turn.position)
    });
    let source = source.unwrap_or_else(|| "source not kept".to_owned());
    match item {
        Item::Fact(row, _) => format!("- {told} [{}; {source}]\n", row.verdict.name().replace('_', " ")),
        Item::Turn(_) => format!("- {source}: {told:?}\n"),
    }
}
