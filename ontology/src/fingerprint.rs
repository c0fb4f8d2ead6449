//! A stamp of an ontology's content, so that facts derived under other declarations are derived again.
//!
//! The stamp is FNV-1a, 64 bits, over a rendering in which no two contents look alike:
//!
//! ```text
//! type       "t" text optional(parent) optional(note)
//! predicate  "p" text(id) list(domain) list(range) kind cardinality …   in the order of `Definition`
//! text       length as u64, little-endian; bytes
//! optional   0, or 1 and the text
//! list       number of items as u64, little-endian; the items
//! ```

use crate::definition::{Cardinality, Definition, TemporalKind};
use crate::ontology::Type;

/// The FNV-1a hash of 64 bits, as given by Fowler, Noll and Vo (draft-eastlake-fnv, section 5).
struct Fnv(u64);

impl Fnv {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;

    const fn new() -> Fnv {
        Fnv(Fnv::OFFSET_BASIS)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(Fnv::PRIME);
        }
    }

    fn count(&mut self, count: usize) {
        self.bytes(&(count as u64).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes(text.as_bytes());
    }

    fn optional(&mut self, text: Option<&str>) {
        self.bytes(&[u8::from(text.is_some())]);
        if let Some(text) = text {
            self.text(text);
        }
    }

    fn list(&mut self, texts: &[String]) {
        self.count(texts.len());
        for text in texts {
            self.text(text);
        }
    }
}

/// Returns the stamp of the types and predicates, which come in a fixed order.
pub(crate) fn fingerprint<'o>(
    types: impl Iterator<Item = &'o Type>,
    predicates: impl Iterator<Item = &'o Definition>,
) -> u64 {
    let mut fnv = Fnv::new();
    for Type { name, parent, note } in types {
        fnv.bytes(b"t");
        fnv.text(name);
        fnv.optional(parent.as_deref());
        fnv.optional(note.as_deref());
    }
    for definition in predicates {
        predicate(&mut fnv, definition);
    }
    fnv.0
}

fn predicate(fnv: &mut Fnv, definition: &Definition) {
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
    fnv.bytes(b"p");
    fnv.text(id);
    fnv.list(domain);
    fnv.list(range);
    fnv.bytes(match kind {
        TemporalKind::State => b"s",
        TemporalKind::Event => b"e",
        TemporalKind::Rigid => b"r",
    });
    fnv.bytes(match cardinality {
        Cardinality::One => b"1",
        Cardinality::Many => b"m",
    });
    fnv.optional(key.as_deref());
    fnv.optional(inverse.as_deref());
    fnv.bytes(&[u8::from(*symmetric)]);
    fnv.optional(half_life_days.map(|days| days.to_string()).as_deref());
    fnv.list(cues);
    fnv.list(end_cues);
    fnv.optional(schema.as_deref());
    fnv.optional(wikidata.as_deref());
    fnv.optional(note.as_deref());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_agrees_with_its_published_values() {
        for (text, expected) in
            [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            let mut fnv = Fnv::new();
            fnv.bytes(text.as_bytes());
            assert_eq!(fnv.0, expected, "{text:?}");
        }
    }

    #[test]
    fn neighbouring_texts_do_not_run_together() {
        let stamp = |texts: &[&str]| {
            let mut fnv = Fnv::new();
            fnv.list(&texts.iter().map(|&t| t.to_owned()).collect::<Vec<_>>());
            fnv.0
        };
        assert_ne!(stamp(&["ab", "c"]), stamp(&["a", "bc"]));
        assert_ne!(stamp(&["a"]), stamp(&["a", ""]));
    }
}
