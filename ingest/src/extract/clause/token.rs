//! What words and stops a speech is made of.

use std::ops::Range;

use super::prose::Piece;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word, or half of a contraction: "don't" is `do` and `not`.
    Word,
    /// A comma.
    Comma,
    /// Punctuation that parts clauses: semicolon, colon, dash, bracket.
    Break,
    /// Code or a quotation.
    Opaque,
}

/// A word or a stop.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// Where it stands in the turn's text.
    pub(super) span: Range<usize>,
    /// What it is.
    pub(super) kind: Kind,
    /// The word in small letters, contractions written out; empty for stops.
    pub(super) lower: String,
    /// Whether it is written with a capital.
    pub(super) capital: bool,
}

impl Token {
    /// Says whether it is this word.
    pub(super) fn is(&self, word: &str) -> bool {
        self.lower == word
    }

    /// Says whether it is one of these words.
    pub(super) fn is_one_of(&self, words: &[&str]) -> bool {
        words.contains(&self.lower.as_str())
    }
}

/// The longest sentence that is read, in tokens; longer ones are lists or noise.
const MAX_TOKENS: usize = 160;

/// The longest word that is one, in bytes; longer ones are encoded data.
const MAX_WORD_BYTES: usize = 200;

/// A sentence: its tokens, and whether it asks.
#[derive(Debug, Default)]
pub(super) struct Sentence {
    /// Its words and stops.
    pub(super) tokens: Vec<Token>,
    /// Whether it ends in a question mark.
    pub(super) asks: bool,
}

/// Hands on each sentence of the pieces, in order; what is left of its tokens afterwards is dropped. Sentences of more than
/// [`MAX_TOKENS`] tokens are left out.
pub(super) fn sentences(text: &str, pieces: &[Piece], mut each: impl FnMut(&mut Sentence)) {
    let mut sentence = Sentence::default();
    let mut overlong = false;
    let mut finish = |sentence: &mut Sentence, overlong: &mut bool| {
        if !*overlong && !sentence.tokens.is_empty() {
            each(sentence);
        }
        sentence.tokens.clear();
        sentence.asks = false;
        *overlong = false;
    };
    for piece in pieces {
        match piece {
            Piece::End => finish(&mut sentence, &mut overlong),
            Piece::Opaque(range) => {
                if !overlong {
                    sentence.tokens.push(stop(range.clone(), Kind::Opaque));
                }
            }
            Piece::Words(range) => words(text, range.clone(), &mut |found| match found {
                Found::Token(token) => {
                    overlong |= sentence.tokens.len() >= MAX_TOKENS || token.span.len() > MAX_WORD_BYTES;
                    if !overlong {
                        sentence.tokens.push(token);
                    }
                }
                Found::SentenceEnd { asks } => {
                    sentence.asks = asks;
                    finish(&mut sentence, &mut overlong);
                }
            }),
        }
    }
    finish(&mut sentence, &mut overlong);
}

enum Found {
    Token(Token),
    SentenceEnd { asks: bool },
}

fn stop(span: Range<usize>, kind: Kind) -> Token {
    Token { span, kind, lower: String::new(), capital: false }
}

fn words(text: &str, range: Range<usize>, found: &mut dyn FnMut(Found)) {
    let base = range.start;
    let part = &text[range];
    let mut at = 0;
    while let Some(character) = part[at..].chars().next() {
        if is_word(character) {
            let mut next = at + character.len_utf8();
            loop {
                // Most letters are these, and need no more looking at.
                next += part[next..].bytes().take_while(u8::is_ascii_alphanumeric).count();
                let Some(c) = part[next..].chars().next() else { break };
                let after = next + c.len_utf8();
                // "6:30".
                let clock = c == ':'
                    && part[at..next].ends_with(|c: char| c.is_ascii_digit())
                    && part[after..].starts_with(|c: char| c.is_ascii_digit());
                let joins = clock || (is_joint(c) && part[after..].starts_with(is_word));
                // Joints come first: a text of nothing but "a.a.a" must not be looked at from its start at each of them.
                let closes = !joins && (c == '.' && is_abbreviation(&part[at..next], &part[after..]))
                    || (matches!(c, '+' | '#') && part[at..next].ends_with(['C', '+']))
                    // "LGBTQ+".
                    || (c == '+' && part[at..next].ends_with(char::is_uppercase));
                if !(is_word(c) || joins || closes) {
                    break;
                }
                next = after;
            }
            split_contraction(&part[at..next], base + at, &mut |token| found(Found::Token(token)));
            at = next;
            continue;
        }
        let span = base + at..base + at + character.len_utf8();
        at += character.len_utf8();
        match character {
            ',' => found(Found::Token(stop(span, Kind::Comma))),
            ';' | ':' | '(' | ')' | '–' | '—' | '-' | '[' | ']' | '/' | '|' | '=' => {
                found(Found::Token(stop(span, Kind::Break)));
            }
            '.' | '…' | '!' => found(Found::SentenceEnd { asks: false }),
            '?' => found(Found::SentenceEnd { asks: true }),
            _ => {}
        }
    }
}

fn is_word(c: char) -> bool {
    // Marks that combine with the letter before: names are not always in composed form.
    c.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&c)
}

fn is_joint(c: char) -> bool {
    matches!(c, '\'' | '’' | '-' | '.' | '&' | '_' | '@' | '\u{2010}' | '\u{2011}')
}

/// Says whether a full stop belongs to the word before it: "St. Gallen", "J. Smith", "Acme Corp. in June".
fn is_abbreviation(word: &str, rest: &str) -> bool {
    const TITLES: &[&str] =
        &["st", "dr", "mr", "mrs", "ms", "prof", "mt", "ft", "jr", "sr", "vs", "e.g", "i.e", "approx"];
    const LONGEST: usize = 16;
    const FIRMS: &[&str] = &["inc", "corp", "ltd", "co", "dept"];
    if word.len() > LONGEST {
        return false;
    }
    let lower = word.to_lowercase();
    let next = rest.trim_start();
    if next.is_empty() || !rest.starts_with([' ', ',']) {
        return false;
    }
    let initial = lower.chars().count() == 1 && lower != "i" && word.chars().all(char::is_uppercase);
    let dotted = lower.contains('.') && lower.split('.').all(|part| part.chars().count() == 1);
    TITLES.contains(&lower.as_str())
        || ((initial || dotted || FIRMS.contains(&lower.as_str())) && !starts_anew(next))
        || (FIRMS.contains(&lower.as_str()) && next.starts_with(char::is_lowercase))
}

/// Says whether a text starts with a word that starts sentences.
fn starts_anew(text: &str) -> bool {
    const OPENERS: &[&str] = &[
        "i", "he", "she", "we", "they", "it", "the", "my", "this", "that", "but", "and", "so", "in", "now",
        "what", "do", "can",
    ];
    let word = text.split(|c: char| !is_word(c)).next().unwrap_or_default();
    word.starts_with(char::is_uppercase) && OPENERS.contains(&word.to_lowercase().as_str())
}

/// Hands on a word as one token, or a contraction as two.
fn split_contraction(word: &str, at: usize, found: &mut dyn FnMut(Token)) {
    /// Spelt without the apostrophe: the bytes of the first half, and both halves written out.
    const BARE: [(&str, usize, &str, &str); 16] = [
        ("im", 1, "i", "am"),
        ("ive", 1, "i", "have"),
        ("dont", 2, "do", "not"),
        ("doesnt", 4, "does", "not"),
        ("didnt", 3, "did", "not"),
        ("isnt", 2, "is", "not"),
        ("wasnt", 3, "was", "not"),
        ("havent", 4, "have", "not"),
        ("hasnt", 3, "has", "not"),
        ("cant", 3, "can", "not"),
        ("wont", 2, "will", "not"),
        ("cannot", 3, "can", "not"),
        ("gonna", 3, "going", "to"),
        ("youre", 3, "you", "are"),
        ("theyre", 4, "they", "are"),
        ("aint", 2, "ain", "not"),
    ];
    let lower = lower_case(word);
    let capital = word.starts_with(char::is_uppercase);
    let mut two = |cut: usize, first: &str, second: &str| {
        for (span, half, capital) in
            [(at..at + cut, first, capital), (at + cut..at + word.len(), second, false)]
        {
            found(Token { span, kind: Kind::Word, lower: half.to_owned(), capital });
        }
    };
    if let Some((_, cut, first, second)) = BARE.iter().find(|bare| bare.0 == lower)
        && word.is_char_boundary(*cut)
    {
        return two(*cut, first, second);
    }
    let is_plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let mark = if is_plain { None } else { word.rfind(['\'', '’']) };
    if let Some(mark) = mark {
        let head = lower_case(&word[..mark]);
        let tail = word[mark..].chars().skip(1).collect::<String>().to_lowercase();
        let second = match tail.as_str() {
            "m" => "am",
            "re" => "are",
            "ve" => "have",
            "ll" => "will",
            "d" => "would",
            "s" => "'s",
            "t" => "not",
            _ => "",
        };
        if tail == "t" {
            let (first, negated) = match head.as_str() {
                "can" => ("can", true),
                "won" => ("will", true),
                other => (other.strip_suffix('n').unwrap_or(other), other.ends_with('n')),
            };
            // The span of the first half keeps the n in "don't": what counts is that the two halves tile the word.
            if negated {
                return two(mark, first, "not");
            }
        } else if !second.is_empty() {
            return two(mark, &head, second);
        }
    }
    found(Token { span: at..at + word.len(), kind: Kind::Word, lower, capital });
}

/// Returns a word in small letters, with one kind of apostrophe.
fn lower_case(word: &str) -> String {
    if word.is_ascii() { word.to_ascii_lowercase() } else { word.to_lowercase().replace('’', "'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        sentences(text, &[Piece::Words(0..text.len())], |sentence| {
            let words: Vec<&str> = sentence.tokens.iter().map(|token| token.lower.as_str()).collect();
            found.push(words.join(" ") + if sentence.asks { "?" } else { "" });
        });
        found
    }

    #[test]
    fn contractions_are_written_out() {
        assert_eq!(
            read("I don’t, can't, won't; I'm O'Brien's"),
            ["i do not  can not  will not  i am o'brien 's"]
        );
        assert_eq!(read("im here, dont"), ["i am here  do not"]);
    }

    #[test]
    fn a_stop_inside_a_name_ends_no_sentence() {
        assert_eq!(read("I live in St. Gallen. You?"), ["i live in st. gallen", "you?"]);
        assert_eq!(read("I work at Acme Corp. I like it."), ["i work at acme corp", "i like it"]);
        assert_eq!(read("I use Node.js. Yes!"), ["i use node.js", "yes"]);
        assert_eq!(read("J. Smith left"), ["j. smith left"]);
    }

    #[test]
    fn an_overlong_sentence_is_left_out() {
        let long = "a ".repeat(5000) + ". b";
        assert_eq!(read(&long), ["b"]);
    }
}
