//! How a run is written, and gone on with.
//!
//! Lines are written whole and in order as soon as they are there. What was cut off in the middle of a line, because a
//! process ended there, is cut off by whoever goes on.

use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fs_err::{File, OpenOptions};

use super::header::Header;
use super::line::Line;
use super::loaded::read;
use crate::error::EvalError;

/// A run that is being made: what is kept of it, and where what comes is written, if anywhere.
#[derive(Debug)]
pub struct Run {
    kept: Kept,
    written: Written,
}

/// The lines that are there already, by question and system.
#[derive(Debug, Default)]
pub struct Kept(BTreeMap<(String, String), Line>);

/// Where lines go.
#[derive(Debug)]
pub(crate) struct Written {
    file: Option<(PathBuf, File)>,
    /// The questions and systems of the lines that are there, in their order.
    there: std::vec::IntoIter<(String, String)>,
    n_lines: usize,
}

impl Run {
    /// Makes a run that is written nowhere.
    pub fn nowhere() -> Run {
        Run { kept: Kept::default(), written: Written::to(None, Vec::new()) }
    }

    /// Opens a file for a run: a new one, or one that somebody stopped writing, whose lines are kept.
    ///
    /// # Errors
    /// [`EvalError::Run`] where it is that of another run or of none; [`EvalError::Unreadable`].
    pub fn open(path: &Path, header: &Header) -> Result<Run, EvalError> {
        let open = OpenOptions::new().create(true).read(true).write(true).truncate(false).open(path);
        let mut file = open.map_err(EvalError::Unreadable)?;
        let refuse = |reason: String| EvalError::Run { path: path.to_owned(), reason };
        let mut bytes = Vec::new();
        // Devices and pipes hold nothing to go on with.
        if file.metadata().map_err(EvalError::Unreadable)?.is_file() {
            file.read_to_end(&mut bytes).map_err(EvalError::Unreadable)?;
        }
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let head = format!("{}\n", header.to_json());
        let mut lines = Vec::new();
        if whole == 0 && !head.as_bytes().starts_with(&bytes) {
            return Err(refuse("is no run file, and is left as it is".to_owned()));
        }
        if whole > 0 {
            let (there, kept) = read(&bytes[..whole]).map_err(refuse)?;
            if let Some(difference) = there.difference(header) {
                return Err(refuse(format!("is another run, and is left as it is: {difference}")));
            }
            lines = kept;
        }
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(EvalError::Unreadable)?;
        }
        if !bytes.is_empty() {
            file.seek(SeekFrom::Start(whole as u64)).map_err(EvalError::Unreadable)?;
        }
        let mut written = Written::to(Some((path.to_owned(), file)), Vec::new());
        if whole == 0 {
            written.write(&head)?;
        }
        let order: Vec<(String, String)> =
            lines.iter().map(|line| (line.id.clone(), line.system.clone())).collect();
        written.there = order.clone().into_iter();
        Ok(Run { kept: Kept(order.into_iter().zip(lines).collect()), written })
    }

    /// Returns how many lines are there already.
    pub fn n_kept(&self) -> usize {
        self.kept.0.len()
    }

    /// Returns what is kept, and where lines go.
    pub(crate) const fn parts(&mut self) -> (&Kept, &mut Written) {
        (&self.kept, &mut self.written)
    }
}

impl Kept {
    /// Returns the line of a question and a system, if it is there.
    pub fn line(&self, id: &str, system: &str) -> Option<&Line> {
        self.0.get(&(id.to_owned(), system.to_owned()))
    }
}

impl Written {
    fn to(file: Option<(PathBuf, File)>, there: Vec<(String, String)>) -> Written {
        Written { file, there: there.into_iter(), n_lines: 0 }
    }

    /// Takes the next line of the run, and writes it where it is not there yet.
    ///
    /// # Errors
    /// [`EvalError::Run`] where another line stands in its place; [`EvalError::Unwritten`].
    pub(crate) fn put(&mut self, line: &Line) -> Result<(), EvalError> {
        let Some((path, _)) = &self.file else { return Ok(()) };
        self.n_lines += 1;
        match self.there.next() {
            None => self.write(&line.to_text()),
            Some((id, system)) if id == line.id && system == line.system => Ok(()),
            Some((id, system)) => {
                let reason = format!(
                    "line {} is that of {id:?} by {system:?}, where {:?} by {:?} was expected",
                    self.n_lines + 1,
                    line.id,
                    line.system
                );
                Err(EvalError::Run { path: path.clone(), reason })
            }
        }
    }

    /// Makes sure that there is no line more than the run has.
    ///
    /// # Errors
    /// [`EvalError::Run`].
    pub(crate) fn end(&mut self) -> Result<(), EvalError> {
        match (&self.file, self.there.next()) {
            (Some((path, _)), Some((id, system))) => {
                let reason = format!("has a line of {id:?} by {system:?} behind its last one");
                Err(EvalError::Run { path: path.clone(), reason })
            }
            _ => Ok(()),
        }
    }

    /// Writes a text in one piece, as far as the system can.
    fn write(&mut self, text: &str) -> Result<(), EvalError> {
        let Some((_, file)) = &mut self.file else { return Ok(()) };
        file.write_all(text.as_bytes()).map_err(EvalError::Unwritten)
    }
}
