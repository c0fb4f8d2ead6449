//! Secrets that were planted in transcripts of several formats are nowhere in the store: not in a record of any table,
//! not in a file, not in the index, not in what commands print.

use bygone_engine::backend::{Backend, Rocks, Table};

use crate::support::Bench;

/// Returns so many letters and digits, others for each number.
fn random(number: usize, n: usize, alphabet: &[u8]) -> String {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(number as u64 + 1);
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(alphabet[usize::try_from(state >> 33).expect("31 bits") % alphabet.len()])
    };
    (0..n).map(|_| letter()).collect()
}

const MIXED: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const HEX: &[u8] = b"0123456789abcdef";
const CAPITALS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// The secrets, and the words that they are told in, `@` for the secret.
fn planted() -> Vec<(String, &'static str)> {
    let mixed = |number, n| random(number, n, MIXED);
    vec![
        (format!("AKIA{}", random(0, 16, CAPITALS)), "the id is @"),
        (mixed(1, 40), "aws_secret_access_key = @"),
        (format!("ghp_{}", mixed(2, 36)), "push with @"),
        (format!("github_pat_{}", mixed(3, 60)), "or with @"),
        (format!("glpat-{}", mixed(4, 20)), "pull with @"),
        (format!("xoxb-123456789012-{}", mixed(5, 24)), "the bot has @"),
        (format!("T0123ABCD/B0123ABCD/{}", mixed(6, 24)), "post to https://hooks.slack.com/services/@"),
        (format!("sk_live_{}", mixed(7, 24)), "pay with @"),
        (format!("AIza{}", mixed(8, 35)), "maps with @"),
        (format!("GOCSPX-{}", mixed(9, 28)), "log in with @"),
        (format!("sk-proj-{}", mixed(10, 48)), "complete with @"),
        (format!("sk-ant-api03-{}", mixed(11, 60)), "talk with @"),
        (format!("eyJ{}.eyJ{}.{}", mixed(12, 20), mixed(13, 40), mixed(14, 43)), "the session is @"),
        (format!("npm_{}", mixed(15, 36)), "publish with @"),
        (format!("SG.{}.{}", mixed(16, 22), mixed(17, 43)), "send with @"),
        (format!("SK{}", random(18, 32, HEX)), "call with @"),
        (format!("{}==", mixed(19, 86)), "AccountName=a;AccountKey=@;EndpointSuffix=core.windows.net"),
        (mixed(20, 14), "postgres://anna:@@db.internal/tally"),
        (mixed(21, 12), "password=@"),
        (random(22, 32, HEX), "Authorization: Bearer @"),
        ("YW5uYTpodW50ZXIyMDAw".to_owned(), "Authorization: Basic @"),
        (mixed(23, 64), "-----BEGIN PRIVATE KEY-----\n@\n-----END PRIVATE KEY-----"),
    ]
}

/// Transcripts that hold all secrets, each where the format keeps what was said, called, returned, or could not be read.
fn transcripts(bench: &Bench, told: &[String]) -> Vec<String> {
    let json = |text: &str| serde_json::Value::from(text).to_string();
    let all = told.join("\n\n");
    let arguments = serde_json::json!({ "command": format!("echo '{all}'"), "env": { "NOTE": all } });
    let claude = [
        format!(
            r#"{{"type":"user","sessionId":"s1","uuid":"u1","timestamp":"2025-01-01T10:00:00Z","message":{{"role":"user","content":{}}}}}"#,
            json(&all)
        ),
        format!(
            r#"{{"type":"assistant","sessionId":"s1","uuid":"u2","parentUuid":"u1","timestamp":"2025-01-01T10:00:01Z","message":{{"role":"assistant","content":[{{"type":"text","text":{}}},{{"type":"tool_use","id":"t1","name":"Bash","input":{arguments}}}]}}}}"#,
            json(&all)
        ),
        format!(
            r#"{{"type":"user","sessionId":"s1","uuid":"u3","parentUuid":"u2","timestamp":"2025-01-01T10:00:02Z","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t1","content":{}}}]}},"toolUseResult":{{"stdout":{},"stderr":""}}}}"#,
            json(&all),
            json(&all)
        ),
        // Cut off in the middle of a string.
        format!(
            r#"{{"type":"user","sessionId":"s1","uuid":"u4","message":{{"role":"user","content":{}"#,
            json(&all)
        ),
    ];
    let openai = format!(
        r#"{{"messages":[{{"role":"user","content":{}}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"c1","type":"function","function":{{"name":"shell","arguments":{}}}}}]}},{{"role":"tool","tool_call_id":"c1","content":{}}}]}}"#,
        json(&all),
        json(&arguments.to_string()),
        json(&all)
    );
    let turn = |(n, text): (usize, &String)| format!("2025-02-01 10:00:{n:02} Anna: {text}\n");
    // There is no such day.
    let unreadable = format!("2025-02-30 10:00:00 Anna: {}\n", told[2]);
    let plain: String = told.iter().enumerate().map(turn).chain([unreadable]).collect();
    let statement = |(n, text): (usize, &String)| {
        let object = json(text);
        let line = format!(
            r#"{{"subject":"person:Anna","predicate":"said","object":{{"text":{object}}},"known_at":"2025-01-01","source":"notes#{n}"}}"#
        );
        line + "\n"
    };
    let facts: String = told.iter().enumerate().map(statement).collect();
    vec![
        bench.file("in/claude.jsonl", claude.join("\n") + "\n"),
        bench.file("in/openai.jsonl", openai + "\n"),
        bench.file("in/plain.txt", plain),
        bench.file("in/facts.jsonl", facts),
    ]
}

/// Returns the secrets of which bytes hold a stretch: six bytes from the middle on.
fn held(bytes: &[u8], secrets: &[String]) -> Vec<String> {
    let holds = |stretch: &str| bytes.windows(stretch.len()).any(|window| window == stretch.as_bytes());
    secrets.iter().filter(|secret| holds(&secret[secret.len() / 2..][..6])).cloned().collect()
}

#[test]
fn no_planted_secret_reaches_the_store() {
    let planted = planted();
    let told: Vec<String> = planted
        .iter()
        .map(|(secret, words)| {
            let (before, after) = words.split_once('@').expect("a place for the secret");
            format!("{before}{secret}{after}")
        })
        .collect();
    let secrets: Vec<String> = planted.into_iter().map(|(secret, _)| secret).collect();
    let mut bench = Bench::new();
    let mut files = transcripts(&bench, &told);
    // In the name of a file and of whom it is by, too.
    let (file_secret, speaker_secret) = (&secrets[2], &secrets[4]);
    files.push(bench.file(
        &format!("in/{file_secret}.txt"),
        format!("2025-03-01 10:00 {speaker_secret}: I live in Oslo.\n"),
    ));
    let mut words = vec!["ingest", "--json"];
    words.extend(files.iter().map(String::as_str));
    let receipt = bench.done(&words).row();
    assert!(receipt["redacted"].as_u64().is_some_and(|n| n > 150), "{receipt}");
    assert_eq!(held(receipt.to_string().as_bytes(), &secrets), [] as [String; 0], "the receipt quotes none");
    assert!(receipt["quarantined"].as_u64().is_some_and(|n| n >= 1), "{receipt}");

    for secret in &secrets {
        for command in ["search", "context"] {
            let budget: &[&str] = if command == "context" { &["--budget", "2000"] } else { &[] };
            let ran = bench.run(&[&[command, secret.as_str()], budget].concat());
            // The heading of a context says what was asked for.
            let heading = format!("What is remembered about {secret:?}:");
            let told: Vec<&str> = ran.output.lines().filter(|line| *line != heading).collect();
            assert_eq!(held(told.join("\n").as_bytes(), &secrets), [] as [String; 0], "{command} {secret}");
        }
    }
    let exported = bench.done(&["export"]).output;
    assert_eq!(held(exported.as_bytes(), &secrets), [] as [String; 0]);
    bench.close();

    let backend = Rocks::open(&bench.store(), false, "a test").expect("the store is there");
    let image = backend.snapshot();
    let mut n_rows = 0;
    for &table in Table::ALL {
        for pair in image.scan_prefix(table, b"") {
            let (key, value) = pair.expect("the store is read");
            n_rows += 1;
            let row = [key, value].concat();
            assert_eq!(
                held(&row, &secrets),
                [] as [String; 0],
                "{table:?}: {}",
                String::from_utf8_lossy(&row)
            );
        }
    }
    assert!(n_rows > 50, "{n_rows}");
    drop(image);
    drop(backend);
    for path in every_file(&bench.store()) {
        let bytes = fs_err::read(&path).expect("a file");
        assert_eq!(held(&bytes, &secrets), [] as [String; 0], "{}", path.display());
    }
}

fn every_file(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs_err::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { every_file(&path) } else { vec![path] }).collect()
}

#[test]
fn who_says_so_keeps_secrets() {
    let mut bench = Bench::new();
    let secret = format!("ghp_{}", random(1, 36, MIXED));
    let file = bench.file("log.txt", format!("2025-03-01 10:00 Anna: use {secret}\n"));
    for option in ["--keep-secrets", "--no-redact"] {
        let receipt = bench.done(&["ingest", "--json", "--space", &option[2..], option, &file]).row();
        assert_eq!(receipt["redacted"], 0, "{option}");
        let found = bench.done(&["search", "--space", &option[2..], "use"]);
        assert!(found.output.contains(&secret), "{option}: {found:?}");
    }
}
