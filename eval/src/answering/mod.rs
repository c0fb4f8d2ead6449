//! Are questions answered rightly, end to end and without a model?
//!
//! A question is asked as `bygone ask` is; what is compared with the right answer is the value that the answer comes to.

pub mod locomo;
pub mod longmemeval;

use serde_json::{Value as Json, json};

/// A question, and what became of it.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Which one it is.
    pub id: String,
    /// The question.
    pub question: String,
    /// The right answer, as the data set words it.
    pub right_answer: String,
    /// What was answered, in words; nothing where it was not understood.
    pub answer: Option<String>,
    /// Whether it is an answer.
    pub is_known: bool,
    /// Whether it is the right one; of a question that has none, whether it is none.
    pub is_right: bool,
    /// Whether it is the right one or nearly so.
    pub is_near: bool,
}

impl Answered {
    /// Returns the row of a question, keys sorted.
    pub fn to_json(&self) -> Json {
        let Answered { id, question, right_answer, answer, is_known, is_right, is_near } = self;
        json!({
            "id": id,
            "question": question,
            "right_answer": right_answer,
            "answer": answer,
            "known": is_known,
            "right": is_right,
            "near": is_near,
        })
    }
}

/// How many of some questions were answered how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Questions.
    pub asked: usize,
    /// Those with an answer.
    pub known: usize,
    /// Those with an answer that is right.
    pub known_right: usize,
    /// Those that are right, as that nothing is known may be.
    pub right: usize,
    /// Those that are right or nearly so.
    pub near: usize,
}

impl Counts {
    /// Counts what became of questions.
    pub fn of(answered: &[Answered]) -> Counts {
        let count = |is_so: fn(&Answered) -> bool| answered.iter().filter(|one| is_so(one)).count();
        Counts {
            asked: answered.len(),
            known: count(|one| one.is_known),
            known_right: count(|one| one.is_known && one.is_right),
            right: count(|one| one.is_right),
            near: count(|one| one.is_near),
        }
    }

    /// Returns the row, keys sorted.
    pub fn to_json(&self, dataset: &str) -> Json {
        let Counts { asked, known, known_right, right, near } = self;
        json!({
            "dataset": dataset,
            "questions": asked,
            "known": known,
            "known_right": known_right,
            "right": right,
            "near": near,
        })
    }
}
