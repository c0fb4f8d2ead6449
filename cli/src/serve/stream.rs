//! Sending what a verb gives while it is made.

use std::io::{self, Write};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

use super::Server;
use super::guard::Granted;
use super::reply::Problem;
use super::request::JSON_LINES;
use crate::failure::Exit;
use crate::verb::{Ask, Output, run};

/// How many bytes are sent at a time, at least.
const CHUNK: usize = 16 << 10;

/// Has a verb done, and sends what it gives: rows as JSON Lines, a state as it was saved. What goes wrong after the first rows
/// is said in a last line.
pub(super) async fn stream(
    server: &Arc<Server>,
    granted: &Granted,
    ask: Ask,
    permit: OwnedSemaphorePermit,
) -> Result<Response, Problem> {
    let output = ask.verb.output;
    let changes = !ask.verb.only_reads();
    let (sender, mut chunks) = mpsc::channel::<io::Result<Bytes>>(4);
    let (told, ended) = oneshot::channel();
    let (server, granted) = (Arc::clone(server), granted.clone());
    let deadline = server.limits.deadline;
    tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let mut sink = Sink { sender, held: Vec::new(), has_sent: false };
        let problem = match run(&mut server.session(&granted), ask, &mut sink) {
            // Without bytes, a state that is not there would look like an empty one.
            Ok(outcome) if outcome.exit == Exit::No && output == Output::Bytes => {
                Some(Problem::not_found(&outcome.remarks.join("\n")))
            }
            Ok(outcome) => Problem::of_exit(outcome.exit, changes, &outcome.remarks),
            Err(wrong) => Some(wrong.into()),
        };
        match problem {
            Some(problem) if sink.has_sent => sink.break_off(&problem, output),
            Some(problem) => drop(told.send(Some(problem))),
            None => {
                // Whoever asked may have gone away.
                sink.send().unwrap_or_default();
                drop(told.send(None));
            }
        }
    });
    let first = match tokio::time::timeout(deadline, chunks.recv()).await {
        Ok(Some(first)) => first,
        Ok(None) => match ended.await {
            Ok(None) => Ok(Bytes::new()),
            Ok(Some(problem)) => return Err(problem),
            Err(_) => return Err(Problem::broken()),
        },
        Err(_) => return Err(Problem::too_late()),
    };
    let all = tokio_stream::once(first).chain(ReceiverStream::new(chunks));
    let kind = match output {
        Output::Rows => JSON_LINES,
        Output::Bytes => "application/octet-stream",
    };
    Ok(([(header::CONTENT_TYPE, kind)], Body::from_stream(all)).into_response())
}

/// Where output goes that is sent while it is made.
struct Sink {
    sender: mpsc::Sender<io::Result<Bytes>>,
    held: Vec<u8>,
    has_sent: bool,
}

impl Sink {
    fn send(&mut self) -> io::Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        self.has_sent = true;
        let bytes = Bytes::from(std::mem::take(&mut self.held));
        self.sender.blocking_send(Ok(bytes)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Says what went wrong after a part was sent. Bytes of a state are not to be taken for whole: the body breaks off.
    fn break_off(mut self, problem: &Problem, output: Output) {
        // Whoever asked may have gone away.
        match output {
            Output::Rows => {
                self.held.extend_from_slice(format!("{}\n", problem.json()).as_bytes());
                self.send().unwrap_or_default();
            }
            Output::Bytes => drop(self.sender.blocking_send(Err(io::Error::other(problem.message.clone())))),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        if self.held.len() >= CHUNK {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        // Commands flush when they have ended, before it is known how.
        Ok(())
    }
}
