//! `bygone checkpoint`: states that are saved, and come back as they were.

use std::io::{BufRead, Read};

use bygone_engine::checkpoint::{MAX_STATE_BYTES, State};
use bygone_engine::store::{Checkpoint, Seen};
use bygone_engine::time::Instant;
use bygone_query::state::StateError;
use bygone_query::state::checkpoint::{Pruning, Saving, last, named, prune, restore, save};
use serde_json::json;

use crate::acting::{Acting, length, time_json};
use crate::failure::{Exit, Failure};
use crate::output::{Output, count, shorten};
use crate::session::{Context, Opened};
use crate::table::shown;
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct CheckpointCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Save a state, whatever its bytes mean
    Save(Save),
    /// List checkpoints, pruned ones among them
    List(List),
    /// Show what is told of a checkpoint
    Show(Show),
    /// Write the state of a checkpoint as it was saved
    ///
    /// Exit code 1 where there is none, or where it was pruned.
    Restore(Restore),
    /// Let go of the states of checkpoints; what the others reach stays
    Prune(Prune),
}

#[derive(clap::Args)]
struct Save {
    /// The file whose bytes are the state; - reads standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: String,
    /// The checkpoint that it goes on from [default: the last one of who acts]
    #[arg(long, value_name = "ID")]
    parent: Option<String>,
    /// A name for it
    #[arg(long, value_name = "L")]
    label: Option<String>,
    /// Why it is saved
    #[arg(long, value_name = "R")]
    reason: Option<String>,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Args)]
struct List {
    /// Only those of this agent
    #[arg(long, value_name = "A")]
    agent: Option<String>,
    #[command(flatten)]
    view: ViewOptions,
}

#[derive(clap::Args)]
struct Which {
    /// The checkpoint: its id, or the first digits of it [default: the last one of --agent that the view sees]
    #[arg(value_name = "ID", required_unless_present = "agent")]
    id: Option<String>,
    /// The agent whose last checkpoint is meant where no id is given
    #[arg(long, env = "BYGONE_AGENT", value_name = "A")]
    agent: Option<String>,
    #[command(flatten)]
    view: ViewOptions,
}

#[derive(clap::Args)]
struct Show {
    #[command(flatten)]
    which: Which,
}

#[derive(clap::Args)]
struct Restore {
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<String>,
    #[command(flatten)]
    which: Which,
}

#[derive(clap::Args)]
struct Prune {
    /// These checkpoints; of all where none are given
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// All but the last N of each agent
    #[arg(long, value_name = "N")]
    keep: Option<usize>,
    /// Those that are older than this, such as 12h or 30d
    #[arg(long, value_name = "T", value_parser = length)]
    older_than: Option<i64>,
    /// Only those of this agent
    #[arg(long, value_name = "A")]
    of_agent: Option<String>,
    #[command(flatten)]
    acting: Acting,
}

impl CheckpointCommand {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.action {
            Action::Save(action) => action.execute(context),
            Action::List(action) => action.execute(context),
            Action::Show(action) => action.execute(context),
            Action::Restore(action) => action.execute(context),
            Action::Prune(action) => action.execute(context),
        }
    }
}

impl Save {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let bytes = read(&self.file, context.input)?;
        let state = State::new(bytes).ok_or_else(|| {
            Failure::Input(format!("a state has more than {MAX_STATE_BYTES} bytes, which is the most it may"))
        })?;
        let mask = self.acting.mask();
        let [label, reason] = [&self.label, &self.reason].map(|text| mask.optional(text.as_deref()));
        let saving = Saving {
            state,
            parent: self.parent.as_deref(),
            label: label.as_deref(),
            reason: reason.as_deref(),
        };
        let sent = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        mask.tell(&mut output)?;
        let by = self.acting.actor();
        let saved = self.acting.decide(&space, sent.as_deref(), &saving, now, |snapshot, place| {
            save(snapshot, place, &by, &saving)
        })?;
        let Some(checkpoint) = space.snapshot().checkpoint(saved.id)? else {
            return Err(Failure::NotKnown(format!("checkpoint {} is gone already", saved.id)));
        };
        show(&checkpoint, Some(saved.is_unchanged), &mut output)?;
        if saved.is_unchanged && !output.json {
            output.remark("nothing has changed since that checkpoint")?;
        }
        Ok(Exit::Done)
    }
}

impl List {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant(&snapshot, &request)?;
        for checkpoint in seen.checkpoints()? {
            let is_meant = self.agent.is_none() || self.agent == checkpoint.origin.agent;
            if is_meant && checkpoint.at <= at {
                show(&checkpoint, None, &mut output)?;
            }
        }
        Ok(Exit::Done)
    }
}

impl Which {
    /// Returns the checkpoint that is meant.
    fn find(&self, seen: &Seen<'_>, at: Instant) -> Result<Checkpoint, Failure> {
        if let Some(id) = &self.id {
            return Ok(named(seen, id)?);
        }
        let agent = self.agent.as_deref().unwrap_or_default();
        let who = bygone_engine::EntityRef::new("agent", agent)
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let found = last(seen, &who, at)?;
        let none = || StateError::Missing(format!("agent {agent} had saved no checkpoint by then")).into();
        found.ok_or_else(none)
    }
}

impl Show {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let view = &self.which.view;
        let request = view.request(context.now())?;
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let checkpoint = self.which.find(&seen, view.instant(&snapshot, &request)?)?;
        show(&checkpoint, None, &mut output)?;
        Ok(Exit::Done)
    }
}

impl Restore {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let view = &self.which.view;
        let request = view.request(context.now())?;
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let checkpoint = self.which.find(&seen, view.instant(&snapshot, &request)?)?;
        let state = restore(&seen, &checkpoint)?;
        match &self.output {
            Some(path) => {
                std::fs::write(path, state)
                    .map_err(|error| Failure::Input(format!("cannot write {}: {error}", shown(path))))?;
                show(&checkpoint, None, &mut output)?;
            }
            // The state alone, as it was, also where results are JSON.
            None => output.results.write_all(&state)?,
        }
        Ok(Exit::Done)
    }
}

impl Prune {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let pruning = Pruning {
            ids: &self.ids,
            keep: self.keep,
            older_than_micros: self.older_than,
            agent: self.of_agent.as_deref(),
        };
        let sent = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        let by = self.acting.actor();
        let pruned = self.acting.decide(&space, sent.as_deref(), &pruning, now, |snapshot, place| {
            prune(snapshot, place, &by, &pruning)
        })?;
        if output.json {
            output.row(&json!({ "pruned": pruned.pruned, "kept": pruned.kept }))?;
        } else {
            let gone = count(pruned.pruned, "checkpoint");
            output.line(format!("{gone} pruned, {} left", pruned.kept))?;
        }
        Ok(Exit::Done)
    }
}

/// Reads a state, from the input where the file is `-`.
fn read(file: &str, input: &mut dyn BufRead) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    if file == "-" {
        // One byte more than a state may have says that it is too long.
        let most = MAX_STATE_BYTES as u64 + 1;
        input.take(most).read_to_end(&mut bytes).map_err(|error| Failure::Input(error.to_string()))?;
        return Ok(bytes);
    }
    std::fs::read(file).map_err(|error| Failure::Input(format!("cannot read {}: {error}", shown(file))))
}

fn show(checkpoint: &Checkpoint, is_unchanged: Option<bool>, output: &mut Output<'_>) -> Result<(), Failure> {
    let Checkpoint { id, state, n_bytes, parent, label, reason, origin, seq, at, pruned, .. } = checkpoint;
    if output.json {
        let mut row = json!({
            "checkpoint": id.to_string(),
            "state": state.to_string(),
            "bytes": n_bytes,
            "parent": parent.map(|parent| parent.to_string()),
            "label": label,
            "reason": reason,
            "at": time_json(*at),
            "seq": seq,
            "by": origin.agent,
            "session": origin.session,
            "pruned": pruned.map(time_json),
        });
        if let Some(is_unchanged) = is_unchanged {
            row["unchanged"] = is_unchanged.into();
        }
        return output.row(&row);
    }
    let by = origin.agent.as_ref().map_or_else(String::new, |agent| format!("  by {agent}"));
    let parent = parent.map_or_else(String::new, |parent| format!("  after {}", brief(&parent.to_string())));
    let text = |text: &Option<String>| {
        text.as_ref().map_or_else(String::new, |text| format!("  {}", shorten(text, 60)))
    };
    let pruned = pruned.map_or_else(String::new, |at| format!("  pruned {}", at.to_rfc3339()));
    output.line(format!(
        "{id}  {}  {}{by}{parent}{}{}{pruned}",
        at.to_rfc3339(),
        count(*n_bytes, "byte"),
        text(label),
        text(reason),
    ))
}

/// Shortens an id to what tells it from most others.
fn brief(id: &str) -> &str {
    id.get(..10).unwrap_or(id)
}
