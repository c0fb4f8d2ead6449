//! Long answers in pages.
//!
//! A cursor is a text that only says something to whoever gave it out: it names the request it goes on with, and where, and
//! bears a mark that is made with a secret. One that was changed, or comes with another request, another space or another
//! key, is refused.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Verb, Wrong};

/// How many rows a page has where nothing is said.
pub(crate) const DEFAULT_ROWS: usize = 1_000;
/// How many rows a page may have.
pub(crate) const MOST_ROWS: usize = 10_000;

/// What is asked of the pages of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) rows: usize,
    pub(crate) from: usize,
    /// The last commit that is seen, so that all pages are of one answer; nothing on the first.
    pub(crate) recorded: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct Place {
    from: usize,
    recorded: Option<u64>,
}

/// What gives cursors out and takes them back.
#[derive(Clone)]
pub(crate) struct Pages {
    secret: [u8; 32],
}

impl Pages {
    pub(crate) fn new(secret: [u8; 32]) -> Pages {
        Pages { secret }
    }

    /// Reads which page is asked for; takes what says it out of the arguments.
    ///
    /// # Errors
    /// A number of rows or a cursor that is none, or is one of another request.
    pub(crate) fn page(
        &self,
        verb: &Verb,
        space: &str,
        who: &str,
        arguments: &mut Map<String, Value>,
    ) -> Result<Page, Wrong> {
        let rows = match arguments.remove("page_size") {
            None | Some(Value::Null) => DEFAULT_ROWS,
            Some(value) => rows(&value)
                .ok_or_else(|| Wrong(format!("page_size: expected a number between 1 and {MOST_ROWS}")))?,
        };
        let (from, recorded) = match arguments.remove("cursor") {
            None | Some(Value::Null) => (0, None),
            Some(Value::String(cursor)) => {
                let place = self.read(&cursor, verb, space, who, arguments).ok_or_else(|| {
                    Wrong("cursor: it belongs to another request, or was given out before the server was started".to_owned())
                })?;
                (place.from, place.recorded)
            }
            Some(_) => return Err(Wrong("cursor: expected a string".to_owned())),
        };
        Ok(Page { rows, from, recorded })
    }

    /// Returns the cursor of the page that begins at a row.
    pub(crate) fn next(
        &self,
        verb: &Verb,
        space: &str,
        who: &str,
        arguments: &Map<String, Value>,
        from: usize,
        recorded: Option<u64>,
    ) -> String {
        let place = serde_json::to_vec(&Place { from, recorded }).unwrap_or_default();
        let mark = self.mark(&place, verb, space, who, arguments);
        format!("{}.{}", URL_SAFE_NO_PAD.encode(&place), URL_SAFE_NO_PAD.encode(mark.as_bytes()))
    }

    fn read(
        &self,
        cursor: &str,
        verb: &Verb,
        space: &str,
        who: &str,
        arguments: &Map<String, Value>,
    ) -> Option<Place> {
        let (place, mark) = cursor.split_once('.')?;
        let place = URL_SAFE_NO_PAD.decode(place).ok()?;
        let mark: [u8; 32] = URL_SAFE_NO_PAD.decode(mark).ok()?.try_into().ok()?;
        // Comparing hashes takes as long whatever they are.
        let is_ours = self.mark(&place, verb, space, who, arguments) == blake3::Hash::from_bytes(mark);
        is_ours.then(|| serde_json::from_slice(&place).ok()).flatten()
    }

    fn mark(
        &self,
        place: &[u8],
        verb: &Verb,
        space: &str,
        who: &str,
        arguments: &Map<String, Value>,
    ) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.secret);
        let arguments = Value::Object(arguments.clone()).to_string();
        for part in [place, verb.name().as_bytes(), space.as_bytes(), who.as_bytes(), arguments.as_bytes()] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.finalize()
    }
}

fn rows(value: &Value) -> Option<usize> {
    let rows = match value {
        Value::Number(number) => number.as_u64()?,
        Value::String(text) => text.parse().ok()?,
        _ => return None,
    };
    usize::try_from(rows).ok().filter(|rows| (1..=MOST_ROWS).contains(rows))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::verb;
    use super::*;

    #[test]
    fn a_cursor_is_for_one_request_of_one_key_in_one_space() {
        let pages = Pages::new([7; 32]);
        let facts = verb("facts").unwrap();
        let arguments = json!({ "subject": "anna" }).as_object().unwrap().clone();
        let cursor = pages.next(facts, "a", "k1", &arguments, 10, Some(4));
        let page = |space: &str, who: &str, subject: &str, cursor: &str| {
            let mut given = json!({ "subject": subject, "cursor": cursor }).as_object().unwrap().clone();
            pages.page(facts, space, who, &mut given)
        };
        let rows = DEFAULT_ROWS;
        assert_eq!(page("a", "k1", "anna", &cursor), Ok(Page { rows, from: 10, recorded: Some(4) }));
        assert!(page("b", "k1", "anna", &cursor).is_err());
        assert!(page("a", "k2", "anna", &cursor).is_err());
        assert!(page("a", "k1", "bob", &cursor).is_err());
        let mut changed = cursor.clone().into_bytes();
        changed[3] ^= 1;
        assert!(page("a", "k1", "anna", &String::from_utf8(changed).unwrap()).is_err());
        assert!(page("a", "k1", "anna", "nonsense").is_err());
    }
}
