//! A service of models on a port of its own on this machine: it makes vectors and puts documents in order as it is told,
//! and notes what it is asked.
//!
//! One connection is one question, in as much of HTTP/1.1 as the questions need.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use serde_json::{Value, json};

/// What was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Such as `/v1/embeddings`.
    pub(crate) path: String,
    /// The header `Authorization`, where there was one.
    pub(crate) authorization: Option<String>,
    /// The question.
    pub(crate) body: Value,
}

/// A service that runs until it is dropped.
pub(crate) struct Service {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    /// Starts a service that answers with a status and JSON.
    pub(crate) fn start(answer: impl Fn(&Asked) -> (u16, Value) + Send + 'static) -> Service {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let address = listener.local_addr().expect("it is bound");
        let (asked, is_over) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (noted, over) = (Arc::clone(&asked), Arc::clone(&is_over));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::SeqCst) {
                    break;
                }
                let Some((stream, question)) = stream.ok().and_then(read) else { continue };
                noted.lock().expect("nobody panics in it").push(question.clone());
                let (status, body) = answer(&question);
                // Whoever asked may be gone, and says so itself.
                drop(write(stream, status, &body.to_string()));
            }
        });
        Service { address, asked, is_over, thread: Some(thread) }
    }

    /// Returns the URL up to the path.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns what was asked since the last time.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.asked.lock().expect("nobody panics in it"))
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

fn read(stream: TcpStream) -> Option<(TcpStream, Asked)> {
    let mut reader = BufReader::new(&stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
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
    let asked = Asked {
        path: lines[0].split(' ').nth(1)?.to_owned(),
        authorization: header("authorization"),
        body: serde_json::from_slice(&body).ok()?,
    };
    Some((stream, asked))
}

fn write(mut stream: TcpStream, status: u16, body: &str) -> std::io::Result<()> {
    let length = body.len();
    write!(stream, "HTTP/1.1 {status} So\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

/// Returns the texts that are asked about.
pub(crate) fn texts(question: &Value) -> Vec<&str> {
    let list = ["input", "documents"].into_iter().find_map(|name| question[name].as_array());
    list.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Answers with a vector for each text: one component for each of the groups of words, by how many of them it has, and a
/// little of one that all have in common.
pub(crate) fn embedded(question: &Value, groups: &[&[&str]]) -> Value {
    let vector = |text: &str| {
        let has = |words: &&[&str]| words.iter().filter(|word| text.contains(**word)).count();
        groups.iter().map(|words| json!(has(words))).chain([json!(0.1)]).collect::<Value>()
    };
    let texts = texts(question);
    let data = texts.iter().enumerate().map(|(at, text)| json!({ "index": at, "embedding": vector(text) }));
    json!({ "data": data.collect::<Value>() })
}

/// Answers with a score for each document by its place and text.
pub(crate) fn ranked(question: &Value, score: impl Fn(usize, &str) -> f64) -> Value {
    let texts = texts(question);
    let results =
        texts.iter().enumerate().map(|(at, text)| json!({ "index": at, "relevance_score": score(at, text) }));
    json!({ "results": results.collect::<Value>() })
}
