//! Which words a text is found by.
//!
//! ```text
//! text ──letters──▶ one code a letter ──scan──▶ runs ──read──▶ words: lower case, no stop words, stems, no accents
//!                                                 └──name──▶ a name whole, and its parts
//! ```
//!
//! Invariant: a text to be found and a text looked for pass through the same function, [`WordReader::each_word`].

mod language;
mod letters;
mod name;
mod read;
mod scan;
mod stop;
mod unspaced;

pub use language::Language;
pub(super) use read::WordReader;

/// The version of the rules here. An index that was made by others is made again.
const VERSION: u32 = 2;

/// The rules by which texts become words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Analyzer {
    language: Language,
}

impl Analyzer {
    /// Takes texts to be in a language.
    pub const fn new(language: Language) -> Analyzer {
        Analyzer { language }
    }

    /// Returns the language.
    pub const fn language(self) -> Language {
        self.language
    }

    /// Returns the name of the rules: two that make other words of a text have other names.
    pub fn name(self) -> String {
        format!("{}/{VERSION}", self.language.name())
    }

    /// Returns the words that a text is found by, in order: of a name the whole, and then its parts.
    pub fn words(self, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        self.reader().each_word(text, |word| words.push(word.text.to_owned()));
        words
    }

    /// Returns the words that are looked for where a text is: each as often as it is said, with its weight.
    pub fn asked(self, text: &str) -> Vec<(String, f64)> {
        let mut asked = Vec::new();
        self.reader().each_word(text, |word| {
            if word.weight > 0.0 {
                asked.push((word.text.to_owned(), word.weight));
            }
        });
        asked
    }

    /// Returns what reads texts one after the other, which is faster than one by one.
    pub(super) fn reader(self) -> WordReader {
        WordReader::new(self.language)
    }
}

#[cfg(test)]
mod tests;
