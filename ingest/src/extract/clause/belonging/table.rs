//! A line, and how it is laid over a sentence.

use super::reduced::Reduced;
use super::tense::{self, Tense, verb};
use crate::extract::clause::phrase::Clause;
use crate::extract::clause::token::Token;

/// What one belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Who one works for.
    Employer,
    /// Where one lives.
    Home,
    /// The same, by a name that is known to be a place's.
    KnownHome,
    /// What one works on, with others.
    Project,
}

impl Kind {
    pub(super) const fn predicate(self) -> &'static str {
        match self {
            Kind::Employer => "works_at",
            Kind::Home | Kind::KnownHome => "lives_in",
            Kind::Project => "member_of",
        }
    }

    pub(super) const fn entity_type(self) -> &'static str {
        match self {
            Kind::Employer => "org",
            Kind::Home | Kind::KnownHome => "place",
            Kind::Project => "project",
        }
    }

    pub(super) const fn rule(self) -> &'static str {
        match self {
            Kind::Employer => "belonging.works_at/1",
            Kind::Home | Kind::KnownHome => "belonging.lives_in/1",
            Kind::Project => "belonging.member_of/1",
        }
    }
}

/// In what way a line speaks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// It holds.
    State,
    /// It holds, where a time says since when: "I've been in Lisbon since 2018", but not "I was in Lisbon last week".
    SinceState,
    /// It holds, where a time says since when or from when to when: "my stint at Acme was from 2018 to 2020".
    DatedState,
    /// The same, or where a word says that it goes on or is work: "I'm still with Acme".
    GoingState,
    /// The same, or where a word says that it is work: "workwise I'm at Acme".
    WorkState,
    /// It begins.
    Change,
    /// It ends.
    End,
}

/// A line. Of the words, parted by spaces, `|` parts those of which one stands, `?` marks one that may be missing, `_` is
/// any one word, `X` is the name, and a word in angle brackets is one of a list.
pub(super) struct Line {
    pub(super) kind: Kind,
    pub(super) class: Class,
    pub(super) before: &'static str,
    pub(super) verbs: &'static str,
    pub(super) after: &'static str,
}

/// What may stand behind all that counts.
const TRAIL: &[&str] = &[
    "there",
    "then",
    "and",
    "live",
    "work",
    "moved",
    "away",
    "left",
    "town",
    "no",
    "longer",
    "am",
    "do",
    "not",
    "on",
    "it",
    "anymore",
    "that",
    "is",
    "'s",
    "was",
    "where",
    "i",
    "lived",
    "worked",
    "the",
    "same",
    "job",
    "flat",
    "as",
    "an",
    "a",
    "employee",
    "team",
    "member",
    "have",
    "been",
    "new",
    "employer",
    "all",
    "different",
    "company",
    "my",
    "home",
    "in",
    "for",
    "me",
];

/// Whose name it is.
type Fits = dyn Fn(Kind, &str, bool) -> bool;

/// Where a line stands so far.
#[derive(Clone)]
struct Place {
    at: usize,
    name: Option<(String, bool)>,
}

/// A line whose words are parted.
pub(super) struct Parted {
    pub(super) line: &'static Line,
    before: Vec<&'static str>,
    after: Vec<&'static str>,
}

impl Parted {
    pub(super) fn of(line: &'static Line) -> Parted {
        Parted { line, before: words(line.before), after: words(line.after) }
    }

    /// Returns groups of words: the line fits no sentence that lacks one word of each.
    pub(super) fn needed(&self) -> impl Iterator<Item = Vec<&'static str>> {
        let certain = self.before.iter().chain(&self.after).filter(|word| !word.ends_with('?'));
        let verbs = self.line.verbs.split('|').flat_map(tense::words).copied().collect();
        certain.filter_map(|word| one_needed(word)).chain([verbs])
    }

    /// Lays the line over a sentence; returns what it speaks of, the name, and the tense.
    pub(super) fn fit(&self, reduced: &Reduced<'_>, is_kind: &Fits) -> Option<(Kind, String, Tense)> {
        let clause = reduced.clause();
        let start = Place { at: 0, name: None };
        places(&clause, &self.before, start).into_iter().find_map(|place| {
            let (after, tense) = verb(&clause, place.at, self.line.verbs)?;
            places(&clause, &self.after, Place { at: after, ..place }).into_iter().find_map(|place| {
                let trails = reduced.tokens[place.at..].iter().all(|token| token.is_one_of(TRAIL));
                let (name, called) = place.name.filter(|_| trails)?;
                // "We moved to Nomad": where a team speaks, only a known place is one.
                let own = self.line.kind;
                let kind = if own == Kind::Home && clause.is(0, "we") { Kind::KnownHome } else { own };
                is_kind(kind, &name, called).then(|| (own, bare(own, &name), tense))
            })
        })
    }
}

/// "Project Falcon" is the project Falcon.
fn bare(kind: Kind, name: &str) -> String {
    let bare = name.strip_prefix("Project ").filter(|_| kind == Kind::Project);
    bare.unwrap_or(name).to_owned()
}

fn words(pattern: &'static str) -> Vec<&'static str> {
    pattern.split_whitespace().collect()
}

/// Returns every place behind the words of a pattern.
fn places(clause: &Clause<'_>, pattern: &[&'static str], place: Place) -> Vec<Place> {
    let Some((word, rest)) = pattern.split_first() else {
        return vec![place];
    };
    let (word, optional) = match word.strip_suffix('?') {
        Some(word) => (word, true),
        None => (*word, false),
    };
    let mut found = Vec::new();
    for next in one(clause, word, &place) {
        found.extend(places(clause, rest, next));
    }
    if optional {
        found.extend(places(clause, rest, place));
    }
    found
}

/// Returns the places behind one word of a pattern.
fn one(clause: &Clause<'_>, word: &'static str, place: &Place) -> Vec<Place> {
    let at = place.at;
    let behind = |n: usize| vec![Place { at: at + n, name: place.name.clone() }];
    if word == "_" {
        let plain = clause.token(at).is_some_and(|token| !token.capital && !token.lower.is_empty());
        return if plain { behind(1) } else { Vec::new() };
    }
    let mut found = Vec::new();
    for word in word.split('|') {
        let one_of = |words: &[&str]| if clause.is_one_of(at, words) { behind(1) } else { Vec::new() };
        match word {
            "X" => found.extend(named(clause, at)),
            "<me>" => {
                let one = [&["i"][..], &["we"], &["my", "family", "and", "i"]];
                let fitting = one.iter().filter(|words| clause.are(at, words));
                found.extend(fitting.flat_map(|words| behind(words.len())));
            }
            word => match listed(word) {
                Some(words) => found.extend(one_of(words)),
                None => found.extend(one_of(&[word])),
            },
        }
    }
    found
}

/// Returns the words of which one stands where a pattern has a word in angle brackets.
fn listed(word: &str) -> Option<&'static [&'static str]> {
    match word {
        "<det>" => Some(&["a", "an", "my", "our", "the"]),
        "<adj>" => Some(ADJECTIVES),
        "<job>" => Some(JOBS),
        "<home>" => Some(HOMES),
        _ => None,
    }
}

/// Returns the words of which one has to stand for one word of a pattern to fit; nothing where any may.
fn one_needed(word: &'static str) -> Option<Vec<&'static str>> {
    let mut needed = Vec::new();
    for word in word.split('|') {
        match word {
            "X" | "_" => return None,
            "<me>" => needed.extend(["i", "we"]),
            word => match listed(word) {
                Some(words) => needed.extend(words),
                None => needed.push(word),
            },
        }
    }
    Some(needed)
}

const ADJECTIVES: &[&str] = &["new", "current", "present", "day", "main", "own", "old", "full-time", "real"];
const JOBS: &[&str] = &["job", "position", "role", "post", "contract", "employment", "gig"];
const HOMES: &[&str] = &["home", "house", "flat", "apartment", "place", "room"];

/// Reads a name; "the Falcon team" and "the project Falcon" say that it is a project's.
fn named(clause: &Clause<'_>, at: usize) -> Vec<Place> {
    const CALLED: &[&str] = &["team", "project", "group"];
    let at = at + usize::from(clause.is(at, "the"));
    let lead = clause.is_one_of(at, CALLED) && clause.token(at).is_some_and(|token| !token.capital);
    let from = at + usize::from(lead);
    let Some((name, end)) = clause.name_run(from) else {
        return Vec::new();
    };
    // The first word of a sentence is written with a capital, whatever it is.
    let opens = from == 0 && end == 1 && clause.token(1).is_none_or(|next: &Token| next.lower.is_empty());
    if opens {
        return Vec::new();
    }
    let called = lead || clause.is_one_of(end, CALLED);
    let behind = end + usize::from(!lead && clause.is_one_of(end, CALLED));
    vec![Place { at: behind, name: Some((name, called)) }]
}
