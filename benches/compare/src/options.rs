//! What is asked of the command.

use std::path::PathBuf;

const USAGE: &str = "usage: bygone-compare [--statements N] [--rounds N] [--questions N] [--batch N] [--seed N] \
    [--only load,rest,points,subjects,writes]";

/// A part of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Load,
    Rest,
    Points,
    Subjects,
    Writes,
}

impl Part {
    const ALL: [(Part, &str); 5] = [
        (Part::Load, "load"),
        (Part::Rest, "rest"),
        (Part::Points, "points"),
        (Part::Subjects, "subjects"),
        (Part::Writes, "writes"),
    ];

    fn named(name: &str) -> Option<Part> {
        Part::ALL.iter().find(|(_, known)| *known == name).map(|(part, _)| *part)
    }
}

/// How much is loaded and asked.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) statements: usize,
    pub(crate) rounds: usize,
    pub(crate) questions: usize,
    /// Statements a commit.
    pub(crate) batch: usize,
    pub(crate) seed: u64,
    /// What is compared.
    parts: Vec<Part>,
    /// A store of which another process of this program is to report what it takes when opened.
    pub(crate) rest_of: Option<PathBuf>,
}

impl Options {
    pub(crate) fn read() -> Result<Options, String> {
        let mut options = Options {
            statements: 200_000,
            rounds: 5,
            questions: 2_000,
            batch: 10_000,
            seed: 42,
            parts: Part::ALL.map(|(part, _)| part).to_vec(),
            rest_of: None,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or(USAGE)?;
            let number = || value.replace('_', "").parse::<usize>().map_err(|_| USAGE.to_owned());
            match name.as_str() {
                "--statements" => options.statements = number()?,
                "--rounds" => options.rounds = number()?.max(1),
                "--questions" => options.questions = number()?.max(100),
                "--batch" => options.batch = number()?.max(1),
                "--seed" => options.seed = number()? as u64,
                "--only" => {
                    options.parts = value.split(',').map(Part::named).collect::<Option<_>>().ok_or(USAGE)?;
                }
                "--rest-of" => options.rest_of = Some(PathBuf::from(&value)),
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(options)
    }

    pub(crate) fn wants(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }

    /// Says whether anything is compared that has to be loaded.
    pub(crate) fn wants_loaded(&self) -> bool {
        self.parts.iter().any(|part| *part != Part::Writes)
    }
}
