//! Who a clause is about: the speaker, a person by name, or the one person named just before.

use bygone_engine::EntityRef;

use super::lexicon::{self, Gender};
use super::phrase::Clause;

/// A person named in the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mention {
    /// The name.
    pub(super) name: String,
    /// Which pronoun stands for them, where known.
    pub(super) gender: Option<Gender>,
    /// Whether it is only a capitalised word that may be a person.
    pub(super) doubtful: bool,
}

impl Mention {
    /// Makes a mention of a person by name.
    pub(super) fn of(name: &str, gender: Option<Gender>) -> Mention {
        Mention { name: name.to_owned(), gender: gender.or_else(|| lexicon::gender(name)), doubtful: false }
    }
}

/// Who is spoken of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// The speaker, alone ("I") or with others ("we").
    Speaker {
        /// Whether it is "we".
        plural: bool,
    },
    /// A person, by name.
    Person {
        /// The name.
        name: String,
        /// Whether the name is only the capitalised first word of the sentence, and no frequent name.
        doubtful: bool,
    },
    /// A project, team or service.
    Project(EntityRef),
}

/// The subject of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    /// Who.
    pub(super) who: Who,
    /// The position of its first word.
    pub(super) start: usize,
    /// The position behind it.
    pub(super) end: usize,
    /// Whether it is spoken to: "you".
    pub(super) addressed: bool,
}

impl Subject {
    /// Says whether the verb takes the third person singular.
    pub(super) fn is_third(&self) -> bool {
        !self.addressed && !matches!(self.who, Who::Speaker { .. })
    }
}

/// Reads the subject at a position.
///
/// `mentions` are the persons a pronoun may stand for, those of this clause or else of the one before.
pub(super) fn read(clause: &Clause<'_>, at: usize, first: bool, mentions: &[Mention]) -> Option<Subject> {
    let subject = |who, end| Some(Subject { who, start: at, end, addressed: false });
    let token = clause.token(at)?;
    match token.lower.as_str() {
        "i" => return subject(Who::Speaker { plural: false }, at + 1),
        "we" => return subject(Who::Speaker { plural: true }, at + 1),
        "she" | "he" => {
            let gender = if token.is("she") { Gender::She } else { Gender::He };
            let name = antecedent(mentions, gender)?.to_owned();
            let doubtful = false;
            return subject(Who::Person { name, doubtful }, at + 1);
        }
        _ => {}
    }
    if let Some((project, end)) = project(clause, at) {
        return subject(Who::Project(project), end);
    }
    let end = clause.name_run_end(at)?;
    if end - at > 3 || lexicon::is_no_name(&token.lower) {
        return None;
    }
    let name = clause.words(at..end);
    let doubtful = first && end - at == 1 && !lexicon::is_given_name(&name);
    subject(Who::Person { name, doubtful }, end)
}

/// Returns the one person a pronoun can stand for.
fn antecedent(mentions: &[Mention], gender: Gender) -> Option<&str> {
    let mut fitting = mentions.iter().filter(|mention| mention.gender.is_none_or(|known| known == gender));
    let one = fitting.next()?;
    let alone = fitting.all(|other| other.name == one.name);
    (alone && !one.doubtful).then_some(one.name.as_str())
}

/// Reads "the Atlas project", "project Atlas".
pub(super) fn project(clause: &Clause<'_>, at: usize) -> Option<(EntityRef, usize)> {
    const KINDS: &[&str] = &["project", "team", "service"];
    let at = at + usize::from(clause.is(at, "the"));
    let token = clause.token(at)?;
    if KINDS.contains(&token.lower.as_str()) {
        let (name, end) = clause.name_run(at + 1)?;
        return Some((EntityRef::new(&token.lower, &name).ok()?, end));
    }
    let end = clause.name_run_end(at)?;
    let noun = clause.token(end)?;
    // "The Project Team": the noun was taken into the name.
    if !KINDS.contains(&noun.lower.as_str()) {
        return None;
    }
    Some((EntityRef::new(&noun.lower, &clause.words(at..end)).ok()?, end + 1))
}
