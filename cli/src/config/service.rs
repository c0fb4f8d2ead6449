//! Where a model is asked over HTTP, as both tables say it.

use std::num::NonZeroU32;
use std::time::Duration;

use bygone_engine::embed::{ApiKey, EmbedError, Service};

use super::Environment;
use super::table::Heading;
use crate::failure::Failure;

/// What a table says of a service.
pub(super) struct ServiceKeys {
    pub(super) url: String,
    pub(super) key_env: Option<String>,
    pub(super) timeout_seconds: Option<NonZeroU32>,
    pub(super) attempts: Option<NonZeroU32>,
}

impl ServiceKeys {
    /// Returns the service, with the key that the environment holds for it.
    ///
    /// # Errors
    /// [`Failure::Input`] where the environment has none by that name.
    pub(super) fn service(
        self,
        heading: &Heading<'_>,
        environment: Environment<'_>,
    ) -> Result<Service, Failure> {
        let mut service = Service::new(self.url);
        if let Some(name) = self.key_env {
            service.key = Some(key(&name, heading, environment)?);
        }
        if let Some(seconds) = self.timeout_seconds {
            service.timeout = Duration::from_secs(seconds.get().into());
        }
        if let Some(attempts) = self.attempts {
            service.attempts = attempts.get();
        }
        Ok(service)
    }
}

/// Returns the key that a variable holds.
fn key(name: &str, heading: &Heading<'_>, environment: Environment<'_>) -> Result<ApiKey, Failure> {
    // The names that POSIX gives variables. Hardly a key is one, so that a key written here by mistake is not repeated.
    let is_name = |name: &str| {
        let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        !name.is_empty() && name.bytes().all(fits) && !name.starts_with(|first: char| first.is_ascii_digit())
    };
    if !is_name(name) {
        return Err(heading.wrong(
            "expected `key_env` to be the name of an environment variable, in capitals, digits and underscores; the key \
             itself does not stand in the file",
        ));
    }
    match environment(name) {
        Some(key) if !key.is_empty() => Ok(ApiKey::new(key)),
        _ => {
            let what = format!(
                "expected the environment variable {name} to hold the key, as `key_env` says: it is not set"
            );
            Err(heading.wrong(&what))
        }
    }
}

/// Returns what is wrong with a model as it is configured.
pub(super) fn why(error: &EmbedError) -> String {
    match error {
        EmbedError::Configuration(what) => what.clone(),
        error => error.to_string(),
    }
}
