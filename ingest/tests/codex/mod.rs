//! What only Codex has: messages told twice, compactions, forks and subagents.

use bygone_engine::Role;
use bygone_ingest::read::{Read, Record};

use super::common::{read, said, turns};

/// What a person says, as an item of a rollout.
fn record(words: &str) -> String {
    format!(
        r#"{{"timestamp":"2025-11-03T09:00:00Z","type":"response_item","payload":{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{words}"}}]}}}}"#
    )
}

fn n_set_aside(reads: &[Read]) -> usize {
    reads.iter().filter(|read| matches!(read, Read::Record(Record::Quarantined { .. }))).count()
}

#[test]
fn messages_that_stand_only_as_events_are_turns() {
    let event = |kind: &str, words: &str| {
        format!(
            r#"{{"timestamp":"2025-11-03T09:00:00Z","type":"event_msg","payload":{{"type":"{kind}","message":"{words}"}}}}"#
        )
    };
    let events = [event("user_message", "I moved to Lisbon."), event("agent_message", "Noted.")].join("\n");
    assert_eq!(said(&read("codex", "rollout.jsonl", events.as_bytes())), ["I moved to Lisbon.", "Noted."]);
    let with_item = format!("{events}\n{}", record("One."));
    assert_eq!(said(&read("codex", "rollout.jsonl", with_item.as_bytes())), ["One."]);
}

#[test]
fn a_compaction_is_a_turn_of_the_harness_without_the_history() {
    let compacted = |payload: &str| {
        let line =
            format!(r#"{{"timestamp":"2025-11-03T09:01:00Z","type":"compacted","payload":{payload}}}"#);
        let file = [record("I moved to Lisbon."), line].join("\n");
        let reads = read("codex", "rollout.jsonl", file.as_bytes());
        assert_eq!((said(&reads), n_set_aside(&reads)), (vec!["I moved to Lisbon."], 0), "{payload}");
        turns(&reads).nth(1).map(|turn| turn.episode.clone())
    };
    for (payload, words) in [
        (
            r#"{"message":"Lisbon \u00e9.","replacement_history":[{"message":"I moved to Oslo."}],"more":1}"#,
            "Conversation compacted\nLisbon é.",
        ),
        (r#"{"message":"","replacement_history":[]}"#, "Conversation compacted"),
        (r#"{"message":"I moved to Paris."}"#, "Conversation compacted\nI moved to Paris."),
        ("null", "Conversation compacted"),
    ] {
        let episode = compacted(payload).expect("a turn");
        assert_eq!((episode.role, episode.text.as_str()), (Role::System, words), "{payload}");
        let raw = String::from_utf8(episode.raw.expect("its record")).expect("text");
        assert!(!raw.contains("Oslo") && raw.contains(r#""type":"compacted""#), "{raw}");
    }
    assert!(compacted("{").is_none(), "a damaged one is passed over");
}

#[test]
fn a_compaction_that_is_too_long_is_passed_over_unparsed() {
    let history = "x".repeat(70 << 20);
    let compaction = format!(
        r#"{{"timestamp":"2025-11-03T09:00:00Z","type":"compacted","payload":{{"message":"","replacement_history":["{history}""#
    );
    let bytes = format!("{compaction}\n{}", record("One."));
    let reads = read("codex", "rollout.jsonl", bytes.as_bytes());
    assert!(matches!(reads[0], Read::Record(Record::Skipped(_))));
    assert_eq!((said(&reads), n_set_aside(&reads)), (vec!["One."], 0));
}

#[test]
fn a_fork_stays_one_session_and_a_subagents_user_is_the_agent() {
    let meta = |id: &str, source: &str| {
        format!(
            r#"{{"timestamp":"2025-11-03T08:00:00Z","type":"session_meta","payload":{{"id":"{id}","source":{source}}}}}"#
        )
    };
    let one = record("One.");
    let fork = [meta("fork", "\"cli\""), meta("origin", "\"cli\""), one.clone()].join("\n");
    let turn = |bytes: &str| turns(&read("codex", "rollout.jsonl", bytes.as_bytes())).next().cloned();
    let turn = |bytes: &str| turn(bytes).expect("a turn").episode;
    let episode = turn(&fork);
    assert_eq!(
        (episode.session.as_str(), episode.speaker.expect("a speaker").to_string()),
        ("fork", "person:user".to_owned())
    );
    let sub = [meta("sub", r#"{"subagent":{"thread_spawn":{"depth":1}}}"#), one].join("\n");
    assert_eq!(turn(&sub).speaker.expect("a speaker").to_string(), "agent:codex");
}
