//! Whether a line is a question in English, or a query, and not a command.

/// The words that English questions open with: interrogatives (Huddleston and Pullum, The Cambridge Grammar of the
/// English Language, 2002, chapter 10) and the auxiliaries of yes-or-no questions.
const OPENINGS: &[&str] = &[
    "who", "whom", "whose", "what", "which", "when", "where", "why", "how", "is", "are", "was", "were", "do",
    "does", "did", "has", "have", "had", "will", "would", "can", "could",
];

/// Says whether a line asks something.
///
/// A line that starts with a command is one, unless it both opens like a question and ends like one, as in "why did
/// Anna move?"; any other line is a question if it does either.
pub(super) fn is_question(line: &str, is_command: impl Fn(&str) -> bool) -> bool {
    let line = line.trim();
    let Some(first) = line.split_whitespace().next() else { return false };
    let word: String = first.chars().take_while(|c| c.is_alphabetic()).collect::<String>().to_lowercase();
    let opens = OPENINGS.contains(&word.as_str());
    let ends = line.ends_with('?');
    if is_command(first) { opens && ends } else { opens || ends }
}

/// Says whether a line is a query, as it may stand there without quotes.
pub(super) fn is_query(line: &str) -> bool {
    let word = line.trim_start().get(..5).filter(|word| word.eq_ignore_ascii_case("MATCH"));
    word.is_some_and(|word| line.trim_start()[word.len()..].trim_start().starts_with('('))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_told_from_commands() {
        let asks = |line| is_question(line, |word| matches!(word, "why" | "facts" | "show"));
        for question in [
            "where does Anna live?",
            "Where does Anna live",
            "  who's Ben",
            "Anna lives where?",
            "why did Anna leave Acme?",
            "What’s new?",
        ] {
            assert!(asks(question), "{question}");
        }
        for command in ["", "facts", "why f:123", "show Anna?", "whereabouts", "timelin Anna", "--help"] {
            assert!(!asks(command), "{command}");
        }
    }

    #[test]
    fn queries_are_told_from_commands() {
        for query in ["MATCH (p) RETURN p", "  match(p) RETURN p"] {
            assert!(is_query(query), "{query}");
        }
        for line in ["", "match", "match day?", "matching (p)", "facts (p)", "é", "query MATCH (p)"] {
            assert!(!is_query(line), "{line}");
        }
    }
}
