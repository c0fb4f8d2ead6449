//! What the start of a file shows of its format.

use serde_json::Value;

use super::lines::lines;
use super::scan::items;

/// How many lines are looked at.
const SNIFFED_LINES: usize = 64;

/// Returns the start without the mark that some programs put in front of a text.
pub(super) fn unmarked(head: &[u8]) -> &[u8] {
    head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head)
}

/// Returns the first value, as far as it goes: the first element where the file is a list, and nothing of one that is empty.
pub(super) fn first_value(head: &[u8]) -> &[u8] {
    let head = unmarked(head);
    match items(head) {
        Some(items) => items.into_iter().next().map_or(&[][..], |first| &head[first]),
        None => head,
    }
}

/// Says whether one of the first lines is a record of the format.
pub(super) fn has_line(head: &[u8], is_ours: fn(&Value) -> bool) -> bool {
    lines(head)
        .filter(|line| !line.is_blank())
        .take(SNIFFED_LINES)
        .any(|line| serde_json::from_str(&line.text).is_ok_and(|value| is_ours(&value)))
}

/// Returns what stands from the first object of JSON on, where the lines before it cannot be read and at least half of the
/// lines are objects: a first line that is damaged hides nothing.
pub(super) fn behind_unreadable(head: &[u8]) -> Option<&[u8]> {
    let is_object = |text: &str| {
        text.trim_start().starts_with('{')
            && serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_object())
    };
    let mut first = None;
    let (mut n_objects, mut n_others) = (0, 0);
    let whole = lines(head).filter(|line| !line.is_blank() && line.is_terminated);
    for line in whole.take(SNIFFED_LINES) {
        if is_object(&line.text) {
            first.get_or_insert((line.place.offset, n_others));
            n_objects += 1;
        } else {
            n_others += 1;
        }
    }
    let (offset, n_before) = first?;
    let is_hidden = n_before > 0 && n_objects >= n_others;
    is_hidden.then(|| &head[usize::try_from(offset).unwrap_or(head.len())..])
}
