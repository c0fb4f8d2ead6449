//! Sentences and what they state, from text to grounded statement, as data in `cases/clauses.jsonl`.
//!
//! Each line has `text` and `expect`, and where they are not the usual ones `speaker`, `role` and `said_at`. An expected
//! statement leaves out what is usual: the speaker as subject, an empty key, `affirm`, `actual`, and the authority of
//! the role. `R` stands for the moment it was said; `from` and `to` are open where absent.
//!
//! Corrections of earlier turns stand in `cases/corrections.jsonl`: of the `turns` the last is expected to state what
//! `expect` says, and those before it to state something. `cases/identity.jsonl` has the same form: who "my sister" and "you"
//! are is known from the turns before. What people tell of themselves in chat stands in `cases/chat.jsonl`.

use bygone_engine::time::{Bound, Granularity, Instant, Moment, Validity, format_instant, parse_moment};
use bygone_engine::wire::{object_to_json, valid_text};
use bygone_engine::{Authority, EntityRef, Episode, EpisodeId, Object, Polarity, Role};
use bygone_ingest::Candidate;
use bygone_ingest::extract::clause::{Memory, extract};
use bygone_ingest::ground::{Grounded, ground_candidate};
use bygone_ingest::read::{Part, Place, Turn};
use bygone_ontology::{Ontology, TemporalKind};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A Wednesday.
const SAID_AT: &str = "2024-06-12T10:00:00Z";

fn turn(text: &str, speaker: &str, role: Role, said_at: Instant) -> Turn {
    let whole = 0..text.len();
    Turn {
        place: Place { offset: 0, line: 1 },
        episode: Episode {
            id: EpisodeId::UNHASHED,
            session: "s".to_owned(),
            position: 0,
            role,
            speaker: EntityRef::parse(speaker).ok(),
            agent: None,
            user: None,
            time: said_at,
            time_inferred: false,
            zone: None,
            native_id: None,
            text: text.to_owned(),
            raw: None,
        },
        cwd: None,
        parts: vec![Part::Speech(whole)],
    }
}

fn kind_of(predicate: &str) -> TemporalKind {
    Ontology::core().get_or_open(predicate).kind
}

fn time_text(moment: Moment, said_at: Instant) -> String {
    if moment == Moment::instant(said_at) {
        return "R".to_owned();
    }
    if moment == Moment::instant(said_at.next()) {
        return "R+".to_owned();
    }
    let implied = match moment.grain {
        Granularity::Instant => true,
        Granularity::Day | Granularity::Month | Granularity::Year => {
            moment.grain.floor(moment.at) == moment.at
        }
        _ => false,
    };
    let text = valid_text(moment);
    match (moment.grain, implied) {
        (Granularity::Unknown, _) => "unknown".to_owned(),
        (_, true) => text,
        (grain, false) => format!("{text} {}", grain.name()),
    }
}

/// Writes one grounded statement as the cases write it.
fn shown(candidate: &Candidate, grounded: &Grounded, turn: &Turn) -> Value {
    let said_at = turn.episode.time;
    let mut map = Map::new();
    if Some(&candidate.subject) != turn.episode.speaker.as_ref() {
        map.insert("subject".to_owned(), json!(candidate.subject.to_string()));
    }
    map.insert("predicate".to_owned(), json!(candidate.predicate));
    if !candidate.key.is_empty() {
        map.insert("key".to_owned(), json!(candidate.key));
    }
    let object = match &candidate.object {
        Some(Object::Entity(entity)) => json!(entity.to_string()),
        Some(object) => object_to_json(object),
        None => Value::Null,
    };
    map.insert("object".to_owned(), object);
    if grounded.polarity == Polarity::Deny {
        map.insert("polarity".to_owned(), json!("deny"));
    }
    match grounded.validity {
        Validity::Undated => {
            map.insert("from".to_owned(), json!("unknown"));
            map.insert("to".to_owned(), json!("unknown"));
        }
        Validity::Over(period) => {
            for (key, bound) in [("from", period.from()), ("to", period.to())] {
                if let Bound::At(moment) = bound {
                    map.insert(key.to_owned(), json!(time_text(moment, said_at)));
                }
            }
        }
    }
    if let Some(sure_until) = grounded.sure_until {
        map.insert("sure_until".to_owned(), json!(time_text(sure_until, said_at)));
    }
    if grounded.modality != bygone_engine::Modality::Actual {
        map.insert("modality".to_owned(), json!(grounded.modality));
    }
    let usual = if turn.episode.role == Role::Agent { Authority::Agent } else { Authority::User };
    if candidate.authority != usual {
        map.insert("authority".to_owned(), json!(candidate.authority));
    }
    Value::Object(map)
}

/// Extracts and grounds a turn; a candidate that cannot be grounded shows its reason.
fn read(turn: &Turn) -> Vec<Value> {
    read_after(turn, &mut Memory::new())
}

fn read_after(turn: &Turn, memory: &mut Memory) -> Vec<Value> {
    let mut statements = Vec::new();
    for candidate in extract(turn, memory) {
        let text = &turn.episode.text;
        match ground_candidate(&candidate, kind_of(candidate.predicate), text, turn.episode.time) {
            Ok(grounded) => statements.extend(grounded.iter().map(|one| shown(&candidate, one, turn))),
            Err(reason) => statements.push(json!({ "predicate": candidate.predicate, "problem": reason })),
        }
    }
    statements
}

fn sorted(mut statements: Vec<Value>) -> Vec<String> {
    let mut lines: Vec<String> = statements.drain(..).map(|value| value.to_string()).collect();
    lines.sort();
    lines
}

#[test]
fn every_sentence_states_what_it_should_and_no_more() {
    check(include_str!("cases/clauses.jsonl"));
}

#[test]
fn what_people_tell_in_chat_is_read() {
    check(include_str!("cases/chat.jsonl"));
}

#[test]
fn what_people_belong_to_is_read_from_whole_sentences_and_taken_back() {
    check(include_str!("cases/belonging.jsonl"));
}

#[test]
fn what_people_tell_in_passing_is_read() {
    check(include_str!("cases/told.jsonl"));
}

#[track_caller]
fn check(cases: &str) {
    let mut failures = Vec::new();
    let mut n_cases = 0;
    for (index, line) in cases.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        n_cases += 1;
        let case: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("line {}: {error}", index + 1));
        let text = case["text"].as_str().expect("every case has a text");
        let said_at = parse_moment(case["said_at"].as_str().unwrap_or(SAID_AT)).expect("an instant").at;
        let role = match case["role"].as_str() {
            Some("agent") => Role::Agent,
            Some("tool") => Role::Tool,
            Some("system") => Role::System,
            _ => Role::User,
        };
        let turn = turn(text, case["speaker"].as_str().unwrap_or("person:Me"), role, said_at);
        let expected = sorted(case["expect"].as_array().expect("every case says what to expect").clone());
        let found = sorted(read(&turn));
        if found != expected {
            failures.push(format!(
                "line {}: {text}\n  expected {}\n  found    {}",
                index + 1,
                expected.join("\n           "),
                found.join("\n           ")
            ));
        }
    }
    assert!(failures.is_empty(), "{} of {n_cases} cases fail:\n{}", failures.len(), failures.join("\n"));
}

/// Reads `2024-01-10T10:00:00Z Anna in other: I work at Acme.`; the session may be left out.
fn line(text: &str) -> Turn {
    let (head, words) = text.split_once(": ").expect("a speaker and words");
    let (time, speaker) = head.split_once(' ').expect("a time and a speaker");
    let (speaker, session) = speaker.split_once(" in ").unwrap_or((speaker, "s"));
    let said_at = parse_moment(time).expect("an instant").at;
    let mut turn = turn(words, &format!("person:{speaker}"), Role::User, said_at);
    session.clone_into(&mut turn.episode.session);
    turn
}

#[test]
fn a_correction_reaches_back_to_what_the_same_speaker_said() {
    check_last(include_str!("cases/corrections.jsonl"));
}

#[test]
fn who_is_meant_is_known_from_the_turns_before() {
    check_last(include_str!("cases/identity.jsonl"));
}

#[track_caller]
fn check_last(cases: &str) {
    let mut failures = Vec::new();
    for (index, case) in cases.lines().enumerate() {
        let case: Value =
            serde_json::from_str(case).unwrap_or_else(|error| panic!("line {}: {error}", index + 1));
        let turns = case["turns"].as_array().expect("every case has turns");
        let mut turns: Vec<Turn> = turns.iter().filter_map(Value::as_str).map(line).collect();
        let last = turns.pop().expect("at least one turn");
        let mut memory = Memory::new();
        let n_stated: usize = turns.iter().map(|turn| read_after(turn, &mut memory).len()).sum();
        assert_ne!(n_stated, 0, "line {} has nothing to go by", index + 1);
        let expected = sorted(case["expect"].as_array().expect("every case says what to expect").clone());
        let found = sorted(read_after(&last, &mut memory));
        if found != expected {
            failures.push(format!(
                "line {}: {}\n  expected {}\n  found    {}",
                index + 1,
                last.episode.text,
                expected.join("\n           "),
                found.join("\n           ")
            ));
        }
    }
    assert!(failures.is_empty(), "{} cases fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn the_chat_among_the_samples_takes_gamma_back() {
    let chat = include_bytes!("../../samples/chat/anna-and-ben.txt");
    let reads = crate::common::read("plain", "anna-and-ben.txt", chat);
    let mut memory = Memory::new();
    let mut of_gamma = Vec::new();
    for turn in crate::common::turns(&reads) {
        for mut statement in read_after(turn, &mut memory) {
            if statement["object"] == "org:Gamma" {
                statement["said"] = json!(format_instant(turn.episode.time));
                of_gamma.push(statement);
            }
        }
    }
    let expected = [
        json!({
            "predicate": "works_at", "object": "org:Gamma", "from": "2023-05-02", "sure_until": "2023-05-02",
            "said": "2023-05-03T08:55:00Z"
        }),
        json!({
            "predicate": "works_at", "object": "org:Gamma", "polarity": "deny", "said": "2023-06-10T19:20:00Z"
        }),
    ];
    assert_eq!(of_gamma, expected);
}

#[test]
fn only_so_many_statements_are_remembered() {
    let correction = line("2024-02-01T10:00:00Z Anna: That was wrong, it isn't Acme.");
    let mut memory = Memory::new();
    extract(&line("2024-01-10T10:00:00Z Anna: I work at Acme."), &mut memory);
    let other = line("2024-01-11T10:00:00Z Anna: I love tea.");
    (0..63).for_each(|_| drop(extract(&other, &mut memory)));
    assert_eq!(extract(&correction, &mut memory.clone()).len(), 1);
    extract(&other, &mut memory);
    assert_eq!(extract(&correction, &mut memory), []);
}

fn spans_of(text: &str) -> Vec<String> {
    let said_at = parse_moment(SAID_AT).expect("an instant").at;
    let turn = turn(text, "person:Me", Role::User, said_at);
    extract(&turn, &mut Memory::new()).into_iter().map(|candidate| text[candidate.span].to_owned()).collect()
}

#[test]
fn a_span_is_the_clause_without_what_ties_it() {
    assert_eq!(spans_of("Hi! And so I live in Boston, okay."), ["I live in Boston, okay"]);
    assert_eq!(spans_of("It rains, but I live in Boston."), ["I live in Boston"]);
    assert_eq!(
        spans_of("Anna works at Acme and she lives in Zürich!"),
        ["Anna works at Acme", "she lives in Zürich"]
    );
    assert_eq!(spans_of("Do tell my sister Anna."), ["my sister Anna"]);
}

#[test]
fn only_speech_is_read() {
    let said_at = parse_moment(SAID_AT).expect("an instant").at;
    let mut turn = turn("I live in Boston.", "person:Me", Role::User, said_at);
    let whole = 0..turn.episode.text.len();
    for part in [Part::Harness(whole.clone()), Part::Thinking(whole)] {
        turn.parts = vec![part];
        assert_eq!(extract(&turn, &mut Memory::new()), []);
    }
}

#[test]
fn without_a_speaker_there_is_no_first_person() {
    let said_at = parse_moment(SAID_AT).expect("an instant").at;
    let mut turn = turn("I live in Boston. Anna lives in Oslo.", "person:Me", Role::User, said_at);
    turn.episode.speaker = None;
    let subjects: Vec<String> =
        extract(&turn, &mut Memory::new()).iter().map(|one| one.subject.to_string()).collect();
    assert_eq!(subjects, ["person:Anna"]);
}

#[test]
fn megabytes_are_read_in_one_pass() {
    for unit in [
        "a.a",
        "I live in Boston, ",
        "my sister Anna and ",
        "\"x",
        "St. ",
        "I said that ",
        "`",
        "a: b\n",
        "Ａ",
    ] {
        let text = unit.repeat(2_000_000 / unit.len());
        spans_of(&text);
    }
    let mut memory = Memory::new();
    extract(&line("2024-01-10T10:00:00Z Anna: I work at Acme."), &mut memory);
    let corrections = "It rains. Sorry, I was wrong, it isn't Acme. ".repeat(40_000);
    extract(&line(&format!("2024-01-11T10:00:00Z Anna: {corrections}")), &mut memory);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,200}") {
        read(&turn(&text, "person:Me", Role::User, parse_moment(SAID_AT).expect("an instant").at));
    }

    #[test]
    fn no_mix_of_its_own_words_makes_it_panic(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "I", "my", "sister", "Anna", "'s", "’", "is", "was", "not", "never", "moved", "to", "Lisbon", "and",
                ",", ".", "?", "\"", "`", "```", "\n", "used", "a", "nurse", "at", "St.", "in", "March", "2022", "if",
                "said", "that", "she", "İ", "ß", "e\u{301}", "dont", "DONT", "who", "since", "no", "longer", "works",
                "the", "Atlas", "project", "run", "by", "born", "on", "named", "dog", "have", "love", "it", "-", "wrong", "meant", "sorry", "I love Anna.", "correction", "but", "rather than", "—", "can't",
            ]),
            0..40,
        )
    ) {
        for glue in ["", " "] {
            let text = words.join(glue);
            let turn = turn(&text, "person:Me", Role::User, parse_moment(SAID_AT).expect("an instant").at);
            let mut memory = Memory::new();
            for _ in 0..2 {
                for candidate in extract(&turn, &mut memory) {
                    prop_assert!(text.get(candidate.span.clone()).is_some());
                }
            }
            read(&turn);
        }
    }
}
