//! `bygone work`: very many items, each with how it stands.

use std::collections::BTreeMap;

use bygone_engine::store::WorkItem;
use bygone_engine::work::{Item, Items, Status, WorkCount};
use bygone_query::state::work::{Marking, count, items, list, mark, missing_of, work_set};
use serde_json::{Value, json};

use crate::acting::{Acting, time_json};
use crate::failure::{Exit, Failure};
use crate::mask::{Mask, Secrecy};
use crate::output::{Output, count as counted};
use crate::session::{Context, Opened};
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Work {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Add items that are to be done; those that are there stay as they are
    Add(Mark),
    /// Say that items were done
    Done(Mark),
    /// Say that items were tried in vain; each time is another attempt
    Failed(Failed),
    /// Show which of some items are not done; without items, which of the set are not
    Missing(Missing),
    /// Count the items by how they stand; without a set, those of every set
    Count(Count),
    /// Show the items, in order
    List(List),
}

#[derive(clap::Args)]
struct Mark {
    /// The set
    set: String,
    /// The items; - reads them from standard input, one a line
    #[arg(required = true)]
    items: Vec<String>,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Args)]
struct Failed {
    /// Why, in a few words
    #[arg(long, value_name = "WHY", allow_hyphen_values = true)]
    reason: Option<String>,
    #[command(flatten)]
    mark: Mark,
}

#[derive(clap::Args)]
struct Missing {
    /// The set
    set: String,
    /// The items; - reads them from standard input, one a line
    items: Vec<String>,
    #[command(flatten)]
    secrecy: Secrecy,
    #[command(flatten)]
    view: ViewOptions,
}

#[derive(clap::Args)]
struct Count {
    /// The set
    set: Option<String>,
    #[command(flatten)]
    view: ViewOptions,
}

#[derive(clap::Args)]
struct List {
    /// The set
    set: String,
    /// Only those that stand so
    #[arg(long, value_name = "STATUS", value_parser = status)]
    status: Option<Status>,
    #[command(flatten)]
    view: ViewOptions,
}

impl Work {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.action {
            Action::Add(action) => action.execute(context, Status::Queued, None),
            Action::Done(action) => action.execute(context, Status::Done, None),
            Action::Failed(Failed { reason, mark }) => {
                mark.execute(context, Status::Failed, reason.as_deref())
            }
            Action::Missing(action) => action.execute(context),
            Action::Count(action) => action.execute(context),
            Action::List(action) => action.execute(context),
        }
    }
}

impl Mark {
    fn execute(&self, context: Context<'_>, status: Status, reason: Option<&str>) -> Result<Exit, Failure> {
        let mask = self.acting.mask();
        let items: Items = read(&self.items, context.input, &mask)?.into_iter().collect();
        let reason = mask.optional(reason);
        let marking = Marking { set: &self.set, items, status, reason: reason.as_deref() };
        let sent = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        mask.tell(&mut output)?;
        let by = self.acting.actor();
        let marked = self.acting.decide(&space, sent.as_deref(), &marking, now, |snapshot, place| {
            mark(snapshot, place, &by, &marking)
        })?;
        if output.json {
            output.row(&json!({
                "set": marked.set,
                "status": marked.status.name(),
                "items": marked.items,
                "changed": marked.changed,
                "seq": marked.seq,
            }))?;
        } else {
            let all = counted(marked.items, "item");
            output.line(format!("{}: {} of {all} changed", marked.status.name(), marked.changed))?;
        }
        Ok(Exit::Done)
    }
}

impl Missing {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        // Items stand in the set as they were kept.
        let asked = read(&self.items, context.input, &self.secrecy.mask())?;
        let request = self.view.request(context.now())?;
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant(&snapshot, &request)?;
        let mut n_missing = 0;
        if self.items.is_empty() {
            list(&seen, &self.set, None, at, |row| {
                if row.status == Status::Done {
                    return Ok(());
                }
                n_missing += 1;
                show(&row, &mut output)
            })?;
        } else {
            for (item, row) in missing_of(&seen, &self.set, &asked, at)? {
                n_missing += 1;
                match row {
                    Some(row) => show(&row, &mut output)?,
                    None => show_unknown(&item, &mut output)?,
                }
            }
        }
        if !output.json {
            output.remark(format!("{} missing", counted(n_missing, "item")))?;
        }
        Ok(Exit::Done)
    }
}

impl Count {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant(&snapshot, &request)?;
        let counts = match &self.set {
            Some(set) => vec![(work_set(set)?.name().to_owned(), count(&seen, set, at)?)],
            None => seen.work_counts(at)?,
        };
        if output.json {
            for (set, count) in &counts {
                output.row(&count_json(set, *count))?;
            }
            return Ok(Exit::Done);
        }
        let rows: Vec<Vec<String>> = counts
            .iter()
            .map(|(set, count)| {
                let WorkCount { queued, done, failed } = *count;
                vec![
                    set.clone(),
                    format!("{queued} queued"),
                    format!("{done} done"),
                    format!("{failed} failed"),
                    format!("of {}", counted(count.items(), "item")),
                ]
            })
            .collect();
        output.table(&rows)?;
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
        list(&seen, &self.set, self.status, at, |row| show(&row, &mut output))?;
        Ok(Exit::Done)
    }
}

/// Reads items from arguments, and from the input where one of them is `-`: lines that are empty are passed over.
fn read(arguments: &[String], input: &mut dyn std::io::BufRead, mask: &Mask) -> Result<Vec<Item>, Failure> {
    let mut read = Vec::new();
    for argument in arguments {
        if argument != "-" {
            read.extend(items([mask.text(argument).as_str()])?);
            continue;
        }
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).map_err(|error| Failure::Input(error.to_string()))?;
        let bytes = mask.bytes(&bytes);
        for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let unread = |why: &dyn std::fmt::Display| Failure::Input(format!("line {number}: {why}"));
            let text = std::str::from_utf8(line).map_err(|_| unread(&"an item is not UTF-8"))?;
            if !text.is_empty() {
                read.extend(items([text]).map_err(|error| unread(&error))?);
            }
        }
    }
    Ok(read)
}

/// Reads a status.
fn status(text: &str) -> Result<Status, String> {
    let by_name: BTreeMap<_, _> = Status::ALL.into_iter().map(|status| (status.name(), status)).collect();
    by_name.get(text).copied().ok_or_else(|| {
        let names: Vec<&str> = Status::ALL.into_iter().map(Status::name).collect();
        format!("{text:?} is no status: expected one of {}", names.join(", "))
    })
}

fn show(row: &WorkItem, output: &mut Output<'_>) -> Result<(), Failure> {
    if output.json {
        return output.row(&json!({
            "item": row.item,
            "status": row.status.name(),
            "attempts": row.attempts,
            "reason": row.reason,
            "at": time_json(row.at),
            "seq": row.seq,
            "by": row.by,
        }));
    }
    let attempts = match row.attempts {
        0 | 1 => String::new(),
        n => format!(", {n} attempts"),
    };
    let reason = row.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
    output.line(format!("{}  {}{attempts}{reason}", row.item, row.status.name()))
}

fn show_unknown(item: &Item, output: &mut Output<'_>) -> Result<(), Failure> {
    if output.json {
        let nothing = Value::Null;
        return output.row(&json!({
            "item": item.text(),
            "status": nothing,
            "attempts": 0,
            "reason": nothing,
            "at": nothing,
            "seq": nothing,
            "by": nothing,
        }));
    }
    output.line(format!("{}  unknown", item.text()))
}

fn count_json(set: &str, count: WorkCount) -> Value {
    let WorkCount { queued, done, failed } = count;
    json!({ "set": set, "queued": queued, "done": done, "failed": failed, "items": count.items() })
}
