//! What is done at each turning point: commands of this program, one after another, as a person would run them.

use std::ffi::OsString;
use std::path::Path;

use serde_json::{Value, json};

use super::event::Event;
use crate::arguments::Global;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::{Session, Streams};

/// What the steps work with.
pub(super) struct Steps<'a> {
    pub(super) session: &'a mut Session,
    pub(super) global: &'a Global,
    pub(super) agent: Option<String>,
    pub(super) output: Output<'a>,
}

/// What a command came to.
struct Ran {
    exit: Exit,
    output: String,
    errors: String,
}

impl Steps<'_> {
    /// Records what the agent's transcripts of the project hold, and answers with the packet.
    pub(super) fn start(&mut self, event: &Event, budget: u32) -> Result<(), Failure> {
        self.record(event.folder().into_iter())?;
        let packet = self.packet(budget)?;
        let answer = json!({
            "hookSpecificOutput": { "hookEventName": "SessionStart", "additionalContext": packet },
        });
        self.output.row(&answer)
    }

    /// Records what the session holds, and keeps a checkpoint of the packet as it is now.
    pub(super) fn keep(&mut self, event: &Event) -> Result<(), Failure> {
        self.record(event.transcript.as_deref().into_iter())?;
        let packet = self.packet(u32::MAX)?;
        if packet.is_empty() {
            return Ok(());
        }
        let mut words = vec!["checkpoint".into(), "save".into(), "-".into()];
        if let Some(reason) = &event.reason {
            words.push(format!("--reason={reason}").into());
        }
        if let Some(session) = &event.session {
            words.push(format!("--session={session}").into());
        }
        words.extend(self.agent.as_ref().map(|agent| format!("--agent={agent}").into()));
        done(self.run(words, packet.as_bytes())).map(drop)
    }

    /// Records transcripts; what is known already is passed over.
    pub(super) fn record<'p>(&mut self, paths: impl Iterator<Item = &'p Path>) -> Result<(), Failure> {
        for path in paths {
            // A path may start with a dash.
            let words = vec!["ingest".into(), "--".into(), path.as_os_str().to_owned()];
            done(self.run(words, b""))?;
        }
        Ok(())
    }

    /// Returns the packet that the next session carries on with; empty where there is nothing to carry on with.
    fn packet(&mut self, budget: u32) -> Result<String, Failure> {
        let mut words = vec!["resume".into(), format!("--budget={budget}").into()];
        words.extend(self.agent.as_ref().map(|agent| format!("--agent={agent}").into()));
        let ran = self.run(words, b"");
        match ran.exit {
            // There is no store yet, or nothing in it.
            Exit::BadInput if !self.global.store.exists() => Ok(String::new()),
            Exit::No => Ok(String::new()),
            _ => done(ran),
        }
    }

    fn run(&mut self, words: Vec<OsString>, mut input: &[u8]) -> Ran {
        let Global { store, space, now, config, .. } = self.global;
        let mut all: Vec<OsString> = vec!["bygone".into(), "--quiet".into(), "--store".into(), store.into()];
        all.extend(["--space".into(), space.into()]);
        all.extend(now.iter().flat_map(|now| ["--now".into(), now.into()]));
        all.extend(config.iter().flat_map(|path| ["--config".into(), path.into()]));
        all.extend(words);
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let mut streams = Streams { input: &mut input, output: &mut output, errors: &mut errors };
        let exit = self.session.run(all, &mut streams);
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ran { exit, output: text(output), errors: text(errors) }
    }
}

/// Returns what a command showed, where it did what it was asked.
fn done(ran: Ran) -> Result<String, Failure> {
    match ran.exit {
        Exit::Done => Ok(ran.output),
        _ => Err(Failure::Input(ran.errors.trim().trim_start_matches("bygone: ").to_owned())),
    }
}

/// Says whether a command of a hook is one of ours.
pub(super) fn is_ours(command: &Value) -> bool {
    let text = command.get("command").and_then(Value::as_str).unwrap_or_default();
    text.contains("bygone") && text.contains(" hook ")
}
