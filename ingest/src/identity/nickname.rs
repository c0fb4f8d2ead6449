//! Which short forms a given name goes by: `nicknames.txt` as a table, looked up from both sides.

use std::collections::BTreeMap;
use std::sync::LazyLock;

const TEXT: &str = include_str!("nicknames.txt");

struct Table {
    short_forms: BTreeMap<String, Vec<String>>,
    names: BTreeMap<String, Vec<String>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { short_forms: BTreeMap::new(), names: BTreeMap::new() };
    for line in TEXT.lines().filter(|line| !line.starts_with('#')) {
        let Some((name, short_forms)) = line.split_once(':') else { continue };
        let name = name.to_lowercase();
        for short in short_forms.split_whitespace().map(str::to_lowercase) {
            table.names.entry(short.clone()).or_default().push(name.clone());
            table.short_forms.entry(name.clone()).or_default().push(short);
        }
    }
    table
});

/// Returns the names that a form is short for; both in lower case.
pub(super) fn names_of(short: &str) -> &'static [String] {
    TABLE.names.get(short).map_or(&[], Vec::as_slice)
}

/// Returns the forms that a name is shortened to; both in lower case.
pub(super) fn short_forms_of(name: &str) -> &'static [String] {
    TABLE.short_forms.get(name).map_or(&[], Vec::as_slice)
}

/// Says whether the table knows it as a name in full.
pub(super) fn is_name(word: &str) -> bool {
    TABLE.short_forms.contains_key(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_looked_up_from_both_sides() {
        assert!(names_of("bob").contains(&"robert".to_owned()));
        assert!(short_forms_of("elizabeth").contains(&"liz".to_owned()));
        assert!(names_of("chris").len() > 1 && names_of("robert").is_empty());
        assert!(is_name("samantha") && !is_name("sam"));
    }

    #[test]
    fn the_table_is_large_and_holds_nothing_twice() {
        let mut lines: Vec<&str> =
            TEXT.lines().filter(|line| line.contains(':') && !line.starts_with('#')).collect();
        assert!(TABLE.names.values().map(Vec::len).sum::<usize>() >= 700);
        for line in &lines {
            let (name, short_forms) = line.split_once(':').expect("a colon");
            let mut forms: Vec<&str> = short_forms.split_whitespace().collect();
            let n_forms = forms.len();
            forms.sort_unstable();
            forms.dedup();
            assert!(n_forms > 0 && forms.len() == n_forms && !forms.contains(&name), "{line}");
        }
        let n_lines = lines.len();
        lines.dedup_by_key(|line| line.split(':').next());
        assert_eq!(lines.len(), n_lines, "each name once");
    }
}
