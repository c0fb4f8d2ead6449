//! How conversations of ChatGPT are read: `conversations.json` of an export, a list of them, or one conversation alone.
//!
//! ```text
//! [{"conversation_id": "c1", "title": …, "create_time": 1700000000.5, "current_node": "n3",
//!   "mapping": {"n1": {"id": "n1", "parent": null, "children": ["n2"], "message": null},
//!               "n2": {"id": "n2", "parent": "n1", "children": ["n3", "n4"],
//!                      "message": {"id": "n2", "author": {"role": "user"}, "create_time": 1700000001.0,
//!                                  "content": {"content_type": "text", "parts": ["Hi!"]}}}}}]
//! ```
//!
//! The format is not specified; the shapes follow public exports and readers of 2023 to 2026. A node of a mapping is a
//! record. The nodes are a tree: the path from the root to the current node is the conversation, and what is beside it
//! was tried and left (a regenerated answer, an edited question). It is kept where it stood, and can be found, but its
//! words are nobody's statement; a tool that was called there was called.

mod conversation;
mod message;

use super::scan::members;
use super::start::first_value;
use super::{Manner, Reader};

/// The format's entry in the registry.
pub const READER: Reader = Reader {
    name: "chatgpt",
    about: "ChatGPT conversations: conversations.json of an export, or one conversation",
    sniff,
    read: Manner::Conversations(conversation::read),
};

/// The agent's name.
const AGENT: &str = "chatgpt";

fn sniff(head: &[u8]) -> bool {
    let first = first_value(head);
    let mapping = members(first).unwrap_or_default().into_iter().find(|(key, _)| key == "mapping");
    let node = mapping.and_then(|(_, range)| {
        let mapping = &first[range];
        let (_, range) = members(mapping)?.into_iter().next()?;
        members(&mapping[range])
    });
    let is_node = |key: &str| matches!(key, "message" | "parent" | "children");
    node.is_some_and(|node| node.iter().any(|(key, _)| is_node(key)))
}
