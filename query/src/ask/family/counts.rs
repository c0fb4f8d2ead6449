//! Questions for numbers: "how many times", "how many cities", "how often".

use bygone_engine::ValidTime;

use super::super::plan::Operation;
use super::super::plan::length::Unit;
use super::super::plan::selection::is_state;
use super::super::plan::window::{Relation, Window};
use super::{Asking, Read, clause, is, plan, starts_with_auxiliary};
use crate::error::QueryError;

const TIMES: &[&str] =
    &["how many times C", "how many separate|different times C", "on how many occasions C"];

const OFTEN: &[&str] =
    &["how often C", "how frequently C", "how regularly C", "how many times a|per day|week|month|year C"];

const THINGS: &[&str] = &[
    "how many different|distinct|separate K C",
    "how many K C",
    "in|at|to|for|with how many different K C",
    "in|at|to|for|with how many K C",
    "what number of K C",
];

pub(super) fn read(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    for matched in asking.matches(OFTEN) {
        let Some(range) = matched.clause else { continue };
        let words = &asking.words[range];
        if !starts_with_auxiliary(words) {
            continue;
        }
        let of = match clause::repeated(asking, words)? {
            Some(of) => Some(of),
            None => clause::select_or_unknown(asking, words)?,
        };
        let Some(of) = of else { continue };
        let window = asking.window.clone();
        // What was done so often is counted; what is done so often is a habit.
        let is_habit = is(words, 0, &["do", "does", "is", "are", "am"]);
        return Ok(Some(plan(Operation::Frequency { of, is_habit, window })));
    }
    for matched in asking.matches(TIMES) {
        let Some(range) = matched.clause else { continue };
        let words = &asking.words[range];
        if starts_with_auxiliary(words)
            && let Some(of) = clause::select_or_unknown(asking, words)?
        {
            return Ok(Some(plan(Operation::Times { of, window: asking.window.clone() })));
        }
    }
    for matched in asking.matches(THINGS) {
        let (Some(noun), Some(range)) = (matched.key, matched.clause) else { continue };
        let (noun, words) = (&asking.words[noun], &asking.words[range]);
        let is_unit = noun.len() == 1 && Unit::named(&noun[0].folded).is_some();
        if is_unit || !starts_with_auxiliary(words) {
            continue;
        }
        let Some(of) = clause::objects(asking, Some(noun), words)? else { continue };
        let is_present = is(words, 0, &["do", "does", "is", "are", "am"]);
        let holds = of.found.iter().any(is_state) || of.found.is_empty();
        let window = match asking.window.relation {
            Relation::Always if is_present && holds => {
                Window::dated(ValidTime::At(asking.sight.request.now), "now".to_owned())
            }
            _ => asking.window.clone(),
        };
        return Ok(Some(plan(Operation::Distinct { of, noun: super::folded(noun), window })));
    }
    Ok(None)
}
