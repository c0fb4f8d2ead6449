//! Whether a predicate holds or happens, by the periods that its statements give; by the tense of its name where they
//! give none.

use super::survey::Usage;
use crate::definition::TemporalKind;

/// Past tenses that do not end in "ed", of verbs that tell what happens.
const IRREGULAR: &[&str] = &[
    "ate", "became", "began", "bought", "broke", "brought", "built", "came", "caught", "chose", "did",
    "drank", "drew", "drove", "fell", "fixed", "flew", "forgot", "found", "gave", "got", "heard", "hit",
    "left", "lent", "lost", "made", "met", "paid", "ran", "read", "rode", "said", "sang", "sat", "saw",
    "sent", "shot", "slept", "sold", "spent", "spoke", "swam", "taught", "threw", "told", "took", "wrote",
    "won", "went", "wore", "woke",
];
/// What follows a participle that tells how something is: "based in", "owned by".
const PASSIVE: &[&str] = &["as", "at", "by", "for", "from", "in", "of", "on", "to", "with"];

/// Returns the kind that the statements amount to, and why.
pub(super) fn propose(id: &str, usage: &Usage) -> (TemporalKind, String) {
    let Usage { n_open, n_open_dated, n_granules, n_spans, n_ends, .. } = *usage;
    if n_granules > n_open + n_spans && n_ends == 0 {
        let n_dated = n_granules + n_spans + n_open;
        return (
            TemporalKind::Event,
            format!("{n_granules} of {n_dated} statements give one moment, none an end"),
        );
    }
    if n_granules + n_spans + n_ends + n_open_dated == 0 && is_past_tense(id) {
        return (TemporalKind::Event, "no statement gives a period, and the name is a past tense".to_owned());
    }
    let mut because = Vec::new();
    for (n, what) in [
        (n_open, "go on"),
        (n_spans, "give a period"),
        (n_granules, "give one moment"),
        (n_ends, "tell that it ended"),
    ] {
        if n > 0 {
            because.push(format!("{n} {what}"));
        }
    }
    if because.is_empty() {
        because.push("no statement gives a period".to_owned());
    }
    (TemporalKind::State, because.join(", "))
}

/// Says whether a name such as `visited` or `met_with` tells of something that happened.
fn is_past_tense(id: &str) -> bool {
    let mut words = id.split(|c: char| !c.is_ascii_alphabetic());
    let first = words.next().unwrap_or_default().to_ascii_lowercase();
    if IRREGULAR.contains(&first.as_str()) {
        return true;
    }
    let is_passive = words.next().is_some_and(|second| PASSIVE.contains(&second));
    first.len() > 4 && first.ends_with("ed") && !first.ends_with("eed") && !is_passive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn past_tenses_are_told_from_states() {
        for id in ["visited", "met_with", "bought", "attended", "deployed_release"] {
            assert!(is_past_tense(id), "{id}");
        }
        for id in
            ["based_in", "owned_by", "likes", "need", "needed_by", "red", "employed_at", "speed", "mentor"]
        {
            assert!(!is_past_tense(id), "{id}");
        }
    }
}
