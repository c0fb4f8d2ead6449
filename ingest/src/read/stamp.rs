//! When a record says it was made, in any of the forms transcripts write times in.

use bygone_engine::time::{Granularity, Instant, TimeError, parse_moment};
use serde_json::Value;

/// A time as a record gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// The instant.
    pub(crate) at: Instant,
    /// The offset it was given in, where not UTC.
    pub(crate) zone: Option<String>,
    /// What had to be assumed to read it.
    pub(crate) assumed: Option<&'static str>,
}

/// Reads a time: RFC 3339, a date with a clock but no zone (UTC is assumed), a date alone (midnight is assumed), or
/// seconds, milliseconds, microseconds or nanoseconds since 1970, as a number or its digits.
///
/// # Errors
/// What is wrong with the value, in words.
pub(crate) fn read_stamp(value: &Value) -> Result<Stamp, String> {
    match value {
        Value::String(text) => read_text(text.trim()),
        Value::Number(number) => match number.as_f64().and_then(since_epoch) {
            Some(at) => Ok(Stamp { at, zone: None, assumed: None }),
            None => Err(format!("{number} is no time")),
        },
        other => Err(format!("{} is no time", kind_of(other))),
    }
}

/// Reads a time from text; see [`read_stamp`].
pub(crate) fn read_text(text: &str) -> Result<Stamp, String> {
    let n_digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_number = n_digits >= 9 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_number {
        let at = text.parse::<f64>().ok().and_then(since_epoch);
        let at = at.ok_or_else(|| format!("{text:?} is no time"))?;
        return Ok(Stamp { at, zone: None, assumed: None });
    }
    let (zoneless, zone) = split_zone(text);
    let zone_or_utc = zone.as_deref().unwrap_or("Z");
    let assumed = zone.is_none().then_some("no zone, read as UTC");
    let attempts = [
        (text.to_owned(), None),
        (format!("{zoneless}{zone_or_utc}"), assumed),
        (format!("{zoneless}:00{zone_or_utc}"), assumed),
    ];
    let mut is_impossible = false;
    for (attempt, assumed) in attempts {
        match parse_moment(&attempt) {
            Ok(moment) => {
                let assumed = match moment.grain {
                    Granularity::Instant => assumed,
                    Granularity::Day => Some("no time of day, read as midnight UTC"),
                    _ => break,
                };
                let zone = zone.filter(|zone| !zone.ends_with("00:00") && !zone.eq_ignore_ascii_case("z"));
                return Ok(Stamp { at: moment.at, zone, assumed });
            }
            // A date that does not exist says more than "not understood".
            Err(TimeError::NoSuchDate(_)) => is_impossible = true,
            Err(_) => {}
        }
    }
    let shown: String = text.chars().take(60).collect();
    let lack = if is_impossible { "does not exist" } else { "is no time" };
    Err(format!("{shown:?} {lack}"))
}

/// Splits off a zone at the end, written as RFC 3339 wants it: `+0200` becomes `+02:00`, ` UTC` becomes `Z`.
fn split_zone(text: &str) -> (&str, Option<String>) {
    if let Some(rest) = text.strip_suffix(['Z', 'z']) {
        return (rest.trim_end(), Some("Z".to_owned()));
    }
    if let Some(rest) = text.strip_suffix("UTC") {
        return (rest.trim_end(), Some("Z".to_owned()));
    }
    let clock_from = text.find(':').unwrap_or(text.len());
    let Some(at) = text.rfind(['+', '-']).filter(|at| *at > clock_from) else {
        return (text, None);
    };
    let (rest, zone) = text.split_at(at);
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    match digits.len() {
        4 => (rest.trim_end(), Some(format!("{}{}:{}", &zone[..1], &digits[..2], &digits[2..]))),
        2 => (rest.trim_end(), Some(format!("{}{digits}:00", &zone[..1]))),
        _ => (text, None),
    }
}

/// Takes a count since 1970 by its size: below 10^11 seconds (the year 5138), below 10^14 milliseconds, below 10^17
/// microseconds, else nanoseconds.
#[expect(clippy::cast_possible_truncation, reason = "checked to be within i64")]
fn since_epoch(count: f64) -> Option<Instant> {
    let per_unit = match count.abs() {
        size if size < 1e11 => 1e6,
        size if size < 1e14 => 1e3,
        size if size < 1e17 => 1.0,
        _ => 1e-3,
    };
    let micros = (count * per_unit).round();
    (micros.abs() < 9e18).then_some(micros as i64).and_then(Instant::from_micros)
}

/// Names the kind of a JSON value, as reasons put it.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use bygone_engine::time::format_instant;
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn reads(value: &Value, at: &str, zone: Option<&str>, assumed: bool) {
        let stamp = read_stamp(value).expect("a time");
        let read = (format_instant(stamp.at), stamp.zone.as_deref(), stamp.assumed.is_some());
        assert_eq!(read, (at.to_owned(), zone, assumed), "{value}");
    }

    #[test]
    fn every_form_is_read() {
        reads(&json!("2025-06-14T11:00:00.250Z"), "2025-06-14T11:00:00.25Z", None, false);
        reads(&json!("2025-06-14T11:00:00+02:00"), "2025-06-14T09:00:00Z", Some("+02:00"), false);
        reads(&json!("2025-06-14T11:00:00+0200"), "2025-06-14T09:00:00Z", Some("+02:00"), false);
        reads(&json!("2025-06-14T11:00:00+00:00"), "2025-06-14T11:00:00Z", None, false);
        reads(&json!("2025-06-14 11:00:00"), "2025-06-14T11:00:00Z", None, true);
        reads(&json!("2025-06-14 11:00"), "2025-06-14T11:00:00Z", None, true);
        reads(&json!("2025-06-14 11:00 UTC"), "2025-06-14T11:00:00Z", None, false);
        reads(&json!("2025-06-14"), "2025-06-14", None, true);
        for value in [
            json!(1_749_898_800),
            json!(1_749_898_800_000_u64),
            json!("1749898800"),
            json!(1_749_898_800_000_000_u64),
        ] {
            reads(&value, "2025-06-14T11:00:00Z", None, false);
        }
        reads(&json!(1_749_898_800.5), "2025-06-14T11:00:00.5Z", None, false);
    }

    #[test]
    fn what_is_no_time_is_refused() {
        let refused =
            ["", "yesterday", "2025", "2025-06", "2025-02-30T10:00:00Z", "2025-06-14T25:00:00Z", "é:é+0200"];
        for text in refused {
            assert!(read_stamp(&json!(text)).is_err(), "{text}");
        }
        for value in [json!(null), json!(true), json!([1]), json!({}), json!(1e300)] {
            assert!(read_stamp(&value).is_err(), "{value}");
        }
        assert!(read_text("2025-02-30T10:00:00Z").is_err_and(|reason| reason.contains("does not exist")));
    }
}
