//! Corrections to the evidence of LoCoMo's questions, as an audit lists them.
//!
//! ```text
//! [{"question_id": "locomo_0_qa1", "question": "…", "correct_evidence": ["D1:14"], …}]
//! ```
//!
//! Follows `errors.json` of <https://github.com/dial481/locomo-audit>. Conversations have numbers there and names in the data
//! set, so that a correction is told by the question's place in its conversation and by its words.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value;

use super::file::{Data, Element, elements, identify};
use super::{list_of, object, text_of};
use crate::error::EvalError;

/// Corrections that were not made yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Errata {
    /// The file they are from, if any.
    pub file: Option<Data>,
    corrections: BTreeMap<(usize, String), Correction>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Correction {
    id: String,
    evidence: Vec<String>,
}

impl Errata {
    /// Reads a file of corrections.
    ///
    /// # Errors
    /// [`EvalError::Unreadable`], and [`EvalError::Shape`] where the file is none of corrections.
    pub fn read(path: &Path) -> Result<Errata, EvalError> {
        let mut errata = Errata { file: Some(identify(path)?), ..Errata::default() };
        let mut misread = None;
        elements(path, &mut |Element { index, value, .. }| match errata.add(&value) {
            Ok(()) => ControlFlow::Continue(()),
            Err(reason) => {
                let reason = format!("element {index}: {reason}");
                misread = Some(EvalError::Shape { path: path.to_owned(), reason });
                ControlFlow::Break(())
            }
        })?;
        misread.map_or(Ok(errata), Err)
    }

    fn add(&mut self, value: &Value) -> Result<(), String> {
        let correction = object(value, "a correction")?;
        let id = text_of(correction, "question_id")?.to_owned();
        let index = id.rsplit_once("_qa").and_then(|(_, index)| index.parse().ok());
        let index = index.ok_or_else(|| format!("the `question_id` {id:?} is none such as locomo_0_qa1"))?;
        let question = text_of(correction, "question")?.to_owned();
        let evidence = list_of(correction, "correct_evidence")?.iter();
        let evidence = evidence.map(|id| id.as_str().map(str::to_owned)).collect::<Option<Vec<String>>>();
        let evidence = evidence.ok_or("an entry of `correct_evidence` is no text")?;
        self.corrections.insert((index, question), Correction { id, evidence });
        Ok(())
    }

    /// Takes the right evidence of a question out, where it was corrected.
    pub(super) fn take(&mut self, index: usize, question: &str) -> Option<Vec<String>> {
        self.corrections.remove(&(index, question.to_owned())).map(|correction| correction.evidence)
    }

    /// Returns the ids of the corrections that no question took.
    pub fn left(&self) -> impl Iterator<Item = &str> {
        self.corrections.values().map(|correction| &*correction.id)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_correction_is_that_of_a_place_and_its_words() {
        let mut errata = Errata::default();
        let correction =
            json!({ "question_id": "locomo_2_qa7", "question": "Who?", "correct_evidence": ["D1:2"] });
        errata.add(&correction).expect("reads");
        assert_eq!(errata.take(7, "Where?"), None);
        assert_eq!(errata.take(6, "Who?"), None);
        assert_eq!(errata.left().collect::<Vec<_>>(), ["locomo_2_qa7"]);
        assert_eq!(errata.take(7, "Who?"), Some(vec!["D1:2".to_owned()]));
        assert_eq!(errata.left().count(), 0);
    }

    #[test]
    fn wrong_shapes_are_refused_by_what_is_wrong() {
        for (value, expected) in [
            (json!([]), "a correction is an object, and this is none"),
            (json!({ "question_id": "qa" }), "the `question_id` \"qa\" is none such as locomo_0_qa1"),
            (json!({ "question_id": "x_qa1", "question": 1 }), "`question` is no text"),
            (
                json!({ "question_id": "x_qa1", "question": "", "correct_evidence": [1] }),
                "an entry of `correct_evidence` is no text",
            ),
        ] {
            assert_eq!(Errata::default().add(&value), Err(expected.to_owned()));
        }
    }
}
