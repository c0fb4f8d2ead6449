//! Turns with words as common as Zipf's law has them: the word `w1` most, `w10000` least.

use bygone_engine::episode::{Episode, Role};
use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, EpisodeId};

use crate::workload::mixed;

/// Different words there are.
const VOCABULARY: f64 = 10_000.0;
/// Words of a turn, as in the conversations of people.
const LENGTH: u64 = 20;

/// Returns `count` turns a minute apart, the same ones each time.
///
/// # Panics
/// Never: the times stay in this century up to about fifty million turns.
pub fn turns(count: u64) -> Vec<Episode> {
    // From 0 up to 1, by the word's place in the whole.
    let draw = |position: u64, nth: u64| {
        let bits = u32::try_from(mixed(position * LENGTH + nth) >> 32).expect("32 bits");
        f64::from(bits) / f64::from(u32::MAX)
    };
    let speakers = ["Ann", "Bob"].map(|name| EntityRef::new("person", name).ok());
    (0..count)
        .map(|position| {
            // The inverse of Zipf's distribution with exponent one, continuous.
            let word = |nth| format!("w{:.0}", VOCABULARY.powf(draw(position, nth)).floor());
            let words: Vec<String> = (0..LENGTH).map(word).collect();
            let minutes = 1_600_000_000 + 60 * i64::try_from(position).unwrap_or(0);
            Episode {
                id: EpisodeId::UNHASHED,
                session: format!("s{}", position / 20),
                position,
                role: Role::User,
                speaker: speakers[usize::from(position % 2 == 1)].clone(),
                agent: None,
                user: None,
                time: Instant::from_micros(minutes * 1_000_000).expect("this century"),
                time_inferred: false,
                zone: None,
                native_id: None,
                text: words.join(" "),
                raw: None,
            }
            .with_content_id()
        })
        .collect()
}
