//! A correction that reaches back to an earlier turn: "That was wrong, it isn't Gamma", "I misspoke: it's Beta, not Gamma".
//!
//! It must name what was wrong, that must be the object of something the same speaker said, and nothing may follow
//! that limits it ("it isn't Gamma any more"). What was said of it is denied at all times; what is named in its place
//! takes over predicate, key and time.

use std::ops::Range;

use bygone_engine::{Authority, Modality, Object, Polarity};

use super::cues::{self, Retraction};
use super::lexicon;
use super::memory::{Remembered, mentions, object_named};
use super::mood::ADVERBS;
use super::phrase::{Clause, Found};
use super::reader::{Reader, Setting};
use super::token::{Kind, Sentence};
use crate::candidate::{Candidate, Form, When};

/// How many sentences a retraction reaches: its own and the next.
const REACH: u8 = 2;

/// What of a turn's words takes back something of an earlier turn.
#[derive(Default)]
pub(super) struct Recall {
    /// Something is being taken back.
    retracting: Option<Retracting>,
    /// What was taken back and not yet replaced.
    replaceable: Option<Replaceable>,
}

#[derive(Clone, Copy)]
struct Retracting {
    cue: Retraction,
    /// Where the sentence starts that says so.
    from: usize,
    n_sentences_left: u8,
}

struct Replaceable {
    statement: Remembered,
    /// How many candidates there were then: once something else was said, "it" may be that.
    n_found: usize,
    n_sentences_left: u8,
}

impl Recall {
    /// Notes whether a sentence takes something back.
    pub(super) fn open(&mut self, sentence: &Sentence) {
        let (Some(cue), Some(first)) = (cues::retraction(&sentence.tokens), sentence.tokens.first()) else {
            return;
        };
        // "That was wrong. Sorry." is still that.
        let weaker = cue == Retraction::Apology && self.retracting.is_some();
        if !sentence.asks && !weaker {
            self.retracting = Some(Retracting { cue, from: first.span.start, n_sentences_left: REACH });
        }
    }

    /// Notes that a sentence is over.
    pub(super) fn close(&mut self) {
        self.retracting.take_if(|one| {
            one.n_sentences_left -= 1;
            one.n_sentences_left == 0
        });
        self.replaceable.take_if(|one| {
            one.n_sentences_left -= 1;
            one.n_sentences_left == 0
        });
    }
}

impl Reader<'_> {
    /// Reads "it isn't Gamma", "it's Beta, not Gamma" as said of an earlier turn; says whether that is what it was.
    pub(super) fn recalled(&mut self, clause: &Clause<'_>, at: usize, setting: Setting) -> bool {
        let Some(named) = read(clause, at) else {
            return false;
        };
        if setting.reported {
            return false;
        }
        match (&named.wrong, &named.right) {
            (Some(wrong), right) => self.take_back(wrong, right.as_deref(), &named),
            (None, Some(right)) => {
                let Some(replaceable) = self.recall.replaceable.take() else {
                    return false;
                };
                replaceable.n_found == self.found.len()
                    && self.replace(&replaceable.statement, right, &named.span)
            }
            (None, None) => false,
        }
    }

    fn take_back(&mut self, wrong: &str, right: Option<&str>, named: &Named) -> bool {
        let Some(retracting) = self.recall.retracting else {
            return false;
        };
        if retracting.cue == Retraction::Apology && !named.meant {
            return false;
        }
        let another = retracting.cue == Retraction::OfAnything;
        let Some(statement) = self.memory.latest(self.episode, wrong, another) else {
            return false;
        };
        // Named in this very turn: it is this turn that is corrected.
        if mentions(&self.text[..retracting.from], wrong) {
            return false;
        }
        let denied = Candidate {
            when: When::Said { form: Form::Never, clause: named.span.clone() },
            ..self.anew(statement, &named.span)
        };
        self.found.push(denied);
        match right {
            Some(right) => {
                self.replace(statement, right, &named.span);
            }
            None => {
                self.recall.replaceable = Some(Replaceable {
                    statement: statement.clone(),
                    n_found: self.found.len(),
                    n_sentences_left: REACH,
                });
            }
        }
        true
    }

    /// Says of another name what an earlier statement said of the wrong one.
    fn replace(&mut self, statement: &Remembered, right: &str, span: &Range<usize>) -> bool {
        let object = statement.said.object.as_ref();
        let Some(object) = object.filter(|object| suits(object, right)) else {
            return false;
        };
        let (Some(other), Some((validity, sure_until))) = (object_named(object, right), statement.time())
        else {
            return false;
        };
        if other == *object {
            return false;
        }
        let mut candidate = Candidate {
            when: When::Exactly { validity, sure_until },
            object: Some(other),
            ..self.anew(statement, span)
        };
        // Where a technology has no purpose its own name stands for it.
        let own = object.entity().is_some_and(|entity| entity.name().to_lowercase() == candidate.key);
        if own {
            candidate.key = right.to_lowercase();
        }
        self.found.push(candidate);
        true
    }

    /// Makes the candidate that says an earlier statement again, here.
    fn anew(&self, statement: &Remembered, span: &Range<usize>) -> Candidate {
        let said = &statement.said;
        let reported = said.modality == Modality::Reported;
        Candidate {
            polarity: Polarity::Affirm,
            authority: if reported { Authority::Inferred } else { self.authority },
            confidence: 0.7,
            span: span.clone(),
            ..said.clone()
        }
    }
}

/// What the words of a correction name.
struct Named {
    wrong: Option<String>,
    right: Option<String>,
    /// "I meant …".
    meant: bool,
    span: Range<usize>,
}

/// Reads "it isn't X", "not X but Y", "it's Y, not X", "I meant Y, not X", "it's Y", to the end of the clause.
fn read(clause: &Clause<'_>, at: usize) -> Option<Named> {
    let (from, lead) = lead(clause, at);
    let (wrong, right, end) = if lead == Lead::Denied {
        let (wrong, end) = name(clause, from)?;
        let but = end + comma(clause, end);
        if clause.is(but, "but") {
            let (right, end) = name(clause, but + 1)?;
            (Some(wrong), Some(right), end)
        } else {
            (Some(wrong), None, end)
        }
    } else {
        let (right, end) = name(clause, from)?;
        match instead_of(clause, end) {
            Some(not) => {
                let (wrong, end) = name(clause, not)?;
                (Some(wrong), Some(right), end)
            }
            // A name alone says nothing.
            None if lead == Lead::Bare => return None,
            None => (None, Some(right), end),
        }
    };
    let span = clause.tokens[at].span.start..clause.tokens[end - 1].span.end;
    closes(clause, end).then_some(Named { wrong, right, meant: lead == Lead::Meant, span })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// "it isn't", "not".
    Denied,
    /// "it's".
    Affirmed,
    /// "I meant".
    Meant,
    /// No words before the name.
    Bare,
}

fn lead(clause: &Clause<'_>, at: usize) -> (usize, Lead) {
    if clause.are(at, &["i", "meant"]) {
        let say = if clause.are(at + 2, &["to", "say"]) { 2 } else { 0 };
        return (at + 2 + say, Lead::Meant);
    }
    let mut behind = at;
    let mut lead = Lead::Bare;
    if clause.is(at, "it") {
        behind = skip(clause, at + 1, ADVERBS);
        if !clause.is_one_of(behind, &["is", "'s", "was"]) {
            return (at, Lead::Bare);
        }
        behind = skip(clause, behind + 1, ADVERBS);
        lead = Lead::Affirmed;
    }
    if clause.is(behind, "not") { (skip(clause, behind + 1, ADVERBS), Lead::Denied) } else { (behind, lead) }
}

fn skip(clause: &Clause<'_>, mut at: usize, words: &[&str]) -> usize {
    while clause.is_one_of(at, words) {
        at += 1;
    }
    at
}

fn comma(clause: &Clause<'_>, at: usize) -> usize {
    usize::from(clause.token(at).is_some_and(|token| token.kind == Kind::Comma))
}

/// Reads a name, "the" and one preposition before it left out.
fn name(clause: &Clause<'_>, at: usize) -> Found<String> {
    let at = at + usize::from(clause.is_one_of(at, &["at", "in", "to", "for"]));
    clause.name_run(at + usize::from(clause.is(at, "the")))
}

/// Returns the position behind ", not", "rather than" and the like.
fn instead_of(clause: &Clause<'_>, at: usize) -> Option<usize> {
    const WORDS: [&[&str]; 4] = [&["not"], &["and", "not"], &["rather", "than"], &["instead", "of"]];
    let at = at + comma(clause, at);
    WORDS.iter().find(|words| clause.are(at, words)).map(|words| at + words.len())
}

/// Says whether nothing stands at the end of a clause that would limit what it says.
fn closes(clause: &Clause<'_>, at: usize) -> bool {
    let mut at = at;
    loop {
        let next = at + comma(clause, at);
        let words = if clause.is_one_of(next, &["sorry", "though"]) {
            1
        } else if clause.are(next, &["after", "all"]) || clause.are(next, &["at", "all"]) {
            2
        } else {
            return next == clause.tokens.len();
        };
        at = next + words;
    }
}

/// Says whether a name can stand in the place of an object.
fn suits(object: &Object, name: &str) -> bool {
    match object.entity().map_or("", |entity| entity.kind()) {
        "org" => !lexicon::is_given_name(name) || name.contains(' '),
        "place" => !lexicon::is_no_place(name),
        "person" => !lexicon::is_place(name),
        _ => true,
    }
}
