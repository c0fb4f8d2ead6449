//! Runs as tables, in Markdown: what a document of results is made of, and nothing of it by hand.
//!
//! Invariant: the same runs give the same bytes; every table stands with the runs that it is made of, their hashes and
//! commands, and every share of right answers with its judge.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use super::compare::{Side, compare};
use super::header::{Header, Task};
use super::loaded::Loaded;
use crate::error::EvalError;
use crate::metric::Scores;
use crate::qa::report::name;

const HEAD: &str = "# Results

What `bygone eval report` makes of run files; no figure here is typed by hand.
In brackets stand intervals of 95 %, by a bootstrap over the questions; what is measured is told in [evaluation.md](evaluation.md).
Figures over other data, or by another judge, do not compare.
Whoever runs a command again has a file whose lines, without the header, have the hash that stands here, whatever the machine; that of the whole file tells the machine, too.
";

/// Returns the document.
///
/// # Errors
/// [`EvalError::Incomparable`] where a run has not come to its end.
pub fn markdown(runs: &[Loaded]) -> Result<String, EvalError> {
    if let Some(run) = runs.iter().find(|run| !run.is_complete()) {
        return Err(EvalError::Incomparable(format!("{} was stopped, and can be gone on with", run.name)));
    }
    let mut text = HEAD.to_owned();
    let mut left: Vec<&Loaded> = runs.iter().collect();
    while let Some(first) = left.first().copied() {
        let (same, others): (Vec<&Loaded>, Vec<&Loaded>) =
            left.into_iter().partition(|run| first.header.incomparable(&run.header).is_none());
        left = others;
        section(&mut text, &same);
    }
    Ok(text)
}

/// Writes what runs over the same questions came to.
fn section(text: &mut String, runs: &[&Loaded]) {
    let header = &runs[0].header;
    let judge = name(header.judge.as_ref());
    let of = match (header.task, judge.as_str()) {
        (Task::Retrieval, _) => "retrieval".to_owned(),
        (Task::Answers, Some(judge)) => format!("answers, judged by {judge}"),
        (Task::Answers, None) => "answers, by their words".to_owned(),
    };
    line(text, &format!("\n## {}, {of}\n", title(&header.dataset)));
    let limit =
        header.limit.map_or_else(String::new, |limit| format!(", the first {limit} of them asked for"));
    line(
        text,
        &format!(
            "Data: `{}`, BLAKE3 of what it holds `{}`; {} questions{limit}.",
            header.data.file, header.data.hash, header.questions
        ),
    );
    if let Some(errata) = &header.errata {
        line(text, &format!("Evidence corrected by `{}`, BLAKE3 `{}`.", errata.file, errata.hash));
    }
    if let Some(counted) = &header.counted {
        line(text, &format!("Counted together: {}.", counted.join(", ")));
    }
    for (part, measured) in &header.parts {
        line(text, &format!("\n### {}\n", part_title(part)));
        let roles = measured.roles.join(" and ");
        line(
            text,
            &format!(
                "Documents: each {}, of {roles}; questions: {}.\n",
                measured.granularity, measured.population
            ),
        );
        overall(text, runs, part, judge.as_str());
        by_type(text, runs, part);
        differences(text, runs, part);
    }
    line(text, "\n### Runs\n");
    line(text, "| run | BLAKE3 of the file | of its lines | Bygone | machine |");
    line(text, "|---|---|---|---|---|");
    for run in runs {
        let Header { version, machine, .. } = &run.header;
        let [hash, lines] = [&run.hash, &run.lines_hash].map(|hash| &hash[..16]);
        let name = format!("`{}`", run.name);
        let hashes = [hash, lines].map(|hash| format!("`{hash}…`"));
        let [hash, lines] = hashes;
        row(text, &[name, hash, lines, version.clone(), machine.clone()]);
    }
    line(text, "\n```sh");
    for run in runs {
        line(text, &command(run));
    }
    line(text, "```");
}

/// Writes a row for each system: the scores that are shown, with intervals.
fn overall(text: &mut String, runs: &[&Loaded], part: &str, judge: Option<&str>) {
    let header = &runs[0].header;
    let all: Vec<(&Loaded, &str, Scores)> = each(runs)
        .map(|(run, system)| (run, system, run.scores(part, system, None).1))
        .filter(|(_, _, scores)| scores.n_questions() > 0)
        .collect();
    let shown: Vec<&str> = header
        .shown()
        .iter()
        .copied()
        .filter(|score| all.iter().any(|(_, _, scores)| scores.mean(score).is_some()))
        .collect();
    let heads = shown.iter().map(|score| match (*score, judge) {
        ("right", Some(judge)) => format!("right, as {judge} judges"),
        (score, _) => score.to_owned(),
    });
    let heads: Vec<String> =
        ["system", "run", "questions"].map(str::to_owned).into_iter().chain(heads).collect();
    table_head(text, &heads);
    for (run, system, scores) in &all {
        let mut cells = vec![
            format!("`{}`", who(run, system)),
            format!("`{}`", run.name),
            scores.n_questions().to_string(),
        ];
        for score in &shown {
            cells.push(with_interval(&scores.only(&[score]), score, run.header.seed));
        }
        row(text, &cells);
    }
}

/// Writes a row for each type of questions: the score that matters most, by each system.
fn by_type(text: &mut String, runs: &[&Loaded], part: &str) {
    let kinds: BTreeSet<&str> = runs.iter().flat_map(|run| run.kinds(part)).collect();
    let Some(score) = main_score(runs, part).filter(|_| kinds.len() > 1) else { return };
    let systems: Vec<(&Loaded, &str)> =
        each(runs).filter(|(run, system)| run.scores(part, system, None).1.mean(score).is_some()).collect();
    line(text, &format!("\n{score} by type:\n"));
    let heads = ["type", "questions"].map(str::to_owned).into_iter();
    let heads = heads.chain(systems.iter().map(|(run, system)| {
        if runs.len() == 1 {
            format!("`{}`", who(run, system))
        } else {
            format!("`{}`, `{}`", who(run, system), run.name)
        }
    }));
    table_head(text, &heads.collect::<Vec<_>>());
    for kind in kinds {
        let of = |(run, system): &(&Loaded, &str)| run.scores(part, system, Some(kind)).1;
        let n_questions = systems.first().map_or(0, |first| of(first).n_questions());
        let means = systems
            .iter()
            .map(|one| of(one).mean(score).map_or_else(|| "–".to_owned(), |mean| number(score, mean)));
        let cells: Vec<String> =
            [kind.to_owned(), n_questions.to_string()].into_iter().chain(means).collect();
        row(text, &cells);
    }
}

/// Writes a line for each pair of the first system of the first run and another: their difference, paired.
fn differences(text: &mut String, runs: &[&Loaded], part: &str) {
    let Some(score) = main_score(runs, part) else { return };
    let mut systems = each(runs);
    let Some((run, system)) = systems.next() else { return };
    let first = Side { run, system };
    let mut rows = Vec::new();
    for (other, system) in systems {
        let Ok(differences) = compare(Side { run: other, system }, first, run.header.seed) else { continue };
        let found =
            differences.iter().find(|one| one.part == part && one.score == score && one.kind.is_none());
        rows.extend(found.map(|one| {
            let [low, high] = one.interval;
            [
                format!("`{}`, `{}`", who(other, system), other.name),
                one.n_questions.to_string(),
                format!("{:+.3}", one.difference),
                format!("{low:+.3} to {high:+.3}"),
                format!("{:.4}", one.p),
            ]
        }));
    }
    if rows.is_empty() {
        return;
    }
    line(
        text,
        &format!("\n{score} of `{}` less that of others, question by question:\n", who(run, first.system)),
    );
    let heads = ["less that of", "questions", "difference", "95 %", "p"].map(str::to_owned);
    table_head(text, &heads);
    for cells in &rows {
        row(text, cells);
    }
}

/// Returns the score that matters most of those that the first system has.
fn main_score(runs: &[&Loaded], part: &str) -> Option<&'static str> {
    let (run, system) = each(runs).next()?;
    let (_, scores) = run.scores(part, system, None);
    let preferred = ["recall@10", "all@5", "right", "f1", "sufficient"];
    preferred.into_iter().find(|score| scores.mean(score).is_some())
}

fn each<'a>(runs: &'a [&'a Loaded]) -> impl Iterator<Item = (&'a Loaded, &'a str)> {
    runs.iter().flat_map(|run| run.header.systems.iter().map(move |system| (*run, &**system)))
}

/// Returns who found, and who read it.
fn who(run: &Loaded, system: &str) -> String {
    match name(run.header.reader.as_ref()).as_str() {
        Some(reader) => format!("{system} + {reader}"),
        None => system.to_owned(),
    }
}

fn with_interval(scores: &Scores, score: &str, seed: u64) -> String {
    let Some(mean) = scores.mean(score) else { return "–".to_owned() };
    match scores.intervals(seed)[..] {
        [[low, high]] => format!("{} ({}–{})", number(score, mean), number(score, low), number(score, high)),
        _ => number(score, mean),
    }
}

/// Writes shares with three digits, and numbers of tokens whole.
fn number(score: &str, value: f64) -> String {
    if score.contains("tokens") { format!("{value:.0}") } else { format!("{value:.3}") }
}

fn table_head(text: &mut String, heads: &[String]) {
    line(text, &format!("| {} |", heads.join(" | ")));
    line(text, &format!("|{}", "---|".repeat(heads.len())));
}

/// Writes a row of a table. A name may hold what would end a cell.
fn row(text: &mut String, cells: &[String]) {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
    line(text, &format!("| {} |", cells.join(" | ")));
}

fn line(text: &mut String, one: &str) {
    // Writing to a text does not fail.
    writeln!(text, "{one}").unwrap_or_default();
}

fn title(dataset: &str) -> &str {
    match dataset {
        "locomo" => "LoCoMo",
        "longmemeval" => "LongMemEval",
        other => other,
    }
}

fn part_title(part: &str) -> String {
    match part {
        "turn" => "Turns".to_owned(),
        "session" => "Sessions".to_owned(),
        "both_sides.turn" => "Turns, of both sides".to_owned(),
        "both_sides.session" => "Sessions, of both sides".to_owned(),
        "answer" => "Answers".to_owned(),
        "context" => "Whether the evidence is in what is read".to_owned(),
        other => other.to_owned(),
    }
}

/// Returns the command that makes a run.
fn command(run: &Loaded) -> String {
    let Header { dataset, data, errata, limit, systems, settings, seed, reader, judge, .. } = &run.header;
    let mut words = vec!["bygone eval".to_owned(), dataset.clone(), quoted(&data.file)];
    if let Some(errata) = errata {
        words.push(format!("--errata {}", quoted(&errata.file)));
    }
    if let Some(limit) = limit {
        words.push(format!("--limit {limit}"));
    }
    let is_own = reader.as_ref().is_some_and(|reader| reader["model"] == crate::qa::OWN);
    if !is_own {
        words.push(format!("--system {}", systems.join(",")));
    }
    if *seed != 0 {
        words.push(format!("--seed {seed}"));
    }
    match settings.get("vector_index").and_then(Value::as_str) {
        None | Some("auto") => {}
        Some(index) => words.push(format!("--vector-index {index}")),
    }
    let mut said = |option: &str, value: &Value| match value {
        Value::Null => {}
        Value::String(text) => words.push(format!("{option} {}", quoted(text))),
        other => words.push(format!("{option} {other}")),
    };
    if let Some(reader) = reader {
        if is_own {
            said("--reader", &Value::from("ask"));
        } else {
            said("--reader", &reader["model"]);
            said("--endpoint", &reader["base"]);
            said("--context", settings.get("context_tokens").unwrap_or(&Value::Null));
        }
    }
    if let Some(judge) = judge {
        said("--judge", &judge["model"]);
        if reader.as_ref().is_none_or(|reader| reader["base"] != judge["base"]) {
            said("--judge-endpoint", &judge["base"]);
        }
    }
    if let Some(model) = reader.as_ref().filter(|_| !is_own).or(judge.as_ref()) {
        said("--temperature", &model["temperature"]);
        said("--model-seed", &model["seed"]);
        said("--max-tokens", &model["max_tokens"]);
    }
    words.push(format!("--out {}", quoted(&run.name)));
    words.join(" ")
}

/// Writes a word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/:@+=%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
