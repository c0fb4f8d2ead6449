//! Whatever the bytes, readers and the tool extractor hand on values and do not panic.

use std::path::Path;

use crate::common::{read, turns};
use bygone_ingest::extract::tool::{Calls, extract};
use bygone_ingest::read::READERS;
use proptest::prelude::*;

fn check(bytes: &[u8]) {
    for reader in READERS {
        (reader.sniff)(bytes);
        let reads = read(reader.name, "x.jsonl", bytes);
        let mut calls = Calls::new();
        for turn in turns(&reads) {
            for part in &turn.parts {
                let span = part.span();
                assert!(turn.episode.text.get(span.clone()).is_some(), "{span:?} of {:?}", turn.episode.text);
            }
            extract(turn, &mut calls);
        }
    }
}

fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    fs_err::read(path).expect("a fixture")
}

const FIXTURES: &[&str] = &[
    "facts/statements.jsonl",
    "claude_code/shapes.jsonl",
    "claude_code/damaged.jsonl",
    "claude_code/tools.jsonl",
    "codex/rollout.jsonl",
    "codex/stream.jsonl",
    "codex/damaged.jsonl",
    "gemini/document.json",
    "gemini/lines.jsonl",
    "gemini/damaged.jsonl",
    "chatgpt/conversations.json",
    "chatgpt/one.json",
    "claude_ai/conversations.json",
    "claude_ai/one.json",
    "tools/flagged.jsonl",
    "tools/unflagged.jsonl",
    "langchain/messages.json",
    "langchain/dumps.jsonl",
    "letta/agents.af",
    "letta/memgpt.af",
    "letta/string.af",
    "swe_agent/run.traj",
    "swe_agent/history.traj",
    "atif/trajectory.json",
    "aider/history.md",
    "mcp_memory/memory.jsonl",
    "tools/notes.jsonl",
    "plain/log.txt",
    "openai/chats.jsonl",
    "openai/messages.jsonl",
    "openai/list.json",
    "openai/document.json",
    "locomo/samples.json",
    "longmemeval/questions.json",
];

/// A change to some bytes of a file.
#[derive(Clone, Debug)]
enum Mutation {
    Set(prop::sample::Index, u8),
    Remove(prop::sample::Index, usize),
    Repeat(prop::sample::Index, usize),
    Cut(prop::sample::Index),
    Put(prop::sample::Index, &'static str),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<prop::sample::Index>;
    let pieces = prop::sample::select(vec![
        "\0",
        "\n",
        "\r\n",
        "\"",
        "{",
        "}",
        "[",
        "]",
        "\\ud800",
        "é",
        "null",
        "<system-reminder>",
        "\u{feff}",
        "2024-02-30 A: x\n",
    ]);
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Mutation::Set(at, byte)),
        (at(), 1_usize..60).prop_map(|(at, n)| Mutation::Remove(at, n)),
        (at(), 1_usize..200).prop_map(|(at, n)| Mutation::Repeat(at, n)),
        at().prop_map(Mutation::Cut),
        (at(), pieces).prop_map(|(at, piece)| Mutation::Put(at, piece)),
    ]
}

fn mutate(bytes: &mut Vec<u8>, mutation: &Mutation) {
    if bytes.is_empty() {
        return;
    }
    let len = bytes.len();
    match mutation {
        Mutation::Set(at, byte) => bytes[at.index(len)] = *byte,
        Mutation::Remove(at, n) => drop(bytes.drain(at.index(len)..(at.index(len) + n).min(len))),
        Mutation::Repeat(at, n) => {
            let start = at.index(len);
            let piece = bytes[start..(start + n).min(len)].to_vec();
            bytes.splice(start..start, piece);
        }
        Mutation::Cut(at) => bytes.truncate(at.index(len)),
        Mutation::Put(at, piece) => {
            let start = at.index(len);
            bytes.splice(start..start, piece.bytes());
        }
    }
}

proptest! {
    #[test]
    fn random_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes);
    }

    #[test]
    fn random_text_is_read(text in "(\\PC|[\\n<>\\[\\]:{}\"-]|2024-0[1-3]-[0-3][0-9]|[01][0-9]:[0-9]{2}| A: ){0,60}") {
        check(text.as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn mutated_files_are_read(
        name in prop::sample::select(FIXTURES.to_vec()),
        mutations in prop::collection::vec(mutation(), 1..8),
    ) {
        let mut bytes = fixture(name);
        for mutation in &mutations {
            mutate(&mut bytes, mutation);
        }
        check(&bytes);
    }
}
