//! Which form a question has, and what its slots name: of all forms that fit, the ones that fit best.

use std::ops::Range;

use bygone_engine::EntityRef;
use bygone_engine::entity::fold_name;
use bygone_engine::store::Seen;
use bygone_ontology::Ontology;

use super::entity::{Named, Side, resolve};
use super::forms::{Ask, Form, Scope};
use super::kind;
use super::template::Match;
use super::words::{POSSESSIVE, Word};
use crate::error::QueryError;
use crate::names;

/// What the object is to be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wanted {
    /// This entity.
    Entity(EntityRef),
    /// A value that reads like this.
    Value(String),
    /// Anything that is called by these words or is of this kind: "a dog", "the car".
    Described(Vec<String>),
}

/// Where the words stand that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stand {
    /// They are the question.
    Direct,
    /// They stand inside another question.
    Embedded,
    /// They say that something was so, as a part of a larger question.
    Clause,
}

/// A question for one predicate, understood.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    /// The predicate.
    pub(super) predicate: &'static str,
    /// What is asked for.
    pub(super) ask: Ask,
    /// The time where none is named.
    pub(super) scope: Scope,
    /// The subject, unless asked for.
    pub(super) subject: Option<EntityRef>,
    /// The object, unless asked for.
    pub(super) object: Option<Wanted>,
    /// Which of several parallel values.
    pub(super) key: Option<String>,
    /// Whether "still" was said.
    pub(super) still: bool,
    /// A noun that says more than the predicate does.
    pub(super) narrower: Option<String>,
    /// The forms of a verb that says more than the predicate does; empty where none does.
    pub(super) manner: &'static str,
}

/// What the words come to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reading {
    /// Questions that fit equally well, all for the same.
    Plans(Vec<Plan>),
    /// A question about something that nothing here is named.
    Unnamed {
        /// The name.
        name: String,
        /// What is asked of it.
        ask: Ask,
        /// The predicate.
        predicate: &'static str,
    },
    /// No form fits.
    Nothing,
}

/// How badly a form fits, best first: names that nothing bears, keys that no fact has, types that do not fit.
type Misfit = (usize, usize, usize);

/// Reads words as a question. `text` is what their ranges are of; `stand` says where they stand.
///
/// # Errors
/// [`QueryError::Ambiguous`] where the best form has a name that means several things.
pub(super) fn read(
    seen: &Seen<'_>,
    ontology: &Ontology,
    forms: &[Form],
    text: &str,
    words: &[Word],
    stand: Stand,
) -> Result<(Reading, bool), QueryError> {
    let mut found: Vec<(Misfit, &Form, Match, Slots)> = Vec::new();
    let stands = |form: &&Form| match stand {
        Stand::Direct => form.is_direct,
        Stand::Embedded => form.is_embedded,
        Stand::Clause => form.is_clause,
    };
    for form in forms.iter().filter(stands) {
        for matched in form.template.matches(words) {
            let slots = Slots::new(seen, ontology, form, &matched, text, words)?;
            if let Some(misfit) = slots.misfit() {
                found.push((misfit, form, matched, slots));
            }
        }
    }
    let Some(best) = found.iter().map(|candidate| candidate.0).min() else {
        return Ok((Reading::Nothing, false));
    };
    found.retain(|candidate| candidate.0 == best);
    let (_, form, first_match, slots) = &found[0];
    if let Some(name) = slots.unnamed() {
        let unnamed = Reading::Unnamed { name: name.to_owned(), ask: form.ask, predicate: form.predicate };
        return Ok((unnamed, false));
    }
    if let Some((name, entities)) = slots.several() {
        let candidates = entities.iter().map(ToString::to_string).collect();
        return Err(QueryError::Ambiguous { name: name.to_owned(), candidates });
    }
    let ask = form.ask;
    let places = (first_match.subject.clone(), first_match.object.clone(), first_match.key.clone());
    let mut plans: Vec<Plan> = Vec::new();
    for (_, form, matched, slots) in &found {
        let same = (&matched.subject, &matched.object, &matched.key) == (&places.0, &places.1, &places.2);
        let plan = slots.plan(form, matched);
        let is_new = plans.iter().all(|other| other.predicate != plan.predicate);
        if same && form.ask == ask && slots.several().is_none() && is_new {
            plans.push(plan);
        }
    }
    let is_whole = best.0 == 0 && best.1 == 0;
    Ok((Reading::Plans(plans), is_whole))
}

/// Of several things of one name, returns the one that the predicate says of the subject. Where it says none of them, the
/// name will do: the answer is the same for each.
fn said_of(
    seen: &Seen<'_>,
    subject: &EntityRef,
    predicate: &str,
    name: String,
    entities: Vec<EntityRef>,
) -> Result<Named, QueryError> {
    let entities = names::said_of(seen, subject, Some(predicate), entities)?;
    Ok(match entities.as_slice() {
        [] => Named::Value(name),
        [entity] => Named::Entity { entity: entity.clone(), fits: true },
        [_, _, ..] => Named::Several { name, entities },
    })
}

/// Of a name that nothing bears, says whether it describes something that the predicate says of the subject.
fn described_of(
    seen: &Seen<'_>,
    ontology: &Ontology,
    subject: &EntityRef,
    predicate: &str,
    name: String,
) -> Result<Named, QueryError> {
    let words = if kind::is_description(&name) { kind::noun_words(&name) } else { Vec::new() };
    for group in seen.groups_of(subject)? {
        if group.predicate == predicate {
            for fact in seen.facts(&group)? {
                if kind::is_described(seen, ontology, &fact.object, &words)? {
                    return Ok(Named::Described { words });
                }
            }
        }
    }
    Ok(Named::Nothing { name, is_name: true })
}

/// Returns the noun of an object that is said to be the subject's own.
fn own_noun(matched: &Match, words: &[Word]) -> Option<Range<usize>> {
    let (subject, object) = (matched.subject.clone()?, matched.object.clone()?);
    let owner = object.start..object.start + subject.len();
    let is_mark = |at: usize| words.get(at).is_some_and(|word| word.folded == POSSESSIVE);
    let folded = |range: Range<usize>| words.get(range).map(|words| words.iter().map(|word| &word.folded));
    let is_own = match (folded(subject), folded(owner.clone())) {
        (Some(subject), Some(owner)) => subject.eq(owner),
        _ => false,
    };
    let noun = owner.end + 1..object.end;
    (is_own && is_mark(owner.end) && !noun.is_empty() && !noun.clone().any(is_mark)).then_some(noun)
}

/// What stands in the slots of a form that fits.
struct Slots {
    subject: Option<Named>,
    object: Option<Named>,
    key: Option<(String, bool)>,
}

impl Slots {
    fn new(
        seen: &Seen<'_>,
        ontology: &Ontology,
        form: &Form,
        matched: &Match,
        text: &str,
        words: &[Word],
    ) -> Result<Slots, QueryError> {
        let definition = ontology.get_or_open(form.predicate);
        let name = |range: &Option<Range<usize>>, side| {
            let words = range.clone().map(|range| &words[range]);
            words.map(|words| resolve(seen, ontology, &definition, side, text, words)).transpose()
        };
        let subject = name(&matched.subject, Side::Subject)?;
        let named = match (name(&matched.object, Side::Object)?, own_noun(matched, words)) {
            // "Did Ben sell Ben's bike" is asked of the bike.
            (Some(other @ (Named::Nothing { .. } | Named::Value(_))), Some(noun)) => {
                let named = name(&Some(noun), Side::Object)?;
                named.filter(|named| matches!(named, Named::Entity { .. })).or(Some(other))
            }
            (named, _) => named,
        };
        let object = match (named, &subject) {
            (Some(Named::Several { name, entities }), Some(Named::Entity { entity, .. })) => {
                Some(said_of(seen, entity, form.predicate, name, entities)?)
            }
            (Some(Named::Nothing { name, is_name: true }), Some(Named::Entity { entity, .. })) => {
                Some(described_of(seen, ontology, entity, form.predicate, name)?)
            }
            (object, _) => object,
        };
        let key = match &matched.key {
            None => None,
            Some(range) => {
                let said: Vec<&str> = words[range.clone()].iter().map(|word| word.folded.as_str()).collect();
                let said = said.join(" ");
                let holds = match &subject {
                    Some(Named::Entity { entity, .. }) => seen
                        .groups_of(entity)?
                        .iter()
                        .any(|group| group.predicate == form.predicate && fold_name(&group.key) == said),
                    _ => false,
                };
                Some((said, holds))
            }
        };
        Ok(Slots { subject, object, key })
    }

    /// Returns how badly the slots fit; `None` where a key is none at all.
    fn misfit(&self) -> Option<Misfit> {
        let (mut unnamed, mut types) = (0, 0);
        for named in [&self.subject, &self.object].into_iter().flatten() {
            match named {
                Named::Nothing { is_name, .. } => unnamed += if *is_name { 1 } else { 3 },
                Named::Entity { fits, .. } => types += usize::from(!fits),
                Named::Several { .. } | Named::Value(_) | Named::Described { .. } => {}
            }
        }
        let missing = match &self.key {
            None | Some((_, true)) => 0,
            Some((key, false)) if key.split(' ').count() > 3 => return None,
            Some((_, false)) => 1,
        };
        Some((unnamed, missing, types))
    }

    /// Returns the name that nothing bears, where one does not; an empty one where the words are no name.
    fn unnamed(&self) -> Option<&str> {
        let names = [&self.subject, &self.object].into_iter().flatten().filter_map(|named| match named {
            Named::Nothing { name, is_name } => Some(if *is_name { name.as_str() } else { "" }),
            Named::Entity { .. } | Named::Several { .. } | Named::Value(_) | Named::Described { .. } => None,
        });
        names.min()
    }

    fn several(&self) -> Option<(&str, &[EntityRef])> {
        [&self.subject, &self.object].into_iter().flatten().find_map(|named| match named {
            Named::Several { name, entities } => Some((name.as_str(), entities.as_slice())),
            _ => None,
        })
    }

    fn plan(&self, form: &Form, matched: &Match) -> Plan {
        let entity = |named: &Option<Named>| match named {
            Some(Named::Entity { entity, .. }) => Some(entity.clone()),
            _ => None,
        };
        let object = match &self.object {
            Some(Named::Entity { entity, .. }) => Some(Wanted::Entity(entity.clone())),
            Some(Named::Value(text)) => Some(Wanted::Value(text.clone())),
            Some(Named::Described { words }) => Some(Wanted::Described(words.clone())),
            _ => None,
        };
        let is_narrower = |word: &&String| form.narrower.split('|').any(|noun| noun == word.as_str());
        Plan {
            predicate: form.predicate,
            ask: form.ask,
            scope: form.scope,
            subject: entity(&self.subject),
            object,
            key: self.key.as_ref().map(|(key, _)| key.clone()),
            still: matched.still,
            narrower: matched.chosen.iter().find(is_narrower).cloned(),
            manner: form.manner,
        }
    }
}
