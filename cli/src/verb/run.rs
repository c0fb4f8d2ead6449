//! Having a verb done: by a session on a store that is open in this process, or by whoever has it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Cursor, Write};
use std::path::PathBuf;

use serde_json::{Map, Value};

use super::Verb;
use super::words::{self, Wrong, words};
use crate::arguments::VectorIndex;
use crate::failure::Exit;
use crate::session::{Session, Streams};

/// Where a verb is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The store's folder.
    pub(crate) store: PathBuf,
    pub(crate) space: String,
    /// How vectors are compared.
    pub(crate) vector_index: VectorIndex,
    /// The file that names models, where the store is not open yet.
    pub(crate) config: Option<PathBuf>,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) verb: &'static Verb,
    pub(crate) place: Place,
    pub(crate) arguments: Map<String, Value>,
    /// What the verb reads, where it is not among the arguments.
    pub(crate) input: Option<Vec<u8>>,
}

/// How a verb ended, and what it said beside its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) exit: Exit,
    /// Remarks and what went wrong, a line each.
    pub(crate) remarks: Vec<String>,
}

/// Does what is asked for and writes what it gives.
///
/// # Errors
/// What is asked for has no form.
pub(crate) fn run(session: &mut Session, ask: Ask, output: &mut dyn Write) -> Result<Outcome, Wrong> {
    let Ask { verb, place, mut arguments, input } = ask;
    let inline = words::input(verb, &mut arguments)?;
    let input = input.or(inline.map(String::into_bytes));
    let mut rest = words(verb, &arguments, input.is_some())?;
    let mut all: Vec<OsString> = vec!["bygone".into(), "--json".into()];
    let mut named = |name: &str, value: &std::ffi::OsStr| {
        let mut word = OsString::from(name);
        word.push(value);
        all.push(word);
    };
    named("--store=", place.store.as_os_str());
    named("--space=", place.space.as_ref());
    named("--vector-index=", place.vector_index.name().as_ref());
    if let Some(config) = &place.config {
        named("--config=", config.as_os_str());
    }
    all.append(&mut rest);
    let input = input.unwrap_or_default();
    let mut errors = Vec::new();
    // The variables of this process are not those of whoever asks.
    session.set_variables(BTreeMap::new());
    let exit = session.run(all, &mut Streams { input: &mut Cursor::new(input), output, errors: &mut errors });
    Ok(Outcome { exit, remarks: remarks(&String::from_utf8_lossy(&errors)) })
}

/// Returns what was said on standard error, line by line, without what only a command line has.
fn remarks(errors: &str) -> Vec<String> {
    let mut remarks: Vec<String> = Vec::new();
    for line in errors.lines().map(str::trim_end) {
        let line = line.strip_prefix("bygone: ").or(line.strip_prefix("error: ")).unwrap_or(line);
        if line.is_empty() || line.starts_with("Usage:") || line.starts_with("For more information") {
            continue;
        }
        remarks.push(in_json(line));
    }
    remarks
}

/// Says what a remark says of options by the names that they have in JSON.
fn in_json(line: &str) -> String {
    let is_option = |word: &str| {
        word.len() > 2
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            && !word.starts_with('-')
    };
    let mut told = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("--") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        let end = after.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(after.len());
        let is_start = before.chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '-');
        told.push_str(before);
        if is_start && is_option(&after[..end]) {
            told.push_str(&after[..end].replace('-', "_"));
        } else {
            told.push_str("--");
            told.push_str(&after[..end]);
        }
        rest = &after[end..];
    }
    told.push_str(rest);
    told
}

/// Where output goes that must not grow without end.
pub(crate) struct Outlet {
    pub(crate) bytes: Vec<u8>,
    most: usize,
}

impl Outlet {
    /// Makes one that takes so many bytes.
    pub(crate) fn of(most: usize) -> Outlet {
        Outlet { bytes: Vec::new(), most }
    }

    /// Says whether something was refused.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes.len() > self.most
    }
}

impl Write for Outlet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len().saturating_add(bytes.len()) > self.most {
            // What does not fit is what tells that it did not.
            self.bytes.resize(self.most + 1, b' ');
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the answer is larger than is allowed"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::in_json;

    #[test]
    fn options_are_called_as_properties_are() {
        assert_eq!(in_json("--valid: time \"x\""), "valid: time \"x\"");
        assert_eq!(in_json("see '--by-agent <A>' -- and a--b"), "see 'by_agent <A>' -- and a--b");
    }
}
