//! How a line falls into words: as in a POSIX shell, with quotes, backslashes and comments, and nothing else of one.
//!
//! The rules are those of the Shell Command Language (POSIX.1-2024, XCU 2.2 and 2.3) for quoting: a backslash keeps the
//! next character, single quotes keep everything, double quotes keep all but `\"` and `\\`. A `#` at the start of a word
//! begins a comment.

/// A line in words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// The words, without their quotes.
    pub(super) words: Vec<String>,
    /// The word the line ends in the middle of, if it does not end between two.
    pub(super) last: Option<Unfinished>,
}

/// A word at the end of a line, which may go on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unfinished {
    /// The byte at which it starts, its quote included.
    pub(super) start: usize,
    /// The word so far, without its quotes.
    pub(super) text: String,
    /// The quote that is still open.
    pub(super) open: Option<char>,
    /// Whether any part of it is quoted.
    pub(super) is_quoted: bool,
}

/// Why a line has no words.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum WordsError {
    /// A quote without its end.
    #[error("the quote {quote} at column {column} is not closed")]
    Unclosed {
        /// The quote.
        quote: char,
        /// Where it stands, counted in characters from 1.
        column: usize,
    },
    /// A backslash with nothing after it.
    #[error("the line ends in a backslash, which has nothing to keep")]
    Backslash,
}

/// Splits a whole line.
pub(super) fn split(line: &str) -> Result<Vec<String>, WordsError> {
    let (mut found, problem) = scan(line);
    if let Some(problem) = problem {
        return Err(problem);
    }
    found.words.extend(found.last.map(|last| last.text));
    Ok(found.words)
}

/// Splits a line that is still being typed: what is not closed yet belongs to the last word.
pub(super) fn split_typed(line: &str) -> Words {
    scan(line).0
}

fn scan(line: &str) -> (Words, Option<WordsError>) {
    let mut found = Words::default();
    let mut problem = None;
    let mut characters = line.char_indices().enumerate().peekable();
    while let Some((index, (at, c))) = characters.next() {
        let word = match &mut found.last {
            Some(word) => word,
            None if c.is_whitespace() => continue,
            None if c == '#' => break,
            None => {
                let word = Unfinished { start: at, text: String::new(), open: None, is_quoted: false };
                found.last.insert(word)
            }
        };
        match (word.open, c) {
            (Some(quote), c) if c == quote => {
                word.open = None;
                problem = None;
            }
            (Some('"'), '\\') => {
                let kept = characters.next_if(|(_, (_, next))| matches!(next, '"' | '\\'));
                word.text.push(kept.map_or('\\', |(_, (_, kept))| kept));
            }
            (None, '\\') => {
                word.is_quoted = true;
                match characters.next() {
                    Some((_, (_, kept))) => word.text.push(kept),
                    None => problem = Some(WordsError::Backslash),
                }
            }
            (None, quote @ ('\'' | '"')) => {
                word.open = Some(quote);
                word.is_quoted = true;
                problem = Some(WordsError::Unclosed { quote, column: index + 1 });
            }
            (None, c) if c.is_whitespace() => found.words.extend(found.last.take().map(|word| word.text)),
            (Some(_) | None, c) => word.text.push(c),
        }
    }
    (found, problem)
}

/// Writes a word without quotes so that splitting gives it back: backslashes keep what would not stand for itself.
///
/// Whatever several words have in common is written in the same way, up to a backslash that keeps different things.
pub(super) fn escaped(word: &str) -> String {
    if word.is_empty() {
        return "''".to_owned();
    }
    let mut written = String::with_capacity(word.len());
    for (at, c) in word.char_indices() {
        if c.is_whitespace() || matches!(c, '\'' | '"' | '\\') || (at == 0 && c == '#') {
            written.push('\\');
        }
        written.push(c);
    }
    written
}

/// Puts a word between quotes of the kind given, so that splitting gives it back.
pub(super) fn quoted(word: &str, quote: char) -> String {
    if quote == '\'' {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        assert_eq!(split(line).expect(line), expected, "{line}");
    }

    #[test]
    fn lines_are_split_as_a_shell_does() {
        check("", &[]);
        check("   \t ", &[]);
        check("facts  --subject Anna ", &["facts", "--subject", "Anna"]);
        check(r#"show "Anna Maria""#, &["show", "Anna Maria"]);
        check("show 'Anna \\ \"Maria\"'", &["show", r#"Anna \ "Maria""#]);
        check(r"show Anna\ Maria", &["show", "Anna Maria"]);
        check(r"show \A\\", &["show", r"A\"]);
        check(r#"a"b c"'d e'f"#, &["ab cd ef"]);
        check(r#""say \"no\" to \\ and \n""#, &[r#"say "no" to \ and \n"#]);
        check(r#"search """#, &["search", ""]);
        check("search ''", &["search", ""]);
        check("# all of it", &[]);
        check("facts # and why", &["facts"]);
        check("why conv#3 '#4' \\#5", &["why", "conv#3", "#4", "#5"]);
        check("show Zoë", &["show", "Zoë"]);
    }

    #[test]
    fn what_is_not_closed_is_named_with_its_place() {
        let unclosed = |quote, column| Err(WordsError::Unclosed { quote, column });
        assert_eq!(split("ask \"where is Anna"), unclosed('"', 5));
        assert_eq!(split("ask 'where"), unclosed('\'', 5));
        assert_eq!(split("ask ok'"), unclosed('\'', 7));
        assert_eq!(split("äh \"a\" \"b"), unclosed('"', 8));
        assert_eq!(split(r#""a\""#), unclosed('"', 1));
        assert_eq!(split(r"ask \"), Err(WordsError::Backslash));
        assert_eq!(split(r"ask a\"), Err(WordsError::Backslash));
        let error = split("show 'Anna").expect_err("no end");
        assert_eq!(error.to_string(), "the quote ' at column 6 is not closed");
    }

    #[test]
    fn a_typed_line_keeps_the_word_it_ends_in() {
        let last = |line| split_typed(line).last.map(|last| (last.start, last.text, last.open));
        assert_eq!(last("show "), None);
        assert_eq!(last("show An"), Some((5, "An".to_owned(), None)));
        assert_eq!(last("show \"Anna M"), Some((5, "Anna M".to_owned(), Some('"'))));
        assert_eq!(last("show \"Anna\""), Some((5, "Anna".to_owned(), None)));
        assert_eq!(split_typed("show \"Anna M").words, ["show"]);
    }

    #[test]
    fn quoting_is_undone_by_splitting() {
        for word in
            ["Anna", "Anna Maria", "O'Hara", "say \"no\"", r"a\b", "", "#1", "a#1", "it's \"\\\" here"]
        {
            for written in [escaped(word), quoted(word, '"'), quoted(word, '\'')] {
                assert_eq!(split(&written).expect(word), [word], "{written}");
            }
        }
        assert_eq!(escaped("person:Anna#1"), "person:Anna#1");
    }
}
