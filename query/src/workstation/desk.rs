//! What an agent is, what is decided where it works, and what it was told.

use bygone_engine::EntityRef;
use bygone_engine::store::Seen;

use crate::resume::{Packet, time_text};
use crate::state::StateError;
use crate::state::decision::{Decision, decisions_made};
use crate::state::inbox::{Mailbox, Message, Status, Wanted, list};
use crate::state::roster::Member;

/// Returns the text of `role.md`.
pub(super) fn role(last: &Member, runs: &[&Member], packet: &Packet) -> String {
    let role = last.role.as_deref().unwrap_or("no role was given");
    let mut text = vec![format!("# {}\n\nRole: {role}.\n", last.agent)];
    text.push(format!(
        "As of {} (UTC) it is {}: {}.\n",
        time_text(packet.at),
        last.liveness.name(),
        last.basis
    ));
    if let Some(session) = &packet.session {
        text.push(format!(
            "Its last session is {}, last turn {}.\n",
            session.name,
            time_text(session.last_at)
        ));
    }
    text.push("\n## Runs\n\n".to_owned());
    if runs.is_empty() {
        text.push("It never had a lease; it is known from its turns.\n".to_owned());
    }
    for run in runs {
        let name = run.run().map_or_else(|| run.agent.clone(), |run| run.to_string());
        let since = run.since.map_or_else(String::new, |since| format!(", since {}", time_text(since)));
        let parent = run.parent.as_ref().map(|parent| {
            let lifetime = run.lifetime.map_or("", |lifetime| lifetime.name());
            format!(", of {parent} ({lifetime})")
        });
        let said = [("progress", &run.progress), ("last words", &run.last_words)];
        let said =
            said.into_iter().filter_map(|(what, said)| Some(format!("; {what}: {:?}", said.as_ref()?)));
        text.push(format!(
            "- {name}: {}{since}{}, {}{} [incarnation:{name}]\n",
            run.liveness.name(),
            parent.unwrap_or_default(),
            run.basis,
            said.collect::<String>(),
        ));
    }
    text.concat()
}

/// Returns the text of `decisions.md`.
pub(super) fn decisions(seen: &Seen<'_>, packet: &Packet) -> Result<String, StateError> {
    let made = decisions_made(seen, None, packet.at)?;
    let in_force: String = packet.decisions.iter().map(decided).collect();
    let mut past: Vec<&Decision> = made.iter().filter(|decision| !decision.is_in_force).collect();
    past.sort_by(|one, other| (other.at, &one.topic).cmp(&(one.at, &other.topic)));
    let past: String = past.into_iter().map(decided).collect();
    let or_none = |text: String| if text.is_empty() { "None.\n".to_owned() } else { text };
    Ok(format!(
        "# Decisions\n\n## In force\n\n{}\n## No longer in force\n\n{}",
        or_none(in_force),
        or_none(past)
    ))
}

fn decided(decision: &Decision) -> String {
    let by = decision.by.as_deref().unwrap_or("somebody");
    let mut text = vec![format!(
        "- {}: {:?} ({by}, {}) [{}]\n",
        decision.topic,
        decision.choice,
        time_text(decision.at),
        decision.statement
    )];
    if !decision.because.is_empty() {
        text.push(format!("  - because {:?}\n", decision.because));
    }
    if !decision.over.is_empty() {
        text.push(format!("  - and not {:?}\n", decision.over.join(", ")));
    }
    if let Some(next) = &decision.superseded_by {
        let by = next.by.as_deref().unwrap_or("somebody");
        text.push(format!("  - superseded by {:?} ({by}, {})\n", next.choice, time_text(next.at)));
    }
    for proposal in &decision.proposed {
        let by = proposal.by.as_deref().unwrap_or("somebody");
        text.push(format!("  - {by} would choose {:?}, because {:?}\n", proposal.choice, proposal.because));
    }
    text.concat()
}

/// Returns the text of `inbox.md`.
pub(super) fn inbox(seen: &Seen<'_>, packet: &Packet) -> Result<String, StateError> {
    let Ok(agent) = EntityRef::new("agent", &packet.agent) else { return Ok(String::new()) };
    let own = seen.identity().representative(&agent).to_string();
    let of = |mailbox| -> Result<String, StateError> {
        let wanted = Wanted { mailbox, status: None, only_unread: false };
        let messages = list(seen, &agent, wanted, packet.at)?;
        let text: String = messages.iter().map(|message| whole(message, &own, packet)).collect();
        Ok(if text.is_empty() { "None.\n".to_owned() } else { text })
    };
    Ok(format!(
        "# Inbox of {}\n\n## Received\n\n{}\n## Sent\n\n{}",
        packet.agent,
        of(Mailbox::Received)?,
        of(Mailbox::Sent)?
    ))
}

/// Returns a message with every word of it.
fn whole(message: &Message, own: &str, packet: &Packet) -> String {
    let status = match message.status {
        Status::Open => "open",
        Status::InProgress if packet.is_in_progress(message) => "in progress",
        // Nobody is known to be at it.
        Status::InProgress => "begun",
        Status::Resolved => "resolved",
    };
    let read = if message.is_read_by(own) || message.from == own { "" } else { ", unread" };
    let overdue = if message.is_overdue { ", overdue" } else { "" };
    let mut text = vec![format!(
        "- {} from {} to {}, {}: {status}{read}{overdue}, {} [message:{}]\n",
        message.kind,
        message.from,
        message.to.join(", "),
        time_text(message.sent_at),
        message.priority.name(),
        message.id,
    )];
    let parts = message.handover.as_ref().map(|handover| handover.parts().to_vec()).unwrap_or_default();
    let said = [("subject", message.subject.as_str()), ("body", message.body.as_str())];
    for (name, words) in said.into_iter().chain(parts).filter(|(_, words)| !words.is_empty()) {
        text.push(format!("  - {name}: {words:?}\n"));
    }
    text.concat()
}
