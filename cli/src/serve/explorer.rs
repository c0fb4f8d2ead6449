//! A page for people: questions, entities and their timelines, at any two times. It asks the server as every other client does.

use axum::http::header;
use axum::response::IntoResponse;

/// What the page may do: its own script and style, and requests to this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Answers with the page.
pub(super) async fn page() -> impl IntoResponse {
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (headers, include_str!("explorer.html"))
}

/// Answers with its script.
pub(super) async fn script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("explorer.js"))
}
