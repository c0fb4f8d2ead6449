//! What time a phrase means: a grammar of time expressions, grounded against the moment it was said.

mod absolute;
mod bounds;
mod clock;
mod combined;
mod durations;
mod events;
mod floating;
mod grammar;
mod holidays;
pub mod json;
mod known;
mod length;
mod lexicon;
mod numerals;
mod parts;
mod prefilter;
mod quantities;
mod ranges;
mod recurrences;
mod relative;
mod shifts;
mod spans;
mod starters;
mod stretch;
mod tokens;
mod workdays;

use bygone_engine::time::{Granularity, Instant};

/// What kind of time an expression names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// One granule: a day, a month, a year.
    Point,
    /// A stretch of several granules.
    Span,
    /// From a start on ("since 2018").
    Since,
    /// Up to an end ("until 2019", its last granule included).
    Until,
    /// A length of time without a place ("for two years").
    Duration,
    /// A repetition ("every Tuesday").
    Recurrence,
    /// A time known only by something that happened ("after the wedding").
    Event,
}

/// The tense of the clause around an expression, which decides between past and future readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Tense {
    /// The clause looks back.
    Past,
    /// The clause speaks of now.
    Present,
    /// The clause looks ahead.
    Future,
    /// Nothing is known of the clause; its own words may still say that it looks ahead ("will", "let's").
    #[default]
    None,
}

/// What an expression is grounded against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// When it was said.
    pub now: Instant,
    /// The tense of its clause.
    pub tense: Tense,
    /// The month a fiscal year starts in, 1 to 12; a fiscal year is named by the calendar year it ends in.
    pub fiscal_start: u32,
}

/// One expression found in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeExpression {
    /// The byte range in the text.
    pub span: std::ops::Range<usize>,
    /// What kind of time it names.
    pub kind: Kind,
    /// The first instant; `None` where open or not grounded.
    pub start: Option<Instant>,
    /// The instant after the last; `None` where open or not grounded.
    pub end: Option<Instant>,
    /// How finely it was said.
    pub grain: Granularity,
    /// Whether it was hedged ("around", "early", "late").
    pub approx: bool,
    /// The likeliest instant within a vague expression, where one stands out.
    pub best: Option<Instant>,
    /// Other readings, each `[start, end)`.
    pub alternatives: Vec<(Instant, Instant)>,
    /// The length of a duration, ISO 8601.
    pub duration: Option<String>,
    /// The rule of a recurrence, RFC 5545.
    pub rrule: Option<String>,
}

/// Finds every time expression in an English text, grounded against the context, in UTC.
///
/// They come left to right and never overlap; where several readings start at one word the longest is taken. Times
/// outside the years -9999 to 9999 give no expression. Versions, bare numbers, paths, code between backticks and the
/// verbs "may" and "march" are no times. The cost is one pass over the bytes where the text has no digit and no time word.
///
/// # Examples
/// ```
/// use bygone_engine::time::{format_instant, parse_moment};
/// use bygone_ontology::timex::{Context, Kind, Tense, find};
///
/// let now = parse_moment("2023-06-14T15:30:00Z").expect("a time").at;
/// let context = Context { now, tense: Tense::Past, fiscal_start: 1 };
/// let found = find("I worked there until 2019.", &context);
/// assert_eq!(found[0].kind, Kind::Until);
/// assert_eq!(found[0].end.map(format_instant).as_deref(), Some("2020-01-01"));
/// ```
pub fn find(text: &str, context: &Context) -> Vec<TimeExpression> {
    grammar::find(text, context)
}
