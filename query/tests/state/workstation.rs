//! What agents need to carry on, as plain files.

use bygone_engine::View;
use bygone_ontology::Ontology;
use bygone_query::state::decision::{Choice, decide};
use bygone_query::state::inbox::{Draft, send};
use bygone_query::state::liveness::Heard;
use bygone_query::workstation::{File, MARK, files};
use serde_json::json;

use super::desk::{Desk, agent, at, known};
use super::resume::transcript::Transcript;

fn exported(desk: &Desk, view: &View, now: &str) -> Vec<File> {
    desk.read_as(view, |seen| files(seen, &Ontology::core(), at(now), &Heard::new())).expect("files")
}

fn text<'f>(files: &'f [File], path: &str) -> &'f str {
    &files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path}")).text
}

/// Two agents: one with a transcript of two days, one that decided and wrote a message.
fn desk() -> Desk {
    let mut told = Transcript::new("s1", "claude");
    told.user("2026-03-01T09:00:00Z", "Make the parser strict");
    for (day, file) in [("2026-03-01", "/p/a.py"), ("2026-03-02", "/p/b.py")] {
        let times = [format!("{day}T09:10:00Z"), format!("{day}T09:10:05Z")];
        told.did(
            [&times[0], &times[1]],
            "Write",
            &json!({ "file_path": file }),
            &[
                ("agent:claude", "wrote", "", json!({ "entity": format!("file:{file}") })),
                (
                    "agent:claude",
                    "ran",
                    "",
                    json!({ "json": { "command": "make", "exit": 2, "outcome": "failed" } }),
                ),
            ],
        );
    }
    let desk = Desk::new();
    desk.record(told.into_recording(), "2026-03-02T10:00:00Z");
    let lead = agent("The Lead");
    for (now, choice) in [("2026-03-03", "Postgres"), ("2026-03-04", "SQLite")] {
        let over = vec!["MySQL".to_owned()];
        let choice = Choice { topic: "database", choice, because: "no server", over };
        desk.act(now, |snapshot, place| decide(snapshot, place, &lead, &choice)).expect("decided");
    }
    let draft = Draft {
        kind: "request",
        to: vec!["claude".to_owned()],
        subject: "review",
        body: "line one\nline two",
        ..Draft::default()
    };
    desk.act("2026-03-05", |snapshot, place| send(snapshot, place, &lead, &draft)).expect("sent");
    desk
}

#[test]
fn every_agent_has_a_folder_and_every_file_the_mark() {
    let files = exported(&desk(), &View::LATEST, "2026-03-06");
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let lead = paths.iter().find(|path| path.starts_with("the-lead-")).expect("a folder");
    let lead = lead.split_once('/').expect("a folder").0.to_owned();
    let mut expected = vec!["AGENTS.md".to_owned()];
    for folder in ["claude", &lead] {
        for name in ["context", "decisions", "inbox", "journal", "role"] {
            expected.push(format!("{folder}/{name}.md"));
        }
    }
    assert_eq!(paths, expected);
    for file in &files {
        assert!(file.text.starts_with(MARK), "{}", file.path);
        assert!(file.text.ends_with('\n') && !file.text.ends_with("\n\n"), "{}", file.path);
    }
    let index = text(&files, "AGENTS.md");
    assert!(index.contains("- [claude](claude/context.md): unknown, seen "), "{index}");
    assert!(index.contains(&format!("- [The Lead]({lead}/context.md): ")), "{index}");
}

#[test]
fn the_working_context_has_nine_sections() {
    let files = exported(&desk(), &View::LATEST, "2026-03-06");
    let context = text(&files, "claude/context.md");
    let headings: Vec<&str> = context.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(
        headings,
        [
            "Objective",
            "Now",
            "Next",
            "Done",
            "Decisions",
            "Failed attempts",
            "Open questions and blockers",
            "Files",
            "Waiting for",
        ]
    );
    let section = |name: &str| {
        let (_, rest) = context.split_once(&format!("## {name}\n\n")).expect(name);
        rest.split("\n## ").next().expect("a section").trim().to_owned()
    };
    assert!(section("Objective").contains("\"Make the parser strict\" [#1]"), "{context}");
    assert_eq!(section("Now"), "Nothing is known.");
    assert!(section("Decisions").starts_with("- database: \"SQLite\", because \"no server\""), "{context}");
    assert!(section("Open questions and blockers").contains("command failed: `make`, exit 2"), "{context}");
    assert!(section("Files").starts_with("- `/p/b.py` written by Write, 2 March 2026, 09:10"), "{context}");
    let lead =
        files.iter().find(|file| file.path.ends_with("context.md") && file.path != "claude/context.md");
    assert!(
        lead.expect("the lead").text.contains("- request to agent:claude, 5 March 2026, 00:00: \"review\" [")
    );
}

#[test]
fn journal_inbox_and_decisions_are_whole() {
    let files = exported(&desk(), &View::LATEST, "2026-03-06");
    assert_eq!(
        text(&files, "claude/journal.md"),
        format!(
            "{MARK}\n\n# Journal of claude\n\n## 1 March 2026\n\n\
             - 09:10 ran `make` (failed, exit 2) [s1#3]\n- 09:10 wrote /p/a.py [s1#3]\n\n## 2 March 2026\n\n\
             - 09:10 ran `make` (failed, exit 2) [s1#5]\n- 09:10 wrote /p/b.py [s1#5]\n"
        )
    );
    let inbox = text(&files, "claude/inbox.md");
    assert!(inbox.contains(
        "- request from agent:The Lead to agent:claude, 5 March 2026, 00:00: open, unread, normal [message:"
    ));
    assert!(inbox.contains("  - subject: \"review\"\n  - body: \"line one\\nline two\"\n"), "{inbox}");
    let decisions = text(&files, "claude/decisions.md");
    let (in_force, past) = decisions.split_once("## No longer in force").expect("both");
    assert!(
        in_force.contains("- database: \"SQLite\" (agent:The Lead, 4 March 2026, 00:00) [a:"),
        "{decisions}"
    );
    assert!(past.contains("\"Postgres\"") && past.contains("  - superseded by \"SQLite\""), "{decisions}");
    let role = text(&files, "claude/role.md");
    assert!(role.contains("It never had a lease; it is known from its turns."), "{role}");
}

#[test]
fn the_files_are_the_same_twice_and_those_of_a_view_are_of_then() {
    let (one, other) = (desk(), desk());
    assert_eq!(exported(&one, &View::LATEST, "2026-03-06"), exported(&other, &View::LATEST, "2026-03-06"));
    let then = exported(&one, &known("2026-03-01"), "2026-03-01T23:59:59Z");
    assert!(then.iter().all(|file| !file.path.starts_with("the-lead")), "it was not known yet");
    assert!(!text(&then, "claude/journal.md").contains("2 March 2026"));
    assert!(text(&then, "claude/decisions.md").contains("## In force\n\nNone.\n"));
    let nobody = exported(&Desk::new(), &View::LATEST, "2026-03-06");
    assert_eq!(nobody.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["AGENTS.md"]);
}
