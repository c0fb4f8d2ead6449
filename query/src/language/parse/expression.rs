//! Conditions and values: `OR` binds loosest, then `AND`, `NOT`, and comparisons, which do not chain.

use super::is_reserved;
use super::parser::Parser;
use crate::language::ast::{Aggregate, Expression, Literal, Operator, Place, Word};
use crate::language::error::LanguageError;
use crate::language::token::Kind;

impl Parser {
    pub(super) fn expression(&mut self) -> Result<Expression, LanguageError> {
        self.nested(|parser| {
            let mut any = vec![parser.all()?];
            while parser.accept("OR") {
                any.push(parser.all()?);
            }
            Ok(if any.len() == 1 { any.swap_remove(0) } else { Expression::Or(any) })
        })
    }

    fn all(&mut self) -> Result<Expression, LanguageError> {
        let mut all = vec![self.negation()?];
        while self.accept("AND") {
            all.push(self.negation()?);
        }
        Ok(if all.len() == 1 { all.swap_remove(0) } else { Expression::And(all) })
    }

    fn negation(&mut self) -> Result<Expression, LanguageError> {
        if !self.accept("NOT") {
            return self.comparison();
        }
        let negated = self.nested(Parser::negation)?;
        Ok(Expression::Not(Box::new(negated)))
    }

    fn comparison(&mut self) -> Result<Expression, LanguageError> {
        let left = Box::new(self.value()?);
        if self.accept("IS") {
            let is_not = self.accept("NOT");
            self.require("NULL")?;
            return Ok(if is_not { Expression::IsNotNull(left) } else { Expression::IsNull(left) });
        }
        if self.accept("NOT") {
            self.require("IN")?;
            let right = Box::new(self.value()?);
            let within = Expression::Compare { left, operator: Operator::In, right };
            return Ok(Expression::Not(Box::new(within)));
        }
        match self.operator()? {
            None => Ok(*left),
            Some(operator) => {
                let right = Box::new(self.value()?);
                Ok(Expression::Compare { left, operator, right })
            }
        }
    }

    fn operator(&mut self) -> Result<Option<Operator>, LanguageError> {
        if self.accept("ENDS") {
            self.require("WITH")?;
            return Ok(Some(Operator::EndsWith));
        }
        if self.accept("STARTS") {
            return Ok(Some(if self.accept("WITH") { Operator::StartsWith } else { Operator::Starts }));
        }
        for (operator, text) in Operator::ALL {
            let is_it = match operator {
                Operator::StartsWith | Operator::EndsWith | Operator::Starts => false,
                _ if text.starts_with(char::is_alphabetic) => self.accept(text),
                _ => self.accept_sign(text),
            };
            if is_it {
                return Ok(Some(operator));
            }
        }
        Ok(None)
    }

    fn value(&mut self) -> Result<Expression, LanguageError> {
        if self.accept_sign("(") {
            let inner = self.expression()?;
            self.require_sign(")")?;
            return Ok(inner);
        }
        if self.accept_sign("[") {
            let mut list = Vec::new();
            if self.accept_sign("]") {
                return Ok(Expression::List(list));
            }
            loop {
                list.push(self.expression()?);
                if !self.accept_sign(",") {
                    self.require_sign("]")?;
                    return Ok(Expression::List(list));
                }
            }
        }
        if self.accept_sign("$") {
            return Ok(Expression::Parameter(self.parameter()?));
        }
        let is_negative = self.accept_sign("-");
        self.expects("a value");
        let literal = match &self.token().kind {
            Kind::Whole(number) => Literal::Whole(if is_negative { -number } else { *number }),
            Kind::Real(number) => Literal::Real(if is_negative { -number } else { *number }),
            _ if is_negative => return Err(self.unexpected()),
            Kind::Text(text) => Literal::Text(Word { text: text.clone(), span: Some(self.token().span) }),
            Kind::Word(word) if word.eq_ignore_ascii_case("TRUE") => Literal::Bool(true),
            Kind::Word(word) if word.eq_ignore_ascii_case("FALSE") => Literal::Bool(false),
            Kind::Word(word) if word.eq_ignore_ascii_case("NULL") => Literal::Null,
            Kind::Word(word) if is_reserved(word) => return Err(self.unexpected()),
            Kind::Word(_) | Kind::Quoted(_) => return self.named(),
            Kind::Sign(_) | Kind::End => return Err(self.unexpected()),
        };
        self.advance();
        Ok(Expression::Literal(literal))
    }

    /// Reads what starts with a name: a variable, one of its properties, or a function.
    fn named(&mut self) -> Result<Expression, LanguageError> {
        let is_call = matches!(self.token().kind, Kind::Word(_)) && *self.next() == Kind::Sign("(");
        let name = self.require_name("a value")?;
        if is_call {
            return self.call(&name);
        }
        if !self.accept_sign(".") {
            return Ok(Expression::Variable(name));
        }
        // After the point no keyword can stand, so that all words are properties.
        self.expects("a property");
        let text = match &self.token().kind {
            Kind::Word(word) | Kind::Quoted(word) => word.clone(),
            _ => return Err(self.unexpected()),
        };
        let property = Word { text, span: Some(self.advance().span) };
        Ok(Expression::Property { of: name, name: property })
    }

    fn call(&mut self, name: &Word) -> Result<Expression, LanguageError> {
        self.require_sign("(")?;
        let aggregate = Aggregate::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(&name.text));
        let place = Place(name.span);
        if let Some(function) = aggregate {
            if function == Aggregate::Count && self.accept_sign("*") {
                self.require_sign(")")?;
                return Ok(Expression::Aggregate { function, distinct: false, of: None, place });
            }
            let distinct = self.accept("DISTINCT");
            let of = Some(Box::new(self.expression()?));
            self.require_sign(")")?;
            return Ok(Expression::Aggregate { function, distinct, of, place });
        }
        let function = Word { text: name.text.to_lowercase(), span: name.span };
        let mut arguments = Vec::new();
        if self.accept_sign(")") {
            return Ok(Expression::Call { function, arguments });
        }
        loop {
            arguments.push(self.expression()?);
            if !self.accept_sign(",") {
                self.require_sign(")")?;
                return Ok(Expression::Call { function, arguments });
            }
        }
    }
}
