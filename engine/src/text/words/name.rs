//! What a name is found by: the whole, and the parts that somebody may remember of it.
//!
//! ```text
//! https://docs.example.com/api/getUser#L12
//!         ├──────────────┘ └─┘ ├─────┘ └─┘     segments, between all signs but these: . - _ '
//!         docs example com     get user        leaves of segments, and the humps of leaves
//! ```

/// The parts of a name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Parts<'n> {
    /// What names the thing, without what only says how it is written.
    pub(super) whole: String,
    /// Names within the name, in order.
    pub(super) segments: Vec<String>,
    /// Words within the name, in order.
    pub(super) leaves: Vec<&'n str>,
}

/// Parts of a name that are kept, at most: what has more is data, of which the start is enough.
const MOST_PARTS: usize = 16;

/// Returns the parts of a name; `lower` puts into lower case.
pub(super) fn parts(name: &str, lower: impl Fn(&str) -> String) -> Parts<'_> {
    let name = name.find("://").map_or(name, |scheme| &name[scheme + 3..]);
    let name = name.strip_prefix("www.").unwrap_or(name);
    let name = if is_version(name) { &name[1..] } else { name };
    let whole = lower(name).replace('\\', "/");
    if is_grouped_number(&whole) {
        return Parts { whole: whole.replace([',', '_'], ""), ..Parts::default() };
    }
    let mut parts = Parts { whole, ..Parts::default() };
    let has_segments = name.contains(is_outer_sign);
    let mut is_issue = false;
    for segment in name.split_inclusive(is_outer_sign) {
        let ends_in_sharp = segment.ends_with('#');
        let segment = segment.trim_end_matches(is_outer_sign);
        let inner = segment.trim_start_matches(['-', '\'']).trim_end_matches(['-', '\'', '.']);
        if is_issue && segment.bytes().all(|byte| byte.is_ascii_digit()) {
            parts.segments.push(format!("#{segment}"));
        } else if has_segments && inner.contains(is_inner_sign) {
            parts.segments.push(lower(inner));
        }
        is_issue = ends_in_sharp;
        for leaf in segment.split(is_inner_sign).filter(|leaf| !leaf.is_empty()) {
            if leaf.len() < name.len() {
                parts.leaves.push(leaf);
            }
            push_humps(leaf, &mut parts.leaves);
        }
    }
    parts.segments.retain(|segment| *segment != parts.whole);
    parts.segments.truncate(MOST_PARTS);
    parts.leaves.truncate(MOST_PARTS);
    parts
}

fn is_outer_sign(c: char) -> bool {
    c.is_ascii_punctuation() && !is_inner_sign(c)
}

fn is_inner_sign(c: char) -> bool {
    matches!(c, '.' | '-' | '_' | '\'')
}

/// Says whether a "v" stands before the numbers of a version: `v1.2.3`, `V0.1-rc1`.
fn is_version(name: &str) -> bool {
    let Some(numbers) = name.strip_prefix(['v', 'V']) else { return false };
    let rest = numbers.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < numbers.len()
        && rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Says whether something is a number whose thousands are set apart: `1,000`, `12_500_000`, `1,234.5`.
fn is_grouped_number(name: &str) -> bool {
    let (whole, fraction) = name.split_once('.').unwrap_or((name, ""));
    let mut groups = whole.split([',', '_']);
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let starts = groups.next().is_some_and(|first| matches!(first.len(), 1..=3) && is_digits(first));
    let mut n_groups = 0;
    let goes_on = groups.all(|group| {
        n_groups += 1;
        group.len() == 3 && is_digits(group)
    });
    starts && goes_on && n_groups > 0 && is_digits(fraction)
}

/// Adds the words of a name that is written in capitals and small letters, where it has more than one.
fn push_humps<'n>(leaf: &'n str, humps: &mut Vec<&'n str>) {
    let letters: Vec<(usize, char)> = leaf.char_indices().collect();
    let is_lower = |idx: usize| letters.get(idx).is_some_and(|(_, c)| c.is_lowercase());
    let mut start = 0;
    for (idx, &(at, c)) in letters.iter().enumerate().skip(1) {
        let begins_word = is_lower(idx - 1) || (is_lower(idx + 1) && is_lower(idx + 2));
        if c.is_uppercase() && begins_word {
            humps.push(&leaf[start..at]);
            start = at;
        }
    }
    if start > 0 {
        humps.push(&leaf[start..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, whole: &str, segments: &str, leaves: &str) {
        let parts = parts(name, str::to_lowercase);
        assert_eq!(parts.whole, whole, "whole of {name}");
        assert_eq!(parts.segments.join(" "), segments, "segments of {name}");
        assert_eq!(parts.leaves.join(" "), leaves, "leaves of {name}");
    }

    #[test]
    fn a_name_has_parts_at_its_signs_and_humps() {
        check("src/text/main.rs", "src/text/main.rs", "main.rs", "src text main rs");
        check(r"C:\Users\ann", "c:/users/ann", "", "C Users ann");
        check("cursor_get", "cursor_get", "", "cursor get");
        check("__init__.py", "__init__.py", "", "init py");
        check("app/__init__.py", "app/__init__.py", "__init__.py", "app init py");
        check("HashMap", "hashmap", "", "Hash Map");
        check("HTTPServer2Go", "httpserver2go", "", "HTTP Server2Go");
        check("std::HashMap", "std::hashmap", "", "std HashMap Hash Map");
        check("vector-index", "vector-index", "", "vector index");
        check("@scope/my-name", "@scope/my-name", "my-name", "scope my name");
        check(".env", ".env", "", "env");
        check("home/.env", "home/.env", ".env", "home env");
        check("C++", "c++", "", "C");
        check("#12", "#12", "", "12");
        check("ann/bygone#12", "ann/bygone#12", "#12", "ann bygone 12");
        check("a.lee@mail.example", "a.lee@mail.example", "a.lee mail.example", "a lee mail example");
    }

    #[test]
    fn an_address_is_named_by_host_and_path() {
        check(
            "https://www.example.com/a/getUser?id=7",
            "example.com/a/getuser?id=7",
            "example.com",
            "example com a getUser get User id 7",
        );
    }

    #[test]
    fn numbers_and_versions_have_one_form() {
        check("v1.2.3", "1.2.3", "", "1 2 3");
        check("1,000", "1000", "", "");
        check("12_500_000", "12500000", "", "");
        check("1,234.5", "1234.5", "", "");
        check("v.i.p", "v.i.p", "", "v i p");
    }

    #[test]
    fn of_data_the_start_is_kept() {
        let data = "ab/".repeat(100);
        assert_eq!(parts(&data, str::to_lowercase).leaves.len(), MOST_PARTS);
    }
}
