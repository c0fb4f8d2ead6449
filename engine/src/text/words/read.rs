//! From runs to words: each in the form in which it is found, and what it counts for.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use rust_stemmers::Stemmer;

use super::language::Language;
use super::letters::{composed, folded, lower};
use super::name::parts;
use super::scan::{Run, runs};
use super::stop::stop_words;
use super::unspaced::each_pair;

/// The longest word that is kept, in bytes: what is longer is data, not speech.
const LONGEST: usize = 96;
/// The longest name that is kept whole, in bytes: addresses are long.
const LONGEST_NAME: usize = 512;
/// Words whose forms are remembered, at most. Chosen: a few megabytes.
const MOST_REMEMBERED: usize = 1 << 14;
/// The letters of a hash by which people name it.
const SHORT_HASH: usize = 7;

/// A word that a text is found by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::text) struct Word<'w> {
    /// The word.
    pub(in crate::text) text: &'w str,
    /// Whether it makes the text longer. The parts of a name do not: whoever says a name has said one word.
    pub(in crate::text) is_counted: bool,
    /// How much it weighs when it is looked for. What was said as one word weighs 1, the parts of a name together
    /// as much as the whole; 0 is not looked for.
    pub(in crate::text) weight: f64,
}

impl<'w> Word<'w> {
    fn said(text: &'w str) -> Word<'w> {
        Word { text, is_counted: true, weight: 1.0 }
    }
}

/// The forms in which a word is found, the first of them for what is written as it should be; none for a stop word.
type Forms = Vec<Box<str>>;

/// Reads texts as one analyzer does, and remembers the stems of the words it met.
pub(in crate::text) struct WordReader {
    language: Language,
    stemmer: Option<Stemmer>,
    stop_words: Option<&'static HashSet<&'static str>>,
    /// By the word in lower case.
    remembered: HashMap<Box<str>, Forms>,
    /// The word in lower case.
    lowered: String,
}

impl WordReader {
    pub(super) fn new(language: Language) -> WordReader {
        WordReader {
            language,
            stemmer: language.stemmer(),
            stop_words: stop_words(language),
            remembered: HashMap::new(),
            lowered: String::new(),
        }
    }

    /// Hands on the words that a text is found by, in order.
    pub(in crate::text) fn each_word(&mut self, text: &str, mut take: impl FnMut(Word<'_>)) {
        for run in runs(&composed(text)) {
            match run {
                Run::Word(word) => self.word(word, &mut take),
                Run::Name(name) => self.name(name, &mut take),
                Run::Unspaced(run) => each_pair(run, &mut take),
            }
        }
    }

    fn word(&mut self, word: &str, take: &mut impl FnMut(Word<'_>)) {
        if word.len() > LONGEST {
            return;
        }
        if word.contains('\'') {
            self.word_with_apostrophe(word, take);
            return;
        }
        let is_hash = is_hash(word);
        let forms = self.forms(word);
        let mut is_first = true;
        let weight = 1.0 / count(forms.len());
        for form in forms {
            take(Word { text: form, is_counted: is_first, weight });
            is_first = false;
        }
        if is_hash && word.len() > SHORT_HASH {
            let short = word[..SHORT_HASH].to_ascii_lowercase();
            take(Word { text: &short, is_counted: false, weight: 1.0 });
        }
    }

    /// Reads a word of which the apostrophe parts something: an owner's s, words that were written together (`l'eau`),
    /// or nothing (`don't`).
    fn word_with_apostrophe(&mut self, word: &str, take: &mut impl FnMut(Word<'_>)) {
        if self.is_stop_word(word) {
            return;
        }
        let owner = word.strip_suffix("'s").or_else(|| word.strip_suffix("'S")).unwrap_or(word);
        if !owner.contains('\'') {
            self.word(owner, take);
            return;
        }
        match self.language {
            Language::English | Language::None => self.name(owner, take),
            _ => owner.split('\'').for_each(|part| self.word(part, take)),
        }
    }

    fn name(&mut self, name: &str, take: &mut impl FnMut(Word<'_>)) {
        let name = name.strip_suffix("'s").unwrap_or(name);
        let is_turkish = self.language == Language::Turkish;
        let parts = parts(name, |part| lower(part, is_turkish));
        let mut found: Vec<String> =
            parts.segments.iter().map(|segment| folded(segment).into_owned()).collect();
        for leaf in parts.leaves.iter().filter(|leaf| leaf.len() <= LONGEST) {
            found.extend(self.forms(leaf).iter().map(|form| String::from(&**form)));
        }
        found.retain(|part| part.len() <= LONGEST_NAME);
        let is_plain = !parts.whole.contains(|c: char| c.is_ascii_punctuation());
        let has_whole = if is_plain {
            self.word(&parts.whole, take);
            true
        } else if parts.whole.len() <= LONGEST_NAME {
            take(Word::said(&folded(&parts.whole)));
            true
        } else {
            false
        };
        let weight = 1.0 / count(found.len());
        for (idx, part) in found.iter().enumerate() {
            take(Word { text: part, is_counted: !has_whole && idx == 0, weight });
        }
    }

    fn is_stop_word(&mut self, word: &str) -> bool {
        self.lowered = lower(word, self.language == Language::Turkish);
        self.stop_words.is_some_and(|words| words.contains(self.lowered.as_str()))
    }

    fn forms(&mut self, word: &str) -> &[Box<str>] {
        if word.is_ascii() && self.language != Language::Turkish {
            self.lowered.clear();
            self.lowered.push_str(word);
            self.lowered.make_ascii_lowercase();
        } else {
            self.lowered = lower(word, self.language == Language::Turkish);
        }
        if !self.remembered.contains_key(self.lowered.as_str()) {
            if self.remembered.len() == MOST_REMEMBERED {
                self.remembered.clear();
            }
            let forms = self.made_forms(&self.lowered);
            self.remembered.insert(self.lowered.as_str().into(), forms);
        }
        self.remembered.get(self.lowered.as_str()).map(Vec::as_slice).unwrap_or_default()
    }

    fn made_forms(&self, word: &str) -> Forms {
        if self.stop_words.is_some_and(|words| words.contains(word)) {
            return Forms::new();
        }
        if is_hash(word) {
            return vec![word.into()];
        }
        let bare = folded(word);
        let of_bare: Box<str> = folded(&self.stem(&bare)).into();
        // English stems have no accents. In other languages a word has one stem with its accents and another without
        // them; a text that is written without is found by the latter.
        if self.language == Language::English || *bare == *word {
            return vec![of_bare];
        }
        let of_word: Box<str> = folded(&self.stem(word)).into();
        if of_word == of_bare { vec![of_word] } else { vec![of_word, of_bare] }
    }

    fn stem<'w>(&self, word: &'w str) -> Cow<'w, str> {
        self.stemmer.as_ref().map_or(Cow::Borrowed(word), |stemmer| stemmer.stem(word))
    }
}

/// Says whether a word looks like the hash of something: hexadecimal, of both letters and digits.
fn is_hash(word: &str) -> bool {
    (SHORT_HASH..=64).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

fn count(n: usize) -> f64 {
    f64::from(u32::try_from(n.max(1)).unwrap_or(u32::MAX))
}
