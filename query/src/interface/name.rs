//! Names of documents made of parts: joined by a zero byte, which no part has.

use bygone_engine::document::{Collection, DocumentId};

use super::InterfaceError;

/// Stands between the parts of a name.
pub(super) const BETWEEN: u8 = 0;

/// Checks a part of a name: some bytes, none of them zero.
///
/// # Errors
/// [`InterfaceError::Request`], by what the part is.
pub(super) fn part<'a>(what: &str, text: &'a str) -> Result<&'a str, InterfaceError> {
    if text.is_empty() {
        return Err(InterfaceError::Request(format!("{what} is empty: expected a text")));
    }
    part_or_none(what, text)
}

/// Checks a part of a name that may be empty.
///
/// # Errors
/// [`InterfaceError::Request`], by what the part is.
pub(super) fn part_or_none<'a>(what: &str, text: &'a str) -> Result<&'a str, InterfaceError> {
    if text.as_bytes().contains(&BETWEEN) {
        return Err(InterfaceError::Request(format!(
            "{what} {text:?} has a zero byte: expected a text without"
        )));
    }
    Ok(text)
}

/// Joins parts to a name.
pub(super) fn joined<'a>(parts: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    parts.into_iter().map(str::as_bytes).collect::<Vec<_>>().join(&BETWEEN)
}

/// Joins parts to what the names start with of which more parts follow.
pub(super) fn start<'a>(parts: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    let mut start = joined(parts);
    start.push(BETWEEN);
    start
}

/// Parts a name of so many parts. A document of another name is damage, and nothing here.
pub(super) fn parted<const N: usize>(name: &[u8]) -> Option<[&str; N]> {
    let parts: Option<Vec<&str>> =
        name.split(|byte| *byte == BETWEEN).map(|part| std::str::from_utf8(part).ok()).collect();
    parts?.try_into().ok()
}

/// Names a document.
pub(super) fn document(collection: &Collection, name: Vec<u8>) -> Result<DocumentId, InterfaceError> {
    Ok(DocumentId::new(collection, name)?)
}
