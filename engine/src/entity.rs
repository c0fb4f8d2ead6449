//! What a statement is about: a typed name, written `type:Name`.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::excerpt::excerpt;
use crate::id::{EntityId, hash_parts};

/// The longest name an entity may have, in bytes.
pub const MAX_NAME_BYTES: usize = 4096;

/// A typed name, `person:Alice`. Two references name the same entity when type and name are equal; that two
/// different names mean one person is an assertion (`same_as`), never a rewrite.
///
/// Invariant: the type is one or more of `a-z`, `0-9`, `_`; the name is not empty, in Unicode NFC, without control
/// characters, and at most [`MAX_NAME_BYTES`] long.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EntityRef {
    kind: String,
    name: String,
}

/// Why a text names no entity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntityError {
    /// There is no `type:` in front.
    #[error("entity {0:?} has no type: expected type:Name, such as person:Alice")]
    NoType(String),
    /// The type has other characters than it may.
    #[error("entity type {0:?} is not lower-case letters, digits and underscores")]
    BadType(String),
    /// Nothing is left of the name.
    #[error("entity of type {0:?} has an empty name")]
    EmptyName(String),
    /// The name has a control character, such as NUL.
    #[error("entity name {0:?} contains a control character")]
    ControlCharacter(String),
    /// The name is longer than it may be.
    #[error("entity name of {0} bytes is longer than {MAX_NAME_BYTES}")]
    TooLong(usize),
    /// The type is longer than it may be.
    #[error("entity type of {0} bytes is longer than {MAX_NAME_BYTES}")]
    TypeTooLong(usize),
}

impl EntityRef {
    /// Makes a reference from a type and a name; the name is trimmed and brought into NFC.
    ///
    /// # Errors
    /// [`EntityError`] by what is wrong with either part.
    pub fn new(kind: &str, name: &str) -> Result<EntityRef, EntityError> {
        if kind.len() > MAX_NAME_BYTES {
            return Err(EntityError::TypeTooLong(kind.len()));
        }
        if kind.is_empty() || !kind.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        {
            return Err(EntityError::BadType(excerpt(kind)));
        }
        let name: String = name.trim().nfc().collect();
        if name.is_empty() {
            return Err(EntityError::EmptyName(excerpt(kind)));
        }
        if name.len() > MAX_NAME_BYTES {
            return Err(EntityError::TooLong(name.len()));
        }
        if name.chars().any(char::is_control) {
            return Err(EntityError::ControlCharacter(excerpt(&name)));
        }
        Ok(EntityRef { kind: kind.to_owned(), name })
    }

    /// Rebuilds a reference from parts that were checked when it was made.
    pub(crate) fn kept(kind: &str, name: &str) -> EntityRef {
        EntityRef { kind: kind.to_owned(), name: name.to_owned() }
    }

    /// Reads `type:Name`; the name may hold further colons.
    ///
    /// # Errors
    /// [`EntityError`] by what is wrong.
    pub fn parse(text: &str) -> Result<EntityRef, EntityError> {
        match text.split_once(':') {
            Some((kind, name)) => EntityRef::new(kind, name),
            None => Err(EntityError::NoType(excerpt(text))),
        }
    }

    /// Returns the type, such as `person`.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Returns the name, such as `Alice`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the id that stands for this reference in keys.
    pub fn id(&self) -> EntityId {
        EntityId(hash_parts("entity", [self.kind.as_bytes(), self.name.as_bytes()]))
    }
}

impl fmt::Display for EntityRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.name)
    }
}

/// Brings a name into the form names are compared in: NFC, lower case, inner white space as single spaces.
pub fn fold_name(name: &str) -> String {
    let lower: String = name.nfc().flat_map(char::to_lowercase).collect();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Brings a name into a form that spelling does not change: lower case, without diacritics, apostrophes and full stops;
/// what else is no letter or digit is a single space.
///
/// Letters that Unicode does not take apart are spelt as they commonly are in ASCII.
pub fn plain_name(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for c in name.nfkd().flat_map(char::to_lowercase) {
        match c {
            'ø' => plain.push('o'),
            'ł' => plain.push('l'),
            'đ' | 'ð' => plain.push('d'),
            'ı' => plain.push('i'),
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'þ' => plain.push_str("th"),
            '.' | '\'' | '\u{2019}' | '\u{2018}' | '`' => {}
            _ if unicode_normalization::char::is_combining_mark(c) => {}
            _ if c.is_alphanumeric() => plain.push(c),
            _ if plain.is_empty() || plain.ends_with(' ') => {}
            _ => plain.push(' '),
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_reads_back_as_written() {
        let entity = EntityRef::parse("url:https://example.org/a:b").expect("an entity");
        assert_eq!((entity.kind(), entity.name()), ("url", "https://example.org/a:b"));
        assert_eq!(EntityRef::parse(&entity.to_string()), Ok(entity));
    }

    #[test]
    fn spelling_does_not_change_the_plain_name() {
        for (name, plain) in [
            ("Zoë  Müller", "zoe muller"),
            ("ZOE\u{308} M\u{fc}ller", "zoe muller"),
            ("O'Brien", "obrien"),
            ("O\u{2019}Brien", "obrien"),
            ("Jean-Luc", "jean luc"),
            ("J. R. R. Tolkien", "j r r tolkien"),
            ("Łukasz Sørensen", "lukasz sorensen"),
            (" -- Straße, 5 -- ", "strasse 5"),
            ("東京", "東京"),
            ("!?", ""),
        ] {
            assert_eq!(plain_name(name), plain, "{name}");
        }
    }

    #[test]
    fn composed_and_decomposed_names_are_one() {
        assert_eq!(EntityRef::parse("person:Zoe\u{308}"), EntityRef::parse("person:Zo\u{eb}"));
    }

    #[test]
    fn what_names_nothing_is_refused() {
        for text in ["Alice", "Person:Alice", ":Alice", "person:", "person:  ", "person:a\0b"] {
            assert!(EntityRef::parse(text).is_err(), "{text:?}");
        }
        assert_eq!(
            EntityRef::parse(&format!("person:{}", "x".repeat(5000))),
            Err(EntityError::TooLong(5000))
        );
    }
}
