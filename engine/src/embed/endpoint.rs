//! An embedder behind HTTP: any service that speaks OpenAI's `POST /v1/embeddings`.
//!
//! ```text
//! ask     {"model": "…", "input": ["…", …]}
//! answer  {"data": [{"index": 0, "embedding": [0.1, …]}, …]}     in any order, each index once
//! ```
//!
//! Texts are sent as they are: what is stored has had its secrets masked, what is asked has not.
//! Invariant: an answer is taken whole or not at all: count, indexes, dimension and numbers are checked first.

use serde::Deserialize;
use serde_json::json;

use super::service::{Caller, Service, Sleep};
use super::{EmbedError, Embedder, Model, is_zero, normalise, wrong_dimension};
use crate::text::start_of;

const PATH: &str = "/v1/embeddings";

/// Which model is asked, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointConfig {
    /// Where it is asked.
    pub service: Service,
    /// The name by which the service knows the model.
    pub model: String,
    /// How many components a vector has; the service is asked once where this is not said.
    pub dimension: Option<usize>,
    /// The most texts in one question.
    pub batch_texts: usize,
    /// The most bytes of text in one question; a longer text is sent alone.
    pub batch_bytes: usize,
    /// A longer text is cut there, in bytes, since services refuse what is longer than their model reads.
    pub text_bytes: usize,
}

impl EndpointConfig {
    /// Returns a configuration with limits that common services accept. The numbers are chosen, untested.
    pub fn new(service: Service, model: impl Into<String>) -> EndpointConfig {
        EndpointConfig {
            service,
            model: model.into(),
            dimension: None,
            batch_texts: 32,
            batch_bytes: 256 << 10,
            text_bytes: 16 << 10,
        }
    }

    /// Says whether it makes sense, without asking anybody.
    ///
    /// # Errors
    /// [`EmbedError::Configuration`].
    pub fn check(&self) -> Result<(), EmbedError> {
        check_model(&self.model, self.text_bytes)?;
        if let Some(wrong) = self.dimension.and_then(wrong_dimension) {
            return Err(EmbedError::Configuration(format!(
                "the model {:?} {wrong}: `dimension`",
                self.model
            )));
        }
        self.service.check()
    }
}

/// Makes sure that a model is named, and that something is left of texts.
pub(super) fn check_model(model: &str, text_bytes: usize) -> Result<(), EmbedError> {
    if model.is_empty() {
        return Err(EmbedError::Configuration("no model is named".to_owned()));
    }
    if text_bytes == 0 {
        return Err(EmbedError::Configuration("texts are cut to nothing".to_owned()));
    }
    Ok(())
}

/// A model that is asked over HTTP.
pub struct Endpoint {
    caller: Caller,
    model: Model,
    batch_texts: usize,
    batch_bytes: usize,
    text_bytes: usize,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Embedded>,
}

#[derive(Deserialize)]
struct Embedded {
    index: usize,
    embedding: Vec<f32>,
}

impl Endpoint {
    /// Makes an embedder; where the configuration does not say the dimension, a word is sent to learn it.
    ///
    /// # Errors
    /// [`EmbedError::Configuration`], and where the dimension is to be learnt, as [`Embedder::documents`].
    pub fn new(config: EndpointConfig, sleep: Sleep) -> Result<Endpoint, EmbedError> {
        config.check()?;
        let EndpointConfig { service, model, dimension, batch_texts, batch_bytes, text_bytes } = config;
        let caller = Caller::new(service, sleep)?;
        // Where a text is cut decides its vector, as who is asked does.
        let made_by = json!([caller.base(), model, text_bytes]).to_string();
        let hash = blake3::hash(made_by.as_bytes()).to_hex().to_string();
        let model = Model { id: model, hash, dimension: dimension.unwrap_or_default() };
        let mut endpoint = Endpoint { caller, model, batch_texts, batch_bytes, text_bytes };
        if endpoint.model.dimension == 0 {
            let learnt = endpoint.ask(&["dimension"], None)?;
            endpoint.model.dimension = learnt.first().map_or(0, Vec::len);
        }
        Ok(endpoint)
    }

    /// Embeds one batch; each vector is to have the dimension, or, where none is given, that of the first.
    fn ask(&self, texts: &[&str], dimension: Option<usize>) -> Result<Vec<Vec<f32>>, EmbedError> {
        let unusable = |what: String| self.caller.unusable(PATH, &what);
        let model = &self.model.id;
        let question = json!({ "model": self.model.id, "input": texts });
        let Answer { mut data } = self.caller.post(PATH, &question)?;
        data.sort_by_key(|embedded| embedded.index);
        if data.len() != texts.len() || data.iter().zip(0..).any(|(embedded, index)| embedded.index != index)
        {
            let found: Vec<usize> = data.iter().take(10).map(|embedded| embedded.index).collect();
            return Err(unusable(format!(
                "expected one vector for each of {} texts, found {}, with indexes {found:?}",
                texts.len(),
                data.len()
            )));
        }
        let dimension = dimension.unwrap_or_else(|| data.first().map_or(0, |first| first.embedding.len()));
        if let Some(wrong) = wrong_dimension(dimension) {
            return Err(unusable(format!("the model {model:?} {wrong}")));
        }
        let n_texts = data.len();
        let mut vectors = Vec::with_capacity(n_texts);
        for (number, Embedded { embedding: mut vector, .. }) in (1..).zip(data) {
            if vector.len() != dimension {
                let found = vector.len();
                return Err(unusable(format!(
                    "the model {model:?} answers {found} components where {dimension} were expected, for text {number} of \
                     {n_texts}"
                )));
            }
            if !vector.iter().all(|part| part.is_finite()) {
                return Err(unusable("a component of a vector is not a finite number".to_owned()));
            }
            if is_zero(&vector) {
                return Err(unusable(format!(
                    "the model {model:?} answers nothing but zeros for text {number} of {n_texts}"
                )));
            }
            normalise(&mut vector);
            vectors.push(vector);
        }
        Ok(vectors)
    }

    /// Returns how many of the texts go into one question.
    fn batch_length(&self, texts: &[(usize, &str)]) -> usize {
        let mut bytes = 0;
        let fits = |(_, text): &&(usize, &str)| {
            bytes += text.len();
            bytes <= self.batch_bytes
        };
        texts.iter().take(self.batch_texts).take_while(fits).count().max(1)
    }
}

impl Embedder for Endpoint {
    fn model(&self) -> &Model {
        &self.model
    }

    fn is_costly(&self) -> bool {
        true
    }

    /// Asks one question after the other. Blank texts are not sent, since services refuse them: theirs is the vector
    /// zero.
    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = vec![vec![0.0; self.model.dimension]; texts.len()];
        let starts = texts.iter().map(|text| start_of(text, self.text_bytes));
        let numbered: Vec<(usize, &str)> =
            starts.enumerate().filter(|(_, text)| !text.trim().is_empty()).collect();
        let mut left = numbered.as_slice();
        while !left.is_empty() {
            let (batch, rest) = left.split_at(self.batch_length(left));
            let batch_texts: Vec<&str> = batch.iter().map(|(_, text)| *text).collect();
            let embedded = self.ask(&batch_texts, Some(self.model.dimension))?;
            for ((position, _), vector) in batch.iter().zip(embedded) {
                vectors[*position] = vector;
            }
            left = rest;
        }
        Ok(vectors)
    }

    fn query(&self, text: &str, _: &dyn Fn(u32) -> f32) -> Result<Vec<f32>, EmbedError> {
        Ok(self.documents(&[text])?.remove(0))
    }

    fn pieces(&self, _: &str) -> Vec<u32> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use serde_json::Value;

    use super::super::server::{Reply, Server};
    use super::super::service::ApiKey;
    use super::*;

    const KEY: &str = "sk-secret-0123";

    /// An answer with these vectors in this order.
    fn vectors(vectors: &[(usize, Value)]) -> Reply {
        let data: Vec<Value> =
            vectors.iter().map(|(index, vector)| json!({ "index": index, "embedding": vector })).collect();
        Reply::json(&json!({ "object": "list", "data": data }))
    }

    /// A service as it should be: a text's vector is its length in bytes, and 1.
    fn sound(_: usize, question: &Value) -> Reply {
        let texts = question["input"].as_array().unwrap();
        let vector = |text: &Value| json!([text.as_str().unwrap().len(), 1]);
        vectors(&texts.iter().map(vector).enumerate().collect::<Vec<_>>())
    }

    fn config(server: &Server) -> EndpointConfig {
        let mut service = Service::new(server.base());
        service.key = Some(ApiKey::new(KEY));
        service.attempts = 3;
        EndpointConfig { dimension: Some(2), ..EndpointConfig::new(service, "small") }
    }

    /// An embedder that notes its waits instead of waiting.
    fn endpoint(config: EndpointConfig) -> (Result<Endpoint, EmbedError>, Arc<Mutex<Vec<Duration>>>) {
        let waits = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&waits);
        (Endpoint::new(config, Box::new(move |wait| noted.lock().unwrap().push(wait))), waits)
    }

    #[expect(clippy::cast_possible_truncation, reason = "what is expected is as exact as a vector is")]
    fn unit(x: f64, y: f64) -> Vec<f32> {
        vec![(x / x.hypot(y)) as f32, (y / x.hypot(y)) as f32]
    }

    /// Asks once for two texts, and compares the error's text and the waits; the error never holds the key.
    #[track_caller]
    fn refused(
        change: impl Fn(&mut EndpointConfig),
        answer: impl Fn(usize, &Value) -> Reply + Send + 'static,
        expected: &str,
        expected_waits: &[u64],
    ) {
        let server = Server::start(answer);
        let mut config = config(&server);
        change(&mut config);
        let (endpoint, waits) = endpoint(config);
        let error = endpoint.unwrap().documents(&["a", "bb"]).unwrap_err();
        for text in [error.to_string(), format!("{error:?}")] {
            assert!(!text.contains(KEY), "{text}");
        }
        let text = error.to_string().replace(server.base(), "BASE");
        assert!(text.contains(expected), "expected {expected:?}, found {text:?}");
        let waits: Vec<u64> =
            waits.lock().unwrap().iter().map(|wait| u64::try_from(wait.as_millis()).unwrap()).collect();
        assert_eq!(waits, expected_waits, "{text}");
        assert_eq!(server.questions().len(), waits.len() + 1, "{text}");
    }

    #[test]
    fn texts_are_sent_in_batches_and_come_back_in_their_order() {
        let server = Server::start(sound);
        let mut config = config(&server);
        (config.batch_texts, config.batch_bytes, config.text_bytes) = (3, 10, 12);
        let embedder = endpoint(config).0.unwrap();
        let texts =
            ["a", "", "bb", "ccc", "dddd", "eeeeeee", "fffffffffff", "ggggggggggg\u{e4}g", " \n", "h"];
        let found = embedder.documents(&texts).unwrap();
        let lengths = [
            Some(1.0),
            None,
            Some(2.0),
            Some(3.0),
            Some(4.0),
            Some(7.0),
            Some(11.0),
            Some(11.0),
            None,
            Some(1.0),
        ];
        let expected = lengths.map(|length| length.map_or(vec![0.0, 0.0], |length| unit(length, 1.0)));
        assert_eq!(found, expected);

        let sent: Vec<Value> =
            server.questions().iter().map(|question| question.body["input"].clone()).collect();
        let batches =
            json!([["a", "bb", "ccc"], ["dddd"], ["eeeeeee"], ["fffffffffff"], ["ggggggggggg"], ["h"]]);
        assert_eq!(Value::from(sent), batches);
        for question in server.questions() {
            assert_eq!(question.line, "POST /v1/embeddings HTTP/1.1");
            assert_eq!(question.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
            assert_eq!(question.header("content-type"), Some("application/json"));
            assert_eq!(question.body["model"], "small");
        }
        assert!(embedder.documents(&[]).unwrap().is_empty());
        assert_eq!(embedder.query("four", &|_| panic!("no pieces")).unwrap(), unit(4.0, 1.0));
        assert!(embedder.pieces("four").is_empty());
    }

    #[test]
    fn vectors_are_put_in_order_by_their_index() {
        let server =
            Server::start(|_, _| vectors(&[(2, json!([3, 0])), (0, json!([0, 5])), (1, json!([-4, 3]))]));
        let found = endpoint(config(&server)).0.unwrap().documents(&["a", "b", "c"]).unwrap();
        assert_eq!(found, [vec![0.0, 1.0], vec![-0.8, 0.6], vec![1.0, 0.0]]);
    }

    #[test]
    fn the_dimension_is_learnt_by_asking_once() {
        let server = Server::start(sound);
        let learnt = endpoint(EndpointConfig { dimension: None, ..config(&server) }).0.unwrap();
        assert_eq!(learnt.model().dimension, 2);
        assert_eq!(learnt.documents(&["a"]).unwrap(), [unit(1.0, 1.0)]);
        assert_eq!(server.questions().len(), 2);

        let server = Server::start(|_, _| vectors(&[(0, json!([]))]));
        let error =
            endpoint(EndpointConfig { dimension: None, ..config(&server) }).0.map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("the model \"small\" has vectors without components"), "{error}");

        let server = Server::start(|_, _| vectors(&[(0, json!(vec![1; 4097]))]));
        let error =
            endpoint(EndpointConfig { dimension: None, ..config(&server) }).0.map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("of 4097 components, and 4096 are the most"), "{error}");
    }

    #[test]
    fn a_model_is_who_is_asked_for_what_and_where_texts_are_cut() {
        let server = Server::start(sound);
        let hash = |change: &dyn Fn(&mut EndpointConfig)| {
            let mut config = config(&server);
            change(&mut config);
            endpoint(config).0.unwrap().model().hash.clone()
        };
        let plain = hash(&|_| ());
        assert_eq!(plain.len(), 64);
        for same in ["/", "/v1", "/v1/"] {
            assert_eq!(hash(&|config| config.service.base += same), plain, "{same}");
        }
        assert_eq!(hash(&|config| config.service.key = None), plain, "who asks makes no difference");
        assert_ne!(hash(&|config| config.service.base += "/other"), plain);
        assert_ne!(hash(&|config| config.model += "er"), plain);
        assert_ne!(hash(&|config| config.text_bytes += 1), plain);
    }

    #[test]
    fn what_may_pass_is_waited_for() {
        for (refusal, wait) in [
            (Reply::status(429, &[], "slow down"), 500),
            (Reply::status(429, &["retry-after: 7"], ""), 7_000),
            (Reply::status(503, &["retry-after: 0"], ""), 500),
            (
                Reply::status(
                    503,
                    &["date: Wed, 21 Oct 2015 07:28:00 GMT", "retry-after: Wed, 21 Oct 2015 07:28:09 GMT"],
                    "",
                ),
                9_000,
            ),
            (Reply::status(503, &["retry-after: soon"], ""), 500),
            (Reply::status(500, &[], ""), 500),
            (Reply::status(408, &[], ""), 500),
            (Reply::Cut(String::new()), 500),
            (Reply::Cut("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"data\"".to_owned()), 500),
        ] {
            let told = format!("{refusal:?}");
            let server = Server::start(
                move |nth, question| if nth == 0 { refusal.clone() } else { sound(nth, question) },
            );
            let (endpoint, waits) = endpoint(config(&server));
            let found = endpoint.unwrap().documents(&["a"]);
            assert_eq!(found.unwrap_or_else(|error| panic!("{told}: {error}")), [unit(1.0, 1.0)]);
            assert_eq!(*waits.lock().unwrap(), [Duration::from_millis(wait)], "{told}");
        }
    }

    #[test]
    fn what_does_not_pass_is_given_up() {
        let failing = |_: usize, _: &Value| Reply::status(500, &[], &format!("at fault: {KEY}"));
        refused(
            |config| config.service.attempts = 5,
            failing,
            "BASE/v1/embeddings refuses with status 500 (attempts: 5): at fault: ***",
            &[500, 1_000, 2_000, 4_000],
        );
        refused(
            |config| config.service.longest_wait = Duration::from_millis(700),
            failing,
            "500",
            &[500, 700],
        );
        refused(|config| config.service.attempts = 0, failing, "(attempts: 1)", &[]);
        let later = |_: usize, _: &Value| Reply::status(429, &["retry-after: 3600"], "enough");
        refused(|_| (), later, "status 429 (attempts: 1): enough; it asks to wait 3600 s", &[]);
        refused(|_| (), |_, _| Reply::Cut(String::new()), "does not answer (attempts: 3)", &[500, 1_000]);
        let slow = |config: &mut EndpointConfig| config.service.timeout = Duration::from_millis(100);
        refused(slow, |_, _| Reply::Hang, "does not answer (attempts: 3): it takes too long", &[500, 1_000]);
    }

    #[test]
    fn what_is_refused_for_good_is_not_asked_again() {
        let message =
            json!({ "error": { "message": format!("no model small for {KEY}\n"), "code": 1 } }).to_string();
        refused(
            |_| (),
            move |_, _| Reply::status(404, &[], &message),
            "404 (attempts: 1): no model small for *** ",
            &[],
        );
        refused(
            |_| (),
            |_, _| Reply::status(422, &[], r#"{"detail":[1]}"#),
            r#"422 (attempts: 1): {"detail":[1]}"#,
            &[],
        );
        refused(|_| (), |_, _| Reply::status(400, &[], ""), "it does not say why", &[]);
        refused(|_| (), |_, _| Reply::status(400, &[], &"x".repeat(100_000)), "it does not say why", &[]);
        refused(
            |_| (),
            |_, _| Reply::status(400, &[], &"x".repeat(1_000)),
            &format!("{}…", "x".repeat(300)),
            &[],
        );
        refused(|_| (), |_, _| Reply::status(401, &[], "key sk-secret-"), "it does not accept the key", &[]);
        refused(
            |config| config.service.key = None,
            |_, _| Reply::status(401, &[], ""),
            "none was given",
            &[],
        );
        let away = |_: usize, _: &Value| Reply::status(307, &["location: http://127.0.0.1:1/"], "");
        refused(|_| (), away, "307 (attempts: 1): it sends elsewhere", &[]);
    }

    #[test]
    fn an_answer_is_taken_whole_or_not_at_all() {
        for (answer, expected) in [
            (vectors(&[(0, json!([1, 1]))]), "each of 2 texts, found 1, with indexes [0]"),
            (vectors(&[]), "found 0, with indexes []"),
            (vectors(&[(0, json!([1, 1])), (1, json!([1, 1])), (2, json!([1, 1]))]), "found 3"),
            (vectors(&[(0, json!([1, 1])), (0, json!([1, 1]))]), "found 2, with indexes [0, 0]"),
            (vectors(&[(1, json!([1, 1])), (2, json!([1, 1]))]), "with indexes [1, 2]"),
            (
                vectors(&[(0, json!([1, 1])), (1, json!([1, 1, 1]))]),
                "the model \"small\" answers 3 components where 2 were expected, for text 2 of 2",
            ),
            (vectors(&[(0, json!([1, 1])), (1, json!([1]))]), "answers 1 components where 2 were expected"),
            (vectors(&[(0, json!([])), (1, json!([]))]), "answers 0 components where 2 were expected"),
            (
                vectors(&[(0, json!([1, 1])), (1, json!([0, -0.0]))]),
                "the model \"small\" answers nothing but zeros for text 2 of 2",
            ),
            (vectors(&[(0, json!([1, 1])), (1, json!([1, null]))]), "invalid type: null"),
            (vectors(&[(0, json!([1, 1])), (1, json!([1, KEY]))]), "invalid type: string \"***\""),
            (vectors(&[(0, json!([1, 1])), (1, json!([1, 1e39]))]), "is not a finite number"),
            (Reply::ok(r#"{"data":[{"index":0,"embedding":[NaN,1]}]}"#), "expected its JSON form"),
            (Reply::ok(r#"{"data":[{"embedding":[1,1]}]}"#), "missing field `index`"),
            (Reply::ok("<html>welcome</html>"), "expected its JSON form"),
            (Reply::ok(""), "expected its JSON form"),
            (Reply::ok("\u{0}\u{1}garbage"), "expected its JSON form"),
        ] {
            refused(|_| (), move |_, _| answer.clone(), expected, &[]);
        }
        let small = |config: &mut EndpointConfig| config.service.answer_bytes = 1_000;
        let huge = |_: usize, _: &Value| Reply::ok(&" ".repeat(1_001));
        refused(small, huge, "cannot be used: it is longer than 1000 bytes", &[]);
        refused(
            |_| (),
            |_, _| Reply::Cut("not HTTP at all\r\n\r\n".to_owned()),
            "does not answer (attempts: 1)",
            &[],
        );
    }

    #[test]
    fn that_nobody_listens_is_said_at_once() {
        let server = Server::start(sound);
        let config = config(&server);
        drop(server);
        let (endpoint, waits) = endpoint(config);
        let error = endpoint.unwrap().documents(&["a"]).unwrap_err();
        assert!(matches!(error, EmbedError::Unreachable { attempts: 1, .. }), "{error}");
        assert!(waits.lock().unwrap().is_empty());
    }

    #[test]
    fn a_service_that_does_not_encrypt_is_none_by_https() {
        let server = Server::start(sound);
        let mut config = config(&server);
        config.service.base = server.base().replace("http:", "https:");
        let error = endpoint(config).0.unwrap().documents(&["a"]).unwrap_err();
        assert!(matches!(error, EmbedError::Unreachable { .. }), "{error}");
        assert!(server.questions().is_empty());
    }

    #[test]
    fn what_no_service_can_be_is_refused_before_it_is_asked() {
        let check = |base: &str, key: &str, model: &str, expected: &str| {
            let mut service = Service::new(base);
            service.key = Some(ApiKey::new(key));
            assert!(!format!("{service:?}").contains(key) || key.is_empty(), "{service:?}");
            let config = EndpointConfig::new(service, model);
            let text = config.check().unwrap_err().to_string();
            assert_eq!(endpoint(config).0.map(|_| ()).unwrap_err().to_string(), text);
            assert!(text.contains(expected), "expected {expected:?}, found {text:?}");
            assert!(key.is_empty() || !text.contains(key), "{text}");
        };
        check("", KEY, "small", "its base URL is no URL");
        check("example.org", KEY, "small", "does not start with http");
        check("ftp://example.org", KEY, "small", "does not start with http");
        check("https://anna:word@example.org", KEY, "small", "holds a name or a password");
        check("https://example.org/?key=word", KEY, "small", "holds a query");
        check("https://example.org", "", "small", "its key is empty");
        check("https://example.org", "two words", "small", "has spaces");
        check("https://example.org", "line\n", "small", "has spaces");
        check("https://example.org", "quo\"ted", "small", "quotes");
        check("https://example.org", KEY, "", "no model is named");
        let service = Service::new("http://a");
        let large = EndpointConfig { dimension: Some(4097), ..EndpointConfig::new(service, "small") };
        let error = large.check().unwrap_err().to_string();
        assert!(
            error.contains("4097 components, and 4096 are the most there may be: `dimension`"),
            "{error}"
        );
        let nothing =
            EndpointConfig { text_bytes: 0, ..EndpointConfig::new(Service::new("http://a"), "small") };
        assert!(nothing.check().is_err());
        let error = endpoint(nothing).0.map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("texts are cut to nothing"), "{error}");
    }
}
