//! What is wrong with a query, told with its place: the line, a caret under it, what was expected instead, and the nearest
//! name.

use std::fmt;

use super::token::Span;
use crate::predicates::nearest;

/// The widest part of a line that is shown, in characters.
const WIDEST: usize = 120;

/// What is wrong with a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageError(Box<Wrong>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Wrong {
    message: String,
    span: Option<Span>,
    expected: Vec<String>,
    nearest: Option<String>,
    /// Where in the text that is, for a person.
    shown: Option<Shown>,
}

/// A place in a text as a person counts: lines and columns from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shown {
    line: usize,
    column: usize,
    text: String,
    /// The characters before the caret, and how many carets there are.
    before: usize,
    width: usize,
}

impl LanguageError {
    pub(super) fn new(message: impl Into<String>) -> LanguageError {
        LanguageError(Box::new(Wrong { message: message.into(), ..Wrong::default() }))
    }

    /// Gives the error a place, where that is known.
    pub(super) fn at(mut self, span: impl Into<Option<Span>>) -> LanguageError {
        self.0.span = span.into();
        self
    }

    pub(super) fn expecting(mut self, expected: Vec<String>) -> LanguageError {
        self.0.expected = expected;
        self
    }

    /// Offers the nearest of some names instead of one.
    pub(super) fn instead_of<'n>(
        mut self,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> LanguageError {
        let known = known.into_iter().map(str::to_owned).collect();
        self.0.nearest = nearest(name, &known);
        self
    }

    /// Shows the place in the text that it is a place of.
    #[must_use]
    pub fn within(mut self, text: &str) -> LanguageError {
        self.0.shown = self.0.span.map(|span| shown(text, span));
        self
    }

    /// Returns what is wrong.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns what might have stood there.
    pub fn expected(&self) -> &[String] {
        &self.0.expected
    }

    /// Returns the name that was probably meant.
    pub fn nearest(&self) -> Option<&str> {
        self.0.nearest.as_deref()
    }

    /// Returns the line and the column, from 1, where the place is known.
    pub fn place(&self) -> Option<(usize, usize)> {
        self.0.shown.as_ref().map(|shown| (shown.line, shown.column))
    }
}

fn shown(text: &str, span: Span) -> Shown {
    let start = span.start.min(text.len());
    let before = &text[..start];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].split('\n').next().unwrap_or_default();
    let column = text[line_start..start].chars().count();
    let n_marked = text.get(start..span.end).unwrap_or_default().split('\n').next().unwrap_or_default();
    // Of a long line, what stands around the place is enough.
    let left_out = column.saturating_sub(WIDEST / 2);
    let part: String = line.chars().skip(left_out).take(WIDEST).collect();
    let dots = if left_out > 0 { "… " } else { "" };
    Shown {
        line: before.matches('\n').count() + 1,
        column: column + 1,
        text: format!("{dots}{}", part.replace(['\t', '\r'], " ")),
        before: column - left_out + dots.chars().count(),
        width: n_marked.chars().count().clamp(1, WIDEST / 2),
    }
}

impl fmt::Display for LanguageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wrong { message, expected, nearest, shown, .. } = &*self.0;
        f.write_str(message)?;
        if let Some(Shown { line, column, text, before, width }) = shown {
            write!(f, " (line {line}, column {column})\n  {text}")?;
            write!(f, "\n  {}{}", " ".repeat(*before), "^".repeat(*width))?;
        }
        if !expected.is_empty() {
            write!(f, "\nexpected {}", expected.join(", "))?;
        }
        match nearest {
            Some(nearest) => write!(f, "\ndid you mean {nearest}?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for LanguageError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_shown_below_the_line() {
        let text = "MATCH (p)\nRETRUN p";
        let error = LanguageError::new("RETRUN is no clause").at(Span { start: 10, end: 16 }).within(text);
        assert_eq!(error.place(), Some((2, 1)));
        assert_eq!(error.to_string(), "RETRUN is no clause (line 2, column 1)\n  RETRUN p\n  ^^^^^^");
    }

    #[test]
    fn of_a_long_line_a_part_is_shown() {
        let text = format!("{}x", "a ".repeat(5_000));
        let error = LanguageError::new("x").at(Span { start: 10_000, end: 10_001 }).within(&text).to_string();
        assert!(error.len() < 400, "{error}");
        let lines: Vec<&str> = error.lines().collect();
        let caret = lines[2].chars().position(|c| c == '^').expect("a caret");
        assert_eq!(lines[1].chars().nth(caret), Some('x'));
    }
}
