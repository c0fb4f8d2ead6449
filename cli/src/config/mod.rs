//! Which models are asked instead of what is built in: a file in TOML, read where one is named and never else.
//!
//! ```toml
//! [embedder]
//! kind = "endpoint"
//! url = "http://127.0.0.1:11434"
//! model = "nomic-embed-text"
//!
//! [reranker]
//! url = "http://127.0.0.1:8080"
//! model = "bge-reranker-v2-m3"
//! ```
//!
//! A file is taken whole or refused with its name, the line, the key and what was expected; nobody is asked and no model
//! is read until vectors are needed.
//! Invariant: no message quotes a line of the file, in which somebody may have written a secret.

mod embedder;
mod reranker;
mod service;
mod table;

use std::path::Path;

use bygone_engine::StoreError;
use bygone_engine::store::Store;

use crate::failure::Failure;
use embedder::Embedder;
use reranker::Reranker;
use table::Document;

/// What looks a variable of the environment up.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What a configuration says. The default is what is built in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Config {
    embedder: Embedder,
    reranker: Option<Reranker>,
}

impl Config {
    /// Reads a file; keys of services are looked up by the names that it gives them.
    ///
    /// # Errors
    /// [`Failure::Input`] where the file is not there or means nothing.
    pub(crate) fn read(path: &Path, environment: Environment<'_>) -> Result<Config, Failure> {
        let text = fs_err::read_to_string(path).map_err(|error| Failure::Input(error.to_string()))?;
        let [embedder, reranker] = Document { path, text: &text }.tables(["embedder", "reranker"])?;
        let embedder = embedder.map(|table| Embedder::read(table, environment)).transpose()?;
        let reranker = reranker.map(|table| Reranker::read(table, environment)).transpose()?;
        Ok(Config { embedder: embedder.unwrap_or_default(), reranker })
    }

    /// Returns what tells the models from others: all but the keys of their services, which print as nothing.
    pub(crate) fn mark(&self) -> String {
        format!("{self:?}")
    }

    /// Lets a store use the models.
    ///
    /// # Errors
    /// [`StoreError::Embed`] where a model cannot be asked as it is configured.
    pub(crate) fn set_up(&self, store: Store) -> Result<Store, StoreError> {
        let store = self.embedder.set_up(store);
        match &self.reranker {
            Some(reranker) => reranker.set_up(store),
            None => Ok(store),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "models.toml";

    fn read(text: &str) -> Result<Config, String> {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let path = folder.path().join(FILE);
        fs_err::write(&path, text).expect("a file");
        let environment = |name: &str| (name == "SOME_KEY").then(|| "sk-0123".to_owned());
        Config::read(&path, &environment)
            .map_err(|failure| failure.to_string().replace(&folder.path().display().to_string(), "FOLDER"))
    }

    /// Reads the least that the table of an endpoint holds, and more.
    fn endpoint(more: &str) -> Result<Config, String> {
        read(&format!(
            "[embedder]\nkind = \"endpoint\"\nurl = \"http://127.0.0.1:1\"\nmodel = \"m\"\n{more}\n"
        ))
    }

    #[test]
    fn nothing_said_is_what_is_built_in() {
        for text in ["", "# nothing\n", "[embedder]\nkind = \"built-in\"\n"] {
            assert_eq!(read(text), Ok(Config::default()), "{text:?}");
        }
    }

    #[test]
    fn what_is_said_changes_what_is_configured() {
        let plain = endpoint("").expect("means something");
        let mut different = vec![plain.clone()];
        for more in [
            "dimension = 2",
            "key_env = \"SOME_KEY\"",
            "batch_texts = 1",
            "batch_bytes = 1",
            "text_bytes = 1",
            "timeout_seconds = 1",
            "attempts = 1",
            "[reranker]\nurl = \"https://example.org\"\nmodel = \"r\"",
            "[reranker]\nurl = \"https://example.org\"\nmodel = \"r\"\nkey_env = \"SOME_KEY\"",
            "[reranker]\nurl = \"https://example.org\"\nmodel = \"r\"\ntext_bytes = 1",
            "[reranker]\nurl = \"https://example.org\"\nmodel = \"r\"\ntimeout_seconds = 1",
            "[reranker]\nurl = \"https://example.org\"\nmodel = \"r\"\nattempts = 1",
        ] {
            let config = endpoint(more).expect(more);
            assert!(!different.contains(&config), "{more}");
            different.push(config);
        }
        assert_eq!(endpoint("attempts = 5"), Ok(plain), "that is how often it is asked anyway");
    }

    #[track_caller]
    fn refused(read: Result<Config, String>, expected: &str) {
        let text = read.expect_err(expected);
        assert_eq!(text, format!("FOLDER/{FILE}:{expected}"));
    }

    #[test]
    fn what_means_nothing_is_refused_with_file_line_and_key() {
        refused(read("[embeder]"), "1: unknown `embeder`, expected [embedder] or [reranker]");
        refused(read("\nembedder = 5"), "2: expected `embedder` to be a table");
        refused(read("[embedder]\nkind = \"endpoint"), "2: invalid basic string, expected `\"`");
        refused(read("[embedder]\nurl = \"a\""), "1: [embedder]: missing field `kind`");
        refused(
            read("[embedder]\nkind = \"table\""),
            "2: [embedder]: unknown variant `table`, expected one of `built-in`, `endpoint`, `onnx` in `kind`",
        );
        refused(
            read("[embedder]\nkind = \"built-in\"\nurl = \"a\""),
            "3: [embedder]: unknown field `url`, there are no fields",
        );
        refused(read("[embedder]\nkind = \"endpoint\"\nurl = \"a\""), "1: [embedder]: missing field `model`");
        refused(
            endpoint("dimension = \"two\""),
            "5: [embedder]: invalid type: string \"two\", expected a nonzero usize in `dimension`",
        );
        refused(
            endpoint("batch_texts = 0"),
            "5: [embedder]: invalid value: integer `0`, expected a nonzero usize in `batch_texts`",
        );
        refused(
            endpoint("attempts = -1"),
            "5: [embedder]: invalid value: integer `-1`, expected a nonzero u32 in `attempts`",
        );
        refused(read("[reranker]\nmodel = \"r\""), "1: [reranker]: missing field `url`");
        refused(
            read("[embedder]\nkind = \"endpoint\"\nurl = \"example.org\"\nmodel = \"m\""),
            "1: [embedder]: its base URL does not start with http:// or https:// and a host",
        );
        refused(
            read("[reranker]\nurl = \"http://127.0.0.1:1\"\nmodel = \"\""),
            "1: [reranker]: no model is named",
        );
    }

    #[test]
    fn a_key_stands_in_the_environment_and_is_never_told() {
        refused(
            endpoint("key_env = \"OTHER_KEY\""),
            "1: [embedder]: expected the environment variable OTHER_KEY to hold the key, as `key_env` says: it is not set",
        );
        for line in
            ["key_env = \"sk-0123\"", "key = \"sk-0123\"", "key_env = sk-0123", "key_env = [\"sk-0123\"]"]
        {
            let text = endpoint(line).expect_err(line);
            assert!(!text.contains("sk-0123"), "{text}");
        }
        let config = endpoint("key_env = \"SOME_KEY\"").expect("means something");
        assert!(!format!("{config:?}").contains("sk-0123"), "{config:?}");
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = Config::read(Path::new("none.toml"), &|_| None).expect_err("there is none");
        assert!(error.to_string().contains("none.toml"), "{error}");
    }

    #[cfg(feature = "onnx")]
    #[test]
    fn a_model_in_a_file_lies_beside_the_configuration() {
        let said = |more: &str| {
            read(&format!(
                "[embedder]\nkind = \"onnx\"\nfile = \"a/model.onnx\"\nvocabulary = \"/b/vocab.txt\"\n{more}"
            ))
        };
        let config = format!("{:?}", said("").expect("means something"));
        for part in ["/a/model.onnx\"", "\"/b/vocab.txt\"", "id: \"model\"", "longest: 256"] {
            assert!(config.contains(part), "{part} in {config}");
        }
        let config = format!("{:?}", said("model = \"mini\"\nlongest = 128").expect("means something"));
        assert!(config.contains("id: \"mini\"") && config.contains("longest: 128"), "{config}");
        refused(
            said("longest = 2"),
            "1: [embedder]: a text is read up to 3 pieces at least: one, and the marks around it",
        );
        refused(
            said("url = \"a\""),
            "5: [embedder]: unknown field `url`, expected one of `file`, `vocabulary`, `model`, `longest`",
        );
    }

    #[cfg(not(feature = "onnx"))]
    #[test]
    fn a_model_in_a_file_is_refused_with_how_to_build() {
        let text = read("[embedder]\nkind = \"onnx\"\nfile = \"model.onnx\"").expect_err("not part of it");
        assert!(text.contains("[embedder]") && text.contains("--features bygone/onnx"), "{text}");
    }
}
