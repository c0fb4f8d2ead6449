//! Where the words and names of a text begin and end.
//!
//! ```text
//! edit src/text/main.rs, then call cursor_get() --at v1.2.3; see #12.
//! word name              word word name          word name  word name
//! ```
//!
//! A name is a run of letters, digits and the signs that join them in code, paths, addresses and numbers, without what
//! the sentence puts around it. Signs that join nothing end a run.

use super::unspaced::is_unspaced;

/// The longest name, in letters, that a sharp can belong to.
const LONGEST_SHARP: usize = 4;

/// A piece of text between two gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run<'t> {
    /// Letters and digits, with apostrophes between letters at most.
    Word(&'t str),
    /// Something that has parts, or a sign that belongs to it.
    Name(&'t str),
    /// Characters of a script that puts no space between words.
    Unspaced(&'t str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    /// Part of a word wherever it stands: `__init__`.
    Underscore,
    Apostrophe,
    /// Joins what stands on both sides.
    Sign,
    /// Joins within an address on the web.
    WebSign,
    Comma,
    /// Belongs to the letter before it.
    Mark,
    Unspaced,
    Gap,
}

const ASCII: [Class; 128] = {
    let mut classes = [Class::Gap; 128];
    let mut code: u8 = 0;
    while code < 128 {
        classes[code as usize] = match code {
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            b'_' => Class::Underscore,
            b'\'' => Class::Apostrophe,
            b'.' | b'-' | b'/' | b'\\' | b':' | b'@' | b'#' => Class::Sign,
            b'?' | b'&' | b'=' | b'%' | b'+' | b'~' | b';' => Class::WebSign,
            b',' => Class::Comma,
            _ => Class::Gap,
        };
        code += 1;
    }
    classes
};

fn class_of(c: char) -> Class {
    if is_unspaced(c) {
        Class::Unspaced
    } else if c.is_uppercase() {
        Class::Upper
    } else if c.is_alphabetic() {
        Class::Lower
    } else if c.is_numeric() {
        Class::Digit
    } else if unicode_normalization::char::is_combining_mark(c) {
        Class::Mark
    } else {
        Class::Gap
    }
}

/// Returns the runs of a text, in order.
pub(super) fn runs(text: &str) -> Runs<'_> {
    Runs { text, at: 0 }
}

/// The runs of a text.
pub(super) struct Runs<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Runs<'t> {
    type Item = Run<'t>;

    fn next(&mut self) -> Option<Run<'t>> {
        loop {
            let (class, _) = self.class_at(self.at)?;
            match class {
                Class::Lower | Class::Upper | Class::Digit | Class::Underscore => {
                    if let Some(run) = self.word() {
                        return Some(run);
                    }
                }
                Class::Unspaced => return Some(self.unspaced()),
                Class::Apostrophe
                | Class::Sign
                | Class::WebSign
                | Class::Comma
                | Class::Mark
                | Class::Gap => {
                    self.at += self.width_at(self.at);
                }
            }
        }
    }
}

impl<'t> Runs<'t> {
    fn class_at(&self, at: usize) -> Option<(Class, usize)> {
        let byte = *self.text.as_bytes().get(at)?;
        if byte < 128 {
            return Some((ASCII[usize::from(byte)], 1));
        }
        let c = self.text[at..].chars().next()?;
        Some((class_of(c), c.len_utf8()))
    }

    fn width_at(&self, at: usize) -> usize {
        self.class_at(at).map_or(1, |(_, width)| width)
    }

    fn unspaced(&mut self) -> Run<'t> {
        let start = self.at;
        while let Some((Class::Unspaced, width)) = self.class_at(self.at) {
            self.at += width;
        }
        Run::Unspaced(&self.text[start..self.at])
    }

    /// Reads the run that begins here; `None` where nothing but underscores is in it.
    fn word(&mut self) -> Option<Run<'t>> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let (mut at, mut end) = (start, start);
        let (mut is_name, mut is_address, mut has_letters) = (false, false, false);
        // The last four letters and digits that stand side by side: 1 lower, 2 upper, 3 digit.
        let mut history: u8 = 0;
        while let Some((class, width)) = self.class_at(at) {
            let code = match class {
                Class::Lower => 1,
                Class::Upper => 2,
                Class::Digit => 3,
                Class::Underscore => 0,
                Class::Mark if end == at => {
                    at += width;
                    end = at;
                    continue;
                }
                Class::Apostrophe if end == at && history & 3 != 0 => {
                    at += width;
                    continue;
                }
                Class::Comma if end == at && is_thousands(bytes, at) => {
                    is_name = true;
                    at += width;
                    continue;
                }
                Class::Sign if !is_address && bytes[at..].starts_with(b"://") => {
                    is_address = true;
                    at += 3;
                    continue;
                }
                // "and so on..." and "one--two" are no names.
                Class::Sign if matches!(bytes[at], b'.' | b'-') && bytes.get(at + 1) == Some(&bytes[at]) => {
                    break;
                }
                Class::Sign => {
                    at += width;
                    continue;
                }
                Class::WebSign | Class::Comma if is_address => {
                    at += width;
                    continue;
                }
                Class::Apostrophe
                | Class::WebSign
                | Class::Comma
                | Class::Mark
                | Class::Unspaced
                | Class::Gap => break,
            };
            if end < at {
                // Apostrophes alone make no name.
                is_name |= at - end > 1 || bytes[end] != b'\'';
                history = 0;
            }
            is_name |= code == 0;
            has_letters |= code != 0;
            history = history << 2 | code;
            // A capital after a small letter, or one that begins a word after others: `userName`, `HTTPServer`.
            is_name |= history & 0b1111 == 0b0110 || matches!(history, 0b1010_0101 | 0b1110_0101);
            at += width;
            end = at;
        }
        self.at = end;
        if !has_letters {
            return None;
        }
        let before = self.sign_before(start);
        let after = self.sign_after(start, end);
        self.at = end + after;
        is_name |= before + after > 0;
        let run = &self.text[start - before..end + after];
        Some(if is_name { Run::Name(run) } else { Run::Word(run) })
    }

    /// Returns how long the sign is that a name opens with: `#12`, `@anna`, `.env`.
    fn sign_before(&self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let opens = match &bytes[..start] {
            [.., before, b'#' | b'@' | b'.'] => matches!(
                before,
                b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'(' | b'[' | b'{' | b'<' | b'=' | b'/'
            ),
            [b'#' | b'@' | b'.'] => true,
            _ => false,
        };
        let is_fraction = opens && bytes[start - 1] == b'.' && bytes[start].is_ascii_digit();
        usize::from(opens && !is_fraction)
    }

    /// Returns how long the signs are that a name ends with: `C++`, `C#`.
    fn sign_after(&self, start: usize, end: usize) -> usize {
        let (name, rest) = (&self.text.as_bytes()[start..end], &self.text.as_bytes()[end..]);
        let is_short = name.len() <= LONGEST_SHARP && name.iter().all(u8::is_ascii_alphabetic);
        match rest {
            [b'+', b'+', ..] if name.last().is_some_and(u8::is_ascii_alphabetic) => 2,
            [b'#', ..] if is_short => 1,
            _ => 0,
        }
    }
}

/// Says whether the comma that stands there parts thousands: after one to three digits, and before three.
fn is_thousands(bytes: &[u8], comma: usize) -> bool {
    let n_before = bytes[..comma].iter().rev().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    let n_after = bytes[comma + 1..].iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    matches!(n_before, 1..=3) && n_after == 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[Run<'_>]) {
        assert_eq!(runs(text).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn a_sentence_is_no_part_of_its_names() {
        use Run::{Name, Word};
        check("(see main.rs, or v1.2.)", &[Word("see"), Name("main.rs"), Word("or"), Name("v1.2")]);
        check(
            "\"It's Anna's,\" she--Bob's--said...then",
            &[Word("It's"), Word("Anna's"), Word("she"), Word("Bob's"), Word("said"), Word("then")],
        );
        check("'quoted' -- 5' and -7, ___ _", &[Word("quoted"), Word("5"), Word("and"), Word("7")]);
        check("HELLO PDFs IDs 8am", &[Word("HELLO"), Word("PDFs"), Word("IDs"), Word("8am")]);
    }

    #[test]
    fn names_keep_the_signs_that_are_theirs() {
        for name in [
            "cursor_get",
            "__init__",
            "userName",
            "HTTPServer",
            "vector-index",
            "src/text/main.rs",
            "C:\\Users\\ann",
            "std::fs",
            "@scope/name",
            ".env",
            "#12",
            "C++",
            "C#",
            "a.lee@example.com",
            "https://a.example/b?c=d&e=f#g",
            "1,000,000.5",
            "10:30",
            "owner/repo#12",
        ] {
            check(name, &[Run::Name(name)]);
            check(&format!("({name}), {name}. {name}\n"), &[Run::Name(name); 3]);
        }
    }

    #[test]
    fn signs_that_join_nothing_are_left_out() {
        use Run::{Name, Word};
        check(
            "--at -x ../b ./c ~/.d x=y",
            &[Word("at"), Word("x"), Word("b"), Word("c"), Name(".d"), Word("x"), Word("y")],
        );
        check(
            "in 2020,100 people; 1,00",
            &[Word("in"), Word("2020"), Word("100"), Word("people"), Word("1"), Word("00")],
        );
        check("a.map().iter()", &[Name("a.map"), Word("iter")]);
        check(".5", &[Word("5")]);
    }

    #[test]
    fn scripts_without_spaces_stand_by_themselves() {
        use Run::{Name, Unspaced, Word};
        check(
            "用Python写 src/数据.rs",
            &[Unspaced("用"), Word("Python"), Unspaced("写"), Word("src"), Unspaced("数据"), Word("rs")],
        );
        check("école d\u{e9}j\u{e0}-vu", &[Word("école"), Name("déjà-vu")]);
    }
}
