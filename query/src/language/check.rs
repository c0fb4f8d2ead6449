//! Whether the parts of a query fit together: that names are bound, that properties and functions exist, that what counts
//! rows stands alone in a column, that nothing is larger than it may be.
//!
//! Knows nothing of a store: whether a predicate or a type is used anywhere is no question of form.

use std::collections::BTreeMap;

use bygone_engine::time::parse_moment;

use super::ast::{
    Between, Equal, Expression, Hops, Literal, Node, Operator, Query, Relationship, Time, Valid, Word,
};
use super::error::LanguageError;
use super::limits::{MOST_COLUMNS, MOST_ELEMENTS, MOST_HOPS, MOST_NESTED};
use super::print::stands_in_brackets;
use super::vocabulary::{FUNCTIONS, Function, Kind, function, is_turn, searched};

/// The names that the patterns of a query bind.
pub(super) type Scope = BTreeMap<String, Kind>;

/// Looks whether the parts of a query fit together.
///
/// # Errors
/// [`LanguageError`]: the first thing that does not.
pub(super) fn check(query: &Query) -> Result<(), LanguageError> {
    let scope = scope(query)?;
    for node in query.patterns.iter().flat_map(|p| p.links.iter().map(|link| &link.node).chain([&p.start])) {
        let kind = if is_turn(&node.types) { Kind::Turn } else { Kind::Node };
        properties(&node.properties, kind, &scope)?;
    }
    for link in query.patterns.iter().flat_map(|pattern| &pattern.links) {
        let kind = if link.relationship.hops.is_some() { Kind::Path } else { Kind::Fact };
        properties(&link.relationship.properties, kind, &scope)?;
    }
    clocks(query)?;
    let plain = Place { scope: &scope, aggregates: None };
    if let Some(condition) = &query.condition {
        Place { aggregates: Some("WHERE looks at one row at a time"), ..plain }.check(condition, 0)?;
    }
    if query.columns.is_empty() {
        return Err(LanguageError::new("a query returns at least one column"));
    }
    if query.columns.len() > MOST_COLUMNS || query.order.len() > MOST_COLUMNS {
        return Err(LanguageError::new(format!("there are more than {MOST_COLUMNS} columns")));
    }
    let mut names: Vec<String> = Vec::new();
    for column in &query.columns {
        if let Expression::Aggregate { of, .. } = &column.value {
            if let Some(of) = of {
                plain.within_aggregate().check(of, 1)?;
            }
        } else {
            plain.in_column().check(&column.value, 0)?;
        }
        if let Some(alias) = &column.alias {
            name(alias)?;
        }
        let title =
            column.alias.as_ref().map_or_else(|| column.value.to_string(), |alias| alias.text.clone());
        if names.contains(&title) {
            let span = column.alias.as_ref().and_then(|alias| alias.span);
            let error =
                LanguageError::new(format!("two columns are called {title}; AS gives one another name"));
            return Err(error.at(span));
        }
        names.push(title);
    }
    let counts = query.columns.iter().any(|column| matches!(column.value, Expression::Aggregate { .. }));
    for sort in &query.order {
        let is_alias = matches!(&sort.by, Expression::Variable(word) if names.contains(&word.text));
        if is_alias || query.columns.iter().any(|column| column.value == sort.by) {
            continue;
        }
        if counts || query.distinct {
            let message =
                format!("{} is no column: rows that were brought together are sorted by columns", sort.by);
            return Err(LanguageError::new(message).at(first_span(&sort.by)));
        }
        plain.in_column().check(&sort.by, 0)?;
    }
    Ok(())
}

/// Returns what the patterns bind.
///
/// # Errors
/// [`LanguageError`] where a name is bound to two things, or there are too many.
pub(super) fn scope(query: &Query) -> Result<Scope, LanguageError> {
    if query.patterns.is_empty() {
        return Err(LanguageError::new("a query has at least one pattern"));
    }
    let n_elements: usize = query.patterns.iter().map(|pattern| 1 + 2 * pattern.links.len()).sum();
    if n_elements > MOST_ELEMENTS {
        let message = format!("the patterns have more than {MOST_ELEMENTS} nodes and relationships");
        return Err(LanguageError::new(message));
    }
    let mut scope = Scope::new();
    for pattern in &query.patterns {
        node(&pattern.start, pattern.links.is_empty(), &mut scope)?;
        for link in &pattern.links {
            relationship(&link.relationship, &mut scope)?;
            node(&link.node, false, &mut scope)?;
        }
    }
    Ok(scope)
}

fn node(node: &Node, is_alone: bool, scope: &mut Scope) -> Result<(), LanguageError> {
    node.types.iter().try_for_each(name)?;
    let kind = if is_turn(&node.types) { Kind::Turn } else { Kind::Node };
    if kind == Kind::Turn && !is_alone {
        return Err(about(&node.types[0], "a turn has no relationships: it stands in a pattern of its own"));
    }
    let Some(variable) = &node.variable else { return Ok(()) };
    name(variable)?;
    let before = scope.insert(variable.text.clone(), kind);
    // A node that was bound before is the same one; it need not say its type again.
    match (before, kind) {
        (Some(Kind::Turn), Kind::Node) if is_alone => {
            scope.insert(variable.text.clone(), Kind::Turn);
            Ok(())
        }
        (Some(before), _) if before != kind => {
            Err(about(variable, &format!("{variable} is {} already", before.name())))
        }
        _ => Ok(()),
    }
}

fn relationship(relationship: &Relationship, scope: &mut Scope) -> Result<(), LanguageError> {
    relationship.predicates.iter().try_for_each(name)?;
    if let Some(Hops { least, most }) = relationship.hops
        && (least > most || most > MOST_HOPS)
    {
        return Err(LanguageError::new(format!(
            "a path has at most {MOST_HOPS} facts, and at least as many as it says"
        )));
    }
    let Some(variable) = &relationship.variable else { return Ok(()) };
    name(variable)?;
    let kind = if relationship.hops.is_some() { Kind::Path } else { Kind::Fact };
    match scope.insert(variable.text.clone(), kind) {
        None => Ok(()),
        Some(before) => {
            let message =
                format!("{variable} is {} already: a relationship has a name of its own", before.name());
            Err(about(variable, &message))
        }
    }
}

/// Checks that a name can be written.
fn name(word: &Word) -> Result<(), LanguageError> {
    if word.text.is_empty() || word.text.contains(|c: char| c == '`' || c.is_control()) {
        let message = format!("{:?} is no name: names are not empty and have no backquotes", word.text);
        return Err(about(word, &message));
    }
    Ok(())
}

fn properties(equals: &[Equal], kind: Kind, scope: &Scope) -> Result<(), LanguageError> {
    let place = Place { scope, aggregates: Some("a pattern fits one row at a time") };
    for Equal { property, value } in equals {
        if kind.property(&property.text).is_none() {
            return Err(no_property(property, kind));
        }
        place.check(value, 0)?;
    }
    Ok(())
}

fn clocks(query: &Query) -> Result<(), LanguageError> {
    let recorded = match &query.recorded {
        Some(super::ast::Recorded::At(time)) => Some(time),
        Some(super::ast::Recorded::Seq(_)) | None => None,
    };
    let valid: Vec<&Time> = match &query.valid {
        Some(Valid::At(time)) => vec![time],
        Some(Valid::During(Between { from, to, .. })) => from.iter().chain(to).collect(),
        Some(Valid::All) | None => Vec::new(),
    };
    for time in valid.into_iter().chain(&query.known).chain(recorded) {
        match time {
            Time::Text(word) if word.text == "now" => {}
            Time::Text(word) => is_time(word)?,
            Time::Parameter(parameter) => name(&parameter.parameter)?,
        }
    }
    Ok(())
}

fn is_time(word: &Word) -> Result<(), LanguageError> {
    parse_moment(&word.text).map(drop).map_err(|error| about(word, &error.to_string()))
}

/// Where an expression stands, and what it may hold there.
#[derive(Clone, Copy)]
struct Place<'a> {
    scope: &'a Scope,
    /// Why nothing can be counted here; `None` where that is not looked at.
    aggregates: Option<&'static str>,
}

impl Place<'_> {
    fn within_aggregate(self) -> Self {
        Place { aggregates: Some("what is counted cannot be counted again"), ..self }
    }

    fn in_column(self) -> Self {
        Place { aggregates: Some("in a column it stands alone"), ..self }
    }

    fn check(&self, expression: &Expression, n_nested: usize) -> Result<(), LanguageError> {
        // As the text nests: where one expression stands in brackets, in a list, or behind NOT.
        if n_nested >= MOST_NESTED {
            return Err(LanguageError::new(format!("expressions nest more than {MOST_NESTED} deep")));
        }
        let deeper = |inner: &Expression| self.check(inner, n_nested + 1);
        let inside = |inner: &Expression| {
            self.check(inner, n_nested + usize::from(stands_in_brackets(inner, expression)))
        };
        match expression {
            Expression::Literal(Literal::Real(number)) if !number.is_finite() => {
                Err(LanguageError::new(format!("{number} is no number")))
            }
            Expression::Literal(Literal::Whole(i64::MIN)) => {
                Err(LanguageError::new(format!("whole number {} is beyond {}", i64::MIN, -i64::MAX)))
            }
            Expression::Literal(_) => Ok(()),
            Expression::Parameter(parameter) => name(parameter),
            Expression::Variable(variable) => self.kind(variable).map(drop),
            Expression::Property { of, name } => {
                let kind = self.kind(of)?;
                kind.property(&name.text).map(drop).ok_or_else(|| no_property(name, kind))
            }
            Expression::List(values) => values.iter().try_for_each(deeper),
            Expression::And(parts) | Expression::Or(parts) => {
                if parts.len() < 2 {
                    return Err(LanguageError::new("AND and OR join at least two conditions"));
                }
                parts.iter().try_for_each(inside)
            }
            Expression::Not(inner) => {
                let in_brackets = usize::from(stands_in_brackets(inner, expression));
                self.check(inner, n_nested + 1 + in_brackets)
            }
            Expression::IsNull(inner) | Expression::IsNotNull(inner) => inside(inner),
            Expression::Compare { left, operator, right } => {
                inside(left)?;
                inside(right)?;
                self.times(left, *operator, right)?;
                self.times(right, *operator, left)
            }
            Expression::Call { function, arguments } => {
                self.call(function, arguments)?;
                arguments.iter().try_for_each(deeper)
            }
            Expression::Aggregate { function, place, .. } => {
                let why = self.aggregates.unwrap_or("it stands alone in a column");
                let message = format!("{} cannot stand here: {why}", function.name());
                Err(LanguageError::new(message).at(place.0))
            }
        }
    }

    fn kind(&self, variable: &Word) -> Result<Kind, LanguageError> {
        self.scope.get(&variable.text).copied().ok_or_else(|| {
            let error = about(variable, &format!("nothing in the patterns is called {variable}"));
            error.instead_of(&variable.text, self.scope.keys().map(String::as_str))
        })
    }

    /// A text that is compared with a time is one.
    fn times(&self, one: &Expression, operator: Operator, other: &Expression) -> Result<(), LanguageError> {
        let Expression::Property { of, name } = one else { return Ok(()) };
        let is_text = matches!(operator, Operator::In | Operator::StartsWith | Operator::EndsWith);
        let kind = self.kind(of)?;
        if is_text || !kind.property(&name.text).is_some_and(super::vocabulary::Property::is_time) {
            return Ok(());
        }
        match other {
            Expression::Literal(Literal::Text(word)) => is_time(word),
            _ => Ok(()),
        }
    }

    fn call(&self, name: &Word, arguments: &[Expression]) -> Result<(), LanguageError> {
        let Some(signature) = function(&name.text) else {
            let error = about(name, &format!("there is no function {}", name.text));
            let known = FUNCTIONS.iter().map(|signature| signature.name);
            let aggregates = super::ast::Aggregate::ALL.iter().map(|function| function.name());
            return Err(error.instead_of(&name.text, known.chain(aggregates)));
        };
        if !(signature.least..=signature.most).contains(&arguments.len()) {
            let wanted = match (signature.least, signature.most) {
                (0, 0) => "nothing".to_owned(),
                (1, 1) => "one value".to_owned(),
                (least, most) if least == most => format!("{least} values"),
                (least, most) => format!("{least} to {most} values"),
            };
            return Err(about(name, &format!("{} is given {wanted}, not {}", name.text, arguments.len())));
        }
        match (signature.function, arguments) {
            (Function::Search | Function::Similar | Function::Score, [what, text]) => {
                let kind = match what {
                    Expression::Variable(variable) => Some(self.kind(variable)?),
                    _ => None,
                };
                if !matches!(kind, Some(Kind::Fact | Kind::Turn | Kind::Node)) {
                    return Err(about(
                        name,
                        &format!("{} is given the name of a fact, a turn or a node", name.text),
                    ));
                }
                is_text(name, text)
            }
            (Function::Search | Function::Similar | Function::Score, [text]) => {
                if searched(self.scope).is_none() {
                    let message = format!(
                        "what does {0} look through? Say {0}(x, 'text') of a fact, a turn or a node",
                        name.text
                    );
                    return Err(about(name, &message));
                }
                is_text(name, text)
            }
            (Function::Period | Function::Time, values) => values.iter().try_for_each(|value| match value {
                Expression::Literal(Literal::Text(word)) => is_time(word),
                _ => Ok(()),
            }),
            _ => Ok(()),
        }
    }
}

/// What a search looks for is the same for every row.
fn is_text(function: &Word, text: &Expression) -> Result<(), LanguageError> {
    let is_fixed = matches!(text, Expression::Literal(Literal::Text(_)) | Expression::Parameter(_));
    if is_fixed {
        Ok(())
    } else {
        Err(about(function, &format!("what {} looks for is a text", function.text)))
    }
}

fn no_property(property: &Word, kind: Kind) -> LanguageError {
    let names: Vec<&str> = kind.properties().map(|(name, _)| name).collect();
    let error = about(property, &format!("{} has no {}", kind.name(), property.text));
    let error = error.instead_of(&property.text, names.iter().copied());
    error.expecting(names.into_iter().map(str::to_owned).collect())
}

fn about(word: &Word, message: &str) -> LanguageError {
    LanguageError::new(message).at(word.span)
}

/// Returns the place of the first name in an expression.
fn first_span(expression: &Expression) -> Option<super::token::Span> {
    match expression {
        Expression::Literal(Literal::Text(word))
        | Expression::Parameter(word)
        | Expression::Variable(word)
        | Expression::Property { of: word, .. }
        | Expression::Call { function: word, .. } => word.span,
        Expression::Literal(_) => None,
        Expression::List(parts) | Expression::And(parts) | Expression::Or(parts) => {
            parts.iter().find_map(first_span)
        }
        Expression::Not(inner) | Expression::IsNull(inner) | Expression::IsNotNull(inner) => {
            first_span(inner)
        }
        Expression::Compare { left, right, .. } => first_span(left).or_else(|| first_span(right)),
        Expression::Aggregate { place, .. } => place.0,
    }
}
