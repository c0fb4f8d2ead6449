//! Calls of a transcript that never got a result: those at its end when its process died.
//!
//! Turns keep the records that they were read from, and records of calls have one thing in common: an object that has an id
//! and names a tool. The call is answered where the id stands in a later record that is not the agent's, or the object itself
//! has the result. A record that has no such object tells of no call.

use bygone_engine::Role;
use bygone_engine::record::RecordedEpisode;
use bygone_engine::time::Instant;
use serde_json::{Map, Value};

use super::evidence::Evidence;

/// What objects call the id of a call, most telling first.
const IDS: [&str; 4] = ["call_id", "tool_call_id", "callId", "id"];
/// What they call the input.
const INPUTS: [&str; 5] = ["input", "arguments", "args", "parameters", "action"];
/// What they have where the result stands in the same record.
const RESULTS: [&str; 5] = ["result", "output", "response", "resultDisplay", "error"];

/// A call that a record has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    id: String,
    /// The tool.
    pub(super) tool: String,
    /// What it was called with, as JSON or as it stands.
    pub(super) input: String,
    /// When.
    pub(super) at: Instant,
    /// The turn.
    pub(super) evidence: Evidence,
}

/// Returns the calls among turns, in order, that have no result by their end.
pub(super) fn unanswered(turns: &[RecordedEpisode]) -> Vec<Asked> {
    let mut open: Vec<Asked> = Vec::new();
    for record in turns {
        let raw = record.episode.raw.as_deref().and_then(|raw| std::str::from_utf8(raw).ok());
        let Some(raw) = raw else { continue };
        if record.episode.role == Role::Agent {
            if let Ok(value) = serde_json::from_str::<Value>(raw) {
                collect(&value, record, &mut open);
            }
        } else {
            open.retain(|asked| !raw.contains(&asked.id));
        }
    }
    open
}

/// Returns the tools that a record calls, in order.
pub(super) fn tools_called(record: &RecordedEpisode) -> Vec<String> {
    let raw = record.episode.raw.as_deref().and_then(|raw| serde_json::from_slice::<Value>(raw).ok());
    let mut calls = Vec::new();
    if let Some(value) = raw {
        collect(&value, record, &mut calls);
    }
    calls.into_iter().map(|asked| asked.tool).collect()
}

fn collect(value: &Value, record: &RecordedEpisode, found: &mut Vec<Asked>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, record, found)),
        Value::Object(map) => match call(map, record) {
            Some(Called::Open(asked)) => found.push(asked),
            Some(Called::Answered) => {}
            None => map.values().for_each(|item| collect(item, record, found)),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

enum Called {
    Open(Asked),
    /// Its result stands beside it.
    Answered,
}

/// Reads an object as a call; nothing where it is none.
fn call(map: &Map<String, Value>, record: &RecordedEpisode) -> Option<Called> {
    let text = |map: &Map<String, Value>, key: &str| {
        map.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let kind = text(map, "type").unwrap_or_default();
    let is_call = kind == "tool_use" || kind == "server_tool_use" || kind.ends_with("_call");
    let function = map.get("function").and_then(Value::as_object);
    let holder = function.unwrap_or(map);
    let input = INPUTS.iter().find_map(|key| holder.get(*key));
    let name = text(holder, "name").or_else(|| is_call.then(|| kind.trim_end_matches("_call").to_owned()))?;
    let id = IDS.iter().find_map(|key| text(map, key))?;
    // Whatever else has an id and a name says that it is a call, or has an input.
    if !is_call && input.is_none() {
        return None;
    }
    if RESULTS.iter().any(|key| map.get(*key).is_some_and(|value| !value.is_null())) {
        return Some(Called::Answered);
    }
    let input = match input {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    Some(Called::Open(Asked {
        id,
        tool: name,
        input,
        at: record.episode.time,
        evidence: Evidence::turn(record),
    }))
}

#[cfg(test)]
mod tests {
    use bygone_engine::time::parse_moment;
    use bygone_engine::{Episode, EpisodeId};

    use super::*;

    fn turn(position: u64, role: Role, raw: &str) -> RecordedEpisode {
        let at = parse_moment("2026-01-01").expect("a day").at;
        let episode = Episode {
            id: EpisodeId::UNHASHED,
            session: "s".to_owned(),
            position,
            role,
            speaker: None,
            agent: None,
            user: None,
            time: at,
            time_inferred: false,
            zone: None,
            native_id: None,
            text: String::new(),
            raw: Some(raw.as_bytes().to_vec()),
        };
        RecordedEpisode { episode, seq: 1, at }
    }

    fn open(turns: &[(Role, &str)]) -> Vec<(String, String)> {
        let turns: Vec<RecordedEpisode> =
            (0..).zip(turns).map(|(position, (role, raw))| turn(position, *role, raw)).collect();
        unanswered(&turns).into_iter().map(|asked| (asked.tool, asked.input)).collect()
    }

    #[test]
    fn calls_of_every_form_are_open_until_their_id_comes_back() {
        for (call, tool, input, answer) in [
            (
                r#"{"message":{"id":"msg_1","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"ls"}}]}}"#,
                "Bash",
                r#"{"command":"ls"}"#,
                r#"{"message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a"}]}}"#,
            ),
            (
                r#"{"payload":{"type":"function_call","id":"fc_1","name":"shell","arguments":"{}","call_id":"call_1"}}"#,
                "shell",
                "{}",
                r#"{"payload":{"type":"function_call_output","call_id":"call_1","output":"a"}}"#,
            ),
            (
                r#"{"payload":{"type":"local_shell_call","call_id":"call_1","action":{"command":["ls"]}}}"#,
                "local_shell",
                r#"{"command":["ls"]}"#,
                r#"{"payload":{"type":"local_shell_call_output","call_id":"call_1"}}"#,
            ),
            (
                r#"{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"get","arguments":"{\"a\":1}"}}]}"#,
                "get",
                r#"{"a":1}"#,
                r#"{"role":"tool","tool_call_id":"call_1","content":"a"}"#,
            ),
        ] {
            assert_eq!(open(&[(Role::Agent, call)]), [(tool.to_owned(), input.to_owned())], "{call}");
            assert_eq!(open(&[(Role::Agent, call), (Role::Tool, answer)]), [], "{call}");
            assert_eq!(open(&[(Role::Agent, call), (Role::Tool, r#"{"id":"another"}"#)]).len(), 1, "{call}");
        }
    }

    #[test]
    fn of_several_calls_the_one_is_open_whose_result_is_missing() {
        let calls = r#"{"tool_calls":[{"id":"c1","function":{"name":"read","arguments":""}},{"id":"c2","function":{"name":"write","arguments":""}}]}"#;
        let answer = r#"{"tool_call_id":"c2"}"#;
        assert_eq!(open(&[(Role::Agent, calls), (Role::Tool, answer)]), [("read".to_owned(), String::new())]);
    }

    #[test]
    fn what_is_no_call_or_has_its_result_beside_it_is_not_open() {
        for raw in [
            r#"{"id":"msg_1","name":"an agent","content":"hi"}"#,
            r#"{"toolCalls":[{"id":"t1","name":"read_file","args":{},"result":[{}],"status":"success"}]}"#,
            r#"{"type":"tool_use","name":"Bash","input":{}}"#,
            "no JSON",
        ] {
            assert_eq!(open(&[(Role::Agent, raw)]), [], "{raw}");
        }
    }
}
