//! How alike are texts by a model in a file? Prints the cosine of the first text and each further one.
//!
//! `cargo run --release -p bygone-engine --no-default-features --features onnx --example similar -- model.onnx vocab.txt
//! "The dog bites the man" "A puppy nipped somebody" "Interest rates rose"`

#![allow(clippy::disallowed_methods, reason = "an example is an edge: its arguments come in here")]
#![allow(clippy::print_stdout, reason = "an example is an edge: its answer goes out here")]

use bygone_engine::embed::{Embedder, OnnxConfig, OnnxEmbedder};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [network, vocabulary, texts @ ..] = arguments.as_slice() else {
        return Err("expected a model, its vocabulary and texts".into());
    };
    let config = OnnxConfig {
        id: network.clone(),
        network: network.into(),
        vocabulary: vocabulary.into(),
        longest: 256,
    };
    let embedder = OnnxEmbedder::load(config)?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = embedder.documents(&texts)?;
    if let Some((first, others)) = vectors.split_first() {
        for (vector, text) in others.iter().zip(&texts[1..]) {
            let cosine: f32 = first.iter().zip(vector).map(|(a, b)| a * b).sum();
            println!("{cosine:.4}\t{text}");
        }
    }
    Ok(())
}
