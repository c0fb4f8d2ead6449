//! Questions about what tools did: files, commands, calls, tests and commits.
//!
//! Another question is another line in the table: the predicate, which of its facts count, and the words.

use std::sync::LazyLock;

use bygone_engine::store::Seen;
use bygone_engine::time::Period;
use bygone_engine::{EntityRef, Object, StoreError};
use bygone_ontology::Ontology;
use serde_json::Value;

use super::entity::{Named, Side, resolve};
use super::find::evidence;
use super::forms::Scope;
use super::respond::Response;
use super::template::Template;
use super::wording::{dates, join};
use super::words::Word;
use crate::error::QueryError;
use crate::facts::{Filter, facts};
use crate::request::Request;
use crate::row::Row;
use crate::say::object_text;

/// Which facts count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    All,
    /// Runs with this outcome.
    Outcome(&'static str),
    /// States with this text.
    Text(&'static str),
    /// All, and the question is whether the last of each is "passed".
    HavePassed,
    /// Those of the file that is named, and the question is whether there are any.
    Named,
    /// Those of the file that is named, and the question is when the last of them was.
    WhenNamed,
    /// States with a text of tasks that are not done.
    Open,
}

impl Keep {
    /// Says whether the question names a file.
    fn names_a_file(self) -> bool {
        matches!(self, OfFile | WhenNamed)
    }
}

/// One question.
struct Line(&'static str, Keep, Scope, &'static [&'static str]);

use Keep::{All, HavePassed, Named as OfFile, Open, Outcome, Text, WhenNamed};
use Scope::{Now, Past};

/// The questions; `S` is the agent.
const TABLE: &[Line] = &[
    Line(
        "wrote",
        All,
        Past,
        &[
            "what|which file|files did the agent|assistant write|edit|change|modify|touch|update",
            "what|which file|files did you write|edit|change|modify|touch|update",
            "what|which file|files was|were written|edited|changed|modified|touched",
            "what|which file|files was|were written|edited|changed|modified|touched by S",
            "what|which file|files did S write|edit|change|modify|touch",
            "what|which file|files has|have been written|edited|changed|modified|touched",
            "what|which file|files has|have the agent|assistant written|edited|changed|modified|touched|updated",
            "what|which file|files were updated",
        ],
    ),
    Line(
        "wrote",
        OfFile,
        Past,
        &[
            "did you save|write|edit|change|create|modify|update [the|that] [file] O",
            "did the agent|assistant save|write|edit|change|create|modify|update [the|that] [file] O",
            "did S save|write|edit|change|create|modify|update [the|that] [file] O",
            "have you saved|written|edited|changed|created|modified|updated [the|that] [file] O",
            "has the agent|assistant saved|written|edited|changed|created|modified|updated [the|that] [file] O",
            "has S saved|written|edited|changed|created|modified|updated [the|that] [file] O",
            "is|was|were [the|that] [file] O saved|written|edited|changed|created|modified|updated",
            "has|have [the|that] [file] O been saved|written|edited|changed|created|modified|updated",
        ],
    ),
    Line(
        "wrote",
        WhenNamed,
        Past,
        &[
            "when did you [last] save|write|edit|change|create|modify|update [the|that] [file] O",
            "when did the agent|assistant [last] save|write|edit|change|create|modify|update [the|that] [file] O",
            "when did S [last] save|write|edit|change|create|modify|update [the|that] [file] O",
            "when was|were [the|that] [file] O [last] saved|written|edited|changed|created|modified|updated",
        ],
    ),
    Line(
        "read_file",
        OfFile,
        Past,
        &[
            "did you read|open [the|that] [file] O",
            "did the agent|assistant read|open [the|that] [file] O",
            "did S read|open [the|that] [file] O",
            "have you read|opened [the|that] [file] O",
            "has|have [the|that] [file] O been read|opened",
        ],
    ),
    Line(
        "has_status",
        Open,
        Now,
        &[
            "what|which todo|todos|task|tasks is|are [still] open|left|pending|unfinished",
            "what|which todo|todos|task|tasks is|are [still] not done|finished|completed",
            "what|which todo|todos|task|tasks is|are [still] in progress",
            "what|which todo|todos|task|tasks remain|remains",
            "what is left|open",
        ],
    ),
    Line(
        "read_file",
        All,
        Past,
        &[
            "what|which file|files did the agent|assistant read|open",
            "what|which file|files did you read|open",
            "which file|files was|were read",
            "which file|files was|were read by S",
            "which file|files did S read",
            "which file|files has|have been read",
        ],
    ),
    Line(
        "ran",
        All,
        Past,
        &[
            "what|which command|commands did the agent|assistant run|execute",
            "what|which command|commands did you run|execute",
            "what|which command|commands was|were run|executed",
            "what|which command|commands was|were run|executed by S",
            "what|which command|commands did S run|execute",
        ],
    ),
    Line(
        "ran",
        Outcome("failed"),
        Past,
        &["what|which command|commands failed", "what|which command|commands has|have failed"],
    ),
    Line("ran", Outcome("succeeded"), Past, &["what|which command|commands succeeded"]),
    Line(
        "failed_call",
        All,
        Past,
        &["what failed", "what|which call|calls failed", "what|which tool call|calls failed"],
    ),
    Line(
        "fetched",
        All,
        Past,
        &["what|which page|pages|url|urls was|were fetched", "what|which page|pages|url|urls did S fetch"],
    ),
    Line(
        "committed",
        All,
        Past,
        &[
            "what did the agent|assistant commit",
            "what was committed",
            "what was committed by S",
            "what did S commit",
            "what|which commit|commits was|were made",
            "what|which commit|commits was|were made by S",
            "what|which commit|commits did S make",
        ],
    ),
    Line(
        "test_status",
        Text("failed"),
        Past,
        &[
            "what|which test|tests failed",
            "what|which test|tests has|have failed",
            "what|which test|tests was|were failing",
        ],
    ),
    Line(
        "test_status",
        Text("passed"),
        Past,
        &[
            "what|which test|tests passed",
            "what|which test|tests has|have passed",
            "what|which test|tests was|were passing",
        ],
    ),
    Line(
        "test_status",
        Text("failed"),
        Now,
        &["what|which test|tests is|are failing", "what|which test|tests fail|fails"],
    ),
    Line(
        "test_status",
        Text("passed"),
        Now,
        &["what|which test|tests is|are passing", "what|which test|tests pass|passes"],
    ),
    Line(
        "test_status",
        HavePassed,
        Past,
        &["did the tests pass", "did all tests pass", "have the tests passed"],
    ),
    Line(
        "test_status",
        HavePassed,
        Now,
        &["do the tests pass", "are the tests passing", "do the tests still pass"],
    ),
];

static TEMPLATES: LazyLock<Vec<(&'static Line, Template)>> = LazyLock::new(|| {
    TABLE.iter().flat_map(|line| line.3.iter().map(move |text| (line, Template::new(text)))).collect()
});

/// A question about tools, understood.
pub(super) struct ToolPlan {
    /// The predicate.
    pub(super) predicate: &'static str,
    keep: Keep,
    agent: Option<EntityRef>,
    /// The file that is named.
    file: Option<String>,
    /// The time where none is named.
    pub(super) scope: Scope,
}

/// What the words come to.
pub(super) enum ToolReading {
    /// A question about tools.
    Plan(ToolPlan),
    /// One about an agent that nothing here is named.
    Unnamed(String),
}

/// Says whether words have the form of a question about tools.
pub(super) fn is_question(words: &[Word]) -> bool {
    TEMPLATES.iter().any(|(_, template)| !template.matches(words).is_empty())
}

/// Reads words as a question about tools, if they are one.
///
/// # Errors
/// [`QueryError::Ambiguous`] where the agent's name means several things.
pub(super) fn read(
    seen: &Seen<'_>,
    ontology: &Ontology,
    text: &str,
    words: &[Word],
) -> Result<Option<ToolReading>, QueryError> {
    for (line, template) in TEMPLATES.iter() {
        let Line(predicate, keep, scope, _) = **line;
        let Some(matched) = template.matches(words).into_iter().next() else {
            continue;
        };
        let agent = match matched.subject {
            None => None,
            Some(range) => {
                let definition = ontology.get_or_open(predicate);
                match resolve(seen, ontology, &definition, Side::Subject, text, &words[range])? {
                    Named::Entity { entity, .. } => Some(entity),
                    Named::Several { name, entities } => {
                        let candidates = entities.iter().map(ToString::to_string).collect();
                        return Err(QueryError::Ambiguous { name, candidates });
                    }
                    // Somebody else's book is no file of an agent's.
                    Named::Nothing { is_name: true, .. } if keep.names_a_file() => continue,
                    Named::Nothing { name, is_name: true } => return Ok(Some(ToolReading::Unnamed(name))),
                    Named::Nothing { .. } | Named::Value(_) | Named::Described { .. } => continue,
                }
            }
        };
        if keep.names_a_file() && agent.as_ref().is_some_and(|agent| agent.kind() != "agent") {
            continue;
        }
        let file = matched
            .object
            .map(|range| text[words[range.start].span.start..words[range.end - 1].span.end].trim());
        // What looks like no file's name is something else.
        if file.is_some_and(|file| !file.contains(['.', '/']) || file.contains(' ')) {
            continue;
        }
        let file = file.map(str::to_owned);
        return Ok(Some(ToolReading::Plan(ToolPlan { predicate, keep, agent, file, scope })));
    }
    Ok(None)
}

impl ToolPlan {
    /// Says what is looked up.
    pub(super) fn text(&self) -> String {
        let agent = self.agent.as_ref().map_or_else(String::new, |agent| format!(" by {agent}"));
        match self.keep {
            All => format!("LIST({}{agent})", self.predicate),
            Outcome(outcome) => format!("LIST({}{agent}, outcome = {outcome})", self.predicate),
            Text(text) => format!("LIST({}{agent}, {text})", self.predicate),
            HavePassed => format!("ALL(last {} = passed)", self.predicate),
            WhenNamed => {
                format!("LAST({}{agent}, {:?})", self.predicate, self.file.as_deref().unwrap_or_default())
            }
            OfFile => {
                format!("EXISTS({}{agent}, {:?})", self.predicate, self.file.as_deref().unwrap_or_default())
            }
            Open => format!("LIST({}{agent}, pending or in_progress)", self.predicate),
        }
    }

    /// Returns the kind of question: what was done, or how tests stand.
    pub(super) fn intent(&self) -> &'static str {
        if self.predicate == "test_status" { "tool_state" } else { "tool_events" }
    }

    /// Says what was looked for, for an answer that there is nothing.
    pub(super) fn sought(&self) -> String {
        if let Some(file) = &self.file {
            return format!("no \"{}\" of {file:?} is known", self.predicate.replace('_', " "));
        }
        format!("no \"{}\" is known", self.predicate.replace('_', " "))
    }

    /// Answers it.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub(super) fn respond(
        &self,
        seen: &Seen<'_>,
        ontology: &Ontology,
        request: &Request,
    ) -> Result<Response, StoreError> {
        let filter =
            Filter { subject: self.agent.clone(), predicate: Some(self.predicate.to_owned()), object: None };
        let mut rows = facts(seen, ontology, request, &filter)?;
        if rows.is_empty() {
            return Ok(Response::default());
        }
        let counts = |row: &Row| match self.keep {
            All | HavePassed => true,
            OfFile | WhenNamed => self.file.as_ref().is_some_and(|file| names(&row.fact.object, file)),
            Open => {
                matches!(&row.fact.object, Object::Text(state) if state == "pending" || state == "in_progress")
            }
            Outcome(outcome) => field(&row.fact.object, "outcome").as_deref() == Some(outcome),
            Text(text) => matches!(&row.fact.object, Object::Text(value) if value == text),
        };
        // That none failed is an answer where some are known to have been run.
        let is_none = !rows.iter().any(counts);
        if is_none && self.keep.names_a_file() {
            return Ok(Response::default());
        }
        if !is_none {
            rows.retain(counts);
        }
        let mut in_time: Vec<&Row> = rows.iter().collect();
        in_time.sort_by_key(|row| row.fact.validity.period().map(Period::start));
        let list = list(seen, &in_time)?;
        let text = match self.keep {
            HavePassed => format!("{}: {list}.", verdict(&rows)),
            OfFile => format!("Yes: {list}."),
            WhenNamed => last_of(seen, &in_time)?,
            All | Open | Outcome(_) | Text(_) if is_none => format!("None: {list}."),
            All | Open | Outcome(_) | Text(_) => format!("{list}."),
        };
        let evidence = evidence(seen, &rows)?;
        Ok(Response { text, known: true, rows, evidence, value: None })
    }
}

/// Says when something happened last, and when before.
fn last_of(seen: &Seen<'_>, in_time: &[&Row]) -> Result<String, StoreError> {
    let Some((last, before)) = in_time.split_last() else { return Ok(String::new()) };
    let last = format!("{}, {}", value(last), dates(seen, last)?);
    if before.is_empty() {
        return Ok(format!("{last}."));
    }
    let before = before.iter().map(|row| dates(seen, row)).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("{last}; before that {}.", before.join(" and ")))
}

/// Says each value once, with the times it occurred.
fn list(seen: &Seen<'_>, rows: &[&Row]) -> Result<String, StoreError> {
    let mut values: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows {
        let value = value(row);
        let dates = dates(seen, row)?;
        match values.iter_mut().find(|(other, _)| *other == value) {
            Some((_, times)) => times.push(dates),
            None => values.push((value, vec![dates])),
        }
    }
    let lines: Vec<String> =
        values.into_iter().map(|(value, times)| format!("{value}, {}", times.join(" and "))).collect();
    Ok(join(&lines))
}

/// Says whether an object is the file of a name: its path, or the end of it.
fn names(object: &Object, file: &str) -> bool {
    let Some(path) = object.entity().map(EntityRef::name) else { return false };
    let is_end = path.strip_suffix(file).is_some_and(|before| before.is_empty() || before.ends_with('/'));
    is_end || path.strip_suffix(file.trim_start_matches("./")).is_some_and(|before| before.ends_with('/'))
}

/// A state is said with what it is the state of.
fn value(row: &Row) -> String {
    let value = object_text(&row.fact.object);
    if row.group.predicate == "has_status" {
        return format!("{} is {}", row.group.subject.name(), value.replace('_', " "));
    }
    if row.group.predicate == "test_status" {
        let command =
            if row.group.key.is_empty() { String::new() } else { format!("`{}` in ", row.group.key) };
        format!("{command}{} {value}", row.group.subject.name())
    } else {
        value
    }
}

/// Says whether the last state of each group is that the tests passed.
fn verdict(rows: &[Row]) -> &'static str {
    let start = |row: &Row| row.fact.validity.period().map(Period::start);
    let is_last =
        |row: &&Row| rows.iter().all(|other| other.group != row.group || start(other) <= start(row));
    let passed = |row: &Row| matches!(&row.fact.object, Object::Text(text) if text == "passed");
    if rows.iter().filter(is_last).all(passed) { "Yes" } else { "No" }
}

fn field(object: &Object, key: &str) -> Option<String> {
    let Object::Json(text) = object else { return None };
    let value: Value = serde_json::from_str(text).ok()?;
    value.get(key)?.as_str().map(str::to_owned)
}
