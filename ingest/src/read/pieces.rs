//! The pieces that a file of JSON comes in: its lines, the elements of its list, or documents over several lines.

use std::io;

use serde_json::Value;

use super::document::CUT_OFF;
use super::lines::{Line, lines};
use super::start::{behind_unreadable, unmarked};
use super::{INCOMPLETE, Place, Source};

/// How the file is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// One value a line.
    Lines,
    /// One list.
    List,
    /// Values that go over several lines.
    Documents,
}

impl Layout {
    /// Tells the layout by the start of a file.
    pub(super) fn of(head: &[u8]) -> Layout {
        let start = unmarked(head).trim_ascii_start();
        if behind_unreadable(start).is_some() {
            return Layout::Lines;
        }
        if start.starts_with(b"[") {
            return Layout::List;
        }
        let mut lines = lines(start).filter(|line| !line.is_blank());
        let first = lines
            .next()
            .map(|line| serde_json::from_slice::<Value>(line.raw).map_err(|error| error.is_eof()));
        match first {
            // A half-written line is followed by the next record; a document over several lines is indented.
            Some(Err(true)) if !lines.any(|line| line.raw.starts_with(b"{\"")) => Layout::Documents,
            _ => Layout::Lines,
        }
    }

    /// Tells the layout of a format whose values are long documents: where the first line is none, it is the first of one.
    pub(super) fn of_documents(head: &[u8]) -> Layout {
        let start = unmarked(head).trim_ascii_start();
        if behind_unreadable(start).is_some() {
            return Layout::Lines;
        }
        let is_document = |line: Line<'_>| serde_json::from_str::<Value>(&line.text).is_ok();
        if start.starts_with(b"[") {
            Layout::List
        } else if lines(start).next().is_some_and(is_document) {
            Layout::Lines
        } else {
            Layout::Documents
        }
    }
}

/// A line, an element of the list, or a document.
pub(super) struct Piece<'a> {
    pub(super) place: Place,
    pub(super) bytes: &'a [u8],
    /// Its number, from 1: that of its line where the file is lines.
    pub(super) number: u64,
    /// Why it cannot be read.
    pub(super) fault: Option<String>,
    /// What had to be changed to make it text.
    pub(super) repairs: Vec<String>,
    pub(super) is_terminated: bool,
    pub(super) place_of: &'a dyn Fn(usize) -> Place,
}

impl Piece<'_> {
    /// Says why a record at its end could not be read, in place of what the parser says, where the file ends in it.
    pub(super) fn reason(&self, reason: String) -> String {
        let cut = self.fault.as_deref().or((!self.is_terminated).then_some(INCOMPLETE));
        match cut {
            Some(cut) if reason.starts_with(CUT_OFF) => format!("{cut}: {reason}"),
            _ => reason,
        }
    }
}

/// Returns the session of a piece that names none: the file's name, with the piece's number where it may hold several.
pub(super) fn session_of(source: &Source<'_>, layout: Layout, number: u64) -> String {
    match (layout, number) {
        (Layout::Documents, 1) => source.stem().to_owned(),
        (_, number) => format!("{}.{number}", source.stem()),
    }
}

/// Goes over the pieces of a file while it is asked to go on. Where nothing is kept of them, as when looking ahead,
/// secrets are not masked.
pub(super) fn pieces(
    source: &Source<'_>,
    layout: Layout,
    is_kept: bool,
    take: &mut dyn FnMut(Piece<'_>) -> io::Result<bool>,
) -> io::Result<()> {
    if layout == Layout::Lines {
        let mut lines = if is_kept { source.lines()? } else { source.lines_ahead()? };
        while let Some(line) = lines.next()? {
            if line.is_blank() {
                continue;
            }
            let place = line.place;
            let piece = Piece {
                place,
                bytes: line.raw,
                number: place.line,
                fault: line.too_long.clone(),
                repairs: line.repairs.clone(),
                is_terminated: line.is_terminated,
                place_of: &|at| Place { offset: place.offset + at as u64, line: place.line },
            };
            if !take(piece)? {
                return Ok(());
            }
        }
        return Ok(());
    }
    let mut elements = match (layout, is_kept) {
        (Layout::List, true) => source.elements()?,
        (Layout::List, false) => source.elements_ahead()?,
        (_, is_kept) => source.values(is_kept)?,
    };
    let mut number = 0;
    while let Some(mut element) = elements.next_element()? {
        number += 1;
        if is_kept {
            source.mask(&mut element.bytes);
        }
        let piece = Piece {
            place: element.place,
            bytes: &element.bytes,
            number,
            fault: element.fault.clone(),
            repairs: Vec::new(),
            is_terminated: true,
            place_of: &|at| element.place_of(at),
        };
        if !take(piece)? {
            return Ok(());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Layout;

    #[test]
    fn layouts_are_told_apart() {
        for (head, layout) in [
            ("{\"messages\":[]}\n{\"messages\":[]}\n", Layout::Lines),
            (
                "{\"role\":\"user\",\"content\":\"half\n{\"role\":\"user\",\"content\":\"whole\"}\n",
                Layout::Lines,
            ),
            ("\u{feff} [\n{\"role\":\"user\"}]", Layout::List),
            ("{\n \"messages\": [\n  {\"role\": \"user\"}\n ]\n}\n", Layout::Documents),
            ("{\"messages\":[{\"role\":\"user\",\n\"content\":\"\"}]}", Layout::Documents),
            ("", Layout::Lines),
        ] {
            assert_eq!(Layout::of(head.as_bytes()), layout, "{head}");
        }
    }
}
