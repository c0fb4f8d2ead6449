//! How far an agent has read in a list that a tool hands out page by page.
//!
//! The key is the tool with its input, without the cursor: what tells one list from another. The object is where the next
//! page starts, or that there is none: `{"next":"…"}`, `{"next":null}`.

use serde_json::Value;

use super::call::Answer;
use super::outcome::Outcome;
use super::propose::{Triple, agent, json, state};
use crate::candidate::Candidate;

const RULE: &str = "tool.cursor/1";

/// What results call the start of the next page: MCP, and the usual forms of web interfaces.
const NEXT: [&str; 6] =
    ["nextCursor", "next_cursor", "nextPageToken", "next_page_token", "endCursor", "end_cursor"];
/// Where it may stand below.
const AROUND: [&str; 4] = ["pageInfo", "page_info", "pagination", "response_metadata"];
/// What calls call the start of the page they want.
const WANTED: [&str; 6] = ["cursor", "pageToken", "page_token", "after", "start_cursor", "next_cursor"];
/// The most characters of an input that tell a list; chosen, untested.
const LONGEST: usize = 300;

/// Reads the result of any tool that did what was asked.
pub(super) fn read(answer: &Answer<'_>, outcome: Outcome, candidates: &mut Vec<Candidate>) {
    if outcome != Outcome::Succeeded || !answer.output.trim_start().starts_with('{') {
        return;
    }
    let Ok(object) = serde_json::from_str::<Value>(answer.output) else {
        return;
    };
    let within = |object: &Value| NEXT.iter().find_map(|key| object.get(*key)).cloned();
    let around = || AROUND.iter().find_map(|key| within(object.get(*key)?));
    let wanted = WANTED.iter().any(|key| answer.call.input.get(*key).is_some_and(|value| !value.is_null()));
    let next = match within(&object).or_else(around) {
        Some(Value::String(next)) if !next.is_empty() => Value::String(next),
        Some(Value::Null | Value::String(_)) => Value::Null,
        // The last page has no cursor, where the one asked for was another than the first.
        None if wanted => Value::Null,
        Some(_) | None => return,
    };
    let triple = Triple {
        subject: agent(answer.turn),
        predicate: "cursor",
        key: key(answer),
        object: json([("next", next)]),
    };
    candidates.push(state(answer.turn, answer.span, RULE, triple));
}

fn key(answer: &Answer<'_>) -> String {
    let mut input = answer.call.input.clone();
    if let Value::Object(map) = &mut input {
        map.retain(|key, _| !WANTED.contains(&key.as_str()));
    }
    format!("{} {input}", answer.call.name).chars().take(LONGEST).collect()
}
