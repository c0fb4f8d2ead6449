//! The elements of a file that is one JSON list, one after another: the list itself is never held.
//!
//! ```text
//!          [            value                      ]
//! before ────> between ───────> between ─ … ─────────> after
//!                       ,  white space
//! ```

use std::io::{self, BufRead, BufReader};
use std::ops::Range;

use super::lines::CHUNK;
use super::scan::{Scan, Step};
use super::{INCOMPLETE_ELEMENT, KEPT_OF_TOO_LONG, LONGEST_RECORD, Place, Stream};

/// One element of the list, or something in its place that is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Where it starts.
    pub place: Place,
    /// Its bytes, or their start where there are too many to be held.
    pub bytes: Vec<u8>,
    /// Why it is no element, where it is none.
    pub fault: Option<String>,
    /// The line ends in its bytes.
    breaks: Vec<usize>,
}

impl Element {
    /// Returns a piece of it.
    pub(super) fn get(&self, range: &Range<usize>) -> &[u8] {
        &self.bytes[range.clone()]
    }

    /// Returns where in the file its byte stands.
    pub(super) fn place_of(&self, at: usize) -> Place {
        let n_breaks = self.breaks.partition_point(|place| *place < at);
        Place { offset: self.place.offset + at as u64, line: self.place.line + n_breaks as u64 }
    }
}

/// The elements of a file that is being read.
pub struct Elements<'a> {
    input: BufReader<Stream<'a>>,
    place: Place,
    stage: Stage,
    /// Whether the file may also be one document, or several one behind another.
    may_be_documents: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Before,
    Between,
    After,
}

impl<'a> Elements<'a> {
    pub(super) fn new(stream: Stream<'a>) -> Elements<'a> {
        Elements {
            input: BufReader::with_capacity(CHUNK, stream),
            place: Place { offset: 0, line: 1 },
            stage: Stage::Before,
            may_be_documents: false,
        }
    }

    /// The values of a file that is no list, one behind another.
    pub(super) fn of_values(stream: Stream<'a>) -> Elements<'a> {
        Elements { stage: Stage::Between, ..Elements::new(stream) }
    }

    /// The elements of a file that is a list, and the values of one that is none.
    pub(super) fn or_values(stream: Stream<'a>) -> Elements<'a> {
        Elements { may_be_documents: true, ..Elements::new(stream) }
    }

    /// Returns the next element; `None` after the last one.
    ///
    /// # Errors
    /// Where the file cannot be read further.
    pub fn next_element(&mut self) -> io::Result<Option<Element>> {
        loop {
            let Some(byte) = self.skip_to_value()? else {
                return Ok(None);
            };
            match (self.stage, byte) {
                (Stage::Before, b'[') => {
                    self.stage = Stage::Between;
                    self.take_one()?;
                }
                (Stage::Before, _) if self.may_be_documents => self.stage = Stage::Between,
                (Stage::Between, b']') => {
                    self.stage = Stage::After;
                    self.take_one()?;
                }
                (Stage::Between, b'}') => return self.rest("a bracket that closes nothing").map(Some),
                (Stage::Between, _) => return self.value().map(Some),
                (Stage::Before, _) => return self.rest("the file is no JSON list").map(Some),
                (Stage::After, _) => return self.rest("text behind the end of the list").map(Some),
            }
        }
    }

    /// Passes over what stands between elements and returns the next byte.
    fn skip_to_value(&mut self) -> io::Result<Option<u8>> {
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(None);
            }
            let is_first = self.place.offset == 0;
            let n_mark = if is_first && buffer.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            let is_passed = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
            let n_passed = n_mark + buffer[n_mark..].iter().take_while(|byte| is_passed(byte)).count();
            let next = buffer.get(n_passed).copied();
            let n_breaks = n_breaks(&buffer[..n_passed]);
            self.pass(n_passed, n_breaks);
            if next.is_some() {
                return Ok(next);
            }
        }
    }

    fn take_one(&mut self) -> io::Result<()> {
        self.input.fill_buf()?;
        self.pass(1, 0);
        Ok(())
    }

    fn pass(&mut self, n_bytes: usize, n_breaks: u64) {
        self.input.consume(n_bytes);
        self.place.offset += n_bytes as u64;
        self.place.line += n_breaks;
    }

    /// Reads the value that starts here.
    fn value(&mut self) -> io::Result<Element> {
        let place = self.place;
        let (mut scan, mut bytes, mut n_bytes) = (Scan::default(), Vec::new(), 0);
        let mut is_whole = false;
        while !is_whole {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            let mut n_taken = buffer.len();
            for (index, byte) in buffer.iter().enumerate() {
                match scan.step(*byte) {
                    Step::Inside => continue,
                    Step::Last => n_taken = index + 1,
                    Step::Behind => n_taken = index,
                }
                is_whole = true;
                break;
            }
            n_bytes += n_taken as u64;
            hold(&mut bytes, &buffer[..n_taken], n_bytes);
            let n_breaks = n_breaks(&buffer[..n_taken]);
            self.pass(n_taken, n_breaks);
        }
        let fault = if n_bytes > LONGEST_RECORD {
            Some(too_long(n_bytes, bytes.len()))
        } else if is_whole {
            None
        } else {
            Some(format!("{INCOMPLETE_ELEMENT}: the file ends in it"))
        };
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let breaks = ends.map(|(at, _)| at).collect();
        Ok(Element { place, bytes, fault, breaks })
    }

    /// Takes everything from here to the end of the file as no element.
    fn rest(&mut self, why: &str) -> io::Result<Element> {
        let place = self.place;
        let (mut bytes, mut n_bytes) = (Vec::new(), 0);
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            let n_taken = buffer.len();
            n_bytes += n_taken as u64;
            hold(&mut bytes, buffer, n_bytes);
            self.pass(n_taken, 0);
        }
        let mut fault = why.to_owned();
        if n_bytes > LONGEST_RECORD {
            fault = format!("{fault}; {}", too_long(n_bytes, bytes.len()));
        }
        Ok(Element { place, bytes, fault: Some(fault), breaks: Vec::new() })
    }
}

/// Keeps more of a value, or only its start once it has become too long.
fn hold(bytes: &mut Vec<u8>, more: &[u8], n_bytes: u64) {
    if n_bytes <= LONGEST_RECORD {
        bytes.extend_from_slice(more);
    } else if bytes.len() > KEPT_OF_TOO_LONG {
        bytes.truncate(KEPT_OF_TOO_LONG);
        bytes.shrink_to_fit();
    }
}

fn too_long(n_bytes: u64, n_kept: usize) -> String {
    format!(
        "{n_bytes} bytes, too long to be read: at most {LONGEST_RECORD} are, and the first {n_kept} are kept"
    )
}

/// Counts the ends of lines.
fn n_breaks(bytes: &[u8]) -> u64 {
    bytes.split(|byte| *byte == b'\n').skip(1).count() as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::read::{Bytes, Source};

    fn elements(bytes: &[u8]) -> Vec<Element> {
        let bytes = Bytes::Held(bytes.to_vec());
        let now = bygone_engine::time::Instant::FIRST;
        let source = Source::new("x", &bytes, now, now);
        let mut elements = source.elements().expect("held bytes open");
        let mut all = Vec::new();
        while let Some(element) = elements.next_element().expect("held bytes are read") {
            all.push(element);
        }
        all
    }

    /// Shows each element as `offset:line text` and what is wrong with it up to its first stop.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let show = |element: &Element| {
            let fault = element.fault.as_deref().map(|fault| format!(" ! {fault}")).unwrap_or_default();
            let text = String::from_utf8_lossy(&element.bytes).into_owned();
            format!("{}:{} {text}{fault}", element.place.offset, element.place.line)
        };
        let found: Vec<String> = elements(text.as_bytes()).iter().map(show).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn elements_come_one_after_another_with_their_places() {
        check("", &[]);
        check("[]", &[]);
        check(
            "\u{feff} [\n {\"a\": \"]}\\\"\"},\n\n [1,\n2] , 3]\n",
            &["7:2 {\"a\": \"]}\\\"\"}", "24:4 [1,\n2]", "33:5 3"],
        );
        check("[1,,2]", &["1:1 1", "4:1 2"]);
    }

    #[test]
    fn what_is_no_element_is_told_and_costs_no_other() {
        check(
            "[{\"a\":1},{\"b\":",
            &["1:1 {\"a\":1}", "9:1 {\"b\": ! incomplete last element: the file ends in it"],
        );
        check("{\"a\":1}", &["0:1 {\"a\":1} ! the file is no JSON list"]);
        check("[1] [2]", &["1:1 1", "4:1 [2] ! text behind the end of the list"]);
        check("[1,}2]", &["1:1 1", "3:1 }2] ! a bracket that closes nothing"]);
    }

    #[test]
    fn an_element_too_long_keeps_its_start_and_the_next_its_place() {
        let n_bytes = usize::try_from(LONGEST_RECORD).expect("it fits");
        let long = format!("[\"{}\",2]", "x".repeat(n_bytes));
        let all = elements(long.as_bytes());
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].bytes.len(), KEPT_OF_TOO_LONG);
        assert!(all[0].fault.as_deref().is_some_and(|fault| fault.contains("too long")));
        assert_eq!((all[1].place.offset, all[1].bytes.as_slice()), (LONGEST_RECORD + 4, b"2".as_slice()));
    }

    #[test]
    fn documents_are_read_where_no_list_is() {
        let texts = |bytes: &[u8]| {
            let bytes = Bytes::Held(bytes.to_vec());
            let now = bygone_engine::time::Instant::FIRST;
            let source = Source::new("x", &bytes, now, now);
            let mut documents = source.documents().expect("held bytes open");
            let mut all = Vec::new();
            while let Some(element) = documents.next_element().expect("held bytes are read") {
                all.push(String::from_utf8_lossy(&element.bytes).into_owned());
            }
            all
        };
        assert_eq!(texts(b"\xef\xbb\xbf {\"a\":\n1}\n"), ["{\"a\":\n1}"]);
        assert_eq!(texts(b"{\"a\":1}\n{\"b\":2}"), ["{\"a\":1}", "{\"b\":2}"]);
        assert_eq!(texts(b"[{\"a\":1},2]"), ["{\"a\":1}", "2"]);
        assert_eq!(texts(b""), [] as [&str; 0]);
    }

    proptest! {
        #[test]
        fn every_list_is_split_as_a_parser_would(
            items in prop::collection::vec(
                prop::sample::select(vec![
                    "1", "\"a\"", "\"\\\\\"", "\"]\\\"\"", "{}", "{\"a\":[1,{\"b\":\"}\"}]}", "[[],[]]", "null",
                ]),
                0..9,
            ),
            gap in prop::sample::select(vec!["", " ", "\n"]),
        ) {
            let text = format!("{gap}[{gap}{}{gap}]{gap}", items.join(&format!("{gap},{gap}")));
            let found = elements(text.as_bytes());
            prop_assert_eq!(found.len(), items.len());
            for (element, item) in found.iter().zip(items) {
                prop_assert_eq!(element.bytes.trim_ascii_end(), item.as_bytes());
                let start = usize::try_from(element.place.offset).expect("it fits");
                prop_assert!(text[start..].starts_with(item));
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(prop::sample::select(b"[]{}\"\\,:1 \n\xef".to_vec()), 0..40)) {
            elements(&bytes);
        }
    }
}
