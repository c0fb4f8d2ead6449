//! How plain logs are read: lines of `date speaker: text`.
//!
//! ```text
//! 2024-03-01 Anna: I moved to Lisbon.
//! 2024-03-01 09:30 Anna: …        2024-03-01T09:30:00+01:00 Anna: …        [2024-03-01 09:30] Anna: …
//! 2024-03-01 9:30 PM Anna: …      2024-03-01 09:30pm Anna: …               2024-03-01 9 p.m. Anna: …
//! a line without a date goes on with the turn above it
//! # a comment
//! ```
//!
//! Times without a zone are UTC. A date that does not exist, or one without a speaker, quarantines the line together
//! with those that go on with it. A line that starts like a turn with a date in another form goes on with the turn above
//! it, and is reported.

use std::io;
use std::sync::LazyLock;

use bygone_engine::{EntityRef, Episode, EpisodeId, Role};
use regex::Regex;

use super::lines::{Line, lines};
use super::stamp::{Stamp, read_text};
use super::{LONGEST_RECORD, Manner, Part, Place, Problem, Read, Reader, Record, Source, Turn};

/// The format's entry in the registry.
pub const READER: Reader = Reader {
    name: "plain",
    about: "lines of `date speaker: text`, such as `2024-03-01 Anna: I moved to Lisbon.`",
    sniff,
    read: Manner::File(read),
};

/// Speakers that are agents, in lower case.
const AGENTS: [&str; 4] = ["assistant", "agent", "bot", "claude"];
/// Longer text in front of a colon is no name; chosen, untested.
const LONGEST_SPEAKER: usize = 80;
/// How many lines are looked at to tell the format.
const SNIFFED_LINES: usize = 20;

static DATED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^(?<opening>\[)? (?<date>\d{4}-\d{1,2}-\d{1,2})
          (?: [T\ ]+
            (?: (?<clock>\d{1,2}:\d{2}(?: :\d{2}(?: [.,]\d{1,9})? )?) (?: \s? (?<half>(?i:[ap]\.?m\.?)) )?
              | (?<hour>\d{1,2}) \s? (?<half_of_hour>(?i:[ap]\.?m\.?)) )
            \s? (?<zone>Z|UTC|[+-]\d{2}:?\d{2})? )?
          (?<closing>\])? (?: \s+ (?<rest>.*) )? $",
    )
    .expect("the pattern is valid")
});

/// A line that starts like a turn: a date in whatever form, perhaps a time of day, and `speaker:`.
static LOOKS_DATED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)^[\[(<]? (?: (?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\ + )?
          (?: \d{4}[./-]\d{1,2}[./-]\d{1,2} | \d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})
            | (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\ +\d{1,2}(?:st|nd|rd|th)?,?\ +\d{4}
            | \d{1,2}(?:st|nd|rd|th|\.)?\ +(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?\ +\d{4} )
          (?: (?:,|\ at|\ -)?[T\s]+ \d{1,2}[:.]\d{2}\S* (?: \s? [ap]\.?m\.? )? )?
          [\])>]? ,? (?: \s+[-–—] )? \s+
          [^\s\d:][^\s:]* (?: \ [^\s:]+ ){0,3} : (?: \s | $ )",
    )
    .expect("the pattern is valid")
});

const UNREAD_DATE: &str = "looks like a turn, but its date is not read: expected a date such as 2024-03-01";

/// A time of day as a line gives it.
#[derive(Clone, Copy)]
struct Clock<'a> {
    /// `9:30`, with seconds perhaps; or the hour alone, where a half follows.
    digits: &'a str,
    /// `AM` or `PM`, in whatever letters.
    half: Option<&'a str>,
    zone: Option<&'a str>,
}

/// A dated line, read.
struct Opening {
    stamp: Stamp,
    speaker: EntityRef,
    role: Role,
    text: String,
}

/// A record that further lines may go on with.
struct Entry {
    place: Place,
    opening: Result<Opening, String>,
    /// Blank lines since its last line, which belong to it only if another line of it follows.
    n_blank: usize,
    raw: Vec<u8>,
    /// What was noticed about it, and the comments among its lines: handed on after it.
    after: Vec<Read>,
}

fn sniff(head: &[u8]) -> bool {
    let mut looked_at = lines(head)
        .filter(|line| !line.is_blank() && !line.text.starts_with('#'))
        .take(SNIFFED_LINES)
        .map(|line| opening(&line.text));
    let first = looked_at.next().flatten();
    first.is_some_and(|first| first.is_ok() || looked_at.any(|line| matches!(line, Some(Ok(_)))))
}

fn read(source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) -> io::Result<()> {
    let mut current: Option<Entry> = None;
    let mut lines = source.lines()?;
    while let Some(line) = lines.next()? {
        if let Some(reason) = &line.too_long {
            // What goes on behind it would go on with nobody knows what.
            if let Some(entry) = current.replace(Entry::new(&line, Err(reason.clone()))) {
                entry.hand_on(source, hand_on);
            }
            continue;
        }
        if line.is_blank() {
            if let Some(entry) = &mut current {
                entry.n_blank += 1;
            }
            continue;
        }
        if line.text.starts_with('#') {
            let skipped = Read::Record(Record::Skipped(line.place));
            match &mut current {
                Some(entry) => entry.after.push(skipped),
                None => hand_on(skipped),
            }
            continue;
        }
        match (opening(&line.text), &mut current) {
            (None, Some(entry)) if entry.raw.len() as u64 + line.raw.len() as u64 <= LONGEST_RECORD => {
                entry.go_on(&line);
                if entry.opening.is_ok() && LOOKS_DATED.is_match(&line.text) {
                    let reason = UNREAD_DATE.to_owned();
                    entry.after.push(Read::Problem(Problem { place: line.place, reason }));
                }
            }
            (opening, _) => {
                let lack = if LOOKS_DATED.is_match(&line.text) {
                    UNREAD_DATE
                } else if current.is_some() {
                    "no date, and the turn above is too long to go on"
                } else {
                    "no date, and no turn above to go on with"
                };
                let opening = opening.unwrap_or_else(|| Err(lack.to_owned()));
                let next = Entry::new(&line, opening);
                if let Some(entry) = current.replace(next) {
                    entry.hand_on(source, hand_on);
                }
            }
        }
    }
    if let Some(entry) = current {
        entry.hand_on(source, hand_on);
    }
    Ok(())
}

/// Reads a line as the start of a turn; `None` where it starts with no date.
fn opening(line: &str) -> Option<Result<Opening, String>> {
    let parts = DATED.captures(line)?;
    let part = |group: &str| parts.name(group).map(|found| found.as_str());
    let clock = part("clock").or_else(|| part("hour")).map(|digits| Clock {
        digits,
        half: part("half").or_else(|| part("half_of_hour")),
        zone: part("zone"),
    });
    Some(read_opening(
        part("opening").is_some() == part("closing").is_some(),
        part("date").unwrap_or_default(),
        clock,
        part("rest").unwrap_or_default(),
    ))
}

fn read_opening(
    is_bracket_matched: bool,
    date: &str,
    clock: Option<Clock<'_>>,
    rest: &str,
) -> Result<Opening, String> {
    if !is_bracket_matched {
        return Err("a bracket around the date has no partner".to_owned());
    }
    let stamp = read_date(date, clock)?;
    let (name, text) = speaker(rest).ok_or_else(|| "no `speaker:` after the date".to_owned())?;
    let agent = name.to_lowercase();
    let (kind, role, name) = if AGENTS.contains(&agent.as_str()) {
        ("agent", Role::Agent, agent.as_str())
    } else {
        ("person", Role::User, name)
    };
    let speaker = EntityRef::new(kind, name).map_err(|error| format!("the speaker is no name: {error}"))?;
    Ok(Opening { stamp, speaker, role, text: text.to_owned() })
}

fn read_date(date: &str, clock: Option<Clock<'_>>) -> Result<Stamp, String> {
    let padded: Vec<String> = date.split('-').map(|number| format!("{number:0>2}")).collect();
    let mut text = padded.join("-");
    if let Some(clock) = clock {
        let time = time_of_day(clock)?;
        text = format!("{text}T{time}{}", clock.zone.unwrap_or("Z"));
    }
    read_text(&text)
}

/// Writes a time of day with two digits of the hour, of 24.
fn time_of_day(clock: Clock<'_>) -> Result<String, String> {
    let (hour, rest) = match clock.digits.split_once(':') {
        Some((hour, rest)) => (hour, rest.replace(',', ".")),
        None => (clock.digits, "00".to_owned()),
    };
    let Some(half) = clock.half else {
        return Ok(format!("{hour:0>2}:{rest}"));
    };
    let hour = match hour.parse() {
        Ok(hour @ 1..=12) => hour % 12 + if half.starts_with(['p', 'P']) { 12 } else { 0 },
        _ => return Err(format!("\"{} {half}\" is no time of a 12-hour clock", clock.digits)),
    };
    Ok(format!("{hour:02}:{rest}"))
}

/// Splits `speaker: text`. A name does not start with a clock: that would be a time in a form not known here.
fn speaker(rest: &str) -> Option<(&str, &str)> {
    let colon = rest
        .match_indices(':')
        .map(|(at, _)| at)
        .find(|at| rest[at + 1..].chars().next().is_none_or(char::is_whitespace))?;
    let name = rest[..colon].trim();
    let starts_with_clock = name.starts_with(|c: char| c.is_ascii_digit()) && name.contains(':');
    (!name.is_empty() && name.len() <= LONGEST_SPEAKER && !starts_with_clock)
        .then(|| (name, rest[colon + 1..].trim()))
}

impl Entry {
    fn new(line: &Line<'_>, opening: Result<Opening, String>) -> Entry {
        let mut entry =
            Entry { place: line.place, opening, n_blank: 0, raw: line.raw.to_vec(), after: Vec::new() };
        entry.notice(line);
        entry
    }

    fn go_on(&mut self, line: &Line<'_>) {
        let breaks = "\n".repeat(self.n_blank + 1);
        self.n_blank = 0;
        self.raw.extend_from_slice(breaks.as_bytes());
        self.raw.extend_from_slice(line.raw);
        if let Ok(opening) = &mut self.opening {
            if !opening.text.is_empty() {
                opening.text.push_str(&breaks);
            }
            opening.text.push_str(line.text.trim_end());
        }
        self.notice(line);
    }

    fn notice(&mut self, line: &Line<'_>) {
        if self.opening.is_ok() {
            let problem =
                |reason: &String| Read::Problem(Problem { place: line.place, reason: reason.clone() });
            self.after.extend(line.repairs.iter().map(problem));
        }
    }

    fn hand_on(self, source: &Source<'_>, hand_on: &mut dyn FnMut(Read)) {
        let Entry { place, opening, raw, after, .. } = self;
        let record = match opening {
            Ok(opening) => Record::Turn(Box::new(opening.into_turn(place, raw, source.stem()))),
            Err(reason) => Record::set_aside(Problem { place, reason }, raw),
        };
        hand_on(Read::Record(record));
        after.into_iter().for_each(hand_on);
    }
}

impl Opening {
    fn into_turn(self, place: Place, raw: Vec<u8>, session: &str) -> Turn {
        let name = self.speaker.name().to_owned();
        let (agent, user) = if self.role == Role::Agent { (Some(name), None) } else { (None, Some(name)) };
        let parts = if self.text.is_empty() { Vec::new() } else { vec![Part::Speech(0..self.text.len())] };
        let episode = Episode {
            id: EpisodeId::UNHASHED,
            session: session.to_owned(),
            position: place.line,
            role: self.role,
            speaker: Some(self.speaker),
            agent,
            user,
            time: self.stamp.at,
            time_inferred: false,
            zone: self.stamp.zone,
            native_id: None,
            text: self.text,
            raw: Some(raw),
        };
        Turn { place, episode: episode.with_content_id(), cwd: None, parts }
    }
}
