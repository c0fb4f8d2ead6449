//! What requests are answered with where there is no row: errors in one form, and what every answer bears.

use axum::Json;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::failure::Exit;

/// How many reasons a message gives; all that are listed stand in the receipt beside it.
const MOST_REASONS: usize = 20;

/// An answer that says what went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    /// What programs know it by.
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// What was given nevertheless: a receipt, or what stands in the way.
    rows: Vec<Value>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Problem {
        Problem { status, code, message: message.into(), rows: Vec::new() }
    }

    /// Returns what was asked for wrongly.
    pub(crate) fn bad_request(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    /// Returns that there is nothing of the name that was asked for.
    pub(crate) fn not_found(message: &str) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// Returns that the deadline passed.
    pub(crate) fn too_late() -> Problem {
        let message = "it was not done in time; a change is made nevertheless if it was begun";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too_late", message)
    }

    /// Returns that there is a fault in the program.
    pub(crate) fn broken() -> Problem {
        let message = "something is wrong with bygone itself";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", message)
    }

    /// Returns the problem that a verb ended with; `None` where it is an answer.
    pub(crate) fn of_exit(exit: Exit, changes: bool, remarks: &[String]) -> Option<Problem> {
        let (status, code) = match exit {
            Exit::Done => return None,
            // "No" is an answer to a question, and a refusal of a change.
            Exit::No if !changes => return None,
            Exit::No => (StatusCode::CONFLICT, "refused"),
            Exit::Usage => (StatusCode::BAD_REQUEST, "bad_request"),
            Exit::BadInput => (StatusCode::UNPROCESSABLE_ENTITY, "bad_input"),
            Exit::Corrupt => (StatusCode::INTERNAL_SERVER_ERROR, "corrupt"),
            Exit::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
            Exit::Interrupted => (StatusCode::SERVICE_UNAVAILABLE, "stopped"),
        };
        let message = match remarks.join("\n") {
            empty if empty.is_empty() && exit == Exit::No => "there is nothing to change".to_owned(),
            message => message,
        };
        Some(Problem::new(status, code, message))
    }

    /// Returns what is written down of it: a message may hold what was said in the request, unless nobody looked into that.
    pub(crate) fn why(&self) -> &str {
        match self.status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => &self.message,
            _ => self.code,
        }
    }

    /// Adds the rows that there are in spite of it; the reasons in them are its message where it has none.
    #[must_use]
    pub(crate) fn with_rows(self, text: &str) -> Problem {
        let rows: Vec<Value> = text.lines().map_while(|line| serde_json::from_str(line).ok()).collect();
        let message = if self.message.is_empty() { reasons(&rows) } else { self.message };
        Problem { message, rows, ..self }
    }

    /// Returns the body.
    pub(crate) fn json(&self) -> Value {
        let mut body = json!({ "error": { "code": self.code, "message": self.message } });
        if !self.rows.is_empty() {
            body["rows"] = json!(self.rows);
        }
        body
    }
}

/// Returns why parts of what was given were not taken, as receipts say: the first reasons, and how many more there are.
pub(crate) fn reasons(rows: &[Value]) -> String {
    let problems = rows.iter().flat_map(|row| row["problems"].as_array().into_iter().flatten());
    let reasons = problems.filter_map(|problem| problem["reason"].as_str());
    let n_unlisted: u64 = rows.iter().filter_map(|row| row["unlisted"].as_u64()).sum();
    let n_more = (reasons.clone().count() as u64).saturating_sub(MOST_REASONS as u64) + n_unlisted;
    let mut told: Vec<String> = reasons.take(MOST_REASONS).map(str::to_owned).collect();
    if n_more > 0 {
        told.push(format!("and {n_more} more"));
    }
    told.join("\n")
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        self.response(&self.json())
    }
}

impl Problem {
    /// Returns the answer with a body in the form of whoever asks.
    pub(crate) fn response(&self, body: &Value) -> Response {
        let mut response = (self.status, Json(body)).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// Answers what asks for an address that there is not.
pub(super) async fn no_such_address() -> Problem {
    Problem::not_found("there is nothing at this address: /openapi.json lists what there is")
}

/// Adds what keeps browsers from taking an answer for something else.
pub(super) async fn harmless(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
