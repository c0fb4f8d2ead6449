//! Is an answer right, as a judge says? LongMemEval's types are judged each by its own rules, LoCoMo's questions by one.
//!
//! A judge is controlled before it judges: of each of its prompts it is shown an answer that is plainly right and one that
//! is plainly wrong. One that says yes to both, or no to both, is no judge, and nothing is scored by it.

use super::calls::{Calls, Voice};
use super::prompt::{self, Prompt};
use crate::error::EvalError;

/// An answer of which everybody knows whether it is right.
struct Control {
    prompt: Prompt,
    question: &'static str,
    right_answer: &'static str,
    right: &'static str,
    wrong: &'static str,
}

const CONTROLS: [Control; 6] = [
    Control {
        prompt: prompt::FACT,
        question: "Which instrument did I buy?",
        right_answer: "a cello",
        right: "You bought a cello.",
        wrong: "You bought a lawn mower.",
    },
    Control {
        prompt: prompt::TEMPORAL,
        question: "How many days passed between my two visits to the dentist?",
        right_answer: "18 days",
        right: "19 days",
        wrong: "Seven years",
    },
    Control {
        prompt: prompt::UPDATE,
        question: "Where do I live?",
        right_answer: "Lisbon",
        right: "You lived in Oslo before, and live in Lisbon now.",
        wrong: "On the moon.",
    },
    Control {
        prompt: prompt::PREFERENCE,
        question: "What could I do this evening?",
        right_answer: "The user would like quiet board games, and dislikes noise.",
        right: "Since you like quiet games, how about an evening of chess with a friend?",
        wrong: "Go to the loudest concert in town and stand next to the speakers.",
    },
    Control {
        prompt: prompt::UNANSWERABLE,
        question: "What is the name of my hamster?",
        right_answer: "The user never mentioned a hamster; only a cat was mentioned.",
        right: "You have not told me about a hamster.",
        wrong: "Your hamster is called Napoleon.",
    },
    Control {
        prompt: prompt::CONVERSATION,
        question: "When did Ada adopt her puppy?",
        right_answer: "5 May 2023",
        right: "On 2023-05-05",
        wrong: "In the winter of 1987",
    },
];

/// Returns the prompt by which an answer to a question of LongMemEval is judged.
pub fn longmemeval(kind: &str, is_abstention: bool) -> Prompt {
    match kind {
        _ if is_abstention => prompt::UNANSWERABLE,
        "temporal-reasoning" => prompt::TEMPORAL,
        "knowledge-update" => prompt::UPDATE,
        "single-session-preference" => prompt::PREFERENCE,
        _ => prompt::FACT,
    }
}

/// Returns what a judge is asked.
pub fn asked(prompt: Prompt, question: &str, right_answer: &str, response: &str) -> String {
    prompt.fill(&[("question", question), ("answer", right_answer), ("response", response)])
}

/// Reads what a judge says: yes, no, or neither.
pub fn verdict(text: &str) -> Option<bool> {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    match &*words.next()?.to_lowercase() {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

/// Asks a judge what everybody knows, of each of these prompts, and returns how many answers it was asked about.
///
/// # Errors
/// [`EvalError::Model`] where it is wrong, and as [`Calls::ask`].
pub fn control(calls: &Calls<'_>, judge: &Voice, prompts: &[Prompt]) -> Result<usize, EvalError> {
    let mut n_asked = 0;
    for one in CONTROLS.iter().filter(|one| prompts.contains(&one.prompt)) {
        for (response, expected) in [(one.right, true), (one.wrong, false)] {
            let call = calls.ask(judge, &asked(one.prompt, one.question, one.right_answer, response))?;
            n_asked += 1;
            if verdict(&call.said.text) != Some(expected) {
                let (is, said) = (if expected { "right" } else { "wrong" }, &call.said.text);
                let what = format!(
                    "is no judge: by {} it says {said:?} of {response:?}, which is {is} where {:?} is the answer",
                    one.prompt.name, one.right_answer
                );
                let model = judge.model.name.clone();
                return Err(EvalError::Model { role: judge.role.name(), model, what });
            }
        }
    }
    Ok(n_asked)
}

/// Returns what it takes to control a judge: each request.
pub fn controls(prompts: &[Prompt]) -> impl Iterator<Item = String> {
    let controls = CONTROLS.iter().filter(|one| prompts.contains(&one.prompt));
    controls.flat_map(|one| {
        [one.right, one.wrong].map(|response| asked(one.prompt, one.question, one.right_answer, response))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_its_first_word() {
        for (text, expected) in [
            ("yes", Some(true)),
            ("Yes.", Some(true)),
            ("**No**, since", Some(false)),
            ("no", Some(false)),
            ("The response is right, yes", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(verdict(text), expected, "{text:?}");
        }
    }

    #[test]
    fn types_are_judged_by_their_own_rules() {
        let name = |kind, is_abstention| longmemeval(kind, is_abstention).name;
        assert_eq!(name("temporal-reasoning", false), "judge_temporal.v1");
        assert_eq!(name("temporal-reasoning", true), "judge_unanswerable.v1");
        assert_eq!(name("knowledge-update", false), "judge_update.v1");
        assert_eq!(name("single-session-preference", false), "judge_preference.v1");
        for kind in ["single-session-user", "single-session-assistant", "multi-session"] {
            assert_eq!(name(kind, false), "judge_fact.v1");
        }
    }

    #[test]
    fn every_prompt_of_a_judge_has_its_controls() {
        for prompt in prompt::ALL.iter().filter(|prompt| prompt.name.starts_with("judge")) {
            assert_eq!(controls(&[*prompt]).count(), 2, "{}", prompt.name);
        }
    }
}
