//! A packet as Markdown: one line for each thing, with what it rests on in brackets.
//!
//! What is quoted stands in quotation marks and is data, whatever it says.

use bygone_engine::time::{Moment, format_moment};
use bygone_engine::wire::valid_text;

use super::aim::{Aim, Kind, Origin};
use super::budget::LeftOut;
use super::calls::OpenCall;
use super::changes::{Change, Did};
use super::compacted::Compacted;
use super::due::Due;
use bygone_engine::work::WorkCount;

use super::evidence::Evidence;
use super::failures::{Failure, What};
use super::progress::Progress;
use super::quote::{one_line, time_text};
use super::section::Section;
use super::todos::{Stage, Todo};
use super::warnings::Warning;
use super::{LastSession, Packet};
use crate::state::attempt::Attempt;
use crate::state::call::State;
use crate::state::decision::Decision;
use crate::state::inbox::{HandOver, Message, Status};
use crate::state::liveness::words_of;
use crate::state::promise::Promise;
use crate::state::roster::Member;

/// The longest that words are quoted, in bytes: those of an aim, and all others.
const AIM_BYTES: usize = 600;
const WORDS_BYTES: usize = 240;
/// The longest that an input or an error is quoted, in bytes.
const DETAIL_BYTES: usize = 160;
/// How many digits of a statement's id stand in a line.
const STATEMENT_LENGTH: usize = "a:".len() + 8;

/// Returns what a packet opens with.
pub(super) fn opening(packet: &Packet) -> String {
    let agent = &packet.agent;
    let mut text = vec![format!("# Where {agent} left off\n\nAs of {} (UTC).", time_text(packet.at))];
    if !packet.is_named {
        text.push(format!(" {agent} took part last; `--agent` names another."));
    }
    if !packet.is_known {
        text.push(format!(
            " Nothing that is seen is of an agent named {agent}: what follows is of the whole space."
        ));
    }
    if let Some(LastSession { name, last_at }) = &packet.session {
        text.push(format!(
            " Its last session is {name}, last turn {}; `#N` is its turn N: `bygone show \"{name}#N\"`.",
            time_text(*last_at)
        ));
    }
    if let Some(run) = &packet.run
        && let Some(name) = run.run()
    {
        let role = run.role.as_ref().map_or_else(String::new, |role| format!(", {role}"));
        text.push(format!(" Its last run is {name}{role}: {}.", run.liveness.name()));
        if let Some(progress) = &run.progress {
            text.push(format!(" It said of its progress: {}.", quoted(progress, WORDS_BYTES)));
        }
    }
    text.push("\n".to_owned());
    text.concat()
}

/// Returns the heading of a section.
pub(super) fn heading(section: Section) -> String {
    format!("\n## {}\n", section.heading())
}

/// Returns the lines of a section.
pub(crate) fn lines(packet: &Packet, section: Section) -> Vec<String> {
    let session = packet.session.as_ref().map(|session| session.name.as_str());
    let rests_on = |evidence: &[Evidence]| {
        let short: Vec<String> = evidence.iter().map(|evidence| evidence.short(session)).collect();
        if short.is_empty() { String::new() } else { format!(" [{}]", short.join(", ")) }
    };
    let one = |evidence: &Evidence| rests_on(std::slice::from_ref(evidence));
    let lines: Vec<String> = match section {
        Section::Objective => packet.objective.iter().map(|a| aim(a) + &one(&a.evidence)).collect(),
        Section::Next => packet.next.iter().map(|a| aim(a) + &one(&a.evidence)).collect(),
        Section::Attempts => packet.attempts.iter().map(attempt).collect(),
        Section::Decisions => packet.decisions.iter().map(decision).collect(),
        Section::Calls => packet.calls.iter().map(|c| call(c, packet) + &one(&c.evidence)).collect(),
        Section::Changes => {
            packet.changes.iter().map(|c| change(c, session) + &rests_on(&c.evidence)).collect()
        }
        Section::Failures => packet.failures.iter().map(|f| failure(f) + &one(&f.evidence)).collect(),
        Section::Todos => packet.todos.iter().map(|t| todo(t) + &one(&t.evidence)).collect(),
        Section::Progress => packet.progress.iter().map(|p| progress(p, session)).collect(),
        Section::Promises => packet.promises.iter().map(|p| promise(p, &packet.agent)).collect(),
        Section::Inbox => packet.inbox.iter().map(|m| message(m, packet)).collect(),
        Section::Agents => packet.agents.iter().map(|m| member(m, &packet.agent)).collect(),
        Section::Stale => packet.stale.iter().map(warning).collect(),
        Section::Due => packet.due.iter().map(|d| due(d) + &one(&d.evidence)).collect(),
        Section::Compacted => packet.compacted.iter().map(|c| compacted(c) + &one(&c.evidence)).collect(),
    };
    // A name that has a line break in it forges no line.
    lines.into_iter().map(|line| format!("- {}\n", line.replace(['\n', '\r'], " "))).collect()
}

/// Says what was left out, at the end; nothing where nothing was.
pub(super) fn footer(left_out: &[LeftOut]) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let words: Vec<String> = left_out.iter().map(left_out_words).collect();
    format!("\nLeft out for want of room: {}; a larger `--budget` has them.\n", words.join(", "))
}

/// Says how much of a section was left out.
pub(super) fn left_out_words(left_out: &LeftOut) -> String {
    let heading = left_out.section.heading();
    format!("{} of {}", left_out.n_lines, heading.to_lowercase())
}

fn quoted(text: &str, most: usize) -> String {
    format!("\"{}\"", one_line(text, most))
}

fn code(text: &str, most: usize) -> String {
    format!("`{}`", one_line(text, most).replace('`', "'"))
}

fn statement(id: &str) -> String {
    let short: String = id.chars().take(STATEMENT_LENGTH).collect();
    format!(" [{short}]")
}

fn who(name: Option<&str>) -> &str {
    name.unwrap_or("somebody")
}

fn aim(aim: &Aim) -> String {
    let what = match aim.kind {
        Kind::Objective => "objective",
        Kind::LastRequest => "last request",
        Kind::Task => "task",
        Kind::NextStep => "next step",
        Kind::LastWords => "last words",
    };
    let from = match aim.origin {
        Origin::Recorded => "recorded",
        Origin::Request | Origin::LastWords => "from the transcript",
        other @ (Origin::BegunTodo | Origin::PendingTodo | Origin::LastSaid) => other.words(),
    };
    format!("{what} ({from}, {}): {}", time_text(aim.at), quoted(&aim.text, AIM_BYTES))
}

fn attempt(attempt: &Attempt) -> String {
    let topic = attempt.topic.as_ref().map_or_else(String::new, |topic| format!("{topic}: "));
    format!(
        "{topic}{}, because {} ({}, {}){}",
        quoted(&attempt.approach, WORDS_BYTES),
        quoted(&attempt.because, WORDS_BYTES),
        who(attempt.by.as_deref()),
        time_text(attempt.at),
        statement(&attempt.statement),
    )
}

fn decision(decision: &Decision) -> String {
    let mut text = vec![format!("{}: {}", decision.topic, quoted(&decision.choice, WORDS_BYTES))];
    if !decision.because.is_empty() {
        text.push(format!(", because {}", quoted(&decision.because, WORDS_BYTES)));
    }
    if !decision.over.is_empty() {
        text.push(format!("; and not {}", quoted(&decision.over.join(", "), DETAIL_BYTES)));
    }
    for proposal in &decision.proposed {
        let choice = quoted(&proposal.choice, DETAIL_BYTES);
        text.push(format!("; {} would choose {choice}", who(proposal.by.as_deref())));
    }
    let (by, at) = (who(decision.by.as_deref()), time_text(decision.at));
    format!("{} ({by}, {at}){}", text.concat(), statement(&decision.statement))
}

fn call(call: &OpenCall, packet: &Packet) -> String {
    let input =
        call.input.as_ref().map_or_else(String::new, |input| format!(" {}", code(input, DETAIL_BYTES)));
    let state = match call.state {
        State::InFlight => "in flight",
        State::OutcomeUnknown | State::Succeeded | State::Failed | State::Cancelled => "outcome unknown",
    };
    let run = packet.run.as_ref().and_then(Member::run);
    if let (State::InFlight, Some(key)) = (call.state, &call.key)
        && run.is_some_and(|run| run.to_string() == call.by)
    {
        return format!(
            "{}{input}, begun {} by {}, which this is: in flight until `bygone call succeed|fail|cancel {key}` settles it",
            call.tool,
            time_text(call.at),
            call.by
        );
    }
    format!(
        "{}{input}, begun {} by {}: {state}, {}; {}",
        call.tool,
        time_text(call.at),
        call.by,
        call.basis,
        call.advice()
    )
}

fn change(change: &Change, session: Option<&str>) -> String {
    let times = if change.n_times > 1 { format!(", {} times", change.n_times) } else { String::new() };
    let tool = change.tool.as_ref().map_or_else(String::new, |tool| format!(" by {tool}"));
    let expected = match change.did {
        Did::Written | Did::Moved => "exists",
        Did::Deleted => "deleted",
    };
    let now = match &change.now {
        Some(now) if now != expected => format!("; now {}", one_line(now, DETAIL_BYTES)),
        Some(_) => "; confirmed by its result".to_owned(),
        None => String::new(),
    };
    let later = change.since.as_ref().map(|later| {
        let by = later.by.as_deref().unwrap_or("somebody");
        let evidence = later.evidence.short(session);
        format!("; {by} reported of it again, {} [{evidence}]", time_text(later.at))
    });
    format!(
        "{} {}{tool}{times}, {}{now}{}",
        code(&change.path, WORDS_BYTES),
        change.did.name(),
        time_text(change.at),
        later.unwrap_or_default(),
    )
}

fn failure(failure: &Failure) -> String {
    let what = match failure.what {
        What::Tests => "tests fail",
        What::Command => "command failed",
        What::Call => "call failed",
    };
    let place = failure.place.as_ref().map_or_else(String::new, |place| format!(" in {place}"));
    let exit = failure.exit.map_or_else(String::new, |exit| format!(", exit {exit}"));
    let error =
        failure.error.as_ref().map_or_else(String::new, |error| format!(": {}", quoted(error, WORDS_BYTES)));
    format!("{what}: {}{place}{exit}, {}{error}", code(&failure.text, DETAIL_BYTES), time_text(failure.at))
}

fn todo(todo: &Todo) -> String {
    let stage = match todo.stage {
        Stage::InProgress => "in progress",
        Stage::Begun => "begun, and nobody is known to be at it",
        Stage::Pending => "pending",
    };
    format!("{} ({stage}, since {})", quoted(&todo.text, WORDS_BYTES), time_text(todo.since))
}

fn progress(progress: &Progress, session: Option<&str>) -> String {
    match progress {
        Progress::Todos(counted) => {
            let of = if session == Some(&counted.session) { "this session" } else { &counted.session };
            format!(
                "{} of {} todos of {of} are done, {}",
                counted.n_done,
                counted.n_all,
                time_text(counted.at)
            )
        }
        Progress::Register(value) => {
            let by = value.by.as_ref().map_or_else(String::new, |by| format!(" by {by}"));
            let version = value.source_version.as_ref();
            let version =
                version.map_or_else(String::new, |version| format!(", read from version {version}"));
            format!(
                "{} = {}, set{by}, {}{version} [register:{}]",
                value.name,
                quoted(&value.value, WORDS_BYTES),
                time_text(value.at),
                value.name
            )
        }
        Progress::Cursor(cursor) => format!(
            "{} goes on at {}, {} [{}]",
            code(&cursor.list, DETAIL_BYTES),
            quoted(&cursor.next, DETAIL_BYTES),
            time_text(cursor.at),
            cursor.evidence.short(session)
        ),
        Progress::Work { set, count } => {
            let WorkCount { queued, done, failed } = count;
            format!(
                "{set}: {done} done, {queued} queued, {failed} failed; `bygone work missing {set}` [workset:{set}]"
            )
        }
        Progress::Artifact(artifact) => {
            let missing = artifact.missing.as_ref();
            let missing =
                missing.map_or_else(String::new, |missing| format!(": {}", quoted(missing, WORDS_BYTES)));
            format!(
                "{} is not complete{missing}, {}",
                code(&artifact.path, DETAIL_BYTES),
                time_text(artifact.at)
            )
        }
        Progress::Checkpoint(checkpoint) => {
            let label = checkpoint.label.as_ref();
            let label = label.map_or_else(String::new, |label| format!(" {}", quoted(label, WORDS_BYTES)));
            let id = checkpoint.id;
            format!(
                "last checkpoint{label} of {} bytes, {}; `bygone checkpoint restore {id}`",
                checkpoint.n_bytes,
                time_text(checkpoint.at)
            )
        }
    }
}

fn until(due: Moment) -> String {
    match valid_text(due) {
        text if text.contains('T') => time_text(due.at),
        _ => format_moment(due),
    }
}

fn promise(promise: &Promise, agent: &str) -> String {
    let is_own = promise.by == format!("agent:{agent}");
    let whom = if is_own { format!("to {}", promise.to) } else { format!("from {}", promise.by) };
    let due = promise.due.map_or_else(String::new, |due| format!(", due {}", until(due)));
    let overdue = if promise.is_overdue { ", OVERDUE" } else { "" };
    format!(
        "{whom}: {} ({}{due}{overdue}) [promise:{}]",
        quoted(&promise.text, WORDS_BYTES),
        time_text(promise.at),
        promise.id
    )
}

fn message(message: &Message, packet: &Packet) -> String {
    let stage = match message.status {
        Status::InProgress if packet.is_in_progress(message) => ", in progress",
        Status::InProgress => ", begun",
        Status::Open | Status::Resolved => "",
    };
    let due = message.due.map_or_else(String::new, |due| format!(", due {}", until(due)));
    let overdue = if message.is_overdue { ", OVERDUE" } else { "" };
    let said = match &message.handover {
        Some(parts) => return format!("{} {}", handover(message, parts, &due, overdue, stage), id(message)),
        None if message.subject.is_empty() => message.body.clone(),
        None if message.body.is_empty() => message.subject.clone(),
        None => format!("{}: {}", message.subject, message.body),
    };
    format!(
        "{} from {} ({}, {}{due}{overdue}{stage}): {} {}",
        message.kind,
        message.from,
        message.priority.name(),
        time_text(message.sent_at),
        quoted(&said, WORDS_BYTES),
        id(message)
    )
}

fn id(message: &Message) -> String {
    format!("[message:{}]", message.id)
}

/// Says a hand-over with all its parts: who takes over has nothing else.
fn handover(message: &Message, parts: &HandOver, due: &str, overdue: &str, stage: &str) -> String {
    let say = |(name, said): (&str, &str)| format!("{name} {}", quoted(said, WORDS_BYTES));
    let parts = parts.parts().map(say);
    format!(
        "hand-over from {} ({}, {}{due}{overdue}{stage}; `bygone inbox read {}` has it whole): {}",
        message.from,
        message.priority.name(),
        time_text(message.sent_at),
        message.id,
        parts.join("; ")
    )
}

fn member(member: &Member, agent: &str) -> String {
    let name = member.run().map_or_else(|| member.agent.clone(), |run| run.to_string());
    let own = if member.agent == agent { "own lease: " } else { "" };
    let role = member.role.as_ref().map_or_else(String::new, |role| format!(", {role}"));
    let seen = member.age_micros.map_or_else(String::new, |age| format!(", seen {} ago", words_of(age)));
    let said = [&member.progress, &member.last_words].into_iter().flatten();
    let said: Vec<String> = said.map(|said| quoted(said, DETAIL_BYTES)).collect();
    let said = if said.is_empty() { String::new() } else { format!("; it said {}", said.join(", ")) };
    format!(
        "{own}{name}{role}: {}, {}{seen}{said} [incarnation:{name}]",
        member.liveness.name(),
        member.basis
    )
}

fn warning(warning: &Warning) -> String {
    let id: String = warning.fact.to_string().chars().take(STATEMENT_LENGTH).collect();
    let reason = one_line(&warning.reason, WORDS_BYTES);
    if let Some(shown) = &warning.shown_as {
        return format!("{} (shown above): {reason} [{id}]", one_line(shown, DETAIL_BYTES));
    }
    let verdict = warning.verdict.replace('_', " ");
    format!("{} ({verdict}): {reason} [{id}]", quoted(&warning.text, WORDS_BYTES))
}

fn due(due: &Due) -> String {
    let overdue = if due.is_overdue { ", OVERDUE" } else { "" };
    format!("{}: due {}{overdue}", quoted(&due.text, WORDS_BYTES), until(due.due))
}

fn compacted(compacted: &Compacted) -> String {
    let at_least = if compacted.is_at_least { "at least " } else { "" };
    let turns = if compacted.n_turns == 1 { "turn" } else { "turns" };
    let commands: Vec<String> = compacted.commands.iter().map(|command| format!("`{command}`")).collect();
    format!(
        "{at_least}{} {turns} from {} to {} came before the compaction of {}; the store has them: {}",
        compacted.n_turns,
        time_text(compacted.from),
        time_text(compacted.to),
        time_text(compacted.at),
        commands.join(", ")
    )
}
