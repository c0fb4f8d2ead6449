//! Where the elements stand that harnesses write into a person's turn.

use std::ops::Range;

/// Finds the elements of these names from a place on, in order and apart. One that is never closed reaches to the end.
pub(super) fn elements(text: &str, mut from: usize, names: &[&str]) -> Vec<Range<usize>> {
    let mut stretches = Vec::new();
    while let Some(at) = text[from..].find('<').map(|at| from + at) {
        let after = &text[at + 1..];
        let element = names
            .iter()
            .find(|name| after.strip_prefix(**name).is_some_and(|rest| rest.starts_with(['>', ' '])));
        from = at + 1;
        if let Some(name) = element {
            let closing = format!("</{name}>");
            from = text[at..].find(&closing).map_or(text.len(), |end| at + end + closing.len());
            stretches.push(at..from);
        }
    }
    stretches
}
