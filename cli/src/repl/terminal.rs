//! The shell where a person sits at it: lines are edited, kept and completed, and Ctrl-C stops what runs.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{SigSet, Signal};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Editor, Helper};

use super::complete::{Completion, complete};
use super::highlight::highlight;
use super::history_file;
use super::shell::{Outcome, Shell};
use crate::failure::{Exit, Failure};
use crate::session::Streams;

/// File names offered, at most.
const MOST_FILES: usize = 100;

/// Runs lines until the person leaves. `history` is the file in which they are kept.
pub(super) fn run(
    mut shell: Shell<'_>,
    history: Option<PathBuf>,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    hear_interrupts(&stop)?;
    shell.session.stop_by(Arc::clone(&stop));
    shell.open()?;
    let is_coloured = shell.session.is_coloured();
    let shell = RefCell::new(shell);
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .auto_add_history(false)
        .history_ignore_space(true)
        .history_ignore_dups(true)
        .and_then(|config| config.max_history_size(history_file::MOST_LINES))
        .map_err(unusable)?
        .build();
    let mut lines = FileHistory::with_config(&config);
    let history = history.and_then(|path| history_file::load(&mut lines, path));
    let mut editor = Editor::with_history(config, lines).map_err(unusable)?;
    editor.set_helper(Some(AtTheEnd {
        shell: &shell,
        stop: &stop,
        files: FilenameCompleter::new(),
        is_coloured,
    }));
    loop {
        streams.output.flush()?;
        if let Some((width, _)) = editor.dimensions() {
            // The window may have been resized.
            shell.borrow_mut().session.screen_mut().width = width.into();
        }
        let prompt = shell.borrow().prompt();
        let line = match editor.readline(&prompt) {
            Ok(line) => line,
            // Ctrl-C: the line is given up.
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(unusable(error)),
        };
        history_file::keep(editor.history_mut(), history.as_ref(), line.trim_end());
        let mut output = Stoppable { inner: &mut *streams.output, stop: &stop, stopped: false };
        let mut heard = Streams { input: streams.input, output: &mut output, errors: streams.errors };
        let outcome = shell.borrow_mut().line(&line, &mut heard);
        if output.stopped {
            writeln!(streams.errors, "bygone: interrupted")?;
        }
        if outcome == Outcome::Leave {
            break;
        }
    }
    Ok(Exit::Done)
}

/// Has the flag set whenever SIGINT comes.
///
/// The editor has a handler of its own for the signal, which forgets one that comes between a line and its command. So no
/// thread takes the signal but one that waits for it: what is blocked everywhere else goes to no handler.
fn hear_interrupts(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    let mut interrupts = SigSet::empty();
    interrupts.add(Signal::SIGINT);
    // Before the store is opened: its threads block what the one that starts them blocks.
    interrupts.thread_block().map_err(unusable)?;
    let stop = Arc::clone(stop);
    std::thread::spawn(move || {
        while interrupts.wait().is_ok() {
            stop.store(true, Ordering::Relaxed);
        }
    });
    Ok(())
}

fn unusable(error: impl std::fmt::Display) -> Failure {
    Failure::Input(format!("the terminal cannot be used: {error}"))
}

/// Results that end when they are to: whoever asked has had enough.
struct Stoppable<'a> {
    inner: &'a mut dyn Write,
    stop: &'a AtomicBool,
    stopped: bool,
}

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            self.stopped = true;
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Completes lines for the editor, and forgets signals when one is entered.
struct AtTheEnd<'s, 'a> {
    shell: &'s RefCell<Shell<'a>>,
    stop: &'s AtomicBool,
    files: FilenameCompleter,
    is_coloured: bool,
}

impl Completer for AtTheEnd<'_, '_> {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let shell = self.shell.borrow();
        match complete(&line[..position], &shell.root, &shell.settings, &*shell) {
            Completion::Words(start, candidates) => {
                let pair = |candidate: super::complete::Candidate| Pair {
                    display: candidate.shown,
                    replacement: candidate.inserted,
                };
                Ok((start, candidates.into_iter().map(pair).collect()))
            }
            Completion::File => {
                let (start, mut pairs) = self.files.complete_path(line, position)?;
                pairs.truncate(MOST_FILES);
                Ok((start, pairs))
            }
        }
    }
}

impl Helper for AtTheEnd<'_, '_> {}

impl Hinter for AtTheEnd<'_, '_> {
    type Hint = String;
}

impl Highlighter for AtTheEnd<'_, '_> {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        let shell = self.shell.borrow();
        if !self.is_coloured {
            return Cow::Borrowed(line);
        }
        Cow::Owned(highlight(line, |word| shell.is_command(word)))
    }

    /// What a line does is known by its first word, which may have changed with any key.
    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        self.is_coloured
    }
}

impl Validator for AtTheEnd<'_, '_> {
    /// Every line is one, unless it ends in a backslash or within quotes: it goes on then. This is asked when it is entered, while Ctrl-C is still a key of the editor's: a signal that came
    /// until now meant no command, and one that comes from now on means this one.
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        self.stop.store(false, Ordering::Relaxed);
        let goes_on = self.shell.borrow().goes_on(context.input());
        Ok(if goes_on { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}
