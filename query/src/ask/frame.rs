//! The question around a question: "did we think", "what did we know about", "when did we learn that".

use super::clocks::Frame;
use super::words::Word;

/// Whose knowledge the store's is.
const KNOWERS: &[&str] = &["we", "you", "people", "everyone"];
const THINKING: &[&str] = &["think", "believe", "know", "assume"];
const LEARNING: &[&[&str]] = &[&["learn"], &["hear"], &["find", "out"], &["discover"], &["know"]];

/// Returns the frame of the words, and the words inside it.
pub(super) fn unwrap(words: &[Word]) -> (Frame, Vec<Word>) {
    let is = |at: usize, any: &[&str]| words.get(at).is_some_and(|word| any.contains(&word.folded.as_str()));
    if is(0, &["when"]) && is(1, &["did"]) && is(2, KNOWERS) {
        let first = 3 + usize::from(is(3, &["first"]));
        for verb in LEARNING {
            if verb.iter().enumerate().all(|(nth, word)| is(first + nth, &[word])) {
                let end = first + verb.len();
                let start = end + usize::from(is(end, &["that"]));
                return (Frame::Learned, words.get(start..).unwrap_or_default().to_vec());
            }
        }
    }
    let starts = |at: &usize| is(*at, &["did", "do"]) && is(at + 1, KNOWERS) && is(at + 2, THINKING);
    let Some(start) = (0..words.len()).find(starts) else {
        return (Frame::Plain, words.to_vec());
    };
    let end = start + 3;
    let frame = Frame::Thought { start, end };
    if start == 1 && is(0, &["what"]) && is(end, &["about"]) {
        return (frame, words[end + 1..].to_vec());
    }
    let rest = end + usize::from(is(end, &["that"]));
    let mut inner: Vec<Word> =
        words[..start].iter().chain(words.get(rest..).unwrap_or_default()).cloned().collect();
    // "What did we think Anna's role to be" is what we thought that it was.
    if let [.., to, be] = inner.as_slice()
        && to.folded == "to"
        && be.folded == "be"
    {
        inner.truncate(inner.len() - 2);
        inner.push(Word { folded: "was".to_owned(), span: 0..0 });
    }
    (frame, inner)
}

/// Says whether a frame of thought asks what is thought now ("do we think").
pub(super) fn is_present(words: &[Word], frame: Frame) -> bool {
    matches!(frame, Frame::Thought { start, .. } if words.get(start).is_some_and(|word| word.folded == "do"))
}
