//! Where the reading of a text has come to: the token at hand, what would have been understood there, and how deep it is.

use super::is_reserved;
use crate::language::ast::Word;
use crate::language::error::LanguageError;
use crate::language::limits::MOST_NESTED;
use crate::language::token::{Kind, Token};

/// Where the reading of a text has come to.
pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    /// What would have been understood at this token.
    expected: Vec<String>,
    n_nested: usize,
}

impl Parser {
    pub(super) fn new(tokens: Vec<Token>) -> Parser {
        Parser { tokens, at: 0, expected: Vec::new(), n_nested: 0 }
    }

    pub(super) fn token(&self) -> &Token {
        // The last token is the end, and nothing moves past it.
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    pub(super) fn next(&self) -> &Kind {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].kind
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.token().clone();
        if token.kind != Kind::End {
            self.at += 1;
        }
        self.expected.clear();
        token
    }

    pub(super) fn expects(&mut self, what: &str) {
        if self.expected.iter().all(|known| known != what) {
            self.expected.push(what.to_owned());
        }
    }

    /// Says whether the token is a keyword.
    pub(super) fn is_keyword(&mut self, keyword: &str) -> bool {
        self.expects(keyword);
        matches!(&self.token().kind, Kind::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    /// Passes over a keyword, where it is the token.
    pub(super) fn accept(&mut self, keyword: &str) -> bool {
        let found = self.is_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn require(&mut self, keyword: &str) -> Result<(), LanguageError> {
        if self.accept(keyword) { Ok(()) } else { Err(self.unexpected()) }
    }

    pub(super) fn is_sign(&mut self, sign: &str) -> bool {
        self.expects(&format!("'{sign}'"));
        matches!(self.token().kind, Kind::Sign(found) if found == sign)
    }

    pub(super) fn accept_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn require_sign(&mut self, sign: &str) -> Result<(), LanguageError> {
        if self.accept_sign(sign) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Takes a name, where one stands here.
    pub(super) fn accept_name(&mut self, what: &str) -> Option<Word> {
        self.expects(what);
        let text = match &self.token().kind {
            Kind::Word(word) if !is_reserved(word) => word.clone(),
            Kind::Quoted(word) => word.clone(),
            _ => return None,
        };
        Some(Word { text, span: Some(self.advance().span) })
    }

    pub(super) fn require_name(&mut self, what: &str) -> Result<Word, LanguageError> {
        self.accept_name(what).ok_or_else(|| self.unexpected())
    }

    /// Takes the name of a parameter, whose sign was passed over.
    pub(super) fn parameter(&mut self) -> Result<Word, LanguageError> {
        self.expects("the name of a parameter");
        match &self.token().kind {
            Kind::Word(word) | Kind::Quoted(word) => {
                let text = word.clone();
                Ok(Word { text, span: Some(self.advance().span) })
            }
            _ => Err(self.unexpected()),
        }
    }

    /// Takes a whole number that is not negative.
    pub(super) fn accept_whole(&mut self, what: &str) -> Option<u64> {
        self.expects(what);
        let Kind::Whole(number) = self.token().kind else { return None };
        self.advance();
        u64::try_from(number).ok()
    }

    /// Returns the error that the token is not what was expected.
    pub(super) fn unexpected(&self) -> LanguageError {
        let Token { kind, span } = self.token();
        let (found, name) = match kind {
            Kind::End => ("the query ends too early".to_owned(), None),
            Kind::Word(word) if is_reserved(word) => {
                (format!("{word} cannot stand here; as a name it is written `{word}`"), None)
            }
            Kind::Word(word) => (format!("{word} cannot stand here"), Some(word.to_uppercase())),
            Kind::Quoted(word) => (format!("`{word}` cannot stand here"), None),
            Kind::Text(_) => ("a text cannot stand here".to_owned(), None),
            Kind::Whole(number) => (format!("{number} cannot stand here"), None),
            Kind::Real(number) => (format!("{number} cannot stand here"), None),
            Kind::Sign(sign) => (format!("{sign} cannot stand here"), None),
        };
        let error = LanguageError::new(found).at(*span);
        let error = match &name {
            Some(name) => {
                let keywords = self.expected.iter().map(String::as_str);
                error.instead_of(
                    name,
                    keywords.filter(|word| word.chars().all(|c| c.is_uppercase() || c == '_')),
                )
            }
            None => error,
        };
        error.expecting(self.expected.clone())
    }

    /// Goes one level deeper.
    pub(super) fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Parser) -> Result<T, LanguageError>,
    ) -> Result<T, LanguageError> {
        if self.n_nested == MOST_NESTED {
            let message = format!("expressions nest more than {MOST_NESTED} deep");
            return Err(LanguageError::new(message).at(self.token().span));
        }
        self.n_nested += 1;
        let read = read(self);
        self.n_nested -= 1;
        read
    }
}
