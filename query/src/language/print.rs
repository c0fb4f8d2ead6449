//! From a query to its canonical text. Reading that text gives the same query.

use std::fmt::{self, Display, Formatter, Write};

use super::ast::{
    Amount, Column, Direction, Equal, Expression, Literal, Node, Operator, Parameter, Pattern, Query,
    Recorded, Relationship, Time, Valid, Word,
};
use super::parse::is_reserved;
use super::token::{is_first, is_further, quote};

impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("MATCH ")?;
        separated(f, &self.patterns, ", ", |f, pattern| write!(f, "{pattern}"))?;
        if let Some(valid) = &self.valid {
            write!(f, " VALID {valid}")?;
        }
        if let Some(known) = &self.known {
            write!(f, " KNOWN AT {known}")?;
        }
        match &self.recorded {
            None => {}
            Some(Recorded::Seq(seq)) => write!(f, " RECORDED AT {seq}")?,
            Some(Recorded::At(time)) => write!(f, " RECORDED AT {time}")?,
        }
        if self.history {
            f.write_str(" HISTORY")?;
        }
        if self.planned {
            f.write_str(" PLANNED")?;
        }
        if let Some(condition) = &self.condition {
            write!(f, " WHERE {condition}")?;
        }
        f.write_str(if self.distinct { " RETURN DISTINCT " } else { " RETURN " })?;
        separated(f, &self.columns, ", ", |f, column| write!(f, "{column}"))?;
        if !self.order.is_empty() {
            f.write_str(" ORDER BY ")?;
            separated(f, &self.order, ", ", |f, sort| {
                write!(f, "{}{}", sort.by, if sort.descending { " DESC" } else { "" })
            })?;
        }
        for (keyword, amount) in [("SKIP", &self.skip), ("LIMIT", &self.limit)] {
            match amount {
                None => {}
                Some(Amount::Rows(rows)) => write!(f, " {keyword} {rows}")?,
                Some(Amount::Parameter(parameter)) => write!(f, " {keyword} {parameter}")?,
            }
        }
        Ok(())
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.start)?;
        self.links.iter().try_for_each(|link| write!(f, "{}{}", link.relationship, link.node))
    }
}

impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('(')?;
        head(f, self.variable.as_ref(), &self.types)?;
        properties(f, self.variable.is_some() || !self.types.is_empty(), &self.properties)?;
        f.write_char(')')
    }
}

impl Display for Relationship {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.direction == Direction::Left { "<-" } else { "-" })?;
        let is_bare = self.variable.is_none()
            && self.predicates.is_empty()
            && self.hops.is_none()
            && self.properties.is_empty();
        if !is_bare {
            f.write_char('[')?;
            head(f, self.variable.as_ref(), &self.predicates)?;
            if let Some(hops) = self.hops {
                match (hops.least, hops.most) {
                    (least, most) if least == most => write!(f, "*{least}")?,
                    (least, most) => write!(f, "*{least}..{most}")?,
                }
            }
            let has_more = self.variable.is_some() || !self.predicates.is_empty() || self.hops.is_some();
            properties(f, has_more, &self.properties)?;
            f.write_char(']')?;
        }
        f.write_str(if self.direction == Direction::Right { "->" } else { "-" })
    }
}

fn head(f: &mut Formatter<'_>, variable: Option<&Word>, alternatives: &[Word]) -> fmt::Result {
    if let Some(variable) = variable {
        write!(f, "{variable}")?;
    }
    if !alternatives.is_empty() {
        f.write_char(':')?;
        separated(f, alternatives, "|", |f, word| write!(f, "{word}"))?;
    }
    Ok(())
}

fn properties(f: &mut Formatter<'_>, has_more: bool, properties: &[Equal]) -> fmt::Result {
    if properties.is_empty() {
        return Ok(());
    }
    f.write_str(if has_more { " {" } else { "{" })?;
    separated(f, properties, ", ", |f, equal| write!(f, "{}: {}", equal.property, equal.value))?;
    f.write_char('}')
}

impl Display for Valid {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let between = match self {
            Valid::All => return f.write_str("ALL"),
            Valid::At(time) => return write!(f, "AT {time}"),
            Valid::During(between) => between,
        };
        let bound = |time: &Option<Time>| time.as_ref().map_or("NULL".to_owned(), ToString::to_string);
        let end = if between.closed { ']' } else { ')' };
        write!(f, "DURING [{}, {}{end}", bound(&between.from), bound(&between.to))
    }
}

impl Display for Time {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Time::Text(text) => f.write_str(&quote(&text.text)),
            Time::Parameter(parameter) => write!(f, "{parameter}"),
        }
    }
}

impl Display for Parameter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.parameter)
    }
}

impl Display for Column {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value)?;
        self.alias.as_ref().map_or(Ok(()), |alias| write!(f, " AS {alias}"))
    }
}

/// A name, in backquotes where it would be read as something else.
impl Display for Word {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        if is_name(text) && !is_reserved(text) { f.write_str(text) } else { write!(f, "`{text}`") }
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(is_first) && text.chars().all(is_further)
}

/// How tightly an expression binds; one that stands within a tighter one stands in brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Or,
    And,
    Not,
    Comparison,
    Value,
}

fn tightness(expression: &Expression) -> Tightness {
    match expression {
        Expression::Or(_) => Tightness::Or,
        Expression::And(_) => Tightness::And,
        Expression::Not(_) => Tightness::Not,
        Expression::Compare { .. } | Expression::IsNull(_) | Expression::IsNotNull(_) => {
            Tightness::Comparison
        }
        Expression::Literal(_)
        | Expression::Parameter(_)
        | Expression::Variable(_)
        | Expression::Property { .. }
        | Expression::List(_)
        | Expression::Call { .. }
        | Expression::Aggregate { .. } => Tightness::Value,
    }
}

/// Says whether one expression is written in brackets within another.
pub(super) fn stands_in_brackets(inner: &Expression, outer: &Expression) -> bool {
    let needed = match tightness(outer) {
        Tightness::Or => Tightness::And,
        Tightness::And | Tightness::Not => Tightness::Not,
        Tightness::Comparison => Tightness::Value,
        Tightness::Value => Tightness::Or,
    };
    tightness(inner) < needed
}

/// An expression that stands where only one at least as tight may stand.
struct Within<'a>(&'a Expression, Tightness);

impl Display for Within<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if tightness(self.0) < self.1 { write!(f, "({})", self.0) } else { write!(f, "{}", self.0) }
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Literal(literal) => write!(f, "{literal}"),
            Expression::Parameter(name) => write!(f, "${name}"),
            Expression::Variable(name) => write!(f, "{name}"),
            Expression::Property { of, name } if is_name(&name.text) => write!(f, "{of}.{}", name.text),
            Expression::Property { of, name } => write!(f, "{of}.`{}`", name.text),
            Expression::List(values) => {
                f.write_char('[')?;
                separated(f, values, ", ", |f, value| write!(f, "{value}"))?;
                f.write_char(']')
            }
            Expression::Or(any) => {
                separated(f, any, " OR ", |f, one| write!(f, "{}", Within(one, Tightness::And)))
            }
            Expression::And(all) => {
                separated(f, all, " AND ", |f, one| write!(f, "{}", Within(one, Tightness::Not)))
            }
            Expression::Not(negated) => write!(f, "NOT {}", Within(negated, Tightness::Not)),
            Expression::Compare { left, operator, right } => {
                let (left, right) = (Within(left, Tightness::Value), Within(right, Tightness::Value));
                write!(f, "{left} {} {right}", operator.text())
            }
            Expression::IsNull(value) => write!(f, "{} IS NULL", Within(value, Tightness::Value)),
            Expression::IsNotNull(value) => write!(f, "{} IS NOT NULL", Within(value, Tightness::Value)),
            Expression::Call { function, arguments } => {
                write!(f, "{}(", function.text)?;
                separated(f, arguments, ", ", |f, argument| write!(f, "{argument}"))?;
                f.write_char(')')
            }
            Expression::Aggregate { function, distinct, of, .. } => {
                write!(f, "{}({}", function.name(), if *distinct { "DISTINCT " } else { "" })?;
                match of {
                    None => f.write_char('*')?,
                    Some(of) => write!(f, "{of}")?,
                }
                f.write_char(')')
            }
        }
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Null => f.write_str("NULL"),
            Literal::Bool(value) => f.write_str(if *value { "TRUE" } else { "FALSE" }),
            Literal::Whole(number) => write!(f, "{number}"),
            // A fraction or an exponent is always written, so that it does not read as a whole number.
            Literal::Real(number) => write!(f, "{number:?}"),
            Literal::Text(text) => f.write_str(&quote(&text.text)),
        }
    }
}

impl Display for Operator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

fn separated<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    separator: &str,
    write: impl Fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (nth, item) in items.iter().enumerate() {
        if nth > 0 {
            f.write_str(separator)?;
        }
        write(f, item)?;
    }
    Ok(())
}
