//! Paths under `/memories`, and what is no such path.
//!
//! Nothing here leads to a file of this machine. A path that would lead out of a folder if it were one is refused nevertheless,
//! however it is written, since what is kept here may be put into files elsewhere.

/// Where all files are.
pub(super) const ROOT: &str = "/memories";

/// How often a path may be percent-encoded.
const MOST_ENCODED: usize = 8;

/// A path, as it was told and as its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path<'a> {
    pub(super) told: &'a str,
    pub(super) names: Vec<&'a str>,
}

impl<'a> Path<'a> {
    /// Reads a path.
    ///
    /// # Errors
    /// What the model is told where it is none.
    pub(super) fn read(told: &'a str) -> Result<Path<'a>, String> {
        let rest = told.strip_prefix(ROOT).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let Some(rest) = rest else {
            return Err(format!("Error: Path must start with /memories, got: {told}"));
        };
        if rest.chars().any(is_unseen) {
            return Err(format!("Error: Path {told:?} has characters that cannot be seen"));
        }
        let plain =
            plain(rest).ok_or_else(|| format!("Error: Path {told} would escape /memories directory"))?;
        let hides_a_slash = plain.matches(['/', '\\']).count() != rest.matches('/').count();
        if hides_a_slash || plain.chars().any(is_unseen) || plain.split('/').any(leads_out) {
            return Err(format!("Error: Path {told} would escape /memories directory"));
        }
        Ok(Path { told, names: rest.split('/').filter(|name| !name.is_empty()).collect() })
    }

    pub(super) fn is_root(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the path without slashes that say nothing.
    pub(super) fn canonical(&self) -> String {
        let mut path = ROOT.to_owned();
        for name in &self.names {
            path.push('/');
            path.push_str(name);
        }
        path
    }

    /// Returns the folders that it leads through, without the first one.
    pub(super) fn parents(&self) -> impl Iterator<Item = Path<'a>> + '_ {
        (1..self.names.len()).map(|n| Path { told: self.told, names: self.names[..n].to_vec() })
    }

    /// Says whether another path is this one or leads through it.
    pub(super) fn holds(&self, other: &Path<'_>) -> bool {
        other.names.starts_with(&self.names)
    }
}

fn leads_out(name: &str) -> bool {
    matches!(name.trim(), "." | "..")
}

/// Returns a path as somebody might read it who decodes it and takes signs for what they look like; nothing where it is encoded
/// over and over.
fn plain(path: &str) -> Option<String> {
    let mut plain = path.to_owned();
    for _ in 0..MOST_ENCODED {
        let next: String = decoded(&plain).chars().filter(|c| !is_joiner(*c)).flat_map(look).collect();
        if next == plain {
            return Some(plain);
        }
        plain = next;
    }
    None
}

/// Decodes `%XX` once. What is no UTF-8 then is a replacement character.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        let value = digits
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let (b'%', Some(value)) = (byte, value) {
            decoded.push(value);
            at += 3;
        } else {
            decoded.push(*byte);
            at += 1;
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// Returns the plain signs that a sign looks like: dots, slashes and backslashes of other shapes.
fn look(c: char) -> impl Iterator<Item = char> {
    let (sign, n_signs) = match c {
        '\u{2024}' | '\u{fe52}' | '\u{ff0e}' | '\u{ff61}' | '\u{3002}' => ('.', 1),
        '\u{2025}' | '\u{fe30}' => ('.', 2),
        '\u{2026}' => ('.', 3),
        '\u{2044}' | '\u{2215}' | '\u{29f8}' | '\u{ff0f}' => ('/', 1),
        '\u{2216}' | '\u{29f5}' | '\u{29f9}' | '\u{fe68}' | '\u{ff3c}' => ('\\', 1),
        c => (c, 1),
    };
    std::iter::repeat_n(sign, n_signs)
}

/// Says whether a sign only joins its neighbours, as in the names of some languages.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

/// Says whether a sign is a control character, or one that turns, breaks or hides others.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_its_names() {
        for (told, names) in [
            ("/memories", &[][..]),
            ("/memories/", &[]),
            ("/memories/a.md", &["a.md"]),
            ("/memories//a/b c/", &["a", "b c"]),
            ("/memories/..a/b../...", &["..a", "b..", "..."]),
            ("/memories/100%", &["100%"]),
            ("/memories/Grüße/👩‍💻.md", &["Grüße", "👩‍💻.md"]),
        ] {
            assert_eq!(Path::read(told).map(|path| path.names), Ok(names.to_vec()), "{told}");
        }
    }

    #[test]
    fn what_leads_out_or_hides_something_is_no_path() {
        for told in [
            "",
            "/",
            "memories/a",
            "/memoriesx/a",
            "/etc/passwd",
            "/Memories/a",
            "/memories/..",
            "/memories/../etc/passwd",
            "/memories/a/../../b",
            "/memories/a/./b",
            "/memories/ .. /b",
            "/memories/%2e%2e/b",
            "/memories/%2E./b",
            "/memories/.%2e%2fb",
            "/memories/a%2fb",
            "/memories/a%5Cb",
            "/memories/%252e%252e/b",
            "/memories/%25252525252525252e./b",
            "/memories/a%00",
            "/memories/a\\..\\b",
            "/memories/..\\b",
            "/memories/\u{ff0e}\u{ff0e}/b",
            "/memories/\u{2025}/b",
            "/memories/.\u{200d}./b",
            "/memories/a\u{2215}b",
            "/memories/a\u{ff0f}..\u{ff0f}b",
            "/memories/%ef%bc%8e%ef%bc%8e/b",
            "/memories/a\0b",
            "/memories/a\nb",
            "/memories/a\u{202e}dm.b",
            "/memories/a\u{200b}",
            "/memories/a\u{feff}",
        ] {
            assert!(Path::read(told).is_err(), "{told:?}");
        }
    }
}
