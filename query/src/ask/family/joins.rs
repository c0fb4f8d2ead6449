//! Questions for what held, or whether it did, within a limit: "who was my boss when I lived in Paris".

use super::super::forms::Ask;
use super::super::plan::selection::{Part, Selection};
use super::super::plan::window::{Relation, Window};
use super::super::plan::{Manner, Operation};
use super::super::reading::Stand;
use super::{Asking, Read, clause, noun, plan, starts_with_auxiliary};
use crate::error::QueryError;

/// Verbs of the present.
const PRESENT: &[&str] = &["is", "are", "am", "do", "does"];

pub(super) fn read(asking: &Asking<'_>) -> Result<Option<Read>, QueryError> {
    let words = asking.words.as_slice();
    let is_plain = matches!(asking.window.relation, Relation::Always | Relation::Dated);
    let direct = asking.patterns(words, Stand::Direct)?;
    if is_plain {
        if direct.is_none()
            && let Some(of) = clause::of_kind(asking, words)?
        {
            return Ok(Some(plan(Operation::Joined { of, window: present(asking) })));
        }
        // "What is the port?"
        if direct.is_none()
            && let Some(of) = keyed(asking)?.filter(|of| of.patterns.is_empty())
        {
            return Ok(Some(plan(Operation::Joined { of, window: present(asking) })));
        }
        // What the table reads is answered from it.
        if direct.is_some() || !starts_with_auxiliary(words) || super::is(words, 0, &["will", "would"]) {
            return Ok(None);
        }
        let asks_ever = words.iter().any(|word| word.folded == "ever");
        let selected = if asks_ever {
            clause::select_or_unknown(asking, words)?
        } else {
            clause::select(asking, words)?.filter(super::is_found)
        };
        let Some(of) = selected.filter(|of| of.patterns.is_empty()) else { return Ok(None) };
        let window = present(asking);
        return Ok(Some(plan(Operation::Held { manner: Manner::Within, of, window })));
    }
    if direct.is_none()
        && let Some(of) = clause::of_kind(asking, words)?
    {
        return Ok(Some(plan(Operation::Joined { of, window: asking.window.clone() })));
    }
    if direct.is_none()
        && let Some(of) = keyed(asking)?
    {
        return Ok(Some(plan(Operation::Joined { of, window: asking.window.clone() })));
    }
    if let Some(patterns) = direct
        && matches!(patterns[0].ask, Ask::Object | Ask::Subject)
    {
        let of = clause::by_patterns(asking, words, &patterns, Part::Whole)?;
        return Ok(Some(plan(Operation::Joined { of, window: asking.window.clone() })));
    }
    if starts_with_auxiliary(words)
        && let Some(of) = clause::select(asking, words)?
    {
        return Ok(Some(plan(Operation::Held { manner: Manner::Within, of, window: asking.window.clone() })));
    }
    Ok(None)
}

/// Reads "what was the port" as what stands under the key.
fn keyed(asking: &Asking<'_>) -> Result<Option<Selection>, QueryError> {
    let words = asking.words.as_slice();
    let is_asked =
        super::is(words, 0, &["what", "which", "who"]) && super::is(words, 1, &["is", "was", "were", "are"]);
    if !is_asked || !super::is(words, 2, &["the", "our"]) {
        return Ok(None);
    }
    let value = super::is(words, 3, &["value"]) && super::is(words, 4, &["of"]);
    let lead = if value { 5 } else { 2 };
    let Some(noun) = words.get(lead..).filter(|noun| !noun.is_empty()) else { return Ok(None) };
    Ok(noun::values(asking, noun, false)?.filter(super::is_found))
}

/// Returns the window of a question, which is now where it is asked in the present and names no time.
fn present(asking: &Asking<'_>) -> Window {
    let is_present = asking.words.iter().take(4).any(|word| PRESENT.contains(&word.folded.as_str()));
    if is_present && asking.window.relation == Relation::Always {
        let now = bygone_engine::ValidTime::At(asking.sight.request.now);
        Window::dated(now, "now".to_owned())
    } else {
        asking.window.clone()
    }
}
