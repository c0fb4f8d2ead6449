//! What a query asks for, without the order in which it is looked up: nodes, the links between them, conditions, and what
//! becomes of the rows.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::EntityRef;
use bygone_engine::store::Seen;

use super::term::{Names, Parameters, Search, Slot, Term, parameter};
use crate::language::ast::{self, Aggregate, Amount, Direction, Expression, Operator, Query, Word};
use crate::language::check::Scope;
use crate::language::error::LanguageError;
use crate::language::failed::Failed;
use crate::language::limits::MOST_ROWS;
use crate::language::vocabulary::{Kind, is_turn};

/// What a query asks for.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::language) struct Logical {
    /// The names of the places in a row; nothing for what has no name.
    pub(in crate::language) titles: Vec<Option<String>>,
    pub(in crate::language) nodes: Vec<Node>,
    pub(in crate::language) links: Vec<Link>,
    pub(in crate::language) conditions: Vec<Condition>,
    pub(in crate::language) output: Output,
}

/// A node that is to be found.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::language) struct Node {
    pub(in crate::language) slot: Slot,
    /// Lists of types: it has one of each.
    pub(in crate::language) types: Vec<Vec<String>>,
    pub(in crate::language) is_turn: bool,
    /// Where it is found, where a condition says so.
    pub(in crate::language) place: Option<Known>,
}

/// Where a node or a fact is found without looking through all of them.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::language) enum Known {
    /// It is one of these.
    Entities(BTreeSet<EntityRef>),
    /// This finds it.
    Found(Search),
}

/// A fact or a path that is to be found.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::language) struct Link {
    pub(in crate::language) slot: Slot,
    /// The places of the subject's node and the object's.
    pub(in crate::language) from: Slot,
    pub(in crate::language) to: Slot,
    /// Whether subject and object may be exchanged.
    pub(in crate::language) is_either: bool,
    pub(in crate::language) predicates: Vec<String>,
    /// How many facts, where it is a path.
    pub(in crate::language) hops: Option<ast::Hops>,
    /// The search that finds it, where a condition says so.
    pub(in crate::language) found: Option<Search>,
}

/// A condition, and how the query says it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::language) struct Condition {
    pub(in crate::language) term: Term,
    pub(in crate::language) said: Expression,
}

/// What becomes of the rows.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::language) struct Output {
    pub(in crate::language) columns: Vec<Column>,
    pub(in crate::language) distinct: bool,
    pub(in crate::language) order: Vec<(Key, bool)>,
    pub(in crate::language) skip: usize,
    /// Rows that are wanted at most.
    pub(in crate::language) limit: Option<usize>,
    /// Rows after which nothing further is looked up.
    pub(in crate::language) enough: Option<usize>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::language) struct Column {
    pub(in crate::language) title: String,
    pub(in crate::language) value: Cell,
}

/// What stands in a column.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::language) enum Cell {
    /// A value of each row.
    Plain(Term),
    /// What rows come to.
    Aggregate { function: Aggregate, distinct: bool, of: Option<Term> },
}

/// What rows are sorted by.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::language) enum Key {
    /// What stands in a column.
    Column(usize),
    /// Another value.
    Value(Term),
}

impl Output {
    /// Says whether rows are brought together.
    pub(in crate::language) fn counts(&self) -> bool {
        self.columns.iter().any(|column| matches!(column.value, Cell::Aggregate { .. }))
    }

    /// Returns how many rows there may be before it is an error.
    pub(in crate::language) fn most(&self) -> usize {
        self.limit.map_or(MOST_ROWS, |limit| limit.saturating_add(self.skip))
    }
}

impl Logical {
    /// Returns what a query asks for. The query is one that fits together.
    pub(in crate::language) fn of(
        query: &Query,
        scope: &Scope,
        seen: &Seen<'_>,
        parameters: &Parameters,
    ) -> Result<Logical, Failed> {
        let mut builder = Builder { slots: BTreeMap::new(), titles: Vec::new(), nodes: Vec::new() };
        let mut links = Vec::new();
        // Properties come after all variables have their places, since they may be compared with each other.
        let mut equal: Vec<(Slot, Kind, &ast::Equal)> = Vec::new();
        for pattern in &query.patterns {
            let mut before = builder.node(&pattern.start, scope);
            let kind = builder.kind(before);
            equal.extend(pattern.start.properties.iter().map(|equal| (before, kind, equal)));
            for link in &pattern.links {
                let relationship = &link.relationship;
                let slot = builder.slot(relationship.variable.as_ref());
                let kind = if relationship.hops.is_some() { Kind::Path } else { Kind::Fact };
                equal.extend(relationship.properties.iter().map(|equal| (slot, kind, equal)));
                let after = builder.node(&link.node, scope);
                equal.extend(link.node.properties.iter().map(|equal| (after, Kind::Node, equal)));
                let (from, to) = match relationship.direction {
                    Direction::Left => (after, before),
                    Direction::Right | Direction::Either => (before, after),
                };
                links.push(Link {
                    slot,
                    from,
                    to,
                    is_either: relationship.direction == Direction::Either,
                    predicates: relationship.predicates.iter().map(|word| word.text.clone()).collect(),
                    hops: relationship.hops,
                    found: None,
                });
                before = after;
            }
        }
        let nodes = builder.nodes.iter().filter(|node| !node.is_turn).map(|node| node.slot).collect();
        let names = Names { seen, scope, slots: &builder.slots, nodes: &nodes, parameters };
        let mut conditions = Vec::new();
        for (slot, kind, ast::Equal { property, value }) in equal {
            let of = Word::new(builder.titles[slot].as_deref().unwrap_or("_"));
            let left = Box::new(Expression::Property { of, name: property.clone() });
            let said =
                Expression::Compare { left, operator: Operator::Equal, right: Box::new(value.clone()) };
            conditions.push(Condition { term: names.equals(slot, kind, property, value)?, said });
        }
        if let Some(condition) = &query.condition {
            conditions.push(Condition { term: names.term(condition)?, said: condition.clone() });
        }
        let output = output(query, &names)?;
        Ok(Logical { titles: builder.titles, nodes: builder.nodes, links, conditions, output })
    }

    /// Returns the node at a place.
    pub(in crate::language) fn node(&self, slot: Slot) -> Option<&Node> {
        self.nodes.iter().find(|node| node.slot == slot)
    }
}

struct Builder {
    slots: BTreeMap<String, Slot>,
    titles: Vec<Option<String>>,
    nodes: Vec<Node>,
}

impl Builder {
    fn slot(&mut self, variable: Option<&Word>) -> Slot {
        if let Some(slot) = variable.and_then(|word| self.slots.get(&word.text)) {
            return *slot;
        }
        let slot = self.titles.len();
        self.titles.push(variable.map(|word| word.text.clone()));
        if let Some(word) = variable {
            self.slots.insert(word.text.clone(), slot);
        }
        slot
    }

    fn node(&mut self, node: &ast::Node, scope: &Scope) -> Slot {
        let slot = self.slot(node.variable.as_ref());
        let named = node.variable.as_ref().and_then(|word| scope.get(&word.text));
        let is_turn = is_turn(&node.types) || named == Some(&Kind::Turn);
        if self.nodes.iter().all(|known| known.slot != slot) {
            self.nodes.push(Node { slot, types: Vec::new(), is_turn, place: None });
        }
        if let Some(known) = self.nodes.iter_mut().find(|known| known.slot == slot)
            && !node.types.is_empty()
            && !is_turn
        {
            // The types of the ontology are written small, as openCypher writes labels large.
            known.types.push(node.types.iter().map(|word| word.text.to_lowercase()).collect());
        }
        slot
    }

    fn kind(&self, slot: Slot) -> Kind {
        let is_turn = self.nodes.iter().any(|node| node.slot == slot && node.is_turn);
        if is_turn { Kind::Turn } else { Kind::Node }
    }
}

fn output(query: &Query, names: &Names<'_, '_>) -> Result<Output, Failed> {
    let mut columns = Vec::new();
    for column in &query.columns {
        let title =
            column.alias.as_ref().map_or_else(|| column.value.to_string(), |alias| alias.text.clone());
        let value = match &column.value {
            Expression::Aggregate { function, distinct, of, .. } => {
                let of = of.as_ref().map(|of| names.term(of)).transpose()?;
                Cell::Aggregate { function: *function, distinct: *distinct, of }
            }
            plain => Cell::Plain(names.term(plain)?),
        };
        columns.push(Column { title, value });
    }
    let mut order = Vec::new();
    for sort in &query.order {
        let alias = match &sort.by {
            Expression::Variable(word) => columns.iter().position(|column| column.title == word.text),
            _ => None,
        };
        let place = alias.or_else(|| query.columns.iter().position(|column| column.value == sort.by));
        let key = match place {
            Some(place) => Key::Column(place),
            None => Key::Value(names.term(&sort.by)?),
        };
        order.push((key, sort.descending));
    }
    let skip = query.skip.as_ref().map_or(Ok(0), |skip| amount(skip, names.parameters))?;
    let limit = query.limit.as_ref().map(|limit| amount(limit, names.parameters)).transpose()?;
    Ok(Output { columns, distinct: query.distinct, order, skip, limit, enough: None })
}

fn amount(amount: &Amount, parameters: &Parameters) -> Result<usize, Failed> {
    let rows = match amount {
        Amount::Rows(rows) => Some(*rows),
        Amount::Parameter(given) => parameter(parameters, &given.parameter)?.as_u64(),
    };
    match (rows, amount) {
        (Some(rows), _) => Ok(usize::try_from(rows).unwrap_or(usize::MAX)),
        (None, Amount::Parameter(given)) => {
            let word = &given.parameter;
            let error = LanguageError::new(format!("the parameter ${} is no number of rows", word.text));
            Err(error.at(word.span).into())
        }
        (None, Amount::Rows(_)) => Ok(0),
    }
}
