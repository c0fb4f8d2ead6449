//! Entries of streams: kept as what each append brought, read from any position on.

use bygone_engine::content_digits;
use bygone_engine::document::{DocumentId, Listing};
use bygone_engine::store::Snapshot;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::name::document;
use super::super::{InterfaceError, frame};
use super::{ENTRIES, Head, UUIDS};

/// Names the entries of an append, by where the first one stands.
pub(super) fn entries(stream: &str, position: u64) -> Result<DocumentId, InterfaceError> {
    document(&ENTRIES, [stream.as_bytes(), &position.to_be_bytes()].concat())
}

/// Names a uuid of a stream.
pub(super) fn uuid(stream: &str, uuid: &str) -> Result<DocumentId, InterfaceError> {
    let digits = content_digits("session-uuid", [uuid]);
    document(&UUIDS, [stream, &digits].concat().into_bytes())
}

/// Returns the uuid of an entry, by which it is told from others; nothing where it has none.
pub(super) fn uuid_of(entry: &RawValue) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        uuid: Option<Value>,
    }
    // A list would be read as fields, too.
    let named = entry.get().starts_with('{').then(|| serde_json::from_str::<Named>(entry.get()).ok());
    match named??.uuid? {
        Value::String(uuid) => Some(uuid),
        _ => None,
    }
}

/// Says whether what a head counts has a uuid.
pub(super) fn has(snapshot: &Snapshot<'_>, head: &Head, uuid: &str) -> Result<bool, InterfaceError> {
    for (stream, n_counted) in head.streams().rev() {
        let Some(found) = snapshot.document(&self::uuid(stream, uuid)?)? else { continue };
        if position(&found.content.bytes)? < n_counted {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Shows the entries of a stream from a position on, up to another, until `each` has enough. Says whether it had.
pub(super) fn read(
    snapshot: &Snapshot<'_>,
    stream: &str,
    (from, to): (u64, u64),
    each: &mut impl FnMut(Box<RawValue>) -> bool,
) -> Result<bool, InterfaceError> {
    if from >= to {
        return Ok(false);
    }
    let listing = Listing::new(&ENTRIES, stream.as_bytes());
    // The append that has the entry is the last one that does not begin behind it.
    let behind = entries(stream, from + 1)?;
    let first = snapshot.documents(&listing.backwards().after(Some(behind.name()))).next().transpose()?;
    let Some(first) = first else { return Ok(false) };
    let name = first.name.clone();
    let rest = snapshot.documents(&listing.after(Some(&name)));
    for found in std::iter::once(Ok(first)).chain(rest) {
        let found = found?;
        let begin = position(found.name.get(stream.len()..).unwrap_or_default())?;
        if begin >= to {
            break;
        }
        let brought: Vec<Box<RawValue>> = frame::read("the entries of a session", &found.content.bytes)?;
        for (at, entry) in (begin..to).zip(brought) {
            if at >= from && each(entry) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn position(bytes: &[u8]) -> Result<u64, InterfaceError> {
    let bytes = bytes.try_into().map(u64::from_be_bytes);
    Ok(bytes.map_err(|_| bygone_engine::StoreError::Corrupt("a position in a session is none".to_owned()))?)
}
