//! Runs systems over worlds.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use bygone_engine::StoreError;
use serde_json::{Value, json};

use super::asked::{Posed, questions};
use super::question::{Answer, Kind};
use super::score::Scores;
use super::steps::{Rendering, Step, steps};
use super::system::System;
use super::world::{Stated, World};
use crate::error::EvalError;

/// Which worlds are asked about, and how much.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The seeds of the worlds.
    pub seeds: RangeInclusive<u64>,
    /// How many questions of each world are asked, from its first one on.
    pub n_questions: usize,
    /// What, once raised, stops it.
    pub stop: Option<&'a AtomicBool>,
}

/// A question with what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered<'a> {
    /// The seed of its world.
    pub seed: u64,
    /// The question, and what is right.
    pub posed: &'a Posed,
    /// What was answered; nothing where that was no answer.
    pub answer: Option<Answer>,
}

impl Answered<'_> {
    /// Says whether it is right.
    pub fn is_right(&self) -> bool {
        self.answer.as_ref() == Some(&self.posed.expected)
    }

    /// Returns the JSON form: the question with `expected`, `answered` and `right`.
    pub fn to_json(&self) -> Value {
        let mut value = self.posed.question.to_json();
        if let Some(members) = value.as_object_mut() {
            members.remove("op");
        }
        value["world"] = json!(self.seed);
        value["expected"] = json!(self.posed.expected);
        value["answered"] = json!(self.answer);
        value["right"] = json!(self.is_right());
        value
    }
}

/// Tells a system the worlds of a plan, one after the other, asks it, and counts. `show` hears of each question.
///
/// # Errors
/// [`EvalError`] where the system cannot be told or asked, or somebody asked to stop.
pub fn evaluate(
    system: &mut dyn System,
    rendering: Rendering,
    plan: &Plan<'_>,
    show: &mut dyn FnMut(&Answered<'_>) -> Result<(), EvalError>,
) -> Result<Scores, EvalError> {
    let mut scores = Scores::default();
    for seed in plan.seeds.clone() {
        let world = World::new(seed);
        let said = world.said();
        let asked = questions(&world, &said);
        system.begin(seed, rendering)?;
        for step in steps(&world, &said, rendering) {
            go_on(plan)?;
            system.take(&step)?;
        }
        let mut n_left = plan.n_questions;
        let mut ask = |system: &mut dyn System, posed: &Posed| -> Result<Option<Answer>, EvalError> {
            go_on(plan)?;
            let answer = system.ask(&posed.question)?.map(Answer::in_order);
            let answered = Answered { seed, posed, answer };
            show(&answered)?;
            if posed.question.kind != Kind::Closing {
                scores.count(posed.question.kind, answered.is_right());
            }
            Ok(answered.answer)
        };
        for posed in asked.told.iter().take(n_left) {
            ask(system, posed)?;
        }
        n_left = n_left.saturating_sub(asked.told.len());
        let mut closings = Vec::new();
        for [before, after] in &asked.closings {
            closings.push(([ask(system, before)?, ask(system, after)?], [&before.expected, &after.expected]));
        }
        system.take(&Step::Erase { session: world.erased.clone(), time: world.end })?;
        for posed in asked.erased.iter().take(n_left) {
            ask(system, posed)?;
        }
        for (answered, expected) in &closings {
            scores.closings.count([answered[0].as_ref(), answered[1].as_ref()], *expected);
        }
    }
    Ok(scores)
}

fn go_on(plan: &Plan<'_>) -> Result<(), EvalError> {
    let is_stopped = plan.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
    if is_stopped { Err(StoreError::Interrupted.into()) } else { Ok(()) }
}

impl World {
    /// Returns all that is stated in it, by the contract, in the order of time.
    pub fn said(&self) -> Vec<Stated> {
        let mut said = Vec::new();
        for event in &self.events {
            let stated = World::statements(event, &said);
            said.extend(stated);
        }
        said
    }
}
