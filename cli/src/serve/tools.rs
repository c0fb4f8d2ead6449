//! What comes to `/mcp`, looked at before the transport of the tools sees it.

use std::borrow::Cow;
use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Server;
use super::request::bytes;
use crate::mcp::checked;

/// Hands on messages that can be read, and answers the others; tells that a session has ended as clients expect it.
pub(super) async fn readable(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let method = request.method().clone();
    if method != Method::POST {
        let mut response = next.run(request).await;
        if method == Method::DELETE && response.status() == StatusCode::ACCEPTED {
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        return response;
    }
    let (mut parts, body) = request.into_parts();
    let body = match bytes(&server, &parts.headers, body).await {
        Ok(body) => body,
        Err(problem) => return problem.into_response(),
    };
    match checked(&body) {
        Ok(Cow::Borrowed(_)) => next.run(Request::from_parts(parts, Body::from(body))).await,
        Ok(Cow::Owned(mended)) => {
            parts.headers.remove(header::CONTENT_LENGTH);
            next.run(Request::from_parts(parts, Body::from(mended))).await
        }
        Err(answer) => (StatusCode::BAD_REQUEST, Json(answer)).into_response(),
    }
}
