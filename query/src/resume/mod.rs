//! What an agent needs to carry on after a break, as one packet of bounded length, computed from the store in a view.
//!
//! ```text
//! rows of who took part ─▶ trail: last session, its end, what tools reported
//!                            │
//! notes, decisions, calls, ──┴─▶ packet: sections of lines ─▶ fitted: lines left out ─▶ Markdown, JSON
//! leases, messages, …               each line with what it rests on
//! ```
//!
//! It needs nothing that an agent recorded: from transcripts alone it tells what was asked for last, what was changed, what
//! failed, and which todo is open, and says that it is from there.
//!
//! Invariants:
//! - The same store, view and instant make the same bytes.
//! - What is read does not grow with the turns of the store: rows are walked backwards up to limits that the files name.
//! - Nothing is in progress or in flight without a lease that covers the instant.
//! - The Markdown never counts more tokens than the budget.
//!
//! Another kind of progress is one more variant of [`Progress`].

mod aim;
mod budget;
mod calls;
mod changes;
mod compacted;
mod due;
mod evidence;
mod failures;
mod progress;
mod quote;
mod render;
mod section;
mod todos;
mod trail;
mod warnings;

use bygone_engine::store::Seen;
use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, ValidTime};
use bygone_ontology::Ontology;
use serde_json::{Value, json};

pub use aim::{Aim, Kind, Origin};
pub use budget::{Fitted, LeftOut, fit};
pub use calls::OpenCall;
pub use changes::{Change, Did, Later};
pub use compacted::Compacted;
pub use due::Due;
pub use evidence::Evidence;
pub use failures::{Failure, What};
pub use progress::{Cursor, Progress};
pub use quote::time_text;
pub(crate) use render::lines;
pub use section::Section;
pub use todos::{Counted, Stage, Todo};
pub use trail::LastSession;
pub use warnings::Warning;

use crate::request::Request;
use crate::state::attempt::{Attempt, attempts};
use crate::state::decision::{Decision, decisions};
use crate::state::inbox::{Mailbox, Message, Status, Wanted, list};
use crate::state::incarnation::last_epoch;
use crate::state::liveness::{Heard, Liveness};
use crate::state::promise::{Fate, Promise, promises};
use crate::state::roster::{Member, Which, roster};
use crate::state::{StateError, party};
use trail::Trail;

/// How many tokens a packet has where nobody says: some screens of text (chosen, untested).
pub const DEFAULT_BUDGET: usize = 2_000;
/// How long ago somebody was seen last who is still told of as lost: a week (chosen, untested).
const LATELY_MICROS: i64 = 7 * 86_400 * 1_000_000;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Whose packet; that of the agent that took part last where nobody is named.
    pub agent: Option<&'a str>,
    /// The instant: what the packet would have said then.
    pub at: Instant,
    /// The heartbeats that this process received itself, where the present is asked about.
    pub heard: &'a Heard,
}

/// What an agent needs to carry on.
#[derive(Clone, Debug, PartialEq)]
pub struct Packet {
    /// The agent, by name.
    pub agent: String,
    /// Whether somebody named it; it took part last otherwise.
    pub is_named: bool,
    /// Whether the view knows of the agent at all; what follows is of the whole space otherwise.
    pub is_known: bool,
    /// The instant.
    pub at: Instant,
    /// Its last run, where it ever had a lease.
    pub run: Option<Member>,
    /// The session that it spoke in last.
    pub session: Option<LastSession>,
    /// The objective, and what the user asked for last.
    pub objective: Vec<Aim>,
    /// The task, and the exact next step.
    pub next: Vec<Aim>,
    /// Attempts that failed, the last one first.
    pub attempts: Vec<Attempt>,
    /// Decisions in force, the last one first.
    pub decisions: Vec<Decision>,
    /// Calls in flight, and those whose outcome is unknown.
    pub calls: Vec<OpenCall>,
    /// What it changed on disk, the last change first.
    pub changes: Vec<Change>,
    /// What failed and was not repaired.
    pub failures: Vec<Failure>,
    /// Open todos, those that were begun first.
    pub todos: Vec<Todo>,
    /// How far things have come.
    pub progress: Vec<Progress>,
    /// Open promises, the overdue ones first.
    pub promises: Vec<Promise>,
    /// Messages that it has not read, or has begun with.
    pub inbox: Vec<Message>,
    /// Its own lost lease, and its teammates: the lost ones first.
    pub agents: Vec<Member>,
    /// What ought to be checked.
    pub stale: Vec<Warning>,
    /// Tasks that are due.
    pub due: Vec<Due>,
    /// What was compacted away.
    pub compacted: Vec<Compacted>,
}

impl Packet {
    /// Returns the JSON form, keys sorted, with the Markdown as `text`, of what fits.
    pub fn to_json(&self, fitted: &Fitted) -> Value {
        let mut json = json!({
            "agent": self.agent,
            "known": self.is_known,
            "chosen": if self.is_named { "named" } else { "took part last" },
            "at": self.at.to_rfc3339(),
            "run": self.run.as_ref().map(Member::to_json),
            "session": self.session.as_ref().map(|session| {
                json!({ "name": session.name, "last_at": session.last_at.to_rfc3339() })
            }),
            "budget": fitted.budget,
            "tokens": fitted.tokens,
            "text": fitted.text,
            "left_out": fitted.left_out.iter().map(LeftOut::to_json).collect::<Vec<_>>(),
        });
        for section in Section::ALL {
            let mut rows = self.rows(section);
            rows.truncate(fitted.kept(section));
            json[section.name()] = json!(rows);
        }
        json
    }

    /// Says whether the agent has begun with a message, and has a lease that covers the instant.
    pub(crate) fn is_in_progress(&self, message: &Message) -> bool {
        let is_alive = self.run.as_ref().is_some_and(|run| run.liveness == Liveness::Alive);
        let is_own = message.status_by.as_ref().is_some_and(|by| *by == format!("agent:{}", self.agent));
        message.status == Status::InProgress && is_alive && is_own
    }

    fn message_json(&self, message: &Message) -> Value {
        let mut json = message.to_json();
        if message.status == Status::InProgress && !self.is_in_progress(message) {
            json["status"] = json!("begun");
        }
        json
    }

    fn rows(&self, section: Section) -> Vec<Value> {
        match section {
            Section::Objective => self.objective.iter().map(Aim::to_json).collect(),
            Section::Next => self.next.iter().map(Aim::to_json).collect(),
            Section::Attempts => self.attempts.iter().map(Attempt::to_json).collect(),
            Section::Decisions => self.decisions.iter().map(Decision::to_json).collect(),
            Section::Calls => self.calls.iter().map(OpenCall::to_json).collect(),
            Section::Changes => self.changes.iter().map(Change::to_json).collect(),
            Section::Failures => self.failures.iter().map(Failure::to_json).collect(),
            Section::Todos => self.todos.iter().map(Todo::to_json).collect(),
            Section::Progress => self.progress.iter().map(Progress::to_json).collect(),
            Section::Promises => self.promises.iter().map(Promise::to_json).collect(),
            Section::Inbox => self.inbox.iter().map(|message| self.message_json(message)).collect(),
            Section::Agents => self.agents.iter().map(Member::to_json).collect(),
            Section::Stale => self.stale.iter().map(Warning::to_json).collect(),
            Section::Due => self.due.iter().map(Due::to_json).collect(),
            Section::Compacted => self.compacted.iter().map(Compacted::to_json).collect(),
        }
    }
}

/// Returns the packet of an agent in a view; nothing where nobody is named and no agent took part in anything.
///
/// # Errors
/// [`StateError::Name`] where the name is that of no agent; [`StateError`] where the store cannot be read.
pub fn packet(seen: &Seen<'_>, ontology: &Ontology, asked: &Asked<'_>) -> Result<Option<Packet>, StateError> {
    let at = asked.at;
    let named = match asked.agent {
        Some(name) => Some(agent_named(name)?),
        None => None,
    };
    let is_named = named.is_some();
    let agent = match named {
        Some(agent) => agent,
        None => match last_to_take_part(seen, at)? {
            Some(agent) => agent,
            None => return Ok(None),
        },
    };
    let name = agent.name();
    let trail = Trail::of(seen, name, at)?;
    let is_known = !trail.sessions.is_empty() || seen.mentions(&agent)?;
    let members = roster(seen, at, asked.heard, Which::Leased)?;
    let run = members.iter().find(|member| member.agent == name).cloned();
    let is_at_work = run.as_ref().is_some_and(|run| run.liveness == Liveness::Alive);
    let (todos, counts) = todos::todos(seen, &trail, at, is_at_work)?;
    let last_run = match last_epoch(seen, name, at)? {
        0 => None,
        epoch => Some(crate::state::Incarnation { agent: name.to_owned(), epoch }),
    };
    let mut decided = decisions(seen, None, at)?;
    decided.sort_by(|one, other| (other.at, &one.topic).cmp(&(one.at, &other.topic)));
    let mut packet = Packet {
        is_named,
        is_known,
        at,
        objective: aim::objective(seen, &agent, &trail, at)?,
        next: aim::next(seen, &agent, &trail, &todos, at)?,
        attempts: attempts(seen, None, at)?,
        decisions: decided,
        calls: calls::calls(seen, name, &trail, run.as_ref(), at, asked.heard)?,
        changes: changes::changes(seen, &agent, &trail, at)?,
        failures: failures::failures(seen, &agent, &trail, at)?,
        progress: progress::progress(seen, &agent, counts, at)?,
        promises: open_promises(seen, &agent, at)?,
        inbox: inbox(seen, &agent, at)?,
        agents: teammates(members, name, at),
        stale: Vec::new(),
        due: due::due(seen, &agent, &todos, at)?,
        compacted: compacted::compacted(seen, name, &trail, last_run.as_ref(), at)?.into_iter().collect(),
        agent: name.to_owned(),
        session: trail.session.clone(),
        run,
        todos,
    };
    let request = Request {
        view: seen.view().clone(),
        valid: ValidTime::At(at),
        history: false,
        planned: false,
        now: at,
    };
    packet.stale = warnings::warnings(seen, ontology, &request, &packet, at)?;
    Ok(Some(packet))
}

fn agent_named(name: &str) -> Result<EntityRef, StateError> {
    let agent = party(name)?;
    if agent.kind() == "agent" {
        Ok(agent)
    } else {
        Err(StateError::Name(format!("{name:?} is no agent: expected the name of one")))
    }
}

fn last_to_take_part(seen: &Seen<'_>, at: Instant) -> Result<Option<EntityRef>, StateError> {
    let last = seen.last_turn(at)?.and_then(|record| record.episode.agent);
    last.map(|name| agent_named(&format!("agent:{name}"))).transpose()
}

fn open_promises(seen: &Seen<'_>, agent: &EntityRef, at: Instant) -> Result<Vec<Promise>, StateError> {
    let mut open = promises(seen, Some(agent), at)?;
    open.retain(|promise| promise.fate == Fate::Open);
    Ok(open)
}

/// Returns the messages that are not resolved and that somebody has not read, or has begun with.
fn inbox(seen: &Seen<'_>, agent: &EntityRef, at: Instant) -> Result<Vec<Message>, StateError> {
    let wanted = Wanted { mailbox: Mailbox::Received, status: None, only_unread: false };
    let own = seen.identity().representative(agent).to_string();
    let mut messages = list(seen, agent, wanted, at)?;
    messages.retain(|message| {
        let is_begun = message.status == Status::InProgress && message.status_by.as_ref() == Some(&own);
        message.status != Status::Resolved && (is_begun || !message.is_read_by(&own))
    });
    Ok(messages)
}

/// Returns the agent itself where its lease is lost, and the others: those first that are not alive and were seen of late.
fn teammates(members: Vec<Member>, name: &str, at: Instant) -> Vec<Member> {
    let is_lost = |member: &Member| matches!(member.liveness, Liveness::Suspect | Liveness::Dead);
    let is_of_late = |member: &Member| {
        let last = member.last_seen.or(member.since);
        last.is_some_and(|last| at.micros().saturating_sub(last.micros()) <= LATELY_MICROS)
    };
    let mut members: Vec<Member> =
        members
            .into_iter()
            .filter(|member| {
                if member.agent == name { is_lost(member) } else { !is_lost(member) || is_of_late(member) }
            })
            .collect();
    members.sort_by(|one, other| {
        let key = |member: &Member| (member.agent != name, !is_lost(member));
        (key(one), other.last_seen, &one.agent).cmp(&(key(other), one.last_seen, &other.agent))
    });
    members
}
