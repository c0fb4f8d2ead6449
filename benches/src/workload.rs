//! Statements about a few people's homes, in known order or shuffled, by a seed.

use bygone_engine::time::Instant;
use bygone_engine::wire::{Defaults, Statement, read_statement};
use serde_json::json;

/// Returns `count` statements about `subjects` people who move every few days; every seventh denies the last home.
///
/// # Panics
/// Where a day number leaves the calendar, which no sensible count does.
pub fn homes(count: u64, subjects: u64) -> Vec<Statement> {
    let now = Instant::from_micros(0).expect("the epoch is ordinary");
    (0..count)
        .map(|at| {
            let subject = at % subjects;
            let micros = i64::try_from(at).expect("a small count") * 3_600_000_000 + 1_600_000_000_000_000;
            let known = Instant::from_micros(micros).expect("a small count").to_rfc3339();
            let place = mixed(at) % 12;
            let polarity = if at % 7 == 6 { "deny" } else { "affirm" };
            let line = json!({
                "subject": format!("person:P{subject}"),
                "predicate": "lives_in",
                "object": { "entity": format!("place:Town {place}") },
                "polarity": polarity,
                "from": known,
                "known_at": known,
                "source": format!("diary-{subject}#{at}"),
            });
            let defaults = Defaults { now, document: String::new(), position: 0 };
            read_statement(&line.to_string(), &defaults).expect("the workload is well formed")
        })
        .collect()
}

/// The finisher of splitmix64 (Steele, Lea and Flood 2014), so that places vary without a generator's state.
pub(crate) fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
