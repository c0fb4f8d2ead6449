//! What is asked of the command.

use std::path::PathBuf;

const USAGE: &str =
    "usage: scale [--statements N,N,…] [--turns N,N,…] [--json FILE] [--svg FILE] [--plot FILE]

--plot FILE draws what an earlier run wrote with --json";

/// What to measure, and where it goes.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) statements: Vec<u64>,
    pub(crate) turns: Vec<u64>,
    pub(crate) json: Option<PathBuf>,
    pub(crate) svg: Option<PathBuf>,
    /// A report that is drawn, and nothing measured.
    pub(crate) plot_only: Option<PathBuf>,
    /// The one step that this process is to do.
    pub(crate) step: Option<Step>,
}

/// Loading or asking a store of some size, in a process of its own.
#[derive(Debug, Default)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) size: u64,
    pub(crate) folder: PathBuf,
}

impl Options {
    pub(crate) fn read() -> Result<Options, String> {
        let mut options = Options {
            statements: vec![10_000, 100_000, 1_000_000],
            turns: vec![1_000, 10_000, 100_000],
            json: None,
            svg: None,
            plot_only: None,
            step: None,
        };
        let mut step = Step::default();
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or(USAGE)?;
            match name.as_str() {
                "--statements" => options.statements = sizes(&value)?,
                "--turns" => options.turns = sizes(&value)?,
                "--json" => options.json = Some(PathBuf::from(value)),
                "--svg" => options.svg = Some(PathBuf::from(value)),
                "--plot" => options.plot_only = Some(PathBuf::from(value)),
                "--step" => step.name = value,
                "--size" => step.size = value.parse().map_err(|_| USAGE)?,
                "--folder" => step.folder = PathBuf::from(value),
                _ => return Err(USAGE.to_owned()),
            }
        }
        options.step = (!step.name.is_empty()).then_some(step);
        Ok(options)
    }
}

fn sizes(list: &str) -> Result<Vec<u64>, String> {
    let number = |text: &str| text.replace('_', "").parse::<u64>().map_err(|_| USAGE.to_owned());
    list.split(',').filter(|text| !text.is_empty()).map(number).collect()
}
