//! Making memories of messages: what was said is recorded as turns, and each sentence from which something was read is a memory.
//!
//! No model is asked. Where nothing was read from any message, or reading is not wanted, each message is a memory as it is.

use bygone_engine::View;
use bygone_engine::store::Space;
use bygone_engine::time::{Instant, parse_moment};
use bygone_query::interface::InterfaceError;
use bygone_query::interface::memories::{self, Kept, Whose};
use bygone_query::retrieve::sentences;
use serde_json::{Value, json};

use super::Place;
use super::given::Given;
use crate::clock::Clock;
use crate::keys::Chance;
use crate::mask::Secrecy;
use crate::serve::remember::ingested;
use crate::serve::reply::Problem;

/// How long a name may be that becomes a session's.
const MOST_NAME_BYTES: usize = 512;

/// Something that is said, to be recorded as a turn.
pub(super) struct Said {
    /// Its id, by which it is found again.
    pub(super) id: String,
    pub(super) role: String,
    /// What is said: a text, or parts.
    pub(super) content: Value,
    /// The name that the message gives its speaker.
    pub(super) name: Option<String>,
}

impl Said {
    /// Returns the words, with secrets masked.
    pub(super) fn text(&self) -> String {
        let text = match &self.content {
            Value::String(text) => text.clone(),
            Value::Array(parts) => {
                let parts = parts.iter().filter_map(|part| part.as_str().or_else(|| part["text"].as_str()));
                parts.collect::<Vec<_>>().join("\n")
            }
            _ => String::new(),
        };
        Secrecy::default().mask().text(text.trim())
    }

    fn is_of_somebody(&self) -> bool {
        matches!(self.role.as_str(), "user" | "assistant")
    }
}

/// Draws an id.
pub(super) fn fresh_id() -> Result<String, Problem> {
    let chance = Chance::draw().map_err(|_| Problem::broken())?;
    let chance = chance.secret().first_chunk().map_or(0, |bytes| u128::from_be_bytes(*bytes));
    // RFC 9562, section 5.4: a UUID of chance.
    let id = chance & !(0xf << 76) & !(0b11 << 62) | (4 << 76) | (0b10 << 62);
    let digits = format!("{id:032x}");
    Ok(format!(
        "{}-{}-{}-{}-{}",
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..]
    ))
}

pub(super) fn add(place: &Place<'_>, given: &Given) -> Result<Value, Problem> {
    let whose = given.whose()?;
    let said = messages(given)?;
    let infer = given.flag("infer")?.unwrap_or(true);
    let metadata = given.object("metadata")?;
    let expiration_date = expiration_date(given)?;
    let at = match given.decimal("timestamp")? {
        Some(seconds) => instant(seconds)?,
        None => Clock::System.now(),
    };
    let session = match &whose.run_id {
        Some(run) if run.len() <= MOST_NAME_BYTES && !run.is_empty() => run.clone(),
        Some(_) => return Err(Problem::bad_request("run_id: expected a short text")),
        None => format!("mem0-{}", fresh_id()?),
    };
    record(place, &whose, &session, at, &said)?;
    let mut texts = Vec::new();
    if infer {
        texts = place.writing(|space| read_sentences(space, &session, &said))?;
    }
    if texts.is_empty() {
        let messages = said.iter().filter(|said| said.is_of_somebody()).map(|said| (said, said.text()));
        texts = messages.filter(|(_, text)| !text.is_empty()).collect();
    }
    let mut kept = Vec::new();
    for (said, text) in texts {
        kept.push((
            fresh_id()?,
            Kept {
                text,
                whose: whose.clone(),
                role: said.role.clone(),
                metadata: metadata.clone(),
                created: at.micros(),
                expiration_date: expiration_date.clone(),
                turn: said.id.clone(),
                session: session.clone(),
            },
        ));
    }
    let now = Clock::System.now();
    let added = place.writing(|space| {
        space.decide(None, now, |snapshot, place| memories::add(snapshot, place, &kept, infer))
    })?;
    let added = kept.iter().filter(|(id, _)| added.contains(id));
    let results: Vec<Value> =
        added.map(|(id, kept)| json!({ "id": id, "memory": kept.text, "event": "ADD" })).collect();
    if given.text("output_format")?.as_deref() == Some("v1.0") {
        return Ok(results.into());
    }
    Ok(json!({ "results": results }))
}

/// Reads the day after which memories are not shown.
pub(super) fn expiration_date(given: &Given) -> Result<Option<String>, Problem> {
    let day = given.text("expiration_date")?;
    if let Some(day) = &day {
        parse_moment(day).map_err(|error| Problem::bad_request(format!("expiration_date: {error}")))?;
    }
    Ok(day)
}

fn instant(seconds: f64) -> Result<Instant, Problem> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "what is out of range becomes an instant out of range"
    )]
    let micros = (seconds * 1e6).round() as i64;
    Instant::from_micros(micros).ok_or_else(|| Problem::bad_request("timestamp: expected seconds since 1970"))
}

fn messages(given: &Given) -> Result<Vec<Said>, Problem> {
    let messages = match given.value("messages") {
        Some(Value::Array(messages)) => messages.clone(),
        Some(Value::String(text)) => vec![json!({ "role": "user", "content": text })],
        Some(message @ Value::Object(_)) => vec![message.clone()],
        _ => return Err(Problem::bad_request("messages: expected a list of messages")),
    };
    let mut said = Vec::new();
    for message in &messages {
        let message = Given::within(message)?;
        let role = message.text("role")?.unwrap_or_else(|| "user".to_owned());
        let content = message.value("content").cloned().unwrap_or_default();
        if !matches!(content, Value::String(_) | Value::Array(_) | Value::Null) {
            return Err(Problem::bad_request("content: expected a text"));
        }
        let said_now =
            Said { id: format!("mem0:{}", fresh_id()?), role, content, name: message.text("name")? };
        if !said_now.text().is_empty() {
            said.push(said_now);
        }
    }
    if said.is_empty() {
        return Err(Problem::bad_request("messages: expected at least one that says something"));
    }
    Ok(said)
}

/// Records what is said as turns of a session, with the user and the agent whose memories are made.
pub(super) fn record(
    place: &Place<'_>,
    whose: &Whose,
    session: &str,
    at: Instant,
    said: &[Said],
) -> Result<(), Problem> {
    let messages: Vec<Value> = said.iter().map(|said| message(said, whose, at)).collect();
    let conversation = json!({ "session_id": session, "messages": messages });
    let conversation = conversation.to_string().into_bytes();
    // What is no turn is set aside, and is no memory.
    ingested(place.server, place.granted, place.space, "openai", conversation).map(drop)
}

fn message(said: &Said, whose: &Whose, at: Instant) -> Value {
    let mut message = json!({
        "id": said.id, "role": said.role, "content": said.content, "timestamp": at.to_rfc3339(),
    });
    let own = if said.role == "assistant" { &whose.agent_id } else { &whose.user_id };
    if let Some(name) = own.as_ref().or(said.name.as_ref()) {
        message["name"] = name.as_str().into();
    }
    message
}

/// Returns the sentences of turns from which something was read, in order, each with what said it.
fn read_sentences<'a>(
    space: &Space<'_>,
    session: &str,
    said: &'a [Said],
) -> Result<Vec<(&'a Said, String)>, InterfaceError> {
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST)?;
    let mut read = Vec::new();
    // The reader counts messages from 1.
    for position in 1..=said.len() as u64 {
        for id in snapshot.episodes_at(session, position)? {
            let Some(turn) = snapshot.episode(id)?.map(|recorded| recorded.episode) else { continue };
            let of = said.iter().find(|said| turn.native_id.as_ref() == Some(&said.id));
            let Some(of) = of.filter(|said| said.is_of_somebody()) else { continue };
            let statements = seen.statements_made_in([id])?;
            let spans: Vec<_> =
                statements.iter().filter_map(|recorded| recorded.assertion.source.span).collect();
            for sentence in sentences(&turn.text) {
                let is_read = spans
                    .iter()
                    .any(|span| (span.start as usize) < sentence.end && (span.end as usize) > sentence.start);
                if is_read {
                    read.push((of, turn.text[sentence].to_owned()));
                }
            }
        }
    }
    Ok(read)
}
