//! How a time is written: RFC 3339 instants, and dates at the granularity they were given with.

use chrono::{DateTime, NaiveDate, Utc};

use super::{Granularity, Instant, Moment};
use crate::excerpt::excerpt;

/// Why a text is no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    /// The text has no form that is known.
    #[error(
        "time {0:?} is not understood: expected RFC 3339 with an offset (2024-03-01T09:30:00Z) or a date (2024, 2024-03, 2024-03-01)"
    )]
    Form(String),
    /// The text has the form of a date that no calendar has.
    #[error("date {0:?} does not exist")]
    NoSuchDate(String),
    /// The year is outside -9999 to 9999.
    #[error("time {0:?} lies outside the years -9999 to 9999")]
    OutOfRange(String),
}

/// Reads a time: `2024`, `2024-03`, `2024-03-01` (that granule, UTC), or RFC 3339 with an offset (an instant).
///
/// Years may carry a sign. Fractions finer than a microsecond are cut off.
///
/// # Errors
/// [`TimeError`] by what is wrong with the text.
pub fn parse_moment(text: &str) -> Result<Moment, TimeError> {
    let form = || TimeError::Form(excerpt(text));
    if !text.is_ascii() {
        return Err(form());
    }
    let (sign, unsigned) = match text.as_bytes().first() {
        Some(b'-') => (-1, &text[1..]),
        Some(b'+') => (1, &text[1..]),
        _ => (1, text),
    };
    let (date, clock) = match unsigned.find(['T', 't', ' ']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let mut parts = date.split('-');
    let year_text = parts.next().unwrap_or_default();
    let (month, day) = (parts.next(), parts.next());
    if parts.next().is_some() || year_text.len() < 4 || !is_digits(year_text) {
        return Err(form());
    }
    if year_text.len() > 4 {
        return Err(TimeError::OutOfRange(excerpt(text)));
    }
    let year = sign * year_text.parse::<i32>().map_err(|_| form())?;
    let two = |part: Option<&str>| match part {
        None => Ok(None),
        Some(digits) if digits.len() == 2 && is_digits(digits) => {
            digits.parse::<u32>().map(Some).map_err(|_| form())
        }
        Some(_) => Err(form()),
    };
    let (month, day) = (two(month)?, two(day)?);
    let date = NaiveDate::from_ymd_opt(year, month.unwrap_or(1), day.unwrap_or(1))
        .ok_or_else(|| TimeError::NoSuchDate(excerpt(text)))?;
    let Some(clock) = clock else {
        let grain = match (month, day) {
            (None, _) => Granularity::Year,
            (Some(_), None) => Granularity::Month,
            (Some(_), Some(_)) => Granularity::Day,
        };
        let start = date.and_hms_opt(0, 0, 0).map(|time| time.and_utc()).and_then(Instant::from_chrono);
        return start.map(|at| Moment::new(at, grain)).ok_or_else(|| TimeError::OutOfRange(excerpt(text)));
    };
    if day.is_none() {
        return Err(form());
    }
    // chrono reads the clock and the offset on a date of its own, so that signed years need no second grammar.
    let on_epoch = DateTime::parse_from_rfc3339(&format!("1970-01-01T{clock}"));
    let time = on_epoch.map_err(|_| clock_error(text, clock))?.with_timezone(&Utc);
    let days = date.signed_duration_since(NaiveDate::default());
    time.checked_add_signed(days)
        .and_then(Instant::from_chrono)
        .map(Moment::instant)
        .ok_or_else(|| TimeError::OutOfRange(excerpt(text)))
}

/// A clock of the right shape with a wrong value (25:00) is a time that does not exist; anything else is no time.
fn clock_error(text: &str, clock: &str) -> TimeError {
    let digits_at = |range: std::ops::Range<usize>| clock.get(range).is_some_and(is_digits);
    let shaped = digits_at(0..2) && digits_at(3..5) && digits_at(6..8);
    let zoned = clock.ends_with(['Z', 'z']) || clock.get(8..).is_some_and(|rest| rest.contains(['+', '-']));
    if shaped && zoned { TimeError::NoSuchDate(excerpt(text)) } else { TimeError::Form(excerpt(text)) }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Writes an instant: a date where it falls on midnight UTC, else RFC 3339 with as many decimals as needed.
pub fn format_instant(instant: Instant) -> String {
    if instant == Instant::DISTANT_PAST {
        return "the beginning of time".to_owned();
    }
    if instant == Instant::DISTANT_FUTURE {
        return "the end of time".to_owned();
    }
    if instant > Instant::LAST {
        return "+10000-01-01".to_owned();
    }
    let day = 86_400_000_000;
    if instant.micros().rem_euclid(day) == 0 { date_text(instant) } else { instant.to_rfc3339() }
}

impl Instant {
    /// Writes the instant as RFC 3339 in UTC, with as many decimals as needed (none, or up to six).
    pub fn to_rfc3339(self) -> String {
        use chrono::Timelike;
        let time = self.to_chrono();
        let mut text = String::with_capacity("2024-03-01T09:30:00.000000Z".len());
        push_date(&mut text, time.date_naive());
        for (mark, number) in [('T', time.hour()), (':', time.minute()), (':', time.second())] {
            text.push(mark);
            push_digits(&mut text, number, 2);
        }
        let micros = time.timestamp_subsec_micros();
        if micros != 0 {
            text.push('.');
            push_digits(&mut text, micros, 6);
            text.truncate(text.trim_end_matches('0').len());
        }
        text.push('Z');
        text
    }
}

fn date_text(instant: Instant) -> String {
    let mut text = String::new();
    push_date(&mut text, instant.to_chrono().date_naive());
    text
}

fn push_date(text: &mut String, date: NaiveDate) {
    use chrono::Datelike;
    if date.year() < 0 {
        text.push('-');
    }
    push_digits(text, date.year().unsigned_abs(), 4);
    for number in [date.month(), date.day()] {
        text.push('-');
        push_digits(text, number, 2);
    }
}

/// Writes the last digits of a number, so many of them.
fn push_digits(text: &mut String, number: u32, n_digits: u32) {
    let digits = (0..n_digits).rev().map(|place| number / 10_u32.pow(place) % 10);
    text.extend(digits.filter_map(|digit| char::from_digit(digit, 10)));
}

/// Writes a moment for a person, at its granularity: `2022`, `March 2022`, `1 March 2022`, `spring 2022`.
pub fn format_moment(moment: Moment) -> String {
    use chrono::Datelike;
    if !moment.at.is_ordinary() {
        return format_instant(moment.at);
    }
    let time = moment.at.to_chrono();
    let year = time.year();
    let aligned = moment.grain.floor(moment.at) == moment.at;
    match moment.grain {
        Granularity::Unknown => "an unknown date".to_owned(),
        Granularity::Year if aligned => format!("{year}"),
        Granularity::Decade if aligned => format!("the {year}s"),
        Granularity::Quarter if aligned => format!("Q{} {year}", time.month0() / 3 + 1),
        Granularity::Season if aligned => match time.month() {
            3 => format!("spring {year}"),
            6 => format!("summer {year}"),
            9 => format!("autumn {year}"),
            _ => format!("winter {year}/{:02}", (year + 1).rem_euclid(100)),
        },
        Granularity::Month if aligned => time.format("%B %Y").to_string(),
        Granularity::Week if aligned => format!("the week of {}", time.format("%-d %B %Y")),
        Granularity::Day if aligned => time.format("%-d %B %Y").to_string(),
        Granularity::Hour | Granularity::Minute => time.format("%-d %B %Y, %H:%M").to_string(),
        Granularity::Instant | Granularity::Second => {
            if moment.at == Granularity::Minute.floor(moment.at) {
                time.format("%-d %B %Y, %H:%M").to_string()
            } else {
                time.format("%-d %B %Y, %H:%M:%S").to_string()
            }
        }
        Granularity::Day
        | Granularity::Week
        | Granularity::Month
        | Granularity::Quarter
        | Granularity::Season
        | Granularity::Year
        | Granularity::Decade => format_instant(moment.at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(text: &str, instant: &str, grain: Granularity) {
        let moment = parse_moment(text).expect(text);
        assert_eq!((format_instant(moment.at).as_str(), moment.grain), (instant, grain));
    }

    #[test]
    fn dates_keep_their_granularity() {
        reads("2024", "2024-01-01", Granularity::Year);
        reads("2024-03", "2024-03-01", Granularity::Month);
        reads("2024-03-01", "2024-03-01", Granularity::Day);
        reads("-0044-03-15", "-0044-03-15", Granularity::Day);
        reads("2024-03-01T00:30:00+02:00", "2024-02-29T22:30:00Z", Granularity::Instant);
        reads("2024-03-01T00:00:00.1234567Z", "2024-03-01T00:00:00.123456Z", Granularity::Instant);
        reads("-0001-01-01T00:00:00.5Z", "-0001-01-01T00:00:00.5Z", Granularity::Instant);
    }

    #[test]
    fn what_is_no_time_is_refused_by_kind() {
        for text in
            ["", "yesterday", "24", "2024-3", "2024-03-01T10:00:00", "2024-03T10:00:00Z", "2024-03-01-02"]
        {
            assert_eq!(parse_moment(text), Err(TimeError::Form(excerpt(text))), "{text}");
        }
        for text in ["2024-02-30", "2023-02-29", "2024-13", "2024-00-01", "2024-03-01T25:00:00Z"] {
            assert_eq!(parse_moment(text), Err(TimeError::NoSuchDate(excerpt(text))), "{text}");
        }
        for text in ["10000-01-01", "-10000-01-01", "9999-12-31T23:59:59-01:00", "+12024"] {
            assert_eq!(parse_moment(text), Err(TimeError::OutOfRange(excerpt(text))), "{text}");
        }
    }

    #[test]
    fn people_see_the_granularity_that_was_said() {
        let said = |text: &str, grain| format_moment(Moment::new(parse_moment(text).expect(text).at, grain));
        assert_eq!(said("2022", Granularity::Year), "2022");
        assert_eq!(said("2022-03", Granularity::Month), "March 2022");
        assert_eq!(said("2022-03-01", Granularity::Day), "1 March 2022");
        assert_eq!(said("2022-12", Granularity::Season), "winter 2022/23");
        assert_eq!(said("2022-04", Granularity::Quarter), "Q2 2022");
        assert_eq!(said("2020", Granularity::Decade), "the 2020s");
        assert_eq!(said("2022-03-01T09:30:00Z", Granularity::Instant), "1 March 2022, 09:30");
        assert_eq!(said("2022-03-01", Granularity::Unknown), "an unknown date");
    }
}
