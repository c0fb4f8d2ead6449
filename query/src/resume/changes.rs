//! What an agent changed on disk last: files written, deleted and given another name, each with the call that did it, and how
//! the file stands.

use std::collections::BTreeMap;

use bygone_engine::record::Recorded;
use bygone_engine::store::Seen;
use bygone_engine::time::Instant;
use bygone_engine::{AssertionId, EntityRef, Object};
use serde_json::{Value, json};

use super::evidence::Evidence;
use super::trail::{Trail, supports};
use crate::state::call::asked::tools_called;
use crate::state::{StateError, stands};

/// The predicate of files written.
const WROTE: &str = "wrote";
/// The predicate of whether a file is there.
pub(super) const FILE_STATE: &str = "file_state";
/// What a file is that is not there.
const DELETED: &str = "deleted";
/// The rule that tells of files that have another name.
const MOVES: &str = "tool.move/";
/// The rule that tells of files that shell commands wrote, made, removed or gave another name.
const SCRIPTS: &str = "tool.script/";

/// Writings that are looked at, the last ones.
const MOST_WRITINGS: usize = 100;
/// Files that are told of.
const MOST_FILES: usize = 24;

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Did {
    /// It was made, or its content changed.
    Written,
    /// It was deleted, or is known by another name since.
    Deleted,
    /// It is the new name of another file.
    Moved,
}

impl Did {
    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Did::Written => "written",
            Did::Deleted => "deleted",
            Did::Moved => "moved",
        }
    }
}

/// A change of a file, the last one that the agent made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: String,
    /// What became of it.
    pub did: Did,
    /// When.
    pub at: Instant,
    /// How often it was written, among the writings that were looked at.
    pub n_times: usize,
    /// The tool that did it, where its call tells.
    pub tool: Option<String>,
    /// How the file stands: `exists`, `deleted`, or its hash.
    pub now: Option<String>,
    /// What was said of it since by others.
    pub since: Option<Later>,
    /// The turn with the call's result, and that with the call.
    pub evidence: Vec<Evidence>,
}

/// What was said of a file after the agent changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Later {
    /// When.
    pub at: Instant,
    /// The agent whose call it was.
    pub by: Option<String>,
    /// Where.
    pub evidence: Evidence,
}

impl Change {
    pub(super) fn to_json(&self) -> Value {
        let later = |later: &Later| {
            json!({
                "at": later.at.to_rfc3339(),
                "by": later.by,
                "evidence": later.evidence.to_json(),
            })
        };
        json!({
            "path": self.path,
            "did": self.did.name(),
            "at": self.at.to_rfc3339(),
            "times": self.n_times,
            "tool": self.tool,
            "now": self.now,
            "since": self.since.as_ref().map(later),
            "evidence": self.evidence.iter().map(Evidence::to_json).collect::<Vec<_>>(),
        })
    }
}

/// A change and the statement that tells of it.
struct Found {
    file: EntityRef,
    did: Did,
    at: Instant,
    n_times: usize,
    statement: Option<Recorded>,
}

/// Returns what an agent changed by an instant, the last change first; each file once.
pub(super) fn changes(
    seen: &Seen<'_>,
    agent: &EntityRef,
    trail: &Trail,
    at: Instant,
) -> Result<Vec<Change>, StateError> {
    let mut found = written(seen, agent, at)?;
    for recorded in &trail.results {
        let assertion = &recorded.assertion;
        let is_of_agent = assertion.source.agent.as_deref() == Some(agent.name());
        if assertion.predicate != FILE_STATE || !is_of_agent || assertion.known_at > at {
            continue;
        }
        let is_deleted = matches!(&assertion.object, Some(Object::Text(text)) if text == DELETED);
        let last = found.iter().position(|change| change.file == assertion.subject);
        let is_told = last.is_some_and(|nth| found[nth].at >= assertion.known_at);
        let did = match (is_deleted, &assertion.extractor) {
            (true, _) => Did::Deleted,
            (false, rule) if rule.starts_with(MOVES) => Did::Moved,
            (false, rule) if rule.starts_with(SCRIPTS) && !is_told => Did::Written,
            // That it exists since it was written was told above.
            (false, _) => continue,
        };
        let change = Found {
            file: assertion.subject.clone(),
            did,
            at: assertion.known_at,
            n_times: 1,
            statement: Some(recorded.clone()),
        };
        match last {
            Some(nth) if found[nth].at <= change.at => found[nth] = change,
            Some(_) => {}
            None => found.push(change),
        }
    }
    found.sort_by(|one, other| (other.at, &one.file).cmp(&(one.at, &other.file)));
    found.truncate(MOST_FILES);
    found.into_iter().map(|found| told(seen, found, at)).collect()
}

/// Returns the files that were written last, each with its last writing.
fn written(seen: &Seen<'_>, agent: &EntityRef, at: Instant) -> Result<Vec<Found>, StateError> {
    let Some(group) = seen.group(agent, WROTE, "")? else { return Ok(Vec::new()) };
    let mut last: BTreeMap<EntityRef, (Instant, usize, Option<AssertionId>)> = BTreeMap::new();
    for fact in seen.last_facts_by(&group, at, MOST_WRITINGS)? {
        let (Some(file), Some(period)) = (fact.object.entity(), fact.validity.period()) else { continue };
        let entry = last.entry(file.clone()).or_insert((period.start(), 0, None));
        // They come in the order of time.
        *entry = (period.start(), entry.1 + 1, fact.support.first().copied());
    }
    let mut last: Vec<_> = last.into_iter().collect();
    last.sort_by(|(one_file, one), (other_file, other)| (other.0, one_file).cmp(&(one.0, other_file)));
    last.truncate(MOST_FILES);
    let said = supports(seen, last.iter().filter_map(|(_, (_, _, id))| *id))?;
    let found = last.into_iter().map(|(file, (at, n_times, id))| Found {
        file,
        did: Did::Written,
        at,
        n_times,
        statement: id.and_then(|id| said.get(&id).cloned()),
    });
    Ok(found.collect())
}

fn told(seen: &Seen<'_>, found: Found, at: Instant) -> Result<Change, StateError> {
    let Found { file, did, at: changed_at, n_times, statement } = found;
    let mut evidence: Vec<Evidence> = statement.iter().map(Evidence::of).collect();
    let call = statement.as_ref().and_then(|said| said.assertion.source.context.first().copied());
    let call = call.map(|call| seen.snapshot().episode(call)).transpose()?.flatten();
    let call = call.filter(|call| seen.sees_turn(call));
    let tool = call.as_ref().and_then(|call| {
        let mut tools = tools_called(call);
        // Of several calls in one turn nobody can tell which it was.
        tools.dedup();
        tools.pop().filter(|_| tools.is_empty())
    });
    evidence.extend(call.as_ref().map(Evidence::turn));
    evidence.dedup();
    let standing = stands(seen, &file, FILE_STATE, "", at)?.filter(|standing| !standing.has_ended);
    let later = standing.as_ref().filter(|standing| standing.at > changed_at);
    let since = match later {
        Some(standing) => supports(seen, [standing.statement])?.into_values().next().map(|said| Later {
            at: standing.at,
            by: standing.agent.clone(),
            evidence: Evidence::of(&said),
        }),
        None => None,
    };
    Ok(Change {
        path: file.name().to_owned(),
        did,
        at: changed_at,
        n_times,
        tool,
        now: standing.map(|standing| standing.text()),
        since,
        evidence,
    })
}
