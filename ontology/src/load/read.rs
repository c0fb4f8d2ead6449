//! Which declarations a text spells out, with the place of each part. What they refer to is not looked at.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::{Problem, Problems};
use crate::definition::{Cardinality, Definition, TemporalKind};
use crate::ontology::Type;

const TOP_KEYS: &[&str] = &["types", "predicate"];
const TYPE_KEYS: &[&str] = &["parent", "note"];
const PREDICATE_KEYS: &[&str] = &[
    "id",
    "domain",
    "range",
    "kind",
    "cardinality",
    "key",
    "inverse",
    "symmetric",
    "half_life_days",
    "cues",
    "end_cues",
    "schema",
    "wikidata",
    "note",
];
const REQUIRED_KEYS: &[&str] = &["id", "domain", "range", "kind", "cardinality"];
const KINDS: &[&str] = &["state", "event", "rigid"];
const CARDINALITIES: &[&str] = &["one", "many"];

/// The declarations of a text, as far as they could be read.
#[derive(Default)]
pub(super) struct Document {
    pub(super) types: Vec<TypeDraft>,
    pub(super) predicates: Vec<PredicateDraft>,
}

pub(super) struct TypeDraft {
    pub(super) name: Spanned<String>,
    pub(super) parent: Option<Spanned<String>>,
    note: Option<Spanned<String>>,
}

/// A predicate's declaration; what is missing or malformed is `None` and has been reported.
#[derive(Default)]
pub(super) struct PredicateDraft {
    pub(super) id: Option<Spanned<String>>,
    pub(super) domain: Option<Vec<Spanned<String>>>,
    pub(super) range: Option<Vec<Spanned<String>>>,
    pub(super) kind: Option<TemporalKind>,
    cardinality: Option<Cardinality>,
    key: Option<Spanned<String>>,
    pub(super) inverse: Option<Spanned<String>>,
    pub(super) symmetric: Option<Spanned<bool>>,
    pub(super) half_life_days: Option<Spanned<u32>>,
    cues: Option<Vec<Spanned<String>>>,
    end_cues: Option<Vec<Spanned<String>>>,
    schema: Option<Spanned<String>>,
    wikidata: Option<Spanned<String>>,
    note: Option<Spanned<String>>,
}

impl TypeDraft {
    pub(super) fn into_type(self) -> Type {
        Type {
            name: self.name.into_inner(),
            parent: self.parent.map(Spanned::into_inner),
            note: self.note.map(Spanned::into_inner),
        }
    }
}

impl PredicateDraft {
    pub(super) fn is_symmetric(&self) -> bool {
        self.symmetric.as_ref().is_some_and(|symmetric| *symmetric.get_ref())
    }

    /// Returns the definition, `None` where a required part is missing.
    pub(super) fn into_definition(self) -> Option<Definition> {
        let symmetric = self.is_symmetric();
        Some(Definition {
            id: self.id?.into_inner(),
            domain: plain(self.domain?),
            range: plain(self.range?),
            kind: self.kind?,
            cardinality: self.cardinality?,
            key: self.key.map(Spanned::into_inner),
            inverse: self.inverse.map(Spanned::into_inner),
            symmetric,
            half_life_days: self.half_life_days.map(Spanned::into_inner),
            cues: self.cues.map(plain).unwrap_or_default(),
            end_cues: self.end_cues.map(plain).unwrap_or_default(),
            schema: self.schema.map(Spanned::into_inner),
            wikidata: self.wikidata.map(Spanned::into_inner),
            note: self.note.map(Spanned::into_inner),
        })
    }
}

fn plain(texts: Vec<Spanned<String>>) -> Vec<String> {
    texts.into_iter().map(Spanned::into_inner).collect()
}

/// Reads the declarations of a text. Where it is not TOML, reads nothing: what would be found missing in a broken
/// table is no problem of its own.
pub(super) fn read(text: &str, problems: &mut Problems<'_>) -> Document {
    let (top, errors) = DeTable::parse_recoverable(text);
    let mut document = Document::default();
    if !errors.is_empty() {
        for error in errors {
            let message: Vec<&str> = error.message().lines().collect();
            let offset = error.span().map_or(0, |span| span.start);
            problems.add(offset, Problem::Syntax(message.join(", ")));
        }
        return document;
    }
    let mut reader = Reader { problems };
    for (key, value) in top.get_ref() {
        match key.get_ref().as_ref() {
            "types" => document.types = reader.types(value),
            "predicate" => document.predicates = reader.predicates(value),
            unknown => reader.unknown_key(key.span().start, unknown, TOP_KEYS),
        }
    }
    document
}

type Value<'i> = Spanned<DeValue<'i>>;

struct Reader<'p, 't> {
    problems: &'p mut Problems<'t>,
}

impl Reader<'_, '_> {
    fn types(&mut self, value: &Value<'_>) -> Vec<TypeDraft> {
        let Some(table) = self.table("types", value) else {
            return Vec::new();
        };
        table
            .iter()
            .map(|(key, value)| {
                let name = Spanned::new(key.span(), key.get_ref().to_string());
                self.name(&name);
                self.one_type(name, value)
            })
            .collect()
    }

    fn one_type(&mut self, name: Spanned<String>, value: &Value<'_>) -> TypeDraft {
        let mut draft = TypeDraft { name, parent: None, note: None };
        if let Some(table) = self.table(&draft.name.get_ref().clone(), value) {
            for (key, value) in table {
                match key.get_ref().as_ref() {
                    "parent" => draft.parent = self.text("parent", value),
                    "note" => draft.note = self.text("note", value),
                    unknown => self.unknown_key(key.span().start, unknown, TYPE_KEYS),
                }
            }
        }
        draft
    }

    fn predicates(&mut self, value: &Value<'_>) -> Vec<PredicateDraft> {
        let Some(array) = value.get_ref().as_array() else {
            self.wrong_type("predicate", value, "a list of tables");
            return Vec::new();
        };
        array
            .iter()
            .filter_map(|value| {
                let table = self.table("predicate", value)?;
                Some(self.predicate(value.span().start, table))
            })
            .collect()
    }

    fn predicate(&mut self, start: usize, table: &DeTable<'_>) -> PredicateDraft {
        let mut draft = PredicateDraft::default();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "id" => {
                    draft.id = self.text("id", value);
                    if let Some(id) = &draft.id {
                        self.name(id);
                    }
                }
                "domain" => draft.domain = self.some_texts("domain", value),
                "range" => draft.range = self.some_texts("range", value),
                "kind" => draft.kind = self.kind(value),
                "cardinality" => draft.cardinality = self.cardinality(value),
                "key" => draft.key = self.text("key", value),
                "inverse" => draft.inverse = self.text("inverse", value),
                "symmetric" => draft.symmetric = self.boolean("symmetric", value),
                "half_life_days" => draft.half_life_days = self.half_life(value),
                "cues" => draft.cues = self.texts("cues", value),
                "end_cues" => draft.end_cues = self.texts("end_cues", value),
                "schema" => draft.schema = self.text("schema", value),
                "wikidata" => draft.wikidata = self.text("wikidata", value),
                "note" => draft.note = self.text("note", value),
                unknown => self.unknown_key(key.span().start, unknown, PREDICATE_KEYS),
            }
        }
        for required in REQUIRED_KEYS {
            if !table.keys().any(|key| key.get_ref() == required) {
                self.problems.add(start, Problem::MissingKey(required));
            }
        }
        draft
    }

    fn kind(&mut self, value: &Value<'_>) -> Option<TemporalKind> {
        let word = self.text("kind", value)?;
        match word.get_ref().as_str() {
            "state" => Some(TemporalKind::State),
            "event" => Some(TemporalKind::Event),
            "rigid" => Some(TemporalKind::Rigid),
            _ => self.unknown_word("kind", word, KINDS),
        }
    }

    fn cardinality(&mut self, value: &Value<'_>) -> Option<Cardinality> {
        let word = self.text("cardinality", value)?;
        match word.get_ref().as_str() {
            "one" => Some(Cardinality::One),
            "many" => Some(Cardinality::Many),
            _ => self.unknown_word("cardinality", word, CARDINALITIES),
        }
    }

    fn half_life(&mut self, value: &Value<'_>) -> Option<Spanned<u32>> {
        let Some(integer) = value.get_ref().as_integer() else {
            self.wrong_type("half_life_days", value, "an integer");
            return None;
        };
        match u32::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(days) if days > 0 => Some(Spanned::new(value.span(), days)),
            Ok(_) | Err(_) => {
                self.problems.add(value.span().start, Problem::BadHalfLife(integer.to_string()));
                None
            }
        }
    }

    fn boolean(&mut self, key: &'static str, value: &Value<'_>) -> Option<Spanned<bool>> {
        if let Some(boolean) = value.get_ref().as_bool() {
            return Some(Spanned::new(value.span(), boolean));
        }
        self.wrong_type(key, value, "a boolean");
        None
    }

    fn text(&mut self, key: &'static str, value: &Value<'_>) -> Option<Spanned<String>> {
        let Some(text) = value.get_ref().as_str() else {
            self.wrong_type(key, value, "a string");
            return None;
        };
        if text.trim().is_empty() {
            self.problems.add(value.span().start, Problem::Empty(key));
            return None;
        }
        Some(Spanned::new(value.span(), text.to_owned()))
    }

    fn texts(&mut self, key: &'static str, value: &Value<'_>) -> Option<Vec<Spanned<String>>> {
        let Some(array) = value.get_ref().as_array() else {
            self.wrong_type(key, value, "a list of strings");
            return None;
        };
        let mut texts: Vec<Spanned<String>> = Vec::new();
        for item in array {
            let Some(text) = self.text(key, item) else {
                continue;
            };
            if texts.iter().any(|earlier| earlier.get_ref() == text.get_ref()) {
                let start = text.span().start;
                let text = text.into_inner();
                self.problems.add(start, Problem::Repeated { key, text });
            } else {
                texts.push(text);
            }
        }
        Some(texts)
    }

    fn some_texts(&mut self, key: &'static str, value: &Value<'_>) -> Option<Vec<Spanned<String>>> {
        let texts = self.texts(key, value)?;
        if value.get_ref().as_array().is_some_and(|array| array.is_empty()) {
            self.problems.add(value.span().start, Problem::Empty(key));
        }
        Some(texts)
    }

    fn table<'v, 'i>(&mut self, key: &str, value: &'v Value<'i>) -> Option<&'v DeTable<'i>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(key, value, "a table");
        }
        table
    }

    fn name(&mut self, name: &Spanned<String>) {
        let text = name.get_ref();
        let is_sound = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        if !text.bytes().all(is_sound) || text.is_empty() {
            self.problems.add(name.span().start, Problem::BadName(text.clone()));
        }
    }

    fn unknown_key(&mut self, offset: usize, key: &str, expects: &'static [&'static str]) {
        let key = key.to_owned();
        self.problems.add(offset, Problem::UnknownKey { key, expects });
    }

    fn unknown_word<T>(
        &mut self,
        key: &'static str,
        word: Spanned<String>,
        expects: &'static [&'static str],
    ) -> Option<T> {
        let start = word.span().start;
        let word = word.into_inner();
        self.problems.add(start, Problem::UnknownWord { key, word, expects });
        None
    }

    fn wrong_type(&mut self, key: &str, value: &Value<'_>, expects: &'static str) {
        let found = value.get_ref().type_str();
        let key = key.to_owned();
        self.problems.add(value.span().start, Problem::WrongType { key, found, expects });
    }
}
