//! A run of a set's items with their events, and its bytes.
//!
//! ```text
//! format 1 │ queued, done, failed │ last known │ last seq        how the items stand by every event
//! reasons │ n, then each text after its length
//! marks   │ n, then each: status 1 │ known − before │ seq − before │ origin │ reason + 1, or 0
//! n of events per item, in runs │ mark of each event, in runs     a run: value │ how often
//! numbers │ n, then gaps: 2 × gap, or 2 × n + 1 for the last gap n times more
//! texts   │ each: bytes shared with the one before │ the rest after its length
//! ```
//!
//! All numbers are of variable length. Items that were marked together share a mark, and numbers in a row a gap.
//!
//! Invariant: items ascend; each has an event; its events stand in known order, and each commit gives it at most one.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Item, Status, WorkCount};
use crate::error::StoreError;
use crate::time::Instant;
use crate::varint::{Varints, put, put_bytes, put_signed};

/// The first byte of every leaf.
const LEAF_FORMAT: u8 = 0;
/// How heavy a leaf may be, by [`Entry::weight`]: what a point write makes anew (chosen, untested).
const CAPACITY: usize = 16 << 10;
/// What an event weighs: about its bytes where each has a mark of its own. At most 2,048 of them are in a leaf.
const EVENT_WEIGHT: usize = 8;

/// The most items in a leaf.
const MOST_ITEMS: usize = CAPACITY / EVENT_WEIGHT;
/// More events than any leaf has: what a damaged number may ask for.
const MOST_EVENTS: u64 = 1 << 24;

/// What was said of an item.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Event {
    pub(crate) known_at: Instant,
    pub(crate) seq: u64,
    pub(crate) status: Status,
    /// The place of who said it among the set's origins.
    pub(crate) origin: u32,
    pub(crate) reason: Option<Arc<str>>,
}

/// An item with what was said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) item: Item,
    pub(crate) events: Vec<Event>,
}

impl Entry {
    /// Returns about how many bytes it takes after the item before it, at most.
    fn weight(&self, before: Option<&Entry>) -> usize {
        let text = self.item.bytes().map_or(0, |bytes| {
            let before = before.and_then(|before| before.item.bytes()).unwrap_or_default();
            2 + bytes.len() - shared(before, bytes)
        });
        let reasons = self.events.iter().filter_map(|event| event.reason.as_ref()).map(|reason| reason.len());
        text + EVENT_WEIGHT * self.events.len() + reasons.sum::<usize>()
    }
}

/// How a leaf stands by all its events, told without reading them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) count: WorkCount,
    pub(crate) last_known: Instant,
    pub(crate) last_seq: u64,
}

/// A run of items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Leaf(pub(crate) Vec<Entry>);

impl Leaf {
    /// Cuts entries in leaves that are not too heavy: full ones where `is_appended` says that what comes next will follow
    /// the last, else alike.
    pub(crate) fn cut(entries: Vec<Entry>, is_appended: bool) -> Vec<Leaf> {
        let weights: Vec<usize> = entries
            .iter()
            .enumerate()
            .map(|(idx, entry)| entry.weight(idx.checked_sub(1).map(|before| &entries[before])))
            .collect();
        let total: usize = weights.iter().sum();
        // Each is let to hold one entry more than its part, else what is left over by all would make a leaf of its own.
        let heaviest = weights.iter().max().copied().unwrap_or(0);
        let part = total.div_ceil(total.div_ceil(CAPACITY).max(1)) + heaviest;
        let capacity = if is_appended { CAPACITY } else { part.min(CAPACITY) };
        let mut leaves = Vec::new();
        let mut filled = 0;
        let mut leaf = Vec::new();
        for (entry, weight) in entries.into_iter().zip(weights) {
            if filled > 0 && filled + weight > capacity {
                leaves.push(Leaf(std::mem::take(&mut leaf)));
                filled = 0;
            }
            leaf.push(entry);
            filled += weight;
        }
        if !leaf.is_empty() {
            leaves.push(Leaf(leaf));
        }
        leaves
    }

    /// Returns how the items stand by all events.
    pub(crate) fn summary(&self) -> Summary {
        let mut count = WorkCount::default();
        let mut last_known = Instant::DISTANT_PAST;
        let mut last_seq = 0;
        for entry in &self.0 {
            for event in &entry.events {
                last_known = last_known.max(event.known_at);
                last_seq = last_seq.max(event.seq);
            }
            if let Some(last) = entry.events.last() {
                count.add(last.status);
            }
        }
        Summary { count, last_known, last_seq }
    }

    /// Returns its bytes.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut to = vec![LEAF_FORMAT];
        let Summary { count, last_known, last_seq } = self.summary();
        for number in [count.queued, count.done, count.failed] {
            put(&mut to, number);
        }
        put_signed(&mut to, last_known.micros());
        put(&mut to, last_seq);

        let events = || self.0.iter().flat_map(|entry| &entry.events);
        let reasons = numbered(events().filter_map(|event| event.reason.as_deref()));
        put(&mut to, reasons.len() as u64);
        for reason in reasons.keys() {
            put_bytes(&mut to, reason.as_bytes());
        }
        let marks = numbered(events());
        put(&mut to, marks.len() as u64);
        let (mut known_before, mut seq_before) = (0, 0);
        for mark in marks.keys() {
            to.push(mark.status as u8);
            put_signed(&mut to, mark.known_at.micros().wrapping_sub(known_before));
            put_signed(&mut to, mark.seq.wrapping_sub(seq_before).cast_signed());
            put(&mut to, u64::from(mark.origin));
            put(&mut to, mark.reason.as_deref().map_or(0, |reason| reasons[reason] + 1));
            (known_before, seq_before) = (mark.known_at.micros(), mark.seq);
        }
        put_runs(&mut to, self.0.iter().map(|entry| entry.events.len() as u64));
        put_runs(&mut to, events().map(|event| marks[event]));

        let numbers: Vec<u64> = self.0.iter().map_while(|entry| entry.item.number()).collect();
        put_numbers(&mut to, &numbers);
        let mut before: &[u8] = &[];
        for bytes in self.0[numbers.len()..].iter().filter_map(|entry| entry.item.bytes()) {
            let n_shared = shared(before, bytes);
            put(&mut to, n_shared as u64);
            put_bytes(&mut to, &bytes[n_shared..]);
            before = bytes;
        }
        to
    }

    /// Reads a leaf.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where the bytes are none.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Leaf, StoreError> {
        read(bytes).ok_or_else(|| StoreError::corrupt("a leaf of a work-set does not decode"))
    }

    /// Reads only how a leaf stands.
    ///
    /// # Errors
    /// As [`Leaf::decode`].
    pub(crate) fn decode_summary(bytes: &[u8]) -> Result<Summary, StoreError> {
        let summary = read_summary(&mut Varints::new(bytes));
        summary.ok_or_else(|| StoreError::corrupt("a leaf of a work-set does not decode"))
    }
}

/// Returns how many bytes two texts have in common at their start.
fn shared(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// Numbers things in their order, each once.
fn numbered<T: Ord>(things: impl Iterator<Item = T>) -> BTreeMap<T, u64> {
    let mut numbers: BTreeMap<T, u64> = things.map(|thing| (thing, 0)).collect();
    for (number, place) in (0..).zip(numbers.values_mut()) {
        *place = number;
    }
    numbers
}

/// Appends values as runs of the same: how many values there are, then value and length of each run.
fn put_runs(to: &mut Vec<u8>, values: impl Iterator<Item = u64>) {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((last, n)) if *last == value => *n += 1,
            _ => runs.push((value, 1)),
        }
    }
    put(to, runs.len() as u64);
    for (value, n) in runs {
        put(to, value);
        put(to, n);
    }
}

/// Reads runs; `None` where there are more values than `most`.
fn runs(from: &mut Varints<'_>, most: usize) -> Option<Vec<u64>> {
    let mut values = Vec::new();
    for _ in 0..from.size()? {
        let (value, n) = (from.number()?, from.size()?);
        if n > most.checked_sub(values.len())? {
            return None;
        }
        values.resize(values.len() + n, value);
    }
    Some(values)
}

/// Appends ascending numbers as gaps.
fn put_numbers(to: &mut Vec<u8>, numbers: &[u64]) {
    put(to, numbers.len() as u64);
    let (mut before, mut gap_before, mut n_more) = (0_u64, None, 0_u64);
    for &number in numbers {
        let gap = number - before;
        before = number;
        if gap_before == Some(gap) {
            n_more += 1;
            continue;
        }
        if n_more > 0 {
            put(to, 2 * n_more + 1);
            n_more = 0;
        }
        // A gap of more than half of all numbers does not fit beside the bit that tells what it is.
        if gap > u64::MAX / 2 {
            put(to, 1);
            put(to, gap);
        } else {
            put(to, 2 * gap);
        }
        gap_before = Some(gap);
    }
    if n_more > 0 {
        put(to, 2 * n_more + 1);
    }
}

fn numbers(from: &mut Varints<'_>, most: usize) -> Option<Vec<u64>> {
    let n = from.size().filter(|n| *n <= most)?;
    let mut numbers: Vec<u64> = Vec::with_capacity(n);
    let mut gap = 0_u64;
    while numbers.len() < n {
        let token = from.number()?;
        let n_more = match token {
            1 => {
                gap = from.number()?;
                1
            }
            token if token % 2 == 0 => {
                gap = token / 2;
                1
            }
            token => token / 2,
        };
        if n_more > (n - numbers.len()) as u64 {
            return None;
        }
        for _ in 0..n_more {
            let before = numbers.last().copied().unwrap_or(0);
            numbers.push(before.checked_add(gap)?);
        }
    }
    Some(numbers)
}

fn read_summary(from: &mut Varints<'_>) -> Option<Summary> {
    if from.byte()? != LEAF_FORMAT {
        return None;
    }
    let count = WorkCount { queued: from.number()?, done: from.number()?, failed: from.number()? };
    Some(Summary { count, last_known: Instant::from_raw(from.signed()?), last_seq: from.number()? })
}

fn read(bytes: &[u8]) -> Option<Leaf> {
    let from = &mut Varints::new(bytes);
    let summary = read_summary(from)?;
    let WorkCount { queued, done, failed } = summary.count;
    let n_items = queued.checked_add(done)?.checked_add(failed)?;
    let n_items = usize::try_from(n_items).ok().filter(|n| *n <= MOST_ITEMS)?;
    let mut reasons: Vec<Arc<str>> = Vec::new();
    for _ in 0..from.size()? {
        reasons.push(std::str::from_utf8(from.bytes()?).ok()?.into());
    }
    let mut marks: Vec<Event> = Vec::new();
    let (mut known_at, mut seq) = (0_i64, 0_u64);
    for _ in 0..from.size()? {
        let status = *Status::ALL.get(usize::from(from.byte()?))?;
        known_at = known_at.wrapping_add(from.signed()?);
        seq = seq.wrapping_add(from.signed()?.cast_unsigned());
        let origin = u32::try_from(from.number()?).ok()?;
        let reason = match from.size()? {
            0 => None,
            place => Some(Arc::clone(reasons.get(place - 1)?)),
        };
        marks.push(Event { known_at: Instant::from_raw(known_at), seq, status, origin, reason });
    }
    let n_events = runs(from, n_items)?;
    let total = n_events.iter().try_fold(0_u64, |sum, n| sum.checked_add(*n))?;
    let total = Some(total).filter(|total| *total <= MOST_EVENTS)?;
    let places = runs(from, usize::try_from(total).ok()?)?;
    if n_events.len() != n_items || places.len() as u64 != total {
        return None;
    }
    let numbers = numbers(from, n_items)?;
    let mut entries = Vec::with_capacity(n_items);
    let mut places = places.into_iter();
    let mut text: Vec<u8> = Vec::new();
    for (idx, n) in n_events.into_iter().enumerate() {
        let item = if let Some(&number) = numbers.get(idx) {
            Item::from_number(number)
        } else {
            let n_shared = from.size().filter(|n| *n <= text.len())?;
            text.truncate(n_shared);
            text.extend_from_slice(from.bytes()?);
            Item::from_text(&text)
        };
        let mut events = Vec::with_capacity(usize::try_from(n).ok()?);
        for place in places.by_ref().take(usize::try_from(n).ok()?) {
            events.push(marks.get(usize::try_from(place).ok()?)?.clone());
        }
        entries.push(Entry { item, events });
    }
    from.is_empty().then_some(Leaf(entries))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn event(at: i64, status: Status, origin: u32, reason: Option<&str>) -> Event {
        let known_at = Instant::from_raw(at);
        Event { known_at, seq: at.cast_unsigned() / 3, status, origin, reason: reason.map(Into::into) }
    }

    fn events() -> impl Strategy<Value = Vec<Event>> {
        let one = (0..9_000_000_i64, 0..3_usize, 0..3_u32, proptest::option::of("[a-c]{0,2}"));
        proptest::collection::vec(one, 1..4).prop_map(|said| {
            let mut events: Vec<Event> = said
                .into_iter()
                .map(|(at, status, origin, reason)| event(at, Status::ALL[status], origin, reason.as_deref()))
                .collect();
            events.sort();
            events
        })
    }

    fn leaves() -> impl Strategy<Value = Leaf> {
        let text = prop_oneof!["[0-9]{1,3}", "[a-d]{1,5}", any::<u64>().prop_map(|n| n.to_string())];
        proptest::collection::btree_map(text, events(), 1..40).prop_map(|said| {
            let mut entries: Vec<Entry> = said
                .into_iter()
                .map(|(text, events)| Entry { item: Item::new(&text).expect("a text"), events })
                .collect();
            entries.sort_by(|one, other| one.item.cmp(&other.item));
            Leaf(entries)
        })
    }

    proptest! {
        #[test]
        fn leaves_read_back(leaf in leaves()) {
            let bytes = leaf.encode();
            prop_assert_eq!(Leaf::decode(&bytes).expect("decodes"), leaf.clone());
            prop_assert_eq!(Leaf::decode_summary(&bytes).expect("decodes"), leaf.summary());
        }

        #[test]
        fn damage_is_reported_and_never_a_panic(leaf in leaves(), at: usize, to: u8, cut: usize) {
            let mut bytes = leaf.encode();
            let shorter = &bytes[..cut % bytes.len()];
            prop_assert!(Leaf::decode(shorter).is_err());
            let at = at % bytes.len();
            bytes[at] = to;
            // Some bytes are as good as others, but none may bring the reader down.
            drop(Leaf::decode(&bytes));
        }
    }

    #[test]
    fn numbers_in_a_row_take_hardly_a_byte() {
        let one = event(1_767_225_600_000_000, Status::Done, 0, None);
        let entry = |n: u64| Entry { item: Item::from_number(n), events: vec![one.clone()] };
        let leaf = Leaf((1_000_000..1_002_048).map(entry).collect());
        assert!(leaf.encode().len() < 60, "{}", leaf.encode().len());
    }

    #[test]
    fn the_ends_of_all_numbers_are_numbers() {
        let entry =
            |n: u64| Entry { item: Item::from_number(n), events: vec![event(3, Status::Done, 0, None)] };
        let leaf = Leaf([0, 1, u64::MAX - 1, u64::MAX].map(entry).to_vec());
        assert_eq!(Leaf::decode(&leaf.encode()).expect("decodes"), leaf);
    }

    #[test]
    fn what_is_appended_fills_leaves_and_what_comes_between_parts_them_alike() {
        let entry =
            |n: u64| Entry { item: Item::from_number(n), events: vec![event(3, Status::Done, 0, None)] };
        let lengths = |is_appended| {
            let leaves = Leaf::cut((0..2100).map(entry).collect(), is_appended);
            leaves.iter().map(|leaf| leaf.0.len()).collect::<Vec<_>>()
        };
        assert_eq!(lengths(true), [2048, 52]);
        assert_eq!(lengths(false), [1051, 1049]);
        assert!(Leaf::cut(Vec::new(), true).is_empty());
    }
}
