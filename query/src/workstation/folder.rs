//! What the folder of an agent is called: its name, where that can be a folder's name on every system.

use bygone_engine::content_digits;

/// The most characters of a name that a folder's name has; chosen, untested.
const LONGEST: usize = 60;
/// How many digits tell folders apart whose agents' names cannot be theirs.
const DIGITS: usize = 8;

/// Returns the name of an agent's folder. Two agents have two folders, also where the case of letters does not count.
pub(super) fn of(agent: &str) -> String {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '.');
    let is_fit = agent.chars().all(fits)
        && agent.len() <= LONGEST
        && !agent.starts_with('.')
        && !agent.ends_with('.')
        && !agent.is_empty();
    if is_fit {
        return agent.to_owned();
    }
    let lower = agent.to_lowercase();
    let name: String =
        lower.chars().map(|c| if fits(c) && c != '.' { c } else { '-' }).take(LONGEST).collect();
    let digits = content_digits("folder", [agent]);
    format!("{name}-{}", &digits[..DIGITS])
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn a_plain_name_is_its_folder_and_others_get_digits() {
        assert_eq!(of("builder-2.1_x"), "builder-2.1_x");
        for name in ["../etc", "a/b", "A", "..", ".hidden", "a.", "Ärger", "", "con|x", &"x".repeat(80)] {
            let folder = of(name);
            assert!(!folder.contains(['/', '\\', '|', '.']) && folder.len() <= 70, "{name}: {folder}");
            assert!(folder.ends_with(|c: char| c.is_ascii_hexdigit()), "{folder}");
        }
        assert_ne!(of("a/b"), of("a|b"));
        assert_ne!(of("A"), of("a"));
    }
}
