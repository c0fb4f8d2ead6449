//! A sentence without its times, its stops, and the words that change nothing.

use std::ops::Range;
use std::sync::LazyLock;

use bygone_engine::time::Instant;
use bygone_ontology::timex::{Kind as TimeKind, TimeExpression};

use crate::extract::clause::known::ByWord;
use crate::extract::clause::opening::Times;
use crate::extract::clause::phrase::Clause;
use crate::extract::clause::token::{Kind, Token};

/// What is left of a sentence.
pub(super) struct Reduced<'t> {
    text: &'t str,
    /// The words that are left.
    pub(super) tokens: Vec<Token>,
    /// The times that were taken out.
    pub(super) times: Vec<TimeExpression>,
    /// Whether a word was taken out that tells of work: "workwise".
    pub(super) is_of_work: bool,
    /// Whether one was taken out that tells that something goes on: "still".
    pub(super) goes_on: bool,
    /// Where the sentence stands in the turn's text.
    pub(super) span: Range<usize>,
}

/// Words that make a sentence more, or less, than a plain statement.
const NOT_PLAIN: &[&str] = &[
    "if",
    "whether",
    "unless",
    "maybe",
    "perhaps",
    "probably",
    "possibly",
    "might",
    "may",
    "could",
    "would",
    "should",
    "will",
    "shall",
    "hope",
    "hopefully",
    "wish",
    "plan",
    "planning",
    "want",
    "think",
    "guess",
    "suppose",
    "imagine",
    "almost",
    "nearly",
    "apparently",
    "says",
    "heard",
    "trying",
    "try",
    "soon",
];

/// Words that add nothing to what is told.
const LOOSE: &[&str] = &[
    "actually",
    "also",
    "anyway",
    "back",
    "basically",
    "both",
    "but",
    "btw",
    "completely",
    "definitely",
    "even",
    "ever",
    "finally",
    "full-time",
    "gladly",
    "happily",
    "here",
    "honestly",
    "just",
    "newly",
    "oh",
    "ok",
    "okay",
    "officially",
    "once",
    "over",
    "part-time",
    "permanently",
    "really",
    "recently",
    "right",
    "since",
    "so",
    "sorry",
    "steadily",
    "too",
    "well",
    "yeah",
    "yes",
];

/// What a word that is taken out tells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cue {
    Nothing,
    /// That work is spoken of.
    Work,
    /// That something goes on.
    GoesOn,
}

/// Some words, and what they tell.
type Phrase = (&'static [&'static str], Cue);

/// Words, and groups of words, that add nothing but a cue.
const PHRASES: &[Phrase] = &[
    (&["workwise"], Cue::Work),
    (&["work-wise"], Cue::Work),
    (&["work", "wise"], Cue::Work),
    (&["job-wise"], Cue::Work),
    (&["job", "wise"], Cue::Work),
    (&["career-wise"], Cue::Work),
    (&["career", "wise"], Cue::Work),
    (&["professionally"], Cue::Work),
    (&["for", "work"], Cue::Work),
    (&["as", "for", "work"], Cue::Work),
    (&["currently"], Cue::GoesOn),
    (&["now"], Cue::GoesOn),
    (&["nowadays"], Cue::GoesOn),
    (&["still"], Cue::GoesOn),
    (&["presently"], Cue::GoesOn),
    (&["at", "the", "moment"], Cue::GoesOn),
    (&["right", "now"], Cue::GoesOn),
    (&["for", "now"], Cue::GoesOn),
    (&["these", "days"], Cue::GoesOn),
    (&["at", "present"], Cue::GoesOn),
    (&["full", "time"], Cue::Nothing),
    (&["part", "time"], Cue::Nothing),
    (&["every", "day"], Cue::Nothing),
    (&["for", "good"], Cue::Nothing),
    (&["in", "fact"], Cue::Nothing),
    (&["by", "the", "way"], Cue::Nothing),
    (&["as", "well"], Cue::Nothing),
    (&["ever", "since"], Cue::Nothing),
    (&["news", "from", "me"], Cue::Nothing),
    (&["big", "change"], Cue::Nothing),
    (&["you", "know"], Cue::Nothing),
    (&["you", "may", "not", "know", "this"], Cue::Nothing),
    (&["as", "of"], Cue::Nothing),
];

/// The phrases by their first words.
static PHRASES_FROM: LazyLock<ByWord<&str, Vec<Phrase>>> = LazyLock::new(|| {
    let mut phrases: ByWord<&str, Vec<Phrase>> = ByWord::default();
    for phrase in PHRASES {
        phrases.entry(phrase.0[0]).or_default().push(*phrase);
    }
    phrases
});

/// Returns the longest phrase that stands at a position.
fn phrase(clause: &Clause<'_>, at: usize) -> Option<Phrase> {
    let from = PHRASES_FROM.get(clause.token(at)?.lower.as_str())?;
    from.iter().filter(|(words, _)| clause.are(at, words)).max_by_key(|(words, _)| words.len()).copied()
}

impl<'t> Reduced<'t> {
    /// Takes out of a sentence what can be; `None` where what is left may not be meant as it stands.
    pub(super) fn of(
        text: &'t str,
        said_at: Instant,
        times: &Times<'_>,
        tokens: &[Token],
    ) -> Option<Reduced<'t>> {
        let (first, last) = (tokens.first()?, tokens.last()?);
        let span = first.span.start..last.span.end;
        let clause = Clause { text, tokens, times: &[] };
        let all = times.among(tokens);
        let mut dated = Vec::new();
        let mut left: Vec<Token> = Vec::new();
        let (mut is_of_work, mut goes_on) = (false, false);
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if let Some((words, cue)) = phrase(&clause, at) {
                is_of_work |= cue == Cue::Work;
                goes_on |= cue == Cue::GoesOn;
                at += words.len();
                continue;
            }
            let in_time = all
                .iter()
                .find(|time| time.span.start <= token.span.start && token.span.end <= time.span.end);
            if let Some(time) = in_time {
                if !dated.contains(time) {
                    // What the time was led by goes with it.
                    while left.last().is_some_and(|word| word.is_one_of(LEADS) && stands_before(word, time)) {
                        left.pop();
                    }
                    dated.push(time.clone());
                }
                at += 1;
                continue;
            }
            let skipped = token.kind != Kind::Word || is_loose(token, at);
            if !skipped {
                left.push(token.clone());
            }
            at += 1;
        }
        // "I Live In Boston" is a title.
        let is_title = left.iter().skip(1).any(|token| {
            token.capital && token.is_one_of(&["in", "at", "to", "on", "for", "live", "work", "is", "was"])
        });
        let is_plain = !is_title && !left.iter().any(|token| !token.capital && token.is_one_of(NOT_PLAIN));
        let few = dated.iter().filter(|time| is_date(time)).count() <= 1;
        let grounded = dated.iter().all(|time| time.start.is_none_or(|start| start <= said_at));
        (is_plain && few && grounded && !left.is_empty()).then_some(Reduced {
            text,
            tokens: left,
            times: dated,
            is_of_work,
            goes_on,
            span,
        })
    }

    /// Returns the words as a clause, without times.
    pub(super) fn clause(&self) -> Clause<'_> {
        Clause { text: self.text, tokens: &self.tokens, times: &[] }
    }

    /// Says whether a time dates it.
    pub(super) fn is_dated(&self) -> bool {
        self.times.iter().any(is_date)
    }
}

/// Prepositions that lead a time.
const LEADS: &[&str] = &["in", "on", "at", "since", "of", "was", "from", "until", "as"];

fn stands_before(word: &Token, time: &TimeExpression) -> bool {
    word.span.end <= time.span.start && time.span.start - word.span.end <= 1 && !word.is("was")
}

fn is_loose(token: &Token, at: usize) -> bool {
    token.is_one_of(LOOSE) && (!token.capital || at == 0)
}

fn is_date(time: &TimeExpression) -> bool {
    matches!(time.kind, TimeKind::Point | TimeKind::Span | TimeKind::Since | TimeKind::Until)
}
