//! The rules by which entities are told to be one or not, as the statements that record it name them.

/// A rule and how sure it is.
#[derive(Debug, PartialEq)]
pub(super) struct Rule {
    /// The extractor of the statements it makes.
    pub(super) name: &'static str,
    /// From 0 to 1. Chosen, untested.
    pub(super) confidence: f64,
}

/// The same but for case, spacing, punctuation, diacritics and honorifics.
pub(super) static KEY: Rule = Rule { name: "identity.key/1", confidence: 0.95 };
/// One says that it is called like the other.
pub(super) static ALIAS: Rule = Rule { name: "identity.alias/1", confidence: 0.9 };
/// The first name of one that is known by first and family name.
pub(super) static GIVEN_NAME: Rule = Rule { name: "identity.given_name/1", confidence: 0.75 };
/// A common short form.
pub(super) static NICKNAME: Rule = Rule { name: "identity.nickname/1", confidence: 0.75 };
/// The beginning of a name.
pub(super) static PREFIX: Rule = Rule { name: "identity.prefix/1", confidence: 0.65 };
/// Nearly the same letters.
pub(super) static SPELLING: Rule = Rule { name: "identity.spelling/1", confidence: 0.7 };
/// Several may be meant.
pub(super) static AMBIGUOUS: Rule = Rule { name: "identity.ambiguous/1", confidence: 0.5 };
/// They have different values of what everybody has one of.
pub(super) static CONFLICT: Rule = Rule { name: "identity.conflict/1", confidence: 0.9 };
/// Something is said of the one and the other.
pub(super) static RELATED: Rule = Rule { name: "identity.related/1", confidence: 0.9 };
/// Both speak in one session.
pub(super) static SPEAKERS: Rule = Rule { name: "identity.speakers/1", confidence: 0.9 };
/// One is called Mr, the other Mrs.
pub(super) static HONORIFIC: Rule = Rule { name: "identity.honorific/1", confidence: 0.9 };

static ALL: [&Rule; 11] = [
    &KEY,
    &ALIAS,
    &GIVEN_NAME,
    &NICKNAME,
    &PREFIX,
    &SPELLING,
    &AMBIGUOUS,
    &CONFLICT,
    &RELATED,
    &SPEAKERS,
    &HONORIFIC,
];

/// Says whether a statement was made by one of the rules, by its extractor.
pub(super) fn is_one(extractor: &str) -> bool {
    ALL.iter().any(|rule| rule.name == extractor)
}
