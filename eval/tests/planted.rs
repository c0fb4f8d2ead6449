//! Faults that are planted in what is measured are caught by what measures.

use std::num::NonZeroUsize;
use std::path::Path;

use bygone_engine::store::VectorMode;
use bygone_engine::time::{Instant, parse_moment};
use bygone_eval::EvalError;
use bygone_eval::dataset::errata::Errata;
use bygone_eval::dataset::{Conversation, Turn};
use bygone_eval::retrieval::asking::check;
use bygone_eval::retrieval::{Asked, Gives, Plan, Ranker, Ranking, System, locomo};
use bygone_eval::run::MadeBy;

/// Ranks the same turns, whatever it is asked.
struct Always(Vec<usize>);

impl Ranker for Always {
    fn rank(&self, _: &Asked<'_>) -> Result<Ranking, EvalError> {
        Ok(Ranking { turns: self.0.clone(), sessions: Vec::new() })
    }
}

static SOUND: System = System {
    name: "sound",
    about: "the last turn and the first",
    gives: Gives::Ranking,
    open: |said, _| Ok(Box::new(Always(vec![said.turns.len() - 1, 0]))),
};
static BEYOND: System = System {
    name: "beyond",
    about: "a turn that it was not given",
    gives: Gives::Ranking,
    open: |said, _| Ok(Box::new(Always(vec![0, said.turns.len()]))),
};
static TWICE: System = System {
    name: "twice",
    about: "a turn that it has ranked already",
    gives: Gives::Ranking,
    open: |_, _| Ok(Box::new(Always(vec![1, 0, 1]))),
};

fn evaluated(system: &'static System) -> Result<locomo::Report, EvalError> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/locomo.json");
    let plan = Plan {
        n_questions: usize::MAX,
        systems: &[system],
        vectors: VectorMode::Auto,
        seed: 0,
        jobs: NonZeroUsize::MIN,
        stop: None,
        out: None,
        made_by: MadeBy::default(),
    };
    locomo::evaluate(&path, Errata::default(), plan, &mut |_| ())
}

#[test]
fn hits_that_a_system_was_not_given_or_that_stand_twice_end_the_evaluation() {
    let report = evaluated(&SOUND).expect("what is sound is measured");
    // Two of the six counted questions have the first turn for evidence, or the last, one of them beside another.
    assert!(report.scores(0, locomo::COUNTED).mean("recall@5").is_some_and(|mean| mean > 0.0));
    let refusal = |system| evaluated(system).expect_err("is refused").to_string();
    assert_eq!(
        refusal(&BEYOND),
        "beyond ranks what it may not, when asked \"What did Bo sell at the market?\": turn 9 of 9, counted from 0"
    );
    assert_eq!(
        refusal(&TWICE),
        "twice ranks what it may not, when asked \"What did Bo sell at the market?\": turn 1 stands in its ranking twice"
    );
}

fn at(text: &str) -> Instant {
    parse_moment(text).expect(text).at
}

/// Three turns on three days, of which the last two are a session.
fn conversation() -> Conversation {
    let turn = |(position, session, day): (u64, usize, &str)| Turn {
        session,
        session_name: format!("session_{}", session + 1),
        position,
        speaker: "Ada".to_owned(),
        text: "Hello.".to_owned(),
        time: at(day),
    };
    let turns = [(1, 0, "2023-05-01"), (1, 1, "2023-05-02"), (2, 1, "2023-05-03")].map(turn).to_vec();
    Conversation { name: "three days".to_owned(), format: "locomo", bytes: Vec::new(), turns, n_sessions: 2 }
}

#[test]
fn a_hit_outside_its_view_ends_the_evaluation() {
    let conversation = conversation();
    let checked = |turns: &[usize], sessions: &[usize], known: &str| {
        let asked = Asked { text: "Who?", now: at("2024-01-01"), known: at(known) };
        let ranking = Ranking { turns: turns.to_vec(), sessions: sessions.to_vec() };
        check(&SOUND, &conversation, &asked, &ranking).map_err(|error| error.to_string())
    };
    assert_eq!(checked(&[2, 1, 0], &[1, 0], "2023-05-03"), Ok(()));
    assert_eq!(checked(&[1, 0], &[0], "2023-05-02"), Ok(()));
    let refused = |reason: &str| Err(format!("sound ranks what it may not, when asked \"Who?\": {reason}"));
    assert_eq!(
        checked(&[0, 2], &[0], "2023-05-02"),
        refused(
            "turn 2 of session_2 was said at 2023-05-03T00:00:00Z, and the question sees what was said up to \
             2023-05-02T00:00:00Z"
        )
    );
    assert_eq!(
        checked(&[0], &[0, 1], "2023-05-02"),
        refused("session 1 goes on after 2023-05-02T00:00:00Z, up to which the question sees")
    );
}
