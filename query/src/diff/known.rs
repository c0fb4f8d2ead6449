//! What differs between what was known by two instants.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::identity::SAME_AS;
use bygone_engine::record::Recorded;
use bygone_engine::store::{GroupView, Seen};
use bygone_engine::{AssertionId, EntityRef, Fact, Object, Polarity, StoreError};
use bygone_ontology::{Cardinality, Ontology, TemporalKind};

use super::cause::{Unlearning, decision, new_decisions};
use super::pieces::{self, Piece};
use super::{Change, Difference, sort};
use crate::facts::judge;
use crate::request::Request;

/// What a group is called: subject, predicate and key.
type Name = (EntityRef, String, String);

/// The two views compared, with what was asked of each.
struct Sides<'a> {
    before: &'a Seen<'a>,
    after: &'a Seen<'a>,
    ontology: &'a Ontology,
    requests: (&'a Request, &'a Request),
    /// The statements of identity that only the later view sees.
    decisions: Vec<Recorded>,
    /// Whether other entities are one in the later view.
    identity_differs: bool,
}

/// Returns what differs between two views of one store, of which the later one sees all that the earlier one does:
/// sorted by subject, predicate, key, start and object. With an entity, only what it is the subject or an object of.
///
/// Reads every statement of the space once, or only those about the entity, and derives the groups of which the later
/// view sees more.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn known(
    (before, asked_before): (&Seen<'_>, &Request),
    (after, asked_after): (&Seen<'_>, &Request),
    ontology: &Ontology,
    about: Option<&EntityRef>,
) -> Result<Vec<Difference>, StoreError> {
    let sides = Sides {
        before,
        after,
        ontology,
        requests: (asked_before, asked_after),
        decisions: new_decisions(before, after)?,
        identity_differs: before.identity() != after.identity(),
    };
    let names = match about {
        Some(entity) => sides.names_about(entity)?,
        None => sides.names_that_may_differ()?,
    };
    let mut groups: [BTreeMap<EntityRef, Vec<GroupView>>; 2] = [BTreeMap::new(), BTreeMap::new()];
    let mut differences = Vec::new();
    for name in &names {
        let mut views = Vec::new();
        for (seen, found) in [before, after].into_iter().zip(&mut groups) {
            let of_subject = match found.entry(name.0.clone()) {
                std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::btree_map::Entry::Vacant(entry) => entry.insert(seen.groups_of(&name.0)?),
            };
            views.push(of_subject.iter().find(|group| is_called(group, name)).cloned());
        }
        let after = views.pop().flatten();
        sides.compare(name, views.pop().flatten().as_ref(), after.as_ref(), &mut differences)?;
    }
    let mut differences = sides.joined(differences);
    if let Some(entity) = about {
        let class = sides.concerned(std::slice::from_ref(entity));
        differences.retain(|difference| mentions(difference, &class));
    }
    sort(&mut differences);
    Ok(differences)
}

fn is_called(group: &GroupView, name: &Name) -> bool {
    (&group.subject, &group.predicate, &group.key) == (&name.0, &name.1, &name.2)
}

fn mentions(difference: &Difference, class: &[EntityRef]) -> bool {
    [&difference.fact, &difference.was].into_iter().flatten().any(|row| {
        class.contains(&row.group.subject)
            || row.fact.object.entity().is_some_and(|object| class.contains(object))
    })
}

impl Sides<'_> {
    /// Returns the names, in either view, of the groups of which the later view sees more, or which have an entity that
    /// is one with others there.
    fn names_that_may_differ(&self) -> Result<BTreeSet<Name>, StoreError> {
        let mut names = BTreeSet::new();
        for recorded in self.after.snapshot().assertions() {
            let recorded = recorded?;
            if self.is_new(&recorded) {
                let assertion = recorded.assertion;
                for subject in self.called(&assertion.subject, &assertion.predicate) {
                    names.insert((subject, assertion.predicate.clone(), assertion.key.clone()));
                }
            }
        }
        for entity in self.entities_that_differ() {
            names.extend(self.names_about(&entity)?);
        }
        Ok(names)
    }

    /// Returns the names, in either view, of the groups of which the entity is the subject or an object.
    fn names_about(&self, entity: &EntityRef) -> Result<BTreeSet<Name>, StoreError> {
        let mut names = BTreeSet::new();
        for seen in [self.before, self.after] {
            for member in self.concerned(std::slice::from_ref(entity)) {
                let groups = seen.groups_of(&member)?.into_iter().chain(seen.groups_about(&member)?);
                for group in groups {
                    // A subject may stand for another class in the other view.
                    for subject in self.called(&group.subject, &group.predicate) {
                        names.insert((subject, group.predicate.clone(), group.key.clone()));
                    }
                }
            }
        }
        Ok(names)
    }

    /// Returns what a subject is called in the two views. Statements of identity keep their own.
    fn called(&self, subject: &EntityRef, predicate: &str) -> Vec<EntityRef> {
        if predicate == SAME_AS {
            return vec![subject.clone()];
        }
        let seen = [self.before, self.after];
        seen.map(|seen| seen.identity().representative(subject).clone()).to_vec()
    }

    fn is_new(&self, recorded: &Recorded) -> bool {
        self.after.sees(recorded) && !self.before.sees(recorded)
    }

    /// Returns the entities that are one with others than before.
    fn entities_that_differ(&self) -> BTreeSet<EntityRef> {
        let identities = [self.before.identity(), self.after.identity()];
        let merged = identities.into_iter().flat_map(bygone_engine::identity::Identity::merged);
        merged
            .filter(|entity| identities[0].members(entity) != identities[1].members(entity))
            .cloned()
            .collect()
    }

    /// Returns entities and all that are one with them in either view.
    fn concerned(&self, entities: &[EntityRef]) -> Vec<EntityRef> {
        let identities = [self.before.identity(), self.after.identity()];
        let members = |entity: &EntityRef| identities.map(|identity| identity.members(entity)).concat();
        let all: BTreeSet<EntityRef> = entities.iter().flat_map(members).collect();
        all.into_iter().collect()
    }

    /// Compares one group, by the name it has in either view.
    fn compare(
        &self,
        name: &Name,
        was: Option<&GroupView>,
        is: Option<&GroupView>,
        differences: &mut Vec<Difference>,
    ) -> Result<(), StoreError> {
        let statements = is.map(|group| self.after.statements(group)).transpose()?.unwrap_or_default();
        let (new, base): (Vec<_>, Vec<_>) =
            statements.into_iter().partition(|recorded| self.is_new(recorded));
        if new.is_empty() && !self.identity_differs {
            return Ok(());
        }
        let before = was.map(|group| self.before.facts(group)).transpose()?.unwrap_or_default();
        let after = is.map(|group| self.after.facts(group)).transpose()?.unwrap_or_default();
        let definition = self.ontology.get_or_open(&name.1);
        let independent =
            definition.cardinality == Cardinality::Many || definition.kind == TemporalKind::Event;
        let pieces = pieces::pieces(independent, &before, &after, self.requests.1.valid);
        if pieces.is_empty() {
            return Ok(());
        }
        // What the earlier statements amount to once entities are one as in the later view.
        let renamed = match is {
            Some(group) if self.identity_differs => self.after.derive(group, &base)?,
            Some(_) | None => Vec::new(),
        };
        let unlearning = is.map(|group| Unlearning::new(self.after, group, &base, new)).transpose()?;
        for piece in pieces {
            let by_statement = unlearning.as_ref().and_then(|unlearning| unlearning.cause(&piece));
            let by_identity = self.identity_differs && name.1 != SAME_AS && piece.begins_in(&renamed);
            if by_identity || by_statement.is_none() {
                for piece in pieces::as_identity(piece, &after) {
                    let (change, cause) = self.decided(name, &piece);
                    let cause = cause.or(by_statement);
                    differences.extend(self.told(change, piece, cause, (was, is))?);
                }
            } else {
                let change = if name.1 == SAME_AS { identity_change(&piece) } else { piece.change };
                differences.extend(self.told(change, piece, by_statement, (was, is))?);
            }
        }
        Ok(())
    }

    /// Says whether a difference is that entities are one or that they are two, and by which decision.
    fn decided(&self, name: &Name, piece: &Piece) -> (Change, Option<AssertionId>) {
        let mut entities = vec![name.0.clone()];
        let objects = [&piece.fact, &piece.was].into_iter().flatten();
        entities.extend(objects.filter_map(|fact| fact.object.entity().cloned()));
        let told = piece.fact.as_ref().or(piece.was.as_ref());
        let own = [Some(&name.0), told.and_then(|fact| fact.object.entity())];
        let (here, there) = (self.before.identity(), self.after.identity());
        let divided = |one: &bygone_engine::identity::Identity, other: &bygone_engine::identity::Identity| {
            own.into_iter().flatten().any(|entity| {
                let members = one.members(entity);
                members.iter().any(|member| other.representative(member) != other.representative(&members[0]))
            })
        };
        let merged = if piece.fact.is_some() { divided(there, here) } else { !divided(here, there) };
        let (change, polarity) =
            if merged { (Change::Merged, Polarity::Affirm) } else { (Change::Split, Polarity::Deny) };
        (change, decision(&self.decisions, &self.concerned(&entities), polarity))
    }

    fn told(
        &self,
        change: Change,
        piece: Piece,
        cause: Option<AssertionId>,
        (was, is): (Option<&GroupView>, Option<&GroupView>),
    ) -> Result<Option<Difference>, StoreError> {
        let judged = |seen: &Seen<'_>, request, group: Option<&GroupView>, fact: Option<Fact>| {
            let both = group.zip(fact);
            both.map(|(group, fact)| judge(seen, self.ontology, request, group, fact)).transpose()
        };
        let was = judged(self.before, self.requests.0, was, piece.was)?;
        let fact = judged(self.after, self.requests.1, is, piece.fact)?;
        let rests_on = fact.as_ref().or(was.as_ref()).and_then(|row| row.fact.support.last().copied());
        Ok(cause.or(rests_on).map(|cause| Difference { change, fact, was, cause }))
    }

    /// Tells a fact that only changed its names as one difference: what went under one name with what came under the
    /// other, where the latter covers the former.
    fn joined(&self, differences: Vec<Difference>) -> Vec<Difference> {
        let is_identity = |d: &Difference| matches!(d.change, Change::Merged | Change::Split);
        let (identity, mut differences): (Vec<_>, Vec<_>) = differences.into_iter().partition(is_identity);
        let (mut gone, rest): (Vec<_>, Vec<_>) = identity.into_iter().partition(|d| d.fact.is_none());
        for mut difference in rest {
            if difference.was.is_none() {
                let place = gone.iter().position(|other| self.is_renamed(other, &difference));
                difference.was = place.and_then(|place| gone.remove(place).was);
            }
            differences.push(difference);
        }
        differences.extend(gone);
        differences
    }

    fn is_renamed(&self, gone: &Difference, come: &Difference) -> bool {
        let (Some(was), Some(fact)) = (&gone.was, &come.fact) else {
            return false;
        };
        let same = |one: &EntityRef, other: &EntityRef| {
            let identities = [self.before.identity(), self.after.identity()];
            identities.iter().any(|identity| identity.representative(one) == identity.representative(other))
        };
        let same_object = match (&was.fact.object, &fact.fact.object) {
            (Object::Entity(one), Object::Entity(other)) => same(one, other),
            (one, other) => one.key() == other.key(),
        };
        let covered = match (was.fact.validity.period(), fact.fact.validity.period()) {
            (Some(was), Some(fact)) => fact.start() <= was.start() && was.end() <= fact.end(),
            (was, fact) => was.is_none() && fact.is_none(),
        };
        gone.change == come.change
            && (&was.group.predicate, &was.group.key) == (&fact.group.predicate, &fact.group.key)
            && was.group.predicate != SAME_AS
            && same(&was.group.subject, &fact.group.subject)
            && same_object
            && covered
    }
}

/// What a difference between the facts of identity themselves is.
fn identity_change(piece: &Piece) -> Change {
    match piece.change {
        Change::Learned | Change::Changed | Change::Reopened | Change::Merged => Change::Merged,
        Change::Corrected | Change::Ended | Change::Split => Change::Split,
    }
}
