//! What becomes of the rows that were found: columns, groups, order, and how many of them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::object::Number;

use super::evaluate::Bindings;
use super::world::World;
use crate::language::ast::Aggregate;
use crate::language::failed::Failed;
use crate::language::limits::MOST_ROWS;
use crate::language::plan::logical::{Cell, Key, Output};
use crate::language::value::{Ordered, Value, float, numbers};

/// Takes rows in.
pub(super) struct Collector<'p> {
    output: &'p Output,
    /// Rows with what else they are sorted by.
    rows: Vec<(Vec<Value>, Vec<Value>)>,
    known: BTreeSet<Vec<Ordered>>,
    groups: BTreeMap<Vec<Ordered>, Vec<Tally>>,
}

impl<'p> Collector<'p> {
    pub(super) fn new(output: &'p Output) -> Collector<'p> {
        Collector { output, rows: Vec::new(), known: BTreeSet::new(), groups: BTreeMap::new() }
    }

    /// Takes a row in; returns whether more are wanted.
    pub(super) fn take(&mut self, world: &World<'_, '_>, bindings: &Bindings) -> Result<bool, Failed> {
        let output = self.output;
        if output.enough == Some(0) {
            return Ok(false);
        }
        if output.counts() {
            self.tally(world, bindings)?;
            return Ok(true);
        }
        let mut row = Vec::with_capacity(output.columns.len());
        for column in &output.columns {
            if let Cell::Plain(term) = &column.value {
                row.push(world.evaluate(term, bindings)?);
            }
        }
        if output.distinct && !self.known.insert(row.iter().cloned().map(Ordered).collect()) {
            return Ok(true);
        }
        let mut keys = Vec::new();
        for (key, _) in &output.order {
            if let Key::Value(term) = key {
                keys.push(world.evaluate(term, bindings)?);
            }
        }
        self.rows.push((row, keys));
        if output.order.is_empty() && self.rows.len() > output.most() {
            return if output.limit.is_some() {
                Ok(false)
            } else {
                Err(Failed::TooManyRows { most: MOST_ROWS })
            };
        }
        Ok(output.enough.is_none_or(|enough| self.rows.len() < enough))
    }

    fn tally(&mut self, world: &World<'_, '_>, bindings: &Bindings) -> Result<(), Failed> {
        let mut by = Vec::new();
        for column in &self.output.columns {
            if let Cell::Plain(term) = &column.value {
                by.push(Ordered(world.evaluate(term, bindings)?));
            }
        }
        let aggregates = || {
            self.output.columns.iter().filter_map(|column| match &column.value {
                Cell::Aggregate { function, distinct, of } => Some((*function, *distinct, of.as_ref())),
                Cell::Plain(_) => None,
            })
        };
        let tallies =
            self.groups.entry(by).or_insert_with(|| aggregates().map(|_| Tally::default()).collect());
        for (tally, (_, distinct, of)) in tallies.iter_mut().zip(aggregates()) {
            tally.n_rows += 1;
            let Some(of) = of else { continue };
            let value = world.evaluate(of, bindings)?;
            if value != Value::Null && (!distinct || tally.known.insert(Ordered(value.clone()))) {
                tally.values.push(value);
            }
        }
        Ok(())
    }

    /// Returns the rows in their order, as many as are wanted.
    pub(super) fn finish(mut self) -> Result<Vec<Vec<Value>>, Failed> {
        let output = self.output;
        if output.counts() {
            self.bring_together();
        }
        if !output.order.is_empty() {
            self.rows.sort_by(|(one, one_keys), (other, other_keys)| {
                sorted(output, (one, one_keys), (other, other_keys))
            });
        }
        let rows = self.rows.into_iter().map(|(row, _)| row).skip(output.skip);
        let rows: Vec<Vec<Value>> = rows.take(output.limit.unwrap_or(usize::MAX)).collect();
        if output.limit.is_none() && rows.len() > MOST_ROWS {
            return Err(Failed::TooManyRows { most: MOST_ROWS });
        }
        Ok(rows)
    }

    fn bring_together(&mut self) {
        let output = self.output;
        let mut groups = std::mem::take(&mut self.groups);
        let has_keys = output.columns.iter().any(|column| matches!(column.value, Cell::Plain(_)));
        if groups.is_empty() && !has_keys {
            // Nothing found is still something counted.
            groups.insert(Vec::new(), output.columns.iter().map(|_| Tally::default()).collect());
        }
        for (by, tallies) in groups {
            let (mut by, mut tallies) = (by.into_iter(), tallies.into_iter());
            let cell = |value: &Cell| match value {
                Cell::Plain(_) => by.next().map_or(Value::Null, |ordered| ordered.0),
                Cell::Aggregate { function, of, .. } => {
                    tallies.next().map_or(Value::Null, |tally| tally.total(*function, of.is_some()))
                }
            };
            let row: Vec<Value> = output.columns.iter().map(|column| &column.value).map(cell).collect();
            if !output.distinct || self.known.insert(row.iter().cloned().map(Ordered).collect()) {
                self.rows.push((row, Vec::new()));
            }
        }
    }
}

/// Orders two rows: by what they are sorted by, and as they were found.
fn sorted(output: &Output, one: (&[Value], &[Value]), other: (&[Value], &[Value])) -> Ordering {
    let mut nth_key = 0;
    for (key, descending) in &output.order {
        let (first, second) = match key {
            Key::Column(at) => (&one.0[*at], &other.0[*at]),
            Key::Value(_) => {
                nth_key += 1;
                (&one.1[nth_key - 1], &other.1[nth_key - 1])
            }
        };
        // What has no value comes last either way.
        let is_missing = |value: &Value| matches!(value, Value::Null);
        let order = match (is_missing(first), is_missing(second)) {
            (false, false) if *descending => second.order(first),
            _ => first.order(second),
        };
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

/// What rows of a group come to so far.
#[derive(Default)]
struct Tally {
    n_rows: usize,
    values: Vec<Value>,
    known: BTreeSet<Ordered>,
}

impl Tally {
    fn total(self, function: Aggregate, has_value: bool) -> Value {
        let Tally { n_rows, values, .. } = self;
        let number = |number: Number| Value::Number(number, None);
        match function {
            Aggregate::Count => Value::whole(if has_value { values.len() } else { n_rows }),
            Aggregate::Min => values.into_iter().min_by(Value::order).unwrap_or(Value::Null),
            Aggregate::Max => values.into_iter().max_by(Value::order).unwrap_or(Value::Null),
            Aggregate::Collect => Value::List(values),
            Aggregate::Sum => number(sum(&values)),
            Aggregate::Avg => {
                let n_numbers = values.iter().filter(|value| matches!(value, Value::Number(..))).count();
                if n_numbers == 0 {
                    return Value::Null;
                }
                let n_numbers = float(Number::Whole(i64::try_from(n_numbers).unwrap_or(i64::MAX)));
                Number::from_f64(float(sum(&values)) / n_numbers).map_or(Value::Null, number)
            }
        }
    }
}

/// Adds the numbers among some values: whole ones exactly, as long as they fit.
fn sum(values: &[Value]) -> Number {
    let mut numbers: Vec<Number> = values
        .iter()
        .filter_map(|value| match value {
            Value::Number(number, _) => Some(*number),
            _ => None,
        })
        .collect();
    // The same sum, in whatever order they were found.
    numbers.sort_by(|one, other| self::numbers(*one, *other));
    let exact = numbers.iter().try_fold(0_i64, |sum, number| match number {
        Number::Whole(whole) => sum.checked_add(*whole),
        Number::Real(_) => None,
    });
    exact.map_or_else(
        || {
            let sum: f64 = numbers.into_iter().map(float).sum();
            Number::from_f64(sum).unwrap_or(Number::Real(sum))
        },
        Number::Whole,
    )
}
