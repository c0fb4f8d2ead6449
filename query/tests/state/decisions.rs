//! Decisions: what takes the place of what, and whose word stands.

use bygone_engine::View;
use bygone_query::state::decision::{Choice, Decides, Decision, decide, decisions, decisions_made};
use bygone_query::state::{Actor, StateError};

use super::desk::{Desk, agent, at, known, refusal, user};

fn choose(desk: &Desk, now: &str, by: &Actor, choice: &str, over: &[&str]) -> Result<Decides, StateError> {
    let over = over.iter().map(|other| (*other).to_owned()).collect();
    let choice = Choice { topic: "database", choice, because: "it is there", over };
    desk.act(now, |snapshot, place| decide(snapshot, place, by, &choice))
}

fn in_force(desk: &Desk, view: &View, now: &str) -> Vec<Decision> {
    desk.read_as(view, |seen| decisions(seen, None, at(now))).expect("read")
}

#[test]
fn a_later_decision_takes_the_place_of_the_earlier_one_whoever_made_it() {
    let desk = Desk::new();
    choose(&desk, "2026-03-01", &agent("a"), "SQLite", &["Postgres", "MySQL"]).expect("decided");
    let Decides::InForce(told) =
        choose(&desk, "2026-03-02", &agent("b"), "Postgres", &["SQLite"]).expect("decided")
    else {
        panic!("not in force")
    };
    assert_eq!(in_force(&desk, &View::LATEST, "2026-03-03"), std::slice::from_ref(&told));
    assert_eq!(
        (told.over.as_slice(), told.by.as_deref()),
        (["SQLite".to_owned()].as_slice(), Some("agent:b"))
    );
    let made = desk.read(|seen| decisions_made(seen, Some("database"), at("2026-03-03"))).expect("read");
    assert_eq!(made.len(), 2);
    assert_eq!((made[0].choice.as_str(), made[0].is_in_force), ("SQLite", false));
    assert_eq!(made[0].over, ["MySQL", "Postgres"]);
    assert_eq!(made[0].because, "it is there");
    let next = made[0].superseded_by.as_ref().expect("a successor");
    assert_eq!((next.choice.as_str(), next.by.as_deref()), ("Postgres", Some("agent:b")));
    assert_eq!(made[1].superseded_by, None);
}

#[test]
fn what_was_decided_then_is_told_as_of_then() {
    let desk = Desk::new();
    choose(&desk, "2026-03-01", &agent("a"), "SQLite", &[]).expect("decided");
    choose(&desk, "2026-03-05", &agent("a"), "Postgres", &[]).expect("decided");
    for (view, now) in [(known("2026-03-03"), "2026-03-10"), (View::LATEST, "2026-03-03")] {
        let then = in_force(&desk, &view, now);
        assert_eq!(then.len(), 1);
        assert_eq!(then[0].choice, "SQLite");
    }
    assert!(in_force(&desk, &View::LATEST, "2026-02-01").is_empty());
    let made = desk.read(|seen| decisions_made(seen, None, at("2026-03-03"))).expect("read");
    assert_eq!(made.len(), 1);
    assert!(made[0].is_in_force);
}

#[test]
fn an_agent_does_not_displace_what_the_user_decided_but_its_word_is_kept_beside() {
    let desk = Desk::new();
    choose(&desk, "2026-03-01", &agent("a"), "SQLite", &[]).expect("decided");
    assert!(matches!(choose(&desk, "2026-03-02", &user("anna"), "Postgres", &[]), Ok(Decides::InForce(_))));
    let Decides::Proposed(told) = choose(&desk, "2026-03-03", &agent("b"), "MySQL", &[]).expect("proposed")
    else {
        panic!("in force")
    };
    assert_eq!(in_force(&desk, &View::LATEST, "2026-03-04"), std::slice::from_ref(&told));
    assert_eq!((told.choice.as_str(), told.by.as_deref()), ("Postgres", Some("person:anna")));
    let proposal = &told.proposed[0];
    assert_eq!((proposal.choice.as_str(), proposal.by.as_deref()), ("MySQL", Some("agent:b")));
    // Who agrees adds a support, and leaves the user's word and what others proposed.
    choose(&desk, "2026-03-05", &agent("a"), "Postgres", &[]).expect("decided");
    assert_eq!(in_force(&desk, &View::LATEST, "2026-03-06"), [told]);
    // The user is free to follow.
    choose(&desk, "2026-03-07", &user("anna"), "MySQL", &[]).expect("decided");
    let now = in_force(&desk, &View::LATEST, "2026-03-08");
    assert_eq!((now[0].choice.as_str(), now[0].proposed.len()), ("MySQL", 0));
}

#[test]
fn an_agent_that_decides_for_a_user_does_not_become_the_user() {
    let desk = Desk::new();
    choose(&desk, "2026-03-01", &user("anna"), "SQLite", &[]).expect("decided");
    let by = Actor { user: Some("anna".to_owned()), ..agent("a") };
    let told = choose(&desk, "2026-03-02", &by, "Postgres", &[]).expect("decided");
    assert!(matches!(told, Decides::Proposed(_)), "{told:?}");
    let standing = in_force(&desk, &View::LATEST, "2026-03-03");
    assert_eq!((standing.len(), standing[0].choice.as_str()), (1, "SQLite"));
    assert_eq!(standing[0].proposed[0].by.as_deref(), Some("agent:a"));
    choose(&desk, "2026-03-04", &user("anna"), "Postgres", &[]).expect("decided");
    assert_eq!(in_force(&desk, &View::LATEST, "2026-03-05")[0].choice, "Postgres");
}

#[test]
fn topics_are_apart_and_in_order() {
    let desk = Desk::new();
    choose(&desk, "2026-03-01", &agent("a"), "SQLite", &[]).expect("decided");
    let other = Choice { topic: " cache ", choice: "none", because: "small", over: Vec::new() };
    desk.act("2026-03-02", |snapshot, place| decide(snapshot, place, &agent("a"), &other)).expect("decided");
    let topics: Vec<String> =
        in_force(&desk, &View::LATEST, "2026-03-03").into_iter().map(|decision| decision.topic).collect();
    assert_eq!(topics, ["cache", "database"]);
    let none = desk.read(|seen| decisions(seen, Some("editor"), at("2026-03-03"))).expect("read");
    assert!(none.is_empty());
}

#[test]
fn a_decision_without_topic_choice_or_reason_is_refused() {
    let desk = Desk::new();
    for (topic, choice, because, expected) in [
        (" ", "x", "y", "the topic is empty"),
        ("t", "", "y", "the choice is empty"),
        ("t", "x", "\n", "the reason is empty"),
        ("a\0b", "x", "y", "the topic is no name: expected at most 4096 bytes without control characters"),
    ] {
        let choice = Choice { topic, choice, because, over: Vec::new() };
        let refused = desk.act("2026-03-01", |snapshot, place| decide(snapshot, place, &agent("a"), &choice));
        assert_eq!(refusal(refused), expected);
    }
    assert_eq!(refusal(choose(&desk, "2026-03-01", &agent("a"), "x", &[""])), "an alternative is empty");
}
