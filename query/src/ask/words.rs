//! What the words of a question are: folded, with their place in the text, possessives and commas apart.

use std::ops::Range;

use bygone_engine::entity::fold_name;

/// The possessive ending as a word of its own.
pub(super) const POSSESSIVE: &str = "'s";

/// The first person, whatever its case in the grammar.
pub(super) const FIRST_PERSON: &str = "i";

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// The word in the form words are compared in.
    pub(super) folded: String,
    /// Its byte range in the text; "my" is two words over one range.
    pub(super) span: Range<usize>,
}

/// Brings a question into the form it is read in: straight apostrophes and quotes, no closing punctuation.
pub(super) fn normalise(question: &str) -> String {
    let straight: String = question
        .chars()
        .map(|c| match c {
            '\u{2018}' | '\u{2019}' => '\'',
            '\u{201c}' | '\u{201d}' => '"',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect();
    straight.trim().trim_end_matches(['?', '.', '!', ' ']).to_owned()
}

/// Splits a normalised text into words.
pub(super) fn split(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut start = 0;
    for piece in text.split(char::is_whitespace) {
        let end = start + piece.len();
        push_piece(text, start..end, &mut words);
        // Every white-space character is as long as it is: the next piece starts behind it.
        start = end + text[end..].chars().next().map_or(0, char::len_utf8);
    }
    words
}

/// Returns words as the text has them; words that were put for others are said one by one.
pub(super) fn spoken(text: &str, words: &[Word]) -> String {
    let in_order = words.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
    let whole = match words {
        [first, .., last] if in_order => text.get(first.span.start..last.span.end),
        [only] => text.get(only.span.clone()),
        _ => None,
    };
    let one_by_one = || words.iter().map(|word| word.folded.as_str()).collect::<Vec<_>>().join(" ");
    whole.map_or_else(one_by_one, str::to_owned)
}

fn push_piece(text: &str, mut range: Range<usize>, words: &mut Vec<Word>) {
    let mut word = |span: Range<usize>, folded: &str| {
        words.push(Word { folded: folded.to_owned(), span });
    };
    if text[range.clone()].starts_with('"') {
        range.start += 1;
    }
    let mut commas = Vec::new();
    while let Some(last) = text[range.clone()].chars().next_back().filter(|c| [',', ';', '"'].contains(c)) {
        range.end -= last.len_utf8();
        if last != '"' {
            commas.push(range.end..range.end + 1);
        }
    }
    let piece = &text[range.clone()];
    let folded = fold_name(piece);
    match folded.as_str() {
        "" => {}
        "me" | FIRST_PERSON => word(range, FIRST_PERSON),
        "my" => {
            word(range.clone(), FIRST_PERSON);
            word(range, POSSESSIVE);
        }
        "who's" | "what's" | "where's" | "when's" => {
            word(range.start..range.end - 2, &folded[..folded.len() - 2]);
            word(range.end - 2..range.end, "is");
        }
        _ => {
            let stem = piece.strip_suffix("'s").or_else(|| piece.strip_suffix("'S"));
            let stem = stem.or_else(|| piece.strip_suffix('\'').filter(|stem| stem.ends_with('s')));
            match stem.filter(|stem| !stem.is_empty()) {
                Some(stem) => {
                    let middle = range.start + stem.len();
                    word(range.start..middle, &fold_name(stem));
                    word(middle..range.end, POSSESSIVE);
                }
                None => word(range, &folded),
            }
        }
    }
    for comma in commas.into_iter().rev() {
        word(comma, ",");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let text = normalise(text);
        let words = split(&text);
        let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
        assert_eq!(folded, expected, "{text}");
        assert!(words.iter().all(|word| text.get(word.span.clone()).is_some()), "{text}");
    }

    #[test]
    fn possessives_commas_and_the_first_person_stand_apart() {
        check("Who is Anna\u{2019}s sister?", &["who", "is", "anna", "'s", "sister"]);
        check("In May,  who's James' boss ?", &["in", "may", ",", "who", "is", "james", "'s", "boss"]);
        check("What is my role?", &["what", "is", "i", "'s", "role"]);
        check("Who runs \"Zo\u{eb} Q.\"?!", &["who", "runs", "zo\u{eb}", "q."]);
        check(" ' \" ,", &["'", ","]);
    }
}
