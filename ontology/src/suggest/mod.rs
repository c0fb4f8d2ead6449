//! What the data declares by itself: predicates and types that statements use and nobody declared, each with a proposal
//! of how to declare it, and why.
//!
//! ```text
//! statements ──▶ [Survey] ──▶ what was seen of each predicate ──▶ kind         from the periods given
//!                                                            ├──▶ cardinality  from what held together
//!                                                            ├──▶ sides        from the types seen, and pairs both ways
//!                                                            └──▶ likeness     to what is declared
//! ```
//!
//! Nothing is declared here: a proposal counts once somebody accepts it. Likeness is told and decides nothing.
//!
//! Invariant: the proposals depend on which statements were seen, and not on their order.

mod cardinality;
mod kind;
mod likeness;
mod sides;
mod survey;

use bygone_engine::AssertionId;

use crate::definition::Definition;
use crate::ontology::Type;
use crate::write;

pub use likeness::Likeness;
pub use survey::Survey;

/// What a survey proposes to declare.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestions {
    /// Types that entities have, by name.
    pub types: Vec<TypeSuggestion>,
    /// Predicates that statements have, by id.
    pub predicates: Vec<PredicateSuggestion>,
}

/// A type that entities have and nobody declared.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeSuggestion {
    /// The proposal.
    pub declared: Type,
    /// How many entities have it.
    pub n_entities: u64,
    /// Some statements that mention them.
    pub evidence: Vec<AssertionId>,
}

/// A predicate that statements have and nobody declared.
#[derive(Clone, Debug, PartialEq)]
pub struct PredicateSuggestion {
    /// The proposal.
    pub definition: Definition,
    /// How many statements have it.
    pub n_statements: u64,
    /// How many of them deny.
    pub n_denials: u64,
    /// How many subjects they are about.
    pub n_subjects: u64,
    /// The types of the subjects, each with the number of statements; most first.
    pub domain: Vec<(String, u64)>,
    /// The types and kinds of value of the objects, likewise.
    pub range: Vec<(String, u64)>,
    /// Why this kind.
    pub kind_because: String,
    /// Why this cardinality.
    pub cardinality_because: String,
    /// Why an inverse, or symmetry; or which declared predicate seems to say the same from the other side.
    pub sides_because: Option<String>,
    /// What it is like that is declared already: perhaps another name for that.
    pub likenesses: Vec<Likeness>,
    /// Some statements that have it.
    pub evidence: Vec<AssertionId>,
    /// Why it cannot be declared under this name.
    pub obstacle: Option<String>,
}

impl PredicateSuggestion {
    /// Says whether the proposal stands: it can be declared, and seems no other name for what is.
    pub fn stands(&self) -> bool {
        self.obstacle.is_none() && self.likenesses.is_empty()
    }
}

impl Suggestions {
    /// Returns the proposals that stand as the text of an ontology, and the others as comments with the reason.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        if !self.types.is_empty() {
            text.push_str("[types]\n");
        }
        for suggestion in &self.types {
            text.push_str(&write::type_line(&suggestion.declared));
        }
        for suggestion in &self.predicates {
            if !text.is_empty() {
                text.push('\n');
            }
            text.extend(suggestion.reasons().iter().map(|reason| format!("# {}\n", commented(reason))));
            let declaration = write::predicate(&suggestion.definition);
            if suggestion.stands() {
                text.push_str(&declaration);
            } else {
                text.extend(declaration.lines().map(|line| format!("# {line}\n")));
            }
        }
        text
    }

    /// Returns the text that declares the types and predicates named, with what those refer to.
    ///
    /// # Errors
    /// The first name that is not proposed, or why it cannot be declared, in words.
    pub fn text_of(&self, names: &[String]) -> Result<String, String> {
        let mut types: Vec<&Type> = Vec::new();
        let mut predicates: Vec<&Definition> = Vec::new();
        let mut wanted: Vec<&str> = names.iter().map(String::as_str).collect();
        while let Some(name) = wanted.pop() {
            if let Some(found) = self.predicates.iter().find(|suggestion| suggestion.definition.id == name) {
                if let Some(obstacle) = &found.obstacle {
                    return Err(format!("{name:?} cannot be declared: {obstacle}"));
                }
                let definition = &found.definition;
                if !predicates.contains(&definition) {
                    predicates.push(definition);
                    let sides = definition.domain.iter().chain(&definition.range);
                    types.extend(sides.filter_map(|side| self.type_named(side)));
                    wanted.extend(definition.inverse.as_deref());
                }
            } else if let Some(found) = self.type_named(name) {
                types.push(found);
            } else {
                return Err(format!("{name:?} is not among what the data suggests"));
            }
        }
        types.sort_by(|one, other| one.name.cmp(&other.name));
        types.dedup();
        predicates.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(write::to_toml(types, predicates))
    }

    fn type_named(&self, name: &str) -> Option<&Type> {
        self.types.iter().map(|suggestion| &suggestion.declared).find(|declared| declared.name == name)
    }
}

impl PredicateSuggestion {
    /// Returns the reasons for the proposal and against it, one a line.
    pub fn reasons(&self) -> Vec<String> {
        let mut reasons: Vec<String> = Vec::new();
        if let Some(obstacle) = &self.obstacle {
            reasons.push(format!("cannot be declared: {obstacle}"));
        }
        reasons.extend(self.likenesses.iter().map(|like| format!("like {}: {}", like.to, like.because)));
        reasons.push(format!("{}: {}", write::kind_name(self.definition.kind), self.kind_because));
        let cardinality = write::cardinality_name(self.definition.cardinality);
        reasons.push(format!("{cardinality}: {}", self.cardinality_because));
        reasons.extend(self.sides_because.clone());
        reasons
    }
}

/// Makes a text harmless in a comment, whose end is that of the line.
fn commented(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Says why a name is none that can be declared; `None` where it can be.
fn obstacle(name: &str) -> Option<String> {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    (name.is_empty() || !name.bytes().all(fits))
        .then(|| "names that can be declared are lower-case letters, digits and underscores".to_owned())
}

#[cfg(test)]
mod tests;
