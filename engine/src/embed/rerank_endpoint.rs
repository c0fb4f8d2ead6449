//! A reranker behind HTTP: any service that answers `POST /v1/rerank`.
//!
//! ```text
//! ask     {"model": "…", "query": "…", "documents": ["…", …], "top_n": 10}      POST /v1/rerank
//! answer  {"results": [{"index": 3, "relevance_score": 0.9}, …]}
//! ```
//!
//! The form is that of Jina, Cohere, vLLM, llama.cpp and others.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::json;

use super::endpoint::check_model;
use super::service::{Caller, Service, Sleep};
use super::{EmbedError, Ranked, Reranker};
use crate::text::start_of;

const PATH: &str = "/v1/rerank";

/// Which reranking model is asked, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RerankConfig {
    /// Where it is asked.
    pub service: Service,
    /// The name by which the service knows the model.
    pub model: String,
    /// A longer text is cut there, in bytes, since services refuse what is longer than their model reads.
    pub text_bytes: usize,
}

impl RerankConfig {
    /// Returns a configuration with a limit that common models accept, which read question and text together. The number
    /// is chosen, untested.
    pub fn new(service: Service, model: impl Into<String>) -> RerankConfig {
        RerankConfig { service, model: model.into(), text_bytes: 4 << 10 }
    }

    /// Says whether it makes sense, without asking anybody.
    ///
    /// # Errors
    /// [`EmbedError::Configuration`].
    pub fn check(&self) -> Result<(), EmbedError> {
        check_model(&self.model, self.text_bytes)?;
        self.service.check()
    }
}

/// A reranking model that is asked over HTTP.
pub struct RerankEndpoint {
    caller: Caller,
    model: String,
    text_bytes: usize,
}

#[derive(Deserialize)]
struct Answer {
    results: Vec<Scored>,
}

#[derive(Deserialize)]
struct Scored {
    index: usize,
    relevance_score: f32,
}

impl RerankEndpoint {
    /// Makes a reranker; nothing is asked yet.
    ///
    /// # Errors
    /// [`EmbedError::Configuration`].
    pub fn new(config: RerankConfig, sleep: Sleep) -> Result<RerankEndpoint, EmbedError> {
        let RerankConfig { service, model, text_bytes } = config;
        check_model(&model, text_bytes)?;
        Ok(RerankEndpoint { caller: Caller::new(service, sleep)?, model, text_bytes })
    }
}

impl Reranker for RerankEndpoint {
    fn rerank(&self, query: &str, documents: &[&str], top: usize) -> Result<Vec<Ranked>, EmbedError> {
        let wanted = top.min(documents.len());
        if wanted == 0 {
            return Ok(Vec::new());
        }
        let texts: Vec<&str> = documents.iter().map(|text| start_of(text, self.text_bytes)).collect();
        let question = json!({ "model": self.model, "query": query, "documents": texts, "top_n": wanted });
        let Answer { results } = self.caller.post(PATH, &question)?;

        let unusable = |what: String| Err(self.caller.unusable(PATH, &what));
        let (model, n_documents) = (&self.model, documents.len());
        let mut positions = BTreeSet::new();
        for Scored { index, .. } in &results {
            if *index >= n_documents {
                return unusable(format!(
                    "the model {model:?} answers the index {index}, and {n_documents} documents have 0 to {}",
                    n_documents - 1
                ));
            }
            if !positions.insert(*index) {
                return unusable(format!(
                    "the model {model:?} answers the index {index} twice, and each document is expected once at most"
                ));
            }
        }
        if results.len() < wanted {
            return unusable(format!("expected {wanted} documents, found {}", results.len()));
        }
        if !results.iter().all(|scored| scored.relevance_score.is_finite()) {
            return unusable("a score is not a finite number".to_owned());
        }
        let ranked =
            results.iter().map(|scored| Ranked { position: scored.index, score: scored.relevance_score });
        let mut ranked: Vec<Ranked> = ranked.collect();
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.position.cmp(&b.position)));
        // There are services that send all of them, whatever is asked for.
        ranked.truncate(wanted);
        Ok(ranked)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::server::{Reply, Server};
    use super::super::service::ApiKey;
    use super::*;

    fn reranker(server: &Server) -> RerankEndpoint {
        let mut service = Service::new(server.base());
        service.key = Some(ApiKey::new("sk-secret"));
        let config = RerankConfig { text_bytes: 8, ..RerankConfig::new(service, "cross") };
        RerankEndpoint::new(config, Box::new(|_| ())).unwrap()
    }

    fn scores(scores: &[(usize, Value)]) -> Reply {
        let results: Vec<Value> =
            scores.iter().map(|(index, score)| json!({ "index": index, "relevance_score": score })).collect();
        Reply::json(&json!({ "results": results }))
    }

    #[test]
    fn documents_come_back_best_first() {
        let server = Server::start(|nth, _| match nth {
            0 => Reply::status(503, &[], ""),
            _ => scores(&[(1, json!(0.25)), (3, json!(-4.5)), (2, json!(0.75)), (0, json!(0.25))]),
        });
        let reranker = reranker(&server);
        let documents = ["zero", "one", "two", "three and more"];
        let found = reranker.rerank("which?", &documents, 3).unwrap();
        let expected = [(2, 0.75), (0, 0.25), (1, 0.25)].map(|(position, score)| Ranked { position, score });
        assert_eq!(found, expected);

        let [_, question] = &server.questions()[..] else { panic!("asked twice") };
        assert_eq!(question.line, "POST /v1/rerank HTTP/1.1");
        assert_eq!(question.header("authorization"), Some("Bearer sk-secret"));
        let sent = json!({
            "model": "cross", "query": "which?", "documents": ["zero", "one", "two", "three an"], "top_n": 3
        });
        assert_eq!(question.body, sent);
    }

    #[test]
    fn nothing_is_asked_about_nothing() {
        let server = Server::start(|_, _| Reply::Hang);
        assert!(reranker(&server).rerank("which?", &[], 3).unwrap().is_empty());
        assert!(reranker(&server).rerank("which?", &["one"], 0).unwrap().is_empty());
        assert!(server.questions().is_empty());
    }

    #[test]
    fn what_asks_for_nothing_is_refused_before_it_is_asked() {
        for (model, text_bytes, expected) in
            [("", 8, "no model is named"), ("cross", 0, "texts are cut to nothing")]
        {
            let service = Service::new("http://127.0.0.1:1");
            let config = RerankConfig { service, model: model.to_owned(), text_bytes };
            assert!(config.check().is_err());
            let error = RerankEndpoint::new(config, Box::new(|_| ())).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(expected), "expected {expected:?}, found {error:?}");
        }
    }

    #[test]
    fn what_is_no_order_of_the_documents_is_refused() {
        for (answer, expected) in [
            (scores(&[(0, json!(1))]), "expected 2 documents, found 1"),
            (scores(&[(0, json!(1)), (0, json!(2))]), "answers the index 0 twice"),
            (
                scores(&[(0, json!(1)), (999, json!(2))]),
                "the model \"cross\" answers the index 999, and 3 documents have 0 to 2",
            ),
            (scores(&[(0, json!(1)), (3, json!(2))]), "answers the index 3, and"),
            (scores(&[(0, json!(1)), (1, json!(1e39))]), "a score is not a finite number"),
            (scores(&[(0, json!(1)), (1, json!(null))]), "invalid type: null"),
            (Reply::ok("[]"), "expected its JSON form"),
            (Reply::status(400, &[], "sk-secret is wrong"), "400 (attempts: 1): *** is wrong"),
        ] {
            let server = Server::start(move |_, _| answer.clone());
            let error = reranker(&server).rerank("which?", &["a", "b", "c"], 2).unwrap_err().to_string();
            assert!(error.contains(expected), "expected {expected:?}, found {error:?}");
        }
    }
}
