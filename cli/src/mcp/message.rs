//! What a client sent, looked at before anything else sees it: a request that cannot be read is answered, too, by its id where
//! it has one, so that whoever sent it does not wait for an answer that never comes.

use std::borrow::Cow;

use serde_json::{Value, json};

/// A fault of a message, by JSON-RPC's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    NotJson = -32700,
    NoRequest = -32600,
    Parameters = -32602,
}

/// Reads a message, and returns the text of it that is handed on.
///
/// # Errors
/// The answer, where it is none that can be.
pub(crate) fn checked(bytes: &[u8]) -> Result<Cow<'_, str>, Value> {
    let text = String::from_utf8_lossy(bytes);
    let (text, value) = match serde_json::from_str::<Value>(&text) {
        Ok(value) => (text, value),
        Err(error) => {
            // Half of a character of two halves: what cuts texts by UTF-16 makes these.
            let mended = without_lone_halves(&text);
            let value = serde_json::from_str(&mended)
                .map_err(|_| answer(&Value::Null, Fault::NotJson, &format!("it is not JSON: {error}")))?;
            (Cow::Owned(mended), value)
        }
    };
    check(&value).map(|()| text)
}

fn check(message: &Value) -> Result<(), Value> {
    let Value::Object(fields) = message else {
        let what =
            if message.is_array() { "batches of messages are not taken" } else { "expected an object" };
        return Err(answer(&Value::Null, Fault::NoRequest, what));
    };
    let id = match fields.get("id") {
        None => &Value::Null,
        Some(id @ (Value::String(_) | Value::Number(_))) => id,
        Some(_) => return Err(answer(&Value::Null, Fault::NoRequest, "id: expected a text or a number")),
    };
    let refuse = |fault, what: &str| Err(answer(id, fault, what));
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return refuse(Fault::NoRequest, "jsonrpc: expected \"2.0\"");
    }
    let method = match fields.get("method") {
        // An answer to what was asked of the client.
        None if fields.contains_key("result") || fields.contains_key("error") => return Ok(()),
        Some(Value::String(method)) => method.as_str(),
        _ => return refuse(Fault::NoRequest, "method: expected a text"),
    };
    let parameters = match fields.get("params") {
        None | Some(Value::Null) => None,
        Some(Value::Object(parameters)) => Some(parameters),
        Some(_) => return refuse(Fault::Parameters, "params: expected an object"),
    };
    let is = |name: &str, fits: fn(&Value) -> bool| {
        parameters.and_then(|parameters| parameters.get(name)).is_some_and(fits)
    };
    match method {
        "tools/call" => {
            let arguments = parameters.and_then(|parameters| parameters.get("arguments"));
            if !is("name", Value::is_string) {
                return refuse(Fault::Parameters, "params.name: expected the name of a tool");
            }
            if !arguments.is_none_or(|arguments| arguments.is_object() || arguments.is_null()) {
                return refuse(Fault::Parameters, "params.arguments: expected an object");
            }
            Ok(())
        }
        "initialize" => {
            for (name, fits) in [
                ("protocolVersion", Value::is_string as fn(&Value) -> bool),
                ("capabilities", Value::is_object),
                ("clientInfo", Value::is_object),
            ] {
                if !is(name, fits) {
                    return refuse(
                        Fault::Parameters,
                        &format!("params.{name} is missing, or of another type"),
                    );
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn answer(id: &Value, fault: Fault, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": fault as i32, "message": message } })
}

/// Puts U+FFFD in the place of escapes that are half a character.
fn without_lone_halves(text: &str) -> String {
    let half = |at: usize, first: u32| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        (first..first + 0x400).contains(&number).then_some(())
    };
    let mut mended = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let n_bytes = if letter != '\\' {
            letter.len_utf8()
        } else if half(at, 0xD800).is_some() && half(at + 6, 0xDC00).is_some() {
            12
        } else if half(at, 0xD800).or(half(at, 0xDC00)).is_some() {
            mended.push('\u{FFFD}');
            at += 6;
            continue;
        } else {
            // An escaped backslash starts no escape.
            1 + text[at + 1..].chars().next().map_or(0, char::len_utf8)
        };
        mended.push_str(&text[at..at + n_bytes]);
        at += n_bytes;
    }
    mended
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, code: i64, id: &Value, said: &str) {
        let answer = checked(text.as_bytes()).expect_err(text);
        assert_eq!((answer["error"]["code"].as_i64(), &answer["id"]), (Some(code), id), "{answer}");
        assert!(
            answer["error"]["message"].as_str().is_some_and(|message| message.contains(said)),
            "{answer}"
        );
    }

    #[test]
    fn what_cannot_be_read_is_answered_by_its_id() {
        refused("garbage", -32700, &Value::Null, "not JSON");
        refused(&format!("{}1{}", "[".repeat(200), "]".repeat(200)), -32700, &Value::Null, "not JSON");
        refused("[]", -32600, &Value::Null, "batches");
        refused(r#"{"id":1,"method":"ping"}"#, -32600, &json!(1), "jsonrpc");
        refused(r#"{"jsonrpc":"2.0","id":"a","method":1}"#, -32600, &json!("a"), "method");
        refused(r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, &Value::Null, "id");
        refused(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":[]}"#, -32602, &json!(2), "params");
        refused(r#"{"jsonrpc":"2.0","id":3,"method":"tools/call"}"#, -32602, &json!(3), "params.name");
        let arguments =
            r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"ask","arguments":[]}}"#;
        refused(arguments, -32602, &json!(4), "params.arguments");
        refused(
            r#"{"jsonrpc":"2.0","id":5,"method":"initialize","params":{}}"#,
            -32602,
            &json!(5),
            "protocolVersion",
        );
    }

    #[test]
    fn what_can_be_read_is_handed_on_as_it_came() {
        for text in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\ud83d\ude00 \\ud800"}}"#,
        ] {
            assert_eq!(checked(text.as_bytes()).expect(text), text);
        }
    }

    #[test]
    fn half_a_character_costs_no_more_than_itself() {
        let text = r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"b\ud83d","c":"\\ud800\ude00","d":"\ud83d\ude00"}}"#;
        let mended = checked(text.as_bytes()).expect("it is read");
        let value: Value = serde_json::from_str(&mended).expect("it is JSON");
        assert_eq!(value["params"], json!({ "a": "b\u{FFFD}", "c": "\\ud800\u{FFFD}", "d": "\u{1F600}" }));
    }
}
