//! Doing the commands of other processes on a store that is open here.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use bygone_engine::time::Instant;
use nix::sched::{CloneFlags, unshare};
use nix::sys::socket::{Shutdown, getsockopt, shutdown, sockopt};

use super::ask::Sending;
use super::frame::{Kind, Request, TICK, VERSION, read, write};
use super::{SOCKET, in_folder};
use crate::failure::Exit;
use crate::session::{Ran, Session, Streams};

/// The commands that are done at a time; later ones wait.
const MOST_GUESTS: usize = 64;
/// How long a process that connects may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(5);

/// A store whose other users are served, until this is dropped: then what is under way is finished first.
pub(crate) struct Served {
    folder: PathBuf,
    is_closing: Arc<AtomicBool>,
    guests: Arc<Guests>,
    listening: Option<(Arc<UnixListener>, JoinHandle<()>)>,
}

/// How many commands are under way.
#[derive(Default)]
struct Guests {
    n: Mutex<usize>,
    changed: Condvar,
}

impl Guests {
    fn enter(&self) {
        let n = self.n.lock().unwrap_or_else(PoisonError::into_inner);
        let mut n = self.changed.wait_while(n, |n| *n >= MOST_GUESTS).unwrap_or_else(PoisonError::into_inner);
        *n += 1;
    }

    fn leave(&self) {
        *self.n.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.changed.notify_all();
    }

    /// Waits until none is under way, and returns whether that was before the time was over.
    fn are_gone(&self, within: Duration) -> bool {
        let n = self.n.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(n, within, |n| *n > 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == 0
    }
}

impl Served {
    /// Starts to serve the store in a folder. `lend` makes a session on the open store.
    ///
    /// # Errors
    /// Where there can be no socket in the folder; then the store is for this process alone.
    pub(crate) fn start(
        folder: &Path,
        lend: impl Fn() -> Session + Send + Sync + 'static,
    ) -> io::Result<Served> {
        let listener = Arc::new(bind(folder)?);
        let is_closing = Arc::new(AtomicBool::new(false));
        let guests = Arc::new(Guests::default());
        let thread = {
            let (is_closing, guests) = (Arc::clone(&is_closing), Arc::clone(&guests));
            let listener = Arc::clone(&listener);
            let lend = Arc::new(lend);
            std::thread::Builder::new().name("store".to_owned()).spawn(move || {
                for line in listener.incoming() {
                    if is_closing.load(Ordering::Acquire) {
                        return;
                    }
                    let Ok(line) = line else { continue };
                    guests.enter();
                    let guest = Guest { guests: Arc::clone(&guests) };
                    let lend = Arc::clone(&lend);
                    let started = std::thread::Builder::new().name("guest".to_owned()).spawn(move || {
                        // Whoever is at the other end sees that nothing came back, and sends again.
                        serve(&line, &*lend).unwrap_or_default();
                        // The store is let go of before anybody is told that this is done: the last one to close it is
                        // whoever opened it.
                        drop((line, lend));
                        drop(guest);
                    });
                    drop(started);
                }
            })?
        };
        Ok(Served { folder: folder.to_owned(), is_closing, guests, listening: Some((listener, thread)) })
    }

    /// Serves nobody who comes from now on. Until the store is closed they meet its lock, and wait.
    fn stop(&mut self) {
        let Some((listener, thread)) = self.listening.take() else { return };
        self.is_closing.store(true, Ordering::Release);
        // The thread wakes, and sees that it is over; that takes no file descriptor, of which there may be none left.
        shutdown(listener.as_raw_fd(), Shutdown::Both).unwrap_or_default();
        thread.join().unwrap_or_default();
        drop(listener);
        in_folder(&self.folder, SOCKET, |path| fs_err::remove_file(path)).unwrap_or_default();
    }

    /// Serves nobody else, and says whether commands of others are still under way after a while.
    pub(crate) fn is_busy(&mut self, after: Duration) -> bool {
        self.stop();
        !self.guests.are_gone(after)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop();
        while !self.guests.are_gone(Duration::from_secs(3600)) {}
    }
}

/// A command under way; it is gone when this is.
struct Guest {
    guests: Arc<Guests>,
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.guests.leave();
    }
}

/// Makes the socket, open to those to whom the folder is. Whoever has the store is alone in making one.
fn bind(folder: &Path) -> io::Result<UnixListener> {
    const NEW: &str = "SOCKET.new";
    let mode = std::fs::metadata(folder)?.permissions().mode() & 0o666;
    in_folder(folder, NEW, |path| {
        match fs_err::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(path)?;
        fs_err::set_permissions(path, std::fs::Permissions::from_mode(mode))?;
        fs_err::rename(path, path.with_file_name(SOCKET))?;
        Ok(listener)
    })
}

fn serve(line: &UnixStream, lend: &dyn Fn() -> Session) -> io::Result<()> {
    line.set_read_timeout(Some(PATIENCE))?;
    let (kind, bytes) = read(&mut &*line)?;
    line.set_read_timeout(None)?;
    if kind != Kind::Command {
        return Ok(());
    }
    let refuse = |why: &str| write(&mut &*line, Kind::Refused, why.as_bytes());
    let Ok(request) = serde_json::from_slice::<Request>(&bytes) else {
        return refuse("the process that has the store open is of another version");
    };
    if request.version != VERSION {
        let why = "the process that has the store open is bygone";
        return refuse(&format!("{why} {VERSION}, and this is {}: end it first", request.version));
    }
    let theirs = getsockopt(line, sockopt::PeerCredentials).map_err(io::Error::other)?.uid();
    if theirs != std::fs::metadata("/proc/self")?.uid() {
        return refuse("another user's process has the store open: wait until it ends");
    }
    let mut session = lend();
    if session.config_mark() != request.config {
        return refuse("the process that has the store open was started with other models: end it first");
    }
    // Paths are the command's own: this thread, and those that it starts, get a folder of their own.
    unshare(CloneFlags::CLONE_FS).map_err(io::Error::other)?;
    std::env::set_current_dir(OsStr::from_bytes(&request.folder))?;
    let now = Instant::from_micros(request.now).ok_or_else(|| io::Error::other("no time"))?;
    session = session.before(request.front);
    session.set_variables(
        request.variables.into_iter().map(|(name, value)| (name, OsString::from_vec(value))).collect(),
    );
    let words: Vec<OsString> = request.words.into_iter().map(OsString::from_vec).collect();
    let line = Mutex::new(line);
    let is_over = (Mutex::new(false), Condvar::new());
    let exit = std::thread::scope(|scope| {
        scope.spawn(|| tick(&line, &is_over));
        let mut output = BufWriter::new(Into { line: &line, kind: Kind::Output });
        let mut streams = Streams {
            input: &mut From { line: &line, held: Vec::new(), at: 0, is_over: false },
            output: &mut output,
            errors: &mut Into { line: &line, kind: Kind::Errors },
        };
        let sending = Sending { mark: request.sent, now };
        let end = End(&is_over);
        // A lent store is open: there is nobody else to ask.
        let ran = session.run_here(&words, Some(&sending), &mut streams);
        drop(end);
        match ran {
            Ran::Here(exit) => exit,
            Ran::Elsewhere(_) => Exit::Busy,
        }
    });
    let line = &mut *locked(&line);
    match exit {
        // Somebody stopped what runs here; the command is another's.
        Exit::Interrupted => write(line, Kind::Again, &[]),
        exit => write(line, Kind::Done, &[exit.code()]),
    }
}

/// Whether a command has ended, and what wakes who waits for that.
type IsOver = (Mutex<bool>, Condvar);

/// Says now and then that a command is under way, until it has ended.
fn tick(line: &Mutex<&UnixStream>, (is_over, changed): &IsOver) {
    let mut over = locked(is_over);
    loop {
        let waited = changed.wait_timeout_while(over, TICK, |is_over| !*is_over);
        over = waited.unwrap_or_else(PoisonError::into_inner).0;
        if *over {
            return;
        }
        // Whoever went away is noticed by what the command says next.
        write(&mut *locked(line), Kind::Working, &[]).unwrap_or_default();
    }
}

/// Ends the ticking, also where the command panics.
struct End<'a>(&'a IsOver);

impl Drop for End<'_> {
    fn drop(&mut self) {
        *locked(&self.0.0) = true;
        self.0.1.notify_all();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One of a command's streams that goes back.
struct Into<'a> {
    line: &'a Mutex<&'a UnixStream>,
    kind: Kind,
}

impl Write for Into<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !bytes.is_empty() {
            write(&mut *locked(self.line), self.kind, bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A command's input, which is asked for piece by piece.
struct From<'a> {
    line: &'a Mutex<&'a UnixStream>,
    held: Vec<u8>,
    at: usize,
    is_over: bool,
}

impl Read for From<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = {
            let mut available = self.fill_buf()?;
            available.read(buffer)?
        };
        self.consume(n_read);
        Ok(n_read)
    }
}

impl BufRead for From<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.held.len() && !self.is_over {
            let mut line = locked(self.line);
            write(&mut *line, Kind::Wanted, &[])?;
            let (kind, bytes) = read(&mut *line)?;
            if kind != Kind::Input {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "input was expected"));
            }
            self.is_over = bytes.is_empty();
            self.held = bytes;
            self.at = 0;
        }
        Ok(&self.held[self.at..])
    }

    fn consume(&mut self, n_read: usize) {
        self.at = self.held.len().min(self.at + n_read);
    }
}
