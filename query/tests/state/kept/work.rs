//! Work-sets: what marking items changes, and how they stand in every view, against a plain map of everything said.

use std::collections::BTreeMap;

use bygone_engine::backend::Backend;
use bygone_engine::store::{Operation, Space, Target, WorkItem};
use bygone_engine::time::Instant;
use bygone_engine::work::{Items, Status, WorkCount};
use bygone_engine::{EntityRef, Narrowing, RecordedAt, View};
use bygone_query::state::work::{Marked, Marking, count, items, list, mark, missing_of};
use bygone_query::state::{Actor, StateError};
use proptest::prelude::*;

use super::{agent, at, recorded, store};

const NOON: &str = "2026-03-01T12:00:00Z";

fn marked<'t>(
    space: &Space<'_>,
    by: &Actor,
    status: Status,
    texts: impl IntoIterator<Item = &'t str>,
    reason: Option<&str>,
) -> Marked {
    let items: Items = items(texts).expect("items").into_iter().collect();
    let marking = Marking { set: "pages", items, status, reason };
    let done = space.decide(None, at(NOON), |snapshot, place| mark(snapshot, place, by, &marking));
    done.unwrap_or_else(|error: StateError| panic!("{error}"))
}

fn rows_at(space: &Space<'_>, view: &View, at: Instant) -> Vec<WorkItem> {
    let snapshot = space.snapshot();
    let seen = snapshot.seen(view).expect("a view");
    let mut rows = Vec::new();
    let each = |row| {
        rows.push(row);
        Ok::<(), StateError>(())
    };
    list(&seen, "pages", None, at, each).expect("a list");
    let mut counted = WorkCount::default();
    for row in &rows {
        counted.add(row.status);
    }
    assert_eq!(count(&seen, "pages", at).expect("a count"), counted, "a count is that of the list");
    rows
}

fn rows(space: &Space<'_>, view: &View) -> Vec<WorkItem> {
    rows_at(space, view, Instant::LAST)
}

fn brief(rows: &[WorkItem]) -> Vec<String> {
    let brief = |row: &WorkItem| {
        let reason = row.reason.as_ref().map_or_else(String::new, |reason| format!(" ({reason})"));
        format!("{} {} {}{reason}", row.item, row.status.name(), row.attempts)
    };
    rows.iter().map(brief).collect()
}

#[test]
fn saying_the_same_again_changes_nothing_but_a_failure_is_another_attempt() {
    let (store, _) = store();
    let space = store.space("default", true).expect("a space");
    let by = agent("a");
    let say =
        |status, texts: &[&str], reason| marked(&space, &by, status, texts.iter().copied(), reason).changed;
    assert_eq!(say(Status::Queued, &["10", "9", "x", "9"], None), 3);
    assert_eq!(say(Status::Queued, &["9", "x"], None), 0);
    assert_eq!(say(Status::Done, &["9"], None), 1);
    assert_eq!(say(Status::Done, &["9"], None), 0);
    assert_eq!(say(Status::Queued, &["9"], None), 0);
    assert_eq!(say(Status::Failed, &["x"], Some("HTTP 503")), 1);
    assert_eq!(say(Status::Failed, &["x"], Some("HTTP 404")), 1);
    assert_eq!(brief(&rows(&space, &View::LATEST)), ["9 done 1", "10 queued 0", "x failed 2 (HTTP 404)"]);
    let last = space.snapshot().last_seq().expect("a number");
    assert_eq!(last, 4, "what changed nothing is no commit");
    assert_eq!(say(Status::Done, &["x"], None), 1);
    assert_eq!(brief(&rows(&space, &View::LATEST))[2], "x done 3");
}

#[test]
fn earlier_views_stand_as_they_stood_on_either_clock() {
    let (store, _) = store();
    let space = store.space("default", true).expect("a space");
    let by = agent("a");
    marked(&space, &by, Status::Queued, ["a", "b"], None);
    let failed = marked(&space, &by, Status::Failed, ["b"], Some("gone"));
    marked(&space, &by, Status::Done, ["a", "b"], None);
    let row = rows(&space, &recorded(failed.seq.expect("a commit"))).pop().expect("b");
    assert_eq!((row.status, row.by.as_deref(), Some(row.seq)), (Status::Failed, Some("a"), failed.seq));
    for (view, instant) in [
        (recorded(row.seq), Instant::LAST),
        (View { recorded: RecordedAt::Instant(row.at), ..View::LATEST }, Instant::LAST),
        (View::known_at(row.at), Instant::LAST),
        (View::LATEST, row.at),
    ] {
        let seen = brief(&rows_at(&space, &view, instant));
        assert_eq!(seen, ["a queued 0", "b failed 1 (gone)"], "{view:?} at {instant:?}");
    }
    assert!(rows(&space, &View::known_at(at("2026-02-28"))).is_empty());
    assert!(rows(&space, &recorded(0)).is_empty());
}

#[test]
fn what_is_missing_is_told_in_the_order_asked() {
    let (store, _) = store();
    let space = store.space("default", true).expect("a space");
    let by = agent("a");
    marked(&space, &by, Status::Queued, ["1", "2", "3"], None);
    marked(&space, &by, Status::Done, ["2"], None);
    marked(&space, &by, Status::Failed, ["3"], None);
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST).expect("a view");
    let asked = items(["7", "3", "2", "1", "7"]).expect("items");
    let missing = missing_of(&seen, "pages", &asked, Instant::LAST).expect("an answer");
    let told: Vec<_> =
        missing.iter().map(|(item, now)| (item.text(), now.as_ref().map(|now| now.status))).collect();
    let expected = [("7", None), ("3", Some(Status::Failed)), ("1", Some(Status::Queued))]
        .map(|(item, now)| (item.into(), now));
    assert_eq!(told, expected);
    let unknown = missing_of(&seen, "other", &asked, Instant::LAST).expect("an answer");
    assert_eq!(unknown.len(), 4, "of a set that nobody wrote into everything is missing");
}

#[test]
fn a_view_listens_to_the_sessions_of_an_agent() {
    let (store, _) = store();
    let space = store.space("default", true).expect("a space");
    marked(&space, &agent("a"), Status::Queued, ["1", "2"], None);
    marked(&space, &agent("b"), Status::Done, ["2", "3"], None);
    let narrowed = |narrowing| View { narrowing, ..View::LATEST };
    let by = |name: &str| narrowed(Narrowing { agent: Some(name.to_owned()), ..Narrowing::default() });
    assert_eq!(brief(&rows(&space, &by("a"))), ["1 queued 0", "2 queued 0"]);
    assert_eq!(brief(&rows(&space, &by("b"))), ["2 done 1", "3 done 1"]);
    assert!(rows(&space, &by("c")).is_empty());
    let session = Narrowing { session: Some("state:b".to_owned()), ..Narrowing::default() };
    assert_eq!(brief(&rows(&space, &narrowed(session))), ["2 done 1", "3 done 1"]);
}

#[test]
fn a_set_is_an_entity_that_each_session_is_said_to_work_on_once() {
    let (store, _) = store();
    let space = store.space("default", true).expect("a space");
    marked(&space, &agent("a"), Status::Queued, ["1"], None);
    marked(&space, &agent("a"), Status::Done, ["1"], None);
    marked(&space, &agent("b"), Status::Done, ["2"], None);
    let stats = space.stats().expect("stats");
    assert_eq!((stats.assertions, stats.work_sets, stats.work_items), (2, 1, 2));
    let set = EntityRef::new("workset", "pages").expect("an entity");
    assert!(space.snapshot().has_entity(&set).expect("reads"));
}

#[test]
fn a_request_that_is_sent_again_is_no_other_attempt() {
    let (store, _) = store();
    let space = store.space("default", true).expect("a space");
    let by = agent("a");
    let send = |text: &str| {
        let items: Items = items([text]).expect("items").into_iter().collect();
        let marking = Marking { set: "pages", items, status: Status::Failed, reason: None };
        let request = format!("{marking:?}");
        let operation = Operation { key: "k", request: &request };
        space.decide(Some(operation), at(NOON), |snapshot, place| mark(snapshot, place, &by, &marking))
    };
    let first: Marked = send("1").expect("done");
    assert_eq!(send("1").expect("done before"), first);
    assert_eq!(brief(&rows(&space, &View::LATEST)), ["1 failed 1"]);
    assert!(send("2").is_err(), "the key is another request's");
}

#[test]
fn refused_names_and_items_say_what_is_wrong() {
    for (text, words) in [("", "is empty"), ("a\nb", "line break"), ("\0", "NUL")] {
        let error = items([text]).expect_err("it is no item").to_string();
        assert!(error.contains(words), "{error}");
    }
    let (store, _) = store();
    let space = store.space("default", true).expect("a space");
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST).expect("a view");
    assert!(matches!(count(&seen, " ", Instant::LAST), Err(StateError::Name(_))));
}

#[test]
fn an_erased_session_leaves_nothing_it_wrote() {
    let (store, memory) = store();
    let space = store.space("default", true).expect("a space");
    let mine = "https://example.com/only/mine/1";
    let ours = "https://example.com/only/ours/2";
    marked(&space, &agent("a"), Status::Done, [mine, ours, "5"], None);
    marked(&space, &agent("b"), Status::Failed, [ours], Some("told by the other one"));
    let certificate = space.erase(&Target::Session("state:a".to_owned()), at(NOON)).expect("erased");
    assert_eq!((certificate.work_events, certificate.assertions), (3, 1));
    assert_eq!(brief(&rows(&space, &View::LATEST)), [format!("{ours} failed 1 (told by the other one)")]);
    assert_eq!(space.verify().expect("verifies").faults, [] as [&str; 0]);
    let holds = |needle: &str| {
        let image = memory.snapshot();
        let rows = bygone_engine::backend::Table::ALL.iter().flat_map(|&table| image.scan_prefix(table, &[]));
        let holds = |bytes: &[u8]| bytes.windows(needle.len()).any(|window| window == needle.as_bytes());
        rows.map(|pair| pair.expect("reads")).any(|(key, value)| holds(&key) || holds(&value))
    };
    assert!(!holds("only/mine") && !holds("state:a") && holds("only/ours"));
    let certificate = space.erase(&Target::Session("state:b".to_owned()), at(NOON)).expect("erased");
    assert_eq!(certificate.work_events, 1);
    let stats = space.stats().expect("stats");
    assert_eq!((stats.work_sets, stats.work_items, stats.entities), (0, 0, 0));
}

#[test]
fn very_many_items_are_one_commit_and_one_more_parts_one_leaf_at_most() {
    let (store, memory) = store();
    let space = store.space("default", true).expect("a space");
    let by = agent("a");
    let texts: Vec<String> = (0..20_000).map(|n| format!("https://example.com/page/{n:06}")).collect();
    let all = marked(&space, &by, Status::Done, texts.iter().map(String::as_str), None);
    assert_eq!((all.changed, all.seq), (20_000, Some(1)));
    let work = bygone_engine::backend::Table::Work;
    let leaves = || -> BTreeMap<_, _> {
        let image = memory.snapshot();
        image.scan_prefix(work, &[]).map(|pair| pair.expect("reads")).collect()
    };
    let before = leaves();
    marked(&space, &by, Status::Done, ["https://example.com/page/010000x"], None);
    let after = leaves();
    let n_changed = after.iter().filter(|(key, value)| before.get(*key) != Some(value)).count();
    assert!((1..=2).contains(&n_changed), "{n_changed} of {} leaves changed", after.len());
    let longest = after.values().map(|value| value.len()).max();
    assert!(longest < Some(20 << 10), "{longest:?}");
    assert_eq!(rows(&space, &View::LATEST).len(), 20_001);
}

/// Something that is said of items in a history.
#[derive(Clone, Debug)]
struct Step {
    by: &'static str,
    status: Status,
    items: Vec<u32>,
    reason: Option<String>,
}

/// Names an item: every third one is a number.
fn name(item: u32) -> String {
    if item.is_multiple_of(3) { item.to_string() } else { format!("path/{item}") }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let few = proptest::collection::vec(0..60_u32, 1..6);
    let many = (0..3000_u32, 1..3000_u32).prop_map(|(from, n)| (from..from + n).collect::<Vec<_>>());
    let items = prop_oneof![6 => few, 1 => many];
    let step = (0..3_usize, 0..3_usize, items, proptest::option::of("[a-z]{1,3}"));
    let step = step.prop_map(|(by, status, items, reason)| Step {
        by: ["a", "b", "c"][by],
        status: Status::ALL[status],
        items,
        reason,
    });
    proptest::collection::vec(step, 1..12)
}

type Said = (u64, Status, Option<String>, &'static str);

/// How each item stands by what was said up to a commit, by some.
fn model(
    said: &BTreeMap<u32, Vec<Said>>,
    last_seq: u64,
    by: Option<&str>,
) -> BTreeMap<String, (Status, u64, Option<String>)> {
    let mut stand = BTreeMap::new();
    for (item, said) in said {
        let seen: Vec<&Said> = said
            .iter()
            .filter(|(seq, _, _, who)| *seq <= last_seq && by.is_none_or(|by| by == *who))
            .collect();
        let Some((_, status, _, _)) = seen.last() else { continue };
        // It stands so since the first of the last that say the same; a failure since the last one.
        let n_same = seen.iter().rev().take_while(|(_, other, _, _)| other == status).count();
        let first = if *status == Status::Failed { seen.len() - 1 } else { seen.len() - n_same };
        let is_attempt = |nth: &usize| match seen[*nth].1 {
            Status::Queued => false,
            Status::Done => *nth == 0 || seen[nth - 1].1 != Status::Done,
            Status::Failed => true,
        };
        let attempts = (0..seen.len()).filter(is_attempt).count() as u64;
        stand.insert(name(*item), (*status, attempts, seen[first].2.clone()));
    }
    stand
}

fn told(rows: &[WorkItem]) -> BTreeMap<String, (Status, u64, Option<String>)> {
    rows.iter().map(|row| (row.item.clone(), (row.status, row.attempts, row.reason.clone()))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_work_set_is_the_map_of_everything_said(steps in steps(), erased in proptest::option::of(0..3_usize)) {
        let (store, _) = store();
        let space = store.space("default", true).expect("a space");
        let mut said: BTreeMap<u32, Vec<Said>> = BTreeMap::new();
        let mut last_seq = 0;
        for step in &steps {
            let now = model(&said, last_seq, None);
            let changes = |item: &u32| match (step.status, now.get(&name(*item)).map(|(status, _, _)| *status)) {
                (Status::Queued, now) => now.is_none(),
                (Status::Done, now) => now != Some(Status::Done),
                (Status::Failed, _) => true,
            };
            let mut changed: Vec<u32> = step.items.iter().copied().filter(changes).collect();
            changed.sort_unstable();
            changed.dedup();
            // Another one's word is kept, and changes nothing.
            let is_kept = |item: &u32| {
                let said = said.get(item).map(Vec::as_slice).unwrap_or_default();
                let same = said.iter().rev().take_while(|(_, status, _, _)| *status == step.status);
                let mut by: Vec<&str> = same.map(|(_, _, _, by)| *by).collect();
                by.dedup();
                step.status != Status::Failed && !by.is_empty() && !by.contains(&step.by)
            };
            let mut kept: Vec<u32> = step.items.iter().copied().filter(is_kept).collect();
            kept.extend(&changed);
            kept.sort_unstable();
            kept.dedup();
            let texts: Vec<String> = step.items.iter().map(|item| name(*item)).collect();
            let done = marked(&space, &agent(step.by), step.status, texts.iter().map(String::as_str), step.reason.as_deref());
            prop_assert_eq!(done.changed, changed.len() as u64);
            if let Some(seq) = done.seq {
                last_seq = seq;
                for item in kept {
                    said.entry(item).or_default().push((seq, step.status, step.reason.clone(), step.by));
                }
            }
        }
        let mut last = last_seq;
        if let Some(by) = erased.map(|by| ["a", "b", "c"][by]) {
            for said in said.values_mut() {
                said.retain(|(_, _, _, who)| *who != by);
            }
            let certificate = space.erase(&Target::Session(format!("state:{by}")), at(NOON)).expect("erased");
            last = certificate.seq.unwrap_or(last);
        }
        for seq in 0..=last {
            prop_assert_eq!(told(&rows(&space, &recorded(seq))), model(&said, seq, None));
        }
        for by in ["a", "b", "c"] {
            let narrowing = Narrowing { agent: Some(by.to_owned()), ..Narrowing::default() };
            let view = View { narrowing, ..View::LATEST };
            prop_assert_eq!(told(&rows(&space, &view)), model(&said, last, Some(by)));
        }
        prop_assert_eq!(space.verify().expect("verifies").faults, [] as [&str; 0]);
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures are what the test is run for by hand")]
fn a_million_items_cost_megabytes() {
    type Text<'f> = &'f dyn Fn(u64) -> String;
    /// A sequence that is the same each time, and no two of it in a row are alike (`SplitMix64`).
    fn mixed(n: u64) -> u64 {
        let n = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        n ^ (n >> 31)
    }
    let page = |n: u64| format!("https://example.com/articles/2026/{:016x}/{:08}", mixed(n), n % 1000);
    // A tenth of a million; the figures in docs/state/work.md are those of this test with all of it.
    let n_items: u64 = 100_000;
    let kinds: [(&str, Text<'_>, u64); 3] = [
        ("numbers in a row", &|n| (n + 1_000_000).to_string(), 1),
        ("random numbers", &|n| mixed(n).to_string(), 8),
        ("addresses of 59 bytes", &page, 40),
    ];
    for (what, text, most) in kinds {
        let (store, memory) = store();
        let space = store.space("default", true).expect("a space");
        let texts: Vec<String> = (0..n_items).map(text).collect();
        let all = marked(&space, &agent("a"), Status::Done, texts.iter().map(String::as_str), None);
        assert_eq!(all.changed, n_items);
        let image = memory.snapshot();
        let rows = image.scan_prefix(bygone_engine::backend::Table::Work, &[]);
        let n_bytes: usize =
            rows.map(|pair| pair.expect("reads")).map(|(key, value)| key.len() + value.len()).sum();
        println!("{n_items} {what}: {n_bytes} bytes");
        assert!((n_bytes as u64) < most * n_items, "{n_items} {what} cost {n_bytes} bytes");
    }
}
