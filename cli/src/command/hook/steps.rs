//! What is done at each turning point: commands of this program, one after another, as a person would run them.

use std::ffi::OsString;
use std::path::Path;

use bygone_engine::time::{Instant, parse_moment};
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
    /// The space that is worked in.
    pub(super) space: String,
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
        // Before a project's first turn its folder is empty.
        let has_files =
            |folder: &&Path| fs_err::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
        self.record(event.folder.as_deref().filter(has_files))?;
        let (_, mut packet) = self.packet(budget)?.unwrap_or_default();
        if !packet.is_empty() {
            // The agent's own shell knows neither the program's folder nor the store.
            let prefix = prefix(&self.global.store, &self.space)?;
            packet = format!("{packet}\nIn these commands `bygone` is `{prefix}`.\n");
        }
        let answer = json!({
            "hookSpecificOutput": { "hookEventName": "SessionStart", "additionalContext": packet },
        });
        self.output.row(&answer)
    }

    /// Records what the session holds, and keeps a checkpoint where the last one is older than that.
    pub(super) fn follow(&mut self, event: &Event, every_micros: i64) -> Result<(), Failure> {
        self.record(event.transcript.as_deref())?;
        let mut words = vec!["checkpoint".into(), "list".into(), "--json".into()];
        words.extend(self.agent.as_ref().map(|agent| format!("--agent={agent}").into()));
        let listed = self.run(words, b"");
        if listed.exit != Exit::Done {
            // There is no store, so there was nothing to record.
            return Ok(());
        }
        let last = listed.output.lines().filter_map(saved_at).max();
        let is_due = last.is_none_or(|last| last.plus_micros(every_micros) <= self.now());
        if is_due { self.save(event) } else { Ok(()) }
    }

    fn now(&self) -> Instant {
        let fixed = self.global.now.as_deref().and_then(|text| parse_moment(text).ok());
        fixed.map_or_else(|| self.session.now(), |moment| moment.at)
    }

    /// Records what the session holds, and keeps a checkpoint of the packet as it is now.
    pub(super) fn keep(&mut self, event: &Event) -> Result<(), Failure> {
        self.record(event.transcript.as_deref())?;
        self.save(event)
    }

    /// Keeps a checkpoint of the packet as it is now.
    fn save(&mut self, event: &Event) -> Result<(), Failure> {
        let Some((agent, packet)) = self.packet(u32::MAX)? else { return Ok(()) };
        let mut words = vec!["checkpoint".into(), "save".into(), "-".into()];
        if let Some(reason) = &event.reason {
            words.push(format!("--reason={reason}").into());
        }
        if let Some(session) = &event.session {
            words.push(format!("--session={session}").into());
        }
        words.push(format!("--agent={agent}").into());
        done(self.run(words, packet.as_bytes())).map(drop)
    }

    /// Records a transcript, or a folder of them, if there is one; what is known already is passed over.
    fn record(&mut self, path: Option<&Path>) -> Result<(), Failure> {
        let Some(path) = path else { return Ok(()) };
        // A path may start with a dash.
        let words = vec!["ingest".into(), "--".into(), path.as_os_str().to_owned()];
        done(self.run(words, b"")).map(drop)
    }

    /// Returns whose packet it is that the next session carries on with, and its text; nothing where there is nothing to
    /// carry on with.
    fn packet(&mut self, budget: u32) -> Result<Option<(String, String)>, Failure> {
        let mut words = vec!["resume".into(), "--json".into(), format!("--budget={budget}").into()];
        words.extend(self.agent.as_ref().map(|agent| format!("--agent={agent}").into()));
        let ran = self.run(words, b"");
        match ran.exit {
            // There is no store yet, or no space, or nothing in it.
            Exit::BadInput if !self.global.store.exists() || !self.has_space()? => return Ok(None),
            Exit::No => return Ok(None),
            _ => {}
        }
        let row: Value = serde_json::from_str(&done(ran)?).unwrap_or_default();
        let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok(Some((text("agent"), text("text"))).filter(|(_, text)| !text.trim().is_empty()))
    }

    /// Says whether the space that is worked in is there yet.
    fn has_space(&mut self) -> Result<bool, Failure> {
        let rows = done(self.run(vec!["spaces".into(), "--json".into()], b""))?;
        let names = rows.lines().filter_map(|row| serde_json::from_str::<Value>(row).ok());
        Ok(names.into_iter().any(|row| row.get("space").and_then(Value::as_str) == Some(&self.space)))
    }

    fn run(&mut self, words: Vec<OsString>, mut input: &[u8]) -> Ran {
        let Global { store, now, config, .. } = self.global;
        let space = &self.space;
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

/// Returns the words that the commands of a store's space start with, for a shell.
pub(super) fn prefix(store: &Path, space: &str) -> Result<String, Failure> {
    let program = std::env::current_exe()?;
    let store = std::path::absolute(store)?;
    Ok(format!(
        "{} --store {} --space {}",
        quoted(&program.to_string_lossy()),
        quoted(&store.to_string_lossy()),
        quoted(space)
    ))
}

/// Quotes a word for a shell, where it has to be.
fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+:@".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Returns when a checkpoint was saved, of its row.
fn saved_at(row: &str) -> Option<Instant> {
    let row: Value = serde_json::from_str(row).ok()?;
    parse_moment(row.get("at")?.as_str()?).ok().map(|moment| moment.at)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        for (word, expected) in [("/a/b", "/a/b"), ("a b", "'a b'"), ("it's", r"'it'\''s'"), ("", "''")] {
            assert_eq!(quoted(word), expected);
        }
    }
}
