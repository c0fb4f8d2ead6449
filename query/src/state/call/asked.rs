//! Calls and results as the records of transcripts have them, whatever their format.
//!
//! Turns keep the records that they were read from, and records of calls have one thing in common: an object that has an id
//! and names a tool. The call is answered where the id stands in a later record that is not the agent's, or the object itself
//! has the result. A record that has no such object tells of no call.

use bygone_engine::record::RecordedEpisode;
use bygone_engine::time::Instant;
use bygone_engine::{EpisodeId, Role};
use serde_json::{Map, Value};

/// What objects call the id of a call, most telling first.
const IDS: [&str; 4] = ["call_id", "tool_call_id", "callId", "id"];
/// What they call the input.
const INPUTS: [&str; 5] = ["input", "arguments", "args", "parameters", "action"];
/// What they have where the result stands in the same record.
const RESULTS: [&str; 5] = ["result", "output", "response", "resultDisplay", "error"];

/// What tells how a call went, where an object has its result.
const FLAGS: [&str; 2] = ["is_error", "isError"];

/// A call that a record has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    /// What tells it from others of its session.
    pub(crate) id: String,
    /// The tool.
    pub(crate) tool: String,
    /// What it was called with, as JSON or as it stands.
    pub(crate) input: String,
    /// When.
    pub(crate) at: Instant,
    /// The session.
    pub(crate) session: String,
    /// The position of the turn.
    pub(crate) position: u64,
    /// The turn.
    pub(crate) turn: EpisodeId,
    /// The commit that recorded it.
    pub(crate) seq: u64,
    /// The result, where it stands beside it.
    pub(crate) answer: Option<Answer>,
}

/// A result that a record has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Whether the tool failed, where that is flagged.
    pub(crate) has_failed: Option<bool>,
    /// Whether it was called off.
    pub(crate) is_cancelled: bool,
    /// The first line that says something.
    pub(crate) line: String,
}

/// Returns the calls among turns, in order, that have no result by their end.
pub(crate) fn unanswered(turns: &[RecordedEpisode]) -> Vec<Asked> {
    let mut open: Vec<Asked> = Vec::new();
    for record in turns {
        if record.episode.role == Role::Agent {
            open.extend(asked(record).into_iter().filter(|asked| asked.answer.is_none()));
        } else if let Some(raw) = raw(record) {
            open.retain(|asked| !raw.contains(&asked.id));
        }
    }
    open
}

/// Returns the tools that a record calls and does not have the results of, in order.
pub(crate) fn tools_called(record: &RecordedEpisode) -> Vec<String> {
    let open = asked(record).into_iter().filter(|asked| asked.answer.is_none());
    open.map(|asked| asked.tool).collect()
}

/// Returns the calls that a record has, in order.
pub(crate) fn asked(record: &RecordedEpisode) -> Vec<Asked> {
    let mut found = Vec::new();
    if let Some(value) = raw(record).and_then(|raw| serde_json::from_str::<Value>(raw).ok()) {
        collect(&value, record, &mut found);
    }
    found
}

/// Returns the result of a call where a record, which is not the agent's, has its id.
pub(crate) fn answer(record: &RecordedEpisode, id: &str) -> Option<Answer> {
    let raw = raw(record).filter(|raw| raw.contains(id))?;
    let value: Option<Value> = serde_json::from_str(raw).ok();
    Some(value.and_then(|value| answer_in(&value, id)).unwrap_or_default())
}

fn raw(record: &RecordedEpisode) -> Option<&str> {
    record.episode.raw.as_deref().and_then(|raw| std::str::from_utf8(raw).ok())
}

/// Finds the object that names a call as its own.
fn answer_in(value: &Value, id: &str) -> Option<Answer> {
    match value {
        Value::Array(items) => items.iter().find_map(|item| answer_in(item, id)),
        Value::Object(map) => {
            if ANSWERED.iter().any(|key| map.get(*key).and_then(Value::as_str) == Some(id)) {
                return Some(read_answer(map));
            }
            map.values().find_map(|item| answer_in(item, id))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// What objects of results call the id of the call.
const ANSWERED: [&str; 5] = ["tool_use_id", "tool_call_id", "call_id", "callId", "id"];
/// Where they have what the tool gave.
const GIVEN: [&str; 5] = ["content", "output", "result", "error", "resultDisplay"];
/// How results open that tell of a call which was called off, as far as they are known: of 2025 and 2026.
const CANCELLED: [&str; 4] =
    ["The user doesn't want to", "User rejected tool use", "[Request interrupted by user", "aborted by user"];

fn read_answer(map: &Map<String, Value>) -> Answer {
    let flag = FLAGS.iter().find_map(|key| map.get(*key)?.as_bool());
    let status = map.get("status").and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
    let has_failed = flag.or_else(|| Some(!map.get("success")?.as_bool()?)).or(match status.as_str() {
        "error" | "errored" | "failed" | "failure" => Some(true),
        "success" | "succeeded" | "completed" | "ok" => Some(false),
        _ => None,
    });
    let line = GIVEN.iter().find_map(|key| first_line(map.get(*key)?)).unwrap_or_default();
    let is_cancelled = matches!(status.as_str(), "cancelled" | "canceled" | "aborted" | "rejected")
        || CANCELLED.iter().any(|opening| line.starts_with(opening));
    Answer { has_failed, is_cancelled, line }
}

fn first_line(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned),
        Value::Array(items) => items.iter().find_map(first_line),
        Value::Object(map) => {
            ["text", "output", "error", "message"].iter().find_map(|key| first_line(map.get(*key)?))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn collect(value: &Value, record: &RecordedEpisode, found: &mut Vec<Asked>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, record, found)),
        Value::Object(map) => match call(map, record) {
            Some(asked) => found.push(asked),
            None => map.values().for_each(|item| collect(item, record, found)),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Reads an object as a call; nothing where it is none.
fn call(map: &Map<String, Value>, record: &RecordedEpisode) -> Option<Asked> {
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
    let has_result = RESULTS.iter().any(|key| map.get(*key).is_some_and(|value| !value.is_null()));
    let input = match input {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    Some(Asked {
        id,
        tool: name,
        input,
        at: record.episode.time,
        session: record.episode.session.clone(),
        position: record.episode.position,
        turn: record.episode.id,
        seq: record.seq,
        answer: has_result.then(|| read_answer(map)),
    })
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
    fn a_result_says_how_the_call_went_where_its_format_does() {
        for (raw, has_failed, is_cancelled, line) in [
            (
                r#"{"content":[{"tool_use_id":"c","is_error":true,"content":"\n no\nmore"}]}"#,
                Some(true),
                false,
                "no",
            ),
            (
                r#"{"content":[{"tool_use_id":"c","is_error":false,"content":[{"text":"ok"}]}]}"#,
                Some(false),
                false,
                "ok",
            ),
            (
                r#"{"content":[{"tool_use_id":"d","is_error":true},{"tool_use_id":"c","content":""}]}"#,
                None,
                false,
                "",
            ),
            (r#"{"tool_call_id":"c","status":"error","content":"no"}"#, Some(true), false, "no"),
            (
                r#"{"payload":{"call_id":"c","success":false,"output":{"output":"no"}}}"#,
                Some(true),
                false,
                "no",
            ),
            (
                r#"{"tool_use_id":"c","is_error":true,"content":"The user doesn't want to proceed"}"#,
                Some(true),
                true,
                "The user doesn't want to proceed",
            ),
            (r#"{"id":"c","status":"cancelled"}"#, None, true, ""),
            (r#"not JSON: "c""#, None, false, ""),
        ] {
            let expected = Answer { has_failed, is_cancelled, line: line.to_owned() };
            assert_eq!(answer(&turn(0, Role::Tool, raw), "c"), Some(expected), "{raw}");
            assert_eq!(answer(&turn(0, Role::Tool, raw), "another id"), None, "{raw}");
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
