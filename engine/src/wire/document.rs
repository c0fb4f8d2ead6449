//! The JSON form of documents with their history, a version a row:
//!
//! ```text
//! {"collection","document","at","expires","text","part","of"}
//! ```
//!
//! A name that is no text stands as `document_base64`, and bytes that are none, or take several rows, as `base64`; where a row
//! has neither bytes nor text the document was removed. What is written reads back to the same.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::kept::{BYTES_IN_ROW, KeptError, instant, sorted, wrong};
use crate::document::{Collection, Content, DocumentId, ToldDocument};
use crate::time::Instant;

/// A version of a document, or a piece of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentPart {
    /// The version, with those of its bytes that the piece has.
    pub told: ToldDocument,
    /// Which piece, from 1.
    pub part: u64,
    /// Of how many.
    pub of: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DocumentRow {
    collection: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    document: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    document_base64: Option<String>,
    at: String,
    expires: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
    part: u64,
    of: u64,
}

/// Writes a version of a document; long ones take several rows.
pub fn document_to_json(told: &ToldDocument) -> impl Iterator<Item = Value> + '_ {
    let bytes = told.content.as_ref().map_or(&[][..], |content| content.bytes.as_slice());
    let of = bytes.len().div_ceil(BYTES_IN_ROW).max(1) as u64;
    let pieces = bytes.chunks(BYTES_IN_ROW).chain(bytes.is_empty().then_some(bytes));
    (1..).zip(pieces).map(move |(part, bytes)| {
        let name = std::str::from_utf8(told.id.name()).ok();
        let text = std::str::from_utf8(bytes).ok().filter(|_| of == 1);
        let is_kept = told.content.is_some();
        sorted(&DocumentRow {
            collection: told.id.collection().name().to_owned(),
            document: name.map(str::to_owned),
            document_base64: name.is_none().then(|| BASE64_STANDARD.encode(told.id.name())),
            at: told.at.to_rfc3339(),
            expires: told.content.as_ref().and_then(|content| content.expires).map(Instant::to_rfc3339),
            text: text.filter(|_| is_kept).map(str::to_owned),
            base64: (is_kept && text.is_none()).then(|| BASE64_STANDARD.encode(bytes)),
            part,
            of,
        })
    })
}

/// Reads a row.
///
/// # Errors
/// [`KeptError::Value`] by the key.
pub(super) fn document(row: DocumentRow) -> Result<DocumentPart, KeptError> {
    let DocumentRow { collection, document, document_base64, at, expires, text, base64, part, of } = row;
    if part == 0 || part > of {
        return Err(wrong("part", part.to_string(), "a number from 1 to `of`"));
    }
    let decoded = |key, text: &String| {
        BASE64_STANDARD.decode(text).map_err(|_| wrong(key, "something else", "bytes in base64"))
    };
    let name = match (document, document_base64) {
        (Some(name), None) => name.into_bytes(),
        (None, Some(name)) => decoded("document_base64", &name)?,
        (_, _) => return Err(wrong("document", "both or none", "a name, or its bytes")),
    };
    let named =
        Collection::new(&collection).map_err(|_| wrong("collection", collection, "one there can be"))?;
    let id = DocumentId::new(&named, name).map_err(|error| wrong("document", error.to_string(), "a name"))?;
    let bytes = match (text, base64) {
        (Some(text), None) => Some(text.into_bytes()),
        (None, Some(base64)) => Some(decoded("base64", &base64)?),
        (None, None) => None,
        (Some(_), Some(_)) => return Err(wrong("text", "text and bytes", "one of both")),
    };
    let expires = expires.map(|expires| instant("expires", &expires)).transpose()?;
    let content = match (bytes, expires, of) {
        (Some(bytes), expires, _) => Some(Content { bytes, expires }),
        (None, None, 1) => None,
        (None, _, _) => return Err(wrong("text", "nothing", "what runs out, or has several pieces")),
    };
    Ok(DocumentPart { told: ToldDocument { id, at: instant("at", &at)?, content }, part, of })
}

#[cfg(test)]
mod tests {
    use super::super::kept::{Kept, read_kept};
    use super::*;

    fn told(name: &[u8], content: Option<Content>) -> ToldDocument {
        let id = DocumentId::new(&Collection::fixed("c"), name).expect("a name");
        ToldDocument { id, at: Instant::from_raw(1_000_001), content }
    }

    #[test]
    fn rows_read_back_as_they_were_written() {
        let until = Content { bytes: b"{}".to_vec(), expires: Some(Instant::from_raw(5)) };
        for told in [
            told(b"a", None),
            told(b"a\0b", Some(Vec::new().into())),
            told(b"\xff", Some(until)),
            told(b"", Some(b"text\n".to_vec().into())),
            told(b"a", Some(vec![0xff, 0].into())),
        ] {
            let rows: Vec<Value> = document_to_json(&told).collect();
            assert_eq!(rows.len(), 1);
            let part = DocumentPart { told, part: 1, of: 1 };
            let row = rows[0].to_string();
            assert_eq!(read_kept(&row).expect(&row), Some(Kept::Document(Box::new(part))), "{row}");
        }
    }

    #[test]
    fn long_versions_take_several_rows() {
        let rows: Vec<Value> =
            document_to_json(&told(b"a", Some(vec![b'x'; BYTES_IN_ROW + 1].into()))).collect();
        assert_eq!(
            rows.iter().map(|row| (&row["part"], &row["of"])).collect::<Vec<_>>(),
            [(&1.into(), &2.into()), (&2.into(), &2.into())]
        );
    }

    #[test]
    fn what_is_wrong_is_refused_by_its_key() {
        let row = r#"{"at":"1970-01-01T00:00:01.000001Z","collection":"c","document":"a","expires":null,"of":1,"part":1,"text":"x"}"#;
        assert!(read_kept(row).is_ok());
        for (line, told) in [
            (row.replace("\"c\"", "\"C\""), "collection"),
            (row.replace("\"document\":\"a\",", ""), "document"),
            (row.replace("\"part\":1", "\"part\":2"), "part"),
            (row.replace("\"of\":1", "\"of\":2").replace(",\"text\":\"x\"", ""), "text"),
            (row.replace("\"text\"", "\"base64\":\"\",\"text\""), "text"),
            (row.replace("\"text\":\"x\"", "\"base64\":\"!\""), "base64"),
            (row.replace("\"text\"", "\"texts\""), "texts"),
            (row.replace("1970-01-01T00:00:01.000001Z", "1970"), "at"),
            (row.replace("\"expires\":null", "\"expires\":\"soon\""), "expires"),
        ] {
            let error = read_kept(&line).expect_err(&line).to_string();
            assert!(error.contains(told), "{line}: {error}");
        }
    }
}
