//! Copies of a store, stores made of them, and what the doctor says of either.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::support::{Bench, list, text_of};
use bygone::Exit;
use serde_json::{Value, json};

fn statement(nth: usize) -> String {
    json!({
        "subject": format!("person:P{}", nth % 7), "predicate": "works_at",
        "object": { "entity": format!("org:O{}", nth % 5) },
        "from": format!("20{:02}", 10 + nth % 14), "known_at": format!("2024-03-{:02}T12:00:00Z", 1 + nth % 28),
        "source": format!("log#{nth}"),
    })
    .to_string()
}

/// A store with statements in two spaces, turns and a checkpoint.
fn filled() -> Bench {
    let mut bench = Bench::new();
    let lines: Vec<String> = (0..200).map(statement).collect();
    bench.assert_lines("default", &lines);
    bench.assert_lines("other", &lines[..40]);
    let talk = bench.file("talk.txt", "2024-03-01 10:00:00 Anna: I moved to Lisbon.\n");
    bench.done(&["ingest", &talk]);
    bench.run_with(&["checkpoint", "put", "run", "-", "--by-agent", "scout"], b"{\"step\":1}");
    bench
}

fn exports(bench: &mut Bench) -> [String; 2] {
    ["default", "other"].map(|space| bench.export(space))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs_err::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

#[test]
fn a_store_made_of_a_copy_is_the_store_that_was_copied() {
    let mut bench = filled();
    let before = exports(&mut bench);
    let copy = text_of(&bench.path("copy"));
    let told = bench.done(&["backup", &copy, "--json"]).row();
    assert_eq!(told["folder"], copy);
    assert!(told["files"].as_u64() > Some(0) && told["bytes"].as_u64() > Some(0), "{told}");

    // What comes later is not in it.
    bench.assert_lines("default", &[statement(1_000)]);
    let restored = text_of(&bench.path("restored"));
    let again = bench.done(&["--store", &restored, "restore", &copy, "--json"]).row();
    assert_eq!((&again["seq"], &again["at"]), (&told["seq"], &told["at"]));
    assert_eq!(again["store"], restored);
    let export = |bench: &mut Bench, space: &str| {
        bench.done(&["--store", &restored, "export", "--space", space]).output
    };
    assert_eq!(["default", "other"].map(|space| export(&mut bench, space)), before);
    bench.done(&["--store", &restored, "verify"]);
    let found = bench.done(&["--store", &restored, "search", "Lisbon", "--json"]);
    assert!(found.output.contains("I moved to Lisbon."), "{found:?}");
    // It is a store of its own, and the copy one more.
    bench.done(&["--store", &restored, "erase", "--session", "log"]);
    let third = text_of(&bench.path("third"));
    bench.done(&["--store", &third, "restore", &copy]);
    assert_eq!(bench.done(&["--store", &third, "export"]).output, before[0]);
}

#[test]
fn nothing_is_copied_over() {
    let mut bench = filled();
    let copy = text_of(&bench.path("copy"));
    bench.done(&["backup", &copy]);
    for words in [&["backup", copy.as_str()][..], &["restore", copy.as_str()]] {
        let ran = bench.run(words).expect_exit(Exit::BadInput);
        assert!(ran.errors.contains("there is something at"), "{ran:?}");
    }
    let file = bench.file("file", "text");
    bench.run(&["backup", &file]).expect_exit(Exit::BadInput);
    // An empty folder is as good as none.
    let empty = bench.path("empty");
    fs_err::create_dir(&empty).expect("a folder");
    bench.done(&["backup", &text_of(&empty)]);
    for folder in ["copy", "empty"] {
        let names: Vec<PathBuf> = files(&bench.path(folder));
        assert_eq!(names, ["BACKUP", "files"].map(|name| bench.path(folder).join(name)));
    }
}

#[test]
fn a_copy_lies_outside_of_what_it_is_made_of() {
    let mut bench = filled();
    let copy = text_of(&bench.path("copy"));
    bench.done(&["backup", &copy]);
    let within = |bench: &Bench, name: &str| text_of(&bench.store().join(name));
    fs_err::os::unix::fs::symlink(bench.store(), bench.path("link")).expect("a link");
    let through_link = text_of(&bench.path("link/copy"));
    for folder in
        [within(&bench, "copy"), within(&bench, "data/copy"), within(&bench, "new/copy"), through_link]
    {
        let ran = bench.run(&["backup", &folder]).expect_exit(Exit::BadInput);
        assert!(ran.errors.contains("name a folder outside of it"), "{ran:?}");
        assert!(!Path::new(&folder).exists());
    }
    let inside = text_of(&bench.path("copy/store"));
    let ran = bench.run(&["--store", &inside, "restore", &copy]).expect_exit(Exit::BadInput);
    assert!(ran.errors.contains("name a folder outside of it"), "{ran:?}");
    bench.done(&["verify"]);
    bench.done(&["--store", &text_of(&bench.path("restored")), "restore", &copy]);
}

#[test]
fn what_lies_beside_a_copy_is_not_removed() {
    let mut bench = filled();
    let copy = text_of(&bench.path("copy"));
    bench.done(&["backup", &copy]);
    for words in [&["backup", "NEXT"][..], &["--store", "NEXT", "restore", &copy]] {
        let next = text_of(&bench.path("next"));
        let words: Vec<&str> =
            words.iter().map(|word| if *word == "NEXT" { next.as_str() } else { word }).collect();
        let precious = bench.file("next.new/precious", "x");
        let ran = bench.run(&words).expect_exit(Exit::BadInput);
        assert!(ran.errors.contains("next.new\" is in the way"), "{ran:?}");
        assert!(Path::new(&precious).exists() && !Path::new(&next).exists());
        fs_err::remove_dir_all(bench.path("next.new")).expect("it is there");
        bench.done(&words);
        bench.close();
        fs_err::remove_dir_all(&next).expect("it is there");
    }
    // One that fails leaves nothing.
    let list = bench.path("copy/files/CURRENT");
    fs_err::write(&list, "MANIFEST").expect("a file");
    bench.run(&["--store", &text_of(&bench.path("next")), "restore", &copy]).expect_exit(Exit::Corrupt);
    assert!(!bench.path("next.new").exists() && !bench.path("next").exists());
}

#[test]
fn links_lead_to_an_empty_folder_or_are_something() {
    let mut bench = filled();
    fs_err::os::unix::fs::symlink(bench.path("nowhere"), bench.path("dangling")).expect("a link");
    let ran = bench.run(&["backup", &text_of(&bench.path("dangling"))]).expect_exit(Exit::BadInput);
    assert!(ran.errors.contains("there is something at"), "{ran:?}");
    assert!(!bench.path("dangling.new").exists() && !bench.path("nowhere").exists());
    fs_err::create_dir(bench.path("empty")).expect("a folder");
    fs_err::os::unix::fs::symlink(bench.path("empty"), bench.path("link")).expect("a link");
    bench.done(&["backup", &text_of(&bench.path("link"))]);
    assert!(bench.path("empty/BACKUP").exists() && bench.path("link").is_symlink());
}

#[test]
fn a_copy_admits_no_more_than_its_store_and_is_opened_by_nobody() {
    let mut bench = filled();
    let mode = |path: &Path| fs_err::metadata(path).expect("a folder").permissions().mode() & 0o777;
    fs_err::set_permissions(bench.store(), Permissions::from_mode(0o700)).expect("it is ours");
    let copy = bench.path("copy");
    bench.done(&["backup", &text_of(&copy)]);
    assert_eq!(mode(&copy), 0o700);
    let restored = bench.path("restored");
    bench.done(&["--store", &text_of(&restored), "restore", &text_of(&copy)]);
    assert_eq!(mode(&restored), 0o700);
    // As a store it would change.
    for words in [&["stats"][..], &["init"], &["cursor", "set", "a", "1"]] {
        let ran = bench.run(&[&["--store", &text_of(&copy)], words].concat()).expect_exit(Exit::BadInput);
        assert!(ran.errors.contains("is not a Bygone store"), "{ran:?}");
    }
    let row = bench.run(&["--store", &text_of(&copy), "doctor", "--json"]).expect_exit(Exit::Corrupt).row();
    assert_eq!(row["run"], format!("bygone --store NEW restore {}", text_of(&copy)));
    bench.done(&["--store", &text_of(&bench.path("once more")), "restore", &text_of(&copy)]);
}

#[test]
fn a_copy_that_is_not_as_it_was_written_makes_no_store() {
    let mut bench = filled();
    let copy = bench.path("copy");
    bench.done(&["backup", &text_of(&copy)]);
    let restored = bench.path("restored");
    let refused = |bench: &mut Bench, what: &str| {
        let store = text_of(&restored);
        let ran = bench.run(&["--store", &store, "restore", &text_of(&copy)]);
        assert_eq!(ran.exit, Exit::Corrupt, "{what}: {ran:?}");
        assert!(!restored.exists(), "{what}");
    };
    for path in files(&copy.join("files")) {
        let whole = fs_err::read(&path).expect("a file");
        let mut flipped = whole.clone();
        let Some(byte) = flipped.get_mut(whole.len() / 2) else { continue };
        *byte ^= 4;
        for bytes in [&flipped[..], &whole[..whole.len() - 1]] {
            fs_err::write(&path, bytes).expect("a file");
            refused(&mut bench, &text_of(&path));
        }
        fs_err::remove_file(&path).expect("it is there");
        refused(&mut bench, &text_of(&path));
        fs_err::write(&path, whole).expect("a file");
    }
    let list_file = copy.join("BACKUP");
    let whole = fs_err::read_to_string(&list_file).expect("the list");
    for (from, to) in
        [("\"CURRENT\"", "\"../../outside\""), ("\"seq\": ", "\"seq\": 1"), ("{", "{\"more\": 1,")]
    {
        fs_err::write(&list_file, whole.replacen(from, to, 1)).expect("the list");
        refused(&mut bench, to);
    }
    fs_err::write(&list_file, &whole[..whole.len() / 2]).expect("the list");
    refused(&mut bench, "half a list");
    fs_err::write(&list_file, whole).expect("the list");
    bench.done(&["--store", &text_of(&restored), "restore", &text_of(&copy)]);
}

#[test]
fn what_is_no_copy_is_told() {
    let mut bench = filled();
    let store = text_of(&bench.store());
    let file = bench.file("file", "text");
    for folder in [store, file, text_of(&bench.path("nowhere"))] {
        let new = text_of(&bench.path("new"));
        let ran = bench.run(&["--store", &new, "restore", &folder]).expect_exit(Exit::BadInput);
        assert!(ran.errors.contains("is no backup"), "{ran:?}");
    }
    let none = text_of(&bench.path("none"));
    let ran = bench.run(&["--store", &none, "backup", &text_of(&bench.path("copy"))]);
    assert_eq!(ran.exit, Exit::BadInput, "{ran:?}");
    assert!(!bench.path("copy").exists());
}

fn states(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["state"].as_str().expect("a state")).collect()
}

#[test]
fn the_doctor_says_what_is_wrong_and_what_helps() {
    let mut bench = filled();
    let none = text_of(&bench.path("none"));
    let rows = bench.run(&["--store", &none, "doctor", "--json"]).expect_exit(Exit::Corrupt).rows();
    assert_eq!((rows[0]["state"].as_str(), rows[0]["run"].as_str()), (Some("fault"), Some("bygone init")));

    let rows = bench.done(&["doctor", "--json"]).rows();
    assert!(!states(&rows).contains(&"fault"), "{rows:?}");
    let sound = rows.iter().filter(|row| row["state"] == "ok").count();
    assert_eq!(sound, 4, "the format, two spaces and the indexes: {rows:?}");

    let broken = bench.file("broken.jsonl", "{\"subject\": \"person:Ann\", \"predica\n");
    bench.run(&["assert", &broken]);
    let left = bench.path("store.new");
    fs_err::create_dir(&left).expect("a folder");
    let rows = bench.done(&["doctor", "--json"]).rows();
    let notes: Vec<&Value> = rows.iter().filter(|row| row["state"] == "note").collect();
    assert!(notes.iter().any(|row| row["what"] == "space default: 1 record set aside, since unreadable"));
    assert!(notes.iter().any(|row| row["run"].as_str().is_some_and(|run| run.contains("store.new"))));

    // Compacted, so that everything stands in files.
    bench.done(&["erase", "--session", "log"]);
    bench.close();
    for path in files(&bench.store().join("data")) {
        if path.extension().is_some_and(|end| end == "sst") {
            let mut bytes = fs_err::read(&path).expect("a file");
            bytes[..64].fill(7);
            fs_err::write(&path, bytes).expect("a file");
        }
    }
    let rows = bench.run(&["doctor", "--json"]).expect_exit(Exit::Corrupt).rows();
    assert_eq!(rows[0]["state"], "fault", "the worst comes first: {rows:?}");
    assert!(rows[0]["run"].as_str().is_some_and(|run| run.contains("restore")), "{rows:?}");
    let lines = bench.run(&["doctor"]).expect_exit(Exit::Corrupt).output;
    assert!(lines.starts_with("fault  ") && lines.contains("; run: "), "{lines}");
    assert!(list(&json!(rows)).len() > 1);
}
