//! Bygone as it is used: a conversation is ingested into a store in memory, and questions are searched in its turns.
//! Where vectors are to be compared through a graph, the indexes lie in a folder that goes with the store, since graphs
//! are made when vectors are written to disk.
//!
//! This is the only file that knows how turns are found; what it hands out are indices.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};

use bygone_engine::View;
use bygone_engine::backend::Memory;
use bygone_engine::store::{Store, VectorMode};
use bygone_engine::time::Instant;
use bygone_ingest::read::{Bytes, by_name};
use bygone_ingest::{Document, Outcome, ingest};
use bygone_ontology::Ontology;
use bygone_query::ask::{Answer, AskError, ask};
use bygone_query::retrieve::{Item, Kind, Sought, search, sessions};
use bygone_query::{QueryError, Request};
use tempfile::TempDir;

use super::{Asked, Gives, Ranker, Ranking, System};
use crate::dataset::Conversation;
use crate::error::EvalError;

/// The system that is evaluated.
pub static BYGONE: System = System {
    name: "bygone",
    about: "ingest and search, as on the command line",
    gives: Gives::Ranking,
    open,
};

static ONTOLOGY: LazyLock<Arc<Ontology>> = LazyLock::new(|| Arc::new(Ontology::core()));

/// A conversation in a store.
pub(crate) struct Ingested {
    name: String,
    store: Store,
    space: String,
    /// The turns by what the store calls their session, and their place in it.
    indices: BTreeMap<(String, u64), usize>,
    /// For each turn its session.
    sessions: Vec<usize>,
    /// Where the indexes lie. It is last, and so removed after the store is closed.
    _folder: Option<TempDir>,
}

fn open(conversation: &Conversation, vectors: VectorMode) -> Result<Box<dyn Ranker>, EvalError> {
    Ok(Box::new(ingested(conversation, vectors)?))
}

/// Ingests a conversation.
///
/// # Errors
/// [`EvalError`] where it cannot be recorded.
pub(crate) fn ingested(conversation: &Conversation, vectors: VectorMode) -> Result<Ingested, EvalError> {
    let Conversation { name, format, bytes, turns, .. } = conversation;
    let refuse = |reason: String| EvalError::Unrecorded { name: name.clone(), reason };
    let now = turns.iter().map(|turn| turn.time).max().unwrap_or(Instant::FIRST);
    let folder = (vectors == VectorMode::Graph).then(tempfile::tempdir).transpose();
    let folder = folder.map_err(EvalError::Folder)?;
    let memory = folder.as_ref().map_or_else(Memory::new, |folder| Memory::beside(folder.path()));
    let store = Store::open(Box::new(memory), Arc::clone(&ONTOLOGY) as _)?;
    store.set_vector_mode(vectors);
    let document = Document { name: name.clone(), bytes: Bytes::Held(bytes.clone()), modified: now };
    let plan = bygone_ingest::Plan {
        documents: &[document],
        format: by_name(format),
        space: "default",
        prefix: None,
        ontology: &ONTOLOGY,
        // Conversations are read side by side.
        jobs: NonZeroUsize::MIN,
        keeps_secrets: false,
        now,
    };
    let Outcome { receipt, refused, spaces } = ingest(&store, &plan, &mut |_| ())?;
    if let Some(refused) = refused.first() {
        return Err(refuse(format!("cannot be ingested: {:?}", refused.why)));
    }
    if receipt.episodes != turns.len() as u64 {
        return Err(refuse(format!("{} of {} turns were recorded", receipt.episodes, turns.len())));
    }
    let space = spaces.into_iter().next().unwrap_or_else(|| "default".to_owned());
    let place = |turn: &crate::dataset::Turn| (turn.session_name.clone(), turn.position);
    let indices = turns.iter().enumerate().map(|(index, turn)| (place(turn), index)).collect();
    let sessions = turns.iter().map(|turn| turn.session).collect();
    Ok(Ingested { name: name.clone(), store, space, indices, sessions, _folder: folder })
}

impl Ingested {
    /// Returns what a question is answered with; nothing where it is not understood and nothing has its words.
    ///
    /// # Errors
    /// [`EvalError`] where the store cannot be read.
    pub(crate) fn answer(&self, asked: &Asked<'_>) -> Result<Option<Answer>, EvalError> {
        let space = self.store.space(&self.space, false)?;
        let request = Request { view: View::known_at(asked.known), ..Request::present(asked.now) };
        match ask(&space.snapshot(), &ONTOLOGY, &request, asked.text) {
            Ok(answer) => Ok(Some(answer)),
            Err(AskError::Query(QueryError::Store(error))) => Err(EvalError::Store(error)),
            Err(_) => Ok(None),
        }
    }
}

impl Ranker for Ingested {
    fn rank(&self, asked: &Asked<'_>) -> Result<Ranking, EvalError> {
        if self.indices.is_empty() {
            return Ok(Ranking::default());
        }
        let space = self.store.space(&self.space, false)?;
        let snapshot = space.snapshot();
        let request = Request { view: View::known_at(asked.known), ..Request::present(asked.now) };
        let seen = snapshot.seen(&request.view)?;
        let sought = Sought {
            seen: &seen,
            ontology: &ONTOLOGY,
            request: &request,
            text: asked.text,
            kinds: &[Kind::Turn],
            n_wanted: self.indices.len(),
        };
        let found = search(&sought)?.found;
        let mut turns = Vec::with_capacity(found.len());
        for hit in found {
            let Item::Turn(record) = hit.item else { continue };
            let episode = record.episode;
            let index = self.indices.get(&(episode.session.clone(), episode.position));
            turns.push(*index.ok_or_else(|| EvalError::Unrecorded {
                name: self.name.clone(),
                reason: format!(
                    "turn {} of {:?} was found and never told",
                    episode.position, episode.session
                ),
            })?);
        }
        let mut ranked = Vec::new();
        for hit in sessions(&sought)? {
            let Item::Turn(record) = hit.item else { continue };
            let index = self.indices.get(&(record.episode.session.clone(), record.episode.position));
            ranked.extend(index.map(|index| self.sessions[*index]));
        }
        Ok(Ranking { turns, sessions: ranked })
    }
}
