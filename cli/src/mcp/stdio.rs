//! Tools over standard input and output, for a client that starts this process.
//!
//! The store is shared with other processes as that of every command is: several clients may use one at a time. Verbs are
//! done on the thread that has the session, one after another.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::sync::{Arc, mpsc};

use rmcp::ServiceExt;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::task::JoinHandle;

use super::call::{Doing, Done};
use super::handler::Handler;
use super::message::checked;
use crate::failure::{Exit, Failure};
use crate::session::{Session, Streams};
use crate::verb::{Ask, Outlet, Pages, Place, Wrong, run};

/// Bytes that are carried at a time.
const PIPE_BYTES: usize = 64 << 10;

/// A verb that is to be done, and where to say how it went.
type Job = (Ask, Outlet, mpsc::Sender<Done>);

/// Answers a client until it closes its end.
///
/// # Errors
/// Standard input or output cannot be used.
pub(crate) fn over_stdio(session: &mut Session, place: Place, pages: Pages) -> Result<(), Failure> {
    make(session, &place)?;
    let (sender, jobs) = mpsc::channel::<Job>();
    let doing: Doing = Arc::new(move |_, ask, outlet| {
        let (answer, answered) = mpsc::channel();
        let sent = sender.send((ask, outlet, answer));
        let done = sent.ok().and_then(|()| answered.recv().ok());
        done.unwrap_or_else(|| (Outlet::of(0), Err("the session is over".to_owned())))
    });
    let handler = Handler { doing, pages, place };
    // Whoever runs this command holds the locks of the streams, and reads nothing while it runs.
    let (input, output) = (own(io::stdin().as_fd())?, own(io::stdout().as_fd())?);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let served = runtime.spawn(async move {
        let (streams, told) = pumped(input, output);
        let ended = match handler.serve(streams).await {
            Ok(service) => service.waiting().await.map(drop).map_err(io::Error::other),
            // A client that goes away before it has said anything.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(io::Error::other(error)),
        };
        told.await.map_err(io::Error::other)?;
        ended
    });
    for (ask, mut outlet, answer) in jobs {
        let outcome = run(session, ask, &mut outlet).map_err(|Wrong(message)| message);
        // Whoever asked may have gone away.
        answer.send((outlet, outcome)).unwrap_or_default();
    }
    let ended = runtime.block_on(served);
    runtime.shutdown_background();
    let ended = ended.map_err(io::Error::other).and_then(|served| served);
    ended.map_err(|error| Failure::Input(format!("the client cannot be answered: {error}")))
}

/// Returns streams for the handler, to and from which the client's messages are carried: those that cannot be read are answered
/// here. What is awaited ends when all is told.
fn pumped(input: File, output: File) -> ((DuplexStream, DuplexStream), JoinHandle<()>) {
    let (mut to_handler, handler_reads) = tokio::io::duplex(PIPE_BYTES);
    let (handler_writes, from_handler) = tokio::io::duplex(PIPE_BYTES);
    let (answers, mut answered) = tokio::sync::mpsc::unbounded_channel::<Value>();
    tokio::spawn(async move {
        let mut lines = BufReader::new(tokio::fs::File::from_std(input));
        let mut line = Vec::new();
        while matches!(lines.read_until(b'\n', &mut line).await, Ok(1..)) {
            let message = line.trim_ascii();
            let handed_on = match checked(message) {
                _ if message.is_empty() => Ok(()),
                Ok(text) => to_handler.write_all(format!("{text}\n").as_bytes()).await.map_err(drop),
                Err(answer) => answers.send(answer).map_err(drop),
            };
            if handed_on.is_err() {
                break;
            }
            line.clear();
        }
    });
    let told = tokio::spawn(async move {
        let mut output = tokio::fs::File::from_std(output);
        let mut lines = BufReader::new(from_handler);
        let mut line = Vec::new();
        loop {
            // A line is written whole, whoever answers.
            let told = tokio::select! {
                read = lines.read_until(b'\n', &mut line) => match read {
                    Ok(1..) => std::mem::take(&mut line),
                    _ => break,
                },
                Some(answer) = answered.recv() => format!("{answer}\n").into_bytes(),
            };
            if output.write_all(&told).await.is_err() || output.flush().await.is_err() {
                return;
            }
        }
        while let Ok(answer) = answered.try_recv() {
            output.write_all(format!("{answer}\n").as_bytes()).await.unwrap_or_default();
        }
        output.flush().await.unwrap_or_default();
    });
    ((handler_reads, handler_writes), told)
}

/// Makes the store and the space where there are none: what is asked first may be a question.
fn make(session: &mut Session, place: &Place) -> Result<(), Failure> {
    let mut words: Vec<OsString> = vec!["bygone".into(), "init".into(), "--quiet".into()];
    for (name, value) in [("--store", place.store.as_os_str()), ("--space", place.space.as_ref())] {
        words.extend([name.into(), value.to_owned()]);
    }
    if let Some(config) = &place.config {
        words.extend(["--config".into(), config.into()]);
    }
    let mut errors = Vec::new();
    let mut streams = Streams { input: &mut io::empty(), output: &mut io::sink(), errors: &mut errors };
    if session.run(words, &mut streams) == Exit::Done {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&errors);
    Err(Failure::Input(told.trim_start_matches("bygone: ").trim_end().to_owned()))
}

/// Returns a file of our own for a stream.
fn own(stream: std::os::fd::BorrowedFd<'_>) -> io::Result<File> {
    stream.try_clone_to_owned().map(File::from)
}
