//! The folder that an index lives in, as the few steps that writing it takes. Tests stand in for it to stop between two
//! of them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fs_err as fs;

/// What writes the bytes of a file.
pub(super) type Content<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Files by name, in one folder.
pub(super) trait Files: Send + Sync {
    /// Returns the names of all files.
    fn names(&self) -> io::Result<Vec<String>>;

    /// Returns the bytes of a file.
    fn read(&self, name: &str) -> io::Result<Vec<u8>>;

    /// Opens a file that is read by position.
    fn open(&self, name: &str) -> io::Result<fs::File>;

    /// Writes a file; its bytes are durable when this returns, its name once the folder is synced.
    fn write(&self, name: &str, content: Content<'_>) -> io::Result<()>;

    /// Gives a file the name of another one, which it replaces.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Makes the names durable.
    fn sync(&self) -> io::Result<()>;

    /// Removes a file, or a folder with what is in it.
    fn remove(&self, name: &str) -> io::Result<()>;
}

/// A folder of the file system.
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens a folder, and makes it where there is none.
    pub(super) fn new(path: &Path) -> io::Result<Folder> {
        fs::create_dir_all(path)?;
        Ok(Folder { path: path.to_owned() })
    }
}

impl Files for Folder {
    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            // What is not in UTF-8 is no name of ours.
            names.extend(entry?.file_name().into_string().ok());
        }
        names.sort();
        Ok(names)
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        fs::read(self.path.join(name))
    }

    fn open(&self, name: &str) -> io::Result<fs::File> {
        fs::File::open(self.path.join(name))
    }

    fn write(&self, name: &str, content: Content<'_>) -> io::Result<()> {
        let mut writer = io::BufWriter::with_capacity(1 << 20, fs::File::create(self.path.join(name))?);
        content(&mut writer)?;
        writer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path.join(from), self.path.join(to))
    }

    fn sync(&self) -> io::Result<()> {
        fs::File::open(&self.path)?.sync_all()
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.path.join(name);
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
    }
}
