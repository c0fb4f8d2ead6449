//! Numbers in words and digits: "two hundred and fifty", "twenty-first", "½", and years as they are spoken.

use super::grammar::{Found, Parser};
use super::lexicon::{small_number, small_ordinal, unit};

impl Parser<'_> {
    /// Reads a whole number in digits, or in words below ten thousand.
    pub(super) fn cardinal(self, at: usize) -> Found<u64> {
        if let Some((value, _)) = self.number(at) {
            return (value < 100_000).then_some((at + 1, value));
        }
        let scale = |at: usize| match self.word(at) {
            "hundred" => Some(100),
            "thousand" => Some(1000),
            _ => None,
        };
        let article = self.is(at, &["a"]) && scale(at + 1).is_some();
        let (mut end, mut value) = if article { (at + 1, 1) } else { self.below_hundred(at)? };
        while let Some(by) = scale(end).filter(|_| value < 100) {
            value *= by;
            end += 1;
            // "two hundred and fifty"; "a hundred and" may also go on with something else.
            let next = self.skip(end, &["and"]);
            match self.below_hundred(next) {
                Some((_, more)) if scale(next + 1).is_some() && by == 1000 && more < 10 => {
                    value += more * 100;
                    end = next + 2;
                    let last = self.skip(end, &["and"]);
                    if let Some((after, more)) = self.below_hundred(last) {
                        (end, value) = (after, value + more);
                    }
                    break;
                }
                Some((after, more)) => {
                    (end, value) = (after, value + more);
                    break;
                }
                None => {}
            }
        }
        Some((end, value))
    }

    fn below_hundred(self, at: usize) -> Found<u64> {
        let first = small_number(self.word(at))?;
        if first >= 20 {
            let next = self.skip_mark(at + 1, '-');
            if let Some(ones) = small_number(self.word(next)).filter(|ones| *ones < 10) {
                return Some((next + 1, first + ones));
            }
            // "twenty and four hours" is one count; "twenty and four" may be two.
            if let Some(ones) = small_number(self.word(at + 2))
                .filter(|ones| *ones < 10 && self.is(at + 1, &["and"]) && unit(self.word(at + 3)).is_some())
            {
                return Some((at + 3, first + ones));
            }
        }
        Some((at + 1, first))
    }

    /// Reads an ordinal: "5th", "fifth", "twenty-first".
    pub(super) fn ordinal(self, at: usize) -> Found<u64> {
        if let Some((value, _)) = self.number(at) {
            let ending = ["st", "nd", "rd", "th"].contains(&self.suffix(at + 1));
            return ending.then_some((at + 2, value));
        }
        if let Some(tens) = small_number(self.word(at)).filter(|tens| *tens >= 20) {
            let next = self.skip_mark(at + 1, '-');
            let ones = small_ordinal(self.word(next)).filter(|ones| *ones < 10)?;
            return Some((next + 1, tens + ones));
        }
        Some((at + 1, small_ordinal(self.word(at))?))
    }

    /// Reads "½" and its like in thousandths.
    pub(super) fn vulgar_fraction(self, at: usize) -> Option<i64> {
        match self.mark(at)? {
            '½' => Some(500),
            '¼' => Some(250),
            '¾' => Some(750),
            _ => None,
        }
    }

    /// Reads a year in words: "nineteen eighty-six", "twenty twenty-one", "nineteen hundred and five", "two thousand
    /// and five". A count with a unit behind it is no year.
    pub(super) fn spoken_year(self, at: usize) -> Found<i32> {
        let first = small_number(self.word(at))?;
        let (end, year) = if first == 2 && self.is(at + 1, &["thousand"]) {
            let (end, rest) = self.below_hundred(self.skip(at + 2, &["and"]))?;
            (end, 2000 + rest)
        } else if (11..=20).contains(&first) {
            if self.is(at + 1, &["hundred"]) {
                let (end, rest) = self.below_hundred(self.skip(at + 2, &["and"]))?;
                (end, first * 100 + rest)
            } else if self.is(at + 1, &["oh", "o"]) {
                let (end, rest) = self.below_hundred(at + 2).filter(|(_, rest)| *rest < 10)?;
                (end, first * 100 + rest)
            } else {
                let next = self.skip_mark(at + 1, '-');
                let (end, rest) = self.below_hundred(next).filter(|(_, rest)| *rest >= 10)?;
                (end, first * 100 + rest)
            }
        } else {
            return None;
        };
        let counts =
            unit(self.word(end)).is_some() || self.is(end, &["percent", "people", "dollars", "thousand"]);
        (!counts).then_some((end, i32::try_from(year).ok()?))
    }
}
