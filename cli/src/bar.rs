//! The bar that shows a person how far a command has come through its files.
//!
//! It is drawn by the thread that runs the command and by no other: that one holds standard error, and whoever else drew
//! would wait for it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error; hidden where nobody watches.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// Makes a bar for a number of bytes.
    pub(crate) fn new(n_bytes: u64, is_watched: bool) -> Bar {
        if !is_watched {
            return Bar(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(Some(n_bytes), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:30} {bytes} of {total_bytes}, {msg}, {eta} to go");
        bar.set_style(style.expect("the template is fixed and valid"));
        Bar(bar)
    }

    /// Shows how many bytes were read and what came of them.
    pub(crate) fn show(&self, n_bytes: u64, message: String) {
        self.0.set_position(n_bytes);
        self.0.set_message(message);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
