//! What results are shown on: how wide it is, and which signs it can show.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

/// The width where nothing tells another one.
const USUAL_WIDTH: usize = 80;

/// A terminal, or what stands in for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Screen {
    /// Its columns.
    pub width: usize,
    /// The signs it can show.
    pub signs: Signs,
}

/// The signs a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Signs {
    /// Those of Unicode.
    Unicode,
    /// Those of ASCII alone.
    Ascii,
}

impl Default for Screen {
    fn default() -> Screen {
        Screen::USUAL
    }
}

impl Screen {
    /// A screen like most others, for results that go elsewhere.
    pub const USUAL: Screen = Screen { width: USUAL_WIDTH, signs: Signs::Unicode };

    /// Finds out about the screen from the environment, and from the terminal itself where there is one.
    pub(crate) fn detect(is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> Screen {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        // POSIX: the first of these that is set says which characters there are.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable).unwrap_or_default();
        let told = variable("COLUMNS").and_then(|columns| columns.to_str()?.parse().ok());
        let found = || rustyline::DefaultEditor::new().ok()?.dimensions().map(|(width, _)| width.into());
        let width = told.or_else(|| is_terminal.then(found).flatten()).filter(|width| *width > 0);
        Screen { width: width.unwrap_or(USUAL_WIDTH), signs: Signs::of_locale(&locale.to_string_lossy()) }
    }
}

impl Signs {
    /// Returns the signs of a locale, by its name: `en_GB.UTF-8`.
    fn of_locale(name: &str) -> Signs {
        let name = name.to_ascii_lowercase();
        if name.contains("utf-8") || name.contains("utf8") { Signs::Unicode } else { Signs::Ascii }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_tells_width_and_signs() {
        let screen = |pairs: &[(&str, &str)]| {
            let variable =
                |name: &str| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
            let Screen { width, signs } = Screen::detect(false, variable);
            (width, signs)
        };
        assert_eq!(screen(&[("LANG", "en_GB.UTF-8"), ("COLUMNS", "120")]), (120, Signs::Unicode));
        assert_eq!(screen(&[("LANG", "en_GB.UTF-8"), ("LC_ALL", "C")]), (80, Signs::Ascii));
        assert_eq!(
            screen(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("COLUMNS", "wide")]),
            (80, Signs::Unicode)
        );
        assert_eq!(screen(&[("COLUMNS", "0")]), (80, Signs::Ascii));
    }
}
