//! The JSON form of what is kept beside the statements: what was said of items of work-sets, checkpoints with their states, and
//! documents, whose rows `document.rs` writes and reads.
//!
//! ```text
//! {"work_set","status","items","known_at","reason","session","agent","user"}        what was said at once of many items
//! {"state","part","of","base64"}                                                    a piece of a state
//! {"checkpoint","state","bytes","parent","label","reason","session","agent","user","statement","at","pruned"}
//! ```
//!
//! A statement has none of the keys that come first, nor `collection`, which a document has. What is written reads back to the same.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document::{DocumentPart, document};
use crate::checkpoint::ToldCheckpoint;
use crate::excerpt::excerpt;
use crate::id::{AssertionId, CheckpointId, StateId};
use crate::origin::Origin;
use crate::time::{Granularity, Instant, parse_moment};
use crate::work::{Item, Items, Status, WorkChange};

/// The most items in a row.
const ITEMS_IN_ROW: usize = 1_000;
/// The most bytes of a state, or of a document, in a row: a line has to stay below what is read as one.
pub(super) const BYTES_IN_ROW: usize = 24 << 20;

/// What a row tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// What was said of items.
    Work(Box<WorkChange>),
    /// A piece of a state.
    State(StatePart),
    /// A checkpoint.
    Checkpoint(Box<ToldCheckpoint>),
    /// A version of a document, or a piece of it.
    Document(Box<DocumentPart>),
}

/// A piece of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatePart {
    /// The state.
    pub state: StateId,
    /// Which piece, from 1.
    pub part: u64,
    /// Of how many.
    pub of: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Why a row is none.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeptError {
    /// A key is missing, unknown, or of another type.
    #[error("{0}")]
    Form(#[from] serde_json::Error),
    /// A value is not what its key says.
    #[error("`{key}` is {found:?}: expected {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// What it has.
        found: String,
        /// What it ought to have.
        expected: &'static str,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkRow {
    work_set: String,
    status: Status,
    items: Vec<String>,
    known_at: String,
    reason: Option<String>,
    session: String,
    agent: Option<String>,
    user: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StateRow {
    state: String,
    part: u64,
    of: u64,
    base64: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckpointRow {
    checkpoint: String,
    state: String,
    bytes: u64,
    parent: Option<String>,
    label: Option<String>,
    reason: Option<String>,
    session: String,
    agent: Option<String>,
    user: Option<String>,
    statement: String,
    at: String,
    pruned: Option<String>,
}

/// Writes what was said of items; many items take several rows. What has no time of its own is not written.
pub fn work_to_json(said: &WorkChange) -> Vec<Value> {
    let Some(known_at) = said.said_at else { return Vec::new() };
    let row = |items: &[Item]| WorkRow {
        work_set: said.set.clone(),
        status: said.status,
        items: items.iter().map(|item| item.text().into_owned()).collect(),
        known_at: known_at.to_rfc3339(),
        reason: said.reason.clone(),
        session: said.origin.session.clone(),
        agent: said.origin.agent.clone(),
        user: said.origin.user.clone(),
    };
    said.items.as_slice().chunks(ITEMS_IN_ROW).map(|items| sorted(&row(items))).collect()
}

/// Writes a state, piece by piece.
pub fn state_to_json(state: StateId, bytes: &[u8]) -> impl Iterator<Item = Value> + '_ {
    let of = bytes.len().div_ceil(BYTES_IN_ROW).max(1) as u64;
    // A state without bytes has one piece without any.
    let pieces = bytes.chunks(BYTES_IN_ROW).chain(bytes.is_empty().then_some(bytes));
    (1..).zip(pieces).map(move |(part, bytes)| {
        sorted(&StateRow { state: state.to_string(), part, of, base64: BASE64_STANDARD.encode(bytes) })
    })
}

/// Writes a checkpoint.
pub fn checkpoint_to_json(told: &ToldCheckpoint) -> Value {
    let Origin { session, agent, user } = told.origin.clone();
    sorted(&CheckpointRow {
        checkpoint: told.id().to_string(),
        state: told.state.to_string(),
        bytes: told.n_bytes,
        parent: told.parent.map(|parent| parent.to_string()),
        label: told.label.clone(),
        reason: told.reason.clone(),
        session,
        agent,
        user,
        statement: told.statement.to_string(),
        at: told.at.to_rfc3339(),
        pruned: told.pruned.map(Instant::to_rfc3339),
    })
}

/// Writes a row with its keys in order.
pub(super) fn sorted(row: &impl Serialize) -> Value {
    serde_json::to_value(row).expect("every key is a text and every number is finite")
}

/// Reads a line; nothing where it is no row of what is kept beside the statements, and so one of theirs or none at all.
///
/// # Errors
/// [`KeptError`] by what is wrong.
pub fn read_kept(line: &str) -> Result<Option<Kept>, KeptError> {
    // Most lines are statements, and need no parsing for that.
    if !["\"work_set\"", "\"checkpoint\"", "\"base64\"", "\"collection\""]
        .iter()
        .any(|key| line.contains(key))
    {
        return Ok(None);
    }
    let Ok(value) = serde_json::from_str::<Value>(line) else { return Ok(None) };
    let has = |key: &str| value.get(key).is_some();
    if has("work_set") {
        return work(serde_json::from_value(value)?).map(|work| Some(Kept::Work(Box::new(work))));
    }
    if has("checkpoint") {
        return checkpoint(serde_json::from_value(value)?).map(|told| Some(Kept::Checkpoint(Box::new(told))));
    }
    if has("collection") {
        return document(serde_json::from_value(value)?).map(|part| Some(Kept::Document(Box::new(part))));
    }
    if has("base64") {
        return state(serde_json::from_value(value)?).map(|part| Some(Kept::State(part)));
    }
    Ok(None)
}

pub(super) fn wrong(key: &'static str, found: impl AsRef<str>, expected: &'static str) -> KeptError {
    KeptError::Value { key, found: excerpt(found.as_ref()), expected }
}

pub(super) fn instant(key: &'static str, text: &str) -> Result<Instant, KeptError> {
    let moment = parse_moment(text).ok().filter(|moment| moment.grain == Granularity::Instant);
    moment.map(|moment| moment.at).ok_or_else(|| wrong(key, text, "a time as in 2026-03-01T12:00:00Z"))
}

fn work(row: WorkRow) -> Result<WorkChange, KeptError> {
    let WorkRow { work_set, status, items, known_at, reason, session, agent, user } = row;
    let item = |text: &String| {
        Item::new(text).map_err(|_| wrong("items", text, "texts of one line, none of them empty"))
    };
    Ok(WorkChange {
        set: work_set,
        items: items.iter().map(item).collect::<Result<Items, _>>()?,
        status,
        reason,
        origin: Origin { session, agent, user },
        said_at: Some(instant("known_at", &known_at)?),
    })
}

fn state(row: StateRow) -> Result<StatePart, KeptError> {
    let StateRow { state, part, of, base64 } = row;
    if part == 0 || part > of {
        return Err(wrong("part", part.to_string(), "a number from 1 to `of`"));
    }
    Ok(StatePart {
        state: StateId::parse(&state).ok_or_else(|| wrong("state", &state, "an id of a state"))?,
        part,
        of,
        // What it has may be very long.
        bytes: BASE64_STANDARD
            .decode(&base64)
            .map_err(|_| wrong("base64", "something else", "bytes in base64"))?,
    })
}

fn checkpoint(row: CheckpointRow) -> Result<ToldCheckpoint, KeptError> {
    let CheckpointRow {
        checkpoint,
        state,
        bytes,
        parent,
        label,
        reason,
        session,
        agent,
        user,
        statement,
        at,
        pruned,
    } = row;
    let id_of = |key, text: &String| {
        CheckpointId::parse(text).ok_or_else(|| wrong(key, text, "an id of a checkpoint"))
    };
    let told = ToldCheckpoint {
        state: StateId::parse(&state).ok_or_else(|| wrong("state", &state, "an id of a state"))?,
        n_bytes: bytes,
        parent: parent.as_ref().map(|parent| id_of("parent", parent)).transpose()?,
        label,
        reason,
        origin: Origin { session, agent, user },
        statement: AssertionId::parse(&statement)
            .ok_or_else(|| wrong("statement", &statement, "an id of a statement"))?,
        at: instant("at", &at)?,
        pruned: pruned.map(|pruned| instant("pruned", &pruned)).transpose()?,
    };
    if id_of("checkpoint", &checkpoint)? != told.id() {
        return Err(wrong("checkpoint", &checkpoint, "the hash of what the row tells"));
    }
    Ok(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORK: &str = r#"{"agent":"a","items":["7","b c"],"known_at":"2026-03-01T12:00:00.000001Z","reason":null,"session":"s","status":"done","user":null,"work_set":"pages"}"#;

    fn checkpoint() -> ToldCheckpoint {
        ToldCheckpoint {
            state: StateId([1; 16]),
            n_bytes: 3,
            parent: Some(CheckpointId([2; 16])),
            label: None,
            reason: Some("compaction".to_owned()),
            origin: Origin { session: "s".to_owned(), agent: None, user: Some("anna".to_owned()) },
            statement: AssertionId([3; 16]),
            at: parse_moment("2026-03-01T12:00:00Z").expect("a time").at,
            pruned: None,
        }
    }

    #[test]
    fn rows_read_back_as_they_were_written() {
        let Ok(Some(Kept::Work(work))) = read_kept(WORK) else { panic!("no row") };
        assert_eq!(work_to_json(&work).iter().map(Value::to_string).collect::<Vec<_>>(), [WORK]);
        let told = checkpoint();
        let pruned = ToldCheckpoint { pruned: Some(told.at.next()), ..told.clone() };
        for told in [told, pruned] {
            let row = checkpoint_to_json(&told).to_string();
            assert_eq!(read_kept(&row).expect(&row), Some(Kept::Checkpoint(Box::new(told))));
        }
        for bytes in [&b""[..], b"abc"] {
            let rows: Vec<Value> = state_to_json(StateId([1; 16]), bytes).collect();
            assert_eq!(rows.len(), 1);
            let part = StatePart { state: StateId([1; 16]), part: 1, of: 1, bytes: bytes.to_vec() };
            assert_eq!(read_kept(&rows[0].to_string()).expect("a row"), Some(Kept::State(part)));
        }
    }

    #[test]
    fn many_items_take_several_rows() {
        let items: Vec<String> = (0..2_500).map(|n| n.to_string()).collect();
        let row = WORK.replace(r#"["7","b c"]"#, &serde_json::json!(items).to_string());
        let Ok(Some(Kept::Work(work))) = read_kept(&row) else { panic!("no row") };
        let rows = work_to_json(&work);
        assert_eq!(
            rows.iter().map(|row| row["items"].as_array().map_or(0, Vec::len)).collect::<Vec<_>>(),
            [1_000, 1_000, 500]
        );
    }

    #[test]
    fn other_lines_are_left_to_those_who_read_statements() {
        for line in [
            "",
            "{",
            r#"{"subject":"a:b"}"#,
            r#"{"subject":"a:b","object":{"text":"work_set"}}"#,
            "\"work_set\"",
        ] {
            assert!(matches!(read_kept(line), Ok(None)), "{line}");
        }
    }

    #[test]
    fn what_is_wrong_is_refused_by_its_key() {
        let row = checkpoint_to_json(&checkpoint()).to_string();
        let piece = r#"{"base64":"","of":1,"part":1,"state":"s"}"#;
        for (line, told) in [
            (WORK.replace("\"b c\"", "\"\""), "items"),
            (WORK.replace("\"b c\"", "\"b\\nc\""), "items"),
            (WORK.replace("2026-03-01T12:00:00.000001Z", "2026-03-01"), "known_at"),
            (WORK.replace("\"done\"", "\"gone\""), "gone"),
            (WORK.replace("\"agent\"", "\"agents\""), "agents"),
            (WORK.replace("\"session\":\"s\",", ""), "session"),
            (row.replace("compaction", "Compaction"), "checkpoint"),
            (row.replace("\"parent\":\"c:", "\"parent\":\"d:"), "parent"),
            (row.replace("\"statement\":\"a:", "\"statement\":\"e:"), "statement"),
            (piece.to_owned(), "state"),
            (piece.replace("\"part\":1", "\"part\":2"), "part"),
            (piece.replace("\"part\":1", "\"part\":0"), "part"),
        ] {
            let error = read_kept(&line).expect_err(&line).to_string();
            assert!(error.contains(told), "{line}: {error}");
        }
    }
}
