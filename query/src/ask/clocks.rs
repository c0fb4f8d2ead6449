//! Which times a question names, and which clock each of them sets.
//!
//! ```text
//! In May 2023, who did we think was running Atlas in March?
//! ^ known      ^ the frame                        ^ valid
//! ```
//!
//! A time sets the valid clock unless something says that it is about what was known: "as known on", "as of" in front,
//! or the frame "did we think", whose own time it then is. The end of a known time's granule counts: what was known by
//! then. A frame whose only time stands behind the inner clause sets both clocks to it.

use std::ops::Range;

use bygone_engine::ValidTime;
use bygone_engine::time::{Bound, Granularity, Instant, Moment, Period, Validity, format_moment};
use bygone_ontology::timex::{self, Context, Kind, Tense, TimeExpression};

use super::words::Word;
use crate::say::validity_text;

/// A time in a question, taken out of its words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Phrase {
    /// Before which of the remaining words it stood.
    pub(super) at: usize,
    /// Whether "as of" stood before it.
    pub(super) is_as_of: bool,
    /// Whether "as known" stood before it.
    pub(super) is_as_known: bool,
    /// The time.
    pub(super) expression: TimeExpression,
}

/// A clock as the question sets it, and how to say it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting<T> {
    /// What it is set to.
    pub(super) to: T,
    /// The same in words.
    pub(super) text: String,
}

/// What a question sets its clocks to; `None` where it names no time for one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Clocks {
    /// The valid clock.
    pub(super) valid: Option<Setting<ValidTime>>,
    /// The known clock.
    pub(super) known: Option<Setting<Instant>>,
}

/// The question around the one that is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// None.
    Plain,
    /// "did we think", which took this many words before it and up to its end.
    Thought {
        /// The position of its first word.
        start: usize,
        /// The position behind its last.
        end: usize,
    },
    /// "when did we learn that".
    Learned,
}

/// What may stand before a time to make it one of knowledge.
const AS_KNOWN: &[&[&str]] = &[
    &["as", "known"],
    &["as", "was", "known"],
    &["as", "it", "was", "known"],
    &["as", "far", "as", "was", "known"],
    &["as", "far", "as", "we", "knew"],
    &["as", "far", "as", "you", "knew"],
];

/// Times that mean the present instant.
const PRESENT: &[&str] =
    &["now", "right now", "currently", "at the moment", "at present", "presently", "these days", "nowadays"];

/// Finds the times of a text, and where "as of" stands before one.
///
/// The grammar of times reads "as of March" as a start; here it means the instant at its end, so it is read as "in".
pub(super) fn find(text: &str, words: &[Word], now: Instant) -> Vec<TimeExpression> {
    let mut masked = text.to_owned();
    for pair in as_of(words) {
        masked
            .replace_range(pair.start..pair.end, &format!("in{}", " ".repeat(pair.len().saturating_sub(2))));
    }
    // "What did Anna get up to in May" names May and no end.
    if let Some(pair) = words.windows(2).find(|pair| pair[0].folded == "up" && pair[1].folded == "to")
        && words.first().is_some_and(|word| word.folded == "what")
    {
        let span = pair[0].span.start..pair[1].span.end;
        let blank = " ".repeat(span.len());
        masked.replace_range(span, &blank);
    }
    let context = Context { now, tense: tense(words), fiscal_start: 1 };
    let mut times = timex::find(&masked, &context);
    // "On a Sunday" is on any of them.
    times.retain(|time| {
        let before = words.iter().rev().find(|word| word.span.end <= time.span.start);
        !before.is_some_and(|word| ["a", "an"].contains(&word.folded.as_str()))
    });
    // Whether something was so "in 2022 and 2023" is asked of each of them.
    let is_claim = words.first().is_some_and(|word| CLAIMING.contains(&word.folded.as_str()));
    if is_claim { times } else { joined(&masked, times, &context) }
}

/// The verbs that a question for a yes or a no starts with.
const CLAIMING: &[&str] =
    &["did", "do", "does", "has", "have", "had", "is", "are", "am", "was", "were", "will", "would"];

/// Makes one time of two that follow each other and stand beside each other: "in 2022 and 2023", "June and July 2023".
fn joined(text: &str, times: Vec<TimeExpression>, context: &Context) -> Vec<TimeExpression> {
    let mut all: Vec<TimeExpression> = Vec::new();
    for time in times {
        let before = all.last().filter(|before| {
            text.get(before.span.end..time.span.start)
                .is_some_and(|between| ["and", ",", ", and"].contains(&between.trim()))
        });
        match before.and_then(|before| both(text, before, &time, context)) {
            Some(both) => {
                all.pop();
                all.push(both);
            }
            None => all.push(time),
        }
    }
    all
}

fn both(
    text: &str,
    first: &TimeExpression,
    second: &TimeExpression,
    context: &Context,
) -> Option<TimeExpression> {
    let is_date = |time: &TimeExpression| matches!(time.kind, Kind::Point | Kind::Span);
    if !is_date(first) || !is_date(second) || first.grain != second.grain || first.grain < Granularity::Day {
        return None;
    }
    let span = first.span.start..second.span.end;
    let join = |first: &TimeExpression| {
        let follows = first.end.is_some() && first.end == second.start;
        follows.then(|| TimeExpression {
            span: span.clone(),
            kind: Kind::Span,
            start: first.start,
            best: None,
            alternatives: Vec::new(),
            ..second.clone()
        })
    };
    if let Some(both) = join(first) {
        return Some(both);
    }
    // The first is seen from the second: "June and July of 2023", "December and January 2024".
    let said = &text[first.span.clone()];
    if said.chars().any(|c| c.is_ascii_digit()) {
        return None;
    }
    let year = chrono::Datelike::year(&second.start?.to_chrono());
    [year, year - 1].into_iter().find_map(|year| {
        let dated = timex::find(&format!("{said} {year}"), context);
        dated.first().filter(|first| first.grain == second.grain).and_then(join)
    })
}

fn as_of(words: &[Word]) -> Vec<Range<usize>> {
    let pairs = words.windows(2).filter(|pair| pair[0].folded == "as" && pair[1].folded == "of");
    pairs.map(|pair| pair[0].span.start..pair[1].span.end).collect()
}

fn tense(words: &[Word]) -> Tense {
    let has = |any: &[&str]| words.iter().any(|word| any.contains(&word.folded.as_str()));
    if has(&["lined", "coming", "planned", "planning", "plans", "agenda"]) {
        Tense::Future
    } else if has(&["did", "was", "were", "had", "has", "have", "knew", "known"]) {
        Tense::Past
    } else if has(&["does", "do", "is", "are", "am"]) {
        Tense::Present
    } else {
        Tense::None
    }
}

/// Takes times out of the words, with the commas beside them and "as of" or "as known" before them.
pub(super) fn take_out(words: &[Word], expressions: &[TimeExpression]) -> (Vec<Word>, Vec<Phrase>) {
    let mut rest: Vec<Word> = Vec::new();
    let mut phrases: Vec<Phrase> = Vec::new();
    let overlaps =
        |word: &Word, e: &TimeExpression| word.span.start < e.span.end && e.span.start < word.span.end;
    let as_of = as_of(words);
    let mut just_taken = false;
    for word in words {
        if let Some(expression) = expressions.iter().find(|e| overlaps(word, e)) {
            if phrases.last().is_none_or(|last| last.expression.span != expression.span) {
                let is_comma = |word: Option<&Word>| word.is_some_and(|word| word.folded == ",");
                if is_comma(rest.last()) {
                    rest.pop();
                }
                let starts_with_as_of = as_of.iter().any(|pair| pair.contains(&expression.span.start));
                let is_as_of = starts_with_as_of || strip(&mut rest, &["as", "of"]);
                let is_as_known = AS_KNOWN.iter().any(|marker| strip(&mut rest, marker));
                if (is_as_of || is_as_known) && is_comma(rest.last()) {
                    rest.pop();
                }
                phrases.push(Phrase {
                    at: rest.len(),
                    is_as_of,
                    is_as_known,
                    expression: expression.clone(),
                });
            }
            just_taken = true;
        } else if just_taken && word.folded == "," {
            just_taken = false;
        } else {
            just_taken = false;
            rest.push(word.clone());
        }
    }
    (rest, phrases)
}

/// Takes the marker off the end of the words, if it stands there.
fn strip(words: &mut Vec<Word>, marker: &[&str]) -> bool {
    let Some(start) = words.len().checked_sub(marker.len()) else {
        return false;
    };
    let stands = words[start..].iter().map(|word| word.folded.as_str()).eq(marker.iter().copied());
    if stands {
        words.truncate(start);
    }
    stands
}

/// Sets the clocks by the times a question names. `text` is the question, `words` what is left of it.
///
/// # Errors
/// What is not understood of the times.
pub(super) fn set(
    text: &str,
    words: &[Word],
    phrases: &[Phrase],
    frame: Frame,
    now: Instant,
) -> Result<Clocks, String> {
    let mut known: Option<&Phrase> = None;
    let mut valid: Option<&Phrase> = None;
    let mut last_of_frame = None;
    for phrase in phrases {
        let is_fresh = match frame {
            _ if phrase.is_as_known => known.replace(phrase).is_none(),
            Frame::Thought { start, end } if phrase.at <= start || phrase.at == end => {
                known.replace(phrase).is_none()
            }
            Frame::Thought { .. } if phrase.is_as_of => known.replace(phrase).is_none(),
            Frame::Thought { .. } => {
                last_of_frame = Some(phrase);
                valid.replace(phrase).is_none()
            }
            Frame::Plain if phrase.is_as_of && (phrase.at == 0 || phrases.len() > 1) => {
                known.replace(phrase).is_none()
            }
            Frame::Plain | Frame::Learned => valid.replace(phrase).is_none(),
        };
        if !is_fresh {
            return Err(format!("{:?} is one time too many", &text[phrase.expression.span.clone()]));
        }
    }
    let known = known.or(last_of_frame.filter(|_| known.is_none()));
    let known = known.map(|phrase| known_setting(text, phrase, now)).transpose()?;
    let valid = valid.map(|phrase| {
        let reference = known.as_ref().map(|setting| setting.to);
        let expression = reground(text, words, phrase, reference);
        valid_setting(text, phrase, &expression, now)
    });
    Ok(Clocks { valid: valid.transpose()?, known })
}

/// Returns the times that name a date or a stretch; lengths, repetitions and happenings are words of the question.
/// "Day of the week" is one word for what is asked.
pub(super) fn dated(words: &[Word], times: &[TimeExpression]) -> Vec<TimeExpression> {
    let idiom = ["day", "of", "the", "week"];
    let at = words.windows(idiom.len()).find(|run| run.iter().map(|word| word.folded.as_str()).eq(idiom));
    let idiom = at.map(|run| run[0].span.start..run[3].span.end);
    let is_dated = |time: &&TimeExpression| {
        let is_idiom =
            idiom.as_ref().is_some_and(|idiom| time.span.start < idiom.end && idiom.start < time.span.end);
        !is_idiom && matches!(time.kind, Kind::Point | Kind::Span | Kind::Since | Kind::Until)
    };
    times.iter().filter(is_dated).cloned().collect()
}

/// Sets the clocks as [`set`] does, for a question that may be limited to what lies after or before a date, too. `None`
/// where the times are not understood.
pub(super) fn limit(
    text: &str,
    words: &[Word],
    phrases: &[Phrase],
    frame: Frame,
    now: Instant,
) -> Option<(Clocks, Option<Setting<ValidTime>>)> {
    let is_open = |phrase: &Phrase| matches!(phrase.expression.kind, Kind::Since | Kind::Until);
    let open: Vec<&Phrase> = phrases.iter().filter(|phrase| is_open(phrase) && !phrase.is_as_known).collect();
    let closed: Vec<Phrase> = phrases.iter().filter(|phrase| !is_open(phrase)).cloned().collect();
    let clocks = set(text, words, &closed, frame, now).ok()?;
    match (open.as_slice(), &clocks.valid) {
        ([], valid) => {
            let valid = valid.clone();
            Some((clocks, valid))
        }
        ([phrase], None) => {
            let expression = &phrase.expression;
            let bound = |at: Option<Instant>| at.map(|at| Bound::At(Moment::new(at, expression.grain)));
            let (period, word, shown) = if expression.kind == Kind::Since {
                let from = expression.start.filter(|from| *from < now)?;
                let to = Bound::At(Moment::instant(now.next()));
                (Period::new(bound(Some(from))?, to).ok()?, "since", from)
            } else {
                let to = expression.end?;
                (Period::new(Bound::Open, bound(Some(to))?).ok()?, "until", expression.grain.before(to))
            };
            let shown = format_moment(Moment::new(shown, expression.grain));
            let setting = Setting { to: ValidTime::During(period), text: format!("{word} {shown}") };
            Some((clocks, Some(setting)))
        }
        _ => None,
    }
}

/// "in March" beside "in May 2023" is a March seen from there; "last year" is always seen from now.
fn reground(text: &str, words: &[Word], phrase: &Phrase, reference: Option<Instant>) -> TimeExpression {
    let said = text[phrase.expression.span.clone()].to_lowercase();
    let is_seen_from_now =
        ["last", "this", "next", "ago", "yesterday", "today", "past"].iter().any(|cue| said.contains(cue));
    let Some(reference) = reference.filter(|_| !is_seen_from_now) else {
        return phrase.expression.clone();
    };
    let past = Word { folded: "did".to_owned(), span: 0..0 };
    let words: Vec<Word> = words.iter().cloned().chain([past]).collect();
    let found = find(text, &words, reference).into_iter().find(|e| e.span == phrase.expression.span);
    found.unwrap_or_else(|| phrase.expression.clone())
}

fn not_a_time(text: &str, phrase: &Phrase) -> String {
    let said = &text[phrase.expression.span.clone()];
    match phrase.expression.kind {
        Kind::Since | Kind::Until => {
            format!("{said:?} (a time is asked about, not what is before or after it)")
        }
        Kind::Duration => format!("{said:?} (lengths of time are not compared)"),
        Kind::Recurrence => format!("{said:?} (repetitions are not compared)"),
        Kind::Point | Kind::Span | Kind::Event => format!("{said:?} (when that is is not known)"),
    }
}

fn said_now(text: &str, expression: &TimeExpression) -> bool {
    PRESENT.contains(&text[expression.span.clone()].to_lowercase().as_str())
}

fn known_setting(text: &str, phrase: &Phrase, now: Instant) -> Result<Setting<Instant>, String> {
    let expression = &phrase.expression;
    if said_now(text, expression) {
        return Ok(Setting { to: now, text: "now".to_owned() });
    }
    let end = expression.end.ok_or_else(|| not_a_time(text, phrase))?;
    match (expression.kind, stretch(expression)) {
        (Kind::Point | Kind::Span, Some(period)) => {
            Ok(Setting { to: end.previous(), text: period_text(period) })
        }
        (Kind::Until, _) => {
            Ok(Setting { to: end.previous(), text: text[expression.span.clone()].to_owned() })
        }
        _ => Err(not_a_time(text, phrase)),
    }
}

fn valid_setting(
    text: &str,
    phrase: &Phrase,
    expression: &TimeExpression,
    now: Instant,
) -> Result<Setting<ValidTime>, String> {
    if said_now(text, expression) {
        return Ok(Setting { to: ValidTime::At(now), text: "now".to_owned() });
    }
    let is_dated = matches!(expression.kind, Kind::Point | Kind::Span);
    let Some(period) = stretch(expression).filter(|_| is_dated) else {
        return Err(not_a_time(text, phrase));
    };
    let to = if phrase.is_as_of {
        ValidTime::At(period.end().previous())
    } else if expression.grain <= Granularity::Second {
        ValidTime::At(period.start())
    } else {
        ValidTime::During(period)
    };
    Ok(Setting { to, text: period_text(period) })
}

fn stretch(expression: &TimeExpression) -> Option<Period> {
    let bound = |at: Option<Instant>| at.map(|at| Bound::At(Moment::new(at, expression.grain)));
    Period::new(bound(expression.start)?, bound(expression.end)?).ok()
}

fn period_text(period: Period) -> String {
    match period.from() {
        Bound::At(from) if from.grain <= Granularity::Second || from.end() == period.end() => {
            format_moment(from)
        }
        _ => validity_text(Validity::Over(period), None),
    }
}
