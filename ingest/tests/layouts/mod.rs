//! How each format writes what a person says: what stands before the records, between them and after them, and a record.

use bygone_ingest::read::Read;

use super::common::read;

/// A way in which a format lays its records out.
pub(crate) struct Layout {
    pub(crate) format: &'static str,
    pub(crate) file: &'static str,
    /// What stands before the records, between them and after them.
    pub(crate) around: [&'static str; 3],
    /// A record: its number in twelve digits, its text and its time, both as they stand in JSON.
    pub(crate) record: fn(id: &str, text: &str, time: &str) -> String,
    /// A key without which there is no record, and a slip for it; none where the slip is not looked for.
    pub(crate) slip: Option<(&'static str, &'static str)>,
    /// What becomes of a second record under an id.
    pub(crate) repeated_id: Repeated,
}

/// What becomes of a second record of a file under an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeated {
    /// Records have no ids of their own, or only within a conversation of their own.
    None,
    /// The first one counts.
    First,
    /// Both are kept.
    Both,
}

/// The time of a record where it does not matter.
pub(crate) const TIME: &str = "\"2025-11-03T09:00:00Z\"";

const ID: &str = "aaaaaaaa-bbbb-4ccc-8ddd-";

/// The layouts of the formats whose records are JSON, in the order of the formats.
pub(crate) const LAYOUTS: &[Layout] = &[
    Layout {
        format: "claude-code",
        file: "s.jsonl",
        record: |id, text, time| {
            format!(
                r#"{{"type":"user","uuid":"{ID}{id}","sessionId":"s","timestamp":{time},"message":{{"role":"user","content":{text}}}}}"#
            )
        },
        around: ["", "\n", "\n"],
        slip: Some(("\"type\"", "\"tpye\"")),
        repeated_id: Repeated::First,
    },
    Layout {
        format: "codex",
        file: "rollout.jsonl",
        around: [
            "{\"timestamp\":\"2025-11-03T08:00:00Z\",\"type\":\"session_meta\",\"payload\":{\"id\":\"s\"}}\n",
            "\n",
            "\n",
        ],
        record: |id, text, time| {
            format!(
                r#"{{"timestamp":{time},"type":"response_item","payload":{{"type":"message","role":"user","id":"{ID}{id}","content":[{{"type":"input_text","text":{text}}}]}}}}"#
            )
        },
        slip: Some(("\"type\":\"response_item\"", "\"tpye\":\"response_item\"")),
        repeated_id: Repeated::Both,
    },
    Layout {
        format: "gemini",
        file: "s.jsonl",
        around: ["{\"sessionId\":\"s\",\"projectHash\":\"p\"}\n", "\n", "\n"],
        record: gemini,
        slip: Some(("\"type\"", "\"tpye\"")),
        repeated_id: Repeated::Both,
    },
    Layout {
        format: "gemini",
        file: "s.json",
        around: [
            "{\n \"sessionId\": \"s\",\n \"projectHash\": \"p\",\n \"messages\": [\n  ",
            ",\n  ",
            "\n ]\n}\n",
        ],
        record: gemini,
        slip: Some(("\"type\"", "\"tpye\"")),
        repeated_id: Repeated::Both,
    },
    Layout {
        format: "chatgpt",
        file: "conversations.json",
        around: ["[", ",\n", "]"],
        record: |id, text, time| {
            format!(
                r#"{{"conversation_id":"c{id}","current_node":"n{id}","mapping":{{"n{id}":{{"id":"n{id}","parent":null,"children":[],"message":{{"id":"n{id}","author":{{"role":"user"}},"create_time":{time},"content":{{"content_type":"text","parts":[{text}]}}}}}}}}}}"#
            )
        },
        slip: None,
        repeated_id: Repeated::None,
    },
    Layout {
        format: "chatgpt",
        file: "one.json",
        around: ["{\"conversation_id\":\"c\",\"mapping\":{\n", ",\n", "\n}}\n"],
        record: |id, text, time| {
            let number: u64 = id.parse().expect("a number");
            let above = if number == 1 { "null".to_owned() } else { format!("\"n{:012}\"", number - 1) };
            format!(
                r#""n{id}":{{"id":"n{id}","parent":{above},"message":{{"id":"n{id}","author":{{"role":"user"}},"create_time":{time},"content":{{"content_type":"text","parts":[{text}]}}}}}}"#
            )
        },
        slip: None,
        repeated_id: Repeated::None,
    },
    Layout {
        format: "claude-ai",
        file: "conversations.json",
        around: ["[", ",\n", "]"],
        record: |id, text, time| {
            format!(r#"{{"uuid":"c{id}","chat_messages":[{}]}}"#, claude_ai(id, text, time))
        },
        slip: None,
        repeated_id: Repeated::None,
    },
    Layout {
        format: "claude-ai",
        file: "one.json",
        around: ["{\"uuid\":\"c\",\"chat_messages\":[\n", ",\n", "\n]}\n"],
        record: claude_ai,
        slip: Some(("\"sender\"", "\"sendr\"")),
        repeated_id: Repeated::Both,
    },
    Layout {
        format: "langchain",
        file: "s.json",
        record: langchain,
        around: ["[\n", ",\n", "\n]\n"],
        slip: Some(("{\"type\"", "{\"tpye\"")),
        repeated_id: Repeated::First,
    },
    Layout {
        format: "langchain",
        file: "s.jsonl",
        record: langchain,
        around: ["", "\n", "\n"],
        slip: Some(("{\"type\"", "{\"tpye\"")),
        repeated_id: Repeated::First,
    },
    Layout {
        format: "letta",
        file: "s.af",
        record: |id, text, time| {
            format!(
                r#"{{"role":"user","id":"{ID}{id}","created_at":{time},"content":[{{"type":"text","text":{text}}}]}}"#
            )
        },
        around: [
            "{\"agents\": [\n{\"name\": \"a\", \"agent_type\": \"x\", \"messages\": [\n",
            ",\n",
            "\n]}\n], \"blocks\": []}\n",
        ],
        slip: Some(("\"role\"", "\"rol\"")),
        repeated_id: Repeated::First,
    },
    Layout {
        format: "swe-agent",
        file: "s.traj",
        record: |_, text, time| {
            format!(r#"{{"action":"","observation":"","response":{text},"timestamp":{time}}}"#)
        },
        around: ["{\n\"trajectory\": [\n", ",\n", "\n], \"info\": {}}\n"],
        slip: Some(("\"action\":\"\",\"observation\"", "\"acton\":\"\",\"observaton\"")),
        repeated_id: Repeated::None,
    },
    Layout {
        format: "atif",
        file: "s.json",
        record: |id, text, time| {
            format!(
                r#"{{"step_id":{},"source":"user","timestamp":{time},"message":{text}}}"#,
                id.trim_start_matches('0')
            )
        },
        around: [
            "{\n\"schema_version\": \"ATIF-v1.6\", \"session_id\": \"s\", \"steps\": [\n",
            ",\n",
            "\n]}\n",
        ],
        slip: Some(("\"source\"", "\"sorce\"")),
        repeated_id: Repeated::First,
    },
    Layout {
        format: "openai",
        file: "s.jsonl",
        around: ["", "\n", "\n"],
        record: openai,
        slip: Some(("\"role\"", "\"rol\"")),
        repeated_id: Repeated::First,
    },
    Layout {
        format: "openai",
        file: "s.json",
        around: ["[\n", ",\n", "\n]\n"],
        record: openai,
        slip: Some(("\"role\"", "\"rol\"")),
        repeated_id: Repeated::First,
    },
];

fn gemini(id: &str, text: &str, time: &str) -> String {
    format!(r#"{{"id":"m{id}","timestamp":{time},"type":"user","content":{text}}}"#)
}

fn langchain(id: &str, text: &str, time: &str) -> String {
    format!(
        r#"{{"type":"human","data":{{"id":"{ID}{id}","content":{text},"additional_kwargs":{{"timestamp":{time}}}}}}}"#
    )
}

fn openai(id: &str, text: &str, time: &str) -> String {
    format!(r#"{{"role":"user","id":"{ID}{id}","timestamp":{time},"content":{text}}}"#)
}

fn claude_ai(id: &str, text: &str, time: &str) -> String {
    format!(
        r#"{{"uuid":"m{id}","sender":"human","created_at":{time},"text":{text},"content":[{{"type":"text","text":{text}}}]}}"#
    )
}

impl Layout {
    pub(crate) fn bytes(&self, records: &[String]) -> String {
        let [before, between, after] = self.around;
        format!("{before}{}{after}", records.join(between))
    }

    /// Records with these texts, as they stand in JSON.
    pub(crate) fn records(&self, texts: &[&str]) -> Vec<String> {
        (1..).zip(texts).map(|(number, text)| (self.record)(&format!("{number:012}"), text, TIME)).collect()
    }

    pub(crate) fn read(&self, bytes: &[u8]) -> Vec<Read> {
        read(self.format, self.file, bytes)
    }

    /// The format and the file, to name the layout by.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.format, self.file)
    }

    pub(crate) fn is_lines(&self) -> bool {
        self.file.rsplit_once('.').is_some_and(|(_, ending)| ending == "jsonl")
    }

    /// Whether a record is a member of an object, and so no value by itself.
    pub(crate) fn has_members(&self) -> bool {
        self.around[0].ends_with("{\n")
    }

    /// Whether the file is one conversation of an export, which is one record until it is read.
    pub(crate) fn is_one_conversation(&self) -> bool {
        self.file == "one.json"
    }
}

/// The formats whose records are no person's words in JSON, by a file of each.
pub(crate) const OTHERS: [(&str, &str); 6] = [
    ("facts", "facts/statements.jsonl"),
    ("mcp-memory", "mcp_memory/memory.jsonl"),
    ("locomo", "locomo/samples.json"),
    ("longmemeval", "longmemeval/questions.json"),
    ("aider", "aider/history.md"),
    ("plain", "plain/log.txt"),
];
