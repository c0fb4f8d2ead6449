//! How messages say what was expected.

/// Returns `expected place`, or `expected one of org, team` where there are several.
pub(crate) fn expected<S: AsRef<str>>(words: &[S]) -> String {
    match words {
        [] => "expected nothing".to_owned(),
        [word] => format!("expected {}", word.as_ref()),
        _ => {
            let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
            format!("expected one of {}", words.join(", "))
        }
    }
}
