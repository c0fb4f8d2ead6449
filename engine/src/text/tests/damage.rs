//! Whatever happens to the files, the index is as it was written, or none.

use super::*;

/// An index of two segments.
fn written() -> (tempfile::TempDir, Digest) {
    let folder = tempfile::tempdir().unwrap();
    let mut disk = Disk::anew(Some(folder.path()), Analyzer::default()).unwrap();
    let all = batches(2);
    add(&mut disk, &all);
    assert_eq!(disk.segments().len(), 2);
    (folder, told(&all))
}

#[test]
fn a_sound_index_is_kept_and_so_is_what_no_index_wrote() {
    let (folder, told) = written();
    let before = names(folder.path());
    assert!(before.contains(&"meta.json".to_owned()), "{before:?}");
    for name in ["00000000000000000000000000000000.idx", "meta.json.new", "notes.txt"] {
        fs_err::write(folder.path().join(name), "x").unwrap();
    }
    fs_err::create_dir_all(folder.path().join("a/folder")).unwrap();
    assert_eq!(kept(folder.path()).map(|disk| held(&disk)), Some(told));
    let mut left = before;
    left.extend(["a", "notes.txt"].map(str::to_owned));
    left.sort();
    assert_eq!(names(folder.path()), left);
}

#[test]
fn a_link_is_not_written_through_nor_removed() {
    let elsewhere = tempfile::tempdir().unwrap();
    let theirs = elsewhere.path().join("theirs");
    for name in ["meta.json", "meta.json.new"] {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(&theirs, "x").unwrap();
        std::os::unix::fs::symlink(&theirs, folder.path().join(name)).unwrap();
        let error = Disk::anew(Some(folder.path()), Analyzer::default()).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("is in the way"), "{error}");
        assert_eq!(fs_err::read(&theirs).unwrap(), b"x");
        assert!(folder.path().join(name).is_symlink());
    }
}

#[test]
fn every_flipped_byte_is_noticed() {
    let (folder, told) = written();
    for name in names(folder.path()) {
        let path = folder.path().join(&name);
        let sound = fs_err::read(&path).unwrap();
        for at in (0..sound.len()).step_by(sound.len() / 60 + 1) {
            let mut bytes = sound.clone();
            bytes[at] ^= 1;
            fs_err::write(&path, bytes).unwrap();
            assert!(kept(folder.path()).is_none(), "byte {at} of {name}");
        }
        fs_err::write(&path, sound).unwrap();
    }
    assert_eq!(kept(folder.path()).map(|disk| held(&disk)), Some(told));
}

#[test]
fn files_that_are_missing_cut_short_longer_or_of_another_segment_are_noticed() {
    let (folder, _) = written();
    let all = names(folder.path());
    for name in &all {
        let path = folder.path().join(name);
        let sound = fs_err::read(&path).unwrap();
        let longer = [sound.as_slice(), b" "].concat();
        let of_its_kind = all.iter().find(|other| {
            *other != name && other.split_once('.').map(|it| it.1) == name.split_once('.').map(|it| it.1)
        });
        let another = of_its_kind.map(|other| fs_err::read(folder.path().join(other)).unwrap());
        for bytes in [sound[..sound.len() / 2].to_vec(), Vec::new(), longer].into_iter().chain(another) {
            if bytes != sound {
                fs_err::write(&path, &bytes).unwrap();
                assert!(kept(folder.path()).is_none(), "{name} of {} bytes", bytes.len());
            }
        }
        fs_err::remove_file(&path).unwrap();
        assert!(kept(folder.path()).is_none(), "{name} is missing");
        fs_err::write(&path, sound).unwrap();
    }
    assert!(kept(folder.path()).is_some());
}

#[test]
fn what_becomes_of_the_files_of_an_open_index_is_told_and_not_seen() {
    let (folder, told) = written();
    let disk = kept(folder.path()).unwrap();
    disk.check_files().unwrap();
    for name in names(folder.path()) {
        fs_err::write(folder.path().join(&name), "x").unwrap();
        assert!(disk.check_files().unwrap_err().to_string().contains(&name));
        assert_eq!(held(&disk), told, "{name}");
    }
}
