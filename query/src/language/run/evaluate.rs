//! What conditions and values come to for a row. What is not known stays so: a comparison with nothing is neither true nor
//! false, and only what is true lets a row through.

use bygone_engine::object::Number;
use bygone_engine::time::{Bound, Granularity, Instant, Moment, Period, Validity};
use bygone_engine::{EntityRef, Role};

use super::compare::{compare, moment, valid};
use super::world::World;
use crate::entities::entry;
use crate::language::failed::Failed;
use crate::language::plan::term::{How, Search, Term};
use crate::language::value::{Value, float};
use crate::language::vocabulary::{Function, Property};
use crate::row::{Row, ended_by_name};

/// What variables are bound to; nothing where they are not yet.
pub(super) type Bindings = [Value];

impl World<'_, '_> {
    /// Says whether a condition is true, false or not known.
    pub(super) fn truth(&self, term: &Term, bindings: &Bindings) -> Result<Option<bool>, Failed> {
        match term {
            Term::And(parts) => self.joined(parts, bindings, false),
            Term::Or(parts) => self.joined(parts, bindings, true),
            Term::Not(inner) => Ok(self.truth(inner, bindings)?.map(|value| !value)),
            Term::IsNull(inner) => Ok(Some(matches!(self.evaluate(inner, bindings)?, Value::Null))),
            Term::Compare(left, operator, right) => {
                let (left, right) = (self.evaluate(left, bindings)?, self.evaluate(right, bindings)?);
                Ok(compare(&left, *operator, &right))
            }
            Term::OneOf(slot, entities) => {
                Ok(bindings[*slot].entity().map(|entity| entities.contains(entity)))
            }
            Term::Found(search) if search.how != How::Score => {
                Ok(Some(self.score(search, bindings)?.is_some()))
            }
            other => Ok(match self.evaluate(other, bindings)? {
                Value::Bool(value) => Some(value),
                _ => None,
            }),
        }
    }

    /// Joins conditions: one that is `decides` decides; else one that is not known leaves it so.
    fn joined(&self, parts: &[Term], bindings: &Bindings, decides: bool) -> Result<Option<bool>, Failed> {
        let mut joined = Some(!decides);
        for part in parts {
            match self.truth(part, bindings)? {
                Some(value) if value == decides => return Ok(Some(decides)),
                Some(_) => {}
                None => joined = None,
            }
        }
        Ok(joined)
    }

    /// Returns the value of a term.
    pub(super) fn evaluate(&self, term: &Term, bindings: &Bindings) -> Result<Value, Failed> {
        match term {
            Term::Constant(value) => Ok(value.clone()),
            Term::Slot(slot) => Ok(bindings[*slot].clone()),
            Term::Property(slot, property) => self.property(&bindings[*slot], *property),
            Term::List(terms) => {
                let values = terms.iter().map(|term| self.evaluate(term, bindings));
                values.collect::<Result<_, _>>().map(Value::List)
            }
            Term::Call(function, terms) => {
                let values = terms.iter().map(|term| self.evaluate(term, bindings));
                self.call(*function, &values.collect::<Result<Vec<_>, _>>()?)
            }
            Term::Found(search) if search.how == How::Score => {
                let score = self.score(search, bindings)?.and_then(Number::from_f64);
                Ok(score.map_or(Value::Null, |score| Value::Number(score, None)))
            }
            Term::And(_)
            | Term::Or(_)
            | Term::Not(_)
            | Term::IsNull(_)
            | Term::Compare(..)
            | Term::OneOf(..)
            | Term::Found(_) => Ok(self.truth(term, bindings)?.map_or(Value::Null, Value::Bool)),
        }
    }

    /// Returns how well what is bound fits a search. A node fits as well as the best fact about it.
    fn score(&self, search: &Search, bindings: &Bindings) -> Result<Option<f64>, Failed> {
        let Search { slot, how, text, .. } = search;
        match &bindings[*slot] {
            Value::Turn(record) => self.turn_fit(record.episode.id, *how, text),
            Value::Fact(row) => self.fit(row, *how, text),
            Value::Entity(entity) => Ok(self.entities_found(*how, text)?.get(entity).copied()),
            _ => Ok(None),
        }
    }

    fn property(&self, of: &Value, property: Property) -> Result<Value, Failed> {
        Ok(match of {
            Value::Fact(row) => fact_property(row, property),
            Value::Path(path) => match property {
                Property::Length => Value::whole(path.facts.len()),
                other => valid_property(path.valid, other),
            },
            Value::Turn(record) => {
                let turn = &record.episode;
                match property {
                    Property::Id => Value::Text(turn.id.to_string()),
                    Property::Session => Value::Text(turn.session.clone()),
                    Property::Turn => Value::whole(usize::try_from(turn.position).unwrap_or(usize::MAX)),
                    Property::Speaker => turn.speaker.clone().map_or(Value::Null, |speaker| {
                        Value::Entity(self.seen.identity().representative(&speaker).clone())
                    }),
                    Property::Role => Value::Text(role_name(turn.role).to_owned()),
                    Property::Time => Value::Time(Moment::instant(turn.time)),
                    Property::Text => Value::Text(turn.text.clone()),
                    Property::Agent => Value::text_or_null(turn.agent.clone()),
                    Property::User => Value::text_or_null(turn.user.clone()),
                    _ => Value::Null,
                }
            }
            Value::Entity(entity) => self.entity_property(entity, property)?,
            value => match (property, value) {
                (Property::Type, value) => Value::text_or_null(value.type_name()),
                (Property::Value, Value::Number(number, _)) => Value::Number(*number, None),
                (Property::Value, value) => value.clone(),
                (Property::Unit, Value::Number(_, unit)) => Value::text_or_null(unit.clone()),
                _ => Value::Null,
            },
        })
    }

    fn entity_property(&self, entity: &EntityRef, property: Property) -> Result<Value, Failed> {
        Ok(match property {
            Property::Id => Value::Text(entity.to_string()),
            Property::Name => Value::Text(entity.name().to_owned()),
            Property::Type => Value::Text(entity.kind().to_owned()),
            Property::Aliases => {
                Value::List(entry(self.seen, entity)?.aliases.into_iter().map(Value::Text).collect())
            }
            _ => Value::Null,
        })
    }

    fn call(&self, function: Function, values: &[Value]) -> Result<Value, Failed> {
        if function == Function::Coalesce {
            return Ok(values.iter().find(|value| **value != Value::Null).cloned().unwrap_or(Value::Null));
        }
        Ok(match (function, values) {
            (Function::Now, _) => Value::Time(Moment::instant(self.request.now)),
            (Function::Id, [value]) => self.property(value, Property::Id)?,
            (Function::Type, [Value::Fact(row)]) => Value::Text(row.group.predicate.clone()),
            (Function::Type, [value]) => self.property(value, Property::Type)?,
            (Function::Time, [value]) => moment(value).map_or(Value::Null, Value::Time),
            (Function::Period, [value]) => valid(value).map_or(Value::Null, Value::Valid),
            (Function::Period, [from, to]) => period(from, to).map_or(Value::Null, Value::Valid),
            (Function::Start, [value]) => {
                valid_property(valid(value).unwrap_or(Validity::Undated), Property::From)
            }
            (Function::End, [value]) => {
                valid_property(valid(value).unwrap_or(Validity::Undated), Property::To)
            }
            (Function::Intersection, [one, other]) => match (valid(one), valid(other)) {
                (Some(one), Some(other)) => intersection(one, other).map_or(Value::Null, Value::Valid),
                _ => Value::Null,
            },
            (Function::Days, [value]) => {
                valid(value).and_then(days).map_or(Value::Null, |n| Value::Number(n, None))
            }
            (Function::Relationships, [Value::Path(path)]) => {
                Value::List(path.facts.iter().cloned().map(Value::Fact).collect())
            }
            (Function::Nodes, [Value::Path(path)]) => Value::List(path.nodes.clone()),
            (Function::Length, [Value::Path(path)]) => Value::whole(path.facts.len()),
            (Function::Size, [Value::List(values)]) => Value::whole(values.len()),
            (Function::Size, [Value::Text(text)]) => Value::whole(text.chars().count()),
            (Function::Lower, [Value::Text(text)]) => Value::Text(text.to_lowercase()),
            (Function::Upper, [Value::Text(text)]) => Value::Text(text.to_uppercase()),
            _ => Value::Null,
        })
    }
}

fn fact_property(row: &Row, property: Property) -> Value {
    let fact = &row.fact;
    let time = |at: Instant| Value::Time(Moment::instant(at));
    match property {
        Property::Id => Value::Text(row.id.to_string()),
        Property::Subject => Value::Entity(row.group.subject.clone()),
        Property::Predicate => Value::Text(row.group.predicate.clone()),
        Property::Key => Value::Text(row.group.key.clone()),
        Property::Object => Value::of_object(&fact.object),
        Property::EndedBy => Value::text_or_null(fact.ended_by.map(ended_by_name)),
        Property::Verdict => Value::Text(row.verdict.name().to_owned()),
        Property::KnownFrom => time(fact.known_from),
        Property::KnownTo => row.known_to.map_or(Value::Null, time),
        Property::LastConfirmed => time(fact.last_confirmed),
        Property::Authority => match serde_json::to_value(fact.authority) {
            Ok(serde_json::Value::String(name)) => Value::Text(name),
            _ => Value::Null,
        },
        Property::Confidence => {
            Number::from_f64(fact.confidence).map_or(Value::Null, |number| Value::Number(number, None))
        }
        other => valid_property(fact.validity, other),
    }
}

/// Returns when something holds, or one of its ends; nothing for an end that is open or that nobody dated.
fn valid_property(validity: Validity, property: Property) -> Value {
    let bound = |bound: Option<Bound>| {
        let moment = bound.and_then(Bound::moment).filter(|moment| moment.grain != Granularity::Unknown);
        moment.map_or(Value::Null, Value::Time)
    };
    match property {
        Property::Valid => Value::Valid(validity),
        Property::From => bound(validity.period().map(Period::from)),
        Property::To => bound(validity.period().map(Period::to)),
        _ => Value::Null,
    }
}

const fn role_name(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Agent => "agent",
        Role::Tool => "tool",
        Role::System => "system",
        Role::Statement => "statement",
    }
}

/// Returns what two stretches of time share; nothing where that is nothing. What is undated leaves it undated.
fn intersection(one: Validity, other: Validity) -> Option<Validity> {
    match (one, other) {
        (Validity::Over(one), Validity::Over(other)) => overlap(one, other).map(Validity::Over),
        (Validity::Undated, _) | (_, Validity::Undated) => Some(Validity::Undated),
    }
}

/// Returns what two periods share; nothing where that is nothing.
pub(super) fn overlap(one: Period, other: Period) -> Option<Period> {
    let from = if one.start() >= other.start() { one.from() } else { other.from() };
    let to = if one.end() <= other.end() { one.to() } else { other.to() };
    Period::new(from, to).ok()
}

/// Returns how many days of 24 hours a stretch of time has; nothing where an end is open or not known.
fn days(validity: Validity) -> Option<Number> {
    /// A day in microseconds.
    const DAY: f64 = 86_400_000_000.0;
    let period = validity.period()?;
    let is_known = |bound: Bound| bound.moment().is_some_and(|moment| moment.grain != Granularity::Unknown);
    if !is_known(period.from()) || !is_known(period.to()) {
        return None;
    }
    let micros = period.end().micros().checked_sub(period.start().micros())?;
    Number::from_f64(float(Number::Whole(micros)) / DAY)
}

fn period(from: &Value, to: &Value) -> Option<Validity> {
    let bound = |value: &Value| match value {
        Value::Null => Some(Bound::Open),
        other => moment(other).map(Bound::At),
    };
    Period::new(bound(from)?, bound(to)?).ok().map(Validity::Over)
}
