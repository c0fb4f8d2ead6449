//! `bygone eval locomo`.

use std::path::PathBuf;

use bygone_eval::answering;
use bygone_eval::dataset::errata::Errata;
use bygone_eval::dataset::locomo::Category;
use bygone_eval::qa::Dataset;
use bygone_eval::retrieval::locomo::{COUNTED, KS, Report, evaluate};

use super::{Options, answers, intervals, mean, once, remark_on, tokens};
use crate::failure::{Exit, Failure};
use crate::output::{Output, count};
use crate::session::Context;
use crate::table::Cell;

/// Of how many turns the tokens are shown; `--json` has them of every number.
const SHOWN: usize = 10;

#[derive(clap::Args)]
pub(super) struct Locomo {
    #[command(flatten)]
    options: Options,
    /// A file of corrections to the evidence, in the form of dial481/locomo-audit
    #[arg(long, value_name = "FILE")]
    errata: Option<PathBuf>,
}

impl Locomo {
    pub(super) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        if self.options.models.is_asked() {
            if self.errata.is_some() {
                return Err(Failure::Usage(
                    "--errata corrects evidence, and is not used with --reader".to_owned(),
                ));
            }
            return self.options.models.execute(&self.options, Dataset::Locomo, context);
        }
        if self.options.answers {
            return answers::execute("locomo", &self.options, context, answering::locomo::evaluate);
        }
        let errata = self.errata.as_deref().map(Errata::read).transpose()?.unwrap_or_default();
        let (report, details) =
            self.options.run(&context, |path, plan, progress| evaluate(path, errata, plan, progress))?;
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
}

fn print(report: &Report, output: &mut Output<'_>) -> Result<(), Failure> {
    let Report { n_samples, n_turns, n_questions, .. } = report;
    let questions = count(*n_questions as u64, "question");
    let turns = count(*n_turns as u64, "turn");
    let conversations = count(*n_samples as u64, "conversation");
    output.line(format!(
        "LoCoMo: recall of evidence turns among the first k; {questions} about {turns} of {conversations}"
    ))?;
    let heads = ["", "questions", "system"].into_iter().map(Cell::from);
    let heads = heads.chain(KS.iter().map(|k| Cell::from(format!("@{k}"))));
    let mut rows: Vec<Vec<Cell>> = vec![heads.chain([Cell::from(format!("tokens@{SHOWN}"))]).collect()];
    let each = Category::ALL.map(|category| (category.name(), vec![category]));
    for (name, categories) in [("categories 1 to 4", COUNTED.to_vec())].into_iter().chain(each) {
        for (index, system) in report.systems.iter().enumerate() {
            let scores = report.scores(index, &categories);
            let mut row = vec![
                Cell::strong(once(index, name.to_owned())),
                Cell::from(once(index, scores.n_questions().to_string())),
                Cell::from(system.name),
            ];
            row.extend(KS.iter().map(|k| mean(scores.mean(&format!("recall@{k}")))));
            row.push(tokens(&scores, SHOWN));
            rows.push(row);
        }
    }
    output.table(&rows)?;
    output.line("")?;
    output.line("Intervals of 95 %, categories 1 to 4")?;
    let names: Vec<String> = KS.iter().map(|k| format!("recall@{k}")).collect();
    let heads = std::iter::once(Cell::from("system")).chain(KS.iter().map(|k| Cell::from(format!("@{k}"))));
    let mut rows: Vec<Vec<Cell>> = vec![heads.collect()];
    for (index, system) in report.systems.iter().enumerate() {
        let scores = report.scores(index, COUNTED);
        let mut row = vec![Cell::from(system.name)];
        row.extend(intervals(&scores, &names, report.header.seed));
        rows.push(row);
    }
    output.table(&rows)
}
