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

use super::scan::{items, members};
use super::start::first_value;
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

fn sniff(head: &[u8]) -> bool {
    let first = first_value(head);
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
