//! How conversations of Claude.ai are read: `conversations.json` of an export, a list of them, or one conversation alone.
//!
//! ```text
//! [{"uuid": "c1", "name": …, "created_at": "2025-06-14T11:00:00.000000Z",
//!   "chat_messages": [{"uuid": "m1", "sender": "human", "created_at": …, "text": "Hi!",
//!                      "content": [{"type": "text", "text": "Hi!"}],
//!                      "attachments": [{"file_name": "a.txt", "extracted_content": "…"}], "files": [],
//!                      "parent_message_uuid": "00000000-0000-4000-8000-000000000000"}]}]
//! ```
//!
//! The format is not specified; the shapes follow public exports and readers of 2024 to 2026. A message is a record.
//! Where messages name the one above them they are a tree, and what is beside the path to the current one is kept as in
//! [`super::chatgpt`].

mod conversation;
mod message;

use super::scan::members;
use super::start::first_value;
use super::{Manner, Reader};

/// The format's entry in the registry.
pub const READER: Reader = Reader {
    name: "claude-ai",
    about: "Claude.ai conversations: conversations.json of an export, or one conversation",
    sniff,
    read: Manner::Conversations(conversation::read),
};

/// The agent's name.
const AGENT: &str = "claude";

fn sniff(head: &[u8]) -> bool {
    members(first_value(head)).unwrap_or_default().iter().any(|(key, _)| key == "chat_messages")
}
