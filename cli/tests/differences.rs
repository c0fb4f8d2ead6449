//! What timelines, differences and first beliefs say of small stories, row by row.

use std::collections::BTreeMap;

use crate::support::{Bench, list};
use bygone::Exit;
use serde_json::{Value, json};

/// A story: what was said, one statement a line, as `subject predicate object from to known_at source more`; `-` for
/// null, `!` before the object for a denial, `*` for whatever holds.
fn tell(bench: &mut Bench, story: &str) {
    let lines: Vec<String> = story.lines().map(str::trim).filter(|l| !l.is_empty()).map(statement).collect();
    bench.assert_lines("default", &lines);
}

fn statement(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [subject, predicate, object, from, to, known_at, source, more @ ..] = words.as_slice() else {
        panic!("{line}");
    };
    let time = |text: &str| if text == "-" { Value::Null } else { json!(text) };
    let denied = object.starts_with('!');
    let object = object.trim_start_matches('!');
    let mut value = json!({
        "subject": format!("person:{subject}"), "predicate": predicate, "from": time(from), "to": time(to),
        "polarity": if denied { "deny" } else { "affirm" },
        "known_at": format!("{known_at}T00:00:00Z"), "source": source,
    });
    if object != "*" {
        value["object"] = json!({ "entity": object });
    }
    for pair in more {
        let (key, text) = pair.split_once('=').expect("key=value");
        value[key] = json!(text);
    }
    value.to_string()
}

/// Says a fact's row: `Ann lives_in Rome 2022-01-01..`.
fn fact(row: &Value) -> String {
    if row.is_null() {
        return "nothing".to_owned();
    }
    let name =
        |value: &Value| value.as_str().unwrap_or_default().rsplit(':').next().unwrap_or_default().to_owned();
    let time = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let object = name(&row["object"]["entity"]);
    format!("{} {} {object} {}..{}", name(&row["subject"]), name(&row["predicate"]), time("from"), time("to"))
}

/// The sources of statements by their ids.
fn sources(bench: &mut Bench) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let rows: Vec<Value> =
        bench.export("default").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    rows.iter().map(|row| (text(&row["id"]), text(&row["source"]))).collect()
}

/// Holds what `diff` says to the rows expected: `kind: fact, was former, by source`.
#[track_caller]
fn differ(bench: &mut Bench, options: &str, expected: &[&str]) {
    let sources = sources(bench);
    let words: Vec<&str> = ["diff", "--json"].into_iter().chain(options.split_whitespace()).collect();
    let rows = bench.done(&words).rows();
    let found: Vec<String> = rows
        .iter()
        .map(|row| {
            let keys: Vec<&String> = row.as_object().expect("an object").keys().collect();
            assert_eq!(keys, ["cause", "change", "fact", "was"]);
            let cause = &sources[row["cause"].as_str().expect("a cause")];
            let change = row["change"].as_str().expect("a kind");
            format!("{change}: {}, was {}, by {cause}", fact(&row["fact"]), fact(&row["was"]))
        })
        .collect();
    assert_eq!(found, expected, "{options}");
}

#[test]
fn what_was_known_differs_by_kind() {
    let mut bench = Bench::new();
    tell(
        &mut bench,
        "Ann works_at org:Acme 2020 - 2020-01-10 a#1
         Ann works_at org:Beta 2023 - 2023-02-01 a#2
         Ben works_at org:Gamma 2021-05-02 - 2021-05-03 b#1
         Ben works_at !org:Gamma - - 2021-06-10 b#2
         Ben works_at org:Beta 2021-05-02 - 2021-06-10 b#3
         Ben works_at org:Beta 2021-05-02 - 2021-09-01 b#4
         Cle lives_in place:Bonn 2015 - 2022-01-01 c#1
         Cle lives_in place:Kiel 2018 2020 2022-03-01 c#2
         Dan owns thing:bike 2019 - 2019-02-01 d#1
         Dan owns !thing:bike 2022-07 - 2022-08-01 d#2
         Dan owns !thing:bike 2022-07 - 2022-09-01 d#3
         Eve works_at org:Delta unknown unknown 2022-05-01 e#1",
    );
    // A change told after it happened, more support for it, and nothing once the span is past.
    differ(
        &mut bench,
        "--known 2022..2024 --about Ann",
        &["changed: Ann works_at Beta 2023-01-01.., was Ann works_at Acme 2020-01-01.., by a#2"],
    );
    differ(&mut bench, "--known 2023-02..2024 --about Ann", &[]);
    // At an instant before it, another object has not taken over.
    differ(
        &mut bench,
        "--known 2022..2024 --about Ann --valid 2021-01-01T00:00:00Z",
        &["corrected: Ann works_at Beta 2023-01-01.., was Ann works_at Acme 2020-01-01.., by a#2"],
    );
    // A wrong value put right; that it was said again makes no difference, and is not the cause.
    differ(
        &mut bench,
        "--known 2021-06-01..2022 --about Ben",
        &["corrected: Ben works_at Beta 2021-05-02.., was Ben works_at Gamma 2021-05-02.., by b#3"],
    );
    differ(&mut bench, "--known 2021-07..2022 --about Ben", &[]);
    // Known later about an earlier time.
    differ(
        &mut bench,
        "--known 2022-02..2022-04 --about Cle",
        &["corrected: Cle lives_in Kiel 2018-01-01..2020-01-01, was Cle lives_in Bonn 2015-01-01.., by c#2"],
    );
    // An end, said twice: the first saying made the difference.
    let bike = "ended: Dan owns bike 2019-01-01..2022-07-01, was Dan owns bike 2019-01-01.., by d#2";
    differ(&mut bench, "--known 2021..2023 --about Dan", &[bike]);
    // Undated.
    let delta = "learned: Eve works_at Delta unknown..unknown, was nothing, by e#1";
    differ(&mut bench, "--known 2021..2023 --about Eve", &[delta]);
    differ(&mut bench, "--known 2021..2023 --about org:Delta", &[delta]);
    // A coarse time means its end, an open one the latest or nothing at all; a time and itself do not differ.
    differ(&mut bench, "--known 2022..2022", &[]);
    differ(&mut bench, "--known 2022-07-31..2022-08-01 --about Dan", &[bike]);
    differ(&mut bench, "--known 2022-08-01..2022-08-02 --about Dan", &[]);
    differ(
        &mut bench,
        "--known ..2020 --about Ann",
        &["learned: Ann works_at Acme 2020-01-01.., was nothing, by a#1"],
    );
    differ(&mut bench, "--known 2021.. --about Dan", &[bike]);
    // What was recorded later is not seen.
    differ(&mut bench, "--known ..2024 --recorded 0", &[]);
}

#[test]
fn an_end_taken_back_is_a_reopening() {
    let mut bench = Bench::new();
    tell(
        &mut bench,
        "Ann works_at org:Acme 2020 - 2020-01-10 a#1
         Ann works_at !org:Acme 2021-07 - 2021-07-10 a#2
         Ann works_at org:Acme 2020 - 2022-02-01 a#3 sure_until=2022-02-01",
    );
    differ(
        &mut bench,
        "--known 2021..2023",
        &["reopened: Ann works_at Acme 2020-01-01.., was Ann works_at Acme 2020-01-01..2021-07-01, by a#3"],
    );
}

#[test]
fn merges_and_splits_tell_what_goes_under_another_name() {
    let mut bench = Bench::new();
    tell(
        &mut bench,
        "Ann lives_in place:Bonn 2020 - 2020-01-01 a#1
         Anna likes thing:tea 2021 - 2021-01-01 b#1
         Ann same_as person:Anna 2022 - 2022-03-01 i#1
         Ann same_as !person:Anna - - 2023-03-01 i#2",
    );
    differ(
        &mut bench,
        "--known 2021..2022",
        &[
            "merged: Ann likes tea 2021-01-01.., was Anna likes tea 2021-01-01.., by i#1",
            "merged: Ann same_as Anna 2022-01-01.., was nothing, by i#1",
        ],
    );
    differ(
        &mut bench,
        "--known 2022..2023",
        &[
            "split: nothing, was Ann same_as Anna 2022-01-01.., by i#2",
            "split: Anna likes tea 2021-01-01.., was Ann likes tea 2021-01-01.., by i#2",
        ],
    );
    differ(&mut bench, "--known 2021..2023", &[]);
}

#[test]
fn a_narrowed_view_differs_by_what_it_hears() {
    let mut bench = Bench::new();
    tell(
        &mut bench,
        "Ann lives_in place:Bonn 2020 - 2020-01-01 s#1 user=dora
         Ann lives_in place:Rome 2022 - 2022-01-05 t#1 user=emil",
    );
    let rome = "changed: Ann lives_in Rome 2022-01-01.., was Ann lives_in Bonn 2020-01-01.., by t#1";
    differ(&mut bench, "--known 2021..2023", &[rome]);
    differ(&mut bench, "--known 2021..2023 --by-user dora", &[]);
    let learned = "learned: Ann lives_in Rome 2022-01-01.., was nothing, by t#1";
    differ(&mut bench, "--known 2021..2023 --by-user emil", &[learned]);
    differ(&mut bench, "--known 2021..2023 --in-session t", &[learned]);
}

#[test]
fn the_world_differs_between_two_instants() {
    let mut bench = Bench::new();
    tell(
        &mut bench,
        "Ann works_at org:Acme 2019 - 2020-01-01 a#1
         Ann works_at org:Beta 2021 - 2021-02-01 a#2
         Ann works_at !org:Beta 2023-04 - 2023-05-01 a#3
         Ann likes thing:tea 2018 2019 2018-02-01 a#4
         Ann likes thing:tea 2022 - 2022-02-01 a#5",
    );
    differ(
        &mut bench,
        "--valid 2020..2022",
        &[
            "reopened: Ann likes tea 2022-01-01.., was Ann likes tea 2018-01-01..2019-01-01, by a#5",
            "changed: Ann works_at Beta 2021-01-01..2023-04-01, was Ann works_at Acme 2019-01-01..2021-01-01, by a#2",
        ],
    );
    let beta = "Ann works_at Beta 2021-01-01..2023-04-01";
    differ(&mut bench, "--valid 2022..2023 --about Beta", &[&format!("ended: {beta}, was {beta}, by a#3")]);
    // In the view of what was known then, it had not ended; open to now.
    differ(&mut bench, "--valid 2022..2023 --known 2022 --about Beta", &[]);
    differ(&mut bench, "--valid 2022.. --about Beta", &[&format!("ended: {beta}, was {beta}, by a#3")]);
}

#[test]
fn differences_that_have_no_meaning_are_refused() {
    let mut bench = Bench::new();
    tell(&mut bench, "Ann works_at org:Acme 2019 - 2020-01-01 a#1");
    let cases: &[(&str, Exit, &str)] = &[
        ("diff", Exit::Usage, "a range is expected: --known A..B"),
        ("diff --known 2020", Exit::Usage, "a range is expected"),
        ("diff --known 2020..2021 --valid 2020..2021", Exit::Usage, "are both ranges"),
        ("diff --known 2021..2020", Exit::Usage, "--known: 2021 comes after 2020"),
        ("diff --known 2020..2020-06", Exit::Usage, "--known: 2020 comes after 2020-06"),
        ("diff --valid 2021..2020", Exit::Usage, "--valid: 2021 comes after 2020"),
        ("diff --valid 2030..", Exit::Usage, "--valid: 2030 comes after now"),
        ("diff --valid ..2020", Exit::Usage, "the earlier of the two times is missing"),
        ("diff --known soon..2020", Exit::Usage, "--known: time \"soon\" is not understood"),
        ("diff --known 2019..2021 --about Nobody", Exit::No, "nothing here is named \"Nobody\""),
        ("timeline Nobody", Exit::No, "nothing here is named \"Nobody\""),
        ("learned Nobody works_at", Exit::No, "nothing here is named \"Nobody\""),
        ("learned Ann works_at Beta", Exit::No, "not known: person:Ann works_at Beta"),
        ("learned Ann lives_in", Exit::No, "not known: person:Ann lives_in"),
        ("learned Ann works_at --known 2018", Exit::No, "nothing here is named \"Ann\""),
        ("learned Ann works_at {", Exit::Usage, "OBJECT is not valid JSON"),
    ];
    for &(command, exit, message) in cases {
        let words: Vec<&str> = command.split(' ').collect();
        let ran = bench.run(&words).expect_exit(exit);
        assert!(ran.errors.contains(message), "{ran:?}");
        assert_eq!(ran.output, "", "{ran:?}");
    }
}

#[test]
fn a_timeline_has_what_was_so_in_order_and_undated_facts_last() {
    let mut bench = Bench::new();
    tell(
        &mut bench,
        "Ann works_at org:Delta unknown unknown 2022-05-01 a#1
         Ann lives_in place:Bonn 2020 - 2020-01-01 a#2
         Ben knows person:Ann 2019-03 - 2021-01-01 b#1
         Ann lives_in place:Rome 2022 - 2022-01-05 a#3",
    );
    let mut check = |options: &str, expected: &[&str]| {
        let words: Vec<&str> =
            ["timeline", "Ann", "--json"].into_iter().chain(options.split_whitespace()).collect();
        let found: Vec<String> = bench.done(&words).rows().iter().map(fact).collect();
        assert_eq!(found, expected, "{options}");
    };
    check(
        "",
        &[
            "Ben knows Ann 2019-03-01..",
            "Ann lives_in Bonn 2020-01-01..2022-01-01",
            "Ann lives_in Rome 2022-01-01..",
            "Ann works_at Delta unknown..unknown",
        ],
    );
    check("--valid 2020..2021", &["Ben knows Ann 2019-03-01..", "Ann lives_in Bonn 2020-01-01..2022-01-01"]);
    check("--known 2020-06", &["Ann lives_in Bonn 2020-01-01.."]);
    check("--in-session b", &["Ben knows Ann 2019-03-01.."]);
}

#[test]
fn what_was_learned_says_when_and_from_which_turn() {
    let mut bench = Bench::new();
    tell(
        &mut bench,
        "Ann lives_in place:Bonn 2018 - 2020-01-01 a#1
         Ann lives_in !place:Bonn - - 2021-01-01 a#2
         Ann lives_in place:Bonn 2018 - 2022-01-01 a#3
         Ann lives_in place:Rome 2023 - 2023-01-01 t#7 asserter=person:Ann
         Annie likes thing:tea 2021 - 2021-01-01 b#1
         Ann same_as person:Annie 2022 - 2022-03-01 i#1",
    );
    let mut check = |words: &[&str], expected: &[&str]| {
        let words = [&["learned", "--json"], words].concat();
        let found: Vec<String> = bench
            .done(&words)
            .rows()
            .iter()
            .map(|row| {
                let text = |key: &str| row[key].as_str().unwrap_or("never").replace("T00:00:00Z", "");
                assert_eq!(row["object"], row["fact"]["object"]);
                assert!(list(&row["fact"]["support"]).contains(&row["assertion"]));
                let place = format!("{}#{}", text("session"), row["turn"]);
                format!("{} {} {} {place}", text("known_from"), text("until"), text("again"))
            })
            .collect();
        assert_eq!(found, expected, "{words:?}");
    };
    let bonn = "2020-01-01 2021-01-01 2022-01-01 a#1";
    check(&["Ann", "lives_in"], &[bonn, "2023-01-01 never never t#7"]);
    check(&["Ann", "lives_in", "Bonn"], &[bonn]);
    check(&["Ann", "lives_in", "Bonn", "--known", "2021"], &["2020-01-01 2021-01-01 never a#1"]);
    check(&["Ann", "lives_in", "--in-session", "t"], &["2023-01-01 never never t#7"]);
    // Of Annie it was known before; of Ann only once the two were known to be one.
    check(&["Annie", "likes"], &["2021-01-01 never never b#1"]);
    check(&["Ann", "likes"], &["2022-03-01 never never b#1"]);
}
