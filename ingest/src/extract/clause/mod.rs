//! What people say in plain clauses: "I moved to Lisbon in March", "Alice works at Acme", "we use Postgres".
//!
//! A turn's own words ([`prose`]) become words and stops ([`token`]), sentences become clauses ([`split`]); each clause
//! has a subject ([`subject`]), a verb and its mood ([`mood`]), and perhaps a pattern of the table ([`pattern`]) that
//! fits ([`fill`]); class and mood give the form ([`form`]) that grounding dates.
//! What is taken back is found in the same turn ([`correction`]) or in those before it ([`recall`], [`memory`]).
//!
//! A wrong fact is worse than a missing one: a clause is read only where every word between subject and object is
//! understood. Questions, conditions and suppositions state nothing. No model, no clock; one pass, linear in the text.

mod affirm;
mod aims;
mod answer;
mod belonging;
mod club;
mod correction;
mod cues;
mod described;
mod fill;
mod form;
mod frame;
mod happening;
mod kin;
mod kinship;
mod known;
mod lexicon;
mod memory;
mod mood;
mod opening;
mod opinion;
mod pastime;
mod pattern;
mod people;
mod phrase;
mod possessed;
mod prose;
mod reader;
mod recall;
mod report;
mod routine;
mod saying;
mod self_told;
mod split;
mod subject;
mod tail;
mod taste;
mod thing;
mod title;
mod token;
mod verb;

pub use memory::Memory;

use bygone_engine::{Authority, Role};

use crate::candidate::Candidate;
use crate::read::{Part, Turn};

/// Reads the statements of one turn, in the order in which they stand in its text.
///
/// Only speech of people and agents is read; harness words, reasoning, tool calls and results never are. `memory` is
/// what was said in the turns before, which this one may take back, and afterwards holds this one, too: one for a file,
/// its turns in order.
pub fn extract(turn: &Turn, memory: &mut Memory) -> Vec<Candidate> {
    let authority = match turn.episode.role {
        Role::User => Authority::User,
        Role::Agent => Authority::Agent,
        Role::Tool | Role::System | Role::Statement => return Vec::new(),
    };
    let text = turn.episode.text.as_str();
    let mut reader = reader::Reader::new(&turn.episode, authority, memory);
    let mut speech = String::new();
    let mut heard = belonging::Turn::default();
    for part in &turn.parts {
        if let Part::Speech(range) = part
            && let Some(words) = text.get(range.clone())
        {
            let pieces = prose::pieces(text, range.clone());
            token::sentences(text, &pieces, |sentence| {
                reader.sentence(sentence);
                heard.hear(sentence);
            });
            speech.push_str(memory::tail(words));
            speech.push('\n');
        }
    }
    let (candidates, kin_told) = reader.finish();
    let speaker = turn.episode.speaker.as_ref().filter(|_| authority == Authority::User);
    let mut candidates = belonging::settle(text, &heard, speaker, candidates);
    candidates.extend(memory.also_ended(&turn.episode, &candidates));
    if !speech.is_empty() {
        memory.hear(&turn.episode, &speech, &candidates);
    }
    candidates.extend(memory.kinship.hear(&turn.episode, &kin_told));
    candidates
}
