//! Who asks: by which name of this server, from which page, and with which key.
//!
//! A page of another site can send requests to this machine, and can have its own name stand for this machine's address. So
//! the name that is asked for has to be one of ours, and a page that asks has to be of such a name, too.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bygone_engine::time::Instant;

use super::record::Event;
use super::reply::Problem;
use super::{Server, mem0};
use crate::clock::Clock;
use crate::keys::{EVERY_SPACE, Key, RingError, Standing};
use crate::session::Sight;
use crate::verb::{Needs, Scope};

/// What is open to whoever reaches the server.
const OPEN: [&str; 4] = ["/", "/explorer.js", "/healthz", "/openapi.json"];

/// What a request may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Granted {
    /// The key's id; nothing where no key is needed.
    pub(crate) key: Option<String>,
    scopes: BTreeSet<Scope>,
    spaces: BTreeSet<String>,
}

impl Granted {
    /// What is granted where there are no keys: everything.
    pub(crate) fn everything() -> Granted {
        Granted {
            key: None,
            scopes: BTreeSet::from([Scope::Read, Scope::Write, Scope::Erase, Scope::Admin]),
            spaces: BTreeSet::from([EVERY_SPACE.to_owned()]),
        }
    }

    /// Returns the name in records.
    pub(crate) fn who(&self) -> &str {
        self.key.as_deref().unwrap_or("")
    }

    /// Returns of which spaces it may be told something.
    pub(super) fn sight(&self) -> Sight {
        if self.opens_all() { Sight::default() } else { Sight::of(self.spaces.clone()) }
    }

    fn opens_all(&self) -> bool {
        self.spaces.contains(EVERY_SPACE)
    }

    /// Says why something may not be done in a space.
    pub(crate) fn allow(&self, needs: impl Into<Needs>, space: &str) -> Result<(), Problem> {
        let needs = needs.into();
        let refuse = |message: String| Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", message));
        if let Some(scope) = needs.scopes().find(|scope| !self.scopes.contains(scope)) {
            return refuse(format!("the key does not have the scope {}", scope.name()));
        }
        if !self.opens_all() && !self.spaces.contains(space) {
            return refuse(format!("the key does not open the space {space:?}"));
        }
        // The whole store is every space.
        if needs.scope == Scope::Admin && !self.opens_all() {
            return refuse("this is for keys that open every space".to_owned());
        }
        Ok(())
    }
}

/// Lets through what may ask, with what it may do.
pub(super) async fn guard(State(server): State<Arc<Server>>, mut request: Request, next: Next) -> Response {
    let now = Clock::System.now();
    match admit(&server, &request, now) {
        Ok(granted) => {
            request.extensions_mut().insert(granted);
            next.run(request).await
        }
        Err(problem) => {
            let event = Event {
                at: now,
                key: "",
                method: request.method().as_str(),
                path: request.uri().path(),
                space: "",
                status: problem.status.as_u16(),
                why: &problem.message,
            };
            server.record.write(&event);
            server.record.log(&event, Duration::ZERO);
            server.metrics.refused(problem.code);
            if request.uri().path().starts_with(mem0::BASE) {
                mem0::told(&problem)
            } else {
                problem.into_response()
            }
        }
    }
}

fn admit(server: &Server, request: &Request, now: Instant) -> Result<Granted, Problem> {
    let headers = request.headers();
    let host = host(headers, request.uri())
        .ok_or_else(|| Problem::bad_request("expected one header Host that names this server"))?;
    if !server.is_own(&host) {
        let message = "this server is not asked for by that name: see --host";
        return Err(Problem::new(StatusCode::FORBIDDEN, "foreign_host", message));
    }
    if let Some(origin) = headers.get(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or_default();
        if !server.is_own_origin(origin) {
            let message = "pages of that origin may not ask this server: see --allow-origin";
            return Err(Problem::new(StatusCode::FORBIDDEN, "foreign_origin", message));
        }
    }
    if OPEN.contains(&request.uri().path()) {
        return Ok(Granted::everything());
    }
    let broken = |error: RingError| {
        // Where it lies is nobody's business who has no key.
        server.record.warn(&error.to_string());
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "no_keys", "the keys of this server cannot be read")
    };
    if !server.ring.keys().map_err(broken)?.is_empty() {
        server.needs_key.store(true, Ordering::Relaxed);
    } else if !server.needs_key.load(Ordering::Relaxed) {
        return Ok(Granted::everything());
    }
    let unauthorized = |message: &str| Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", message);
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return Err(unauthorized("expected one header Authorization: Bearer KEY"));
    };
    let text = value.to_str().ok().and_then(|value| {
        let (scheme, text) = value.split_once(' ')?;
        // What clients of Mem0's interface say.
        let is_ours = scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("token");
        is_ours.then(|| text.trim())
    });
    let text = text.ok_or_else(|| unauthorized("expected Authorization: Bearer KEY"))?;
    match server.ring.find(text, now).map_err(broken)? {
        Some((key, Standing::Live)) => {
            let Key { id, scopes, spaces, .. } = key;
            Ok(Granted { key: Some(id), scopes, spaces })
        }
        Some((_, Standing::Expired)) => Err(unauthorized("the key has expired")),
        Some((_, Standing::Revoked)) => Err(unauthorized("the key was revoked")),
        None => Err(unauthorized("there is no such key")),
    }
}

/// Returns the name that is asked for, with its port.
fn host(headers: &HeaderMap, uri: &Uri) -> Option<String> {
    let mut values = headers.get_all(header::HOST).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok().map(ToOwned::to_owned),
        (None, None) => uri.authority().map(ToString::to_string),
        _ => None,
    }
}

/// Returns a name without its port, and without the brackets of an address.
fn without_port(host: &str) -> &str {
    if let Some(rest) = host.strip_prefix('[') {
        return rest.split(']').next().unwrap_or_default();
    }
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

impl Server {
    fn is_own(&self, host: &str) -> bool {
        let name = without_port(host);
        ["localhost", "127.0.0.1", "::1"].iter().any(|own| name.eq_ignore_ascii_case(own))
            || self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host) || own.eq_ignore_ascii_case(name))
    }

    fn is_own_origin(&self, origin: &str) -> bool {
        if self.origins.iter().any(|own| own == origin) {
            return true;
        }
        let rest = origin.strip_prefix("http://").or(origin.strip_prefix("https://"));
        rest.is_some_and(|host| self.is_own(host))
    }
}

#[cfg(test)]
mod tests {
    use super::without_port;

    #[test]
    fn a_name_is_told_from_its_port() {
        assert_eq!(without_port("localhost:7461"), "localhost");
        assert_eq!(without_port("localhost"), "localhost");
        assert_eq!(without_port("[::1]:7461"), "::1");
        assert_eq!(without_port("evil.example"), "evil.example");
        assert_eq!(without_port("localhost:7461.evil.example"), "localhost:7461.evil.example");
    }
}
