//! An embedder that runs a model from a file: a BERT in the form of sentence-transformers, as ONNX with its `vocab.txt`.
//!
//! ```text
//! [CLS] pieces [SEP] ──model──▶ a vector a piece ──mean──▶ one vector ──▶ length 1
//! ```
//!
//! Each text goes through the model alone. In a batch it would be filled up to the longest one, and the ranges of a
//! model in int8 are those of the whole batch: a text's vector would depend on the texts beside it.
//! Does not know vocabularies with upper case, nor other ways of cutting a text than word pieces.

use std::path::{Path, PathBuf};

use fs_err as fs;
use rten::{Model as Network, NodeId, Value};
use serde_json::json;

use super::wordpiece::Vocabulary;
use super::{EmbedError, Embedder, Model, is_zero, normalise, wrong_dimension};

/// The version of the rules by which a text becomes a vector.
const RULES: u8 = 1;

/// Where a model lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnnxConfig {
    /// The name that the model goes by.
    pub id: String,
    /// The model, one file without data beside it.
    pub network: PathBuf,
    /// Its vocabulary, a piece a line.
    pub vocabulary: PathBuf,
    /// The most pieces that are read of a text, the two marks around it included; what the model was trained on.
    pub longest: usize,
}

impl OnnxConfig {
    /// Says whether it makes sense, without reading the files.
    ///
    /// # Errors
    /// [`EmbedError::Configuration`].
    pub fn check(&self) -> Result<(), EmbedError> {
        if self.longest < 3 {
            let expected = "a text is read up to 3 pieces at least: one, and the marks around it";
            return Err(EmbedError::Configuration(expected.to_owned()));
        }
        Ok(())
    }
}

/// What an input of the model wants to know of each piece.
#[derive(Clone, Copy)]
enum Input {
    /// Its number.
    Pieces,
    /// 1, since none is there to fill a batch.
    Mask,
    /// 0, since there is one text.
    Segments,
}

impl Input {
    fn named(name: &str) -> Option<Input> {
        match name {
            "input_ids" => Some(Input::Pieces),
            "attention_mask" => Some(Input::Mask),
            "token_type_ids" => Some(Input::Segments),
            _ => None,
        }
    }
}

/// A model that runs on this machine.
pub struct OnnxEmbedder {
    model: Model,
    network: Network,
    inputs: Vec<(NodeId, Input)>,
    output: NodeId,
    vocabulary: Vocabulary,
    /// The pieces `[CLS]` and `[SEP]`.
    marks: [u32; 2],
    longest: usize,
}

impl OnnxEmbedder {
    /// Reads a model, and runs it once to learn the dimension.
    ///
    /// # Errors
    /// [`EmbedError::File`] where a file is missing or holds something else, [`EmbedError::Run`] where the model does
    /// not run, [`EmbedError::Configuration`] where nothing of a text would be read.
    pub fn load(config: OnnxConfig) -> Result<OnnxEmbedder, EmbedError> {
        config.check()?;
        let OnnxConfig { id, network: network_path, vocabulary: vocabulary_path, longest } = config;
        let bytes = read(&vocabulary_path)?;
        let vocabulary_hash = blake3::hash(&bytes);
        let text = String::from_utf8(bytes).map_err(|_| wrong(&vocabulary_path, "it is not UTF-8"))?;
        let vocabulary = Vocabulary::parse(&text).map_err(|what| wrong(&vocabulary_path, what))?;
        let mark = |piece| {
            vocabulary
                .number(piece)
                .ok_or_else(|| wrong(&vocabulary_path, &format!("it has no piece {piece}")))
        };
        let marks = [mark("[CLS]")?, mark("[SEP]")?];

        let bytes = read(&network_path)?;
        let network_hash = blake3::hash(&bytes);
        let network = Network::load(bytes)
            .map_err(|error| wrong(&network_path, &format!("expected an ONNX model: {error}")))?;
        let inputs = inputs(&network, &network_path)?;
        let output =
            network.find_node("last_hidden_state").filter(|node| network.output_ids().contains(node));
        let output = output.or_else(|| network.output_ids().first().copied());
        let output = output.ok_or_else(|| wrong(&network_path, "it has no output"))?;

        let made_by =
            json!([network_hash.to_hex().as_str(), vocabulary_hash.to_hex().as_str(), longest, RULES]);
        let hash = blake3::hash(made_by.to_string().as_bytes()).to_hex().to_string();
        let model = Model { id, hash, dimension: 0 };
        let mut embedder = OnnxEmbedder { model, network, inputs, output, vocabulary, marks, longest };
        embedder.model.dimension = embedder.run(&[])?.len();
        if let Some(what) = wrong_dimension(embedder.model.dimension) {
            return Err(wrong(&network_path, &format!("it {what}")));
        }
        Ok(embedder)
    }

    /// Returns the vector of a text's pieces.
    fn run(&self, pieces: &[u32]) -> Result<Vec<f32>, EmbedError> {
        let room = self.longest - self.marks.len();
        let [start, end] = self.marks;
        let marked = [start].into_iter().chain(pieces.iter().take(room).copied()).chain([end]);
        let numbers: Vec<i32> = marked.map(u32::cast_signed).collect();
        let shape = [1, numbers.len()];
        let value = |input| {
            let column = match input {
                Input::Pieces => numbers.clone(),
                Input::Mask => vec![1; numbers.len()],
                Input::Segments => vec![0; numbers.len()],
            };
            Value::from_shape(&shape, column).expect("there is a number for each piece")
        };
        let inputs = self.inputs.iter().map(|(node, input)| (*node, value(*input).into())).collect();
        let [output] =
            self.network.run_n(inputs, [self.output], None).map_err(|error| self.failed(&error))?;
        let ([n_texts, n_pieces, dimension], parts) =
            output.into_shape_vec::<f32, 3>().map_err(|error| self.failed(&error))?;
        if n_texts != 1 || n_pieces != numbers.len() || dimension == 0 {
            return Err(self.failed(&format!(
                "expected a vector for each of {} pieces, found shape {:?}",
                numbers.len(),
                [n_texts, n_pieces, dimension]
            )));
        }
        if !parts.iter().all(|part| part.is_finite()) {
            return Err(self.failed("a component of a vector is not a finite number"));
        }
        // The mean has the direction of the sum.
        let mut sum = vec![0.0; dimension];
        for row in parts.chunks_exact(dimension) {
            for (part, of_piece) in sum.iter_mut().zip(row) {
                *part += of_piece;
            }
        }
        normalise(&mut sum);
        Ok(sum)
    }

    /// Embeds the text that has this number among all.
    fn embed(&self, text: &str, number: usize, n_texts: usize) -> Result<Vec<f32>, EmbedError> {
        let dimension = self.model.dimension;
        let pieces = self.vocabulary.pieces(text);
        if pieces.iter().all(|piece| *piece == self.vocabulary.unknown()) {
            return Ok(vec![0.0; dimension]);
        }
        let vector = self.run(&pieces)?;
        if vector.len() != dimension {
            let found = vector.len();
            return Err(
                self.failed(&format!("it answers {found} components where {dimension} were expected"))
            );
        }
        if is_zero(&vector) {
            return Err(self.failed(&format!("it answers nothing but zeros for text {number} of {n_texts}")));
        }
        Ok(vector)
    }

    fn failed(&self, what: &(impl ToString + ?Sized)) -> EmbedError {
        EmbedError::Run { model: self.model.id.clone(), what: what.to_string() }
    }
}

/// Returns what each of the model's inputs wants.
fn inputs(network: &Network, path: &Path) -> Result<Vec<(NodeId, Input)>, EmbedError> {
    let known = network.input_ids().iter().map(|node| {
        let name = network.node_info(*node).and_then(|info| info.name()).unwrap_or_default();
        let input = Input::named(name).ok_or_else(|| {
            let expected = "expected input_ids, attention_mask and token_type_ids";
            wrong(path, &format!("{expected}, found an input {name:?}"))
        })?;
        Ok((*node, input))
    });
    let known: Vec<(NodeId, Input)> = known.collect::<Result<_, EmbedError>>()?;
    if !known.iter().any(|(_, input)| matches!(input, Input::Pieces)) {
        return Err(wrong(path, "it has no input input_ids"));
    }
    Ok(known)
}

fn read(path: &Path) -> Result<Vec<u8>, EmbedError> {
    fs::read(path).map_err(|error| wrong(path, &error))
}

fn wrong(path: &Path, what: &(impl ToString + ?Sized)) -> EmbedError {
    EmbedError::File { path: path.to_owned(), what: what.to_string() }
}

impl Embedder for OnnxEmbedder {
    fn model(&self) -> &Model {
        &self.model
    }

    fn is_costly(&self) -> bool {
        true
    }

    /// Runs one text after the other; the model spreads each over several threads.
    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        (1..).zip(texts).map(|(number, text)| self.embed(text, number, texts.len())).collect()
    }

    fn query(&self, text: &str, _: &dyn Fn(u32) -> f32) -> Result<Vec<f32>, EmbedError> {
        self.embed(text, 1, 1)
    }

    fn pieces(&self, _: &str) -> Vec<u32> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\ndog\ncat\n##s\n";

    /// A field of a protocol buffer that holds bytes: its number, the length in two bytes of seven bits, the bytes.
    fn field(number: u8, bytes: impl AsRef<[u8]>) -> Vec<u8> {
        let bytes = bytes.as_ref();
        let [low, high] = [bytes.len() % 128, bytes.len() / 128].map(|part| u8::try_from(part).unwrap());
        [&[number << 3 | 2, low | 128, high], bytes].concat()
    }

    /// A field that holds a small number.
    fn small(number: u8, value: u8) -> Vec<u8> {
        vec![number << 3, value]
    }

    /// A model of one step (onnx.proto3): the output is the rows of a table by the first input.
    ///
    /// The table has two components for each piece of the vocabulary.
    fn network(inputs: &[&str], rows: [[f32; 2]; 7]) -> Vec<u8> {
        let table = rows.concat().into_iter().flat_map(f32::to_le_bytes).collect::<Vec<u8>>();
        let table = [small(1, 7), small(1, 2), small(2, 1), field(8, "table"), field(9, table)].concat();
        let step =
            [field(1, "table"), field(1, inputs[0]), field(2, "last_hidden_state"), field(4, "Gather")];
        // A value's type: a tensor of an element type, without a shape.
        let typed = |name: &str, element| [field(1, name), field(2, field(1, small(1, element)))].concat();
        let inputs = inputs.iter().flat_map(|name| field(11, typed(name, 7))).collect();
        let output = field(12, typed("last_hidden_state", 1));
        let graph = [field(1, step.concat()), field(2, "graph"), field(5, table), inputs, output].concat();
        [small(1, 8), field(8, small(2, 17)), field(7, graph)].concat()
    }

    const ROWS: [[f32; 2]; 7] =
        [[9.0, 9.0], [0.0, 8.0], [1.0, 0.0], [0.0, 1.0], [2.0, 3.0], [-4.0, 0.0], [0.0, -7.0]];
    const INPUTS: [&str; 3] = ["input_ids", "attention_mask", "token_type_ids"];

    /// Loads a model from files of this content.
    fn load(network: &[u8], vocabulary: &str, longest: usize) -> Result<OnnxEmbedder, EmbedError> {
        let folder = tempfile::tempdir().unwrap();
        let [network_path, vocabulary_path] =
            ["model.onnx", "vocab.txt"].map(|name| folder.path().join(name));
        fs::write(&network_path, network).unwrap();
        fs::write(&vocabulary_path, vocabulary).unwrap();
        let id = "tiny".to_owned();
        OnnxEmbedder::load(OnnxConfig { id, network: network_path, vocabulary: vocabulary_path, longest })
    }

    fn unit(x: f32, y: f32) -> Vec<f32> {
        let mut vector = vec![x, y];
        normalise(&mut vector);
        vector
    }

    #[test]
    fn a_text_is_the_mean_over_its_pieces_and_marks() {
        let embedder = load(&network(&INPUTS, ROWS), VOCABULARY, 256).unwrap();
        assert_eq!(embedder.model().dimension, 2);
        let texts = ["Dog", "cats", "dog fish", "", "fish", "dog"];
        // [CLS] is (1, 0) and [SEP] is (0, 1); "fish" is unknown, (0, 8).
        let expected = [
            unit(3.0, 4.0),
            unit(-3.0, -6.0),
            unit(3.0, 12.0),
            vec![0.0, 0.0],
            vec![0.0, 0.0],
            unit(3.0, 4.0),
        ];
        assert_eq!(embedder.documents(&texts).unwrap(), expected);
        assert_eq!(embedder.query("dog", &|_| panic!("no pieces")).unwrap(), expected[0]);
        assert!(embedder.pieces("dog").is_empty());
    }

    #[test]
    fn a_long_text_is_cut_and_keeps_its_marks() {
        let embedder = load(&network(&INPUTS[..1], ROWS), VOCABULARY, 4).unwrap();
        let found = embedder.documents(&["dog dog cat cat", "dog dog"]).unwrap();
        assert_eq!(found, [unit(5.0, 7.0), unit(5.0, 7.0)]);
        let error = load(&network(&INPUTS, ROWS), VOCABULARY, 2).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("up to 3 pieces at least"), "{error}");
    }

    #[test]
    fn a_model_is_its_two_files_and_where_texts_are_cut() {
        let network = |rows| network(&INPUTS, rows);
        let hash = |network: &[u8], vocabulary: &str, longest| {
            load(network, vocabulary, longest).unwrap().model().hash.clone()
        };
        let plain = hash(&network(ROWS), VOCABULARY, 256);
        assert_eq!(hash(&network(ROWS), VOCABULARY, 256), plain);
        let mut other = ROWS;
        other[6] = [0.0, 7.0];
        assert_ne!(hash(&network(other), VOCABULARY, 256), plain);
        assert_ne!(hash(&network(ROWS), &VOCABULARY.replace("cat", "cow"), 256), plain);
        assert_ne!(hash(&network(ROWS), VOCABULARY, 255), plain);
    }

    #[test]
    fn what_is_no_model_is_refused_with_the_reason() {
        let sound = network(&INPUTS, ROWS);
        let mut endless = ROWS;
        endless[2] = [f32::INFINITY, 0.0];
        for (network, vocabulary, expected) in [
            (
                b"not a model at all".to_vec(),
                VOCABULARY,
                "model.onnx\" cannot be used: expected an ONNX model",
            ),
            (Vec::new(), VOCABULARY, "model.onnx\" cannot be used"),
            (
                sound[..sound.len() / 2].to_vec(),
                VOCABULARY,
                "model.onnx\" cannot be used: expected an ONNX model",
            ),
            (network(&["input_ids", "pixels"], ROWS), VOCABULARY, "found an input \"pixels\""),
            (network(&["attention_mask"], ROWS), VOCABULARY, "it has no input input_ids"),
            (
                network(&INPUTS, endless),
                VOCABULARY,
                "\"tiny\" fails: a component of a vector is not a finite number",
            ),
            (sound.clone(), "", "vocab.txt\" cannot be used: it has no piece [UNK]"),
            (sound.clone(), "[UNK]\n[CLS]\n", "it has no piece [SEP]"),
            (sound.clone(), "[UNK]\n[CLS]\n[SEP]\nDog\n", "it has pieces in upper case"),
            // Its marks have numbers that the model has no row for.
            (sound.clone(), &format!("{}[UNK]\n[CLS]\n[SEP]\n", "\n".repeat(9)), "\"tiny\" fails: "),
        ] {
            let error = load(&network, vocabulary, 256).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(expected), "expected {expected:?}, found {error:?}");
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let config = |vocabulary: &str| OnnxConfig {
            id: "tiny".to_owned(),
            network: folder.path().join("none.onnx"),
            vocabulary: folder.path().join(vocabulary),
            longest: 256,
        };
        fs::write(folder.path().join("vocab.txt"), VOCABULARY).unwrap();
        for (vocabulary, missing) in [("none.txt", "none.txt"), ("vocab.txt", "none.onnx")] {
            let error = OnnxEmbedder::load(config(vocabulary)).map(|_| ()).unwrap_err();
            assert!(matches!(&error, EmbedError::File { path, .. } if path.ends_with(missing)), "{error}");
        }
    }

    /// Whatever becomes of the bytes, loading answers, and what still loads gives vectors or says why not.
    #[test]
    fn damage_is_an_error_and_no_panic() {
        let sound = network(&INPUTS, ROWS);
        for at in 0..sound.len() {
            for change in [1, 128] {
                let mut damaged = sound.clone();
                damaged[at] ^= change;
                if let Ok(embedder) = load(&damaged, VOCABULARY, 256) {
                    drop(embedder.documents(&["dog cats"]));
                }
            }
        }
    }
}
