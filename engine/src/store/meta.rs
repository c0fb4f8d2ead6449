//! What a store knows about itself: its format, its counters, its spaces, the definitions its facts follow.

use serde::{Deserialize, Serialize};

use crate::backend::{Batch, Reader, Table};
use crate::codec::{decode, encode};
use crate::error::StoreError;
use crate::key::SpaceId;
use crate::record::Declared;
use crate::text::Language;
use crate::time::{Granularity, Instant};
use crate::vector::ModelName;

/// The format that is written. It is frozen: whatever changes what is stored is a step in `migrate.rs` and the next number.
pub const FORMAT_VERSION: u32 = 1;

const FORMAT: &[u8] = b"format";
const LAYOUT: &[u8] = b"layout";
const STEP: &[u8] = b"step";
const FINGERPRINT: &[u8] = b"fingerprint";
const COUNTERS: &[u8] = b"counters";
const PURGE: &[u8] = b"purge";
const SPACES: &[u8] = b"space/";
const DECLARED: &[u8] = b"declared/";
const LANGUAGE: &[u8] = b"language";
const MODEL: &[u8] = b"model";

/// The last values given out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counters {
    /// The last sequence number; 0 before the first commit.
    pub(super) seq: u64,
    /// The wall-clock stamp of the last commit.
    pub(super) at: Instant,
    /// How many spaces were made.
    pub(super) spaces: u32,
}

impl Counters {
    /// Takes the next sequence number, and a stamp that is later than every one before it.
    ///
    /// # Errors
    /// [`StoreError::Clock`] in the last year there is.
    pub(super) fn advance(&mut self, now: Instant) -> Result<(), StoreError> {
        if now >= Granularity::Year.floor(Instant::LAST) {
            return Err(StoreError::Clock(now.to_rfc3339()));
        }
        self.seq += 1;
        self.at = if self.seq == 1 { now } else { now.max(self.at.next()) };
        Ok(())
    }
}

impl Default for Counters {
    fn default() -> Counters {
        Counters { seq: 0, at: Instant::from_raw(0), spaces: 0 }
    }
}

pub(super) fn format(reader: &dyn Reader) -> Result<Option<u32>, StoreError> {
    // Plain bytes, so that every version can read what every other wrote.
    match reader.read(Table::Meta, FORMAT)? {
        None => Ok(None),
        Some(bytes) => match bytes.try_into() {
            Ok(bytes) => Ok(Some(u32::from_be_bytes(bytes))),
            Err(_) => Err(StoreError::corrupt("the format version is not four bytes")),
        },
    }
}

pub(super) fn put_format(batch: &mut Batch, version: u32) {
    batch.put(Table::Meta, FORMAT.to_vec(), version.to_be_bytes().to_vec());
}

/// Says whether a step to the format that the store bears was begun and has not ended.
pub(super) fn is_step_under_way(reader: &dyn Reader) -> Result<bool, StoreError> {
    Ok(reader.read(Table::Meta, STEP)?.is_some())
}

/// Notes that a step begins, or ends.
pub(super) fn put_step_under_way(batch: &mut Batch, is_under_way: bool) {
    if is_under_way {
        batch.put(Table::Meta, STEP.to_vec(), Vec::new());
    } else {
        batch.remove(Table::Meta, STEP.to_vec());
    }
}

/// Returns which of the layouts of version 0 a store of that version has; the first of them did not say so.
pub(super) fn layout(reader: &dyn Reader) -> Result<u32, StoreError> {
    let bytes = reader.read(Table::Meta, LAYOUT)?;
    bytes.map_or(Ok(0), |bytes| decode("the layout", &bytes))
}

/// Forgets the layout: later versions have one each.
pub(super) fn remove_layout(batch: &mut Batch) {
    batch.remove(Table::Meta, LAYOUT.to_vec());
}

pub(super) fn fingerprint(reader: &dyn Reader) -> Result<Option<u64>, StoreError> {
    reader.read(Table::Meta, FINGERPRINT)?.map(|bytes| decode("the fingerprint", &bytes)).transpose()
}

pub(super) fn put_fingerprint(batch: &mut Batch, fingerprint: u64) {
    batch.put(Table::Meta, FINGERPRINT.to_vec(), encode(&fingerprint));
}

pub(super) fn counters(reader: &dyn Reader) -> Result<Counters, StoreError> {
    match reader.read(Table::Meta, COUNTERS)? {
        Some(bytes) => decode("the counters", &bytes),
        None => Err(StoreError::corrupt("the counters are missing")),
    }
}

pub(super) fn put_counters(batch: &mut Batch, counters: &Counters) {
    batch.put(Table::Meta, COUNTERS.to_vec(), encode(counters));
}

/// Says whether something was erased whose bytes may still lie in the storage.
pub(super) fn is_purge_due(reader: &dyn Reader) -> Result<bool, StoreError> {
    Ok(reader.read(Table::Meta, PURGE)?.is_some())
}

/// Notes that a purge is due, or done.
pub(super) fn put_purge(batch: &mut Batch, is_due: bool) {
    if is_due {
        batch.put(Table::Meta, PURGE.to_vec(), Vec::new());
    } else {
        batch.remove(Table::Meta, PURGE.to_vec());
    }
}

/// Returns the language that texts are in; English where none was ever set.
pub(super) fn language(reader: &dyn Reader) -> Result<Language, StoreError> {
    let Some(bytes) = reader.read(Table::Meta, LANGUAGE)? else { return Ok(Language::default()) };
    let name = std::str::from_utf8(&bytes).ok();
    name.and_then(Language::named).ok_or_else(|| StoreError::corrupt("the language is none there is"))
}

pub(super) fn put_language(batch: &mut Batch, language: Language) {
    batch.put(Table::Meta, LANGUAGE.to_vec(), language.name().as_bytes().to_vec());
}

/// Returns the model that the store's vectors are of; nothing where none were ever made.
pub(super) fn model(reader: &dyn Reader) -> Result<Option<ModelName>, StoreError> {
    reader.read(Table::Meta, MODEL)?.map(|bytes| decode("the model of the vectors", &bytes)).transpose()
}

pub(super) fn put_model(batch: &mut Batch, model: &ModelName) {
    batch.put(Table::Meta, MODEL.to_vec(), encode(model));
}

fn space_key(name: &str) -> Vec<u8> {
    [SPACES, name.as_bytes()].concat()
}

pub(super) fn space(reader: &dyn Reader, name: &str) -> Result<Option<SpaceId>, StoreError> {
    reader.read(Table::Meta, &space_key(name))?.map(|bytes| decode("a space", &bytes)).transpose()
}

pub(super) fn put_space(batch: &mut Batch, name: &str, id: SpaceId) {
    batch.put(Table::Meta, space_key(name), encode(&id));
}

pub(super) fn spaces(reader: &dyn Reader) -> Result<Vec<String>, StoreError> {
    reader
        .scan_prefix(Table::Meta, SPACES)
        .map(|pair| {
            let (key, _) = pair?;
            String::from_utf8(key[SPACES.len()..].to_vec())
                .map_err(|_| StoreError::corrupt("a space's name is not UTF-8"))
        })
        .collect()
}

/// Returns what the store declared, in the order of its commits.
pub(super) fn declared(reader: &dyn Reader) -> Result<Vec<Declared>, StoreError> {
    reader.scan_prefix(Table::Meta, DECLARED).map(|pair| decode("a declaration", &pair?.1)).collect()
}

pub(super) fn put_declared(batch: &mut Batch, declared: &Declared) {
    let key = [DECLARED, declared.seq.to_be_bytes().as_slice()].concat();
    batch.put(Table::Meta, key, encode(declared));
}
