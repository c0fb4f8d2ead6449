//! Which files the words of a command mean: files, folders walked whole, patterns that no shell expanded, and standard
//! input. The entries of a zip archive are files of a folder that has its name.
//!
//! Each file is read once, in the order of the words and then of the paths. Hidden files and folders are left out unless
//! they are named. Links are followed, folders that were walked already excepted, so that a loop of links ends.

use std::collections::BTreeSet;
use std::fs::{FileType, Metadata};
use std::path::{Path, PathBuf};

use bygone_engine::time::Instant;
use bygone_ingest::read::Bytes;
use bygone_ingest::read::archive::{self, Entry};
use glob::{MatchOptions, Pattern};

use crate::clock::from_system;
use crate::failure::Failure;
use crate::table::{one_line, shown};

/// The word for standard input.
pub(super) const STDIN: &str = "-";
/// The name of what stood there.
const STDIN_NAME: &str = "stdin";

/// Signs by which a word may be a pattern.
const PATTERN_SIGNS: [char; 3] = ['*', '?', '['];

/// A file to read.
pub(super) struct Found {
    pub(super) name: String,
    pub(super) bytes: Bytes,
    /// Whether it was named itself, and not found in a folder, in an archive or by a pattern.
    pub(super) is_named: bool,
    pub(super) modified: Instant,
    pub(super) n_bytes: u64,
}

/// What the words mean.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) files: Vec<Found>,
    /// What was found and cannot be read, with the reason.
    pub(super) problems: Vec<(String, String)>,
    /// What was named and is no archive that can be read.
    pub(super) refused: Vec<String>,
    walked: BTreeSet<PathBuf>,
    seen: BTreeSet<PathBuf>,
}

/// Lists the files; `stdin` is what stood on standard input, and when it was read.
///
/// # Errors
/// Where what was named is not there or no file, and where nothing was found.
pub(super) fn list(words: &[PathBuf], stdin: Option<(Bytes, Instant)>) -> Result<Listing, Failure> {
    let mut listing = Listing::default();
    let mut stdin = stdin;
    for word in words {
        if word.as_os_str() != STDIN {
            listing.word(word)?;
        } else if let Some((bytes, now)) = stdin.take() {
            listing.bytes(STDIN_NAME.to_owned(), bytes, now, true);
        }
    }
    if listing.files.is_empty() && listing.problems.is_empty() && listing.refused.is_empty() {
        let words: Vec<String> = words.iter().map(|word| shown(&word.display().to_string())).collect();
        return Err(Failure::Input(format!("there is no file to read in {}", words.join(", "))));
    }
    Ok(listing)
}

impl Listing {
    fn word(&mut self, word: &Path) -> Result<(), Failure> {
        let cannot = |reason: String| {
            let word = shown(&word.display().to_string());
            Failure::Input(format!("cannot read {word}: {}", one_line(&reason)))
        };
        match std::fs::metadata(word) {
            Ok(metadata) if metadata.is_dir() => {
                // The folder itself was named.
                self.folder(word).map_err(|error| cannot(error.to_string()))
            }
            Ok(metadata) if metadata.is_file() => {
                self.file(word.to_owned(), &metadata, true);
                Ok(())
            }
            Ok(metadata) => Err(cannot(not_a_file(metadata.file_type()))),
            Err(error) => match word.to_str().filter(|word| word.contains(PATTERN_SIGNS)) {
                Some(pattern) => self.pattern(pattern),
                None => Err(cannot(error.to_string())),
            },
        }
    }

    fn pattern(&mut self, text: &str) -> Result<(), Failure> {
        let pattern = Pattern::new(text)
            .map_err(|error| Failure::Usage(format!("{:?} is no pattern of paths: {error}", shown(text))))?;
        let literal = Path::new(text)
            .components()
            .take_while(|part| !part.as_os_str().to_string_lossy().contains(PATTERN_SIGNS));
        let start: PathBuf = literal.collect();
        let mut matching = Matching { pattern, paths: Vec::new(), walked: BTreeSet::new() };
        matching.walk(&start);
        if matching.paths.is_empty() {
            return Err(Failure::Input(format!("nothing matches {:?}", shown(text))));
        }
        matching.paths.into_iter().for_each(|path| self.found(path));
        Ok(())
    }

    /// Takes what was found in a folder or by a pattern.
    fn found(&mut self, path: PathBuf) {
        match std::fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                if let Err(error) = self.folder(&path) {
                    self.problem(&path, error.to_string());
                }
            }
            Ok(metadata) if metadata.is_file() => self.file(path, &metadata, false),
            Ok(metadata) => self.problem(&path, not_a_file(metadata.file_type())),
            Err(error) => self.problem(&path, format!("cannot be read: {error}")),
        }
    }

    fn problem(&mut self, path: &Path, reason: String) {
        self.problems.push((path.display().to_string(), reason));
    }

    fn folder(&mut self, folder: &Path) -> std::io::Result<()> {
        if !self.walked.insert(std::fs::canonicalize(folder)?) {
            return Ok(());
        }
        let entries = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
        let mut paths = entries.collect::<std::io::Result<Vec<PathBuf>>>()?;
        paths.sort();
        paths.into_iter().filter(|path| !is_hidden(path)).for_each(|path| self.found(path));
        Ok(())
    }

    fn file(&mut self, path: PathBuf, metadata: &Metadata, is_named: bool) {
        if !self.seen.insert(path.clone()) {
            return;
        }
        let modified = from_system(metadata.modified().unwrap_or(std::time::UNIX_EPOCH));
        self.bytes(path.display().to_string(), Bytes::File(path), modified, is_named);
    }

    /// Takes a file, or the entries of an archive. What cannot be opened is told when it is read.
    fn bytes(&mut self, name: String, bytes: Bytes, modified: Instant, is_named: bool) {
        let (path, n_bytes) = match &bytes {
            Bytes::File(path) => (Some(path), std::fs::metadata(path).map_or(0, |metadata| metadata.len())),
            Bytes::Held(bytes) => (None, bytes.len() as u64),
            Bytes::Entry(_) => (None, 0),
        };
        match path.map_or(Ok(None), |path| archive::entries(path)) {
            Ok(None) => self.files.push(Found { name, bytes, is_named, modified, n_bytes }),
            Ok(Some(entries)) => entries.into_iter().for_each(|entry| self.entry(&name, entry, modified)),
            Err(reason) if is_named => self.refused.push(format!("{}: {}", shown(&name), one_line(&reason))),
            Err(reason) => self.problems.push((name, reason)),
        }
    }

    fn entry(&mut self, archive: &str, entry: Entry, modified: Instant) {
        let Entry { name, modified: own, n_packed, place } = entry;
        let name = format!("{archive}/{name}");
        match place {
            Ok(packed) => self.files.push(Found {
                name,
                bytes: Bytes::Entry(packed),
                is_named: false,
                modified: own.unwrap_or(modified),
                n_bytes: n_packed,
            }),
            Err(reason) => self.problems.push((name, reason)),
        }
    }
}

/// What matches a pattern, in the order of the paths.
struct Matching {
    pattern: Pattern,
    paths: Vec<PathBuf>,
    walked: BTreeSet<PathBuf>,
}

impl Matching {
    /// Walks a folder; what cannot be read in it matches nothing.
    fn walk(&mut self, folder: &Path) {
        let options = MatchOptions {
            require_literal_leading_dot: true,
            require_literal_separator: true,
            ..MatchOptions::new()
        };
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let is_new = std::fs::canonicalize(here).is_ok_and(|canonical| self.walked.insert(canonical));
        let Some(entries) = is_new.then(|| std::fs::read_dir(here).ok()).flatten() else { return };
        let mut names: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect();
        names.sort();
        for path in names.into_iter().map(|name| folder.join(name)) {
            if self.pattern.matches_path_with(&path, options) {
                self.paths.push(path);
            } else if path.is_dir() && !is_hidden(&path) {
                self.walk(&path);
            }
        }
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Says what stands in the place of a file.
fn not_a_file(kind: FileType) -> String {
    let what = kind_of(kind);
    format!("{what}, not a file: a transcript is read more than once")
}

#[cfg(unix)]
fn kind_of(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        kind if kind.is_fifo() => "a named pipe",
        kind if kind.is_socket() => "a socket",
        kind if kind.is_block_device() || kind.is_char_device() => "a device",
        _ => "something else",
    }
}

#[cfg(not(unix))]
fn kind_of(_: FileType) -> &'static str {
    "something else"
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// Lists what words mean in a folder, as paths in it.
    fn listed(folder: &Path, words: &[&str]) -> Result<(Vec<String>, Vec<String>), String> {
        let words: Vec<PathBuf> = words.iter().map(|word| folder.join(word)).collect();
        let within =
            |path: &str| Path::new(path).strip_prefix(folder).expect("in the folder").display().to_string();
        let Listing { files, problems, .. } = list(&words, None).map_err(|failure| failure.to_string())?;
        Ok((
            files.iter().map(|file| within(&file.name)).collect(),
            problems.iter().map(|(path, _)| within(path)).collect(),
        ))
    }

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        for file in files {
            let path = folder.path().join(file);
            fs_err::create_dir_all(path.parent().expect("in the folder")).expect("a folder");
            fs_err::write(path, "x").expect("a file");
        }
        folder
    }

    #[test]
    fn folders_are_walked_in_order_without_what_is_hidden() {
        let folder = folder(&["b.txt", "a/z.txt", "a/.git/x", ".hidden", "a.txt", "c/d/e.txt"]);
        let (files, problems) = listed(folder.path(), &["", "a.txt"]).expect("files");
        assert_eq!(files, ["a/z.txt", "a.txt", "b.txt", "c/d/e.txt"]);
        assert_eq!(problems, [] as [&str; 0]);
        let (files, _) = listed(folder.path(), &["b.txt", ".hidden", "a"]).expect("files");
        assert_eq!(
            files,
            ["b.txt", ".hidden", "a/z.txt"],
            "what is named is read, in the order of the words"
        );
    }

    #[test]
    fn a_loop_of_links_ends_and_a_broken_link_is_told() {
        let folder = folder(&["a/one.txt"]);
        symlink(folder.path(), folder.path().join("a/loop")).expect("a link");
        symlink("one.txt", folder.path().join("a/same.txt")).expect("a link");
        symlink("gone", folder.path().join("a/broken")).expect("a link");
        let (files, problems) = listed(folder.path(), &[""]).expect("files");
        assert_eq!(files, ["a/one.txt", "a/same.txt"]);
        assert_eq!(problems, ["a/broken"]);
    }

    #[test]
    fn patterns_are_expanded() {
        let folder = folder(&["a/1.jsonl", "a/b/2.jsonl", "a/b/3.txt", "a/.c/4.jsonl", "odd[1].txt"]);
        let (files, _) = listed(folder.path(), &["**/*.jsonl"]).expect("files");
        assert_eq!(files, ["a/1.jsonl", "a/b/2.jsonl"]);
        let (files, _) = listed(folder.path(), &["odd[1].txt"]).expect("files");
        assert_eq!(files, ["odd[1].txt"], "a file of that very name is meant");
        let (files, _) = listed(folder.path(), &["a/*"]).expect("files");
        assert_eq!(files, ["a/1.jsonl", "a/b/2.jsonl", "a/b/3.txt"], "a folder that matches is walked");
    }

    #[test]
    fn names_that_are_no_text_are_walked_past() {
        use std::os::unix::ffi::OsStrExt;
        let folder = folder(&["a.txt"]);
        fs_err::write(folder.path().join(std::ffi::OsStr::from_bytes(b"x\xff")), "x").expect("a file");
        let (files, _) = listed(folder.path(), &["*.txt"]).expect("files");
        assert_eq!(files, ["a.txt"]);
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let folder = folder(&["a/.hidden"]);
        let socket = folder.path().join("socket");
        let _listening = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
        for (word, reason) in [
            ("socket", "a socket, not a file"),
            ("a", "there is no file to read in"),
            ("missing", "No such file"),
            ("missing/*.txt", "nothing matches"),
            ("a/***", "is no pattern of paths"),
        ] {
            let refused = listed(folder.path(), &[word]).expect_err("a refusal");
            assert!(refused.contains(reason) && refused.contains(word), "{word}: {refused}");
        }
        assert!(
            list(&[PathBuf::from("/dev/null")], None)
                .is_err_and(|failure| failure.to_string().contains("a device"))
        );
    }
}
