//! How values and times are said to a person.

use bygone_engine::object::Number;
use bygone_engine::time::{Bound, Granularity, Instant, Moment, Period, Validity, format_moment};
use bygone_engine::{Assertion, EndedBy, Object, Polarity};
use serde_json::Value;

use crate::row::Row;

/// Says a fact in one line: `Anna works at Acme, since March 2022`.
pub fn fact_text(row: &Row) -> String {
    let group = &row.group;
    let key = if group.key.is_empty() { String::new() } else { format!(" ({})", group.key) };
    format!(
        "{} {}{key} {}, {}",
        group.subject.name(),
        group.predicate.replace('_', " "),
        object_text(&row.fact.object),
        validity_text(row.fact.validity, row.fact.ended_by),
    )
}

/// Says what a statement says in one line, without its times: `Anna works at Acme`, `not: Anna works at Acme`.
pub fn statement_text(assertion: &Assertion) -> String {
    let Assertion { subject, predicate, key, object, polarity, .. } = assertion;
    let key = if key.is_empty() { String::new() } else { format!(" ({key})") };
    let not = match polarity {
        Polarity::Affirm => "",
        Polarity::Deny => "not: ",
    };
    let object = object.as_ref().map_or_else(|| "anything".to_owned(), object_text);
    format!("{not}{} {}{key} {object}", subject.name(), predicate.replace('_', " "))
}

/// Says up to when something was known: `latest`, `the end of 30 June 2023`, `1 June 2023, 12:00`.
pub fn known_text(known: Instant) -> String {
    let end = known.next();
    if known == Instant::DISTANT_FUTURE {
        "latest".to_owned()
    } else if Granularity::Day.floor(end) == end {
        let day = Moment::new(Granularity::Day.floor(known), Granularity::Day);
        format!("the end of {}", format_moment(day))
    } else {
        format_moment(Moment::instant(known))
    }
}

/// Says an object: a name, a value, or what a tool reported.
pub fn object_text(object: &Object) -> String {
    match object {
        Object::Entity(entity) => entity.name().to_owned(),
        Object::Text(text) => text.clone(),
        Object::Number { value, unit } => {
            let number = match value {
                Number::Whole(whole) => whole.to_string(),
                Number::Real(real) => real.to_string(),
            };
            unit.as_ref().map_or_else(|| number.clone(), |unit| format!("{number} {unit}"))
        }
        Object::Bool(value) => if *value { "yes" } else { "no" }.to_owned(),
        Object::Instant(moment) => format_moment(*moment),
        Object::Period(period) => validity_text(Validity::Over(*period), None),
        Object::Json(text) => json_text(text),
    }
}

/// What tools report is said by its main part: the command and its outcome, the commit's message, the call and its error.
fn json_text(text: &str) -> String {
    let Ok(Value::Object(map)) = serde_json::from_str(text) else {
        return text.to_owned();
    };
    let field = |key: &str| map.get(key).and_then(Value::as_str);
    if let Some(command) = field("command") {
        let exit = map.get("exit").and_then(Value::as_i64).filter(|exit| *exit != 0);
        let exit = exit.map_or_else(String::new, |exit| format!(", exit {exit}"));
        return field("outcome")
            .map_or_else(|| format!("`{command}`"), |outcome| format!("`{command}` ({outcome}{exit})"));
    }
    // What agents tell one another, and of their work.
    if let Some(kind) = field("kind") {
        let said = ["subject", "body"].into_iter().filter_map(field).filter(|text| !text.is_empty());
        return format!("{kind}: {}", said.collect::<Vec<_>>().join(": "))
            .trim_end_matches([':', ' '])
            .to_owned();
    }
    if let (Some(what), Some(because)) = (field("approach").or_else(|| field("choice")), field("because")) {
        return format!("{what}, because {because}");
    }
    match (field("message"), field("commit"), field("tool"), field("error")) {
        (Some(message), Some(commit), ..) => format!("{commit} \"{message}\""),
        (_, _, Some(tool), Some(error)) => {
            let input = field("input").map_or_else(String::new, |input| format!(" of {input}"));
            format!("{tool}{input}: {error}")
        }
        _ => text.to_owned(),
    }
}

/// Says a validity, each bound at its granularity: `since March 2022`, `2010 to 2012`, `2018 until March 2023`.
///
/// An exclusive end is told by the last granule before it ("left in March" ends with March), but a change by its own:
/// who moved in March lived elsewhere until March.
pub fn validity_text(validity: Validity, ended_by: Option<EndedBy>) -> String {
    let Validity::Over(period) = validity else {
        return "at some time".to_owned();
    };
    let end = |to: Moment| end_words(to, ended_by);
    match (period.from(), period.to()) {
        (Bound::Open, Bound::Open) => "always".to_owned(),
        (Bound::At(from), Bound::Open) => format!("since {}", format_moment(from)),
        (Bound::Open, Bound::At(to)) => format!("until {}", end(to).1),
        (Bound::At(from), Bound::At(to)) if from.grain == Granularity::Unknown => {
            format!("until {}", end(to).1)
        }
        (Bound::At(from), Bound::At(to)) if to.grain == Granularity::Unknown => {
            format!("from {} until some time", format_moment(from))
        }
        (Bound::At(from), Bound::At(to)) if from.end() == to.at => match from.grain {
            Granularity::Instant => format!("at {}", format_moment(from)),
            _ => format_moment(from),
        },
        (Bound::At(from), Bound::At(to)) => {
            let (word, end) = end(to);
            format!("{} {word} {end}", format_moment(from))
        }
    }
}

/// Says when a period ended, as [`validity_text`] does with the word before it; `None` where it is open.
pub fn end_text(period: Period, ended_by: Option<EndedBy>) -> Option<String> {
    let (word, end) = end_words(period.to().moment()?, ended_by);
    Some(format!("{word} {end}"))
}

fn end_words(to: Moment, ended_by: Option<EndedBy>) -> (&'static str, String) {
    if to.grain >= Granularity::Day && ended_by != Some(EndedBy::Change) {
        ("to", format_moment(Moment::new(to.grain.before(to.at), to.grain)))
    } else {
        ("until", format_moment(to))
    }
}

#[cfg(test)]
mod tests {
    use bygone_engine::time::parse_moment;

    use super::*;

    #[track_caller]
    fn check(from: &str, to: &str, ended_by: Option<EndedBy>, expected: &str) {
        let bound = |text: &str| {
            if text.is_empty() { Bound::Open } else { Bound::At(parse_moment(text).expect(text)) }
        };
        let period = Period::new(bound(from), bound(to)).expect("a period");
        assert_eq!(validity_text(Validity::Over(period), ended_by), expected);
    }

    #[test]
    fn a_known_time_at_the_end_of_a_day_is_told_as_that() {
        let check = |known: Instant, expected: &str| assert_eq!(known_text(known), expected);
        let midnight = parse_moment("2023-07-01").expect("a day").at;
        check(midnight.previous(), "the end of 30 June 2023");
        check(midnight, "1 July 2023, 00:00");
        check(Instant::DISTANT_FUTURE, "latest");
    }

    #[test]
    fn ends_are_told_by_the_last_granule_unless_something_took_over() {
        check("2010", "2013", Some(EndedBy::Bound), "2010 to 2012");
        check("2022", "2023", Some(EndedBy::Bound), "2022");
        check("2018", "2023-03", Some(EndedBy::Change), "2018 until March 2023");
        check("2022-05-20", "2023-11", Some(EndedBy::Deny), "20 May 2022 to October 2023");
        check("2018", "2024", Some(EndedBy::Change), "2018 until 2024");
        check("2022-03", "", None, "since March 2022");
        check("", "2020", None, "until 2019");
        check("", "", None, "always");
        assert_eq!(validity_text(Validity::Undated, None), "at some time");
    }
}
