//! How the elements of a file are worked on side by side: read by the thread that asks, in order, and handed to workers.
//!
//! Invariant: outcomes come back in the order of the file whatever the number of workers, and what is held at a time is
//! bounded by it.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{channel, sync_channel};

use crate::dataset::file::{Element, elements};
use crate::error::EvalError;

/// Reads elements with `read` until it breaks off, works on what it makes of them, and returns what came of that.
/// `show` hears of each outcome on this thread, with the bytes read so far.
///
/// # Errors
/// Of several failures the one that stands first in the file.
pub(crate) fn each<T: Send, R: Send>(
    path: &Path,
    jobs: NonZeroUsize,
    read: &mut dyn FnMut(Element) -> Result<ControlFlow<(), T>, EvalError>,
    work: &(dyn Fn(T) -> Result<R, EvalError> + Sync),
    show: &mut dyn FnMut(u64, &R),
) -> Result<Vec<R>, EvalError> {
    std::thread::scope(|scope| {
        let (tasks, waiting) = sync_channel::<(usize, T)>(jobs.get());
        let (outcomes, done) = channel();
        let waiting = std::sync::Arc::new(Mutex::new(waiting));
        for _ in 0..jobs.get() {
            let (waiting, outcomes) = (std::sync::Arc::clone(&waiting), outcomes.clone());
            scope.spawn(move || {
                loop {
                    // The lock is let go before the work begins.
                    let Ok(task) = waiting.lock().map(|waiting| waiting.recv()) else { break };
                    let Ok((index, task)) = task else { break };
                    if outcomes.send((index, work(task))).is_err() {
                        break;
                    }
                }
            });
        }
        drop((outcomes, waiting));
        let mut results: Vec<(usize, R)> = Vec::new();
        let mut failed: Option<(usize, EvalError)> = None;
        let mut n_bytes = 0;
        let mut take = |(index, outcome): (usize, Result<R, EvalError>), n_bytes: u64| {
            match outcome {
                Ok(result) => {
                    show(n_bytes, &result);
                    results.push((index, result));
                }
                Err(error) if failed.as_ref().is_none_or(|(first, _)| index < *first) => {
                    failed = Some((index, error));
                }
                Err(_) => {}
            }
            failed.is_some()
        };
        let mut misread = None;
        let listed = elements(path, &mut |element| {
            let index = element.index;
            n_bytes = element.n_bytes;
            let task = match read(element) {
                Ok(ControlFlow::Continue(task)) => task,
                Ok(ControlFlow::Break(())) => return ControlFlow::Break(()),
                Err(error) => {
                    misread = Some(error);
                    return ControlFlow::Break(());
                }
            };
            // Nobody takes it where every worker broke down, which the scope reports.
            let is_taken = tasks.send((index, task)).is_ok();
            let has_failed = done.try_iter().any(|outcome| take(outcome, n_bytes));
            if is_taken && !has_failed { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        drop(tasks);
        for outcome in done {
            take(outcome, n_bytes);
        }
        // What was handed out stands before what could not be read.
        if let Some((_, error)) = failed {
            return Err(error);
        }
        listed?;
        if let Some(error) = misread {
            return Err(error);
        }
        results.sort_unstable_by_key(|(index, _)| *index);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    })
}
