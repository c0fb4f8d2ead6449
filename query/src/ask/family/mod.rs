//! How questions that need computing are read: a file for each family of forms, over clauses, nouns and limits in time
//! that they share.
//!
//! ```text
//! words ─ person (pronouns) ─ whole forms ─▶ Operation
//!                           └ limit ("before she joined Acme") + rest ─▶ Operation within a Window
//! ```
//!
//! Invariants: every word of a question is part of a form, a name or a limit, or the question is left to others; a form
//! asks about what its words name and about nothing else.

mod beliefs;
mod calendars;
mod clause;
mod counts;
mod ever;
mod extremes;
mod joins;
mod lengths;
mod limit;
mod lists;
mod neighbours;
mod noun;
mod orders;
mod person;

use bygone_engine::EntityRef;

use super::plan::Operation;
use super::plan::selection::Selection;
use super::plan::window::Window;
use super::reading::{self, Plan, Reading, Stand};
use super::respond::{Response, Sight};
use super::template::{Match, Template};
use super::words::{FIRST_PERSON, Word};
use crate::error::QueryError;

/// What a question comes to.
#[derive(Debug)]
pub(super) enum Read {
    /// Something to compute.
    Plan(Box<Operation>),
    /// An answer already: what the question goes by is not known, or not one thing.
    Answer { intent: &'static str, response: Response },
}

/// A question to be read.
#[derive(Clone)]
pub(super) struct Asking<'q> {
    /// What is seen.
    pub(super) sight: Sight<'q>,
    /// The text that the words are of.
    pub(super) text: &'q str,
    /// The words, without dates.
    pub(super) words: Vec<Word>,
    /// The date that was named.
    pub(super) window: Window,
    /// Whether it is asked when the rest was learned.
    pub(super) is_learned: bool,
    /// The people that are named.
    people: Vec<EntityRef>,
}

/// One reader of forms.
type Family = fn(&Asking<'_>) -> Result<Option<Read>, QueryError>;

/// The families whose forms take up a whole question, limits included.
const WHOLE: &[Family] = &[lengths::read, orders::read, calendars::read, neighbours::read, beliefs::read];

/// Those that may be limited by a date or by something else.
const LIMITED: &[Family] =
    &[lists::read, counts::read, extremes::read, calendars::age, ever::read, joins::read];

/// Returns words with pronouns put for the one person they can mean.
///
/// # Errors
/// [`QueryError`] where the store cannot be read.
pub(super) fn with_names(sight: Sight<'_>, text: &str, words: &[Word]) -> Result<Vec<Word>, QueryError> {
    Ok(person::resolve(sight, text, words)?.0)
}

impl<'q> Asking<'q> {
    /// Makes a question of words; pronouns are put for whom they mean.
    pub(super) fn new(
        sight: Sight<'q>,
        text: &'q str,
        words: &[Word],
        window: Window,
        is_learned: bool,
    ) -> Result<Asking<'q>, QueryError> {
        let telling: Vec<Word> =
            words.iter().filter(|word| !FILLERS.contains(&word.folded.as_str())).cloned().collect();
        let (words, people) = person::resolve(sight, text, &telling)?;
        Ok(Asking { sight, text, words, window, is_learned, people })
    }

    /// Reads the question; `None` where it has none of these forms.
    ///
    /// # Errors
    /// [`QueryError`] where a name means several things, or the store cannot be read.
    pub(super) fn read(&self) -> Result<Option<Read>, QueryError> {
        if self.is_learned {
            return beliefs::learned(self);
        }
        for family in WHOLE {
            if let Some(read) = family(self)? {
                return Ok(Some(read));
            }
        }
        // Which of two that are named came first is told by their order or not at all.
        let has = |words: &[&str]| self.words.iter().any(|word| words.contains(&word.folded.as_str()));
        if has(&["or"]) && has(&["first", "last", "earlier", "later", "recently"]) {
            return Ok(None);
        }
        self.limited()
    }

    /// Reads what stands behind "what did we think about" and is no clause: "the launch date".
    ///
    /// # Errors
    /// As [`Asking::read`].
    pub(super) fn thought(&self) -> Result<Option<Read>, QueryError> {
        if self.patterns(&self.words, Stand::Embedded)?.is_some() {
            return Ok(None);
        }
        match noun::values(self, &self.words, false)? {
            Some(of) => Ok(Some(plan(Operation::Joined { of, window: self.window.clone() }))),
            // "Do you know Anna's blood type?"
            None => match noun::unknown(self, &self.words)? {
                Some(of) => {
                    let window = Window::always();
                    Ok(Some(plan(Operation::Held { manner: super::plan::Manner::Told, of, window })))
                }
                None => Ok(None),
            },
        }
    }

    fn limited(&self) -> Result<Option<Read>, QueryError> {
        for limited in limit::split(self)? {
            let (asking, response) = match limited {
                limit::Limited::Within(asking) => (asking, None),
                limit::Limited::Nowhere(asking, response) => (asking, Some(response)),
            };
            for family in LIMITED {
                match (family(&asking)?, response.clone()) {
                    (Some(Read::Plan(operation)), Some(response)) => {
                        return Ok(Some(Read::Answer { intent: operation.intent(), response }));
                    }
                    (Some(read), _) => return Ok(Some(read)),
                    (None, _) => {}
                }
            }
        }
        for family in LIMITED {
            if let Some(read) = family(self)? {
                return Ok(Some(read));
            }
        }
        Ok(None)
    }

    /// Returns the ways in which the words have one of some forms.
    fn matches(&self, templates: &[&str]) -> Vec<Match> {
        templates.iter().flat_map(|template| Template::new(template).matches(&self.words)).collect()
    }

    /// Reads words by the table; `None` unless all of them are understood.
    fn patterns(&self, words: &[Word], stand: Stand) -> Result<Option<Vec<Plan>>, QueryError> {
        if words.is_empty() {
            return Ok(None);
        }
        let Sight { seen, ontology, .. } = self.sight;
        let (reading, is_whole) = reading::read(seen, ontology, &super::FORMS, self.text, words, stand)?;
        Ok(match reading {
            Reading::Plans(plans) if is_whole && !plans.is_empty() => Some(plans),
            _ => None,
        })
    }

    /// Reads words by the table where all that is not understood is a key that nothing has: "my shoe size".
    fn unknown_key(&self, words: &[Word]) -> Result<Option<Vec<Plan>>, QueryError> {
        let Sight { seen, ontology, .. } = self.sight;
        let (reading, _) = reading::read(seen, ontology, &super::FORMS, self.text, words, Stand::Direct)?;
        Ok(match reading {
            Reading::Plans(plans) if plans.iter().all(|plan| plan.key.is_some()) => Some(plans),
            _ => None,
        })
    }

    /// Returns the words as the question has them.
    fn said(&self, words: &[Word]) -> String {
        let mut said = String::new();
        let mut last: Option<&Word> = None;
        for word in words {
            if last.is_some_and(|last| last.span == word.span && word.span.end > 0) {
                last = Some(word);
                continue;
            }
            let is_joined = last
                .is_none_or(|last| word.span.start == last.span.end && word.folded.starts_with('\''))
                || word.folded == ",";
            if !is_joined {
                said.push(' ');
            }
            let own = self.text.get(word.span.clone()).filter(|own| !own.is_empty());
            said.push_str(own.unwrap_or(&word.folded));
            last = Some(word);
        }
        said
    }

    /// Says whether the one who asks is spoken of.
    fn speaks(&self) -> bool {
        self.words.iter().any(|word| word.folded == FIRST_PERSON)
    }

    /// Returns the entity that some words name, if they name one.
    fn entity(&self, words: &[Word]) -> Result<Option<EntityRef>, QueryError> {
        person::named(self.sight, self.text, words)
    }

    /// Returns the question with other words and another limit.
    fn with(&self, words: Vec<Word>, window: Window) -> Asking<'q> {
        Asking { words, window, ..self.clone() }
    }
}

/// Makes a word that is not in the text.
fn word(folded: &str) -> Word {
    Word { folded: folded.to_owned(), span: 0..0 }
}

fn is(words: &[Word], at: usize, any: &[&str]) -> bool {
    words.get(at).is_some_and(|word| any.contains(&word.folded.as_str()))
}

/// Words that ask for nothing.
const FILLERS: &[&str] = &["already", "actually", "really", "exactly"];

/// The verbs that a question may start with.
const AUXILIARIES: &[&str] =
    &["did", "do", "does", "has", "have", "had", "is", "are", "am", "was", "were", "will", "would"];

fn starts_with_auxiliary(words: &[Word]) -> bool {
    is(words, 0, AUXILIARIES)
}

fn plan(operation: Operation) -> Read {
    Read::Plan(Box::new(operation))
}

/// Says whether a selection tells of something.
fn is_found(selection: &Selection) -> bool {
    !selection.found.is_empty()
}

/// Returns words in the form they are compared in.
fn folded(words: &[Word]) -> String {
    words.iter().map(|word| word.folded.as_str()).collect::<Vec<_>>().join(" ")
}
