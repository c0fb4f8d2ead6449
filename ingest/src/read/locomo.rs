//! How the LoCoMo data set is read: a JSON list of samples, each a conversation of two people over many sessions.
//!
//! ```text
//! [{"sample_id": "conv-1",
//!   "conversation": {"speaker_a": "Anna", "speaker_b": "Ben", "session_1_date_time": "1:56 pm on 8 May, 2023",
//!                    "session_1": [{"speaker": "Anna", "dia_id": "D1:1", "text": "Hi!", "blip_caption": "a photo"}]},
//!   "qa": […], "observation": {…}, "session_summary": {…}, "event_summary": {…}}]
//! ```
//!
//! Each sample is a space of its own. Its turns are records, and so is every other member of it (questions, answers,
//! summaries), which is skipped: nothing of what is asked about a conversation gets into it.

use std::collections::BTreeMap;
use std::ops::Range;

use bygone_engine::time::Instant;
use bygone_engine::{EntityRef, Episode, EpisodeId, Role};
use serde_json::{Map, Value};

use super::near::missing;
use super::scan::{items, members};
use super::stamp::{kind_of, read_text};
use super::{Element, Manner, Part, Place, Problem, Read, Reader, Record, Source, Turn};

/// The format's entry in the registry.
pub const READER: Reader = Reader {
    name: "locomo",
    about: "the LoCoMo data set: a JSON list of conversations with questions, each a space of its own",
    sniff,
    read: Manner::Elements(read),
};

/// Keys that turns have, which are never a slip for another one.
const KNOWN: [&str; 7] = ["speaker", "dia_id", "text", "img_url", "blip_caption", "query", "re-download"];
/// The months by the first letters of their names.
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

fn sniff(head: &[u8]) -> bool {
    let first_of = |list: &[u8]| -> Option<Vec<(String, Vec<u8>)>> {
        let first = &list[items(list)?.into_iter().next()?];
        let members = members(first)?.into_iter();
        Some(members.map(|(key, range)| (key, first[range].to_vec())).collect())
    };
    let Some(sample) = first_of(head) else {
        return false;
    };
    let of = |key: &str| sample.iter().find(|(name, _)| name == key).map(|(_, value)| value);
    let asks = of("qa").and_then(|questions| first_of(questions));
    let asks = asks.is_some_and(|question| question.iter().any(|(key, _)| key == "evidence"));
    asks || of("sample_id").is_some() && of("conversation").is_some()
}

/// A session of a sample.
#[derive(Default)]
struct Session {
    /// Its turns, as bytes of the sample.
    turns: Vec<Range<usize>>,
    /// When it was, or why that cannot be told.
    time: Option<Result<Instant, String>>,
    start: usize,
}

fn read(source: &Source<'_>, sample: &Element, hand_on: &mut dyn FnMut(Read)) {
    let Some(members) = members(&sample.bytes) else {
        return set_aside(sample, 0..sample.bytes.len(), "a sample is an object, and this is none", hand_on);
    };
    let name = members.iter().find(|(key, _)| key == "sample_id");
    let name = name.and_then(|(_, range)| serde_json::from_slice::<String>(sample.get(range)).ok());
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return set_aside(sample, 0..sample.bytes.len(), "a sample without a `sample_id`", hand_on);
    };
    hand_on(Read::Space(name));
    for (key, range) in members {
        match key.as_str() {
            "sample_id" => {}
            "conversation" => conversation(source, sample, range, hand_on),
            _ => hand_on(Read::Record(Record::Skipped(sample.place_of(range.start)))),
        }
    }
}

fn conversation(source: &Source<'_>, sample: &Element, range: Range<usize>, hand_on: &mut dyn FnMut(Read)) {
    let Some(members) = members(sample.get(&range)) else {
        return set_aside(sample, range, "a conversation is an object, and this is none", hand_on);
    };
    let mut sessions: BTreeMap<u64, Session> = BTreeMap::new();
    for (key, value) in members {
        let Some(key) = key.strip_prefix("session_") else {
            continue;
        };
        let value = range.start + value.start..range.start + value.end;
        let bytes = sample.get(&value);
        if let Some(Ok(number)) = key.strip_suffix("_date_time").map(str::parse) {
            let time = serde_json::from_slice::<String>(bytes).map_err(|_| "is no text".to_owned());
            sessions.entry(number).or_default().time = Some(time.and_then(|text| read_time(&text)));
        } else if let Ok(number) = key.parse() {
            match items(bytes) {
                Some(turns) => {
                    let session = sessions.entry(number).or_default();
                    session.start = value.start;
                    let turn = |turn: Range<usize>| value.start + turn.start..value.start + turn.end;
                    session.turns.extend(turns.into_iter().map(turn));
                }
                None => set_aside(sample, value, "a session is a list, and this is none", hand_on),
            }
        }
    }
    let mut before = None;
    let mut position = 0;
    let times: Vec<Option<Instant>> =
        sessions.values().map(|session| session.time.as_ref()?.as_ref().ok().copied()).collect();
    for (index, (number, session)) in
        sessions.iter().enumerate().filter(|(_, (_, one))| !one.turns.is_empty())
    {
        let (time, is_inferred) = match &session.time {
            Some(Ok(time)) => (*time, false),
            lack => {
                let lack = match lack {
                    Some(Err(reason)) => format!("the time of session {number} {reason}"),
                    _ => format!("session {number} has no time"),
                };
                let (time, whence) = match (before, times[index..].iter().flatten().next()) {
                    (Some(time), _) => (time, "the session before"),
                    (None, Some(time)) => (*time, "the next session that has one"),
                    (None, None) => (source.modified, "the file"),
                };
                let reason = format!("{lack}; it is taken from {whence}");
                hand_on(Read::Problem(Problem { place: sample.place_of(session.start), reason }));
                (time, true)
            }
        };
        before = Some(time);
        for range in &session.turns {
            position += 1;
            let place = sample.place_of(range.start);
            let (mut turn, problems) = match read_turn(sample.get(range)) {
                Ok(turn) => turn,
                Err(reason) => {
                    set_aside(sample, range.clone(), &reason, hand_on);
                    continue;
                }
            };
            turn.place = place;
            let episode = Episode {
                session: format!("session_{number}"),
                position,
                time,
                time_inferred: is_inferred,
                raw: Some(sample.get(range).to_vec()),
                ..turn.episode
            };
            let turn = Turn { episode: episode.with_content_id(), ..turn };
            hand_on(Read::Record(Record::Turn(Box::new(turn))));
            for reason in problems {
                hand_on(Read::Problem(Problem { place, reason }));
            }
        }
    }
}

/// How a picture stands in the text, before its caption.
const PICTURE: &str = "[shares a picture";

/// Reads a turn, save for what its session says of it; and what was noticed about it.
fn read_turn(bytes: &[u8]) -> Result<(Turn, Vec<String>), String> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| format!("not JSON: {error}"))?;
    let Value::Object(map) = value else {
        return Err(format!("a turn is an object, not {}", kind_of(&value)));
    };
    let name = text(&map, "speaker")?;
    let speaker =
        EntityRef::new("person", name).map_err(|error| format!("the speaker is no name: {error}"))?;
    let said = text(&map, "text")?;
    let mut problems = Vec::new();
    let native_id = text(&map, "dia_id").map_err(|reason| problems.push(reason)).ok().map(str::to_owned);
    let mut words = said.trim_end().to_owned();
    let mut parts = Vec::new();
    if !words.trim().is_empty() {
        parts.push(Part::Speech(words.len() - words.trim_start().len()..words.len()));
    }
    let caption = ["blip_caption", "query"].into_iter().find_map(|key| map.get(key)?.as_str());
    if caption.is_some() || map.contains_key("img_url") {
        if !words.is_empty() {
            words.push('\n');
        }
        let start = words.len();
        words.push_str(PICTURE);
        match caption {
            Some(caption) => {
                words.push_str(": ");
                parts.push(Part::Shown(words.len()..words.len() + caption.len()));
                words.push_str(caption);
            }
            None => parts.push(Part::Harness(start..words.len() + 1)),
        }
        words.push(']');
    }
    let episode = Episode {
        id: EpisodeId::UNHASHED,
        session: String::new(),
        position: 0,
        role: Role::User,
        user: Some(speaker.name().to_owned()),
        speaker: Some(speaker),
        agent: None,
        time: Instant::FIRST,
        time_inferred: false,
        zone: None,
        native_id,
        text: words,
        raw: None,
    };
    Ok((Turn { place: Place { offset: 0, line: 1 }, episode, cwd: None, parts }, problems))
}

fn text<'a>(map: &'a Map<String, Value>, key: &str) -> Result<&'a str, String> {
    match map.get(key) {
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(format!("`{key}` is {}, not a string", kind_of(other))),
        None => Err(format!("the turn has {}", missing(map, key, &KNOWN))),
    }
}

/// Reads a time such as "1:56 pm on 8 May, 2023", which is taken for UTC.
pub fn read_time(text: &str) -> Result<Instant, String> {
    let unread = || format!("is {text:?}, which is no time such as \"1:56 pm on 8 May, 2023\"");
    let (clock, date) = text.trim().split_once(" on ").ok_or_else(unread)?;
    let (clock, half) = clock.trim().split_once(' ').ok_or_else(unread)?;
    let (hour, minute) = clock.split_once(':').ok_or_else(unread)?;
    let hour: u8 = hour.parse().ok().filter(|hour| (1..=12).contains(hour)).ok_or_else(unread)?;
    let hour = match half.trim().to_ascii_lowercase().as_str() {
        "am" => hour % 12,
        "pm" => hour % 12 + 12,
        _ => return Err(unread()),
    };
    let mut words = date.split([' ', ',']).filter(|word| !word.is_empty());
    let (Some(day), Some(month), Some(year), None) = (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(unread());
    };
    let start = month.get(..3).ok_or_else(unread)?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|month| *month == start).ok_or_else(unread)? + 1;
    let stamp = read_text(&format!("{year}-{month:02}-{day:0>2}T{hour:02}:{minute:0>2}:00Z"));
    stamp.map(|stamp| stamp.at).map_err(|_| unread())
}

fn set_aside(sample: &Element, range: Range<usize>, reason: &str, hand_on: &mut dyn FnMut(Read)) {
    let problem = Problem { place: sample.place_of(range.start), reason: reason.to_owned() };
    hand_on(Read::Record(Record::set_aside(problem, sample.get(&range).to_vec())));
}

#[cfg(test)]
mod tests {
    use bygone_engine::time::format_instant;

    use super::*;

    #[test]
    fn session_times_are_read() {
        let at = |text: &str| read_time(text).map(format_instant);
        assert_eq!(at("1:56 pm on 8 May, 2023").as_deref(), Ok("2023-05-08T13:56:00Z"));
        assert_eq!(at("12:09 am on 13 September, 2023").as_deref(), Ok("2023-09-13T00:09:00Z"));
        assert_eq!(at("12:30 PM on 1 January, 2024").as_deref(), Ok("2024-01-01T12:30:00Z"));
        for text in
            ["", "8 May, 2023", "13:56 pm on 8 May, 2023", "1:56 pm on 31 June, 2023", "1:56 on 8 May, 2023"]
        {
            assert!(at(text).is_err(), "{text}");
        }
    }
}
