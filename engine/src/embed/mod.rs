//! Texts as vectors: texts that mean alike lie close together, in whatever words.
//!
//! [`StaticEmbedder`] is built in, needs no network, and gives the same vectors on every machine. Vectors of two models
//! have nothing to do with each other: what keeps vectors also keeps the [`Model`] they are of, and mixes none.
//! Invariant: every vector handed out is finite and of the model's dimension, and of length 1, or zero where the text
//! holds nothing that the model knows.

mod deferred;
#[cfg(feature = "endpoint")]
mod endpoint;
mod error;
#[cfg(feature = "onnx")]
mod onnx;
mod rerank;
#[cfg(feature = "endpoint")]
mod rerank_endpoint;
#[cfg(test)]
#[cfg(feature = "endpoint")]
mod server;
#[cfg(feature = "endpoint")]
mod service;
mod similar;
mod table;
pub mod wordpiece;

pub(crate) use deferred::Deferred;
pub use deferred::MakeEmbedder;
#[cfg(feature = "endpoint")]
pub use endpoint::{Endpoint, EndpointConfig};
pub use error::EmbedError;
#[cfg(feature = "onnx")]
pub use onnx::{OnnxConfig, OnnxEmbedder};
pub use rerank::{Ranked, Reranker};
#[cfg(feature = "endpoint")]
pub use rerank_endpoint::{RerankConfig, RerankEndpoint};
#[cfg(feature = "endpoint")]
pub use service::{ApiKey, Caller, Service, Sleep};
pub use similar::Similar;
pub use table::StaticEmbedder;

use serde::{Deserialize, Serialize};

/// The most components that a vector may have, since comparing vectors adds up a product for each (`vector/code.rs`).
pub const MOST_COMPONENTS: usize = 4096;

/// Which model vectors are of. Vectors are comparable where all three parts are the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    /// The model's name.
    pub id: String,
    /// The hash, in hexadecimal digits, of what makes the vectors: a table, a file, or where a model is asked for.
    pub hash: String,
    /// How many components a vector has.
    pub dimension: usize,
}

/// What makes vectors of texts.
///
/// The cosine of two vectors is their dot product, since each is of length 1. The zero vector, which stands for a text
/// without anything known, is like none, itself included.
pub trait Embedder: Send + Sync {
    /// Returns the model that the vectors are of.
    fn model(&self) -> &Model;

    /// Says whether vectors cost so much, in time or money, that each is to be made once: they are written to disk as they
    /// are made, and others when they are many.
    fn is_costly(&self) -> bool;

    /// Returns a vector for each text, in their order.
    ///
    /// A text's vector does not depend on the texts beside it, nor on the number of threads.
    ///
    /// # Errors
    /// Where the model cannot be asked, or gives what is no vector of it. No part of the texts was then embedded.
    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// Returns the vector of what is looked for.
    ///
    /// `rarity` weighs each of the text's [`pieces`](Embedder::pieces) by how rare it is where is looked; weights are
    /// finite and not negative. Embedders that have no pieces do not call it.
    ///
    /// # Errors
    /// As [`documents`](Embedder::documents).
    fn query(&self, text: &str, rarity: &dyn Fn(u32) -> f32) -> Result<Vec<f32>, EmbedError>;

    /// Says whether it makes the same vector of a text, to the bit, every time and on every machine.
    fn is_exact(&self) -> bool {
        false
    }

    /// Returns the pieces that a text's vector is the sum of, repeated as they are, each less than
    /// [`n_pieces`](wordpiece::n_pieces); none where a vector is no such sum.
    fn pieces(&self, text: &str) -> Vec<u32>;
}

/// Says what is wrong with a number of components, where something is.
#[cfg(any(feature = "endpoint", feature = "onnx"))]
fn wrong_dimension(dimension: usize) -> Option<String> {
    match dimension {
        0 => Some("has vectors without components".to_owned()),
        1..=MOST_COMPONENTS => None,
        _ => Some(format!(
            "has vectors of {dimension} components, and {MOST_COMPONENTS} are the most there may be"
        )),
    }
}

/// Says whether a vector has no direction.
#[cfg(any(feature = "endpoint", feature = "onnx"))]
fn is_zero(vector: &[f32]) -> bool {
    vector.iter().all(|part| *part == 0.0)
}

/// Makes a vector one of length 1; one that has no direction becomes zero.
fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>().sqrt();
    let is_direction = length.is_finite() && length > 0.0;
    for part in vector {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a part of a vector of length 1, as exact as f32 is"
        )]
        let of_one = (f64::from(*part) / length) as f32;
        *part = if is_direction { of_one } else { 0.0 };
    }
}
