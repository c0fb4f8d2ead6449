//! `bygone eval compare`.

use std::path::PathBuf;

use bygone_eval::qa::report::name as name_of;
use bygone_eval::run::Loaded;
use bygone_eval::run::compare::{Difference, Side, compare, summary};

use super::once;
use crate::failure::{Exit, Failure};
use crate::output::{Output, count};
use crate::session::Context;
use crate::table::{Cell, one_line};

#[derive(clap::Args)]
pub(super) struct Compare {
    /// A run file
    #[arg(value_name = "RUN")]
    one: PathBuf,
    /// Another one, over the same questions; without it, the systems of the first are compared with each other
    #[arg(value_name = "OTHER")]
    other: Option<PathBuf>,
    /// The system of the first run [default: its first]
    #[arg(long, value_name = "NAME")]
    of: Option<String>,
    /// The system of the other run [default: its first; in one run, every other one]
    #[arg(long, value_name = "NAME")]
    to: Option<String>,
    /// Show this score, such as recall@50, for a person; --json has all of them
    #[arg(long, value_name = "NAME")]
    score: Vec<String>,
    /// What the draws start from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

impl Compare {
    pub(super) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let one = Loaded::read(&self.one)?;
        let other = self.other.as_deref().map(Loaded::read).transpose()?;
        let first = |run: &Loaded| run.header.systems.first().cloned().unwrap_or_default();
        let of = self.of.clone().unwrap_or_else(|| first(&one));
        let to = match (&self.to, &other) {
            (Some(to), _) => vec![to.clone()],
            (None, Some(other)) => vec![first(other)],
            (None, None) => one.header.systems.iter().filter(|name| **name != of).cloned().collect(),
        };
        let names_another = self.to.is_some() || other.is_some();
        let mut output = context.output;
        let mut n_compared = 0;
        for to in &to {
            let sides =
                [Side { run: &one, system: &of }, Side { run: other.as_ref().unwrap_or(&one), system: to }];
            let differences = match compare(sides[0], sides[1], self.seed) {
                Ok(differences) => differences,
                // Of the systems that nobody named, those that have no ranking are passed over.
                Err(error) if !names_another => {
                    output.remark(format!("{of} and {to}: {error}"))?;
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            n_compared += 1;
            if output.json {
                for difference in &differences {
                    output.row(&difference.to_json())?;
                }
                output.row(&summary(sides[0], sides[1], self.seed))?;
            } else {
                self.print(sides, &differences, &mut output)?;
            }
        }
        Ok(if n_compared == 0 { Exit::No } else { Exit::Done })
    }

    fn print(
        &self,
        [one, other]: [Side<'_>; 2],
        differences: &[Difference],
        output: &mut Output<'_>,
    ) -> Result<(), Failure> {
        let name = |side: Side<'_>| format!("{} of {}", side.system, one_line(&side.run.name));
        let n_questions = differences.iter().map(|one| one.n_questions).max().unwrap_or_default();
        let questions = count(n_questions as u64, "question");
        output.line(format!("{} (A) and {} (B): up to {questions}, paired", name(one), name(other)))?;
        if let Some(judge) = name_of(one.run.header.judge.as_ref()).as_str() {
            output.line(format!("right: as {} judges", one_line(judge)))?;
        }
        let shown = one.run.header.shown();
        let is_shown = |score: &str| {
            if self.score.is_empty() {
                shown.contains(&score)
            } else {
                self.score.iter().any(|one| one == score)
            }
        };
        if let Some(unknown) =
            self.score.iter().find(|score| differences.iter().all(|one| one.score != **score))
        {
            return Err(Failure::Usage(format!("--score {unknown}: the runs have no such score in common")));
        }
        let heads = ["", "questions", "score", "A", "B", "B - A", "95 %", "p"];
        let mut rows: Vec<Vec<Cell>> = vec![heads.map(Cell::from).to_vec()];
        let mut before = None;
        for difference in differences.iter().filter(|one| is_shown(&one.score)) {
            let block = (&difference.part, &difference.kind);
            let row = usize::from(before.replace(block) == Some(block));
            let what = match &difference.kind {
                None => Cell::strong(once(row, difference.part.clone())),
                Some(kind) => Cell::from(once(row, format!("  {kind}"))),
            };
            let digits = if difference.score.contains("tokens") { 0 } else { 3 };
            let [low, high] = difference.interval;
            rows.push(vec![
                what,
                Cell::from(once(row, difference.n_questions.to_string())),
                Cell::from(difference.score.clone()),
                Cell::from(format!("{:.digits$}", difference.means[0])),
                Cell::from(format!("{:.digits$}", difference.means[1])),
                Cell::from(format!("{:+.digits$}", difference.difference)),
                Cell::from(format!("{low:+.digits$} to {high:+.digits$}")),
                Cell::from(format!("{:.4}", difference.p)),
            ]);
        }
        output.table(&rows)
    }
}
