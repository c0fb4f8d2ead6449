//! A model that is asked over HTTP: one question, asked again while the trouble may pass, its answer within limits.
//!
//! ```text
//! ask ──2xx──▶ answer
//!  ▲ │
//!  │ ├──408, 429, 5xx, too slow, hung up──▶ wait ──▶ ask again, `attempts` times in all
//!  │ └──anything else──────────────────────▶ give up
//!  └── first_wait, doubled each time, or what Retry-After asks for; above longest_wait: give up
//! ```
//!
//! Follows no redirects and takes no proxy from the environment: texts go where the configuration says, or nowhere.
//! Invariant: no error's text holds the key, whatever the service sends back.

use std::fmt;
use std::io::ErrorKind;
use std::time::Duration;

use chrono::DateTime;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::http::header::{DATE, HeaderMap, HeaderValue, RETRY_AFTER};
use ureq::http::{StatusCode, Uri};

use super::EmbedError;

/// The most that is read of an answer that refuses, in bytes.
const REFUSAL_BYTES: u64 = 64 << 10;
/// The most characters of it that an error quotes.
const QUOTED: usize = 300;
/// What stands where the key stood.
const MASK: &str = "***";

/// What waits for a time before a question is asked again, such as `std::thread::sleep`.
pub type Sleep = Box<dyn Fn(Duration) + Send + Sync>;

/// A secret by which a service knows who asks. Its `Debug` form does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes a key as it was given out.
    pub fn new(key: impl Into<String>) -> ApiKey {
        ApiKey(key.into())
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKey({MASK})")
    }
}

/// Where a model is asked, and how patiently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// What stands before `/v1/…`, such as `https://api.openai.com`; a `/v1` at its end is taken off.
    pub base: String,
    /// Sent as `Authorization: Bearer …`.
    pub key: Option<ApiKey>,
    /// How long one attempt may take, from looking up the host to the last byte of the answer.
    pub timeout: Duration,
    /// How often a question is asked at most; at least once.
    pub attempts: u32,
    /// The wait before the second attempt. It doubles with each further one.
    pub first_wait: Duration,
    /// The longest wait. A service that asks for a longer one is given up.
    pub longest_wait: Duration,
    /// The longest answer that is read, in bytes.
    pub answer_bytes: u64,
}

impl Service {
    /// Returns a service without a key, asked with ordinary patience. The numbers are chosen, untested.
    pub fn new(base: impl Into<String>) -> Service {
        Service {
            base: base.into(),
            key: None,
            timeout: Duration::from_secs(60),
            attempts: 5,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(60),
            answer_bytes: 64 << 20,
        }
    }

    /// Says whether base and key can be those of a service, without asking anybody.
    pub(super) fn check(&self) -> Result<(), EmbedError> {
        base(&self.base)?;
        self.key.as_ref().map_or(Ok(()), |key| authorization(key).map(drop))
    }
}

/// Asks a service: a question again while its trouble may pass, within the limits of [`Service`].
pub struct Caller {
    agent: ureq::Agent,
    service: Service,
    authorization: Option<HeaderValue>,
    sleep: Sleep,
}

/// Why one attempt failed.
struct Trouble {
    kind: Kind,
    may_pass: bool,
    /// How long the service asks to be left alone.
    wait: Option<Duration>,
}

enum Kind {
    Unreachable(String),
    Refused(StatusCode, String),
    Answer(String),
}

impl Caller {
    /// Makes one; `sleep` waits before a question is asked again.
    ///
    /// # Errors
    /// [`EmbedError::Configuration`] where base or key cannot be those of a service.
    pub fn new(mut service: Service, sleep: Sleep) -> Result<Caller, EmbedError> {
        service.base = base(&service.base)?;
        let authorization = service.key.as_ref().map(authorization).transpose()?;
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .timeout_global(Some(service.timeout))
            .user_agent(concat!("bygone/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        Ok(Caller { agent, service, authorization, sleep })
    }

    /// Returns the base in the form in which all its spellings are one.
    pub fn base(&self) -> &str {
        &self.service.base
    }

    /// Returns the error of an answer that came and cannot be used.
    pub(super) fn unusable(&self, path: &str, what: &str) -> EmbedError {
        EmbedError::Answer { url: self.url(path), what: self.quoted(what) }
    }

    /// Asks, and reads the answer's JSON. The path starts with a slash.
    ///
    /// # Errors
    /// [`EmbedError::Unreachable`], [`EmbedError::Refused`], and [`EmbedError::Answer`] where what came is not of the form.
    ///
    /// # Panics
    /// Where the question has no JSON form.
    pub fn post<T: DeserializeOwned>(&self, path: &str, question: &impl Serialize) -> Result<T, EmbedError> {
        let question = serde_json::to_vec(question).expect("what we ask has a JSON form");
        let mut attempts = 1;
        let mut wait = self.service.first_wait.min(self.service.longest_wait);
        loop {
            let trouble = match self.ask(path, &question) {
                Ok(answer) => {
                    return serde_json::from_slice(&answer)
                        .map_err(|error| self.unusable(path, &format!("expected its JSON form: {error}")));
                }
                Err(trouble) => trouble,
            };
            let pause = trouble.wait.map_or(wait, |asked_for| asked_for.max(wait));
            if !trouble.may_pass || attempts >= self.service.attempts || pause > self.service.longest_wait {
                return Err(self.failed(path, trouble, attempts));
            }
            (self.sleep)(pause);
            wait = wait.saturating_mul(2).min(self.service.longest_wait);
            attempts += 1;
        }
    }

    fn url(&self, path: &str) -> String {
        self.quoted(&format!("{}{path}", self.service.base))
    }

    fn ask(&self, path: &str, question: &[u8]) -> Result<Vec<u8>, Trouble> {
        let mut request = self.agent.post(format!("{}{path}", self.service.base));
        request = request.header("content-type", "application/json").header("accept", "application/json");
        if let Some(authorization) = &self.authorization {
            request = request.header("authorization", authorization);
        }
        let mut response = request.send(question).map_err(unreachable)?;
        let status = response.status();
        let limit = if status.is_success() { self.service.answer_bytes } else { REFUSAL_BYTES };
        let body = response.body_mut().with_config().limit(limit).read_to_vec();
        if status.is_success() {
            return body.map_err(|error| match error {
                ureq::Error::BodyExceedsLimit(limit) => Trouble {
                    kind: Kind::Answer(format!("it is longer than {limit} bytes")),
                    may_pass: false,
                    wait: None,
                },
                error => unreachable(error),
            });
        }
        let said = match status {
            // What is said here often repeats the key, or a part of it.
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                let has_key = self.authorization.is_some();
                let why =
                    if has_key { "it does not accept the key" } else { "it wants a key, and none was given" };
                why.to_owned()
            }
            status if status.is_redirection() => "it sends elsewhere, and that is not followed".to_owned(),
            _ => said(&body.unwrap_or_default()),
        };
        Err(Trouble {
            kind: Kind::Refused(status, said),
            may_pass: matches!(status.as_u16(), 408 | 429) || status.is_server_error(),
            wait: retry_after(response.headers()),
        })
    }

    fn failed(&self, path: &str, trouble: Trouble, attempts: u32) -> EmbedError {
        let url = self.url(path);
        let asks = trouble.wait.filter(|wait| trouble.may_pass && *wait > self.service.longest_wait);
        let asks = asks.map_or(String::new(), |wait| format!("; it asks to wait {} s", wait.as_secs()));
        match trouble.kind {
            Kind::Unreachable(reason) => {
                EmbedError::Unreachable { url, attempts, reason: self.quoted(&reason) }
            }
            Kind::Refused(status, said) => {
                let said = format!("{}{asks}", self.quoted(&said));
                EmbedError::Refused { url, status: status.as_u16(), attempts, said }
            }
            Kind::Answer(what) => EmbedError::Answer { url, what },
        }
    }

    /// Returns a text from outside as an error may hold it: without the key, on one line, not too long.
    fn quoted(&self, text: &str) -> String {
        let masked = match &self.service.key {
            Some(ApiKey(key)) => text.replace(key.as_str(), MASK),
            None => text.to_owned(),
        };
        let one_line: String = masked.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        match one_line.char_indices().nth(QUOTED) {
            Some((end, _)) => format!("{}…", &one_line[..end]),
            None => one_line,
        }
    }
}

/// Reads a base; what could hide a secret in it is refused, so that errors may name it.
fn base(given: &str) -> Result<String, EmbedError> {
    let wrong = |what: &str| EmbedError::Configuration(format!("its base URL {what}"));
    let trimmed = given.trim().trim_end_matches('/');
    let trimmed = trimmed.strip_suffix("/v1").unwrap_or(trimmed).trim_end_matches('/');
    let uri: Uri =
        trimmed.parse().map_err(|_| wrong("is no URL: expected one such as https://example.org"))?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none_or(str::is_empty) {
        return Err(wrong("does not start with http:// or https:// and a host"));
    }
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err(wrong("holds a name or a password: hand in a key instead"));
    }
    if trimmed.contains(['?', '#']) {
        return Err(wrong("holds a query or a fragment: expected a path at most"));
    }
    Ok(trimmed.to_owned())
}

fn authorization(ApiKey(key): &ApiKey) -> Result<HeaderValue, EmbedError> {
    // Quotes and backslashes change where a text is quoted, and the key could then not be found to be masked.
    let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\'' | '\\');
    if key.is_empty() || !key.chars().all(is_plain) {
        let expected = "its key is empty, or has spaces, quotes or characters outside ASCII";
        return Err(EmbedError::Configuration(expected.to_owned()));
    }
    let header = HeaderValue::try_from(format!("Bearer {key}"));
    let mut header = header.map_err(|_| EmbedError::Configuration("its key fits in no header".to_owned()))?;
    header.set_sensitive(true);
    Ok(header)
}

fn unreachable(error: ureq::Error) -> Trouble {
    let may_pass = match &error {
        ureq::Error::Timeout(_) => true,
        // That nobody listens does not pass while one waits.
        ureq::Error::Io(error) => matches!(
            error.kind(),
            ErrorKind::ConnectionReset
                | ErrorKind::ConnectionAborted
                | ErrorKind::BrokenPipe
                | ErrorKind::UnexpectedEof
                | ErrorKind::TimedOut
                | ErrorKind::WouldBlock
        ),
        _ => false,
    };
    let reason = match error {
        ureq::Error::Timeout(_) => "it takes too long".to_owned(),
        error => error.to_string(),
    };
    Trouble { kind: Kind::Unreachable(reason), may_pass, wait: None }
}

/// Returns what a refusal says: the message in it, in the forms that are in use, or else all of it.
fn said(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body).trim().to_owned();
    let Ok(json) = serde_json::from_slice::<Value>(body) else {
        return if text.is_empty() { "it does not say why".to_owned() } else { text };
    };
    let places = ["/error/message", "/error", "/message", "/detail"];
    let message = places.iter().find_map(|place| json.pointer(place)?.as_str());
    // Written anew, so that no way of escaping hides a key from being masked.
    message.map_or_else(|| json.to_string(), str::to_owned)
}

/// Returns how long to wait by the header `Retry-After`: seconds, or a date, which is compared with the answer's own
/// (RFC 9110, section 10.2.3).
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name)?.to_str().ok().map(str::trim);
    let after = text(RETRY_AFTER)?;
    if let Ok(seconds) = after.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = DateTime::parse_from_rfc2822(after).ok()?;
    let now = DateTime::parse_from_rfc2822(text(DATE)?).ok()?;
    Some((until - now).to_std().unwrap_or_default())
}
