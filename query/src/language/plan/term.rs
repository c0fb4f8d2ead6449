//! Conditions and values with everything looked up that does not change from row to row: parameters, places of variables,
//! which entities a name means, which turns and facts a search finds.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::EntityRef;
use bygone_engine::object::Number;
use bygone_engine::store::Seen;
use serde_json::Value as Json;

use crate::QueryError;
use crate::language::ast::{Expression, Literal, Operator, Word};
use crate::language::check::Scope;
use crate::language::error::LanguageError;
use crate::language::failed::Failed;
use crate::language::value::Value;
use crate::language::vocabulary::{Function, Kind, Property, function, searched};
use crate::names;

/// Where a variable stands in a row.
pub(in crate::language) type Slot = usize;

/// What is handed in beside a query, by name.
pub type Parameters = BTreeMap<String, Json>;

/// An expression that can be evaluated.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::language) enum Term {
    /// The same for every row.
    Constant(Value),
    /// What a variable is bound to.
    Slot(Slot),
    /// A property of what a variable is bound to.
    Property(Slot, Property),
    /// Several values.
    List(Vec<Term>),
    /// All are true.
    And(Vec<Term>),
    /// One is true.
    Or(Vec<Term>),
    /// The opposite.
    Not(Box<Term>),
    /// Two values compared.
    Compare(Box<Term>, Operator, Box<Term>),
    /// Whether there is no value.
    IsNull(Box<Term>),
    /// What a function makes of values.
    Call(Function, Vec<Term>),
    /// Whether a node is one of these entities: those that a name means.
    OneOf(Slot, BTreeSet<EntityRef>),
    /// Whether a search finds it, or how well.
    Found(Search),
}

/// A search within a query.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::language) struct Search {
    /// What is looked for.
    pub(in crate::language) slot: Slot,
    /// Whether that is a turn.
    pub(in crate::language) is_turn: bool,
    /// By which words.
    pub(in crate::language) text: String,
    /// What is asked.
    pub(in crate::language) how: How,
}

/// What is asked of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::language) enum How {
    /// Whether it has one of the words.
    Words,
    /// Whether it is among the best.
    Best,
    /// How well it fits.
    Score,
}

impl Term {
    /// Returns the variables whose values it needs.
    pub(in crate::language) fn needs(&self) -> BTreeSet<Slot> {
        let mut needed = BTreeSet::new();
        self.add_needs(&mut needed);
        needed
    }

    fn add_needs(&self, needed: &mut BTreeSet<Slot>) {
        match self {
            Term::Constant(_) => {}
            Term::Slot(slot) | Term::Property(slot, _) | Term::OneOf(slot, _) => {
                needed.insert(*slot);
            }
            Term::Found(search) => {
                needed.insert(search.slot);
            }
            Term::List(parts) | Term::And(parts) | Term::Or(parts) | Term::Call(_, parts) => {
                for part in parts {
                    part.add_needs(needed);
                }
            }
            Term::Not(inner) | Term::IsNull(inner) => inner.add_needs(needed),
            Term::Compare(left, _, right) => {
                left.add_needs(needed);
                right.add_needs(needed);
            }
        }
    }
}

/// What expressions are looked up in.
pub(in crate::language) struct Names<'a, 's> {
    pub(in crate::language) seen: &'a Seen<'s>,
    pub(in crate::language) scope: &'a Scope,
    pub(in crate::language) slots: &'a BTreeMap<String, Slot>,
    /// The places of nodes that are no turns.
    pub(in crate::language) nodes: &'a BTreeSet<Slot>,
    pub(in crate::language) parameters: &'a Parameters,
}

impl Names<'_, '_> {
    /// Looks everything up in an expression.
    pub(in crate::language) fn term(&self, expression: &Expression) -> Result<Term, Failed> {
        let boxed = |inner: &Expression| self.term(inner).map(Box::new);
        let all =
            |parts: &[Expression]| parts.iter().map(|part| self.term(part)).collect::<Result<Vec<_>, _>>();
        Ok(match expression {
            Expression::Literal(literal) => Term::Constant(constant(literal)),
            Expression::Parameter(name) => Term::Constant(self.parameter(name)?),
            Expression::Variable(name) => Term::Slot(self.slot(name)?.0),
            Expression::Property { of, name } => {
                let (slot, kind) = self.slot(of)?;
                property_of(slot, kind, name)?
            }
            Expression::List(values) => Term::List(all(values)?),
            Expression::And(parts) => Term::And(all(parts)?),
            Expression::Or(parts) => Term::Or(all(parts)?),
            Expression::Not(inner) => Term::Not(boxed(inner)?),
            Expression::IsNull(inner) => Term::IsNull(boxed(inner)?),
            Expression::IsNotNull(inner) => Term::Not(Box::new(Term::IsNull(boxed(inner)?))),
            Expression::Compare { left, operator, right } => {
                self.compared(self.term(left)?, *operator, self.term(right)?)?
            }
            Expression::Call { function, arguments } => self.call(function, arguments)?,
            Expression::Aggregate { .. } => {
                return Err(missing("an aggregate stands alone in a column").into());
            }
        })
    }

    /// Returns the condition that a property equals something.
    pub(in crate::language) fn equals(
        &self,
        slot: Slot,
        kind: Kind,
        property: &Word,
        value: &Expression,
    ) -> Result<Term, Failed> {
        self.compared(property_of(slot, kind, property)?, Operator::Equal, self.term(value)?)
    }

    fn slot(&self, name: &Word) -> Result<(Slot, Kind), Failed> {
        let found = self.slots.get(&name.text).copied().zip(self.scope.get(&name.text).copied());
        found.ok_or_else(|| missing("a variable").into())
    }

    /// Compares two values; where a name or an id of a node is compared with texts, looks up which entities those mean.
    fn compared(&self, left: Term, operator: Operator, right: Term) -> Result<Term, Failed> {
        let (property, value) = match (&left, &right) {
            (Term::Property(slot, property), value) => (Some((*slot, *property)), value),
            (value, Term::Property(slot, property)) if operator != Operator::In => {
                (Some((*slot, *property)), value)
            }
            _ => (None, &right),
        };
        let is_name = |property| matches!(property, Property::Name | Property::Id);
        if let Some((slot, property)) =
            property.filter(|(slot, property)| is_name(*property) && self.nodes.contains(slot))
            && let Some(texts) = texts(value, operator)
        {
            let mut entities = BTreeSet::new();
            for text in texts {
                entities.extend(self.meant(&text, property)?);
            }
            let one_of = Term::OneOf(slot, entities);
            return Ok(if operator == Operator::Unequal { Term::Not(Box::new(one_of)) } else { one_of });
        }
        Ok(Term::Compare(Box::new(left), operator, Box::new(right)))
    }

    fn meant(&self, text: &str, property: Property) -> Result<Vec<EntityRef>, Failed> {
        if property == Property::Name {
            return names::candidates(self.seen, text).map_err(Failed::from);
        }
        match EntityRef::parse(text) {
            Ok(entity) if self.seen.mentions(&entity).map_err(QueryError::from)? => {
                Ok(vec![self.seen.identity().representative(&entity).clone()])
            }
            Ok(_) | Err(_) => Ok(Vec::new()),
        }
    }

    fn call(&self, name: &Word, arguments: &[Expression]) -> Result<Term, Failed> {
        let function = function(&name.text).ok_or_else(|| missing("a function"))?.function;
        let how = match function {
            Function::Search => How::Words,
            Function::Similar => How::Best,
            Function::Score => How::Score,
            _ => {
                let terms = arguments.iter().map(|argument| self.term(argument)).collect::<Result<_, _>>()?;
                return Ok(Term::Call(function, terms));
            }
        };
        let (what, text) = match arguments {
            [text] => (searched(self.scope).map(|(name, _)| Word::new(name)), text),
            [Expression::Variable(variable), text] => (Some(variable.clone()), text),
            _ => return Err(missing("a variable").into()),
        };
        let (slot, kind) = self.slot(&what.ok_or_else(|| missing("a variable"))?)?;
        let Term::Constant(Value::Text(text)) = self.term(text)? else {
            let message = format!("what {} looks for is a text", name.text);
            return Err(LanguageError::new(message).at(name.span).into());
        };
        Ok(Term::Found(Search { slot, is_turn: kind == Kind::Turn, text, how }))
    }

    /// Returns the value of a parameter.
    pub(in crate::language) fn parameter(&self, name: &Word) -> Result<Value, Failed> {
        parameter(self.parameters, name).map(value)
    }
}

/// Returns the value of a parameter as it was handed in.
pub(in crate::language) fn parameter<'p>(
    parameters: &'p Parameters,
    name: &Word,
) -> Result<&'p Json, Failed> {
    parameters.get(&name.text).ok_or_else(|| {
        let error = LanguageError::new(format!("the parameter ${} is given no value", name.text));
        let error = error.at(name.span);
        error.instead_of(&name.text, parameters.keys().map(String::as_str)).into()
    })
}

fn property_of(slot: Slot, kind: Kind, name: &Word) -> Result<Term, Failed> {
    let property = kind.property(&name.text);
    property.map(|property| Term::Property(slot, property)).ok_or_else(|| missing("a property").into())
}

/// What `check.rs` lets through is complete; whoever sees this message made a query without it.
fn missing(what: &str) -> LanguageError {
    LanguageError::new(format!("the query was not checked: it lacks {what}"))
}

fn constant(literal: &Literal) -> Value {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Whole(number) => Value::Number(Number::Whole(*number), None),
        Literal::Real(number) => {
            Number::from_f64(*number).map_or(Value::Null, |number| Value::Number(number, None))
        }
        Literal::Text(word) => Value::Text(word.text.clone()),
    }
}

/// Returns what a JSON value is to a query.
fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => {
            let number =
                number.as_i64().map(Number::Whole).or_else(|| number.as_f64().and_then(Number::from_f64));
            number.map_or(Value::Null, |number| Value::Number(number, None))
        }
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(values) => Value::List(values.iter().map(value).collect()),
        Json::Object(_) => Value::Json(json.to_string()),
    }
}

/// Returns the texts that a name is compared with, where they are the same for every row.
fn texts(value: &Term, operator: Operator) -> Option<Vec<String>> {
    let text = |value: &Value| match value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    };
    match (value, operator) {
        (Term::Constant(value), Operator::Equal | Operator::Unequal) => text(value).map(|text| vec![text]),
        (Term::Constant(Value::List(values)), Operator::In) => values.iter().map(text).collect(),
        (Term::List(terms), Operator::In) => {
            let fixed = |term: &Term| match term {
                Term::Constant(value) => text(value),
                _ => None,
            };
            terms.iter().map(fixed).collect()
        }
        _ => None,
    }
}
