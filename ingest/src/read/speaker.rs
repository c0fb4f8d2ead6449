//! Who speaks in a turn.

use bygone_engine::{EntityRef, Role};

/// Returns the speaker of a turn in a format that names nobody: the person, or the agent of this name.
pub(super) fn speaker(role: Role, agent: &str) -> Option<EntityRef> {
    let (kind, name) = match role {
        Role::User => ("person", "user"),
        Role::Agent => ("agent", agent),
        Role::Tool | Role::System | Role::Statement => return None,
    };
    EntityRef::new(kind, name).ok()
}

/// Returns the entity that a record names, or that of the `usual` name where it names none; notes a name that is none.
pub(super) fn named(
    kind: &str,
    name: Option<&str>,
    usual: &str,
    problems: &mut Vec<String>,
) -> Option<EntityRef> {
    match EntityRef::new(kind, name.unwrap_or(usual)) {
        Ok(entity) => Some(entity),
        Err(error) => {
            problems.push(format!("the speaker's name is none: {error}"));
            EntityRef::new(kind, usual).ok()
        }
    }
}
