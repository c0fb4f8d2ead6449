//! Short names for what has none of its own: the first digits of a hash of its content, as few as are free.

use bygone_engine::store::Seen;
use bygone_engine::{EntityRef, content_digits};

use super::StateError;

/// The fewest digits of a name: short to type, and rarely taken (chosen, untested).
const FEWEST_DIGITS: usize = 8;

/// Returns an entity of a type, named by a content, that nothing is said of by a predicate yet.
///
/// # Errors
/// [`StateError`] where the store cannot be read.
pub(super) fn unused<'a>(
    seen: &Seen<'_>,
    kind: &'a str,
    predicate: &str,
    content: impl IntoIterator<Item = &'a str>,
) -> Result<EntityRef, StateError> {
    let digits = content_digits(kind, content);
    let mut length = FEWEST_DIGITS;
    loop {
        let entity = named(kind, &digits[..length])?;
        // Whatever has all digits of the hash has the same content.
        if length == digits.len() || seen.group(&entity, predicate, "")?.is_none() {
            return Ok(entity);
        }
        length += 1;
    }
}

/// Returns the entity of a type that a name means, given with or without the type.
///
/// # Errors
/// [`StateError::Name`] where the name is none.
pub(super) fn named(kind: &str, name: &str) -> Result<EntityRef, StateError> {
    let own = name.strip_prefix(kind).and_then(|rest| rest.strip_prefix(':')).unwrap_or(name);
    EntityRef::new(kind, own).map_err(|error| StateError::Name(error.to_string()))
}
