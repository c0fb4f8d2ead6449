//! The heartbeats that this process received itself, by a clock that does not jump.
//!
//! The wall clock is set, jumps and sleeps; who was heard of a moment ago is not dead for that. What stands here decides
//! on the present alone, and lives as long as the process.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant as Monotonic;

use bygone_engine::time::Instant;
use bygone_query::state::Incarnation;
use bygone_query::state::liveness::{Heard, Heartbeat};

/// A space of a store, and a run there.
type Key = (PathBuf, String, Incarnation);

/// When a heartbeat was received.
#[derive(Clone, Copy, Debug)]
struct Received {
    /// The stamp under which it was recorded.
    beat_at: Instant,
    on: Monotonic,
}

/// The last heartbeats of runs, in whatever stores and spaces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beats(Arc<Mutex<BTreeMap<Key, Received>>>);

impl Beats {
    /// Returns those of one space.
    pub(crate) fn of_space(&self, store: &Path, space: &str) -> SpaceBeats {
        SpaceBeats { beats: self.clone(), store: store.to_owned(), space: space.to_owned() }
    }
}

/// The last heartbeats of the runs of one space.
#[derive(Clone, Debug)]
pub(crate) struct SpaceBeats {
    beats: Beats,
    store: PathBuf,
    space: String,
}

impl SpaceBeats {
    /// Notes that a heartbeat was received just now. One that was noted before was sent twice and is no older for that.
    pub(crate) fn receive(&self, run: &Incarnation, beat_at: Instant) {
        let received = Received { beat_at, on: Monotonic::now() };
        let mut beats = self.beats.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = beats.entry((self.store.clone(), self.space.clone(), run.clone())).or_insert(received);
        if last.beat_at < beat_at {
            *last = received;
        }
    }

    /// Forgets a run that ended.
    pub(crate) fn forget(&self, run: &Incarnation) {
        let mut beats = self.beats.0.lock().unwrap_or_else(PoisonError::into_inner);
        beats.remove(&(self.store.clone(), self.space.clone(), run.clone()));
    }

    /// Returns how long ago each was received.
    pub(crate) fn heard(&self) -> Heard {
        let beats = self.beats.0.lock().unwrap_or_else(PoisonError::into_inner);
        let here = beats.iter().filter(|((store, space, _), _)| *store == self.store && *space == self.space);
        here.map(|((_, _, run), received)| {
            let ago_micros = i64::try_from(received.on.elapsed().as_micros()).unwrap_or(i64::MAX);
            (run.clone(), Heartbeat { beat_at: received.beat_at, ago_micros })
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(agent: &str) -> Incarnation {
        Incarnation { agent: agent.to_owned(), epoch: 1 }
    }

    fn at(micros: i64) -> Instant {
        Instant::from_micros(micros).expect("an instant")
    }

    #[test]
    fn spaces_and_stores_are_kept_apart() {
        let beats = Beats::default();
        let here = beats.of_space(Path::new("a.db"), "default");
        here.receive(&run("builder"), at(1));
        here.receive(&run("tester"), at(2));
        for (store, space, n_heard) in [("a.db", "default", 2), ("a.db", "other", 0), ("b.db", "default", 0)]
        {
            assert_eq!(beats.of_space(Path::new(store), space).heard().len(), n_heard, "{store} {space}");
        }
        here.forget(&run("builder"));
        assert_eq!(here.heard().into_keys().collect::<Vec<_>>(), [run("tester")]);
    }

    #[test]
    fn the_last_heartbeat_counts_and_one_sent_again_does_not() {
        let here = Beats::default().of_space(Path::new("a.db"), "default");
        for (beat_at, expected) in [(1, 1), (5, 5), (5, 5), (3, 5)] {
            here.receive(&run("builder"), at(beat_at));
            assert_eq!(here.heard()[&run("builder")].beat_at, at(expected));
        }
    }
}
