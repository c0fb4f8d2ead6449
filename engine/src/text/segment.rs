//! A segment of the index on disk, open: what is read from it once is kept as long as the segment is open.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tantivy::columnar::ColumnValues;
use tantivy::index::SegmentId;
use tantivy::postings::TermInfo;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{InvertedIndexReader, SegmentReader, Term};

use super::catalog::Entry;
use super::disk::{failed, is_of_all, term_text, whole};
use super::document::{Kind, Manner};
use super::sight::Sight;
use super::source::{Extent, Postings, Source};
use crate::digest::Digest;
use crate::error::StoreError;
use crate::key::SpaceId;
use crate::time::Instant;

/// An open segment, every space and kind together.
pub(super) struct Segment {
    pub(super) id: SegmentId,
    words: Arc<InvertedIndexReader>,
    field: Field,
    known: Arc<dyn ColumnValues<i64>>,
    seq: Arc<dyn ColumnValues<u64>>,
    session: Arc<dyn ColumnValues<u64>>,
    position: Arc<dyn ColumnValues<u64>>,
    speaker: Arc<dyn ColumnValues<u64>>,
    given: Arc<dyn ColumnValues<u64>>,
    manner: Arc<dyn ColumnValues<u64>>,
    id_high: Arc<dyn ColumnValues<u64>>,
    id_low: Arc<dyn ColumnValues<u64>>,
    lengths: Vec<u32>,
    /// When each document became known.
    known_at: OnceLock<Vec<i64>>,
    held: Mutex<BTreeMap<(SpaceId, Kind), Arc<Held>>>,
}

/// What a segment holds of one space and kind.
struct Held {
    documents: Vec<u32>,
    extent: Extent,
    /// How much is known by each known time at which something came to be known, in order.
    by_known: OnceLock<Vec<(i64, Extent)>>,
}

impl Segment {
    pub(super) fn open(reader: &SegmentReader, field: Field) -> Result<Segment, StoreError> {
        let columns = reader.fast_fields();
        let numbers = |name: &str| columns.u64(name).map(|column| column.values).map_err(failed);
        let mut lengths = vec![0; reader.max_doc() as usize];
        numbers("length")?.get_range(0, &mut lengths);
        Ok(Segment {
            id: reader.segment_id(),
            words: reader.inverted_index(field).map_err(failed)?,
            field,
            known: columns.i64("known").map_err(failed)?.values,
            seq: numbers("seq")?,
            session: numbers("session")?,
            position: numbers("position")?,
            speaker: numbers("speaker")?,
            given: numbers("given")?,
            manner: numbers("manner")?,
            id_high: numbers("id_high")?,
            id_low: numbers("id_low")?,
            lengths: lengths.into_iter().map(|length| u32::try_from(length).unwrap_or(u32::MAX)).collect(),
            known_at: OnceLock::new(),
            held: Mutex::default(),
        })
    }

    /// Returns what a search of one space and kind goes through.
    pub(super) fn seen(
        self: &Arc<Segment>,
        space: SpaceId,
        kind: Kind,
        sight: &Sight,
    ) -> Result<SeenSegment, StoreError> {
        let held = self.held(space, kind)?;
        let is_whole = self.seq.max_value() <= sight.last_seq && sight.sessions.is_none();
        let known = sight.known.micros();
        let (seen, extent) = if is_whole && self.known.max_value() <= known {
            (Seen::All, held.extent)
        } else if is_whole {
            (Seen::KnownBy(known), self.known_by(&held, known))
        } else {
            self.listed(&held, sight)
        };
        Ok(SeenSegment { segment: Arc::clone(self), space, kind, held, seen, extent })
    }

    fn held(&self, space: SpaceId, kind: Kind) -> Result<Arc<Held>, StoreError> {
        let mut all = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = all.get(&(space, kind)) {
            return Ok(Arc::clone(held));
        }
        let documents = self.postings(space, kind, "")?.documents;
        let extent = self.extent_of(&documents);
        let held = Arc::new(Held { documents, extent, by_known: OnceLock::new() });
        all.insert((space, kind), Arc::clone(&held));
        Ok(held)
    }

    fn extent_of(&self, documents: &[u32]) -> Extent {
        let n_words = documents.iter().map(|&document| u64::from(self.lengths[document as usize])).sum();
        Extent { n_documents: documents.len() as u64, n_words }
    }

    fn known_at(&self) -> &[i64] {
        self.known_at.get_or_init(|| {
            let mut known_at = vec![0; self.lengths.len()];
            self.known.get_range(0, &mut known_at);
            known_at
        })
    }

    fn known_by(&self, held: &Held, known: i64) -> Extent {
        let by_known = held.by_known.get_or_init(|| {
            let known_at = self.known_at();
            let mut documents = held.documents.clone();
            documents.sort_by_key(|&document| known_at[document as usize]);
            let mut so_far = Extent::default();
            let extents = documents.into_iter().map(|document| {
                so_far.n_documents += 1;
                so_far.n_words += u64::from(self.lengths[document as usize]);
                (known_at[document as usize], so_far)
            });
            extents.collect()
        });
        let n_known = by_known.partition_point(|(at, _)| *at <= known);
        n_known.checked_sub(1).map_or(Extent::default(), |last| by_known[last].1)
    }

    /// Lists the documents that are seen, for views that see parts of the log or some sessions.
    fn listed(&self, held: &Held, sight: &Sight) -> (Seen, Extent) {
        let mut documents = held.documents.clone();
        if self.known.max_value() > sight.known.micros() {
            let known_at = self.known_at();
            documents.retain(|&document| known_at[document as usize] <= sight.known.micros());
        }
        if self.seq.max_value() > sight.last_seq {
            documents.retain(|&document| self.seq.get_val(document) <= sight.last_seq);
        }
        documents.retain(|&document| sight.sessions.is_none() || sight.hears(self.session.get_val(document)));
        let extent = self.extent_of(&documents);
        let mut is_seen = vec![false; self.lengths.len()];
        for document in documents {
            is_seen[document as usize] = true;
        }
        (Seen::Listed(is_seen), extent)
    }

    fn postings(&self, space: SpaceId, kind: Kind, word: &str) -> Result<Postings, StoreError> {
        let term = Term::from_field_text(self.field, &term_text(kind, space, word));
        let Some(info) = self.words.get_term_info(&term).map_err(failed)? else {
            return Ok(Postings::default());
        };
        self.read(&info)
    }

    fn read(&self, info: &TermInfo) -> Result<Postings, StoreError> {
        let option = IndexRecordOption::WithFreqs;
        let mut blocks = self.words.read_block_postings_from_terminfo(info, option).map_err(failed)?;
        let mut postings = Postings::default();
        postings.documents.reserve(info.doc_freq as usize);
        postings.counts.reserve(info.doc_freq as usize);
        while !blocks.docs().is_empty() {
            postings.extend(blocks.docs(), blocks.freqs());
            blocks.advance();
        }
        Ok(postings)
    }

    /// Adds everything that it holds to a digest, word by word and document by document.
    pub(super) fn add_to(&self, digest: &mut Digest) -> Result<(), StoreError> {
        let mut terms = self.words.terms().stream().map_err(failed)?;
        while let Some((word, info)) = terms.next() {
            let word = std::str::from_utf8(word).map_err(failed)?;
            let postings = self.read(info)?;
            postings.add_to(digest, word, |document| self.id(document));
            if is_of_all(word) {
                for document in postings.documents {
                    self.entry(document).add_to(digest, word);
                }
            }
        }
        Ok(())
    }

    fn id(&self, document: u32) -> [u8; 16] {
        whole(self.id_high.get_val(document), self.id_low.get_val(document))
    }

    fn entry(&self, document: u32) -> Entry {
        Entry {
            id: self.id(document),
            session: self.session.get_val(document),
            position: self.position.get_val(document),
            known_at: Instant::from_raw(self.known.get_val(document)),
            seq: self.seq.get_val(document),
            speaker: self.speaker.get_val(document),
            given: self.given.get_val(document),
            manner: Manner::from_number(self.manner.get_val(document)),
            length: self.lengths[document as usize],
        }
    }
}

/// Which documents of a segment a view sees, of those of its space and kind.
enum Seen {
    All,
    /// Those that were known by then, in microseconds.
    KnownBy(i64),
    /// By number.
    Listed(Vec<bool>),
}

/// A segment as a view sees one space and kind.
pub(super) struct SeenSegment {
    segment: Arc<Segment>,
    space: SpaceId,
    kind: Kind,
    held: Arc<Held>,
    seen: Seen,
    extent: Extent,
}

impl SeenSegment {
    fn is_seen(&self, document: u32) -> bool {
        match &self.seen {
            Seen::All => true,
            Seen::KnownBy(known) => self.segment.known.get_val(document) <= *known,
            Seen::Listed(is_seen) => is_seen[document as usize],
        }
    }
}

impl Source for SeenSegment {
    fn extent(&self) -> Extent {
        self.extent
    }

    fn postings(&self, word: &str) -> Result<Postings, StoreError> {
        let mut postings = self.segment.postings(self.space, self.kind, word)?;
        match &self.seen {
            Seen::All => {}
            Seen::KnownBy(known) => {
                let known_at = self.segment.known_at();
                postings.retain(|document| known_at[document as usize] <= *known);
            }
            Seen::Listed(is_seen) => postings.retain(|document| is_seen[document as usize]),
        }
        Ok(postings)
    }

    fn entries(&self) -> Vec<(u32, Entry)> {
        let documents = self.held.documents.iter().copied().filter(|&document| self.is_seen(document));
        documents.map(|document| (document, self.segment.entry(document))).collect()
    }

    fn lengths(&self) -> &[u32] {
        &self.segment.lengths
    }

    fn known_at(&self, document: u32) -> Instant {
        Instant::from_raw(self.segment.known.get_val(document))
    }

    fn id(&self, document: u32) -> [u8; 16] {
        self.segment.id(document)
    }
}
