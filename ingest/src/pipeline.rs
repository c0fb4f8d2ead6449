//! One file's way into a space: read, extract, ground, validate, record.
//!
//! Records are committed in runs, in file order, each run atomically; what a run commits is never committed again, so
//! an ingest that was cut off goes on where it ended when it is run again.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::assertion::{Source as Origin, Span};
use bygone_engine::record::Quarantined;
use bygone_engine::store::{Recording, Space};
use bygone_engine::{Assertion, AssertionId, Authority, EpisodeId, Modality, StoreError};
use bygone_ontology::{Ontology, validate};

use crate::candidate::Candidate;
use crate::extract::{clause, tool};
use crate::ground::{Grounded, ground_candidate};
use crate::read::{Place, Problem, Read, Reader, Record, Source, Turn};
use crate::receipt::{Notice, Receipt};

/// Records a commit holds at most: large enough to make one fsync cheap, small enough to lose little when cut off.
const RUN: usize = 512;

/// Reads a file into a space and says what became of every record.
///
/// # Errors
/// [`StoreError`] where the store fails; nothing that is wrong with the file is an error.
pub fn ingest(
    space: &Space<'_>,
    ontology: &Ontology,
    reader: &Reader,
    source: &Source<'_>,
) -> Result<Receipt, StoreError> {
    run(space, None, ontology, reader, source)
}

/// Says what would become of every record of a file, and records nothing but in `scratch`, an empty space; what
/// `known` holds already counts as known.
///
/// # Errors
/// As [`ingest`].
pub fn preview(
    scratch: &Space<'_>,
    known: Option<&Space<'_>>,
    ontology: &Ontology,
    reader: &Reader,
    source: &Source<'_>,
) -> Result<Receipt, StoreError> {
    run(scratch, known, ontology, reader, source)
}

fn run(
    space: &Space<'_>,
    known: Option<&Space<'_>>,
    ontology: &Ontology,
    reader: &Reader,
    source: &Source<'_>,
) -> Result<Receipt, StoreError> {
    let mut run = Run {
        space,
        known,
        ontology,
        source,
        receipt: Receipt { files: 1, ..Receipt::default() },
        recording: Recording::default(),
        places: BTreeMap::new(),
        sessions: BTreeSet::new(),
        quarantined: Vec::new(),
        sent_ids: BTreeMap::new(),
        calls: tool::Calls::new(),
        memory: clause::Memory::new(),
        error: None,
    };
    (reader.read)(source, &mut |read| {
        if run.error.is_none() {
            run.error = run.take(read).err();
        }
    });
    run.finish()
}

struct Run<'a> {
    space: &'a Space<'a>,
    known: Option<&'a Space<'a>>,
    ontology: &'a Ontology,
    source: &'a Source<'a>,
    receipt: Receipt,
    recording: Recording,
    places: BTreeMap<EpisodeId, Place>,
    sessions: BTreeSet<String>,
    quarantined: Vec<Quarantined>,
    /// Where statements stand that were sent with an id of their own, by the hash of their content: their ids and lines.
    sent_ids: BTreeMap<AssertionId, (Place, AssertionId, String)>,
    calls: tool::Calls,
    memory: clause::Memory,
    error: Option<StoreError>,
}

impl Run<'_> {
    fn take(&mut self, read: Read) -> Result<(), StoreError> {
        match read {
            Read::Problem(problem) => self.notice(Some(problem.place), problem.reason),
            Read::Record(record) => {
                self.receipt.read += 1;
                self.take_record(record);
            }
        }
        if self.recording.episodes.len() >= RUN { self.commit() } else { Ok(()) }
    }

    fn take_record(&mut self, record: Record) {
        match record {
            Record::Skipped(place) => {
                self.settle(place);
                self.receipt.skipped += 1;
            }
            Record::Quarantined { problem, raw, incomplete } => self.set_aside(problem, raw, incomplete),
            Record::Statement(place, statement) => {
                for remark in validate(self.ontology, &statement.assertion) {
                    self.notice(Some(place), remark.to_string());
                }
                self.sessions.insert(statement.episode.session.clone());
                self.settle(place);
                self.places.insert(statement.episode.id, place);
                let content = statement.assertion.content_id();
                if content != statement.assertion.id {
                    let line = statement.episode.text.clone();
                    self.sent_ids.insert(content, (place, statement.assertion.id, line));
                }
                self.recording.episodes.push(statement.episode);
                self.recording.assertions.push(statement.assertion);
            }
            Record::Turn(turn) => self.take_turn(*turn),
        }
    }

    fn take_turn(&mut self, turn: Turn) {
        let mut candidates = tool::extract(&turn, &mut self.calls);
        candidates.extend(clause::extract(&turn, &mut self.memory));
        for candidate in candidates {
            let kind = self.ontology.get_or_open(candidate.predicate).kind;
            let said_at = turn.episode.time;
            match ground_candidate(&candidate, kind, &turn.episode.text, said_at) {
                Ok(grounded) => {
                    for grounded in grounded {
                        let assertion = assertion(&turn, &candidate, grounded);
                        for remark in validate(self.ontology, &assertion) {
                            self.notice(Some(turn.place), remark.to_string());
                        }
                        self.recording.assertions.push(assertion);
                    }
                }
                Err(reason) => {
                    let reason = format!("{} not recorded: {reason}", candidate.predicate);
                    self.notice(Some(turn.place), reason);
                }
            }
        }
        self.sessions.insert(turn.episode.session.clone());
        self.settle(turn.place);
        self.places.insert(turn.episode.id, turn.place);
        self.recording.episodes.push(turn.episode);
    }

    fn set_aside(&mut self, problem: Problem, raw: Vec<u8>, incomplete: bool) {
        self.receipt.quarantined += 1;
        self.quarantined.push(Quarantined {
            document: self.source.name.to_owned(),
            offset: problem.place.offset,
            line: problem.place.line,
            reason: problem.reason.clone(),
            raw,
            incomplete,
            sessions: Vec::new(),
        });
        self.notice(Some(problem.place), problem.reason);
    }

    fn settle(&mut self, place: Place) {
        self.recording.settled.push((self.source.name.to_owned(), place.offset));
    }

    fn notice(&mut self, place: Option<Place>, reason: String) {
        self.receipt.problems.push(Notice { file: self.source.name.to_owned(), place, reason });
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        let mut recording = std::mem::take(&mut self.recording);
        if let Some(known) = self.known {
            self.receipt.duplicates += drop_known(known, &mut recording)?;
        }
        let places = std::mem::take(&mut self.places);
        let recorded = self.space.record(recording, self.source.now)?;
        self.receipt.episodes += recorded.episodes;
        self.receipt.duplicates += recorded.duplicates;
        self.receipt.assertions += recorded.assertions;
        for content in recorded.conflicts {
            if let Some((place, id, line)) = self.sent_ids.remove(&content) {
                self.receipt.duplicates -= 1;
                let reason = format!("id {id} belongs to another statement");
                self.set_aside(Problem { place, reason }, line.into_bytes(), false);
            }
        }
        for (episode, native_id) in recorded.native_conflicts {
            let place = places.get(&episode).copied();
            let mut told = self.receipt.problems.iter();
            // The reader sees repeats within its file; only those across files are news.
            if !told.any(|notice| notice.place == place && notice.reason.contains(&native_id)) {
                let reason =
                    format!("id {native_id:?} belongs to another record already: kept under its content");
                self.notice(place, reason);
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Receipt, StoreError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        // What could not be read may also be of the session that records are in which name none.
        self.sessions.insert(self.source.stem().to_owned());
        let sessions: Vec<String> = self.sessions.iter().cloned().collect();
        self.commit()?;
        self.recording.quarantined = std::mem::take(&mut self.quarantined)
            .into_iter()
            .map(|record| Quarantined { sessions: sessions.clone(), ..record })
            .collect();
        self.commit()?;
        self.receipt.problems.sort_by_key(|notice| notice.place);
        Ok(self.receipt)
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

/// Returns the statement that a grounded candidate makes in its turn.
fn assertion(turn: &Turn, candidate: &Candidate, grounded: Grounded) -> Assertion {
    let episode = &turn.episode;
    let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let authority = match grounded.modality {
        Modality::Reported => Authority::Inferred,
        Modality::Actual | Modality::Planned | Modality::Hypothetical => candidate.authority,
    };
    Assertion {
        id: AssertionId::UNHASHED,
        subject: candidate.subject.clone(),
        predicate: candidate.predicate.to_owned(),
        key: candidate.key.clone(),
        object: candidate.object.clone(),
        polarity: grounded.polarity,
        validity: grounded.validity,
        sure_until: grounded.sure_until,
        modality: grounded.modality,
        authority,
        confidence: candidate.confidence,
        known_at: episode.time,
        source: Origin {
            document: episode.session.clone(),
            position: episode.position,
            span: Some(Span { start: byte(candidate.span.start), end: byte(candidate.span.end) }),
            episode: episode.id,
            context: candidate.context.clone(),
            asserter: episode.speaker.clone(),
            session: episode.session.clone(),
            agent: episode.agent.clone(),
            user: episode.user.clone(),
            zone: episode.zone.clone(),
        },
        extractor: candidate.rule.to_owned(),
        derived_from: Vec::new(),
    }
    .with_content_id()
}
