//! The stem of an English word, as NLTK's `PorterStemmer` gives it by default, which LoCoMo's scoring of answers rests on.
//!
//! The algorithm is that of Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the departures that NLTK
//! 3.9 calls `NLTK_EXTENSIONS`: some words are listed, words of one and two letters stay, and a few rules differ.

/// Words whose stems are listed.
const LISTED: [(&str, &str); 16] = [
    ("sky", "sky"),
    ("skies", "sky"),
    ("dying", "die"),
    ("lying", "lie"),
    ("tying", "tie"),
    ("news", "news"),
    ("innings", "inning"),
    ("inning", "inning"),
    ("outings", "outing"),
    ("outing", "outing"),
    ("cannings", "canning"),
    ("canning", "canning"),
    ("howe", "howe"),
    ("proceed", "proceed"),
    ("exceed", "exceed"),
    ("succeed", "succeed"),
];

/// Step 2: where what is before the ending has a measure above 0. Of the endings that a word has the first one counts.
const STEP_2: [(&str, &str); 21] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
];

/// Step 3, in the same way.
const STEP_3: [(&str, &str); 7] = [
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];

/// Step 4: endings that go where what is before them has a measure above 1; "ion" behind an s or a t alone.
const STEP_4: [&str; 19] = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism",
    "ate", "iti", "ous", "ive", "ize",
];

/// Returns the stem of a word in lower case.
pub fn stem(word: &str) -> String {
    if let Some((_, stem)) = LISTED.iter().find(|(listed, _)| *listed == word) {
        return (*stem).to_owned();
    }
    let word = Word(word.chars().collect());
    if word.0.len() <= 2 {
        return word.text();
    }
    let steps =
        [Word::plural, Word::past, Word::ending_in_y, Word::step_2, Word::step_3, Word::step_4, Word::last];
    steps.into_iter().fold(word, |word, step| step(word)).text()
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Word(Vec<char>);

impl Word {
    fn text(self) -> String {
        self.0.into_iter().collect()
    }

    fn ends_in(&self, ending: &str) -> bool {
        let n_letters = ending.chars().count();
        self.0.len() >= n_letters && self.0[self.0.len() - n_letters..].iter().copied().eq(ending.chars())
    }

    /// Returns what is before an ending, if the word has it.
    fn before(&self, ending: &str) -> Option<Word> {
        self.ends_in(ending).then(|| Word(self.0[..self.0.len() - ending.chars().count()].to_vec()))
    }

    fn with(mut self, ending: &str) -> Word {
        self.0.extend(ending.chars());
        self
    }

    /// A letter other than a, e, i, o, u, and other than a y behind a consonant.
    fn is_consonant(&self, at: usize) -> bool {
        match self.0[at] {
            'a' | 'e' | 'i' | 'o' | 'u' => false,
            'y' => at == 0 || !self.is_consonant(at - 1),
            _ => true,
        }
    }

    /// How often consonants follow upon vowels.
    fn measure(&self) -> usize {
        (1..self.0.len()).filter(|at| !self.is_consonant(at - 1) && self.is_consonant(*at)).count()
    }

    fn has_vowel(&self) -> bool {
        (0..self.0.len()).any(|at| !self.is_consonant(at))
    }

    fn ends_in_double_consonant(&self) -> bool {
        let length = self.0.len();
        length >= 2 && self.0[length - 1] == self.0[length - 2] && self.is_consonant(length - 1)
    }

    /// Consonant, vowel, consonant at the end, the last none of w, x and y; of two letters, vowel and consonant.
    fn ends_short(&self) -> bool {
        match self.0.len() {
            0 | 1 => false,
            2 => !self.is_consonant(0) && self.is_consonant(1),
            length => {
                self.is_consonant(length - 3)
                    && !self.is_consonant(length - 2)
                    && self.is_consonant(length - 1)
                    && !matches!(self.0[length - 1], 'w' | 'x' | 'y')
            }
        }
    }

    /// Step 1a.
    fn plural(self) -> Word {
        if let Some(stem) = self.before("ies") {
            return if self.0.len() == 4 { stem.with("ie") } else { stem.with("i") };
        }
        if let Some(stem) = self.before("sses") {
            return stem.with("ss");
        }
        if self.ends_in("ss") { self } else { self.before("s").unwrap_or(self) }
    }

    /// Step 1b.
    fn past(self) -> Word {
        if let Some(stem) = self.before("ied") {
            return if self.0.len() == 4 { stem.with("ie") } else { stem.with("i") };
        }
        if let Some(stem) = self.before("eed") {
            return if stem.measure() > 0 { stem.with("ee") } else { self };
        }
        let stems = ["ed", "ing"].into_iter().filter_map(|ending| self.before(ending));
        let Some(stem) = stems.into_iter().find(Word::has_vowel) else { return self };
        if ["at", "bl", "iz"].iter().any(|ending| stem.ends_in(ending)) {
            return stem.with("e");
        }
        if stem.ends_in_double_consonant() {
            let is_kept = matches!(stem.0.last(), Some('l' | 's' | 'z'));
            return if is_kept { stem } else { Word(stem.0[..stem.0.len() - 1].to_vec()) };
        }
        if stem.measure() == 1 && stem.ends_short() { stem.with("e") } else { stem }
    }

    /// Step 1c, where the y is behind a consonant that is not the first letter.
    fn ending_in_y(self) -> Word {
        match self.before("y") {
            Some(stem) if stem.0.len() > 1 && stem.is_consonant(stem.0.len() - 1) => stem.with("i"),
            _ => self,
        }
    }

    fn step_2(self) -> Word {
        if let Some(stem) = self.before("alli").filter(|stem| stem.measure() > 0) {
            return stem.with("al").step_2();
        }
        if STEP_2.iter().all(|(ending, _)| !self.ends_in(ending))
            && let Some(stem) = self.before("logi")
        {
            return if stem.clone().with("l").measure() > 0 { stem.with("log") } else { self };
        }
        self.replaced(&STEP_2)
    }

    fn step_3(self) -> Word {
        self.replaced(&STEP_3)
    }

    /// Applies the first rule whose ending the word has.
    fn replaced(self, rules: &[(&str, &str)]) -> Word {
        let found = rules.iter().find_map(|(ending, by)| Some((self.before(ending)?, by)));
        match found {
            Some((stem, by)) if stem.measure() > 0 => stem.with(by),
            _ => self,
        }
    }

    fn step_4(self) -> Word {
        let found = STEP_4.iter().find_map(|ending| Some((self.before(ending)?, *ending)));
        match found {
            Some((stem, ending)) if stem.measure() > 1 => {
                let goes = ending != "ion" || matches!(stem.0.last(), Some('s' | 't'));
                if goes { stem } else { self }
            }
            _ => self,
        }
    }

    /// Step 5: an e at the end, and one of two l.
    fn last(self) -> Word {
        let word = match self.before("e") {
            Some(stem) if stem.measure() > 1 || (stem.measure() == 1 && !stem.ends_short()) => stem,
            _ => self,
        };
        match word.before("l") {
            Some(stem) if word.ends_in("ll") && stem.measure() > 1 => stem,
            _ => word,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words, most of them those of the paper, and the stems that NLTK 3.9.1 gives them.
    #[test]
    fn stems_are_those_of_nltk() {
        let pairs = "caresses/caress ponies/poni ties/tie cats/cat feed/feed agreed/agre plastered/plaster bled/bled \
            motoring/motor sing/sing conflated/conflat troubled/troubl sized/size hopping/hop tanned/tan \
            falling/fall hissing/hiss fizzed/fizz failing/fail filing/file happy/happi sky/sky enjoy/enjoy \
            try/tri relational/relat conditional/condit rational/ration valenci/valenc digitizer/digit \
            radically/radic differently/differ vilely/vile analogously/analog vietnamization/vietnam \
            predication/predic operator/oper feudalism/feudal decisiveness/decis hopefulness/hope \
            callousness/callous formality/formal sensitivity/sensit sensibility/sensibl triplicate/triplic \
            formative/form formalize/formal electricity/electr electrical/electr hopeful/hope goodness/good \
            revival/reviv allowance/allow inference/infer airliner/airlin gyroscopic/gyroscop adjustable/adjust \
            defensible/defens irritant/irrit replacement/replac adjustment/adjust dependent/depend \
            adoption/adopt communism/commun activate/activ angularity/angular effective/effect \
            bowdlerize/bowdler probate/probat rate/rate cease/ceas controlling/control rolling/roll dies/die \
            died/die flies/fli spied/spi dying/die news/news skies/sky succeed/succeed geology/geolog \
            apology/apolog biology/biolog logic/logic carefully/care beautifully/beauti possibly/possibl \
            accidentally/accident naturally/natur ally/alli usually/usual at/at is/is us/us being/be used/use \
            using/use added/ad ended/end eating/eat oats/oat y/y by/by yes/ye";
        for pair in pairs.split_whitespace() {
            let (word, expected) = pair.split_once('/').expect(pair);
            assert_eq!(stem(word), expected, "{word}");
        }
    }

    #[test]
    fn what_is_no_english_word_has_a_stem() {
        for (word, expected) in [
            ("", ""),
            ("7", "7"),
            ("2023", "2023"),
            ("caf\u{e9}s", "caf\u{e9}"),
            ("\u{97f3}\u{697d}", "\u{97f3}\u{697d}"),
        ] {
            assert_eq!(stem(word), expected);
        }
    }
}
