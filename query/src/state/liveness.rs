//! Whether a run lives, by the signs there are of it and the instant asked about. Pure: nothing is read here.
//!
//! ```text
//!            heartbeat            lease runs out          one lease later
//! unknown ──────┬──── alive ────────────┬───── suspect ────────┬──── dead
//!               │                       │                      │
//!               └── a heartbeat brings it back from any of these ──┘
//!
//! ended, or fenced by a later epoch: dead for good; so is who dies with one that is
//! ```
//!
//! Invariants:
//! - Nobody is alive without a lease that covers the instant.
//! - Who dies with another is not alive while that one is dead; a circle of parents kills nobody.
//! - Where this process received the heartbeat itself, how long ago that was by a clock that does not jump decides, and
//!   not the wall clock.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::time::Instant;
use serde::{Deserialize, Serialize};

use super::incarnation::Incarnation;

/// Whether a run lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Liveness {
    /// Its lease covers the instant.
    Alive,
    /// Its lease ran out less than its own length ago.
    Suspect,
    /// No heartbeat was ever received.
    Unknown,
    /// It ended, or is taken to have ended.
    Dead,
}

impl Liveness {
    /// Returns the word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Liveness::Alive => "alive",
            Liveness::Suspect => "suspect",
            Liveness::Unknown => "unknown",
            Liveness::Dead => "dead",
        }
    }
}

/// Whether a run ends with its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lifetime {
    /// It runs within its parent.
    DiesWith,
    /// It goes on without it.
    #[default]
    Independent,
}

impl Lifetime {
    /// Returns the word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Lifetime::DiesWith => "dies-with",
            Lifetime::Independent => "independent",
        }
    }

    /// Reads the word for it.
    pub fn from_name(name: &str) -> Option<Lifetime> {
        [Lifetime::DiesWith, Lifetime::Independent].into_iter().find(|lifetime| lifetime.name() == name)
    }
}

/// The lease of a heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// When the heartbeat was received.
    pub beat_at: Instant,
    /// When the lease runs out.
    pub until: Instant,
}

impl Lease {
    /// Returns how long it is.
    pub fn ttl_micros(self) -> i64 {
        self.until.micros().saturating_sub(self.beat_at.micros())
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Why.
    pub reason: String,
    /// When.
    pub at: Instant,
}

/// What there is of a run that says whether it lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signs {
    /// When it started.
    pub started_at: Instant,
    /// The lease of its last heartbeat.
    pub lease: Option<Lease>,
    /// Its end, where one was told.
    pub ended: Option<Ending>,
    /// The last epoch of its agent, where that is a later one.
    pub fenced_by: Option<u64>,
    /// Who started it.
    pub parent: Option<Incarnation>,
    /// Whether it ends with its parent.
    pub lifetime: Lifetime,
}

/// A heartbeat that this process received itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heartbeat {
    /// The stamp under which it was recorded: it says nothing of any later heartbeat.
    pub beat_at: Instant,
    /// How long ago that was, by a clock that does not jump.
    pub ago_micros: i64,
}

/// The last heartbeats that this process received itself.
pub type Heard = BTreeMap<Incarnation, Heartbeat>;

/// Whether a run lives, and on what that rests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Whether it lives.
    pub liveness: Liveness,
    /// Why that is so, in words.
    pub basis: String,
    /// Whether no heartbeat can bring it back: it ended or was fenced, or dies with one that did.
    pub is_final: bool,
    /// How long ago its last heartbeat was.
    pub age_micros: Option<i64>,
}

/// Judges whether a run lives at an instant; nothing where there are no signs of it.
///
/// # Errors
/// What `signs` fails of.
pub fn judge<E>(
    run: &Incarnation,
    at: Instant,
    heard: &Heard,
    mut signs: impl FnMut(&Incarnation) -> Result<Option<Signs>, E>,
) -> Result<Option<Judged>, E> {
    let Some(own) = signs(run)? else { return Ok(None) };
    let judged = by_itself(&own, at, heard.get(run));
    if judged.is_final {
        return Ok(Some(judged));
    }
    // The dead one nearest above, unless one above is dead for good.
    let mut killed_by: Option<(Incarnation, Judged)> = None;
    let mut passed = BTreeSet::from([run.clone()]);
    let mut below = own;
    while below.lifetime == Lifetime::DiesWith
        && let Some(parent) = below.parent.take()
        && passed.insert(parent.clone())
        && let Some(above) = signs(&parent)?
    {
        let of_parent = by_itself(&above, at, heard.get(&parent));
        let is_final = of_parent.is_final;
        if of_parent.liveness == Liveness::Dead && (is_final || killed_by.is_none()) {
            killed_by = Some((parent, of_parent));
        }
        if is_final {
            break;
        }
        below = above;
    }
    Ok(Some(match killed_by {
        Some((parent, of_parent)) if of_parent.is_final || judged.liveness != Liveness::Dead => Judged {
            liveness: Liveness::Dead,
            basis: format!("it dies with {parent}, which is dead: {}", of_parent.basis),
            is_final: of_parent.is_final,
            age_micros: judged.age_micros,
        },
        _ => judged,
    }))
}

/// Judges a run as if it had no parent.
fn by_itself(signs: &Signs, at: Instant, heard: Option<&Heartbeat>) -> Judged {
    let heard = heard.filter(|heard| signs.lease.is_some_and(|lease| lease.beat_at == heard.beat_at));
    let age_micros = signs.lease.map(|lease| match heard {
        Some(heard) => heard.ago_micros,
        None => at.micros().saturating_sub(lease.beat_at.micros()).max(0),
    });
    let dead_for_good = |basis| Judged { liveness: Liveness::Dead, basis, is_final: true, age_micros };
    if let Some(ended) = &signs.ended {
        return dead_for_good(format!("it ended on {}: {}", ended.at.to_rfc3339(), ended.reason));
    }
    if let Some(epoch) = signs.fenced_by {
        return dead_for_good(format!("epoch {epoch} of the same agent fences it"));
    }
    let (Some(lease), Some(age)) = (signs.lease, age_micros) else {
        let basis = "no heartbeat was ever received".to_owned();
        return Judged { liveness: Liveness::Unknown, basis, is_final: false, age_micros };
    };
    let ttl = lease.ttl_micros();
    let (length, until) = (words_of(ttl), lease.until.to_rfc3339());
    let (liveness, basis) = match (heard, age.saturating_sub(ttl)) {
        (None, over) if over < 0 => (Liveness::Alive, format!("its lease runs until {until}")),
        (Some(_), over) if over < 0 => {
            let told = words_of(age);
            (
                Liveness::Alive,
                format!("this process received a heartbeat {told} ago, with a lease of {length}"),
            )
        }
        (_, over) => {
            let told = words_of(over);
            let liveness = if over < ttl { Liveness::Suspect } else { Liveness::Dead };
            let basis = match heard {
                None => format!("its lease of {length} ran out {told} ago, on {until}"),
                Some(_) => format!("its lease of {length} ran out {told} ago by this process's own clock"),
            };
            (liveness, basis)
        }
    };
    Judged { liveness, basis, is_final: false, age_micros }
}

/// Says a length of time in one unit, rounded down.
pub fn words_of(micros: i64) -> String {
    let seconds = micros / 1_000_000;
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    const SECOND: i64 = 1_000_000;
    const HOUR: i64 = 3_600 * SECOND;

    fn at(seconds: i64) -> Instant {
        Instant::from_micros(1_700_000_000 * SECOND + seconds * SECOND).expect("an instant")
    }

    fn run(agent: &str) -> Incarnation {
        Incarnation { agent: agent.to_owned(), epoch: 1 }
    }

    /// A run with a lease of a minute from second 0.
    fn leased() -> Signs {
        Signs {
            started_at: at(0),
            lease: Some(Lease { beat_at: at(0), until: at(60) }),
            ended: None,
            fenced_by: None,
            parent: None,
            lifetime: Lifetime::Independent,
        }
    }

    fn judged(signs: &[(&str, Signs)], agent: &str, at: Instant, heard: &Heard) -> Judged {
        let of = |wanted: &Incarnation| {
            let found = signs.iter().find(|(name, _)| run(name) == *wanted);
            Ok::<_, Infallible>(found.map(|(_, signs)| signs.clone()))
        };
        judge(&run(agent), at, heard, of).unwrap_or_else(|never| match never {}).expect("signs")
    }

    fn liveness(signs: &[(&str, Signs)], agent: &str, seconds: i64) -> Liveness {
        judged(signs, agent, at(seconds), &Heard::new()).liveness
    }

    #[test]
    fn a_lease_lapses_through_suspicion() {
        let signs = [("a", leased())];
        for (seconds, expected) in [
            (0, Liveness::Alive),
            (59, Liveness::Alive),
            (60, Liveness::Suspect),
            (119, Liveness::Suspect),
            (120, Liveness::Dead),
            (100_000, Liveness::Dead),
        ] {
            assert_eq!(liveness(&signs, "a", seconds), expected, "{seconds}");
        }
        let over = judged(&signs, "a", at(80), &Heard::new());
        assert_eq!(over.basis, "its lease of 60 s ran out 20 s ago, on 2023-11-14T22:14:20Z");
        assert_eq!((over.age_micros, over.is_final), (Some(80 * SECOND), false));
    }

    #[test]
    fn who_never_gave_a_heartbeat_is_unknown() {
        let signs = [("a", Signs { lease: None, ..leased() })];
        assert_eq!(liveness(&signs, "a", 0), Liveness::Unknown);
    }

    #[test]
    fn an_end_and_a_later_epoch_outweigh_the_lease() {
        let ended = Signs { ended: Some(Ending { reason: "exit".to_owned(), at: at(5) }), ..leased() };
        let fenced = Signs { fenced_by: Some(2), ..leased() };
        for signs in [ended, fenced] {
            let heard = Heard::from([(run("a"), Heartbeat { beat_at: at(0), ago_micros: SECOND })]);
            let judged = judged(&[("a", signs)], "a", at(10), &heard);
            assert_eq!((judged.liveness, judged.is_final), (Liveness::Dead, true), "{}", judged.basis);
        }
    }

    fn child_of(parent: &str, lifetime: Lifetime) -> Signs {
        Signs { parent: Some(run(parent)), lifetime, ..leased() }
    }

    #[test]
    fn death_reaches_whoever_dies_with_the_dead_however_far_below() {
        let ended = Signs { ended: Some(Ending { reason: "restart".to_owned(), at: at(5) }), ..leased() };
        let signs = [
            ("lead", ended),
            ("child", child_of("lead", Lifetime::DiesWith)),
            ("grandchild", child_of("child", Lifetime::DiesWith)),
            ("free", child_of("child", Lifetime::Independent)),
            ("below the free", child_of("free", Lifetime::DiesWith)),
        ];
        for (agent, expected) in [
            ("child", Liveness::Dead),
            ("grandchild", Liveness::Dead),
            ("free", Liveness::Alive),
            ("below the free", Liveness::Alive),
        ] {
            assert_eq!(liveness(&signs, agent, 10), expected, "{agent}");
        }
        let grandchild = judged(&signs, "grandchild", at(10), &Heard::new());
        let basis = "it dies with lead#1, which is dead: it ended on 2023-11-14T22:13:25Z: restart";
        assert_eq!((grandchild.basis.as_str(), grandchild.is_final), (basis, true));
    }

    #[test]
    fn a_parent_that_lapsed_takes_its_children_along_until_it_comes_back() {
        let lapsed = Signs { lease: Some(Lease { beat_at: at(0), until: at(1) }), ..leased() };
        let signs = [("lead", lapsed), ("child", child_of("lead", Lifetime::DiesWith))];
        let child = judged(&signs, "child", at(10), &Heard::new());
        assert_eq!((child.liveness, child.is_final), (Liveness::Dead, false));
        assert_eq!(liveness(&signs, "child", 1), Liveness::Alive, "a suspect parent kills nobody");
        let signs = [("lead", leased()), ("child", child_of("lead", Lifetime::DiesWith))];
        assert_eq!(liveness(&signs, "child", 10), Liveness::Alive);
    }

    #[test]
    fn a_circle_of_parents_and_a_parent_without_signs_kill_nobody() {
        let signs = [
            ("a", child_of("b", Lifetime::DiesWith)),
            ("b", child_of("a", Lifetime::DiesWith)),
            ("c", child_of("c", Lifetime::DiesWith)),
            ("d", child_of("nobody", Lifetime::DiesWith)),
        ];
        for agent in ["a", "b", "c", "d"] {
            assert_eq!(liveness(&signs, agent, 10), Liveness::Alive, "{agent}");
        }
    }

    /// What a process says that received the heartbeat of second 0 itself, `ago` of its own seconds ago.
    fn heard_of(ago: i64, wall: Instant) -> Judged {
        let heard = Heard::from([(run("a"), Heartbeat { beat_at: at(0), ago_micros: ago * SECOND })]);
        judged(&[("a", leased())], "a", wall, &heard)
    }

    #[test]
    fn a_clock_that_jumps_kills_nobody_and_revives_nobody() {
        for (ago, expected) in [(5, Liveness::Alive), (70, Liveness::Suspect), (500, Liveness::Dead)] {
            for jump in [HOUR, -HOUR, 0] {
                let wall = at(ago).plus_micros(jump);
                assert_eq!(heard_of(ago, wall).liveness, expected, "{ago} s ago, a jump of {jump}");
            }
        }
        let alive = heard_of(5, at(5).plus_micros(HOUR));
        assert_eq!(alive.age_micros, Some(5 * SECOND));
        assert_eq!(alive.basis, "this process received a heartbeat 5 s ago, with a lease of 60 s");
    }

    #[test]
    fn a_laptops_sleep_does_not_count() {
        // The process's clock stood still with everything else; the wall clock went on for a night.
        assert_eq!(heard_of(20, at(20).plus_micros(8 * HOUR)).liveness, Liveness::Alive);
        // Where it went on, the process has to be told anew that the run lives.
        assert_eq!(heard_of(8 * 3_600, at(20).plus_micros(8 * HOUR)).liveness, Liveness::Dead);
    }

    #[test]
    fn a_heartbeat_that_another_process_received_later_is_not_overlooked() {
        let heard = Heard::from([(run("a"), Heartbeat { beat_at: at(-500), ago_micros: 505 * SECOND })]);
        let judged = judged(&[("a", leased())], "a", at(5), &heard);
        assert_eq!(judged.liveness, Liveness::Alive, "{}", judged.basis);
    }

    #[test]
    fn lengths_are_said_in_one_unit() {
        for (seconds, expected) in
            [(0, "0 s"), (119, "119 s"), (120, "2 min"), (7_200, "2 h"), (172_800, "2 days")]
        {
            assert_eq!(words_of(seconds * SECOND), expected);
        }
    }
}
