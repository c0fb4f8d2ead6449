//! Neighbours in a conversation share what they are about: each turn takes part of the scores of those around it.
//!
//! ```text
//! score'(t) = score(t) + a·score(t-1) + b·score(t+1) + c·score(t-2)      within one session
//!             a = .9 where t-1 asks something, else .3;  b = .3;  c = .2
//! ```
//!
//! A question and its answer are one thought in two turns, and the words that are looked for may all stand in the
//! question. An agent's turn gives nothing to a person's: agents repeat what they were told, at length. Tools and
//! harnesses neither give nor take.

use bygone_engine::Role;
use bygone_engine::text::Row;

use super::weights::{AFTER_OTHER, AFTER_QUESTION, BEFORE, SECOND_AFTER};

/// Returns the scores after each turn took from its neighbours. Both lists are in the order of the turns.
pub(super) fn spread(turns: &[Row], scores: &[f32]) -> Vec<f32> {
    let share = |from: usize, to: usize, weight: f32| {
        let passes = turns[from].session == turns[to].session && passes(turns[from].role, turns[to].role);
        if passes { weight * scores[from] } else { 0.0 }
    };
    let spread = scores.iter().enumerate().map(|(at, score)| {
        let mut spread = *score;
        if at > 0 {
            let weight = if turns[at - 1].asks { AFTER_QUESTION } else { AFTER_OTHER };
            spread += share(at - 1, at, weight);
        }
        if at > 1 {
            spread += share(at - 2, at, SECOND_AFTER);
        }
        if at + 1 < turns.len() {
            spread += share(at + 1, at, BEFORE);
        }
        spread
    });
    spread.collect()
}

/// Says whether what one voice says bears on what the other says beside it.
const fn passes(from: Role, to: Role) -> bool {
    match (from, to) {
        (Role::User, Role::User | Role::Agent) | (Role::Agent, Role::Agent) => true,
        (Role::Agent | Role::Tool | Role::System | Role::Statement, _)
        | (_, Role::Tool | Role::System | Role::Statement) => false,
    }
}
