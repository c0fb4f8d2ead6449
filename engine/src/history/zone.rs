//! What is known of a chunk without reading it: where it starts, when its statements came to be known, how far they reach, what
//! they deny for good. A group of more than one chunk has its zones in rows of up to [`ROW`].
//!
//! ```text
//! format 1 │ zones 1 │ for each: first place 33, known from 8, known until 8, reach 8, flags 1, end of denials 2 │ denials, 10 each
//! ```

use super::Place;
use crate::error::StoreError;
use crate::id::AssertionId;
use crate::mark::{Mark, Outside, Precedence, SORTS, sort_of};
use crate::time::Instant;

/// Zones a row holds at most.
pub(crate) const ROW: usize = 128;

const FORMAT: u8 = 0;
const ZONE_BYTES: usize = 60;
const DENIAL_BYTES: usize = 10;
/// Stands for the sort of whatever holds.
const EVERY_SORT: u8 = u8::MAX;

mod flag {
    pub(super) const IS_DATED: u8 = 1;
    pub(super) const HAS_MARKS: u8 = 2;
    pub(super) const HAS_ODD: u8 = 4;
}

/// What is known of one chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Zone {
    /// The place of its first statement.
    pub(crate) first: Place,
    /// When the first and the last of its statements came to be known.
    pub(crate) known: (Instant, Instant),
    reach: Instant,
    has_marks: bool,
    has_odd: bool,
    /// What prevails most among endless denials, by sort of object.
    denials: Vec<(u8, Precedence)>,
}

impl Zone {
    /// Returns the zone of a chunk, of which is given where it starts, when its statements came to be known, and their marks;
    /// `None` where there are none.
    pub(crate) fn of(
        first: Place,
        known: impl Iterator<Item = Instant> + Clone,
        marks: impl Iterator<Item = Mark>,
    ) -> Option<Zone> {
        let mut zone = Zone {
            first,
            known: (known.clone().min()?, known.max()?),
            reach: Instant::DISTANT_PAST,
            has_marks: false,
            has_odd: false,
            denials: Vec::new(),
        };
        for mark in marks {
            zone.has_marks = true;
            zone.has_odd |= mark.is_odd();
            if !mark.is_endless_denial() {
                // What ends before it starts reaches no further than what ends there.
                zone.reach = zone.reach.max(mark.end.max(mark.start));
                continue;
            }
            let sort = match mark.object {
                0 => EVERY_SORT,
                object => u8::try_from(sort_of(object)).expect("there are few sorts"),
            };
            match zone.denials.iter_mut().find(|(of, _)| *of == sort) {
                Some((_, most)) => *most = (*most).max(mark.precedence),
                None => zone.denials.push((sort, mark.precedence)),
            }
        }
        zone.denials.sort_unstable();
        Some(zone)
    }

    /// Returns how far its statements reach, denials without an end aside.
    pub(crate) fn reach(&self) -> Instant {
        self.reach
    }

    /// Takes what is known of the chunk into a summary of what lies outside of a stretch.
    pub(crate) fn add_to(&self, outside: &mut Outside) {
        outside.is_empty &= !self.has_marks;
        outside.has_odd |= self.has_odd;
        outside.reach = outside.reach.max(self.reach);
        for &(sort, precedence) in &self.denials {
            match sort {
                EVERY_SORT => outside.deny_every_sort(precedence),
                sort => outside.deny(usize::from(sort) % SORTS, precedence),
            }
        }
    }
}

/// Returns the bytes of a row of zones.
pub(crate) fn encode(zones: &[Zone]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(2 + zones.len() * (ZONE_BYTES + DENIAL_BYTES));
    bytes.extend([FORMAT, u8::try_from(zones.len()).expect("a row has few zones")]);
    let mut n_denials: u16 = 0;
    for zone in zones {
        n_denials += u16::try_from(zone.denials.len()).expect("there are few sorts");
        let set = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        bytes.extend(place_bytes(zone.first));
        for instant in [zone.known.0, zone.known.1, zone.reach] {
            bytes.extend(instant.micros().to_le_bytes());
        }
        bytes.push(
            set(zone.first.start.is_some(), flag::IS_DATED)
                | set(zone.has_marks, flag::HAS_MARKS)
                | set(zone.has_odd, flag::HAS_ODD),
        );
        bytes.extend(n_denials.to_le_bytes());
    }
    for (sort, precedence) in zones.iter().flat_map(|zone| &zone.denials) {
        bytes.extend([*sort, precedence.authority]);
        bytes.extend(precedence.known_at.micros().to_le_bytes());
    }
    bytes
}

/// Bytes of a place.
const PLACE_BYTES: usize = 33;

fn place_bytes(place: Place) -> [u8; PLACE_BYTES] {
    let mut bytes = [0; PLACE_BYTES];
    bytes[0] = u8::from(place.start.is_some());
    bytes[1..9].copy_from_slice(&place.start.unwrap_or(Instant::DISTANT_PAST).micros().to_le_bytes());
    bytes[9..17].copy_from_slice(&place.known_at.micros().to_le_bytes());
    bytes[17..].copy_from_slice(&place.id.0);
    bytes
}

/// Reads the zones of a row.
///
/// # Errors
/// [`StoreError::Corrupt`] where the bytes are no row of zones.
pub(crate) fn decode(bytes: &[u8]) -> Result<Vec<Zone>, StoreError> {
    parse(bytes).ok_or_else(|| StoreError::corrupt("the zones of a history do not read"))
}

fn parse(bytes: &[u8]) -> Option<Vec<Zone>> {
    let (&[FORMAT, n], rest) = bytes.split_first_chunk()? else { return None };
    let (zones, pool) = rest.split_at_checked(usize::from(n) * ZONE_BYTES)?;
    let mut from = 0;
    let mut read = Vec::with_capacity(usize::from(n));
    for zone in zones.chunks_exact(ZONE_BYTES) {
        let instant = |at: usize| {
            let bytes = zone.get(at..at + 8)?.try_into().ok()?;
            Some(Instant::from_raw(i64::from_le_bytes(bytes)))
        };
        let flags = zone[57];
        let is_dated = flags & flag::IS_DATED != 0;
        let to = usize::from(u16::from_le_bytes([zone[58], zone[59]])) * DENIAL_BYTES;
        let denials = pool.get(from..to)?.chunks_exact(DENIAL_BYTES).map(|denial| {
            let known_at = Instant::from_raw(i64::from_le_bytes(denial[2..].try_into().ok()?));
            Some((denial[0], Precedence { authority: denial[1], known_at }))
        });
        read.push(Zone {
            first: Place {
                start: instant(1).filter(|_| is_dated),
                known_at: instant(9)?,
                id: AssertionId(zone[17..PLACE_BYTES].try_into().ok()?),
            },
            known: (instant(33)?, instant(41)?),
            reach: instant(49)?,
            has_marks: flags & flag::HAS_MARKS != 0,
            has_odd: flags & flag::HAS_ODD != 0,
            denials: denials.collect::<Option<_>>()?,
        });
        from = to;
    }
    (from == pool.len()).then_some(read)
}
