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
mod mem0;
mod metrics;
mod openapi;
mod operation;
mod record;
mod remember;
mod reply;
mod request;
mod server;
mod stream;
mod tools;

use std::io;
use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get};
use tokio::net::TcpListener;

use crate::mcp;

pub(crate) use guard::Granted;
pub(crate) use metrics::Metrics;
pub(crate) use openapi::document;
pub(crate) use record::Record;
pub(crate) use reply::reasons;
pub(crate) use request::space;
pub(crate) use server::{Limits, Server};

impl Server {
    /// Answers requests until it is told to stop; then those that are under way are finished.
    pub(crate) async fn run(
        self: Arc<Server>,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        let tools = mcp::over_http(&self);
        let messages = Router::new()
            .fallback_service(tools.service)
            .layer(from_fn_with_state(Arc::clone(&self), tools::readable));
        let routes = Router::new()
            .route("/v1/{*verb}", any(answer::answer))
            .route("/mem0/{*call}", any(mem0::answer))
            .route("/", get(explorer::page))
            .route("/explorer.js", get(explorer::script))
            .route("/healthz", get(healthz))
            .route("/openapi.json", get(openapi::serve))
            .route("/metrics", get(metrics::serve))
            .nest("/mcp", messages)
            .fallback(reply::no_such_address)
            .layer(from_fn_with_state(Arc::clone(&self), guard::guard))
            .layer(from_fn(reply::harmless))
            .with_state(self);
        let stopped = async move {
            stop.await;
            (tools.stop)();
        };
        axum::serve(listener, routes).with_graceful_shutdown(stopped).await
    }
}

async fn healthz() -> &'static str {
    "ok\n"
}
