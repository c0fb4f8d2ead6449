//! `bygone import`: reads back what `export` wrote.
//!
//! The file is read twice: first the statements, as `assert` reads them, then what is kept beside them, which stands on the
//! statements. What is there already stays as it is, so an import that was cut off is done by doing it again.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use bygone_engine::store::Space;
use bygone_engine::time::Instant;
use bygone_engine::wire::{Kept, read_kept};
use bygone_ingest::MOST_LISTED;
use bygone_ingest::read::{Bytes, LONGEST_RECORD, unpacked};
use bygone_query::state::StateError;
use bygone_query::state::take_over::{Arriving, take_over_checkpoint, take_over_work};
use bygone_query::state::take_over_documents::{ArrivingDocuments, TookDocuments};
use serde_json::{Value, json};

use super::assert::{record, source, taken};
use crate::failure::{Exit, Failure};
use crate::mask::{Mask, Secrecy};
use crate::output::count;
use crate::session::Context;
use crate::table::{one_line, shown};

#[derive(clap::Args)]
pub(crate) struct Import {
    /// What `export` wrote; - reads standard input
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    secrecy: Secrecy,
}

/// What came of the rows that are no statements.
#[derive(Default)]
struct Took {
    /// Words on items that were not known.
    n_said: u64,
    /// Checkpoints that were not known.
    n_checkpoints: u64,
    /// Versions of documents that were not known.
    n_versions: u64,
    /// What was refused, the first of it: the line, and why.
    refused: Vec<(u64, String)>,
    n_refused: u64,
}

impl Took {
    fn refuse(&mut self, line: u64, reason: String) {
        self.n_refused += 1;
        if self.refused.len() < MOST_LISTED {
            self.refused.push((line, reason));
        }
    }
}

impl Import {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let taken = taken(&self.file, context.input)?;
        let (name, bytes) = source(&self.file, &taken)?;
        let again = bytes.clone();
        let mut stored = context.store()?;
        let exit = record(&self.file, (name, bytes), self.secrecy.keeps(), &mut stored)?;
        let space = stored.store.space(stored.space, true)?;
        let mask = self.secrecy.mask();
        let cannot = |error: io::Error| Failure::Input(format!("cannot read {}: {error}", shown(&self.file)));
        let packed: Box<dyn Read + Send> = match again {
            Bytes::Held(bytes) => Box::new(Cursor::new(bytes)),
            Bytes::File(path) => Box::new(std::fs::File::open(path).map_err(cannot)?),
            Bytes::Entry(_) => {
                return Err(Failure::Input("what is in an archive is not imported".to_owned()));
            }
        };
        let lines = BufReader::new(unpacked(packed).map_err(cannot)?);
        let took = take_over(lines, &space, stored.now, &mask)?;
        let output = &mut stored.output;
        mask.tell(output)?;
        let Took { n_said, n_checkpoints, n_versions, refused, n_refused } = took;
        if output.json {
            let problem = |(line, reason): &(u64, String)| json!({ "line": line, "reason": reason });
            output.row(&json!({
                "work": n_said,
                "checkpoints": n_checkpoints,
                "document_versions": n_versions,
                "refused": n_refused,
                "problems": refused.iter().map(problem).collect::<Vec<Value>>(),
            }))?;
        } else {
            for (line, reason) in &refused {
                output.remark(format!("{}:{line}: {}", shown(&self.file), one_line(reason)))?;
            }
            if n_refused > refused.len() as u64 {
                let n_more = n_refused - refused.len() as u64;
                output.remark(format!("and {} that are not listed", count(n_more, "more line")))?;
            }
            output.line(format!(
                "{} on items of work-sets, {} and {} of documents taken over, {} refused",
                count(n_said, "word"),
                count(n_checkpoints, "checkpoint"),
                count(n_versions, "version"),
                n_refused
            ))?;
        }
        let has_nothing = n_refused > 0 && n_said + n_checkpoints + n_versions == 0;
        Ok(if has_nothing { Exit::BadInput } else { exit })
    }
}

/// Reads the next line instead of the one before, and says whether there is one; one that is too long to be read is empty.
fn read_line(lines: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let n_bytes = lines.by_ref().take(LONGEST_RECORD).read_until(b'\n', line)?;
    if n_bytes as u64 == LONGEST_RECORD && !line.ends_with(b"\n") && lines.skip_until(b'\n')? > 0 {
        *line = Vec::new();
    }
    Ok(n_bytes > 0)
}

/// Takes over the rows that are no statements. A line that cannot be read is one of those that the first reading told of.
fn take_over(mut lines: impl BufRead, space: &Space<'_>, now: Instant, mask: &Mask) -> Result<Took, Failure> {
    let mut took = Took::default();
    let (mut arriving, mut documents) = (Arriving::default(), ArrivingDocuments::default());
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        let is_there = read_line(&mut lines, &mut line).map_err(|error| Failure::Input(error.to_string()))?;
        if !is_there || documents.are_enough() {
            match documents.take_over(space, now) {
                Ok(TookDocuments { n_taken, refused }) => {
                    took.n_versions += n_taken;
                    for (line, reason) in refused {
                        took.refuse(line, reason);
                    }
                }
                Err(StateError::Store(error)) => return Err(error.into()),
                Err(error) => took.refuse(number, error.to_string()),
            }
        }
        if !is_there {
            took.refused.sort();
            return Ok(took);
        }
        number += 1;
        let Ok(text) = std::str::from_utf8(&line) else { continue };
        let kept = match read_kept(text) {
            Ok(None) => continue,
            // Ids of checkpoints and of states depend on every byte, and documents are bytes that nobody reads here.
            Ok(Some(Kept::Work(_))) => read_kept(&mask.text(text)),
            kept => kept,
        };
        let told: Result<(), StateError> = match kept {
            Ok(Some(Kept::Work(said))) => space
                .decide(None, now, |snapshot, _| take_over_work(snapshot, &said))
                .map(|n| took.n_said += n),
            Ok(Some(Kept::State(part))) => arriving.take(part),
            Ok(Some(Kept::Checkpoint(told))) => {
                let state = if told.pruned.is_none() { arriving.state(told.state) } else { None };
                space
                    .decide(None, now, |snapshot, _| take_over_checkpoint(snapshot, &told, state))
                    .map(|is_new| took.n_checkpoints += u64::from(is_new))
            }
            Ok(Some(Kept::Document(part))) => documents.take(number, *part),
            Ok(None) => Ok(()),
            Err(error) => {
                took.refuse(number, error.to_string());
                Ok(())
            }
        };
        match told {
            Ok(()) => {}
            Err(StateError::Store(error)) => return Err(error.into()),
            Err(error) => took.refuse(number, error.to_string()),
        }
    }
}
