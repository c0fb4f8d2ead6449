//! Writing the hooks into a coding agent's settings, beside whatever else stands there.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::steps::{is_ours, prefix};
use crate::failure::{Exit, Failure};
use crate::session::Context;
use crate::table::shown;

/// The events of Claude Code, and the command for each.
const EVENTS: [(&str, &str); 4] = [
    ("SessionStart", "session-start"),
    ("PreCompact", "pre-compact"),
    ("PostToolUse", "post-tool-use"),
    ("SessionEnd", "session-end"),
];

/// How many seconds a hook may take.
const TIMEOUT_SECONDS: u64 = 60;

#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct Install {
    /// The settings to write [default: .claude/settings.json, in this folder]
    #[arg(long, value_name = "FILE", conflicts_with = "everywhere")]
    settings: Option<PathBuf>,
    /// Write the settings of all projects: ~/.claude/settings.json
    #[arg(long = "user")]
    everywhere: bool,
    /// Let each project have a space of its own, as with --user
    #[arg(long)]
    by_project: bool,
    /// Only show what would stand there
    #[arg(long)]
    print: bool,
    /// Take the hooks out again
    #[arg(long)]
    remove: bool,
}

impl Install {
    pub(super) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Context { global, mut output, .. } = context;
        let path = self.path()?;
        let name = shown(&path.to_string_lossy());
        let before = match fs_err::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(Failure::Input(error.to_string())),
        };
        let settings = match before.as_deref().map(str::trim) {
            None | Some("") => Value::Object(Map::new()),
            Some(text) => serde_json::from_str(text)
                .map_err(|error| Failure::Input(format!("{name} is no JSON: {error}")))?,
        };
        let mut prefix = prefix(&global.store, &global.space)?;
        prefix.push_str(" hook");
        let by_project = self.everywhere || self.by_project;
        let after = with_hooks(settings, (!self.remove).then_some((&*prefix, by_project)))
            .map_err(|what| Failure::Input(format!("{name}: {what}")))?;
        let text = format!("{after:#}\n");
        if self.print {
            output.line(text)?;
            return Ok(Exit::Done);
        }
        if before.as_deref() == Some(&text) || (before.is_none() && self.remove) {
            output.remark(format!("{name} is as it should be"))?;
            return Ok(Exit::Done);
        }
        write(&path, &text)?;
        let done = if self.remove { "took the hooks out of" } else { "wrote the hooks into" };
        output.remark(format!("{done} {name}"))?;
        Ok(Exit::Done)
    }

    fn path(&self) -> Result<PathBuf, Failure> {
        const FILE: &str = ".claude/settings.json";
        if let Some(path) = &self.settings {
            return Ok(path.clone());
        }
        if !self.everywhere {
            return Ok(PathBuf::from(FILE));
        }
        let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
        let home = home.ok_or_else(|| Failure::Usage("--user: HOME is not set".to_owned()))?;
        Ok(PathBuf::from(home).join(FILE))
    }
}

/// Puts a text in the place of a file, whole or not at all.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs_err::create_dir_all(folder)?;
    }
    let beside = path.with_extension("json.new");
    fs_err::write(&beside, text)?;
    Ok(fs_err::rename(&beside, path)?)
}

/// Returns settings with our hooks in place of those that were ours before; without any where `ours`, the words
/// they start with and whether each project has its own space, is nothing.
fn with_hooks(mut settings: Value, ours: Option<(&str, bool)>) -> Result<Value, &'static str> {
    let Some(root) = settings.as_object_mut() else { return Err("settings are a JSON object") };
    let hooks = root.entry("hooks").or_insert_with(|| json!({}));
    let Some(hooks) = hooks.as_object_mut() else { return Err("\"hooks\" is no object") };
    for (event, command) in EVENTS {
        let groups = hooks.entry(event).or_insert_with(|| json!([]));
        let Some(groups) = groups.as_array_mut() else { return Err("the hooks of an event are no list") };
        for group in groups.iter_mut() {
            if let Some(commands) = group.get_mut("hooks").and_then(Value::as_array_mut) {
                commands.retain(|command| !is_ours(command));
            }
        }
        groups
            .retain(|group| group.get("hooks").and_then(Value::as_array).is_none_or(|list| !list.is_empty()));
        if let Some((prefix, by_project)) = ours {
            let by_project = if by_project { " --by-project" } else { "" };
            let command = format!("{prefix} {command}{by_project}");
            groups.push(json!({
                "hooks": [{ "type": "command", "command": command, "timeout": TIMEOUT_SECONDS }],
            }));
        }
        if groups.is_empty() {
            hooks.remove(event);
        }
    }
    if hooks.is_empty() {
        root.remove("hooks");
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_stand_beside_others_and_are_written_once() {
        let others = json!({
            "model": "some",
            "hooks": { "PreCompact": [{ "matcher": "auto", "hooks": [{ "type": "command", "command": "cp a b" }] }] },
        });
        let once = with_hooks(others.clone(), Some(("bygone --store /s hook", false))).expect("settings");
        assert_eq!(with_hooks(once.clone(), Some(("bygone --store /s hook", false))), Ok(once.clone()));
        assert_eq!(once["hooks"]["PreCompact"][0], others["hooks"]["PreCompact"][0]);
        assert_eq!(
            once["hooks"]["PreCompact"][1]["hooks"][0]["command"],
            "bygone --store /s hook pre-compact"
        );
        for (event, _) in EVENTS {
            assert!(once["hooks"][event].is_array(), "{event}");
        }
        // Another store takes the place of the first, and without any the settings are as they were.
        let moved = with_hooks(once, Some(("bygone --store /t hook", true))).expect("settings");
        assert_eq!(moved["hooks"]["SessionEnd"].as_array().map(Vec::len), Some(1));
        let command = &moved["hooks"]["SessionEnd"][0]["hooks"][0]["command"];
        assert_eq!(command, "bygone --store /t hook session-end --by-project");
        assert_eq!(with_hooks(moved, None), Ok(others));
    }

    #[test]
    fn settings_that_are_none_are_refused() {
        for settings in [json!([]), json!({"hooks": []}), json!({"hooks": {"PreCompact": {}}})] {
            assert!(with_hooks(settings.clone(), Some(("bygone hook", false))).is_err(), "{settings}");
        }
    }
}
