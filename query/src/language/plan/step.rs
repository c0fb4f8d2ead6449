//! The physical plan: what is done for each row, step after step.

use std::fmt::Write;

use super::logical::{Cell, Condition, Key, Known, Link, Node, Output};
use super::term::{How, Search, Slot};

/// A step, and how many rows are expected after it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::language) struct Step {
    pub(in crate::language) action: Action,
    pub(in crate::language) n_expected: f64,
}

/// What is done for each row.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::language) enum Action {
    /// A node is taken from the few that it may be.
    LookUp(Node),
    /// A node is taken from all that there are.
    Scan(Node),
    /// A fact or a path is followed.
    Follow(Link, Way),
    /// Rows for which a condition is not true are left out.
    Keep(Condition),
}

/// From where a link is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::language) enum Way {
    /// From its subject.
    Out,
    /// From its object.
    In,
    /// Over all facts of its predicates.
    All,
    /// Over what a search finds.
    Found,
}

/// Says what a step does.
pub(in crate::language) fn step_text(action: &Action, titles: &[Option<String>]) -> (&'static str, String) {
    match action {
        Action::LookUp(node) => {
            let place = match &node.place {
                Some(Known::Entities(entities)) if entities.is_empty() => "nothing bears the name".to_owned(),
                Some(Known::Entities(entities)) => {
                    let names: Vec<String> = entities.iter().map(ToString::to_string).collect();
                    names.join(" or ")
                }
                Some(Known::Found(search)) => search_text(search),
                None => String::new(),
            };
            let kind = if node.is_turn { "search" } else { "look up" };
            (kind, format!("{} in {place}", node_text(node, titles)))
        }
        Action::Scan(node) => {
            let kind = if node.is_turn { "all turns" } else { "all entities" };
            (kind, node_text(node, titles))
        }
        Action::Follow(link, way) => {
            let kind = match (way, link.hops) {
                (Way::Out, None) => "facts of",
                (Way::In, None) => "facts about",
                (Way::Out, Some(_)) => "paths from",
                (Way::In, Some(_)) => "paths to",
                (Way::All, None) => "all facts",
                (Way::All, Some(_)) => "all paths",
                (Way::Found, _) => "search facts",
            };
            (kind, link_text(link, titles))
        }
        Action::Keep(condition) => ("keep", condition.said.to_string()),
    }
}

/// Says what becomes of the rows.
pub(in crate::language) fn output_text(output: &Output) -> Vec<(&'static str, String)> {
    let titles: Vec<&str> = output.columns.iter().map(|column| column.title.as_str()).collect();
    let is_plain = |cell: &Cell| matches!(cell, Cell::Plain(_));
    let mut told = Vec::new();
    if output.counts() {
        let by = output.columns.iter().filter(|column| is_plain(&column.value));
        let by: Vec<&str> = by.map(|column| column.title.as_str()).collect();
        told.push((
            "group",
            if by.is_empty() { "all rows".to_owned() } else { format!("by {}", by.join(", ")) },
        ));
    }
    if output.distinct {
        told.push(("distinct", String::new()));
    }
    if !output.order.is_empty() {
        let key = |(key, descending): &(Key, bool)| {
            let by = match key {
                Key::Column(at) => titles.get(*at).copied().unwrap_or_default(),
                Key::Value(_) => "a value that is not returned",
            };
            format!("{by}{}", if *descending { " DESC" } else { "" })
        };
        told.push(("sort", output.order.iter().map(key).collect::<Vec<_>>().join(", ")));
    }
    let mut returned = titles.join(", ");
    if output.skip > 0 {
        write!(returned, ", after {}", output.skip).unwrap_or_default();
    }
    if let Some(limit) = output.limit {
        write!(returned, ", at most {limit}").unwrap_or_default();
    }
    told.push(("return", returned));
    told
}

fn search_text(search: &Search) -> String {
    let name = match search.how {
        How::Words => "SEARCH",
        How::Best => "SIMILAR",
        How::Score => "SCORE",
    };
    format!("{name} {:?}", search.text)
}

fn title(slot: Slot, titles: &[Option<String>]) -> &str {
    titles.get(slot).and_then(Option::as_deref).unwrap_or_default()
}

fn node_text(node: &Node, titles: &[Option<String>]) -> String {
    let types: Vec<String> = node.types.iter().map(|types| format!(":{}", types.join("|"))).collect();
    let types = if node.is_turn { ":turn".to_owned() } else { types.concat() };
    format!("({}{types})", title(node.slot, titles))
}

fn link_text(link: &Link, titles: &[Option<String>]) -> String {
    let predicates =
        if link.predicates.is_empty() { String::new() } else { format!(":{}", link.predicates.join("|")) };
    let hops = link.hops.map_or(String::new(), |hops| format!("*{}..{}", hops.least, hops.most));
    let arrow = if link.is_either { "-" } else { "->" };
    let (from, to) = (title(link.from, titles), title(link.to, titles));
    let named = format!("{}{predicates}{hops}", title(link.slot, titles));
    let found = link.found.as_ref().map_or(String::new(), |search| format!(" in {}", search_text(search)));
    format!("({from})-[{named}]{arrow}({to}){found}")
}
