//! What a few statements amount to, and how the facts that come of them are judged: all that random histories do not
//! look at, which is everything of a fact but what holds when.
//!
//! Statements are in the wire form, one a line, each told after the one above. What they leave out is filled in: the
//! subject, the predicate, when they were known and where they stand; an object that is a text stands for that text.
//! A fact is written `Acme 2020-01-01 stated 2021-01-01 presumed 2024-06-01 by deny on 0 2 against Beta:1`: its
//! segments, why it ended, the statements it rests on by their place in the list, and what others vouch for.

use std::collections::BTreeMap;

use bygone_engine::time::{Bound, Instant, Period, Validity, format_instant, parse_moment};
use bygone_engine::wire::{Defaults, read_statement};
use bygone_engine::{Assertion, AssertionId, Basis, EndedBy, Fact, Object, ValidTime};
use bygone_ontology::premise::{Premise, broken_path};
use bygone_ontology::{Cardinality, Definition, TemporalKind, derive, judged_instant, verdict};
use serde_json::{Map, Value, json};

type Behaviour = (TemporalKind, Cardinality);

const ONE: Behaviour = (TemporalKind::State, Cardinality::One);
const MANY: Behaviour = (TemporalKind::State, Cardinality::Many);
const EVENT: Behaviour = (TemporalKind::Event, Cardinality::Many);
const RIGID: Behaviour = (TemporalKind::Rigid, Cardinality::One);
const RIGID_MANY: Behaviour = (TemporalKind::Rigid, Cardinality::Many);

fn definition((kind, cardinality): Behaviour, half_life_days: Option<u32>) -> Definition {
    Definition {
        id: "case".to_owned(),
        domain: vec!["any".to_owned()],
        range: vec!["any".to_owned()],
        kind,
        cardinality,
        key: None,
        inverse: None,
        symmetric: false,
        half_life_days,
        cues: Vec::new(),
        end_cues: Vec::new(),
        schema: None,
        wikidata: None,
        note: None,
    }
}

fn instant(text: &str) -> Instant {
    parse_moment(text).expect(text).at
}

/// Reads the lines of a case. A premise is given by its place in the list; a place that is not above is nowhere.
fn statements(lines: &str) -> Vec<Assertion> {
    let mut read: Vec<Assertion> = Vec::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let mut map: Map<String, Value> = serde_json::from_str(line).expect(line);
        let mut default = |key: &str, value: Value| {
            map.entry(key).or_insert(value);
        };
        default("subject", json!("person:Ann"));
        default("predicate", json!("case"));
        default("known_at", json!("2020-01-01"));
        default("source", json!(format!("case#{}", read.len())));
        if let Some(Value::String(text)) = map.get("object") {
            let text = json!({ "text": text });
            map.insert("object".to_owned(), text);
        }
        if let Some(Value::Array(places)) = map.get_mut("derived_from") {
            for place in places {
                let premise = place.as_u64().and_then(|place| read.get(usize::try_from(place).ok()?));
                *place =
                    json!(premise.map_or_else(|| format!("a:{:032}", 0), |premise| premise.id.to_string()));
            }
        }
        let defaults = Defaults { now: instant("2020-01-01"), document: "case".to_owned(), position: 0 };
        let statement = read_statement(&Value::Object(map).to_string(), &defaults).expect(line);
        read.push(statement.assertion);
    }
    read
}

fn facts(behaviour: Behaviour, statements: &[Assertion]) -> Vec<Fact> {
    let backwards: Vec<&Assertion> = statements.iter().rev().collect();
    derive(&definition(behaviour, None), &backwards)
}

fn name(object: &Object) -> String {
    match object {
        Object::Text(text) => text.clone(),
        other => other.canonical(),
    }
}

fn time(instant: Instant) -> String {
    match instant {
        Instant::DISTANT_PAST | Instant::DISTANT_FUTURE => "..".to_owned(),
        _ => format_instant(instant),
    }
}

fn place(statements: &[Assertion], id: AssertionId) -> String {
    let place = statements.iter().position(|statement| statement.id == id);
    place.map_or_else(|| "nowhere".to_owned(), |place| place.to_string())
}

fn written(statements: &[Assertion], fact: &Fact) -> String {
    assert!(fact.support.is_sorted(), "supports are looked up by halving");
    let mut words = vec![name(&fact.object)];
    match fact.validity {
        Validity::Undated => words.push("undated".to_owned()),
        Validity::Over(period) => {
            words.push(time(period.start()));
            for segment in &fact.segments {
                let basis = if segment.basis == Basis::Stated { "stated" } else { "presumed" };
                words.extend([basis.to_owned(), time(segment.to)]);
            }
            let ends = (fact.segments[0].from, fact.segments[fact.segments.len() - 1].to);
            assert_eq!(ends, (period.start(), period.end()), "segments fill the fact");
        }
    }
    words.extend(fact.ended_by.map(|by| {
        match by {
            EndedBy::Bound => "by bound",
            EndedBy::Change => "by change",
            EndedBy::Deny => "by deny",
        }
        .to_owned()
    }));
    let mut support: Vec<String> = fact.support.iter().map(|&id| place(statements, id)).collect();
    support.sort();
    words.push(format!("on {}", support.join(" ")));
    for rival in &fact.rivals {
        words.push(format!("against {}:{}", name(&rival.object), place(statements, rival.assertion)));
    }
    words.join(" ")
}

#[track_caller]
fn check(behaviour: Behaviour, lines: &str, expected: &[&str]) {
    let statements = statements(lines);
    let found: Vec<String> =
        facts(behaviour, &statements).iter().map(|fact| written(&statements, fact)).collect();
    assert_eq!(found, expected, "{lines}");
}

/// The bounds of the facts, each with the granularity it was said with.
#[track_caller]
fn check_bounds(behaviour: Behaviour, lines: &str, expected: &[&str]) {
    let said = |bound: Bound| match bound {
        Bound::Open => "open".to_owned(),
        Bound::At(moment) => format!("{} {}", format_instant(moment.at), moment.grain.name()),
    };
    let of_fact = |fact: &Fact| {
        let period = fact.validity.period().expect("a dated fact");
        format!("{}: {}, {}", name(&fact.object), said(period.from()), said(period.to()))
    };
    let found: Vec<String> = facts(behaviour, &statements(lines)).iter().map(of_fact).collect();
    assert_eq!(found, expected, "{lines}");
}

/// What is asked for, as of when, and the verdicts of the facts that answer.
#[track_caller]
fn check_verdicts(lines: &str, half_life_days: Option<u32>, asked: &str, now: &str, expected: &[&str]) {
    let definition = definition(ONE, half_life_days);
    let valid = match asked.split_once(' ') {
        Some((from, to)) => {
            let bound = |text| Bound::At(parse_moment(text).expect(text));
            ValidTime::During(Period::new(bound(from), bound(to)).expect("a period"))
        }
        None if asked == "all" => ValidTime::All,
        None => ValidTime::At(instant(asked)),
    };
    let found: Vec<String> = facts(ONE, &statements(lines))
        .iter()
        .filter(|fact| valid.selects(fact.validity))
        .map(|fact| {
            let judged = judged_instant(fact.validity, valid, instant(now));
            format!("{} {}", name(&fact.object), verdict(fact, &definition, judged, false).name())
        })
        .collect();
    assert_eq!(found, expected, "{asked} as of {now}: {lines}");
}

/// The path from the fact of a predicate to a broken premise, as places in the list. Predicates other than `bought`,
/// which happens, are states of one object.
#[track_caller]
fn check_premises(lines: &str, predicate: &str, asked: &str, expected: Option<&str>) {
    let statements = statements(lines);
    let mut groups: BTreeMap<&str, Vec<Assertion>> = BTreeMap::new();
    for statement in &statements {
        groups.entry(&statement.predicate).or_default().push(statement.clone());
    }
    let behaviour = |predicate: &str| if predicate == "bought" { EVENT } else { ONE };
    let facts_of = |predicate: &str| facts(behaviour(predicate), &groups[predicate]);
    let asked = ValidTime::At(instant(asked));
    let fact = facts_of(predicate).into_iter().find(|fact| asked.selects(fact.validity)).expect("a fact");
    let mut look_up = |id: AssertionId| {
        let statement = statements.iter().find(|statement| statement.id == id);
        Ok::<_, ()>(statement.map(|statement| Premise {
            assertion: statement.clone(),
            kind: behaviour(&statement.predicate).0,
            facts: facts_of(&statement.predicate),
        }))
    };
    let path = broken_path(&fact, asked, &mut look_up).expect("nothing fails");
    let places = |ids: Vec<AssertionId>| {
        ids.into_iter().map(|id| place(&statements, id)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(path.map(places).as_deref(), expected, "{lines}");
}

#[test]
fn what_is_stated_and_what_is_presumed_of_one_object_is_one_fact() {
    check(
        ONE,
        r#"{"object": "Acme", "from": "2020-01-01", "sure_until": "2021-01-01"}
           {"object": "Acme", "from": "2023-01-01"}"#,
        &["Acme 2020-01-01 stated 2021-01-02 presumed 2023-01-01 stated 2023-01-02 presumed .. on 0 1"],
    );
}

#[test]
fn one_who_vouches_for_a_granule_wider_than_the_start_is_not_cut_by_an_earlier_affirm() {
    let beta = r#"{"object": "Beta", "from": "2024-06-01"}"#;
    check(
        ONE,
        &format!("{beta}\n{}", r#"{"object": "Acme", "from": "2024-01-01", "sure_until": "2024"}"#),
        &["Acme 2024-01-01 stated 2025-01-01 presumed .. on 1"],
    );
    check(
        ONE,
        &format!("{beta}\n{}", r#"{"object": "Acme", "from": "2024"}"#),
        &[
            "Acme 2024-01-01 stated 2024-06-01 by change on 1",
            "Beta 2024-06-01 stated 2024-06-02 presumed .. on 0",
        ],
    );
}

#[test]
fn words_of_one_turn_are_ordered_by_where_they_stand_and_then_by_id() {
    let said = |object: &str, span: &str| {
        format!(
            r#"{{"object": "{object}", "from": "2024", "to": "2025", "source": "case#0", "span": {span}}}"#
        )
    };
    for objects in [["Acme", "Beta", "Cleo", "Dora"], ["Dora", "Cleo", "Beta", "Acme"]] {
        let spans = ["[0, 4]", "[5, 6]", "[5, 9]", "[10, 14]"];
        let lines: Vec<String> = objects.iter().zip(spans).map(|(object, span)| said(object, span)).collect();
        let latest = format!("{} 2024-01-01 stated 2025-01-01 by bound on 3", objects[3]);
        check(ONE, &lines.join("\n"), &[&latest]);
    }
    let statements = statements(&format!("{}\n{}", said("Acme", "[0, 4]"), said("Beta", "[0, 4]")));
    let latest = statements.iter().max_by_key(|statement| statement.id).expect("two statements");
    let facts = facts(ONE, &statements);
    assert_eq!(facts.iter().map(|fact| Some(&fact.object)).collect::<Vec<_>>(), [latest.object.as_ref()]);
}

#[test]
fn a_fact_ends_by_its_bound_by_a_change_or_by_a_deny() {
    check(
        ONE,
        r#"{"object": "Acme", "from": "2010", "to": "2013"}"#,
        &["Acme 2010-01-01 stated 2013-01-01 by bound on 0"],
    );
    check(
        ONE,
        r#"{"object": "Acme", "from": "2020"}
           {"object": "Beta", "from": "2022-05"}"#,
        &[
            "Acme 2020-01-01 stated 2021-01-01 presumed 2022-05-01 by change on 0",
            "Beta 2022-05-01 stated 2022-06-01 presumed .. on 1",
        ],
    );
    check(
        ONE,
        r#"{"object": "Acme", "from": "2020"}
           {"object": "Acme", "polarity": "deny", "from": "2022-07"}"#,
        &["Acme 2020-01-01 stated 2021-01-01 presumed 2022-07-01 by deny on 0"],
    );
    check(
        ONE,
        r#"{"object": "Acme", "from": "2020", "to": "2025"}
           {"object": "Acme", "polarity": "deny", "from": "2022-07"}"#,
        &["Acme 2020-01-01 stated 2022-07-01 by deny on 0"],
    );
}

#[test]
fn a_fact_rests_on_every_undenied_statement_of_its_object_and_on_no_other() {
    check(
        ONE,
        r#"{"object": "Beta", "from": "2020", "to": "2022"}
           {"object": "Acme", "from": "2020", "to": "2022"}
           {"object": "Acme", "polarity": "deny"}
           {"object": "Acme", "from": "2020", "to": "2022"}
           {"object": "Acme", "from": "2020", "to": "2022"}"#,
        &["Acme 2020-01-01 stated 2022-01-01 by bound on 3 4"],
    );
}

#[test]
fn a_bound_is_as_coarse_as_the_latest_who_said_it() {
    // A support comes before whoever else named the instant.
    check_bounds(
        ONE,
        r#"{"object": "Acme", "from": "2020-01-01"}
           {"object": "Acme", "from": "2020"}
           {"object": "Beta", "polarity": "deny", "from": "2020-01"}"#,
        &["Acme: 2020-01-01 year, open"],
    );
    // No support names the end; the deny does.
    check_bounds(
        ONE,
        r#"{"object": "Acme", "from": "2020"}
           {"object": "Acme", "polarity": "deny", "from": "2024-07"}"#,
        &["Acme: 2020-01-01 year, 2024-07-01 month"],
    );
    // Nobody names the end of what Acme vouches for: it is the end of January.
    check_bounds(
        ONE,
        r#"{"object": "Acme", "from": "2020-01"}
           {"object": "Beta", "from": "2019", "sure_until": "2020-06"}
           {"object": "Beta", "polarity": "deny", "from": "2020-01-10", "to": "2020-02-20"}"#,
        &[
            "Beta: 2019-01-01 year, 2020-01-10 day",
            "Acme: 2020-01-10 day, 2020-02-01 month",
            "Beta: 2020-02-20 day, open",
        ],
    );
    check_bounds(
        EVENT,
        r#"{"object": "Berlin", "from": "2024-05"}"#,
        &["Berlin: 2024-05-01 month, 2024-06-01 month"],
    );
}

#[test]
fn a_fact_is_as_old_as_its_first_support_and_as_strong_as_its_strongest() {
    let statements = statements(
        r#"{"object": "Acme", "from": "2020", "known_at": "2020-02-01", "authority": "agent", "confidence": 0.9}
           {"object": "Acme", "from": "2020", "known_at": "2021-01-01", "authority": "tool", "confidence": 0.5}"#,
    );
    let [fact] = &facts(ONE, &statements)[..] else { panic!("one fact") };
    let times = (time(fact.known_from), time(fact.last_confirmed));
    assert_eq!(times, ("2020-02-01".to_owned(), "2021-01-01".to_owned()));
    assert_eq!(fact.authority, statements[1].authority);
    assert_eq!(fact.confidence.to_string(), "0.9");
}

#[test]
fn facts_come_by_start_and_then_by_object_the_undated_first() {
    check(
        MANY,
        r#"{"object": "tea", "from": "2021", "to": "2022"}
           {"object": "coffee", "from": "2020", "to": "2022"}
           {"object": "apples", "from": "2021", "to": "2022"}
           {"object": "milk", "from": "unknown", "to": "unknown"}"#,
        &[
            "milk undated by bound on 3",
            "coffee 2020-01-01 stated 2022-01-01 by bound on 1",
            "apples 2021-01-01 stated 2022-01-01 by bound on 2",
            "tea 2021-01-01 stated 2022-01-01 by bound on 0",
        ],
    );
}

#[test]
fn an_undated_fact_stands_until_it_is_denied_for_all_time() {
    let undated = r#"{"object": "Gamma", "from": "unknown", "to": "unknown"}"#;
    let deny = |time: &str| format!(r#"{{"object": "Gamma", "polarity": "deny"{time}}}"#);
    let until = deny(r#", "to": "2020""#);
    let from = deny(r#", "from": "2020""#);
    check(ONE, &format!("{undated}\n{from}"), &["Gamma undated by bound on 0"]);
    check(ONE, &format!("{undated}\n{until}\n{from}"), &[]);
    check(ONE, &format!("{undated}\n{}", deny("")), &[]);
    check(ONE, &format!("{}\n{undated}", deny("")), &["Gamma undated by bound on 1"]);
}

#[test]
fn what_does_not_change_holds_for_all_time_on_all_who_said_it() {
    check(
        RIGID,
        r#"{"object": "1990"}
           {"object": "1991"}
           {"object": "1990", "from": "unknown", "to": "unknown"}"#,
        &["1990 .. stated .. on 0 2"],
    );
    check(
        RIGID_MANY,
        r#"{"object": "Ben"}
           {"object": "Cleo"}"#,
        &["Ben .. stated .. on 0", "Cleo .. stated .. on 1"],
    );
}

#[test]
fn a_coarse_telling_supports_each_occurrence_in_it() {
    check(
        EVENT,
        r#"{"object": "Berlin", "from": "2024-05-03"}
           {"object": "Berlin", "from": "2024-05-20"}
           {"object": "Berlin", "from": "2024-05"}"#,
        &[
            "Berlin 2024-05-03 stated 2024-05-04 by bound on 0 2",
            "Berlin 2024-05-20 stated 2024-05-21 by bound on 1 2",
        ],
    );
}

#[test]
fn plans_and_suppositions_amount_to_nothing() {
    check(
        ONE,
        r#"{"object": "Oslo", "from": "2024", "modality": "planned"}
           {"object": "Rome", "from": "2024", "modality": "hypothetical"}
           {"object": "Bergen", "from": "2023", "modality": "reported"}"#,
        &["Bergen 2023-01-01 stated 2024-01-01 presumed .. on 2"],
    );
}

#[test]
fn who_vouches_for_another_value_over_the_same_time_contests_the_later_word() {
    // What Ann vouches for is compared before Ben's word cuts it short.
    check(
        ONE,
        r#"{"object": "Acme", "from": "2020-01-01", "sure_until": "2024-01-01", "asserter": "person:Ann"}
           {"object": "Beta", "from": "2022-01-01", "asserter": "person:Ben"}"#,
        &[
            "Acme 2020-01-01 stated 2022-01-01 by change on 0",
            "Beta 2022-01-01 stated 2022-01-02 presumed .. on 1 against Acme:0",
        ],
    );
    // Only the stretch that both vouch for is contested: Cleo parts the two facts that rest on Ben's one statement.
    check(
        ONE,
        r#"{"object": "Acme", "from": "2020", "to": "2021", "asserter": "person:Ann"}
           {"object": "Beta", "from": "2020", "to": "2024", "asserter": "person:Ben"}
           {"object": "Cleo", "from": "2021", "to": "2022", "asserter": "person:Ben"}"#,
        &[
            "Beta 2020-01-01 stated 2021-01-01 by change on 1 against Acme:0",
            "Cleo 2021-01-01 stated 2022-01-01 by bound on 2",
            "Beta 2022-01-01 stated 2024-01-01 by bound on 1",
        ],
    );
    // The first END is void, so it does not silence Ann.
    check(
        ONE,
        r#"{"object": "Acme", "from": "2020", "sure_until": "2023", "asserter": "person:Ann"}
           {"object": "Acme", "polarity": "deny", "from": "2021"}
           {"object": "Acme", "polarity": "deny", "from": "2022-06-02"}
           {"object": "Beta", "from": "2021-06", "to": "2022", "asserter": "person:Ben"}"#,
        &[
            "Acme 2020-01-01 stated 2021-06-01 by change on 0",
            "Beta 2021-06-01 stated 2022-01-01 by bound on 3 against Acme:0",
            "Acme 2022-01-01 stated 2022-06-02 by deny on 0",
        ],
    );
}

#[test]
fn what_does_not_change_is_contested_however_far_apart_it_was_told() {
    check(
        RIGID,
        r#"{"object": "Spring", "from": "2020-01-01", "asserter": "person:Ann"}
           {"object": "Autumn", "from": "2021-01-01", "asserter": "person:Ben"}"#,
        &["Autumn .. stated .. on 1 against Spring:0"],
    );
    check(
        RIGID,
        r#"{"object": "Spring", "from": "2020-01-01", "asserter": "person:Ann"}
           {"object": "Autumn", "from": "2021-01-01", "asserter": "person:Ben"}
           {"object": "Spring", "polarity": "deny"}"#,
        &["Autumn .. stated .. on 1"],
    );
}

#[test]
fn two_who_never_stand_at_one_instant_do_not_contest_each_other() {
    check(
        ONE,
        r#"{"object": "Acme", "from": "2020", "to": "2022", "asserter": "person:Ann"}
           {"object": "Beta", "from": "2020", "to": "2022", "asserter": "person:Ben"}
           {"object": "Beta", "polarity": "deny", "from": "2021", "to": "2022"}
           {"object": "Acme", "polarity": "deny", "from": "2020", "to": "2021"}"#,
        &[
            "Beta 2020-01-01 stated 2021-01-01 by change on 1",
            "Acme 2021-01-01 stated 2022-01-01 by bound on 0",
        ],
    );
}

#[test]
fn nothing_is_contested_by_oneself_by_hearsay_by_nobody_or_once_taken_back() {
    let pair = |one: &str, other: &str| {
        format!(
            r#"{{"object": "Acme", "from": "2020", "to": "2022", {one}}}
               {{"object": "Beta", "from": "2020", "to": "2022", {other}}}"#
        )
    };
    let (ann, ben) = (r#""asserter": "person:Ann""#, r#""asserter": "person:Ben""#);
    let beta = "Beta 2020-01-01 stated 2022-01-01 by bound on 1";
    check(ONE, &pair(ann, ben), &[&format!("{beta} against Acme:0")]);
    check(ONE, &pair(ann, ann), &[beta]);
    check(ONE, &pair(r#""authority": "user""#, ben), &[beta]);
    check(ONE, &pair(&format!(r#"{ann}, "authority": "inferred""#), ben), &[beta]);
    check(ONE, &format!("{}\n{}", pair(ann, ben), r#"{"object": "Acme", "polarity": "deny"}"#), &[beta]);
    // Neither the same value nor one of a time that only touches is another value over the same time.
    check(
        ONE,
        &pair(ann, ben).replace("Beta", "Acme"),
        &["Acme 2020-01-01 stated 2022-01-01 by bound on 0 1"],
    );
    check(
        ONE,
        r#"{"object": "Acme", "from": "2020", "to": "2021", "asserter": "person:Ann"}
           {"object": "Beta", "from": "2021", "to": "2022", "asserter": "person:Ben"}"#,
        &[
            "Acme 2020-01-01 stated 2021-01-01 by bound on 0",
            "Beta 2021-01-01 stated 2022-01-01 by bound on 1",
        ],
    );
    check(
        MANY,
        &pair(ann, ben),
        &[
            "Acme 2020-01-01 stated 2022-01-01 by bound on 0",
            "Beta 2020-01-01 stated 2022-01-01 by bound on 1",
        ],
    );
    // Who comes round to the other's word no longer stands against it.
    check(
        ONE,
        &format!(
            "{}\n{}",
            pair(ann, ben),
            r#"{"object": "Acme", "from": "2020", "to": "2022", "asserter": "person:Ben"}"#
        ),
        &["Acme 2020-01-01 stated 2022-01-01 by bound on 0 2"],
    );
    // Ben's word is taken back just where Ann vouches for another value; what holds there is her own.
    check(
        ONE,
        r#"{"object": "Acme", "from": "2021", "to": "2022", "asserter": "person:Ann"}
           {"object": "Beta", "from": "2020", "to": "2022", "asserter": "person:Ben"}
           {"object": "Beta", "polarity": "deny", "from": "2021", "to": "2022"}
           {"object": "Beta", "from": "2021", "to": "2022", "asserter": "person:Ann"}"#,
        &["Beta 2020-01-01 stated 2022-01-01 by bound on 1 3"],
    );
}

#[test]
fn a_fact_is_stated_then_presumed_and_ages_after_its_half_life() {
    let told_early = r#"{"object": "Acme", "from": "2020", "known_at": "2020-03-01"}"#;
    let told_late = r#"{"object": "Acme", "from": "2020", "known_at": "2021-06-01"}"#;
    let check = |lines, half_life_days, asked, expected| {
        check_verdicts(lines, half_life_days, asked, "2030-01-01", &[expected]);
    };
    check(told_early, Some(365), "2020-12-31", "Acme stated");
    check(told_early, Some(365), "2021-01-01", "Acme presumed");
    // 365 days after what was vouched for, or after it was said where that is later.
    check(told_early, Some(365), "2022-01-01", "Acme presumed");
    check(told_early, Some(365), "2022-01-01T00:00:00.000001Z", "Acme aging");
    check(told_late, Some(365), "2022-06-01", "Acme presumed");
    check(told_late, Some(365), "2022-06-01T00:00:00.000001Z", "Acme aging");
    check(told_late, None, "2099-01-01", "Acme presumed");
}

#[test]
fn a_fact_has_ended_where_its_end_is_not_after_the_instant_judged() {
    let lease = r#"{"object": "alive", "from": "2024-01-01", "to": "2030-01-01"}"#;
    check_verdicts(lease, None, "2026-01-01", "2031-01-01", &["alive stated"]);
    check_verdicts(lease, None, "2031-01-01", "2031-01-01", &[]);
    check_verdicts(lease, None, "all", "2026-01-01", &["alive stated"]);
    check_verdicts(lease, None, "all", "2029-12-31T23:59:59.999999Z", &["alive stated"]);
    check_verdicts(lease, None, "all", "2030-01-01", &["alive ended"]);
    check_verdicts(lease, None, "2029 2030", "2031-01-01", &["alive stated"]);
    check_verdicts(lease, None, "2029 2031", "2031-01-01", &["alive ended"]);
    // What has not begun is judged at its start; what nobody dated is over.
    check_verdicts(lease, None, "all", "2020-01-01", &["alive stated"]);
    let undated = r#"{"object": "Gamma", "from": "unknown", "to": "unknown"}"#;
    check_verdicts(undated, None, "all", "2020-01-01", &["Gamma ended"]);
}

#[test]
fn stale_comes_before_contested_and_contested_before_ended() {
    let lines = r#"{"object": "Acme", "from": "2020", "to": "2022", "asserter": "person:Ann"}
                   {"object": "Beta", "from": "2021", "to": "2022", "asserter": "person:Ben"}"#;
    check_verdicts(lines, None, "all", "2031-01-01", &["Acme ended", "Beta contested"]);
    for fact in facts(ONE, &statements(lines)) {
        let judged = verdict(&fact, &definition(ONE, None), instant("2031-01-01"), true);
        assert_eq!(judged.name(), "stale_premise");
    }
}

#[test]
fn a_conclusion_is_stale_where_all_it_rests_on_has_fallen() {
    let moved = r#"{"predicate": "lives_in", "object": "Berlin", "from": "2020"}
                   {"predicate": "time_zone", "object": "CET", "from": "2020", "derived_from": [0]}
                   {"predicate": "lives_in", "object": "Lisbon", "from": "2022"}"#;
    check_premises(moved, "time_zone", "2023-01-01", Some("1 0"));
    // A premise that fell only outside the time asked about is good there.
    check_premises(moved, "time_zone", "2021-06-01", None);
    let chained = format!(
        "{moved}\n{}",
        r#"{"predicate": "meets_at", "object": "nine", "from": "2020", "derived_from": [1]}"#
    );
    check_premises(&chained, "meets_at", "2023-01-01", Some("3 1 0"));
    let first_hand = format!("{moved}\n{}", r#"{"predicate": "time_zone", "object": "CET", "from": "2021"}"#);
    check_premises(&first_hand, "time_zone", "2021-06-01", None);
    let restated = format!(
        "{}\n{}",
        r#"{"predicate": "time_zone", "object": "CET", "from": "2020", "derived_from": [9]}"#,
        r#"{"predicate": "time_zone", "object": "CET", "from": "2020"}"#
    );
    check_premises(&restated, "time_zone", "2023-01-01", None);
    // A denial is a good reason while what it denies does not hold; what nobody dated is one until it is denied.
    let left = r#"{"predicate": "works_at", "object": "Acme", "from": "2020"}
                  {"predicate": "works_at", "polarity": "deny", "object": "Acme", "from": "2021"}
                  {"predicate": "status", "object": "free", "from": "2021", "derived_from": [1]}"#;
    check_premises(left, "status", "2022-01-01", None);
    let back = format!("{left}\n{}", r#"{"predicate": "works_at", "object": "Acme", "from": "2023"}"#);
    check_premises(&back, "status", "2024-01-01", Some("2 1"));
    let once = r#"{"predicate": "works_at", "object": "Gamma", "from": "unknown", "to": "unknown"}
                  {"predicate": "status", "object": "seasoned", "from": "2021", "derived_from": [0]}"#;
    check_premises(once, "status", "2022-01-01", None);
    check_premises(restated.lines().next().expect("a line"), "time_zone", "2023-01-01", Some("0 nowhere"));
}

#[test]
fn what_happened_stays_a_reason_after_it_is_over() {
    let bought = r#"{"predicate": "bought", "object": "bike", "from": "2020-05-01"}
                    {"predicate": "owns", "object": "bike", "from": "2020-05-01", "derived_from": [0]}"#;
    check_premises(bought, "owns", "2023-01-01", None);
    let denied = format!("{bought}\n{}", r#"{"predicate": "bought", "object": "bike", "polarity": "deny"}"#);
    check_premises(&denied, "owns", "2023-01-01", Some("1 0"));
}
