//! How models are called: within a budget, every call recorded, and what was recorded not asked again.
//!
//! A file of calls is JSON Lines, in the order in which answers came:
//!
//! ```text
//! {"base": "…", "key": "…", "latency_ms": …, "request": {…}, "response": {…}, "role": "reader"}
//! {"base": "…", "error": "…", "key": "…", "latency_ms": …, "request": {…}, "response": {…} or null, "role": "judge"}
//! ```
//!
//! `key` is the hash of base and request: the same request to the same service is answered from the file. What came of a
//! call that failed is recorded, too, and asked again. No line holds an API key.
//! Invariant: a call is begun only where the most that it may take, by our own count of the tokens, is left of the budget;
//! what is spent is what the service counts.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bygone_engine::embed::Caller;
use fs_err::{File, OpenOptions};
use serde_json::{Value, json};

use super::chat::{Model, PATH, Said, Usage, read, usage};
use crate::error::EvalError;

/// What a model is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// To answer.
    Reader,
    /// To say whether an answer is right.
    Judge,
}

impl Role {
    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Reader => "reader",
            Role::Judge => "judge",
        }
    }
}

/// A model in a role, and where it is asked.
pub struct Voice {
    /// What it is asked for.
    pub role: Role,
    /// The model.
    pub model: Model,
    /// What stands before `/v1/…`.
    pub base: String,
    /// What asks it; without one only recorded answers are taken.
    pub caller: Option<Caller>,
}

/// The most that may be asked of services.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// In tokens, asked and answered.
    pub tokens: Option<u64>,
    /// In money.
    pub money: Option<f64>,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What was said.
    pub said: Said,
    /// How long it took, attempts and waits included.
    pub latency_ms: u64,
}

/// What calls came to so far, those of services alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Calls that a service answered, in whatever way.
    pub calls: u64,
    /// Calls that were answered from the file.
    pub replayed: u64,
    /// The tokens of what was answered.
    pub usage: Usage,
    /// What that cost.
    pub money: f64,
}

/// What tells how much time has passed since some moment.
pub type Elapsed<'a> = &'a (dyn Fn() -> Duration + Sync);

/// The calls of a run.
pub struct Calls<'a> {
    budget: Budget,
    elapsed: Elapsed<'a>,
    state: Mutex<State>,
    /// Told whenever a call has come to its end.
    ended: Condvar,
}

#[derive(Default)]
struct State {
    file: Option<File>,
    known: BTreeMap<String, Recorded>,
    spent: Spent,
    /// The most that calls under way may take.
    reserved: (u64, f64),
    /// The keys of calls under way.
    under_way: BTreeSet<String>,
}

struct Recorded {
    response: Value,
    latency_ms: u64,
}

impl<'a> Calls<'a> {
    /// Starts with the calls that a file holds, if one is named, and records further ones behind them.
    ///
    /// # Errors
    /// [`EvalError::Run`] where the file is none of calls; [`EvalError::Unreadable`].
    pub fn open(path: Option<&Path>, budget: Budget, elapsed: Elapsed<'a>) -> Result<Calls<'a>, EvalError> {
        let mut state = State::default();
        if let Some(path) = path {
            let open = OpenOptions::new().create(true).read(true).write(true).truncate(false).open(path);
            let mut file = open.map_err(EvalError::Unreadable)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(EvalError::Unreadable)?;
            let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
            let refuse = |reason: String| EvalError::Run { path: path.to_owned(), reason };
            if whole == 0 && !bytes.is_empty() && !bytes.starts_with(b"{\"base\":") {
                return Err(refuse("is no file of calls, and is left as it is".to_owned()));
            }
            state.known = recorded(&bytes[..whole]).map_err(refuse)?;
            // A call that was cut off is made again.
            if whole < bytes.len() {
                file.set_len(whole as u64).map_err(EvalError::Unreadable)?;
            }
            file.seek(SeekFrom::Start(whole as u64)).map_err(EvalError::Unreadable)?;
            state.file = Some(file);
        }
        Ok(Calls { budget, elapsed, state: Mutex::new(state), ended: Condvar::new() })
    }

    /// Says whether a request has been answered.
    pub fn is_known(&self, voice: &Voice, prompt: &str) -> bool {
        self.state().known.contains_key(&key(&voice.base, &voice.model.request(prompt)))
    }

    /// Asks a model, or answers from what is recorded. Who asks what is being asked already waits for that answer.
    ///
    /// # Errors
    /// [`EvalError::Model`] where the answer cannot be used, or none is recorded and nobody may be asked,
    /// [`EvalError::Budget`] where the rest of the budget may not do, [`EvalError::Embed`] where the service fails.
    pub fn ask(&self, voice: &Voice, prompt: &str) -> Result<Call, EvalError> {
        let Voice { role, model, base, caller } = voice;
        let refuse = |what: String| EvalError::Model { role: role.name(), model: model.name.clone(), what };
        let request = model.request(prompt);
        let key = key(base, &request);
        let state = self.ended.wait_while(self.state(), |state| state.under_way.contains(&key));
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if let Some(Recorded { response, latency_ms }) = state.known.get(&key) {
            let call = Call { said: read(prompt, response).map_err(refuse)?, latency_ms: *latency_ms };
            state.spent.replayed += 1;
            return Ok(call);
        }
        let Some(caller) = caller else {
            return Err(refuse("no answer is recorded, and nobody may be asked".to_owned()));
        };
        let at_most = model.at_most(prompt);
        let reserve = (at_most.total(), model.price.of(at_most));
        state.reserve(self.budget, reserve)?;
        state.under_way.insert(key.clone());
        drop(state);
        let start = (self.elapsed)();
        let answered = caller.post::<Value>(PATH, &request);
        let latency_ms =
            u64::try_from((self.elapsed)().saturating_sub(start).as_millis()).unwrap_or(u64::MAX);
        let mut state = self.state();
        state.reserved = (state.reserved.0 - reserve.0, state.reserved.1 - reserve.1);
        state.under_way.remove(&key);
        self.ended.notify_all();
        let mut line = json!({
            "base": base, "key": key, "latency_ms": latency_ms, "request": request, "role": role.name(), "response": null,
        });
        let outcome = answered.map_err(EvalError::from).and_then(|response| {
            // What came is paid for, whether it can be used or not.
            let usage = usage(prompt, &response);
            state.spent.calls += 1;
            state.spent.usage = state.spent.usage.with(usage);
            state.spent.money += model.price.of(usage);
            line["response"] = response;
            read(prompt, &line["response"]).map_err(refuse)
        });
        if let Err(error) = &outcome {
            line["error"] = json!(error.to_string());
        }
        state.record(&line)?;
        let said = outcome?;
        state.known.insert(key, Recorded { response: line["response"].take(), latency_ms });
        Ok(Call { said, latency_ms })
    }

    /// Returns what calls came to so far.
    pub fn spent(&self) -> Spent {
        self.state().spent
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Whoever broke down holding it left nothing half done: each change is one step.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Sets the most that a call may take aside, if it is left.
    fn reserve(&mut self, budget: Budget, (tokens, money): (u64, f64)) -> Result<(), EvalError> {
        let needed_tokens = self.spent.usage.total() + self.reserved.0 + tokens;
        if let Some(most) = budget.tokens.filter(|most| needed_tokens > *most) {
            let spent = self.spent.usage.total();
            return Err(EvalError::Budget(format!(
                "{spent} of {most} tokens are spent, and the next call may take {tokens}"
            )));
        }
        let needed_money = self.spent.money + self.reserved.1 + money;
        if let Some(most) = budget.money.filter(|most| needed_money > *most) {
            let spent = self.spent.money;
            return Err(EvalError::Budget(format!(
                "{spent:.4} of {most:.4} are spent, and the next call may cost {money:.4}"
            )));
        }
        self.reserved = (self.reserved.0 + tokens, self.reserved.1 + money);
        Ok(())
    }

    fn record(&mut self, line: &Value) -> Result<(), EvalError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.write_all(format!("{line}\n").as_bytes()).map_err(EvalError::Unwritten)
    }
}

fn key(base: &str, request: &Value) -> String {
    blake3::hash(json!([base, request]).to_string().as_bytes()).to_hex().to_string()
}

/// Reads the answered calls of a file.
fn recorded(bytes: &[u8]) -> Result<BTreeMap<String, Recorded>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is no file of calls: expected UTF-8".to_owned())?;
    let mut known = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let refuse = |what: &str| format!("line {number}: is no call: {what}");
        let mut call: Value = serde_json::from_str(line).map_err(|error| refuse(&error.to_string()))?;
        let base = call["base"].as_str().ok_or_else(|| refuse("expected `base`"))?;
        let said = call["key"].as_str().ok_or_else(|| refuse("expected `key`"))?.to_owned();
        if key(base, &call["request"]) != said {
            return Err(refuse("`key` is not that of its request"));
        }
        let latency_ms = call["latency_ms"].as_u64().ok_or_else(|| refuse("expected `latency_ms`"))?;
        if call.get("error").is_none() {
            let response = call["response"].take();
            known.entry(said).or_insert(Recorded { response, latency_ms });
        }
    }
    Ok(known)
}
