//! How a model is asked in words: any service that speaks OpenAI's `POST /v1/chat/completions`.
//!
//! ```text
//! ask     {"model": "…", "messages": [{"role": "user", "content": "…"}], "max_tokens": …, "temperature": …, "seed": …}
//! answer  {"choices": [{"message": {"content": "…"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": …, "completion_tokens": …}}
//! ```
//!
//! Invariant: an answer counts where the model ended it of its own accord, and else not: one that was cut off says nothing.

use bygone_query::context::tokens;
use serde_json::{Value, json};

/// Where a service answers.
pub const PATH: &str = "/v1/chat/completions";

/// What a million tokens cost, in whatever money.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Price {
    /// Of what is asked.
    pub prompt: f64,
    /// Of what is answered.
    pub completion: f64,
}

/// A model, and how it is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The name by which the service knows it.
    pub name: String,
    /// How freely it chooses its words.
    pub temperature: f64,
    /// What its choices start from, where the service heeds that.
    pub seed: Option<u64>,
    /// The most tokens that it may answer with.
    pub max_tokens: u32,
    /// What it costs.
    pub price: Price,
}

/// How many tokens were asked and answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Of what was asked.
    pub prompt: u64,
    /// Of what was answered.
    pub completion: u64,
}

/// What a model said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Its words, without space around them.
    pub text: String,
    /// What it took; estimated where the service does not say.
    pub usage: Usage,
}

impl Price {
    /// Returns what tokens cost.
    #[expect(clippy::cast_precision_loss, reason = "nobody pays for 2^52 tokens")]
    pub fn of(self, Usage { prompt, completion }: Usage) -> f64 {
        (prompt as f64 * self.prompt + completion as f64 * self.completion) / 1e6
    }
}

impl Usage {
    /// Returns all tokens.
    pub const fn total(self) -> u64 {
        self.prompt + self.completion
    }

    /// Adds the tokens of another call.
    #[must_use]
    pub const fn with(self, other: Usage) -> Usage {
        Usage { prompt: self.prompt + other.prompt, completion: self.completion + other.completion }
    }
}

impl Model {
    /// Returns the body of a request.
    pub fn request(&self, prompt: &str) -> Value {
        let mut request = json!({
            "model": self.name, "messages": [{ "role": "user", "content": prompt }],
            "max_tokens": self.max_tokens, "temperature": self.temperature,
        });
        if let Some(seed) = self.seed {
            request["seed"] = json!(seed);
        }
        request
    }

    /// Returns the most that asking takes, by our own count of the tokens.
    pub fn at_most(&self, prompt: &str) -> Usage {
        Usage { prompt: tokens(prompt) as u64, completion: self.max_tokens.into() }
    }
}

/// Reads an answer.
///
/// # Errors
/// What is wrong with it.
pub fn read(prompt: &str, response: &Value) -> Result<Said, String> {
    let Some([choice]) = response.get("choices").and_then(Value::as_array).map(Vec::as_slice) else {
        return Err("expected one entry in `choices`".to_owned());
    };
    let text = content(response);
    let usage = usage(prompt, response);
    match choice.get("finish_reason").and_then(Value::as_str) {
        Some("stop") => {}
        Some("length") => {
            return Err(format!(
                "its answer was cut off after {} tokens (`finish_reason` is \"length\"): allow it more",
                usage.completion
            ));
        }
        Some(other) => return Err(format!("`finish_reason` is {other:?}, and \"stop\" was expected")),
        None => return Err("expected `finish_reason` to say why it ended".to_owned()),
    }
    match text {
        None => Err("expected a text in `choices[0].message.content`".to_owned()),
        Some("") => Err("it says nothing".to_owned()),
        Some(text) => Ok(Said { text: text.to_owned(), usage }),
    }
}

/// Returns what a call took: as the service says, or else as we count it.
pub fn usage(prompt: &str, response: &Value) -> Usage {
    let reported = |name: &str| response.pointer(&format!("/usage/{name}")).and_then(Value::as_u64);
    let counted = |text: &str| tokens(text) as u64;
    Usage {
        prompt: reported("prompt_tokens").unwrap_or_else(|| counted(prompt)),
        completion: reported("completion_tokens")
            .unwrap_or_else(|| counted(content(response).unwrap_or_default())),
    }
}

fn content(response: &Value) -> Option<&str> {
    response.pointer("/choices/0/message/content").and_then(Value::as_str).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(content: &Value, finish_reason: &Value) -> Value {
        json!({ "choices": [{ "message": { "content": content }, "finish_reason": finish_reason }] })
    }

    #[test]
    fn an_answer_is_read_with_what_it_took() {
        let mut value = response(&json!(" Oslo \n"), &json!("stop"));
        value["usage"] = json!({ "prompt_tokens": 40, "completion_tokens": 2 });
        let said = read("Where?", &value).expect("reads");
        assert_eq!(said, Said { text: "Oslo".to_owned(), usage: Usage { prompt: 40, completion: 2 } });
        let price = Price { prompt: 2.0, completion: 500_000.0 };
        assert!((price.of(said.usage) - (0.000_08 + 1.0)).abs() < 1e-12);
        // "where" and "?" are two word pieces and three tenths more, rounded up; "oslo" is one.
        let estimated = read("Where?", &response(&json!("Oslo"), &json!("stop"))).expect("reads").usage;
        assert_eq!(estimated, Usage { prompt: 3, completion: 2 });
    }

    #[test]
    fn an_answer_that_was_cut_off_or_is_none_is_refused_by_what_is_wrong() {
        let stop = json!("stop");
        for (value, expected) in [
            (response(&json!("Oslo is the cap"), &json!("length")), "was cut off after"),
            (response(&json!("Oslo"), &json!("content_filter")), "`finish_reason` is \"content_filter\""),
            (response(&json!("Oslo"), &Value::Null), "expected `finish_reason`"),
            (response(&Value::Null, &stop), "expected a text in `choices[0].message.content`"),
            (response(&json!("  "), &stop), "it says nothing"),
            (json!({}), "expected one entry in `choices`"),
            (json!({ "choices": [] }), "expected one entry in `choices`"),
            (json!([1]), "expected one entry in `choices`"),
        ] {
            let refused = read("Where?", &value).expect_err(expected);
            assert!(refused.contains(expected), "{refused} has no {expected}");
        }
    }
}
