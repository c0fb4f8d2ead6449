//! Neighbours in a conversation share what they are about: each turn takes part of the scores of those around it.
//!
//! ```text
//! score'(t) = score(t) + a·score(t-1) + b·score(t+1) + c·score(t-2)      within one session
//!             a = .9 where another speaker asks something in t-1, else .3;  b = .3;  c = .2
//! ```
//!
//! A question and its answer are one thought in two turns, and the words that are looked for may all stand in the
//! question. Whoever goes on speaking answers nobody: then a and b are .1. An agent's turn gives nothing to a
//! person's, since agents repeat what they were told, at length, and takes less than a person's does. Tools and harnesses
//! neither give nor take.

use bygone_engine::Role;
use bygone_engine::text::Row;

use super::weights::{AFTER_OTHER, AFTER_QUESTION, BEFORE, SAME_SPEAKER, SECOND_AFTER, TO_AGENT};

/// Returns the scores after each turn took from its neighbours. Both lists are in the order of the turns.
pub(super) fn spread(turns: &[Row], scores: &[f32]) -> Vec<f32> {
    let share = |from: usize, to: usize, weight: f32| {
        let (giver, taker) = (&turns[from], &turns[to]);
        if giver.session != taker.session {
            return 0.0;
        }
        let is_beside = from.abs_diff(to) == 1;
        let is_same = is_beside && giver.role == taker.role && giver.speaker == taker.speaker;
        let weight = if is_same { SAME_SPEAKER } else { weight };
        passes(giver.role, taker.role) * weight * scores[from]
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

/// Returns how much of what one voice says bears on what the other says beside it.
const fn passes(from: Role, to: Role) -> f32 {
    match (from, to) {
        (Role::User, Role::User) | (Role::Agent, Role::Agent) => 1.0,
        (Role::User, Role::Agent) => TO_AGENT,
        (Role::Agent | Role::Tool | Role::System | Role::Statement, _)
        | (_, Role::Tool | Role::System | Role::Statement) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bygone_engine::time::Instant;

    fn row(session: u32, role: Role, speaker: u64, asks: bool) -> Row {
        let known_at = Instant::DISTANT_FUTURE;
        Row { id: [0; 16], session, role, asks, ends_asking: asks, speaker, given: speaker, known_at }
    }

    #[track_caller]
    fn check(turns: &[Row], scores: &[f32], expected: &[f32]) {
        let found = spread(turns, scores);
        let is_close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6);
        assert!(is_close && found.len() == expected.len(), "expected {expected:?}, found {found:?}");
    }

    #[test]
    fn an_answer_takes_more_of_a_question_than_of_a_remark() {
        let said =
            |asks| [row(0, Role::User, 1, asks), row(0, Role::User, 2, false), row(0, Role::User, 1, false)];
        check(&said(true), &[1.0, 0.0, 0.0], &[1.0, 0.9, 0.2]);
        check(&said(false), &[1.0, 0.0, 0.0], &[1.0, 0.3, 0.2]);
        check(&said(false), &[0.0, 0.0, 1.0], &[0.0, 0.3, 1.0]);
    }

    #[test]
    fn whoever_goes_on_speaking_answers_nobody() {
        let said = [row(0, Role::User, 1, true), row(0, Role::User, 1, false)];
        check(&said, &[1.0, 0.0], &[1.0, 0.1]);
    }

    #[test]
    fn nothing_passes_between_sessions_from_agents_to_people_or_from_tools() {
        check(&[row(0, Role::User, 1, true), row(1, Role::User, 2, false)], &[1.0, 0.0], &[1.0, 0.0]);
        let said = [row(0, Role::User, 1, false), row(0, Role::Agent, 2, true), row(0, Role::User, 1, false)];
        check(&said, &[0.0, 1.0, 0.0], &[0.0, 1.0, 0.0]);
        let said = [row(0, Role::Tool, 0, true), row(0, Role::User, 1, false)];
        check(&said, &[1.0, 1.0], &[1.0, 1.0]);
    }
}
