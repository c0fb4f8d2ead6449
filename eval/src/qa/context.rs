//! What a reader is given of a conversation: the turns that a system ranked first, as many as there is room for, in the order
//! in which they were said.

use std::collections::BTreeSet;

use bygone_query::context::tokens;

use crate::dataset::{Conversation, Turn};

/// A context, and the turns that stand in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The text.
    pub text: String,
    /// The turns, by index, as they were ranked.
    pub turns: Vec<usize>,
    /// How many tokens the text has, by our own count.
    pub tokens: usize,
}

/// Makes a context of at most so many tokens. A turn for which there is no room is left out, and shorter ones behind it may
/// still come in.
pub fn context(conversation: &Conversation, ranked: &[usize], budget: usize) -> Context {
    let mut turns = Vec::new();
    let mut sessions = BTreeSet::new();
    let mut n_tokens = 0;
    for index in ranked {
        let turn = &conversation.turns[*index];
        let is_headed = sessions.contains(&turn.session);
        let needed = tokens(&line(turn)) + if is_headed { 0 } else { tokens(&heading(turn)) };
        if n_tokens + needed <= budget {
            n_tokens += needed;
            sessions.insert(turn.session);
            turns.push(*index);
        }
    }
    let mut text = String::new();
    let mut session = None;
    for index in BTreeSet::from_iter(&turns) {
        let turn = &conversation.turns[*index];
        if session != Some(turn.session) {
            session = Some(turn.session);
            text.push_str(&heading(turn));
        }
        text.push_str(&line(turn));
    }
    Context { tokens: tokens(&text), text, turns }
}

fn heading(turn: &Turn) -> String {
    format!("[{}]\n", said_at(turn))
}

fn line(Turn { speaker, text, .. }: &Turn) -> String {
    format!("{speaker}: {}\n", text.replace('\n', " "))
}

/// Returns date and time to the minute.
fn said_at(turn: &Turn) -> String {
    let text = turn.time.to_rfc3339();
    text.get(..16).map_or(text.clone(), |minute| minute.replace('T', " "))
}

#[cfg(test)]
mod tests {
    use bygone_engine::time::parse_moment;

    use super::*;

    fn conversation() -> Conversation {
        let turn = |(session, day, text): (usize, &str, &str)| Turn {
            session,
            session_name: format!("session_{session}"),
            position: 1,
            speaker: "Ada".to_owned(),
            text: text.to_owned(),
            time: parse_moment(day).expect(day).at,
        };
        let turns = [
            (0, "2023-05-08T13:56:00Z", "A dog!\na brown dog"),
            (0, "2023-05-08T13:56:00Z", "So."),
            (1, "2023-06-01", "He swims."),
        ];
        let turns = turns.map(turn).to_vec();
        Conversation { name: String::new(), format: "locomo", bytes: Vec::new(), turns, n_sessions: 2 }
    }

    #[test]
    fn turns_are_chosen_by_rank_and_stand_in_the_order_of_time() {
        let all = context(&conversation(), &[2, 0], 1000);
        assert_eq!(
            all.text,
            "[2023-05-08 13:56]\nAda: A dog! a brown dog\n[2023-06-01 00:00]\nAda: He swims.\n"
        );
        assert_eq!(all.turns, [2, 0]);
        assert_eq!(all.tokens, tokens(&all.text));
        assert_eq!(context(&conversation(), &[], 1000), Context::default());
    }

    #[test]
    fn there_is_never_more_than_the_budget_and_short_turns_fill_it() {
        for budget in 0..80 {
            assert!(context(&conversation(), &[0, 1, 2], budget).tokens <= budget, "{budget}");
        }
        let of_budget = |budget| context(&conversation(), &[0, 1, 2], budget).turns;
        assert_eq!(of_budget(0), [0; 0]);
        let said = conversation();
        let short = tokens(&heading(&said.turns[1])) + tokens(&line(&said.turns[1]));
        assert_eq!(of_budget(short), [1], "the first one has no room");
        assert_eq!(of_budget(short - 1), [0; 0]);
        assert_eq!(of_budget(1000), [0, 1, 2]);
    }
}
