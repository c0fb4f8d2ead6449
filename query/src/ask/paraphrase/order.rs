//! Clauses in the order of a question: "where Anna lives" is "where does Anna live".
//!
//! Which words are the subject is not known: a sentence is made for each that may be, and the forms tell which it is.

use super::super::table::every_verb;
use super::super::words::Word;

/// What a clause inside another sentence may begin with.
const ASKING: &[&str] =
    &["what", "which", "who", "whom", "whose", "where", "when", "how", "since", "for", "until"];

/// Verbs that stand in front of the subject in a question, as they are.
const AUXILIARIES: &[&str] = &["is", "are", "am", "was", "were", "has", "have", "had", "will", "would"];

/// Those of them that say something alone.
const BEING: &[&str] = &["is", "are", "am", "was", "were"];

/// The most words that stand in front of the verb of a question.
const LONGEST_LEAD: usize = 4;
/// The most words of a subject.
const LONGEST_SUBJECT: usize = 5;

/// Returns a clause behind some words as questions.
pub(super) fn questions(lead: &str, text: &str, words: &[Word]) -> Vec<String> {
    let said = |words: &[Word]| -> String {
        match (words.first(), words.last()) {
            (Some(first), Some(last)) => {
                text.get(first.span.start..last.span.end).unwrap_or_default().to_owned()
            }
            _ => String::new(),
        }
    };
    let is = |at: usize, any: &[&str]| words.get(at).is_some_and(|word| any.contains(&word.folded.as_str()));
    let put = |parts: &[&str]| parts.join(" ").trim().to_owned();
    let is_open = !lead.is_empty();
    // "If Anna left" is asked without the "if".
    let skip = usize::from(is(0, &["if", "whether", "that"]));
    let asks = is(skip, ASKING);
    if skip == 0 && !is_open && !asks {
        // Neither a question nor a statement is led into: it may be a statement as it is.
        return statement(lead, words, &said);
    }
    let words_after = &words[skip..];
    let mut found = Vec::new();
    if asks {
        // "Who lives in Berlin" is in order already.
        for length in 1..=LONGEST_LEAD.min(words_after.len()) {
            let (front, rest) = words_after.split_at(length);
            let lead = put(&[lead, &said(front)]);
            found.extend(statement(&lead, rest, &said));
        }
        found.push(put(&[lead, &said(words_after)]));
    } else {
        found.extend(statement(lead, words_after, &said));
    }
    found
}

/// Returns a statement behind some words as questions, one for each word that may be its verb.
fn statement(lead: &str, words: &[Word], said: &dyn Fn(&[Word]) -> String) -> Vec<String> {
    let mut found = Vec::new();
    for at in 1..words.len().min(LONGEST_SUBJECT + 1) {
        let (subject, rest) = words.split_at(at);
        let Some((verb, rest)) = rest.split_first() else { continue };
        let (subject, rest) = (said(subject), said(rest));
        let mut put = |auxiliary: &str, verb: &str| {
            let parts = [lead, auxiliary, &subject, verb, &rest];
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            found.push(parts.join(" "));
        };
        let folded = verb.folded.as_str();
        // "Which pets Andrew has" asks what he has and not what he has done.
        let is_whole = !rest.is_empty() || BEING.contains(&folded);
        if AUXILIARIES.contains(&folded) && is_whole {
            put(folded, "");
        }
        for forms in every_verb() {
            let forms: Vec<&str> = forms.split(' ').collect();
            if let [base, third, past, ..] = forms[..] {
                if folded == third {
                    put("does", base);
                }
                if folded == past {
                    put("did", base);
                }
                if folded == base && folded != past {
                    put("do", base);
                }
            }
        }
    }
    found.dedup();
    found
}
