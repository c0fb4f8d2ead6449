//! What the results of each tool prove, by the tool's name. Another tool is another name in the table.

use serde_json::Value;

use super::call::Call;

/// What the result of a tool proves where it says that the tool did what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// A command ran.
    Runs,
    /// How a command in the background goes on.
    Polls,
    /// A file was read.
    Reads,
    /// A file was written.
    Writes,
    /// A file was deleted.
    Deletes,
    /// A file has another name.
    Moves,
    /// Files were written, deleted and moved as a patch says.
    Patches,
    /// A commit was made.
    Commits,
    /// A page was fetched.
    Fetches,
    /// These are the tasks, and how each stands.
    ListsTasks,
    /// A task was made, or stands otherwise than before.
    ChangesTask,
    /// The agent noted something, or took it back.
    Notes,
}

/// What a name in the table stands for.
#[derive(Clone, Copy)]
enum Kind {
    Tool(Proof),
    /// A tool whose input says in `command` whether it shows a file or changes it.
    Editor,
}

use Kind::{Editor, Tool};

/// The tools, from the documentation and the session files of 2024 to 2026: Claude Code, Codex, Gemini CLI, the text editor
/// of Anthropic's API as SWE-agent and OpenHands have it too, opencode, Cursor, Cline, aider, the file tools of LangChain and
/// those of the MCP file server.
const TOOLS: &[(Kind, &[&str])] = &[
    (
        Tool(Proof::Runs),
        &[
            "Bash",
            "bash",
            "bash_command",
            "command_execution",
            "container.exec",
            "exec",
            "exec_command",
            "execute_bash",
            "execute_command",
            "local_shell",
            "local_shell_call",
            "run_command",
            "run_shell_command",
            "run_terminal_cmd",
            "shell",
            "shell_command",
            "terminal",
        ],
    ),
    (Tool(Proof::Polls), &["BashOutput", "TaskOutput", "write_stdin"]),
    (
        Tool(Proof::Reads),
        &["Read", "NotebookRead", "open_file", "read", "read_file", "read_text_file", "view_file"],
    ),
    (
        Tool(Proof::Writes),
        &[
            "Edit",
            "MultiEdit",
            "NotebookEdit",
            "Write",
            "apply_diff",
            "create_file",
            "edit",
            "edit_file",
            "insert_edit_into_file",
            "replace",
            "replace_in_file",
            "replace_string_in_file",
            "search_replace",
            "write",
            "write_file",
            "write_to_file",
        ],
    ),
    (Tool(Proof::Deletes), &["delete_file", "file_delete", "remove_file"]),
    (Tool(Proof::Moves), &["move_file", "rename_file"]),
    (Tool(Proof::Patches), &["apply_patch", "file_change", "patch"]),
    (Tool(Proof::Commits), &["git_commit"]),
    (
        Tool(Proof::Fetches),
        &["WebFetch", "fetch", "fetch_url", "fetch_webpage", "read_url", "web_fetch", "webfetch"],
    ),
    (
        Tool(Proof::ListsTasks),
        &["TodoWrite", "task_tracker", "todo_list", "todo_write", "todowrite", "update_plan", "write_todos"],
    ),
    (Tool(Proof::ChangesTask), &["TaskCreate", "TaskUpdate"]),
    (
        Tool(Proof::Notes),
        &[
            "add_observations",
            "create_entities",
            "create_relations",
            "delete_observations",
            "delete_relations",
            "upsert_entities",
        ],
    ),
    (Editor, &["str_replace_based_edit_tool", "str_replace_editor", "text_editor"]),
];

/// The MCP servers whose tools work on this machine's files, on pages and on notes, as Claude Code puts them before the name.
const SERVERS: [&str; 3] = ["mcp__filesystem__", "mcp__fetch__", "mcp__memory__"];

/// Returns what a result of the call would prove; `None` for a tool that is not in the table.
pub(super) fn proof(call: &Call) -> Option<Proof> {
    let name = SERVERS.iter().find_map(|server| call.name.strip_prefix(server)).unwrap_or(&call.name);
    let (kind, _) = TOOLS.iter().find(|(_, names)| names.contains(&name))?;
    match kind {
        // A file of a repository elsewhere is none on this machine.
        Tool(Proof::Reads | Proof::Writes | Proof::Deletes | Proof::Moves)
            if ["repo", "repository", "owner"].iter().any(|key| call.input.get(key).is_some()) =>
        {
            None
        }
        Tool(proof) => Some(*proof),
        Editor => match call.input.get("command").and_then(Value::as_str) {
            Some("view") => Some(Proof::Reads),
            Some("create" | "insert" | "str_replace" | "undo_edit" | "write") => Some(Proof::Writes),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::TOOLS;

    #[test]
    fn a_name_stands_for_one_tool() {
        let mut seen = BTreeSet::new();
        for name in TOOLS.iter().flat_map(|(_, names)| names.iter()) {
            assert!(seen.insert(name), "{name}");
        }
    }
}
