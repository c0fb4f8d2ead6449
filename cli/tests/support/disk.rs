//! A disk that fails: the program runs with `faults.c` loaded, which counts its calls and lets one of them fail, ends the
//! process there, or keeps what a power cut would leave.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::random::Random;
use super::{NOW, text_of};

/// A folder that the program works in, and what the disk does with it.
pub(crate) struct Disk {
    folder: TempDir,
    n_images: u32,
    /// What is set for the next process, by the names that `faults.c` knows.
    pub(crate) faults: BTreeMap<&'static str, String>,
}

/// What a process came to.
#[derive(Debug)]
pub(crate) struct Ended {
    /// `None` where it was killed.
    pub(crate) code: Option<i32>,
    pub(crate) output: String,
    pub(crate) errors: String,
}

impl Ended {
    /// Returns the rows that were printed whole.
    pub(crate) fn rows(&self) -> Vec<Value> {
        self.output.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Returns the names of the cursors in the rows that hold something, in their order.
    pub(crate) fn names(&self) -> Vec<String> {
        let name = |row: &Value| row["name"].as_str().filter(|_| !row["value"].is_null()).map(str::to_owned);
        self.rows().iter().filter_map(name).collect()
    }
}

impl Disk {
    /// Makes a disk; nothing where it cannot be made here, which is said.
    #[expect(clippy::print_stderr, reason = "whoever runs the tests is told what was left out")]
    pub(crate) fn new() -> Option<Disk> {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/faults.c");
        let compiled = Command::new("cc")
            .args(["-O1", "-shared", "-fPIC", "-w", "-o"])
            .arg(folder.path().join("faults.so"))
            .args([source, "-ldl", "-lpthread"])
            .output();
        match compiled {
            Ok(output) if output.status.success() => {}
            Ok(output) => {
                panic!("{source} does not compile: {}", String::from_utf8_lossy(&output.stderr))
            }
            Err(error) => {
                eprintln!("skipped: there is no C compiler to make a disk that fails ({error})");
                return None;
            }
        }
        fs_err::create_dir_all(folder.path().join("0/root")).expect("a folder");
        fs_err::create_dir(folder.path().join("0/durable")).expect("a folder");
        Some(Disk { folder, n_images: 0, faults: BTreeMap::new() })
    }

    /// Returns the folder that the disk watches.
    pub(crate) fn root(&self) -> PathBuf {
        self.image().join("root")
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.root().join("store")
    }

    fn image(&self) -> PathBuf {
        self.folder.path().join(self.n_images.to_string())
    }

    fn count_file(&self) -> PathBuf {
        self.folder.path().join("count")
    }

    /// Sets the faults of the next processes, and forgets those before.
    pub(crate) fn set<const N: usize>(&mut self, faults: [(&'static str, &str); N]) {
        self.faults = faults.into_iter().map(|(name, value)| (name, value.to_owned())).collect();
        fs_err::remove_file(self.count_file()).unwrap_or_default();
    }

    /// Returns how many calls were counted since the faults were set.
    pub(crate) fn n_calls(&self) -> u64 {
        let bytes = fs_err::read(self.count_file()).unwrap_or_default();
        bytes.try_into().map_or(0, u64::from_le_bytes)
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bygone"));
        command.args(["--store", &text_of(&self.store()), "--now", NOW]).args(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if !self.faults.is_empty() {
            command.env("LD_PRELOAD", self.folder.path().join("faults.so"));
            command.env("FAULTS_UNDER", self.root()).env("FAULTS_COUNT", self.count_file());
            for (name, value) in &self.faults {
                let value =
                    if value == "durable" { text_of(&self.image().join("durable")) } else { value.clone() };
                command.env(name, value);
            }
        }
        command
    }

    /// Runs a command on some input to its end, whichever that is.
    pub(crate) fn run_with(&self, words: &[&str], input: &str) -> Ended {
        let mut process = self.command(words).spawn().expect("the program starts");
        // One that was killed reads nothing.
        process.stdin.take().expect("it has an input").write_all(input.as_bytes()).unwrap_or_default();
        let ended = process.wait_with_output().expect("it was started here");
        Ended {
            code: ended.status.code(),
            output: String::from_utf8_lossy(&ended.stdout).into_owned(),
            errors: String::from_utf8_lossy(&ended.stderr).into_owned(),
        }
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ended {
        self.run_with(words, "")
    }

    /// Runs a command without faults, which must do what it is asked.
    #[track_caller]
    pub(crate) fn done(&mut self, words: &[&str]) -> String {
        let faults = std::mem::take(&mut self.faults);
        let ended = self.run(words);
        self.faults = faults;
        assert_eq!(ended.code, Some(0), "{words:?}: {ended:?}");
        ended.output
    }

    /// Takes everything that there is for durable.
    pub(crate) fn settle(&self) {
        let durable = self.image().join("durable");
        fs_err::remove_dir_all(&durable).expect("it is there");
        fs_err::create_dir(&durable).expect("a folder");
        keep(&self.root(), &durable);
    }

    /// Cuts the power: what goes on is what was durable, and of what was not, some.
    pub(crate) fn cut_power(&mut self, random: &mut Random) {
        let before = self.image();
        let mut live = BTreeMap::new();
        inodes_in(&before.join("root"), &mut live);
        let root = fs_err::metadata(before.join("root")).expect("the folder").ino();
        self.n_images += 1;
        let after = self.image();
        fs_err::create_dir_all(after.join("durable")).expect("a folder");
        rebuild(&before.join("durable"), &live, root, &after.join("root"), random);
        fs_err::remove_dir_all(before).expect("it goes");
    }
}

/// Finds the files in a folder and below by their inodes.
fn inodes_in(folder: &Path, found: &mut BTreeMap<u64, PathBuf>) {
    for entry in fs_err::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let metadata = fs_err::symlink_metadata(&path).expect("it is there");
        if metadata.is_dir() {
            inodes_in(&path, found);
        } else if metadata.is_file() {
            found.insert(metadata.ino(), path);
        }
    }
}

/// Makes a folder of what is durable of one.
fn rebuild(durable: &Path, live: &BTreeMap<u64, PathBuf>, inode: u64, to: &Path, random: &mut Random) {
    fs_err::create_dir(to).expect("a folder");
    let names = fs_err::read_to_string(durable.join(format!("d{inode}"))).unwrap_or_default();
    for line in names.lines().collect::<BTreeSet<&str>>() {
        let mut words = line.splitn(3, ' ');
        let [inode, kind, name] = std::array::from_fn(|_| words.next().expect("an inode, a kind and a name"));
        let inode = inode.parse().expect("a number");
        match kind {
            "d" => rebuild(durable, live, inode, &to.join(name), random),
            "f" => {
                let content = fs_err::read(durable.join(format!("i{inode}"))).unwrap_or_default();
                let now = live.get(&inode).map(|path| fs_err::read(path).expect("it is there"));
                let now = now.unwrap_or_else(|| content.clone());
                fs_err::write(to.join(name), torn(&content, now, random)).expect("a file");
            }
            _ => {}
        }
    }
}

/// Returns what is left of a file that was synced with one content and has another now.
fn torn(synced: &[u8], mut now: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let is_longer = now.len() > synced.len() && now.starts_with(synced);
    match random.below(3) {
        0 => synced.to_vec(),
        1 => now,
        _ if is_longer => {
            now.truncate(synced.len() + random.index(now.len() - synced.len()));
            now
        }
        _ => synced.to_vec(),
    }
}

/// Takes everything in a folder for durable.
fn keep(folder: &Path, durable: &Path) {
    let mut names = String::new();
    for entry in fs_err::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let inode = fs_err::metadata(entry.path()).expect("it is there").ino();
        let kind = if entry.path().is_dir() { "d" } else { "f" };
        writeln!(names, "{inode} {kind} {}", entry.file_name().to_string_lossy()).expect("text takes it");
        if kind == "d" {
            keep(&entry.path(), durable);
        } else {
            fs_err::copy(entry.path(), durable.join(format!("i{inode}"))).expect("a copy");
        }
    }
    let inode = fs_err::metadata(folder).expect("the folder").ino();
    fs_err::write(durable.join(format!("d{inode}")), names).expect("a file");
}
