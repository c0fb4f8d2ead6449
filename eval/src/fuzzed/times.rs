//! What holds of every text in which times are looked for: expressions lie in it from left to right and apart, no period is
//! empty, and what is written of them reads.

use bygone_engine::Object;
use bygone_engine::time::{Granularity, Instant, Moment, format_instant, format_moment, parse_moment};
use bygone_engine::wire::{object_from_json, object_to_json, valid_text};
use bygone_ontology::timex::json::to_json;
use bygone_ontology::timex::{Context, Tense, find};

const TENSES: [Tense; 4] = [Tense::Past, Tense::Present, Tense::Future, Tense::None];

/// The first byte says the tense and the start of the fiscal year; the eight after it, when the rest was said, where the first
/// byte is below 128, and else the rest begins at once and was said on a day of 2024.
pub(super) fn check(bytes: &[u8]) {
    let Some((&how, rest)) = bytes.split_first() else { return };
    let (now, text) = match rest.split_first_chunk::<8>() {
        Some((micros, text)) if how < 128 => (anywhere(i64::from_le_bytes(*micros)), text),
        _ => (parse_moment("2024-02-29T12:00:00Z").expect("a time").at, rest),
    };
    let text = String::from_utf8_lossy(text);
    let tense = TENSES[usize::from(how % 4)];
    let context = Context { now, tense, fiscal_start: 1 + u32::from(how / 4 % 12) };
    expressions(&text, &context);
    if let Ok(moment) = parse_moment(&text) {
        written(moment);
    }
    for grain in Granularity::ALL {
        granule(grain, now);
    }
}

/// Any instant of the calendar.
fn anywhere(micros: i64) -> Instant {
    let (first, last) = (Instant::FIRST.micros(), Instant::LAST.micros());
    Instant::from_micros(first + micros.rem_euclid(last - first + 1)).expect("it lies in the calendar")
}

fn expressions(text: &str, context: &Context) {
    let mut end = 0;
    for found in find(text, context) {
        assert!(end <= found.span.start && found.span.start < found.span.end, "{found:?} after {end}");
        assert!(text.get(found.span.clone()).is_some(), "{found:?} is not of the text");
        end = found.span.end;
        if let (Some(from), Some(to)) = (found.start, found.end) {
            assert!(from < to, "{found:?} is empty");
        }
        for at in [found.start, found.end, found.best].into_iter().flatten() {
            // A last granule ends at the first instant that no calendar has.
            assert!(at.is_ordinary() || at.previous().is_ordinary(), "{found:?} is beyond the calendar");
        }
        for (from, to) in &found.alternatives {
            assert!(from < to, "{found:?} has an empty reading");
        }
        assert!(to_json(text, &found).is_object());
    }
}

/// A time that was read is written so that it reads the same, granularity and all.
fn written(moment: Moment) {
    let object = Object::Instant(moment);
    let json = object_to_json(&object);
    assert_eq!(object_from_json(&json).expect("what was written reads"), object, "{json}");
    assert_eq!(parse_moment(&valid_text(moment)).expect("what was written reads").at, moment.at);
    assert_eq!(
        parse_moment(&moment.at.to_rfc3339()).expect("what was written reads"),
        Moment::instant(moment.at)
    );
    drop((format_moment(moment), format_instant(moment.at)));
}

/// The granule that an instant lies in starts no later, and ends after it.
fn granule(grain: Granularity, at: Instant) {
    let start = grain.floor(at);
    assert!(start <= at, "{grain:?} of {at:?} starts at {start:?}");
    assert_eq!(grain.floor(start), start, "{grain:?} of {at:?}");
    let end = grain.after(start);
    assert!(at < end, "{grain:?} of {at:?} ends at {end:?}");
    assert!(grain.before(end) < end, "{grain:?} before {end:?}");
}
