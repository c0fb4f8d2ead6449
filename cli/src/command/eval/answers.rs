//! Questions answered, and how many of them rightly.

use std::path::Path;

use bygone_eval::EvalError;
use bygone_eval::answering::{Answered, Counts};
use bygone_eval::dataset::Ledger;
use bygone_eval::retrieval::{Plan, Progress};

use super::{Options, remark_on_left};
use crate::failure::{Exit, Failure};
use crate::output::count;
use crate::session::Context;

/// Runs an evaluation and prints its counts.
pub(super) fn execute(
    dataset: &str,
    options: &Options,
    context: Context<'_>,
    evaluate: impl FnOnce(&Path, Plan<'_>, &mut dyn FnMut(Progress)) -> Result<(Vec<Answered>, Ledger), EvalError>,
) -> Result<Exit, Failure> {
    let ((answered, ledger), details) = options.run(&context, evaluate)?;
    details.write(answered.iter().map(Answered::to_json))?;
    let counts = Counts::of(&answered);
    let mut output = context.output;
    if output.json {
        output.row(&counts.to_json(dataset))?;
    } else {
        let Counts { asked, known, known_right, right, near } = counts;
        output.line(format!("{}, asked without a model", count(asked as u64, "question")))?;
        for (number, of, what) in [
            (known, asked, "answered"),
            (known_right, known, "of these right"),
            (right, asked, "right"),
            (near, asked, "right or within three days"),
        ] {
            output.line(format!("{number:>6}  {}  {what}", share(number, of)))?;
        }
    }
    remark_on_left(&ledger, &mut output)?;
    Ok(if answered.is_empty() { Exit::No } else { Exit::Done })
}

#[expect(clippy::cast_precision_loss, reason = "a number of questions")]
fn share(number: usize, of: usize) -> String {
    if of == 0 { "    –".to_owned() } else { format!("{:.3}", number as f64 / of as f64) }
}
