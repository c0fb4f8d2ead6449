//! A part of Mem0's interface, at `/mem0`: a client of it works by having that as its base URL.
//!
//! ```text
//! /mem0/v1/memories/             in the space that Bygone-Space names
//! /mem0/work/v1/memories/        in the space work
//! ```
//!
//! A memory is a document with all its versions (`bygone_query::interface::memories`), and what was said is recorded as turns, so
//! that memories are found as turns are and facts are read from them. Where addresses and shapes come from: the client of
//! <https://pypi.org/project/mem0ai> (0.1.118, 1.0.11 and 2.2.1 ask by the first, second and third version of the interface).

mod add;
mod address;
mod change;
mod find;
mod given;

use std::sync::Arc;
use std::time::Instant as Monotonic;

use axum::Json;
use axum::extract::{Extension, Request, State};
use axum::response::{IntoResponse, Response};
use bygone_engine::store::Space;
use bygone_query::interface::InterfaceError;
use serde_json::{Value, json};

use super::Server;
use super::guard::Granted;
use super::record::Event;
use super::reply::Problem;
use super::request::{bytes, in_address, space_of};
use crate::clock::Clock;
use crate::verb::Scope;
pub(super) use address::ADDRESSES;
use address::{Asked, Call};
use given::Given;

/// Where the interface is.
pub(super) const BASE: &str = "/mem0/";

/// Answers a request.
pub(super) async fn answer(
    State(server): State<Arc<Server>>,
    Extension(granted): Extension<Granted>,
    request: Request,
) -> Response {
    let (at, started) = (Clock::System.now(), Monotonic::now());
    let _under_way = server.metrics.begin();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let Asked { call, space: named } = match Asked::read(&method, &path) {
        Ok(asked) => asked,
        Err(problem) => {
            server.metrics.refused("not_found");
            return told(&problem);
        }
    };
    let (mut space, scope, name) = (String::new(), call.needs().scope, format!("mem0/{}", call.name()));
    let answered = done(&server, &granted, call, named, request, &mut space).await;
    let (response, why) = match answered {
        Ok(value) => (Json(value).into_response(), String::new()),
        Err(problem) => (told(&problem), problem.why().to_owned()),
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
    server.tell(&name, &event, scope != Scope::Read, started.elapsed());
    response
}

/// Returns a problem in the form that clients of the interface read.
pub(super) fn told(problem: &Problem) -> Response {
    let mut body = problem.json();
    body["detail"] = problem.message.as_str().into();
    problem.response(&body)
}

async fn done(
    server: &Arc<Server>,
    granted: &Granted,
    call: Call,
    named: Option<String>,
    request: Request,
    told_space: &mut String,
) -> Result<Value, Problem> {
    let (parts, body) = request.into_parts();
    let space = space_of(&parts.headers, named)?;
    space.clone_into(told_space);
    if matches!(call, Call::Ping) {
        // Clients want an organization and a project, whatever they are called.
        return Ok(json!({ "status": "ok", "org_id": "bygone", "project_id": space, "user_email": null }));
    }
    granted.allow(call.needs(), &space)?;
    let body = bytes(server, &parts.headers, body).await?;
    let given = Given::read(in_address(&parts.uri, |_| false)?, &body)?;
    let permit = server.permit().await?;
    let (server_of_task, granted) = (Arc::clone(server), granted.clone());
    let task = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let place = Place { server: &server_of_task, granted: &granted, space: &space };
        place.done(&call, &given)
    });
    server.in_time(task).await?
}

/// Where a call is done, and for whom.
#[derive(Clone, Copy)]
struct Place<'a> {
    server: &'a Server,
    granted: &'a Granted,
    space: &'a str,
}

impl Place<'_> {
    fn done(&self, call: &Call, given: &Given) -> Result<Value, Problem> {
        match call {
            Call::Ping => Ok(Value::Null),
            Call::Add => add::add(self, given),
            Call::List(version) => find::list(self, given, *version),
            Call::Search(version) => find::search(self, given, *version),
            Call::Get(id) => find::get(self, given, id),
            Call::History(id) => find::history(self, id),
            Call::Entities => find::entities(self),
            Call::Update(id) => change::update(self, given, id),
            Call::UpdateMany => change::update_many(self, given),
            Call::Delete(id) => change::delete(self, std::slice::from_ref(id)),
            Call::DeleteMany => change::delete_many(self, given),
            Call::DeleteAll => change::delete_all(self, given),
            Call::DeleteOf(field, name) => change::delete_of(self, field, name),
        }
    }

    /// Reads something in the space; `None` where the space was never written to.
    fn reading<T>(
        &self,
        read: impl FnOnce(&Space<'_>) -> Result<T, InterfaceError>,
    ) -> Result<Option<T>, Problem> {
        let found =
            self.server.lending.in_space(self.space, false, |space| read(space).map_err(Problem::from));
        match found {
            Ok(found) => Ok(Some(found)),
            Err(problem) if problem.code == "no_space" => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    /// Changes something in the space, which is made where there is none.
    fn writing<T>(&self, write: impl FnOnce(&Space<'_>) -> Result<T, InterfaceError>) -> Result<T, Problem> {
        self.server.lending.in_space(self.space, true, |space| write(space).map_err(Problem::from))
    }
}
