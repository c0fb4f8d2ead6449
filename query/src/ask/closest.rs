//! What to show where no fact answers: what was said, in the same view.

use bygone_engine::ValidTime;
use bygone_engine::store::{Seen, Snapshot};
use bygone_ontology::Ontology;

use super::answer::{Answer, Passage};
use super::error::AskError;
use super::reader::{self, Read};
use crate::request::Request;
use crate::retrieve::{Kind, Passages, Sought};

/// Turns shown at most.
const MOST: usize = 5;
/// Turns looked at for a name that nothing bears.
const MOST_LOOKED_AT: usize = 100;
/// The part of the best turn's score below which a turn is not worth showing beside it. Chosen, untested.
const LEAST_OF_BEST: f64 = 0.6;
/// The longest part of a turn that is shown, in bytes.
const PASSAGE_BYTES: usize = 240;

/// Adds what was said to an answer that is not known: what can be read from it, else the turns that are closest. Where that
/// is because nothing bears a name, turns without a word of the name have nothing to say about it.
pub(super) fn add(
    snapshot: &Snapshot<'_>,
    ontology: &Ontology,
    request: &Request,
    answer: Answer,
) -> Result<Answer, AskError> {
    if answer.known {
        return Ok(answer);
    }
    let needed = answer.unnamed.as_deref().map(|name| snapshot.analyzer().words(name)).unwrap_or_default();
    let seen = snapshot.seen(&answer.view)?;
    let request = &Request { valid: ValidTime::All, ..request.clone() };
    let text = &answer.question;
    let sought = Sought { seen: &seen, ontology, request, text, kinds: &[Kind::Turn], n_wanted: MOST };
    match reader::read(&sought, &needed)? {
        Some(read) => Ok(told(answer, read)),
        None => with_turns(&seen, &needed, answer),
    }
}

/// Answers with what was read.
fn told(mut answer: Answer, Read { text, value, passages, plan: read, intent }: Read) -> Answer {
    let plan = &mut answer.reading.plan;
    *plan = if plan.is_empty() { read } else { format!("{plan} ELSE {read}") };
    answer.reading.intent = intent;
    answer.answer = text;
    answer.known = true;
    answer.value = Some(value);
    answer.passages = passages;
    answer
}

fn with_turns(seen: &Seen<'_>, needed: &[String], mut answer: Answer) -> Result<Answer, AskError> {
    let analyzer = seen.snapshot().analyzer();
    let passages = Passages::new(analyzer, &answer.question);
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
