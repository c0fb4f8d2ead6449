//! The server: every verb over HTTP, and the tools of `crate::mcp` beside them.
//!
//! ```text
//! request ── guard: host, origin, key ── verb: arguments, space, scope ── session on the open store ── reply
//!                │                                                              │
//!                └─────────────── record: what was refused, what was changed ───┘
//! ```
//!
//! What a verb does is the command's business (`crate::verb`); nothing here knows one by name. The store stays open for as long
//! as the server runs, and other processes on the machine have their commands done by it as they do by a shell.
//!
//! Invariants: what has no key gets nothing where there are keys; no address but the machine's own is served without keys; a
//! request reads and writes in one space, which its key opens.

mod answer;
mod explorer;
mod guard;
mod metrics;
mod openapi;
mod operation;
mod record;
mod remember;
mod reply;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::keys::Ring;
use crate::mcp;
use crate::session::{Lending, Session};
use crate::verb::Pages;
use metrics::Metrics;
use record::Record;

pub(crate) use guard::Granted;
pub(crate) use openapi::document;
pub(crate) use reply::reasons;

/// How large and how long requests and answers may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) body_bytes: usize,
    pub(crate) answer_bytes: usize,
    pub(crate) deadline: Duration,
    /// How many verbs are done at a time.
    pub(crate) at_a_time: usize,
}

/// What a server is made of.
pub(crate) struct Setup {
    pub(crate) lending: Lending,
    /// The store's folder.
    pub(crate) folder: PathBuf,
    pub(crate) ring: Ring,
    pub(crate) limits: Limits,
    /// Names under which it is asked beside those of this machine.
    pub(crate) hosts: Vec<String>,
    /// Origins of pages that may ask it beside its own.
    pub(crate) origins: Vec<String>,
    pub(crate) secret: [u8; 32],
    /// Whether every request is told of on standard error.
    pub(crate) logs: bool,
}

/// What every request is answered with.
pub(crate) struct Server {
    lending: Lending,
    folder: PathBuf,
    ring: Ring,
    limits: Limits,
    hosts: Vec<String>,
    origins: Vec<String>,
    pages: Pages,
    metrics: Metrics,
    record: Record,
    permits: Arc<Semaphore>,
}

impl Server {
    /// Makes a server.
    ///
    /// # Errors
    /// The file of records cannot be written.
    pub(crate) fn new(setup: Setup) -> io::Result<Arc<Server>> {
        let Setup { lending, folder, ring, limits, hosts, origins, secret, logs } = setup;
        let record = Record::open(&folder, logs)?;
        Ok(Arc::new(Server {
            lending,
            folder,
            ring,
            limits,
            hosts,
            origins,
            pages: Pages::new(secret),
            metrics: Metrics::default(),
            record,
            permits: Arc::new(Semaphore::new(limits.at_a_time)),
        }))
    }

    /// Makes a session on the store.
    pub(crate) fn session(&self) -> Session {
        self.lending.session(false)
    }

    /// Returns what gives out cursors.
    pub(crate) fn pages(&self) -> Pages {
        self.pages.clone()
    }

    /// Returns how many bytes a request may have.
    pub(crate) fn most_body_bytes(&self) -> usize {
        self.limits.body_bytes
    }

    /// Answers requests until it is told to stop; then those that are under way are finished.
    pub(crate) async fn run(
        self: Arc<Server>,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        let tools = mcp::over_http(&self);
        let routes = Router::new()
            .route("/v1/{*verb}", any(answer::answer))
            .route("/", get(explorer::page))
            .route("/explorer.js", get(explorer::script))
            .route("/healthz", get(healthz))
            .route("/openapi.json", get(openapi::serve))
            .route("/metrics", get(metrics::serve))
            .nest_service("/mcp", tools.service)
            .fallback(reply::no_such_address)
            .layer(from_fn_with_state(Arc::clone(&self), guard::guard))
            .layer(from_fn(reply::harmless))
            .with_state(self);
        let stopped = async move {
            stop.await;
            (tools.stop)();
        };
        let served = axum::serve(listener, routes.into_make_service_with_connect_info::<SocketAddr>());
        served.with_graceful_shutdown(stopped).await
    }
}

async fn healthz() -> &'static str {
    "ok\n"
}
