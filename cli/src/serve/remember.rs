//! Having a transcript that a framework keeps here read as one: then it can be asked about, as what `ingest` reads can.
//!
//! The whole transcript is read again each time, and only what is new in it is recorded, as with a file that has grown.

use bygone_query::interface::InterfaceError;
use bygone_query::interface::sessions::{Load, SessionKey, load};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::Server;
use super::guard::Granted;
use super::reply::{Problem, reasons};
use crate::failure::Exit;
use crate::verb::{Ask, Outlet, run, verb};

/// Which transcript is to be read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Remember {
    key: SessionKey,
}

/// Reads a transcript of a space, and returns the receipt; null where there is none.
pub(super) fn remember(
    server: &Server,
    granted: &Granted,
    space: &str,
    body: &[u8],
) -> Result<Box<RawValue>, Problem> {
    let Remember { key } =
        serde_json::from_slice(body).map_err(|error| Problem::bad_request(error.to_string()))?;
    let text = |value: &Value| {
        serde_json::value::to_raw_value(value).map_err(|error| Problem::bad_request(error.to_string()))
    };
    let Some(lines) = lines(server, space, &key)? else { return text(&Value::Null) };
    text(&ingested(server, granted, space, "claude-code", lines)?)
}

/// Has a transcript read into a space, and returns the receipt: what is no turn is set aside, and the receipt says so.
pub(super) fn ingested(
    server: &Server,
    granted: &Granted,
    space: &str,
    format: &str,
    transcript: Vec<u8>,
) -> Result<Value, Problem> {
    let ask = Ask {
        verb: verb("ingest").expect("there is the verb"),
        place: server.place(space.to_owned()),
        arguments: Map::from_iter([("format".to_owned(), format.into())]),
        input: Some(transcript),
    };
    let mut outlet = Outlet::of(server.limits.answer_bytes);
    let outcome = run(&mut server.session(granted), ask, &mut outlet)?;
    let receipt: Value = serde_json::from_slice(&outlet.bytes).unwrap_or_default();
    match Problem::of_exit(outcome.exit, true, &outcome.remarks) {
        Some(problem) if outcome.exit != Exit::BadInput || receipt.is_null() => {
            let message = if problem.message.is_empty() { reasons(&[receipt]) } else { problem.message };
            Err(Problem::new(problem.status, problem.code, message))
        }
        _ => Ok(receipt),
    }
}

/// Returns the entries of a transcript, one a line.
fn lines(server: &Server, space: &str, key: &SessionKey) -> Result<Option<Vec<u8>>, Problem> {
    let (mut lines, mut from) = (Vec::new(), 0);
    loop {
        let request = Load { key: key.clone(), as_of: None, from, limit: None };
        let part = server
            .lending
            .in_space(space, false, |space| load(&space.snapshot(), &request).map_err(Problem::from));
        let part = match part {
            Err(problem) if problem.code == "no_space" => return Ok(None),
            part => part?,
        };
        let Some(part) = part else { return Ok(None) };
        for entry in &part.entries {
            // An entry is as it came, and may have lines of its own.
            let entry: Value = serde_json::from_str(entry.get()).unwrap_or_default();
            lines.extend_from_slice(entry.to_string().as_bytes());
            lines.push(b'\n');
        }
        match part.next {
            Some(next) => from = next,
            None => return Ok(Some(lines)),
        }
    }
}

impl From<bygone_engine::StoreError> for Problem {
    fn from(error: bygone_engine::StoreError) -> Problem {
        InterfaceError::from(error).into()
    }
}
