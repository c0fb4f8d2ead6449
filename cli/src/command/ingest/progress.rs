//! The bar that shows a person how far an ingest has come.
//!
//! It is drawn by the thread that runs the command and by no other: that one holds standard error, and whoever else drew
//! would wait for it.

use bygone_ingest::Progress;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error; hidden where nobody watches.
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// Makes a bar for a number of bytes.
    pub(super) fn new(n_bytes: u64, is_watched: bool) -> Bar {
        if !is_watched {
            return Bar(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(Some(n_bytes), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:30} {bytes} of {total_bytes}, {msg}, {eta} to go");
        bar.set_style(style.expect("the template is fixed and valid"));
        Bar(bar)
    }

    /// Shows how far it has come.
    pub(super) fn show(&self, progress: Progress) {
        self.0.set_position(progress.bytes);
        self.0.set_message(format!("{} new turns", HumanCount(progress.episodes)));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
