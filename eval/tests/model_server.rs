//! A service of models for tests, on a port of its own on this machine: it speaks as much of HTTP/1.1 as the questions
//! need, notes what it is asked, and answers as it is told.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use serde_json::{Value, json};

/// What is sent back.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    status: u16,
    headers: String,
    body: String,
}

impl Reply {
    pub(crate) fn new(status: u16, headers: &str, body: &str) -> Reply {
        Reply { status, headers: headers.to_owned(), body: body.to_owned() }
    }

    /// An answer that ended for a reason.
    pub(crate) fn ended(text: &str, finish_reason: &str) -> Reply {
        let choice =
            json!({ "message": { "role": "assistant", "content": text }, "finish_reason": finish_reason });
        let usage = json!({ "prompt_tokens": 100, "completion_tokens": 5 });
        Reply::new(200, "", &json!({ "choices": [choice], "usage": usage }).to_string())
    }

    pub(crate) fn said(text: &str) -> Reply {
        Reply::ended(text, "stop")
    }
}

/// What was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) line: String,
    pub(crate) authorization: Option<String>,
    pub(crate) body: Value,
}

impl Asked {
    /// The words of the prompt.
    pub(crate) fn prompt(&self) -> &str {
        self.body["messages"][0]["content"].as_str().expect("a prompt")
    }

    fn read(stream: &TcpStream) -> Option<Asked> {
        let mut reader = BufReader::new(stream);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok().filter(|n_bytes| *n_bytes > 0)?;
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let header = |name: &str| {
            let pairs = lines.iter().filter_map(|line| line.split_once(": "));
            pairs
                .into_iter()
                .find(|(found, _)| found.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.to_owned())
        };
        let mut body = vec![0; header("content-length")?.parse().ok()?];
        reader.read_exact(&mut body).ok()?;
        let body = serde_json::from_slice(&body).ok()?;
        Some(Asked { authorization: header("authorization"), line: lines.first()?.clone(), body })
    }
}

/// A service that runs until it is dropped.
pub(crate) struct Service {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    /// Starts a service that answers by the number of the question, from 0, and what is asked.
    pub(crate) fn start(answer: impl Fn(usize, &Asked) -> Reply + Send + 'static) -> Service {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let address = listener.local_addr().expect("it is bound");
        let (asked, is_over) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (noted, over) = (Arc::clone(&asked), Arc::clone(&is_over));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::SeqCst) {
                    break;
                }
                let mut stream = stream.expect("somebody asks");
                let Some(asked) = Asked::read(&stream) else { continue };
                let Reply { status, headers, body } = {
                    let mut noted = noted.lock().expect("nobody broke down");
                    noted.push(asked.clone());
                    answer(noted.len() - 1, &asked)
                };
                let length = body.len();
                let text = format!(
                    "HTTP/1.1 {status} So\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
                );
                drop(stream.write_all(text.as_bytes()));
            }
        });
        Service { address, asked, is_over, thread: Some(thread) }
    }

    /// Returns the URL up to the path.
    pub(crate) fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns what was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("nobody broke down").clone()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // Wakes it, so that it sees that it is over.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
