//! Power cuts: the process is killed at some call, and what goes on is what was durable then. Files that were not synced are as
//! they were at the last sync, or as they are, or torn in between; names are those that their folder had when it was synced. That
//! is stricter than most file systems.
//!
//! Disks that do something wrong, as a program would that forgot a sync or acknowledged too early, are found out by the same
//! rounds.
//!
//! `BYGONE_POWER_CUTS` makes the run longer, `BYGONE_SEED` another one.

use crate::support::disk::Disk;
use crate::support::random::{Random, setting};

const CUTS: u64 = 40;
const LINES: u64 = 6;
/// The calls of a process that opens a store and works on the lines: a few more than there are.
const CALLS: u64 = 420;

/// What the rounds on one disk have come to.
#[derive(Default)]
struct Rounds {
    /// The first cursor that is not there.
    next: u64,
    /// How many cuts came before the process had ended by itself.
    n_early: u64,
    n_acknowledged: u64,
}

/// Lets a process work until the power is cut, and says what is wrong with what is left.
fn round(
    disk: &mut Disk,
    random: &mut Random,
    so_far: &mut Rounds,
    plant: &'static str,
) -> Result<(), String> {
    let first = so_far.next;
    let set = |nth| format!("cursor set k{nth} v --json\n");
    let lines: String = (first..first + LINES).map(set).collect();
    let at = (1 + random.below(CALLS)).to_string();
    disk.settle();
    disk.set([
        ("FAULTS_KINDS", "write sync rename make remove"),
        ("FAULTS_AT", &at),
        ("FAULTS_DO", "kill"),
        ("FAULTS_DURABLE", "durable"),
        ("FAULTS_PLANT", plant),
    ]);
    let ended = disk.run_with(&["repl"], &lines);
    let n_acknowledged = ended.names().len() as u64;
    so_far.n_acknowledged += n_acknowledged;
    so_far.n_early += u64::from(ended.code.is_none());
    // A copy that was reported is there as well; it is made by whoever is not cut off.
    let copy = (ended.code == Some(0) && random.below(3) == 0).then(|| {
        disk.faults.remove("FAULTS_AT");
        let folder = disk.root().join(format!("copies/{first}"));
        let made = disk.run(&["backup", folder.to_str().expect("UTF-8")]);
        (folder, made.code == Some(0))
    });
    let place = format!("call {at}, {n_acknowledged} acknowledged after k{first}");
    let root = disk.root();
    disk.cut_power(random);
    disk.faults.clear();
    if let Some((folder, true)) = copy {
        let folder = disk.root().join(folder.strip_prefix(root).expect("it is in there"));
        let store = disk.root().join("restored");
        let words = ["--store", store.to_str().expect("UTF-8"), "restore", folder.to_str().expect("UTF-8")];
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bygone"));
        let restored = command.args(words).output().expect("the program runs");
        fs_err::remove_dir_all(&store).unwrap_or_default();
        if !restored.status.success() {
            return Err(format!("{place}: a copy is lost: {restored:?}"));
        }
    }
    let get = |nth| format!("cursor get k{nth} --json\n");
    let script: String = (0..first + LINES).map(get).collect();
    let found = disk.run_with(&["repl"], &script);
    if first + n_acknowledged == 0 && found.errors.contains("there is no store") {
        return Ok(());
    }
    let names = found.names();
    let in_order: Vec<String> = (0..names.len()).map(|nth| format!("k{nth}")).collect();
    let n_there = names.len() as u64;
    if names != in_order || n_there < first + n_acknowledged || !found.errors.is_empty() {
        return Err(format!("{place}: there are {names:?}; {}", found.errors));
    }
    so_far.next = n_there;
    let verified = disk.run(&["verify"]);
    if n_there > 0 && verified.code != Some(0) {
        return Err(format!("{place}: {verified:?}"));
    }
    Ok(())
}

#[test]
fn what_was_acknowledged_is_there_after_a_power_cut() {
    let (n_cuts, seed) = (setting("BYGONE_POWER_CUTS", CUTS), setting("BYGONE_SEED", 1));
    let mut random = Random::new(seed);
    let mut so_far = Rounds::default();
    let Some(mut disk) = Disk::new() else { return };
    for cut in 0..n_cuts {
        if let Err(problem) = round(&mut disk, &mut random, &mut so_far, "") {
            panic!("seed {seed}, cut {cut}: {problem}");
        }
        // Every so often from the first call on.
        if so_far.next > 40 {
            so_far.next = 0;
            let Some(new) = Disk::new() else { return };
            disk = new;
        }
    }
    let Rounds { n_early, n_acknowledged, .. } = so_far;
    assert!(
        n_acknowledged > n_cuts / 2 && n_early > n_cuts / 4,
        "{n_acknowledged} acknowledged, {n_early} cut off"
    );
}

/// Says whether rounds on a disk with a fault find something.
fn is_found(plant: &'static str) -> bool {
    const ROUNDS: u64 = 40;
    let mut random = Random::new(7);
    let mut so_far = Rounds::default();
    let Some(mut disk) = Disk::new() else { return true };
    (0..ROUNDS).any(|_| round(&mut disk, &mut random, &mut so_far, plant).is_err())
}

#[test]
fn a_sync_that_does_nothing_is_found() {
    assert!(is_found("nosync"));
}

#[test]
fn a_folder_that_is_not_synced_is_found() {
    assert!(is_found("nodirsync"));
}

#[test]
fn acknowledging_before_the_log_is_written_is_found() {
    assert!(is_found("unlogged"));
}

#[test]
fn a_name_given_before_its_content_is_synced_is_found() {
    assert!(is_found("swapped"));
}

#[test]
fn a_sync_that_failed_and_is_tried_again_is_found() {
    assert!(is_found("retried"));
}
