//! The sections of a packet, the most important first: what is left out first is last.

/// A section of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// The objective, and what the user asked for last.
    Objective,
    /// The task, and the exact next step.
    Next,
    /// Attempts that failed.
    Attempts,
    /// Decisions in force.
    Decisions,
    /// Calls in flight and of unknown outcome.
    Calls,
    /// What was changed on disk.
    Changes,
    /// What failed and was not repaired.
    Failures,
    /// Open todos.
    Todos,
    /// How far things have come.
    Progress,
    /// Open promises.
    Promises,
    /// Unread messages.
    Inbox,
    /// Lost leases, and teammates.
    Agents,
    /// What ought to be checked.
    Stale,
    /// Tasks that are due.
    Due,
    /// What was compacted away.
    Compacted,
}

impl Section {
    /// Every section, the most important first.
    pub const ALL: [Section; 15] = [
        Section::Objective,
        Section::Next,
        Section::Attempts,
        Section::Decisions,
        Section::Calls,
        Section::Changes,
        Section::Failures,
        Section::Todos,
        Section::Progress,
        Section::Promises,
        Section::Inbox,
        Section::Agents,
        Section::Stale,
        Section::Due,
        Section::Compacted,
    ];

    /// Returns the name used on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Section::Objective => "objective",
            Section::Next => "next",
            Section::Attempts => "attempts",
            Section::Decisions => "decisions",
            Section::Calls => "calls",
            Section::Changes => "changes",
            Section::Failures => "failures",
            Section::Todos => "todos",
            Section::Progress => "progress",
            Section::Promises => "promises",
            Section::Inbox => "inbox",
            Section::Agents => "agents",
            Section::Stale => "stale",
            Section::Due => "due",
            Section::Compacted => "compacted",
        }
    }

    /// Returns the heading.
    pub const fn heading(self) -> &'static str {
        match self {
            Section::Objective => "Objective",
            Section::Next => "Task and next step",
            Section::Attempts => "Failed attempts: do not repeat",
            Section::Decisions => "Decisions in force",
            Section::Calls => "Calls without a result",
            Section::Changes => "Changed on disk last",
            Section::Failures => "Failing, not repaired",
            Section::Todos => "Open todos",
            Section::Progress => "Progress and cursors",
            Section::Promises => "Promises",
            Section::Inbox => "Inbox",
            Section::Agents => "Lost leases and teammates",
            Section::Stale => "To check",
            Section::Due => "Due",
            Section::Compacted => "Compacted away",
        }
    }

    /// Returns the command that shows all of it.
    pub fn command(self, agent: &str) -> String {
        match self {
            Section::Objective | Section::Next => format!("bygone task show --agent {agent}"),
            Section::Attempts => "bygone attempts".to_owned(),
            Section::Decisions => "bygone decisions".to_owned(),
            Section::Calls => "bygone call list".to_owned(),
            Section::Changes => {
                format!("bygone facts --subject agent:{agent} --predicate wrote --valid all")
            }
            Section::Failures => {
                format!("bygone facts --subject agent:{agent} --predicate failed_call --valid all")
            }
            Section::Todos => "bygone facts --predicate has_status".to_owned(),
            Section::Progress => "bygone facts --predicate holds".to_owned(),
            Section::Promises => format!("bygone promises --open --agent {agent}"),
            Section::Inbox => format!("bygone inbox list --agent {agent}"),
            Section::Agents => "bygone agents".to_owned(),
            Section::Stale => "bygone stale".to_owned(),
            Section::Due => "bygone facts --predicate due".to_owned(),
            Section::Compacted => format!("bygone search \"WORDS\" --by-agent {agent}"),
        }
    }
}
