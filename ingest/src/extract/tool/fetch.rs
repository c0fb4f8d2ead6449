//! Which pages were fetched.

use bygone_engine::{EntityRef, Object};
use serde_json::Value;

use super::call::Answer;
use super::failure;
use super::outcome::Outcome;
use super::propose::event;
use crate::candidate::Candidate;

/// Reads the result of a fetch. A status of 400 and above is a failed call, though the tool itself went well.
pub(super) fn read(answer: &Answer<'_>, outcome: Outcome, candidates: &mut Vec<Candidate>) {
    if outcome != Outcome::Succeeded {
        return;
    }
    let status = answer.detail("code").and_then(Value::as_i64);
    if let Some(status) = status.filter(|status| *status >= 400) {
        let said = answer.detail("codeText").and_then(Value::as_str).unwrap_or_default();
        return candidates.push(failure::failed_call(answer, format!("{status} {said}").trim()));
    }
    if let Some(url) = answer.input("url").and_then(|url| EntityRef::new("url", url).ok()) {
        candidates.push(event(answer.turn, answer.span, "tool.fetch/1", "fetched", Object::Entity(url)));
    }
}
