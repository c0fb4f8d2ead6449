//! How results are printed: JSON Lines for programs, aligned columns for people.

use std::io::Write;

use serde_json::Value;

use crate::failure::Failure;

/// Where results and remarks go, and in which form.
pub(crate) struct Output<'a> {
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) results: &'a mut dyn Write,
    pub(crate) errors: &'a mut dyn Write,
}

impl Output<'_> {
    /// Prints one result as JSON on a line of its own.
    pub(crate) fn row(&mut self, value: &Value) -> Result<(), Failure> {
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

    /// Prints rows in aligned columns; the last column is not padded.
    pub(crate) fn table(&mut self, rows: &[Vec<String>]) -> Result<(), Failure> {
        let width = |text: &str| text.chars().count();
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or(0)
            })
            .collect();
        for row in rows {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                line.push_str(cell);
                if column + 1 < row.len() {
                    line.extend(std::iter::repeat_n(' ', widths[column] - width(cell) + 2));
                }
            }
            self.line(line)?;
        }
        Ok(())
    }
}

/// Replaces what would command a terminal (control characters, marks that turn the direction of writing) in a text that
/// may come from anywhere.
fn harmless(text: &str) -> String {
    let commands = |c: char| {
        (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if commands(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Shortens a text to a number of characters for a table.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    let one_line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &one_line[..at]),
        None => one_line,
    }
}
