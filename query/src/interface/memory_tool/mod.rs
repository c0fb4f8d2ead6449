//! Files of the memory tool of Anthropic's API (`memory_20250818`): texts by path under `/memories`, told and changed in the
//! words that its documentation has: <https://docs.claude.com/en/docs/agents-and-tools/tool-use/memory-tool>.
//!
//! ```text
//! file   the names of its path ─▶ its text, byte by byte
//! ```
//!
//! What a command cannot do is an answer, too: it is for the model to read. Every create, edit, rename and delete is a version,
//! and a view may look at what was there as of a commit or a known instant. Where the documentation is silent, what comes back is
//! what `anthropic.lib.tools` (2.14) gives for files on a disk, save that a folder is there for as long as a file is in it.

mod command;
mod edit;
mod path;
mod view;

use bygone_engine::document::{Collection, Document, DocumentId, DocumentSet, Listing, Version};
use bygone_engine::store::{Certificate, Snapshot, Space, Target};
use bygone_engine::time::Instant;
use bygone_engine::{StoreError, View};
use serde::{Deserialize, Serialize};

use super::InterfaceError;
use super::listing::documents;
use super::name::{document, joined, start};

pub use command::{Command, run, run_view};
pub use view::ViewFiles;

use path::Path;

static FILES: Collection = Collection::fixed("memory-tool/files");

/// What a command gave: the result for the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// What the model is told.
    pub text: String,
    /// Whether it was not done.
    pub is_error: bool,
}

/// Why a command is not done: an answer, or a failure of the store.
#[derive(Debug)]
enum Refusal {
    Told(String),
    Failed(InterfaceError),
}

impl From<InterfaceError> for Refusal {
    fn from(error: InterfaceError) -> Refusal {
        Refusal::Failed(error)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        Refusal::Failed(error.into())
    }
}

impl Refusal {
    fn told(text: impl Into<String>) -> Refusal {
        Refusal::Told(text.into())
    }
}

/// What stands at a path.
enum Standing {
    File(Document),
    Folder,
    Nothing,
}

/// Returns the document of a file.
fn id(path: &Path<'_>) -> Result<DocumentId, Refusal> {
    document(&FILES, joined(path.names.iter().copied()))
        .map_err(|_| Refusal::told(format!("Error: Path {} is too long", path.told)))
}

/// Returns what the names of all files within a folder start with.
fn within(path: &Path<'_>) -> Vec<u8> {
    if path.is_root() { Vec::new() } else { start(path.names.iter().copied()) }
}

fn standing(snapshot: &Snapshot<'_>, path: &Path<'_>, view: &View) -> Result<Standing, Refusal> {
    if path.is_root() {
        return Ok(Standing::Folder);
    }
    let file = id(path)?;
    let found =
        if *view == View::LATEST { snapshot.document(&file) } else { snapshot.document_in(&file, view) };
    if let Some(found) = found? {
        return Ok(Standing::File(found));
    }
    let first = documents(snapshot, &Listing::new(&FILES, &within(path)), view)?.next().transpose()?;
    Ok(if first.is_some() { Standing::Folder } else { Standing::Nothing })
}

fn text_of(bytes: Vec<u8>) -> Result<String, InterfaceError> {
    String::from_utf8(bytes)
        .map_err(|_| InterfaceError::Store(StoreError::Corrupt("a file of memory is no text".to_owned())))
}

/// Whose past is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// The path of a file.
    pub path: String,
}

/// What a file was from a commit on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Past {
    /// The commit, as of which it can be viewed.
    pub recorded: u64,
    /// When that was known.
    pub known: String,
    /// Its text; nothing where it was deleted or renamed.
    pub text: Option<String>,
}

/// Returns what a file was, in order; nothing where there was none.
///
/// # Errors
/// [`InterfaceError::Request`] where the path is none; [`InterfaceError::Store`].
pub fn history(snapshot: &Snapshot<'_>, request: &History) -> Result<Vec<Past>, InterfaceError> {
    let file = asked(&request.path).and_then(|path| id(&path)).map_err(as_request)?;
    let mut past = Vec::new();
    for Version { seq, at, content } in snapshot.document_versions(&file)? {
        let text = content.map(|content| text_of(content.bytes)).transpose()?;
        past.push(Past { recorded: seq, known: at.to_rfc3339(), text });
    }
    Ok(past)
}

/// What is to be erased.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EraseFiles {
    /// The path of a file, or of a folder with all that is or was in it.
    pub path: String,
}

/// Erases files in all their versions.
///
/// # Errors
/// [`InterfaceError::Request`] where the path is none; [`InterfaceError::Store`].
pub fn erase(space: &Space<'_>, now: Instant, request: &EraseFiles) -> Result<Certificate, InterfaceError> {
    let path = asked(&request.path).map_err(as_request)?;
    let mut sets = vec![DocumentSet::StartingWith(FILES.clone(), within(&path))];
    if !path.is_root() {
        sets.push(DocumentSet::One(id(&path).map_err(as_request)?));
    }
    Ok(space.erase(&Target::Documents(sets), now)?)
}

fn asked(told: &str) -> Result<Path<'_>, Refusal> {
    Path::read(told).map_err(Refusal::Told)
}

fn as_request(refusal: Refusal) -> InterfaceError {
    match refusal {
        Refusal::Told(text) => InterfaceError::Request(text),
        Refusal::Failed(error) => error,
    }
}
