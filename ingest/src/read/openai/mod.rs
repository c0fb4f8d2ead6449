//! How chats in the form of OpenAI's messages are read.
//!
//! ```text
//! {"messages": [{"role": "user", "content": "Hi!"}, …]}     one conversation a line, as for fine-tuning
//! {"role": "user", "content": "Hi!"}                         one message a line: the file is the conversation
//! [{"role": …}, …]   [{"messages": […]}, …]                  one JSON list of either
//! {                                                          one JSON document, over as many lines as it likes
//!   "messages": […]
//! }
//! ```
//!
//! After the public reference of the Chat Completions API (messages, content parts, tool calls) and the fine-tuning
//! guide. The format has no time of its own; what people add is read: `timestamp`, `created_at` or `created`, of the
//! message or of the conversation.

mod file;
mod message;

use serde_json::Value;

use super::lines::lines;
use super::scan::{items, members};
use super::{Manner, Reader};

/// The format's entry in the registry.
pub const READER: Reader = Reader {
    name: "openai",
    about: "chats in the form of OpenAI's messages: JSON Lines, of conversations or messages, or one JSON document",
    sniff,
    read: Manner::File(file::read),
};

/// The roles a message may have.
const ROLES: [&str; 6] = ["system", "developer", "user", "assistant", "tool", "function"];

/// How the file is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// One value a line.
    Lines,
    /// One list.
    List,
    /// Values that go over several lines.
    Documents,
}

impl Layout {
    /// Tells the layout by the start of a file.
    fn of(head: &[u8]) -> Layout {
        let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
        if start.starts_with(b"[") {
            return Layout::List;
        }
        let mut lines = lines(start).filter(|line| !line.is_blank());
        let first = lines
            .next()
            .map(|line| serde_json::from_slice::<Value>(line.raw).map_err(|error| error.is_eof()));
        match first {
            // A half-written line is followed by the next record; a document over several lines is indented.
            Some(Err(true)) if !lines.any(|line| line.raw.starts_with(b"{\"")) => Layout::Documents,
            _ => Layout::Lines,
        }
    }
}

fn sniff(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let first = match items(head) {
        Some(items) => items.into_iter().next().map_or(&[][..], |first| &head[first]),
        None => head,
    };
    let has_role = |bytes: &[u8]| {
        let members = members(bytes).unwrap_or_default();
        let has = |key: &str| members.iter().any(|(name, _)| name == key);
        let role = members.iter().find(|(name, _)| name == "role");
        let role = role.and_then(|(_, range)| serde_json::from_slice::<String>(&bytes[range.clone()]).ok());
        role.is_some_and(|role| ROLES.contains(&role.as_str()))
            && (has("content") || has("tool_calls") || has("function_call"))
    };
    let messages = members(first).unwrap_or_default().into_iter().find(|(key, _)| key == "messages");
    let messages = messages.and_then(|(_, range)| {
        let list = &first[range];
        Some(has_role(&list[items(list)?.into_iter().next()?]))
    });
    messages.unwrap_or_else(|| has_role(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_told_apart() {
        for (head, layout) in [
            ("{\"messages\":[]}\n{\"messages\":[]}\n", Layout::Lines),
            (
                "{\"role\":\"user\",\"content\":\"half\n{\"role\":\"user\",\"content\":\"whole\"}\n",
                Layout::Lines,
            ),
            ("\u{feff} [\n{\"role\":\"user\"}]", Layout::List),
            ("{\n \"messages\": [\n  {\"role\": \"user\"}\n ]\n}\n", Layout::Documents),
            ("{\"messages\":[{\"role\":\"user\",\n\"content\":\"\"}]}", Layout::Documents),
            ("", Layout::Lines),
        ] {
            assert_eq!(Layout::of(head.as_bytes()), layout, "{head}");
        }
    }
}
