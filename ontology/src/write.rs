//! How declarations are written as TOML: what [`crate::load`] reads back as the same.

use std::fmt::Write;

use crate::definition::{Cardinality, Definition, TemporalKind};
use crate::ontology::Type;

/// Writes types and then predicates, in the order given.
pub(crate) fn to_toml<'d>(
    types: impl IntoIterator<Item = &'d Type>,
    predicates: impl IntoIterator<Item = &'d Definition>,
) -> String {
    let mut text = String::new();
    for declared in types {
        if text.is_empty() {
            text.push_str("[types]\n");
        }
        text.push_str(&type_line(declared));
    }
    for definition in predicates {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&predicate(definition));
    }
    text
}

/// Writes the line of a type in the table of types.
pub fn type_line(declared: &Type) -> String {
    let Type { name, parent, note } = declared;
    let parts: Vec<String> = [("parent", parent), ("note", note)]
        .into_iter()
        .filter_map(|(key, value)| Some(format!("{key} = {}", quoted(value.as_ref()?))))
        .collect();
    let body = if parts.is_empty() { String::new() } else { format!(" {} ", parts.join(", ")) };
    format!("{name} = {{{body}}}\n")
}

/// Writes the table of a predicate.
pub fn predicate(definition: &Definition) -> String {
    // Taken apart field by field, so that a field added to the definition cannot be forgotten here.
    let Definition {
        id,
        domain,
        range,
        kind,
        cardinality,
        key,
        inverse,
        symmetric,
        half_life_days,
        cues,
        end_cues,
        schema,
        wikidata,
        note,
    } = definition;
    let mut text = "[[predicate]]\n".to_owned();
    let mut line = |key: &str, value: String| {
        writeln!(text, "{key} = {value}").expect("writing to a string cannot fail");
    };
    line("id", quoted(id));
    line("domain", list(domain));
    line("range", list(range));
    line("kind", quoted(kind_name(*kind)));
    line("cardinality", quoted(cardinality_name(*cardinality)));
    for (name, value) in [("key", key), ("inverse", inverse)] {
        if let Some(value) = value {
            line(name, quoted(value));
        }
    }
    if *symmetric {
        line("symmetric", "true".to_owned());
    }
    if let Some(days) = half_life_days {
        line("half_life_days", days.to_string());
    }
    for (name, words) in [("cues", cues), ("end_cues", end_cues)] {
        if !words.is_empty() {
            line(name, list(words));
        }
    }
    for (name, value) in [("schema", schema), ("wikidata", wikidata), ("note", note)] {
        if let Some(value) = value {
            line(name, quoted(value));
        }
    }
    text
}

/// Returns the word that a declaration has for a temporal kind.
pub const fn kind_name(kind: TemporalKind) -> &'static str {
    match kind {
        TemporalKind::State => "state",
        TemporalKind::Event => "event",
        TemporalKind::Rigid => "rigid",
    }
}

/// Returns the word that a declaration has for a cardinality.
pub const fn cardinality_name(cardinality: Cardinality) -> &'static str {
    match cardinality {
        Cardinality::One => "one",
        Cardinality::Many => "many",
    }
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ontology::Ontology;

    #[test]
    fn the_core_reads_back_as_written() {
        let core = Ontology::core();
        let text = to_toml(core.types(), core.predicates());
        assert_eq!(Ontology::parse("written", &text).expect("sound"), core);
    }

    #[test]
    fn every_text_is_quoted_as_it_must_be() {
        let definition =
            Definition { note: Some("a \"b\"\n\\c\u{1} = [d]".to_owned()), ..crate::ontology::open("x") };
        let text = predicate(&definition);
        let read = Ontology::parse("written", &text).expect("sound");
        assert_eq!(read.definition("x"), Some(&definition));
    }
}
