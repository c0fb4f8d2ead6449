//! Lengths of time without a place: "for 3 years", "two and a half hours", "all day".
//!
//! With a present tense, "for 3 years" reaches up to now and is a start.

use super::grammar::{Found, Parser, Reading, longest};
use super::length::Length;
use super::lexicon::Unit;
use super::quantities::Quantity;
use super::stretch::midnight;
use super::{Kind, Tense};

impl Parser<'_> {
    pub(super) fn duration(self, at: usize) -> Found<Reading> {
        longest([self.for_duration(at), self.bare_duration(at), self.all_unit(at)])
    }

    fn for_duration(self, at: usize) -> Found<Reading> {
        if !self.is(at, &["for", "over", "within", "in", "throughout"]) {
            return None;
        }
        let next = self.skip(at + 1, &["the"]);
        let reaching = self.is(next, &["last", "past"]);
        let (end, quantity) = self.quantity(next + usize::from(reaching))?;
        let plain_for = self.word(at) == "for";
        // "for two years now" reaches now in any tense.
        let now = self.is(end, &["now", "already"]);
        if plain_for && (self.tense == Tense::Present || now) {
            return Some((end + usize::from(now), self.reaching_now(quantity)?));
        }
        if reaching || next > at + 1 || self.is_idiom(at + 1, quantity) || self.is_no_length(end) {
            return None;
        }
        Some((end, lasting(quantity)))
    }

    /// Makes a start out of a length that reaches now: within half a unit of that long ago.
    fn reaching_now(self, quantity: Quantity) -> Option<Reading> {
        let long_ago = quantity.high.plus(quantity.high.half_unit()?)?;
        let coarse = quantity.high.grain() >= bygone_engine::time::Granularity::Day;
        let from = if coarse { midnight(self.now.date()) } else { self.now };
        Some(Reading {
            start: Some(long_ago.shift(from, false)?),
            approx: true,
            best: Some(quantity.low.shift(from, false)?),
            ..Reading::undated(Kind::Since, quantity.high.grain())
        })
    }

    /// A counted length alone; with an article it needs a verb of lasting before it.
    fn bare_duration(self, at: usize) -> Found<Reading> {
        if let Some(found) = self.weekends(at) {
            return Some(found);
        }
        let (end, quantity) = self.quantity(at)?;
        // "seven years now" reaches now as "for seven years now" does.
        if !quantity.article && self.is(end, &["now", "already"]) && self.stops(end + 1) {
            return Some((end + 1, self.reaching_now(quantity)?));
        }
        let lasting_verbs = [
            "took", "take", "takes", "taking", "taken", "lasted", "last", "lasts", "lasting", "spent",
            "spend", "spending", "waited", "wait", "waiting", "another", "every", "nearly", "almost",
        ];
        let verb = at.checked_sub(1).is_some_and(|before| self.is(before, &lasting_verbs));
        if quantity.article && !verb
            || self.is_idiom(at, quantity)
            || self.is_no_length(end)
            || self.is(end, &["of"]) && quantity.unit == Unit::Quarter
        {
            return None;
        }
        let counts_other = at.checked_sub(1).is_some_and(|before| {
            self.is(before, &["per", "a", "an", "every", "each"])
                && self.number(at).is_none()
                && quantity.article
        });
        (!counts_other).then(|| (end, lasting(quantity)))
    }

    /// "three weekends": two days each.
    fn weekends(self, at: usize) -> Found<Reading> {
        let (next, count) = self.cardinal(at)?;
        // "the last two weekends" are two of them; "it will last two weekends" is how long.
        let pointed = at.checked_sub(1).is_some_and(|before| {
            let article = before.checked_sub(1);
            self.is(before, &["past", "next"])
                || self.is(before, &["last"])
                    && article.is_none_or(|the| self.is(the, &["the", "these", "those", "over", "in"]))
        });
        (!pointed
            && self.word(next) == "weekends"
            && !self.is(next + 1, &["ago", "later", "before", "after", "a", "per"]))
        .then_some(())?;
        let days = i64::try_from(count).ok()?.checked_mul(2000)?;
        let length = Length::of(Unit::Day, days)?;
        Some((next + 1, lasting(Quantity { low: length, high: length, ..Quantity::one(Unit::Day)? })))
    }

    /// "a second", "one day", "a minute" are ways of speaking; so is a quarter, which is a coin or a share.
    fn is_idiom(self, at: usize, quantity: Quantity) -> bool {
        let one = self.is(at, &["a", "an", "one"]) && quantity.article;
        let waiting = quantity.unit == Unit::Minute
            && at.checked_sub(1).is_some_and(|before| self.is(before, &["wait"]));
        one && (quantity.unit == Unit::Second || waiting)
            || self.is(at, &["one"]) && matches!(quantity.unit, Unit::Day | Unit::Minute)
    }

    /// "5-year-old", "30 years old", "two years younger".
    fn is_no_length(self, end: usize) -> bool {
        let next = self.skip_mark(end, '-');
        // A length that is "ago" and still unread lies beyond the calendar.
        self.is(end, &["ago", "hence"])
            || self.is(next, &["old", "olds", "older", "younger"])
            || self.phrase(end, &["of", "age"]).is_some()
    }

    fn all_unit(self, at: usize) -> Found<Reading> {
        let whole = (self.is(at, &["the"]) && self.is(at + 1, &["whole", "entire"])).then_some(at + 1);
        let at = whole.or(self.is(at, &["all"]).then_some(at))?;
        // "the whole week of the fair" is that week.
        if whole.is_some() && !self.stops(at + 2) {
            return None;
        }
        let unit = match self.word(at + 1) {
            "day" | "night" => Unit::Day,
            "week" => Unit::Week,
            "month" => Unit::Month,
            "year" => Unit::Year,
            _ => return None,
        };
        let length = Length::of(unit, 1000)?;
        let quantity = Quantity { low: length, high: length, vague: false, article: false, unit };
        Some((at + 2, lasting(quantity)))
    }
}

fn lasting(quantity: Quantity) -> Reading {
    Reading {
        duration: Some(quantity.low),
        approx: quantity.vague,
        ..Reading::undated(Kind::Duration, quantity.low.grain())
    }
}
