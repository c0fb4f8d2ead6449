//! The entries of a zip archive, each a file of its own: where they stand, and how one is read.
//!
//! The archive's directory is read once; of each entry only its place is kept, so that opening one is a seek. Nothing
//! is written to disk, so it does not matter what the names say.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use bygone_engine::time::Instant;
use flate2::Crc;
use flate2::read::DeflateDecoder;
use zip::{CompressionMethod, DateTime, ZipArchive};

use super::packed::{Counted, LIMITS, Limits, MAGIC_BYTES, Packing, expanding};
use super::shadowed::{Shadowed, shadowed};
use super::stamp::read_text;

/// The most entries an archive may have; chosen, untested.
const MOST_ENTRIES: usize = 50_000;
/// The numbers of the methods that are known, APPNOTE.TXT section 4.4.5.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// An entry of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, folders included; numbered where earlier entries have the same.
    pub name: String,
    /// When it was last modified, if the archive says so: without a zone, taken for UTC.
    pub modified: Option<Instant>,
    /// How many bytes it has in the archive.
    pub n_packed: u64,
    /// Where it stands, or why it cannot be read.
    pub place: Result<Stretch, String>,
}

/// Where the bytes of an entry stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    archive: PathBuf,
    start: u64,
    n_packed: u64,
    n_bytes: u64,
    crc: u32,
    is_deflated: bool,
}

/// Returns the entries of an archive in their order, save folders and what is hidden; `None` where the file is no zip
/// archive.
///
/// # Errors
/// Why the archive cannot be read, in words.
pub fn entries(path: &Path) -> Result<Option<Vec<Entry>>, String> {
    let cannot = |error: io::Error| format!("cannot be read: {error}");
    let mut file = fs_err::File::open(path).map_err(cannot)?;
    let mut head = Vec::with_capacity(MAGIC_BYTES);
    file.by_ref().take(MAGIC_BYTES as u64).read_to_end(&mut head).map_err(cannot)?;
    if Packing::of(&head) != Some(Packing::Zip) {
        return Ok(None);
    }
    let size = file.metadata().map_err(cannot)?.len();
    let mut archive = ZipArchive::new(io::BufReader::new(file))
        .map_err(|error| format!("cannot be read as a zip archive: {error}"))?;
    if archive.len() > MOST_ENTRIES {
        return Err(format!("the archive has {} entries; at most {MOST_ENTRIES} are read", archive.len()));
    }
    // By where their headers stand, which is their order.
    let mut listed = BTreeMap::new();
    let mut names = BTreeMap::new();
    for index in 0..archive.len() {
        let entry = archive
            .by_index_raw(index)
            .map_err(|error| format!("entry {} of the archive cannot be found: {error}", index + 1))?;
        names.insert(entry.name_raw().to_vec(), entry.name().to_owned());
        let header = Header {
            name: entry.name().to_owned(),
            modified: entry.last_modified(),
            is_encrypted: entry.encrypted(),
            method: entry.compression(),
            start: Ok(entry.data_start()),
            n_packed: entry.compressed_size(),
            n_bytes: entry.size(),
            crc: entry.crc32(),
        };
        listed.insert(entry.central_header_start(), header);
    }
    let known: BTreeSet<u64> = listed.keys().copied().collect();
    let (directory, offset) = (archive.central_directory_start(), archive.offset());
    let others = shadowed(&mut archive.into_inner(), directory, offset, &known, MOST_ENTRIES + 1);
    for other in others.map_err(cannot)? {
        listed.insert(other.header, Header::of(other, &names));
    }
    if listed.len() > MOST_ENTRIES {
        return Err(format!(
            "the archive has more than {MOST_ENTRIES} entries, which is the most that are read"
        ));
    }
    listed.retain(|_, header| !header.is_passed_over());
    let n_bytes = listed.values().fold(0_u64, |sum, header| sum.saturating_add(header.n_bytes));
    LIMITS.check(size, n_bytes).map_err(|reason| format!("the archive is not opened: {reason}"))?;
    let mut n_named: BTreeMap<String, u32> = BTreeMap::new();
    let mut entries = Vec::new();
    for header in listed.into_values() {
        let mut entry = header.entry(path);
        let n_same = n_named.entry(entry.name.clone()).or_default();
        *n_same += 1;
        if *n_same > 1 {
            entry.name = format!("{} ({n_same})", entry.name);
        }
        entries.push(entry);
    }
    Ok(Some(entries))
}

/// What the directory of an archive says of an entry.
struct Header {
    name: String,
    modified: Option<DateTime>,
    is_encrypted: bool,
    method: CompressionMethod,
    start: Result<u64, String>,
    n_packed: u64,
    n_bytes: u64,
    crc: u32,
}

impl Header {
    /// Makes it of an entry that shares its name with one whose name was read.
    fn of(other: Shadowed, names: &BTreeMap<Vec<u8>, String>) -> Header {
        let is_known = |method| matches!(method, STORED | DEFLATED);
        let Shadowed { name, is_encrypted, method, modified, crc, n_packed, n_bytes, start, .. } = other;
        Header {
            name: names.get(&name).cloned().unwrap_or_else(|| String::from_utf8_lossy(&name).into_owned()),
            modified: DateTime::try_from_msdos(modified.0, modified.1).ok(),
            is_encrypted,
            method: if method == STORED { CompressionMethod::Stored } else { CompressionMethod::Deflated },
            start: if is_known(method) {
                start
            } else {
                Err(format!(
                    "the entry is packed by method {method}; only stored and deflated entries are read"
                ))
            },
            n_packed,
            n_bytes,
            crc,
        }
    }

    /// Says whether it is a folder, or hidden.
    fn is_passed_over(&self) -> bool {
        is_hidden(&self.name) || (self.name.ends_with(['/', '\\']) && self.n_bytes == 0)
    }

    fn entry(self, archive: &Path) -> Entry {
        let place = match (self.start, self.method) {
            _ if leads_out(&self.name) => Err("the name leads out of the archive (`..`)".to_owned()),
            _ if self.name.ends_with(['/', '\\']) => Err("the name is that of a folder".to_owned()),
            _ if self.is_encrypted => Err("the entry is encrypted".to_owned()),
            (Err(reason), _) => Err(reason),
            (Ok(start), method @ (CompressionMethod::Stored | CompressionMethod::Deflated)) => Ok(Stretch {
                archive: archive.to_owned(),
                start,
                n_packed: self.n_packed,
                n_bytes: self.n_bytes,
                crc: self.crc,
                is_deflated: method == CompressionMethod::Deflated,
            }),
            (Ok(_), method) => {
                Err(format!("the entry is packed by {method}; only stored and deflated entries are read"))
            }
        };
        Entry { name: self.name, modified: self.modified.and_then(instant), n_packed: self.n_packed, place }
    }
}

fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['/', '\\'])
}

/// Says whether a name means a place outside of where it is unpacked.
fn leads_out(name: &str) -> bool {
    parts(name).any(|part| part == "..")
}

/// Says whether a file or one of its folders is hidden, as in folders that are walked; the copies of attributes that
/// macOS adds are.
fn is_hidden(name: &str) -> bool {
    let is_place = |part: &str| matches!(part, "." | "..");
    parts(name).any(|part| (part.starts_with('.') && !is_place(part)) || part == "__MACOSX")
}

fn instant(time: DateTime) -> Option<Instant> {
    Some(read_text(&time.to_string()).ok()?.at)
}

impl Stretch {
    /// Opens the entry; `count` is put around the archive's bytes.
    pub(super) fn open<'a>(
        &self,
        count: impl FnOnce(Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a>,
    ) -> io::Result<Box<dyn Read + Send + 'a>> {
        self.open_within(count, LIMITS)
    }

    fn open_within<'a>(
        &self,
        count: impl FnOnce(Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a>,
        limits: Limits,
    ) -> io::Result<Box<dyn Read + Send + 'a>> {
        let mut file = fs_err::File::open(&self.archive)?;
        file.seek(SeekFrom::Start(self.start))?;
        let n_packed = Arc::new(AtomicU64::new(0));
        let input = count(Box::new(file.take(self.n_packed)));
        let packed = Counted { input, n_bytes: Arc::clone(&n_packed) };
        let expanded: Box<dyn Read + Send + 'a> =
            if self.is_deflated { Box::new(DeflateDecoder::new(packed)) } else { Box::new(packed) };
        let checked = Checked { expanded, crc: Crc::new(), expected: self.crc, n_left: self.n_bytes };
        expanding(Box::new(checked), n_packed, limits)
    }
}

/// What an entry expands to, held against what the archive's directory says of it.
struct Checked<'a> {
    expanded: Box<dyn Read + Send + 'a>,
    crc: Crc,
    expected: u32,
    n_left: u64,
}

impl Read for Checked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.expanded.read(buffer)?;
        let differs = |what| Err(io::Error::other(format!("the entry has {what} the archive says")));
        match self.n_left.checked_sub(n_bytes as u64) {
            Some(n_left) => self.n_left = n_left,
            None => return differs("more bytes than"),
        }
        self.crc.update(&buffer[..n_bytes]);
        if n_bytes == 0 && !buffer.is_empty() {
            if self.n_left > 0 {
                return differs("fewer bytes than");
            }
            if self.crc.sum() != self.expected {
                return differs("another checksum than");
            }
        }
        Ok(n_bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use bygone_engine::time::format_instant;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn archive(files: &[(&str, &[u8])], method: CompressionMethod) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().expect("there is room for a file");
        let mut writer = ZipWriter::new(file.reopen().expect("it opens"));
        let time = DateTime::from_date_and_time(2024, 3, 1, 9, 30, 0).expect("a time");
        let options = SimpleFileOptions::default().compression_method(method).last_modified_time(time);
        for (name, bytes) in files {
            if name.ends_with('/') {
                writer.add_directory(*name, options).expect("a folder");
            } else {
                writer.start_file(*name, options).expect("an entry");
                writer.write_all(bytes).expect("there is room");
            }
        }
        writer.finish().expect("it is written");
        file
    }

    fn read(entry: &Entry, limits: Limits) -> Result<Vec<u8>, String> {
        let mut all = Vec::new();
        let packed = entry.place.clone()?;
        let read =
            packed.open_within(|input| input, limits).and_then(|mut input| input.read_to_end(&mut all));
        read.map_err(|error| error.to_string())?;
        Ok(all)
    }

    #[test]
    fn entries_are_listed_in_order_without_folders_and_what_is_hidden() {
        let text = "hello\n".repeat(5_000);
        let files: [(&str, &[u8]); 6] = [
            ("b/", b""),
            ("b/one.txt", text.as_bytes()),
            (".hidden", b"x"),
            ("__MACOSX/b/one.txt", b"x"),
            ("b/.git/x", b"x"),
            ("a.txt", b""),
        ];
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let archive = archive(&files, method);
            let entries = entries(archive.path()).expect("an archive").expect("an archive");
            let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
            assert_eq!(names, ["b/one.txt", "a.txt"]);
            assert_eq!(entries[0].modified.map(format_instant).as_deref(), Some("2024-03-01T09:30:00Z"));
            assert_eq!(read(&entries[0], LIMITS).as_deref(), Ok(text.as_bytes()));
            assert_eq!(read(&entries[1], LIMITS).as_deref(), Ok(&b""[..]));
        }
    }

    #[test]
    fn entries_of_one_name_are_all_read() {
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let archive =
                archive(&[("one.txt", b"first"), ("two.txt", b"x"), ("six.txt", b"second, longer")], method);
            // Names of one length, so that only they have to be changed.
            let mut bytes = fs_err::read(archive.path()).expect("an archive");
            for at in 0..bytes.len() - 7 {
                if &bytes[at..at + 7] == b"six.txt" {
                    bytes[at..at + 7].copy_from_slice(b"one.txt");
                }
            }
            // What stands before an archive, such as the program that unpacks it, moves all of it.
            for before in [&b""[..], b"PK\x03\x04, and what else a program begins with"] {
                fs_err::write(archive.path(), [before, &bytes].concat()).expect("there is room");
                let entries = entries(archive.path()).expect("an archive").expect("an archive");
                let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
                assert_eq!(names, ["one.txt", "two.txt", "one.txt (2)"]);
                let texts = entries.iter().map(|entry| read(entry, LIMITS).expect("it is read"));
                assert_eq!(texts.collect::<Vec<_>>(), [&b"first"[..], b"x", b"second, longer"]);
                assert_eq!(entries[0].modified, entries[2].modified);
            }
        }
    }

    #[test]
    fn names_that_lead_out_of_the_archive_are_told() {
        let files: [(&str, &[u8]); 4] =
            [("../a.txt", b"x"), ("b/../../a.txt", b"x"), ("./c.txt", b"x"), ("..d", b"x")];
        let archive = archive(&files, CompressionMethod::Stored);
        let entries = entries(archive.path()).expect("an archive").expect("an archive");
        let read: Vec<(&str, bool)> =
            entries.iter().map(|entry| (entry.name.as_str(), entry.place.is_ok())).collect();
        assert_eq!(read, [("../a.txt", false), ("b/../../a.txt", false), ("./c.txt", true)]);
        assert!(entries[0].place.as_ref().is_err_and(|reason| reason.contains("leads out")));
    }

    #[test]
    fn an_absolute_name_is_only_a_name_and_a_link_only_what_it_says() {
        let file = tempfile::NamedTempFile::new().expect("there is room for a file");
        let mut writer = ZipWriter::new(file.reopen().expect("it opens"));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        for name in ["/etc/hostname", "C:\\a.txt", "//host/a.txt"] {
            writer.start_file(name, options).expect("an entry");
            writer.write_all(b"hello").expect("there is room");
        }
        writer.add_symlink("link.txt", "/etc/hostname", options).expect("a link");
        writer.add_symlink("up.txt", "../../a.txt", options).expect("a link");
        writer.finish().expect("it is written");
        let entries = entries(file.path()).expect("an archive").expect("an archive");
        let texts: Vec<Vec<u8>> =
            entries.iter().map(|entry| read(entry, LIMITS).expect("it is read")).collect();
        assert_eq!(texts, [&b"hello"[..], b"hello", b"hello", b"/etc/hostname", b"../../a.txt"]);
    }

    #[test]
    fn what_is_no_archive_is_none_and_what_is_broken_is_told() {
        let write = |bytes: &[u8]| {
            let mut file = tempfile::NamedTempFile::new().expect("there is room for a file");
            file.write_all(bytes).expect("there is room");
            entries(file.path())
        };
        assert_eq!(write(b"PK, he said"), Ok(None));
        assert_eq!(write(b""), Ok(None));
        let whole = fs_err::read(archive(&[("a.txt", b"hello")], CompressionMethod::Deflated).path());
        let whole = whole.expect("an archive");
        let cut = write(&whole[..whole.len() - 10]);
        assert!(cut.is_err_and(|reason| reason.contains("zip archive")));
    }

    #[test]
    fn damage_and_limits_are_told() {
        let text = vec![b'x'; 100_000];
        let archive = archive(&[("a.txt", &text)], CompressionMethod::Deflated);
        let entry = &entries(archive.path()).expect("an archive").expect("an archive")[0];
        let limits = Limits { most: 99_999, free: 0, most_ratio: 100_000 };
        assert!(read(entry, limits).is_err_and(|reason| reason.contains("more than 99999 bytes")));
        let limits = Limits { most: 100_000, free: 0, most_ratio: 10 };
        assert!(read(entry, limits).is_err_and(|reason| reason.contains("more than 10 times")));
        let with = |change: fn(&mut Stretch)| {
            let mut entry = entry.clone();
            if let Ok(packed) = &mut entry.place {
                change(packed);
            }
            read(&entry, LIMITS)
        };
        assert!(with(|packed| packed.crc ^= 1).is_err_and(|reason| reason.contains("another checksum")));
        assert!(with(|packed| packed.n_bytes -= 1).is_err_and(|reason| reason.contains("more bytes than")));
        assert!(with(|packed| packed.n_bytes += 1).is_err_and(|reason| reason.contains("fewer bytes than")));
        assert!(with(|packed| packed.n_packed -= 5).is_err());
    }

    #[test]
    fn an_archive_in_an_archive_is_not_opened() {
        let inside = fs_err::read(archive(&[("a.txt", b"hello")], CompressionMethod::Stored).path());
        let archive = archive(&[("inside.zip", &inside.expect("an archive"))], CompressionMethod::Deflated);
        let entry = &entries(archive.path()).expect("an archive").expect("an archive")[0];
        assert!(read(entry, LIMITS).is_err_and(|reason| reason.contains("packed twice")));
    }
}
