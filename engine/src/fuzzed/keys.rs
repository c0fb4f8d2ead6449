//! What holds of keys: they sort as what they are made of does, they read back, none leaves its space, and bytes that are no
//! key are told.

use super::draw::Draw;
use crate::entity::fold_name;
use crate::history::Place;
use crate::id::{AssertionId, CheckpointId, EntityId, EpisodeId, FactId, StateId};
use crate::key::{self, GroupId, HistoryRow, Part, SpaceId};
use crate::object::ObjectKey;
use crate::time::Instant;
use crate::varint::{Varints, put, put_signed};
use crate::work::Item;

/// Makes two sets of keys of some bytes and compares them; then reads the bytes themselves as keys.
///
/// # Panics
/// Where a law of keys does not hold.
pub fn check_keys(bytes: &[u8]) {
    any_bytes(bytes);
    let mut draw = Draw::new(bytes);
    let how = draw.byte();
    let one = Parts::draw(&mut draw);
    let mut other = Parts::draw(&mut draw);
    // Keys of two groups hardly ever share a prefix, so that most laws are of two keys of one group.
    other.take_over(&one, how);
    for parts in [&one, &other] {
        parts.read_back();
        parts.stay_in_their_space();
    }
    in_order(&one, &other);
}

/// What keys are made of.
#[derive(Clone, Debug)]
struct Parts {
    space: SpaceId,
    subject: EntityId,
    predicate: String,
    key: String,
    start: Option<Instant>,
    at: Instant,
    id: [u8; 16],
    number: u64,
    name: String,
}

impl Parts {
    fn draw(draw: &mut Draw<'_>) -> Parts {
        let is_dated = draw.byte() & 1 != 0;
        Parts {
            space: SpaceId(u32::from_be_bytes(draw.array())),
            start: is_dated.then(|| draw.instant()),
            at: draw.instant(),
            number: draw.number(),
            id: draw.array(),
            subject: EntityId(draw.array()),
            predicate: draw.text(),
            key: draw.text(),
            name: draw.text(),
        }
    }

    /// Takes parts over from others, one for each bit.
    fn take_over(&mut self, from: &Parts, how: u8) {
        let Parts { space, subject, predicate, key, start, at, id, number, name } = from.clone();
        let is_set = |bit: u8| how & 1 << bit != 0;
        if !is_set(0) {
            self.space = space;
        }
        if !is_set(1) {
            (self.subject, self.predicate, self.key) = (subject, predicate, key);
        }
        if is_set(2) {
            self.start = start;
        }
        if is_set(3) {
            self.at = at;
        }
        if is_set(4) {
            self.id = id;
        }
        if is_set(5) {
            self.number = number;
        }
        if is_set(6) {
            self.name = name;
        }
    }

    fn group(&self) -> GroupId {
        GroupId::new(self.space, self.subject, &self.predicate, &self.key)
    }

    fn place(&self) -> Place {
        Place { start: self.start, known_at: self.at, id: AssertionId(self.id) }
    }

    /// The name as it stands in keys: without a NUL.
    fn folded(&self) -> String {
        fold_name(&self.name.replace('\0', " "))
    }

    fn read_back(&self) {
        let group = self.group();
        assert_eq!(GroupId::from_key(&group.to_key()), Some(group));
        let row = key::history(group, HistoryRow::Zones, self.place());
        assert_eq!((GroupId::from_key(&row), key::history_row(&row)), (Some(group), Some(HistoryRow::Zones)));
        let place = key::place_with_words(group, self.start, &self.name);
        assert_eq!(key::place_from(&place), Some((group, self.start)));
        assert_eq!(key::words_from(&place), Some(self.name.as_bytes()));
        let participant = key::participant(self.space, Part::Agent, &self.name, self.at, EpisodeId(self.id));
        let prefix = key::participant_prefix(self.space, Part::Agent, &self.name);
        assert_eq!(
            key::participant_from(&participant),
            Some((prefix.as_slice(), self.at, EpisodeId(self.id)))
        );
        let (folded, entity) = (self.folded(), EntityId(self.id));
        let name = key::name(self.space, &folded, entity);
        assert_eq!(key::name_from_key(&name), Some((folded.as_bytes(), entity)));
        if let Ok(item) = Item::new(&self.name) {
            assert_eq!(Item::from_key(item.key()).as_ref(), Some(&item));
            assert_eq!(item.text(), self.name);
        }
        assert_eq!(AssertionId::parse(&AssertionId(self.id).to_string()), Some(AssertionId(self.id)));
        let mut numbers = Vec::new();
        put(&mut numbers, self.number);
        put_signed(&mut numbers, self.at.micros());
        let mut read = Varints::new(&numbers);
        assert_eq!((read.number(), read.signed()), (Some(self.number), Some(self.at.micros())));
    }

    /// Every key that belongs to a space.
    fn keys(&self) -> Vec<Vec<u8>> {
        let Parts { space, start, at, id, number, name, .. } = self;
        let (space, start, at, id, number) = (*space, *start, *at, *id, *number);
        let group = self.group();
        vec![
            group.to_key(),
            key::subject_prefix(space, self.subject),
            key::history(group, HistoryRow::Chunk, self.place()),
            key::history_prefix(group, HistoryRow::Chunk),
            key::place(group, start),
            key::current(group, start, ObjectKey(id)),
            key::premise(space, AssertionId(id), AssertionId(id)),
            key::assertion(space, AssertionId(id)),
            key::fact(space, FactId(id)),
            key::episode(space, EpisodeId(id)),
            key::episode_assertion(space, EpisodeId(id), AssertionId(id)),
            key::session_episode(space, name, number, EpisodeId(id)),
            key::participant(space, Part::User, name, at, EpisodeId(id)),
            key::object_group(group, EntityId(id)),
            key::entity(space, EntityId(id)),
            key::name(space, &self.folded(), EntityId(id)),
            key::native(space, name),
            key::quarantine(space, name, number, &id),
            key::operation(space, name),
            key::operation_in(space, number),
            key::work_set(space, name),
            key::work_leaves(space, name).to_vec(),
            key::checkpoint(space, CheckpointId(id)),
            key::blob(space, &id),
        ]
    }

    fn stay_in_their_space(&self) {
        let prefix = key::space_prefix(self.space);
        let end = key::after_prefix(&prefix);
        for key in self.keys() {
            assert!(key.starts_with(&prefix), "{key:?} is not of {:?}", self.space);
            assert!(end.as_ref().is_none_or(|end| key < *end), "{key:?} is after {:?}", self.space);
        }
        assert!(key::all_work_leaves(self.space).starts_with(&prefix));
        assert!(key::work_sets(self.space).starts_with(&prefix));
    }
}

/// Keys of one kind sort as their parts do.
fn in_order(one: &Parts, other: &Parts) {
    let same = |of: fn(&Parts) -> Vec<u8>| (of(one), of(other));
    if one.group() == other.group() {
        let (a, b) = same(|parts| key::history(parts.group(), HistoryRow::Chunk, parts.place()));
        assert_eq!(a.cmp(&b), one.place().cmp(&other.place()), "history");
        let (a, b) = same(|parts| key::current(parts.group(), parts.start, ObjectKey(parts.id)));
        assert_eq!(a.cmp(&b), (one.start, one.id).cmp(&(other.start, other.id)), "facts");
    }
    let (a, b) = same(|parts| key::log(parts.number));
    assert_eq!(a.cmp(&b), one.number.cmp(&other.number), "the log");
    if one.space != other.space {
        let (a, b) = same(Parts::group_key);
        assert_eq!(a.cmp(&b), one.space.cmp(&other.space), "spaces");
        return;
    }
    let (a, b) = same(|parts| key::operation_in(parts.space, parts.number));
    assert_eq!(a.cmp(&b), one.number.cmp(&other.number), "operations");
    let (a, b) = same(|parts| key::name(parts.space, &parts.folded(), EntityId(parts.id)));
    assert_eq!(a.cmp(&b), (one.folded(), one.id).cmp(&(other.folded(), other.id)), "names");
    if one.name == other.name {
        let (a, b) =
            same(|parts| key::session_episode(parts.space, &parts.name, parts.number, EpisodeId(parts.id)));
        assert_eq!(a.cmp(&b), (one.number, one.id).cmp(&(other.number, other.id)), "sessions");
        let (a, b) = same(|parts| {
            key::participant(parts.space, Part::Agent, &parts.name, parts.at, EpisodeId(parts.id))
        });
        assert_eq!(a.cmp(&b), (one.at, one.id).cmp(&(other.at, other.id)), "participants");
    }
    if let (Ok(a), Ok(b)) = (Item::new(&one.name), Item::new(&other.name)) {
        let by_number = |item: &Item| (item.number().is_none(), item.number());
        let expected = by_number(&a).cmp(&by_number(&b)).then_with(|| a.bytes().cmp(&b.bytes()));
        assert_eq!(a.key().cmp(b.key()), expected, "items");
    }
}

impl Parts {
    fn group_key(&self) -> Vec<u8> {
        self.group().to_key()
    }
}

/// Bytes that nobody wrote as a key are none, or are as good as one that somebody wrote.
fn any_bytes(bytes: &[u8]) {
    if let Some(group) = GroupId::from_key(bytes) {
        assert!(bytes.starts_with(&group.to_key()));
        assert_eq!(key::history_row(bytes), key::history_row(&bytes[..bytes.len().min(37)]));
    }
    if let Some((group, start)) = key::place_from(bytes) {
        assert_eq!(key::place_from(&key::place(group, start)), Some((group, start)));
        assert!(key::words_from(bytes).is_none_or(|words| bytes.ends_with(words)));
    }
    if let Some((prefix, at, EpisodeId(id))) = key::participant_from(bytes) {
        assert_eq!([prefix, &key::instant_bytes(at), &id].concat(), bytes);
    }
    if let Some((text, id)) = key::name_from_key(bytes) {
        assert_eq!(text.len() + 4 + 1 + id.0.len(), bytes.len());
    }
    if let Some(item) = Item::from_key(bytes) {
        assert_eq!(Item::new(&item.text()), Ok(item));
    }
    let (prefix, key) = bytes.split_at(bytes.len() / 2);
    let is_before_end = key::after_prefix(prefix).is_none_or(|end| key < end.as_slice());
    assert_eq!(key.starts_with(prefix), key >= prefix && is_before_end);
    if let Ok(text) = std::str::from_utf8(bytes) {
        ids(text);
    }
    let mut read = Varints::new(bytes);
    while let Some(number) = read.number() {
        let mut again = Vec::new();
        put(&mut again, number);
        assert_eq!(Varints::new(&again).number(), Some(number));
    }
}

/// What is read as an id is printed as it stood, but for capitals.
fn ids(text: &str) {
    let printed = [
        AssertionId::parse(text).map(|id| id.to_string()),
        EpisodeId::parse(text).map(|id| id.to_string()),
        FactId::parse(text).map(|id| id.to_string()),
        EntityId::parse(text).map(|id| id.to_string()),
        CheckpointId::parse(text).map(|id| id.to_string()),
        StateId::parse(text).map(|id| id.to_string()),
    ];
    for printed in printed.into_iter().flatten() {
        assert_eq!(printed, text.to_lowercase());
    }
}
