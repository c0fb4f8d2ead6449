//! Kinds of expressions, each by some of its members, and what looks like a time and is none.
//!
//! The moment they are said is Wednesday 14 June 2023, 15:30, and nothing is known of the clause.

use bygone_engine::time::{Instant, parse_moment};
use bygone_ontology::timex::{Context, Kind, Tense, TimeExpression, find};

fn context() -> Context {
    let now = parse_moment("2023-06-14T15:30:00Z").expect("a time").at;
    Context { now, tense: Tense::None, fiscal_start: 10 }
}

/// Writes a reading as `start..end`, either left out where open; a length and a rule as themselves.
fn written(row: &TimeExpression) -> String {
    let time = |at: Option<Instant>| {
        let text = at.map(Instant::to_rfc3339).unwrap_or_default();
        let text = text.strip_suffix(":00Z").or(text.strip_suffix('Z')).unwrap_or(&text);
        text.strip_suffix("T00:00").unwrap_or(text).to_owned()
    };
    match row.kind {
        Kind::Duration => row.duration.clone().unwrap_or_default(),
        Kind::Recurrence => row.rrule.clone().unwrap_or_default(),
        Kind::Event => "event".to_owned(),
        Kind::Point | Kind::Span | Kind::Since | Kind::Until => {
            format!("{}..{}", time(row.start), time(row.end))
        }
    }
}

/// Each text must give exactly the one reading beside it.
#[track_caller]
fn check(cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, expected) in cases {
        let found = find(text, &context());
        let got: Vec<String> = found.iter().map(written).collect();
        if got != [*expected] {
            wrong.push(format!("{text}: expected {expected}, got {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn dates_in_every_order() {
    check(&[
        ("the deadline is 2nd of May", "2023-05-02..2023-05-03"),
        ("May the 4th was fun", "2023-05-04..2023-05-05"),
        ("signed 14-Feb-2021", "2021-02-14..2021-02-15"),
        ("signed 14/Feb/2021", "2021-02-14..2021-02-15"),
        ("signed 2021/Feb/14", "2021-02-14..2021-02-15"),
        ("signed 14.02.2021", "2021-02-14..2021-02-15"),
        ("signed on 02-14-21", "2021-02-14..2021-02-15"),
        ("signed 2/14/21", "2021-02-14..2021-02-15"),
        ("signed 25/12/2021", "2021-12-25..2021-12-26"),
        ("signed 20210214", "2021-02-14..2021-02-15"),
        ("-2021-02-14-", "2021-02-14..2021-02-15"),
        ("Sunday 31 was cold", "2023-12-31..2024-01-01"),
        ("on Friday the ninth", "2023-06-09..2023-06-10"),
        ("we met on Friday 6.9", "2023-06-09..2023-06-10"),
        ("done by hand this Friday, 6/9", "2023-06-09..2023-06-10"),
        ("next 5/12", "2024-05-12..2024-05-13"),
        ("born in March of 87", "1987-03-01..1987-04-01"),
        ("born on 9 March of 87", "1987-03-09..1987-03-10"),
    ]);
}

#[test]
fn numbers_and_years_in_words() {
    check(&[
        ("born on twenty five January nineteen eighty-six", "1986-01-25..1986-01-26"),
        ("on fifteen August nineteen hundred and ninety three", "1993-08-15..1993-08-16"),
        ("in October two thousand and five", "2005-10-01..2005-11-01"),
        ("since June twenty twenty-one", "2021-06-01.."),
        ("in May nineteen oh five", "1905-05-01..1905-06-01"),
        ("on the twenty-first of March", "2023-03-21..2023-03-22"),
        ("it took two hundred and fifty days", "P250D"),
        ("it took a hundred days", "P100D"),
        ("it took twenty and four hours", "PT24H"),
        ("it took one thousand two hundred hours", "PT1200H"),
    ]);
}

#[test]
fn lengths_with_fractions_and_letters() {
    check(&[
        ("it took ½ hour", "PT30M"),
        ("it took 1½ hours", "PT1H30M"),
        ("it took an hour and a half", "PT1H30M"),
        ("it took two and a quarter hours", "PT2H15M"),
        ("it took half a year", "P6M"),
        ("it took 3 more days", "P3D"),
        ("it took a year and three quarters", "P1Y9M"),
        ("it lasted three weekends", "P6D"),
        ("wait for 24h", "PT24H"),
        ("gone for 10d", "P10D"),
        ("I was out all day", "P1D"),
    ]);
}

#[test]
fn counts_before_the_pointing_word() {
    check(&[
        ("in the 2 next days", "2023-06-15..2023-06-17"),
        ("the 3 coming weeks", "2023-06-15..2023-07-06"),
        ("the 20 last minutes", "2023-06-14T15:10..2023-06-14T15:30"),
        ("the two following months", "2023-06-15..2023-08-15"),
        ("within the next three hours", "2023-06-14T15:30..2023-06-14T18:30"),
        ("over the past 2 weeks", "2023-05-31..2023-06-15"),
        ("next hour", "2023-06-14T15:30..2023-06-14T16:30"),
        ("the last hour", "2023-06-14T14:30..2023-06-14T15:30"),
    ]);
}

#[test]
fn units_that_run_now() {
    check(&[
        ("I am away for the week", "2023-06-12..2023-06-19"),
        ("sales in the month", "2023-06-01..2023-07-01"),
        ("employee of the year", "2023-01-01..2024-01-01"),
        ("word of the day", "2023-06-14..2023-06-15"),
        ("down 20% in the year to date", "2023-01-01..2023-06-15"),
        ("costs YTD", "2023-01-01..2023-06-15"),
        ("costs month to date", "2023-06-01..2023-06-15"),
        ("costs QTD", "2023-04-01..2023-06-15"),
        ("the rest of the week", "2023-06-14..2023-06-19"),
        ("the remainder of this month", "2023-06-14..2023-07-01"),
        ("this calendar year", "2023-01-01..2024-01-01"),
        ("calendar year 2019", "2019-01-01..2020-01-01"),
        ("sales in CY18", "2018-01-01..2019-01-01"),
        ("this working week", "2023-06-12..2023-06-17"),
        ("next workweek", "2023-06-19..2023-06-24"),
        ("this fiscal year", "2022-10-01..2023-10-01"),
        ("last fiscal year", "2021-10-01..2022-10-01"),
        ("on this day", "2023-06-14..2023-06-15"),
        ("fine at the minute", "2023-06-14T15:30..2023-06-14T15:30:01"),
        ("busy at the present time", "2023-06-14T15:30..2023-06-14T15:30:01"),
    ]);
}

#[test]
fn parts_of_units() {
    check(&[
        ("next year's first quarter", "2024-01-01..2024-04-01"),
        ("last year's third quarter", "2022-07-01..2022-10-01"),
        ("the 3rd week of May", "2023-05-15..2023-05-22"),
        ("the second Tuesday of July 2021", "2021-07-13..2021-07-14"),
        ("the last day of this month", "2023-06-30..2023-07-01"),
        ("the first 2 weeks of 2021", "2021-01-04..2021-01-18"),
        ("the first two weeks of May 2021", "2021-05-01..2021-05-15"),
        ("earlier last week", "2023-06-05..2023-06-08"),
        ("later last week", "2023-06-08..2023-06-12"),
        ("mid July 2021", "2021-07-11..2021-07-21"),
        ("the second half of 2020", "2020-07-01..2021-01-01"),
        ("w/c 5 June", "2023-06-05..2023-06-12"),
        ("the week commencing 6 June", "2023-06-05..2023-06-12"),
        ("end of tomorrow", "2023-06-15T23:59:59..2023-06-16"),
        ("by EOD", "..2023-06-15"),
        ("end of the Sunday", "2023-06-11T23:59:59..2023-06-12"),
    ]);
}

#[test]
fn clocks_beside_days() {
    check(&[
        ("on Monday at 2.30", "2023-06-12T02:30..2023-06-12T02:31"),
        ("last night at 8.", "2023-06-13T20:00..2023-06-13T21:00"),
        ("at seven on Friday", "2023-06-09T07:00..2023-06-09T08:00"),
        ("yesterday at five", "2023-06-13T17:00..2023-06-13T18:00"),
        ("tomorrow nine thirty", "2023-06-15T09:30..2023-06-15T09:31"),
        ("at five-thirty tomorrow evening", "2023-06-15T17:30..2023-06-15T17:31"),
        ("on 3 March at nine a m", "2023-03-03T09:00..2023-03-03T10:00"),
        ("half past seven yesterday", "2023-06-13T07:30..2023-06-13T07:31"),
        ("quarter to 8 pm yesterday", "2023-06-13T19:45..2023-06-13T19:46"),
        ("tomorrow at 5ish", "2023-06-15T17:00..2023-06-15T18:00"),
        ("5 June for 8:15am", "2023-06-05T08:15..2023-06-05T08:16"),
        ("June/5(Mon)-11:30 AM", "2023-06-05T11:30..2023-06-05T11:31"),
        ("tomorrow at noon", "2023-06-15T12:00..2023-06-15T13:00"),
        ("tonight at 8", "2023-06-14T20:00..2023-06-14T21:00"),
        ("tomorrow at 10:00 CET", "2023-06-15T09:00..2023-06-15T09:01"),
    ]);
}

#[test]
fn hours_from_one_to_another() {
    check(&[
        ("five to seven tomorrow", "2023-06-15T17:00..2023-06-15T19:00"),
        ("3:00 to 4:00 tomorrow", "2023-06-15T03:00..2023-06-15T04:00"),
        ("6-8 next Monday", "2023-06-19T18:00..2023-06-19T20:00"),
        ("Monday 3-8", "2023-06-12T15:00..2023-06-12T20:00"),
        ("next Monday morning 6-8", "2023-06-19T06:00..2023-06-19T08:00"),
        ("Monday 8–9pm", "2023-06-12T20:00..2023-06-12T21:00"),
        ("on the 5th from 2pm to 4pm", "2023-06-05T14:00..2023-06-05T16:00"),
        ("on the 5 from 2pm to 4pm", "2023-06-05T14:00..2023-06-05T16:00"),
        ("from 8am-3 yesterday afternoon", "2023-06-13T08:00..2023-06-13T15:00"),
    ]);
}

#[test]
fn from_one_to_another() {
    check(&[
        ("from 4-23 in next month", "2023-07-04..2023-07-24"),
        ("between the 3rd and the 5th of this month", "2023-06-03..2023-06-06"),
        ("2014~2018", "2014-01-01..2019-01-01"),
        ("between January 2019 and now", "2019-01-01..2023-06-15"),
        ("1 June 2023 to today", "2023-06-01..2023-06-15"),
        ("between now and 21 July", "2023-06-14..2023-07-22"),
        ("between now and eight o'clock", "2023-06-14T15:30..2023-06-14T20:00"),
        ("from now until 3 days later", "2023-06-14T15:30..2023-06-17T15:30"),
        ("between the end of 2019 and the end of 2020", "2020-01-01..2021-01-01"),
        ("from this 5/12 to next 5/19", "2023-05-12..2024-05-20"),
        ("from May to July 2020", "2020-05-01..2020-08-01"),
        ("January 5th through the 9th", "2023-01-05..2023-01-10"),
    ]);
}

#[test]
fn a_start_and_a_length() {
    check(&[
        ("for 2 weeks starting May 20th", "2023-05-20..2023-06-03"),
        ("a week beginning tomorrow", "2023-06-15..2023-06-22"),
        ("for 1 week, from 20 May", "2023-05-20..2023-05-27"),
        ("for a day starting this Friday at 5 pm", "2023-06-16T17:00..2023-06-17T17:00"),
        ("on 14 February from 9:30am for 7 hours", "2023-02-14T09:30..2023-02-14T16:30"),
        ("tomorrow at 3pm for 2 hours", "2023-06-15T15:00..2023-06-15T17:00"),
    ]);
}

#[test]
fn distances() {
    check(&[
        ("3 days from Tuesday", "2023-06-23..2023-06-24"),
        ("in 3 days on Friday", "2023-06-16..2023-06-17"),
        ("two Sundays ago", "2023-06-04..2023-06-05"),
        ("the day after tomorrow", "2023-06-16..2023-06-17"),
        ("two days before yesterday", "2023-06-11..2023-06-12"),
        ("more than 2 weeks before today", "..2023-05-31"),
        ("less than 3 days after tomorrow", "2023-06-15..2023-06-18"),
        ("more than 3 days after 5 June", "2023-06-08.."),
        ("2h ago", "2023-06-14T13:00..2023-06-14T14:00"),
        ("three months from now", "2023-09-01..2023-10-01"),
    ]);
}

#[test]
fn bounds_of_every_kind() {
    check(&[
        ("as late as tomorrow", "..2023-06-16"),
        ("as early as 2019", "2019-01-01.."),
        ("cars from 2016 or later", "2016-01-01.."),
        ("the year 2016 and after", "2016-01-01.."),
        ("June 2020 or earlier", "..2020-07-01"),
        ("before the end of May", "..2023-06-01"),
        ("after the beginning of March", "2023-03-01.."),
        ("by the end of the week", "..2023-06-19"),
        ("until the start of July 2024", "..2024-07-01"),
        ("how many till date", "..2023-06-15"),
        ("how many docked to date?", "..2023-06-15"),
        ("5 June before 5pm", "..2023-06-05T17:00"),
        ("23/5 before 5pm", "..2023-05-23T17:00"),
    ]);
}

#[test]
fn holidays_by_rule() {
    check(&[
        ("Saint Patrick 2020", "2020-03-17..2020-03-18"),
        ("Mardi Gras 2023", "2023-02-21..2023-02-22"),
        ("Shrove Tuesday 2024", "2024-02-13..2024-02-14"),
        ("Whit Monday 2023", "2023-05-29..2023-05-30"),
        ("Pentecost 2023", "2023-05-28..2023-05-29"),
        ("Maundy Thursday 2023", "2023-04-06..2023-04-07"),
        ("Ascension Day 2023", "2023-05-18..2023-05-19"),
        ("Bonfire Night 2022", "2022-11-05..2022-11-06"),
        ("Remembrance Day 2022", "2022-11-11..2022-11-12"),
        ("Canada Day 2022", "2022-07-01..2022-07-02"),
        ("ANZAC Day 2022", "2022-04-25..2022-04-26"),
        ("Indigenous Peoples' Day 2022", "2022-10-10..2022-10-11"),
        ("Patriots' Day 2023", "2023-04-17..2023-04-18"),
        ("Giving Tuesday 2022", "2022-11-29..2022-11-30"),
        ("International Women's Day 2022", "2022-03-08..2022-03-09"),
        ("Pi Day 2022", "2022-03-14..2022-03-15"),
    ]);
}

#[test]
fn working_days_leave_the_weekends_out() {
    check(&[
        ("the last 3 business days", "2023-06-09..2023-06-15"),
        ("next 5 workdays", "2023-06-15..2023-06-22"),
        ("three business days ago", "2023-06-09..2023-06-10"),
        ("in 2 working days", "2023-06-16..2023-06-17"),
        ("5 business days from today", "2023-06-21..2023-06-22"),
    ]);
}

#[test]
fn weekends_and_the_same_time_elsewhere() {
    check(&[
        ("what we did over the weekend", "2023-06-10..2023-06-12"),
        ("any plans for the weekend?", "2023-06-17..2023-06-19"),
        ("I will rest at the weekend", "2023-06-17..2023-06-19"),
        ("this coming weekend", "2023-06-17..2023-06-19"),
        ("it will last two weekends", "P4D"),
        ("this time tomorrow", "2023-06-15T15:30..2023-06-15T15:31"),
        ("this time last year", "2022-06-01..2022-07-01"),
        ("2 Fridays from now", "2023-06-23..2023-06-24"),
    ]);
}

#[test]
fn decades_and_centuries() {
    check(&[
        ("the nineteen-twenties", "1920-01-01..1930-01-01"),
        ("in the mid nineties", "1994-01-01..1997-01-01"),
        ("in the 1800s", "1800-01-01..1900-01-01"),
        ("the two thousands", "2000-01-01..2010-01-01"),
        ("last century", "1900-01-01..2000-01-01"),
        ("the 19th century", "1800-01-01..1900-01-01"),
        ("the next two decades", "2023-06-15..2043-06-15"),
    ]);
}

#[test]
fn shorthand_of_offices() {
    check(&[
        ("done by EOW", "..2023-06-19"),
        ("done by EOM", "..2023-07-01"),
        ("done by EOY", "..2024-01-01"),
        ("calendar week 23", "2023-06-05..2023-06-12"),
        ("CW 23 of 2022", "2022-06-06..2022-06-13"),
        ("12/2019", "2019-12-01..2020-01-01"),
        ("4/22 to 4/26", "2023-04-22..2023-04-27"),
        ("4-23 next month", "2023-07-04..2023-07-24"),
        ("the third quarter this year", "2023-07-01..2023-10-01"),
        ("not before March 3", "2023-03-03.."),
        ("on or after March 3", "2023-03-03.."),
        ("on or before June 5th 2020", "..2020-06-06"),
        ("7:30 tomorrow night", "2023-06-15T19:30..2023-06-15T19:31"),
        ("early in the day on Monday", "2023-06-12..2023-06-12T12:00"),
        ("five days before new year", "2022-12-27..2022-12-28"),
        ("an hour and 15 minutes", "PT1H15M"),
        ("two decades and a half", "P25Y"),
        ("it rained the whole week", "P1W"),
    ]);
}

#[test]
fn lengths_that_reach_now() {
    check(&[
        ("seven years now", "2015-12-14.."),
        ("I have been at it for just under a year now", "2021-12-14.."),
        ("it took just over three hours", "PT3H"),
        ("what are you working on lately", "2023-05-16..2023-06-15"),
    ]);
}

#[test]
fn a_clause_that_looks_ahead_says_so() {
    check(&[
        ("I will see her on Friday", "2023-06-16..2023-06-17"),
        ("I'll be there in March", "2024-03-01..2024-04-01"),
        ("let's meet 30 minutes later", "2023-06-14T16:00..2023-06-14T16:01"),
        ("how about Friday?", "2023-06-16..2023-06-17"),
        ("Book a table for Friday", "2023-06-16..2023-06-17"),
        ("I saw her. We met on Friday", "2023-06-09..2023-06-10"),
    ]);
}

#[test]
fn lists_share_their_month_and_their_year() {
    let rows = |text| find(text, &context()).iter().map(written).collect::<Vec<_>>();
    assert_eq!(rows("18 and 19 May"), ["2023-05-18..2023-05-19", "2023-05-19..2023-05-20"]);
    assert_eq!(
        rows("the 3rd, 5th and 7th of May 2021"),
        ["2021-05-03..2021-05-04", "2021-05-05..2021-05-06", "2021-05-07..2021-05-08"]
    );
    assert_eq!(rows("11/20, 12 of November"), ["2022-11-20..2022-11-21", "2022-11-12..2022-11-13"]);
    assert_eq!(rows("q1 and q2"), ["2023-01-01..2023-04-01", "2023-04-01..2023-07-01"]);
    assert_eq!(rows("before 2000 but not 1998"), ["..2000-01-01", "1998-01-01..1999-01-01"]);
}

#[test]
fn what_only_looks_like_a_time_gives_nothing() {
    let mut wrong = Vec::new();
    for text in [
        "Upgrade to v2.3.1 before merging",
        "Python 3.12.1 is out",
        "node 18.04 works, ubuntu 22.04 too",
        "listen on port 8080 and 5432",
        "my daughter is 12 years old",
        "a 3-month-old puppy",
        "she is 27",
        "it costs $1999 plus tax",
        "EUR 2020 was the price",
        "we paid £1,250.50",
        "we won 3-2",
        "the score was 21-14 at the half",
        "won 3-5",
        "May I come in?",
        "it may be five or six of them",
        "I may need 2024 of those",
        "she came second",
        "give me a sec",
        "a split second decision",
        "they march through the city",
        "march on the capitol",
        "open 24/7",
        "30 February",
        "February 30th",
        "31 June 2022",
        "April 31, 2021",
        "13/13/2023",
        "call 555-0199",
        "call me at 212-555-0147",
        "+44 20 7946 0958",
        "dial 1-800-555-1212",
        "192.168.0.1",
        "10.0.0.255 is the broadcast address",
        "ping 127.0.0.1:8080",
        "`let t = 2023 - 05;`",
        "run `date -d \"2023-05-07\"`",
        "if (year >= 2015) return;",
        "x == 2019",
        "up 15% this",
        "a 50/50 split",
        "odds of 3:1",
        "ratio 16:9",
        "a 4:3 screen",
        "John 3:16",
        "Psalm 23:4",
        "Genesis 1:1",
        "chapter 11 verse 4",
        "page 1984",
        "room 2019",
        "flight 1847",
        "order 20231399",
        "id 99999999",
        "serial 12345678",
        "invoice 20200231",
        "one and only",
        "first and second place",
        "five to seven people",
        "two or three of us",
        "nine thirty people came",
        "twenty twenty vision problems",
        "I have 20/20 vision",
        "half of them",
        "1/2 cup of sugar",
        "3/4 of the class",
        "q1 of the quiz",
        "q2. What is it?",
        "the 3rd floor",
        "in the 4th grade",
        "the second one",
        "on the 17 bus",
        "your favorite Thanksgiving traditions",
        "a Christmas tree and Halloween costumes",
        "we seldom meet since we live far apart",
        "up to date",
        "bring me up to date",
        "I want to date him.",
        "we started to date.",
        "a due date",
        "keep it to date",
        "in 3D",
        "a 2d game",
        "the size is 10d",
        "5h glue",
        "3w light bulb",
        "at the same time",
        "some other time",
        "three times",
        "two at a time",
        "most of the time",
        "ten to one it rains",
        "seven eleven store",
        "nine eleven",
        "fifteen of them",
        "nineteen people",
        "the year",
        "word of mouth",
        "end of story",
        "the end of the line",
        "end of the road",
        "the rest of the team",
        "start of the game",
        "next to me",
        "last but not least",
        "the last one",
        "past the house",
        "this is it",
        "next!",
        "sun and moon",
        "I sat down",
        "we wed",
        "mon ami",
        "dec the halls",
        "fall off",
        "spring onions",
        "winter coat",
        "summer camp was fun",
        "eve of destruction",
        "good day to you",
        "have a nice weekend",
        "good evening, everyone",
        "what a day",
        "day job",
        "night owl",
        "to the moon and back",
        "in and out",
        "on and on",
        "RFC 2119 and ISO 8601",
        "HTTP 404",
        "error 500",
        "sha 20e1f2a",
        "version 2023.1",
        "release-2023.1-rc2",
        "build_20230507",
        "commit 20230507abc",
        "IMG_20230507.jpg",
        "file-2023-05-07.log",
        "www.example.com/2023-05-07",
        "https://example.com/a-2018-09-23",
    ] {
        let found = find(text, &context());
        wrong.extend(found.iter().map(|row| format!("{text}: {}", &text[row.span.clone()])));
    }
    assert_eq!(wrong, Vec::<String>::new());
}
