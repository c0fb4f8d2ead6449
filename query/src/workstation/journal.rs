//! What an agent did, day by day: files, commands, commits, pages and calls, the last thing last.

use std::collections::BTreeSet;

use bygone_engine::store::Seen;
use bygone_engine::time::{Granularity, Instant, Moment, format_moment};
use bygone_engine::{AssertionId, EntityRef, Fact};

use crate::resume::{Evidence, Packet};
use crate::say::object_text;
use crate::state::StateError;
use crate::state::call::{State, calls_of};
use crate::state::incarnation::last_epoch;
use crate::state::liveness::Heard;
use crate::state::{Incarnation, party};

/// What agents do, by the predicates that tell of it.
const DEEDS: [(&str, &str); 6] = [
    ("wrote", "wrote"),
    ("ran", "ran"),
    ("finished", "in the background ended"),
    ("committed", "committed"),
    ("fetched", "fetched"),
    ("failed_call", "failed at"),
];

/// Something that was done, in words.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Deed {
    at: Instant,
    text: String,
}

/// Returns the text of `journal.md`.
pub(super) fn journal(seen: &Seen<'_>, packet: &Packet, heard: &Heard) -> Result<String, StateError> {
    let agent = party(&format!("agent:{}", packet.agent))?;
    let mut deeds = BTreeSet::new();
    for (predicate, words) in DEEDS {
        deeds.extend(done(seen, &agent, predicate, words, packet.at)?);
    }
    let mut makers = vec![agent.clone()];
    for epoch in 1..=last_epoch(seen, agent.name(), packet.at)? {
        makers.push(Incarnation { agent: agent.name().to_owned(), epoch }.entity()?);
    }
    for maker in &makers {
        for call in calls_of(seen, maker, packet.at, heard)? {
            let how = match call.state {
                // That it was begun is all that happened.
                State::InFlight | State::OutcomeUnknown => "begun, not settled",
                State::Succeeded => "succeeded",
                State::Failed => "failed",
                State::Cancelled => "called off",
            };
            let error = call.error.as_ref().map_or_else(String::new, |error| format!(": {error:?}"));
            let text = format!("call of {} by {}: {how}{error} [call:{}]", call.tool, call.by, call.key);
            deeds.insert(Deed { at: call.at, text });
        }
    }
    let mut text = vec![format!("# Journal of {}\n", packet.agent)];
    if deeds.is_empty() {
        text.push("\nNothing is known.\n".to_owned());
    }
    let mut day = None;
    for deed in deeds {
        let own = Granularity::Day.floor(deed.at);
        if day.replace(own) != Some(own) {
            text.push(format!("\n## {}\n\n", format_moment(Moment::new(own, Granularity::Day))));
        }
        text.push(format!("- {} {}\n", deed.at.to_chrono().format("%H:%M"), deed.text));
    }
    Ok(text.concat())
}

fn done(
    seen: &Seen<'_>,
    agent: &EntityRef,
    predicate: &str,
    words: &str,
    at: Instant,
) -> Result<Vec<Deed>, StateError> {
    let Some(group) = seen.group(agent, predicate, "")? else { return Ok(Vec::new()) };
    let facts = seen.last_facts_by(&group, at, usize::MAX)?;
    let ids: Vec<AssertionId> = facts.iter().filter_map(|fact| fact.support.first().copied()).collect();
    let said: std::collections::BTreeMap<AssertionId, Evidence> = seen
        .statements_by_id(&ids)?
        .iter()
        .map(|recorded| (recorded.assertion.id, Evidence::of(recorded)))
        .collect();
    let deed = |fact: &Fact| {
        let evidence = said.get(fact.support.first()?)?;
        let what = object_text(&fact.object);
        let what = what.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = format!("{words} {what} [{evidence}]");
        Some(Deed { at: fact.validity.period()?.start(), text })
    };
    Ok(facts.iter().filter_map(deed).collect())
}
