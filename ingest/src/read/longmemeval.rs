//! How the LongMemEval data set is read: a JSON list of questions, each with the sessions that the answer is hidden in.
//!
//! ```text
//! [{"question_id": "q1", "question": "…", "answer": "…", "question_date": "2023/05/28 (Sun) 19:47",
//!   "haystack_session_ids": ["s1"], "haystack_dates": ["2023/05/20 (Sat) 02:21"],
//!   "haystack_sessions": [[{"role": "user", "content": "Hi!", "has_answer": false}]]}]
//! ```
//!
//! Each question is a space of its own. The turns of its sessions are records, and so is every other member of it save
//! its id and the sessions' ids and dates, which is skipped: nothing of what is asked, or of where the answer is, gets
//! into the space. For the same reason the turns' own JSON is not kept beside their text.

use std::collections::BTreeSet;
use std::ops::Range;

use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, Episode, EpisodeId, Role};
use serde_json::{Map, Value};

use super::near::missing;
use super::scan::{items, members};
use super::stamp::{kind_of, read_text};
use super::{Element, Manner, Part, Problem, Read, Reader, Record, Source, Turn};

/// The format's entry in the registry.
pub const READER: Reader = Reader {
    name: "longmemeval",
    about: "the LongMemEval data set: a JSON list of questions with their sessions, each a space of its own",
    sniff,
    read: Manner::Elements(read),
};

/// The agent's name.
const AGENT: &str = "assistant";
/// Keys that turns have, which are never a slip for another one.
const KNOWN: [&str; 3] = ["role", "content", "has_answer"];

fn sniff(head: &[u8]) -> bool {
    let first = items(head).and_then(|items| members(head.get(items.first()?.clone())?));
    first.is_some_and(|members| {
        let has = |key: &str| members.iter().any(|(name, _)| name == key);
        has("question_id") && (has("haystack_sessions") || has("haystack_dates") || has("question_date"))
    })
}

fn read(source: &Source<'_>, question: &Element, hand_on: &mut dyn FnMut(Read)) {
    let whole = 0..question.bytes.len();
    let Some(members) = members(&question.bytes) else {
        return set_aside(question, whole, "a question is an object, and this is none", hand_on);
    };
    let member = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, range)| range.clone());
    let text = |range: &Range<usize>| serde_json::from_slice::<String>(question.get(range)).ok();
    let Some(id) = member("question_id").and_then(|range| text(&range)).filter(|id| !id.is_empty()) else {
        return set_aside(question, whole, "a question without a `question_id`", hand_on);
    };
    hand_on(Read::Space(id));
    let list = |name: &str| {
        let range = member(name)?;
        let items = items(question.get(&range))?;
        Some(
            items
                .into_iter()
                .map(|item| range.start + item.start..range.start + item.end)
                .collect::<Vec<_>>(),
        )
    };
    let texts =
        |name: &str| -> Vec<Option<String>> { list(name).unwrap_or_default().iter().map(text).collect() };
    let (ids, dates) = (texts("haystack_session_ids"), texts("haystack_dates"));
    let times: Vec<Result<Instant, String>> = dates.iter().map(|date| read_time(date.as_deref())).collect();
    for (key, range) in &members {
        let place = question.place_of(range.start);
        match key.as_str() {
            "question_id" | "haystack_session_ids" | "haystack_dates" => {}
            "haystack_sessions" => match list(key) {
                Some(sessions) => {
                    if (ids.len(), dates.len()) != (sessions.len(), sessions.len()) {
                        let reason = format!(
                            "{} sessions have {} ids and {} dates",
                            sessions.len(),
                            ids.len(),
                            dates.len()
                        );
                        hand_on(Read::Problem(Problem { place, reason }));
                    }
                    haystack(source, question, &sessions, &ids, &times, hand_on);
                }
                None => {
                    set_aside(question, range.clone(), "the sessions are a list, and this is none", hand_on);
                }
            },
            _ => hand_on(Read::Record(Record::Skipped(place))),
        }
    }
}

fn haystack(
    source: &Source<'_>,
    question: &Element,
    sessions: &[Range<usize>],
    ids: &[Option<String>],
    times: &[Result<Instant, String>],
    hand_on: &mut dyn FnMut(Read),
) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut before = None;
    for (index, range) in sessions.iter().enumerate() {
        let place = question.place_of(range.start);
        let mut problems = Vec::new();
        let id = ids.get(index).cloned().flatten().filter(|id| !id.is_empty()).unwrap_or_else(|| {
            problems.push(format!("session {} of the question has no id", index + 1));
            format!("session_{}", index + 1)
        });
        let session = apart(&id, &taken);
        if session != id {
            problems
                .push(format!("the session id {id:?} stands above; this one is kept apart as {session:?}"));
        }
        taken.insert(session.clone());
        let (time, is_inferred) = match times.get(index) {
            Some(Ok(time)) => (*time, false),
            lack => {
                let lack = match lack {
                    Some(Err(reason)) => format!("the date of session {session:?} {reason}"),
                    _ => format!("session {session:?} has no date"),
                };
                let (time, whence) = match (before, times.iter().skip(index).flatten().next()) {
                    (Some(time), _) => (time, "the session before"),
                    (None, Some(time)) => (*time, "the next session that has one"),
                    (None, None) => (source.modified, "the file"),
                };
                problems.push(format!("{lack}; it is taken from {whence}"));
                (time, true)
            }
        };
        before = Some(time);
        for reason in problems {
            hand_on(Read::Problem(Problem { place, reason }));
        }
        let Some(turns) = items(question.get(range)) else {
            set_aside(question, range.clone(), "a session is a list, and this is none", hand_on);
            continue;
        };
        for (turn, position) in turns.into_iter().zip(1..) {
            let turn = range.start + turn.start..range.start + turn.end;
            let place = question.place_of(turn.start);
            match read_turn(question.get(&turn)) {
                Ok((role, text)) => {
                    let speaker = match role {
                        Role::User => Some(("person", "user")),
                        Role::Agent => Some(("agent", AGENT)),
                        Role::Tool | Role::System | Role::Statement => None,
                    };
                    let span = text.len() - text.trim_start().len()..text.trim_end().len();
                    let part = if role == Role::System { Part::Harness } else { Part::Speech };
                    let parts = if span.start < span.end { vec![part(span)] } else { Vec::new() };
                    let episode = Episode {
                        id: EpisodeId::UNHASHED,
                        session: session.clone(),
                        position,
                        role,
                        speaker: speaker
                            .map(|(kind, name)| EntityRef::new(kind, name).expect("the name is a literal")),
                        agent: Some(AGENT.to_owned()),
                        user: None,
                        time,
                        time_inferred: is_inferred,
                        zone: None,
                        native_id: None,
                        text,
                        raw: None,
                    };
                    let turn = Turn { place, episode: episode.with_content_id(), cwd: None, parts };
                    hand_on(Read::Record(Record::Turn(Box::new(turn))));
                }
                Err(reason) => set_aside(question, turn, &reason, hand_on),
            }
        }
    }
}

/// Returns the id, or, where it is taken, one that tells the session from the others.
fn apart(id: &str, taken: &BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{id}.{number}"));
    std::iter::once(id.to_owned()).chain(numbered).find(|id| !taken.contains(id)).unwrap_or_default()
}

fn read_turn(bytes: &[u8]) -> Result<(Role, String), String> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| format!("not JSON: {error}"))?;
    let Value::Object(map) = value else {
        return Err(format!("a turn is an object, not {}", kind_of(&value)));
    };
    let role = match text(&map, "role")? {
        "user" => Role::User,
        "assistant" => Role::Agent,
        "system" => Role::System,
        other => return Err(format!("the role {other:?} is not known: expected user, assistant or system")),
    };
    Ok((role, text(&map, "content")?.to_owned()))
}

fn text<'a>(map: &'a Map<String, Value>, key: &str) -> Result<&'a str, String> {
    match map.get(key) {
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(format!("`{key}` is {}, not a string", kind_of(other))),
        None => Err(format!("the turn has {}", missing(map, key, &KNOWN))),
    }
}

/// Reads a time such as "2023/05/20 (Sat) 02:21", which is taken for UTC.
pub fn read_time(text: Option<&str>) -> Result<Instant, String> {
    let text = text.ok_or("is no text")?;
    let unread = || format!("is {text:?}, which is no time such as \"2023/05/20 (Sat) 02:21\"");
    let words: Vec<&str> = text.split_whitespace().filter(|word| !word.starts_with('(')).collect();
    let stamp = match words.as_slice() {
        [date, clock] => read_text(&format!("{} {clock}", date.replace('/', "-"))),
        [date] => read_text(&date.replace('/', "-")),
        _ => return Err(unread()),
    };
    stamp.map(|stamp| stamp.at).map_err(|_| unread())
}

fn set_aside(question: &Element, range: Range<usize>, reason: &str, hand_on: &mut dyn FnMut(Read)) {
    let problem = Problem { place: question.place_of(range.start), reason: reason.to_owned() };
    hand_on(Read::Record(Record::set_aside(problem, question.get(&range).to_vec())));
}

#[cfg(test)]
mod tests {
    use bygone_engine::time::format_instant;

    use super::*;

    #[test]
    fn session_dates_are_read() {
        let at = |text: &str| read_time(Some(text)).map(format_instant);
        assert_eq!(at("2023/05/20 (Sat) 02:21").as_deref(), Ok("2023-05-20T02:21:00Z"));
        assert_eq!(at("2023/05/20 02:21").as_deref(), Ok("2023-05-20T02:21:00Z"));
        assert_eq!(at("2023/05/20 (Sat)").as_deref(), Ok("2023-05-20"));
        for text in ["", "2023/02/30 (Thu) 02:21", "Saturday"] {
            assert!(at(text).is_err(), "{text}");
        }
    }
}
