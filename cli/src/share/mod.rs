//! Several processes, one store: whoever opens it first serves the others, which send it their commands and notice nothing.
//!
//! ```text
//! process that has the store                         another process
//!   serve: socket in the store's folder  ◀── words ──  ask: its own attempt to open the store met the lock
//!          a session a command, on the   ── output ─▶       prints what comes, and ends as the command did
//!          same store                    ◀── input ──       hands on what the command asks for
//! ```
//!
//! When the process that serves ends or is killed, the next command of any other opens the store and serves in its place. A
//! command that was under way then is sent again, with the same now and the same mark: what depends on what is there
//! (`Space::decide`) is done once by that mark, and statements are the same statements, which are recorded once.
//!
//! Invariant: nothing is printed of an attempt that is repeated.
//!
//! Only between processes of one user, and on Linux: a command's paths are relative to the folder that it is run in, and
//! there a thread can have a folder of its own.

mod ask;
mod frame;
mod remembered;
mod serve;

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

pub(crate) use ask::{Sending, run};
pub(crate) use serve::Served;

/// The socket in a store's folder.
const SOCKET: &str = "SOCKET";

/// Connects to the process that serves a store; nothing where none does.
pub(crate) fn connect(folder: &Path) -> Option<UnixStream> {
    in_folder(folder, SOCKET, |path| UnixStream::connect(path)).ok()
}

/// Does something with a path in a folder that is short, however long the folder's own is: a socket's address has about a
/// hundred bytes.
fn in_folder<T>(folder: &Path, name: &str, then: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    let folder = File::open(folder)?;
    then(&PathBuf::from(format!("/proc/self/fd/{}/{name}", folder.as_raw_fd())))
}
