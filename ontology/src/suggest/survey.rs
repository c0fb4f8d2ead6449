//! What was seen of each predicate and type, statement after statement.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::object::ObjectKey;
use bygone_engine::time::{Bound, Instant, Moment, Validity};
use bygone_engine::{Assertion, AssertionId, EntityRef, Object, Polarity};

use super::sides::{Pairs, propose_sides};
use super::{PredicateSuggestion, Suggestions, TypeSuggestion, cardinality, kind, likeness, obstacle};
use crate::definition::Definition;
use crate::ontology::{ANY, Ontology, Type, VALUE_KINDS, open};
use crate::validate::value_kind;

/// Statements that are given as evidence of a proposal.
const MOST_EVIDENCE: usize = 3;

/// Looks at statements and proposes what they lack.
///
/// What it holds grows with the statements of undeclared predicates, and with the pairs of entities there are.
pub struct Survey<'o> {
    ontology: &'o Ontology,
    predicates: BTreeMap<String, Usage>,
    types: BTreeMap<String, TypeUsage>,
    pairs: Pairs,
}

/// What was seen of a predicate that nobody declared.
#[derive(Default)]
pub(super) struct Usage {
    pub(super) n_statements: u64,
    pub(super) n_denials: u64,
    /// Affirms without an end, and how many of them have a start of their own.
    pub(super) n_open: u64,
    pub(super) n_open_dated: u64,
    /// Affirms over one granule, such as a day, and over more.
    pub(super) n_granules: u64,
    pub(super) n_spans: u64,
    /// Denials from some time on.
    pub(super) n_ends: u64,
    pub(super) has_keys: bool,
    subjects: BTreeSet<EntityRef>,
    domain: BTreeMap<String, u64>,
    range: BTreeMap<String, u64>,
    /// What was affirmed of each subject and key.
    pub(super) holdings: BTreeMap<(EntityRef, String), Vec<Holding>>,
    evidence: Evidence,
}

/// An affirm, as far as it matters what held together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Holding {
    pub(super) start: Instant,
    /// Up to where the speaker vouches for it.
    pub(super) end: Instant,
    pub(super) object: ObjectKey,
    pub(super) known_at: Instant,
}

#[derive(Default)]
struct TypeUsage {
    entities: BTreeSet<EntityRef>,
    evidence: Evidence,
}

/// The first statements by known time, so that the order of arrival does not show.
#[derive(Default)]
struct Evidence(BTreeSet<(Instant, AssertionId)>);

impl Evidence {
    fn add(&mut self, assertion: &Assertion) {
        self.0.insert((assertion.known_at, assertion.id));
        if self.0.len() > MOST_EVIDENCE {
            self.0.pop_last();
        }
    }

    fn ids(&self) -> Vec<AssertionId> {
        self.0.iter().map(|(_, id)| *id).collect()
    }
}

impl<'o> Survey<'o> {
    /// Makes a survey of what `ontology` does not declare.
    pub fn new(ontology: &'o Ontology) -> Survey<'o> {
        Survey { ontology, predicates: BTreeMap::new(), types: BTreeMap::new(), pairs: Pairs::default() }
    }

    /// Looks at a statement. Its subject and object should stand for their classes, as a view gives them.
    pub fn see(&mut self, assertion: &Assertion) {
        if !assertion.counts() {
            return;
        }
        let object = assertion.object.as_ref().and_then(Object::entity);
        for entity in std::iter::once(&assertion.subject).chain(object) {
            if type_name(entity.kind()) != ANY && self.ontology.type_named(entity.kind()).is_none() {
                let usage = self.types.entry(entity.kind().to_owned()).or_default();
                usage.entities.insert(entity.clone());
                usage.evidence.add(assertion);
            }
        }
        if assertion.polarity == Polarity::Affirm
            && let Some(object) = object
        {
            self.pairs.add(&assertion.predicate, &assertion.subject, object);
        }
        if self.ontology.definition(&assertion.predicate).is_none() {
            self.predicates.entry(assertion.predicate.clone()).or_default().add(assertion);
        }
    }

    /// Returns what it proposes.
    pub fn suggestions(&self) -> Suggestions {
        let mut predicates: Vec<PredicateSuggestion> =
            self.predicates.iter().map(|(id, usage)| self.suggestion(id, usage)).collect();
        propose_sides(&mut predicates, &self.pairs, self.ontology);
        let types = self.types.iter().map(|(name, usage)| TypeSuggestion {
            declared: Type { name: name.clone(), parent: None, note: None },
            n_entities: usage.entities.len() as u64,
            evidence: usage.evidence.ids(),
        });
        Suggestions { types: types.collect(), predicates }
    }

    fn suggestion(&self, id: &str, usage: &Usage) -> PredicateSuggestion {
        let (kind, kind_because) = kind::propose(id, usage);
        let (cardinality, cardinality_because) = cardinality::propose(kind, usage);
        PredicateSuggestion {
            definition: Definition {
                domain: names(&usage.domain),
                range: names(&usage.range),
                kind,
                cardinality,
                key: usage.has_keys.then(|| "name".to_owned()),
                ..open(id)
            },
            n_statements: usage.n_statements,
            n_denials: usage.n_denials,
            n_subjects: usage.subjects.len() as u64,
            domain: by_number(&usage.domain),
            range: by_number(&usage.range),
            kind_because,
            cardinality_because,
            sides_because: None,
            likenesses: likeness::find(id, self.ontology, &self.pairs),
            evidence: usage.evidence.ids(),
            obstacle: obstacle(id),
        }
    }
}

impl Usage {
    fn add(&mut self, assertion: &Assertion) {
        self.n_statements += 1;
        self.has_keys |= !assertion.key.is_empty();
        self.subjects.insert(assertion.subject.clone());
        *self.domain.entry(type_name(assertion.subject.kind()).to_owned()).or_default() += 1;
        if let Some(object) = &assertion.object {
            let kind = object.entity().map(|entity| type_name(entity.kind()));
            let name = value_kind(object).or(kind).unwrap_or(ANY);
            *self.range.entry(name.to_owned()).or_default() += 1;
        }
        self.evidence.add(assertion);
        match assertion.polarity {
            Polarity::Deny => {
                self.n_denials += 1;
                let is_end =
                    assertion.validity.period().is_some_and(|p| p.to().is_open() && !p.from().is_open());
                self.n_ends += u64::from(is_end);
            }
            Polarity::Affirm => self.affirm(assertion),
        }
    }

    fn affirm(&mut self, assertion: &Assertion) {
        let Validity::Over(period) = assertion.validity else {
            return;
        };
        let end = match (period.from(), period.to()) {
            (from, Bound::Open) => {
                self.n_open += 1;
                self.n_open_dated +=
                    u64::from(from.moment().is_none_or(|from| from.at != assertion.known_at));
                assertion.sure_until.map_or(period.end(), Moment::end)
            }
            (Bound::At(from), Bound::At(to)) if from.end() == to.at => {
                self.n_granules += 1;
                to.at
            }
            (_, Bound::At(to)) => {
                self.n_spans += 1;
                to.at
            }
        };
        let Some(object) = &assertion.object else { return };
        let group = (assertion.subject.clone(), assertion.key.clone());
        self.holdings.entry(group).or_default().push(Holding {
            start: period.start(),
            end: end.max(period.start().next()),
            object: object.key(),
            known_at: assertion.known_at,
        });
    }
}

/// Returns the type as a declaration can name it: one that is called like a kind of value cannot be told from that.
fn type_name(kind: &str) -> &str {
    if VALUE_KINDS.contains(&kind) { ANY } else { kind }
}

/// Returns what a side may be: all that was seen, or anything.
fn names(seen: &BTreeMap<String, u64>) -> Vec<String> {
    if seen.is_empty() || seen.contains_key(ANY) {
        return vec![ANY.to_owned()];
    }
    seen.keys().cloned().collect()
}

fn by_number(seen: &BTreeMap<String, u64>) -> Vec<(String, u64)> {
    let mut seen: Vec<(String, u64)> = seen.iter().map(|(name, n)| (name.clone(), *n)).collect();
    seen.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    seen
}
