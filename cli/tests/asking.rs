//! Questions about what people said in a chat: what the words of a question ask for, and what they do not.

use bygone::Exit;

use crate::support::Bench;

const CHAT: &str = "\
2024-05-01 10:00 Ann: I baked a cake yesterday. I watched \"Alien\" last night.
2024-05-01 10:01 Ben: I went to a jazz concert last Saturday.
2024-05-02 10:00 Ann: I adopted a dog in March. I painted a landscape.
2024-05-04 10:00 Ben: I married Clara on 3 May 2024.
";

#[test]
fn a_verb_that_says_more_than_the_predicate_is_answered_from_turns_that_say_it() {
    let mut bench = Bench::new();
    let chat = bench.file("chat.log", CHAT);
    bench.done(&["ingest", &chat]);
    for (question, exit, start) in [
        ("Did Ann bake a cake?", Exit::Done, "Yes: cake"),
        ("Did Ann make a cake?", Exit::Done, "Yes: cake"),
        ("Did Ann paint a cake?", Exit::No, "Not known"),
        ("What did Ann paint?", Exit::Done, "landscape"),
        ("Did Ann watch Alien?", Exit::Done, "Yes: Alien"),
        ("Did Ann read Alien?", Exit::No, "Not known"),
        ("When did Ann adopt a dog?", Exit::Done, "March 2024"),
        ("Did Ann buy a dog?", Exit::No, "Not known"),
        ("Did Ann get a dog?", Exit::Done, "Yes: dog"),
        ("When did Ben go to the jazz concert?", Exit::Done, "27 April 2024"),
        ("When did Ben get married?", Exit::Done, "3 May 2024"),
    ] {
        let ran = bench.run(&["ask", question]);
        assert!(ran.output.starts_with(start), "{question}: {ran:?}");
        assert_eq!(ran.exit, exit, "{question}");
    }
}

#[test]
fn a_status_is_asked_for_by_its_name() {
    let mut bench = Bench::new();
    let line = r#"{"subject":"person:Ann","predicate":"relationship_status","object":{"text":"single"},"from":"2025-11"}"#;
    bench.assert_lines("default", &[line.to_owned()]);
    let ran = bench.done(&["ask", "What is Ann's relationship status?"]);
    assert!(ran.output.starts_with("single"), "{ran:?}");
}
