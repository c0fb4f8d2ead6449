//! What a line of the shell does: change what is set, ask for help, leave, or run a command.

use bygone_engine::StoreError;
use clap::Command;
use serde_json::{Map, Value, json};

use super::grammar;
use super::question::{is_query, is_question};
use super::settings::Settings;
use super::words::split;
use crate::arguments::Global;
use crate::failure::{Exit, Failure};
use crate::output::{Output, count};
use crate::session::{Session, Streams};

/// What the shell itself understands, with a line of help each.
pub(super) const OWN: &[(&str, &str)] = &[
    (
        "set NAME VALUE",
        "Let an option hold for the lines that follow (`set history on` for one without a value)",
    ),
    ("unset NAME | all", "Take it back: what the shell was started with holds again"),
    ("view [NAME=VALUE …]", "Show what is set, or set several options at once"),
    ("timing on | off", "Say after each command how long it took"),
    (":export FILE", "Write what the last command showed to a file; as JSON Lines where it ends in .jsonl"),
    ("help [COMMAND]", "Show this, or how a command is used"),
    ("exit", "Leave, as do quit and Ctrl-D"),
    ("QUESTION", "A line that is no command and reads like a question is asked"),
    ("MATCH (…", "A line that starts like a query is one, without quotes"),
];

/// The first words that the shell keeps to itself.
pub(super) const OWN_WORDS: &[&str] = &["set", "unset", "view", "timing", "help", "exit", "quit"];

/// A shell over a session.
pub(super) struct Shell<'a> {
    pub(super) session: &'a mut Session,
    pub(super) settings: Settings,
    pub(super) root: Command,
    pub(super) store: String,
    /// Whether it is told how long a command took.
    is_timed: bool,
    /// The words of the last command, for its results to be written to a file.
    last: Vec<String>,
}

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It was done, or could not be.
    Ran(Exit),
    /// It asks to leave.
    Leave,
}

impl<'a> Shell<'a> {
    pub(super) fn new(session: &'a mut Session, global: &Global) -> Shell<'a> {
        let store = global.store.to_string_lossy().into_owned();
        Shell {
            session,
            settings: Settings::new(global),
            root: grammar::root(),
            store,
            is_timed: false,
            last: Vec::new(),
        }
    }

    /// Opens the store, if there is one yet: names can be completed from the first line on, and who else holds it is told
    /// at once.
    pub(super) fn open(&mut self) -> Result<(), Failure> {
        self.session.open_for_shell(self.store.as_ref())?;
        Ok(())
    }

    /// Returns what stands before a line.
    pub(super) fn prompt(&self) -> String {
        self.settings.prompt(self.session.screen().signs)
    }

    /// Says whether a word is a command, or the shell's own.
    pub(super) fn is_command(&self, word: &str) -> bool {
        OWN_WORDS.contains(&word) || self.root.find_subcommand(word).is_some()
    }

    /// Says whether a line goes on in the next one: it ends in a backslash, or within quotes. Questions never do, since their
    /// apostrophes are no quotes, and queries only after a backslash.
    pub(super) fn goes_on(&self, line: &str) -> bool {
        if is_query(line) {
            return line.ends_with('\\');
        }
        !is_question(line, |word| self.is_command(word)) && split(line).is_err()
    }

    /// Does what a line says. What goes wrong is reported like the failure of a command.
    pub(super) fn line(&mut self, line: &str, streams: &mut Streams<'_>) -> Outcome {
        let line = &line.replace("\\\n", " ");
        if is_query(line) {
            return Outcome::Ran(self.run(&["query".to_owned(), line.trim().to_owned()], streams));
        }
        if is_question(line, |word| self.is_command(word)) {
            return Outcome::Ran(self.run(&["ask".to_owned(), line.trim().to_owned()], streams));
        }
        let mut words = match split(line) {
            Ok(words) => words,
            Err(error) => return report(&Failure::Usage(error.to_string()), streams),
        };
        // A line copied from elsewhere may name the program.
        if words.len() > 1 && words[0] == "bygone" {
            words.remove(0);
        }
        // A colon says that a word is the shell's own.
        let own = words.first().and_then(|first| first.strip_prefix(':')).map(str::to_owned);
        if let Some(own) = own {
            match own.as_str() {
                "export" => {
                    return self
                        .export(&words[1..], streams)
                        .map_or_else(|failure| report(&failure, streams), |()| Outcome::Ran(Exit::Done));
                }
                "explain" if words.len() > 1 => {
                    return Outcome::Ran(self.run(&["explain".to_owned(), words[1..].join(" ")], streams));
                }
                _ => words[0] = own,
            }
        }
        let Some((first, rest)) = words.split_first() else {
            return Outcome::Ran(Exit::Done);
        };
        let done = match first.as_str() {
            "exit" | "quit" => return Outcome::Leave,
            "set" => self.set(rest, streams),
            "unset" => self.unset(rest),
            "view" if rest.is_empty() => self.view(streams),
            "view" => self.set_all(rest, streams),
            "timing" => self.time(rest),
            "help" if rest.is_empty() || OWN_WORDS.contains(&rest[0].as_str()) => self.help(streams),
            _ => return Outcome::Ran(self.run(&words, streams)),
        };
        match done {
            Ok(()) => Outcome::Ran(Exit::Done),
            Err(failure) => report(&failure, streams),
        }
    }

    fn run(&mut self, words: &[String], streams: &mut Streams<'_>) -> Exit {
        let all = self.words_to_run(words);
        // Only what looks through a view is run again: nothing of that writes.
        let looks = grammar::read(&self.root, &all).is_some_and(|reading| reading.takes_a_view());
        self.last = if looks { all.clone() } else { Vec::new() };
        let started = std::time::Instant::now();
        let exit = self.session.run(all, streams);
        if self.is_timed {
            let took = started.elapsed().as_secs_f64() * 1e3;
            // As for what goes wrong: there is nowhere else to say it.
            writeln!(streams.errors, "took {took:.1} ms").unwrap_or_default();
        }
        exit
    }

    /// Runs the last command again and writes its results to a file.
    fn export(&mut self, rest: &[String], streams: &mut Streams<'_>) -> Result<(), Failure> {
        let [path] = rest else {
            return Err(Failure::Usage("`:export` needs the name of a file".to_owned()));
        };
        if self.last.is_empty() {
            return Err(Failure::Usage("the last command showed nothing that can be shown again".to_owned()));
        }
        let mut words = self.last.clone();
        if std::path::Path::new(path).extension().is_some_and(|extension| extension == "jsonl")
            && !words.iter().any(|word| word == "--json")
        {
            words.push("--json".to_owned());
        }
        let cannot = |error: std::io::Error| Failure::Input(format!("{path:?} cannot be written: {error}"));
        let mut file = fs_err::OpenOptions::new().write(true).create_new(true).open(path).map_err(cannot)?;
        let mut results = Vec::new();
        let mut into = Streams { input: streams.input, output: &mut results, errors: streams.errors };
        let exit = self.session.run(words, &mut into);
        if exit != Exit::Done && results.is_empty() {
            fs_err::remove_file(path).map_err(cannot)?;
            return Err(Failure::NotKnown("there is nothing to write".to_owned()));
        }
        std::io::Write::write_all(&mut file, &results).map_err(cannot)?;
        let lines = results.split(|byte| *byte == b'\n').count() - 1;
        writeln!(streams.errors, "{} written to {path}", count(lines as u64, "line"))?;
        Ok(())
    }

    /// Sets several options, each as NAME=VALUE.
    fn set_all(&mut self, pairs: &[String], streams: &mut Streams<'_>) -> Result<(), Failure> {
        let before = self.settings.clone();
        for pair in pairs {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if let Err(failure) = self.set(&[name.to_owned(), value.to_owned()], streams) {
                // All of it is set, or nothing.
                self.settings = before;
                return Err(failure);
            }
        }
        Ok(())
    }

    fn time(&mut self, rest: &[String]) -> Result<(), Failure> {
        self.is_timed = match rest.first().map(String::as_str) {
            None => !self.is_timed,
            Some("on") => true,
            Some("off") => false,
            Some(_) => return Err(Failure::Usage("`timing` is on or off".to_owned())),
        };
        Ok(())
    }

    /// Returns the words of the command that a line amounts to, with the store and what is set.
    fn words_to_run(&self, words: &[String]) -> Vec<String> {
        let program = "bygone".to_owned();
        let mut all: Vec<String> = std::iter::once(program).chain(words.iter().cloned()).collect();
        // What is not understood gets nothing added: it is only to be refused.
        if let Some(reading) = grammar::read(&self.root, &all) {
            let mut added = self.settings.added_to(&reading);
            if self.session.is_at_terminal() && reading.takes_flag("draw") {
                added.push("--draw".to_owned());
            }
            if let Some(store) = self.root.get_arguments().find(|arg| arg.get_id() == "store")
                && reading.leaves_open(store)
            {
                added.push(format!("--store={}", self.store));
            }
            let end = all.iter().position(|word| word == "--").unwrap_or(all.len());
            all.splice(end..end, added);
        }
        all
    }

    fn set(&mut self, rest: &[String], streams: &mut Streams<'_>) -> Result<(), Failure> {
        let Some((name, values)) = rest.split_first() else {
            let names: Vec<&str> = self.settings.names().collect();
            return Err(Failure::Usage(format!(
                "`set` needs a name and a value; names are {}",
                names.join(", ")
            )));
        };
        let value = values.join(" ");
        if name == "space"
            && !value.is_empty()
            && let Some(store) = self.session.open_for_shell(self.store.as_ref())?
        {
            match store.space(&value, false).map(drop) {
                Err(StoreError::NoSpace(_)) => writeln!(
                    streams.errors,
                    "there is no space {value:?} yet; the first command that writes makes it"
                )?,
                found => found?,
            }
        }
        let now = self.session.now();
        self.settings.set(name, &value, now)
    }

    fn unset(&mut self, rest: &[String]) -> Result<(), Failure> {
        match rest {
            [name] => self.settings.unset(name),
            _ => Err(Failure::Usage("`unset` needs one name, or all".to_owned())),
        }
    }

    fn view(&self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let json = self.settings.is_json();
        let mut output = Output {
            json,
            quiet: false,
            colour: false,
            n_masked: 0,
            results: streams.output,
            errors: streams.errors,
        };
        if json {
            let entries = self.settings.entries().map(|(name, value)| (name.to_owned(), json!(value)));
            let mut row: Map<String, Value> = entries.collect();
            row.insert("space".to_owned(), json!(self.settings.space()));
            output.row(&Value::Object(row))?;
        } else {
            let space = ("space", self.settings.space());
            let others = self.settings.entries().filter(|(name, _)| *name != "space");
            let cells = |(name, value): (&str, &str)| vec![name.to_owned(), value.to_owned()];
            let rows: Vec<Vec<String>> = std::iter::once(space).chain(others).map(cells).collect();
            output.table(&rows)?;
        }
        Ok(output.results.flush()?)
    }

    fn help(&self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let mut output = Output {
            json: false,
            quiet: false,
            colour: false,
            n_masked: 0,
            results: streams.output,
            errors: streams.errors,
        };
        let commands = self.root.get_subcommands();
        let commands = commands.filter(|command| !command.is_hide_set() && command.get_name() != "help");
        let commands = commands
            .map(|command| (command.get_name(), command.get_about().map(ToString::to_string)))
            .map(|(name, about)| vec![format!("  {name}"), about.unwrap_or_default()]);
        let own = OWN.iter().map(|(words, about)| vec![format!("  {words}"), (*about).to_owned()]);
        output.table(&own.chain(commands).collect::<Vec<_>>())?;
        let names: Vec<&str> = self.settings.names().collect();
        output.line(format!("What can be set: {}", names.join(", ")))?;
        Ok(output.results.flush()?)
    }
}

fn report(failure: &Failure, streams: &mut Streams<'_>) -> Outcome {
    // There is nowhere left to report to if this fails as well.
    writeln!(streams.errors, "bygone: {failure}").unwrap_or_default();
    Outcome::Ran(failure.exit())
}
