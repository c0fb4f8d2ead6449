//! The table `[embedder]`: what makes vectors of texts.

use std::num::{NonZeroU32, NonZeroUsize};
#[cfg(feature = "onnx")]
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bygone_engine::embed::{Endpoint, EndpointConfig};
#[cfg(feature = "onnx")]
use bygone_engine::embed::{OnnxConfig, OnnxEmbedder};
use bygone_engine::store::Store;
use serde::Deserialize;
#[cfg(not(feature = "onnx"))]
use serde::de::IgnoredAny;

use super::Environment;
use super::service::{ServiceKeys, why};
use super::table::Table;
use crate::failure::Failure;

/// The pieces that are read of a text by a model in a file, where nothing is said: those that most models like
/// all-MiniLM-L6-v2 were trained on.
#[cfg(feature = "onnx")]
const LONGEST: usize = 256;

/// An embedder, as it is configured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Embedder {
    #[default]
    BuiltIn,
    Endpoint(EndpointConfig),
    #[cfg(feature = "onnx")]
    Onnx(OnnxConfig),
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    BuiltIn,
    Endpoint,
    Onnx,
}

/// What a table may hold besides its kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoKeys {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EndpointKeys {
    url: String,
    model: String,
    key_env: Option<String>,
    dimension: Option<NonZeroUsize>,
    batch_texts: Option<NonZeroUsize>,
    batch_bytes: Option<NonZeroUsize>,
    text_bytes: Option<NonZeroUsize>,
    timeout_seconds: Option<NonZeroU32>,
    attempts: Option<NonZeroU32>,
}

#[cfg(feature = "onnx")]
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OnnxKeys {
    file: PathBuf,
    vocabulary: PathBuf,
    model: Option<String>,
    longest: Option<NonZeroUsize>,
}

impl Embedder {
    /// Reads the table.
    ///
    /// # Errors
    /// [`Failure::Input`] where it means nothing.
    pub(super) fn read(mut table: Table<'_>, environment: Environment<'_>) -> Result<Embedder, Failure> {
        match table.take("kind")? {
            Kind::BuiltIn => table.read::<NoKeys>().map(|_| Embedder::BuiltIn),
            Kind::Endpoint => endpoint(table, environment).map(Embedder::Endpoint),
            Kind::Onnx => onnx(table),
        }
    }

    /// Lets a store use it.
    pub(super) fn set_up(&self, store: Store) -> Store {
        match self {
            Embedder::BuiltIn => store,
            Embedder::Endpoint(config) => {
                let config = config.clone();
                store.with_embedder_made_by(Box::new(move || {
                    Ok(Arc::new(Endpoint::new(config.clone(), Box::new(std::thread::sleep))?))
                }))
            }
            #[cfg(feature = "onnx")]
            Embedder::Onnx(config) => {
                let config = config.clone();
                store.with_embedder_made_by(Box::new(move || {
                    Ok(Arc::new(OnnxEmbedder::load(config.clone())?))
                }))
            }
        }
    }
}

fn endpoint(table: Table<'_>, environment: Environment<'_>) -> Result<EndpointConfig, Failure> {
    let (keys, heading) = table.read::<EndpointKeys>()?;
    let EndpointKeys { url, model, key_env, timeout_seconds, attempts, .. } = keys;
    let service = ServiceKeys { url, key_env, timeout_seconds, attempts }.service(&heading, environment)?;
    let mut config = EndpointConfig::new(service, model);
    config.dimension = keys.dimension.map(NonZeroUsize::get);
    for (limit, said) in [
        (&mut config.batch_texts, keys.batch_texts),
        (&mut config.batch_bytes, keys.batch_bytes),
        (&mut config.text_bytes, keys.text_bytes),
    ] {
        *limit = said.map_or(*limit, NonZeroUsize::get);
    }
    config.check().map_err(|error| heading.wrong(&why(&error)))?;
    Ok(config)
}

#[cfg(feature = "onnx")]
fn onnx(table: Table<'_>) -> Result<Embedder, Failure> {
    let (keys, heading) = table.read::<OnnxKeys>()?;
    let beside = |file: &Path| heading.path().parent().unwrap_or(Path::new("")).join(file);
    let name = || keys.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let config = OnnxConfig {
        id: keys.model.clone().unwrap_or_else(name),
        network: beside(&keys.file),
        vocabulary: beside(&keys.vocabulary),
        longest: keys.longest.map_or(LONGEST, NonZeroUsize::get),
    };
    config.check().map_err(|error| heading.wrong(&why(&error)))?;
    Ok(Embedder::Onnx(config))
}

#[cfg(not(feature = "onnx"))]
fn onnx(table: Table<'_>) -> Result<Embedder, Failure> {
    let (IgnoredAny, heading) = table.read()?;
    Err(heading.wrong(
        "the kind \"onnx\" is not part of this program: build it with Rust 1.94 or later and \
         `cargo build --release --workspace --features bygone/onnx`",
    ))
}
