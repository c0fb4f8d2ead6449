//! The start of a text, where all of it is too much.

/// Returns a text's start, up to a number of bytes, in whole characters.
pub fn start_of(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(start_of("né", 2), "n");
        assert_eq!(start_of("né", 3), "né");
        assert_eq!(start_of("né", 9), "né");
        assert_eq!(start_of("é", 0), "");
    }
}
