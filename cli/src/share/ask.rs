//! Having a command done by the process that has the store.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bygone_engine::time::Instant;

use super::frame::{Kind, Request, SILENCE, VERSION, read, write};
use super::remembered::Remembered;
use crate::failure::Exit;
use crate::session::{Ran, Session, Streams};

/// How often a command is sent again where whoever did it went away.
const ATTEMPTS: usize = 40;
/// How long to wait before that.
const PAUSE: Duration = Duration::from_millis(50);
/// How much output is held back until the command has ended, so that it can be sent again.
const MOST_HELD: usize = 4 << 20;

/// What makes two sendings of a command one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sending {
    /// What tells it from every other one.
    pub(crate) mark: String,
    /// The present in it.
    pub(crate) now: Instant,
}

impl Sending {
    fn new(now: Instant) -> Sending {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let started = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let nanos = started.map_or(0, |since| since.as_nanos());
        let nth = COUNTER.fetch_add(1, Ordering::Relaxed);
        Sending { mark: format!("{}-{nanos}-{nth}", std::process::id()), now }
    }
}

/// What came of a command that was sent.
enum Answer {
    Ended(Exit),
    Refused(String),
    /// Nobody knows whether it was done. Nothing was printed.
    Lost,
    /// The same, and part of its output was printed.
    Torn,
    /// Whoever does it says nothing any more, and may still do it.
    Silent,
}

/// Runs a command here, or where the store is open.
pub(crate) fn run(session: &mut Session, words: &[OsString], streams: &mut Streams<'_>) -> Exit {
    let mut input = Remembered::new(streams.input);
    let mut sending: Option<Sending> = None;
    for _ in 0..ATTEMPTS {
        input.rewind();
        let mut own =
            Streams { input: &mut input, output: &mut *streams.output, errors: &mut *streams.errors };
        let line = match session.run_here(words, sending.as_ref(), &mut own) {
            Ran::Here(exit) => return exit,
            Ran::Elsewhere(line) => line,
        };
        input.rewind();
        let sending = sending.get_or_insert_with(|| Sending::new(session.now()));
        match send(line, &request(session, words, sending), &mut input, streams.output, streams.errors) {
            Ok(Answer::Ended(exit)) => return exit,
            Ok(Answer::Refused(why)) => return gone_wrong(&why, streams),
            Ok(Answer::Torn) => {
                let why = "the process that has the store open ended before the command did: run it again";
                return gone_wrong(why, streams);
            }
            Ok(Answer::Silent) => {
                let why = "the process that has the store open stands still: what was asked for is done when it goes on";
                return gone_wrong(why, streams);
            }
            Ok(Answer::Lost) => std::thread::sleep(PAUSE),
            // Whoever reads our output has had enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Exit::Done,
            Err(error) => return gone_wrong(&error.to_string(), streams),
        }
    }
    gone_wrong("the processes that have the store open end before the command does", streams)
}

fn gone_wrong(why: &str, streams: &mut Streams<'_>) -> Exit {
    // There is nowhere left to report to if this fails as well.
    writeln!(streams.errors, "bygone: {why}").unwrap_or_default();
    Exit::Busy
}

fn request(session: &Session, words: &[OsString], sending: &Sending) -> Request {
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        let name = name.into_string().ok()?;
        name.starts_with("BYGONE_").then(|| (name, value.as_bytes().to_vec()))
    });
    Request {
        version: VERSION.to_owned(),
        words: words.iter().map(|word| word.as_bytes().to_vec()).collect(),
        folder: std::env::current_dir().map(|path| path.as_os_str().as_bytes().to_vec()).unwrap_or_default(),
        variables: variables.collect(),
        now: sending.now.micros(),
        sent: sending.mark.clone(),
        config: session.config_mark(),
        front: session.front(),
    }
}

fn send(
    mut line: UnixStream,
    request: &Request,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    errors: &mut dyn Write,
) -> io::Result<Answer> {
    let mut held: Vec<(Kind, Vec<u8>)> = Vec::new();
    let mut n_held = 0;
    let mut is_held = true;
    let mut print = |kind: Kind, bytes: &[u8]| match kind {
        Kind::Errors => {
            output.flush()?;
            errors.write_all(bytes)
        }
        _ => output.write_all(bytes),
    };
    let lost = |is_held: bool| Ok(if is_held { Answer::Lost } else { Answer::Torn });
    line.set_read_timeout(Some(SILENCE))?;
    line.set_write_timeout(Some(SILENCE))?;
    let request = serde_json::to_vec(request).map_err(io::Error::other)?;
    if write(&mut line, Kind::Command, &request).is_err() {
        return lost(is_held);
    }
    loop {
        let (kind, bytes) = match read(&mut line) {
            Ok(frame) => frame,
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                return Ok(Answer::Silent);
            }
            Err(_) => return lost(is_held),
        };
        match kind {
            Kind::Working => {}
            Kind::Output | Kind::Errors if is_held => {
                n_held += bytes.len();
                held.push((kind, bytes));
                if n_held > MOST_HELD {
                    is_held = false;
                    held.drain(..).try_for_each(|(kind, bytes)| print(kind, &bytes))?;
                }
            }
            Kind::Output | Kind::Errors => print(kind, &bytes)?,
            Kind::Wanted => {
                let more = input.fill_buf()?.to_vec();
                input.consume(more.len());
                if write(&mut line, Kind::Input, &more).is_err() {
                    return lost(is_held);
                }
            }
            Kind::Done => {
                held.drain(..).try_for_each(|(kind, bytes)| print(kind, &bytes))?;
                output.flush()?;
                let exit = bytes.first().copied().and_then(Exit::of_code);
                return exit.map_or_else(|| lost(false), |exit| Ok(Answer::Ended(exit)));
            }
            Kind::Refused => return Ok(Answer::Refused(String::from_utf8_lossy(&bytes).into_owned())),
            Kind::Again | Kind::Command | Kind::Input => return lost(is_held),
        }
    }
}
