//! Whether the declarations of a text fit each other and those of the ontology they extend.

use std::collections::BTreeMap;

use toml::Spanned;

use super::problem::{Problem, Problems};
use super::read::{Document, PredicateDraft};
use crate::definition::{Definition, TemporalKind};
use crate::ontology::{ANY, Ontology, VALUE_KINDS};

pub(super) fn check(document: &Document, base: &Ontology, problems: &mut Problems<'_>) {
    let parents: BTreeMap<&str, Option<&str>> = document
        .types
        .iter()
        .map(|draft| {
            let parent = draft.parent.as_ref().map(|parent| parent.get_ref().as_str());
            (draft.name.get_ref().as_str(), parent)
        })
        .collect();
    let mut checker = Checker { base, parents, predicates: BTreeMap::new(), problems };
    checker.types(document);
    checker.ids(document);
    for draft in &document.predicates {
        checker.sides(draft);
        if let Some(id) = &draft.id {
            checker.symmetry(id, draft);
            checker.half_life(id, draft);
            checker.inverse(id, draft);
        }
    }
}

struct Checker<'d, 'p, 't> {
    base: &'d Ontology,
    /// The types of the text, each with its parent.
    parents: BTreeMap<&'d str, Option<&'d str>>,
    /// The predicates of the text by id; of duplicates the first.
    predicates: BTreeMap<&'d str, &'d PredicateDraft>,
    problems: &'p mut Problems<'t>,
}

impl<'d> Checker<'d, '_, '_> {
    fn types(&mut self, document: &Document) {
        for draft in &document.types {
            let start = draft.name.span().start;
            let name = draft.name.get_ref();
            if name == ANY || is_value_kind(name) {
                self.problems.add(start, Problem::BuiltIn(name.clone()));
            } else if self.base.type_named(name).is_some() {
                self.problems.add(start, Problem::Redefined(name.clone()));
            }
            if let Some(parent) = &draft.parent {
                self.entity_type("parent", parent);
                if self.is_own_ancestor(name) {
                    self.problems.add(parent.span().start, Problem::ParentCycle(name.clone()));
                }
            }
        }
    }

    /// Follows the parents within the text; those of the base lead nowhere else.
    fn is_own_ancestor(&self, name: &str) -> bool {
        let mut current = name;
        for _ in 0..self.parents.len() {
            match self.parents.get(current) {
                Some(Some(parent)) if *parent == name => return true,
                Some(Some(parent)) => current = parent,
                Some(None) | None => return false,
            }
        }
        false
    }

    fn ids(&mut self, document: &'d Document) {
        for draft in &document.predicates {
            let Some(id) = &draft.id else { continue };
            let start = id.span().start;
            let first = self.predicates.get(id.get_ref().as_str());
            if let Some(first) = first.and_then(|first| first.id.as_ref()) {
                let (first_line, _) = self.problems.place(first.span().start);
                let id = id.get_ref().clone();
                self.problems.add(start, Problem::Duplicate { id, first_line });
                continue;
            }
            if self.base.definition(id.get_ref()).is_some() {
                self.problems.add(start, Problem::Redefined(id.get_ref().clone()));
            }
            self.predicates.insert(id.get_ref(), draft);
        }
    }

    fn sides(&mut self, draft: &PredicateDraft) {
        for name in draft.domain.iter().flatten() {
            self.entity_type("domain", name);
        }
        for name in draft.range.iter().flatten() {
            if !is_value_kind(name.get_ref()) {
                self.entity_type("range", name);
            }
        }
    }

    fn entity_type(&mut self, key: &'static str, name: &Spanned<String>) {
        let start = name.span().start;
        let name = name.get_ref().clone();
        if is_value_kind(&name) {
            self.problems.add(start, Problem::ValueKind { name, key });
        } else if name != ANY
            && !self.parents.contains_key(name.as_str())
            && self.base.type_named(&name).is_none()
        {
            self.problems.add(start, Problem::UnknownType { name, key });
        }
    }

    fn symmetry(&mut self, id: &Spanned<String>, draft: &PredicateDraft) {
        let Some(symmetric) = draft.symmetric.as_ref().filter(|s| *s.get_ref()) else {
            return;
        };
        let side = Side::of_draft(draft);
        if side.domain.is_some() && side.range.is_some() && side.domain != side.range {
            let problem = Problem::SymmetricSides(id.get_ref().clone());
            self.problems.add(symmetric.span().start, problem);
        }
    }

    fn half_life(&mut self, id: &Spanned<String>, draft: &PredicateDraft) {
        if let (Some(TemporalKind::Event | TemporalKind::Rigid), Some(half_life)) =
            (draft.kind, &draft.half_life_days)
        {
            let problem = Problem::AgelessHalfLife(id.get_ref().clone());
            self.problems.add(half_life.span().start, problem);
        }
    }

    fn inverse(&mut self, id: &Spanned<String>, draft: &PredicateDraft) {
        let Some(inverse) = &draft.inverse else { return };
        let start = inverse.span().start;
        let (id, inverse) = (id.get_ref().clone(), inverse.get_ref().clone());
        if id == inverse {
            self.problems.add(start, Problem::OwnInverse(id));
            return;
        }
        if draft.is_symmetric() {
            self.problems.add(start, Problem::SymmetricInverse(id));
            return;
        }
        let in_text = self.predicates.get(inverse.as_str());
        let there = in_text
            .map(|draft| Side::of_draft(draft))
            .or_else(|| self.base.definition(&inverse).map(Side::of_definition));
        let Some(there) = there else {
            self.problems.add(start, Problem::UnknownInverse { id, inverse });
            return;
        };
        if there.inverse != Some(id.as_str()) {
            self.problems.add(start, Problem::InverseNotBack { id, inverse });
            return;
        }
        // Both of a pair would find the same; the greater id keeps quiet.
        if id < inverse
            && let Some(what) = Side::of_draft(draft).fails_to_mirror(&there)
        {
            let problem = Problem::InverseNotMirrored { id, inverse, what };
            self.problems.add(start, problem);
        }
    }
}

fn is_value_kind(name: &str) -> bool {
    VALUE_KINDS.contains(&name)
}

/// What inverses must agree in; sorted, since order means nothing in a domain or range. `None` is not known.
struct Side<'d> {
    inverse: Option<&'d str>,
    domain: Option<Vec<&'d str>>,
    range: Option<Vec<&'d str>>,
    kind: Option<TemporalKind>,
}

impl<'d> Side<'d> {
    fn of_draft(draft: &'d PredicateDraft) -> Side<'d> {
        let names = |names: &'d Option<Vec<Spanned<String>>>| {
            let names = names.as_ref()?.iter().map(|name| name.get_ref().as_str());
            Some(sorted(names))
        };
        Side {
            inverse: draft.inverse.as_ref().map(|inverse| inverse.get_ref().as_str()),
            domain: names(&draft.domain),
            range: names(&draft.range),
            kind: draft.kind,
        }
    }

    fn of_definition(definition: &'d Definition) -> Side<'d> {
        Side {
            inverse: definition.inverse.as_deref(),
            domain: Some(sorted(definition.domain.iter().map(String::as_str))),
            range: Some(sorted(definition.range.iter().map(String::as_str))),
            kind: Some(definition.kind),
        }
    }

    /// Returns what must agree and does not.
    fn fails_to_mirror(&self, there: &Side<'_>) -> Option<&'static str> {
        fn differ<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
            matches!((one, other), (Some(one), Some(other)) if one != other)
        }
        if differ(self.domain.as_ref(), there.range.as_ref()) {
            Some("the domain of the one as the range of the other")
        } else if differ(self.range.as_ref(), there.domain.as_ref()) {
            Some("the range of the one as the domain of the other")
        } else if differ(self.kind.as_ref(), there.kind.as_ref()) {
            Some("the same kind")
        } else {
            None
        }
    }
}

fn sorted<'d>(names: impl Iterator<Item = &'d str>) -> Vec<&'d str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names
}
