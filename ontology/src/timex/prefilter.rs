//! Whether a text can hold a time expression at all, decided in one pass over its bytes and without allocation.
//!
//! Invariant: every expression the grammar finds holds a digit or one of the words below.

/// The words of which every expression without a digit holds one, sorted.
const WORDS: &[&str] = &[
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
];

const LONGEST: usize = 12;

/// Says whether the text holds a digit or a word that some time expression needs.
pub(super) fn may_hold_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut from = 0;
    for (at, byte) in bytes.iter().enumerate() {
        if byte.is_ascii_digit() {
            return true;
        }
        if !byte.is_ascii_alphabetic() {
            if is_time_word(&bytes[from..at]) {
                return true;
            }
            from = at + 1;
        }
    }
    is_time_word(&bytes[from..])
}

/// Says whether a word, in lower case and without its possessive, is one that some expression needs.
pub(super) fn is_telling(word: &str) -> bool {
    word.split('\'').any(|part| is_time_word(part.as_bytes()))
}

fn is_time_word(word: &[u8]) -> bool {
    if !(2..=LONGEST).contains(&word.len()) {
        return false;
    }
    if !first_and_length_fit(word) {
        return false;
    }
    let mut buffer = [0; LONGEST];
    let lower = &mut buffer[..word.len()];
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    let lower = &*lower;
    // "o'clock" is cut at its apostrophe here.
    lower == b"clock" || WORDS.binary_search_by(|known| known.as_bytes().cmp(lower)).is_ok()
}

/// For each first letter the lengths of the words with it, a bit each: it spares most words of a text the search.
const LENGTHS: [u16; 26] = {
    let mut lengths = [0; 26];
    let mut at = 0;
    while at < WORDS.len() {
        let word = WORDS[at].as_bytes();
        lengths[(word[0] - b'a') as usize] |= 1 << word.len();
        at += 1;
    }
    // "clock" of "o'clock"
    lengths[(b'c' - b'a') as usize] |= 1 << 5;
    lengths
};

fn first_and_length_fit(word: &[u8]) -> bool {
    let first = word[0].to_ascii_lowercase();
    first.is_ascii_lowercase() && LENGTHS[usize::from(first - b'a')] & (1 << word.len()) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_and_fit() {
        assert!(WORDS.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(WORDS.iter().all(|word| word.len() <= LONGEST));
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
