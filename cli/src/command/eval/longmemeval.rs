//! `bygone eval longmemeval`.

use bygone_eval::answering;
use bygone_eval::dataset::longmemeval::Sides;
use bygone_eval::qa::Dataset;
use bygone_eval::retrieval::longmemeval::{Level, POPULATIONS, Report, evaluate};
use bygone_eval::retrieval::{Gives, System};

use super::{Options, answers, intervals, mean, once, remark_on, tokens};
use crate::failure::{Exit, Failure};
use crate::output::{Output, count, shorten};
use crate::session::Context;
use crate::table::Cell;

/// What a person is shown; `--json` has every measure at every k.
const COLUMNS: [(&str, usize); 10] = [
    ("any", 1),
    ("any", 5),
    ("any", 10),
    ("all", 5),
    ("all", 10),
    ("r", 5),
    ("r", 10),
    ("ndcg_any", 5),
    ("ndcg_any", 10),
    ("ndcg", 10),
];
/// Of how many documents the tokens are shown.
const SHOWN: usize = 10;
/// Of which scores a person is shown the intervals.
const INTERVALS: [&str; 4] = ["any@5", "all@5", "r@5", "ndcg_any@10"];
/// The longest question in a table, in characters.
const LONGEST: usize = 60;

pub(super) fn execute(options: &Options, context: Context<'_>) -> Result<Exit, Failure> {
    if options.models.is_asked() {
        return options.models.execute(options, Dataset::Longmemeval, context);
    }
    if options.answers {
        return answers::execute("longmemeval", options, context, answering::longmemeval::evaluate);
    }
    let (report, details) = options.run(&context, evaluate)?;
    details.write(report.details())?;
    let mut output = context.output;
    if output.json {
        for row in report.rows() {
            output.row(&row)?;
        }
    } else {
        print(&report, &mut output)?;
    }
    remark_on(&report.header, &report.systems, &report.ledger, &mut output)?;
    Ok(if report.answered.is_empty() { Exit::No } else { Exit::Done })
}

fn print(report: &Report, output: &mut Output<'_>) -> Result<(), Failure> {
    let questions = count(report.n_questions as u64, "question");
    output.line(format!("LongMemEval: {questions}, each with a haystack of its own"))?;
    for population in POPULATIONS {
        output.line("")?;
        output.line(match population {
            Sides::User => "Turns of the user, as its authors measure; questions with evidence in them",
            Sides::Both => "Turns of user and assistant; every question with evidence",
        })?;
        let mut rows = Vec::new();
        let head = ["", "questions", "system"].into_iter().map(Cell::from);
        let head = head.chain(COLUMNS.iter().map(|(name, k)| Cell::from(format!("{name}@{k}"))));
        rows.push(head.chain([Cell::from(format!("tokens@{SHOWN}"))]).collect());
        for level in Level::ALL {
            let kinds = report.kinds(population).into_iter().map(Some);
            for kind in std::iter::once(None).chain(kinds) {
                rows.extend(block(report, population, level, kind));
            }
        }
        output.table(&rows)?;
        output.line("")?;
        output.line("Intervals of 95 %")?;
        let head = ["", "system"].into_iter().chain(INTERVALS).map(Cell::from);
        let mut rows: Vec<Vec<Cell>> = vec![head.collect()];
        for level in Level::ALL {
            for (index, system) in report.systems.iter().enumerate() {
                let scores = report.scores(population, level, index, None);
                let what = Cell::strong(once(index, format!("{}s", level.name())));
                let mut row = vec![what, Cell::from(system.name)];
                row.extend(intervals(&scores, &INTERVALS.map(str::to_owned), report.header.seed));
                rows.push(row);
            }
        }
        output.table(&rows)?;
    }
    preferences(report, output)
}

/// Returns a row for each system.
fn block(report: &Report, population: Sides, level: Level, kind: Option<&str>) -> Vec<Vec<Cell>> {
    let row = |(index, system): (usize, &&'static System)| {
        let scores = report.scores(population, level, index, kind);
        let what = match kind {
            None => Cell::strong(once(index, format!("{}s", level.name()))),
            Some(kind) => Cell::from(once(index, format!("  {kind}"))),
        };
        let n_questions = once(index, scores.n_questions().to_string());
        let mut row = vec![what, Cell::from(n_questions), Cell::from(system.name)];
        row.extend(COLUMNS.iter().map(|(measure, k)| mean(scores.mean(&format!("{measure}@{k}")))));
        row.push(tokens(&scores, SHOWN));
        row
    };
    report.systems.iter().enumerate().map(row).collect()
}

/// Lists the questions about preferences with the ranks of their evidence.
fn preferences(report: &Report, output: &mut Output<'_>) -> Result<(), Failure> {
    if report.preferences().next().is_none() {
        return Ok(());
    }
    output.line("")?;
    output.line("Preferences: ranks of the evidence sessions and turns, both sides (– where not found)")?;
    let mut rows = vec![["", "system", "sessions", "turns"].map(Cell::from).to_vec()];
    for answered in report.preferences() {
        for (index, system) in
            report.systems.iter().enumerate().filter(|(_, system)| system.gives == Gives::Ranking)
        {
            let ranks = |level| {
                let ranks = answered.best(level, index);
                let rank =
                    |rank: &Option<usize>| rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
                ranks.iter().map(rank).collect::<Vec<_>>().join(", ")
            };
            rows.push(vec![
                Cell::from(once(index, format!("{} {}", answered.id, shorten(&answered.text, LONGEST)))),
                Cell::from(system.name),
                Cell::from(ranks(Level::Session)),
                Cell::from(ranks(Level::Turn)),
            ]);
        }
    }
    output.table(&rows)
}
