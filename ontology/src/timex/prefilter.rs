//! Whether a text can hold a time expression at all, decided in one pass over its bytes and without allocation.
//!
//! Invariant: every expression the grammar finds holds a digit or one of the words below.

use super::known::KnownWords;

/// The words of which every expression without a digit holds one, sorted; "o'clock" is cut at its apostrophe.
static WORDS: KnownWords<512> = KnownWords::of(&[
    "after",
    "afternoon",
    "afternoons",
    "ago",
    "annually",
    "apr",
    "april",
    "aug",
    "august",
    "autumn",
    "before",
    "bimonthly",
    "biweekly",
    "centuries",
    "century",
    "christmas",
    "christmases",
    "cinco",
    "clock",
    "currently",
    "daily",
    "date",
    "day",
    "days",
    "dec",
    "decade",
    "decades",
    "december",
    "during",
    "earlier",
    "easter",
    "eighteen",
    "eighties",
    "eleven",
    "eod",
    "eom",
    "eoq",
    "eow",
    "eoy",
    "evening",
    "evenings",
    "everyday",
    "fall",
    "fawkes",
    "feb",
    "february",
    "fifteen",
    "fifties",
    "following",
    "fools",
    "forties",
    "fortnight",
    "fortnightly",
    "fortnights",
    "fourteen",
    "fri",
    "friday",
    "fridays",
    "gras",
    "halloween",
    "hour",
    "hourly",
    "hours",
    "hr",
    "hrs",
    "jan",
    "january",
    "jul",
    "july",
    "jun",
    "june",
    "juneteenth",
    "lately",
    "later",
    "mar",
    "march",
    "mardi",
    "may",
    "midday",
    "midnight",
    "min",
    "mins",
    "minute",
    "minutes",
    "moment",
    "mon",
    "monday",
    "mondays",
    "month",
    "monthly",
    "months",
    "morning",
    "mornings",
    "mtd",
    "night",
    "nightly",
    "nights",
    "nineteen",
    "nineties",
    "noon",
    "nov",
    "november",
    "now",
    "nowadays",
    "oct",
    "october",
    "otd",
    "past",
    "patrick",
    "pentecost",
    "present",
    "prior",
    "qtd",
    "quarter",
    "quarterly",
    "quarters",
    "recently",
    "sat",
    "saturday",
    "saturdays",
    "sec",
    "second",
    "seconds",
    "secs",
    "sep",
    "sept",
    "september",
    "seventeen",
    "seventies",
    "since",
    "sixteen",
    "sixties",
    "spring",
    "summer",
    "sun",
    "sunday",
    "sundays",
    "thanksgiving",
    "then",
    "thirteen",
    "thirties",
    "thousand",
    "thousands",
    "thu",
    "thur",
    "thurs",
    "thursday",
    "thursdays",
    "till",
    "times",
    "tmrw",
    "today",
    "tomorrow",
    "tonight",
    "tue",
    "tues",
    "tuesday",
    "tuesdays",
    "twelve",
    "twenties",
    "twenty",
    "until",
    "wed",
    "wednesday",
    "wednesdays",
    "weds",
    "week",
    "weekday",
    "weekdays",
    "weekend",
    "weekends",
    "weekly",
    "weeks",
    "when",
    "winter",
    "wk",
    "wks",
    "workday",
    "workdays",
    "workweek",
    "xmas",
    "year",
    "yearly",
    "years",
    "yesterday",
    "yr",
    "yrs",
    "ytd",
]);

/// Says whether the text holds a digit or a word that some time expression needs.
pub(super) fn may_hold_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut from = 0;
    for (at, byte) in bytes.iter().enumerate() {
        if byte.is_ascii_digit() {
            return true;
        }
        if !byte.is_ascii_alphabetic() {
            if WORDS.has(&bytes[from..at]) {
                return true;
            }
            from = at + 1;
        }
    }
    WORDS.has(&bytes[from..])
}

/// Says whether a word, in lower case and without its possessive, is one that some expression needs.
pub(super) fn is_telling(word: &str) -> bool {
    word.split('\'').any(|part| WORDS.has(part.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted() {
        assert!(WORDS.is_in_order());
    }

    #[test]
    fn only_digits_and_time_words_pass() {
        assert!(may_hold_time("Tomorrow!"));
        assert!(may_hold_time("see v3"));
        assert!(may_hold_time("five o'clock"));
        assert!(!may_hold_time("I like green tea and my cat does too."));
        assert!(!may_hold_time(""));
    }
}
