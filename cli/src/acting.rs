//! What every command that changes tool state is asked with: who acts, and what tells one request from another.

use std::io::BufRead;

use bygone_engine::EntityRef;
use bygone_engine::store::{Decided, Operation, Place, Snapshot, Space};
use bygone_engine::time::{Instant, Moment};
use bygone_query::state::{self, Actor, Incarnation, StateError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::Failure;
use crate::mask::{Mask, Secrecy};
use crate::view::moment;

/// Who acts, and under which idempotency key.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Who acts")]
pub(crate) struct Acting {
    /// The agent that acts, or one of its runs as NAME#EPOCH
    #[arg(long, env = "BYGONE_AGENT", value_name = "A")]
    agent: Option<String>,
    /// Which run of the agent acts: the epoch that `bygone lease start` gave out. What a run that is over sends is refused,
    /// and that it came too late is recorded
    #[arg(long, env = "BYGONE_EPOCH", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    epoch: Option<u64>,
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
    #[command(flatten)]
    secrecy: Secrecy,
}

impl Acting {
    /// Returns what masks the secrets in what the command is told to keep.
    pub(crate) fn mask(&self) -> Mask {
        self.secrecy.mask()
    }

    /// Returns who acts.
    pub(crate) fn actor(&self) -> Actor {
        let Acting { agent, epoch, user, session, .. } = self.clone();
        match agent.as_deref().and_then(Incarnation::parse) {
            Some(run) => Actor { agent: Some(run.agent), epoch: epoch.or(Some(run.epoch)), user, session },
            None => Actor { agent, epoch, user, session },
        }
    }

    /// Says whether an epoch is given that tells which run of an agent is meant: of the one that acts, or where none does.
    pub(crate) fn names_a_run_of(&self, agent: &str) -> bool {
        self.epoch.is_some() && self.actor().agent.is_none_or(|acting| acting == agent)
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
        let named = self.agent.as_deref().and_then(Incarnation::parse);
        if let (Some(run), Some(epoch)) = (named, self.epoch)
            && run.epoch != epoch
        {
            return Err(Failure::Usage(format!("--agent {run} and --epoch {epoch} are two runs")));
        }
        if self.epoch.is_some() && self.agent.is_none() {
            return Err(Failure::Usage(
                "--epoch tells which run of an agent acts: expected --agent, too".to_owned(),
            ));
        }
        self.decide_as(&self.actor(), space, sent, request, now, decide)
    }

    /// Decides on a request as [`Acting::decide`] does, made by somebody whom the command itself names.
    pub(crate) fn decide_as<T: Serialize + DeserializeOwned>(
        &self,
        by: &Actor,
        space: &Space<'_>,
        sent: Option<&str>,
        request: &impl std::fmt::Debug,
        now: Instant,
        decide: impl FnOnce(&Snapshot<'_>, Place) -> Result<Decided<T>, StateError>,
    ) -> Result<T, Failure> {
        let request = format!("{request:?} {by:?}");
        // No key that somebody typed has a NUL in it.
        let key = self.idempotency_key.clone().or_else(|| sent.map(|sent| format!("sent\0{sent}")));
        let operation = key.as_deref().map(|key| Operation { key, request: &request });
        Ok(state::decide(space, by, operation, now, decide)?)
    }
}

/// Whose state is asked about: that of who would act.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Whose")]
pub(crate) struct Whose {
    /// The agent whose it is
    #[arg(long, env = "BYGONE_AGENT", value_name = "A")]
    agent: Option<String>,
    /// The user whose it is, where no agent is named
    #[arg(long, env = "BYGONE_USER", value_name = "U")]
    user: Option<String>,
}

impl Whose {
    /// Returns whose it is, where somebody is named.
    pub(crate) fn named(&self) -> Result<Option<EntityRef>, Failure> {
        let is_named = self.agent.is_some() || self.user.is_some();
        is_named.then(|| self.entity()).transpose()
    }

    /// Returns whose it is.
    pub(crate) fn entity(&self) -> Result<EntityRef, Failure> {
        let actor = Actor { agent: self.agent.clone(), user: self.user.clone(), ..Actor::default() };
        Ok(actor.named()?)
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

/// Returns a text: the argument, or what standard input holds where that is `-`.
pub(crate) fn given_text(argument: &str, input: &mut dyn BufRead) -> Result<String, Failure> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut text = String::new();
    input
        .read_to_string(&mut text)
        .map_err(|error| Failure::Input(format!("standard input cannot be read: {error}")))?;
    Ok(text)
}

/// Reads the time of an option, where it is given.
pub(crate) fn optional_moment(option: &str, text: Option<&str>) -> Result<Option<Moment>, Failure> {
    text.map(|text| moment(option, text)).transpose()
}

/// Says an instant as results for programs do.
pub(crate) fn time_json(instant: Instant) -> serde_json::Value {
    serde_json::Value::String(instant.to_rfc3339())
}
