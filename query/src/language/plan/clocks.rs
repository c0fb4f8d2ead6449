//! Which part of the store a query sees: what it says of its clocks, and where it says nothing, what whoever asks says.

use bygone_engine::time::{Bound, Granularity, Instant, Moment, Period, parse_moment};
use bygone_engine::{RecordedAt, ValidTime};
use serde_json::Value as Json;

use super::term::{Parameters, parameter};
use crate::language::ast::{Between, Query, Recorded, Time, Valid, Word};
use crate::language::error::LanguageError;
use crate::language::failed::Failed;
use crate::request::Request;

/// Returns what a query is asked of.
pub(in crate::language) fn request(
    query: &Query,
    base: &Request,
    parameters: &Parameters,
) -> Result<Request, Failed> {
    let clock = Clock { now: base.now, parameters };
    let mut request = base.clone();
    if let Some(valid) = &query.valid {
        request.valid = clock.valid(valid)?;
    }
    if let Some(known) = &query.known {
        request.view.known = last(clock.moment(known)?.0);
    }
    match &query.recorded {
        None => {}
        Some(Recorded::Seq(seq)) => request.view.recorded = RecordedAt::Seq(*seq),
        Some(Recorded::At(Time::Parameter(given))) => {
            let seq = parameter(parameters, &given.parameter)?.as_u64();
            request.view.recorded = match seq {
                Some(seq) => RecordedAt::Seq(seq),
                None => RecordedAt::Instant(last(clock.moment(&Time::Parameter(given.clone()))?.0)),
            };
        }
        Some(Recorded::At(time)) => request.view.recorded = RecordedAt::Instant(last(clock.moment(time)?.0)),
    }
    request.history |= query.history;
    request.planned |= query.planned;
    Ok(request)
}

/// The last instant of a granule: what "known at 1 March" includes. An instant is inclusive.
fn last(moment: Moment) -> Instant {
    moment.end().previous()
}

struct Clock<'a> {
    now: Instant,
    parameters: &'a Parameters,
}

impl Clock<'_> {
    fn valid(&self, valid: &Valid) -> Result<ValidTime, Failed> {
        let (from, to, closed, word) = match valid {
            Valid::All => return Ok(ValidTime::All),
            Valid::At(time) => {
                let (moment, word) = self.moment(time)?;
                if moment.grain == Granularity::Instant {
                    return Ok(ValidTime::At(moment.at));
                }
                (Some(moment), Some(moment), true, Some(word))
            }
            Valid::During(Between { from, to, closed }) => {
                let from = from.as_ref().map(|time| self.moment(time)).transpose()?;
                let to = to.as_ref().map(|time| self.moment(time)).transpose()?;
                let word = to.as_ref().or(from.as_ref()).map(|(_, word)| word.clone());
                (from.map(|(moment, _)| moment), to.map(|(moment, _)| moment), *closed, word)
            }
        };
        let end = |moment: Moment| if closed { Moment::new(moment.end(), moment.grain) } else { moment };
        let period =
            Period::new(from.map_or(Bound::Open, Bound::At), to.map_or(Bound::Open, |to| Bound::At(end(to))));
        period.map(ValidTime::During).map_err(|error| {
            let span = word.and_then(|word| word.span);
            LanguageError::new(error.to_string()).at(span).into()
        })
    }

    fn moment(&self, time: &Time) -> Result<(Moment, Word), Failed> {
        let (text, word) = match time {
            Time::Text(word) => (word.text.as_str(), word),
            Time::Parameter(given) => {
                let word = &given.parameter;
                match parameter(self.parameters, word)? {
                    Json::String(text) => (text.as_str(), word),
                    // A year is easily taken for a number.
                    Json::Number(number) => {
                        let moment = parse_moment(&number.to_string());
                        return moment
                            .map(|moment| (moment, word.clone()))
                            .map_err(|error| no_time(word, &error));
                    }
                    _ => return Err(no_time(word, &format!("the parameter ${} is no time", word.text))),
                }
            }
        };
        if text == "now" {
            return Ok((Moment::instant(self.now), word.clone()));
        }
        parse_moment(text).map(|moment| (moment, word.clone())).map_err(|error| no_time(word, &error))
    }
}

fn no_time(word: &Word, error: &impl ToString) -> Failed {
    LanguageError::new(error.to_string()).at(word.span).into()
}
