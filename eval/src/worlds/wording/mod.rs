//! How a telling is put in words: one of at least forty sentences of its kind.
//!
//! The sentences stand in files, one a line, and were written before anybody who wrote them had looked at the patterns of
//! the extractor. `{x}` stands for a name, `{wrong}` and `{right}` for what is corrected, `{at}` for a date with its
//! preposition, `{at_start}` for the same as the start of a sentence, and `{point}`, `{from}` and `{to}` for bare dates.

use super::calendar::Date;
use super::telling::{Form, Telling, Topic};
use crate::belief::splitmix::Random;

/// The sentences of one kind.
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    sentences: &'static str,
}

macro_rules! kinds {
    ($($constant:ident $name:literal),* $(,)?) => {
        $(const $constant: Kind = Kind { name: $name, sentences: include_str!(concat!($name, ".txt")) };)*

        /// Every kind of sentence that tells something.
        pub const KINDS: &[Kind] = &[$($constant),*];
    };
}

kinds! {
    EMPLOYMENT_NOW "employment_now", EMPLOYMENT_SINCE "employment_since", EMPLOYMENT_START "employment_start",
    EMPLOYMENT_END "employment_end", EMPLOYMENT_BOUNDED "employment_bounded",
    EMPLOYMENT_CORRECTION "employment_correction", EMPLOYMENT_RETRACTION "employment_retraction",
    RESIDENCE_NOW "residence_now", RESIDENCE_SINCE "residence_since", RESIDENCE_START "residence_start",
    RESIDENCE_END "residence_end", RESIDENCE_BOUNDED "residence_bounded",
    RESIDENCE_CORRECTION "residence_correction", RESIDENCE_RETRACTION "residence_retraction",
    PROJECT_NOW "project_now", PROJECT_SINCE "project_since", PROJECT_START "project_start",
    PROJECT_END "project_end", PROJECT_BOUNDED "project_bounded", PROJECT_CORRECTION "project_correction",
    PROJECT_RETRACTION "project_retraction", IDENTITY "identity",
}

const SMALL_TALK: &str = include_str!("small_talk.txt");

impl Kind {
    /// Returns its sentences.
    pub fn sentences(&self) -> impl Iterator<Item = &'static str> {
        self.sentences.lines()
    }

    /// Returns the kind of a telling.
    pub const fn of(telling: &Telling) -> &'static Kind {
        use Form::{Alias, Bounded, Correction, End, Now, Retraction, Since, Start};
        use Topic::{Employment, Project, Residence};
        match (telling.topic, &telling.form) {
            (_, Alias(_)) => &IDENTITY,
            (Employment, Now(_)) => &EMPLOYMENT_NOW,
            (Employment, Since(..)) => &EMPLOYMENT_SINCE,
            (Employment, Start(..)) => &EMPLOYMENT_START,
            (Employment, End(..)) => &EMPLOYMENT_END,
            (Employment, Bounded(..)) => &EMPLOYMENT_BOUNDED,
            (Employment, Correction { .. }) => &EMPLOYMENT_CORRECTION,
            (Employment, Retraction(_)) => &EMPLOYMENT_RETRACTION,
            (Residence, Now(_)) => &RESIDENCE_NOW,
            (Residence, Since(..)) => &RESIDENCE_SINCE,
            (Residence, Start(..)) => &RESIDENCE_START,
            (Residence, End(..)) => &RESIDENCE_END,
            (Residence, Bounded(..)) => &RESIDENCE_BOUNDED,
            (Residence, Correction { .. }) => &RESIDENCE_CORRECTION,
            (Residence, Retraction(_)) => &RESIDENCE_RETRACTION,
            (Project, Now(_)) => &PROJECT_NOW,
            (Project, Since(..)) => &PROJECT_SINCE,
            (Project, Start(..)) => &PROJECT_START,
            (Project, End(..)) => &PROJECT_END,
            (Project, Bounded(..)) => &PROJECT_BOUNDED,
            (Project, Correction { .. }) => &PROJECT_CORRECTION,
            (Project, Retraction(_)) => &PROJECT_RETRACTION,
        }
    }
}

/// Puts a telling in words.
pub fn say(telling: &Telling, random: &mut Random) -> String {
    let date = match &telling.form {
        Form::Since(_, date) | Form::Start(_, date) | Form::End(_, date) => Some(*date),
        _ => None,
    };
    // "My last day was 2022" is no English.
    let fits = |sentence: &&str| {
        date.is_none_or(Date::is_day) || !(sentence.contains(" day ") && sentence.contains("{point}"))
    };
    let sentences: Vec<&str> = Kind::of(telling).sentences().filter(fits).collect();
    let sentence = named(random.one_of::<&str>(&sentences), telling.topic);
    match &telling.form {
        Form::Now(object) | Form::Retraction(object) | Form::Alias(object) => sentence.replace("{x}", object),
        Form::Since(object, date) | Form::Start(object, date) | Form::End(object, date) => {
            at(*date, telling.time.day(), &sentence.replace("{x}", object), random)
        }
        Form::Bounded(object, from, to) => sentence
            .replace("{x}", object)
            .replace("{from}", &from.words(random))
            .replace("{to}", &to.words(random)),
        Form::Correction { wrong, right } => sentence.replace("{wrong}", wrong).replace("{right}", right),
    }
}

/// Puts "Project" before the places of names, or leaves it to the "team" behind them.
fn named(sentence: &str, topic: Topic) -> String {
    match topic {
        Topic::Employment | Topic::Residence => sentence.to_owned(),
        Topic::Project => {
            let whole = ["{x}", "{right}", "{wrong}"].iter().fold(sentence.to_owned(), |sentence, place| {
                sentence.replace(place, &format!("Project {place}"))
            });
            ["team", "group"].iter().fold(whole, |sentence, kind| {
                ["{x}", "{right}"].iter().fold(sentence, |sentence, place| {
                    sentence.replace(&format!("Project {place} {kind}"), &format!("{place} {kind}"))
                })
            })
        }
    }
}

/// Returns something that tells nothing.
pub fn small_talk(random: &mut Random) -> &'static str {
    let sentences: Vec<&str> = SMALL_TALK.lines().collect();
    random.one_of::<&str>(&sentences)
}

/// Puts a date where the sentence has a place for one; as "last month" and the like in most of the cases in which it fits.
fn at(date: Date, today: i64, sentence: &str, random: &mut Random) -> String {
    let words = date.words(random);
    let near = date.seen_from(today).filter(|_| random.chance(60));
    let point = near.map_or_else(|| words.clone(), str::to_owned);
    let at = near.map_or_else(|| format!("{} {words}", date.preposition()), str::to_owned);
    let mut at_start = at.clone();
    at_start[..1].make_ascii_uppercase();
    at_start.push(',');
    sentence.replace("{point}", &point).replace("{at_start}", &at_start).replace("{at}", &at)
}
