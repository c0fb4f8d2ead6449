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
use super::request::{bytes, expected, idempotency_key, space_of};
use crate::clock::Clock;
use crate::verb::{Needs, Scope};

/// An operation there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operation {
    interface: &'static str,
    name: &'static str,
    pub(super) needs: Needs,
}

/// What is not of documents alone: a transcript that is kept is read.
const REMEMBER: Operation = Operation {
    interface: "session-store",
    name: "remember",
    needs: Needs { scope: Scope::Write, tells: false },
};

/// Returns every operation.
pub(super) fn every() -> impl Iterator<Item = Operation> {
    let kept = operations().map(|(interface, name, scope)| {
        let needs = match scope {
            interface::Scope::Read => Scope::Read.into(),
            interface::Scope::Write => Scope::Write.into(),
            interface::Scope::ReadWrite => Needs { scope: Scope::Write, tells: true },
            interface::Scope::Erase => Scope::Erase.into(),
        };
        Operation { interface, name, needs }
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
        let space = space_of(&parts.headers, None)?;
        space.clone_into(told_space);
        granted.allow(self.needs, &space)?;
        let key = idempotency_key(&parts.headers)?.map(ToOwned::to_owned);
        let body = bytes(server, &parts.headers, body).await?;
        let permit = server.permit().await?;
        let (worker, granted) = (Arc::clone(server), granted.clone());
        let task = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            if self == REMEMBER {
                return remember(&worker, &granted, &space, &body);
            }
            let creates = self.needs.scope == Scope::Write;
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
