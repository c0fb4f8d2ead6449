//! Viewing a file with the numbers of its lines, or a folder two levels deep.

use std::fmt::Write as _;

use bygone_engine::View;
use bygone_engine::document::{Document, Listing};
use bygone_engine::store::Snapshot;
use serde::Deserialize;

use super::super::listing::documents;
use super::super::{AsOf, InterfaceError};
use super::path::Path;
use super::{FILES, Refusal, Standing, standing, text_of, within};

/// The most lines that are numbered.
const MOST_LINES: usize = 999_999;
/// How many levels of a folder are shown.
const LEVELS: usize = 2;

/// A view, as the model asks for it, and as of when.
#[derive(Clone, Debug, Deserialize)]
pub struct ViewFiles {
    /// The path of a file or a folder.
    pub path: String,
    /// The first line and the last one, which is the end of the file where it is -1.
    #[serde(default)]
    pub view_range: Option<Vec<i64>>,
    /// As of when.
    #[serde(default)]
    pub as_of: Option<AsOf>,
}

/// Views a file or a folder.
pub(super) fn view(snapshot: &Snapshot<'_>, asked: &ViewFiles) -> Result<String, Refusal> {
    let path = super::asked(&asked.path)?;
    let view = super::super::moment::view(asked.as_of.as_ref())?;
    match standing(snapshot, &path, &view)? {
        Standing::File(file) => {
            Ok(numbered(&path, &text_of(file.content.bytes)?, asked.view_range.as_deref())?)
        }
        Standing::Folder => Ok(listed(snapshot, &path, &view)?),
        Standing::Nothing => {
            Err(Refusal::told(format!("The path {} does not exist. Please provide a valid path.", path.told)))
        }
    }
}

fn numbered(path: &Path<'_>, text: &str, range: Option<&[i64]>) -> Result<String, Refusal> {
    let lines: Vec<&str> = text.split('\n').collect();
    if lines.len() > MOST_LINES {
        return Err(Refusal::told(format!(
            "File {} exceeds maximum line limit of 999,999 lines.",
            path.told
        )));
    }
    let (from, to) = match range {
        Some(&[first, last]) => {
            let to = if last == -1 { lines.len() } else { usize::try_from(last).unwrap_or(0) };
            (usize::try_from(first.max(1) - 1).unwrap_or(usize::MAX), to)
        }
        _ => (0, lines.len()),
    };
    let to = to.min(lines.len());
    let shown = lines.get(from..to).unwrap_or_default();
    let head = format!("Here's the content of {} with line numbers:\n", path.told);
    Ok(head + &with_numbers(shown, from))
}

/// Numbers lines that follow some others.
pub(super) fn with_numbers(lines: &[&str], n_before: usize) -> String {
    let numbered = lines.iter().enumerate();
    numbered.map(|(at, line)| format!("{:>6}\t{line}", n_before + at + 1)).collect::<Vec<_>>().join("\n")
}

/// What a folder shows of one name: how large it is, and whether it is a folder.
struct Row {
    path: String,
    n_bytes: u64,
    is_folder: bool,
}

fn listed(snapshot: &Snapshot<'_>, path: &Path<'_>, view: &View) -> Result<String, InterfaceError> {
    let mut rows: Vec<Row> = Vec::new();
    let mut total = 0;
    // Names sort by the names on the way, so that what is in a folder comes together.
    for document in documents(snapshot, &Listing::new(&FILES, &within(path)), view)? {
        let Document { name, content, .. } = document?;
        let n_bytes = content.bytes.len() as u64;
        total += n_bytes;
        let name = String::from_utf8_lossy(&name).into_owned();
        let names: Vec<&str> = name.split('\0').skip(path.names.len()).collect();
        if names.iter().take(LEVELS).any(|name| is_hidden(name)) {
            continue;
        }
        for n_names in 1..=names.len().min(LEVELS) {
            let shown = names[..n_names].join("/");
            let is_folder = n_names < names.len();
            let known = rows.iter_mut().rev().take(LEVELS).find(|row| row.is_folder && row.path == shown);
            match known {
                Some(row) => row.n_bytes += n_bytes,
                None => rows.push(Row { path: shown, n_bytes, is_folder }),
            }
        }
    }
    let folder = path.canonical();
    let mut told = format!(
        "Here're the files and directories up to 2 levels deep in {}, excluding hidden items and node_modules:\n{}\t{folder}",
        path.told,
        size(total)
    );
    for Row { path, n_bytes, is_folder } in rows {
        let end = if is_folder { "/" } else { "" };
        // Writing to a text does not fail.
        write!(told, "\n{}\t{folder}/{path}{end}", size(n_bytes)).unwrap_or_default();
    }
    Ok(told)
}

fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || name == "node_modules"
}

/// Tells a size in the largest unit of which there is one whole, as `1.5K`.
fn size(n_bytes: u64) -> String {
    const UNITS: [&str; 4] = ["B", "K", "M", "G"];
    let unit = (n_bytes.max(1).ilog2() as usize / 10).min(UNITS.len() - 1);
    let one = 1_u64 << (10 * unit);
    if n_bytes.is_multiple_of(one) {
        return format!("{}{}", n_bytes / one, UNITS[unit]);
    }
    #[expect(clippy::cast_precision_loss, reason = "one digit is shown")]
    let n_units = n_bytes as f64 / one as f64;
    format!("{n_units:.1}{}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_told_as_people_read_them() {
        for (n_bytes, told) in [
            (0, "0B"),
            (1, "1B"),
            (1023, "1023B"),
            (1024, "1K"),
            (1536, "1.5K"),
            (5_632, "5.5K"),
            (1 << 20, "1M"),
            (1_258_291, "1.2M"),
            (u64::MAX, "17179869184.0G"),
        ] {
            assert_eq!(size(n_bytes), told);
        }
    }
}
