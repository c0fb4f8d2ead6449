//! What agents need to carry on, as plain files that people and agents can read and search: an index, and a folder for each
//! agent.
//!
//! ```text
//! AGENTS.md            who there is, whether they live, where their folder is
//! <agent>/role.md      what it is for, its runs, whether they live
//! <agent>/context.md   the working context, in nine sections
//! <agent>/decisions.md what is decided, and what was
//! <agent>/inbox.md     the messages it got and sent, whole
//! <agent>/journal.md   what it did, day by day, the last thing last
//! ```
//!
//! Nothing is written here. Invariants:
//! - The same store, view and instant make the same files.
//! - Every file opens with [`MARK`], by which whoever writes them tells their own from others.

mod context;
mod desk;
mod folder;
mod journal;

use bygone_engine::store::Seen;
use bygone_engine::time::Instant;
use bygone_ontology::Ontology;

use crate::resume::{Asked, packet, time_text};
use crate::state::StateError;
use crate::state::liveness::{Heard, words_of};
use crate::state::roster::{Member, Which, roster};

/// The first line of every file.
pub const MARK: &str = "<!-- bygone workstation export: written anew each time, changes here are lost -->";

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Where it stands below the folder, parts apart by `/`.
    pub path: String,
    /// What it holds.
    pub text: String,
}

impl File {
    fn new(path: String, body: &str) -> File {
        File { path, text: format!("{MARK}\n\n{}\n", body.trim_end()) }
    }
}

/// Returns the files of every agent that a view knows at an instant, by path. `heard` are the heartbeats that this process
/// received itself, where the present is asked about.
///
/// # Errors
/// [`StateError`] where the store cannot be read.
pub fn files(
    seen: &Seen<'_>,
    ontology: &Ontology,
    at: Instant,
    heard: &Heard,
) -> Result<Vec<File>, StateError> {
    let runs = roster(seen, at, heard, Which::All)?;
    let last = roster(seen, at, heard, Which::Last)?;
    let mut files = vec![File::new("AGENTS.md".to_owned(), &index(&last, at))];
    for member in &last {
        let asked = Asked { agent: Some(&format!("agent:{}", member.agent)), at, heard };
        let Some(packet) = packet(seen, ontology, &asked)? else { continue };
        let folder = folder::of(&member.agent);
        let is_own = |run: &&Member| run.agent == member.agent && run.epoch.is_some();
        let own: Vec<&Member> = runs.iter().filter(is_own).collect();
        let mut add = |name: &str, body: &str| files.push(File::new(format!("{folder}/{name}"), body));
        add("role.md", &desk::role(member, &own, &packet));
        add("context.md", &context::context(seen, &packet)?);
        add("decisions.md", &desk::decisions(seen, &packet)?);
        add("inbox.md", &desk::inbox(seen, &packet)?);
        add("journal.md", &journal::journal(seen, &packet, heard)?);
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn index(members: &[Member], at: Instant) -> String {
    let mut text = vec![format!("# Agents\n\nAs of {} (UTC).\n\n", time_text(at))];
    for member in members {
        let role = member.role.as_ref().map_or_else(String::new, |role| format!(", {role}"));
        let seen = member.age_micros.map_or_else(String::new, |age| format!(", seen {} ago", words_of(age)));
        text.push(format!(
            "- [{}]({}/context.md){role}: {}{seen} ({})\n",
            member.agent,
            folder::of(&member.agent),
            member.liveness.name(),
            member.basis,
        ));
    }
    text.concat()
}
