//! What fuzzing found is looked at again: every file of every corpus, by its target.

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use bygone_eval::fuzzed::TARGETS;

/// The most bytes of all corpora together, which are part of every clone.
const MOST_BYTES: usize = 300_000;

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus")
}

fn entries(folder: &Path) -> BTreeSet<PathBuf> {
    let listed = fs_err::read_dir(folder).expect("a folder");
    listed.map(|entry| entry.expect("an entry").path()).collect()
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).expect("a name that is text")
}

#[test]
fn what_fuzzing_found_holds() {
    for (target, check) in TARGETS {
        let files = entries(&corpora().join(target));
        assert!(files.len() > 10, "{target} has {} files", files.len());
        for file in files {
            let bytes = fs_err::read(&file).expect("a file");
            assert!(catch_unwind(|| check(&bytes)).is_ok(), "{} does not hold for {target}", file.display());
        }
    }
}

#[test]
fn every_corpus_has_a_target_and_a_program_and_all_are_small() {
    let names: BTreeSet<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    let folders = entries(&corpora());
    assert_eq!(folders.iter().map(|folder| name(folder)).collect::<BTreeSet<_>>(), names);
    let programs = entries(&corpora().join("../fuzz_targets"));
    let programs: BTreeSet<&str> =
        programs.iter().map(|program| name(program).trim_end_matches(".rs")).collect();
    assert_eq!(programs, names);
    let files = folders.iter().flat_map(|folder| entries(folder));
    let n_bytes: usize = files.map(|file| fs_err::read(file).expect("a file").len()).sum();
    assert!(n_bytes <= MOST_BYTES, "the corpora have {n_bytes} bytes");
}
