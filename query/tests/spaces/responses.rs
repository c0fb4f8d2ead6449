//! Everything that a library's reader can be told of a space, as text.

use std::collections::BTreeSet;
use std::fmt::{Debug, Display};

use bygone_engine::store::{Seen, Snapshot, Store};
use bygone_engine::wire::assertion_to_json;
use bygone_engine::{AssertionId, CheckpointId, EntityRef, EpisodeId, FactId, ValidTime, View};
use bygone_ontology::Ontology;
use bygone_query::context::context;
use bygone_query::entities::entities;
use bygone_query::facts::{Filter, facts};
use bygone_query::history::history;
use bygone_query::language::{Parameters, answer, explain, parse};
use bygone_query::learned::learned;
use bygone_query::names::{candidates, resolve};
use bygone_query::predicates::unknown_predicate;
use bygone_query::resume::{Asked, fit, packet};
use bygone_query::retrieve::{Kind, Sought, search};
use bygone_query::stale::stale;
use bygone_query::state::liveness::Heard;
use bygone_query::state::{attempt, checkpoint, decision, promise, register, roster};
use bygone_query::timeline::timeline;
use bygone_query::turns::turns;
use bygone_query::why::{fact_meant, why};
use bygone_query::{Request, ask, diff};

use super::{CANARIES, at, now};

/// What need not show anything of its own space: what is asked by ids, which are those of all spaces, or answers with ids or
/// with nothing; and agents whose last turn was a statement that came as data, which is nothing that they said.
pub(super) const SILENT: [&str; 4] = ["ids", "stale", "quarantined", "agents"];

/// What is found by words.
pub(super) const SEARCHED: [&str; 3] = ["answers", "search", "context"];

/// What things of every space are called, by which they are looked for in all others.
#[derive(Default)]
pub(super) struct Known {
    facts: BTreeSet<FactId>,
    assertions: BTreeSet<AssertionId>,
    episodes: BTreeSet<EpisodeId>,
    checkpoints: BTreeSet<CheckpointId>,
}

impl Known {
    /// Takes in what things of a space are called.
    pub(super) fn learn(&mut self, store: &Store, space: &str) {
        let space = store.space(space, false).expect("a space");
        let snapshot = space.snapshot();
        for recorded in snapshot.assertions() {
            let assertion = recorded.expect("it reads").assertion;
            self.assertions.insert(assertion.id);
            self.episodes.insert(assertion.source.episode);
        }
        let seen = snapshot.seen(&View::LATEST).expect("a view");
        for checkpoint in seen.checkpoints().expect("they read") {
            self.checkpoints.insert(checkpoint.id);
        }
        let rows = facts(&seen, &Ontology::core(), &everything(), &Filter::default()).expect("they read");
        self.facts.extend(rows.iter().map(|row| row.id));
    }
}

fn everything() -> Request {
    Request { valid: ValidTime::All, history: true, planned: true, ..Request::present(now()) }
}

/// What came of a reading: what was told, or why not.
fn said<T: Debug, E: Display>(result: Result<T, E>) -> String {
    match result {
        Ok(told) => format!("{told:?}"),
        Err(error) => error.to_string(),
    }
}

fn lines<T>(of: &[T], line: impl Fn(&T) -> String) -> String {
    of.iter().map(|item| line(item) + "\n").collect()
}

const QUESTIONS: [&str; 6] = [
    "Where does Anna work?",
    "Who works at the river?",
    "Where did Anna work in 2010?",
    "What did Anna see at the river?",
    "Who is twin?",
    "How long has twin lived here?",
];

const QUERIES: [&str; 5] = [
    "MATCH (p)-[r]->(o) VALID ALL HISTORY PLANNED RETURN p, type(r), o, r.key",
    "MATCH (p {name: 'twin'})-[r]->(o) VALID ALL RETURN p, o",
    "MATCH (p {name: 'Anna'})-[w*1..2]-(x) VALID ALL RETURN DISTINCT x",
    "MATCH (p:person) RETURN p.id, p.aliases",
    "MATCH (a)-[:works_at]->(b) VALID ALL RETURN b.name, count(*) ORDER BY b.name",
];

/// Reads everything, by what it is read with.
pub(super) fn responses(
    snapshot: &Snapshot<'_>,
    ontology: &Ontology,
    known: &Known,
    own: &str,
) -> Vec<(&'static str, String)> {
    let seen = snapshot.seen(&View::LATEST).expect("a view");
    let mut all = believed(&seen, ontology);
    all.extend(found(&seen, ontology));
    all.extend(named(&seen, ontology, own));
    all.extend(worked(&seen, ontology));
    all.push(("ids", by_ids(&seen, ontology, known)));
    all
}

fn anna() -> EntityRef {
    EntityRef::new("person", "Anna").expect("an entity")
}

fn believed(seen: &Seen<'_>, ontology: &Ontology) -> Vec<(&'static str, String)> {
    let (snapshot, request) = (seen.snapshot(), everything());
    let rows = facts(seen, ontology, &request, &Filter::default()).expect("they read");
    let chapters = history(seen, ontology, &request, &anna(), None).expect("it reads");
    let events = learned(seen, ontology, &request, &anna(), "works_at", None).expect("it reads");
    let before = snapshot.seen(&View::known_at(at("2025-12-31"))).expect("a view");
    let differences = diff::known((&before, &request), (seen, &request), ontology, None).expect("it reads");
    let proofs = lines(&rows, |row| said(why(seen, ontology, &request, row.id).map(|proof| proof.to_json())));
    let answers = QUERIES.map(|text| {
        let query = parse(text).expect(text);
        let answer = answer(snapshot, ontology, &request, &query, &Parameters::new());
        let plan = explain(snapshot, ontology, &request, &query, &Parameters::new(), true);
        said(answer.map(|answer| answer.rows)) + &said(plan)
    });
    vec![
        ("facts", lines(&rows, |row| row.to_json().to_string())),
        ("timeline", said(timeline(seen, ontology, &request, &anna()))),
        ("history", lines(&chapters, |chapter| chapter.to_json(seen).to_string())),
        ("learned", lines(&events, |event| event.to_json().to_string())),
        ("differences of belief", lines(&differences, |difference| difference.to_json().to_string())),
        (
            "differences of the world",
            said(diff::valid(seen, ontology, &request, (at("2005"), at("2020")), None)),
        ),
        ("why", proofs),
        ("stale", said(stale(seen, ontology, &request, None))),
        ("queries", answers.concat()),
        ("answers", QUESTIONS.map(|question| said(ask(snapshot, ontology, &request, question))).concat()),
        (
            "statements",
            snapshot
                .assertions()
                .map(|recorded| assertion_to_json(&recorded.expect("it reads").assertion).to_string())
                .collect(),
        ),
    ]
}

fn found(seen: &Seen<'_>, ontology: &Ontology) -> Vec<(&'static str, String)> {
    let request = everything();
    let text = format!("the river {}", CANARIES.join(" "));
    let sought = Sought { seen, ontology, request: &request, text: &text, kinds: Kind::ALL, n_wanted: 20 };
    let results = search(&sought).expect("it is searched");
    let block =
        context(seen, ontology, &request, "What did Anna see at the river, and where does she work?", 500)
            .expect("it is searched");
    vec![
        ("search", lines(&results.found, |found| found.to_json(1).to_string())),
        ("context", block.to_json(500).to_string()),
        ("turns", said(turns(seen, "shared#0..99"))),
    ]
}

fn named(seen: &Seen<'_>, ontology: &Ontology, own: &str) -> Vec<(&'static str, String)> {
    let snapshot = seen.snapshot();
    let misspelt = [&own[..own.len() - 1], "quetza", "shoebil", "clubs"].map(|end| format!("juggles_{end}"));
    let unknown = misspelt.map(|name| {
        let unknown = unknown_predicate(snapshot, ontology, &name).expect("it reads");
        unknown.and_then(|unknown| unknown.nearest).unwrap_or_default()
    });
    let entities = entities(seen, "").expect("they read");
    vec![
        ("entities", lines(&entities, |entity| entity.to_json().to_string())),
        ("a name that several bear", said(resolve(seen, "twin")) + &said(candidates(seen, "twin"))),
        ("names", said(snapshot.names()) + &said(snapshot.entities_starting(""))),
        ("predicates", snapshot.walk_predicates().map(|name| name.expect("it reads") + " ").collect()),
        ("a predicate that nobody uses", unknown.join(" ")),
        ("mentions", said(snapshot.statements_mentioning(&anna()))),
    ]
}

fn worked(seen: &Seen<'_>, ontology: &Ontology) -> Vec<(&'static str, String)> {
    let (snapshot, heard) = (seen.snapshot(), Heard::new());
    let asked = Asked { agent: Some("worker"), at: now(), heard: &heard };
    let packet = packet(seen, ontology, &asked).expect("it reads").expect("a packet");
    let items: Vec<_> =
        seen.work("pages", now()).expect("it reads").items().map(|item| item.expect("it reads")).collect();
    let checkpoints = seen.checkpoints().expect("they read");
    let states = lines(&checkpoints, |saved| {
        String::from_utf8_lossy(&checkpoint::restore(seen, saved).expect("it is restored")).into_owned()
    });
    let members = roster::roster(seen, now(), &heard, roster::Which::All);
    vec![
        ("resume", fit(&packet, 5_000).text + &packet.to_json(&fit(&packet, 5_000)).to_string()),
        ("registers", said(register::registers(seen, now())) + &said(register::get(seen, "cursor", now()))),
        ("work", format!("{items:?}{}", said(snapshot.work_said("pages")))),
        ("checkpoints", format!("{checkpoints:?}") + &said(checkpoint::named(seen, "c:000000"))),
        ("states", states),
        ("decisions", said(decision::decisions_made(seen, None, now()))),
        ("attempts", said(attempt::attempts(seen, None, now()))),
        ("promises", said(promise::promises(seen, None, now()))),
        ("agents", said(members)),
        ("quarantined", said(snapshot.quarantined())),
    ]
}

/// Looks for everything that any space has, by its id.
fn by_ids(seen: &Seen<'_>, ontology: &Ontology, known: &Known) -> String {
    let (snapshot, request) = (seen.snapshot(), everything());
    let mut told = String::new();
    for id in &known.facts {
        told += &said(why(seen, ontology, &request, *id).map(|proof| proof.to_json()));
        told += &said(fact_meant(seen, &id.to_string()[..9]));
    }
    for id in &known.assertions {
        told += &said(snapshot.assertion(*id));
        told += &said(snapshot.assertions_starting(&id.to_string()[..8]));
        told += &said(fact_meant(seen, &id.to_string()[..9]));
    }
    for id in &known.episodes {
        told += &said(snapshot.episode(*id));
    }
    for id in &known.checkpoints {
        told += &said(
            snapshot
                .restore(*id)
                .map(|bytes| bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())),
        );
        told += &said(snapshot.checkpoint(*id));
        told += &said(checkpoint::named(seen, &id.to_string()));
    }
    told
}
