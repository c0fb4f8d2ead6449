//! The tools that are Bygone's own.

use bygone_engine::time::parse_moment;
use serde_json::{Map, Value, json};

use super::arguments::Given;
use super::call::{Call, Rows};
use super::{Gave, Told, Tool, number, text};
use crate::failure::Exit;
use crate::verb::Scope;

/// What every tool says of a view.
const VALID: &str =
    "When it was so: a time such as 2024-03, a period A..B, or all. Now, where it is not given.";
const KNOWN: &str = "What was known by then: a time. Everything that is known, where it is not given.";
const CURSOR: &str = "Where to go on: `next` of the answer before, with the same arguments.";

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "remember",
        about: "Record what was said, or statements. Give `text` for something in plain words: facts are read from it where they are plain. Give `statements` for facts that you know exactly. Nothing is overwritten: what was believed before stays as history.",
        takes: || {
            let statements = json!({ "type": "array", "items": { "type": "object" }, "description":
                "Statements such as {\"subject\":\"person:Anna\",\"predicate\":\"lives_in\",\"object\":{\"entity\":\"place:Bern\"},\"from\":\"2024-03\"}. `object` is one of {\"entity\":\"type:Name\"}, {\"text\":…}, {\"number\":…,\"unit\":…}, {\"bool\":…}; \"polarity\":\"deny\" takes back or ends." });
            (
                json!({
                    "text": text("What was said, in plain words."),
                    "speaker": text("Who said it. The user, where it is not given."),
                    "at": text("When it was said. Now, where it is not given."),
                    "session": text("The conversation that it belongs to."),
                    "statements": statements,
                }),
                &[],
            )
        },
        scope: Scope::Write,
        run: remember,
    },
    Tool {
        name: "recall",
        about: "Find what was said and what is known about something, by words and by meaning; the best first, each with who said it and when.",
        takes: || {
            (
                json!({
                    "text": text("What to look for."),
                    "k": number("How many at most. 10, where it is not given."),
                    "kind": { "type": "string", "enum": ["turn", "fact"], "description": "Only turns, or only facts." },
                    "valid": text(VALID),
                    "known": text(KNOWN),
                    "cursor": text(CURSOR),
                }),
                &["text"],
            )
        },
        scope: Scope::Read,
        run: recall,
    },
    Tool {
        name: "ask",
        about: "Answer a question in plain English about who, what, when, where, how long or how many, such as \"Where did Anna live in March 2024?\" or \"What did we think in May about the deadline?\". The answer says how the question was read and quotes what it rests on; `known` is false where nothing answers it.",
        takes: || {
            (
                json!({ "question": text("The question."), "valid": text(VALID), "known": text(KNOWN) }),
                &["question"],
            )
        },
        scope: Scope::Read,
        run: ask,
    },
    Tool {
        name: "what_changed",
        about: "Show what is believed otherwise than before: what was learned, changed, corrected, ended or reopened, each with its cause.",
        takes: || {
            (
                json!({
                    "since": text("From then until now, as far as it became known: a time such as 2024-05-01."),
                    "known": text("The same between two times: A..B."),
                    "valid": text("What changed in the world between two times, as it is believed: A..B."),
                    "about": text("Only what mentions this entity."),
                    "cursor": text(CURSOR),
                }),
                &[],
            )
        },
        scope: Scope::Read,
        run: what_changed,
    },
    Tool {
        name: "why",
        about: "Show the proof of a fact, down to the quoted turns, with who said it and when.",
        takes: || {
            (
                json!({ "id": text("The id of a fact, f:…, or of a statement, a:…; other tools give them."), "known": text(KNOWN) }),
                &["id"],
            )
        },
        scope: Scope::Read,
        run: why,
    },
    Tool {
        name: "resume",
        about: "Show what an agent needs to carry on with the work: objective, next step, attempts that failed, decisions, open calls, changed files, promises, messages.",
        takes: || {
            (
                json!({
                    "agent": text("The agent. The one that took part last, where it is not given."),
                    "budget": number("The most tokens. 2000, where it is not given."),
                }),
                &[],
            )
        },
        scope: Scope::Read,
        run: resume,
    },
    Tool {
        name: "checkpoint",
        about: "Save a state of your own, or get one back as it was. With `state` it is saved and its id returned; with `restore` the state of that id is returned; with neither, checkpoints are listed.",
        takes: || {
            (
                json!({
                    "state": { "description": "The state: a text, or any JSON value.", "type": ["string", "object", "array"] },
                    "label": text("A name for it."),
                    "reason": text("Why it is saved."),
                    "agent": text("Whose it is."),
                    "restore": text("The id of a checkpoint, or the first digits of it."),
                }),
                &[],
            )
        },
        scope: Scope::Read,
        run: checkpoint,
    },
    Tool {
        name: "forget",
        about: "Erase something physically, with everything that was concluded from it. This cannot be undone; to say that something is no longer so, use `remember` instead.",
        takes: || {
            (
                json!({
                    "session": text("Every turn of a session."),
                    "user": text("Every turn of a user."),
                    "episode": text("One turn: e:… or session#position."),
                }),
                &[],
            )
        },
        scope: Scope::Erase,
        run: forget,
    },
];

fn remember(given: &mut Given, call: &Call) -> Told {
    let statements = given.value("statements");
    let said = given.text("text")?;
    let (speaker, at, session) = (given.text("speaker")?, given.text("at")?, given.text("session")?);
    given.end()?;
    if statements.is_none() && said.is_none() {
        return Err("nothing is given: expected `text` or `statements`".to_owned());
    }
    let mut receipts = Vec::new();
    if let Some(said) = said {
        if said.trim().is_empty() {
            return Err("text is empty: expected what was said".to_owned());
        }
        let now = call.now.to_rfc3339();
        let at = at.unwrap_or_else(|| now.clone());
        parse_moment(&at).map_err(|error| format!("at: {error}"))?;
        // What is remembered by itself is a conversation by itself.
        let session = session.unwrap_or_else(|| format!("remembered-{now}"));
        let mut message = json!({ "role": "user", "content": said, "timestamp": at, "session_id": session });
        if let Some(speaker) = speaker {
            message["name"] = speaker.into();
        }
        let arguments = json!({ "format": "openai" });
        receipts.extend(call.rows("ingest", arguments, Some(message.to_string()))?.values);
    }
    if let Some(statements) = statements {
        let Value::Array(statements) = statements else {
            return Err("statements: expected a list of objects".to_owned());
        };
        let lines: String = statements.iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect();
        receipts.extend(call.rows("assert", json!({}), Some(lines))?.values);
    }
    let problems: Vec<&str> = receipts
        .iter()
        .flat_map(|receipt| receipt["problems"].as_array().into_iter().flatten())
        .filter_map(|problem| problem["reason"].as_str())
        .collect();
    let sum = |key: &str| receipts.iter().filter_map(|receipt| receipt[key].as_u64()).sum::<u64>();
    Ok(Gave::json(json!({
        "recorded": sum("episodes"), "known_before": sum("duplicates"), "statements": sum("assertions"),
        "redacted": sum("redacted"), "problems": problems,
    })))
}

/// Has a verb done with what is passed on to it, and hands out its rows page by page.
fn passed(given: &mut Given, call: &Call, verb: &str, names: &[&str]) -> Told {
    let mut arguments = Map::new();
    given.pass(names, &mut arguments);
    let cursor = given.text("cursor")?;
    given.end()?;
    let rows = call.rows(verb, Value::Object(arguments.clone()), None)?;
    call.page(verb, &arguments, cursor, &rows)
}

fn recall(given: &mut Given, call: &Call) -> Told {
    passed(given, call, "search", &["text", "k", "kind", "valid", "known"])
}

fn ask(given: &mut Given, call: &Call) -> Told {
    passed(given, call, "ask", &["question", "valid", "known"])
}

fn what_changed(given: &mut Given, call: &Call) -> Told {
    if let Some(since) = given.text("since")? {
        if given.0.contains_key("known") || given.0.contains_key("valid") {
            return Err("expected one of `since`, `known` and `valid`".to_owned());
        }
        // A cursor goes on with the same request.
        given.0.insert("known".to_owned(), format!("{since}..").into());
    }
    if let Some(Value::String(known)) = given.0.get("known")
        && known.ends_with("..")
    {
        let known = format!("{known}latest");
        given.0.insert("known".to_owned(), known.into());
    }
    passed(given, call, "diff", &["known", "valid", "about"])
}

fn why(given: &mut Given, call: &Call) -> Told {
    let id = given.needed("id")?;
    let mut arguments = Map::from_iter([("fact_id".to_owned(), Value::from(id))]);
    given.pass(&["known"], &mut arguments);
    given.end()?;
    let rows = call.rows("why", Value::Object(arguments.clone()), None)?;
    if rows.is_no {
        return Err(rows.remarks.join("\n"));
    }
    call.page("why", &arguments, None, &rows)
}

fn resume(given: &mut Given, call: &Call) -> Told {
    passed(given, call, "resume", &["agent", "budget"])
}

fn checkpoint(given: &mut Given, call: &Call) -> Told {
    if let Some(id) = given.text("restore")? {
        given.end()?;
        let arguments = Map::from_iter([("id".to_owned(), Value::from(id))]);
        let (bytes, outcome) = call.bytes("checkpoint/restore", arguments, None)?;
        if outcome.exit != Exit::Done {
            return Err(outcome.remarks.join("\n"));
        }
        let text = String::from_utf8(bytes).map_err(|_| {
            "the state is not a text: `bygone checkpoint restore` writes it to a file".to_owned()
        })?;
        let state = serde_json::from_str(&text).unwrap_or_else(|_| Value::from(text.clone()));
        return Ok(Gave { structured: json!({ "state": state }), text: Some(text) });
    }
    let Some(state) = given.value("state") else {
        return passed(given, call, "checkpoint/list", &["agent"]);
    };
    let state = match state {
        Value::String(text) => text,
        other => other.to_string(),
    };
    let mut arguments = Map::new();
    given.pass(&["label", "reason", "agent"], &mut arguments);
    given.end()?;
    let rows = call.rows("checkpoint/save", Value::Object(arguments.clone()), Some(state))?;
    call.page("checkpoint/save", &arguments, None, &rows)
}

fn forget(given: &mut Given, call: &Call) -> Told {
    let mut arguments = Map::new();
    given.pass(&["session", "user", "episode"], &mut arguments);
    given.end()?;
    if arguments.len() != 1 {
        return Err("expected one of `session`, `user` and `episode`".to_owned());
    }
    let (bytes, outcome) = call.bytes("erase", arguments.clone(), None)?;
    if outcome.exit == Exit::No {
        return Err("there is nothing of that source to erase".to_owned());
    }
    let rows = Rows::read(&bytes, outcome)?;
    call.page("erase", &arguments, None, &rows)
}
