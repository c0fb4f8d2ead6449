//! Which run it is: all that its lines depend on, and who made it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::dataset::file::Data;

/// The version of the form of run files.
pub const VERSION: u32 = 1;

/// What systems are asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// To rank turns or sessions.
    Retrieval,
    /// To answer.
    Answers,
}

/// One thing that is measured of each question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// What a document is.
    pub granularity: String,
    /// Whose turns are documents.
    pub roles: Vec<String>,
    /// Which questions it is measured of.
    pub population: String,
}

/// Who made a run. Nothing else in it varies from machine to machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MadeBy<'a> {
    /// What tells the program from one built of other code, such as the hash of its file.
    pub build: &'a str,
    /// The machine.
    pub machine: &'a str,
}

/// The first line of a run file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the form: [`VERSION`].
    pub run: u32,
    /// What systems are asked to do.
    pub task: Task,
    /// The data set.
    pub dataset: String,
    /// Its file.
    pub data: Data,
    /// The file of corrections to it.
    pub errata: Option<Data>,
    /// How many questions were asked for, from the start of the file; all of them where it is not said.
    pub limit: Option<usize>,
    /// How many questions are measured: each has a line for each system.
    pub questions: usize,
    /// The types of questions that are counted together; all where it is not said.
    pub counted: Option<Vec<String>>,
    /// What is measured, by the name of the part of a line.
    pub parts: BTreeMap<String, Measured>,
    /// Where rankings are cut.
    pub k: Vec<usize>,
    /// The systems, in their order; the first is the one that is evaluated.
    pub systems: Vec<String>,
    /// Who answers, and how they are asked; nobody where rankings are measured.
    pub reader: Option<Value>,
    /// Who says what is right, and how they are asked; nobody where it is told by rules alone.
    pub judge: Option<Value>,
    /// What else the figures depend on.
    pub settings: BTreeMap<String, Value>,
    /// What draws for intervals start from.
    pub seed: u64,
    /// The version of Bygone.
    pub version: String,
    /// What tells the program from one built of other code.
    pub build: String,
    /// The machine.
    pub machine: String,
}

impl Header {
    /// Returns the JSON form, whose keys are sorted.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).expect("a header has a JSON form")
    }

    /// Says whether a question of a type is counted together with others.
    pub fn counts(&self, kind: &str) -> bool {
        self.counted.as_ref().is_none_or(|counted| counted.iter().any(|one| one == kind))
    }

    /// Returns the scores that a person is shown; all of them stand in the lines.
    pub fn shown(&self) -> &'static [&'static str] {
        match &*self.dataset {
            _ if self.task == Task::Answers => &["right", "f1", "sufficient", "recall", "context_tokens"],
            "locomo" => &["recall@1", "recall@5", "recall@10", "recall@20", "tokens@10"],
            "longmemeval" => &["any@1", "any@5", "all@5", "r@5", "ndcg_any@10", "ndcg@10", "tokens@10"],
            _ => &[],
        }
    }

    /// Says in words what two headers differ in; nothing where they are the same.
    pub fn difference(&self, here: &Header) -> Option<String> {
        difference(&self.to_json(), &here.to_json(), |_| true)
    }

    /// Says in words why the questions of two runs are not the same, or not measured alike; nothing where they are.
    pub fn incomparable(&self, other: &Header) -> Option<String> {
        let is_about_questions = |key: &str| {
            ["task", "dataset", "data", "errata", "limit", "questions", "counted", "parts", "judge"]
                .contains(&key)
        };
        let [one, other] = [self, other].map(|header| {
            let mut value = header.to_json();
            // Files are known by what they hold, and a judge is the same wherever it is asked.
            let elsewhere =
                ["/data/file", "/data/bytes", "/errata/file", "/errata/bytes", "/judge/base", "/judge/price"];
            for data in elsewhere {
                if let Some(found) = value.pointer_mut(data) {
                    *found = Value::Null;
                }
            }
            value
        });
        difference(&one, &other, is_about_questions)
    }
}

fn difference(one: &Value, other: &Value, is_asked: impl Fn(&str) -> bool) -> Option<String> {
    let members = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let (one, other) = (members(one), members(other));
    let differing: Vec<String> = one
        .iter()
        .filter(|(key, value)| is_asked(key) && other.get(*key) != Some(value))
        .map(|(key, value)| {
            let there = other.get(key).unwrap_or(&Value::Null);
            format!("`{key}` is {value} there and {there} here")
        })
        .collect();
    (!differing.is_empty()).then(|| differing.join(", "))
}
