//! What a clause says of its subject: names, short noun phrases, roles.
//!
//! A phrase is taken only where it is known to end: before punctuation, a time, a preposition or another word that
//! cannot belong to it. "The Harry Potter conference" is therefore nothing, and not "Harry Potter".

use std::ops::Range;

use bygone_ontology::timex::{Kind as TimeKind, TimeExpression};

use super::lexicon;
use super::token::{Kind, Token};

/// The tokens of a clause, and where its time words stand.
pub(super) struct Clause<'a> {
    /// The turn's text.
    pub(super) text: &'a str,
    /// The clause's tokens.
    pub(super) tokens: &'a [Token],
    /// Its time expressions, with their place in the turn's text.
    pub(super) times: &'a [TimeExpression],
}

/// Something found at a position, and the position behind it.
pub(super) type Found<T> = Option<(T, usize)>;

const PREPOSITIONS: &[&str] = &[
    "in", "on", "at", "for", "from", "with", "to", "by", "as", "after", "before", "since", "until", "till",
    "during", "through", "near", "over", "about", "around", "between", "within", "without", "via", "under",
    "outside",
];

impl Clause<'_> {
    /// Returns the token at a position.
    pub(super) fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    /// Says whether the word at a position is this one.
    pub(super) fn is(&self, at: usize, word: &str) -> bool {
        self.token(at).is_some_and(|token| token.is(word))
    }

    /// Says whether the word at a position is one of these.
    pub(super) fn is_one_of(&self, at: usize, words: &[&str]) -> bool {
        self.token(at).is_some_and(|token| token.is_one_of(words))
    }

    /// Says whether any word from a position on is one of these.
    pub(super) fn any(&self, from: usize, words: &[&str]) -> bool {
        self.tokens.iter().skip(from).any(|token| token.is_one_of(words))
    }

    /// Says whether the words at a position are these.
    pub(super) fn are(&self, at: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(offset, word)| self.is(at + offset, word))
    }

    /// Says whether a time expression dates the clause.
    pub(super) fn is_dated(&self) -> bool {
        self.times.iter().any(|time| match time.kind {
            TimeKind::Point | TimeKind::Span | TimeKind::Since | TimeKind::Until => true,
            TimeKind::Duration | TimeKind::Recurrence | TimeKind::Event => false,
        })
    }

    /// Says whether the token at a position belongs to a time expression.
    pub(super) fn is_time(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| {
            self.times.iter().any(|time| time.span.start < token.span.end && token.span.start < time.span.end)
        })
    }

    fn is_word(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| token.kind == Kind::Word)
    }

    /// Says whether no phrase goes on at a position.
    pub(super) fn ends_phrase(&self, at: usize) -> bool {
        self.token(at).is_none_or(|token| match token.kind {
            Kind::Comma | Kind::Break => true,
            Kind::Opaque => false,
            Kind::Word => {
                token.is_one_of(PREPOSITIONS)
                    || lexicon::is_boundary(&token.lower)
                    || self.is_time(at)
                    || is_adverb(&token.lower)
                    || (token.is("a")
                        && self.is_one_of(at + 1, &["lot", "ton", "bit", "little", "couple", "few"]))
            }
        })
    }

    /// Returns the text of some tokens, white space made even, marks of emphasis left out.
    pub(super) fn words(&self, range: Range<usize>) -> String {
        let Some(tokens) = self.tokens.get(range).filter(|tokens| !tokens.is_empty()) else {
            return String::new();
        };
        let mut words = String::new();
        let mut end = None;
        for token in tokens {
            // Halves of a contraction tile; anything else is parted by one space.
            if end.is_some_and(|end| end != token.span.start) {
                words.push(' ');
            }
            words.push_str(&self.text[token.span.clone()]);
            end = Some(token.span.end);
        }
        words
    }

    /// Says whether only white space and marks of emphasis stand between some tokens: "my parents' house" has more.
    pub(super) fn is_even(&self, range: Range<usize>) -> bool {
        self.tokens.get(range).is_some_and(|tokens| {
            tokens.windows(2).all(|pair| {
                let between = &self.text[pair[0].span.end..pair[1].span.start];
                between.chars().all(|c| c.is_whitespace() || matches!(c, '*' | '_'))
            })
        })
    }

    fn is_name_word(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| {
            token.kind == Kind::Word
                && token.capital
                && !self.is_time(at)
                && !lexicon::is_calendar(&token.lower)
                && !token.is_one_of(&["i", "lol", "omg", "btw", "tbh", "asap", "haha", "'s"])
        })
    }

    /// Reads a run of capitalised words, such as "University of Tartu", whatever follows.
    pub(super) fn name_run(&self, from: usize) -> Found<String> {
        self.name_run_end(from).map(|end| (self.words(from..end), end))
    }

    /// Returns the position behind a run of capitalised words.
    pub(super) fn name_run_end(&self, from: usize) -> Option<usize> {
        const LINKS: &[&str] = &[
            "of", "de", "da", "do", "dos", "del", "della", "di", "la", "le", "van", "von", "der", "den",
            "du", "el", "the",
        ];
        const MAX_WORDS: usize = 7;
        if !self.is_name_word(from) {
            return None;
        }
        let mut end = from + 1;
        loop {
            let mut next = end;
            while next < end + 2 && self.is_one_of(next, LINKS) && !self.is_name_word(next) {
                next += 1;
            }
            if next > end && self.is(next - 1, "the") && !self.is(end, "of") {
                break;
            }
            if !self.is_name_word(next) {
                break;
            }
            end = next + 1;
        }
        (end - from <= MAX_WORDS && self.is_even(from..end)).then_some(end)
    }

    /// Reads a name that ends where a phrase can end; "the" in front is left out.
    pub(super) fn name(&self, from: usize) -> Found<String> {
        let from = from + usize::from(self.is(from, "the") && self.is_name_word(from + 1));
        let end = self.name_run_end(from).filter(|end| self.ends_phrase(*end))?;
        Some((self.words(from..end), end))
    }

    /// Reads the name of a person: one to three capitalised words.
    pub(super) fn person(&self, from: usize) -> Found<String> {
        let (name, end) = self.name_run(from)?;
        let first = self.token(from)?;
        (end - from <= 3
            && !lexicon::is_no_name(&first.lower)
            && self.ends_phrase(end)
            && !lexicon::is_place(&name))
        .then_some((name, end))
    }

    /// Reads further names of a list: ", Berlin and Oslo".
    pub(super) fn more_names(&self, from: usize) -> Vec<String> {
        let mut names = Vec::new();
        let mut at = from;
        loop {
            let comma = usize::from(self.token(at).is_some_and(|token| token.kind == Kind::Comma));
            let and = usize::from(self.is_one_of(at + comma, &["and", "or"]));
            if comma + and == 0 {
                return names;
            }
            match self.name(at + comma + and) {
                Some((name, end)) => {
                    names.push(name);
                    at = end;
                }
                None => return names,
            }
        }
    }

    /// Reads up to four words that name a kind of thing or an activity: "sushi", "Italian food", "playing guitar".
    pub(super) fn noun_phrase(&self, from: usize) -> Found<String> {
        const MAX_WORDS: usize = 4;
        let mut end = from;
        while !self.ends_phrase(end) {
            let token = self.token(end)?;
            let bare = token.kind == Kind::Word && !is_deictic(&token.lower);
            if !bare || end - from == MAX_WORDS {
                return None;
            }
            end += 1;
        }
        if end == from || self.is(end - 1, "of") || self.is(from, "of") || !self.is_even(from..end) {
            return None;
        }
        let first = self.token(from)?;
        let gerund = first.lower.len() > 4 && first.lower.ends_with("ing") && !is_thing_in_ing(&first.lower);
        if gerund {
            let vague = lexicon::is_vague_activity(&first.lower);
            let cut =
                self.is_one_of(end, PREPOSITIONS) && !self.is_one_of(end, &["in", "on", "with", "since"]);
            if vague || cut || (end - from > 1 && self.is_one_of(end, PREPOSITIONS) && !self.is(end, "since"))
            {
                return None;
            }
        }
        Some((self.words(from..end), end))
    }

    /// Reads further noun phrases of a list; all or none, and only where the list ends the clause.
    pub(super) fn more_noun_phrases(&self, from: usize) -> Vec<String> {
        let mut phrases = Vec::new();
        let mut at = from;
        while self.is_word(at) || self.token(at).is_some_and(|token| token.kind == Kind::Comma) {
            let comma = usize::from(self.token(at).is_some_and(|token| token.kind == Kind::Comma));
            let and = usize::from(self.is(at + comma, "and"));
            if comma + and == 0 {
                return Vec::new();
            }
            match self.noun_phrase(at + comma + and) {
                Some((phrase, end)) => {
                    phrases.push(phrase);
                    at = end;
                }
                None => return Vec::new(),
            }
        }
        if at == self.tokens.len() { phrases } else { Vec::new() }
    }

    /// Says whether the words before "and" may lean on the noun behind it: "electronic and rock music".
    pub(super) fn shares_noun(&self, phrase: Range<usize>) -> bool {
        let second = phrase.end + 1;
        phrase.len() == 1
            && self.is(phrase.end, "and")
            && self.noun_phrase(second).is_some_and(|(_, end)| end - second > 1)
            && self.token(second).is_some_and(|token| !token.lower.ends_with("ing"))
    }

    /// Reads a thing one can own: a determiner, up to four words.
    pub(super) fn owned(&self, from: usize, determiners: &[&str]) -> Found<String> {
        if !self.is_one_of(from, determiners) {
            return None;
        }
        let mut at = from + 1;
        while self.is_one_of(at, &["new", "brand", "brand-new", "used", "second-hand", "own", "old", "very"])
        {
            at += 1;
        }
        if self.is_one_of(
            at,
            &["few", "couple", "bunch", "lot", "bag", "pack", "bottle", "ton", "round", "wheel", "box"],
        ) {
            return None;
        }
        let (phrase, end) = self.noun_phrase(at)?;
        let last = self.token(end - 1)?;
        (!lexicon::is_nothing_owned(&last.lower)).then_some((phrase, end))
    }

    /// Reads a role: up to four words of which the last is an occupation.
    pub(super) fn role(&self, from: usize) -> Found<String> {
        let mut from = from;
        while self.token(from).is_some_and(|token| lexicon::is_praise(&token.lower)) {
            from += 1;
        }
        for length in (1..=4).rev() {
            let end = from + length;
            let head = self.token(end - 1);
            if !head.is_some_and(|head| head.kind == Kind::Word && lexicon::is_occupation(&head.lower)) {
                continue;
            }
            let Some(words) = self.tokens.get(from..end) else {
                continue;
            };
            let bare = words.iter().all(|token| {
                token.kind == Kind::Word && !is_deictic(&token.lower) && !lexicon::is_no_role(&token.lower)
            });
            let follows = self.ends_phrase(end) || self.is(end, "of");
            let excused = self.are(end, &["in", "training"]) || self.is_one_of(end, &["by", "to"]);
            if bare && follows && !excused {
                return Some((self.words(from..end), end));
            }
        }
        None
    }
}

/// Returns words with their first letter small, as where they do not start a sentence.
pub(super) fn lower_first(words: &str) -> String {
    let mut characters = words.chars();
    characters.next().map(|first| first.to_lowercase().chain(characters).collect()).unwrap_or_default()
}

/// Says whether a word is an adverb by its ending.
pub(super) fn is_adverb(lower: &str) -> bool {
    const NOUNS: &[&str] = &[
        "family",
        "jelly",
        "belly",
        "butterfly",
        "assembly",
        "supply",
        "reply",
        "italy",
        "july",
        "lily",
        "emily",
        "sicily",
        "billy",
        "molly",
        "sally",
        "kelly",
        "holly",
        "firefly",
        "dragonfly",
        "philly",
        "anomaly",
        "monopoly",
        "ally",
    ];
    lower.len() > 4 && lower.ends_with("ly") && !NOUNS.contains(&lower)
}

/// Says whether a word points instead of naming.
fn is_deictic(lower: &str) -> bool {
    lexicon::is_deictic(lower) || lower.chars().next().is_some_and(|c| !c.is_alphabetic())
}

fn is_thing_in_ing(lower: &str) -> bool {
    ["thing", "spring", "string", "king", "wedding", "morning", "evening", "building", "ceiling"]
        .contains(&lower)
}
