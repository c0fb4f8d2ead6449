//! The file that the ranks of each question are written to.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use fs_err::{File, OpenOptions};
use serde_json::Value;

use crate::failure::Failure;

/// A file that is known to be writable before the work begins; what it held stays until there is something else.
pub(super) struct Details(Option<File>);

impl Details {
    /// Opens the file that was asked for, if any.
    pub(super) fn open(path: Option<&Path>) -> Result<Details, Failure> {
        let open = |path| OpenOptions::new().create(true).write(true).truncate(false).open(path);
        path.map(open).transpose().map(Details).map_err(|error| unwritten(&error))
    }

    /// Writes the rows, one a line.
    pub(super) fn write(self, rows: impl Iterator<Item = Value>) -> Result<(), Failure> {
        self.0.map_or(Ok(()), |file| replace(file, rows)).map_err(|error| unwritten(&error))
    }
}

fn replace(file: File, mut rows: impl Iterator<Item = Value>) -> io::Result<()> {
    // Devices and pipes hold nothing to be replaced.
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    let mut file = BufWriter::new(file);
    rows.try_for_each(|row| writeln!(file, "{row}"))?;
    file.flush()
}

// Not a failure of the command's own output, so that a closed pipe is told, too.
fn unwritten(error: &io::Error) -> Failure {
    Failure::Input(format!("the details cannot be written: {error}"))
}
