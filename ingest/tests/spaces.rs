//! Which space the records of a data set go into.

use std::num::NonZeroUsize;
use std::sync::Arc;

use bygone_engine::backend::Memory;
use bygone_engine::store::Store;
use bygone_engine::time::parse_moment;
use bygone_ingest::read::Bytes;
use bygone_ingest::{Document, Outcome, Plan, ingest, preview};
use bygone_ontology::Ontology;

fn store() -> Store {
    Store::open(Box::new(Memory::new()), Arc::new(Ontology::core())).expect("an empty store")
}

fn question(id: &str, words: &str) -> String {
    format!(
        r#"{{"question_id":"{id}","question_date":"","haystack_session_ids":["s"],"haystack_dates":["2023/05/20 (Sat) 02:21"],"haystack_sessions":[[{{"role":"user","content":"{words}"}}]]}}"#
    )
}

fn document(name: &str, text: String) -> Document {
    let modified = parse_moment("2026-01-01T00:00:00Z").expect("a time").at;
    Document { name: name.to_owned(), bytes: Bytes::Held(text.into_bytes()), modified }
}

fn run(store: &Store, known: Option<&Store>, documents: &[Document], prefix: Option<&str>) -> Outcome {
    let plan = Plan {
        documents,
        format: None,
        space: prefix.unwrap_or("default"),
        prefix,
        ontology: &Ontology::core(),
        jobs: NonZeroUsize::MIN,
        keeps_secrets: false,
        now: parse_moment("2026-01-01T00:00:00Z").expect("a time").at,
    };
    match known {
        Some(known) => preview(store, Some(known), &plan, &mut |_| {}).expect("memory does not fail"),
        None => ingest(store, &plan, &mut |_| {}).expect("memory does not fail"),
    }
}

/// What the turns of a space say.
fn words(store: &Store, space: &str) -> Vec<String> {
    let space = store.space(space, false).expect("the space is there");
    let snapshot = space.snapshot();
    let ids = snapshot.episodes_at("s", 1).expect("memory does not fail");
    let episode = |id| snapshot.episode(id).expect("memory does not fail").expect("the turn is there");
    ids.into_iter().map(|id| episode(id).episode.text).collect()
}

#[test]
fn each_question_has_a_space_of_its_own_and_names_that_meet_are_kept_apart() {
    let list = [
        question("q1", "One."),
        question("a/b", "Two."),
        question("a-b", "Three."),
        question("a b", "Four."),
        question("q1", "Five."),
    ];
    let documents = [document("set.json", format!("[{}]", list.join(",\n")))];
    for prefix in [None, Some("lm")] {
        let store = store();
        let outcome = run(&store, None, &documents, prefix);
        assert_eq!((outcome.receipt.files, outcome.receipt.episodes), (1, 5));
        let name = |name: &str| prefix.map_or(name.to_owned(), |prefix| format!("{prefix}.{name}"));
        let spaces = store.spaces().expect("memory does not fail");
        assert_eq!((spaces.len(), &spaces[0], &spaces[3]), (4, &name("a-b"), &name("q1")));
        assert_eq!(outcome.spaces, spaces);
        assert_eq!(words(&store, &spaces[0]), ["Three."]);
        let spelt_out = [&spaces[1], &spaces[2]];
        assert!(spelt_out.iter().all(|space| space.starts_with(&name("a-b."))), "{spaces:?}");
        let mut said = spelt_out.map(|space| words(&store, space).concat());
        said.sort();
        assert_eq!(said, ["Four.", "Two."]);
        assert_eq!(words(&store, &spaces[3]).len(), 2, "one id is one space");
        // One after the other, and the other way round, they come into the same spaces.
        let alone = self::store();
        for element in list.iter().rev() {
            run(&alone, None, &[document("one.json", format!("[{element}]"))], prefix);
        }
        assert_eq!(alone.spaces().expect("memory does not fail"), spaces);
        // Again, and as a preview: all of it is known.
        for again in
            [run(&store, None, &documents, prefix), run(&self::store(), Some(&store), &documents, prefix)]
        {
            assert_eq!((again.receipt.episodes, again.receipt.duplicates), (0, 5), "{:?}", again.receipt);
        }
    }
}

#[test]
fn long_names_are_cut_and_stay_apart() {
    let long = "x".repeat(130);
    let list = [question(&format!("{long}1"), "One."), question(&format!("{long}2"), "Two.")];
    let documents = [document("set.json", format!("[{}]", list.join(",")))];
    let store = store();
    run(&store, None, &documents, Some("lm"));
    let spaces = store.spaces().expect("memory does not fail");
    assert_eq!(spaces.len(), 2);
    assert!(spaces.iter().all(|space| space.len() == 128), "{spaces:?}");
}

#[test]
fn conversations_of_an_export_go_where_a_file_would() {
    let conversation = |id: &str| {
        format!(
            r#"{{"uuid":"{id}","chat_messages":[{{"uuid":"{id}1","sender":"human","text":"Hello.","created_at":"2025-11-03T09:00:00Z"}}]}}"#
        )
    };
    let list = format!("[{},\n{}]", conversation("a"), conversation("b"));
    for (prefix, space) in [(None, "default"), (Some("mine"), "mine")] {
        let store = store();
        let outcome = run(&store, None, &[document("conversations.json", list.clone())], prefix);
        assert_eq!((outcome.receipt.files, outcome.receipt.episodes), (1, 2));
        assert_eq!(outcome.spaces, [] as [String; 0]);
        assert_eq!(store.spaces().expect("memory does not fail"), [space]);
        // A file without a conversation makes the space, too, as any file does.
        let empty = self::store();
        run(&empty, None, &[document("one.json", r#"{"uuid":"c","chat_messages":[]}"#.to_owned())], prefix);
        assert_eq!(empty.spaces().expect("memory does not fail"), [space]);
    }
}
