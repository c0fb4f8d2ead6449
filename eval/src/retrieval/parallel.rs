//! How the elements of a file are worked on side by side: read by the thread that asks, in order, and handed to workers.
//!
//! Invariant: what came of an element is handed on in the order of the file whatever the number of workers, and as soon as
//! all before it was; so whoever is stopped has the first part of what there would have been, and nothing else.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{channel, sync_channel};

use crate::dataset::file::{Element, elements};
use crate::error::EvalError;

/// Reads elements with `read` until it breaks off, works on what it makes of them, and hands on what came of that, on this
/// thread.
///
/// # Errors
/// Of several failures the one that stands first in the file; nothing that stands behind it is handed on.
pub(crate) fn each<T: Send, R: Send>(
    path: &Path,
    jobs: NonZeroUsize,
    read: &mut dyn FnMut(Element) -> Result<ControlFlow<(), T>, EvalError>,
    work: &(dyn Fn(T) -> Result<R, EvalError> + Sync),
    hand_on: &mut dyn FnMut(R) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
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
        let mut order = Order { next: 0, ahead: BTreeMap::new(), failed: None };
        let mut misread = None;
        let listed = elements(path, &mut |element| {
            let index = element.index;
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
            let has_failed = done.try_iter().any(|outcome| order.take(outcome, hand_on));
            if is_taken && !has_failed { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        drop(tasks);
        for outcome in done {
            order.take(outcome, hand_on);
        }
        // What was handed out stands before what could not be read.
        if let Some(error) = order.failed {
            return Err(error);
        }
        listed?;
        misread.map_or(Ok(()), Err)
    })
}

/// What came of elements, of which some before are still worked on.
struct Order<R> {
    /// The first element that was not handed on.
    next: usize,
    ahead: BTreeMap<usize, Result<R, EvalError>>,
    failed: Option<EvalError>,
}

impl<R> Order<R> {
    /// Takes one, hands on what is due, and says whether anything has failed, in whatever place.
    fn take(
        &mut self,
        (index, outcome): (usize, Result<R, EvalError>),
        hand_on: &mut dyn FnMut(R) -> Result<(), EvalError>,
    ) -> bool {
        self.ahead.insert(index, outcome);
        while self.failed.is_none()
            && let Some(outcome) = self.ahead.remove(&self.next)
        {
            self.next += 1;
            self.failed = outcome.and_then(&mut *hand_on).err();
        }
        self.failed.is_some() || self.ahead.values().any(Result::is_err)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use bygone_engine::StoreError;

    use super::*;

    /// Works on ten elements, of which the first is done last, and returns what was handed on.
    fn handed_on(
        jobs: usize,
        work: &(dyn Fn(usize) -> Result<usize, EvalError> + Sync),
        refused: usize,
    ) -> (Vec<usize>, Result<(), EvalError>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("list.json");
        fs_err::write(&path, "[0,1,2,3,4,5,6,7,8,9]").expect("writes");
        let mut handed_on = Vec::new();
        let result = each(
            &path,
            NonZeroUsize::new(jobs).expect("some"),
            &mut |element| Ok(ControlFlow::Continue(element.index)),
            work,
            &mut |result| {
                if result == refused {
                    return Err(StoreError::Interrupted.into());
                }
                handed_on.push(result);
                Ok(())
            },
        );
        (handed_on, result)
    }

    #[test]
    fn what_is_done_early_waits_for_what_stands_before_it() {
        let n_done = AtomicUsize::new(0);
        let first_last = |index: usize| {
            while index == 0 && n_done.load(Ordering::SeqCst) < 3 {
                std::thread::yield_now();
            }
            n_done.fetch_add(1, Ordering::SeqCst);
            Ok(index)
        };
        let (handed_on, result) = handed_on(2, &first_last, usize::MAX);
        assert!(result.is_ok(), "{result:?}");
        assert_eq!(handed_on, (0..10).collect::<Vec<_>>());
    }

    #[test]
    fn nothing_behind_a_failure_is_handed_on() {
        let fails = |index: usize| match index {
            4 | 6 => Err(EvalError::Outside(format!("failed at {index}"))),
            _ => Ok(index),
        };
        for jobs in [1, 3] {
            let (handed_on, result) = handed_on(jobs, &fails, usize::MAX);
            assert_eq!(handed_on, [0, 1, 2, 3], "{jobs} jobs");
            assert!(result.expect_err("fails").to_string().contains("failed at 4"));
        }
        let (handed_on, result) = handed_on(3, &|index| Ok(index), 2);
        assert_eq!(handed_on, [0, 1]);
        assert!(result.is_err());
    }
}
