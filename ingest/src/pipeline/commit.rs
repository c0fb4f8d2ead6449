//! What batches become in the store: commits, cut by what they hold, each in one space.
//!
//! Turns come here one after another in the order of the files, whoever read them, so that this is where it is decided who
//! is meant by a name ([`crate::identity`]).
//!
//! Invariant: a turn and the statements it makes are in one commit.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::Receiver;

use bygone_engine::record::{Quarantined, Recorded};
use bygone_engine::store::{Recording, Space, Store};
use bygone_engine::{AssertionId, EntityRef, EpisodeId, StoreError};

use super::feed::Next;
use super::unit::{Batch, Entry, Piece};
use super::{Outcome, Plan, Progress, Refusal, Refused};
use crate::identity::{Recall, Resolver};
use crate::read::{Meter, Place};
use crate::receipt::{MOST_LISTED, Notice};

/// Episodes a commit holds at most: large enough to make one fsync cheap, small enough to lose little when cut off.
pub(super) const MOST_EPISODES: usize = 512;
/// Bytes of turns after which a commit is made though it has room for more episodes.
const MOST_COMMIT_BYTES: usize = 4 << 20;
/// Records that were read after which a commit is made though next to nothing in them is a turn: their places are held
/// until then.
pub(super) const MOST_SETTLED: usize = 16 << 10;
/// Digits of the hash that stands for what a space's name cannot hold.
const HASH_DIGITS: usize = 12;
/// The longest name of a space.
const LONGEST_SPACE_NAME: usize = 128;

/// Where commits go.
#[derive(Clone, Copy)]
pub(super) enum Target<'a> {
    /// Into a store.
    Store(&'a Store),
    /// Into a store that is thrown away, save for what another one has.
    Preview { scratch: &'a Store, known: Option<&'a Store> },
}

/// Records what the units hand on.
pub(super) struct Committer<'a> {
    target: Target<'a>,
    plan: &'a Plan<'a>,
    meter: &'a Meter,
    progress: &'a mut dyn FnMut(Progress),
    outcome: Outcome,
    /// What a person should know of commits that were made, by document; at most as much as is listed.
    notices: Vec<(usize, Notice)>,
    /// The spaces that data sets asked for.
    spaces: BTreeSet<String>,
    /// The space that is written to.
    open: Option<Opened<'a>>,
    pending: Pending,
}

/// A space that is written to.
struct Opened<'a> {
    name: String,
    spaces: Spaces<'a>,
    resolver: Resolver<'a>,
}

/// The space, and the same one in the store whose turns count as known.
struct Spaces<'a> {
    space: Space<'a>,
    known: Option<Space<'a>>,
}

impl Spaces<'_> {
    fn all(&self) -> impl Iterator<Item = &Space<'_>> {
        self.known.iter().chain([&self.space])
    }
}

impl Recall for Spaces<'_> {
    fn names(&self) -> Result<Vec<(String, EntityRef)>, StoreError> {
        let mut names = Vec::new();
        for space in self.all() {
            names.extend(space.snapshot().names()?);
        }
        Ok(names)
    }

    fn statements_mentioning(&self, entity: &EntityRef) -> Result<Vec<Recorded>, StoreError> {
        let mut statements = Vec::new();
        for space in self.all() {
            statements.extend(space.snapshot().statements_mentioning(entity)?);
        }
        Ok(statements)
    }

    fn is_recorded(&self, episode: EpisodeId) -> Result<bool, StoreError> {
        for space in self.all() {
            if space.snapshot().has_episode(episode)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// What the next commit holds.
#[derive(Default)]
struct Pending {
    recording: Recording,
    n_bytes: usize,
    /// The turns of the recording, and where they stand.
    places: BTreeMap<EpisodeId, (usize, Place)>,
    /// The statements that were sent with an id of their own, by the hash of their content.
    sent_ids: BTreeMap<AssertionId, Sent>,
    /// What a person should know of it, by document.
    notices: Vec<(usize, Notice)>,
}

/// A statement that was sent with an id of its own.
struct Sent {
    document: usize,
    place: Place,
    id: AssertionId,
    session: String,
    line: String,
}

impl<'a> Committer<'a> {
    pub(super) fn new(
        target: Target<'a>,
        plan: &'a Plan<'a>,
        meter: &'a Meter,
        progress: &'a mut dyn FnMut(Progress),
    ) -> Committer<'a> {
        Committer {
            target,
            plan,
            meter,
            progress,
            outcome: Outcome::default(),
            notices: Vec::new(),
            spaces: BTreeSet::new(),
            open: None,
            pending: Pending::default(),
        }
    }

    /// Records unit after unit.
    pub(super) fn take_all(mut self, units: Receiver<Next>) -> Result<Outcome, StoreError> {
        for next in units {
            match next {
                Next::File { makes_spaces } => {
                    self.outcome.receipt.files += 1;
                    if !makes_spaces {
                        self.enter(self.plan.space)?;
                    }
                }
                Next::Unit { document, pieces } => {
                    for piece in pieces {
                        match piece {
                            Piece::Batch(batch) => self.take(document, batch)?,
                            Piece::Failed(error) => {
                                let why = Refusal::Unreadable(error);
                                self.outcome.refused.push(Refused { document, why });
                            }
                        }
                    }
                }
                Next::Refused(refused) => self.outcome.refused.push(refused),
            }
            self.tell();
        }
        self.commit()?;
        // What a commit sets aside goes into the next one.
        self.commit()?;
        self.tell();
        let left = std::mem::take(&mut self.pending.notices);
        self.told(left);
        let Committer { mut outcome, mut notices, spaces, .. } = self;
        outcome.spaces = spaces.into_iter().collect();
        notices.sort_by_key(|(document, notice)| (*document, notice.place));
        outcome.receipt.problems = notices.into_iter().map(|(_, notice)| notice).collect();
        Ok(outcome)
    }

    fn tell(&mut self) {
        let pending = self.pending.recording.episodes.len() as u64;
        let episodes = self.outcome.receipt.episodes + pending;
        (self.progress)(Progress { bytes: self.meter.n_bytes(), episodes });
    }

    fn take(&mut self, document: usize, batch: Batch) -> Result<(), StoreError> {
        let receipt = &mut self.outcome.receipt;
        receipt.read += batch.n_read;
        receipt.skipped += batch.n_skipped;
        receipt.quarantined += batch.n_quarantined;
        receipt.redacted += batch.n_masked;
        let holds_nothing =
            batch.entries.is_empty() && batch.settled.is_empty() && batch.quarantined.is_empty();
        if !holds_nothing {
            let n_episodes = self.pending.recording.episodes.len() + batch.entries.len();
            match &batch.space {
                Some(name) => {
                    let space = self.space_for(name);
                    self.enter(&space)?;
                }
                None => self.enter(self.plan.space)?,
            }
            if n_episodes > MOST_EPISODES {
                self.commit()?;
            }
        }
        self.pending.notices.extend(batch.notices.into_iter().map(|notice| (document, notice)));
        for entry in batch.entries {
            self.hold(document, entry)?;
        }
        let name = &self.plan.documents[document].name;
        let recording = &mut self.pending.recording;
        recording.settled.extend(batch.settled.into_iter().map(|offset| (name.clone(), offset)));
        self.pending.n_bytes += batch.quarantined.iter().map(|record| record.raw.len()).sum::<usize>();
        recording.quarantined.extend(batch.quarantined);
        let is_full = recording.episodes.len() >= MOST_EPISODES
            || recording.settled.len() >= MOST_SETTLED
            || self.pending.notices.len() >= MOST_SETTLED
            || self.pending.n_bytes >= MOST_COMMIT_BYTES;
        if is_full { self.commit() } else { Ok(()) }
    }

    fn hold(&mut self, document: usize, entry: Entry) -> Result<(), StoreError> {
        let Entry { place, episode, assertions, sent_id_of } = entry;
        let is_turn = episode.role != bygone_engine::Role::Statement;
        if is_turn && self.pending.places.contains_key(&episode.id) {
            // As across commits: a turn that is known is passed over with all it says.
            self.outcome.receipt.duplicates += 1;
            return Ok(());
        }
        self.pending.n_bytes += episode.text.len() + episode.raw.as_ref().map_or(0, Vec::len);
        self.pending.places.insert(episode.id, (document, place));
        if let (Some(content), [assertion]) = (sent_id_of, assertions.as_slice()) {
            let sent = Sent {
                document,
                place,
                id: assertion.id,
                session: episode.session.clone(),
                line: episode.text.clone(),
            };
            self.pending.sent_ids.insert(content, sent);
        }
        if let Some(Opened { spaces, resolver, .. }) = &mut self.open {
            let decided = resolver.hear(document, &episode, &assertions, spaces)?;
            self.pending.recording.assertions.extend(decided);
        }
        self.pending.recording.episodes.push(episode);
        self.pending.recording.assertions.extend(assertions);
        Ok(())
    }

    /// Returns the space for what a data set asks to be kept apart under a name. One that no space can have is spelt out
    /// as far as it can be, with the start of its hash: so no two names meet, in whatever run they come.
    fn space_for(&mut self, name: &str) -> String {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let prefix = self.plan.prefix.map_or_else(String::new, |prefix| format!("{prefix}."));
        let mut space = format!("{prefix}{name}");
        if name.is_empty() || !name.chars().all(fits) || space.len() > LONGEST_SPACE_NAME {
            let hash = blake3::hash(name.as_bytes()).to_hex();
            let plain: String = name.chars().map(|c| if fits(c) { c } else { '-' }).collect();
            let end = format!(".{}", &hash[..HASH_DIGITS]);
            space = format!("{prefix}{plain}");
            space.truncate(LONGEST_SPACE_NAME - end.len());
            space.push_str(&end);
        }
        self.spaces.insert(space.clone());
        space
    }

    /// Turns to a space; what is pending for another one is recorded first.
    fn enter(&mut self, name: &str) -> Result<(), StoreError> {
        if self.open.as_ref().is_some_and(|open| open.name == name) {
            return Ok(());
        }
        self.commit()?;
        self.commit()?;
        let (space, known) = match self.target {
            Target::Store(store) => (store.space(name, true)?, None),
            Target::Preview { scratch, known } => {
                let known = match known.map(|store| store.space(name, false)).transpose() {
                    Err(StoreError::NoSpace(_)) => None,
                    known => known?,
                };
                (scratch.space(name, true)?, known)
            }
        };
        let spaces = Spaces { space, known };
        let resolver = Resolver::new(self.plan.ontology, &spaces)?;
        self.open = Some(Opened { name: name.to_owned(), spaces, resolver });
        Ok(())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        let Pending { mut recording, places, mut sent_ids, mut notices, .. } =
            std::mem::take(&mut self.pending);
        let Some(Opened { spaces: Spaces { space, known }, .. }) = &self.open else {
            self.told(notices);
            return Ok(());
        };
        let holds_nothing =
            recording.episodes.is_empty() && recording.quarantined.is_empty() && recording.settled.is_empty();
        if holds_nothing {
            self.told(notices);
            return Ok(());
        }
        if let Some(known) = known {
            self.outcome.receipt.duplicates += drop_known(known, &mut recording)?;
        }
        let recorded = space.record(recording, self.plan.now)?;
        let receipt = &mut self.outcome.receipt;
        receipt.episodes += recorded.episodes;
        receipt.duplicates += recorded.duplicates;
        receipt.assertions += recorded.assertions;
        for content in recorded.conflicts {
            if let Some(sent) = sent_ids.remove(&content) {
                receipt.duplicates -= 1;
                receipt.quarantined += 1;
                let file = self.plan.documents[sent.document].name.clone();
                let reason = format!("id {} belongs to another statement", sent.id);
                self.pending.recording.quarantined.push(Quarantined {
                    document: file.clone(),
                    offset: sent.place.offset,
                    line: sent.place.line,
                    reason: reason.clone(),
                    raw: sent.line.into_bytes(),
                    incomplete: false,
                    sessions: vec![sent.session],
                });
                notices.push((sent.document, Notice { file, place: Some(sent.place), reason }));
            }
        }
        let mut news = Vec::new();
        for (episode, native_id) in recorded.native_conflicts {
            let Some((document, place)) = places.get(&episode) else {
                continue;
            };
            // The reader sees repeats within its file; only those across files are news.
            if !notices.iter().any(|(of, notice)| {
                of == document && notice.place == Some(*place) && notice.reason.contains(&native_id)
            }) {
                let reason =
                    format!("id {native_id:?} belongs to another record already: kept under its content");
                let file = self.plan.documents[*document].name.clone();
                news.push((*document, Notice { file, place: Some(*place), reason }));
            }
        }
        notices.extend(news);
        self.told(notices);
        Ok(())
    }

    /// Keeps what a person should know of a commit, or counts it where enough is listed.
    fn told(&mut self, notices: Vec<(usize, Notice)>) {
        let n_room = MOST_LISTED - self.notices.len();
        self.outcome.receipt.unlisted += notices.len().saturating_sub(n_room) as u64;
        self.notices.extend(notices.into_iter().take(n_room));
    }
}

/// Takes out the turns that a space holds already, with what they say; returns how many.
fn drop_known(known: &Space<'_>, recording: &mut Recording) -> Result<u64, StoreError> {
    let snapshot = known.snapshot();
    let mut dropped = BTreeSet::new();
    for episode in &recording.episodes {
        if snapshot.episode(episode.id)?.is_some() {
            dropped.insert(episode.id);
        }
    }
    let before = recording.episodes.len();
    recording.episodes.retain(|episode| !dropped.contains(&episode.id));
    recording.assertions.retain(|assertion| !dropped.contains(&assertion.source.episode));
    Ok((before - recording.episodes.len()) as u64)
}
