//! What form a statement has, from the way its pattern speaks and the mood of its verb.

use bygone_engine::Polarity;

use super::mood::Mood;
use super::pattern::Class;
use crate::candidate::Form;

/// What else the clause shows that decides on the form.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one observation of the clause")]
pub(super) struct Signs {
    /// It names a start: "since 2018".
    pub(super) since: bool,
    /// It names any time that dates it.
    pub(super) dated: bool,
    /// It names a time to come.
    pub(super) future: bool,
    /// It denies only for some time back: "in ages", "for months".
    pub(super) of_late: bool,
    /// "any more".
    pub(super) any_more: bool,
    /// The speaker takes something back.
    pub(super) corrects: bool,
}

/// It was so at no time.
const NEVER: (Form, Polarity) = (Form::Never, Polarity::Affirm);

/// Returns the form and what it says of the object, or `None` where the words state nothing certain.
pub(super) fn form(class: Class, mood: Mood, signs: Signs) -> Option<(Form, Polarity)> {
    let affirm = |form| Some((form, Polarity::Affirm));
    let deny = |form| Some((form, Polarity::Deny));
    let denied = mood.negated || mood.never || mood.no_longer;
    if mood.planned {
        let marked = mood.never || mood.no_longer || signs.any_more || mood.used_to || mood.past;
        return match class {
            _ if marked || (mood.negated && class != Class::State) => None,
            Class::End => deny(Form::Plan),
            Class::State if mood.negated => deny(Form::Plan),
            Class::State | Class::Change | Class::Event | Class::Underway => affirm(Form::Plan),
            Class::Practice | Class::Lifelong => None,
        };
    }
    if mood.used_to {
        let plain = matches!(class, Class::State | Class::Practice) && !denied && !signs.any_more;
        return if plain { affirm(Form::UsedTo) } else { None };
    }
    let back = mood.past || mood.perfect;
    match class {
        Class::Practice if mood.past && !mood.never => None,
        Class::State | Class::Practice => state(mood, signs),
        Class::Lifelong if mood.negated || mood.never => Some(NEVER),
        Class::Lifelong if signs.any_more || mood.no_longer || mood.progressive => None,
        Class::Lifelong => affirm(Form::State),
        Class::Change | Class::Event | Class::Underway if mood.never && back => Some(NEVER),
        // "I haven't been there in ages", "lately": not that it never was.
        Class::Event | Class::Underway if mood.negated && mood.perfect && signs.of_late => None,
        Class::Event | Class::Underway if mood.negated && mood.perfect && !signs.dated => Some(NEVER),
        Class::Event | Class::Underway if mood.negated && mood.past && signs.dated => deny(Form::Event),
        Class::Change | Class::End | Class::Event | Class::Underway if denied || signs.any_more => None,
        Class::Underway if signs.future && !back => affirm(Form::Plan),
        Class::Underway if back || mood.progressive => affirm(Form::Event),
        Class::Change | Class::End | Class::Event if mood.progressive => match class {
            // "I was moving", "I've been moving": begun, perhaps never done.
            _ if back => None,
            Class::End => deny(Form::Plan),
            _ => affirm(Form::Plan),
        },
        Class::Change if back => affirm(Form::Change),
        Class::End if back => affirm(Form::Ended),
        Class::Event if back => affirm(Form::Event),
        // "I start at Beta on Monday".
        Class::Change | Class::Event if signs.future => affirm(Form::Plan),
        Class::End if signs.future => deny(Form::Plan),
        Class::Change | Class::End | Class::Event | Class::Underway => None,
    }
}

fn state(mood: Mood, signs: Signs) -> Option<(Form, Polarity)> {
    let affirm = |form| Some((form, Polarity::Affirm));
    let back = mood.past || mood.perfect;
    if mood.never {
        return if back { affirm(Form::Never) } else { None };
    }
    if mood.no_longer || (mood.negated && signs.any_more) {
        return if mood.past { None } else { affirm(Form::NoLonger) };
    }
    if signs.any_more {
        return None;
    }
    if mood.negated {
        return match () {
            () if signs.corrects => affirm(Form::Never),
            () if mood.past && signs.dated => Some((Form::Was, Polarity::Deny)),
            () if mood.past => None,
            () if mood.perfect && !signs.since => None,
            () => affirm(Form::NoLonger),
        };
    }
    // "I've lived in Berlin" says neither when nor whether still.
    let experience = mood.perfect && !mood.progressive && !signs.dated;
    match () {
        () if experience => None,
        () if mood.past => affirm(Form::Was),
        () => affirm(Form::State),
    }
}
