//! What only shows across the turns of a file: times taken from neighbours, ids that repeat, calls that have no result's
//! answer above them.
//!
//! Of turns that were read only hashes are held. Should two of them meet by chance, a remark is wrong or missing, and a
//! turn may be set aside; its bytes are kept there.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, Episode, EpisodeId, Role};

use super::stamp::Stamp;
use super::turn_text::TurnText;
use super::{Part, Place, Problem, Read, Record, Source, Turn};

/// Hands on the turns of a file.
pub(super) struct Turns<'a, 'out> {
    source: &'a Source<'a>,
    hand_on: &'out mut dyn FnMut(Read),
    /// The time of the last turn that has one.
    last_time: Option<Instant>,
    /// Whether it was told that turns have no time.
    is_lack_told: bool,
    /// What was assumed to read times, as far as it was told.
    assumed: BTreeSet<&'static str>,
    /// The calls so far, by the hash of their session and id, and which of them were answered.
    calls: BTreeSet<(u64, bool)>,
    /// The turns that have an id, by the hash of that.
    ids: BTreeMap<u64, EpisodeId>,
}

/// A turn as its record tells it.
pub(super) struct Told<'a> {
    pub(super) place: Place,
    /// The record as it stands in the file.
    pub(super) bytes: &'a [u8],
    pub(super) session: &'a str,
    /// Its place in the session.
    pub(super) position: u64,
    pub(super) role: Role,
    pub(super) speaker: Option<EntityRef>,
    pub(super) agent: &'a str,
    pub(super) user: Option<&'a str>,
    /// Its time, or what is wrong with the one it gives.
    pub(super) time: Option<Result<Stamp, String>>,
    /// Its id; one that other files may use too counts within the session.
    pub(super) native_id: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) rendering: TurnText,
}

impl<'a, 'out> Turns<'a, 'out> {
    pub(super) fn new(source: &'a Source<'a>, hand_on: &'out mut dyn FnMut(Read)) -> Turns<'a, 'out> {
        Turns {
            source,
            hand_on,
            last_time: None,
            is_lack_told: false,
            assumed: BTreeSet::new(),
            calls: BTreeSet::new(),
            ids: BTreeMap::new(),
        }
    }

    /// Hands on a turn. `ahead` finds the first time behind it, and is asked only where no turn had one so far.
    pub(super) fn turn(&mut self, told: Told<'_>, ahead: &dyn Fn() -> Option<Instant>) {
        let Told { place, bytes, session, position, role, speaker, agent, user, time, native_id, .. } = told;
        let TurnText { text, parts, mut problems } = told.rendering;
        let (stamp, is_inferred) = match time {
            Some(Ok(stamp)) => (stamp, false),
            Some(Err(reason)) => {
                problems.push(reason);
                (self.inferred(ahead, &mut problems), true)
            }
            None => (self.inferred(ahead, &mut problems), true),
        };
        if !is_inferred {
            self.last_time = Some(stamp.at);
            if let Some(assumed) = stamp.assumed.filter(|assumed| self.assumed.insert(assumed)) {
                problems.push(format!("times have {assumed}, this one first"));
            }
        }
        let episode = Episode {
            id: EpisodeId::UNHASHED,
            session: session.to_owned(),
            position,
            role,
            speaker,
            agent: Some(agent.to_owned()),
            user: user.map(str::to_owned),
            time: stamp.at,
            time_inferred: is_inferred,
            zone: stamp.zone,
            native_id: native_id.map(|id| native(session, id)),
            text,
            raw: Some(bytes.to_vec()),
        }
        .with_content_id();
        if let Some(id) = &episode.native_id {
            let first = *self.ids.entry(hash_of(id)).or_insert(episode.id);
            if first != episode.id {
                let reason = format!("the id {id:?} stands above with other content; the first one counts");
                return self.set_aside(place, bytes, reason);
            }
        }
        self.check_calls(session, &parts, &mut problems);
        let turn = Turn { place, episode, cwd: told.cwd, parts };
        (self.hand_on)(Read::Record(Record::Turn(Box::new(turn))));
        for reason in problems {
            self.tell(place, reason);
        }
    }

    /// Hands on that a record holds no turn.
    pub(super) fn skip(&mut self, place: Place) {
        (self.hand_on)(Read::Record(Record::Skipped(place)));
    }

    /// Sets a record aside.
    pub(super) fn set_aside(&mut self, place: Place, bytes: &[u8], reason: String) {
        let problem = Problem { place, reason };
        (self.hand_on)(Read::Record(Record::set_aside(problem, bytes.to_vec())));
    }

    /// Tells of something that was noticed.
    pub(super) fn tell(&mut self, place: Place, reason: String) {
        (self.hand_on)(Read::Problem(Problem { place, reason }));
    }

    /// Returns the time of a turn that has none: that of the turn before, else of the next one that has one, else the file's.
    /// It is told once for the file.
    fn inferred(&mut self, ahead: &dyn Fn() -> Option<Instant>, problems: &mut Vec<String>) -> Stamp {
        let (at, whence) = match self.last_time {
            Some(at) => (at, "the turn before"),
            None => match ahead() {
                Some(at) => (at, "the next turn that has one"),
                None => (self.source.modified, "the file"),
            },
        };
        if !std::mem::replace(&mut self.is_lack_told, true) {
            problems.push(format!("turns without a time, this one first; it is taken from {whence}"));
        }
        Stamp { at, zone: None, assumed: None }
    }

    fn check_calls(&mut self, session: &str, parts: &[Part], problems: &mut Vec<String>) {
        let key = |id: &String| hash_of(&(session, id));
        for part in parts {
            match part {
                Part::ToolCall { call, .. } => {
                    if !self.calls.insert((key(call), false)) {
                        problems.push(format!("tool call id {call:?} was used before"));
                    }
                }
                Part::ToolResult { call, .. } => {
                    if !self.calls.contains(&(key(call), false)) {
                        problems
                            .push(format!("the result answers call {call:?}, which does not stand above"));
                    }
                    if !self.calls.insert((key(call), true)) {
                        problems.push(format!("tool call {call:?} was answered before"));
                    }
                }
                Part::Speech(_) | Part::Harness(_) | Part::Shown(_) | Part::Thinking(_) => {}
            }
        }
    }
}

/// Returns what a record with an id is told apart by: the id, if it is long enough not to be another record's elsewhere, as
/// UUIDs and their like are (chosen, untested). `message-1` is in every file, and counts within its session.
pub(super) fn native(session: &str, id: String) -> String {
    let n_digits = id.bytes().filter(u8::is_ascii_hexdigit).count();
    if n_digits >= 20 && !id.contains(char::is_whitespace) { id } else { format!("{session}/{id}") }
}

fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
