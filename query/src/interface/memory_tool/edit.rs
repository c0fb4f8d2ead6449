//! What changes files: creating, editing, renaming, deleting.

use bygone_engine::View;
use bygone_engine::document::{Documents, Listing};
use bygone_engine::store::Snapshot;

use super::super::InterfaceError;
use super::super::listing::documents;
use super::super::name::{document, joined};
use super::path::Path;
use super::view::with_numbers;
use super::{FILES, Refusal, Standing, asked, id, standing, text_of, within};

/// How many lines are shown before and after a line that was edited.
const AROUND: usize = 2;

/// What is told of a change, and the change.
pub(super) type Changed = Result<(String, Documents), Refusal>;

/// Refuses a path that leads through a file.
fn has_way(snapshot: &Snapshot<'_>, path: &Path<'_>) -> Result<(), Refusal> {
    for parent in path.parents() {
        if snapshot.document(&id(&parent)?)?.is_some() {
            return Err(Refusal::told(format!("Error: {} is a file, and no directory", parent.canonical())));
        }
    }
    Ok(())
}

pub(super) fn create(snapshot: &Snapshot<'_>, path: &str, text: &str) -> Changed {
    let path = asked(path)?;
    let Standing::Nothing = standing(snapshot, &path, &View::LATEST)? else {
        return Err(Refusal::told(format!("Error: File {} already exists", path.told)));
    };
    has_way(snapshot, &path)?;
    let mut changes = Documents::default();
    changes.put(id(&path)?, text.as_bytes().to_vec());
    Ok((format!("File created successfully at: {}", path.told), changes))
}

/// Returns the text of a file; a folder is none.
fn text(
    snapshot: &Snapshot<'_>,
    path: &Path<'_>,
    refusal: impl FnOnce() -> String,
) -> Result<String, Refusal> {
    match standing(snapshot, path, &View::LATEST)? {
        Standing::File(file) => Ok(text_of(file.content.bytes)?),
        Standing::Folder | Standing::Nothing => Err(Refusal::Told(refusal())),
    }
}

pub(super) fn str_replace(snapshot: &Snapshot<'_>, path: &str, old: &str, new: &str) -> Changed {
    let path = asked(path)?;
    let before = text(snapshot, &path, || {
        format!("Error: The path {} does not exist. Please provide a valid path.", path.told)
    })?;
    let n_found = if old.is_empty() { 0 } else { before.matches(old).count() };
    if n_found == 0 {
        return Err(Refusal::told(format!(
            "No replacement was performed, old_str `{old}` did not appear verbatim in {}.",
            path.told
        )));
    }
    let first = before.find(old).unwrap_or_default();
    if n_found > 1 {
        let lines: Vec<String> = starts(&before, old).map(|at| line(&before, at).to_string()).collect();
        return Err(Refusal::told(format!(
            "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {}. Please ensure it is unique",
            lines.join(", ")
        )));
    }
    let after = before.replacen(old, new, 1);
    let lines: Vec<&str> = after.split('\n').collect();
    let edited = line(&before, first) - 1;
    let from = edited.saturating_sub(AROUND);
    let to = (edited + AROUND + 1).min(lines.len());
    let snippet = with_numbers(&lines[from..to], from);
    let mut changes = Documents::default();
    changes.put(id(&path)?, after.into_bytes());
    let told = format!(
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}"
    );
    Ok((told, changes))
}

/// Returns where a text starts in another, also where one start is within the text that started before.
fn starts<'a>(text: &'a str, sought: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.char_indices().map(|(at, _)| at).filter(move |at| text[*at..].starts_with(sought))
}

/// Returns the number of the line in which a place is.
fn line(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

pub(super) fn insert(snapshot: &Snapshot<'_>, path: &str, at_line: i64, inserted: &str) -> Changed {
    let path = asked(path)?;
    let before = text(snapshot, &path, || format!("Error: The path {} does not exist", path.told))?;
    let mut lines: Vec<&str> = before.split('\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    let Some(at) = usize::try_from(at_line).ok().filter(|at| *at <= lines.len()) else {
        return Err(Refusal::told(format!(
            "Error: Invalid `insert_line` parameter: {at_line}. It should be within the range of lines of the file: [0, {}]",
            lines.len()
        )));
    };
    lines.insert(at, inserted.trim_end_matches('\n'));
    let mut after = lines.join("\n");
    if !after.ends_with('\n') {
        after.push('\n');
    }
    let mut changes = Documents::default();
    changes.put(id(&path)?, after.into_bytes());
    Ok((format!("The file {} has been edited.", path.told), changes))
}

pub(super) fn delete(snapshot: &Snapshot<'_>, path: &str) -> Changed {
    let path = asked(path)?;
    if path.is_root() {
        return Err(Refusal::told("Error: Cannot delete the /memories directory itself"));
    }
    let mut changes = Documents::default();
    match standing(snapshot, &path, &View::LATEST)? {
        Standing::Nothing => {
            return Err(Refusal::told(format!("Error: The path {} does not exist", path.told)));
        }
        Standing::File(_) => changes.remove(id(&path)?),
        Standing::Folder => {
            for name in snapshot.document_names(&Listing::new(&FILES, &within(&path))) {
                changes.remove(document(&FILES, name?)?);
            }
        }
    }
    Ok((format!("Successfully deleted {}", path.told), changes))
}

pub(super) fn rename(snapshot: &Snapshot<'_>, old: &str, new: &str) -> Changed {
    let (old, new) = (asked(old)?, asked(new)?);
    if old.is_root() {
        return Err(Refusal::told("Error: Cannot rename the /memories directory itself"));
    }
    let mut changes = Documents::default();
    let from = standing(snapshot, &old, &View::LATEST)?;
    if matches!(from, Standing::Nothing) {
        return Err(Refusal::told(format!("Error: The path {} does not exist", old.told)));
    }
    if !matches!(standing(snapshot, &new, &View::LATEST)?, Standing::Nothing) {
        return Err(Refusal::told(format!("Error: The destination {} already exists", new.told)));
    }
    if old.holds(&new) {
        return Err(Refusal::told(format!("Error: The destination {} is within {}", new.told, old.told)));
    }
    has_way(snapshot, &new)?;
    match from {
        Standing::File(file) => {
            changes.remove(id(&old)?);
            changes.put(id(&new)?, file.content);
        }
        Standing::Folder | Standing::Nothing => {
            let before = within(&old);
            for file in documents(snapshot, &Listing::new(&FILES, &before), &View::LATEST)? {
                let file = file?;
                let rest = &file.name[before.len()..];
                let name = [&joined(new.names.iter().copied()), &[0][..], rest].concat();
                let moved = document(&FILES, name).map_err(too_long)?;
                changes.remove(document(&FILES, file.name)?);
                changes.put(moved, file.content);
            }
        }
    }
    Ok((format!("Successfully renamed {} to {}", old.told, new.told), changes))
}

fn too_long(_: InterfaceError) -> Refusal {
    Refusal::told("Error: a path in it would be too long")
}
