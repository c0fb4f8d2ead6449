//! Whatever happens to the files, the index is as it was written, or empty and says why, or a search says that it failed.

use std::path::PathBuf;

use fs_err as fs;

use super::*;

fn written() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(Some(folder.path()));
    index.add(turns(0..40), mark(1)).unwrap();
    index.flush(Mode::Graph).unwrap();
    index.add(turns(40..50), mark(2)).unwrap();
    index.remove(SpaceId(1), Kind::Turn, &[id(7)]);
    index.flush(Mode::Graph).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    Folder::new(folder).unwrap().names().unwrap()
}

/// Says what comes of a folder: why it is empty, or what the search said.
fn noticed(folder: &Path) -> Option<String> {
    match VectorIndex::open(Some(folder), model()).unwrap() {
        Opened::Empty { index, why, .. } => {
            assert_eq!((index.mark(), seen(&index).0.len()), (Mark::START, 0));
            assert_eq!(names(folder), Vec::<String>::new(), "what cannot be used is removed");
            Some(why)
        }
        Opened::OtherModel(held) => panic!("holds {held:?}"),
        Opened::Kept(index) => {
            let space = index.space(SpaceId(1), Kind::Turn);
            let found = space.nearest(&Sample::new(99).unit(DIMENSION), Allowed::All, 1000, Mode::Auto);
            // A removed turn is found by no search.
            found
                .and_then(|_| index.add_to(&mut Digest::default(), true))
                .err()
                .map(|error| error.to_string())
        }
    }
}

/// Damages each file of a sound index in a copy of its own.
fn each_damaged(damage: impl Fn(&Path, usize)) {
    let n_files = names(written().path()).len();
    assert_eq!(n_files, 6);
    for at in 0..n_files {
        let folder = written();
        let name = names(folder.path())[at].clone();
        damage(&folder.path().join(&name), at);
        assert!(noticed(folder.path()).is_some(), "{name}");
    }
}

#[test]
fn a_sound_index_is_kept() {
    assert_eq!(noticed(written().path()), None);
}

#[test]
fn a_missing_file_is_noticed() {
    each_damaged(|path, _| fs::remove_file(path).unwrap());
}

#[test]
fn an_empty_file_is_noticed() {
    each_damaged(|path, _| fs::write(path, []).unwrap());
}

#[test]
fn a_file_cut_short_anywhere_is_noticed() {
    for cut in [1, 2, 33, 200] {
        each_damaged(|path, _| {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..bytes.len().saturating_sub(cut)]).unwrap();
        });
    }
}

#[test]
fn a_longer_file_is_noticed() {
    each_damaged(|path, _| {
        let mut bytes = fs::read(path).unwrap();
        bytes.push(0);
        fs::write(path, bytes).unwrap();
    });
}

#[test]
fn a_folder_in_place_of_a_file_is_noticed() {
    for at in 0..6 {
        let folder = written();
        let path = folder.path().join(&names(folder.path())[at]);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(noticed(folder.path()).is_some());
    }
}

#[test]
fn every_flipped_byte_is_noticed() {
    let folder = written();
    for name in names(folder.path()) {
        let path = folder.path().join(&name);
        let sound = fs::read(&path).unwrap();
        let all: Vec<(PathBuf, Vec<u8>)> = names(folder.path())
            .iter()
            .map(|name| (folder.path().join(name), fs::read(folder.path().join(name)).unwrap()))
            .collect();
        for at in (0..sound.len()).step_by(sound.len() / 60 + 1) {
            let mut bytes = sound.clone();
            bytes[at] ^= 0x10;
            fs::write(&path, bytes).unwrap();
            assert!(noticed(folder.path()).is_some(), "byte {at} of {name}");
            for (path, bytes) in &all {
                fs::write(path, bytes).unwrap();
            }
        }
    }
}

#[test]
fn files_of_another_generation_are_noticed() {
    // The same number of documents of the same shape, and another history.
    let other = tempfile::tempdir().unwrap();
    let mut index = open(Some(other.path()));
    index.add(turns(100..140), mark(1)).unwrap();
    index.flush(Mode::Graph).unwrap();
    index.add(turns(40..50), mark(2)).unwrap();
    index.flush(Mode::Graph).unwrap();
    drop(index);
    for name in ["gen-1.codes", "gen-1.full"] {
        let folder = written();
        fs::copy(other.path().join(name), folder.path().join(name)).unwrap();
        assert!(noticed(folder.path()).is_some(), "{name}");
    }
    // Within one index.
    for kind in ["codes", "full"] {
        let folder = written();
        let [first, second] = [1, 2].map(|number| folder.path().join(format!("gen-{number}.{kind}")));
        let bytes = fs::read(&first).unwrap();
        fs::rename(&second, &first).unwrap();
        fs::write(&second, bytes).unwrap();
        assert!(noticed(folder.path()).is_some(), "{kind}");
    }
}

#[test]
fn vectors_of_another_writing_are_noticed_when_their_lengths_agree() {
    let [folder, other] = [written(), tempfile::tempdir().unwrap()];
    let mut index = open(Some(other.path()));
    index.add(turns(100..140), mark(1)).unwrap();
    index.flush(Mode::Graph).unwrap();
    drop(index);
    fs::copy(other.path().join("gen-1.full"), folder.path().join("gen-1.full")).unwrap();
    let why = noticed(folder.path()).unwrap();
    assert!(why.contains("gen-1.full is not what was written"), "{why}");
}

#[test]
fn a_graph_of_more_documents_or_with_links_to_nowhere_is_none() {
    use crate::vector::graph::Graph;
    let slots = |n_nodes: u32, link: u32| {
        let [n_lowest, n_upper] = Graph::n_slots(n_nodes).unwrap();
        let mut lowest = vec![0; n_lowest];
        lowest[..2].copy_from_slice(&[1, link]);
        (lowest, vec![0; n_upper])
    };
    let made = |n_nodes, entry, link| {
        let (lowest, upper) = slots(n_nodes, link);
        Graph::from_slots(n_nodes, entry, lowest, upper).is_some()
    };
    assert!(made(4, 0, 3));
    assert!(!made(4, 0, 4), "a link to nowhere");
    assert!(!made(4, 4, 3), "a start nowhere");
    let (mut lowest, upper) = slots(4, 1);
    lowest[0] = 33;
    assert!(Graph::from_slots(4, 0, lowest, upper).is_none(), "more links than fit");
    let (lowest, upper) = slots(5, 1);
    assert!(Graph::from_slots(4, 0, lowest, upper).is_none(), "too long");
}

#[test]
fn garbage_and_other_versions_are_told() {
    let check = |change: fn(&mut Vec<u8>), expected: &str| {
        let folder = written();
        let path = folder.path().join("MANIFEST");
        let mut bytes = fs::read(&path).unwrap();
        bytes.truncate(bytes.len() - 32);
        change(&mut bytes);
        let hash = blake3::hash(&bytes);
        bytes.extend_from_slice(hash.as_bytes());
        fs::write(&path, bytes).unwrap();
        assert_eq!(noticed(folder.path()).unwrap(), expected);
    };
    check(|bytes| bytes[0] = b'B', "MANIFEST is that of something else");
    check(|bytes| bytes[8] = 9, "MANIFEST has version 9, and version 2 is expected");
    check(|bytes| bytes.push(0), "MANIFEST is not laid out as version 2 is");
    check(|bytes| bytes.truncate(30), "MANIFEST is not laid out as version 2 is");
    check(Vec::clear, "MANIFEST is that of something else");
}

#[test]
fn files_of_another_index_are_removed_and_what_no_index_wrote_is_left() {
    let folder = written();
    let before = names(folder.path());
    for name in ["gen-7.codes", "gen-7-1-t.graph", "MANIFEST.new"] {
        fs::write(folder.path().join(name), "x").unwrap();
    }
    let strangers = ["notes.txt", "gen-x.codes", "gen-7", "gen-.full", "manifest"];
    for name in strangers {
        fs::write(folder.path().join(name), "x").unwrap();
    }
    assert_eq!(noticed(folder.path()), None);
    assert_eq!(names(folder.path()), before);
    VectorIndex::discard(folder.path()).unwrap();
    assert_eq!(names(folder.path()), Vec::<String>::new());
    assert!(strangers.iter().all(|name| folder.path().join(name).exists()));
}

#[test]
fn a_link_is_not_written_through_nor_removed() {
    let elsewhere = tempfile::tempdir().unwrap();
    let theirs = elsewhere.path().join("theirs");
    for name in ["gen-1.codes", "gen-1.full", "MANIFEST.new", "MANIFEST"] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(&theirs, "x").unwrap();
        std::os::unix::fs::symlink(&theirs, folder.path().join(name)).unwrap();
        let mut index = open(Some(folder.path()));
        index.add(turns(0..9), mark(1)).unwrap();
        let error = index.flush(Mode::Auto).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("is in the way"), "{error}");
        VectorIndex::discard(folder.path()).unwrap();
        assert_eq!(fs::read(&theirs).unwrap(), b"x");
        assert!(folder.path().join(name).is_symlink());
    }
}

#[test]
fn an_index_of_another_model_is_named_and_left_alone() {
    let folder = written();
    let before = names(folder.path());
    let other_id = ModelName { id: "other".to_owned(), ..model() };
    let other_hash = ModelName { hash: [8; 32], ..model() };
    let other_dimension = ModelName { dimension: 8, ..model() };
    for other in [other_id, other_hash, other_dimension] {
        let Opened::OtherModel(held) = VectorIndex::open(Some(folder.path()), other).unwrap() else {
            panic!("an index of another model");
        };
        assert_eq!(held, model());
    }
    assert_eq!(names(folder.path()), before);
    assert_eq!(noticed(folder.path()), None);
}

#[test]
fn a_discarded_index_is_gone() {
    let folder = written();
    VectorIndex::discard(folder.path()).unwrap();
    assert!(!folder.path().exists());
    VectorIndex::discard(folder.path()).unwrap();
    assert_eq!(noticed(folder.path()).unwrap(), "there is no index yet");
}

#[test]
fn vectors_without_dimension_or_with_too_many_are_refused() {
    for dimension in [0, 4097] {
        assert!(VectorIndex::open(None, ModelName { dimension, ..model() }).is_err());
    }
}
