//! What an answer comes to, for programs: a time, a length of time, or things in their order.

use bygone_engine::time::{Granularity, Period, format_instant};
use serde_json::{Value as Json, json};

/// What an answer comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// When it was.
    Period(Period),
    /// How long it was.
    Length(Length),
    /// What came after what, as the question calls it.
    Order(Vec<String>),
}

/// A length of time in whole units, to the nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// How many.
    pub number: i64,
    /// Of what: days, weeks, months or years.
    pub unit: Granularity,
    /// Whether one of its ends is known less finely than the unit.
    pub is_about: bool,
}

impl Value {
    /// Returns the JSON form, keys sorted.
    pub fn to_json(&self) -> Json {
        match self {
            Value::Period(period) => json!({
                "period": { "from": format_instant(period.start()), "to": format_instant(period.end()) },
            }),
            Value::Length(Length { number, unit, is_about }) => {
                json!({ "length": { "number": number, "unit": unit.name(), "about": is_about } })
            }
            Value::Order(names) => json!({ "order": names }),
        }
    }
}

impl std::fmt::Display for Length {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Length { number, unit, is_about } = self;
        let about = if *is_about { "about " } else { "" };
        let s = if *number == 1 { "" } else { "s" };
        write!(f, "{about}{number} {}{s}", unit.name())
    }
}
