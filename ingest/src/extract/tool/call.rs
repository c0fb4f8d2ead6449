//! Which calls are open, and which go on in the background.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

use bygone_engine::EpisodeId;
use serde_json::Value;

use super::file::absolute;
use super::says;
use crate::read::Turn;

/// A call as it was made.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The tool.
    pub(super) name: String,
    /// Its input.
    pub(super) input: Value,
    /// The turn that made it.
    pub(super) episode: EpisodeId,
    /// The directory it was made in, where known.
    pub(super) cwd: Option<String>,
}

/// A result, and the call it answers.
pub(super) struct Answer<'a> {
    /// The turn that holds it.
    pub(super) turn: &'a Turn,
    /// Whether the tool says it failed.
    pub(super) is_error: Option<bool>,
    /// What it printed.
    pub(super) output: &'a str,
    /// What the harness recorded beside.
    pub(super) details: Option<&'a Value>,
    /// Where it stands.
    pub(super) span: &'a Range<usize>,
    /// The call.
    pub(super) call: &'a Call,
    /// The call's id.
    pub(super) call_id: &'a str,
}

impl<'a> Answer<'a> {
    /// Returns a field of the details.
    pub(super) fn detail(&self, key: &str) -> Option<&'a Value> {
        self.details.and_then(|details| details.get(key))
    }

    /// Returns a text of the call's input.
    pub(super) fn input(&self, key: &str) -> Option<&'a str> {
        self.call.input.get(key).and_then(Value::as_str)
    }

    /// Returns what the tool printed, out of what its harness put around it.
    pub(super) fn printed(&self) -> Cow<'a, str> {
        says::printed(self.output)
    }

    /// Returns the directory the tool worked in: the one its input names, seen from the call's, else the one recorded with
    /// the result.
    pub(super) fn directory(&self) -> Option<Cow<'a, str>> {
        let session = self.call.cwd.as_deref().or(self.turn.cwd.as_deref());
        let named = DIRECTORIES.iter().find_map(|key| self.input(key)).filter(|path| !path.is_empty());
        match named {
            Some(named) => Some(Cow::Owned(absolute(named, session))),
            None => session.map(Cow::Borrowed),
        }
    }
}

/// Where the inputs of tools name the directory to work in.
const DIRECTORIES: [&str; 5] = ["workdir", "working_directory", "cwd", "dir_path", "directory"];

/// After how many later calls one that still waits for its result is given up, and how many commands are followed in the
/// background at a time (chosen, untested).
const WAITING: usize = 4096;

/// The calls of a file that wait for their results. Ids are kept apart by session.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    open: BTreeMap<(String, String), Call>,
    /// The calls by the order in which they were made, those included that were answered since.
    order: VecDeque<((String, String), EpisodeId)>,
    background: Vec<Background>,
    /// The directory last recorded, by session: not every record names it.
    cwd: BTreeMap<String, String>,
    /// The tasks last listed and how they stood, by session.
    tasks: BTreeMap<String, BTreeMap<String, String>>,
    /// The types of the entities that were noted, by session and name.
    types: BTreeMap<String, BTreeMap<String, String>>,
    /// The files that are there by what tools did, by session.
    files: BTreeMap<String, BTreeSet<String>>,
}

/// A shell command that goes on after its result.
#[derive(Clone, Debug)]
pub(super) struct Background {
    session: String,
    /// The id of the call that started it.
    call_id: String,
    /// The id the harness gives it.
    task: Option<String>,
    /// The call that started it.
    pub(super) call: Call,
}

impl Calls {
    /// Returns the state before a file's first turn.
    pub fn new() -> Calls {
        Calls::default()
    }

    pub(super) fn open(&mut self, turn: &Turn, id: &str, name: &str, input: &Value) {
        let session = turn.episode.session.clone();
        if let Some(cwd) = &turn.cwd {
            self.cwd.insert(session.clone(), cwd.clone());
        }
        let cwd = self.cwd.get(&session).cloned();
        let call = Call { name: name.to_owned(), input: input.clone(), episode: turn.episode.id, cwd };
        let key = (session, id.to_owned());
        self.order.push_back((key.clone(), call.episode));
        self.open.insert(key, call);
        while self.order.len() > WAITING {
            self.give_up_oldest();
        }
    }

    fn give_up_oldest(&mut self) {
        if let Some((key, episode)) = self.order.pop_front()
            && self.open.get(&key).is_some_and(|call| call.episode == episode)
        {
            self.open.remove(&key);
        }
    }

    pub(super) fn close(&mut self, turn: &Turn, id: &str) -> Option<Call> {
        self.open.remove(&(turn.episode.session.clone(), id.to_owned()))
    }

    /// Puts tasks in the place of those of the session, or beside them, and returns those before.
    pub(super) fn replace_tasks(
        &mut self,
        session: &str,
        tasks: BTreeMap<String, String>,
        is_merged: bool,
    ) -> BTreeMap<String, String> {
        let known = self.tasks.entry(session.to_owned()).or_default();
        let before = known.clone();
        if is_merged {
            known.extend(tasks);
        } else {
            *known = tasks;
        }
        before
    }

    /// Returns the types of the entities that the session noted.
    pub(super) fn types(&mut self, session: &str) -> &mut BTreeMap<String, String> {
        self.types.entry(session.to_owned()).or_default()
    }

    /// Returns the files that the session has by what its tools did.
    pub(super) fn files(&mut self, session: &str) -> &BTreeSet<String> {
        self.files.entry(session.to_owned()).or_default()
    }

    /// Keeps in mind how a file stands.
    pub(super) fn note_file(&mut self, session: &str, path: &str, is_there: bool) {
        let files = self.files.entry(session.to_owned()).or_default();
        if is_there {
            files.insert(path.to_owned());
        } else {
            files.remove(path);
        }
    }

    pub(super) fn send_to_background(&mut self, answer: &Answer<'_>, task: Option<&str>) {
        if self.background.len() >= WAITING {
            self.background.remove(0);
        }
        self.background.push(Background {
            session: answer.turn.episode.session.clone(),
            call_id: answer.call_id.to_owned(),
            task: task.map(str::to_owned),
            call: answer.call.clone(),
        });
    }

    /// Takes the command out of the background that the id of its call or of its task names.
    pub(super) fn end_background(
        &mut self,
        session: &str,
        call_id: Option<&str>,
        task: Option<&str>,
    ) -> Option<Background> {
        let at = self.background.iter().position(|running| {
            let is_named = |id: Option<&str>, by: Option<&str>| id.is_some() && id == by;
            running.session == session
                && (is_named(Some(&running.call_id), call_id) || is_named(running.task.as_deref(), task))
        })?;
        Some(self.background.remove(at))
    }
}
