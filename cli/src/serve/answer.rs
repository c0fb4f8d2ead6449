//! Answering a request for a verb, or for an operation of an interface.
//!
//! Rows are put into one JSON object, page by page, or are sent as JSON Lines while they are made.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant as Monotonic;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Extension, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value};
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

use super::Server;
use super::guard::Granted;
use super::operation::operation;
use super::record::Event;
use super::reply::Problem;
use crate::arguments::DEFAULT_SPACE;
use crate::clock::Clock;
use crate::failure::Exit;
use crate::verb::{Ask, Input, Outcome, Outlet, Output, Page, Place, Scope, Verb, Wrong, run, verb};

/// The header that names the space.
const SPACE: &str = "bygone-space";
/// The header that tells one request from every other one.
const IDEMPOTENCY_KEY: &str = "idempotency-key";
const JSON_LINES: &str = "application/x-ndjson";
/// How many bytes of rows are sent at a time, at least.
const CHUNK: usize = 16 << 10;

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
        (answered, operation.scope == Scope::Read)
    } else {
        server.metrics.refused("not_found");
        let message = "there is no such verb: /openapi.json lists them";
        return Problem::new(StatusCode::NOT_FOUND, "not_found", message).into_response();
    };
    let (response, why) = match answered {
        Ok(response) => (response, String::new()),
        Err(problem) => (problem.clone().into_response(), problem.message),
    };
    let status = response.status().as_u16();
    let event = Event {
        at,
        key: granted.who(),
        method: method.as_str(),
        path: &path,
        space: &space,
        status,
        why: &why,
    };
    if !only_reads || matches!(status, 401 | 403) {
        server.record.write(&event);
    }
    server.record.log(&event, started.elapsed());
    server.metrics.done(&name, status, started.elapsed());
    response
}

/// What is asked for, and how it is to be answered.
struct Asked {
    ask: Ask,
    page: Page,
    as_lines: bool,
}

/// Reads a request.
async fn asked(
    server: &Server,
    granted: &Granted,
    verb: &'static Verb,
    request: Request,
    told_space: &mut String,
) -> Result<Asked, Problem> {
    let (parts, body) = request.into_parts();
    let is_get = matches!(parts.method, Method::GET | Method::HEAD);
    if !(parts.method == Method::POST || is_get && verb.only_reads()) {
        let message = if verb.only_reads() { "expected GET or POST" } else { "expected POST" };
        return Err(Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message));
    }
    let mut given = in_address(&parts.uri)?;
    let body = if is_get { Bytes::new() } else { bytes(server, &parts.headers, body).await? };
    let input = with_body(verb, &parts.headers, body, &mut given)?;
    let space = space(&parts.headers, &mut given)?;
    space.clone_into(told_space);
    granted.allow(verb.scope, &space)?;
    if let Some(key) = idempotency_key(&parts.headers)?
        && verb.takes("idempotency_key")
    {
        given.entry("idempotency_key").or_insert_with(|| key.into());
    }
    let page = server.pages.page(verb, &space, granted.who(), &mut given)?;
    let wants = parts.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    let place = server.place(space);
    Ok(Asked {
        ask: Ask { verb, place, arguments: given, input },
        page,
        as_lines: wants.contains(JSON_LINES),
    })
}

impl Server {
    /// Returns a space of the store that is served.
    pub(crate) fn place(&self, space: String) -> Place {
        Place { store: self.folder.clone(), space, vector_index: self.lending.vector_index, config: None }
    }
}

impl From<Wrong> for Problem {
    fn from(Wrong(message): Wrong) -> Problem {
        Problem::bad_request(message)
    }
}

/// Returns what tells the request from every other one.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let key = headers.get(IDEMPOTENCY_KEY).map(HeaderValue::to_str).transpose();
    key.map_err(|_| Problem::bad_request("Idempotency-Key: expected a text"))
}

/// Returns what the query part of the address says; what is said several times is a list.
fn in_address(uri: &Uri) -> Result<Map<String, Value>, Problem> {
    let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(uri)
        .map_err(|_| Problem::bad_request("the query part of the address cannot be read"))?;
    let mut lists: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (name, value) in pairs {
        lists.entry(name).or_default().push(value.into());
    }
    let value = |mut values: Vec<Value>| if values.len() == 1 { values.remove(0) } else { values.into() };
    Ok(lists.into_iter().map(|(name, values)| (name, value(values))).collect())
}

/// Returns the bytes of the body.
pub(super) async fn bytes(server: &Server, headers: &HeaderMap, body: Body) -> Result<Bytes, Problem> {
    let most = server.limits.body_bytes;
    let too_large = || {
        let message = format!("the body is larger than {most} bytes");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    };
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: usize| length > most) {
        return Err(too_large());
    }
    match tokio::time::timeout(server.limits.deadline, to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_too_long(&error) => Err(too_large()),
        Ok(Err(_)) => Err(Problem::bad_request("the body ended before its end")),
        Err(_) => {
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the body did not arrive in time"))
        }
    }
}

fn is_too_long(error: &axum::Error) -> bool {
    let mut source: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = source {
        if error.to_string().contains("length limit exceeded") {
            return true;
        }
        source = error.source();
    }
    false
}

/// Puts what the body says beside what the address says, or returns it where it is the verb's input.
fn with_body(
    verb: &Verb,
    headers: &HeaderMap,
    body: Bytes,
    given: &mut Map<String, Value>,
) -> Result<Option<Vec<u8>>, Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_json = kind == "application/json" || kind.ends_with("+json");
    if !is_json && verb.input != Input::None && !(body.is_empty() && kind.is_empty()) {
        return Ok(Some(body.into()));
    }
    if body.is_empty() {
        return Ok(None);
    }
    if !is_json && !kind.is_empty() {
        let message = "expected application/json";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message));
    }
    let value: Value = serde_json::from_slice(&body)
        .map_err(|error| Problem::bad_request(format!("the body is not valid JSON: {error}")))?;
    let Value::Object(object) = value else {
        return Err(Problem::bad_request("expected a JSON object as the body"));
    };
    for (name, value) in object {
        if given.contains_key(&name) {
            return Err(Problem::bad_request(format!("{name} is in the address and in the body")));
        }
        given.insert(name, value);
    }
    Ok(None)
}

/// Takes out what says in which space.
pub(super) fn space(headers: &HeaderMap, given: &mut Map<String, Value>) -> Result<String, Problem> {
    let named = match given.remove("space") {
        None | Some(Value::Null) => None,
        Some(Value::String(space)) => Some(space),
        Some(_) => return Err(Problem::bad_request("space: expected a string")),
    };
    let mut values = headers.get_all(SPACE).iter();
    let in_header = match (values.next(), values.next()) {
        (None, _) => None,
        (Some(value), None) => {
            let space = value.to_str().map_err(|_| Problem::bad_request("Bygone-Space: expected a name"))?;
            Some(space.to_owned())
        }
        _ => return Err(Problem::bad_request("expected one header Bygone-Space")),
    };
    match (named, in_header) {
        (Some(named), Some(in_header)) if named != in_header => {
            Err(Problem::bad_request("two spaces are named: in the header Bygone-Space, and another one"))
        }
        (named, in_header) => Ok(named.or(in_header).unwrap_or_else(|| DEFAULT_SPACE.to_owned())),
    }
}

async fn reply(server: &Arc<Server>, granted: &Granted, asked: Asked) -> Result<Response, Problem> {
    let Asked { ask, page, as_lines } = asked;
    let permit = permit(server).await?;
    // What a key must not see is taken out of whole answers.
    let is_filtered = ask.verb.path == ["spaces"] && granted.is_confined();
    if ask.verb.output == Output::Bytes {
        return stream(server, granted, ask, permit, "application/octet-stream").await;
    }
    if as_lines && !is_filtered {
        return stream(server, granted, ask, permit, JSON_LINES).await;
    }
    let (verb, space, given) = (ask.verb, ask.place.space.clone(), ask.arguments.clone());
    let mut done = whole(server, granted, ask, &page, permit).await?;
    if let Some(problem) = Problem::of_exit(done.outcome.exit, !verb.only_reads(), &done.outcome.remarks) {
        return Err(problem.with_rows(&done.text));
    }
    let mut rows: Vec<&str> = done.text.lines().filter(|line| !line.is_empty()).collect();
    if is_filtered {
        // They count what is not shown.
        done.outcome.remarks.clear();
        rows.retain(|row| {
            let row: Value = serde_json::from_str(row).unwrap_or_default();
            row["space"].as_str().is_some_and(|space| granted.opens(space))
        });
    }
    let from = page.from.min(rows.len());
    let to = page.from.saturating_add(page.rows).min(rows.len());
    let next =
        (to < rows.len()).then(|| server.pages.next(verb, &space, granted.who(), &given, to, done.recorded));
    let rows = &rows[from..to];
    if as_lines {
        let body: String = rows.iter().flat_map(|row| [row, "\n"]).collect();
        return Ok(([(header::CONTENT_TYPE, JSON_LINES)], body).into_response());
    }
    let beside = serde_json::json!({
        "exit": done.outcome.exit.code(), "next": next, "remarks": done.outcome.remarks,
    });
    // Rows are JSON already, and are put in as they are.
    let mut body = beside.to_string();
    body.pop();
    body.push_str(",\"rows\":[");
    body.push_str(&rows.join(","));
    body.push_str("]}");
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// Waits until a verb may be done.
pub(super) async fn permit(server: &Server) -> Result<OwnedSemaphorePermit, Problem> {
    let waited = tokio::time::timeout(server.limits.deadline, Arc::clone(&server.permits).acquire_owned());
    if let Ok(Ok(permit)) = waited.await {
        return Ok(permit);
    }
    let message = "too much is asked for at a time: ask again";
    Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message))
}

pub(super) fn too_late() -> Problem {
    let message = "it was not done in time; a change is made nevertheless if it was begun";
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too_late", message)
}

pub(super) fn broken() -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", "something is wrong with bygone itself")
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
    let is_confined = granted.is_confined();
    let can_be_pinned = ask.verb.takes("recorded") && !ask.arguments.contains_key("recorded");
    let mut pinned = page.recorded.filter(|_| can_be_pinned);
    let (most, n_first) = (server.limits.answer_bytes, page.rows);
    let worker = Arc::clone(server);
    let task = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        loop {
            if let Some(seq) = pinned {
                ask.arguments.insert("recorded".to_owned(), seq.into());
            }
            let before = worker.lending.last_seq();
            let mut outlet = Outlet::of(most);
            let outcome = run(&mut worker.lending.session(is_confined), ask.clone(), &mut outlet)?;
            if outlet.is_full() {
                let message =
                    format!("the answer is larger than {most} bytes: ask for less, or for {JSON_LINES}");
                return Err(Problem::bad_request(message));
            }
            let text = String::from_utf8(outlet.bytes).map_err(|_| broken())?;
            let has_more = text.lines().nth(n_first).is_some();
            if has_more && can_be_pinned && pinned.is_none() && before.is_some() {
                if before == worker.lending.last_seq() {
                    return Ok(Done { outcome, text, recorded: before });
                }
                // Something was recorded meanwhile: nobody knows what was seen of it.
                pinned = before;
                continue;
            }
            return Ok(Done { outcome, text, recorded: pinned });
        }
    });
    match tokio::time::timeout(server.limits.deadline, task).await {
        Ok(Ok(done)) => done,
        Ok(Err(_)) => Err(broken()),
        Err(_) => Err(too_late()),
    }
}

/// Has a verb done, and sends what it gives while it is made. What goes wrong after the first rows is said in a last line.
async fn stream(
    server: &Arc<Server>,
    granted: &Granted,
    ask: Ask,
    permit: OwnedSemaphorePermit,
    kind: &'static str,
) -> Result<Response, Problem> {
    let is_confined = granted.is_confined();
    let changes = !ask.verb.only_reads();
    let (sender, mut chunks) = mpsc::channel::<io::Result<Bytes>>(4);
    let (told, ended) = oneshot::channel();
    let worker = Arc::clone(server);
    tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let mut sink = Sink { sender, held: Vec::new(), has_sent: false };
        let ran = run(&mut worker.lending.session(is_confined), ask, &mut sink);
        let problem = match &ran {
            // Without bytes, a state that is not there would look like an empty one.
            Ok(outcome) if outcome.exit == Exit::No && kind != JSON_LINES => {
                Some(Problem::new(StatusCode::NOT_FOUND, "not_found", outcome.remarks.join("\n")))
            }
            Ok(outcome) => Problem::of_exit(outcome.exit, changes, &outcome.remarks),
            Err(wrong) => Some(wrong.clone().into()),
        };
        match problem {
            Some(problem) if sink.has_sent => {
                if kind == JSON_LINES {
                    writeln!(sink, "{}", problem.json()).unwrap_or_default();
                    sink.send().unwrap_or_default();
                } else {
                    // Bytes of a state are not to be taken for whole: the body breaks off.
                    drop(sink.sender.blocking_send(Err(io::Error::other(problem.message))));
                }
            }
            Some(problem) => drop(told.send(Some(problem))),
            None => {
                sink.send().unwrap_or_default();
                drop(told.send(None));
            }
        }
    });
    let first = match tokio::time::timeout(server.limits.deadline, chunks.recv()).await {
        Ok(Some(first)) => first,
        Ok(None) => match ended.await {
            Ok(None) => Ok(Bytes::new()),
            Ok(Some(problem)) => return Err(problem),
            Err(_) => return Err(broken()),
        },
        Err(_) => return Err(too_late()),
    };
    let all = tokio_stream::once(first).chain(ReceiverStream::new(chunks));
    Ok(([(header::CONTENT_TYPE, kind)], Body::from_stream(all)).into_response())
}

/// Where rows go that are sent while they are made.
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
