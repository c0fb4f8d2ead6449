//! `bygone eval belief`.
//!
//! This is the only file that runs another program for an evaluation: `--command`, whose input and output are the two
//! streams that the library speaks the protocol over.

use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use bygone_eval::worlds::system::Outside;
use bygone_eval::worlds::{
    Answered, Entry, Kind, Plan, Rendering, Report, SYSTEMS, Scores, System, evaluate,
};
use serde_json::{Value, json};

use super::details::Details;
use super::{mean, once};
use crate::failure::{Exit, Failure};
use crate::output::{Output, count};
use crate::session::Context;
use crate::table::Cell;

/// The name of a command that is compared.
const COMMAND: &str = "command";

#[derive(clap::Args)]
pub(super) struct Belief {
    /// The worlds: the seed of one, or of the first and the last of several
    #[arg(long, value_name = "N|A..B", default_value = "1..20", value_parser = seeds)]
    seed: RangeInclusive<u64>,
    /// How they are told
    #[arg(long, value_enum, default_value_t = Told::Both)]
    rendering: Told,
    /// Ask one system only: bygone, rectangles or latest [default: each, and the command]
    #[arg(long, value_name = "NAME", value_parser = system_name)]
    system: Option<String>,
    /// Ask a program, too, which a shell runs: it is told the worlds and asked on its input, and answers on its output
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,
    /// Ask only the first questions of each world
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Write a line of JSON for each question to a file, with what was answered and what is right
    #[arg(long, value_name = "FILE")]
    details: Option<PathBuf>,
}

/// How worlds are told.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// As statements
    Assertions,
    /// As conversations
    Chat,
    /// As both, one after the other
    Both,
}

impl Told {
    /// The rendering that the summary is about comes last.
    const fn renderings(self) -> &'static [Rendering] {
        match self {
            Told::Assertions => &[Rendering::Assertions],
            Told::Chat => &[Rendering::Chat],
            Told::Both => &[Rendering::Chat, Rendering::Assertions],
        }
    }
}

fn seeds(text: &str) -> Result<RangeInclusive<u64>, String> {
    let expected = || format!("{text:?} names no worlds: expected a number, or two as in 1..20");
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let seeds = first.parse().ok().zip(last.parse().ok()).map(|(first, last): (u64, u64)| first..=last);
    seeds.filter(|seeds| !seeds.is_empty()).ok_or_else(expected)
}

fn system_name(text: &str) -> Result<String, String> {
    let names: Vec<&str> = SYSTEMS.iter().map(|known| known.name).chain([COMMAND]).collect();
    let is_known = names.contains(&text);
    is_known.then(|| text.to_owned()).ok_or_else(|| format!("expected one of {}", names.join(", ")))
}

impl Belief {
    pub(super) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        if self.system.as_deref() == Some(COMMAND) && self.command.is_none() {
            return Err(Failure::Usage(
                "--system command asks a program: expected --command, too".to_owned(),
            ));
        }
        if self.command.is_some() && !self.is_asked(COMMAND) {
            return Err(Failure::Usage(
                "--command is asked where --system is command, or not given: it would be passed over"
                    .to_owned(),
            ));
        }
        let details = Details::open(self.details.as_deref())?;
        let mut rows: Vec<Value> = Vec::new();
        let mut entries = Vec::new();
        for &rendering in self.rendering.renderings() {
            let mut ask = |name: &str, system: &mut dyn System| -> Result<(), Failure> {
                let scores = self.evaluate(&context, name, system, rendering, &mut rows)?;
                entries.push(Entry { system: name.to_owned(), rendering, scores });
                Ok(())
            };
            if let Some(command) = self.command.as_deref().filter(|_| self.is_asked(COMMAND)) {
                let mut program = Program::run(command)?;
                ask(COMMAND, &mut program.system()?)?;
            }
            for known in SYSTEMS.iter().rev() {
                let reads = known.reads_chat || rendering == Rendering::Assertions;
                if reads && self.is_asked(known.name) {
                    ask(known.name, &mut *(known.new)())?;
                }
            }
        }
        details.write(rows.into_iter())?;
        let report = Report { seeds: self.seed.clone(), entries };
        let mut output = context.output;
        if output.json {
            for row in report.rows() {
                output.row(&row)?;
            }
        } else {
            print(&report, &mut output)?;
        }
        for known in SYSTEMS.iter().filter(|known| self.is_asked(known.name)) {
            output.remark(format!("{}: {}", known.name, known.about))?;
        }
        Ok(if report.entries.is_empty() { Exit::No } else { Exit::Done })
    }

    fn is_asked(&self, name: &str) -> bool {
        self.system.as_ref().is_none_or(|asked| asked == name)
    }

    fn evaluate(
        &self,
        context: &Context<'_>,
        name: &str,
        system: &mut dyn System,
        rendering: Rendering,
        rows: &mut Vec<Value>,
    ) -> Result<Scores, Failure> {
        let plan = Plan {
            seeds: self.seed.clone(),
            n_questions: self.limit.map_or(usize::MAX, |limit| limit as usize),
            stop: context.session.stop_flag(),
        };
        let is_wanted = self.details.is_some();
        Ok(evaluate(system, rendering, &plan, &mut |answered: &Answered<'_>| {
            if is_wanted {
                let mut row = answered.to_json();
                row["system"] = json!(name);
                row["rendering"] = json!(rendering.name());
                rows.push(row);
            }
            Ok(())
        })?)
    }
}

/// A program that is compared. It ends with the evaluation.
struct Program(Child);

impl Program {
    fn run(command: &str) -> Result<Program, Failure> {
        let child = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| Failure::Input(format!("the command cannot be run: {error}")))?;
        Ok(Program(child))
    }

    fn system(&mut self) -> Result<impl System + use<>, Failure> {
        let piped = || Failure::Input("the command has no input and output to speak over".to_owned());
        let from = self.0.stdout.take().ok_or_else(piped)?;
        let to = self.0.stdin.take().ok_or_else(piped)?;
        Ok(Outside::new(BufReader::new(from), to))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Its input is closed by then: one that waits for more has ended already or is ended here.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn print(report: &Report, output: &mut Output<'_>) -> Result<(), Failure> {
    let n_worlds = report.seeds.end() - report.seeds.start() + 1;
    let n_questions = report.entries.last().map_or(0, |entry| entry.scores.total().asked);
    output.line(format!(
        "Belief: share of questions answered exactly; {} of {}",
        count(n_questions as u64, "question"),
        count(n_worlds, "world")
    ))?;
    let heads = ["", "system", "all"].into_iter().chain(Kind::ALL.iter().map(|kind| kind.name()));
    let heads = heads.chain(["closed rightly", "closed of due"]);
    let mut rows: Vec<Vec<Cell>> = vec![heads.map(Cell::from).collect()];
    let mut before = None;
    for Entry { system, rendering, scores } in &report.entries {
        let is_first = before.replace(*rendering) != Some(*rendering);
        let mut row = vec![
            Cell::strong(once(usize::from(!is_first), rendering.name().to_owned())),
            Cell::from(system.clone()),
            mean(scores.total().accuracy()),
        ];
        let of_kind = |kind: &Kind| scores.by_kind.get(kind).and_then(|tally| tally.accuracy());
        row.extend(Kind::ALL.iter().map(|kind| mean(of_kind(kind))));
        row.extend([scores.closings.precision(), scores.closings.recall()].map(mean));
        rows.push(row);
    }
    output.table(&rows)
}
