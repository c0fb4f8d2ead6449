//! Folders that are there after a power cut: a name is durable once the folder it stands in is synced.

use std::io;
use std::path::Path;

use fs_err as fs;

/// Makes the names in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

/// Makes a folder and those above it where they are not there yet, durably.
///
/// # Errors
/// Something else in the place of one of them; what cannot be written.
pub(crate) fn make_folders(folder: &Path) -> io::Result<()> {
    let folder = std::path::absolute(folder)?;
    let missing: Vec<&Path> = folder.ancestors().take_while(|folder| !folder.is_dir()).collect();
    fs::create_dir_all(&folder)?;
    missing.into_iter().filter_map(Path::parent).try_for_each(sync_folder)
}
