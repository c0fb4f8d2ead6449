//! The packet with which an agent carries on.

mod budget;
mod cost;
mod recorded;
mod told;
pub(super) mod transcript;

use bygone_engine::View;
use bygone_engine::time::parse_moment;
use bygone_ontology::Ontology;
use bygone_query::resume::{Asked, DEFAULT_BUDGET, Packet, Section, fit, packet};
use bygone_query::state::liveness::Heard;

use super::desk::{Desk, at};

/// The packet as of an instant, in the latest view.
#[track_caller]
fn packet_of(desk: &Desk, agent: Option<&str>, now: &str) -> Packet {
    packet_in(desk, &View::LATEST, agent, now)
}

#[track_caller]
fn packet_in(desk: &Desk, view: &View, agent: Option<&str>, now: &str) -> Packet {
    let heard = Heard::new();
    let asked = Asked { agent, at: at(now), heard: &heard };
    desk.read_as(view, |seen| packet(seen, &Ontology::core(), &asked)).expect("read").expect("a packet")
}

/// The packet of what was known by the end of a time, as it would have been then.
#[track_caller]
fn packet_then(desk: &Desk, then: &str) -> Packet {
    let known = parse_moment(then).expect(then).end().previous();
    let heard = Heard::new();
    let asked = Asked { agent: None, at: known, heard: &heard };
    let view = View::known_at(known);
    desk.read_as(&view, |seen| packet(seen, &Ontology::core(), &asked)).expect("read").expect("a packet")
}

/// The lines of a section, without their bullets.
fn lines(packet: &Packet, section: Section) -> Vec<String> {
    let text = fit(packet, 1_000_000).text;
    let heading = format!("\n## {}\n", section.heading());
    let Some((_, rest)) = text.split_once(&heading) else { return Vec::new() };
    rest.lines().take_while(|line| line.starts_with("- ")).map(|line| line[2..].to_owned()).collect()
}

/// The Markdown within the budget that nobody named.
fn text(packet: &Packet) -> String {
    fit(packet, DEFAULT_BUDGET).text
}
