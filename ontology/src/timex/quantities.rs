//! Counted units: "three weeks", "a year and a half", "a couple of days", "2 or 3 months".

use super::grammar::{Found, Parser};
use super::length::Length;
use super::lexicon::{Unit, small_number, unit};

/// A counted length, from the least to the most it may mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quantity {
    pub(super) low: Length,
    pub(super) high: Length,
    /// Whether the count was vague or hedged.
    pub(super) vague: bool,
    /// Whether the count was only an article or "one", which stands in many idioms.
    pub(super) article: bool,
    /// The unit the count began with.
    pub(super) unit: Unit,
}

impl Quantity {
    /// Makes exactly one of a unit.
    pub(super) fn one(unit: Unit) -> Option<Quantity> {
        let length = Length::of(unit, 1000)?;
        Some(Quantity { low: length, high: length, vague: false, article: false, unit })
    }
}

/// Says whether a count or its hedge may start with the word; with a number or a mark, which have none, it may.
fn may_start_count(word: &str) -> bool {
    matches!(
        word,
        "" | "a"
            | "about"
            | "almost"
            | "an"
            | "another"
            | "approximately"
            | "around"
            | "at"
            | "couple"
            | "few"
            | "half"
            | "just"
            | "less"
            | "maybe"
            | "more"
            | "nearly"
            | "only"
            | "over"
            | "roughly"
            | "several"
            | "some"
            | "three"
            | "under"
            | "up"
            | "well"
    ) || small_number(word).is_some()
}

impl Parser<'_> {
    /// Reads a count and its unit, and finer ones behind it.
    pub(super) fn quantity(self, at: usize) -> Found<Quantity> {
        if !may_start_count(self.word(at)) {
            return None;
        }
        let mut start = at;
        let mut hedged = false;
        for hedge in [
            &["more", "than"][..],
            &["less", "than"],
            &["at", "least"],
            &["up", "to"],
            &["about"],
            &["around"],
            &["approximately"],
            &["roughly"],
            &["almost"],
            &["nearly"],
            &["just", "over"],
            &["just", "under"],
            &["a", "little", "over"],
            &["a", "little", "under"],
            &["well", "over"],
            &["over"],
            &["under"],
            &["some"],
            &["maybe"],
            &["only"],
            &["just"],
        ] {
            if let Some(next) = self.phrase(start, hedge) {
                start = next;
                hedged = !matches!(hedge, ["only" | "just"]);
                break;
            }
        }
        let (mut end, mut quantity) = self.one_quantity(start)?;
        quantity.vague |= hedged;
        for _ in 0..5 {
            let next = self.skip_mark(end, ',');
            let next = self.skip(next, &["and"]);
            let Some((after, more)) = self.one_quantity(next) else {
                break;
            };
            if more.unit.grain() >= quantity.low.grain() || more.article && next == end {
                break;
            }
            quantity.low = quantity.low.plus(more.low)?;
            quantity.high = quantity.high.plus(more.high)?;
            quantity.article &= more.article;
            end = after;
        }
        Some((end, quantity))
    }

    pub(super) fn one_quantity(self, at: usize) -> Found<Quantity> {
        if let Some(found) = self.fraction_of_unit(at) {
            return Some(found);
        }
        let (next, low, high, vague) = self.count(at)?;
        let article = self.is(at, &["a", "an", "one"]) && next == at + 1;
        let before = self.fraction_behind(next);
        let next = before.map_or(next, |(next, _)| next);
        let hyphen = self.mark(next) == Some('-') && self.is_glued(next) && self.is_glued(next + 1);
        let next = if hyphen {
            next + 1
        } else {
            self.skip(
                next,
                &[
                    "more",
                    "full",
                    "whole",
                    "long",
                    "short",
                    "solid",
                    "good",
                    "entire",
                    "straight",
                    "consecutive",
                ],
            )
        };
        let unit = unit(self.word(next)).or_else(|| self.letter_unit(at, next))?;
        // "2 second", "a 5 second": a singular second that is not hyphenated is an ordinal or an idiom.
        if self.word(next) == "second" && !hyphen && low != 1000 {
            return None;
        }
        let mut end = next + 1;
        let behind = self.fraction_behind(end);
        // "a month or two"
        if let Some(end) = self.phrase(end, &["or", "two"]).filter(|_| low == 1000 && high == 1000) {
            let quantity = Quantity {
                low: Length::of(unit, 1000)?,
                high: Length::of(unit, 2000)?,
                vague: true,
                article: false,
                unit,
            };
            return Some((end, quantity));
        }
        let half = before.or(behind).map_or(0, |(_, part)| part);
        end = behind.map_or(end, |(end, _)| end);
        if unit == Unit::Weekend {
            return None;
        }
        let quantity = Quantity {
            low: Length::of(unit, low.checked_add(half)?)?,
            high: Length::of(unit, high.checked_add(half)?)?,
            vague,
            article: article && half == 0,
            unit,
        };
        Some((end, quantity))
    }

    /// "and a half", "and a quarter", in thousandths.
    fn fraction_behind(self, at: usize) -> Found<i64> {
        let next = self.phrase(at, &["and"])?;
        for (words, thousandths) in [
            (&["a", "half"][..], 500),
            (&["half"], 500),
            (&["a", "quarter"], 250),
            (&["three", "quarters"], 750),
        ] {
            if let Some(end) = self.phrase(next, words) {
                return Some((end, thousandths));
            }
        }
        None
    }

    /// "24h", "in 10d": a letter stuck to its number, where a word beside it says that it counts time.
    fn letter_unit(self, number: usize, letter: usize) -> Option<Unit> {
        self.number(number).filter(|(value, _)| self.is_glued(letter) && *value > 0)?;
        let ago = self.word(letter + 1) == "ago";
        let led = number.checked_sub(1).is_some_and(|before| {
            self.is(
                before,
                &["for", "in", "within", "last", "past", "next", "after", "every", "took", "takes"],
            )
        });
        let unit = match self.word(letter) {
            "h" => Unit::Hour,
            "d" => Unit::Day,
            "w" => Unit::Week,
            _ => return None,
        };
        // "in 3D" is a picture.
        let solid = self.word(letter) == "d" && self.number(number).is_some_and(|(value, _)| value < 5);
        (ago || led && !solid).then_some(unit)
    }

    /// "half an hour", "half a year", "a quarter of an hour", "a half hour".
    fn fraction_of_unit(self, at: usize) -> Found<Quantity> {
        let (next, thousandths) = if let Some(next) = self.phrase(at, &["a", "quarter", "of"]) {
            (next, 250)
        } else if let Some(next) = self.phrase(at, &["three", "quarters", "of"]) {
            (next, 750)
        } else {
            (self.phrase(self.skip(at, &["a"]), &["half"])?, 500)
        };
        let next = self.skip_mark(next, '-');
        let next = self.skip(next, &["a", "an", "of"]);
        let next = self.skip(next, &["a", "an"]);
        let unit = unit(self.word(next)).filter(|unit| *unit != Unit::Weekend)?;
        let length = Length::of(unit, thousandths)?;
        let quantity = Quantity { low: length, high: length, vague: false, article: false, unit };
        Some((next + 1, quantity))
    }

    /// Reads a count in thousandths, from the least to the most, and whether it is vague.
    fn count(self, at: usize) -> Option<(usize, i64, i64, bool)> {
        for (words, low, high) in [
            (&["a", "couple", "of"][..], 2, 2),
            (&["a", "couple"], 2, 2),
            (&["couple", "of"], 2, 2),
            (&["couple"], 2, 2),
            (&["a", "few"], 3, 5),
            (&["few"], 3, 5),
            (&["several"], 3, 7),
            (&["a", "dozen"], 12, 12),
            (&["half", "a", "dozen"], 6, 6),
        ] {
            if let Some(next) = self.phrase(at, words) {
                return Some((next, low * 1000, high * 1000, true));
            }
        }
        if let Some(part) = self.vulgar_fraction(at) {
            return Some((at + 1, part, part, false));
        }
        if self.is(at, &["a", "an", "another"]) && !self.is(at + 1, &["hundred", "thousand"]) {
            return Some((at + 1, 1000, 1000, false));
        }
        let (next, whole) = self.cardinal(at)?;
        let whole = i64::try_from(whole).ok()?.checked_mul(1000)?;
        if let Some(part) = self.vulgar_fraction(next).filter(|_| self.number(at).is_some()) {
            return Some((next + 1, whole + part, whole + part, false));
        }
        let decimals = self
            .number(next + 1)
            .filter(|_| self.mark(next) == Some('.') && self.is_glued(next + 1) && self.is_glued(next));
        if let Some((value, digits)) = decimals.filter(|(_, digits)| *digits <= 3) {
            let scale = 10_i64.checked_pow(3 - u32::try_from(digits).ok()?)?;
            let exact = whole + i64::try_from(value).ok()? * scale;
            return Some((next + 2, exact, exact, false));
        }
        let dash = matches!(self.mark(next), Some('-' | '–'));
        if (dash || self.is(next, &["or", "to"]))
            && let Some((end, high)) = self.cardinal(next + 1)
        {
            let high = i64::try_from(high).ok()?.checked_mul(1000)?;
            if high > whole {
                return Some((end, whole, high, true));
            }
        }
        Some((next, whole, whole, false))
    }
}
