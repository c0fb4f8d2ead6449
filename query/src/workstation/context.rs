//! The working context of an agent in nine sections: what its packet has, without a budget.

use bygone_engine::EntityRef;
use bygone_engine::store::Seen;

use crate::resume::{Kind, Packet, Section, Stage, lines, time_text};
use crate::state::StateError;
use crate::state::call::State;
use crate::state::inbox::{Mailbox, Status, Wanted, list};

/// Returns the text of `context.md`.
pub(super) fn context(seen: &Seen<'_>, packet: &Packet) -> Result<String, StateError> {
    let of = |section: Section| lines(packet, section);
    let next = of(Section::Next);
    let is_task = |nth: &usize| packet.next[*nth].kind == Kind::Task;
    let (task, step): (Vec<usize>, Vec<usize>) = (0..next.len()).partition(is_task);
    let pick = |lines: &[String], nths: Vec<usize>| -> Vec<String> {
        nths.into_iter().map(|nth| lines[nth].clone()).collect()
    };
    let todos = of(Section::Todos);
    let is_begun = |nth: &usize| packet.todos[*nth].stage != Stage::Pending;
    let (begun, pending): (Vec<usize>, Vec<usize>) = (0..todos.len()).partition(is_begun);
    let calls = of(Section::Calls);
    let is_in_flight = |nth: &usize| packet.calls[*nth].state == State::InFlight;
    let (in_flight, unknown): (Vec<usize>, Vec<usize>) = (0..calls.len()).partition(is_in_flight);
    let promises = of(Section::Promises);
    let own = format!("agent:{}", packet.agent);
    let is_of_others = |nth: &usize| packet.promises[*nth].by != own;
    let (awaited, owed): (Vec<usize>, Vec<usize>) = (0..promises.len()).partition(is_of_others);

    let sections: [(&str, Vec<String>); 9] = [
        ("Objective", of(Section::Objective)),
        ("Now", [pick(&next, task), pick(&todos, begun)].concat()),
        (
            "Next",
            [pick(&next, step), pick(&todos, pending), pick(&promises, owed), of(Section::Due)].concat(),
        ),
        ("Done", of(Section::Progress)),
        ("Decisions", of(Section::Decisions)),
        ("Failed attempts", of(Section::Attempts)),
        (
            "Open questions and blockers",
            [pick(&calls, unknown), of(Section::Failures), of(Section::Stale)].concat(),
        ),
        ("Files", of(Section::Changes)),
        (
            "Waiting for",
            [pick(&calls, in_flight), pick(&promises, awaited), sent(seen, packet)?, lost(packet)].concat(),
        ),
    ];
    let heading = format!("# Working context of {}\n\nAs of {} (UTC).", packet.agent, time_text(packet.at));
    let session = packet.session.as_ref().map_or_else(String::new, |session| {
        format!(" `#N` is turn N of the session {}: `bygone show \"{}#N\"`.", session.name, session.name)
    });
    let sections = sections.map(|(name, lines)| {
        let lines = if lines.is_empty() { "Nothing is known.\n".to_owned() } else { lines.concat() };
        format!("\n## {name}\n\n{lines}")
    });
    Ok(format!("{heading}{session}\n{}", sections.concat()))
}

/// Returns what the agent sent and nobody has resolved.
fn sent(seen: &Seen<'_>, packet: &Packet) -> Result<Vec<String>, StateError> {
    let Ok(agent) = EntityRef::new("agent", &packet.agent) else { return Ok(Vec::new()) };
    let wanted = Wanted { mailbox: Mailbox::Sent, status: None, only_unread: false };
    let messages = list(seen, &agent, wanted, packet.at)?;
    let open = messages.into_iter().filter(|message| message.status != Status::Resolved);
    let line = |message: crate::state::inbox::Message| {
        let words = if message.subject.is_empty() { &message.body } else { &message.subject };
        let (kind, to, at) = (&message.kind, message.to.join(", "), time_text(message.sent_at));
        format!("- {kind} to {to}, {at}: {words:?} [message:{}]\n", message.id)
    };
    Ok(open.map(line).collect())
}

/// Returns the teammates that are not alive: nobody should wait for them.
fn lost(packet: &Packet) -> Vec<String> {
    let lines = lines(packet, Section::Agents);
    let is_alive = |nth: usize| packet.agents[nth].liveness == crate::state::liveness::Liveness::Alive;
    lines.into_iter().enumerate().filter(|(nth, _)| !is_alive(*nth)).map(|(_, line)| line).collect()
}
