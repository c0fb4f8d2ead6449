//! The folder that an index lives in, as the few steps that writing it takes. Tests stand in for it to stop between two
//! of them. Which names are an index's is said in `manifest.rs`; what else is in the folder is nobody's business here.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::manifest::is_own;
use crate::own;

/// What writes the bytes of a file.
pub(super) type Content<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Files by name, in one folder.
pub(super) trait Files: Send + Sync {
    /// Returns the names that files of an index have, of this one or another.
    fn names(&self) -> io::Result<Vec<String>>;

    /// Returns the bytes of a file.
    fn read(&self, name: &str) -> io::Result<Vec<u8>>;

    /// Opens a file that is read by position.
    fn open(&self, name: &str) -> io::Result<fs::File>;

    /// Writes a file; its bytes are durable when this returns, its name once the folder is synced. It replaces no link, and
    /// no folder with something in it.
    fn write(&self, name: &str, content: Content<'_>) -> io::Result<()>;

    /// Gives a file the name of another one, which it replaces.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Makes the names durable.
    fn sync(&self) -> io::Result<()>;

    /// Removes a file of an index. A link of that name stays, and so does a folder with something in it.
    fn remove(&self, name: &str) -> io::Result<()>;
}

/// A folder of the file system.
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens a folder, and makes it where there is none.
    pub(super) fn new(path: &Path) -> io::Result<Folder> {
        own::make(path)?;
        Ok(Folder { path: path.to_owned() })
    }
}

impl Files for Folder {
    fn names(&self) -> io::Result<Vec<String>> {
        own::names(&self.path, is_own)
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        fs::read(self.path.join(name))
    }

    fn open(&self, name: &str) -> io::Result<fs::File> {
        fs::File::open(self.path.join(name))
    }

    fn write(&self, name: &str, content: Content<'_>) -> io::Result<()> {
        let path = self.path.join(name);
        own::clear_the_way(&path)?;
        let mut writer = io::BufWriter::with_capacity(1 << 20, fs::File::create(path)?);
        content(&mut writer)?;
        writer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let to = self.path.join(to);
        own::clear_the_way(&to)?;
        fs::rename(self.path.join(from), to)
    }

    fn sync(&self) -> io::Result<()> {
        fs::File::open(&self.path)?.sync_all()
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        own::remove(&self.path.join(name))
    }
}
