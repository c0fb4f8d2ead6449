//! What one unit comes to: its records read, extracted, grounded and validated, in batches. Nothing here knows a store.

use std::collections::BTreeSet;
use std::io;
use std::sync::mpsc::SyncSender;

use bygone_engine::assertion::{Source as Origin, Span};
use bygone_engine::record::Quarantined;
use bygone_engine::{Assertion, AssertionId, Authority, Episode, Modality};
use bygone_ontology::{Ontology, validate};

use super::commit::{MOST_EPISODES, MOST_SETTLED};
use super::{Document, Plan, feed};
use crate::candidate::Candidate;
use crate::extract::{clause, shown, tool};
use crate::ground::{Grounded, ground_candidate};
use crate::read::{Element, Meter, Place, Problem, Read, ReadElement, Record, Source, Turn, read_element};
use crate::receipt::Notice;

/// Bytes of turns after which a batch is handed on though it has room for more.
const MOST_BATCH_BYTES: usize = 1 << 20;
/// Bytes of unreadable records that are held until the unit's sessions are known; of what comes after, only the start
/// is kept.
const MOST_HELD_BYTES: usize = 32 << 20;
/// How much is kept then.
const KEPT_BYTES: usize = 4 << 10;
/// Unreadable records that are held one by one until then; what comes after is kept as one, with the start of the first.
const MOST_HELD: usize = 10_000;

/// A unit and where its batches go.
pub(super) struct Unit<'a> {
    pub(super) document: &'a Document,
    pub(super) work: Work,
    pub(super) send: SyncSender<Piece>,
}

/// What there is to read.
pub(super) enum Work {
    File(fn(&Source<'_>, &mut dyn FnMut(Read)) -> io::Result<()>),
    Element(ReadElement, Element),
}

/// What a unit hands on; its end is that of the channel.
pub(super) enum Piece {
    Batch(Batch),
    /// The file cannot be read further, in words.
    Failed(String),
}

/// A stretch of a unit's records.
#[derive(Default)]
pub(super) struct Batch {
    /// The name under which the unit asks for a space of its own.
    pub(super) space: Option<String>,
    pub(super) n_read: u64,
    pub(super) n_skipped: u64,
    pub(super) n_masked: u64,
    pub(super) entries: Vec<Entry>,
    /// Where records were read.
    pub(super) settled: Vec<u64>,
    pub(super) quarantined: Vec<Quarantined>,
    pub(super) n_quarantined: u64,
    pub(super) notices: Vec<Notice>,
    n_bytes: usize,
}

/// A turn or a statement, and what it says.
pub(super) struct Entry {
    pub(super) place: Place,
    pub(super) episode: Episode,
    pub(super) assertions: Vec<Assertion>,
    /// The hash of the content of a statement that was sent with another id.
    pub(super) sent_id_of: Option<AssertionId>,
}

impl Entry {
    /// Returns about how many bytes it holds.
    pub(super) fn n_bytes(&self) -> usize {
        self.episode.text.len() + self.episode.raw.as_ref().map_or(0, Vec::len)
    }
}

impl Unit<'_> {
    /// Reads the unit to its end, or until nobody wants its batches.
    pub(super) fn read(self, plan: &Plan<'_>, meter: &Meter) {
        let source = feed::source(plan, self.document, meter);
        let mut reading = Reading {
            ontology: plan.ontology,
            source: &source,
            meter,
            send: &self.send,
            batch: Batch::default(),
            space: None,
            n_masked: 0,
            sessions: BTreeSet::new(),
            quarantined: Vec::new(),
            n_held_bytes: 0,
            rest: None,
            calls: tool::Calls::new(),
            memory: clause::Memory::new(),
        };
        let mut hand_on = |read| reading.take(read);
        let done = match self.work {
            Work::File(read) => read(&source, &mut hand_on),
            Work::Element(read, element) => {
                read_element(read, &source, element, &mut hand_on);
                Ok(())
            }
        };
        reading.finish();
        if let Err(error) = done {
            // Where nobody listens any more, nobody needs to know.
            self.send.send(Piece::Failed(error.to_string())).unwrap_or_default();
        }
    }
}

struct Reading<'a> {
    ontology: &'a Ontology,
    source: &'a Source<'a>,
    meter: &'a Meter,
    send: &'a SyncSender<Piece>,
    batch: Batch,
    space: Option<String>,
    /// Secrets that earlier batches account for.
    n_masked: u64,
    sessions: BTreeSet<String>,
    quarantined: Vec<Quarantined>,
    n_held_bytes: usize,
    rest: Option<Rest>,
    calls: tool::Calls,
    memory: clause::Memory,
}

/// Unreadable records beyond those that are held one by one.
struct Rest {
    first: Place,
    /// What stands there.
    raw: Vec<u8>,
    n_records: u64,
}

impl Reading<'_> {
    fn take(&mut self, read: Read) {
        match read {
            Read::Space(name) => self.space = Some(name),
            Read::Problem(problem) => self.notice(problem.place, problem.reason),
            Read::Record(record) => {
                // Before the record, so that what is told of the last one stays beside it.
                let is_full = self.batch.entries.len() >= MOST_EPISODES
                    || self.batch.settled.len() >= MOST_SETTLED
                    || self.batch.notices.len() >= MOST_SETTLED
                    || self.batch.n_bytes >= MOST_BATCH_BYTES;
                if is_full {
                    self.hand_on();
                }
                self.batch.n_read += 1;
                self.record(record);
            }
        }
    }

    fn record(&mut self, record: Record) {
        match record {
            Record::Skipped(place) => {
                self.batch.settled.push(place.offset);
                self.batch.n_skipped += 1;
            }
            Record::Quarantined { problem, raw, incomplete } => self.set_aside(problem, raw, incomplete),
            Record::Statement(place, statement) => {
                for remark in validate(self.ontology, &statement.assertion) {
                    self.notice(place, remark.to_string());
                }
                let content = statement.assertion.content_id();
                self.enter(Entry {
                    place,
                    sent_id_of: (content != statement.assertion.id).then_some(content),
                    episode: statement.episode,
                    assertions: vec![statement.assertion],
                });
            }
            Record::Turn(turn) => self.turn(*turn),
        }
    }

    fn turn(&mut self, turn: Turn) {
        let mut candidates = tool::extract(&turn, &mut self.calls);
        candidates.extend(clause::extract(&turn, &mut self.memory));
        candidates.extend(shown::extract(&turn));
        let mut assertions = Vec::new();
        for candidate in candidates {
            let kind = self.ontology.get_or_open(candidate.predicate).kind;
            let said_at = turn.episode.time;
            match ground_candidate(&candidate, kind, &turn.episode.text, said_at) {
                Ok(grounded) => {
                    for grounded in grounded {
                        let assertion = assertion(&turn, &candidate, grounded);
                        for remark in validate(self.ontology, &assertion) {
                            self.notice(turn.place, remark.to_string());
                        }
                        assertions.push(assertion);
                    }
                }
                Err(reason) => {
                    let predicate = candidate.predicate;
                    self.notice(turn.place, format!("{predicate:?} is not recorded: {reason}"));
                }
            }
        }
        self.enter(Entry { place: turn.place, episode: turn.episode, assertions, sent_id_of: None });
    }

    fn enter(&mut self, entry: Entry) {
        if !self.sessions.contains(&entry.episode.session) {
            self.sessions.insert(entry.episode.session.clone());
        }
        self.batch.settled.push(entry.place.offset);
        self.batch.n_bytes += entry.n_bytes();
        self.batch.entries.push(entry);
    }

    fn set_aside(&mut self, problem: Problem, mut raw: Vec<u8>, incomplete: bool) {
        self.batch.n_quarantined += 1;
        if self.quarantined.len() == MOST_HELD {
            let rest = self.rest.get_or_insert(Rest { first: problem.place, raw, n_records: 0 });
            rest.n_records += 1;
            return;
        }
        if self.n_held_bytes + raw.len() > MOST_HELD_BYTES {
            raw.truncate(KEPT_BYTES);
            raw.shrink_to_fit();
        }
        self.n_held_bytes += raw.len();
        self.hold(problem, raw, incomplete);
    }

    fn hold(&mut self, problem: Problem, raw: Vec<u8>, incomplete: bool) {
        self.quarantined.push(Quarantined {
            document: self.source.name.to_owned(),
            offset: problem.place.offset,
            line: problem.place.line,
            reason: problem.reason.clone(),
            raw,
            incomplete,
            sessions: Vec::new(),
        });
        self.notice(problem.place, problem.reason);
    }

    fn notice(&mut self, place: Place, reason: String) {
        self.batch.notices.push(Notice { file: self.source.name.to_owned(), place: Some(place), reason });
    }

    fn hand_on(&mut self) {
        let mut batch = std::mem::take(&mut self.batch);
        batch.space.clone_from(&self.space);
        batch.n_masked = self.source.n_masked() - self.n_masked;
        self.n_masked += batch.n_masked;
        if self.send.send(Piece::Batch(batch)).is_err() {
            self.meter.stop();
        }
    }

    fn finish(&mut self) {
        // What could not be read may also be of the session that records are in which name none.
        self.sessions.insert(self.source.stem().to_owned());
        if let Some(Rest { first, mut raw, n_records }) = self.rest.take() {
            raw.truncate(KEPT_BYTES);
            let reason =
                format!("{n_records} more records cannot be read, from here on: the first one is kept");
            self.hold(Problem { place: first, reason }, raw, false);
        }
        let sessions: Vec<String> = self.sessions.iter().cloned().collect();
        self.batch.quarantined = std::mem::take(&mut self.quarantined)
            .into_iter()
            .map(|record| Quarantined { sessions: sessions.clone(), ..record })
            .collect();
        self.hand_on();
    }
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
