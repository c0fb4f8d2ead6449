//! Models that a configuration names: a service of embeddings, a reranker, and a model in a file.

use std::process::{Command, Output};

use bygone::Exit;
use serde_json::{Value, json};

use crate::support::service::{Asked, Service, embedded, ranked, texts};
use crate::support::{Bench, Ran, list, text_of};

/// What is said. No word of it means anything to the table that is built in.
const LOG: &str = "\
2024-03-01 10:00 Anna: I saw a blicket.
2024-03-02 10:00 Ben: The daxen were loud.
2024-03-03 10:00 Anna: I live in Berlin.
";

/// Words that mean alike to the service.
const GROUPS: [&[&str]; 2] = [&["blicket", "wugs"], &["daxen", "toma"]];

/// Where nobody listens.
const NOBODY: &str = "http://127.0.0.1:1";

/// A service of embeddings.
fn embedder() -> Service {
    Service::start(|asked| (200, embedded(&asked.body, &GROUPS)))
}

fn endpoint(bench: &Bench, url: &str, more: &str) -> String {
    let text = format!("[embedder]\nkind = \"endpoint\"\nurl = \"{url}\"\nmodel = \"tiny\"\n{more}\n");
    bench.file("models.toml", text)
}

fn reranker(bench: &Bench, url: &str) -> String {
    bench.file("order.toml", format!("[reranker]\nurl = \"{url}\"\nmodel = \"cross\"\n"))
}

/// Returns the texts that embeddings were asked of.
fn embedded_texts(asked: &[Asked]) -> Vec<&str> {
    asked.iter().filter(|asked| asked.path == "/v1/embeddings").flat_map(|asked| texts(&asked.body)).collect()
}

fn first(ran: &Ran) -> Value {
    ran.rows().first().cloned().expect("something was found")
}

fn ingested(bench: &mut Bench, config: &[&str]) -> Ran {
    let log = bench.file("talk.log", LOG);
    bench.done(&[&["ingest", &log], config].concat())
}

#[test]
fn a_service_makes_the_vectors_of_turns_facts_and_questions() {
    let mut bench = Bench::new();
    let service = embedder();
    let config = endpoint(&bench, &service.url(), "");
    let config = ["--config", config.as_str()];
    assert_eq!(ingested(&mut bench, &config).errors, "");
    let asked = service.asked();
    assert!(asked.iter().all(|asked| asked.body["model"] == "tiny" && asked.authorization.is_none()));
    let told = embedded_texts(&asked);
    assert!(
        told.contains(&"Anna: I saw a blicket.") && told.contains(&"Ben: The daxen were loud."),
        "{told:?}"
    );

    let search = |bench: &mut Bench| bench.done(&[&["search", "wugs", "--json"], &config[..]].concat());
    let hit = first(&search(&mut bench));
    assert_eq!(hit["text"], "I saw a blicket.");
    assert!(hit["channels"]["meaning"].as_f64().expect("a share") > 0.0, "{hit}");
    assert_eq!(embedded_texts(&service.asked()), ["wugs"], "a question is asked once");

    // What was made is kept; only the dimension is asked again.
    bench.close();
    assert_eq!(first(&search(&mut bench))["text"], "I saw a blicket.");
    assert_eq!(embedded_texts(&service.asked()), ["dimension", "wugs"]);
    bench.done(&[&["verify"], &config[..]].concat());
}

#[test]
fn vectors_of_two_models_do_not_mix_until_they_are_made_again() {
    let mut bench = Bench::new();
    let service = embedder();
    let config = endpoint(&bench, &service.url(), "dimension = 3");
    ingested(&mut bench, &["--config", &config]);

    let refused = bench.run(&["search", "Berlin"]).expect_exit(Exit::BadInput).errors;
    for part in
        ["\"tiny\"", "\"static-minilm-l6-256-int8\"", "`bygone --config FILE reindex`", "`bygone reindex`"]
    {
        assert!(refused.contains(part), "{part} in {refused}");
    }
    let verified = bench.run(&["verify"]).expect_exit(Exit::BadInput);
    assert_eq!(verified.errors, refused);
    assert!(verified.output.ends_with(": no fault; not checked: vectors\n"), "{verified:?}");
    let verified = bench.run(&["verify", "--json"]).expect_exit(Exit::BadInput).row();
    assert_eq!((&verified["unchecked"], &verified["faults"]), (&json!(["vectors"]), &json!([])));
    bench.done(&["facts"]);
    bench.done(&["reindex"]);
    assert_eq!(bench.run(&["search", "wugs"]).exit, Exit::No, "the built-in model does not know the word");

    let cut = endpoint(&bench, &service.url(), "dimension = 3\ntext_bytes = 100");
    bench.done(&["--config", &cut, "reindex"]);
    let whole =
        bench.file("whole.toml", fs_err::read_to_string(&cut).expect("it is there").replace("100", "200"));
    let refused = bench.run(&["--config", &whole, "search", "wugs"]).expect_exit(Exit::BadInput).errors;
    assert_eq!(refused.matches("\"tiny\" (3 numbers, hash ").count(), 2, "{refused}");
    bench.done(&["--config", &whole, "reindex"]);
    assert_eq!(
        first(&bench.done(&["--config", &whole, "search", "wugs", "--json"]))["text"],
        "I saw a blicket."
    );
}

#[test]
fn a_store_keeps_the_model_of_its_first_vectors_however_few_they_are() {
    let mut bench = Bench::new();
    let service = embedder();
    let other = endpoint(&bench, &service.url(), "");
    // Statements that are asserted have vectors from the first search on.
    let line =
        r#"{"subject":"person:Ann","predicate":"plays","object":{"text":"the blicket"},"from":"2020"}"#;
    bench.assert_lines("default", &[line.to_owned()]);
    bench.done(&["verify"]);
    bench.done(&["search", "Ann"]);
    bench.close();
    for words in [&["search", "wugs"][..], &["context", "wugs"], &["verify"]] {
        let ran = bench.run(&[words, &["--config", &other]].concat()).expect_exit(Exit::BadInput);
        assert!(ran.errors.contains("are of the model \"static-minilm-l6-256-int8\""), "{ran:?}");
        assert!(!ran.output.contains("all sound"), "{ran:?}");
    }
    let log = bench.file("talk.log", LOG);
    let ran = bench.done(&["ingest", &log, "--config", &other]);
    assert!(ran.errors.contains("are of the model \"static-minilm-l6-256-int8\""), "{ran:?}");
    bench.done(&["search", "Berlin"]);

    bench.done(&["reindex", "--config", &other]);
    bench.close();
    bench.done(&["search", "wugs", "--config", &other]);
    bench.run(&["search", "Berlin"]).expect_exit(Exit::BadInput);
    // Erasure throws the vectors away, and the store stays that of the model.
    bench.done(&["erase", "--session", "talk"]);
    bench.run(&["search", "Ann"]).expect_exit(Exit::BadInput);
}

#[test]
fn a_model_whose_vectors_cannot_be_kept_is_named_with_the_reason() {
    let mut bench = Bench::new();
    let large = endpoint(&bench, NOBODY, "dimension = 5000");
    let ran = bench.run(&["facts", "--config", &large]).expect_exit(Exit::BadInput);
    let expected = format!(
        "bygone: {large}:1: [embedder]: the model \"tiny\" has vectors of 5000 components, and 4096 are the most there may \
         be: `dimension`\n"
    );
    assert_eq!(ran.errors, expected);

    let service = Service::start(|asked| {
        let vectors = texts(&asked.body).into_iter().enumerate().map(|(index, text)| {
            let vector = if text.contains("daxen") { [0, 0] } else { [1, 2] };
            json!({ "index": index, "embedding": vector })
        });
        (200, json!({ "data": vectors.collect::<Value>() }))
    });
    let config = endpoint(&bench, &service.url(), "");
    let ran = ingested(&mut bench, &["--config", &config]);
    assert!(ran.errors.contains("the model \"tiny\" answers nothing but zeros for text 3 of 4"), "{ran:?}");
}

#[test]
fn a_model_with_vectors_of_another_length_is_told_so() {
    let mut bench = Bench::new();
    let service = embedder();
    let config = endpoint(&bench, &service.url(), "");
    ingested(&mut bench, &["--config", &config]);
    let config = endpoint(&bench, &service.url(), "dimension = 4");
    let ran = bench.run(&["search", "wugs", "--config", &config]).expect_exit(Exit::BadInput);
    let expected = "the model \"tiny\" makes vectors of 4 components where 3 were expected";
    assert!(ran.errors.contains(expected), "{ran:?}");
    let ran = bench.run(&["reindex", "--config", &config]).expect_exit(Exit::BadInput);
    assert!(ran.errors.contains("answers 3 components where 4 were expected, for text 1 of "), "{ran:?}");
}

#[test]
fn variables_that_are_set_to_nothing_are_not_set() {
    let mut bench = Bench::new();
    ingested(&mut bench, &[]);
    bench.close();
    let folder = bench.path("");
    let ran = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bygone"));
        let empty = ["BYGONE_STORE", "BYGONE_CONFIG", "BYGONE_NOW"].map(|name| (name, ""));
        command.args(words).envs(empty).current_dir(&folder);
        command.output().expect("the command runs")
    };
    let store = text_of(&bench.store());
    for words in
        [&["facts", "--store", &store][..], &["timex", "yesterday"], &["search", "Anna", "--store", &store]]
    {
        let ran = ran(words);
        assert!(ran.status.success() && !ran.stdout.is_empty(), "{ran:?}");
    }
    let ran = ran(&["facts"]);
    let errors = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(errors.contains("there is no store at \"bygone.db\""), "{errors}");
}

#[test]
fn what_was_embedded_is_kept_where_the_rest_cannot_be_or_nothing_can_be_made_anew() {
    let mut bench = Bench::new();
    let service = Service::start(|asked| {
        if texts(&asked.body).iter().any(|text| text.contains("toma")) {
            return (400, json!({ "error": "no toma" }));
        }
        (200, embedded(&asked.body, &GROUPS))
    });
    let config = endpoint(&bench, &service.url(), "dimension = 3");
    let config = ["--config", config.as_str()];
    ingested(&mut bench, &config);
    service.asked();
    let log = bench.file("more.log", "2024-03-04 10:00 Ben: Then a toma came.\n");
    let behind = bench.done(&[&["ingest", &log], &config[..]].concat()).errors;
    assert!(behind.contains("refuses with status 400 (attempts: 1): no toma"), "{behind}");
    bench.close();
    bench.run(&[&["search", "wugs"], &config[..]].concat()).expect_exit(Exit::BadInput);
    assert!(!embedded_texts(&service.asked()).contains(&"Anna: I saw a blicket."));

    // A model that cannot be made throws no vectors away.
    bench.done(&["erase", "--session", "more"]);
    bench.done(&[&["search", "wugs"], &config[..]].concat());
    service.asked();
    let nobody = bench.file(
        "nobody.toml",
        format!("[embedder]\nkind = \"endpoint\"\nurl = \"{NOBODY}\"\nmodel = \"tiny\"\n"),
    );
    bench.run(&["reindex", "--config", &nobody]).expect_exit(Exit::BadInput);
    bench.done(&[&["search", "wugs"], &config[..]].concat());
    assert_eq!(embedded_texts(&service.asked()), ["wugs"]);

    // Neither does one that is made without being asked, and does not answer.
    let nobody = endpoint(&bench, NOBODY, "dimension = 3");
    bench.run(&["reindex", "--config", &nobody]).expect_exit(Exit::BadInput);
    endpoint(&bench, &service.url(), "dimension = 3");
    bench.done(&[&["search", "wugs"], &config[..]].concat());
    assert_eq!(embedded_texts(&service.asked()), ["wugs"]);
}

#[test]
fn where_a_service_is_down_only_what_needs_vectors_fails() {
    for more in ["", "dimension = 3"] {
        let mut bench = Bench::new();
        let config = endpoint(&bench, NOBODY, more);
        let config = ["--config", config.as_str()];
        let ran = ingested(&mut bench, &config);
        assert!(ran.output.contains("3 new"), "{ran:?}");
        assert!(ran.errors.contains("the indexes are behind") && ran.errors.contains(NOBODY), "{ran:?}");
        for words in [["search", "Berlin"], ["context", "Berlin"]] {
            let ran = bench.run(&[&words, &config[..]].concat()).expect_exit(Exit::BadInput);
            let expected = "bygone: http://127.0.0.1:1/v1/embeddings does not answer (attempts: 1): ";
            assert!(ran.errors.starts_with(expected) && ran.output.is_empty(), "{ran:?}");
        }
        bench.run(&[&["reindex"], &config[..]].concat()).expect_exit(Exit::BadInput);
        let ran = bench.run(&[&["verify"], &config[..]].concat()).expect_exit(Exit::BadInput);
        assert!(ran.output.ends_with(": no fault; not checked: vectors\n"), "{ran:?}");
        for words in [&["facts"][..], &["ask", "Where does Anna live?"], &["stats"], &["timeline", "Anna"]] {
            bench.done(&[words, &config].concat());
        }
        // Once it is up, the search goes on with what was recorded.
        let service = embedder();
        let config = endpoint(&bench, &service.url(), more);
        let hit = first(&bench.done(&["search", "wugs", "--json", "--config", &config]));
        assert_eq!(hit["text"], "I saw a blicket.");
    }
}

#[test]
fn a_reranker_puts_turns_and_facts_in_order_and_scores_stay() {
    let mut bench = Bench::new();
    ingested(&mut bench, &[]);
    let plain = bench.done(&["search", "Anna", "--json"]).rows();
    assert!(plain.len() > 2, "{plain:?}");
    #[expect(clippy::cast_precision_loss, reason = "few documents")]
    let backwards = |at: usize, _: &str| at as f64 - 1.5;
    let service = Service::start(move |asked| (200, ranked(&asked.body, backwards)));
    let config = reranker(&bench, &service.url());
    let config = ["--config", config.as_str()];
    let found = bench.done(&[&["search", "Anna", "--json"], &config[..]].concat()).rows();

    let column = |rows: &[Value], key: &str| rows.iter().map(|row| row[key].clone()).collect::<Vec<_>>();
    let mut expected = column(&plain, "id");
    expected.reverse();
    assert_eq!(column(&found, "id"), expected);
    assert_eq!(column(&found, "score"), column(&plain, "score"));
    assert_eq!(column(&found, "rank"), column(&plain, "rank"));
    let given: Vec<Value> = found.iter().map(|row| row["channels"]["rerank"].clone()).collect();
    let backwards: Vec<Value> = (0..plain.len()).rev().map(|at| json!(backwards(at, ""))).collect();
    assert_eq!(given, backwards);

    let [asked] = &service.asked()[..] else { panic!("asked once") };
    assert_eq!((asked.path.as_str(), &asked.body["query"]), ("/v1/rerank", &json!("Anna")));
    assert_eq!(asked.body["model"], "cross");
    let told = texts(&asked.body);
    assert!(told.contains(&"Anna, 2024-03-03: I live in Berlin."), "{told:?}");
    assert!(told.iter().any(|text| text.starts_with("Anna lives in Berlin")), "{told:?}");

    // What would have been cut off had its chance.
    let best = bench.done(&[&["search", "Anna", "-k", "1", "--json"], &config[..]].concat());
    assert_eq!(column(&best.rows(), "id"), expected[..1]);
    let context = bench.done(&[&["context", "Anna", "--budget", "200", "--json"], &config[..]].concat());
    assert!(!list(&context.row()["sources"]).is_empty());
    assert_eq!(service.asked().len(), 2);
}

#[test]
fn a_reranker_that_fails_is_named_and_facts_need_none() {
    let mut bench = Bench::new();
    ingested(&mut bench, &[]);
    let service = Service::start(|asked| (200, json!({ "results": [], "model": asked.body["model"] })));
    for (url, expected) in [
        (NOBODY.to_owned(), "/v1/rerank does not answer (attempts: 1)"),
        (service.url(), "/v1/rerank gives an answer that cannot be used: expected"),
    ] {
        let config = reranker(&bench, &url);
        let ran = bench.run(&["search", "Anna", "--config", &config]).expect_exit(Exit::BadInput);
        assert!(ran.errors.contains(&format!("{url}{expected}")) && ran.output.is_empty(), "{ran:?}");
        bench.done(&["facts", "--config", &config]);
        bench.run(&["search", "zzz", "--config", &config]).expect_exit(Exit::No);
    }
}

#[test]
fn a_configuration_that_means_nothing_is_refused_by_every_command() {
    let mut bench = Bench::new();
    ingested(&mut bench, &[]);
    for (text, expected) in [
        (
            "[embedder]\nkind = \"endpoint\"\nurl = 5\nmodel = \"m\"",
            ":3: [embedder]: invalid type: integer `5`, expected a string in `url`",
        ),
        (
            "[embedder]\nkind = \"endpoint\"\nurl = \"\"\nmodel = \"m\"\nkey = \"sk-0123\"",
            ":5: [embedder]: unknown field `key`, expected one of `url`",
        ),
        (
            "[embedder]\nkind = \"endpoint\"\nurl = \"http://a\"\nmodel = \"m\"\nkey_env = \"BYGONE_NO_SUCH_KEY\"",
            ":1: [embedder]: expected the environment variable BYGONE_NO_SUCH_KEY",
        ),
        ("kind = ", ":1: "),
    ] {
        let config = bench.file("wrong.toml", text);
        for words in [&["search", "Anna"][..], &["facts"], &["timex", "yesterday"]] {
            let ran = bench.run(&[words, &["--config", &config]].concat()).expect_exit(Exit::BadInput);
            assert!(ran.errors.starts_with(&format!("bygone: {config}{expected}")), "{ran:?}");
            assert!(ran.output.is_empty() && !ran.errors.contains("sk-0123"), "{ran:?}");
        }
    }
    let none = text_of(&bench.path("none.toml"));
    let ran = bench.run(&["facts", "--config", &none]).expect_exit(Exit::BadInput);
    assert!(ran.errors.contains(&none), "{ran:?}");
}

/// Runs the program itself, which has an environment of its own.
fn program(bench: &Bench, words: &[&str], variables: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bygone"))
        .args(words)
        .env("BYGONE_STORE", bench.store())
        .envs(variables.iter().copied())
        .output()
        .expect("the command runs")
}

#[test]
fn a_key_is_sent_from_the_environment_and_never_printed() {
    const KEY: &str = "sk-secret-0123";
    let bench = Bench::new();
    let service = Service::start(|asked| match asked.body["input"][0].as_str() {
        Some("quota") => (400, json!({ "error": { "message": format!("no quota for {KEY}") } })),
        _ => (200, embedded(&asked.body, &GROUPS)),
    });
    let config = endpoint(&bench, &service.url(), "key_env = \"BYGONE_TEST_KEY\"");
    let said = fs_err::read_to_string(&config).expect("it is there");
    let log = bench.file("talk.log", LOG);
    let run = |words: &[&str]| {
        let variables = [("BYGONE_TEST_KEY", KEY), ("BYGONE_CONFIG", config.as_str())];
        let ran = program(&bench, words, &variables);
        for bytes in [&ran.stdout, &ran.stderr] {
            assert!(!String::from_utf8_lossy(bytes).contains(KEY), "{ran:?}");
        }
        ran
    };
    assert!(run(&["ingest", &log]).status.success());
    let found = run(&["search", "wugs", "--json"]);
    assert!(found.status.success(), "{found:?}");
    assert!(String::from_utf8_lossy(&found.stdout).contains("I saw a blicket."), "{found:?}");
    let asked = service.asked();
    assert!(asked.len() > 1);
    for asked in asked {
        assert_eq!(asked.authorization, Some(format!("Bearer {KEY}")));
    }
    let refused = run(&["search", "quota", "--json"]);
    assert_eq!(refused.status.code(), Some(3));
    let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(errors.contains("refuses with status 400 (attempts: 1): no quota for ***"), "{errors}");
    assert!(!said.contains(KEY) && crate::support::files_with(&bench.path(""), KEY.as_bytes()).is_empty());
}

#[test]
fn the_shell_keeps_the_models_it_was_started_with_and_takes_others() {
    let mut bench = Bench::new();
    let service = embedder();
    let config = endpoint(&bench, &service.url(), "");
    ingested(&mut bench, &["--config", &config]);
    let ran = bench.run_with(&["repl", "--config", &config], b"search wugs -k 1\nview\n");
    assert!(ran.output.contains("I saw a blicket.") && ran.output.contains(&config), "{ran:?}");
    let script = format!("facts\nset config {config}\nsearch wugs -k 1\nunset config\nsearch wugs\n");
    let ran = bench.run_with(&["repl"], script.as_bytes()).expect_exit(Exit::BadInput);
    assert_eq!(ran.output.matches("I saw a blicket.").count(), 1, "{ran:?}");
    assert!(ran.errors.contains("`bygone --config FILE reindex`"), "{ran:?}");
}

#[cfg(feature = "onnx")]
mod onnx {
    use super::*;

    /// A field of a protocol buffer that holds bytes: its number, the length in two bytes of seven bits, the bytes.
    fn field(number: u8, bytes: impl AsRef<[u8]>) -> Vec<u8> {
        let bytes = bytes.as_ref();
        let [low, high] =
            [bytes.len() % 128, bytes.len() / 128].map(|part| u8::try_from(part).expect("short"));
        [&[number << 3 | 2, low | 128, high], bytes].concat()
    }

    /// A field that holds a small number.
    fn small(number: u8, value: u8) -> Vec<u8> {
        vec![number << 3, value]
    }

    /// A model of one step (onnx.proto3): a row of two numbers for each piece of the vocabulary.
    fn network(rows: &[[f32; 2]]) -> Vec<u8> {
        let numbers: Vec<u8> = rows.concat().into_iter().flat_map(f32::to_le_bytes).collect();
        let n_rows = u8::try_from(rows.len()).expect("few");
        let table =
            [small(1, n_rows), small(1, 2), small(2, 1), field(8, "table"), field(9, numbers)].concat();
        let step = [field(1, "table"), field(1, "input_ids"), field(2, "out"), field(4, "Gather")].concat();
        let typed = |name: &str, element| [field(1, name), field(2, field(1, small(1, element)))].concat();
        let (input, output) = (field(11, typed("input_ids", 7)), field(12, typed("out", 1)));
        let graph = [field(1, step), field(2, "graph"), field(5, table), input, output].concat();
        [small(1, 8), field(8, small(2, 17)), field(7, graph)].concat()
    }

    #[test]
    fn a_model_in_a_file_beside_the_configuration_makes_the_vectors() {
        let mut bench = Bench::new();
        let pieces = "[UNK]\n[CLS]\n[SEP]\nblicket\nwugs\ndaxen\n";
        let rows = [[0.0, 0.1], [0.0, 0.1], [0.0, 0.1], [9.0, 0.0], [9.0, 0.0], [-9.0, 0.0]];
        bench.file("models/tiny.onnx", network(&rows));
        bench.file("models/vocab.txt", pieces);
        let config = "[embedder]\nkind = \"onnx\"\nfile = \"tiny.onnx\"\nvocabulary = \"vocab.txt\"\n";
        let config = bench.file("models/models.toml", config);
        let config = ["--config", config.as_str()];
        assert_eq!(ingested(&mut bench, &config).errors, "");
        let hit = first(&bench.done(&[&["search", "wugs", "--json"], &config[..]].concat()));
        assert_eq!(hit["text"], "I saw a blicket.");

        fs_err::remove_file(bench.path("models/tiny.onnx")).expect("it is there");
        bench.close();
        let ran = bench.run(&[&["search", "wugs"], &config[..]].concat()).expect_exit(Exit::BadInput);
        assert!(ran.errors.contains("tiny.onnx") && ran.errors.contains("cannot be used"), "{ran:?}");
        bench.done(&[&["facts"], &config[..]].concat());
    }
}

#[cfg(not(feature = "onnx"))]
#[test]
fn a_model_in_a_file_is_refused_where_it_is_not_built_in() {
    let mut bench = Bench::new();
    let config = bench.file("models.toml", "[embedder]\nkind = \"onnx\"\nfile = \"tiny.onnx\"\n");
    let ran = bench.run(&["init", "--config", &config]).expect_exit(Exit::BadInput);
    assert!(ran.errors.contains(&config) && ran.errors.contains("--features bygone/onnx"), "{ran:?}");
}
