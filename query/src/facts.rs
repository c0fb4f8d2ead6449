//! The derived facts of a view, filtered by subject, predicate and object.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::object::ObjectKey;
use bygone_engine::record::Recorded;
use bygone_engine::store::{GroupView, Seen};
use bygone_engine::time::{Bound, Instant, Moment, Period};
use bygone_engine::{
    Assertion, AssertionId, EntityRef, Fact, FactId, Form, Modality, Object, StoreError, Told, ValidTime,
};
use bygone_ontology::premise::{Premise, broken_path};
use bygone_ontology::{Cardinality, Ontology, TemporalKind, Verdict, judged_instant, verdict};

use crate::request::Request;
use crate::row::Row;

/// Which facts are asked for; an absent part lets everything through.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Their subject.
    pub subject: Option<EntityRef>,
    /// Their predicate.
    pub predicate: Option<String>,
    /// Their object.
    pub object: Option<Object>,
}

/// Returns the facts of the view that the filter lets through, sorted by subject, predicate, key, start and object.
///
/// Rows are whole facts: one that overlaps the asked time is not clipped to it.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn facts(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    filter: &Filter,
) -> Result<Vec<Row>, StoreError> {
    let groups = match (&filter.subject, &filter.object) {
        (Some(subject), _) => seen.groups_of(subject)?,
        (None, Some(Object::Entity(object))) => seen.groups_about(object)?,
        (None, _) => seen.groups()?,
    };
    let object = filter.object.as_ref().map(|object| match object {
        Object::Entity(entity) => Object::Entity(seen.identity().representative(entity).clone()),
        other => other.clone(),
    });
    let mut rows = Vec::new();
    for group in &groups {
        if filter.predicate.as_ref().is_some_and(|predicate| *predicate != group.predicate) {
            continue;
        }
        let mut of_group = match asked_over(request) {
            Some(asked) => judged(seen, ontology, request, group, seen.facts_over(group, asked)?)?,
            None => group_rows(seen, ontology, request, group)?,
        };
        of_group.retain(|row| {
            request.valid.selects(row.fact.validity)
                && object.as_ref().is_none_or(|object| object.key() == row.fact.object.key())
        });
        rows.extend(of_group);
    }
    rows.sort_by_cached_key(Row::order);
    Ok(rows)
}

/// Returns every row of a group: current facts, and superseded and planned ones where asked for.
pub(crate) fn group_rows(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    group: &GroupView,
) -> Result<Vec<Row>, StoreError> {
    let mut rows = judge_facts(seen, ontology, request, group)?;
    if request.history {
        rows.extend(superseded(seen, ontology, group, &rows)?);
    }
    if request.planned {
        rows.extend(planned(seen, group)?);
    }
    Ok(rows)
}

/// Returns the rows of the facts that the view derives of a group, by start and then object.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn judge_facts(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    group: &GroupView,
) -> Result<Vec<Row>, StoreError> {
    judged(seen, ontology, request, group, seen.facts(group)?)
}

fn judged(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    group: &GroupView,
    facts: Vec<Fact>,
) -> Result<Vec<Row>, StoreError> {
    facts.into_iter().map(|fact| judge(seen, ontology, request, group, fact)).collect()
}

/// Returns the period over which facts are asked for, where they alone are, so that the others need not be read.
fn asked_over(request: &Request) -> Option<Period> {
    match request.valid {
        _ if request.history || request.planned => None,
        ValidTime::At(instant) => {
            let bound = |instant| Bound::At(Moment::instant(instant));
            Period::new(bound(instant), bound(instant.next())).ok()
        }
        ValidTime::During(period) => Some(period),
        ValidTime::All => None,
    }
}

/// Returns the row of a derived fact with its verdict.
pub(crate) fn judge(
    seen: &Seen<'_>,
    ontology: &Ontology,
    request: &Request,
    group: &GroupView,
    fact: Fact,
) -> Result<Row, StoreError> {
    let definition = ontology.get_or_open(&group.predicate);
    let judged = judged_instant(fact.validity, request.valid, request.now);
    let mut look_up = |id: AssertionId| premise(seen, ontology, id);
    let path = if rests_on_premises(seen, &fact)? {
        let at = premises_asked_at(&fact, request);
        broken_path(&fact, ValidTime::At(at), &mut look_up)?
    } else {
        None
    };
    let verdict = verdict(&fact, &definition, judged, path.is_some());
    Ok(row(seen, group, fact, verdict, None, path.unwrap_or_default()))
}

/// Returns the instant at which the premises of a fact are looked at: where it is judged, or where it ended before that.
pub(crate) fn premises_asked_at(fact: &Fact, request: &Request) -> Instant {
    let judged = judged_instant(fact.validity, request.valid, request.now);
    let ended = fact.validity.period().map(|period| period.end().previous());
    ended.map_or(judged, |last| last.min(judged))
}

/// Facts from first-hand statements are the rule; only the others cost a walk over premises.
fn rests_on_premises(seen: &Seen<'_>, fact: &Fact) -> Result<bool, StoreError> {
    if !seen.snapshot().has_premises()? {
        return Ok(false);
    }
    let support = seen.statements_by_id(&fact.support)?;
    Ok(support.iter().any(|recorded| !recorded.assertion.derived_from.is_empty()))
}

fn premise(seen: &Seen<'_>, ontology: &Ontology, id: AssertionId) -> Result<Option<Premise>, StoreError> {
    let Some(recorded) = seen.snapshot().assertion(id)?.filter(|recorded| seen.sees(recorded)) else {
        return Ok(None);
    };
    let assertion = recorded.assertion;
    let facts = facts_beside(seen, &assertion)?;
    Ok(Some(Premise { kind: ontology.get_or_open(&assertion.predicate).kind, assertion, facts }))
}

/// Returns the facts of the group that a statement belongs to.
pub(crate) fn facts_beside(seen: &Seen<'_>, assertion: &Assertion) -> Result<Vec<Fact>, StoreError> {
    let group = seen.group(&assertion.subject, &assertion.predicate, &assertion.key)?;
    group.map_or_else(|| Ok(Vec::new()), |group| seen.facts(&group))
}

fn row(
    seen: &Seen<'_>,
    group: &GroupView,
    fact: Fact,
    verdict: Verdict,
    known_to: Option<Instant>,
    broken_path: Vec<AssertionId>,
) -> Row {
    let start = fact.validity.period().map(Period::start);
    let id = seen.fact_id(group, &fact.object, start);
    Row { id, group: group.clone(), fact, verdict, known_to, broken_path }
}

/// Returns the row of a fact as it was once believed.
pub(crate) fn believed(seen: &Seen<'_>, group: &GroupView, belief: Belief) -> Row {
    row(seen, group, belief.fact, Verdict::Superseded, belief.known_to, Vec::new())
}

/// Returns the facts that an earlier known view derived and this one does not, each as it last stood.
fn superseded(
    seen: &Seen<'_>,
    ontology: &Ontology,
    group: &GroupView,
    present: &[Row],
) -> Result<Vec<Row>, StoreError> {
    let present: BTreeSet<FactId> = present.iter().map(|row| row.id).collect();
    let mut last_seen: BTreeMap<FactId, Row> = BTreeMap::new();
    for belief in beliefs(seen, ontology, group)? {
        if belief.known_to.is_none() {
            continue;
        }
        let ended = believed(seen, group, belief);
        last_seen.insert(ended.id, ended);
    }
    Ok(last_seen.into_values().filter(|row| !present.contains(&row.id)).collect())
}

/// A fact as it was believed over a stretch of known time.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    /// The fact as it stood then.
    pub fact: Fact,
    /// The first known instant at which it stood like this.
    pub known_from: Instant,
    /// The first at which it no longer did; `None` where it does in the view.
    pub known_to: Option<Instant>,
}

/// Returns every form that the facts of a group took, in the order of known time; a fact whose end changed is another
/// form of the same fact. Each is told as it last stood.
///
/// What was said by a known instant is what its facts follow from: where objects do not bear on each other, per object.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn beliefs(seen: &Seen<'_>, ontology: &Ontology, group: &GroupView) -> Result<Vec<Belief>, StoreError> {
    let statements = seen.statements(group)?;
    let statements = counted(&statements);
    let definition = ontology.get_or_open(&group.predicate);
    let independent = definition.cardinality == Cardinality::Many || definition.kind == TemporalKind::Event;
    let parts = if independent { by_object(&statements) } else { vec![statements] };
    let mut beliefs = Vec::new();
    for part in &parts {
        beliefs.extend(beliefs_of(seen, group, part, Told::AtLast)?);
    }
    Ok(in_order(beliefs))
}

/// Returns every form that the facts of a group took, in the order of known time, each as it first stood. Bounds are told with
/// the granularity that the whole group gives them.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub(crate) fn first_beliefs(seen: &Seen<'_>, group: &GroupView) -> Result<Vec<Belief>, StoreError> {
    let statements = seen.statements(group)?;
    Ok(in_order(beliefs_of(seen, group, &counted(&statements), Told::AtFirst)?))
}

fn counted(statements: &[Recorded]) -> Vec<&Assertion> {
    statements.iter().map(|recorded| &recorded.assertion).filter(|assertion| assertion.counts()).collect()
}

fn in_order(mut beliefs: Vec<Belief>) -> Vec<Belief> {
    beliefs.sort_by_cached_key(|belief| {
        let start = belief.fact.validity.period().map(Period::start);
        (belief.known_from, start, belief.fact.object.canonical())
    });
    beliefs
}

/// Returns the forms that follow from statements in known order.
fn beliefs_of(
    seen: &Seen<'_>,
    group: &GroupView,
    statements: &[&Assertion],
    told: Told,
) -> Result<Vec<Belief>, StoreError> {
    let of_one_instant = statements.chunk_by(|one, next| one.known_at == next.known_at);
    let batches: Vec<Vec<&Assertion>> = of_one_instant.map(<[&Assertion]>::to_vec).collect();
    let known = |batch: usize| batches[batch][0].known_at;
    let belief =
        |form: Form| Belief { fact: form.fact, known_from: known(form.from), known_to: form.to.map(known) };
    Ok(seen.forms(group, &batches, told)?.into_iter().map(belief).collect())
}

/// Splits statements by object, each part with the denials of whatever holds; every part stays in known order.
fn by_object<'a>(statements: &[&'a Assertion]) -> Vec<Vec<&'a Assertion>> {
    let (about_all, about_one): (Vec<&Assertion>, Vec<&Assertion>) =
        statements.iter().partition(|assertion| assertion.object.is_none());
    let mut parts: BTreeMap<Option<ObjectKey>, Vec<&Assertion>> = BTreeMap::new();
    for assertion in about_one {
        parts.entry(assertion.object.as_ref().map(Object::key)).or_default().push(assertion);
    }
    let whole = |mut part: Vec<&'a Assertion>| {
        part.extend(&about_all);
        part.sort_by_key(|assertion| (assertion.known_at, assertion.id));
        part
    };
    parts.into_values().map(whole).collect()
}

/// Returns what is planned: what the plans of the group would amount to if they came true.
fn planned(seen: &Seen<'_>, group: &GroupView) -> Result<Vec<Row>, StoreError> {
    let mut plans: Vec<Recorded> = seen.statements(group)?;
    plans.retain(|recorded| recorded.assertion.modality == Modality::Planned);
    for plan in &mut plans {
        plan.assertion = Assertion { modality: Modality::Actual, ..plan.assertion.clone() };
    }
    let facts = seen.derive(group, &plans)?;
    Ok(facts.into_iter().map(|fact| row(seen, group, fact, Verdict::Planned, None, Vec::new())).collect())
}
