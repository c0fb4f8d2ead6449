//! The case list in `cases/timex.jsonl`, what must not be read as a time, and random text.
//!
//! A case is right when, by its kind: point and span – the stretch equals the case's or one of its `alt`; since – the
//! start; until – the end; duration – the ISO duration; recurrence – the RRULE; event – a row of that kind without dates;
//! none – no row at all.

use bygone_engine::time::{Instant, parse_moment};
use bygone_ontology::timex::{Context, Kind, Tense, TimeExpression, find, json::to_json};
use proptest::prelude::*;
use serde_json::Value;

/// The cases the grammar gets wrong. An exact set: a case that turns right leaves the list.
const MISSED: &[&str] = &[];

fn instant(text: &str) -> Instant {
    parse_moment(text).expect(text).at
}

fn context(now: &str, tense: Tense) -> Context {
    Context { now: instant(now), tense, fiscal_start: 1 }
}

fn wednesday() -> Context {
    context("2023-06-14T15:30:00Z", Tense::None)
}

fn is_right(case: &Value) -> bool {
    let text = case["sentence"].as_str().or(case["text"].as_str()).expect("a text");
    let tense = match case["tense"].as_str() {
        Some("past") => Tense::Past,
        Some("present") => Tense::Present,
        Some("future") => Tense::Future,
        _ => Tense::None,
    };
    let fiscal_start = case["config"]["fiscal_year_start_month"].as_u64();
    let context = Context {
        fiscal_start: fiscal_start.map_or(1, |month| u32::try_from(month).expect("a month")),
        ..context(case["anchor"].as_str().expect("an anchor"), tense)
    };
    let found = find(text, &context);
    let time = |value: &Value| value.as_str().map(instant);
    let pair = |pair: &Value| (time(&pair[0]), time(&pair[1]));
    let kind = case["kind"].as_str().expect("a kind");
    if kind == "none" {
        return found.is_empty();
    }
    found.iter().any(|row| match kind {
        "point" | "span" => {
            let mut readings = vec![(time(&case["start"]), time(&case["end"]))];
            readings.extend(case["alt"].as_array().into_iter().flatten().map(pair));
            readings.contains(&(row.start, row.end))
        }
        "since" => row.start == time(&case["start"]) && row.end.is_none(),
        "until" => row.end == time(&case["end"]),
        "duration" => row.duration.as_deref() == case["duration"].as_str(),
        "recurrence" => row.rrule.as_deref() == case["rrule"].as_str(),
        "event" => row.kind == Kind::Event && row.start.is_none() && row.end.is_none(),
        other => panic!("case of unknown kind {other}"),
    })
}

#[test]
fn case_list_is_read_but_for_the_known_misses() {
    let cases: Vec<Value> = include_str!("cases/timex.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a case a line"))
        .collect();
    assert_eq!(cases.len(), 100);
    let missed: Vec<&str> =
        cases.iter().filter(|case| !is_right(case)).map(|case| case["id"].as_str().expect("an id")).collect();
    assert_eq!(missed, MISSED);
}

#[test]
fn what_is_no_time_gives_nothing() {
    for text in [
        "",
        "   \n\t",
        "May I ask you something? You may not.",
        "We march on, and may march again.",
        "this may be wrong",
        "Give me a second, I want a second opinion in second place.",
        "version 2.0.1, Python 3.11, v2023.1, 1.2.3.4",
        "The room number is 2022, code 555-1234, page 2020",
        "error code 2019-1234",
        "It costs $2022 or 15 %, score 3-2, odds 3:1",
        "schedule me a 1:1 meeting",
        "My 5-year-old is five years old",
        "Feb 30, 2023",
        "2023-02-30 and 2023-13-01 and 31/31/2023",
        "open /var/log/2023-05-07/x.log or src/2023/05/a.rs",
        "https://example.com/2023/05/07/post",
        "run `sleep 5 minutes` and ```\nlet day = \"2023-05-07\"; // today\n```",
        "snapshot_2023 foo2022bar x2023-05-07",
        "I just love summer, fall asleep, a spring in her step",
        "The sun is out and I sat down; mark my words",
        "It works 24/7, day and night",
        "Good morning! Good night! Have a nice day and a great weekend!",
        "one day I will, one second please, wait a minute",
        "April said hello to June and August",
        "every time, each one, once again",
        "Now, let's go. Now that I see it.",
        "12345678901234567890123456789012345678901234567890",
        "in 99999999999999999999 years",
        "3000000 years ago",
        "99999 years ago",
    ] {
        let rows: Vec<Value> =
            find(text, &wednesday()).iter().map(|expression| to_json(text, expression)).collect();
        assert_eq!(rows, Vec::<Value>::new(), "{text}");
    }
}

#[track_caller]
fn reads(text: &str, tense: Tense, expected: &[(&str, Option<&str>, Option<&str>)]) {
    let context = Context { tense, ..wednesday() };
    let found: Vec<_> = find(text, &context)
        .into_iter()
        .map(|row| (text[row.span.clone()].to_owned(), row.start, row.end))
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|(text, start, end)| ((*text).to_owned(), start.map(instant), end.map(instant)))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn tense_decides_between_last_and_next() {
    let last = [("on Friday", Some("2023-06-09"), Some("2023-06-10"))];
    let next = [("on Friday", Some("2023-06-16"), Some("2023-06-17"))];
    reads("I saw him on Friday.", Tense::Past, &last);
    reads("I saw him on Friday.", Tense::None, &last);
    reads("I will see him on Friday.", Tense::Future, &next);
    let other = find("on Friday", &wednesday())[0].alternatives.clone();
    assert_eq!(other, [(instant("2023-06-16"), instant("2023-06-17"))]);
}

#[test]
fn bounds_take_the_whole_granule_in() {
    reads("until 2019", Tense::None, &[("until 2019", None, Some("2020-01-01"))]);
    reads("before 2019", Tense::None, &[("before 2019", None, Some("2019-01-01"))]);
    reads("after 2019", Tense::None, &[("after 2019", Some("2020-01-01"), None)]);
    reads("since 2019", Tense::None, &[("since 2019", Some("2019-01-01"), None)]);
    reads("from 2019 onwards", Tense::None, &[("from 2019 onwards", Some("2019-01-01"), None)]);
    reads("done by 5pm tomorrow", Tense::Future, &[("by 5pm tomorrow", None, Some("2023-06-15T17:00:00Z"))]);
}

#[test]
fn ranges_share_what_one_end_leaves_out() {
    reads(
        "from March to May 2022",
        Tense::Past,
        &[("from March to May 2022", Some("2022-03-01"), Some("2022-06-01"))],
    );
    reads("3-5 June 2022", Tense::Past, &[("3-5 June 2022", Some("2022-06-03"), Some("2022-06-06"))]);
    reads(
        "between November and February",
        Tense::Past,
        &[("between November and February", Some("2022-11-01"), Some("2023-03-01"))],
    );
    reads("2015–2018", Tense::None, &[("2015–2018", Some("2015-01-01"), Some("2019-01-01"))]);
    reads(
        "from 2 to 4pm tomorrow",
        Tense::Future,
        &[("from 2 to 4pm tomorrow", Some("2023-06-15T14:00:00Z"), Some("2023-06-15T16:00:00Z"))],
    );
}

#[test]
fn lists_go_on_as_they_began() {
    reads(
        "in 2019, 2020 and 2022",
        Tense::Past,
        &[
            ("in 2019", Some("2019-01-01"), Some("2020-01-01")),
            ("2020", Some("2020-01-01"), Some("2021-01-01")),
            ("2022", Some("2022-01-01"), Some("2023-01-01")),
        ],
    );
}

#[test]
fn for_a_length_is_a_start_only_in_the_present() {
    let past = Context { tense: Tense::Past, ..wednesday() };
    let present = Context { tense: Tense::Present, ..wednesday() };
    let row = |context| find("for two weeks", context).remove(0);
    assert_eq!((row(&past).kind, row(&past).duration.as_deref()), (Kind::Duration, Some("P2W")));
    assert_eq!((row(&present).kind, row(&present).duration), (Kind::Since, None));
}

#[test]
fn json_has_null_for_an_open_end_and_leaves_out_what_does_not_apply() {
    let text = "I lived there since 2018";
    let rows: Vec<Value> =
        find(text, &wednesday()).iter().map(|expression| to_json(text, expression)).collect();
    let expected = serde_json::json!([
        {"text": "since 2018", "start": "2018-01-01T00:00:00Z", "end": null, "kind": "since", "grain": "year"}
    ]);
    assert_eq!(Value::from(rows), expected);
}

#[test]
fn extreme_contexts_do_no_harm() {
    let texts = "yesterday, last year, in 5000 years, next Friday, 9999-12-31, since March, two weeks before Christmas, last winter";
    for now in [Instant::FIRST, Instant::LAST, Instant::DISTANT_PAST, Instant::DISTANT_FUTURE] {
        for tense in [Tense::Past, Tense::Present, Tense::Future, Tense::None] {
            for fiscal_start in [0, 1, 12, u32::MAX] {
                check_sound(texts, &Context { now, tense, fiscal_start });
            }
        }
    }
}

/// Spans lie in the text, in order and apart; stretches are not empty; times are ordinary.
fn check_sound(text: &str, context: &Context) -> Vec<TimeExpression> {
    let found = find(text, context);
    let mut from = 0;
    for row in &found {
        assert!(from <= row.span.start && row.span.start < row.span.end, "{row:?}");
        assert!(text.get(row.span.clone()).is_some(), "{row:?}");
        from = row.span.end;
        assert!(row.start.zip(row.end).is_none_or(|(start, end)| start < end), "{row:?}");
        assert!(row.start.into_iter().chain(row.end).all(Instant::is_ordinary), "{row:?}");
        let _object = to_json(text, row);
    }
    found
}

const PIECES: &[&str] = &[
    "a",
    "about",
    "after",
    "ago",
    "all",
    "am",
    "and",
    "at",
    "before",
    "between",
    "by",
    "Christmas",
    "couple",
    "day",
    "days",
    "early",
    "end",
    "every",
    "few",
    "first",
    "for",
    "Friday",
    "from",
    "FY",
    "half",
    "hour",
    "in",
    "January",
    "last",
    "late",
    "later",
    "March",
    "May",
    "mid",
    "month",
    "Monday",
    "morning",
    "next",
    "night",
    "now",
    "of",
    "on",
    "or",
    "other",
    "past",
    "pm",
    "Q",
    "second",
    "since",
    "summer",
    "th",
    "the",
    "this",
    "three",
    "times",
    "to",
    "today",
    "twenty",
    "until",
    "week",
    "weekend",
    "year",
    "years",
    "yesterday",
    "2023",
    "2",
    "31",
    "99",
    "05",
    "1500",
    "4294967296",
    "-",
    "/",
    ":",
    ".",
    ",",
    "'",
    "(",
    ")",
    "–",
    "T",
    "W",
    "Z",
    "+",
    "`",
    "é",
    "½",
    "~",
    "20230507",
    "hundred",
    "thousand",
    "nineteen",
    "eighty",
    "oh",
    "ish",
    "a",
    "m",
    "than",
    "more",
    "less",
    "starting",
    "date",
    "weekends",
    "fiscal",
    "calendar",
    "close",
    "eod",
    "'s",
    "99999",
    "18446744073709551616",
];

fn any_context() -> impl Strategy<Value = Context> {
    let tense = prop_oneof![Just(Tense::Past), Just(Tense::Present), Just(Tense::Future), Just(Tense::None)];
    let now = Instant::FIRST.micros()..=Instant::LAST.micros();
    (now, tense, 0_u32..14).prop_map(|(now, tense, fiscal_start)| Context {
        now: Instant::from_micros(now).expect("an ordinary instant"),
        tense,
        fiscal_start,
    })
}

proptest! {
    #[test]
    fn any_text_is_read_without_harm(text in "\\PC{0,80}", context in any_context()) {
        check_sound(&text, &context);
    }

    #[test]
    fn any_run_of_time_words_is_read_without_harm(
        pieces in prop::collection::vec((prop::sample::select(PIECES), any::<bool>()), 0..14),
        context in any_context(),
    ) {
        let mut text = String::new();
        for (piece, glued) in pieces {
            if !glued {
                text.push(' ');
            }
            text.push_str(piece);
        }
        check_sound(&text, &context);
    }
}
