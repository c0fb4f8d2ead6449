//! Does a length of time agree with the right one? It does where the number is the one named, or one more: the last day
//! may count. "21 days. 22 days (including the last day) is also acceptable." names 21 and 22.

use bygone_engine::time::Granularity;
use bygone_query::ask::Length;

/// Numbers as words, from one.
const NUMBERS: [&str; 12] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
/// Units, with about how many days they have.
const UNITS: [(&str, f64); 4] = [("day", 1.0), ("week", 7.0), ("month", 30.45), ("year", 365.25)];

/// Says whether a length agrees with an answer. Where that names no unit, it is in that of the length.
pub fn agrees(length: Length, answer: &str) -> bool {
    let lower = answer.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let number = |word: &str| -> Option<i64> {
        let named =
            || NUMBERS.iter().position(|name| *name == word).and_then(|at| i64::try_from(at + 1).ok());
        word.parse().ok().or_else(named)
    };
    words.iter().enumerate().any(|(at, word)| {
        let Some(number) = number(word) else { return false };
        let named = words.get(at + 1).and_then(|unit| days(unit));
        let own = days(length.unit.name()).unwrap_or(1.0);
        #[expect(clippy::cast_precision_loss, reason = "lengths of a life")]
        let [own, named] = [length.number as f64 * own, number as f64 * named.unwrap_or(own)];
        let unit =
            words.get(at + 1).and_then(|unit| days(unit)).unwrap_or(days(length.unit.name()).unwrap_or(1.0));
        let more = (own - named) / unit;
        (-0.5..1.5).contains(&more) && (more.abs() < 0.5 || length.unit != Granularity::Year)
    })
}

fn days(unit: &str) -> Option<f64> {
    UNITS.iter().find(|(name, _)| unit.strip_suffix('s').unwrap_or(unit) == *name).map(|(_, days)| *days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(number: i64, unit: Granularity, answer: &str, expected: bool) {
        assert_eq!(
            agrees(Length { number, unit, is_about: false }, answer),
            expected,
            "{number} {unit:?}: {answer}"
        );
    }

    #[test]
    fn a_length_is_the_number_named_or_one_more() {
        let both = "21 days. 22 days (including the last day) is also acceptable.";
        for (number, expected) in [(20, false), (21, true), (22, true), (24, false)] {
            check(number, Granularity::Day, both, expected);
        }
        check(5, Granularity::Month, "5", true);
        check(7, Granularity::Month, "5", false);
        check(2, Granularity::Week, "Two weeks", true);
        check(14, Granularity::Day, "Two weeks", true);
        check(9, Granularity::Day, "Two weeks", false);
        check(3, Granularity::Day, "a while", false);
    }
}
