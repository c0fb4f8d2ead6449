//! Questions about what people said in a chat: what the words of a question ask for, and what they do not.

use bygone::Exit;
use serde_json::json;

use crate::support::{Bench, list};

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

/// Things told with their times, of which no fact is made.
const TOLD: &str = "\
2023-05-25 10:00 Mel: The charity race for bees was last Saturday, and my knees still hurt.
2023-05-25 10:01 Carl: Well done!
2023-06-02 09:00 Mel: Yesterday the plumber repaired the dripping kitchen tap.
2023-06-20 09:00 Carl: We unpacked the telescope two weeks ago.
2023-07-01 12:00 Mel: The choir rehearses twice as much since the festival.
";

#[test]
fn times_are_read_from_turns_where_no_fact_has_them() {
    let mut bench = Bench::new();
    let chat = bench.file("told.log", TOLD);
    bench.done(&["ingest", &chat]);
    let asked = |bench: &mut Bench, question: &str| {
        bench.run(&["ask", question, "--json", "--now", "2023-07-10"]).row()
    };
    for (question, start, value) in [
        (
            "When was the charity race for bees?",
            "20 May 2023, by what Mel said on 25 May 2023.",
            json!({ "period": { "from": "2023-05-20", "to": "2023-05-21" } }),
        ),
        (
            "How many days passed between the charity race for bees and the day the plumber repaired the kitchen tap?",
            "12 days: from 20 May 2023, by what Mel said on 25 May 2023, to 1 June 2023, by",
            json!({ "length": { "about": false, "number": 12, "unit": "day" } }),
        ),
        (
            "How many weeks ago did we unpack the telescope?",
            "5 weeks ago: the week of 5 June 2023, by what Carl said on 20 June 2023.",
            json!({ "length": { "about": false, "number": 5, "unit": "week" } }),
        ),
        (
            "Which came first, unpacking the telescope or the charity race for bees?",
            "the charity race for bees (the charity race for bees: 20 May 2023, by",
            json!({ "order": ["the charity race for bees"] }),
        ),
    ] {
        let row = asked(&mut bench, question);
        assert!(row["answer"].as_str().expect("a text").starts_with(start), "{question}: {row}");
        assert_eq!((&row["value"], &row["known"]), (&value, &json!(true)), "{question}");
        let evidence = list(&row["evidence"]);
        assert!(evidence.iter().all(|one| TOLD.contains(one["quote"].as_str().expect("a quote"))), "{row}");
    }
    for question in
        ["When did the volcano erupt?", "Which came first, the flood or the charity race for bees?"]
    {
        let row = asked(&mut bench, question);
        assert_eq!((&row["value"], &row["known"]), (&json!(null), &json!(false)), "{question}: {row}");
    }
    // What a view does not see is not read.
    let earlier = ["ask", "When was the charity race for bees?", "--json", "--known", "2023-05-24"];
    assert_eq!(bench.run(&earlier).row()["known"], false);
}
