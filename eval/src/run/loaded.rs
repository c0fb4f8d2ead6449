//! How a run file is read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::header::{Header, VERSION};
use super::line::Line;
use crate::error::EvalError;
use crate::metric::Scores;

/// A run file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The file's name, without folders.
    pub name: String,
    /// The BLAKE3 hash of the file, in hexadecimal digits.
    pub hash: String,
    /// The hash of its lines without the header: what another machine comes to as well.
    pub lines_hash: String,
    /// Which run it is.
    pub header: Header,
    /// A line for each question and system, in the order of the data set.
    pub lines: Vec<Line>,
}

impl Loaded {
    /// Reads a run file.
    ///
    /// # Errors
    /// [`EvalError::Run`] where it is none; [`EvalError::Unreadable`].
    pub fn read(path: &Path) -> Result<Loaded, EvalError> {
        let bytes = fs_err::read(path).map_err(EvalError::Unreadable)?;
        let refuse = |reason: String| EvalError::Run { path: path.to_owned(), reason };
        let (header, lines) = read(&bytes).map_err(refuse)?;
        let behind_header = bytes.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let hash = |bytes: &[u8]| blake3::hash(bytes).to_hex().to_string();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Loaded { name, hash: hash(&bytes), lines_hash: hash(&bytes[behind_header..]), header, lines })
    }

    /// Says whether every question has its lines.
    pub fn is_complete(&self) -> bool {
        self.lines.len() == self.header.questions * self.header.systems.len()
    }

    /// Returns the types of the questions of which something is measured, in order.
    pub fn kinds(&self, part: &str) -> BTreeSet<&str> {
        let lines = self.lines.iter().filter(|line| line.parts.contains_key(part));
        lines.map(|line| &*line.kind).collect()
    }

    /// Returns the scores of a system in one thing that is measured, of the questions of one type or of all that are counted
    /// together, in the order of the data set; with the questions.
    pub fn scores(&self, part: &str, system: &str, kind: Option<&str>) -> (Vec<&str>, Scores) {
        let is_asked = |line: &&Line| match kind {
            Some(kind) => line.kind == kind,
            None => self.header.counts(&line.kind),
        };
        let mut ids = Vec::new();
        let mut scores = Scores::default();
        for line in self.lines.iter().filter(|line| line.system == system).filter(is_asked) {
            let Some(part) = line.parts.get(part) else { continue };
            if ids.is_empty() {
                let mut names: Vec<String> = part.scores.keys().cloned().collect();
                names.sort_by_cached_key(|name| in_order(name));
                scores = Scores::new(names);
            }
            ids.push(&*line.id);
            scores.add(&part.scores);
        }
        (ids, scores)
    }
}

/// Puts "recall@5" before "recall@10".
fn in_order(name: &str) -> (String, usize) {
    let (name, k) = name.split_once('@').unwrap_or((name, "0"));
    (name.to_owned(), k.parse().unwrap_or(usize::MAX))
}

/// Reads header and lines.
pub(super) fn read(bytes: &[u8]) -> Result<(Header, Vec<Line>), String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is no run file: expected UTF-8".to_owned())?;
    let mut lines = text.lines().enumerate();
    let Some((_, head)) = lines.next() else {
        return Err("is no run file: it is empty".to_owned());
    };
    let header: Header = serde_json::from_str(head)
        .map_err(|error| format!("is no run file: expected a header in line 1: {error}"))?;
    if header.run != VERSION {
        return Err(format!("is of version {} of run files, and {VERSION} is read here", header.run));
    }
    let mut read: Vec<Line> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut scored: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (index, line) in lines {
        let number = index + 1;
        let line = Line::read(line, &header).map_err(|reason| format!("line {number}: {reason}"))?;
        if !seen.insert((line.id.clone(), line.system.clone())) {
            return Err(format!("line {number}: {:?} by {:?} stands twice", line.id, line.system));
        }
        for (name, part) in &line.parts {
            let names: Vec<String> = part.scores.keys().cloned().collect();
            let first = scored.entry((line.system.clone(), name.clone())).or_insert_with(|| names.clone());
            if *first != names {
                return Err(format!("line {number}: {name}: `scores` are {names:?}, and {first:?} before"));
            }
        }
        read.push(line);
    }
    Ok((header, read))
}
