//! What can go wrong with a store, by who can act on it.

use std::path::PathBuf;

use crate::embed::EmbedError;

/// Why a store cannot do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process has the store open.
    #[error("store {path:?} is in use by {holder}")]
    Busy {
        /// The store's folder.
        path: PathBuf,
        /// Who holds it, as they said themselves.
        holder: String,
    },
    /// The folder holds no store, and none was to be made.
    #[error("there is no store at {0:?}: `bygone init` makes one")]
    NoStore(PathBuf),
    /// The folder holds something else.
    #[error("{0:?} is not a Bygone store: expected an empty folder or one made by `bygone init`")]
    NotAStore(PathBuf),
    /// The folder holds no copy of a store.
    #[error("{0:?} is no backup of a store: expected a folder made by `bygone backup`")]
    NotABackup(PathBuf),
    /// Something is where a store, or a copy of one, is to be made.
    #[error("there is something at {0:?} already: name a folder that is not there yet, or is empty")]
    Exists(PathBuf),
    /// What a copy is made in, under another name, is there already.
    #[error(
        "{0:?} is in the way: another backup or restore is at work there, or was cut off; remove it, or name another folder"
    )]
    InTheWay(PathBuf),
    /// A copy, or a store made of one, would be a part of what it is made of.
    #[error("{folder:?} lies in {of:?}, which is copied: name a folder outside of it")]
    Within {
        /// The folder that was named.
        folder: PathBuf,
        /// The store, or the copy.
        of: PathBuf,
    },
    /// The store was written by a newer version.
    #[error(
        "store has format {found}, and this bygone reads formats up to {supported}: open it with the bygone that wrote it or a \
         newer one, or run `export` there and `import` here"
    )]
    NewerFormat {
        /// The format found.
        found: u32,
        /// The newest format this version reads.
        supported: u32,
    },
    /// The list of a copy was written by a newer version.
    #[error(
        "the copy's list has form {found}, and this bygone reads forms up to {supported}: restore it with the bygone that made \
         it, or a newer one"
    )]
    NewerCopy {
        /// The form found.
        found: u32,
        /// The newest form this version reads.
        supported: u32,
    },
    /// The store was written before the format was frozen, in a layout that nothing leads away from.
    #[error(
        "store has layout {found} of format 0, which was not frozen, and this bygone reads layout {supported} of it: run `export` \
         with the bygone that wrote it and `import` here, or make it again from its sources"
    )]
    OlderLayout {
        /// The layout found.
        found: u32,
        /// The only layout of that format this version reads.
        supported: u32,
    },
    /// A space that does not exist.
    #[error("there is no space {0:?} in this store")]
    NoSpace(String),
    /// A name that no space can have.
    #[error("space name {0:?} is not 1 to 128 letters, digits, dots, dashes or underscores")]
    SpaceName(String),
    /// What the store is to declare, or declares, of predicates means nothing.
    #[error("what the store declares cannot be understood: {0}")]
    Declarations(String),
    /// Something in the store is not as it must be.
    #[error("store is corrupt: {0}")]
    Corrupt(String),
    /// An assertion names an episode that is neither recorded nor being recorded.
    #[error("assertion {assertion} names episode {episode}, which is not recorded")]
    NoEpisode {
        /// The assertion.
        assertion: String,
        /// The episode.
        episode: String,
    },
    /// The key of an operation was used before, for something else.
    #[error("the idempotency key {0:?} was used for another request: a key is for one request alone")]
    OtherRequest(String),
    /// Somebody else wrote in between.
    #[error("store changed while a commit was being made")]
    Conflict,
    /// The clock stands where stamps could soon grow no further.
    #[error(
        "the clock says {0}: a commit is stamped before the year 9999, so that every later one can be, too"
    )]
    Clock(String),
    /// The vectors of the store are of another model than the one that is asked.
    #[error(
        "the vectors of this store are of the model {held}, and the model {asked} is configured: vectors of two models \
         cannot be compared; `bygone --config FILE reindex` makes them again by the model that the file names, and \
         `bygone reindex` by the one that is built in"
    )]
    OtherModel {
        /// The model of the vectors, in quotation marks.
        held: String,
        /// The model that is asked, in quotation marks.
        asked: String,
    },
    /// The model of the store's vectors makes vectors of another length now.
    #[error(
        "the model {model:?} makes vectors of {asked} components where {held} were expected, as those of this store have: \
         where {asked} is right, `bygone --config FILE reindex` makes them again"
    )]
    OtherDimension {
        /// The model's name.
        model: String,
        /// The components of the vectors that are kept.
        held: usize,
        /// The components that are configured, or that the model answers with.
        asked: usize,
    },
    /// The embedder could not make vectors, or the reranker put nothing in order.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// Somebody asked for the work to stop.
    #[error("interrupted")]
    Interrupted,
    /// The disk or the database under the store failed.
    #[error("storage failed: {0}")]
    Storage(String),
}

impl StoreError {
    pub(crate) fn corrupt(what: impl Into<String>) -> StoreError {
        StoreError::Corrupt(what.into())
    }
}
