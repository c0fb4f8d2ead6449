//! A timeline drawn in characters: an axis as wide as the screen, and one line a fact.
//!
//! A state is a bar, solid where it is stated and lighter where it is presumed, with an arrow where it has no end; an
//! event is a dot; what nobody dated is a question mark. Now and the valid time asked about are marked above the axis.
//!
//! Invariant: no line is wider than the screen, in the columns that a terminal gives its characters.

mod belief;
mod line;
mod scale;

use bygone_engine::time::{Bound, Instant, Moment, Validity};
use bygone_engine::{EntityRef, ValidTime};
use bygone_ontology::{Ontology, TemporalKind, Verdict};
use bygone_query::Row;
use bygone_query::say::object_text;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::screen::{Screen, Signs};
use crate::table::harmless;
pub(crate) use belief::draw_beliefs;
use line::Mark;
use scale::Scale;

/// What a timeline is drawn on and for.
pub(crate) struct Frame<'a> {
    pub(crate) screen: Screen,
    pub(crate) ontology: &'a Ontology,
    /// Whose timeline it is.
    pub(crate) entity: &'a EntityRef,
    pub(crate) now: Instant,
    /// The valid time asked about.
    pub(crate) valid: ValidTime,
}

/// Draws facts, one below the other in the order given.
pub(crate) fn draw(rows: &[Row], frame: &Frame<'_>) -> Vec<String> {
    let Screen { width, signs } = frame.screen;
    let labels: Vec<String> = rows.iter().map(|row| label(row, frame.entity)).collect();
    // At most two fifths are left to the words, so that most is left to time.
    let room = labels.iter().map(|label| label.width()).max().unwrap_or(0).min(width * 2 / 5);
    let instants = rows.iter().flat_map(|row| bounds(row.fact.validity));
    let instants = instants.chain(asked(frame)).chain([frame.now]);
    let Some(scale) = Scale::over(instants, width.saturating_sub(room + 1)) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    let mut put = |label: &str, rest: &str| lines.push(fitted(label, room, rest, width, signs));
    for (name, column) in marks_above(frame, &scale) {
        put("", &pointer(name, column, &scale, signs));
    }
    let (labels_line, rule) = axis(&scale, signs);
    put("", &labels_line);
    put("", &rule);
    for (row, label) in rows.iter().zip(&labels) {
        let is_event = frame.ontology.get_or_open(&row.group.predicate).kind == TemporalKind::Event;
        let mut marks = line::marks(&row.fact, is_event, &scale);
        let guides = std::iter::once((Mark::Now, frame.now)).chain(asked(frame).map(|at| (Mark::Asked, at)));
        for (mark, at) in guides {
            let column = &mut marks[scale.column(at)];
            if matches!(column, Mark::Nothing | Mark::Now) {
                *column = mark;
            }
        }
        put(label, &marks.iter().map(|mark| mark.sign(signs)).collect::<String>());
    }
    let legend = [
        (Mark::Stated, "stated"),
        (Mark::Presumed, "presumed"),
        (Mark::GoesOn, "no end"),
        (Mark::Event, "event"),
        (Mark::Unknown, "nobody said when"),
    ];
    let legend: Vec<String> =
        legend.iter().map(|(mark, words)| format!("{} {words}", mark.sign(signs))).collect();
    lines.push(cut(&legend.join("  "), width, signs));
    lines
}

/// Says what a line is about: predicate and object, with the subject where that is not the entity itself.
fn label(row: &Row, entity: &EntityRef) -> String {
    let group = &row.group;
    let subject = if group.subject == *entity { String::new() } else { format!("{} ", group.subject.name()) };
    let key = if group.key.is_empty() { String::new() } else { format!(" [{}]", group.key) };
    let standing = match row.verdict {
        Verdict::Planned | Verdict::Superseded | Verdict::Contested | Verdict::StalePremise => {
            format!(" ({})", row.verdict.name().replace('_', " "))
        }
        Verdict::Ended | Verdict::Aging | Verdict::Presumed | Verdict::Stated => String::new(),
    };
    let object = object_text(&row.fact.object);
    let words = format!("{subject}{}{key} {object}{standing}", group.predicate);
    harmless(&words.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns the ends of a validity that lie in ordinary time.
fn bounds(validity: Validity) -> impl Iterator<Item = Instant> {
    let period = validity.period();
    period.into_iter().flat_map(|period| [period.start(), period.end()]).filter(|at| at.is_ordinary())
}

/// Returns the instant asked about, or the ends of the period.
fn asked(frame: &Frame<'_>) -> impl Iterator<Item = Instant> {
    let (from, to) = match frame.valid {
        ValidTime::At(at) if at != frame.now => (Some(at), None),
        ValidTime::At(_) | ValidTime::All => (None, None),
        ValidTime::During(period) => {
            let at = |bound: Bound| bound.moment().map(|moment: Moment| moment.at);
            (at(period.from()), at(period.to()).map(Instant::previous))
        }
    };
    from.into_iter().chain(to)
}

/// Returns what is marked above the axis, and where.
fn marks_above(frame: &Frame<'_>, scale: &Scale) -> Vec<(&'static str, usize)> {
    let mut marks = vec![("now", scale.column(frame.now))];
    let asked: Vec<usize> = asked(frame).map(|at| scale.column(at)).collect();
    match (frame.valid, asked.as_slice()) {
        (_, []) => {}
        (ValidTime::During(period), [from]) if period.to().is_open() => marks.push(("valid from", *from)),
        (ValidTime::During(period), [to]) if period.from().is_open() => marks.push(("valid to", *to)),
        (_, [one]) => marks.push(("valid", *one)),
        (_, [from, to, ..]) if from == to => marks.push(("valid", *from)),
        (_, [from, to, ..]) => marks.extend([("valid from", *from), ("valid to", *to)]),
    }
    marks
}

/// Writes a mark with its name to the side on which there is room.
fn pointer(name: &str, column: usize, scale: &Scale, signs: Signs) -> String {
    let sign = match signs {
        Signs::Unicode => '▾',
        Signs::Ascii => 'v',
    };
    if column + name.len() + 2 <= scale.columns() {
        format!("{}{sign} {name}", " ".repeat(column))
    } else if column > name.len() {
        format!("{}{name} {sign}", " ".repeat(column - name.len() - 1))
    } else {
        format!("{}{sign}", " ".repeat(column))
    }
}

/// Returns the labels of the axis and the rule below them.
fn axis(scale: &Scale, signs: Signs) -> (String, String) {
    let (plain, ticked) = match signs {
        Signs::Unicode => ('─', '┬'),
        Signs::Ascii => ('-', '+'),
    };
    let mut labels = String::new();
    let mut rule = vec![plain; scale.columns()];
    for tick in scale.ticks() {
        labels.extend(std::iter::repeat_n(' ', tick.column - labels.len()));
        labels.push_str(&tick.label);
        rule[tick.column] = ticked;
    }
    (labels, rule.into_iter().collect())
}

/// Puts a label of so many columns before the rest of a line.
fn fitted(label: &str, room: usize, rest: &str, width: usize, signs: Signs) -> String {
    let label = cut(label, room, signs);
    let padding = " ".repeat(room - label.width() + 1);
    cut(format!("{label}{padding}{rest}").trim_end(), width, signs)
}

/// Shortens a text to so many columns of a terminal.
fn cut(text: &str, columns: usize, signs: Signs) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let end = match signs {
        Signs::Unicode => "…",
        Signs::Ascii => "~",
    };
    let mut left = columns.saturating_sub(end.width());
    let fits = text.chars().take_while(|c| {
        let width = c.width().unwrap_or(0);
        let fits = width <= left;
        left = left.saturating_sub(width);
        fits
    });
    let kept: String = fits.collect();
    if columns == 0 { String::new() } else { kept + end }
}

#[cfg(test)]
mod tests;
