//! What the packet tells on the day on which there is nothing but transcripts.

use bygone_engine::View;
use bygone_query::resume::{Kind, Origin, Section, Stage, What};
use bygone_query::state::call::State;
use serde_json::json;

use super::transcript::Transcript;
use super::{Desk, lines, packet_in, packet_of, packet_then, text};

/// A morning: a file written, tests that fail, an edit that fails and is made, a list of todos, a call without a result.
fn morning() -> Transcript {
    let mut told = Transcript::new("s1", "claude");
    told.user("2026-03-03T09:00:00Z", "Make the parser strict <system-reminder>be brief</system-reminder>");
    told.agent("2026-03-03T09:01:00Z", "I'll write the parser first.");
    told.did(
        ["2026-03-03T09:02:00Z", "2026-03-03T09:02:05Z"],
        "Write",
        &json!({ "file_path": "/p/parser.py" }),
        &[
            ("agent:claude", "wrote", "", json!({ "entity": "file:/p/parser.py" })),
            ("file:/p/parser.py", "file_state", "", json!({ "text": "exists" })),
        ],
    );
    told.did(
        ["2026-03-03T09:03:00Z", "2026-03-03T09:03:05Z"],
        "TodoWrite",
        &json!({ "todos": [{ "content": "write \"it\"" }, { "content": "test" }, { "content": "publish" }] }),
        &[
            ("task:s1/write \"it\"", "has_status", "", json!({ "text": "completed" })),
            ("task:s1/test", "has_status", "", json!({ "text": "pending" })),
            ("task:s1/publish", "has_status", "", json!({ "text": "pending" })),
        ],
    );
    told.did(
        ["2026-03-03T09:04:00Z", "2026-03-03T09:04:30Z"],
        "Bash",
        &json!({ "command": "pytest -q | tail" }),
        &[
            (
                "agent:claude",
                "ran",
                "",
                json!({ "json": { "command": "pytest -q | tail", "exit": 0, "outcome": "succeeded" } }),
            ),
            ("suite:/p", "test_status", "pytest -q", json!({ "text": "failed" })),
        ],
    );
    told
}

fn told(transcript: Transcript) -> Desk {
    let desk = Desk::new();
    desk.record(transcript.into_recording(), "2026-06-01");
    desk
}

#[test]
fn the_last_request_stands_for_the_objective_and_says_so() {
    let desk = told(morning());
    let packet = packet_of(&desk, None, "2026-03-03T10:00:00Z");
    assert_eq!((packet.agent.as_str(), packet.is_named), ("claude", false));
    assert_eq!(
        lines(&packet, Section::Objective),
        ["last request (from the transcript, 3 March 2026, 09:00): \"Make the parser strict\" [#1]"]
    );
    assert!(text(&packet).starts_with(
        "# Where claude left off\n\nAs of 3 March 2026, 10:00 (UTC). claude took part last; `--agent` names another. \
         Its last session is s1, last turn 3 March 2026, 09:04; `#N` is its turn N: `bygone show \"s1#N\"`.\n"
    ));
    assert!(packet_of(&desk, Some("claude"), "2026-03-03T10:00:00Z").is_named);
}

#[test]
fn a_session_without_words_of_a_person_has_no_request() {
    let mut told_ = Transcript::new("s1", "claude");
    told_.harness("2026-03-03T09:00:00Z", "<command-name>/clear</command-name>");
    told_.agent("2026-03-03T09:01:00Z", "Hello.");
    let packet = packet_of(&told(told_), None, "2026-03-04");
    assert!(packet.objective.is_empty());
    assert_eq!(packet.next[0].kind, Kind::LastWords);
}

#[test]
fn the_next_step_is_the_todo_that_was_begun_else_the_first_pending_one() {
    let desk = told(morning());
    let packet = packet_of(&desk, None, "2026-03-03T10:00:00Z");
    let next = packet.next.first().expect("a next step");
    assert_eq!((next.text.as_str(), next.origin), ("test", Origin::PendingTodo));
    assert_eq!(
        lines(&packet, Section::Todos),
        [
            "\"test\" (pending, since 3 March 2026, 09:03) [#6]",
            "\"publish\" (pending, since 3 March 2026, 09:03) [#6]",
        ]
    );
    assert_eq!(
        lines(&packet, Section::Progress),
        ["1 of 3 todos of this session are done, 3 March 2026, 09:03"]
    );

    let mut more = morning();
    more.did(
        ["2026-03-03T09:05:00Z", "2026-03-03T09:05:05Z"],
        "TodoWrite",
        &json!({ "todos": [{ "content": "write \"it\"" }, { "content": "test" }, { "content": "publish" }] }),
        &[
            ("task:s1/test", "has_status", "", json!({ "text": "removed" })),
            ("task:s1/publish", "has_status", "", json!({ "text": "in_progress" })),
        ],
    );
    let desk = told(more);
    let packet = packet_of(&desk, None, "2026-03-03T10:00:00Z");
    let next = packet.next.first().expect("a next step");
    assert_eq!((next.text.as_str(), next.origin), ("publish", Origin::BegunTodo));
    assert_eq!(packet.todos.iter().map(|todo| todo.stage).collect::<Vec<_>>(), [Stage::Begun]);
    assert_eq!(
        lines(&packet, Section::Progress),
        ["1 of 2 todos of this session are done, 3 March 2026, 09:05"]
    );
    // A list says "in progress" for ever; who has no lease is not at it.
    // Nor once it has aged.
    for packet in [packet, packet_of(&desk, None, "2027-01-01")] {
        for said in [text(&packet), packet.to_json(&bygone_query::resume::fit(&packet, 2000)).to_string()] {
            assert!(!said.contains("in progress") && !said.contains("in_progress"), "{said}");
        }
    }
}

#[test]
fn without_todos_the_next_step_is_what_the_agent_said_last_that_it_would_do() {
    let mut words = Transcript::new("s1", "claude");
    words.user("2026-03-03T09:00:00Z", "Fix the lexer.");
    words.agent("2026-03-03T09:01:00Z", "The lexer was wrong. Now I'll run the tests.\n[tool Bash] {}");
    words.call("2026-03-03T09:02:00Z", "t1", "Read", &json!({}));
    let packet = packet_of(&told(words), None, "2026-03-04");
    assert_eq!(
        lines(&packet, Section::Next),
        ["next step (from the transcript: what it said last that it would do, 3 March 2026, 09:01): \
          \"Now I'll run the tests.\" [#2]"]
    );

    let mut done = Transcript::new("s1", "claude");
    done.user("2026-03-03T09:00:00Z", "Fix the lexer.");
    done.agent("2026-03-03T09:01:00Z", "I'll run the tests.");
    done.agent("2026-03-03T09:02:00Z", "All is well.");
    let packet = packet_of(&told(done), None, "2026-03-04");
    assert_eq!(
        lines(&packet, Section::Next),
        ["last words (from the transcript, 3 March 2026, 09:02): \"All is well.\" [#3]"],
        "what it said before that it would do may be done"
    );

    let mut asked = Transcript::new("s1", "claude");
    asked.user("2026-03-03T09:00:00Z", "Fix the lexer.");
    asked.agent("2026-03-03T09:01:00Z", "I'll run the tests.");
    asked.user("2026-03-03T09:02:00Z", "No, publish it.");
    let packet = packet_of(&told(asked), None, "2026-03-04");
    assert!(packet.next.is_empty(), "what it meant to do before it was asked for something else");
    assert_eq!(packet.objective[0].text, "No, publish it.");
}

#[test]
fn files_are_told_with_the_call_and_the_result_and_how_they_stand() {
    let mut more = morning();
    more.did(
        ["2026-03-03T09:05:00Z", "2026-03-03T09:05:05Z"],
        "Edit",
        &json!({ "file_path": "/p/parser.py" }),
        &[
            ("agent:claude", "wrote", "", json!({ "entity": "file:/p/parser.py" })),
            ("file:/p/parser.py", "file_state", "", json!({ "text": "exists" })),
        ],
    );
    more.did(
        ["2026-03-03T09:06:00Z", "2026-03-03T09:06:05Z"],
        "delete_file",
        &json!({ "path": "/p/old.py" }),
        &[("file:/p/old.py", "file_state", "", json!({ "text": "deleted" }))],
    );
    let desk = told(more);
    let packet = packet_of(&desk, None, "2026-03-03T10:00:00Z");
    assert_eq!(
        lines(&packet, Section::Changes),
        [
            "`/p/old.py` deleted by delete_file, 3 March 2026, 09:06; confirmed by its result [#12, #11]",
            "`/p/parser.py` written by Edit, 2 times, 3 March 2026, 09:05; confirmed by its result [#10, #9]",
        ]
    );
    // Somebody else takes it away.
    let mut other = Transcript::new("s2", "codex");
    other.did(
        ["2026-03-03T09:30:00Z", "2026-03-03T09:30:05Z"],
        "delete_file",
        &json!({ "path": "/p/parser.py" }),
        &[("file:/p/parser.py", "file_state", "", json!({ "text": "deleted" }))],
    );
    desk.record(other.into_recording(), "2026-06-01");
    let packet = packet_of(&desk, Some("claude"), "2026-03-03T10:00:00Z");
    assert_eq!(
        lines(&packet, Section::Changes)[1],
        "`/p/parser.py` written by Edit, 2 times, 3 March 2026, 09:05; now deleted; codex reported of it again, \
         3 March 2026, 09:30 [s2#2] [#10, #9]"
    );
}

#[test]
fn what_failed_stays_until_a_later_success_repairs_it() {
    let ran = |command: &str, exit: i64| {
        let outcome = if exit == 0 { "succeeded" } else { "failed" };
        json!({ "json": { "command": command, "exit": exit, "outcome": outcome } })
    };
    let failed = |tool: &str, input: &str, error: &str| json!({ "json": { "tool": tool, "input": input, "error": error } });
    let mut more = morning();
    let mut step = |minute: u32, tool: &str, states: &[(&str, &str, &str, serde_json::Value)]| {
        let times = [format!("2026-03-03T09:{minute:02}:00Z"), format!("2026-03-03T09:{minute:02}:05Z")];
        more.did([&times[0], &times[1]], tool, &json!({}), states);
    };
    step(
        10,
        "Bash",
        &[
            ("agent:claude", "ran", "", ran("make", 2)),
            ("agent:claude", "failed_call", "", failed("Bash", "make", "no rule to make target")),
        ],
    );
    step(11, "Bash", &[("agent:claude", "ran", "", ran("ruff check", 1))]);
    step(12, "Edit", &[("agent:claude", "failed_call", "", failed("Edit", "/p/a.py", "not read yet"))]);
    step(13, "Edit", &[("agent:claude", "failed_call", "", failed("Edit", "/p/b.py", "not read yet"))]);
    let desk = told(more);
    let packet = packet_of(&desk, None, "2026-03-03T10:00:00Z");
    assert_eq!(
        lines(&packet, Section::Failures),
        [
            "tests fail: `pytest -q` in /p, 3 March 2026, 09:04 [#8]",
            "command failed: `ruff check`, exit 1, 3 March 2026, 09:11 [#12]",
            "command failed: `make`, exit 2, 3 March 2026, 09:10: \"no rule to make target\" [#10]",
            "call failed: `Edit /p/b.py`, 3 March 2026, 09:13: \"not read yet\" [#16]",
            "call failed: `Edit /p/a.py`, 3 March 2026, 09:12: \"not read yet\" [#14]",
        ]
    );

    let mut repaired = Transcript::new("s1", "claude");
    let mut step = |minute: u32, states: &[(&str, &str, &str, serde_json::Value)]| {
        let times = [format!("2026-03-03T09:{minute:02}:00Z"), format!("2026-03-03T09:{minute:02}:05Z")];
        repaired.did([&times[0], &times[1]], "Bash", &json!({ "at": minute }), states);
    };
    step(20, &[("agent:claude", "ran", "", ran("make", 0))]);
    step(21, &[("suite:/p", "test_status", "pytest -q", json!({ "text": "passed" }))]);
    step(22, &[("agent:claude", "wrote", "", json!({ "entity": "file:/p/a.py" }))]);
    desk.record(repaired.into_recording(), "2026-06-02");
    let packet = packet_of(&desk, None, "2026-03-03T10:00:00Z");
    let left: Vec<(What, &str)> =
        packet.failures.iter().map(|failure| (failure.what, failure.text.as_str())).collect();
    assert_eq!(left, [(What::Command, "ruff check"), (What::Call, "Edit /p/b.py")]);
}

#[test]
fn a_call_without_a_result_has_an_unknown_outcome_and_says_whether_to_make_it_again() {
    let mut more = morning();
    more.call("2026-03-03T09:05:00Z", "t1", "Grep", &json!({ "pattern": "x" }));
    more.call("2026-03-03T09:05:01Z", "t2", "Bash", &json!({ "command": "twine upload" }));
    more.call("2026-03-03T09:05:02Z", "t3", "Read", &json!({ "file_path": "/p/a" }));
    more.result("2026-03-03T09:05:03Z", "t3", "a");
    let desk = told(more);
    let packet = packet_of(&desk, None, "2026-03-03T10:00:00Z");
    assert_eq!(
        lines(&packet, Section::Calls),
        [
            "Bash `{\"command\":\"twine upload\"}`, begun 3 March 2026, 09:05 by claude: outcome unknown, \
             the transcript has no result of it; not safe to make again: check first whether it was done [#10]",
            "Grep `{\"pattern\":\"x\"}`, begun 3 March 2026, 09:05 by claude: outcome unknown, \
             the transcript has no result of it; safe to make again: it changes nothing [#9]",
        ]
    );
    assert!(packet.calls.iter().all(|call| call.state == State::OutcomeUnknown));
    // The file has grown since: what was read before is corrected by what is read now.
    let mut grown = Transcript::new("s1", "claude");
    grown.result("2026-03-03T09:06:00Z", "t2", "done");
    grown.result("2026-03-03T09:06:01Z", "t1", "nothing");
    desk.record(grown.into_recording(), "2026-06-02");
    assert!(packet_of(&desk, None, "2026-03-03T10:00:00Z").calls.is_empty());
}

#[test]
fn what_was_compacted_away_is_counted_and_its_commands_are_told() {
    let mut more = morning();
    more.harness("2026-03-03T09:29:59Z", "Conversation compacted");
    more.harness(
        "2026-03-03T09:30:00Z",
        "This session is being continued from a previous conversation that ran out of context.",
    );
    more.agent("2026-03-03T09:31:00Z", "I'll go on.");
    let desk = told(more);
    let packet = packet_of(&desk, None, "2026-03-03T10:00:00Z");
    assert_eq!(
        lines(&packet, Section::Compacted),
        [
            "8 turns from 3 March 2026, 09:00 to 3 March 2026, 09:04 came before the compaction of 3 March 2026, 09:29; \
          the store has them: `bygone search \"WORDS\" --in-session s1`, `bygone show \"s1#N\"` [#9]"
        ]
    );
    // What came before is still told.
    assert_eq!(packet.objective[0].text, "Make the parser strict");
    assert!(packet_of(&told(morning()), None, "2026-03-04").compacted.is_empty());
}

#[test]
fn an_earlier_view_tells_what_it_would_have_told_then() {
    let mut more = morning();
    more.user("2026-03-05T09:00:00Z", "Now the lexer");
    more.did(
        ["2026-03-05T09:02:00Z", "2026-03-05T09:02:05Z"],
        "Write",
        &json!({}),
        &[("agent:claude", "wrote", "", json!({ "entity": "file:/p/lexer.py" }))],
    );
    let desk = told(more);
    let now = packet_of(&desk, None, "2026-06-01");
    assert_eq!(now.objective[0].text, "Now the lexer");
    assert_eq!(now.changes[0].path, "/p/lexer.py");
    let then = packet_then(&desk, "2026-03-03");
    assert_eq!(then.objective[0].text, "Make the parser strict");
    assert_eq!(then.changes.iter().map(|change| change.path.as_str()).collect::<Vec<_>>(), ["/p/parser.py"]);
    // The store that never knew more says the same, word for word.
    assert_eq!(text(&then), text(&packet_then(&told(morning()), "2026-03-03")));
    // What was so then, as known now.
    let so = packet_of(&desk, None, "2026-03-03T23:00:00Z");
    assert_eq!(so.objective[0].text, "Make the parser strict");
    // In the first minutes nothing was changed yet.
    assert!(packet_of(&desk, None, "2026-03-03T09:01:30Z").changes.is_empty());
}

#[test]
fn an_earlier_recording_knows_nothing_of_what_was_imported_later() {
    let desk = told(morning());
    let mut later = Transcript::new("s2", "claude");
    later.user("2026-03-04T09:00:00Z", "Something else");
    desk.record(later.into_recording(), "2026-06-02");
    let view = super::super::desk::recorded(1);
    let packet = packet_in(&desk, &view, None, "2026-06-03");
    assert_eq!(packet.session.expect("a session").name, "s1");
    assert_eq!(packet_in(&desk, &View::LATEST, None, "2026-06-03").session.expect("a session").name, "s2");
}

#[test]
fn a_command_that_was_typed_is_a_request_where_it_asks_the_agent_for_something() {
    let request = |commands: &[(&str, &str, &str)]| {
        let mut transcript = morning();
        for (time, name, behind) in commands {
            let words = format!(
                "<command-message>{name}</command-message><command-name>{name}</command-name>\
                 <command-args>{behind}</command-args>"
            );
            transcript.harness(time, &words);
        }
        let packet = packet_of(&told(transcript), Some("claude"), "2026-03-03T12:00:00Z");
        packet.objective.iter().map(|aim| aim.text.clone()).collect::<Vec<_>>()
    };
    let typed = ("2026-03-03T10:00:00Z", "/review", "the parser");
    assert_eq!(request(&[typed]), ["/review the parser"]);
    assert_eq!(request(&[typed, ("2026-03-03T10:01:00Z", "/init", "")]), ["/init"]);
    // What the harness does by itself is none.
    assert_eq!(request(&[typed, ("2026-03-03T10:01:00Z", "/clear", "")]), ["/review the parser"]);
    assert_eq!(request(&[("2026-03-03T10:01:00Z", "/cost", "")]), ["Make the parser strict"]);
}
