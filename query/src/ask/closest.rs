//! What to show where nothing is known: the turns that have the words of the question, in the same view.

use bygone_engine::store::Snapshot;

use super::answer::{Answer, Passage};
use super::error::AskError;
use crate::retrieve::Passages;

/// Turns shown at most.
const MOST: usize = 5;
/// Turns looked at for a name that nothing bears.
const MOST_LOOKED_AT: usize = 100;
/// The part of the best turn's score below which a turn is not worth showing beside it. Chosen, untested.
const LEAST_OF_BEST: f64 = 0.6;
/// The longest part of a turn that is shown, in bytes.
const PASSAGE_BYTES: usize = 240;

/// Adds the turns that are closest to the question to an answer that is not known, and says so. Where that is because
/// nothing bears a name, turns without a word of the name have nothing to say about it.
pub(super) fn add(snapshot: &Snapshot<'_>, mut answer: Answer) -> Result<Answer, AskError> {
    if answer.known {
        return Ok(answer);
    }
    let analyzer = snapshot.analyzer();
    let needed = answer.unnamed.as_deref().map(|name| analyzer.words(name)).unwrap_or_default();
    let passages = Passages::new(analyzer, &answer.question);
    let seen = snapshot.seen(&answer.view)?;
    for hit in seen.search_turns(&answer.question)?.take(MOST_LOOKED_AT) {
        let hit = hit?;
        let best = answer.passages.first().map_or(hit.score, |best| best.score);
        if hit.score < LEAST_OF_BEST * best || answer.passages.len() == MOST {
            break;
        }
        let text = &hit.found.episode.text;
        if !needed.is_empty() && !analyzer.words(text).iter().any(|word| needed.contains(word)) {
            continue;
        }
        let span = passages.find(text, PASSAGE_BYTES);
        answer.passages.push(Passage { record: hit.found, span, score: hit.score });
    }
    if !answer.passages.is_empty() {
        answer.answer.push_str(" Turns that have words of the question are quoted.");
        let search = format!("SEARCH({:?})", answer.question);
        let plan = &mut answer.reading.plan;
        *plan = if plan.is_empty() { search } else { format!("{plan} ELSE {search}") };
    }
    Ok(answer)
}
