//! What a request says: its space, its arguments and its body.

use std::collections::BTreeMap;
use std::error::Error;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use bygone_engine::wire::read_unique;
use http_body_util::LengthLimitError;
use serde_json::{Map, Value};

use super::Server;
use super::guard::Granted;
use super::reply::Problem;
use crate::arguments::DEFAULT_SPACE;
use crate::verb::{Ask, Input, Page, Verb};

/// The header that names the space.
const SPACE: &str = "bygone-space";
/// The header that tells one request from every other one.
const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// How rows are sent that are not put into one object.
pub(super) const JSON_LINES: &str = "application/x-ndjson";

/// What is asked for, and how it is to be answered.
pub(super) struct Asked {
    pub(super) ask: Ask,
    pub(super) page: Page,
    pub(super) as_lines: bool,
}

/// Reads a request for a verb. The space is told also where the rest of it is refused.
pub(super) async fn asked(
    server: &Server,
    granted: &Granted,
    verb: &'static Verb,
    request: Request,
    told_space: &mut String,
) -> Result<Asked, Problem> {
    let (parts, body) = request.into_parts();
    let is_get = matches!(parts.method, Method::GET | Method::HEAD);
    if !(parts.method == Method::POST || is_get && verb.only_reads()) {
        return Err(expected(if verb.only_reads() { "GET or POST" } else { "POST" }));
    }
    let mut given = in_address(&parts.uri, |name| verb.takes_list(name))?;
    let body = if is_get { Bytes::new() } else { bytes(server, &parts.headers, body).await? };
    let input = with_body(verb, &parts.headers, body, &mut given)?;
    let named = match given.remove("space") {
        None | Some(Value::Null) => None,
        Some(Value::String(space)) => Some(space),
        Some(_) => return Err(Problem::bad_request("space: expected a string")),
    };
    let space = space_of(&parts.headers, named)?;
    told_space.clone_from(&space);
    granted.allow(verb.needs(), &space)?;
    if let Some(key) = idempotency_key(&parts.headers)?
        && verb.takes("idempotency_key")
        && given.entry("idempotency_key").or_insert_with(|| key.into()) != key
    {
        let message = "two idempotency keys are given: in the header Idempotency-Key, and another one";
        return Err(Problem::bad_request(message));
    }
    let page = server.pages.page(verb, &space, granted.who(), &mut given)?;
    let as_lines = accepts(&parts, JSON_LINES);
    Ok(Asked { ask: Ask { verb, place: server.place(space), arguments: given, input }, page, as_lines })
}

/// Says that a request came by a method that is none of the address.
pub(super) fn expected(methods: &str) -> Problem {
    let message = format!("expected {methods}");
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
}

fn accepts(parts: &Parts, kind: &str) -> bool {
    let accept = parts.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains(kind))
}

/// Returns the space that the headers name, where they name one.
pub(crate) fn space(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut values = headers.get_all(SPACE).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => {
            let space = value.to_str().map_err(|_| Problem::bad_request("Bygone-Space: expected a name"))?;
            Ok(Some(space.to_owned()))
        }
        _ => Err(Problem::bad_request("expected one header Bygone-Space")),
    }
}

/// Returns the space of a request: the one that the headers name, or that is named elsewhere, or the default one.
pub(super) fn space_of(headers: &HeaderMap, named: Option<String>) -> Result<String, Problem> {
    match (named, space(headers)?) {
        (Some(named), Some(in_header)) if named != in_header => {
            let message = "two spaces are named: in the header Bygone-Space, and another one";
            Err(Problem::bad_request(message))
        }
        (named, in_header) => Ok(named.or(in_header).unwrap_or_else(|| DEFAULT_SPACE.to_owned())),
    }
}

/// Returns what tells the request from every other one.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let key = headers.get(IDEMPOTENCY_KEY).map(HeaderValue::to_str).transpose();
    key.map_err(|_| Problem::bad_request("Idempotency-Key: expected a text"))
}

/// Returns what the query part of the address says; what is said several times is a list, where one is taken.
pub(super) fn in_address(
    uri: &Uri,
    takes_list: impl Fn(&str) -> bool,
) -> Result<Map<String, Value>, Problem> {
    let unreadable = || Problem::bad_request("the query part of the address is not percent-encoded UTF-8");
    if uri.query().is_some_and(|query| decoded(query).is_none()) {
        return Err(unreadable());
    }
    let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(uri).map_err(|_| unreadable())?;
    let mut lists: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (name, value) in pairs {
        lists.entry(name).or_default().push(value.into());
    }
    if let Some((name, _)) = lists.iter().find(|(name, values)| values.len() > 1 && !takes_list(name)) {
        return Err(Problem::bad_request(format!("{name} is given several times: expected one")));
    }
    let value = |mut values: Vec<Value>| if values.len() == 1 { values.remove(0) } else { values.into() };
    Ok(lists.into_iter().map(|(name, values)| (name, value(values))).collect())
}

/// Decodes a part of an address; nothing where a percent sign starts no byte, or the bytes are no UTF-8.
pub(super) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, after @ ..] = after else { return None };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push(u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

/// Reads a JSON object, of which no object has a key twice.
pub(super) fn json_object(body: &[u8]) -> Result<Map<String, Value>, Problem> {
    let value = read_unique(body)
        .map_err(|error| Problem::bad_request(format!("the body is not valid JSON: {error}")))?;
    match value {
        Value::Object(object) => Ok(object),
        _ => Err(Problem::bad_request("expected a JSON object as the body")),
    }
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
        Ok(Err(error)) if error.source().is_some_and(<dyn Error>::is::<LengthLimitError>) => Err(too_large()),
        Ok(Err(_)) => Err(Problem::bad_request("the body ended before its end")),
        Err(_) => {
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the body did not arrive in time"))
        }
    }
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
    if headers.contains_key(header::CONTENT_ENCODING) {
        let message = "expected a body without a Content-Encoding";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message));
    }
    if body.is_empty() {
        return Ok(None);
    }
    if !is_json && !kind.is_empty() {
        let message = "expected application/json";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message));
    }
    for (name, value) in json_object(&body)? {
        if given.contains_key(&name) {
            return Err(Problem::bad_request(format!("{name} is in the address and in the body")));
        }
        given.insert(name, value);
    }
    Ok(None)
}
