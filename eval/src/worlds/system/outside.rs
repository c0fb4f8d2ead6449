//! Whatever speaks the protocol: a line of JSON for everything it is told, and a line back for every question.
//!
//! How the lines get there is the business of who makes it; nothing is spawned here. The protocol is told in
//! `docs/belief-benchmark.md`.
//!
//! Invariant: an answer is to the question last asked, or the run ends; one that is no answer is a wrong one.

use std::io::{BufRead, Write};

use serde_json::{Value, json};

use super::System;
use crate::error::EvalError;
use crate::worlds::question::{Answer, Question};
use crate::worlds::steps::{Rendering, Step};

/// The version of the protocol.
pub const PROTOCOL: u64 = 1;

/// A system at the other end of two streams.
pub struct Outside<R, W> {
    from: R,
    to: W,
    /// Lines read.
    n_read: u64,
}

impl<R: BufRead, W: Write> Outside<R, W> {
    /// Takes what it says from one stream, and tells it through another.
    pub const fn new(from: R, to: W) -> Outside<R, W> {
        Outside { from, to, n_read: 0 }
    }

    fn tell(&mut self, message: &Value) -> Result<(), EvalError> {
        writeln!(self.to, "{message}").map_err(|error| cut_off(&format!("cannot be told anything: {error}")))
    }

    fn hear(&mut self, id: u64) -> Result<Option<Answer>, EvalError> {
        let mut line = String::new();
        let n_bytes = self.from.read_line(&mut line);
        let n_bytes = n_bytes.map_err(|error| cut_off(&format!("cannot be read: {error}")))?;
        if n_bytes == 0 {
            return Err(cut_off(&format!("ended without an answer to question {id}")));
        }
        self.n_read += 1;
        let refuse = |reason: &str| cut_off(&format!("line {} {reason}: {}", self.n_read, line.trim_end()));
        let mut value: Value = serde_json::from_str(&line).map_err(|_| refuse("is no JSON"))?;
        let answered = value.as_object_mut().and_then(|members| members.remove("id"));
        if answered != Some(json!(id)) {
            return Err(refuse(&format!("is no answer to question {id}: expected its \"id\"")));
        }
        Ok(serde_json::from_value(value).ok())
    }
}

impl<R: BufRead, W: Write> System for Outside<R, W> {
    fn begin(&mut self, seed: u64, rendering: Rendering) -> Result<(), EvalError> {
        self.tell(&json!({
            "op": "begin", "protocol": PROTOCOL, "world": seed, "rendering": rendering.name(),
        }))
    }

    fn take(&mut self, step: &Step) -> Result<(), EvalError> {
        self.tell(&step.to_json())
    }

    fn ask(&mut self, question: &Question) -> Result<Option<Answer>, EvalError> {
        self.tell(&question.to_json())?;
        self.to.flush().map_err(|error| cut_off(&format!("cannot be told anything: {error}")))?;
        self.hear(question.id)
    }
}

fn cut_off(reason: &str) -> EvalError {
    EvalError::Outside(reason.to_owned())
}
