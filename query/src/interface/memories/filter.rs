//! Filters of Mem0's second interface: fields with values or operators, joined by `AND`, `OR` and `NOT`.
//!
//! <https://docs.mem0.ai/platform/features/v2-memory-filters>. A name that is no field of a memory is one of its metadata.

use bygone_engine::time::{Instant, parse_moment};
use serde_json::{Map, Number, Value};

use super::Memory;
use crate::interface::InterfaceError;

/// How deep a filter may be.
const MOST_DEEP: usize = 16;

/// What memories have.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// All of these; everything where there are none.
    All(Vec<Filter>),
    /// At least one of these.
    Any(Vec<Filter>),
    /// None of these.
    None(Vec<Filter>),
    /// A field that compares so.
    Field(String, Comparison),
}

/// How a field compares.
#[derive(Clone, Debug, PartialEq)]
pub enum Comparison {
    /// It is this.
    Is(Value),
    /// It is something else.
    IsNot(Value),
    /// It is one of these.
    In(Vec<Value>),
    /// It holds this text.
    Contains { text: String, folds_case: bool },
    /// It comes before or after this, or is it.
    Order { bound: Value, is_less: bool, or_equal: bool },
    /// There is one.
    Given,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter::All(Vec::new())
    }
}

impl Filter {
    /// Reads a filter.
    ///
    /// # Errors
    /// [`InterfaceError::Request`].
    pub fn read(filter: &Value) -> Result<Filter, InterfaceError> {
        read(filter, 0)
    }

    /// Joins two filters.
    #[must_use]
    pub fn and(self, other: Filter) -> Filter {
        Filter::All(vec![self, other])
    }

    /// Returns the filter for a field of a value.
    pub fn field(name: &str, value: &str) -> Filter {
        Filter::Field(name.to_owned(), equal(&Value::from(value)))
    }

    /// Says whether it lets everything through.
    pub fn is_empty(&self) -> bool {
        matches!(self, Filter::All(filters) if filters.iter().all(Filter::is_empty))
    }

    /// Says whether a memory has what is asked for.
    pub fn has(&self, memory: &Memory) -> bool {
        match self {
            Filter::All(filters) => filters.iter().all(|filter| filter.has(memory)),
            Filter::Any(filters) => filters.iter().any(|filter| filter.has(memory)),
            Filter::None(filters) => !filters.iter().any(|filter| filter.has(memory)),
            Filter::Field(name, comparison) => comparison.holds(name, &field(memory, name)),
        }
    }
}

fn wrong(what: impl Into<String>) -> InterfaceError {
    InterfaceError::Request(what.into())
}

fn read(filter: &Value, depth: usize) -> Result<Filter, InterfaceError> {
    if depth > MOST_DEEP {
        return Err(wrong(format!("filters are deeper than {MOST_DEEP}")));
    }
    let Value::Object(filter) = filter else {
        return Err(wrong("filters: expected an object"));
    };
    let mut all = Vec::new();
    for (name, value) in filter {
        let list = || match value {
            Value::Array(filters) => filters.iter().map(|filter| read(filter, depth + 1)).collect(),
            Value::Object(_) => Ok(vec![read(value, depth + 1)?]),
            _ => Err(wrong(format!("filters: expected a list of filters as {name}"))),
        };
        match (name.as_str(), value) {
            ("AND", _) => all.push(Filter::All(list()?)),
            ("OR", _) => all.push(Filter::Any(list()?)),
            ("NOT", _) => all.push(Filter::None(list()?)),
            ("metadata", Value::Object(metadata)) => {
                for (name, value) in metadata {
                    comparisons(&format!("metadata.{name}"), value, &mut all)?;
                }
            }
            _ => comparisons(name, value, &mut all)?,
        }
    }
    Ok(Filter::All(all))
}

fn equal(value: &Value) -> Comparison {
    if value.as_str() == Some("*") { Comparison::Given } else { Comparison::Is(value.clone()) }
}

fn comparisons(name: &str, value: &Value, all: &mut Vec<Filter>) -> Result<(), InterfaceError> {
    let mut add = |comparison| all.push(Filter::Field(name.to_owned(), comparison));
    let Some(operators) = value.as_object().filter(|operators| is_of_operators(operators)) else {
        add(equal(value));
        return Ok(());
    };
    for (operator, value) in operators {
        let text = || {
            let text = value.as_str().map(ToOwned::to_owned);
            text.ok_or_else(|| wrong(format!("filters: expected a text as {operator} of {name}")))
        };
        let order = |is_less, or_equal| Comparison::Order { bound: value.clone(), is_less, or_equal };
        add(match operator.as_str() {
            "eq" => equal(value),
            "ne" => Comparison::IsNot(value.clone()),
            "in" => Comparison::In(
                value
                    .as_array()
                    .cloned()
                    .ok_or_else(|| wrong(format!("filters: expected a list as in of {name}")))?,
            ),
            "contains" => Comparison::Contains { text: text()?, folds_case: false },
            "icontains" => Comparison::Contains { text: text()?.to_lowercase(), folds_case: true },
            "lt" => order(true, false),
            "lte" => order(true, true),
            "gt" => order(false, false),
            _ => order(false, true),
        });
    }
    Ok(())
}

fn is_of_operators(value: &Map<String, Value>) -> bool {
    const OPERATORS: [&str; 9] = ["eq", "ne", "in", "contains", "icontains", "lt", "lte", "gt", "gte"];
    !value.is_empty() && value.keys().all(|key| OPERATORS.contains(&key.as_str()))
}

/// Returns a field of a memory: null where it has none.
fn field(memory: &Memory, name: &str) -> Value {
    let whose = &memory.kept.whose;
    let text = |text: &Option<String>| text.as_deref().map_or(Value::Null, Value::from);
    match name {
        "user_id" => text(&whose.user_id),
        "agent_id" => text(&whose.agent_id),
        "app_id" => text(&whose.app_id),
        "run_id" => text(&whose.run_id),
        "id" | "memory_ids" => memory.id.as_str().into(),
        "memory" | "keywords" => memory.kept.text.as_str().into(),
        "actor_id" => memory.kept.role.as_str().into(),
        "created_at" => memory.created().to_rfc3339().into(),
        "updated_at" => memory.updated.to_rfc3339().into(),
        "expiration_date" => text(&memory.kept.expiration_date),
        // None are made without a model.
        "categories" => Value::Null,
        name => {
            let name = name.strip_prefix("metadata.").unwrap_or(name);
            let found = memory.kept.metadata.as_ref().and_then(|metadata| metadata.get(name));
            found.cloned().unwrap_or(Value::Null)
        }
    }
}

impl Comparison {
    fn holds(&self, name: &str, found: &Value) -> bool {
        match self {
            Comparison::Is(value) => same(name, found, value),
            Comparison::IsNot(value) => !same(name, found, value),
            Comparison::In(values) => values.iter().any(|value| same(name, found, value)),
            Comparison::Contains { text, folds_case } => match found {
                Value::String(found) if *folds_case => found.to_lowercase().contains(text),
                Value::String(found) => found.contains(text),
                Value::Array(found) => found.iter().any(|found| found.as_str() == Some(text)),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
            },
            Comparison::Order { bound, is_less, or_equal } => {
                let Some(order) = order(found, bound) else { return false };
                if order.is_eq() { *or_equal } else { order.is_lt() == *is_less }
            }
            Comparison::Given => !found.is_null(),
        }
    }
}

/// Says whether a field is of a value; a list of ids means each of them.
fn same(name: &str, found: &Value, value: &Value) -> bool {
    match (name, value) {
        ("memory_ids", Value::Array(ids)) => ids.contains(found),
        ("created_at" | "updated_at", _) => order(found, value).is_some_and(std::cmp::Ordering::is_eq),
        _ => found == value,
    }
}

/// Compares numbers, times and texts; nothing where they are not alike.
fn order(found: &Value, bound: &Value) -> Option<std::cmp::Ordering> {
    match (found, bound) {
        (Value::Number(found), Value::Number(bound)) => {
            Number::as_f64(found)?.partial_cmp(&Number::as_f64(bound)?)
        }
        (Value::String(found), Value::String(bound)) => Some(match (instant(found), instant(bound)) {
            (Some(found), Some(bound)) => found.cmp(&bound),
            _ => found.cmp(bound),
        }),
        // A time may be asked for in seconds since 1970.
        (Value::String(found), Value::Number(bound)) => {
            let bound =
                bound.as_i64().and_then(|seconds| Instant::from_micros(seconds.checked_mul(1_000_000)?));
            Some(instant(found)?.cmp(&bound?))
        }
        _ => None,
    }
}

fn instant(text: &str) -> Option<Instant> {
    parse_moment(text).ok().map(|moment| moment.at)
}
