//! What a query is, typed: what the text is read as, and the form in which programs send it as JSON.
//!
//! The form says nothing about how a query is run. What fits together (that a name is bound, that a column that counts stands
//! alone) is looked at in `check.rs`, whether it came as text or as JSON.
//!
//! Invariant: places in the text are carried along and are no part of the query: they are neither compared nor written.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::check::check;
use super::error::LanguageError;
use super::token::Span;

/// A word of a query, and where it stands: nowhere, in one that came as JSON.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Word {
    /// The word.
    pub text: String,
    /// Where it stands.
    #[serde(skip)]
    pub span: Option<Span>,
}

impl Word {
    /// Makes a word that stands nowhere.
    pub fn new(text: &str) -> Word {
        Word { text: text.to_owned(), span: None }
    }
}

/// Where something stands that has no word of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place(pub Option<Span>);

impl PartialEq for Place {
    fn eq(&self, _: &Place) -> bool {
        true
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Word) -> bool {
        self.text == other.text
    }
}

impl Eq for Word {}

/// A query: patterns, what it is asked of, a condition, and what it returns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// The patterns that all have to fit.
    #[serde(rename = "match")]
    pub patterns: Vec<Pattern>,
    /// The valid time asked about; absent: the one of whoever asks, usually now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid: Option<Valid>,
    /// What was known by then; absent: the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Time>,
    /// What was recorded by then; absent: the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<Recorded>,
    /// Whether facts that are no longer believed fit, too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub history: bool,
    /// Whether plans fit, too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub planned: bool,
    /// What has to be true.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    pub condition: Option<Expression>,
    /// Whether equal rows are returned once.
    #[serde(default, skip_serializing_if = "is_false")]
    pub distinct: bool,
    /// What is returned.
    #[serde(rename = "return")]
    pub columns: Vec<Column>,
    /// By what the rows are sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Sort>,
    /// How many rows are passed over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip: Option<Amount>,
    /// How many rows are returned at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Amount>,
}

impl Query {
    /// Reads a query in its JSON form.
    ///
    /// # Errors
    /// [`LanguageError`] where it has another form, or its parts do not fit together.
    pub fn from_json(json: &Json) -> Result<Query, LanguageError> {
        let query = Query::deserialize(json).map_err(|error| LanguageError::new(error.to_string()))?;
        check(&query).map(|()| query)
    }
}

/// A chain of nodes and the relationships between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// The first node.
    pub start: Node,
    /// What follows, link by link.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
}

/// A relationship and the node at its other end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The relationship.
    pub relationship: Relationship,
    /// The node that it leads to.
    pub node: Node,
}

/// An entity, a value or a turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// What it is called in the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<Word>,
    /// The types one of which it has; none: any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<Word>,
    /// What its properties are equal to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Equal>,
}

/// A property that equals something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equal {
    /// The property.
    pub property: Word,
    /// What it equals.
    pub value: Expression,
}

/// A fact, or a path of several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relationship {
    /// What it is called in the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<Word>,
    /// The predicates one of which it has; none: any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub predicates: Vec<Word>,
    /// How many facts make it, where that is not one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hops: Option<Hops>,
    /// What its properties are equal to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Equal>,
    /// Which way it runs.
    pub direction: Direction,
}

/// How many facts make a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hops {
    /// At least.
    pub least: u32,
    /// At most.
    pub most: u32,
}

/// Which of two neighbouring nodes is the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// The one on the left: `-->`.
    Right,
    /// The one on the right: `<--`.
    Left,
    /// Either: `--`.
    Either,
}

/// The valid time asked about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Valid {
    /// At a time; where it is coarse, at some time within it.
    At(Time),
    /// At some time within a period.
    During(Between),
    /// At any time.
    All,
}

/// A period, as a query says it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Between {
    /// Where it starts; absent: open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Time>,
    /// Where it ends; absent: open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Time>,
    /// Whether the time at which it ends is part of it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub closed: bool,
}

/// A time: a text such as `2024-03`, or `now`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Time {
    /// As it is written.
    Text(Word),
    /// The value of a parameter.
    Parameter(Parameter),
}

/// What is handed in beside a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its name.
    pub parameter: Word,
}

/// A place in recorded time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Recorded {
    /// A sequence number.
    Seq(u64),
    /// A time.
    At(Time),
}

/// A number of rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Amount {
    /// As it is written.
    Rows(u64),
    /// The value of a parameter.
    Parameter(Parameter),
}

/// A column of the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// What stands in it.
    pub value: Expression,
    /// Its name; absent: the value as text.
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    pub alias: Option<Word>,
}

/// What rows are sorted by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sort {
    /// The value.
    pub by: Expression,
    /// Whether the greatest comes first.
    #[serde(default, skip_serializing_if = "is_false")]
    pub descending: bool,
}

/// Something that has a value for each row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Expression {
    /// A value as it is written.
    Literal(Literal),
    /// What is handed in beside the query.
    Parameter(Word),
    /// What a node or a relationship is bound to.
    Variable(Word),
    /// A property of a node or a relationship.
    Property {
        /// Of what.
        of: Word,
        /// Which.
        name: Word,
    },
    /// Several values.
    List(Vec<Expression>),
    /// All of these are true.
    And(Vec<Expression>),
    /// One of these is true.
    Or(Vec<Expression>),
    /// The opposite.
    Not(Box<Expression>),
    /// Two values compared.
    Compare {
        /// The first.
        left: Box<Expression>,
        /// How.
        operator: Operator,
        /// The second.
        right: Box<Expression>,
    },
    /// Whether there is no value.
    IsNull(Box<Expression>),
    /// Whether there is a value.
    IsNotNull(Box<Expression>),
    /// What a function makes of values.
    Call {
        /// The function.
        function: Word,
        /// The values.
        arguments: Vec<Expression>,
    },
    /// What many rows come to.
    Aggregate {
        /// How.
        function: Aggregate,
        /// Whether equal values count once.
        #[serde(default, skip_serializing_if = "is_false")]
        distinct: bool,
        /// Of what; absent: of the rows themselves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<Box<Expression>>,
        /// Where it stands.
        #[serde(skip)]
        place: Place,
    },
}

/// A value as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Literal {
    /// No value.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Whole(i64),
    /// Another number.
    Real(f64),
    /// A text, or a time.
    Text(Word),
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// `=`
    Equal,
    /// `<>`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `IN`
    In,
    /// `CONTAINS`: a text a text, a list a value, or a period a period as Allen has it.
    Contains,
    /// `STARTS WITH`
    StartsWith,
    /// `ENDS WITH`
    EndsWith,
    /// `BEFORE`
    Before,
    /// `AFTER`
    After,
    /// `MEETS`
    Meets,
    /// `MET_BY`
    MetBy,
    /// `OVERLAPS`
    Overlaps,
    /// `OVERLAPPED_BY`
    OverlappedBy,
    /// `DURING`
    During,
    /// `STARTS`
    Starts,
    /// `STARTED_BY`
    StartedBy,
    /// `FINISHES`
    Finishes,
    /// `FINISHED_BY`
    FinishedBy,
    /// `EQUALS`
    Equals,
    /// `WITHIN`: no instant of the first lies outside the second.
    Within,
    /// `INTERSECTS`: the two share an instant.
    Intersects,
}

impl Operator {
    /// Every operator, with how it is written.
    pub const ALL: [(Operator, &'static str); 24] = [
        (Operator::Equal, "="),
        (Operator::Unequal, "<>"),
        (Operator::Less, "<"),
        (Operator::AtMost, "<="),
        (Operator::Greater, ">"),
        (Operator::AtLeast, ">="),
        (Operator::In, "IN"),
        (Operator::Contains, "CONTAINS"),
        (Operator::StartsWith, "STARTS WITH"),
        (Operator::EndsWith, "ENDS WITH"),
        (Operator::Before, "BEFORE"),
        (Operator::After, "AFTER"),
        (Operator::Meets, "MEETS"),
        (Operator::MetBy, "MET_BY"),
        (Operator::Overlaps, "OVERLAPS"),
        (Operator::OverlappedBy, "OVERLAPPED_BY"),
        (Operator::During, "DURING"),
        (Operator::Starts, "STARTS"),
        (Operator::StartedBy, "STARTED_BY"),
        (Operator::Finishes, "FINISHES"),
        (Operator::FinishedBy, "FINISHED_BY"),
        (Operator::Equals, "EQUALS"),
        (Operator::Within, "WITHIN"),
        (Operator::Intersects, "INTERSECTS"),
    ];

    /// Returns how it is written.
    pub fn text(self) -> &'static str {
        Operator::ALL.iter().find(|(operator, _)| *operator == self).map_or("", |(_, text)| text)
    }
}

/// What many rows come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aggregate {
    /// How many.
    Count,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// All together.
    Sum,
    /// The mean.
    Avg,
    /// A list of them.
    Collect,
}

impl Aggregate {
    /// Every one.
    pub const ALL: [Aggregate; 6] = [
        Aggregate::Count,
        Aggregate::Min,
        Aggregate::Max,
        Aggregate::Sum,
        Aggregate::Avg,
        Aggregate::Collect,
    ];

    /// Returns how it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Aggregate::Count => "count",
            Aggregate::Min => "min",
            Aggregate::Max => "max",
            Aggregate::Sum => "sum",
            Aggregate::Avg => "avg",
            Aggregate::Collect => "collect",
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands the field in by reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}
