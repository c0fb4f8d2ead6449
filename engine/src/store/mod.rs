//! The bitemporal store: an append-only log of what was said, and what it amounts to, kept up to date with it.
//!
//! Invariants, checked by [`Space::verify`]: sequence numbers run from 1 without gaps; every statement stands in the
//! history of its group, in the order of valid time; the current facts of a group equal the derivation of its statements; every
//! secondary row points at something that exists.

pub(crate) mod append;
mod attended;
mod backup;
mod checkpoint;
mod commit;
pub(crate) mod decide;
mod declared;
mod document;
mod erase;
pub(crate) mod group;
pub(crate) mod history;
mod identities;
mod interrupt;
pub(crate) mod meta;
mod migrate;
mod read;
mod search;
mod seen;
mod stats;
mod stretch;
pub(crate) mod turn;
mod verify;
mod work;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

pub use attended::Attendance;
pub use backup::{Backup, is_backup, restore};
pub use checkpoint::Checkpoint;
pub use commit::{Receipt, Recording};
pub use decide::{Decided, Operation, Place};
pub use erase::{Certificate, Target};
pub use read::Snapshot;
pub use search::Hit;
pub use seen::{GroupView, Seen};
pub use stats::Stats;
pub use verify::Verification;
pub use work::{Work, WorkItem};

use crate::backend::{Backend, Batch, Reader, Table};
use crate::embed::{Deferred, EmbedError, Embedder, MakeEmbedder, Reranker, StaticEmbedder};
use crate::error::StoreError;
use crate::key::SpaceId;
use crate::semantics::Semantics;
use crate::text::{Analyzer, Language, TextIndex};
pub use crate::vector::{Likeness, Mode as VectorMode};
use crate::vector::{Meaning, ModelName};
use declared::Meanings;
use identities::Identities;
use interrupt::Interrupt;
use meta::Counters;
pub use meta::FORMAT_VERSION;
use migrate::Found;

/// The folder, within a store's, of the full-text index.
const TEXT_FOLDER: &str = "text";
/// The folder, within a store's, of the vectors.
const VECTOR_FOLDER: &str = "vectors";

/// Says whether a space can have a name: 1 to 128 ASCII letters, digits, `.`, `-` and `_`.
pub fn is_space_name(name: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'.' || b == b'-' || b == b'_';
    !name.is_empty() && name.len() <= 128 && name.bytes().all(fits)
}

/// A store over some storage. It may be shared between threads: readers see a consistent image, writers take turns.
pub struct Store {
    backend: Box<dyn Backend>,
    meanings: RwLock<Arc<Meanings>>,
    writing: Mutex<()>,
    text: Mutex<TextIndex>,
    meaning: Mutex<Meaning>,
    reranker: Option<Arc<dyn Reranker>>,
    format_found: u32,
    interrupt: Interrupt,
    identities: Identities,
    /// The numbers of spaces that were asked for.
    spaces: RwLock<BTreeMap<String, SpaceId>>,
}

impl Store {
    /// Opens the store in the storage; empty storage becomes an empty store.
    ///
    /// A store of an earlier format is brought to [`FORMAT_VERSION`] first. Where the definitions have changed since the facts
    /// were derived, they are derived again.
    ///
    /// # Errors
    /// [`StoreError::NewerFormat`] where a newer version wrote it; [`StoreError::OlderLayout`] where one did before the format
    /// was frozen, in a layout that nothing leads away from.
    pub fn open(backend: Box<dyn Backend>, semantics: Arc<dyn Semantics>) -> Result<Store, StoreError> {
        // Nothing else of a store is read before it has this format.
        let found = migrate::bring_up(&*backend, &migrate::STEPS)?;
        let meanings = Meanings::read(semantics, &*backend.snapshot())?;
        let language = meta::language(&*backend.snapshot())?;
        let store = Store {
            backend,
            meanings: RwLock::new(Arc::new(meanings)),
            writing: Mutex::new(()),
            text: Mutex::new(TextIndex::new(Analyzer::new(language))),
            meaning: Mutex::new(Meaning::new(Deferred::new(Box::new(built_in)), VectorMode::Auto)),
            reranker: None,
            format_found: match found {
                Found::Nothing => FORMAT_VERSION,
                Found::Format(version) => version,
            },
            interrupt: Interrupt::default(),
            identities: Identities::default(),
            spaces: RwLock::default(),
        };
        let fingerprint = store.meanings().latest().fingerprint();
        let image = store.backend.snapshot();
        match found {
            Found::Nothing => {
                let mut batch = Batch::default();
                meta::put_format(&mut batch, FORMAT_VERSION);
                meta::put_fingerprint(&mut batch, fingerprint);
                meta::put_counters(&mut batch, &Counters::default());
                drop(image);
                store.backend.commit(&batch)?;
            }
            Found::Format(_) => {
                let stale = meta::fingerprint(&*image)? != Some(fingerprint);
                let purge_due = meta::is_purge_due(&*image)?;
                drop(image);
                if purge_due {
                    store.purge()?;
                }
                if stale {
                    store.derive_all()?;
                }
            }
        }
        Ok(store)
    }

    /// Returns the format that the store had when it was opened; it has [`FORMAT_VERSION`] since.
    pub const fn format_found(&self) -> u32 {
        self.format_found
    }

    /// Lets a flag stop the store's work: while it is up, reads, derivations of a view and commits that have not begun
    /// fail with [`StoreError::Interrupted`]. Commits that have begun, and erasures, are finished.
    #[must_use]
    pub fn with_interrupt(self, flag: Arc<AtomicBool>) -> Store {
        Store { interrupt: Interrupt::by(flag), ..self }
    }

    /// Returns an image of the present state, whose reading can be interrupted.
    fn image(&self) -> Box<dyn Reader + '_> {
        self.interrupt.around(self.backend.snapshot())
    }

    /// Returns a handle on a space, which is made where `create` says so.
    ///
    /// # Errors
    /// [`StoreError::NoSpace`] where there is none and none is to be made; [`StoreError::SpaceName`].
    pub fn space(&self, name: &str, create: bool) -> Result<Space<'_>, StoreError> {
        if !is_space_name(name) {
            return Err(StoreError::SpaceName(name.to_owned()));
        }
        // The number of a space never changes.
        if let Some(&id) = self.spaces.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return Ok(Space { store: self, id, name: name.to_owned() });
        }
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let image = self.backend.snapshot();
        let id = match meta::space(&*image, name)? {
            Some(id) => id,
            None if !create => return Err(StoreError::NoSpace(name.to_owned())),
            None => {
                let mut counters = meta::counters(&*image)?;
                let id = SpaceId(counters.spaces);
                counters.spaces += 1;
                let mut batch = Batch::default();
                meta::put_space(&mut batch, name, id);
                meta::put_counters(&mut batch, &counters);
                drop(image);
                self.backend.commit(&batch)?;
                id
            }
        };
        self.spaces.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), id);
        Ok(Space { store: self, id, name: name.to_owned() })
    }

    /// Returns the names of the spaces, in order.
    pub fn spaces(&self) -> Result<Vec<String>, StoreError> {
        meta::spaces(&*self.backend.snapshot())
    }

    /// Brings the indexes up to what is recorded. Searching does so by itself; after much was recorded this is the better
    /// moment.
    ///
    /// # Errors
    /// [`StoreError`] where an index cannot be read or written; [`StoreError::Embed`] where the embedder fails, and the
    /// full-text index is up to date.
    pub fn index(&self) -> Result<(), StoreError> {
        self.ask_text(|_, _| Ok(()))?;
        self.ask_meaning_to_keep(|_, _| Ok(()))
    }

    /// Makes vectors with another embedder than the one that is built in.
    #[must_use]
    pub fn with_embedder(self, embedder: Arc<dyn Embedder>) -> Store {
        self.with_embedder_made_by(Box::new(move || Ok(Arc::clone(&embedder))))
    }

    /// Makes vectors with another embedder, which is made when vectors are first needed. Where it cannot be made, what
    /// needs it fails with [`StoreError::Embed`], and the next time it is tried again.
    #[must_use]
    pub fn with_embedder_made_by(self, make: MakeEmbedder) -> Store {
        let mode = self.meaning().mode();
        Store { meaning: Mutex::new(Meaning::new(Deferred::new(make), mode)), ..self }
    }

    /// Lets a reranker put the best of what searches find in order; without one they stand as they were ranked.
    #[must_use]
    pub fn with_reranker(self, reranker: Arc<dyn Reranker>) -> Store {
        Store { reranker: Some(reranker), ..self }
    }

    /// Returns the reranker, where there is one.
    pub fn reranker(&self) -> Option<&dyn Reranker> {
        self.reranker.as_deref()
    }

    /// Says how vectors are compared from now on.
    pub fn set_vector_mode(&self, mode: VectorMode) {
        self.meaning().set_mode(mode);
    }

    /// Throws the indexes away and makes them again, with the embedder that is set, whose model is the store's from then
    /// on. Where that makes no vectors, everything stays as it is.
    ///
    /// # Errors
    /// As [`Store::index`].
    pub fn reindex(&self) -> Result<(), StoreError> {
        let model = self.meaning().model_that_answers()?;
        self.text().discard(self.text_folder().as_deref())?;
        self.meaning().discard(self.vector_folder().as_deref())?;
        self.keep_model(&model)?;
        self.index()
    }

    /// Asks the full-text index, which catches up with the log first. Where that fails it is opened once more: what its folder
    /// holds is checked, and made anew where it is not what was written.
    fn ask_text<T>(
        &self,
        ask: impl Fn(&mut TextIndex, &dyn Reader) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut text = self.text();
        let folder = self.text_folder();
        // No image is older than what an index has followed.
        let image = self.image();
        let asked = |text: &mut TextIndex| {
            text.follow(&*image, folder.as_deref())?;
            ask(text, &*image)
        };
        match asked(&mut text) {
            Err(StoreError::Storage(_)) => {
                text.close();
                asked(&mut text)
            }
            asked => asked,
        }
    }

    /// Asks the vectors, as [`Store::ask_text`] asks the full-text index.
    fn ask_meaning<T>(
        &self,
        ask: impl Fn(&mut Meaning, &dyn Reader) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut meaning = self.meaning();
        let folder = self.vector_folder();
        let image = self.image();
        if let Some(held) = meta::model(&*image)? {
            meaning.expect(&held)?;
        }
        let asked = |meaning: &mut Meaning| {
            meaning.follow(&*image, folder.as_deref())?;
            ask(meaning, &*image)
        };
        match asked(&mut meaning) {
            Err(StoreError::Storage(_)) => {
                meaning.mend(folder.as_deref())?;
                asked(&mut meaning)
            }
            asked => asked,
        }
    }

    /// Asks the vectors, and remembers the model that they are of where that is the first time: later ones are of the same,
    /// however few there are and whether they were written to disk or not.
    fn ask_meaning_to_keep<T>(
        &self,
        ask: impl Fn(&mut Meaning, &dyn Reader) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let asked = self.ask_meaning(ask);
        // What was made stays, also where the rest could not be.
        if matches!(asked, Ok(_) | Err(StoreError::Embed(_)))
            && meta::model(&*self.backend.snapshot())?.is_none()
        {
            let model = self.meaning().model_in_use()?;
            model.map_or(Ok(()), |model| self.keep_model(&model))?;
        }
        asked
    }

    fn keep_model(&self, model: &ModelName) -> Result<(), StoreError> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut batch = Batch::default();
        meta::put_model(&mut batch, model);
        self.backend.commit(&batch)
    }

    fn text(&self) -> MutexGuard<'_, TextIndex> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn meaning(&self) -> MutexGuard<'_, Meaning> {
        self.meaning.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the rules by which texts become words, in the language that is set.
    pub fn analyzer(&self) -> Analyzer {
        self.text().analyzer()
    }

    /// Sets the language that texts are in. Where it was another, the full-text index is made again when it is next
    /// needed.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be written.
    pub fn set_language(&self, language: Language) -> Result<(), StoreError> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = self.text();
        let analyzer = Analyzer::new(language);
        if text.analyzer() != analyzer {
            let mut batch = Batch::default();
            meta::put_language(&mut batch, language);
            self.backend.commit(&batch)?;
            *text = TextIndex::new(analyzer);
        }
        Ok(())
    }

    /// Returns the folder of the full-text index; `None` where the store is kept in memory.
    fn text_folder(&self) -> Option<PathBuf> {
        self.backend.folder().map(|folder| folder.join(TEXT_FOLDER))
    }

    /// Returns the folder of the vectors; `None` where the store is kept in memory.
    fn vector_folder(&self) -> Option<PathBuf> {
        self.backend.folder().map(|folder| folder.join(VECTOR_FOLDER))
    }

    /// Drops what was erased from the storage itself. A purge that was cut off is due when the store is opened again.
    fn purge(&self) -> Result<(), StoreError> {
        self.text().discard(self.text_folder().as_deref())?;
        self.meaning().discard(self.vector_folder().as_deref())?;
        self.backend.purge()?;
        let mut batch = Batch::default();
        meta::put_purge(&mut batch, false);
        self.backend.commit(&batch)
    }

    /// Derives the facts of every group again, as after a change of definitions.
    fn derive_all(&self) -> Result<(), StoreError> {
        let meanings = self.meanings();
        let semantics = meanings.latest();
        let image = self.backend.snapshot();
        let spaces = meta::spaces(&*image)?;
        for name in spaces {
            let Some(id) = meta::space(&*image, &name)? else {
                continue;
            };
            for pair in image.scan_prefix(Table::Groups, &crate::key::space_prefix(id)) {
                let (key, _) = pair?;
                let group = group::from_key(&key)?;
                let statements = history::load(&*image, group)?;
                let mut batch = Batch::default();
                group::put_current(&*image, &mut batch, &**semantics, &name, group, &statements)?;
                if !batch.writes.is_empty() {
                    self.backend.commit(&batch)?;
                }
            }
        }
        let mut batch = Batch::default();
        meta::put_fingerprint(&mut batch, semantics.fingerprint());
        self.backend.commit(&batch)
    }
}

fn built_in() -> Result<Arc<dyn Embedder>, EmbedError> {
    Ok(Arc::new(StaticEmbedder::built_in()?))
}

/// A handle on one space of a store: the hard wall between tenants. Its keys cannot leave the space's prefix.
pub struct Space<'a> {
    store: &'a Store,
    id: SpaceId,
    name: String,
}

impl<'a> Space<'a> {
    /// Returns the store that the space is in.
    pub fn store(&self) -> &'a Store {
        self.store
    }

    /// Returns the space's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns an unchanging image of the space as it is now.
    pub fn snapshot(&self) -> Snapshot<'_> {
        Snapshot::new(self.store, self.id, &self.name)
    }
}
