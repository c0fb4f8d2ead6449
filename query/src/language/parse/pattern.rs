//! The patterns of a query: `(p:person {name: 'Anna'})-[r:works_at]->(o)`.

use super::parser::Parser;
use crate::language::ast::{Direction, Equal, Hops, Link, Node, Pattern, Relationship, Word};
use crate::language::error::LanguageError;
use crate::language::limits::{MOST_ELEMENTS, MOST_HOPS};

impl Parser {
    pub(super) fn patterns(&mut self) -> Result<Vec<Pattern>, LanguageError> {
        let mut patterns = Vec::new();
        let mut n_elements = 0;
        loop {
            patterns.push(self.pattern(&mut n_elements)?);
            if !self.accept_sign(",") {
                return Ok(patterns);
            }
        }
    }

    fn pattern(&mut self, n_elements: &mut usize) -> Result<Pattern, LanguageError> {
        self.count(n_elements)?;
        let start = self.node()?;
        let mut links = Vec::new();
        while self.is_sign("-") || self.is_sign("<") {
            self.count(n_elements)?;
            self.count(n_elements)?;
            let relationship = self.relationship()?;
            links.push(Link { relationship, node: self.node()? });
        }
        Ok(Pattern { start, links })
    }

    /// Counts a node or a relationship, at which the parser stands.
    fn count(&self, n_elements: &mut usize) -> Result<(), LanguageError> {
        *n_elements += 1;
        if *n_elements <= MOST_ELEMENTS {
            return Ok(());
        }
        let message = format!("the patterns have more than {MOST_ELEMENTS} nodes and relationships");
        Err(LanguageError::new(message).at(self.token().span))
    }

    fn node(&mut self) -> Result<Node, LanguageError> {
        self.require_sign("(")?;
        let variable = self.accept_name("the name of a node");
        let types = if self.accept_sign(":") { self.alternatives("a type")? } else { Vec::new() };
        let properties = self.properties()?;
        self.require_sign(")")?;
        Ok(Node { variable, types, properties })
    }

    fn relationship(&mut self) -> Result<Relationship, LanguageError> {
        let is_left = self.accept_sign("<");
        self.require_sign("-")?;
        let mut relationship = Relationship {
            variable: None,
            predicates: Vec::new(),
            hops: None,
            properties: Vec::new(),
            direction: Direction::Either,
        };
        if self.accept_sign("[") {
            relationship.variable = self.accept_name("the name of a relationship");
            if self.accept_sign(":") {
                relationship.predicates = self.alternatives("a predicate")?;
            }
            if self.accept_sign("*") {
                relationship.hops = Some(self.hops()?);
            }
            relationship.properties = self.properties()?;
            self.require_sign("]")?;
        }
        self.require_sign("-")?;
        let is_right = self.accept_sign(">");
        relationship.direction = match (is_left, is_right) {
            (true, false) => Direction::Left,
            (false, true) => Direction::Right,
            (true, true) | (false, false) => Direction::Either,
        };
        Ok(relationship)
    }

    fn alternatives(&mut self, what: &str) -> Result<Vec<Word>, LanguageError> {
        let mut names = vec![self.require_name(what)?];
        while self.accept_sign("|") {
            self.accept_sign(":");
            names.push(self.require_name(what)?);
        }
        Ok(names)
    }

    /// Reads what follows `*`: `2`, `1..3`, `..3`, `2..`, or nothing.
    fn hops(&mut self) -> Result<Hops, LanguageError> {
        let span = self.token().span;
        let least = self.accept_whole("a number of facts");
        let is_range = self.accept_sign("..");
        let most = if is_range { self.accept_whole("a number of facts") } else { least };
        let least = least.unwrap_or(1);
        let most = most.unwrap_or(u64::from(MOST_HOPS));
        let (Ok(least), Ok(most)) = (u32::try_from(least), u32::try_from(most)) else {
            return Err(too_long().at(span));
        };
        if most > MOST_HOPS || least > MOST_HOPS {
            return Err(too_long().at(span));
        }
        if least > most {
            let message = format!("a path of at least {least} and at most {most} facts is none");
            return Err(LanguageError::new(message).at(span));
        }
        Ok(Hops { least, most })
    }

    fn properties(&mut self) -> Result<Vec<Equal>, LanguageError> {
        let mut properties = Vec::new();
        if !self.accept_sign("{") {
            return Ok(properties);
        }
        loop {
            let property = self.require_name("a property")?;
            self.require_sign(":")?;
            properties.push(Equal { property, value: self.expression()? });
            if !self.accept_sign(",") {
                self.require_sign("}")?;
                return Ok(properties);
            }
        }
    }
}

fn too_long() -> LanguageError {
    LanguageError::new(format!("a path has at most {MOST_HOPS} facts"))
}
