//! The whole context: nothing is looked for, and everything is handed out. What that costs is what a search is to save.

use crate::dataset::Conversation;
use crate::error::EvalError;
use crate::retrieval::{Asked, Gives, Ranker, Ranking, System};

/// All turns and sessions in the order in which they were said.
pub static WHOLE_CONTEXT: System = System {
    name: "full",
    about: "everything that was said",
    gives: Gives::Everything,
    open: |said, _| Ok(open(said)),
};

struct Whole {
    n_turns: usize,
    n_sessions: usize,
}

fn open(conversation: &Conversation) -> Box<dyn Ranker> {
    Box::new(Whole { n_turns: conversation.turns.len(), n_sessions: conversation.n_sessions })
}

impl Ranker for Whole {
    fn rank(&self, _: &Asked<'_>) -> Result<Ranking, EvalError> {
        Ok(Ranking { turns: (0..self.n_turns).collect(), sessions: (0..self.n_sessions).collect() })
    }
}
