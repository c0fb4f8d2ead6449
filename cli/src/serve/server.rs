//! The server as a whole: what it is made of, what holds a request back, and what is told of it afterwards.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant as Monotonic};

use axum::http::StatusCode;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::guard::Granted;
use super::metrics::Metrics;
use super::record::{Event, Record};
use super::reply::Problem;
use crate::clock::Clock;
use crate::keys::Ring;
use crate::session::{Lending, Session};
use crate::verb::{Ask, Outcome, Outlet, Pages, Place, run};

/// How large and how long requests and answers may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) body_bytes: usize,
    pub(crate) answer_bytes: usize,
    pub(crate) deadline: Duration,
}

/// What a server is made of.
pub(crate) struct Server {
    pub(crate) lending: Lending,
    /// The store's folder.
    pub(crate) folder: PathBuf,
    pub(crate) ring: Ring,
    pub(crate) limits: Limits,
    /// Names under which it is asked beside those of this machine.
    pub(crate) hosts: Vec<String>,
    /// Origins of pages that may ask it beside its own.
    pub(crate) origins: Vec<String>,
    pub(crate) pages: Pages,
    pub(crate) record: Record,
    pub(crate) metrics: Metrics,
    pub(crate) permits: Arc<Semaphore>,
    /// Whether there have been keys: a file of keys that is gone opens nothing.
    pub(crate) needs_key: AtomicBool,
}

impl Server {
    /// Makes a session on the store, for whoever was granted something.
    pub(super) fn session(&self, granted: &Granted) -> Session {
        self.lending.session(granted.sight())
    }

    /// Returns a space of the store that is served.
    pub(crate) fn place(&self, space: String) -> Place {
        Place { store: self.folder.clone(), space, vector_index: self.lending.vector_index, config: None }
    }

    /// Waits until something more may be done at a time.
    pub(super) async fn permit(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let permits = Arc::clone(&self.permits);
        if let Ok(Ok(permit)) = timeout(self.limits.deadline, permits.acquire_owned()).await {
            return Ok(permit);
        }
        let message = "too much is asked for at a time: ask again";
        Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message))
    }

    /// Waits for what is done, until the deadline.
    pub(super) async fn in_time<T>(&self, task: JoinHandle<T>) -> Result<T, Problem> {
        match timeout(self.limits.deadline, task).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(_)) => Err(Problem::broken()),
            Err(_) => Err(Problem::too_late()),
        }
    }

    /// Has a verb done for a tool, on a thread that may wait.
    pub(crate) fn call(
        &self,
        granted: &Granted,
        ask: Ask,
        mut outlet: Outlet,
    ) -> (Outlet, Result<Outcome, String>) {
        let (at, started) = (Clock::System.now(), Monotonic::now());
        let _under_way = self.metrics.begin();
        let (name, space, changes) = (ask.verb.name(), ask.place.space.clone(), !ask.verb.only_reads());
        let done = granted.allow(ask.verb.needs(), &space).and_then(|()| {
            let _permit = Handle::current().block_on(self.permit())?;
            let outcome = run(&mut self.session(granted), ask, &mut outlet)?;
            match Problem::of_exit(outcome.exit, changes, &outcome.remarks) {
                // What was refused is for the tool to tell.
                Some(problem) => Ok((outcome, problem.status.as_u16(), problem.why().to_owned())),
                None => Ok((outcome, 200, String::new())),
            }
        });
        let (status, why) = match &done {
            Ok((_, status, why)) => (*status, why.clone()),
            Err(problem) => (problem.status.as_u16(), problem.why().to_owned()),
        };
        let path = format!("/mcp/{name}");
        let event =
            Event { at, key: granted.who(), method: "POST", path: &path, space: &space, status, why: &why };
        self.tell(&name, &event, changes, started.elapsed());
        (outlet, done.map(|(outcome, _, _)| outcome).map_err(|problem| problem.message))
    }

    /// Writes down what was asked for and how it ended: what changes something, and what was refused, for good.
    pub(super) fn tell(&self, name: &str, event: &Event<'_>, changes: bool, took: Duration) {
        if changes || matches!(event.status, 401 | 403) {
            self.record.write(event);
        }
        self.record.log(event, took);
        self.metrics.done(name, event.status, took);
    }
}
