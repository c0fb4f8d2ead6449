//! The bar that shows a person how far a command has come through its files or questions.
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

    /// Makes a bar for a number of questions, of which some were asked before.
    pub(crate) fn of_questions(n_questions: u64, n_before: u64, is_watched: bool) -> Bar {
        if !is_watched {
            return Bar(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(Some(n_questions), ProgressDrawTarget::stderr());
        let style =
            ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} questions, {eta} to go");
        bar.set_style(style.expect("the template is fixed and valid"));
        bar.set_position(n_before);
        // What was done before says nothing of how long the rest takes.
        bar.reset_eta();
        Bar(bar)
    }

    /// Shows how many questions were asked.
    pub(crate) fn show_questions(&self, n_questions: u64) {
        self.0.set_position(n_questions);
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
