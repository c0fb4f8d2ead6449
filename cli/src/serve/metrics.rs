//! Counts of requests in the text form that Prometheus reads.
//!
//! The form: <https://prometheus.io/docs/instrumenting/exposition_formats/>, version 0.0.4.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use super::Server;

/// Upper bounds of the buckets, in seconds.
const BOUNDS: [f64; 8] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 30.0];

#[derive(Clone, Debug, Default)]
struct Times {
    n_within: [u64; BOUNDS.len()],
    n_all: u64,
    seconds: f64,
}

/// What was counted since the server was started.
#[derive(Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    times: Mutex<BTreeMap<String, Times>>,
    refused: Mutex<BTreeMap<&'static str, u64>>,
    under_way: AtomicI64,
}

/// A request under way; it is counted as long as this lives.
pub(super) struct UnderWay<'a>(&'a Metrics);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    pub(super) fn begin(&self) -> UnderWay<'_> {
        self.under_way.fetch_add(1, Ordering::Relaxed);
        UnderWay(self)
    }

    pub(super) fn done(&self, verb: &str, status: u16, took: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((verb.to_owned(), status)).or_default() += 1;
        drop(requests);
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let times = times.entry(verb.to_owned()).or_default();
        times.n_all += 1;
        times.seconds += took.as_secs_f64();
        for (bound, n_within) in BOUNDS.iter().zip(&mut times.n_within) {
            *n_within += u64::from(took.as_secs_f64() <= *bound);
        }
    }

    pub(super) fn refused(&self, code: &'static str) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner).entry(code).or_default() += 1;
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let mut family = |name: &str, kind: &str, help: &str, samples: String| {
            writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{samples}").unwrap_or_default();
        };
        let mut samples = String::new();
        for ((verb, status), n) in self.requests.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let labels = format!("verb=\"{verb}\",status=\"{status}\"");
            writeln!(samples, "bygone_requests_total{{{labels}}} {n}").unwrap_or_default();
        }
        family("bygone_requests_total", "counter", "Verbs that were asked for.", samples);
        let mut samples = String::new();
        for (code, n) in self.refused.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            writeln!(samples, "bygone_refused_total{{code=\"{code}\"}} {n}").unwrap_or_default();
        }
        family("bygone_refused_total", "counter", "Requests that no verb was looked for in.", samples);
        let mut samples = String::new();
        for (verb, times) in self.times.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let name = "bygone_request_seconds";
            for (bound, n) in BOUNDS.iter().zip(times.n_within) {
                writeln!(samples, "{name}_bucket{{verb=\"{verb}\",le=\"{bound}\"}} {n}").unwrap_or_default();
            }
            writeln!(samples, "{name}_bucket{{verb=\"{verb}\",le=\"+Inf\"}} {}", times.n_all)
                .unwrap_or_default();
            writeln!(samples, "{name}_sum{{verb=\"{verb}\"}} {}", times.seconds).unwrap_or_default();
            writeln!(samples, "{name}_count{{verb=\"{verb}\"}} {}", times.n_all).unwrap_or_default();
        }
        family("bygone_request_seconds", "histogram", "How long verbs took.", samples);
        let under_way = self.under_way.load(Ordering::Relaxed);
        family(
            "bygone_requests_under_way",
            "gauge",
            "Requests under way.",
            format!("bygone_requests_under_way {under_way}\n"),
        );
        text
    }
}

/// Answers with what was counted.
pub(super) async fn serve(State(server): State<Arc<Server>>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], server.metrics.text())
}
