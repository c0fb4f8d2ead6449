//! The turns of a file whose records have few times and ids of their own: each is handed on with its time, once, and with
//! what only shows across them.

use std::convert::Infallible;

use bygone_engine::time::Instant;

use super::call_ids::CallIds;
use super::hand_on::HandOn;
use super::repeats::Repeats;
use super::stamp::Stamp;
use super::times::Times;
use super::told::Told;
use super::{Place, Read, Source};

/// Hands on the turns of a file.
pub(super) struct Turns<'a, 'out> {
    source: &'a Source<'a>,
    hand_on: HandOn<'out>,
    times: Times,
    calls: CallIds,
    repeats: Repeats,
}

impl<'a, 'out> Turns<'a, 'out> {
    pub(super) fn new(source: &'a Source<'a>, hand_on: &'out mut dyn FnMut(Read)) -> Turns<'a, 'out> {
        Turns {
            source,
            hand_on: HandOn::new(hand_on),
            times: Times::of_turns(),
            calls: CallIds::default(),
            repeats: Repeats::default(),
        }
    }

    /// Notes that the turns that follow are of another conversation, whose first time is another one.
    pub(super) fn begin(&mut self) {
        self.times.look_again();
    }

    /// Hands on a turn; an id that other files may use too counts within the session. `time` is what it tells of its time,
    /// or what is wrong with that. `ahead` finds the first time behind it, and is asked once a conversation, and only where
    /// no turn had one so far.
    pub(super) fn turn(
        &mut self,
        mut told: Told<'_>,
        time: Option<Result<Stamp, String>>,
        ahead: &dyn Fn() -> Option<Instant>,
    ) {
        let (session, bytes) = (told.session, told.bytes.unwrap_or_default());
        told.native_id = told.native_id.map(|id| native(session, id));
        let problems = &mut told.rendering.problems;
        let Ok(timed) = self.times.of(time, self.source.modified, problems, || Ok::<_, Infallible>(ahead()));
        let (turn, mut problems) = told.at(timed);
        if let Some(reason) = self.repeats.refusal(&turn) {
            return self.hand_on.set_aside(turn.place, bytes, reason);
        }
        self.calls.check(session, &turn.parts, &mut problems);
        self.hand_on.turn(turn, problems);
    }

    /// Hands on that a record holds no turn.
    pub(super) fn skip(&mut self, place: Place) {
        self.hand_on.skip(place);
    }

    /// Sets a record aside.
    pub(super) fn set_aside(&mut self, place: Place, bytes: &[u8], reason: String) {
        self.hand_on.set_aside(place, bytes, reason);
    }

    /// Tells of all that was noticed at a place.
    pub(super) fn tell_all(&mut self, place: Place, reasons: &[String]) {
        self.hand_on.tell_all(place, reasons.to_vec());
    }

    /// Tells of something that was noticed.
    pub(super) fn tell(&mut self, place: Place, reason: String) {
        self.hand_on.tell(place, reason);
    }
}

/// Returns what a record with an id is told apart by: the id, if it is long enough not to be another record's elsewhere, as
/// UUIDs and their like are (chosen, untested). `message-1` is in every file, and counts within its session.
pub(super) fn native(session: &str, id: String) -> String {
    let n_digits = id.bytes().filter(u8::is_ascii_hexdigit).count();
    if n_digits >= 20 && !id.contains(char::is_whitespace) { id } else { format!("{session}/{id}") }
}
