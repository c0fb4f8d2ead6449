//! What does not change, as more and more is said: who stands is followed, and facts are derived only where another object
//! takes the place of one.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::semantics::Proceed;
use bygone_engine::{Assertion, Fact, Form, StoreError, Told};

use super::super::denial::Denials;
use super::super::derive;
use super::super::facts::ALL_TIME;
use super::super::group::{Group, ObjectIdx, Rank};
use crate::definition::{Cardinality, Definition};

/// An object that held from one batch until another.
struct Spell {
    object: ObjectIdx,
    from: usize,
    to: Option<usize>,
}

/// Returns the forms of what does not change.
///
/// # Errors
/// Whatever `proceed` fails with.
pub(super) fn forms(
    definition: &Definition,
    group: &Group<'_>,
    said: &[Vec<Rank>],
    told: Told,
    proceed: &mut Proceed<'_>,
) -> Result<Vec<Form>, StoreError> {
    let spells = spells(definition.cardinality, group, said);
    let as_of = |spell: &Spell| match (told, spell.to) {
        (Told::AtFirst, _) => spell.from,
        (Told::AtLast, Some(to)) => to - 1,
        (Told::AtLast, None) => said.len() - 1,
    };
    let mut facts: BTreeMap<usize, Vec<Fact>> = BTreeMap::new();
    let mut forms = Vec::with_capacity(spells.len());
    for spell in spells {
        proceed()?;
        let batch = as_of(&spell);
        let facts = facts.entry(batch).or_insert_with(|| {
            let known: Vec<&Assertion> =
                said[..=batch].iter().flatten().map(|&rank| group.statements[rank]).collect();
            derive(definition, &known)
        });
        let is_told = |fact: &&Fact| fact.object == *group.objects[spell.object];
        let fact = facts.iter().find(is_told).expect("what stands is derived").clone();
        forms.push(Form { fact, from: spell.from, to: spell.to });
    }
    Ok(forms)
}

/// Returns which objects held from when to when.
fn spells(cardinality: Cardinality, group: &Group<'_>, said: &[Vec<Rank>]) -> Vec<Spell> {
    let mut denials = Denials::none_of(&group.denies);
    let undated: BTreeMap<Rank, ObjectIdx> = group.undated.iter().map(|u| (u.rank, u.object)).collect();
    let mut standing: BTreeSet<(Rank, ObjectIdx)> = BTreeSet::new();
    let mut n_standing: BTreeMap<ObjectIdx, usize> = BTreeMap::new();
    let mut open: BTreeMap<ObjectIdx, usize> = BTreeMap::new();
    let mut spells = Vec::new();
    for (batch, said) in said.iter().enumerate() {
        for deny in said.iter().filter_map(|&rank| group.deny(rank)) {
            denials.set(deny, true);
        }
        let is_denied = |&(rank, object): &(Rank, ObjectIdx)| match group.affirm(rank) {
            Some(affirm) => denials.deny(rank, object, affirm.from),
            None => denials.deny_all_of(rank, object, ALL_TIME),
        };
        if said.iter().any(|&rank| group.deny(rank).is_some()) {
            for &(_, object) in standing.iter().filter(|stands| is_denied(stands)) {
                n_standing.entry(object).and_modify(|n| *n -= 1);
            }
            standing.retain(|stands| !is_denied(stands));
        }
        for &rank in said {
            let object =
                group.affirm(rank).map(|affirm| affirm.object).or_else(|| undated.get(&rank).copied());
            if let Some(object) = object.filter(|object| !is_denied(&(rank, *object))) {
                standing.insert((rank, object));
                *n_standing.entry(object).or_default() += 1;
            }
        }
        n_standing.retain(|_, n| *n > 0);
        let latest = standing.last().map(|(_, object)| *object);
        let holds = |object: ObjectIdx| match cardinality {
            Cardinality::One => Some(object) == latest,
            Cardinality::Many => n_standing.contains_key(&object),
        };
        open.retain(|&object, from| {
            let holds = holds(object);
            if !holds {
                spells.push(Spell { object, from: *from, to: Some(batch) });
            }
            holds
        });
        let holding: Vec<ObjectIdx> = match cardinality {
            Cardinality::One => latest.into_iter().collect(),
            Cardinality::Many => n_standing.keys().copied().collect(),
        };
        for object in holding {
            open.entry(object).or_insert(batch);
        }
    }
    spells.extend(open.into_iter().map(|(object, from)| Spell { object, from, to: None }));
    spells
}
