//! How what was sent is quoted where it is refused: by its start, so that no message grows with what is wrong.

/// Characters that are quoted (chosen, untested).
const MOST: usize = 60;

/// Returns the text, or its start and a mark that there is more.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
