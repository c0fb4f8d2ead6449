//! What every command that changes tool state is asked with: who acts, and what tells one request from another.

use bygone_engine::store::{Decided, Operation, Place, Snapshot, Space};
use bygone_engine::time::Instant;
use bygone_query::state::{Actor, StateError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// Who acts, and under which idempotency key.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Who acts")]
pub(crate) struct Acting {
    /// The agent that acts
    #[arg(long, env = "BYGONE_AGENT", value_name = "A")]
    agent: Option<String>,
    /// The user that it acts for
    #[arg(long, env = "BYGONE_USER", value_name = "U")]
    user: Option<String>,
    /// The session that it belongs to [default: one of the agent's own]
    #[arg(long, env = "BYGONE_SESSION", value_name = "S")]
    session: Option<String>,
    /// A key of your own for this request: sent again with the same key, it is not done again, and the first result is
    /// returned
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
}

impl Acting {
    /// Returns who acts.
    pub(crate) fn actor(&self) -> Actor {
        Actor { agent: self.agent.clone(), user: self.user.clone(), session: self.session.clone() }
    }

    /// Decides on a request in a space and records what is decided. `sent` tells the sending of the request apart where
    /// the caller gave no key.
    pub(crate) fn decide<T: Serialize + DeserializeOwned>(
        &self,
        space: &Space<'_>,
        sent: Option<&str>,
        request: &impl std::fmt::Debug,
        now: Instant,
        decide: impl FnOnce(&Snapshot<'_>, Place) -> Result<Decided<T>, StateError>,
    ) -> Result<T, Failure> {
        let request = format!("{request:?} {:?}", self.actor());
        // No key that somebody typed has a NUL in it.
        let key = self.idempotency_key.clone().or_else(|| sent.map(|sent| format!("sent\0{sent}")));
        let operation = key.as_deref().map(|key| Operation { key, request: &request });
        Ok(space.decide(operation, now, decide)?)
    }
}

impl From<StateError> for Failure {
    fn from(error: StateError) -> Failure {
        match error {
            StateError::Store(error) => error.into(),
            StateError::Name(text) => Failure::Usage(text),
            StateError::Refused(text) | StateError::Missing(text) => Failure::NotKnown(text),
            other => Failure::Input(other.to_string()),
        }
    }
}

/// Reads a length of time: a number of seconds, or one with s, m, h, d or w behind it. Returns microseconds.
///
/// # Errors
/// What is expected, in words.
pub(crate) fn length(text: &str) -> Result<i64, String> {
    let at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(at);
    let seconds = match unit {
        "" | "s" => 1,
        "m" | "min" => 60,
        "h" => 3_600,
        "d" => 86_400,
        "w" => 604_800,
        _ => 0,
    };
    let micros = digits.parse::<i64>().ok().and_then(|number| number.checked_mul(seconds * 1_000_000));
    micros
        .filter(|micros| *micros > 0 && *micros < Instant::LAST.micros())
        .ok_or_else(|| format!("{text:?} is no length of time: expected one such as 90s, 15m, 2h, 3d or 1w"))
}

/// Says an instant as results for programs do.
pub(crate) fn time_json(instant: Instant) -> serde_json::Value {
    serde_json::Value::String(instant.to_rfc3339())
}
