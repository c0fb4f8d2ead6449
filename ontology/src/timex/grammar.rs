//! How the rules are tried: at every token the longest reading wins, and the search goes on behind it.
//!
//! Rules are methods of [`Parser`], one file per kind of expression. Each takes the index of its first token and
//! returns the index behind its last one and what it read, or `None`. Nesting is bounded, so the work per token is too.

use bygone_engine::time::{Granularity, Instant};
use chrono::NaiveDateTime;

use super::length::Length;
use super::stretch::{Stretch, instant};
use super::tokens::{Shape, Token, tokenize};
use super::{Context, Kind, Tense, TimeExpression, prefilter, starters};

/// How many words of an expression may stand before the first number or word that tells of time: chosen.
const LEAD: usize = 12;

/// What a rule found: the index of the token behind it, and its value.
pub(super) type Found<T> = Option<(usize, T)>;

/// How deep expressions may nest ("the end of the week before the first Monday of …").
const DEPTH: u8 = 4;

/// Words that take no preposition before them: "what are you up on lately".
const DEICTICS: &[&str] =
    &["today", "yesterday", "tomorrow", "tonight", "now", "recently", "lately", "nowadays", "currently"];

/// The tokens of a text and what its expressions are grounded against.
#[derive(Clone, Copy)]
pub(super) struct Parser<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) now: NaiveDateTime,
    pub(super) tense: Tense,
    pub(super) fiscal_start: u32,
    depth: u8,
}

/// A complete expression before its times become instants.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) kind: Kind,
    pub(super) start: Option<NaiveDateTime>,
    pub(super) end: Option<NaiveDateTime>,
    pub(super) grain: Granularity,
    pub(super) approx: bool,
    pub(super) best: Option<NaiveDateTime>,
    pub(super) alternatives: Vec<(NaiveDateTime, NaiveDateTime)>,
    pub(super) duration: Option<Length>,
    pub(super) rrule: Option<String>,
}

impl Reading {
    /// Makes a reading without any time.
    pub(super) fn undated(kind: Kind, grain: Granularity) -> Reading {
        Reading {
            kind,
            start: None,
            end: None,
            grain,
            approx: false,
            best: None,
            alternatives: Vec::new(),
            duration: None,
            rrule: None,
        }
    }

    pub(super) fn dated(kind: Kind, stretch: Stretch) -> Reading {
        Reading {
            start: Some(stretch.start),
            end: Some(stretch.end),
            approx: stretch.approx,
            best: stretch.best,
            alternatives: stretch.alternatives,
            ..Reading::undated(kind, stretch.grain)
        }
    }

    pub(super) fn point(stretch: Stretch) -> Reading {
        let kind = if stretch.many { Kind::Span } else { Kind::Point };
        Reading::dated(kind, stretch)
    }
}

/// Finds every time expression, left to right, longest first, none overlapping.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method itself has one lifetime and not any"
)]
pub(super) fn find(text: &str, context: &Context) -> Vec<TimeExpression> {
    if !prefilter::may_hold_time(text) {
        return Vec::new();
    }
    find_where(text, context, |parser, at| parser.may_start(at))
}

/// Finds expressions at the tokens that may start one.
fn find_where(text: &str, context: &Context, may_start: fn(Parser, usize) -> bool) -> Vec<TimeExpression> {
    let tokens = tokenize(text);
    let parser = Parser {
        tokens: &tokens,
        now: context.now.to_chrono().naive_utc(),
        tense: context.tense,
        fiscal_start: context.fiscal_start.clamp(1, 12),
        depth: DEPTH,
    };
    let mut found: Vec<TimeExpression> = Vec::new();
    let mut last = None;
    let mut at = 0;
    while at < tokens.len() {
        let listed = last.is_some_and(|(end, _)| at <= end + 3);
        if !listed && !may_start(parser, at) {
            at += 1;
            continue;
        }
        let parser = parser.in_tense(parser.tense_at(at));
        let next = longest([parser.expression(at), parser.continued(at, last)]);
        let expression = next.and_then(|(end, reading)| {
            let span = tokens.get(at)?.span.start..tokens.get(end.checked_sub(1)?)?.span.end;
            Some((end, to_expression(span, reading)?))
        });
        if let Some((end, expression)) = expression {
            last = Some((end, expression.grain));
            found.push(expression);
            at = end;
        } else {
            at += 1;
        }
    }
    found
}

/// `None` where a time lies outside the ordinary years, or nothing is left of the stretch.
fn to_expression(span: std::ops::Range<usize>, reading: Reading) -> Option<TimeExpression> {
    let convert = |at: Option<NaiveDateTime>| -> Option<Option<Instant>> {
        match at {
            Some(at) => instant(at).map(Some),
            None => Some(None),
        }
    };
    let (start, end) = (convert(reading.start)?, convert(reading.end)?);
    if start.zip(end).is_some_and(|(start, end)| start >= end) {
        return None;
    }
    let alternatives = reading
        .alternatives
        .iter()
        .filter_map(|(start, end)| Some((instant(*start)?, instant(*end)?)))
        .collect();
    Some(TimeExpression {
        span,
        kind: reading.kind,
        start,
        end,
        grain: reading.grain,
        approx: reading.approx,
        best: reading.best.and_then(instant),
        alternatives,
        duration: reading.duration.map(Length::to_iso),
        rrule: reading.rrule,
    })
}

/// Returns the longest of some findings, the first among equals.
pub(super) fn longest<T>(findings: impl IntoIterator<Item = Found<T>>) -> Found<T> {
    let mut best: Found<T> = None;
    for finding in findings.into_iter().flatten() {
        if best.as_ref().is_none_or(|(end, _)| finding.0 > *end) {
            best = Some(finding);
        }
    }
    best
}

impl Parser<'_> {
    /// Returns the tense an expression is read in: the one given, or else the future where its sentence says so before it.
    fn tense_at(self, at: usize) -> Tense {
        let ahead = |at: usize| {
            let word = self.word(at);
            matches!(word, "will" | "shall" | "lets" | "schedule" | "remind" | "tomorrow")
                || word.ends_with("'ll")
                || word == "let" && self.is_possessive(at)
                // "What about Friday?"
                || word == "about" && at.checked_sub(1).is_some_and(|before| self.is(before, &["how", "what"]))
                // "Book a table for Friday": an order at the head of its sentence.
                || matches!(word, "book" | "set" | "arrange" | "plan" | "cancel" | "postpone")
                    && at.checked_sub(1).is_none_or(|before| matches!(self.mark(before), Some('.' | '!' | '?' | ',')))
        };
        if self.tense != Tense::None {
            return self.tense;
        }
        // Far enough back for a clause, near enough that long texts cost no more a word.
        for before in (at.saturating_sub(16)..=at).rev() {
            if matches!(self.mark(before), Some('.' | '!' | '?')) {
                break;
            }
            if ahead(before) {
                return Tense::Future;
            }
        }
        Tense::None
    }

    /// Says whether an expression may start here: with a word or a mark that some rule starts with, with a number or a word
    /// that every expression needs one of near enough to belong to it, and with nothing else before that.
    fn may_start(self, at: usize) -> bool {
        let starts = match self.mark(at) {
            Some(mark) => starters::may_start_with_mark(mark),
            None => starters::may_start(self.word(at)),
        };
        starts && self.tokens.iter().skip(at).take(LEAD).any(|token| token.telling) && self.leads_to_time(at)
    }

    fn leads_to_time(self, at: usize) -> bool {
        // Only a year, a date without marks and a Unix time are an expression of one number.
        let is_short = self.number(at).is_some_and(|(_, digits)| !matches!(digits, 4 | 8 | 10 | 13));
        let mut ahead = self.tokens.iter().skip(at + usize::from(is_short));
        let ends = |token: &Token| starters::may_end(&token.lower) || is_short && token.is_suffix();
        let reached = |token: &&Token| token.telling || ends(token);
        let bars = |token: &&Token| reached(token) || !starters::may_lead_on(&token.lower);
        ahead.find(bars).as_ref().is_some_and(reached)
    }

    /// Says whether one of the words stands at the token or soon behind it.
    pub(super) fn comes(&self, at: usize, words: &[&str]) -> bool {
        (at..at + LEAD).any(|ahead| self.is(ahead, words))
    }

    /// Reads the longest expression that starts at the token.
    fn expression(self, at: usize) -> Found<Reading> {
        if !self.opens(at) {
            return None;
        }
        let found = longest([
            self.epoch(at),
            self.recurrence(at),
            self.bound(at),
            self.range(at),
            self.whole_text(at),
            self.stretch(at, false).map(|(end, stretch)| (end, Reading::point(stretch))),
            self.placed(at),
            self.duration(at),
            self.event(at),
        ])?;
        self.closes(found.0).then_some(found)
    }

    /// Reads a text that is nothing but a date, such as the value of a field.
    fn whole_text(self, at: usize) -> Found<Reading> {
        if at != 0 || self.tokens.len() > 12 {
            return None;
        }
        let (end, stretch) = self.stretch(at, true).filter(|(end, _)| *end == self.tokens.len())?;
        Some((end, Reading::point(stretch)))
    }

    /// Reads the next member of a list that began with a time: "in 2019, 2020 and 2021".
    fn continued(self, at: usize, last: Option<(usize, Granularity)>) -> Found<Reading> {
        let (end, grain) = last?;
        let next = self.skip_mark(end, ',');
        let next = self.phrase(next, &["but", "not"]).unwrap_or_else(|| self.skip(next, &["and", "or"]));
        if next == end || next != at || !self.opens(at) {
            return None;
        }
        let (end, stretch) = self.stretch(at, true).filter(|(_, stretch)| stretch.grain == grain)?;
        let reading = Reading::point(stretch);
        self.closes(end).then_some((end, reading))
    }

    /// Reads a time behind a preposition that makes it one: "in 2022", "on the 5th", "around Easter".
    fn placed(self, at: usize) -> Found<Reading> {
        let hedge = ["around", "about", "circa", "approximately", "roughly", "near"];
        let mut next = at;
        let mut hedged = false;
        if ["sometime", "someday"].contains(&self.word(next)) {
            hedged = true;
            next += 1;
        }
        let preposition =
            ["in", "on", "at", "during", "within", "over", "throughout", "for", "this", "of", "from", "@"];
        if preposition.contains(&self.word(next)) && self.word(next) != "this" || self.mark(next) == Some('@')
        {
            next += 1;
        }
        if next > at && self.is(next, DEICTICS) {
            return None;
        }
        let mut widened = false;
        if hedge.contains(&self.word(next)) {
            // "how about Friday" and "talk about 2019" hedge nothing.
            let topic = [
                "how",
                "what",
                "talk",
                "talked",
                "talking",
                "think",
                "thinking",
                "thought",
                "know",
                "heard",
                "ask",
                "asked",
                "tell",
                "told",
                "all",
                "excited",
                "worried",
                "happy",
                "story",
                "book",
                "read",
                "learn",
                "learned",
                "info",
                "information",
            ];
            let about = self.word(next) == "about"
                && next.checked_sub(1).is_some_and(|before| self.is(before, &topic));
            widened = !about;
            next += 1;
        }
        if next == at {
            return None;
        }
        let (end, stretch) = self.stretch(next, true)?;
        let counted =
            ["people", "words", "times", "users", "lines", "files", "pages", "steps", "units", "characters"];
        if counted.contains(&self.word(end)) {
            return None;
        }
        let stretch = if widened { stretch.widened()? } else { stretch };
        let stretch = if hedged { stretch.hedged() } else { stretch };
        Some((end, Reading::point(stretch)))
    }

    /// Returns a parser one level deeper, or `None` at the bottom.
    pub(super) fn deeper(self) -> Option<Self> {
        Some(Parser { depth: self.depth.checked_sub(1)?, ..self })
    }

    /// Returns a parser that grounds for another tense.
    pub(super) fn in_tense(self, tense: Tense) -> Self {
        Parser { tense, ..self }
    }

    pub(super) fn token_count(&self) -> usize {
        self.tokens.len()
    }

    fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    /// Returns the lower-case word at the index; empty where there is none.
    pub(super) fn word(&self, at: usize) -> &str {
        self.token(at).map_or("", |token| token.lower.as_str())
    }

    /// Returns the word at the index where it follows without white space.
    pub(super) fn suffix(&self, at: usize) -> &str {
        if self.is_glued(at) { self.word(at) } else { "" }
    }

    pub(super) fn is(&self, at: usize, words: &[&str]) -> bool {
        !self.word(at).is_empty() && words.contains(&self.word(at))
    }

    /// Steps over the word if it is one of those given.
    pub(super) fn skip(&self, at: usize, words: &[&str]) -> usize {
        at + usize::from(self.is(at, words))
    }

    pub(super) fn skip_mark(&self, at: usize, mark: char) -> usize {
        at + usize::from(self.mark(at) == Some(mark))
    }

    /// Steps over a sequence of words, or returns `None`.
    pub(super) fn phrase(&self, at: usize, words: &[&str]) -> Option<usize> {
        let all = words.iter().enumerate().all(|(offset, word)| self.word(at + offset) == *word);
        all.then_some(at + words.len())
    }

    pub(super) fn mark(&self, at: usize) -> Option<char> {
        match self.token(at)?.shape {
            Shape::Mark(mark) => Some(mark),
            Shape::Word | Shape::Number { .. } => None,
        }
    }

    /// Returns the value and number of digits of the number at the index.
    pub(super) fn number(&self, at: usize) -> Option<(u64, usize)> {
        match self.token(at)?.shape {
            Shape::Number { value, digits } => Some((value, digits)),
            Shape::Word | Shape::Mark(_) => None,
        }
    }

    /// Returns the number at the index where it fits and has one of the counts of digits given.
    pub(super) fn digits(&self, at: usize, counts: std::ops::RangeInclusive<usize>) -> Option<u32> {
        let (value, digits) = self.number(at)?;
        if !counts.contains(&digits) {
            return None;
        }
        u32::try_from(value).ok()
    }

    pub(super) fn is_glued(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| token.glued)
    }

    pub(super) fn is_capital(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| token.capital)
    }

    pub(super) fn is_possessive(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| token.possessive)
    }

    /// Says whether a phrase may be over before the token: nothing that could be a counted thing follows.
    pub(super) fn stops(&self, at: usize) -> bool {
        let goes_on = self.is_glued(at)
            && (self.is_glued(at + 1) && self.token(at + 1).is_some() || self.mark(at).is_none());
        let words = [
            "",
            "a",
            "about",
            "after",
            "and",
            "around",
            "as",
            "at",
            "because",
            "before",
            "between",
            "but",
            "by",
            "during",
            "for",
            "from",
            "he",
            "i",
            "if",
            "in",
            "is",
            "it",
            "like",
            "on",
            "or",
            "she",
            "since",
            "so",
            "that",
            "the",
            "then",
            "they",
            "through",
            "to",
            "today",
            "tomorrow",
            "until",
            "was",
            "we",
            "when",
            "where",
            "which",
            "who",
            "will",
            "with",
            "yesterday",
            "you",
        ];
        self.token(at).is_none()
            || !goes_on
                && self.number(at).is_none()
                && (self.mark(at).is_some() || words.contains(&self.word(at)))
    }

    /// Says whether an expression may start here: not in the middle of a word, a version, a path or a number.
    fn opens(&self, at: usize) -> bool {
        if !self.is_glued(at) {
            return true;
        }
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        let Some(mark) = self.mark(before) else {
            return false;
        };
        if matches!(mark, '.' | ':' | ',') && self.mark(at).is_none() {
            // "3.11" and "10:30" go on with their number; "done.Today" and "date:2023-05-07" begin anew.
            let after_number = self.is_glued(before) && before > 0 && self.number(before - 1).is_some();
            return !after_number && (mark == ':' || self.number(at).is_none());
        }
        // "-2020-07-01-" is a date between dashes and no number below zero.
        if mark == '-' && !self.is_glued(before) && self.digits(at, 4..=8).is_some() {
            return self.number(at).is_some_and(|(_, digits)| digits == 8)
                || self.mark(at + 1) == Some('-') && self.is_glued(at + 1) && self.mark(at + 3) == Some('-');
        }
        !matches!(mark, '-' | '/' | '\\' | '#' | '$' | '@' | '+' | '~' | '%' | '&' | '€' | '£')
    }

    /// Says whether an expression may end before the token: what follows does not go on with the same word or number.
    fn closes(&self, end: usize) -> bool {
        if !self.is_glued(end) {
            return true;
        }
        let Some(mark) = self.mark(end) else {
            return false;
        };
        if matches!(mark, '-' | '/' | '.' | ':' | ',' | '+' | '=' | '\\' | '@') {
            let goes_on = self.number(end + 1).is_some() || !self.word(end + 1).is_empty();
            return !(goes_on && self.is_glued(end + 1));
        }
        !matches!(mark, '%' | '°' | '(' | '\u{fffd}')
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Without the prefilter, and with every rule tried at every token.
    fn find_everywhere(text: &str, context: &Context) -> Vec<TimeExpression> {
        find_where(text, context, |_, _| true)
    }

    fn context() -> Context {
        Context {
            now: Instant::from_micros(1_686_756_600_000_000).expect("ordinary"),
            tense: Tense::None,
            fiscal_start: 1,
        }
    }

    #[test]
    fn nothing_is_lost_by_looking_only_where_a_time_may_start_in_the_cases() {
        let cases = include_str!("../../tests/cases/timex.jsonl");
        for line in cases.lines() {
            let case: serde_json::Value = serde_json::from_str(line).expect("a case a line");
            let text = case["sentence"].as_str().or(case["text"].as_str()).expect("a text");
            assert_eq!(find(text, &context()), find_everywhere(text, &context()), "{text}");
        }
    }

    /// Words of the grammar, those first that the prefilter does not know.
    const WORDS: &[&str] = &[
        "a", "about", "all", "an", "and", "as", "at", "between", "by", "coming", "couple", "current", "each",
        "early", "end", "ever", "every", "few", "first", "five", "for", "from", "half", "hence", "in", "i",
        "just", "last", "late", "mid", "middle", "new", "next", "of", "on", "once", "one", "or", "other",
        "our", "past", "present", "previous", "quarter", "right", "rest", "same", "several", "start",
        "starting", "ten", "the", "these", "this", "through", "to", "twenty", "twice", "two", "up",
        "upcoming", "nineteen", "fifteen", "hundred", "thousand", "eighty", "oh", "later", "eod", "otd",
        "date", "Saint", "Patrick", "Mardi", "Gras", "½", "earlier", "starting", "more", "less", "than",
        "close", "fiscal", "calendar", "was", "we", "wedding", "within", "young", "good", "black", "eve",
        "kid", "whole", "year", "day", "Friday", "May", "ago", "week", "night", "now", "summer", "after",
        "when", "novel", "Acme's", "single", "per", "than", "th", "5", "21", "2019", "@", "-", "'",
    ];

    proptest! {
        #[test]
        fn nothing_is_lost_by_looking_only_where_a_time_may_start_in_word_runs(
            words in prop::collection::vec(prop::sample::select(WORDS), 1..7),
        ) {
            let text = words.join(" ");
            prop_assert_eq!(find(&text, &context()), find_everywhere(&text, &context()));
        }
    }
}
