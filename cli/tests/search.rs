//! Searching, contexts for prompts, and what a question without an answer falls back to.

use crate::support::{Bench, list, repository};
use bygone::Exit;
use serde_json::Value;

fn with_chat() -> Bench {
    let mut bench = Bench::new();
    bench.done(&["ingest", &repository("samples/chat")]);
    bench
}

/// Makes a store that was told a log.
fn with_told(log: &str) -> Bench {
    let mut bench = Bench::new();
    let log = bench.file("chat.txt", log);
    bench.done(&["ingest", &log]);
    bench
}

fn texts(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["text"].as_str().expect("a text")).collect()
}

#[test]
fn turns_and_facts_with_the_words_are_found_best_first() {
    let mut bench = with_chat();
    let rows = bench.done(&["search", "living in Lisbon", "--json"]).rows();
    let ranks: Vec<u64> = rows.iter().map(|row| row["rank"].as_u64().expect("a rank")).collect();
    assert!(ranks.iter().copied().eq(1..=rows.len() as u64), "{ranks:?}");
    let scores: Vec<f64> = rows.iter().map(|row| row["score"].as_f64().expect("a score")).collect();
    assert!(scores.is_sorted_by(|one, next| one >= next) && scores.iter().all(|s| (0.0..1.0).contains(s)));
    let fact = rows.iter().find(|row| row["kind"] == "fact").expect("a fact");
    assert_eq!(fact["text"], "Anna lives in Lisbon, since March 2023");
    assert_eq!(fact["fact"]["predicate"], "lives_in");
    assert!(fact["id"].as_str().expect("an id").starts_with("f:"));
    let turn = rows.iter().find(|row| row["kind"] == "turn").expect("a turn");
    assert!(turn["text"].as_str().expect("a text").contains("Lisbon"), "{turn}");
    for row in &rows {
        for key in ["session", "turn", "speaker", "time", "channels"] {
            assert!(!row[key].is_null(), "{key} of {row}");
        }
        let channels = row["channels"].as_object().expect("channels");
        let sum: f64 = channels.values().map(|share| share.as_f64().expect("a share")).sum();
        assert!((sum - row["score"].as_f64().expect("a score")).abs() < 1e-5, "{row}");
    }
}

#[test]
fn a_search_is_limited_to_a_number_and_a_kind() {
    let mut bench = with_chat();
    assert_eq!(bench.done(&["search", "Anna", "-k", "3", "--json"]).rows().len(), 3);
    for kind in ["turn", "fact"] {
        let rows = bench.done(&["search", "Anna", "--kind", kind, "--json"]).rows();
        assert!(!rows.is_empty() && rows.iter().all(|row| row["kind"] == kind), "{rows:?}");
    }
    bench.run(&["search", "Anna", "-k", "0"]).expect_exit(Exit::Usage);
}

#[test]
fn a_view_hides_what_was_said_or_recorded_later_or_elsewhere() {
    let mut bench = with_chat();
    bench.run_with(&["ingest", &repository("samples/claude-code")], b"").expect_exit(Exit::Done);
    let found = |bench: &mut Bench, view: &[&str]| {
        let ran = bench.run(&[&["search", "Lisbon", "--valid", "all", "--json"], view].concat());
        assert_eq!(ran.exit == Exit::No, ran.output.is_empty(), "{ran:?}");
        // What means alike is found, too: here it is the word that counts.
        texts(&ran.rows()).iter().filter(|text| text.contains("Lisbon")).count()
    };
    let all = found(&mut bench, &[]);
    assert!(all >= 3);
    assert_eq!(found(&mut bench, &["--known", "2023-03"]), 0);
    assert!((1..all).contains(&found(&mut bench, &["--known", "2023-04"])));
    assert_eq!(found(&mut bench, &["--recorded", "0"]), 0);
    assert_eq!(found(&mut bench, &["--in-session", "anna-and-ben"]), all);
    assert_eq!(found(&mut bench, &["--in-session", "elsewhere"]), 0);
    assert_eq!(found(&mut bench, &["--by-user", "nobody"]), 0);
    assert_eq!(bench.run(&["search", "Lisbon", "--space", "other"]).exit, Exit::BadInput);
}

#[test]
fn facts_are_those_of_the_valid_time_asked_about_and_turns_are_not_limited_by_it() {
    let mut bench = with_chat();
    let mut found = |valid: &str, kind: &str| {
        let ran = bench.run(&["search", "Berlin", "--valid", valid, "--kind", kind, "--json"]);
        texts(&ran.rows()).iter().filter(|text| text.contains("Berlin")).count()
    };
    assert_eq!((found("2019", "fact"), found("2024", "fact"), found("2017", "fact")), (1, 0, 0));
    assert_eq!((found("2019", "turn"), found("2024", "turn")), (1, 1));
}

#[test]
fn what_was_corrected_is_found_as_a_fact_only_in_history() {
    let mut bench = with_chat();
    let gamma = ["search", "works at Gamma", "--kind", "fact", "--valid", "all", "--json"];
    let found = |rows: Vec<Value>| texts(&rows).iter().any(|text| text.contains("Gamma"));
    assert!(!found(bench.run(&gamma).rows()));
    assert!(found(bench.run(&[gamma.as_slice(), &["--history"]].concat()).rows()));
    assert!(found(bench.run(&[gamma.as_slice(), &["--known", "2023-05"]].concat()).rows()));
}

#[test]
fn plans_are_found_where_they_are_asked_for() {
    let mut bench = with_chat();
    let porto = ["search", "Porto", "--kind", "fact", "--valid", "all", "--json"];
    let planned = |rows: Vec<Value>| rows.iter().any(|row| row["fact"]["verdict"] == "planned");
    assert!(!planned(bench.run(&porto).rows()));
    assert!(planned(bench.run(&[porto.as_slice(), &["--planned"]].concat()).rows()));
}

#[test]
fn what_was_just_recorded_is_found_and_what_was_erased_is_not() {
    let mut bench = with_chat();
    assert_eq!(bench.run(&["search", "narwhal"]).exit, Exit::No);
    let log = bench.file("new.log", "2024-03-01 10:00 Anna: I saw a narwhal.\n");
    bench.done(&["ingest", &log]);
    let found = bench.done(&["search", "narwhals", "--kind", "turn", "--json"]).rows();
    assert_eq!(texts(&found)[0], "I saw a narwhal.");
    bench.done(&["erase", "--session", "new"]);
    assert_eq!(bench.run(&["search", "narwhal"]).exit, Exit::No);
    bench.close();
    assert_eq!(bench.run(&["search", "narwhal"]).exit, Exit::No);
}

#[test]
fn a_question_without_an_answer_is_answered_with_the_closest_turns_of_its_view() {
    let mut bench = with_chat();
    let ask = |bench: &mut Bench, question: &str, view: &[&str]| {
        bench.run(&[&["ask", question, "--json"], view].concat()).expect_exit(Exit::No).row()
    };
    let row = ask(&mut bench, "How was the bike?", &[]);
    assert_eq!(row["known"], false);
    assert_eq!(row["reading"]["intent"], "search");
    assert_eq!(row["reading"]["plan"], "SEARCH(\"How was the bike?\")");
    let answer = row["answer"].as_str().expect("a text");
    assert!(answer.starts_with("Not understood: ") && answer.ends_with("are quoted."), "{answer}");
    let quotes: Vec<&str> =
        list(&row["evidence"]).iter().map(|e| e["quote"].as_str().expect("text")).collect();
    // Each has one of the words among as many others: the earlier one comes first.
    assert_eq!(quotes, ["I bought a bike yesterday.", "I sold my bike in October."]);

    let row = ask(&mut bench, "How was the bike?", &["--known", "2023"]);
    assert_eq!(list(&row["evidence"]).len(), 2);
    let row = ask(&mut bench, "How was the bike?", &["--known", "2022"]);
    assert_eq!(list(&row["evidence"]).len(), 1);
    // Where a word of the question has no turn, nothing is made up.
    let row = ask(&mut bench, "How blue is the sky?", &[]);
    assert!(list(&row["evidence"]).is_empty() && row["reading"].is_null(), "{row}");
    // A time of knowing that the question itself names holds for what it falls back to.
    let row = ask(&mut bench, "What did we know on 1 June 2022 about the bike?", &[]);
    let later = |e: &Value| e["time"].as_str().expect("a time") > "2022-06-02";
    assert!(list(&row["evidence"]).iter().all(|e| !later(e)), "{row}");
}

#[test]
fn a_context_never_has_more_tokens_than_its_budget() {
    let mut bench = with_chat();
    let mut sources = Vec::new();
    for budget in [20, 50, 100, 200, 1000] {
        let ran = bench.run(&["context", "Where does Anna live?", "--budget", &budget.to_string(), "--json"]);
        let row = ran.row();
        assert!(row["tokens"].as_u64().expect("a number") <= budget, "{row}");
        assert_eq!(row["budget"], budget);
        assert_eq!(list(&row["sources"]).is_empty(), ran.exit == Exit::No);
        sources.push(list(&row["sources"]).len());
    }
    assert!(sources.is_sorted() && sources[0] == 0 && sources[4] > sources[2], "{sources:?}");
}

#[test]
fn a_context_has_facts_first_then_turns_as_they_were_said_with_dates_and_sources() {
    let mut bench = with_chat();
    let text = bench.done(&["context", "Where does Anna live in Lisbon?", "--budget", "400"]).output;
    let facts = text.find("Facts:").expect("facts");
    let said = text.find("Said:").expect("turns");
    assert!(facts < said, "{text}");
    assert!(text.contains("- Anna lives in Lisbon, since March 2023 ["), "{text}");
    assert!(
        text.contains("- Anna, 2 April 2023 (anna-and-ben#11): \"I moved to Lisbon in March.\""),
        "{text}"
    );
    let early = bench.done(&["context", "Where does Anna live?", "--known", "2022"]).output;
    assert!(
        early.contains("as known by the end of 31 December 2022") && !early.contains("Lisbon"),
        "{early}"
    );
}

#[test]
fn texts_are_found_in_the_language_that_is_set_and_in_another_once_it_is_changed() {
    let mut bench = Bench::new();
    let said =
        "2024-05-01 Anna: Die H\u{e4}user am Fluss sind gro\u{df}.\n2024-05-02 Bob: He was painting.\n";
    let log = bench.file("talk.txt", said);
    bench.done(&["init"]);
    bench.done(&["ingest", &log]);
    let language = |bench: &mut Bench| bench.done(&["stats", "--json"]).rows()[0]["language"].clone();
    let finds = |bench: &mut Bench, text: &str| bench.run(&["search", text]).exit == Exit::Done;
    assert_eq!(language(&mut bench), "english");
    assert!(!finds(&mut bench, "Haus") && finds(&mut bench, "paint"));

    bench.done(&["init", "--language", "german"]);
    assert_eq!(language(&mut bench), "german");
    assert!(finds(&mut bench, "Haus") && finds(&mut bench, "gross") && !finds(&mut bench, "die"));
    let said = bench.done(&["init", "--json"]).rows();
    assert_eq!(said[0]["language"], "german", "a language that was set stays");
    assert!(finds(&mut bench, "Haus"));

    bench.done(&["init", "--language", "none"]);
    assert!(!finds(&mut bench, "Haus") && finds(&mut bench, "die") && !finds(&mut bench, "paint"));
    bench.run(&["init", "--language", "klingon"]).expect_exit(Exit::Usage);
}

#[test]
fn a_search_says_why_and_what_the_view_hides_without_saying_what_it_says() {
    let mut bench = with_chat();
    let search = ["search", "living in Lisbon", "--explain", "--json"];
    let rows = bench.done(&search).rows();
    let explained = &rows.last().expect("a last row")["explain"];
    assert!(rows[..rows.len() - 1].iter().all(|row| row["explain"].is_null()));
    assert_eq!(explained["answers"], true);
    let words: Vec<&str> =
        list(&explained["words"]).iter().filter_map(|word| word["word"].as_str()).collect();
    assert!(words.contains(&"lisbon"), "{words:?}");
    let turns = &explained["searched"][0];
    assert_eq!((&turns["kind"], &turns["hidden"]), (&"turn".into(), &serde_json::json!({})));

    let ran = bench.run(&[search.as_slice(), &["--known", "2023-02"]].concat());
    let rows = ran.rows();
    let explained = &rows.last().expect("a last row")["explain"];
    assert!(explained["searched"][0]["hidden"]["known_later"].as_u64() > Some(0));
    let hidden = list(&explained["hidden"]);
    assert!(hidden.iter().any(|one| one["why"] == "known_later"), "{hidden:?}");
    assert!(hidden.iter().all(|one| one["text"].is_null()));
    assert!(!explained["hidden"].to_string().contains("Lisbon"));

    let rows = bench.done(&["search", "works at Gamma", "--explain", "--json", "--kind", "fact"]).rows();
    let hidden = list(&rows.last().expect("a last row")["explain"]["hidden"]);
    assert!(hidden.iter().any(|one| one["why"] == "superseded"), "{hidden:?}");
}

#[test]
fn what_says_the_same_again_comes_later_and_is_told_once_in_a_context() {
    let mut bench = Bench::new();
    let log = "2024-03-01 10:00 Anna: The harbour of Porto is full of herons!\n\
               2024-03-01 10:01 Ben: I see.\n\
               2024-03-02 10:00 Anna: the harbour of Porto is full of herons.\n\
               2024-03-02 10:01 Ben: Nothing new then.\n\
               2024-03-03 10:00 Anna: We sailed past Porto and saw dolphins.\n";
    let log = bench.file("herons.log", log);
    bench.done(&["ingest", &log]);
    let search = ["search", "herons in the harbour of Porto", "--kind", "turn", "-k", "3", "--json"];
    let plain = bench.done(&search).rows();
    let diverse = bench.done(&[search.as_slice(), &["--diverse"]].concat()).rows();
    assert_eq!(plain[0]["id"], diverse[0]["id"]);
    assert!(texts(&plain)[1].contains("herons"), "{plain:?}");
    assert!(!texts(&diverse)[1].contains("herons"), "{diverse:?}");
    let block = &bench.done(&["context", "herons in the harbour of Porto", "--json"]).rows()[0];
    assert_eq!(block["text"].as_str().expect("a text").matches("full of herons").count(), 1, "{block}");
    assert_eq!(block["repeated"], 1);
    // Chance likeness is no answer to a prompt, and a search shows it all the same.
    bench.run(&["context", "quarterly tax returns", "--json"]).expect_exit(Exit::No);
}

#[test]
fn a_view_names_nobody_whom_it_does_not_know() {
    let mut bench = with_told(
        "2024-01-05 10:00 Ben: I moved to Oslo.\n\
         2024-02-05 10:00 Ben: Carla Costa joined Beta Corp.\n",
    );
    let earlier = ["--known", "2024-01-20"];
    for question in ["carla costa", "person:carla costa"] {
        for command in [&["show", question][..], &["facts", "--subject", question], &["timeline", question]] {
            assert!(!bench.done(command).output.is_empty(), "{command:?}");
            let ran = bench.run(&[command, &earlier].concat());
            assert!(ran.output.is_empty() && !ran.errors.contains("Costa"), "{ran:?}");
        }
        let ran = bench.run(&[&["search", question, "--explain"][..], &earlier].concat());
        assert!(!ran.output.contains("Costa") && !ran.output.contains("named:"), "{ran:?}");
    }
}

#[test]
fn fewer_hits_are_the_first_of_more() {
    let mut bench = with_chat();
    let ids = |bench: &mut Bench, n_wanted: &str| -> Vec<String> {
        let rows = bench.done(&["search", "Anna", "-k", n_wanted, "--valid", "all", "--json"]).rows();
        rows.iter().map(|row| row["id"].as_str().expect("an id").to_owned()).collect()
    };
    let most = ids(&mut bench, "40");
    assert!(most.len() > 10, "{most:?}");
    for n_wanted in 1..most.len() {
        assert_eq!(ids(&mut bench, &n_wanted.to_string()), most[..n_wanted]);
    }
}

#[test]
fn a_speakers_name_alone_finds_what_they_say() {
    let mut bench = with_told(
        "2024-01-05 10:00 Ben: The river froze.\n\
         2024-01-05 10:01 Anna: It is cold.\n\
         2024-01-06 10:00 Ben: Trams run again.\n",
    );
    for question in ["what did Ben say?", "ben", "Ben told"] {
        let rows = bench.done(&["search", question, "--kind", "turn", "--json"]).rows();
        assert!(rows[..2].iter().all(|row| row["speaker"] == "person:Ben"), "{question}: {rows:?}");
    }
}

#[test]
fn a_text_that_means_nothing_is_about_nothing() {
    let mut bench = with_chat();
    bench.run(&["context", "xyzzy plugh"]).expect_exit(Exit::No);
    for text in ["?!", "", "the", "what is it"] {
        let ran = bench.run(&["search", text]).expect_exit(Exit::No);
        assert!(ran.errors.contains("there is no word to look for"), "{ran:?}");
    }
}

#[test]
fn a_prompt_longer_than_its_context_is_cut_where_it_is_quoted() {
    let mut bench = with_chat();
    let rest: Vec<String> = (0..2000).map(|number| format!("é{number}")).collect();
    let prompt = format!("living in Lisbon {}", rest.join(" "));
    let block = bench.done(&["context", &prompt, "--budget", "200", "--json"]).row();
    let text = block["text"].as_str().expect("a text");
    assert!(text.starts_with("What is remembered about \"living in Lisbon é0 é1 "), "{text}");
    assert!(text.contains("I moved to Lisbon in March."), "{text}");
}

#[test]
fn a_fact_of_a_later_merge_is_hidden_since_that_is_known_later() {
    let mut bench =
        with_told("2024-01-05 10:00 Clara: I live in Oslo.\n2024-01-06 10:00 Ines: I live in Bergen.\n");
    bench.done(&["merge", "Clara", "Ines"]);
    let search =
        ["search", "who lives in Bergen", "--kind", "fact", "--known", "2024-02", "--explain", "--json"];
    let rows = bench.run(&search).rows();
    let hidden = list(&rows.last().expect("a last row")["explain"]["hidden"]);
    assert!(!hidden.is_empty() && hidden.iter().all(|one| one["why"] == "known_later"), "{rows:?}");
}
