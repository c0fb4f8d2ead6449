//! How far an object reaches, where its words are copied and not understood.
//!
//! A noun phrase goes on through its "of", "for", "with" and their like, and ends before a stop, a time, a further
//! clause, or an adverb that belongs to the verb. What points instead of naming ("it", "that one", "your painting")
//! is no object: away from its turn nobody could tell what it is.

use super::super::lexicon;
use super::super::phrase::{Clause, is_adverb, lower_first};
use super::super::thing::INDEFINITE;
use super::super::token::Kind;
use super::super::verb::{self, VerbForm, readings};

/// The most words an object has.
const MOST_WORDS: usize = 14;

/// The most items of a list that are looked at to tell where it ends.
const MOST_ITEMS: usize = 6;

/// An object as copied.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Extent {
    /// Its words.
    pub(in super::super) words: String,
    /// The noun of a noun phrase, or the verb of an activity, in small letters.
    pub(in super::super) head: String,
    /// The position behind it.
    pub(in super::super) end: usize,
    /// Whether words that point were left out behind it: "games (like this)".
    pub(in super::super) is_cut: bool,
    /// Where it is a list of things, each of them.
    pub(in super::super) items: Vec<String>,
}

/// What tells which one is meant, and is left out.
const DETERMINERS: &[&str] = &[
    "a", "an", "the", "my", "our", "some", "this", "these", "those", "his", "her", "their", "any", "another",
    "several", "both", "each", "every", "many", "all", "such", "more", "most", "few",
];

/// Words that praise or weigh and name nothing, in front.
const EMPTY: &[&str] = &[
    "really", "very", "so", "super", "pretty", "quite", "such", "just", "also", "even", "truly", "own",
    "whole", "lots", "ton", "tons", "bunch", "lot", "bit", "couple", "plenty", "of", "too", "still", "now",
    "always", "actually", "a", "an", "the", "my", "our", "kind", "sort", "kinds", "sorts", "types", "much",
    "new",
];

/// Prepositions through which a noun phrase goes on.
const INNER: &[&str] = &[
    "of", "for", "with", "from", "in", "on", "at", "to", "about", "by", "between", "against", "under",
    "near", "like", "around", "without", "into", "over",
];

impl Clause<'_> {
    /// Says whether an object cannot go on at a position. What one does goes on through words that only end a noun phrase.
    fn closes(&self, at: usize, does: bool) -> bool {
        self.closes_within(at, does, MOST_ITEMS)
    }

    /// The same, for a list of at most so many further items: what is longer ends.
    fn closes_within(&self, at: usize, does: bool, n_items: usize) -> bool {
        const CLOSING: &[&str] = &[
            "because",
            "but",
            "so",
            "than",
            "when",
            "while",
            "where",
            "who",
            "which",
            "that",
            "although",
            "though",
            "if",
            "as",
            "since",
            "after",
            "before",
            "until",
            "during",
            "once",
            "plus",
            "i",
            "we",
            "he",
            "she",
            "they",
            "you",
            "is",
            "are",
            "was",
            "were",
            "has",
            "have",
            "had",
            "will",
            "would",
            "could",
            "can",
            "should",
            "did",
            "does",
            "am",
            "too",
            "also",
            "yet",
            "already",
            "now",
            "lately",
            "anymore",
            "instead",
            "today",
            "tomorrow",
            "yesterday",
            "soon",
            "ago",
            "lol",
            "haha",
            "anyway",
            "tho",
            "ever",
            "then",
            "whenever",
            "how",
            "what",
            "why",
            "every",
            "'cause",
            "cuz",
            "however",
        ];
        const CLOSING_THINGS: &[&str] = &[
            "again",
            "together",
            "myself",
            "ourselves",
            "himself",
            "herself",
            "right",
            "here",
            "there",
            "not",
            "never",
            "just",
            "do",
        ];
        let Some(token) = self.token(at) else { return true };
        let ends =
            |at: usize| self.token(at).is_none_or(|token| matches!(token.kind, Kind::Comma | Kind::Break));
        match token.kind {
            Kind::Comma => !self.lists(at, n_items),
            Kind::Break => true,
            Kind::Opaque => false,
            Kind::Word => {
                self.is_time(at)
                    || token.is_one_of(CLOSING)
                    || (!does && token.is_one_of(CLOSING_THINGS))
                    || (!does && is_adverb(&token.lower) && (ends(at + 1) || self.leads(at + 1)))
                    || (token.is_one_of(&["and", "or"])
                        && (ends(at + 1) || self.closes_within(at + 1, does, n_items.saturating_sub(1))))
                    || self.are(at, &["of", "course"])
                    || self.are(at, &["for", "the", "first", "time"])
                    || (self.leads(at) && (self.is_time(at + 1) || (!does && ends(at + 1))))
                    || (self.leads(at)
                        && self.is_one_of(at + 1, &["the", "a", "an", "this", "my"])
                        && self.is_time(at + 2))
            }
        }
    }

    /// Says whether a phrase goes on behind a comma: in a list, ", Daisy and the new pup", ", soups, and stews", or
    /// after a quality, "a safe, inviting place".
    fn lists(&self, comma: usize, n_items: usize) -> bool {
        const LONGEST_ITEM: usize = 4;
        let Some(n_items) = n_items.checked_sub(1) else { return false };
        let is_quality = |at: usize| self.token(at).is_some_and(|token| lexicon::is_quality(&token.lower));
        if comma > 0
            && is_quality(comma - 1)
            && is_quality(comma + 1)
            && !self.closes_within(comma + 2, false, n_items)
        {
            return true;
        }
        for at in comma + 1..comma + 2 + LONGEST_ITEM {
            let Some(token) = self.token(at) else { return false };
            let first = at == comma + 1;
            match token.kind {
                Kind::Break | Kind::Opaque => return false,
                Kind::Comma => return !first && self.lists(at, n_items),
                Kind::Word if token.is_one_of(&["and", "or"]) => {
                    return !self.closes_within(at + 1, false, n_items);
                }
                Kind::Word
                    if self.is_time(at)
                        || self.is_one_of(at, &["but", "so", "then", "i", "we", "which", "who"]) =>
                {
                    return false;
                }
                Kind::Word => {}
            }
        }
        false
    }

    /// Returns the text of some tokens as it stands, white space made even, marks of emphasis and loose quotes left out.
    fn copied(&self, range: std::ops::Range<usize>) -> String {
        let Some(tokens) = self.tokens.get(range).filter(|tokens| !tokens.is_empty()) else {
            return String::new();
        };
        let text = &self.text[tokens[0].span.start..tokens[tokens.len() - 1].span.end];
        let even = text.split_whitespace().collect::<Vec<_>>().join(" ").replace(['*', '_'], "");
        let quotes = even.matches(['"', '“', '”']).count();
        if quotes % 2 == 1 || even.starts_with(['"', '“']) && even.ends_with(['"', '”']) && quotes == 2 {
            return even.replace(['"', '“', '”'], "");
        }
        even
    }

    fn leads(&self, at: usize) -> bool {
        self.is_one_of(at, INNER)
    }

    /// Returns the position behind the words from a position on that belong to one object; through its prepositions or not.
    fn reach(&self, from: usize, through: bool, does: bool) -> usize {
        let mut end = from + 1;
        while !self.closes(end, does) && end - from < MOST_WORDS {
            if !through && self.leads(end) && !self.is(end, "of") {
                break;
            }
            end += 1;
        }
        // What was cut in the middle ends with its last whole phrase.
        if end - from == MOST_WORDS && !self.closes(end, does) {
            end = (from + 1..end).rev().find(|at| self.leads(*at) && !self.is(*at, "of")).unwrap_or(end);
        }
        let whole = end;
        // "Move in", but not "a profit on (my)".
        let particle =
            |at: usize| does && at + 1 == whole && self.is_one_of(at, &["in", "on", "over", "around"]);
        while end > from + 1
            && ((self.leads(end - 1) && !particle(end - 1))
                || self.is_one_of(end - 1, &["a", "an", "the", "my", "our", "and", "or", "really", "very"])
                || self.tokens[end - 1].kind == Kind::Comma)
        {
            end -= 1;
        }
        end
    }

    /// Says whether some tokens name what they mean.
    fn tells(&self, range: std::ops::Range<usize>) -> bool {
        let words = &self.tokens[range];
        !words.iter().any(|token| lexicon::is_pointing(&token.lower))
    }

    /// Reads a noun phrase with a determiner, or a name.
    pub(in super::super) fn object_definite(&self, from: usize) -> Option<Extent> {
        let first = self.token(from)?;
        let number = first.lower.bytes().all(|byte| byte.is_ascii_digit());
        let determined = self.is_one_of(from, DETERMINERS)
            || self.is_one_of(from, INDEFINITE)
            || self.is_one_of(from, &["lots", "tons", "plenty", "quite"])
            || number
            || first.capital
            || first.kind == Kind::Opaque;
        determined.then(|| self.object_thing(from)).flatten()
    }

    /// Reads a noun phrase, without its determiner.
    pub(in super::super) fn object_thing(&self, from: usize) -> Option<Extent> {
        let mut at = from;
        let mut determined = false;
        loop {
            let empty = self.is_one_of(at, DETERMINERS) || self.is_one_of(at, EMPTY);
            // "This" alone points; "this instrument" names.
            if !empty || self.closes(at + 1, false) {
                break;
            }
            determined = true;
            at += 1;
        }
        let first = self.token(at)?;
        let forms = readings(&first.lower);
        let has = |form: VerbForm| forms.iter().any(|(_, reading)| *reading == form);
        let verb = !determined
            && (has(VerbForm::Ing) || first.is_one_of(&["go", "be", "have", "get", "see", "make", "do"]));
        let particle = first
            .is_one_of(&["and", "or", "to", "up", "out", "off", "down", "back", "away", "along", "no", "so"]);
        if first.kind == Kind::Word && (verb || particle || self.leads(at) || self.closes(at, false)) {
            return None;
        }
        let mut end = self.reach(at, true, false);
        // What one does is no thing of the same list: "local politics, talking to leaders".
        let acts = |at: &usize| {
            let stop = self.is_one_of(*at, &["and", "or"]) || self.tokens[*at].kind == Kind::Comma;
            let next = *at + 1 + usize::from(self.is_one_of(*at + 1, &["and", "or"]));
            stop && self
                .token(next)
                .is_some_and(|next| readings(&next.lower).iter().any(|(_, form)| *form == VerbForm::Ing))
        };
        end = (at + 1..end).find(acts).unwrap_or(end);
        // What a clause follows is its subject: "found out the library has …".
        if self
            .is_one_of(end, &["is", "are", "was", "were", "has", "have", "had", "will", "can", "would", "'s"])
        {
            return None;
        }
        let inner = self.noun_end(at, end);
        if !self.tells(at..end) {
            // The noun itself may be told, and only what it is for not.
            let short = self.reach(at, false, false);
            if short >= end || !self.tells(at..short) {
                return None;
            }
            return self.phrase(at, short, short.min(inner)).map(|extent| Extent { is_cut: true, ..extent });
        }
        self.phrase(at, end, inner)
    }

    /// Returns the position behind the noun of a phrase.
    fn noun_end(&self, at: usize, end: usize) -> usize {
        (at + 1..end)
            .find(|position| {
                self.leads(*position)
                    || self.is_one_of(
                        *position,
                        &["and", "or", "to", "called", "named", "made", "based", "inspired"],
                    )
                    || self.tokens[*position].kind == Kind::Comma
            })
            .unwrap_or(end)
    }

    fn phrase(&self, at: usize, end: usize, inner: usize) -> Option<Extent> {
        let head = self.token(inner - 1)?;
        let opaque = self.tokens[at..end].iter().any(|token| token.kind == Kind::Opaque);
        let told = inner < end || inner - at > 1;
        // "A library job" names one, "a great job" praises.
        let told_apart = inner - at > 1
            && self.is_one_of(
                inner - 1,
                &["job", "plan", "place", "experience", "photo", "picture", "news", "message", "spot"],
            )
            && !lexicon::is_quality(&self.tokens[inner - 2].lower)
            && !self.is_one_of(inner - 2, EMPTY);
        let vague = lexicon::is_vague_noun(&head.lower)
            && !told_apart
            && !(told && self.is(inner, "of") && inner - at > 1);
        let gerund = head.lower.len() > 4 && head.lower.ends_with("ing") && inner - at == 1 && end > inner;
        let praise = lexicon::is_quality(&head.lower)
            || (head.lower.ends_with("ed") && inner - at > 1)
            || head.is("done");
        let spent = self.is(inner - 1, "time")
            || (at..inner).any(|at| {
                self.is(at, "time") && self.token(at + 1).is_some_and(|next| next.lower.ends_with("ing"))
            });
        if (praise || spent) && !opaque {
            return None;
        }
        if (vague && !opaque) || gerund || head.lower.len() == 1 || lexicon::is_calendar(&head.lower) {
            return None;
        }
        let quoted = self.tokens[at..end].iter().any(|token| {
            let inside =
                self.text[token.span.clone()].trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            token.kind == Kind::Opaque && (inside.is_empty() || lexicon::is_pointing(&inside))
        });
        if quoted {
            return None;
        }
        let adverb = inner - at == 1 && (is_adverb(&head.lower) || lexicon::is_deictic(&head.lower));
        if adverb && !opaque {
            return None;
        }
        let words = self.copied(at..end);
        let words = words.trim_matches(|c: char| c == '"' || c == '“' || c == '”').to_owned();
        (words.chars().filter(|c| c.is_alphabetic()).count() > 2).then(|| Extent {
            words,
            head: head.lower.clone(),
            end,
            is_cut: false,
            items: self.items(at, end),
        })
    }

    /// Returns the things of a list; none where it is none, or where a preposition stands in it: "food and water for dogs".
    fn items(&self, from: usize, end: usize) -> Vec<String> {
        let parts = |at: usize| self.is_one_of(at, &["and", "or"]) || self.tokens[at].kind == Kind::Comma;
        if (from..end).any(|at| self.leads(at)) || !(from..end).any(parts) {
            return Vec::new();
        }
        let mut items = Vec::new();
        let mut start = from;
        for at in from..=end {
            if at < end && !parts(at) {
                continue;
            }
            while start < at && (self.is_one_of(start, DETERMINERS) || self.is_one_of(start, EMPTY)) {
                start += 1;
            }
            let head = (start < at).then(|| self.tokens[at - 1].lower.as_str());
            // "A flavourful and healthy chicken" is one.
            if head.is_some_and(lexicon::is_quality) {
                return Vec::new();
            }
            if head.is_some_and(|head| !lexicon::is_vague_noun(head) && head.len() > 1) {
                items.push(self.copied(start..at));
            }
            start = at + 1;
        }
        items
    }

    /// Reads an activity from its verb in -ing on: "lifting weights".
    pub(in super::super) fn object_doing(&self, from: usize) -> Option<Extent> {
        let from =
            from + usize::from(self.is_one_of(from, &["really", "just", "also", "actually", "always"]));
        let first = self.token(from)?;
        let (lemma, _) = readings(&first.lower)
            .iter()
            .find(|(_, form)| *form == VerbForm::Ing)
            .copied()
            .unwrap_or_else(|| {
                let other =
                    first.lower.len() > 5 && first.lower.ends_with("ing") && !is_noun_in_ing(&first.lower);
                (if other { "do" } else { "" }, VerbForm::Ing)
            });
        if lemma.is_empty() || first.kind != Kind::Word {
            return None;
        }
        let end = self.reach(from, true, true);
        let vague = end - from == 1 && lexicon::is_vague_activity(&first.lower);
        let hollow =
            end - from > 1 && lexicon::is_vague_noun(&self.tokens[end - 1].lower) && !self.is(end - 2, "of");
        if vague || hollow || !self.tells(from..end) || self.hangs(end) {
            return None;
        }
        let words = self.copied(from..end);
        let words = if first.capital { lower_first(&words) } else { words };
        Some(Extent { words, head: first.lower.clone(), end, is_cut: false, items: Vec::new() })
    }

    /// Reads what is to be done, from its verb on: "win a championship".
    pub(in super::super) fn object_to_do(&self, from: usize) -> Option<Extent> {
        const LITTLE: &[&str] = &[
            "be", "see", "hear", "know", "say", "share", "check", "tell", "meet", "chat", "talk", "catch",
            "get", "make", "take", "do", "go", "have",
        ];
        const NOTHING_YET: &[&str] = &[
            "make sure",
            "know more",
            "see more",
            "let go",
            "do more",
            "get started",
            "figure out",
            "find out",
            "say hi",
            "check in",
            "catch up",
        ];
        let mut from = from;
        while self.is_one_of(from, &["really", "just", "also", "always", "never", "not", "definitely"]) {
            if self.is_one_of(from, &["never", "not"]) {
                return None;
            }
            from += 1;
        }
        let first = self.token(from)?;
        let known = readings(&first.lower).iter().any(|(_, form)| *form == VerbForm::Base);
        let noun = first.kind != Kind::Word
            || first.capital
            || lexicon::is_deictic(&first.lower)
            || self.is_one_of(from, DETERMINERS);
        if (!known && noun) || first.kind != Kind::Word {
            return None;
        }
        let end = self.reach(from, true, true);
        let alone = end - from == 1;
        let little = alone && (LITTLE.contains(&first.lower.as_str()) || lexicon::is_deictic(&first.lower));
        if NOTHING_YET.contains(&self.copied(from..end).as_str()) {
            return None;
        }
        if little || (alone && !known) || !self.tells(from..end) || self.hangs(end) {
            return None;
        }
        Some(Extent {
            words: self.copied(from..end),
            head: first.lower.clone(),
            end,
            is_cut: false,
            items: Vec::new(),
        })
    }

    /// Says whether what follows still belongs to the phrase, and would be cut from it: "making sure that …".
    fn hangs(&self, end: usize) -> bool {
        const POINTING: &[&str] =
            &["that", "how", "what", "where", "why", "than", "as", "if", "you", "who", "which"];
        let led = end + usize::from(self.leads(end));
        self.is_one_of(end, POINTING) || self.is_one_of(led, POINTING)
    }

    /// Reads the rest of the clause, the word before it included: "promoted to manager".
    pub(super) fn object_becoming(&self, from: usize) -> Option<Extent> {
        let first = self.token(from - 1)?;
        let end = if self.closes(from, true) { from } else { self.reach(from, true, true) };
        let told = self.tells(from..end);
        let end = if told { end } else { from };
        Some(Extent {
            words: self.copied(from - 1..end),
            head: first.lower.clone(),
            end,
            is_cut: false,
            items: Vec::new(),
        })
    }

    /// Reads what stands behind a verb, if anything that names does.
    pub(in super::super) fn object_rest(&self, from: usize) -> Option<String> {
        if self.closes(from, true) {
            return None;
        }
        let end = self.reach(from, true, true);
        let whole = !self.is_one_of(end - 1, DETERMINERS) && !self.is_one_of(end - 1, EMPTY);
        let told = whole && self.tells(from..end) && !self.hangs(end);
        (told && end > from).then(|| self.copied(from..end))
    }

    /// Reads either, an activity first.
    pub(in super::super) fn object_thing_or_doing(&self, from: usize) -> Option<(Extent, bool)> {
        if let Some(doing) = self.object_doing(from) {
            return Some((doing, true));
        }
        self.object_thing(from).map(|thing| (thing, false))
    }
}

/// Returns what one does, from the verb on in -ing: "to paint landscapes" is "painting landscapes".
pub(super) fn as_doing(extent: &Extent) -> Option<String> {
    let (lemma, _) = readings(&extent.head).iter().find(|(_, form)| *form == VerbForm::Base)?;
    let rest = extent.words.split_once(' ').map_or("", |(_, rest)| rest);
    Some(format!("{} {rest}", verb::gerund(lemma)?).trim_end().to_owned())
}

fn is_noun_in_ing(lower: &str) -> bool {
    [
        "spring",
        "string",
        "strings",
        "wedding",
        "morning",
        "evening",
        "building",
        "ceiling",
        "clothing",
        "during",
        "painting",
        "something",
        "anything",
        "everything",
        "nothing",
        "setting",
        "amazing",
        "interesting",
        "inspiring",
        "exciting",
        "relaxing",
        "stunning",
        "rewarding",
        "challenging",
        "calming",
        "outstanding",
        "upcoming",
        "encouraging",
        "touching",
    ]
    .contains(&lower)
}
