//! From text to a query: recursive descent, one token ahead.
//!
//! Invariant: no text makes it panic, expressions nest no deeper than `MOST_NESTED`, and each token is looked at a fixed number
//! of times.

mod clause;
mod expression;
mod parser;
mod pattern;

use super::ast::Query;
use super::check::check;
use super::error::LanguageError;
use super::token::tokens;
use parser::Parser;

/// Words that are no names unless they stand in backquotes.
const RESERVED: [&str; 40] = [
    "MATCH",
    "VALID",
    "KNOWN",
    "RECORDED",
    "HISTORY",
    "PLANNED",
    "WHERE",
    "RETURN",
    "DISTINCT",
    "ORDER",
    "BY",
    "SKIP",
    "LIMIT",
    "AND",
    "OR",
    "NOT",
    "IN",
    "IS",
    "NULL",
    "TRUE",
    "FALSE",
    "AS",
    "ASC",
    "DESC",
    "CONTAINS",
    "ENDS",
    "BEFORE",
    "AFTER",
    "MEETS",
    "MET_BY",
    "OVERLAPS",
    "OVERLAPPED_BY",
    "DURING",
    "STARTS",
    "STARTED_BY",
    "FINISHES",
    "FINISHED_BY",
    "EQUALS",
    "WITHIN",
    "INTERSECTS",
];

/// Says whether a word is a keyword, in whatever letters.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(word))
}

/// Reads a query.
///
/// # Errors
/// [`LanguageError`] with the place: the first thing that is wrong.
pub fn parse(text: &str) -> Result<Query, LanguageError> {
    let mut parser = Parser::new(tokens(text)?);
    let query = parser.query().and_then(|query| check(&query).map(|()| query));
    query.map_err(|error| error.within(text))
}
