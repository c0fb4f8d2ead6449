//! Which pages were fetched.

use bygone_engine::{EntityRef, Object};
use serde_json::Value;

use super::call::{Answer, Call};
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
    if let Some(url) = address(answer.call).and_then(|url| EntityRef::new("url", url).ok()) {
        candidates.push(event(answer.turn, answer.span, "tool.fetch/1", "fetched", Object::Entity(url)));
    }
}

/// Returns the address that was asked for. Of several nobody can tell which were fetched.
fn address(call: &Call) -> Option<&str> {
    if let Some(url) = call.input.get("url").and_then(Value::as_str) {
        return Some(url);
    }
    match call.input.get("urls").and_then(Value::as_array).map(Vec::as_slice) {
        Some([url]) => return url.as_str(),
        Some(_) => return None,
        None => {}
    }
    let prompt = call.input.get("prompt").and_then(Value::as_str)?;
    let is_address = |word: &&str| word.starts_with("https://") || word.starts_with("http://");
    let mut addresses = prompt.split_whitespace().filter(is_address);
    let address = addresses.next()?.trim_end_matches(['.', ',', ';', ')', '?', '!', '"', '\'']);
    addresses.next().is_none().then_some(address)
}
