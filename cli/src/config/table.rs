//! The tables of a configuration, and what is wrong with them in words that lead to the place.
//!
//! ```text
//! models.toml:3: [embedder]: invalid type: integer `5`, expected a string in `url`
//! ```
//!
//! Does not know what the tables are for.

use std::ops::Range;
use std::path::Path;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, Error, ValueDeserializer};

use crate::failure::Failure;

/// A file that is read.
#[derive(Clone, Copy)]
pub(super) struct Document<'t> {
    pub(super) path: &'t Path,
    pub(super) text: &'t str,
}

/// The name and place of a table.
#[derive(Clone)]
pub(super) struct Heading<'t> {
    document: Document<'t>,
    name: &'static str,
    span: Range<usize>,
}

/// A table of which nothing was read yet.
pub(super) struct Table<'t> {
    heading: Heading<'t>,
    entries: DeTable<'t>,
}

impl<'t> Document<'t> {
    /// Returns the tables that have these names; there may be no others.
    ///
    /// # Errors
    /// [`Failure::Input`] where it is no TOML, or has something else.
    pub(super) fn tables<const N: usize>(
        self,
        names: [&'static str; N],
    ) -> Result<[Option<Table<'t>>; N], Failure> {
        let top = DeTable::parse(self.text).map_err(|error| self.wrong(error.span(), error.message()))?;
        let mut tables = [const { None }; N];
        for (key, value) in top.into_inner() {
            let span = key.span();
            let Some(at) = names.iter().position(|name| *name == key.get_ref().as_ref()) else {
                let expected = names.map(|name| format!("[{name}]")).join(" or ");
                return Err(
                    self.wrong(Some(span), &format!("unknown `{}`, expected {expected}", key.get_ref()))
                );
            };
            let DeValue::Table(entries) = value.into_inner() else {
                return Err(self.wrong(Some(span), &format!("expected `{}` to be a table", key.get_ref())));
            };
            tables[at] = Some(Table { heading: Heading { document: self, name: names[at], span }, entries });
        }
        Ok(tables)
    }

    fn wrong(self, span: Option<Range<usize>>, what: &str) -> Failure {
        let before = span.and_then(|span| self.text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        Failure::Input(format!("{}:{line}: {}", self.path.display(), what.trim_end().replace('\n', " ")))
    }
}

impl Heading<'_> {
    /// Returns the failure that the table means nothing.
    pub(super) fn wrong(&self, what: &str) -> Failure {
        self.wrong_at(None, what)
    }

    /// Returns the file that the table stands in.
    #[cfg(feature = "onnx")]
    pub(super) fn path(&self) -> &Path {
        self.document.path
    }

    fn wrong_at(&self, span: Option<Range<usize>>, what: &str) -> Failure {
        let span = span.unwrap_or_else(|| self.span.clone());
        self.document.wrong(Some(span), &format!("[{}]: {what}", self.name))
    }

    fn unreadable(&self, error: &Error) -> Failure {
        // Its text ends with the key and, since the deserializer knows no input, quotes no line.
        self.wrong_at(error.span(), &error.to_string())
    }
}

impl<'t> Table<'t> {
    /// Takes the value of a key out.
    ///
    /// # Errors
    /// [`Failure::Input`] where it is missing or another value.
    pub(super) fn take<T: DeserializeOwned>(&mut self, key: &str) -> Result<T, Failure> {
        let Some(value) = self.entries.remove(key) else {
            return Err(self.heading.wrong(&format!("missing field `{key}`")));
        };
        T::deserialize(ValueDeserializer::from(value))
            .map_err(|error| self.heading.wrong_at(error.span(), &format!("{} in `{key}`", error.message())))
    }

    /// Reads what the table holds.
    ///
    /// # Errors
    /// [`Failure::Input`] where that is something else.
    pub(super) fn read<T: DeserializeOwned>(self) -> Result<(T, Heading<'t>), Failure> {
        let Table { heading, entries } = self;
        match T::deserialize(Deserializer::from(Spanned::new(heading.span.clone(), entries))) {
            Ok(read) => Ok((read, heading)),
            Err(error) => Err(heading.unreadable(&error)),
        }
    }
}
