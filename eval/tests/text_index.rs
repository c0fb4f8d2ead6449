//! The full-text index on disk: it says what the log says, whatever happened to its folder.
#![cfg(feature = "rocksdb")]

use std::path::Path;
use std::sync::Arc;

use bygone_engine::backend::Rocks;
use bygone_engine::episode::Role;
use bygone_engine::store::{Recording, Store, Target};
use bygone_engine::time::Instant;
use bygone_engine::{Episode, EpisodeId, View};
use bygone_ontology::Ontology;
use tempfile::TempDir;

/// Enough turns for the index to be written to disk, several times over.
const MANY: u64 = 1_300;
const WORDS: [&str; 5] = ["otter", "badger", "heron", "otter badger", "lynx"];

fn open(folder: &Path) -> Store {
    let rocks = Rocks::open(folder, true, "a test").expect("opens");
    Store::open(Box::new(rocks), Arc::new(Ontology::core())).expect("opens")
}

fn clock(step: u64) -> Instant {
    let micros = 1_700_000_000_000_000 + i64::try_from(step).expect("small") * 1_000_000;
    Instant::from_micros(micros).expect("ordinary")
}

fn turn(position: u64) -> Episode {
    let animal = WORDS[usize::try_from(position % 5).expect("small")];
    Episode {
        id: EpisodeId::UNHASHED,
        session: format!("s{}", position / 100),
        position,
        role: Role::User,
        speaker: None,
        agent: None,
        user: None,
        time: clock(position),
        time_inferred: false,
        zone: None,
        native_id: None,
        text: format!("number{position} saw an {animal} by the river"),
        raw: None,
    }
    .with_content_id()
}

fn tell(store: &Store, positions: std::ops::Range<u64>) {
    let space = store.space("default", true).expect("a space");
    for position in positions.clone().step_by(100) {
        let until = (position + 100).min(positions.end);
        let episodes = (position..until).map(turn).collect();
        let recording = Recording { episodes, ..Recording::default() };
        space.record(recording, clock(position)).expect("records");
    }
}

/// Everything that is found, with its scores.
fn found(store: &Store) -> Vec<(EpisodeId, f64)> {
    let space = store.space("default", false).expect("a space");
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST).expect("reads");
    let mut all = Vec::new();
    for text in WORDS {
        let hits = seen.search_turns(text).expect("searches").collect::<Result<Vec<_>, _>>().expect("reads");
        all.extend(hits.into_iter().map(|hit| (hit.found.episode.id, hit.score)));
    }
    all
}

/// A store with many turns whose index is on disk, closed.
fn written(n_turns: u64) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    tell(&store, 0..n_turns);
    found(&store);
    assert!(folder.path().join("text/meta.json").exists(), "the index is on disk");
    folder
}

fn copy(from: &Path, to: &Path) {
    fs_err::create_dir_all(to).expect("a folder");
    for entry in fs_err::read_dir(from).expect("reads") {
        let entry = entry.expect("an entry");
        fs_err::copy(entry.path(), to.join(entry.file_name())).expect("copies");
    }
}

fn replace(folder: &Path, with: &Path) {
    fs_err::remove_dir_all(folder).expect("removes");
    copy(with, folder);
}

#[test]
fn what_is_found_is_the_same_however_much_of_it_is_on_disk() {
    let in_one_go = written(MANY);
    let expected = found(&open(in_one_go.path()));
    let of_each = usize::try_from(MANY / 5).expect("small");
    assert_eq!(
        expected.len(),
        of_each * (2 + 2 + 1 + 3 + 1),
        "every word is found in every turn that has it"
    );

    let bit_by_bit = tempfile::tempdir().expect("a folder");
    for start in (0..MANY).step_by(130) {
        let store = open(bit_by_bit.path());
        tell(&store, start..start + 130);
        found(&store);
    }
    assert_eq!(found(&open(bit_by_bit.path())), expected);
}

#[test]
fn what_was_just_said_is_found() {
    let folder = written(MANY);
    let store = open(folder.path());
    let before = found(&store).len();
    tell(&store, MANY..MANY + 1);
    assert_eq!(found(&store).len(), before + 2, "the turn has an otter, which two of the texts ask for");
}

#[test]
fn an_index_that_is_gone_or_damaged_is_made_again() {
    let folder = written(MANY);
    let text = folder.path().join("text");
    let expected = found(&open(folder.path()));
    fs_err::remove_dir_all(&text).expect("removes");
    assert_eq!(found(&open(folder.path())), expected, "gone");

    fs_err::write(text.join("meta.json"), "{}").expect("writes");
    assert_eq!(found(&open(folder.path())), expected, "no list of segments");

    let names: Vec<_> =
        fs_err::read_dir(&text).expect("reads").map(|entry| entry.expect("an entry")).collect();
    let names: Vec<_> = names.iter().map(fs_err::DirEntry::file_name).collect();
    for name in names {
        let path = text.join(&name);
        let whole = fs_err::read(&path).unwrap_or_default();
        if whole.is_empty() {
            continue;
        }
        fs_err::write(&path, &whole[..whole.len() / 2]).expect("writes");
        assert_eq!(found(&open(folder.path())), expected, "half of {name:?}");
        fs_err::remove_dir_all(&text).expect("removes");
        found(&open(folder.path()));
    }
}

#[test]
fn an_index_with_a_single_wrong_byte_is_made_again() {
    let folder = written(MANY);
    let text = folder.path().join("text");
    let expected = found(&open(folder.path()));
    let kept = tempfile::tempdir().expect("a folder");
    copy(&text, &kept.path().join("text"));
    let entries = fs_err::read_dir(&text).expect("reads").map(|entry| entry.expect("an entry"));
    let names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
    for name in names {
        let whole = fs_err::read(kept.path().join("text").join(&name)).expect("reads");
        for at in [0, 4, 9, 50, whole.len() / 2, whole.len().saturating_sub(1)] {
            let Some(byte) = whole.get(at) else { continue };
            let mut damaged = whole.clone();
            damaged[at] = byte ^ 0x10;
            replace(&text, &kept.path().join("text"));
            fs_err::write(text.join(&name), damaged).expect("writes");
            assert_eq!(found(&open(folder.path())), expected, "byte {at} of {name:?}");
        }
    }
    fs_err::remove_dir_all(&text).expect("removes");
    fs_err::write(&text, "no folder").expect("writes");
    assert_eq!(found(&open(folder.path())), expected, "a file in the folder's place");
}

#[test]
fn an_index_that_is_behind_ahead_or_of_another_store_is_mended() {
    let early = written(700);
    let late = written(MANY);
    let expected_early = found(&open(early.path()));
    let expected_late = found(&open(late.path()));
    let other = tempfile::tempdir().expect("a folder");
    {
        let store = open(other.path());
        tell(&store, 2_000..2_000 + MANY);
        found(&store);
    }
    let kept = tempfile::tempdir().expect("a folder");
    copy(&early.path().join("text"), &kept.path().join("early"));
    copy(&late.path().join("text"), &kept.path().join("late"));

    replace(&late.path().join("text"), &kept.path().join("early"));
    assert_eq!(found(&open(late.path())), expected_late, "behind");

    replace(&early.path().join("text"), &kept.path().join("late"));
    assert_eq!(found(&open(early.path())), expected_early, "ahead");

    replace(&late.path().join("text"), &other.path().join("text"));
    assert_eq!(found(&open(late.path())), expected_late, "another store's");
}

#[test]
fn erasing_throws_the_index_away_and_searching_makes_it_again() {
    let folder = written(MANY);
    let text = folder.path().join("text");
    let store = open(folder.path());
    let space = store.space("default", false).expect("a space");
    space.erase(&Target::Session("s3".to_owned()), clock(10_000)).expect("erases");
    assert!(!text.exists(), "nothing is left of the index until it is made again");
    let after = found(&store);
    assert!(text.join("meta.json").exists());
    let erased: Vec<EpisodeId> = (300..400).map(|position| turn(position).id).collect();
    assert!(after.iter().all(|(id, _)| !erased.contains(id)));
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST).expect("reads");
    assert_eq!(seen.search_turns("number355").expect("searches").count(), 0);
    assert_eq!(seen.search_turns("number455").expect("searches").count(), 1);
}
