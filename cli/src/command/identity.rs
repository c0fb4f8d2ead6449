//! `bygone merge` and `bygone split`: each records a statement of identity, and undoes the other.

use bygone_engine::identity::SAME_AS;
use bygone_engine::store::{Recording, Seen, Space};
use bygone_engine::time::Instant;
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
    let Opened { space, ontology, now, mut output, .. } = context.reading()?;
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST)?;
    let (one, other) = (bearer(&seen, one)?, bearer(&seen, other)?);
    if one == other {
        return Err(Failure::Usage(format!("{one} is one entity: two are expected")));
    }
    let is_a = |one: &EntityRef, other: &EntityRef| ontology.is_a(one.kind(), other.kind());
    if merge && !is_a(&one, &other) && !is_a(&other, &one) {
        return Err(Failure::Usage(format!(
            "{one} and {other} cannot be one: no {} is a {}",
            one.kind(),
            other.kind()
        )));
    }
    let are_one = seen.identity().representative(&one) == seen.identity().representative(&other);
    let done = if merge { "are one" } else { "are two" };
    let statements = if merge { vec![in_order(&one, &other)] } else { stated(&seen, &one, &other)? };
    // What is so already is recorded all the same: it stands when what made it so is taken back.
    let seq = record(&space, &statements, merge, now, snapshot.last_seq()? + 1)?;
    if output.json {
        output
            .row(&json!({ "one": one.to_string(), "other": other.to_string(), "same": merge, "seq": seq }))?;
    } else {
        let since = if are_one == merge { "already; that is recorded, too" } else { "from now on" };
        output.line(format!("{one} and {other} {done} {since}"))?;
    }
    Ok(Exit::Done)
}

/// A pair as it stands in a statement: its subject and its object.
type Pair = (EntityRef, EntityRef);

/// Puts a pair into the order in which it is recorded, whichever way it was given.
fn in_order(one: &EntityRef, other: &EntityRef) -> Pair {
    if one <= other { (one.clone(), other.clone()) } else { (other.clone(), one.clone()) }
}

/// Returns the ways in which it is believed that two are one, so that each of them is denied; at least the usual one.
fn stated(seen: &Seen<'_>, one: &EntityRef, other: &EntityRef) -> Result<Vec<Pair>, Failure> {
    let mut pairs = vec![in_order(one, other)];
    for (subject, object) in [(one, other), (other, one)] {
        for group in seen.groups_of(subject)?.iter().filter(|group| group.predicate == SAME_AS) {
            let pair = (subject.clone(), object.clone());
            let says_so = seen.facts(group)?.iter().any(|fact| fact.object.entity() == Some(object));
            if says_so && !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    Ok(pairs)
}

fn record(
    space: &Space<'_>,
    pairs: &[Pair],
    merge: bool,
    now: Instant,
    position: u64,
) -> Result<Option<u64>, Failure> {
    let mut recording = Recording::default();
    for (subject, object) in pairs {
        let line = json!({
            "subject": subject.to_string(),
            "predicate": SAME_AS,
            "object": { "entity": object.to_string() },
            "polarity": if merge { "affirm" } else { "deny" },
        });
        // The position orders decisions made at the same instant, as with a fixed clock.
        let defaults = Defaults { now, document: "identity".to_owned(), position };
        let statement = read_statement(&line.to_string(), &defaults)
            .map_err(|error| Failure::Input(error.to_string()))?;
        recording.episodes.push(statement.episode);
        recording.assertions.push(statement.assertion);
    }
    Ok(space.record(recording, now)?.seq)
}
