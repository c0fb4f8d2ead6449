//! The part of the index that tantivy keeps: postings with their counts, and a column a thing that a view must know.
//!
//! ```text
//! words    t3:paint      a turn of space 3 has the word "paint"; t3: alone stands in every turn of space 3
//! columns  known, seq, session, position, speaker, given, manner, length, id_high, id_low
//! payload  {"seq": …, "digest": …, "words": …}   how far the log was followed and by which rules, in the same commit
//! ```
//!
//! The space is part of the word, so that no search can meet, or count, what another space holds. Documents are never
//! deleted: where something was erased the index is thrown away and made again.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tantivy::schema::{
    FAST, Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, TantivyDocument};

use super::document::{Document, Kind};
use super::sealed::{self, Sealed};
use super::segment::Segment;
use super::words::Analyzer;
use crate::error::StoreError;
use crate::key::SpaceId;
use crate::log::Mark;
use crate::own;

/// Memory the writer fills before it writes a segment.
const WRITER_BYTES: usize = 64 << 20;

/// What is kept with each commit.
#[derive(Serialize, Deserialize)]
struct Payload {
    seq: u64,
    /// Of the log up to there, in hexadecimal.
    digest: String,
    /// The name of the rules by which words were made.
    words: String,
}

#[derive(Clone, Copy)]
pub(super) struct Fields {
    words: Field,
    known: Field,
    seq: Field,
    session: Field,
    position: Field,
    speaker: Field,
    given: Field,
    manner: Field,
    length: Field,
    id_high: Field,
    id_low: Field,
}

/// An index in a folder, or in memory where there is none.
pub(super) struct Disk {
    /// `None` where it is in memory.
    sealed: Option<Sealed>,
    analyzer: Analyzer,
    index: Index,
    reader: IndexReader,
    fields: Fields,
    segments: Vec<Arc<Segment>>,
    mark: Mark,
}

pub(super) fn failed(error: impl std::fmt::Display) -> StoreError {
    StoreError::Storage(format!("the text index failed: {error}"))
}

pub(super) fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("whitespace")
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::WithFreqs);
    let column = NumericOptions::from(FAST);
    let fields = Fields {
        words: schema.add_text_field("words", TextOptions::default().set_indexing_options(indexing)),
        known: schema.add_i64_field("known", column.clone()),
        seq: schema.add_u64_field("seq", column.clone()),
        session: schema.add_u64_field("session", column.clone()),
        position: schema.add_u64_field("position", column.clone()),
        speaker: schema.add_u64_field("speaker", column.clone()),
        given: schema.add_u64_field("given", column.clone()),
        manner: schema.add_u64_field("manner", column.clone()),
        length: schema.add_u64_field("length", column.clone()),
        id_high: schema.add_u64_field("id_high", column.clone()),
        id_low: schema.add_u64_field("id_low", column),
    };
    (schema.build(), fields)
}

/// The form in which a word stands in the index.
pub(super) fn term_text(kind: Kind, space: SpaceId, word: &str) -> String {
    format!("{}{:x}:{word}", kind.letter(), space.0)
}

/// Says whether a word, in the form in which it stands in the index, is the one that every document of its space and kind
/// has.
pub(super) fn is_of_all(term: &str) -> bool {
    term.find(':') == Some(term.len() - 1)
}

impl Disk {
    /// Opens the index in a folder; one that is missing, damaged, or made by other rules is made anew. Says whether files
    /// of an index were there that could not be used.
    pub(super) fn open(folder: Option<&Path>, analyzer: Analyzer) -> Result<(Disk, bool), StoreError> {
        let is_there =
            |folder: &Path| own::names(folder, sealed::is_own).is_ok_and(|names| !names.is_empty());
        let was_there = folder.is_some_and(is_there);
        match folder.and_then(|folder| Disk::kept(folder, analyzer)) {
            Some(disk) => Ok((disk, false)),
            None => Ok((Disk::anew(folder, analyzer)?, was_there)),
        }
    }

    /// Opens the index that a folder holds, if it holds a sound one. Every file is read and compared with what was written.
    pub(super) fn kept(folder: &Path, analyzer: Analyzer) -> Option<Disk> {
        let open = || {
            let sealed = Sealed::open(folder).ok()?;
            Disk::over(Index::open(sealed.clone()).ok()?, Some(sealed), analyzer).ok()
        };
        // tantivy panics where its files do not go together, which only another program can have written.
        std::panic::catch_unwind(open).ok().flatten()
    }

    /// Throws away what the folder holds and makes an empty index.
    pub(super) fn anew(folder: Option<&Path>, analyzer: Analyzer) -> Result<Disk, StoreError> {
        let Some(folder) = folder else {
            return Disk::over(Index::create_in_ram(schema().0), None, analyzer);
        };
        remove(folder)?;
        let sealed = Sealed::anew(folder).map_err(failed)?;
        let index = Index::create(sealed.clone(), schema().0, IndexSettings::default());
        Disk::over(index.map_err(failed)?, Some(sealed), analyzer)
    }

    pub(super) fn over(index: Index, sealed: Option<Sealed>, analyzer: Analyzer) -> Result<Disk, StoreError> {
        let (schema, fields) = schema();
        if index.schema() != schema {
            return Err(failed("its fields are those of another version"));
        }
        let payload = index.load_metas().map_err(failed)?.payload;
        let mark = match payload {
            None => Mark::START,
            Some(payload) => {
                let Payload { seq, digest, words } = serde_json::from_str(&payload).map_err(failed)?;
                if words != analyzer.name() {
                    return Err(failed("its words are those of other rules"));
                }
                Mark { seq, digest: u128::from_str_radix(&digest, 16).map_err(failed)? }
            }
        };
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).num_warming_threads(0);
        let reader = reader.try_into().map_err(failed)?;
        let mut disk = Disk { sealed, analyzer, index, reader, fields, segments: Vec::new(), mark };
        disk.open_segments()?;
        Ok(disk)
    }

    /// Returns how far the log was followed.
    pub(super) fn mark(&self) -> Mark {
        self.mark
    }

    /// Returns the rules by which words are made.
    pub(super) fn analyzer(&self) -> Analyzer {
        self.analyzer
    }

    /// Reads every file of the folder again.
    ///
    /// # Errors
    /// The names of those that are not what was written.
    pub(super) fn check_files(&self) -> Result<(), StoreError> {
        let Some(sealed) = &self.sealed else { return Ok(()) };
        let files = self.index.load_metas().map_err(failed)?.list_segment_files();
        let changed = sealed.changed_files(&files);
        if changed.is_empty() { Ok(()) } else { Err(failed(format!("damaged: {}", changed.join(", ")))) }
    }

    /// Returns the segments that a search goes through.
    pub(super) fn segments(&self) -> &[Arc<Segment>] {
        &self.segments
    }

    /// Adds documents, in batches that each become durable together with the mark that comes with them.
    pub(super) fn add(
        &mut self,
        batches: impl Iterator<Item = Result<(Vec<Document>, Mark), StoreError>>,
    ) -> Result<(), StoreError> {
        let mut writer: IndexWriter = self.index.writer_with_num_threads(1, WRITER_BYTES).map_err(failed)?;
        let written = self.write(&mut writer, batches);
        // Nothing writes to the folder once this returns, however it went.
        writer.wait_merging_threads().map_err(failed).and(written)?;
        self.reader.reload().map_err(failed)?;
        self.open_segments()
    }

    fn write(
        &mut self,
        writer: &mut IndexWriter,
        batches: impl Iterator<Item = Result<(Vec<Document>, Mark), StoreError>>,
    ) -> Result<(), StoreError> {
        for batch in batches {
            let (documents, mark) = batch?;
            for document in &documents {
                writer.add_document(self.to_tantivy(document)).map_err(failed)?;
            }
            let mut commit = writer.prepare_commit().map_err(failed)?;
            let digest = format!("{:032x}", mark.digest);
            let payload = Payload { seq: mark.seq, digest, words: self.analyzer.name() };
            commit.set_payload(&serde_json::to_string(&payload).map_err(failed)?);
            commit.commit().map_err(failed)?;
            self.mark = mark;
        }
        Ok(())
    }

    /// Opens the segments that are new, and keeps what was read from those that are not.
    fn open_segments(&mut self) -> Result<(), StoreError> {
        let searcher = self.reader.searcher();
        let opened = searcher.segment_readers().iter().map(|reader| {
            let is_it = |segment: &&Arc<Segment>| segment.id == reader.segment_id();
            match self.segments.iter().find(is_it) {
                Some(segment) => Ok(Arc::clone(segment)),
                None => Segment::open(reader, self.fields.words).map(Arc::new),
            }
        });
        self.segments = opened.collect::<Result<_, StoreError>>()?;
        Ok(())
    }

    fn to_tantivy(&self, document: &Document) -> TantivyDocument {
        let of_all = term_text(document.kind, document.space, "");
        let mut text = of_all.clone();
        for word in &document.words {
            text.push(' ');
            text.push_str(&of_all);
            text.push_str(word);
        }
        let [high, low] = halves(document.id);
        let fields = &self.fields;
        let mut made = TantivyDocument::default();
        made.add_text(fields.words, text);
        made.add_i64(fields.known, document.known_at.micros());
        made.add_u64(fields.seq, document.seq);
        made.add_u64(fields.session, document.session);
        made.add_u64(fields.position, document.position);
        made.add_u64(fields.speaker, document.speaker);
        made.add_u64(fields.given, document.given);
        made.add_u64(fields.manner, document.manner.number());
        made.add_u64(fields.length, document.length.into());
        made.add_u64(fields.id_high, high);
        made.add_u64(fields.id_low, low);
        made
    }
}

/// Removes an index from a folder, and the folder where nothing else is in it.
pub(super) fn remove(folder: &Path) -> Result<(), StoreError> {
    own::remove_all(folder, sealed::is_own).map_err(failed)
}

fn halves(id: [u8; 16]) -> [u64; 2] {
    let whole = u128::from_be_bytes(id);
    [whole >> 64, whole & u128::from(u64::MAX)].map(|half| u64::try_from(half).unwrap_or(u64::MAX))
}

pub(super) fn whole(high: u64, low: u64) -> [u8; 16] {
    ((u128::from(high) << 64) | u128::from(low)).to_be_bytes()
}
