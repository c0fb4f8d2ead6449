//! The embedder that is built in: a table with a vector for each word piece, and a text is the sum of its pieces.
//!
//! ```text
//! safetensors: u64 LE length of the header │ header, JSON │ data
//! scale       f32[pieces]              how much a piece counts, and what a unit of its row is worth
//! embeddings  i8 [pieces, dimension]   one row a piece
//! ```
//!
//! The format is that of huggingface/safetensors; where the table comes from is told in `engine/model/NOTICE`.
//! Does not know the order of words: "dog bites man" and "man bites dog" are one vector.
//! Invariant: sums are made in the order of the pieces, without fused operations, so that every machine gives the same.

use std::sync::OnceLock;

use rayon::prelude::*;
use serde::Deserialize;

use super::similar::Whole;
use super::wordpiece::{self, n_pieces};
use super::{EmbedError, Embedder, Model, normalise};

/// Distilled from sentence-transformers/all-MiniLM-L6-v2.
static BUILT_IN: &[u8] = include_bytes!("../../model/static-minilm-l6-256-int8.safetensors");

/// The name of the table that is built in.
const BUILT_IN_ID: &str = "static-minilm-l6-256-int8";

/// The BLAKE3 hash of the table, the vocabulary, and [`RULES`] as one byte. Written down, since hashing 8 MB would take
/// longer than most searches.
const BUILT_IN_HASH: &str = "e52c75ba363af7b3b25179924d8eebab3287a50f53a9998e0f22a081d245695d";

/// The version of the rules by which a text becomes pieces, and pieces a vector. Vectors made by other rules do not mix.
#[cfg(test)]
const RULES: u8 = 1;

/// Texts from which on several threads share the work: fewer are done before the threads are awake.
const PARALLEL_FROM: usize = 64;

/// An embedder that adds up the rows of a table.
pub struct StaticEmbedder {
    model: Model,
    table: Table<'static>,
    /// The pieces that are whole words, once they have been asked for.
    pub(super) wholes: OnceLock<Vec<Whole>>,
}

impl StaticEmbedder {
    /// Returns the embedder that is built in.
    ///
    /// # Errors
    /// [`EmbedError::Table`] where the binary was built with a file that is no table.
    pub fn built_in() -> Result<StaticEmbedder, EmbedError> {
        let table = Table::parse(BUILT_IN, n_pieces())?;
        let model = Model { id: BUILT_IN_ID.into(), hash: BUILT_IN_HASH.into(), dimension: table.dimension };
        Ok(StaticEmbedder { model, table, wholes: OnceLock::new() })
    }

    /// Returns the vector of a text.
    pub(super) fn document(&self, text: &str) -> Vec<f32> {
        self.table.sum(&self.pieces(text), |_| 1.0)
    }

    /// Returns a piece's row: signed bytes.
    pub(super) fn row(&self, piece: u32) -> &[u8] {
        self.table.row(piece)
    }
}

impl Embedder for StaticEmbedder {
    fn model(&self) -> &Model {
        &self.model
    }

    fn is_costly(&self) -> bool {
        false
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(if texts.len() < PARALLEL_FROM {
            texts.iter().map(|text| self.document(text)).collect()
        } else {
            texts.par_iter().map(|text| self.document(text)).collect()
        })
    }

    fn query(&self, text: &str, rarity: &dyn Fn(u32) -> f32) -> Result<Vec<f32>, EmbedError> {
        Ok(self.table.sum(&self.pieces(text), rarity))
    }

    fn is_exact(&self) -> bool {
        true
    }

    /// What the vocabulary cannot spell has no meaning here, and is left out.
    fn pieces(&self, text: &str) -> Vec<u32> {
        let mut pieces = wordpiece::pieces(text);
        pieces.retain(|piece| *piece != wordpiece::UNKNOWN);
        pieces
    }
}

/// A table as it lies in its file.
struct Table<'a> {
    dimension: usize,
    scales: Vec<f32>,
    /// Bytes of `i8`, `dimension` for each scale.
    rows: &'a [u8],
}

#[derive(Deserialize)]
struct Header {
    scale: Tensor,
    embeddings: Tensor,
}

/// What a header says of a tensor.
#[derive(Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

impl Tensor {
    /// Returns the bytes of a tensor that is to be of a type.
    fn of<'a>(&self, data: &'a [u8], dtype: &str, element_bytes: usize) -> Result<&'a [u8], EmbedError> {
        let Tensor { dtype: found, shape, data_offsets: [start, end] } = self;
        if found != dtype {
            return Err(wrong(format!("expected numbers of type {dtype}, found {found:?}")));
        }
        let bytes = data.get(*start..*end).ok_or_else(|| {
            wrong(format!("a tensor lies at bytes {start} to {end} of {} bytes of data", data.len()))
        })?;
        let expected = shape.iter().try_fold(element_bytes, |product, length| product.checked_mul(*length));
        if expected != Some(bytes.len()) {
            return Err(wrong(format!(
                "a tensor of shape {shape:?} and type {dtype} has {} bytes",
                bytes.len()
            )));
        }
        Ok(bytes)
    }
}

impl<'a> Table<'a> {
    /// Reads a table that has a row for each piece.
    fn parse(file: &'a [u8], n_pieces: usize) -> Result<Table<'a>, EmbedError> {
        let short = || wrong(format!("its header ends after the file's {} bytes", file.len()));
        let (length, rest) = file.split_first_chunk().ok_or_else(short)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| short())?;
        let (header, data) = rest.split_at_checked(length).ok_or_else(short)?;
        let header: Header =
            serde_json::from_slice(header).map_err(|error| wrong(format!("its header is wrong: {error}")))?;

        let [n_rows, dimension] = header.embeddings.shape[..] else {
            return Err(wrong(format!(
                "expected rows of numbers, found shape {:?}",
                header.embeddings.shape
            )));
        };
        if n_rows != n_pieces || header.scale.shape != [n_pieces] || dimension == 0 {
            return Err(wrong(format!(
                "expected a scale and a row for each of {n_pieces} pieces, found shapes {:?} and {:?}",
                header.scale.shape, header.embeddings.shape
            )));
        }
        let rows = header.embeddings.of(data, "I8", size_of::<i8>())?;
        let (scales, _) = header.scale.of(data, "F32", size_of::<f32>())?.as_chunks();
        let scales: Vec<f32> = scales.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        if scales.iter().any(|scale| !scale.is_finite()) {
            return Err(wrong("a scale is not a finite number"));
        }
        Ok(Table { dimension, scales, rows })
    }

    fn row(&self, piece: u32) -> &[u8] {
        &self.rows[piece as usize * self.dimension..][..self.dimension]
    }

    /// Returns the sum of rows, each by its scale and a weight, at length 1.
    ///
    /// # Panics
    /// Where a piece has no row.
    fn sum(&self, pieces: &[u32], weight: impl Fn(u32) -> f32) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimension];
        for &piece in pieces {
            let scale = self.scales[piece as usize] * weight(piece);
            for (part, byte) in sum.iter_mut().zip(self.row(piece)) {
                *part += scale * f32::from(byte.cast_signed());
            }
        }
        normalise(&mut sum);
        sum
    }
}

fn wrong(what: impl Into<String>) -> EmbedError {
    EmbedError::Table(what.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built_in() -> StaticEmbedder {
        StaticEmbedder::built_in().unwrap()
    }

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    /// A file of this header and data.
    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
    }

    /// Three pieces of two components: the data is three scales, 0.5, 2 and 1, and three rows.
    fn small() -> Vec<u8> {
        let scales = [0.5_f32, 2.0, 1.0].map(f32::to_le_bytes).concat();
        let rows = [[6_i8, 0], [-1, 2], [0, -128]].concat().iter().map(|part| part.cast_unsigned()).collect();
        let header = r#"{"__metadata__":{"a":"b"},"scale":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},
                         "embeddings":{"dtype":"I8","shape":[3,2],"data_offsets":[12,18]}}"#;
        file(header, &[scales, rows].concat())
    }

    #[test]
    fn the_table_is_the_one_that_its_name_and_hash_say() {
        let model = built_in().model().clone();
        let made_of = [BUILT_IN, include_bytes!("../../model/vocab.txt"), &[RULES]].concat();
        assert_eq!(model.hash, blake3::hash(&made_of).to_hex().as_str());
        assert_eq!((model.id.as_str(), model.dimension), ("static-minilm-l6-256-int8", 256));
    }

    /// Expected components were computed from the file by a few lines of numpy in double precision.
    #[track_caller]
    fn check(vector: &[f32], expected: [f32; 5]) {
        let found = [0, 1, 2, 127, 255].map(|at: usize| vector[at]);
        let is_close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1.5e-5);
        assert!(is_close, "expected {expected:?}, found {found:?}");
        assert!((cosine(vector, vector) - 1.0).abs() < 1e-5);
    }

    #[test]
    fn a_text_is_the_sum_of_its_pieces_at_length_one() {
        let texts = ["The dog bites the man", "unaffable"];
        let vectors = built_in().documents(&texts).unwrap();
        check(&vectors[0], [-0.00306, 0.14343, -0.10089, 0.042, -0.07979]);
        check(&vectors[1], [-0.27799, -0.01825, 0.05882, -0.02397, 0.0533]);
    }

    #[test]
    fn a_query_weighs_its_pieces_by_their_rarity() {
        let embedder = built_in();
        let [the, dog] = embedder.pieces("the dog")[..] else { panic!("two words are two pieces") };
        let rarity = |piece| if piece == the { 0.25 } else { 3.0 };
        check(&embedder.query("the dog", &rarity).unwrap(), [-0.03056, 0.01552, -0.09829, 0.08592, 0.03591]);
        let alone = |piece| if piece == dog { 1.0 } else { 0.0 };
        let dog = embedder.documents(&["dog"]).unwrap().remove(0);
        assert!((cosine(&embedder.query("the dog", &alone).unwrap(), &dog) - 1.0).abs() < 1e-5);
    }

    #[test]
    fn what_means_alike_lies_closer_than_what_does_not() {
        let texts = ["The dog bites the man", "a puppy nipped somebody", "interest rates rose"];
        let [dog, puppy, rates] = &built_in().documents(&texts).unwrap()[..] else { unreachable!() };
        assert!(cosine(dog, puppy) > 0.3, "{}", cosine(dog, puppy));
        assert!(cosine(dog, rates) < 0.1, "{}", cosine(dog, rates));
    }

    #[test]
    fn a_text_without_a_known_piece_is_zero() {
        let embedder = built_in();
        for text in ["", " \n", "\u{1f980}", "[UNK", &"x".repeat(200)] {
            let is_known = text == "[UNK";
            let vector = embedder.documents(&[text]).unwrap().remove(0);
            assert_eq!(vector.iter().any(|part| *part != 0.0), is_known, "{text:?}");
            assert_eq!(embedder.pieces(text).is_empty(), !is_known, "{text:?}");
        }
        assert_eq!(embedder.query("dog", &|_| 0.0).unwrap(), [0.0; 256]);
        assert_eq!(embedder.query("dog", &|_| f32::NAN).unwrap(), [0.0; 256], "finite whatever comes in");
        let crab = embedder.documents(&["dog \u{1f980}", "dog"]).unwrap();
        assert_eq!(crab[0], crab[1], "what is unknown moves nothing");
    }

    #[test]
    fn many_texts_have_the_vectors_they_have_alone_on_any_number_of_threads() {
        let embedder = built_in();
        let texts: Vec<String> = (0..3 * PARALLEL_FROM).map(|n| format!("turn {n} of many dogs")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let alone: Vec<_> = texts.iter().map(|text| embedder.documents(&[text]).unwrap().remove(0)).collect();
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| embedder.documents(&texts)).unwrap(), alone, "{threads} threads");
        }
        assert!(embedder.documents(&[]).unwrap().is_empty());
    }

    #[test]
    fn a_small_table_is_read_as_it_lies() {
        let file = small();
        let table = Table::parse(&file, 3).unwrap();
        // 0.5 × [6, 0] + 2 × [-1, 2] + 2 × [-1, 2] = [-1, 8]
        let expected = [-1.0, 8.0].map(|part: f32| part / 65_f32.sqrt());
        assert_eq!(table.sum(&[0, 1, 1], |_| 1.0), expected);
        assert_eq!(table.sum(&[2], |_| 1.0), [0.0, -1.0]);
        // 0.5 × 4 × [6, 0] + 1.5 × [0, -128] = [12, -192]
        let expected = [12.0, -192.0].map(|part: f32| part / (144_f32 + 36_864.0).sqrt());
        assert_eq!(table.sum(&[0, 2], |piece| if piece == 0 { 4.0 } else { 1.5 }), expected);
        assert_eq!(table.sum(&[], |_| 1.0), [0.0, 0.0]);
    }

    #[test]
    fn what_is_no_table_is_refused_with_the_reason() {
        let sound = small();
        let header_length = usize::from(sound[0]) + 256 * usize::from(sound[1]);
        let header = String::from_utf8(sound[8..8 + header_length].to_vec()).unwrap();
        let data = &sound[8 + header_length..];
        let with = |from: &str, to: &str| {
            assert!(header.contains(from), "{from}");
            file(&header.replace(from, to), data)
        };
        let with_data = |header: &str, data: &[u8]| file(header, data);
        let infinite = [&f32::INFINITY.to_le_bytes(), &data[4..]].concat();
        for (file, expected) in [
            (Vec::new(), "its header ends after the file's 0 bytes"),
            (sound[..7].to_vec(), "its header ends after the file's 7 bytes"),
            (sound[..40].to_vec(), "its header ends after the file's 40 bytes"),
            ([&u64::MAX.to_le_bytes(), &sound[8..]].concat(), "its header ends after"),
            (file("not JSON", data), "its header is wrong"),
            (with("scale", "scales"), "missing field `scale`"),
            (with("\"shape\":[3,2]", "\"shape\":[3,-2]"), "its header is wrong"),
            (with("F32", "F16"), "expected numbers of type F32, found \"F16\""),
            (with("I8", "U8"), "expected numbers of type I8, found \"U8\""),
            (with("[12,18]", "[12,19]"), "bytes 12 to 19 of 18"),
            (with("[12,18]", "[18,12]"), "bytes 18 to 12 of 18"),
            (with("[12,18]", "[12,17]"), "shape [3, 2] and type I8 has 5 bytes"),
            (with("[0,12]", "[0,8]"), "shape [3] and type F32 has 8 bytes"),
            (with("[3,2]", "[3,9223372036854775807]"), "has 6 bytes"),
            (with("[3,2]", "[6]"), "expected rows of numbers, found shape [6]"),
            (with("[3,2]", "[3,0]"), "each of 3 pieces, found shapes [3] and [3, 0]"),
            (with("[3,2]", "[2,3]"), "each of 3 pieces"),
            (with("[3],", "[2],"), "each of 3 pieces, found shapes [2] and [3, 2]"),
            (sound[..sound.len() - 1].to_vec(), "bytes 12 to 18 of 17"),
            (with_data(&header, &infinite), "a scale is not a finite number"),
        ] {
            let refused = Table::parse(&file, 3).map(|table| table.dimension);
            let message = refused.map_or_else(|error| error.to_string(), |dimension| format!("{dimension}"));
            assert!(message.contains(expected), "expected {expected:?}, found {message:?}");
        }
        let message = Table::parse(&sound, 4).map(|_| ()).unwrap_err().to_string();
        assert!(message.contains("for each of 4 pieces, found shapes [3] and [3, 2]"), "{message}");
    }
}
