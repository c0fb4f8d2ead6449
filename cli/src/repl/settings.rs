//! Options that are set once and hold for the lines that follow.
//!
//! What can be set is what every reading command takes: the options of the view, and those of every command but the
//! store's folder. Each is read off its definition, so that a new option can be set as soon as it exists.

use std::collections::BTreeMap;

use bygone_engine::time::{Instant, Moment, format_moment, parse_moment};
use clap::{Arg, Command, Parser};

use super::grammar::{Reading, takes_value};
use crate::arguments::{DEFAULT_SPACE, Global, Variables, VectorIndex, definition, parse};
use crate::failure::Failure;
use crate::output::shorten;
use crate::screen::Signs;
use crate::view::{LATEST, ViewOptions, moment};

/// The characters of a value that the prompt shows at most.
const PROMPT_CHARS: usize = 40;

/// What can be set, as the definitions of options.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Settable {
    #[command(flatten)]
    view: ViewOptions,
    #[command(flatten)]
    global: Global,
}

/// Options by name: what was said, or `None` for an option that takes no value.
type Values = BTreeMap<String, Option<String>>;

/// The options that are set.
#[derive(Clone)]
pub(super) struct Settings {
    definitions: Command,
    /// What the shell was started with, which holds again once what was set is taken back.
    initial: Values,
    set: Values,
}

impl Settings {
    /// Starts with the options that the shell itself was given.
    pub(super) fn new(global: &Global) -> Settings {
        // The shell keeps the store by itself. Every other option is kept here, also the next one that there is.
        let Global { store: _, space, json, quiet, vector_index, config, now } = global;
        let values = [
            ("space", Some(space).filter(|space| *space != DEFAULT_SPACE).cloned()),
            ("now", now.clone()),
            ("config", config.as_ref().map(|config| config.to_string_lossy().into_owned())),
            (
                "vector-index",
                (*vector_index != VectorIndex::default()).then(|| vector_index.name().to_owned()),
            ),
        ];
        let values = values.into_iter().filter(|(_, value)| value.is_some());
        let flags = [("json", *json), ("quiet", *quiet)].into_iter().filter(|(_, is_on)| *is_on);
        let set: Values = values
            .chain(flags.map(|(name, _)| (name, None)))
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        Settings { definitions: definition::<Settable>(&Variables::Own), initial: set.clone(), set }
    }

    /// Returns the names of what can be set, in the order in which help lists them.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.settable().filter_map(Arg::get_long)
    }

    /// Returns the definition of what can be set under a name.
    pub(super) fn definition(&self, name: &str) -> Option<&Arg> {
        self.settable().find(|arg| arg.get_long() == Some(name))
    }

    fn settable(&self) -> impl Iterator<Item = &Arg> {
        self.definitions.get_arguments().filter(|arg| arg.get_id() != "store")
    }

    /// Sets an option; a value that the option cannot have is refused, and nothing changes.
    pub(super) fn set(&mut self, name: &str, value: &str, now: Instant) -> Result<(), Failure> {
        let definition = self.definition(name).ok_or_else(|| self.unknown(name))?;
        let entry = if takes_value(definition) {
            if value.is_empty() {
                return Err(Failure::Usage(format!(
                    "`set {name}` needs a value; `unset {name}` takes it back"
                )));
            }
            Some(value.to_owned())
        } else {
            match value {
                "" | "on" => None,
                "off" => {
                    self.set.remove(name);
                    return Ok(());
                }
                other => {
                    return Err(Failure::Usage(format!("`set {name}` takes on or off, and not {other:?}")));
                }
            }
        };
        let mut set = self.set.clone();
        set.insert(name.to_owned(), entry);
        check(&set, now)?;
        self.set = set;
        Ok(())
    }

    /// Takes back what was set for an option, or for all: they are as the shell was started with.
    pub(super) fn unset(&mut self, name: &str) -> Result<(), Failure> {
        if name == "all" {
            self.set.clone_from(&self.initial);
            return Ok(());
        }
        if self.definition(name).is_none() {
            return Err(self.unknown(name));
        }
        match self.initial.get(name) {
            Some(value) => self.set.insert(name.to_owned(), value.clone()),
            None => self.set.remove(name),
        };
        Ok(())
    }

    fn unknown(&self, name: &str) -> Failure {
        let names: Vec<&str> = self.names().collect();
        Failure::Usage(format!("{name:?} cannot be set: expected {}", names.join(", ")))
    }

    /// Returns the space that lines work in.
    pub(super) fn space(&self) -> &str {
        self.set.get("space").and_then(Option::as_deref).unwrap_or(DEFAULT_SPACE)
    }

    /// Says whether results are printed as JSON Lines.
    pub(super) fn is_json(&self) -> bool {
        self.set.contains_key("json")
    }

    /// Returns what is set by name and value; an option without a value is "on".
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.set.iter().map(|(name, value)| (name.as_str(), value.as_deref().unwrap_or("on")))
    }

    /// Returns the options to add to a line: those that its command takes and that it does not give itself.
    pub(super) fn added_to(&self, reading: &Reading<'_>) -> Vec<String> {
        let open = |name: &str| self.definition(name).is_some_and(|arg| reading.leaves_open(arg));
        self.set
            .iter()
            .filter(|(name, _)| open(name))
            .map(|(name, value)| as_option(name, value.as_deref()))
            .collect()
    }

    /// Returns what stands before each line: the space, and what else is set.
    pub(super) fn prompt(&self, signs: Signs) -> String {
        let others = self.names().filter(|name| *name != "space");
        let set = others.filter_map(|name| Some(phrase(name, self.set.get(name)?.as_deref(), signs)));
        let set: Vec<String> = set.collect();
        let set = if set.is_empty() { String::new() } else { format!(" [{}]", set.join("; ")) };
        format!("bygone:{}{set}> ", self.space())
    }
}

fn as_option(name: &str, value: Option<&str>) -> String {
    value.map_or_else(|| format!("--{name}"), |value| format!("--{name}={value}"))
}

/// Holds what is set to what the options mean.
fn check(set: &Values, now: Instant) -> Result<(), Failure> {
    let words = set.iter().map(|(name, value)| as_option(name, value.as_deref()));
    let settable = parse::<Settable, _>(words, &Variables::Own).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        Failure::Usage(first.strip_prefix("error: ").unwrap_or(first).to_owned())
    })?;
    let now = match &settable.global.now {
        Some(text) => moment("--now", text)?.at,
        None => now,
    };
    settable.view.request(now).map(drop)
}

fn phrase(name: &str, value: Option<&str>, signs: Signs) -> String {
    let words = name.replace('-', " ");
    let Some(value) = value else { return words };
    let until = match signs {
        Signs::Unicode => "≤",
        Signs::Ascii => "<=",
    };
    let said = match name {
        "valid" => valid_phrase(value),
        "known" | "recorded" if value != LATEST => format!("{until} {}", time_phrase(value)),
        _ => time_phrase(value),
    };
    let said: String = said.chars().filter(|c| !c.is_control()).collect();
    format!("{words} {}", shorten(&said, PROMPT_CHARS))
}

fn valid_phrase(value: &str) -> String {
    match value.split_once("..") {
        None => time_phrase(value),
        Some(("", "")) => "all".to_owned(),
        Some((from, "")) => format!("since {}", time_phrase(from)),
        Some(("", to)) => format!("until {}", time_phrase(to)),
        Some((from, to)) => format!("{} to {}", time_phrase(from), time_phrase(to)),
    }
}

/// Says a time at its granularity, and anything else as it stands.
fn time_phrase(text: &str) -> String {
    parse_moment(text).map_or_else(|_| text.to_owned(), |moment: Moment| format_moment(moment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repl::grammar::{read, root};

    fn now() -> Instant {
        parse_moment("2025-12-01T00:00:00Z").expect("a time").at
    }

    fn settings(set: &[(&str, &str)]) -> Settings {
        let global = Global {
            vector_index: VectorIndex::Auto,
            store: "store".into(),
            space: "default".to_owned(),
            json: false,
            quiet: false,
            config: None,
            now: None,
        };
        let mut settings = Settings::new(&global);
        for (name, value) in set {
            settings.set(name, value, now()).expect(name);
        }
        settings
    }

    #[track_caller]
    fn prompts(set: &[(&str, &str)], expected: &str) {
        assert_eq!(settings(set).prompt(Signs::Unicode), expected);
    }

    #[test]
    fn the_prompt_tells_what_is_set_at_its_granularity() {
        prompts(&[], "bygone:default> ");
        prompts(
            &[("known", "2024-06-01"), ("valid", "2024-03")],
            "bygone:default [valid March 2024; known ≤ 1 June 2024]> ",
        );
        prompts(&[("recorded", "12"), ("space", "work")], "bygone:work [recorded ≤ 12]> ");
        prompts(&[("valid", "2023..2024")], "bygone:default [valid 2023 to 2024]> ");
        prompts(&[("valid", "2023.."), ("json", "on")], "bygone:default [valid since 2023; json]> ");
        prompts(
            &[("valid", "now"), ("known", "latest"), ("recorded", "latest")],
            "bygone:default [valid now; known latest; recorded latest]> ",
        );
        prompts(&[("valid", "all"), ("history", "")], "bygone:default [valid all; history]> ");
        prompts(
            &[("by-agent", "coder"), ("in-session", "a\u{7}b")],
            "bygone:default [by agent coder; in session ab]> ",
        );
        assert_eq!(settings(&[("known", "2024")]).prompt(Signs::Ascii), "bygone:default [known <= 2024]> ");
    }

    #[test]
    fn values_are_checked_when_they_are_set() {
        let mut settings = settings(&[("valid", "2024")]);
        for (name, value) in [
            ("valid", "soon"),
            ("valid", "2024..2023"),
            ("valid", ""),
            ("known", "2024-13"),
            ("recorded", "x"),
            ("now", "tomorrow"),
            ("history", "maybe"),
            ("store", "elsewhere"),
            ("validity", "2024"),
        ] {
            assert!(settings.set(name, value, now()).is_err(), "{name} {value}");
        }
        assert_eq!(settings.entries().collect::<Vec<_>>(), [("valid", "2024")], "nothing else was set");
        assert!(settings.unset("validity").is_err());
        settings.unset("known").expect("what is not set can be taken back");
        settings.set("history", "on", now()).expect("sets");
        settings.set("history", "off", now()).expect("sets");
        settings.unset("all").expect("takes back");
        assert_eq!(settings.entries().count(), 0);
    }

    #[test]
    fn what_the_shell_was_started_with_outlasts_what_is_set() {
        let global = Global {
            vector_index: VectorIndex::Hnsw,
            store: "store".into(),
            space: "work".to_owned(),
            json: true,
            quiet: false,
            config: None,
            now: Some("2025-12-01T00:00:00Z".to_owned()),
        };
        let mut settings = Settings::new(&global);
        let started =
            [("json", "on"), ("now", "2025-12-01T00:00:00Z"), ("space", "work"), ("vector-index", "hnsw")];
        for (name, value) in [
            ("space", "default"),
            ("json", "off"),
            ("now", "2024"),
            ("valid", "2024"),
            ("vector-index", "exact"),
        ] {
            settings.set(name, value, now()).expect(name);
        }
        assert_eq!(
            settings.entries().collect::<Vec<_>>(),
            [("now", "2024"), ("space", "default"), ("valid", "2024"), ("vector-index", "exact")]
        );
        settings.unset("now").expect("takes back");
        assert!(settings.entries().any(|entry| entry == started[1]));
        settings.unset("all").expect("takes back");
        assert_eq!(settings.entries().collect::<Vec<_>>(), started);
    }

    #[test]
    fn a_command_gets_what_it_takes_and_the_line_does_not_give() {
        let root = root();
        let settings = settings(&[
            ("valid", "2024"),
            ("history", "on"),
            ("json", "on"),
            ("space", "work"),
            ("known", "2025"),
        ]);
        let added = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            settings.added_to(&read(&root, &words).expect(line))
        };
        let all = ["--history", "--json", "--known=2025", "--space=work", "--valid=2024"];
        assert_eq!(added("bygone facts"), all);
        assert_eq!(added("bygone --space other facts --valid=all --json"), ["--history", "--known=2025"]);
        assert_eq!(
            added("bygone facts --space other"),
            ["--history", "--json", "--known=2025", "--valid=2024"]
        );
        assert_eq!(added("bygone stats"), ["--json", "--space=work"]);
    }
}
