//! A fact as bytes: times as differences to when it came to be known, in seconds where they are whole ones, and nothing that
//! the rest tells already.
//!
//! ```text
//! format 1 │ flags 2 │ known from │ last confirmed? │ from? │ to? │ stretches │ confidence 8? │ object │ support │ rivals?
//! ```

use super::{Basis, EndedBy, Fact, Segment};
use crate::assertion::Authority;
use crate::codec;
use crate::error::StoreError;
use crate::id::AssertionId;
use crate::time::{Bound, Granularity, Instant, Moment, Period, Validity};
use crate::varint::{Varints, put, put_bytes, put_signed};

const FORMAT: u8 = 1;

/// What the first byte of flags says; why the fact ended stands in the two bits from [`ENDED_BY`] on.
mod flag {
    pub(super) const IS_DATED: u8 = 1;
    pub(super) const HAS_FROM: u8 = 2;
    pub(super) const HAS_TO: u8 = 4;
    /// The stretches fill the period, one after the other.
    pub(super) const IS_FILLED: u8 = 8;
    pub(super) const ENDED_BY: u8 = 4;
    pub(super) const IS_CERTAIN: u8 = 64;
    pub(super) const HAS_RIVALS: u8 = 128;
}

/// What the second byte of flags says; the authority stands in the two lowest bits.
const WAS_CONFIRMED_LATER: u8 = 4;

/// Returns the bytes of a fact.
pub(crate) fn encode(fact: &Fact) -> Vec<u8> {
    let Fact { object, validity, segments, ended_by, known_from, last_confirmed, authority, .. } = fact;
    let period = validity.period();
    let (from, to) = match period {
        Some(period) => (period.from().moment(), period.to().moment()),
        None => (None, None),
    };
    let is_filled = period.is_some_and(|period| fills(segments, period));
    let is_certain = fact.confidence.to_bits() == 1.0_f64.to_bits();
    let is_later = last_confirmed != known_from;
    let set = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    let mut bytes = vec![
        FORMAT,
        set(period.is_some(), flag::IS_DATED)
            | set(from.is_some(), flag::HAS_FROM)
            | set(to.is_some(), flag::HAS_TO)
            | set(is_filled, flag::IS_FILLED)
            | ended_by_bits(*ended_by) << flag::ENDED_BY
            | set(is_certain, flag::IS_CERTAIN)
            | set(!fact.rivals.is_empty(), flag::HAS_RIVALS),
        authority_bits(*authority) | set(is_later, WAS_CONFIRMED_LATER),
    ];
    put_signed(&mut bytes, known_from.micros());
    let time = |bytes: &mut Vec<u8>, instant| put_time(bytes, *known_from, instant);
    if is_later {
        time(&mut bytes, *last_confirmed);
    }
    for moment in [from, to].into_iter().flatten() {
        time(&mut bytes, moment.at);
        bytes.push(grain_byte(moment.grain));
    }
    put(&mut bytes, segments.len() as u64);
    for (at, segment) in segments.iter().enumerate() {
        bytes.push(u8::from(segment.basis == Basis::Presumed));
        if !is_filled {
            time(&mut bytes, segment.from);
            time(&mut bytes, segment.to);
        } else if at + 1 < segments.len() {
            time(&mut bytes, segment.to);
        }
    }
    if !is_certain {
        bytes.extend(fact.confidence.to_bits().to_le_bytes());
    }
    put_bytes(&mut bytes, &codec::encode_part(object));
    put(&mut bytes, fact.support.len() as u64);
    for id in &fact.support {
        bytes.extend(id.0);
    }
    if !fact.rivals.is_empty() {
        bytes.extend(codec::encode_part(&fact.rivals));
    }
    bytes
}

/// Reads a fact.
///
/// # Errors
/// [`StoreError::Corrupt`] where the bytes are none.
pub(crate) fn decode(bytes: &[u8]) -> Result<Fact, StoreError> {
    read(bytes).ok_or_else(|| StoreError::corrupt("a current fact does not read"))
}

fn read(bytes: &[u8]) -> Option<Fact> {
    let (&[FORMAT, flags, more], rest) = bytes.split_first_chunk()? else { return None };
    let has = |flag: u8| flags & flag != 0;
    let mut rest = Varints::new(rest);
    let known_from = Instant::from_raw(rest.signed()?);
    let last_confirmed =
        if more & WAS_CONFIRMED_LATER != 0 { time(&mut rest, known_from)? } else { known_from };
    let mut bound = |is_there: bool| {
        if !is_there {
            return Some(Bound::Open);
        }
        let at = time(&mut rest, known_from)?;
        Some(Bound::At(Moment::new(at, grain_of(rest.byte()?)?)))
    };
    let (from, to) = (bound(has(flag::HAS_FROM))?, bound(has(flag::HAS_TO))?);
    let validity =
        if has(flag::IS_DATED) { Validity::Over(Period::new(from, to).ok()?) } else { Validity::Undated };
    let segments = segments(&mut rest, known_from, validity.period().filter(|_| has(flag::IS_FILLED)))?;
    let confidence = if has(flag::IS_CERTAIN) {
        1.0
    } else {
        f64::from_bits(u64::from_le_bytes(rest.take(8)?.try_into().ok()?))
    };
    let object = codec::decode_part("the object of a fact", rest.bytes()?).ok()?;
    let n_support = rest.size()?;
    let mut support = Vec::new();
    for _ in 0..n_support {
        support.push(AssertionId(rest.take(16)?.try_into().ok()?));
    }
    let rivals = match (has(flag::HAS_RIVALS), rest.rest()) {
        (false, []) => Vec::new(),
        (false, _) => return None,
        (true, rivals) => codec::decode_part("the rivals of a fact", rivals).ok()?,
    };
    Some(Fact {
        object,
        validity,
        segments,
        ended_by: ended_by_of(flags >> flag::ENDED_BY & 3),
        known_from,
        last_confirmed,
        authority: authority_of(more & 3),
        confidence,
        support,
        rivals,
    })
}

/// Reads stretches; those that fill a period are told by where one ends and the next starts.
fn segments(rest: &mut Varints<'_>, base: Instant, filled: Option<Period>) -> Option<Vec<Segment>> {
    let n_segments = rest.size()?;
    let mut segments = Vec::new();
    let mut start = filled.map(Period::start);
    for at in 0..n_segments {
        let basis = match rest.byte()? {
            0 => Basis::Stated,
            1 => Basis::Presumed,
            _ => return None,
        };
        let from = match start {
            Some(start) => start,
            None => time(rest, base)?,
        };
        let to = match filled {
            Some(period) if at + 1 == n_segments => period.end(),
            _ => time(rest, base)?,
        };
        start = filled.map(|_| to);
        segments.push(Segment { from, to, basis });
    }
    Some(segments)
}

/// Says whether stretches fill a period, one after the other.
fn fills(segments: &[Segment], period: Period) -> bool {
    let (Some(first), Some(last)) = (segments.first(), segments.last()) else { return false };
    first.from == period.start()
        && last.to == period.end()
        && segments.windows(2).all(|pair| pair[0].to == pair[1].from)
}

const BEFORE_ALL: u64 = 0;
const AFTER_ALL: u64 = 1;
/// What numbers of ordinary times start at; an even one counts seconds, an odd one microseconds.
const ORDINARY: u64 = 2;
const SECOND: i64 = 1_000_000;

/// Appends an instant as its difference to another one.
fn put_time(bytes: &mut Vec<u8>, base: Instant, instant: Instant) {
    let number = match instant {
        Instant::DISTANT_PAST => BEFORE_ALL,
        Instant::DISTANT_FUTURE => AFTER_ALL,
        _ => {
            // Both lie within the calendar, which takes 60 of the 64 bits.
            let difference = instant.micros().wrapping_sub(base.micros());
            let (count, unit) =
                if difference % SECOND == 0 { (difference / SECOND, 0) } else { (difference, 1) };
            let folded = ((count << 1) ^ (count >> 63)).cast_unsigned();
            ORDINARY + (folded << 1 | unit)
        }
    };
    put(bytes, number);
}

/// Reads what [`put_time`] wrote.
fn time(rest: &mut Varints<'_>, base: Instant) -> Option<Instant> {
    let number = match rest.number()? {
        BEFORE_ALL => return Some(Instant::DISTANT_PAST),
        AFTER_ALL => return Some(Instant::DISTANT_FUTURE),
        number => number - ORDINARY,
    };
    let folded = number >> 1;
    let count = (folded >> 1).cast_signed() ^ -((folded & 1).cast_signed());
    let difference = if number & 1 == 0 { count.checked_mul(SECOND)? } else { count };
    Some(Instant::from_raw(base.micros().checked_add(difference)?))
}

fn grain_byte(grain: Granularity) -> u8 {
    let place = Granularity::ALL.iter().position(|other| *other == grain);
    place.and_then(|place| u8::try_from(place).ok()).expect("every granularity is among all of them")
}

fn grain_of(byte: u8) -> Option<Granularity> {
    Granularity::ALL.get(usize::from(byte)).copied()
}

fn ended_by_bits(ended_by: Option<EndedBy>) -> u8 {
    match ended_by {
        None => 0,
        Some(EndedBy::Bound) => 1,
        Some(EndedBy::Change) => 2,
        Some(EndedBy::Deny) => 3,
    }
}

fn ended_by_of(bits: u8) -> Option<EndedBy> {
    match bits {
        1 => Some(EndedBy::Bound),
        2 => Some(EndedBy::Change),
        3 => Some(EndedBy::Deny),
        _ => None,
    }
}

fn authority_bits(authority: Authority) -> u8 {
    match authority {
        Authority::Inferred => 0,
        Authority::Agent => 1,
        Authority::Tool => 2,
        Authority::User => 3,
    }
}

fn authority_of(bits: u8) -> Authority {
    match bits {
        0 => Authority::Inferred,
        1 => Authority::Agent,
        2 => Authority::Tool,
        _ => Authority::User,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::entity::EntityRef;
    use crate::fact::Rival;
    use crate::object::{Number, Object};

    fn instants() -> impl Strategy<Value = Instant> {
        let ordinary = Instant::FIRST.micros()..=Instant::LAST.micros();
        prop_oneof![
            ordinary.clone().prop_map(Instant::from_raw),
            ordinary.prop_map(|micros| Instant::from_raw(micros / SECOND * SECOND)),
            Just(Instant::from_raw(Instant::LAST.micros() + 1)),
        ]
    }

    fn bounds() -> impl Strategy<Value = Bound> {
        let grains = proptest::sample::select(Granularity::ALL.to_vec());
        prop_oneof![
            Just(Bound::Open),
            (instants(), grains).prop_map(|(at, grain)| Bound::At(Moment::new(at, grain))),
        ]
    }

    fn validities() -> impl Strategy<Value = Validity> {
        let periods = (bounds(), bounds())
            .prop_map(|(from, to)| Period::new(from, to).map_or(Validity::Undated, Validity::Over));
        prop_oneof![periods, Just(Validity::Undated)]
    }

    /// Stretches that fill the period, or any.
    fn stretches(validity: Validity) -> impl Strategy<Value = Vec<Segment>> {
        let any_time = || prop_oneof![instants(), Just(Instant::DISTANT_PAST), Just(Instant::DISTANT_FUTURE)];
        let basis = || prop_oneof![Just(Basis::Stated), Just(Basis::Presumed)];
        let any = proptest::collection::vec(
            (any_time(), any_time(), basis()).prop_map(|(from, to, basis)| Segment { from, to, basis }),
            0..3,
        );
        let cuts = proptest::collection::vec((any_time(), basis()), 1..4);
        let filling = cuts.prop_map(move |cuts| {
            let Some(period) = validity.period() else { return Vec::new() };
            let n_cuts = cuts.len();
            let mut from = period.start();
            let mut segments = Vec::new();
            for (at, (cut, basis)) in cuts.into_iter().enumerate() {
                let to = if at + 1 == n_cuts { period.end() } else { cut };
                segments.push(Segment { from, to, basis });
                from = to;
            }
            segments
        });
        prop_oneof![any, filling]
    }

    fn objects() -> impl Strategy<Value = Object> {
        prop_oneof![
            "[a-z]{1,9}".prop_map(|name| Object::Entity(EntityRef::kept("thing", &name))),
            any::<i64>().prop_map(|whole| Object::Number { value: Number::Whole(whole), unit: None }),
            ".{0,20}".prop_map(Object::Text),
        ]
    }

    prop_compose! {
        fn facts()(validity in validities())(
            segments in stretches(validity),
            validity in Just(validity),
            object in objects(),
            ended_by in 0..4_u8,
            known in (instants(), instants(), any::<bool>()),
            authority in 0..4_u8,
            confidence in prop_oneof![Just(1.0), 0.0..1.0],
            support in proptest::collection::vec(any::<[u8; 16]>(), 0..4),
            rivals in proptest::collection::vec((objects(), any::<[u8; 16]>()), 0..3),
        ) -> Fact {
            let (known_from, later, is_later) = known;
            Fact {
                object,
                validity,
                segments,
                ended_by: ended_by_of(ended_by),
                known_from,
                last_confirmed: if is_later { later } else { known_from },
                authority: authority_of(authority),
                confidence,
                support: support.into_iter().map(AssertionId).collect(),
                rivals: rivals
                    .into_iter()
                    .map(|(object, id)| Rival { object, assertion: AssertionId(id) })
                    .collect(),
            }
        }
    }

    proptest! {
        #[test]
        fn facts_read_back(fact in facts()) {
            prop_assert_eq!(decode(&encode(&fact)).expect("it reads"), fact);
        }

        #[test]
        fn a_fact_that_is_cut_short_or_goes_on_does_not_read(fact in facts(), at in any::<proptest::sample::Index>()) {
            let bytes = encode(&fact);
            prop_assert!(decode(&bytes[..at.index(bytes.len())]).is_err());
            prop_assert!(decode(&[bytes.as_slice(), &[0]].concat()).is_err());
        }

        #[test]
        fn whatever_the_bytes_nothing_panics(mut bytes: Vec<u8>) {
            drop(decode(&bytes));
            bytes.insert(0, FORMAT);
            drop(decode(&bytes));
        }
    }
}
