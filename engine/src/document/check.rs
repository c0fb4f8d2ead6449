//! Checking the documents of a space: that every version decodes, is of a commit that was made, and follows the one before.

use super::walk::id_of;
use super::{Version, Walk, versions};
use crate::backend::{Reader, Table};
use crate::codec::decode;
use crate::error::StoreError;
use crate::key::{self, DocumentPart, SpaceId};
use crate::record::LogEntry;

/// Checks the documents of a space. Adds what is not as it must be, and returns how many versions there are.
pub(crate) fn check(
    reader: &dyn Reader,
    space: SpaceId,
    faults: &mut Vec<String>,
) -> Result<u64, StoreError> {
    // A key that does not decode would lead the walk astray.
    let mut n_versions = 0;
    for pair in reader.scan_prefix(Table::Documents, &key::space_prefix(space)) {
        let (row, value) = pair?;
        n_versions += 1;
        let Some((part, tail, known)) = key::document_from(&row) else {
            faults.push("the key of a document does not decode".to_owned());
            return Ok(n_versions);
        };
        if let Err(error) = id_of(tail) {
            faults.push(error.to_string());
        }
        match (super::Row::decode(&value), part) {
            (Ok(version), DocumentPart::Past) if known != Some(version.at) => {
                faults.push(format!("a version of {} is kept at another instant than its own", told(tail)));
            }
            (Ok(version), DocumentPart::Current) if version.content.is_none() => {
                faults.push(format!("{} counts and was removed", told(tail)));
            }
            (Ok(_), _) => {}
            (Err(error), _) => {
                faults.push(format!("{}: {error}", told(tail)));
                return Ok(n_versions);
            }
        }
    }
    for tail in Walk::all(reader, space) {
        let tail = tail?;
        let mut before: Option<Version> = None;
        for version in versions(reader, space, &tail)? {
            check_commit(reader, &tail, &version, faults)?;
            let follows = before.as_ref().is_none_or(|one| one.at < version.at && one.seq <= version.seq);
            if !follows {
                faults.push(format!("versions of {} are out of order", told(&tail)));
            }
            let was_kept = before.as_ref().is_some_and(|before| before.content.is_some());
            if version.content.is_none() && !was_kept {
                faults.push(format!("{} was removed where nothing was kept", told(&tail)));
            }
            before = Some(version);
        }
        let is_kept = before.is_some_and(|last| last.content.is_some());
        if is_kept != super::current(reader, space, &tail)?.is_some() {
            faults.push(format!("what counts of {} is not its last version", told(&tail)));
        }
    }
    Ok(n_versions)
}

/// Checks that the commit of a version was made, and not before the version was known.
fn check_commit(
    reader: &dyn Reader,
    tail: &[u8],
    version: &Version,
    faults: &mut Vec<String>,
) -> Result<(), StoreError> {
    let entry = reader.read(Table::Log, &key::log(version.seq))?;
    match entry.map(|entry| decode::<LogEntry>("a log entry", &entry)).transpose()? {
        Some(entry) if version.at <= entry.at => {}
        Some(_) => faults.push(format!("a version of {} is known after its commit", told(tail))),
        None => faults.push(format!("a version of {} is of no commit", told(tail))),
    }
    Ok(())
}

/// Names a document in a fault.
fn told(tail: &[u8]) -> String {
    match id_of(tail) {
        Ok(id) => {
            format!("document {:?} of {:?}", id.name().escape_ascii().to_string(), id.collection().name())
        }
        Err(_) => "a document without a name".to_owned(),
    }
}
