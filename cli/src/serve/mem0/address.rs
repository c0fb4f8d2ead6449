//! Which call an address and a method are.

use axum::http::{Method, StatusCode};

use super::BASE;
use crate::serve::reply::Problem;
use crate::serve::request::decoded;
use crate::verb::{Needs, Scope};

/// A version of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    First,
    Second,
    Third,
}

/// A call there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Ping,
    Add,
    List(Version),
    Search(Version),
    Get(String),
    History(String),
    Entities,
    Update(String),
    UpdateMany,
    Delete(String),
    DeleteMany,
    DeleteAll,
    /// By the field that names somebody, and the name.
    DeleteOf(&'static str, String),
}

/// What an address asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) call: Call,
    /// The space, where the address names it.
    pub(super) space: Option<String>,
}

/// The fields that name somebody, by what they are called as kinds.
pub(super) const KINDS: [(&str, &str); 4] =
    [("user", "user_id"), ("agent", "agent_id"), ("app", "app_id"), ("run", "run_id")];

/// Every address with its methods, and what each does.
pub(in crate::serve) const ADDRESSES: &[(&str, &[(&str, &str)])] = &[
    ("v1/ping/", &[("get", "Whether it is there")]),
    (
        "v1/memories/",
        &[("get", "List memories"), ("post", "Add memories"), ("delete", "Delete somebody's memories")],
    ),
    ("v3/memories/add/", &[("post", "Add memories")]),
    ("v2/memories/", &[("post", "List memories")]),
    ("v3/memories/", &[("post", "List memories")]),
    ("v1/memories/search/", &[("post", "Search memories")]),
    ("v2/memories/search/", &[("post", "Search memories")]),
    ("v3/memories/search/", &[("post", "Search memories")]),
    (
        "v1/memories/{memory_id}/",
        &[("get", "Get a memory"), ("put", "Change a memory"), ("delete", "Delete a memory")],
    ),
    ("v1/memories/{memory_id}/history/", &[("get", "What became of a memory")]),
    ("v1/batch/", &[("put", "Change memories"), ("delete", "Delete memories")]),
    ("v1/entities/", &[("get", "Whose memories there are")]),
    ("v2/entities/{entity_type}/{entity_name}/", &[("delete", "Delete somebody's memories")]),
];

impl Asked {
    /// Reads an address and a method.
    pub(super) fn read(method: &Method, path: &str) -> Result<Asked, Problem> {
        let nothing = || Problem::not_found("there is no such call of Mem0's interface here");
        let rest = path.strip_prefix(BASE).ok_or_else(nothing)?;
        let parts = rest.split('/').filter(|part| !part.is_empty()).map(decoded);
        let parts: Vec<String> = parts.collect::<Option<_>>().ok_or_else(nothing)?;
        let mut parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let mut space = None;
        if parts.first().is_some_and(|first| version(first).is_none()) {
            space = Some(parts.remove(0).to_owned());
        }
        let version = parts.first().and_then(|first| version(first)).ok_or_else(nothing)?;
        let call = call(method, version, &parts[1..]).ok_or_else(|| match &parts[1..] {
            ["memories" | "entities", ..] | ["batch" | "ping"] => {
                let message = "there is no call by that method here";
                Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
            }
            _ => nothing(),
        })?;
        Ok(Asked { call, space })
    }
}

fn version(part: &str) -> Option<Version> {
    match part {
        "v1" => Some(Version::First),
        "v2" => Some(Version::Second),
        "v3" => Some(Version::Third),
        _ => None,
    }
}

fn call(method: &Method, version: Version, parts: &[&str]) -> Option<Call> {
    use Version::First;
    let is_first = version == First;
    Some(match (method.as_str(), parts) {
        ("GET", ["ping"]) => Call::Ping,
        ("POST", ["memories"]) if is_first => Call::Add,
        ("POST", ["memories", "add"]) => Call::Add,
        ("GET", ["memories"]) if is_first => Call::List(version),
        ("POST", ["memories"]) => Call::List(version),
        ("POST", ["memories", "search"]) => Call::Search(version),
        ("DELETE", ["memories"]) => Call::DeleteAll,
        ("GET", ["memories", id]) => Call::Get((*id).to_owned()),
        ("PUT", ["memories", id]) => Call::Update((*id).to_owned()),
        ("DELETE", ["memories", id]) => Call::Delete((*id).to_owned()),
        ("GET", ["memories", id, "history"]) => Call::History((*id).to_owned()),
        ("PUT", ["batch"]) => Call::UpdateMany,
        ("DELETE", ["batch"]) => Call::DeleteMany,
        ("GET", ["entities"]) => Call::Entities,
        ("DELETE", ["entities", kind, name]) => {
            let (_, field) = KINDS.iter().find(|(known, _)| known == kind)?;
            Call::DeleteOf(field, (*name).to_owned())
        }
        _ => return None,
    })
}

impl Call {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Call::Ping => "ping",
            Call::Add => "add",
            Call::List(_) => "list",
            Call::Search(_) => "search",
            Call::Get(_) => "get",
            Call::History(_) => "history",
            Call::Entities => "entities",
            Call::Update(_) | Call::UpdateMany => "update",
            Call::Delete(_) | Call::DeleteMany | Call::DeleteAll | Call::DeleteOf(..) => "delete",
        }
    }

    /// Returns what a key needs for it. What is deleted stays in the history, so that is a write; what is changed is told.
    pub(super) fn needs(&self) -> Needs {
        let tells = matches!(self, Call::Update(_));
        let scope = match self {
            Call::Ping
            | Call::List(_)
            | Call::Search(_)
            | Call::Get(_)
            | Call::History(_)
            | Call::Entities => Scope::Read,
            Call::Add
            | Call::Update(_)
            | Call::UpdateMany
            | Call::Delete(_)
            | Call::DeleteMany
            | Call::DeleteAll
            | Call::DeleteOf(..) => Scope::Write,
        };
        Needs { scope, tells }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_that_is_told_of_is_a_call() {
        for (address, methods) in ADDRESSES {
            let path = format!("{BASE}{address}").replace("{entity_type}", "user");
            for (method, _) in *methods {
                let method = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
                assert!(Asked::read(&method, &path).is_ok(), "{method} {path}");
            }
        }
    }

    #[test]
    fn addresses_are_calls_in_a_space() {
        let read =
            |method: Method, path: &str| Asked::read(&method, path).map(|asked| (asked.call, asked.space));
        assert_eq!(read(Method::POST, "/mem0/v1/memories/"), Ok((Call::Add, None)));
        assert_eq!(read(Method::POST, "/mem0/v3/memories/"), Ok((Call::List(Version::Third), None)));
        assert_eq!(
            read(Method::GET, "/mem0/work/v1/memories/a%2Fb/history/"),
            Ok((Call::History("a/b".to_owned()), Some("work".to_owned())))
        );
        assert_eq!(
            read(Method::DELETE, "/mem0/v2/entities/user/a%40b.c"),
            Ok((Call::DeleteOf("user_id", "a@b.c".to_owned()), None))
        );
        for (method, path, status) in [
            (Method::GET, "/mem0/v1", 404),
            (Method::GET, "/mem0/v4/memories", 404),
            (Method::GET, "/mem0/v1/exports", 404),
            (Method::GET, "/mem0/v1/memories/%ff", 404),
            (Method::GET, "/mem0/v1/memories/%2", 404),
            (Method::PATCH, "/mem0/v1/memories/x", 405),
            (Method::DELETE, "/mem0/v2/entities/planet/x", 405),
        ] {
            let problem = read(method, path).expect_err(path);
            assert_eq!(problem.status.as_u16(), status, "{path}");
        }
    }
}
