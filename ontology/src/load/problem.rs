//! What can be wrong with the text of an ontology, and where.

use crate::wording::expected;

/// One problem of an ontology's text, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}:{line}:{column}: {problem}")]
pub struct LoadError {
    /// What the text is called, usually its file's name.
    pub name: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text is not TOML.
    #[error("not TOML: {0}")]
    Syntax(String),
    /// A table has a key that means nothing in it.
    #[error("unknown key {key:?}: {}", expected(expects))]
    UnknownKey {
        /// The key.
        key: String,
        /// The keys the table may have.
        expects: &'static [&'static str],
    },
    /// A predicate lacks a key that it must have.
    #[error("predicate without {0:?}")]
    MissingKey(&'static str),
    /// A value has the wrong TOML type.
    #[error("{key:?} is of type {found}: expected {expects}")]
    WrongType {
        /// The key it is the value of.
        key: String,
        /// What it is.
        found: &'static str,
        /// What it must be.
        expects: &'static str,
    },
    /// A value is none of the words its key allows.
    #[error("unknown {key} {word:?}: {}", expected(expects))]
    UnknownWord {
        /// The key.
        key: &'static str,
        /// The value.
        word: String,
        /// The words it allows.
        expects: &'static [&'static str],
    },
    /// A text or list is empty that must not be.
    #[error("{0:?} is empty")]
    Empty(&'static str),
    /// A list says the same twice.
    #[error("{key:?} lists {text:?} twice")]
    Repeated {
        /// The list's key.
        key: &'static str,
        /// What it repeats.
        text: String,
    },
    /// A type or predicate is named with other characters than it may.
    #[error("name {0:?} is not lower-case letters, digits and underscores")]
    BadName(String),
    /// A half-life is not a whole number of days from 1.
    #[error("half_life_days is {0}: expected a whole number of days from 1 to {max}", max = u32::MAX)]
    BadHalfLife(String),
    /// A type is called `any` or like a kind of value.
    #[error("type {0:?} is built in: expected another name")]
    BuiltIn(String),
    /// Two predicates of the text have one id.
    #[error("predicate {id:?} is declared twice: first on line {first_line}")]
    Duplicate {
        /// The id.
        id: String,
        /// Where the id was first.
        first_line: usize,
    },
    /// An extension declares what the extended ontology declares.
    #[error("{0:?} is already declared by the ontology this extends: expected a new name")]
    Redefined(String),
    /// A domain, range or parent names what is no type.
    #[error("unknown type {name:?} in {key:?}: expected a declared type{}", or_value(key))]
    UnknownType {
        /// The name.
        name: String,
        /// The key it stands under.
        key: &'static str,
    },
    /// A domain or parent names a kind of value.
    #[error("{name:?} in {key:?} is a kind of value: expected a type of entity")]
    ValueKind {
        /// The name.
        name: String,
        /// The key it stands under.
        key: &'static str,
    },
    /// A type is its own ancestor.
    #[error("type {0:?} is its own ancestor")]
    ParentCycle(String),
    /// The inverse is not declared.
    #[error("unknown inverse {inverse:?} of {id:?}: expected a declared predicate")]
    UnknownInverse {
        /// The predicate.
        id: String,
        /// Its inverse.
        inverse: String,
    },
    /// The inverse has another inverse, or none.
    #[error("inverse {inverse:?} of {id:?} does not point back: expected inverse = {id:?} there")]
    InverseNotBack {
        /// The predicate.
        id: String,
        /// Its inverse.
        inverse: String,
    },
    /// The inverse does not say the same of the other side.
    #[error("inverse {inverse:?} of {id:?} does not mirror it: expected {what}")]
    InverseNotMirrored {
        /// The predicate.
        id: String,
        /// Its inverse.
        inverse: String,
        /// What must agree.
        what: &'static str,
    },
    /// A predicate is its own inverse.
    #[error("{0:?} is its own inverse: expected symmetric = true and no inverse")]
    OwnInverse(String),
    /// A symmetric predicate has an inverse.
    #[error("{0:?} is symmetric and has an inverse: expected one of both")]
    SymmetricInverse(String),
    /// Subject and object of a symmetric predicate may not be exchanged.
    #[error("{0:?} is symmetric and its domain and range differ: expected the same types in both")]
    SymmetricSides(String),
    /// An event or what does not change is said to age.
    #[error("{0:?} is not a state and has a half-life: expected half_life_days on states only")]
    AgelessHalfLife(String),
}

fn or_value(key: &str) -> &'static str {
    match key {
        "range" => " or a kind of value",
        _ => "",
    }
}

/// Gathers the problems of one text by byte offset.
pub(super) struct Problems<'t> {
    text: &'t str,
    found: Vec<(usize, Problem)>,
}

impl<'t> Problems<'t> {
    pub(super) const fn new(text: &'t str) -> Problems<'t> {
        Problems { text, found: Vec::new() }
    }

    pub(super) fn add(&mut self, offset: usize, problem: Problem) {
        self.found.push((offset, problem));
    }

    /// Returns the line and column of a byte offset, both from 1.
    pub(super) fn place(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
        (line, before[start..].chars().count() + 1)
    }

    /// Returns the problems in the order of the text, `Ok` where there are none.
    pub(super) fn finish(mut self, name: &str) -> Result<(), Vec<LoadError>> {
        if self.found.is_empty() {
            return Ok(());
        }
        let mut found = std::mem::take(&mut self.found);
        found.sort_by_key(|(offset, _)| *offset);
        Err(found
            .into_iter()
            .map(|(offset, problem)| {
                let (line, column) = self.place(offset);
                LoadError { name: name.to_owned(), line, column, problem }
            })
            .collect())
    }
}
