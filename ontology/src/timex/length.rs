//! How long a stated length is, in the units it was said with, and how it moves a time.

use bygone_engine::time::Granularity;
use chrono::{Days, Months, NaiveDateTime, TimeDelta};

use super::lexicon::Unit;

/// A length of civil time, kept by unit so that three years print as `P3Y` and not as days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Length {
    years: i64,
    months: i64,
    weeks: i64,
    days: i64,
    hours: i64,
    minutes: i64,
    millis: i64,
}

impl Length {
    /// Makes a length of thousandths of a unit; what does not fit the unit goes to the next finer one, rounded there.
    pub(super) fn of(unit: Unit, thousandths: i64) -> Option<Length> {
        let whole = thousandths.div_euclid(1000);
        let rest = thousandths.rem_euclid(1000);
        let part = |per: i64| (rest * per + 500) / 1000;
        let mut length = Length::default();
        match unit {
            Unit::Second => length.millis = thousandths,
            Unit::Minute => (length.minutes, length.millis) = (whole, rest * 60),
            Unit::Hour => (length.hours, length.minutes) = (whole, part(60)),
            Unit::Day | Unit::Weekend => (length.days, length.hours) = (whole, part(24)),
            Unit::Week => (length.weeks, length.days) = (whole, part(7)),
            Unit::Fortnight => (length.weeks, length.days) = (whole.checked_mul(2)?, part(14)),
            Unit::Month => (length.months, length.days) = (whole, part(30)),
            Unit::Quarter => (length.months, length.days) = (whole.checked_mul(3)?, part(90)),
            Unit::Year => (length.years, length.months) = (whole, part(12)),
            Unit::Decade => {
                let months = part(120);
                (length.years, length.months) =
                    (whole.checked_mul(10)?.checked_add(months / 12)?, months % 12);
            }
            Unit::Century => length.years = whole.checked_mul(100)?.checked_add(part(100))?,
        }
        Some(length)
    }

    /// Adds two lengths unit by unit.
    pub(super) fn plus(self, other: Length) -> Option<Length> {
        Some(Length {
            years: self.years.checked_add(other.years)?,
            months: self.months.checked_add(other.months)?,
            weeks: self.weeks.checked_add(other.weeks)?,
            days: self.days.checked_add(other.days)?,
            hours: self.hours.checked_add(other.hours)?,
            minutes: self.minutes.checked_add(other.minutes)?,
            millis: self.millis.checked_add(other.millis)?,
        })
    }

    /// Returns half of the length's finest unit, which is how exact a stated length is taken to be.
    pub(super) fn half_unit(self) -> Option<Length> {
        let unit = match self.grain() {
            Granularity::Year => Unit::Year,
            Granularity::Month => Unit::Month,
            Granularity::Week => Unit::Week,
            Granularity::Day => Unit::Day,
            Granularity::Hour => Unit::Hour,
            Granularity::Minute => Unit::Minute,
            _ => Unit::Second,
        };
        Length::of(unit, 500)
    }

    /// Returns the granularity of the finest unit used.
    pub(super) fn grain(self) -> Granularity {
        [
            (self.millis, Granularity::Second),
            (self.minutes, Granularity::Minute),
            (self.hours, Granularity::Hour),
            (self.days, Granularity::Day),
            (self.weeks, Granularity::Week),
            (self.months, Granularity::Month),
        ]
        .into_iter()
        .find(|(count, _)| *count != 0)
        .map_or(Granularity::Year, |(_, grain)| grain)
    }

    /// Moves a time by the length: months first, then days, then the clock; `None` beyond chrono's years.
    pub(super) fn shift(self, from: NaiveDateTime, later: bool) -> Option<NaiveDateTime> {
        let months = u32::try_from(self.years.checked_mul(12)?.checked_add(self.months)?).ok()?;
        let days = u64::try_from(self.weeks.checked_mul(7)?.checked_add(self.days)?).ok()?;
        let millis = self
            .hours
            .checked_mul(60)?
            .checked_add(self.minutes)?
            .checked_mul(60_000)?
            .checked_add(self.millis)?;
        let clock = TimeDelta::try_milliseconds(millis)?;
        if later {
            from.checked_add_months(Months::new(months))?
                .checked_add_days(Days::new(days))?
                .checked_add_signed(clock)
        } else {
            from.checked_sub_months(Months::new(months))?
                .checked_sub_days(Days::new(days))?
                .checked_sub_signed(clock)
        }
    }

    /// Writes the length as an ISO 8601 duration; weeks beside other units become days, as the standard wants.
    pub(super) fn to_iso(self) -> String {
        let mut text = String::from("P");
        let mut put = |count: i64, letter: char| {
            if count != 0 {
                text.push_str(&count.to_string());
                text.push(letter);
            }
        };
        let weeks_only = Length { weeks: 0, ..self } == Length::default();
        put(self.years, 'Y');
        put(self.months, 'M');
        if weeks_only {
            put(self.weeks, 'W');
        } else {
            put(self.weeks.saturating_mul(7).saturating_add(self.days), 'D');
        }
        if self.hours != 0 || self.minutes != 0 || self.millis != 0 {
            text.push('T');
            let mut put = |count: i64, letter: char| {
                if count != 0 {
                    text.push_str(&count.to_string());
                    text.push(letter);
                }
            };
            put(self.hours, 'H');
            put(self.minutes, 'M');
            if self.millis % 1000 == 0 {
                put(self.millis / 1000, 'S');
            } else {
                let decimals = format!("{:03}", self.millis % 1000);
                let decimals = decimals.trim_end_matches('0');
                text.push_str(&(self.millis / 1000).to_string());
                text.push('.');
                text.push_str(decimals);
                text.push('S');
            }
        }
        if text == "P" {
            text.push_str("T0S");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_print_in_their_units() {
        let iso = |unit, thousandths| Length::of(unit, thousandths).expect("small").to_iso();
        assert_eq!(iso(Unit::Year, 3000), "P3Y");
        assert_eq!(iso(Unit::Year, 1500), "P1Y6M");
        assert_eq!(iso(Unit::Hour, 2500), "PT2H30M");
        assert_eq!(iso(Unit::Week, 2000), "P2W");
        assert_eq!(iso(Unit::Week, 1500), "P11D");
        assert_eq!(iso(Unit::Second, 1250), "PT1.25S");
        assert_eq!(iso(Unit::Second, 0), "PT0S");
    }
}
