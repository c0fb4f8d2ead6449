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
            Class::State | Class::Change | Class::Event => affirm(Form::Plan),
        };
    }
    if mood.used_to {
        let plain = class == Class::State && !denied && !signs.any_more;
        return if plain { affirm(Form::UsedTo) } else { None };
    }
    let back = mood.past || mood.perfect;
    match class {
        Class::State => state(mood, signs),
        Class::Change | Class::Event if mood.never && back => Some(NEVER),
        Class::Event if mood.negated && mood.perfect && !signs.dated => Some(NEVER),
        Class::Event if mood.negated && mood.past && signs.dated => deny(Form::Event),
        Class::Change | Class::End | Class::Event if denied || signs.any_more => None,
        Class::Change | Class::End | Class::Event if mood.progressive => match class {
            // "I was moving", "I've been moving": begun, perhaps never done.
            _ if back => None,
            Class::End => deny(Form::Plan),
            Class::State | Class::Change | Class::Event => affirm(Form::Plan),
        },
        Class::Change if back => affirm(Form::Change),
        Class::End if back => affirm(Form::Ended),
        Class::Event if back => affirm(Form::Event),
        // "I start at Beta on Monday".
        Class::Change | Class::Event if signs.future => affirm(Form::Plan),
        Class::End if signs.future => deny(Form::Plan),
        Class::Change | Class::End | Class::Event => None,
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
            () if mood.past && signs.dated => Some((Form::State, Polarity::Deny)),
            () if mood.past => None,
            () if mood.perfect && !signs.since => None,
            () => affirm(Form::NoLonger),
        };
    }
    // "I've lived in Berlin" says neither when nor whether still.
    let experience = mood.perfect && !mood.progressive && !signs.dated;
    if experience { None } else { affirm(Form::State) }
}
