//! Which of the things in the folder of an index are the index's own: regular files that have one of its names.
//!
//! Everything else is left alone, whoever put it there: other names, links, and folders with something in them. Where one
//! of these stands in the place of a file that is to be written, nothing is written and the place is named.
//! The folder itself may be a link to one elsewhere.

use std::io;
use std::path::Path;

use fs_err as fs;

/// Makes the folder where there is none.
///
/// # Errors
/// Something else in its place.
pub(crate) fn make(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
        .map_err(|error| fs::symlink_metadata(folder).map_or(error, |found| in_the_way(folder, &found)))
}

/// Makes sure that a file may be written at a path, or replaced there.
///
/// # Errors
/// Something there that is not the index's own.
pub(crate) fn clear_the_way(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(()),
        // One that is empty is nobody's loss.
        Ok(found) if found.is_dir() => fs::remove_dir(path).map_err(|_| in_the_way(path, &found)),
        Ok(found) => Err(in_the_way(path, &found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Returns the names of the index in a folder, in order; none where there is no folder.
pub(crate) fn names(folder: &Path, is_own: impl Fn(&str) -> bool) -> io::Result<Vec<String>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        // What is not in UTF-8 is no name of ours.
        names.extend(entry?.file_name().into_string().ok().filter(|name| is_own(name)));
    }
    names.sort();
    Ok(names)
}

/// Removes what has a name of the index, if it is its own: a link or a folder with something in it stays.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => fs::remove_file(path),
        Ok(found) => {
            if found.is_dir() {
                fs::remove_dir(path).ok();
            }
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Removes everything of the index, and the folder where nothing else is in it.
pub(crate) fn remove_all(folder: &Path, is_own: impl Fn(&str) -> bool) -> io::Result<()> {
    for name in names(folder, is_own)? {
        remove(&folder.join(name))?;
    }
    fs::remove_dir(folder).ok();
    Ok(())
}

fn in_the_way(path: &Path, found: &std::fs::Metadata) -> io::Error {
    let what = if found.is_symlink() {
        "a symbolic link"
    } else if found.is_dir() {
        "a folder with something in it"
    } else {
        "something else"
    };
    let place = path.display();
    io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!(
            "{place} is in the way: expected a part of the index or nothing, and found {what}, which is left alone"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_own(name: &str) -> bool {
        name.starts_with("own")
    }

    /// A folder with what is ours, and what is not.
    fn mixed() -> (tempfile::TempDir, tempfile::TempDir) {
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let path = |name: &str| folder.path().join(name);
        fs::write(elsewhere.path().join("own-precious"), "x").unwrap();
        for name in ["own-file", "notes"] {
            fs::write(path(name), "x").unwrap();
        }
        fs::create_dir(path("own-empty")).unwrap();
        fs::create_dir_all(path("own-full/inner")).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), path("own-link")).unwrap();
        std::os::unix::fs::symlink(elsewhere.path().join("own-precious"), path("own-file-link")).unwrap();
        (folder, elsewhere)
    }

    fn all(folder: &Path) -> Vec<String> {
        names(folder, |_| true).unwrap()
    }

    #[test]
    fn only_what_is_ours_is_removed() {
        let (folder, elsewhere) = mixed();
        remove_all(folder.path(), is_own).unwrap();
        assert_eq!(all(folder.path()), ["notes", "own-file-link", "own-full", "own-link"]);
        assert_eq!(all(elsewhere.path()), ["own-precious"]);
    }

    #[test]
    fn the_folder_may_be_a_link_and_stays_one() {
        let (folder, elsewhere) = mixed();
        let link = elsewhere.path().join("link");
        std::os::unix::fs::symlink(folder.path(), &link).unwrap();
        make(&link).unwrap();
        remove_all(&link, is_own).unwrap();
        assert_eq!(all(&link), ["notes", "own-file-link", "own-full", "own-link"]);
    }

    #[test]
    fn a_folder_that_held_nothing_else_goes_and_one_that_is_not_there_is_no_failure() {
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("index");
        make(&index).unwrap();
        fs::write(index.join("own"), "x").unwrap();
        remove_all(&index, is_own).unwrap();
        assert!(!index.exists());
        remove_all(&index, is_own).unwrap();
    }

    #[test]
    fn what_is_in_the_way_is_named_and_left() {
        let (folder, _elsewhere) = mixed();
        for (name, expected) in [
            ("own-file", None),
            ("own-empty", None),
            ("own-none", None),
            ("own-full", Some("found a folder with something in it")),
            ("own-link", Some("found a symbolic link")),
            ("own-file-link", Some("found a symbolic link")),
        ] {
            let path = folder.path().join(name);
            let text = clear_the_way(&path).err().map(|error| error.to_string());
            let is_as_expected = match (&text, expected) {
                (Some(text), Some(expected)) => {
                    text.contains(expected) && text.contains(&path.display().to_string())
                }
                (text, expected) => text.is_none() && expected.is_none(),
            };
            assert!(is_as_expected, "{name}: {text:?}");
            assert_eq!(
                fs::symlink_metadata(&path).is_ok(),
                name == "own-file" || expected.is_some(),
                "{name}"
            );
        }
        let error = make(&folder.path().join("notes")).unwrap_err().to_string();
        assert!(error.contains("notes is in the way") && error.contains("found something else"), "{error}");
    }
}
