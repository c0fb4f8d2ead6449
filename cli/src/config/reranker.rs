//! The table `[reranker]`: what puts the best of what is found in order.

use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;

use bygone_engine::StoreError;
use bygone_engine::embed::{RerankConfig, RerankEndpoint};
use bygone_engine::store::Store;
use serde::Deserialize;

use super::Environment;
use super::service::{ServiceKeys, why};
use super::table::Table;
use crate::failure::Failure;

/// A reranker, as it is configured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reranker(RerankConfig);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    url: String,
    model: String,
    key_env: Option<String>,
    text_bytes: Option<NonZeroUsize>,
    timeout_seconds: Option<NonZeroU32>,
    attempts: Option<NonZeroU32>,
}

impl Reranker {
    /// Reads the table.
    ///
    /// # Errors
    /// [`Failure::Input`] where it means nothing.
    pub(super) fn read(table: Table<'_>, environment: Environment<'_>) -> Result<Reranker, Failure> {
        let (keys, heading) = table.read::<Keys>()?;
        let Keys { url, model, key_env, text_bytes, timeout_seconds, attempts } = keys;
        let service =
            ServiceKeys { url, key_env, timeout_seconds, attempts }.service(&heading, environment)?;
        let mut config = RerankConfig::new(service, model);
        if let Some(bytes) = text_bytes {
            config.text_bytes = bytes.get();
        }
        config.check().map_err(|error| heading.wrong(&why(&error)))?;
        Ok(Reranker(config))
    }

    /// Lets a store use it.
    pub(super) fn set_up(&self, store: Store) -> Result<Store, StoreError> {
        let reranker = RerankEndpoint::new(self.0.clone(), Box::new(std::thread::sleep))?;
        Ok(store.with_reranker(Arc::new(reranker)))
    }
}
