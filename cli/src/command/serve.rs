//! `bygone serve`.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::json;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Semaphore;

use crate::acting::length;
use crate::failure::{Exit, Failure};
use crate::keys::{Chance, Ring};
use crate::serve::{Limits, Metrics, Record, Server, document};
use crate::session::Context;
use crate::verb::Pages;

#[derive(clap::Args)]
pub(crate) struct Serve {
    /// The address to listen at; port 0 takes one that is free
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7461")]
    bind: SocketAddr,
    /// A name under which the server is asked, with or without its port, beside localhost; may be given again
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// The origin of a page that may ask the server, with its scheme; may be given again
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// The most bytes that a request may have
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    max_body: usize,
    /// The most bytes that one answer may have, unless it is sent as JSON Lines
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    max_answer: usize,
    /// How long a request may take
    #[arg(long, value_name = "D", value_parser = length, default_value = "60s")]
    deadline: i64,
    /// How many requests are worked on at a time
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
    at_a_time: u16,
    /// Tell of every request on standard error, as JSON Lines
    #[arg(long)]
    log: bool,
    /// Print the OpenAPI document, and serve nothing
    #[arg(long)]
    openapi: bool,
}

impl Serve {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        if self.openapi {
            let text = serde_json::to_string_pretty(&document()).map_err(std::io::Error::other)?;
            writeln!(context.output.results, "{text}")?;
            return Ok(Exit::Done);
        }
        let folder = context.global.store.clone();
        let ring = Ring::of(&folder);
        let (lending, mut output) = context.lent_out()?;
        if ring.keys()?.is_empty() && !self.bind.ip().is_loopback() {
            return Err(Failure::Usage(format!(
                "without keys only this machine is served, and {} is open to others: `bygone keys create` makes a key",
                self.bind
            )));
        }
        let limits = Limits {
            body_bytes: self.max_body,
            answer_bytes: self.max_answer,
            deadline: Duration::from_micros(self.deadline.unsigned_abs()),
        };
        let cannot = |error: std::io::Error| Failure::Input(format!("cannot serve {}: {error}", self.bind));
        let server = Arc::new(Server {
            record: Record::open(&folder, self.log).map_err(cannot)?,
            lending,
            folder,
            ring,
            limits,
            hosts: self.host.clone(),
            origins: self.allow_origin.clone(),
            pages: Pages::new(Chance::draw()?.secret()),
            metrics: Metrics::default(),
            permits: Arc::new(Semaphore::new(self.at_a_time.into())),
            needs_key: AtomicBool::new(!self.bind.ip().is_loopback()),
        });
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(cannot)?;
        runtime.block_on(async {
            let listener = TcpListener::bind(self.bind).await.map_err(cannot)?;
            let address = listener.local_addr().map_err(cannot)?;
            let stop = stopped().map_err(cannot)?;
            if output.json {
                output.row(&json!({ "address": address.to_string() }))?;
            } else {
                output.line(format!("http://{address}"))?;
            }
            output.results.flush()?;
            server.run(listener, stop).await.map_err(cannot)
        })?;
        Ok(Exit::Done)
    }
}

/// Returns what is ready when the process is told to end.
fn stopped() -> std::io::Result<impl Future<Output = ()>> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
