//! Having verbs done for a tool.

use std::sync::Arc;

use bygone_engine::time::Instant;
use serde_json::{Map, Value, json};

use super::{Gave, Told};
use crate::failure::Exit;
use crate::serve::{Granted, reasons};
use crate::verb::{Ask, Outcome, Outlet, Pages, Place, Wrong, verb};

/// How many bytes of rows are read of a verb.
const MOST_READ: usize = 64 << 20;
/// How many bytes of rows a tool hands out at a time (chosen: some six thousand tokens).
const MOST_TOLD: usize = 24 << 10;

/// What has a verb done, wherever the store is, for whoever may have it done.
pub(super) type Doing = Arc<dyn Fn(&Granted, Ask, Outlet) -> Done + Send + Sync>;
/// What a verb gave, and how it went, or why it was not done.
pub(super) type Done = (Outlet, Result<Outcome, String>);

/// A call of a tool: for whom, where, and when.
pub(super) struct Call {
    pub(super) doing: Doing,
    pub(super) place: Place,
    pub(super) granted: Granted,
    pub(super) pages: Pages,
    pub(super) now: Instant,
}

/// What a verb gave.
pub(super) struct Rows {
    pub(super) values: Vec<Value>,
    pub(super) remarks: Vec<String>,
    /// Whether the answer is "no".
    pub(super) is_no: bool,
}

impl Rows {
    /// Reads what a verb gave.
    ///
    /// # Errors
    /// It gave something else.
    pub(super) fn read(bytes: &[u8], outcome: Outcome) -> Result<Rows, String> {
        let text = String::from_utf8_lossy(bytes);
        let values = text.lines().map(serde_json::from_str).collect::<Result<_, _>>();
        let values = values.map_err(|_| "the rows cannot be read".to_owned())?;
        Ok(Rows { values, remarks: outcome.remarks, is_no: outcome.exit == Exit::No })
    }
}

impl Call {
    /// Has a verb done, and returns the bytes that it gives.
    ///
    /// # Errors
    /// What went wrong, in words.
    pub(super) fn bytes(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        input: Option<Vec<u8>>,
    ) -> Result<(Vec<u8>, Outcome), String> {
        let verb = verb(name).expect("tools name verbs that there are");
        let ask = Ask { verb, place: self.place.clone(), arguments, input };
        let (outlet, outcome) = (self.doing)(&self.granted, ask, Outlet::of(MOST_READ));
        let outcome = outcome?;
        if outlet.is_full() {
            return Err("there is too much of it: ask for less".to_owned());
        }
        match outcome.exit {
            Exit::Done | Exit::No => Ok((outlet.bytes, outcome)),
            _ if outcome.remarks.is_empty() => {
                let text = String::from_utf8_lossy(&outlet.bytes);
                let rows: Vec<Value> =
                    text.lines().map_while(|line| serde_json::from_str(line).ok()).collect();
                Err(reasons(&rows))
            }
            _ => Err(outcome.remarks.join("\n")),
        }
    }

    /// Has a verb done, and returns the rows that it gives.
    ///
    /// # Errors
    /// What went wrong, in words; a change that was refused among it.
    pub(super) fn rows(&self, name: &str, arguments: Value, input: Option<String>) -> Result<Rows, String> {
        let Value::Object(arguments) = arguments else { unreachable!("arguments are an object") };
        let (bytes, outcome) = self.bytes(name, arguments, input.map(String::into_bytes))?;
        let changes = verb(name).is_some_and(|verb| !verb.only_reads());
        if changes && outcome.exit == Exit::No {
            let text = String::from_utf8_lossy(&bytes);
            return Err([text.trim_end(), &outcome.remarks.join("\n")].join("\n").trim().to_owned());
        }
        Rows::read(&bytes, outcome)
    }

    /// Returns as many rows as one answer may hold, from where a cursor says, with the cursor of the rest.
    pub(super) fn page(
        &self,
        name: &str,
        asked: &Map<String, Value>,
        cursor: Option<String>,
        rows: &Rows,
    ) -> Told {
        let verb = verb(name).expect("tools name verbs that there are");
        let mut asked = asked.clone();
        if let Some(cursor) = cursor {
            asked.insert("cursor".to_owned(), cursor.into());
        }
        let (space, who) = (&self.place.space, self.granted.who());
        let page = self.pages.page(verb, space, who, &mut asked).map_err(|Wrong(message)| message)?;
        let mut n_bytes = 0;
        let mut to = page.from.min(rows.values.len());
        while let Some(row) = rows.values.get(to) {
            n_bytes += row.to_string().len();
            // One row is handed out however long it is.
            if n_bytes > MOST_TOLD && to > page.from {
                break;
            }
            to += 1;
        }
        let next = (to < rows.values.len()).then(|| self.pages.next(verb, space, who, &asked, to, None));
        let from = page.from.min(to);
        let told: Vec<Value> = rows.values[from..to].to_vec();
        let mut structured = json!({ "rows": told });
        if let Some(next) = next {
            structured["next"] = next.into();
        }
        if !rows.remarks.is_empty() {
            structured["remarks"] = json!(rows.remarks);
        }
        Ok(Gave::json(structured))
    }
}
