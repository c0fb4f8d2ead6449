//! What is found in an index that holds more than a view sees, against one that holds nothing else; and what is left of one
//! on disk after a stop at any moment, and after damage.

mod crash;
mod damage;

use std::collections::BTreeSet;

use super::document::{Manner, session_number};
use super::*;
use crate::episode::Role;
use crate::time::Instant;

const WORDS: [&str; 7] = ["otter", "heron", "lynx", "badger", "newt", "pike", "crane"];
/// Enough for several batches of candidates and, at the least, two windows of scores.
const MANY: u64 = 6_000;

/// A number that looks drawn by lot, below `n`.
fn drawn(seed: u64, n: u64) -> u64 {
    let mixed = (seed ^ 0x9e37_79b9).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 33) % n
}

fn instant(second: u64) -> Instant {
    Instant::from_micros(i64::try_from(second).expect("small") * 1_000_000).expect("ordinary")
}

fn session(number: u64) -> String {
    format!("s{}", number % 5)
}

/// Few words, so that there are many ties; later ones are not always known later.
fn document(number: u64) -> Document {
    let draw = |nth: u64, n: u64| drawn(number * 16 + nth, n);
    let n_words = 1 + draw(0, 6);
    let word = |nth| WORDS[usize::try_from(draw(nth, 7)).expect("small")].to_owned();
    Document {
        space: SpaceId(u32::try_from(draw(8, 2)).expect("small")),
        kind: if draw(9, 4) == 0 { Kind::Statement } else { Kind::Turn },
        id: u128::from(drawn(number, u64::MAX >> 34)).to_be_bytes(),
        known_at: instant(1_000 + number / 2 + draw(10, 50)),
        seq: 1 + number / 10,
        session: session_number(&session(draw(11, 5))),
        position: number,
        speaker: 0,
        given: 0,
        manner: Manner { role: Role::User, asks: false, ends_asking: false },
        words: (1..=n_words).map(word).collect(),
        length: u32::try_from(n_words).expect("small"),
    }
}

/// An index with documents, the last of them in memory and the others in two segments at the least.
fn index(documents: Vec<Document>) -> TextIndex {
    let analyzer = Analyzer::default();
    let mut disk = Disk::anew(None, analyzer).expect("in memory");
    let mut tail = Tail::default();
    let size = documents.len();
    let mut documents = documents.into_iter();
    for share in [size / 2, size / 3] {
        let batch: Vec<Document> = documents.by_ref().take(share).collect();
        disk.add([Ok((batch, Mark::START))].into_iter()).expect("in memory");
    }
    tail.extend(documents.collect());
    TextIndex { open: Some(Open { tail: Arc::new(tail), ..Open::over(disk) }), ..TextIndex::new(analyzer) }
}

fn found(index: &TextIndex, text: &str, sight: &Sight) -> Vec<([u8; 16], f64)> {
    index.candidates(SpaceId(1), Kind::Turn, text, sight).expect("in memory").collect()
}

#[test]
fn what_a_view_does_not_see_changes_neither_order_nor_scores() {
    let everything = Sight::new(Instant::DISTANT_FUTURE, u64::MAX, None);
    let all: Vec<Document> = (0..MANY).map(document).collect();
    let sessions = BTreeSet::from([session(1), session(3)]);
    let known = instant(1_000 + MANY / 3);
    let sights = [
        everything.clone(),
        Sight::new(known, u64::MAX, None),
        Sight::new(Instant::DISTANT_FUTURE, MANY / 25, None),
        Sight::new(Instant::DISTANT_FUTURE, u64::MAX, Some(&sessions)),
        Sight::new(known, MANY / 25, Some(&sessions)),
        Sight::new(instant(0), u64::MAX, None),
    ];
    let here = index(all.clone());
    for sight in &sights {
        let is_seen = |document: &&Document| {
            document.space == SpaceId(1)
                && document.kind == Kind::Turn
                && document.known_at <= sight.known
                && document.seq <= sight.last_seq
                && sight.hears(document.session)
        };
        let seen: Vec<Document> = all.iter().filter(is_seen).cloned().collect();
        let n_with = |words: &[&str]| {
            seen.iter().filter(|document| document.words.iter().any(|word| words.contains(&&**word))).count()
        };
        let there = index(seen.clone());
        for words in [&["otter"][..], &["pike", "crane"], &["heron", "lynx", "badger"], &["unknown"]] {
            let found_here = found(&here, &words.join(" "), sight);
            assert_eq!(found_here.len(), n_with(words), "all that is seen, {words:?}, {sight:?}");
            assert!(found_here.is_sorted_by(|one, next| one.1 >= next.1), "best first");
            assert!(found_here.iter().all(|(_, score)| (0.0..1.0).contains(score)));
            assert_eq!(found_here, found(&there, &words.join(" "), &everything), "{words:?}, {sight:?}");
        }
    }
}

#[test]
fn ties_go_to_what_was_known_earlier() {
    let said = |second: u64| Document {
        known_at: instant(10_000 - second),
        words: vec!["otter".to_owned()],
        length: 1,
        space: SpaceId(1),
        kind: Kind::Turn,
        id: u128::from(second).to_be_bytes(),
        ..document(second)
    };
    let index = index((0..500).map(said).collect());
    let found = found(&index, "otter", &Sight::new(Instant::DISTANT_FUTURE, u64::MAX, None));
    let expected: Vec<[u8; 16]> = (0..500_u128).rev().map(u128::to_be_bytes).collect();
    assert_eq!(found.iter().map(|(id, _)| *id).collect::<Vec<_>>(), expected);
}

/// Batches of documents, each with the mark that it brings an index to.
fn batches(n_batches: u64) -> Vec<(Vec<Document>, Mark)> {
    let mark = |batch: u64| Mark { seq: batch, digest: u128::from(batch) * 10 };
    (0..n_batches)
        .map(|batch| ((batch * 20..batch * 20 + 20).map(document).collect(), mark(batch + 1)))
        .collect()
}

fn add(disk: &mut Disk, batches: &[(Vec<Document>, Mark)]) {
    disk.add(batches.iter().cloned().map(Ok)).unwrap();
}

/// What an index on disk holds.
fn held(disk: &Disk) -> Digest {
    let mut digest = Digest::default();
    for segment in disk.segments() {
        segment.add_to(&mut digest).unwrap();
    }
    digest
}

/// What an index is to hold after some batches.
fn told(batches: &[(Vec<Document>, Mark)]) -> Digest {
    let mut tail = Tail::default();
    for (documents, _) in batches {
        tail.extend(documents.clone());
    }
    let mut digest = Digest::default();
    tail.add_to(&mut digest);
    digest
}

fn kept(folder: &Path) -> Option<Disk> {
    Disk::kept(folder, Analyzer::default())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs_err::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
