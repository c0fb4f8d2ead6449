//! Somebody else's word: "Anna told me that …", "I heard that …".

use super::mood::ADVERBS;
use super::phrase::Clause;
use super::subject::{Subject, Who};

/// Reads "you told me that you …"; returns the position of the second "you".
pub(super) fn by_the_other(clause: &Clause<'_>, at: usize) -> Option<usize> {
    const SAYING: &[&str] = &["told", "said", "mentioned", "wrote", "texted"];
    if !clause.is(at, "you") {
        return None;
    }
    let mut next = at + 1;
    while clause.is_one_of(next, ADVERBS) || clause.is_one_of(next, &["once", "have", "had"]) {
        next += 1;
    }
    if !clause.is_one_of(next, SAYING) {
        return None;
    }
    next += 1;
    next += usize::from(clause.is_one_of(next, &["me", "us"]));
    next += usize::from(clause.is(next, "that"));
    clause.is(next, "you").then_some(next)
}

/// Reads "told me that", "said": where the other's words start, and whether they are the speaker's own.
pub(super) fn report(clause: &Clause<'_>, subject: &Subject) -> Option<(usize, bool)> {
    const SAYING: &[&str] = &[
        "said",
        "says",
        "mentioned",
        "mentions",
        "claims",
        "claimed",
        "announced",
        "reports",
        "reported",
        "confirmed",
        "wrote",
        "posted",
        "thinks",
        "believes",
        "explained",
        "say",
    ];
    const TELLING: &[&str] = &["told", "tells", "texted", "emailed", "informed", "tell"];
    let own = matches!(subject.who, Who::Speaker { .. });
    let mut at = subject.end;
    while clause.is_one_of(at, ADVERBS) {
        at += 1;
    }
    let (next, mute) = if own && clause.is_one_of(at, &["heard", "read"]) {
        (at + 1, false)
    } else if own && clause.are(at, &["was", "told"]) {
        (at + 2, false)
    } else if clause.is_one_of(at, SAYING) {
        (at + 1, own)
    } else if clause.is_one_of(at, TELLING) {
        let listener = match clause.name_run(at + 1) {
            Some((_, end)) => end,
            None => at + 2,
        };
        (listener, own)
    } else {
        return None;
    };
    Some((next + usize::from(clause.is(next, "that")), mute))
}
