//! The shell where nobody sits at it: lines read as they come, no prompt, no history.

use std::io::BufRead;

use super::shell::{Outcome, Shell};
use crate::failure::{Exit, Failure};
use crate::session::Streams;

/// Runs every line; returns how the first one that failed ended. A failure does not end the script.
///
/// Commands that read their input, such as `assert -`, take it from the lines that follow.
pub(super) fn run(shell: &mut Shell<'_>, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let mut first_failure = Exit::Done;
    while let Some(line) = next(streams.input)? {
        match shell.line(&line, streams) {
            Outcome::Leave => break,
            Outcome::Ran(exit) if first_failure == Exit::Done => first_failure = exit,
            Outcome::Ran(_) => {}
        }
    }
    Ok(first_failure)
}

fn next(input: &mut dyn BufRead) -> Result<Option<String>, Failure> {
    let mut bytes = Vec::new();
    let cannot = |error: std::io::Error| Failure::Input(format!("the script cannot be read: {error}"));
    if input.read_until(b'\n', &mut bytes).map_err(cannot)? == 0 {
        return Ok(None);
    }
    let line = String::from_utf8(bytes).map_err(|_| Failure::Input("the script is not UTF-8".to_owned()))?;
    Ok(Some(line))
}
