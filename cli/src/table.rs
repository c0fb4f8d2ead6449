//! Text in aligned columns, told apart by more than colour: widths are those a terminal gives the characters, and styles
//! are added only where they are wanted.

use unicode_width::UnicodeWidthStr;

/// How a cell stands out on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// As it is.
    Plain,
    /// What the row is about.
    Strong,
    /// What it rests on.
    Faint,
}

/// A text in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    /// Makes a cell that stands out.
    pub(crate) fn strong(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), style: Style::Strong }
    }

    /// Makes a cell that stands back.
    pub(crate) fn faint(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), style: Style::Faint }
    }

    /// Returns the text without what would command a terminal, in its style where `colour` says so.
    pub(crate) fn painted(&self, colour: bool) -> String {
        painted(&harmless(&self.text), self.style, colour)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell { text, style: Style::Plain }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::from(text.to_owned())
    }
}

/// Lays rows out in columns two spaces apart. The last cell of a row is not padded, and a row of one cell is a heading,
/// which makes no column wider.
pub(crate) fn lines(rows: &[Vec<Cell>], colour: bool) -> Vec<String> {
    let rows: Vec<Vec<(String, Style)>> =
        rows.iter().map(|row| row.iter().map(|cell| (harmless(&cell.text), cell.style)).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter(|row| row.len() > 1).filter_map(|row| row.get(column));
        cells.map(|(text, _)| text.width()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    rows.iter().map(|row| line(row, &widths, colour)).collect()
}

fn line(row: &[(String, Style)], widths: &[usize], colour: bool) -> String {
    // Empty cells at the end leave nothing to be padded for.
    let used = row.iter().rposition(|(text, _)| !text.is_empty()).map_or(0, |last| last + 1);
    let mut line = String::new();
    for (column, (text, style)) in row[..used].iter().enumerate() {
        line.push_str(&painted(text, *style, colour));
        if column + 1 < used {
            line.extend(std::iter::repeat_n(' ', widths[column] - text.width() + 2));
        }
    }
    line
}

fn painted(text: &str, style: Style, colour: bool) -> String {
    // Select Graphic Rendition, ECMA-48 section 8.3.117: 1 bold, 2 faint, 0 as before.
    let code = match style {
        Style::Strong => 1,
        Style::Faint => 2,
        Style::Plain => 0,
    };
    if colour && code != 0 && !text.is_empty() {
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}

/// Replaces what would command a terminal (control characters, marks that turn the direction of writing) in a text that
/// may come from anywhere.
pub(crate) fn harmless(text: &str) -> String {
    let commands = |c: char| c != '\n' && is_command(c);
    text.chars().map(|c| if commands(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

fn is_command(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Makes a text that may come from anywhere fit for a line: also ends of lines, which could forge one, are replaced.
pub(crate) fn one_line(text: &str) -> String {
    let breaks = |c: char| is_command(c) || matches!(c, '\u{2028}' | '\u{2029}');
    text.chars().map(|c| if breaks(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// The most characters of a name that are shown; chosen, untested.
const LONGEST_NAME: usize = 1000;

/// Makes the name of a file fit for a line; where it is very long, its middle is left out.
pub(crate) fn shown(name: &str) -> String {
    let name: Vec<char> = one_line(name).chars().collect();
    if name.len() <= LONGEST_NAME {
        return name.into_iter().collect();
    }
    let (start, end) = (&name[..LONGEST_NAME / 2], &name[name.len() - LONGEST_NAME / 2..]);
    start.iter().chain(&['…']).chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> Vec<Cell> {
        cells.iter().map(|cell| Cell::from(*cell)).collect()
    }

    #[test]
    fn columns_are_as_wide_as_a_terminal_shows_them() {
        let rows = [
            row(&["東京", "Anna", "x"]),
            row(&["a heading that is longer than any column"]),
            row(&["e\u{301}", "B", "y"]),
            row(&["", "", ""]),
        ];
        let expected =
            ["東京  Anna  x", "a heading that is longer than any column", "e\u{301}     B     y", ""];
        assert_eq!(lines(&rows, false), expected);
    }

    #[test]
    fn a_name_forges_no_line_and_fills_no_screen() {
        assert_eq!(shown("a b.txt"), "a b.txt");
        assert_eq!(
            shown("a\nbygone: done\r\u{1b}[2J\u{2028}x"),
            "a\u{fffd}bygone: done\u{fffd}\u{fffd}[2J\u{fffd}x"
        );
        let long = shown(&format!("start{}end", "x".repeat(60_000)));
        assert_eq!(long.chars().count(), LONGEST_NAME + 1);
        assert!(long.starts_with("start") && long.contains("x…x") && long.ends_with("end"));
    }

    #[test]
    fn styles_are_added_after_the_text_is_made_harmless() {
        let rows = [vec![Cell::strong("a\u{1b}[31m"), Cell::from("b"), Cell::faint("c")]];
        assert_eq!(lines(&rows, false), ["a\u{fffd}[31m  b  c"]);
        assert_eq!(lines(&rows, true), ["\u{1b}[1ma\u{fffd}[31m\u{1b}[0m  b  \u{1b}[2mc\u{1b}[0m"]);
        assert_eq!(Cell::faint("").painted(true), "");
    }
}
