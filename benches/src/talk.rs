//! A log of two friends who tell each other of themselves: what extractors find much in.

use std::fmt::Write as _;

use crate::workload::mixed;

/// What people say; `{}` stands for a name.
const SENTENCES: &[&str] = &[
    "I moved to Lisbon in March.",
    "Thanks, that means a lot!",
    "My sister {} works at Acme and loves hiking.",
    "How was your weekend?",
    "I've been learning the piano, it helps me relax.",
    "We went to a concert last Friday with {}.",
    "That sounds amazing!",
    "I want to open a bakery one day.",
    "I bought a new bike yesterday, and it is so fast.",
    "You should try yoga, it worked for me.",
    "I'm thinking of adopting a dog.",
    "{} told me that they are moving to Oslo.",
    "I read a great novel about the sea last week.",
    "Wow, I had no idea!",
    "Painting is a great way to unwind after work.",
    "We are planning a trip to Japan next summer.",
    "I used to play chess every Sunday.",
    "It's important to take breaks.",
    "I no longer work at Acme; I left in June.",
    "Good luck with the exam, let me know how it goes.",
];

/// First names.
const NAMES: &[&str] = &["Anna", "Ben", "Clara", "David", "Emma", "Frank", "Grace", "Henry", "Ida", "Jonas"];
/// Last names, which make most of the people told of different ones.
const LAST: &[&str] =
    &["Adler", "Brandt", "Costa", "Dahl", "Evans", "Ferrer", "Garcia", "Holm", "Iversen", "Jansen"];

/// Returns a plain log of so many turns, the same one each time.
pub fn log(n_turns: u64) -> String {
    let mut log = String::new();
    let pick =
        |list: &[&'static str], draw: u64| list[usize::try_from(draw % list.len() as u64).unwrap_or(0)];
    for position in 0..n_turns {
        let (day, minute) = (position / 40, position % 40);
        let speaker = if position % 2 == 0 { "Melanie" } else { "Tom" };
        let (year, month, date) = (2000 + day / 336, day / 28 % 12 + 1, day % 28 + 1);
        write!(log, "{year:04}-{month:02}-{date:02} 10:{minute:02} {speaker}:").unwrap_or_default();
        for nth in 0..2 {
            let draw = mixed(position * 2 + nth);
            let name = format!("{} {}", pick(NAMES, draw >> 8), pick(LAST, draw >> 16));
            write!(log, " {}", pick(SENTENCES, draw).replace("{}", &name)).unwrap_or_default();
        }
        log.push('\n');
    }
    log
}
