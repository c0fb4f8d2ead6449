//! Which facts fit a pattern, against a matcher that tries every fact for every relationship and shares nothing with the one
//! that is tested but the facts.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use bygone_engine::store::Store;
use bygone_engine::time::{Instant, Validity, parse_moment};
use bygone_engine::{Object, ValidTime};
use bygone_ontology::Ontology;
use bygone_query::facts::{Filter, facts};
use bygone_query::language::{Failed, Parameters, Value, answer, parse};
use bygone_query::{Request, Row};
use proptest::prelude::*;

use crate::store::store_of;

/// A few people, where they work and live, and whom they know: with a loop, values, and periods that do not meet.
const STATEMENTS: &str = r#"
{"subject":"person:Ann","predicate":"knows","object":{"entity":"person:Ben"},"from":"2020","to":"2022"}
{"subject":"person:Ben","predicate":"knows","object":{"entity":"person:Cid"},"from":"2021","to":"2023"}
{"subject":"person:Cid","predicate":"knows","object":{"entity":"person:Ann"},"from":"2022-06","to":"2024"}
{"subject":"person:Cid","predicate":"knows","object":{"entity":"person:Cid"},"from":"2020","to":"2021"}
{"subject":"person:Ann","predicate":"knows","object":{"entity":"person:Cid"},"from":"unknown","to":"unknown"}
{"subject":"person:Ann","predicate":"works_at","object":{"entity":"org:Acme"},"from":"2020","to":"2021"}
{"subject":"person:Ann","predicate":"works_at","object":{"entity":"org:Beta"},"from":"2021","to":"2024"}
{"subject":"person:Ben","predicate":"works_at","object":{"entity":"org:Acme"},"from":"2020-06","to":"2023"}
{"subject":"org:Acme","predicate":"located_at","object":{"entity":"place:Rome"},"from":"2019"}
{"subject":"org:Beta","predicate":"located_at","object":{"entity":"place:Rome"},"from":"2023"}
{"subject":"org:Acme","predicate":"measure","key":"rooms","object":{"number":7},"from":"2020","to":"2021"}
{"subject":"org:Beta","predicate":"measure","key":"rooms","object":{"number":7},"from":"2020","to":"2021"}
"#;

/// A node of a pattern.
#[derive(Clone, Debug)]
struct Node {
    variable: Option<&'static str>,
    kind: Option<&'static str>,
    name: Option<&'static str>,
}

/// A relationship of a pattern.
#[derive(Clone, Debug)]
struct Link {
    /// `->`, `<-` or `--`.
    direction: usize,
    predicates: Vec<&'static str>,
    /// The facts of a path, at least and at most; else one.
    hops: Option<(usize, usize)>,
}

type Pattern = (Node, Vec<(Link, Node)>);

fn node() -> impl Strategy<Value = Node> {
    let variable = proptest::sample::select(vec![None, None, Some("a"), Some("b"), Some("c")]);
    let kind =
        proptest::sample::select(vec![None, None, None, Some("person"), Some("group"), Some("number")]);
    let name =
        proptest::sample::select(vec![None, None, None, None, Some("Ann"), Some("acme"), Some("Nobody")]);
    (variable, kind, name).prop_map(|(variable, kind, name)| Node { variable, kind, name })
}

fn link() -> impl Strategy<Value = Link> {
    let predicates = proptest::sample::select(vec![
        vec![],
        vec!["knows"],
        vec!["knows"],
        vec!["works_at", "located_at"],
        vec!["measure"],
        vec!["likes"],
    ]);
    let hops = proptest::sample::select(vec![None, None, Some((1, 2)), Some((0, 1)), Some((2, 3))]);
    (0..3_usize, predicates, hops).prop_map(|(direction, predicates, hops)| Link {
        direction,
        predicates,
        hops,
    })
}

fn pattern() -> impl Strategy<Value = Pattern> {
    (node(), proptest::collection::vec((link(), node()), 1..4))
}

fn text((start, links): &Pattern) -> String {
    let node = |node: &Node| {
        let kind = node.kind.map_or(String::new(), |kind| format!(":{kind}"));
        let name = node.name.map_or(String::new(), |name| format!(" {{name: '{name}'}}"));
        format!("({}{kind}{name})", node.variable.unwrap_or_default())
    };
    let mut text = format!("MATCH {}", node(start));
    let mut columns = Vec::new();
    for (nth, (link, end)) in links.iter().enumerate() {
        let predicates = if link.predicates.is_empty() {
            String::new()
        } else {
            format!(":{}", link.predicates.join("|"))
        };
        let hops = link.hops.map_or(String::new(), |(least, most)| format!("*{least}..{most}"));
        let (left, right) = [("-", "->"), ("<-", "-"), ("-", "-")][link.direction];
        text.push_str(&[left, &format!("[r{nth}{predicates}{hops}]"), right, &node(end)].concat());
        columns.push(format!("r{nth}"));
    }
    format!("{text} VALID ALL RETURN {}", columns.join(", "))
}

/// What stands at an end of a fact: its name for comparison, its type and its name for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
struct End {
    id: String,
    kind: String,
    name: Option<String>,
}

impl End {
    fn of(object: &Object) -> End {
        let (kind, name) = match object {
            Object::Entity(entity) => (entity.kind().to_owned(), Some(entity.name().to_owned())),
            _ => ("number".to_owned(), None),
        };
        End { id: object.canonical(), kind, name }
    }
}

/// Tries every fact for every relationship.
struct Naive<'a> {
    ontology: &'a Ontology,
    rows: &'a [Row],
    links: &'a [(Link, Node)],
    found: Vec<Vec<String>>,
}

/// How far a match has come: what is bound, and the facts of each relationship.
#[derive(Clone)]
struct Match {
    bound: BTreeMap<&'static str, End>,
    used: Vec<usize>,
    told: Vec<String>,
}

impl Naive<'_> {
    fn fits(&self, node: &Node, end: &End, so_far: &mut Match) -> bool {
        let is_kind = node.kind.is_none_or(|kind| self.ontology.is_a(&end.kind, kind));
        let is_named = node.name.is_none_or(|name| {
            end.name.as_ref().is_some_and(|own| own.to_lowercase() == name.to_lowercase())
        });
        let is_same = node
            .variable
            .is_none_or(|variable| so_far.bound.entry(variable).or_insert_with(|| end.clone()) == end);
        is_kind && is_named && is_same
    }

    /// Goes on from a node with the relationships from the nth on.
    fn go_on(&mut self, nth: usize, at: &End, so_far: Match) {
        let links = self.links;
        let Some((link, node)) = links.get(nth) else {
            self.found.push(so_far.told);
            return;
        };
        let (least, most) = link.hops.unwrap_or((1, 1));
        let mut trails = vec![(at.clone(), Vec::<usize>::new())];
        for n_facts in 0..=most {
            for (end, trail) in &trails {
                if n_facts < least || !self.holds_at_once(trail) {
                    continue;
                }
                let mut next = so_far.clone();
                if !self.fits(node, end, &mut next) {
                    continue;
                }
                next.used.extend(trail);
                let mut ids: Vec<String> = trail.iter().map(|&fact| self.rows[fact].id.to_string()).collect();
                if link.direction == 1 {
                    ids.reverse();
                }
                next.told.push(ids.join(" "));
                self.go_on(nth + 1, end, next);
            }
            trails = trails.iter().flat_map(|(end, trail)| self.further(link, end, trail, &so_far)).collect();
        }
    }

    /// Returns the paths that are one fact longer.
    fn further(&self, link: &Link, at: &End, trail: &[usize], so_far: &Match) -> Vec<(End, Vec<usize>)> {
        let mut further = Vec::new();
        for (fact, row) in self.rows.iter().enumerate() {
            let is_meant =
                link.predicates.is_empty() || link.predicates.contains(&row.group.predicate.as_str());
            if !is_meant || trail.contains(&fact) || so_far.used.contains(&fact) {
                continue;
            }
            let subject = End::of(&Object::Entity(row.group.subject.clone()));
            let object = End::of(&row.fact.object);
            let longer = [trail, &[fact]].concat();
            if link.direction != 1 && subject == *at {
                further.push((object.clone(), longer.clone()));
            }
            if link.direction != 0 && object == *at && !(link.direction == 2 && subject == object) {
                further.push((subject, longer));
            }
        }
        further
    }

    fn holds_at_once(&self, trail: &[usize]) -> bool {
        let (mut start, mut end) = (Instant::DISTANT_PAST, Instant::DISTANT_FUTURE);
        for &fact in trail {
            if let Validity::Over(period) = self.rows[fact].fact.validity {
                (start, end) = (start.max(period.start()), end.min(period.end()));
            }
        }
        start < end
    }
}

/// A store of the statements, to be asked.
static ASKED: LazyLock<(Arc<Ontology>, Store)> =
    LazyLock::new(|| store_of(STATEMENTS.lines().filter(|line| !line.is_empty()), Vec::new(), now()));

fn now() -> Instant {
    parse_moment("2025-12-01").expect("a time").at
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn what_fits_is_what_trying_everything_finds(pattern in pattern()) {
        let (ontology, store) = &*ASKED;
        let space = store.space("default", false).expect("a space");
        let snapshot = space.snapshot();
        let request = Request { valid: ValidTime::All, ..Request::present(now()) };
        let seen = snapshot.seen(&request.view).expect("a view");
        let rows = facts(&seen, ontology, &request, &Filter::default()).expect("facts");

        let text = text(&pattern);
        let found = match answer(&snapshot, ontology, &request, &parse(&text).expect("a query"), &Parameters::new()) {
            Ok(answer) => answer.rows,
            Err(Failed::TooMuch { .. } | Failed::TooManyRows { .. }) => return Ok(()),
            Err(error) => panic!("{text}: {error}"),
        };
        let ids = |value: &Value| match value {
            Value::Fact(row) => row.id.to_string(),
            Value::Path(path) => {
                let ids: Vec<String> = path.facts.iter().map(|row| row.id.to_string()).collect();
                ids.join(" ")
            }
            other => panic!("{other:?}"),
        };
        let mut found: Vec<Vec<String>> = found.iter().map(|row| row.iter().map(ids).collect()).collect();

        let (start, links) = &pattern;
        let mut ends: Vec<End> = Vec::new();
        for row in &rows {
            for end in [End::of(&Object::Entity(row.group.subject.clone())), End::of(&row.fact.object)] {
                if !ends.contains(&end) {
                    ends.push(end);
                }
            }
        }
        let mut naive = Naive { ontology, rows: &rows, links, found: Vec::new() };
        for end in ends {
            let mut so_far = Match { bound: BTreeMap::new(), used: Vec::new(), told: Vec::new() };
            if naive.fits(start, &end, &mut so_far) {
                naive.go_on(0, &end, so_far);
            }
        }
        let mut expected = naive.found;
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected, "{}", text);
    }
}
