//! `bygone artifact`: files that are being made, and what they lack.

use bygone_query::state::artifact::{Artifact, Setting, list, set};
use serde_json::json;

use crate::acting::{Acting, time_json};
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::{Context, Opened};
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct ArtifactCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Say how far a file that is being made has come
    Set(Set),
    /// List such files, with what they lack
    List(List),
}

#[derive(clap::Args)]
struct Set {
    /// The file's path
    path: String,
    /// What is missing
    #[arg(long, value_name = "WHAT", required_unless_present = "complete", conflicts_with = "complete")]
    missing: Option<String>,
    /// The hash of its content, by which it is known again
    #[arg(long, value_name = "H")]
    hash: Option<String>,
    /// Nothing is missing
    #[arg(long)]
    complete: bool,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Args)]
struct List {
    /// Only those that are not complete
    #[arg(long)]
    incomplete: bool,
    #[command(flatten)]
    view: ViewOptions,
}

impl ArtifactCommand {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.action {
            Action::Set(action) => action.execute(context),
            Action::List(action) => action.execute(context),
        }
    }
}

impl Set {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let mask = self.acting.mask();
        let missing = mask.optional(self.missing.as_deref());
        let setting = Setting {
            path: &self.path,
            hash: self.hash.as_deref(),
            missing: missing.as_deref(),
            complete: self.complete,
        };
        let sent = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        mask.tell(&mut output)?;
        let by = self.acting.actor();
        let artifact = self.acting.decide(&space, sent.as_deref(), &setting, now, |snapshot, place| {
            set(snapshot, place, &by, &setting)
        })?;
        show(&artifact, &mut output)?;
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
        for artifact in list(&seen, at)? {
            if !(self.incomplete && artifact.complete) {
                show(&artifact, &mut output)?;
            }
        }
        Ok(Exit::Done)
    }
}

fn show(artifact: &Artifact, output: &mut Output<'_>) -> Result<(), Failure> {
    let Artifact { path, hash, missing, complete, at, seq, by } = artifact;
    if output.json {
        return output.row(&json!({
            "path": path,
            "hash": hash,
            "missing": missing,
            "complete": complete,
            "at": time_json(*at),
            "seq": seq,
            "by": by,
        }));
    }
    let lacks =
        missing.as_ref().map_or_else(|| "complete".to_owned(), |missing| format!("missing: {missing}"));
    let hash = hash.as_ref().map_or_else(String::new, |hash| format!("  at {hash}"));
    output.line(format!("{path}  {lacks}{hash}"))
}
