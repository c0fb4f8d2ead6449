//! How it is told why a search found what it found.

use bygone_engine::time::format_instant;
use bygone_query::retrieve::{Explanation, Found, Hidden, RERANK, Searched, Word};
use serde_json::json;

use crate::failure::Failure;
use crate::output::{Output, count};

/// Words shown to a person, at most: `--json` has them all.
const MOST_WORDS: usize = 40;

/// Prints an explanation: a last row of JSON, or lines for a person.
pub(crate) fn print(explanation: &Explanation, output: &mut Output<'_>) -> Result<(), Failure> {
    if output.json {
        return output.row(&json!({ "explain": explanation.to_json() }));
    }
    output.line("")?;
    let mut words: Vec<String> = explanation.words.iter().take(MOST_WORDS).map(word).collect();
    let n_more = explanation.words.len() - words.len();
    if n_more > 0 {
        words.push(format!("and {n_more} more"));
    }
    output.line(match words.as_slice() {
        [] => "looked for: no word".to_owned(),
        words => format!("looked for: {}", words.join("; ")),
    })?;
    for (what, names) in [
        ("whose turns are meant", explanation.speakers.clone()),
        ("named", explanation.entities.iter().map(ToString::to_string).collect()),
        (
            "times named",
            explanation
                .times
                .iter()
                .map(|(from, to)| format!("{}..{}", format_instant(*from), format_instant(*to)))
                .collect(),
        ),
    ] {
        if !names.is_empty() {
            output.line(format!("{what}: {}", names.join(", ")))?;
        }
    }
    if explanation.asks_when {
        output.line("asks when: turns that tell of a time come first")?;
    }
    if !explanation.answers {
        output.line("nothing found has more of this than chance would give")?;
    }
    for searched in &explanation.searched {
        print_searched(searched, output)?;
    }
    if !explanation.hidden.is_empty() {
        output.line("would be among the first, were it not for the view:")?;
    }
    for hidden in &explanation.hidden {
        output.line(format!("  {}", hidden_text(hidden)))?;
    }
    Ok(())
}

/// Says which channels made the score of a hit, and what a reranker makes of it, which is no part of the sum.
pub(crate) fn channels(found: &Found) -> String {
    let (reranked, summed): (Vec<_>, Vec<_>) = found.channels.iter().partition(|(name, _)| *name == RERANK);
    let shares: Vec<String> = summed.iter().map(|(name, share)| format!("{name} {share:.3}")).collect();
    let sum = shares.join(" + ");
    match reranked.first() {
        Some((_, score)) => format!("{sum}; the reranker gives {score:.3}"),
        None => sum,
    }
}

fn word(word: &Word) -> String {
    let found: Vec<String> =
        word.n_with.iter().map(|(kind, n_with)| found_in(kind.name(), *n_with)).collect();
    let similar: Vec<String> =
        word.similar.iter().map(|(word, worth)| format!("{word} {worth:.2}")).collect();
    let similar =
        if similar.is_empty() { String::new() } else { format!(", or alike: {}", similar.join(", ")) };
    format!("{} (in {}{similar})", word.word, found.join(", "))
}

fn found_in(kind: &str, n_with: usize) -> String {
    let what = if kind == "fact" { "statement" } else { kind };
    count(n_with as u64, what)
}

fn print_searched(searched: &Searched, output: &mut Output<'_>) -> Result<(), Failure> {
    let hidden: Vec<String> = searched
        .n_hidden
        .iter()
        .map(|(hiding, n_hidden)| format!("{n_hidden} {}", plain(hiding.name())))
        .collect();
    let hidden = if hidden.is_empty() { String::new() } else { format!("; not seen: {}", hidden.join(", ")) };
    output.line(format!(
        "searched {}{hidden}; the best has {:.2} of the words, and the most alike a cosine of {:.2}",
        found_in(searched.kind.name(), searched.n_seen),
        searched.best_words,
        searched.best_likeness
    ))?;
    let channels: Vec<String> = searched
        .channels
        .iter()
        .map(|(channel, n_found)| match channel.weight {
            Some(weight) => format!("{} {n_found} (× {weight:.2})", channel.name),
            None => format!("{} {n_found}", channel.name),
        })
        .collect();
    output.line(format!("  found by {}", channels.join(", ")))
}

fn hidden_text(hidden: &Hidden) -> String {
    let Hidden { rank, id, session, turn, time, why, .. } = hidden;
    let place = match (session, turn) {
        (Some(session), Some(turn)) => format!(" ({session}#{turn})"),
        (Some(session), None) => format!(" ({session})"),
        (None, _) => String::new(),
    };
    let said = time.map_or(String::new(), |time| format!(", said {}", format_instant(time)));
    format!("{rank}. {id}{place}{said}: {}", plain(why.name()))
}

fn plain(name: &str) -> String {
    name.replace('_', " ")
}
