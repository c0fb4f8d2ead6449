//! Answering a request for a verb, or for an operation of an interface: rows are put into one JSON object, page by page.

use std::sync::Arc;
use std::time::Instant as Monotonic;

use axum::extract::{Extension, Path, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use tokio::sync::OwnedSemaphorePermit;

use super::Server;
use super::guard::Granted;
use super::operation::operation;
use super::record::Event;
use super::reply::Problem;
use super::request::{Asked, JSON_LINES, asked};
use super::stream::stream;
use crate::clock::Clock;
use crate::failure::Exit;
use crate::verb::{Ask, Outcome, Outlet, Output, Page, Scope, Wrong, run, verb};

/// Answers a request for a verb, or for an operation.
pub(super) async fn answer(
    State(server): State<Arc<Server>>,
    Extension(granted): Extension<Granted>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    let (at, started) = (Clock::System.now(), Monotonic::now());
    let _under_way = server.metrics.begin();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut space = String::new();
    let (answered, only_reads) = if let Some(verb) = verb(&name) {
        let answered = match asked(&server, &granted, verb, request, &mut space).await {
            Ok(asked) => reply(&server, &granted, asked).await,
            Err(problem) => Err(problem),
        };
        (answered, verb.only_reads())
    } else if let Some(operation) = operation(&name) {
        let answered = operation.answer(&server, &granted, request, &mut space).await;
        (answered, operation.needs.scope == Scope::Read)
    } else {
        server.metrics.refused("not_found");
        return Problem::not_found("there is no such verb: /openapi.json lists them").into_response();
    };
    let (response, why) = match answered {
        Ok(response) => (response, String::new()),
        Err(problem) => (problem.clone().into_response(), problem.why().to_owned()),
    };
    let status = response.status().as_u16();
    let (method, key) = (method.as_str(), granted.who());
    let event = Event { at, key, method, path: &path, space: &space, status, why: &why };
    server.tell(&name, &event, !only_reads, started.elapsed());
    response
}

impl From<Wrong> for Problem {
    fn from(Wrong(message): Wrong) -> Problem {
        Problem::bad_request(message)
    }
}

async fn reply(server: &Arc<Server>, granted: &Granted, asked: Asked) -> Result<Response, Problem> {
    let Asked { ask, page, as_lines } = asked;
    let permit = server.permit().await?;
    if as_lines || ask.verb.output == Output::Bytes {
        return stream(server, granted, ask, permit).await;
    }
    let (verb, space, given) = (ask.verb, ask.place.space.clone(), ask.arguments.clone());
    let done = whole(server, granted, ask, &page, permit).await?;
    if let Some(problem) = Problem::of_exit(done.outcome.exit, !verb.only_reads(), &done.outcome.remarks) {
        // What stands in the way is told to whoever may read it.
        let is_told = done.outcome.exit != Exit::No || granted.allow(Scope::Read, &space).is_ok();
        return Err(problem.with_rows(if is_told { &done.text } else { "" }));
    }
    let rows: Vec<&str> = done.text.lines().collect();
    let from = page.from.min(rows.len());
    let to = page.from.saturating_add(page.rows).min(rows.len());
    let next =
        (to < rows.len()).then(|| server.pages.next(verb, &space, granted.who(), &given, to, done.recorded));
    let beside = serde_json::json!({
        "exit": done.outcome.exit.code(), "next": next, "remarks": done.outcome.remarks,
    });
    // Rows are JSON already, and are put in as they are.
    let mut body = beside.to_string();
    body.pop();
    body.push_str(",\"rows\":[");
    body.push_str(&rows[from..to].join(","));
    body.push_str("]}");
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// What a verb gave, whole.
struct Done {
    outcome: Outcome,
    text: String,
    /// The last commit that was seen, where the verb can be asked to see no more.
    recorded: Option<u64>,
}

/// Has a verb done, and holds what it gives. Where that is more than a page, all of it is of one commit.
async fn whole(
    server: &Arc<Server>,
    granted: &Granted,
    mut ask: Ask,
    page: &Page,
    permit: OwnedSemaphorePermit,
) -> Result<Done, Problem> {
    let can_be_pinned = ask.verb.takes("recorded") && !ask.arguments.contains_key("recorded");
    let mut pinned = page.recorded.filter(|_| can_be_pinned);
    let (most, n_first) = (server.limits.answer_bytes, page.rows);
    let (worker, granted) = (Arc::clone(server), granted.clone());
    let task = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        loop {
            if let Some(seq) = pinned {
                ask.arguments.insert("recorded".to_owned(), seq.into());
            }
            let before = worker.lending.last_seq();
            let mut outlet = Outlet::of(most);
            let outcome = run(&mut worker.session(&granted), ask.clone(), &mut outlet)?;
            if outlet.is_full() {
                let message =
                    format!("the answer is larger than {most} bytes: ask for less, or for {JSON_LINES}");
                return Err(Problem::bad_request(message));
            }
            let text = String::from_utf8(outlet.bytes).map_err(|_| Problem::broken())?;
            let has_more = text.lines().nth(n_first).is_some();
            if !has_more || !can_be_pinned || pinned.is_some() || before.is_none() {
                return Ok(Done { outcome, text, recorded: pinned });
            }
            if before == worker.lending.last_seq() {
                return Ok(Done { outcome, text, recorded: before });
            }
            // Something was recorded meanwhile: nobody knows what was seen of it.
            pinned = before;
        }
    });
    server.in_time(task).await?
}
