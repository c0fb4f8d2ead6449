//! `bygone cursor`: named values that are set by comparing with the last one.

use bygone_query::state::register::{Expectation, Set, Setting, Value, get, set};
use serde_json::json;

use crate::acting::{Acting, length, time_json};
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::{Context, Opened};
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Cursor {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Show what a cursor holds, or held at another time
    ///
    /// Exit code 1 where it holds nothing, or where what it held has run out.
    Get(Get),
    /// Set a cursor, where asked for only if nobody else did in between
    ///
    /// Exit code 1 where it holds something else than was expected; it is as it was then, and what it holds is shown.
    Set(SetCursor),
}

#[derive(clap::Args)]
struct Get {
    /// The cursor
    name: String,
    #[command(flatten)]
    view: ViewOptions,
}

#[derive(clap::Args)]
struct SetCursor {
    /// The cursor
    name: String,
    /// What it is to hold
    #[arg(allow_hyphen_values = true)]
    value: String,
    /// Set it only if it holds this; an empty text: only if it holds nothing
    #[arg(long, value_name = "VALUE", conflicts_with = "expect_seq", allow_hyphen_values = true)]
    expect: Option<String>,
    /// Set it only if this commit set it last; 0: only if it was never set
    #[arg(long, value_name = "N")]
    expect_seq: Option<u64>,
    /// Let it run out after this time, such as 90s, 15m, 2h or 3d
    #[arg(long, value_name = "D", value_parser = length)]
    ttl: Option<i64>,
    /// The version of the source that the value was read from: a hash, a commit, an entity tag
    #[arg(long, value_name = "V")]
    source_version: Option<String>,
    #[command(flatten)]
    acting: Acting,
}

impl Cursor {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.action {
            Action::Get(action) => action.execute(context),
            Action::Set(action) => action.execute(context),
        }
    }
}

impl Get {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant(&snapshot, &request)?;
        let value = get(&seen, &self.name, at)?;
        show(&self.name, value.as_ref(), &mut output)?;
        Ok(if value.is_some_and(|value| !value.has_expired) { Exit::Done } else { Exit::No })
    }
}

impl SetCursor {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let mask = self.acting.mask();
        let value = mask.text(&self.value);
        let source_version = mask.optional(self.source_version.as_deref());
        // What it is expected to hold was masked when it was set, and the answer counts what is kept now.
        let expect = self.acting.mask().optional(self.expect.as_deref());
        let setting = Setting {
            name: &self.name,
            value: &value,
            expected: match (expect, self.expect_seq) {
                (Some(value), _) if value.is_empty() => Expectation::Unset,
                (Some(value), _) => Expectation::Value(value),
                (None, Some(seq)) => Expectation::Seq(seq),
                (None, None) => Expectation::None,
            },
            ttl_micros: self.ttl,
            source_version: source_version.as_deref(),
        };
        let sent = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        mask.tell(&mut output)?;
        let by = self.acting.actor();
        let done = self.acting.decide(&space, sent.as_deref(), &setting, now, |snapshot, place| {
            set(snapshot, place, &by, &setting)
        })?;
        match done {
            Set::Done(value) => {
                show(&self.name, Some(&value), &mut output)?;
                Ok(Exit::Done)
            }
            Set::Lost(value) => {
                show(&self.name, value.as_ref(), &mut output)?;
                output.remark("not set: it does not hold what was expected")?;
                Ok(Exit::No)
            }
        }
    }
}

fn show(name: &str, value: Option<&Value>, output: &mut Output<'_>) -> Result<(), Failure> {
    if output.json {
        let held = value.filter(|value| !value.has_expired);
        return output.row(&json!({
            "name": name,
            "value": held.map(|value| &value.value),
            "seq": value.map_or(0, |value| value.seq),
            "at": value.map(|value| time_json(value.at)),
            "by": value.and_then(|value| value.by.as_ref()),
            "expired": value.is_some_and(|value| value.has_expired),
            "source_version": value.and_then(|value| value.source_version.as_ref()),
            "until": value.and_then(|value| value.until).map(time_json),
        }));
    }
    let Some(value) = value else { return output.remark(format!("{name} holds nothing")) };
    if value.has_expired {
        let until = value.until.map_or_else(String::new, |until| format!(" on {}", until.to_rfc3339()));
        return output.remark(format!("{name} held {:?}, which ran out{until}", value.value));
    }
    output.line(&value.value)?;
    let by = value.by.as_ref().map_or_else(String::new, |agent| format!(" by {agent}"));
    output.remark(format!("set{by} on {} in commit {}", value.at.to_rfc3339(), value.seq))
}
