//! What nobody checked, checking it, and what is concluded from the versions of sources.

use bygone_engine::store::Seen;
use bygone_engine::{AssertionId, EntityRef, Object, View};
use bygone_ontology::Ontology;
use bygone_query::facts::{Filter, facts};
use bygone_query::history::history;
use bygone_query::say::object_text;
use bygone_query::stale::stale;
use bygone_query::state::conclude::{Concluded, Conclusion, Ground, conclude};
use bygone_query::state::confirm::{Confirmed, confirm};
use bygone_query::state::observe::{Observed, observe};
use bygone_query::state::{Actor, StateError};
use bygone_query::{Request, Row};

use super::desk::{Desk, agent, at, known, refusal, user};

const LINES: [&str; 5] = [
    r#"{"subject": "service:api", "predicate": "config_value", "key": "port", "object": {"number": 80}, "from": "2025-01-01", "known_at": "2025-01-01T00:00:00Z"}"#,
    r#"{"subject": "project:shop", "predicate": "has_status", "object": {"text": "on hold"}, "from": "2025-11-01", "known_at": "2025-11-01T00:00:00Z"}"#,
    r#"{"subject": "person:Ann", "predicate": "works_at", "object": {"entity": "org:Acme"}, "from": "2025-11-01", "to": "2026-07", "known_at": "2025-11-01T00:00:00Z"}"#,
    r#"{"subject": "person:Ann", "predicate": "attended", "object": {"entity": "event:the launch"}, "from": "2025-11-01", "to": "2025-11-02", "known_at": "2025-11-01T00:00:00Z"}"#,
    r#"{"subject": "person:Ben", "predicate": "lives_in", "object": {"entity": "place:Oslo"}, "from": "2026-09", "known_at": "2025-11-01T00:00:00Z"}"#,
];

fn rows(seen: &Seen<'_>, request: &Request, subject: &str) -> Vec<Row> {
    let subject = EntityRef::parse(subject).expect(subject);
    let filter = Filter { subject: Some(subject), ..Filter::default() };
    facts(seen, &Ontology::core(), request, &filter).expect("facts")
}

/// The only fact about something, or the first of them.
fn row(desk: &Desk, subject: &str, now: &str) -> Row {
    desk.read(|seen| rows(seen, &Request::present(at(now)), subject)).remove(0)
}

fn reasons(desk: &Desk, view: &View, about: Option<&str>, now: &str) -> Vec<String> {
    let about = about.map(|about| EntityRef::parse(about).expect(about));
    let request = Request { view: view.clone(), ..Request::present(at(now)) };
    let found = desk.read_as(view, |seen| stale(seen, &Ontology::core(), &request, about.as_ref()));
    let found = found.expect("read");
    found.iter().map(|stale| format!("{}: {}", stale.row.group.subject, stale.reason_text())).collect()
}

fn check(desk: &Desk, now: &str, by: &Actor, row: &Row) -> Result<Confirmed, StateError> {
    desk.act(now, |snapshot, place| confirm(snapshot, place, by, &Ontology::core(), row.id))
}

fn see(desk: &Desk, now: &str, version: &str) -> Observed {
    let seen = desk.act(now, |snapshot, place| observe(snapshot, place, &agent("a"), "file:/a.py", version));
    seen.expect("observed")
}

fn draw(
    desk: &Desk,
    now: &str,
    subject: &str,
    said: &str,
    from: Vec<Ground>,
) -> Result<Concluded, StateError> {
    let conclusion = Conclusion {
        subject: EntityRef::parse(subject).expect(subject),
        predicate: "noted",
        key: "",
        object: Object::Text(said.to_owned()),
        from,
    };
    desk.act(now, |snapshot, place| conclude(snapshot, place, &agent("a"), &Ontology::core(), &conclusion))
}

fn ground(id: &str) -> Ground {
    Ground::parse(id).expect(id)
}

#[test]
fn what_has_been_presumed_for_longest_beyond_its_half_life_comes_first() {
    let desk = Desk::told(&LINES);
    assert_eq!(
        reasons(&desk, &View::LATEST, None, "2026-01-01"),
        [
            "service:api: last confirmed 2 January 2025, half-life 180 days: aging since 1 July 2025",
            "project:shop: last confirmed 2 November 2025, half-life 30 days: aging since 2 December 2025",
        ]
    );
    assert_eq!(reasons(&desk, &View::LATEST, Some("project:shop"), "2026-01-01").len(), 1);
    assert_eq!(reasons(&desk, &View::LATEST, None, "2025-11-20").len(), 1);
    assert!(reasons(&desk, &View::LATEST, Some("person:Ann"), "2026-01-01").is_empty());
}

#[test]
fn a_fact_that_was_confirmed_is_the_same_fact_and_ages_no_more() {
    let desk = Desk::told(&LINES);
    let before = row(&desk, "service:api", "2026-01-02");
    assert_eq!(before.verdict.name(), "aging");
    let told = check(&desk, "2026-01-02", &agent("a"), &before).expect("confirmed");
    assert_eq!(told.text, "api config value (port) 80, since 1 January 2025");
    let after = row(&desk, "service:api", "2026-01-03");
    assert_eq!((after.id, after.verdict.name()), (before.id, "presumed"));
    assert_eq!((after.fact.last_confirmed, told.at), (at("2026-01-02"), at("2026-01-02")));
    assert!(AssertionId::parse(&told.statement).is_some_and(|id| after.fact.support.contains(&id)));
    assert_eq!(reasons(&desk, &View::LATEST, Some("service:api"), "2026-01-03"), [] as [&str; 0]);
    // As was known before, nobody had checked it; and it ages again.
    assert_eq!(reasons(&desk, &known("2026-01-01"), Some("service:api"), "2026-01-03").len(), 1);
    assert_eq!(reasons(&desk, &View::LATEST, Some("service:api"), "2026-09-01").len(), 1);
}

#[test]
fn a_fact_is_confirmed_in_the_own_name_of_who_checked_it() {
    let desk = Desk::told(&LINES);
    let before = row(&desk, "project:shop", "2026-01-02");
    check(&desk, "2026-01-02", &user("anna"), &before).expect("confirmed");
    let statement = |told: &Confirmed| {
        let id = AssertionId::parse(&told.statement).expect("an id");
        let recorded = desk.read(|seen| seen.snapshot().assertion(id)).expect("read").expect("a statement");
        (recorded.assertion.authority.rank(), recorded.assertion.source.asserter.map(|by| by.to_string()))
    };
    let by_user = check(&desk, "2026-01-03", &user("anna"), &before).expect("confirmed");
    let by_agent = check(&desk, "2026-01-04", &agent("a"), &before).expect("confirmed");
    assert_eq!(statement(&by_user), (2, Some("person:anna".to_owned())));
    assert_eq!(statement(&by_agent), (1, Some("agent:a".to_owned())));
}

#[test]
fn confirming_keeps_the_end_of_a_term() {
    let desk = Desk::told(&LINES);
    let ann = |now| {
        let all = desk.read(|seen| rows(seen, &Request::present(at(now)), "person:Ann"));
        all.into_iter().find(|row| row.group.predicate == "works_at").expect("a job")
    };
    let before = ann("2026-01-02");
    check(&desk, "2026-01-02", &agent("a"), &before).expect("confirmed");
    let after = ann("2026-01-03");
    assert_eq!((after.id, after.fact.validity), (before.id, before.fact.validity));
    assert_eq!(after.fact.last_confirmed, at("2026-01-02"));
}

#[test]
fn what_has_ended_or_not_begun_or_is_not_in_the_view_is_not_confirmed() {
    let desk = Desk::told(&LINES);
    let always = Request { valid: bygone_engine::ValidTime::All, ..Request::present(at("2026-01-02")) };
    let attended = desk.read(|seen| rows(seen, &always, "person:Ann")).remove(0);
    assert_eq!(
        refusal(check(&desk, "2026-01-02", &agent("a"), &attended)),
        format!("the fact {} has ended: Ann attended the launch, 1 November 2025", attended.id)
    );
    let planned = desk.read(|seen| rows(seen, &always, "person:Ben")).remove(0);
    assert_eq!(
        refusal(check(&desk, "2026-01-02", &agent("a"), &planned)),
        format!("the fact {} has not begun: Ben lives in Oslo, since September 2026", planned.id)
    );
    let elsewhere = Desk::new();
    assert_eq!(
        refusal(check(&elsewhere, "2026-01-02", &agent("a"), &attended)),
        format!("there is no fact {} in this view", attended.id)
    );
}

#[test]
fn what_was_concluded_from_a_version_is_stale_once_there_is_a_newer_one() {
    let desk = Desk::new();
    let first = see(&desk, "2026-01-10", "sha256:1");
    assert_eq!((first.source.as_str(), first.was.as_ref()), ("file:/a.py", None));
    let noted = draw(&desk, "2026-01-11", "file:/a.py", "parses by hand", vec![ground(&first.statement)]);
    let noted = noted.expect("concluded");
    assert_eq!(noted.premises, [first.statement]);
    let chained = draw(&desk, "2026-01-12", "project:p", "is slow", vec![ground(&noted.statement)]);
    chained.expect("concluded");
    assert_eq!(row(&desk, "project:p", "2026-01-13").verdict.name(), "presumed");
    assert_eq!(see(&desk, "2026-01-20", "sha256:1").was, None, "it is the same version");
    assert_eq!(row(&desk, "project:p", "2026-01-21").verdict.name(), "presumed");
    assert_eq!(see(&desk, "2026-02-10", "sha256:2").was.as_deref(), Some("sha256:1"));
    assert_eq!(row(&desk, "project:p", "2026-02-11").verdict.name(), "stale_premise");
    assert_eq!(
        reasons(&desk, &View::LATEST, Some("project:p"), "2026-02-11"),
        [
            "project:p: concluded from \"/a.py noted parses by hand\", which was concluded from \"/a.py source version \
             sha256:1\", which gave way to \"sha256:2\" on 10 February 2026"
        ]
    );
    assert_eq!(reasons(&desk, &View::LATEST, None, "2026-02-11").len(), 2);
    assert!(reasons(&desk, &known("2026-02-09"), None, "2026-02-11").is_empty());
    // Who has checked it needs no premise.
    let checked = row(&desk, "project:p", "2026-02-11");
    check(&desk, "2026-02-12", &agent("a"), &checked).expect("confirmed");
    assert_eq!(row(&desk, "project:p", "2026-02-13").verdict.name(), "presumed");
}

#[test]
fn a_conclusion_from_a_fact_stands_on_all_that_supports_the_fact() {
    let desk = Desk::told(&LINES);
    let port = row(&desk, "service:api", "2026-01-02");
    check(&desk, "2026-01-02", &agent("a"), &port).expect("confirmed");
    let fact = Ground::Fact(port.id);
    let drawn = draw(&desk, "2026-01-03", "service:api", "is plain HTTP", vec![fact]).expect("concluded");
    assert_eq!(drawn.premises.len(), 2);
    let recorded = desk.read(|seen| {
        let id = AssertionId::parse(&drawn.statement).expect("an id");
        seen.snapshot().assertion(id).expect("read").expect("a statement")
    });
    assert_eq!(recorded.assertion.authority.rank(), 0);
    assert_eq!(recorded.assertion.content_id(), recorded.assertion.id);
}

#[test]
fn reasons_say_what_became_of_the_premise() {
    let drawn_from = |statement: &str, then: &str| {
        // Of several at a time, another one takes nobody's place.
        let latin = r#"{"subject": "person:Ann", "predicate": "speaks", "object": {"entity": "language:Latin"}, "from": "2025", "known_at": "2025-01-01T00:00:00Z"}"#;
        let desk = Desk::told(&[statement, latin]);
        let premise = row(&desk, "person:Ann", "2026-01-02").fact.support.remove(0);
        draw(&desk, "2026-01-02", "team:t", "x", vec![Ground::Statement(premise)]).expect("concluded");
        desk.tell(then, "2026-02-01");
        reasons(&desk, &View::LATEST, Some("team:t"), "2026-03-01").concat()
    };
    let speaks = r#"{"subject": "person:Ann", "predicate": "speaks", "object": {"entity": "language:Danish"}, "from": "2025", "known_at": "2025-01-01T00:00:00Z"}"#;
    let ended = r#"{"subject": "person:Ann", "predicate": "speaks", "object": {"entity": "language:Danish"}, "polarity": "deny", "from": "2026-01-20", "known_at": "2026-01-20T00:00:00Z"}"#;
    let never = r#"{"subject": "person:Ann", "predicate": "speaks", "object": {"entity": "language:Danish"}, "polarity": "deny", "known_at": "2026-01-20T00:00:00Z"}"#;
    assert_eq!(
        drawn_from(speaks, ended),
        "team:t: concluded from \"Ann speaks Danish\", which ended on 20 January 2026"
    );
    assert_eq!(
        drawn_from(speaks, never),
        "team:t: concluded from \"Ann speaks Danish\", which was taken back on 20 January 2026"
    );
}

#[test]
fn each_form_in_the_history_of_a_fact_has_its_verdict() {
    let desk = Desk::new();
    let first = see(&desk, "2026-01-10", "sha256:1");
    draw(&desk, "2026-01-11", "file:/a.py", "parses by hand", vec![ground(&first.statement)])
        .expect("concluded");
    see(&desk, "2026-02-10", "sha256:2");
    let source = EntityRef::parse("file:/a.py").expect("a file");
    let request = Request::present(at("2026-02-11"));
    let chapters = desk.read(|seen| history(seen, &Ontology::core(), &request, &source, None)).expect("read");
    let verdicts: Vec<(String, &str)> = chapters
        .iter()
        .map(|chapter| (object_text(&chapter.belief.fact.object), chapter.verdict.name()))
        .collect();
    let expected = [
        ("parses by hand", "stale_premise"),
        ("sha256:1", "superseded"),
        ("sha256:1", "ended"),
        ("sha256:2", "presumed"),
    ];
    assert_eq!(verdicts, expected.map(|(object, verdict)| (object.to_owned(), verdict)));
}

#[test]
fn what_is_no_source_or_no_conclusion_is_refused() {
    let desk = Desk::new();
    let observed = |source: &str, version: &str| {
        refusal(
            desk.act("2026-01-01", |snapshot, place| observe(snapshot, place, &agent("a"), source, version)),
        )
    };
    assert_eq!(observed("/a.py", "1"), r#""/a.py" is no source: expected file:PATH or url:ADDRESS"#);
    assert_eq!(
        observed("person:Ann", "1"),
        r#""person:Ann" is no source: expected file:PATH or url:ADDRESS"#
    );
    assert_eq!(observed("file:/a.py", " "), "the version is empty");
    let drawn = |from| refusal(draw(&desk, "2026-01-01", "file:/a.py", "x", from));
    assert_eq!(
        drawn(Vec::new()),
        "the conclusion stands on nothing: expected a statement or a fact that it is concluded from"
    );
    let nowhere = "00000000000000000000000000000000";
    assert_eq!(
        drawn(vec![ground(&format!("a:{nowhere}"))]),
        format!("there is no statement a:{nowhere} in this space")
    );
    assert_eq!(
        drawn(vec![ground(&format!("f:{nowhere}"))]),
        format!("there is no fact f:{nowhere} in this view")
    );
    assert_eq!(Ground::parse("a:12"), None);
}
