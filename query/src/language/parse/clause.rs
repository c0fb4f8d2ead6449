//! The clauses of a query, in their order: patterns, what they are asked of, what is returned.

use super::parser::Parser;
use crate::language::ast::{
    Amount, Between, Column, Expression, Parameter, Pattern, Query, Recorded, Sort, Time, Valid, Word,
};
use crate::language::error::LanguageError;
use crate::language::limits::MOST_COLUMNS;
use crate::language::token::Kind;

impl Parser {
    pub(super) fn query(&mut self) -> Result<Query, LanguageError> {
        self.require("MATCH")?;
        let patterns = self.patterns()?;
        let mut query = Query {
            patterns,
            valid: None,
            known: None,
            recorded: None,
            history: false,
            planned: false,
            condition: None,
            distinct: false,
            columns: Vec::new(),
            order: Vec::new(),
            skip: None,
            limit: None,
        };
        while self.condition_clause(&mut query)? {}
        self.require("RETURN")?;
        query.distinct = self.accept("DISTINCT");
        query.columns = self.columns(&query.patterns)?;
        if self.accept("ORDER") {
            self.require("BY")?;
            query.order = self.sorts()?;
        }
        if self.accept("SKIP") {
            query.skip = Some(self.amount()?);
        }
        if self.accept("LIMIT") {
            query.limit = Some(self.amount()?);
        }
        self.accept_sign(";");
        self.expects("the end of the query");
        if self.token().kind == Kind::End { Ok(query) } else { Err(self.unexpected()) }
    }

    /// Reads one of the clauses between the patterns and what is returned; returns whether there was one.
    fn condition_clause(&mut self, query: &mut Query) -> Result<bool, LanguageError> {
        let span = self.token().span;
        let is_second = |is_there: bool, keyword: &str| {
            let message = format!("{keyword} is said twice");
            if is_there { Err(LanguageError::new(message).at(span)) } else { Ok(()) }
        };
        if self.accept("VALID") {
            is_second(query.valid.is_some(), "VALID")?;
            query.valid = Some(self.valid()?);
        } else if self.accept("KNOWN") {
            is_second(query.known.is_some(), "KNOWN")?;
            self.require("AT")?;
            query.known = Some(self.time()?);
        } else if self.accept("RECORDED") {
            is_second(query.recorded.is_some(), "RECORDED")?;
            self.require("AT")?;
            query.recorded = Some(match self.accept_whole("a sequence number") {
                Some(seq) => Recorded::Seq(seq),
                None => Recorded::At(self.time()?),
            });
        } else if self.accept("HISTORY") {
            is_second(query.history, "HISTORY")?;
            query.history = true;
        } else if self.accept("PLANNED") {
            is_second(query.planned, "PLANNED")?;
            query.planned = true;
        } else if self.accept("WHERE") {
            is_second(query.condition.is_some(), "WHERE")?;
            query.condition = Some(self.expression()?);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn valid(&mut self) -> Result<Valid, LanguageError> {
        if self.accept("ALL") {
            return Ok(Valid::All);
        }
        if self.accept("AT") {
            return Ok(Valid::At(self.time()?));
        }
        self.require("DURING")?;
        self.require_sign("[")?;
        let from = self.bound()?;
        self.require_sign(",")?;
        let to = self.bound()?;
        let closed = self.accept_sign("]");
        if !closed {
            self.require_sign(")")?;
        }
        Ok(Valid::During(Between { from, to, closed }))
    }

    fn bound(&mut self) -> Result<Option<Time>, LanguageError> {
        if self.accept("NULL") { Ok(None) } else { self.time().map(Some) }
    }

    fn time(&mut self) -> Result<Time, LanguageError> {
        self.expects("a time such as '2024-03'");
        if let Kind::Text(text) = &self.token().kind {
            let text = text.clone();
            return Ok(Time::Text(Word { text, span: Some(self.advance().span) }));
        }
        if self.is_keyword("NOW") {
            return Ok(Time::Text(Word { text: "now".to_owned(), span: Some(self.advance().span) }));
        }
        self.require_sign("$")?;
        Ok(Time::Parameter(Parameter { parameter: self.parameter()? }))
    }

    fn amount(&mut self) -> Result<Amount, LanguageError> {
        if let Some(rows) = self.accept_whole("a number of rows") {
            return Ok(Amount::Rows(rows));
        }
        self.require_sign("$")?;
        Ok(Amount::Parameter(Parameter { parameter: self.parameter()? }))
    }

    fn columns(&mut self, patterns: &[Pattern]) -> Result<Vec<Column>, LanguageError> {
        let span = self.token().span;
        if self.accept_sign("*") {
            let columns: Vec<Column> = named(patterns)
                .into_iter()
                .map(|word| Column { value: Expression::Variable(word), alias: None })
                .collect();
            if columns.is_empty() {
                return Err(
                    LanguageError::new("RETURN * returns what has a name, and nothing has one").at(span)
                );
            }
            return Ok(columns);
        }
        let mut columns = Vec::new();
        loop {
            self.bounded(columns.len())?;
            let value = self.expression()?;
            let alias =
                if self.accept("AS") { Some(self.require_name("a name for the column")?) } else { None };
            columns.push(Column { value, alias });
            if !self.accept_sign(",") {
                return Ok(columns);
            }
        }
    }

    fn sorts(&mut self) -> Result<Vec<Sort>, LanguageError> {
        let mut sorts = Vec::new();
        loop {
            self.bounded(sorts.len())?;
            let by = self.expression()?;
            let descending = self.accept("DESC");
            if !descending {
                self.accept("ASC");
            }
            sorts.push(Sort { by, descending });
            if !self.accept_sign(",") {
                return Ok(sorts);
            }
        }
    }

    fn bounded(&self, n_read: usize) -> Result<(), LanguageError> {
        if n_read < MOST_COLUMNS {
            return Ok(());
        }
        Err(LanguageError::new(format!("there are more than {MOST_COLUMNS} of these")).at(self.token().span))
    }
}

/// Returns the names of nodes and relationships, in the order in which they come up first.
fn named(patterns: &[Pattern]) -> Vec<Word> {
    let mut names: Vec<Word> = Vec::new();
    for pattern in patterns {
        let links = pattern.links.iter().flat_map(|link| [&link.relationship.variable, &link.node.variable]);
        for name in std::iter::once(&pattern.start.variable).chain(links).flatten() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}
