//! Does the repository keep its own rules: who names whom, that written paths and links lead somewhere, that every
//! file opens with what it is for?
//!
//! Reads the working copy as it lies there, committed or not; builds nothing and changes nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The workspace's packages from the bottom up, each with those of ours that it may name, for whatever purpose.
const MAY_NAME: [(&str, &[&str]); 7] = [
    ("bygone-engine", &[]),
    ("bygone-ontology", &["bygone-engine"]),
    ("bygone-ingest", &["bygone-engine", "bygone-ontology"]),
    ("bygone-query", &["bygone-engine", "bygone-ontology"]),
    ("bygone-eval", &BELOW_THE_EDGE),
    ("bygone-benches", &BELOW_THE_EDGE),
    ("bygone", &["bygone-engine", "bygone-ontology", "bygone-ingest", "bygone-query", "bygone-eval"]),
];

const BELOW_THE_EDGE: [&str; 4] = ["bygone-engine", "bygone-ontology", "bygone-ingest", "bygone-query"];

/// The documents whose paths are promises.
const DOCUMENTS_OF_PATHS: [&str; 2] = ["ARCHITECTURE.md", "CONTRIBUTING.md"];

/// Folders that hold nothing we wrote: git's own, what is built, and the default store.
const NOT_OURS: [&str; 3] = [".git", "target", "bygone.db"];

#[test]
fn a_crate_names_only_crates_below_it() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    report("crates name what they may not", &edges_upwards(&metadata));
}

#[test]
fn paths_in_the_documents_exist() {
    let mut problems = Vec::new();
    for document in DOCUMENTS_OF_PATHS {
        let Ok(text) = fs_err::read_to_string(root().join(document)) else {
            problems.push(format!("{document}: is missing"));
            continue;
        };
        for (line, path) in paths_in_backticks(&text) {
            if !root().join(&path).exists() {
                problems.push(format!("{document}:{line}: {path} does not exist"));
            }
        }
    }
    report("documents name paths that are not there", &problems);
}

#[test]
fn no_file_names_a_folder_of_somebodys_machine() {
    let mut problems = Vec::new();
    for path in files() {
        let bytes = fs_err::read(root().join(&path)).expect("a file just listed can be read");
        for (index, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
            if let Some(found) = machine_path(line) {
                problems.push(format!("{}:{}: {found}", path.display(), index + 1));
            }
        }
    }
    report("files name paths that exist on one machine only", &problems);
}

#[test]
fn every_source_file_opens_with_what_it_is_for() {
    let problems: Vec<String> = files_ending_in("rs")
        .into_iter()
        .filter(|(_, text)| !text.starts_with("//!"))
        .map(|(path, _)| format!("{}: does not start with //!", path.display()))
        .collect();
    report("source files do not say what they are for", &problems);
}

#[test]
fn every_file_of_tests_is_part_of_their_program() {
    let all = files_ending_in("rs");
    let mut problems = Vec::new();
    for folder in ["cli/tests", "eval/tests"] {
        let main = fs_err::read_to_string(root().join(folder).join("main.rs")).expect("the tests' main file");
        for (path, _) in all.iter().filter(|(path, _)| path.parent() == Some(Path::new(folder))) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            if name != "main" && !main.contains(&format!("mod {name};")) {
                problems.push(format!("{}: main.rs does not name it, so that it never runs", path.display()));
            }
        }
    }
    report("tests are left out", &problems);
}

#[test]
fn relative_links_lead_somewhere() {
    let mut problems = Vec::new();
    for (path, text) in files_ending_in("md") {
        // Fixtures are other people's words.
        if path.components().any(|part| part.as_os_str() == "fixtures") {
            continue;
        }
        let folder = root().join(path.parent().unwrap_or(Path::new("")));
        for (line, target) in relative_links(&text) {
            if !folder.join(&target).exists() {
                problems.push(format!("{}:{line}: {target} does not exist", path.display()));
            }
        }
    }
    report("links lead nowhere", &problems);
}

/// Returns what is wrong with the edges between our packages, as `cargo metadata --no-deps` tells them.
fn edges_upwards(metadata: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut problems = Vec::new();
    let packages = list(&metadata["packages"]);
    for (name, _) in MAY_NAME {
        if !packages.iter().any(|package| package["name"] == name) {
            problems.push(format!("{name}: is not in the workspace"));
        }
    }
    for package in &packages {
        let name = text(&package["name"]);
        let Some((_, allowed)) = MAY_NAME.iter().find(|(known, _)| *known == name) else {
            problems.push(format!("{name}: has no place in the order of crates; give it one here"));
            continue;
        };
        for dependency in list(&package["dependencies"]) {
            let named = text(&dependency["name"]);
            let ours = MAY_NAME.iter().any(|(known, _)| *known == named);
            if ours && !allowed.contains(&named.as_str()) {
                let kind = dependency["kind"].as_str().unwrap_or("normal");
                problems.push(format!("{name}: names {named} ({kind} dependency)"));
            }
        }
    }
    problems
}

/// Returns the code spans of a Markdown text that read as paths in the repository, with their lines.
///
/// `a/{b,c}` stands for two paths, and of `a/*.rs` only the folder is asked for. A command counts by its first word.
fn paths_in_backticks(text: &str) -> Vec<(usize, String)> {
    let mut paths = Vec::new();
    for (line, content) in prose_lines(text) {
        for span in content.split('`').skip(1).step_by(2) {
            let Some(word) = span.split_whitespace().next() else {
                continue;
            };
            if is_path(word) {
                let all = expand_braces(word).into_iter();
                paths.extend(all.map(|path| (line, before_wildcard(&path).to_owned())));
            }
        }
    }
    paths
}

fn is_path(word: &str) -> bool {
    let known_ending = [".rs", ".toml", ".md"].iter().any(|ending| word.ends_with(ending));
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./{},*".contains(c);
    let made = NOT_OURS.contains(&word.trim_start_matches("./").split('/').next().unwrap_or_default());
    word.chars().all(plain)
        && (word.contains('/') || known_ending)
        && !word.starts_with(['/', '-'])
        && !word.starts_with("*.")
        && !made
}

fn expand_braces(path: &str) -> Vec<String> {
    match path.split_once('{').and_then(|(head, rest)| {
        let (middle, tail) = rest.split_once('}')?;
        Some((head, middle, tail))
    }) {
        Some((head, middle, tail)) => {
            let one = |part: &str| format!("{head}{part}{tail}");
            middle.split(',').map(one).collect()
        }
        None => vec![path.to_owned()],
    }
}

fn before_wildcard(path: &str) -> &str {
    match path.split_once('*') {
        Some((head, _)) => head.rsplit_once('/').map_or("", |(folder, _)| folder),
        None => path,
    }
}

/// Returns the targets of a Markdown text's links that stay inside the repository, without their anchors, with their
/// lines.
fn relative_links(text: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    for (line, content) in prose_lines(text) {
        let outside_code: String = content.split('`').step_by(2).collect();
        let inline = outside_code.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        let definition = outside_code.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
        let targets = inline.map(|(target, _)| target).chain(definition.map(|(_, target)| target));
        for target in targets {
            let target = target.split_whitespace().next().unwrap_or_default();
            let target = target.trim_start_matches('<').trim_end_matches('>');
            let path = target.split('#').next().unwrap_or_default();
            let has_scheme = target.split_once(':').is_some_and(|(scheme, _)| !scheme.contains('/'));
            if !path.is_empty() && !has_scheme {
                links.push((line, path.to_owned()));
            }
        }
    }
    links
}

/// Returns the lines of a Markdown text that stand outside fenced code, numbered from 1.
fn prose_lines(text: &str) -> Vec<(usize, &str)> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            lines.push((index + 1, line));
        }
    }
    lines
}

/// Returns the absolute path into a folder of somebody's machine that a line names, if it names one.
fn machine_path(line: &str) -> Option<&str> {
    ["root", "work"].iter().find_map(|folder| {
        // Put together here, so that this file does not name what it looks for.
        let pattern = format!("/{folder}/");
        line.match_indices(&pattern).find_map(|(start, _)| {
            let before = line[..start].chars().next_back();
            let inside_a_path = before.is_some_and(|c| c.is_alphanumeric() || "._-~/{}".contains(c));
            let tail = &line[start..];
            let end = tail.find(|c: char| c.is_whitespace() || "\"'`)".contains(c));
            (!inside_a_path).then(|| &tail[..end.unwrap_or(tail.len())])
        })
    })
}

fn root() -> &'static Path {
    let cli = Path::new(env!("CARGO_MANIFEST_DIR"));
    cli.parent().expect("the crate lies in the workspace")
}

/// Returns every file of the working copy that is ours, relative to its root and sorted.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs_err::read_dir(&folder).expect("a folder of the working copy can be read") {
            let entry = entry.expect("an entry of the working copy can be read");
            let kind = entry.file_type().expect("an entry has a type");
            if kind.is_file() {
                let path = entry.path();
                let relative = path.strip_prefix(root()).expect("the walk starts at the root");
                files.push(relative.to_owned());
            } else if kind.is_dir() && !NOT_OURS.iter().any(|name| entry.file_name() == *name) {
                folders.push(entry.path());
            }
        }
    }
    files.sort();
    files
}

/// Returns the files with an ending and what they hold.
fn files_ending_in(ending: &str) -> Vec<(PathBuf, String)> {
    let with_text = |path: PathBuf| {
        let bytes = fs_err::read(root().join(&path)).expect("a file just listed can be read");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        (path, text)
    };
    files()
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == ending))
        .map(with_text)
        .collect()
}

/// Fails with every problem at once.
fn report(what: &str, problems: &[String]) {
    assert!(problems.is_empty(), "{what}:\n  {}", problems.join("\n  "));
}

/// The checks themselves must be able to fail.
mod checks {
    use serde_json::{Value, json};

    use super::{MAY_NAME, edges_upwards, machine_path, paths_in_backticks, relative_links};

    /// The workspace with one edge more, and nothing else in it.
    fn workspace_with(from: &str, to: &str, kind: &str) -> Value {
        let package = |(name, _): (&str, &[&str])| {
            let extra = json!([{ "name": to, "kind": kind }, { "name": "serde", "kind": null }]);
            json!({ "name": name, "dependencies": if name == from { extra } else { json!([]) } })
        };
        json!({ "packages": MAY_NAME.map(package) })
    }

    #[test]
    fn an_edge_upwards_or_sideways_is_found() {
        for (from, to) in [
            ("bygone-engine", "bygone-ontology"),
            ("bygone-ontology", "bygone-query"),
            ("bygone-ingest", "bygone-query"),
            ("bygone-query", "bygone-ingest"),
            ("bygone-eval", "bygone"),
            ("bygone-eval", "bygone-benches"),
            ("bygone-benches", "bygone-eval"),
            ("bygone", "bygone-benches"),
        ] {
            for kind in ["dev", "build"] {
                let problems = edges_upwards(&workspace_with(from, to, kind));
                assert_eq!(problems, [format!("{from}: names {to} ({kind} dependency)")]);
            }
        }
        for (from, to) in
            [("bygone-query", "bygone-ontology"), ("bygone-eval", "bygone-ingest"), ("bygone", "bygone-eval")]
        {
            assert_eq!(edges_upwards(&workspace_with(from, to, "dev")), [""; 0]);
        }
    }

    #[test]
    fn a_crate_without_a_place_and_a_place_without_a_crate_are_found() {
        let problems =
            edges_upwards(&json!({ "packages": [{ "name": "bygone-extra", "dependencies": [] }] }));
        assert_eq!(problems.len(), MAY_NAME.len() + 1, "{problems:?}");
    }

    #[test]
    fn paths_are_told_from_other_code() {
        let text = "See `engine/src/lib.rs`, `Cargo.toml` and `scripts/test --test tidy`.\n\
                    ```\n`in/a/fence`\n```\n\
                    Not `a::b`, `x > 1`, `[from, to)`, `/v1/query`, `--store`, `*.md`, `./bygone.db`, `cargo fmt`.\n\
                    Both `eval/src/{dataset,metric}/` and `docs/adr/*.md`.";
        let expected = [
            (1, "engine/src/lib.rs"),
            (1, "Cargo.toml"),
            (1, "scripts/test"),
            (6, "eval/src/dataset/"),
            (6, "eval/src/metric/"),
            (6, "docs/adr"),
        ];
        let expected = expected.map(|(line, path)| (line, path.to_owned()));
        assert_eq!(paths_in_backticks(text), expected);
    }

    #[test]
    fn relative_links_are_told_from_others() {
        let text = "[a](docs/a.md), ![b](<b.png> \"title\") and [c](#here), [d](https://example.org/x)\n\
                    [e](mailto:e@example.org) `[f](f.md)` [g](g.md#part)\n\
                    ```\n[h](h.md)\n```\n\
                    [i]: ../i.md";
        let expected = [(1, "docs/a.md"), (1, "b.png"), (2, "g.md"), (6, "../i.md")];
        let expected = expected.map(|(line, path)| (line, path.to_owned()));
        assert_eq!(relative_links(text), expected);
    }

    #[test]
    fn a_machine_path_is_told_from_a_folder_of_that_name() {
        for folder in ["root", "work"] {
            let path = format!("/{folder}/main/x.rs");
            assert_eq!(machine_path(&format!("see \"{path}\".")), Some(path.as_str()));
            assert_eq!(machine_path(&path), Some(path.as_str()));
            for line in [
                format!("src{path}"),
                format!("https://example.org{path}"),
                format!("~{path}"),
                format!("/{folder}"),
            ] {
                assert_eq!(machine_path(&line), None, "{line}");
            }
        }
    }
}
