//! How a packet comes to fit its budget: whole lines are left out, from the least important section upwards.
//!
//! First every section is cut down to a few lines, the least important one first, so that one with many does not use up the
//! room of the others; then whole sections go. How much of what was left out is said at the end.

use std::collections::BTreeMap;

use bygone_engine::embed::wordpiece::pieces;
use serde_json::{Value, json};

use super::Packet;
use super::render::{footer, heading, left_out_words, lines, opening};
use super::section::Section;
use crate::context::{estimate, tokens};

/// How many lines a section keeps until every one is cut down to as many (chosen, untested).
const FEW_LINES: usize = 4;
/// How many lines of a section are looked at.
const MOST_LINES: usize = 60;

/// What of a packet fits a budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// The Markdown.
    pub text: String,
    /// How many tokens it counts, as `bygone context` counts them.
    pub tokens: usize,
    /// How many it may.
    pub budget: usize,
    /// What was left out, the most important first.
    pub left_out: Vec<LeftOut>,
    kept: BTreeMap<Section, usize>,
}

/// Lines of a section that were left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The section.
    pub section: Section,
    /// How many lines.
    pub n_lines: usize,
    /// The command that shows them.
    pub command: String,
}

impl LeftOut {
    pub(super) fn to_json(&self) -> Value {
        json!({ "section": self.section.name(), "lines": self.n_lines, "command": self.command })
    }
}

impl Fitted {
    /// Returns how many lines of a section are kept.
    pub fn kept(&self, section: Section) -> usize {
        self.kept.get(&section).copied().unwrap_or(0)
    }
}

/// Lines that are left out one after another.
struct Cut<'p> {
    packet: &'p Packet,
    opening: String,
    lines: BTreeMap<Section, Vec<String>>,
    n_opening: usize,
    n_pieces: BTreeMap<Section, Vec<usize>>,
    /// The pieces of a section's heading, and of the footer's words where all of it is left out.
    around: BTreeMap<Section, (usize, usize)>,
    kept: BTreeMap<Section, usize>,
    /// How many lines of a section there are, those included that are not looked at.
    n_all: BTreeMap<Section, usize>,
}

/// Fits a packet into a budget of tokens; a text that is empty where not even its opening fits.
pub fn fit(packet: &Packet, budget: usize) -> Fitted {
    let mut cut = Cut::of(packet);
    while estimate(cut.n_pieces()) > budget {
        if !cut.leave_out_one() {
            break;
        }
    }
    // The sum is near; the text itself decides.
    let mut text = cut.text();
    while tokens(&text) > budget && cut.leave_out_one() {
        text = cut.text();
    }
    let left_out = cut.left_out();
    if tokens(&text) > budget {
        text.clone_from(&cut.opening);
    }
    if tokens(&text) > budget {
        text = String::new();
    }
    Fitted { tokens: tokens(&text), text, budget, left_out, kept: cut.kept }
}

impl Cut<'_> {
    fn of(packet: &Packet) -> Cut<'_> {
        let opening = opening(packet);
        let mut cut = Cut {
            packet,
            n_opening: pieces(&opening).len(),
            opening,
            lines: BTreeMap::new(),
            n_pieces: BTreeMap::new(),
            around: BTreeMap::new(),
            kept: BTreeMap::new(),
            n_all: BTreeMap::new(),
        };
        for section in Section::ALL {
            let mut lines = lines(packet, section);
            cut.n_all.insert(section, lines.len());
            let command = section.command(&packet.agent);
            let gone = left_out_words(&LeftOut { section, n_lines: lines.len(), command });
            cut.around.insert(section, (pieces(&heading(section)).len(), pieces(&gone).len()));
            lines.truncate(MOST_LINES);
            // Lines do not share pieces, so that each is counted once.
            cut.n_pieces.insert(section, lines.iter().map(|line| pieces(line).len()).collect());
            cut.kept.insert(section, lines.len());
            cut.lines.insert(section, lines);
        }
        cut
    }

    /// Returns about how many pieces there are: what is left out is counted as if it were all of its section.
    fn n_pieces(&self) -> usize {
        let of_section = |section: &Section| {
            let (kept, n_pieces) = (self.kept[section], &self.n_pieces[section]);
            let (heading, left_out) = self.around[section];
            let heading = if kept == 0 { 0 } else { heading };
            let left_out = if kept == self.n_all[section] { 0 } else { left_out };
            heading + n_pieces[..kept].iter().sum::<usize>() + left_out
        };
        self.n_opening + Section::ALL.iter().map(of_section).sum::<usize>()
    }

    /// Leaves one line out; says whether there was any.
    fn leave_out_one(&mut self) -> bool {
        for least in [FEW_LINES, 0] {
            let section = Section::ALL.into_iter().rev().find(|section| self.kept[section] > least);
            if let Some(section) = section {
                self.kept.entry(section).and_modify(|kept| *kept -= 1);
                return true;
            }
        }
        false
    }

    fn left_out(&self) -> Vec<LeftOut> {
        let of_section = |section: Section| {
            let n_lines = self.n_all[&section] - self.kept[&section];
            let command = section.command(&self.packet.agent);
            (n_lines > 0).then_some(LeftOut { section, n_lines, command })
        };
        Section::ALL.into_iter().filter_map(of_section).collect()
    }

    fn text(&self) -> String {
        let mut text = self.opening.clone();
        for section in Section::ALL {
            let kept = &self.lines[&section][..self.kept[&section]];
            if !kept.is_empty() {
                text.push_str(&heading(section));
                text.push_str(&kept.concat());
            }
        }
        text.push_str(&footer(&self.left_out()));
        text
    }
}
