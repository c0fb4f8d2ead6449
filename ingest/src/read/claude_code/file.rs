//! What a session file becomes: its records in order, and what only shows across records — times taken from
//! neighbours, ids that repeat, parents that were never written.
//!
//! Of records that were read only hashes are held. Should two of them meet by chance, a remark is wrong or missing; no
//! turn is.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;

use bygone_engine::EntityRef;
use bygone_engine::time::Instant;
use serde_json::{Map, Value};

use super::record::{Frame, Held, Said, slips, without_time};
use super::{AGENT, is_ours, record};
use crate::read::call_ids::CallIds;
use crate::read::hand_on::HandOn;
use crate::read::json::{self, Found, records};
use crate::read::lines::Line;
use crate::read::repeats::{Repeats, hash_of};
use crate::read::stamp::{Stamp, read_stamp};
use crate::read::times::Timed;
use crate::read::told::Told;
use crate::read::turn_text::TurnText;
use crate::read::{Place, Read, Source};

/// Reads a session file.
pub(super) fn read(source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) -> io::Result<()> {
    let mut file = File {
        source,
        hand_on: HandOn::new(hand_on),
        last_time: None,
        first_time: FirstTime::NotLookedFor,
        records: BTreeMap::new(),
        turns: Repeats::default(),
        calls: CallIds::default(),
        orphans: BTreeMap::new(),
    };
    let mut lines = source.lines()?;
    while let Some(line) = lines.next()? {
        if let Some(reason) = &line.too_long {
            file.hand_on.set_aside(line.place, line.raw, reason.clone());
        } else if !line.is_blank() {
            file.line(&line)?;
        }
    }
    file.report_missing_parents();
    Ok(())
}

/// What is known of the file so far.
struct File<'a, 'out> {
    source: &'a Source<'a>,
    hand_on: HandOn<'out>,
    /// The time of the last record that gave one.
    last_time: Option<Instant>,
    /// The first time in the file, once it was looked for.
    first_time: FirstTime,
    /// The hash of the first record of each `uuid`, by the hash of that.
    records: BTreeMap<u64, u64>,
    /// The first turn of each `uuid`.
    turns: Repeats,
    calls: CallIds,
    /// Parents that were named and have not been read, by the hash of their `uuid`.
    orphans: BTreeMap<u64, Orphans>,
}

/// The records whose parent was not read.
struct Orphans {
    /// The first of them.
    place: Place,
    /// The parent.
    parent: String,
    n_records: u64,
}

/// The first time in a file.
#[derive(Clone, Copy)]
enum FirstTime {
    NotLookedFor,
    Found(Instant),
    Nowhere,
}

impl File<'_, '_> {
    fn line(&mut self, line: &Line<'_>) -> io::Result<()> {
        for Found { place, raw, object } in records(line, is_ours) {
            match object {
                Ok((record, problems)) => {
                    self.record(place, raw, &record, problems)?;
                }
                Err(reason) => self.hand_on.set_aside(place, raw, reason),
            }
        }
        Ok(())
    }

    fn record(
        &mut self,
        place: Place,
        raw: &[u8],
        record: &Map<String, Value>,
        mut problems: Vec<String>,
    ) -> io::Result<()> {
        let field = |key: &str| record.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let session = field("sessionId").unwrap_or(self.source.stem());
        let agent = field("agentId").unwrap_or(AGENT);
        let frame = Frame { agent, is_sidechain: self.is_sidechain(record) };
        let held = match record::read(record, &frame) {
            Ok(held) => held,
            Err(reason) => {
                self.hand_on.set_aside(place, raw, reason);
                return Ok(());
            }
        };
        let native_id = field("uuid");
        let is_repeated = native_id.is_some_and(|uuid| self.is_repeated(uuid, record));
        if let Some(parent) = field("parentUuid") {
            self.name_parent(place, parent);
        }
        let stamp = record.get("timestamp").map(read_stamp);
        if let Some(Ok(stamp)) = &stamp {
            self.last_time = Some(stamp.at);
        }
        let said = match held {
            Held::Said(said) => said,
            Held::Nothing(problem) => {
                self.hand_on.skip(place);
                problems.extend(problem);
                self.hand_on.tell_all(place, problems);
                return Ok(());
            }
        };
        let timed = self.time(record, stamp, place, &mut problems)?;
        problems.extend(slips(record));
        let Said { role, speaker, rendering } = said;
        let mut rendering = rendering.turn;
        problems.append(&mut rendering.problems);
        let agent = EntityRef::new("agent", agent).map_or(AGENT.to_owned(), |agent| agent.name().to_owned());
        let told = Told {
            place,
            bytes: Some(raw),
            session,
            position: place.line,
            role,
            speaker,
            agent: &agent,
            user: None,
            native_id: native_id.map(str::to_owned),
            cwd: field("cwd").map(str::to_owned),
            rendering: TurnText { problems, ..rendering },
        };
        let (turn, mut problems) = told.at(timed);
        if let Some(uuid) = native_id
            && self.turns.is_conflict(uuid, hash_of(&turn.episode.id))
        {
            let reason = format!("uuid {uuid:?} stands above with other content; the first one counts");
            self.hand_on.set_aside(place, raw, reason);
            return Ok(());
        }
        if !is_repeated {
            self.calls.check(session, &turn.parts, &mut problems);
        }
        self.hand_on.turn(turn, problems);
        Ok(())
    }

    /// Says whether a subagent is at work in the record; files of subagents say so by their name, too.
    fn is_sidechain(&self, record: &Map<String, Value>) -> bool {
        match record.get("isSidechain").and_then(Value::as_bool) {
            Some(is_sidechain) => is_sidechain,
            None => self.source.stem().starts_with("agent-"),
        }
    }

    /// Returns the record's time; where it gives none, that of the record before, else of the next one that has
    /// one, else the file's.
    fn time(
        &mut self,
        record: &Map<String, Value>,
        stamp: Option<Result<Stamp, String>>,
        place: Place,
        problems: &mut Vec<String>,
    ) -> io::Result<Timed> {
        let lack = match stamp {
            Some(Ok(stamp)) => {
                problems.extend(stamp.assumed.map(|assumed| format!("timestamp has {assumed}")));
                return Ok(Timed { at: stamp.at, zone: stamp.zone, is_inferred: false });
            }
            Some(Err(reason)) => format!("timestamp: {reason}"),
            None => without_time(record),
        };
        let (at, whence) = match self.last_time {
            Some(at) => (at, "the record before"),
            None => match self.first_time(place)? {
                Some(at) => (at, "the next record that has one"),
                None => (self.source.modified, "the file"),
            },
        };
        problems.push(format!("{lack}; the time is taken from {whence}"));
        Ok(Timed { at, zone: None, is_inferred: true })
    }

    /// Finds the first time after a place. Asked only while no record had one, so that one answer serves the file.
    fn first_time(&mut self, place: Place) -> io::Result<Option<Instant>> {
        if let FirstTime::NotLookedFor = self.first_time {
            self.first_time = FirstTime::Nowhere;
            let mut lines = self.source.lines_ahead()?;
            while let Some(line) = lines.next()? {
                if line.place.line < place.line || line.is_blank() || line.too_long.is_some() {
                    continue;
                }
                let stamp = |piece: json::LineValue| read_stamp(piece.value.ok()?.get("timestamp")?).ok();
                if let Some(stamp) = json::values(&line, is_ours).into_iter().find_map(stamp) {
                    self.first_time = FirstTime::Found(stamp.at);
                    break;
                }
            }
        }
        Ok(match self.first_time {
            FirstTime::Found(at) => Some(at),
            FirstTime::NotLookedFor | FirstTime::Nowhere => None,
        })
    }

    /// Says whether the same record stands above.
    fn is_repeated(&mut self, uuid: &str, record: &Map<String, Value>) -> bool {
        let (uuid, content) = (hash_of(uuid), hash_of(record));
        self.orphans.remove(&uuid);
        match self.records.entry(uuid) {
            Entry::Vacant(entry) => {
                entry.insert(content);
                false
            }
            Entry::Occupied(first) => *first.get() == content,
        }
    }

    fn name_parent(&mut self, place: Place, parent: &str) {
        let hash = hash_of(parent);
        if !self.records.contains_key(&hash) {
            let new = || Orphans { place, parent: parent.to_owned(), n_records: 0 };
            self.orphans.entry(hash).or_insert_with(new).n_records += 1;
        }
    }

    /// Reports, once for the file, the parents that no record in it is.
    fn report_missing_parents(&mut self) {
        let n_records: u64 = self.orphans.values().map(|orphans| orphans.n_records).sum();
        let Some(Orphans { place, parent, .. }) = self.orphans.values().min_by_key(|orphans| orphans.place)
        else {
            return;
        };
        let reason = format!(
            "{n_records} records name a parent that is not in the file, first {parent:?}; the file's order is used"
        );
        self.hand_on.tell(*place, reason);
    }
}
