//! How results are printed: JSON Lines for programs, aligned columns for people.

use std::io::Write;

use serde_json::Value;

use crate::failure::Failure;
use crate::table::{Cell, harmless, lines};

/// Where results and remarks go, and in which form.
pub(crate) struct Output<'a> {
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    /// Whether texts for people are set off by weight: only on a terminal.
    pub(crate) colour: bool,
    /// How many secrets were masked in what the command was told to keep; rows say it where there were any.
    pub(crate) n_masked: u64,
    pub(crate) results: &'a mut dyn Write,
    pub(crate) errors: &'a mut dyn Write,
}

impl Output<'_> {
    /// Prints one result as JSON on a line of its own.
    pub(crate) fn row(&mut self, value: &Value) -> Result<(), Failure> {
        if self.n_masked > 0
            && let Value::Object(row) = value
        {
            let mut row = row.clone();
            row.insert("redacted".to_owned(), self.n_masked.into());
            return Ok(writeln!(self.results, "{}", Value::Object(row))?);
        }
        Ok(writeln!(self.results, "{value}")?)
    }

    /// Prints a line for a person.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        Ok(writeln!(self.results, "{}", harmless(text.as_ref().trim_end()))?)
    }

    /// Prints a remark beside the results, unless asked to be quiet.
    pub(crate) fn remark(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        if self.quiet {
            return Ok(());
        }
        // What was printed before comes before on a terminal, too.
        self.results.flush()?;
        Ok(writeln!(self.errors, "{}", harmless(text.as_ref()))?)
    }

    /// Prints rows in aligned columns; a row of one cell is a heading.
    pub(crate) fn table<C: Clone + Into<Cell>>(&mut self, rows: &[Vec<C>]) -> Result<(), Failure> {
        let rows: Vec<Vec<Cell>> =
            rows.iter().map(|row| row.iter().cloned().map(Into::into).collect()).collect();
        for line in lines(&rows, self.colour) {
            writeln!(self.results, "{line}")?;
        }
        Ok(())
    }

    /// Prints a line that [`lines`] laid out.
    pub(crate) fn laid_out(&mut self, line: &str) -> Result<(), Failure> {
        Ok(writeln!(self.results, "{line}")?)
    }

    /// Prints cells side by side.
    pub(crate) fn cells(&mut self, cells: &[Cell]) -> Result<(), Failure> {
        let line: String = cells.iter().map(|cell| cell.painted(self.colour)).collect();
        Ok(writeln!(self.results, "{line}")?)
    }
}

/// Says a count with its noun.
pub(crate) fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// Shortens a text to a number of characters for a table.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    let one_line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &one_line[..at]),
        None => one_line,
    }
}
