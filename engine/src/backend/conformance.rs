//! What every backend must do, run over each of them.

use std::ops::Bound;

use super::{Backend, Batch, Memory, Table, Write};
use crate::error::StoreError;

fn put(backend: &dyn Backend, table: Table, pairs: &[(&[u8], &[u8])]) {
    let mut batch = Batch::default();
    for (key, value) in pairs {
        batch.put(table, key.to_vec(), value.to_vec());
    }
    backend.commit(&batch).expect("commits");
}

fn keys(backend: &dyn Backend, table: Table, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Vec<Vec<u8>> {
    backend.snapshot().scan(table, from, to).map(|pair| pair.expect("reads").0.into_vec()).collect()
}

fn conforms(backend: &dyn Backend) {
    // What is put is read back, in its own table only.
    put(backend, Table::Episodes, &[(b"b", b"2"), (b"a", b"1"), (b"", b"0"), (b"b\xff", b"3"), (b"c", b"")]);
    let read = |key: &[u8]| backend.snapshot().read(Table::Episodes, key).expect("reads");
    assert_eq!(read(b"a"), Some(b"1".to_vec()));
    assert_eq!(read(b"c"), Some(Vec::new()));
    assert_eq!(read(b"d"), None);
    assert_eq!(backend.snapshot().read(Table::Log, b"a").expect("reads"), None);

    // Scans run in key order and keep their bounds.
    let all: [&[u8]; 5] = [b"", b"a", b"b", b"b\xff", b"c"];
    assert_eq!(keys(backend, Table::Episodes, Bound::Unbounded, Bound::Unbounded), all);
    assert_eq!(keys(backend, Table::Episodes, Bound::Included(b"a"), Bound::Excluded(b"b")), [b"a"]);
    assert_eq!(keys(backend, Table::Episodes, Bound::Excluded(b"a"), Bound::Included(b"b")), [b"b"]);
    let none: [&[u8]; 0] = [];
    assert_eq!(keys(backend, Table::Episodes, Bound::Excluded(b"b"), Bound::Excluded(b"b")), none);
    assert_eq!(keys(backend, Table::Episodes, Bound::Included(b"c"), Bound::Excluded(b"a")), none);

    // Scanned backwards they are the same, the last one first.
    for (from, to) in [
        (Bound::Unbounded, Bound::Unbounded),
        (Bound::Included(b"a".as_slice()), Bound::Excluded(b"b".as_slice())),
        (Bound::Excluded(b"a"), Bound::Included(b"b\xff")),
        (Bound::Included(b"b"), Bound::Unbounded),
        (Bound::Excluded(b"b"), Bound::Excluded(b"b")),
    ] {
        let image = backend.snapshot();
        let back = image.scan_back(Table::Episodes, from, to).map(|pair| pair.expect("reads").0.into_vec());
        let mut back: Vec<Vec<u8>> = back.collect();
        assert_eq!(
            image.last(Table::Episodes, from, to).expect("reads").map(|pair| pair.0.into_vec()).as_ref(),
            back.first()
        );
        back.reverse();
        assert_eq!(keys(backend, Table::Episodes, from, to), back);
    }

    let prefixed: Vec<Vec<u8>> = backend
        .snapshot()
        .scan_prefix(Table::Episodes, b"b")
        .map(|pair| pair.expect("reads").0.into_vec())
        .collect();
    assert_eq!(prefixed, [b"b".as_slice(), b"b\xff"]);

    // A snapshot does not change.
    let before = backend.snapshot();
    put(backend, Table::Episodes, &[(b"a", b"changed")]);
    assert_eq!(before.read(Table::Episodes, b"a").expect("reads"), Some(b"1".to_vec()));
    drop(before);
    assert_eq!(read(b"a"), Some(b"changed".to_vec()));

    // Within a batch the last write of a key counts.
    let mut batch = Batch::default();
    batch.put(Table::Episodes, b"x".to_vec(), b"1".to_vec());
    batch.remove(Table::Episodes, b"x".to_vec());
    batch.put(Table::Episodes, b"x".to_vec(), b"2".to_vec());
    batch.remove(Table::Episodes, b"b".to_vec());
    backend.commit(&batch).expect("commits");
    assert_eq!((read(b"x"), read(b"b")), (Some(b"2".to_vec()), None));

    // A batch whose expectation fails changes nothing.
    for value in [None, Some(b"1".to_vec())] {
        let mut batch = Batch::default();
        batch.put(Table::Episodes, b"y".to_vec(), b"1".to_vec());
        batch.expected.push(Write { table: Table::Episodes, key: b"x".to_vec(), value });
        assert!(matches!(backend.commit(&batch), Err(StoreError::Conflict)));
        assert_eq!(read(b"y"), None);
    }
    let mut batch = Batch::default();
    batch.put(Table::Episodes, b"y".to_vec(), b"1".to_vec());
    batch.expected.push(Write { table: Table::Episodes, key: b"x".to_vec(), value: Some(b"2".to_vec()) });
    batch.expected.push(Write { table: Table::Episodes, key: b"z".to_vec(), value: None });
    backend.commit(&batch).expect("commits");
    assert_eq!(read(b"y"), Some(b"1".to_vec()));
}

#[test]
fn memory_conforms() {
    conforms(&Memory::new());
}

#[cfg(feature = "rocksdb")]
mod rocks {
    use super::*;
    use crate::backend::Rocks;

    #[test]
    fn rocks_conforms() {
        let folder = tempfile::tempdir().expect("a folder");
        conforms(&Rocks::open(&folder.path().join("store"), true, "a test").expect("opens"));
    }

    #[test]
    fn a_store_outlives_its_process() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || Rocks::open(folder.path(), true, "a test").expect("opens");
        put(&open(), Table::Log, &[(b"a", b"1")]);
        assert_eq!(open().snapshot().read(Table::Log, b"a").expect("reads"), Some(b"1".to_vec()));
    }

    #[test]
    fn a_second_opener_is_told_who_holds_the_store() {
        let folder = tempfile::tempdir().expect("a folder");
        let _held = Rocks::open(folder.path(), true, "the first opener").expect("opens");
        match Rocks::open(folder.path(), true, "the second").map(|_| ()) {
            Err(StoreError::Busy { holder, .. }) => assert_eq!(holder, "the first opener"),
            other => panic!("expected busy, found {other:?}"),
        }
    }

    #[test]
    fn a_folder_with_other_files_is_no_store() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(Rocks::open(folder.path(), false, "").map(|_| ()), Err(StoreError::NoStore(_))));
        fs_err::write(folder.path().join("notes.txt"), "mine").expect("writes");
        assert!(matches!(Rocks::open(folder.path(), true, "").map(|_| ()), Err(StoreError::NotAStore(_))));
    }

    #[test]
    fn purged_values_leave_no_bytes_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let backend = Rocks::open(folder.path(), true, "a test").expect("opens");
        let needle = b"a sentence nobody else would write".to_vec();
        put(&backend, Table::Names, &[(&needle, &needle)]);
        assert!(!backend.search(std::slice::from_ref(&needle)).expect("searches").found.is_empty());
        backend.purge().expect("purges");
        let mut batch = Batch::default();
        batch.remove(Table::Names, needle.clone());
        backend.commit(&batch).expect("commits");
        backend.purge().expect("purges");
        assert_eq!(backend.search(&[needle]).expect("searches").found, Vec::<String>::new());
    }
}
