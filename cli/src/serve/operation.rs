//! Operations of the interfaces that agents' frameworks speak already (`bygone_query::interface`), an address each.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bygone_engine::StoreError;
use bygone_query::interface::{self, InterfaceError, call, operations};

use super::Server;
use super::guard::Granted;
use super::remember::remember;
use super::reply::Problem;
use super::request::{bytes, expected, idempotency_key, space};
use crate::arguments::DEFAULT_SPACE;
use crate::clock::Clock;
use crate::verb::Scope;

/// An operation there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operation {
    interface: &'static str,
    name: &'static str,
    pub(super) scope: Scope,
    /// Whether it tells what is there, besides what its scope says.
    reads: bool,
}

/// What is not of documents alone: a transcript that is kept is read.
const REMEMBER: Operation =
    Operation { interface: "session-store", name: "remember", scope: Scope::Write, reads: false };

/// Returns every operation.
pub(super) fn every() -> impl Iterator<Item = Operation> {
    let kept = operations().map(|(interface, name, scope)| {
        let (scope, reads) = match scope {
            interface::Scope::Read => (Scope::Read, true),
            interface::Scope::Write => (Scope::Write, false),
            interface::Scope::ReadWrite => (Scope::Write, true),
            interface::Scope::Erase => (Scope::Erase, false),
        };
        Operation { interface, name, scope, reads }
    });
    kept.chain([REMEMBER])
}

/// Finds an operation by its address.
pub(super) fn operation(address: &str) -> Option<Operation> {
    every().find(|operation| operation.address() == address)
}

impl Operation {
    /// Returns where it is asked for.
    pub(super) fn address(&self) -> String {
        format!("{}/{}", self.interface, self.name)
    }

    /// Says what a key needs for it.
    pub(super) fn scopes(&self) -> String {
        let reads_too = self.reads && self.scope != Scope::Read;
        let read = if reads_too { format!("{} and ", Scope::Read.name()) } else { String::new() };
        format!("{read}{}", self.scope.name())
    }

    /// Does it.
    pub(super) async fn answer(
        self,
        server: &Arc<Server>,
        granted: &Granted,
        request: Request,
        told_space: &mut String,
    ) -> Result<Response, Problem> {
        let (parts, body) = request.into_parts();
        if parts.method != Method::POST {
            return Err(expected("POST"));
        }
        let space = space(&parts.headers)?.unwrap_or_else(|| DEFAULT_SPACE.to_owned());
        space.clone_into(told_space);
        granted.allow(self.scope, &space)?;
        if self.reads {
            granted.allow(Scope::Read, &space)?;
        }
        let key = idempotency_key(&parts.headers)?.map(ToOwned::to_owned);
        let body = bytes(server, &parts.headers, body).await?;
        let permit = server.permit().await?;
        let (worker, granted) = (Arc::clone(server), granted.clone());
        let task = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            if self == REMEMBER {
                return remember(&worker, &granted, &space, &body);
            }
            let creates = self.scope == Scope::Write;
            worker.lending.in_space(&space, creates, |space| {
                call(space, Clock::System.now(), key.as_deref(), (self.interface, self.name), &body)
                    .map_err(Problem::from)
            })
        });
        let told = server.in_time(task).await??;
        let body = format!("{{\"result\":{}}}", told.get());
        Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
    }
}

impl From<InterfaceError> for Problem {
    fn from(error: InterfaceError) -> Problem {
        let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let message = match &error {
            // It may say where the store lies.
            InterfaceError::Store(StoreError::NoStore(_)) => "there is no store".to_owned(),
            error => error.to_string(),
        };
        Problem::new(status, error.code(), message)
    }
}
