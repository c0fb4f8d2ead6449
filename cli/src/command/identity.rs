//! `bygone merge` and `bygone split`: each records a statement of identity, and undoes the other.

use bygone_engine::identity::SAME_AS;
use bygone_engine::store::Recording;
use bygone_engine::wire::{Defaults, read_statement};
use bygone_engine::{EntityRef, View};
use bygone_query::names::bearer;
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Merge {
    /// One entity
    #[arg(value_name = "A")]
    one: String,
    /// The other
    #[arg(value_name = "B")]
    other: String,
}

#[derive(clap::Args)]
pub(crate) struct Split {
    /// One entity
    #[arg(value_name = "A")]
    one: String,
    /// The other
    #[arg(value_name = "B")]
    other: String,
}

impl Merge {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        decide(context, &self.one, &self.other, true)
    }
}

impl Split {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        decide(context, &self.one, &self.other, false)
    }
}

fn decide(context: Context<'_>, one: &str, other: &str, merge: bool) -> Result<Exit, Failure> {
    let Opened { space, now, mut output, .. } = context.reading()?;
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST)?;
    let (one, other) = (bearer(&seen, one)?, bearer(&seen, other)?);
    if one == other {
        return Err(Failure::Usage(format!("{one} is one entity: two are expected")));
    }
    let are_one = seen.identity().representative(&one) == seen.identity().representative(&other);
    let done = if merge { "are one" } else { "are two" };
    // What is so already is recorded all the same: it stands when what made it so is taken back.
    let seq = record(&space, &one, &other, merge, now, snapshot.last_seq()? + 1)?;
    if output.json {
        output
            .row(&json!({ "one": one.to_string(), "other": other.to_string(), "same": merge, "seq": seq }))?;
    } else {
        let since = if are_one == merge { "already; that is recorded, too" } else { "from now on" };
        output.line(format!("{one} and {other} {done} {since}"))?;
    }
    Ok(Exit::Done)
}

fn record(
    space: &bygone_engine::store::Space<'_>,
    one: &EntityRef,
    other: &EntityRef,
    merge: bool,
    now: bygone_engine::time::Instant,
    position: u64,
) -> Result<Option<u64>, Failure> {
    let line = json!({
        "subject": one.to_string(),
        "predicate": SAME_AS,
        "object": { "entity": other.to_string() },
        "polarity": if merge { "affirm" } else { "deny" },
    });
    // The position orders decisions made at the same instant, as with a fixed clock.
    let defaults = Defaults { now, document: "identity".to_owned(), position };
    let statement =
        read_statement(&line.to_string(), &defaults).map_err(|error| Failure::Input(error.to_string()))?;
    let recording = Recording {
        episodes: vec![statement.episode],
        assertions: vec![statement.assertion],
        ..Recording::default()
    };
    Ok(space.record(recording, now)?.seq)
}
