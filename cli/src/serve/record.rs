//! What is written down of requests: who was refused, and who changed what; and, where it is wanted, every one of them.
//!
//! The record is a file of JSON Lines in the store's folder that only grows. It holds no key, no argument and no text of a
//! request: its address, the space, and how it ended. What is done to keys on the command line is in it, too.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bygone_engine::time::Instant;
use serde_json::json;

use crate::table::one_line;

/// The file in the store's folder.
const FILE: &str = "audit.jsonl";

/// One request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event<'a> {
    pub(super) at: Instant,
    /// The id of the key, where there was one.
    pub(super) key: &'a str,
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) space: &'a str,
    pub(super) status: u16,
    /// Why it was refused; empty where it was not.
    pub(super) why: &'a str,
}

/// The record.
pub(crate) struct Record {
    file: Mutex<fs_err::File>,
    logs: bool,
    /// What whoever runs the server was told last.
    warned: Mutex<String>,
}

impl Record {
    /// Opens the record of the store in a folder.
    pub(crate) fn open(folder: &Path, logs: bool) -> io::Result<Record> {
        let mut options = fs_err::OpenOptions::new();
        options.append(true).create(true);
        fs_err::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = Mutex::new(options.open(folder.join(FILE))?);
        Ok(Record { file, logs, warned: Mutex::default() })
    }

    /// Writes down a request that was refused, or that changes something.
    pub(super) fn write(&self, event: &Event<'_>) {
        let Event { at, key, method, path, space, status, why } = *event;
        let path: String = path.chars().take(256).collect();
        let row = json!({
            "at": at.to_rfc3339(), "key": key, "method": method, "path": path, "space": space, "status": status,
            "why": why,
        });
        let line = format!("{row}\n");
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // There is nowhere else to say it.
        file.write_all(line.as_bytes()).unwrap_or_default();
    }

    /// Writes down what was done to a key, on the command line of this machine.
    pub(crate) fn write_of_key(&self, at: Instant, what: &str, key: &str) {
        let path = format!("keys {what}");
        self.write(&Event { at, key, method: "", path: &path, space: "", status: 200, why: "" });
    }

    /// Tells whoever runs the server of something, unless that was what was told last.
    pub(super) fn warn(&self, message: &str) {
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if *warned != message {
            message.clone_into(&mut warned);
            let line = format!("bygone: {}\n", one_line(message));
            io::stderr().write_all(line.as_bytes()).unwrap_or_default();
        }
    }

    /// Tells of a request on standard error, where that is wanted.
    pub(super) fn log(&self, event: &Event<'_>, took: Duration) {
        if !self.logs {
            return;
        }
        let Event { at, key, method, path, space, status, .. } = *event;
        let row = json!({
            "at": at.to_rfc3339(), "key": key, "method": method, "path": path, "space": space, "status": status,
            "ms": u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        });
        io::stderr().write_all(format!("{row}\n").as_bytes()).unwrap_or_default();
    }
}
