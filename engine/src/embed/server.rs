//! A server for tests, on a port of its own on this machine: it notes what it is asked and answers as it is told.
//!
//! One connection is one question. It speaks as much of HTTP/1.1 as the questions need, and can break it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use serde_json::Value;

/// What is sent back.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    /// A status, header lines with their ends, and a body.
    Whole(u16, Vec<String>, String),
    /// These bytes, and then the connection ends.
    Cut(String),
    /// Nothing, and the connection stays open.
    Hang,
}

impl Reply {
    pub(super) fn ok(body: &str) -> Reply {
        Reply::status(200, &[], body)
    }

    pub(super) fn json(body: &Value) -> Reply {
        Reply::ok(&body.to_string())
    }

    pub(super) fn status(status: u16, headers: &[&str], body: &str) -> Reply {
        Reply::Whole(status, headers.iter().map(|line| format!("{line}\r\n")).collect(), body.to_owned())
    }
}

/// What was asked.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) line: String,
    headers: Vec<String>,
    pub(super) body: Value,
}

impl Question {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let pairs = self.headers.iter().filter_map(|line| line.split_once(": "));
        pairs.into_iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    fn read(stream: &TcpStream) -> Option<Question> {
        let mut reader = BufReader::new(stream);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let mut question = Question { line: lines.remove(0), headers: lines, body: Value::Null };
        let mut body = vec![0; question.header("content-length")?.parse().ok()?];
        reader.read_exact(&mut body).ok()?;
        question.body = serde_json::from_slice(&body).ok()?;
        Some(question)
    }
}

/// A server that runs until it is dropped.
pub(super) struct Server {
    base: String,
    address: SocketAddr,
    questions: Arc<Mutex<Vec<Question>>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server that answers by the number of the question, from 0, and its JSON.
    pub(super) fn start(answer: impl Fn(usize, &Value) -> Reply + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let questions = Arc::new(Mutex::new(Vec::new()));
        let is_over = Arc::new(AtomicBool::new(false));
        let (noted, over) = (Arc::clone(&questions), Arc::clone(&is_over));
        let thread = std::thread::spawn(move || {
            let mut hanging = Vec::new();
            for stream in listener.incoming() {
                if over.load(Ordering::SeqCst) {
                    break;
                }
                let mut stream = stream.unwrap();
                let Some(question) = Question::read(&stream) else { continue };
                let nth = noted.lock().unwrap().len();
                noted.lock().unwrap().push(question.clone());
                let text = match answer(nth, &question.body) {
                    Reply::Hang => {
                        hanging.push(stream);
                        continue;
                    }
                    Reply::Cut(text) => text,
                    Reply::Whole(status, headers, body) => {
                        let lines = headers.concat();
                        let length = body.len();
                        format!(
                            "HTTP/1.1 {status} So\r\n{lines}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
                        )
                    }
                };
                // Whoever asked may have hung up by now, having read enough.
                drop(stream.write_all(text.as_bytes()));
            }
        });
        let base = format!("http://{address}");
        Server { base, address, questions, is_over, thread: Some(thread) }
    }

    /// Returns the URL up to the path.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Returns what was asked so far.
    pub(super) fn questions(&self) -> Vec<Question> {
        self.questions.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // Wakes it, so that it sees that it is over.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
