//! Another name of the speaker's own: "I used to be called Anna Brandt", "Anna Brandt is my maiden name".
//!
//! It is a statement that two people are one, and so only a full name says it: half of a name, or a nickname, is told
//! by other rules.

use bygone_engine::{EntityRef, Modality, Object, Polarity};

use crate::candidate::{Candidate, Form, When};
use crate::extract::clause::phrase::Clause;
use crate::extract::clause::reader::Reader;
use crate::extract::clause::token::{Kind, Sentence, Token};

/// Words that may stand in a sentence that says nothing but which name it is.
const WORDS: &[&str] = &[
    "i", "am", "is", "was", "me", "my", "mine", "you", "it", "'s", "same", "person", "and", "are", "the",
    "also", "known", "as", "used", "to", "be", "called", "go", "by", "went", "formerly", "name", "former",
    "old", "maiden", "previous", "birth", "other", "another", "before", "changed", "got", "married",
    "wedding", "took", "a", "new", "until", "then", "know", "too", "some", "people", "still", "call",
    "others", "of", "accounts", "say", "that", "account", "as", "well", "when", "read", "just", "so", "one",
    "both", "we", "way", "under", "once",
];

/// Words that tell that the name is another one than that by which one is known.
const OTHER: &[&str] = &[
    "former", "formerly", "old", "maiden", "previous", "birth", "other", "another", "used", "before",
    "until", "also", "same", "too", "well", "known", "call", "account", "accounts", "when", "one", "married",
];

/// The most words of a name.
const MOST_NAMES: usize = 4;

/// Says whether all but a name of a sentence are words that may stand beside one.
fn may_be_of_name(tokens: &[Token]) -> bool {
    let other = |token: &&Token| token.kind == Kind::Word && !token.is_one_of(WORDS);
    tokens.iter().filter(other).nth(MOST_NAMES).is_none()
}

impl Reader<'_> {
    /// Reads a sentence that gives another full name of the speaker's.
    pub(super) fn former(&self, sentence: &Sentence) -> Option<Candidate> {
        let speaker = self.speaker?;
        if !may_be_of_name(&sentence.tokens) {
            return None;
        }
        let tokens: Vec<Token> =
            sentence.tokens.iter().filter(|token| token.kind == Kind::Word).cloned().collect();
        let clause = Clause { text: self.text, tokens: &tokens, times: &[] };
        let starts = (0..tokens.len()).find(|at| {
            let first = *at == 0 || !tokens[*at - 1].capital || tokens[*at - 1].is("i");
            first && clause.name_run(*at).is_some_and(|(_, end)| end - at >= 2)
        })?;
        let (name, end) = clause.name_run(starts)?;
        let rest: Vec<&Token> = tokens[..starts].iter().chain(&tokens[end..]).collect();
        let only = rest.iter().all(|token| token.is_one_of(WORDS));
        let own = rest.iter().any(|token| token.is_one_of(&["i", "me", "my", "mine"]));
        // "Anna Brandt is me", but not "I'm Anna Brandt".
        let is_me = rest.iter().any(|token| token.is_one_of(&["is", "'s"]))
            && rest.iter().any(|token| token.is("me"));
        let tells = is_me || rest.iter().any(|token| token.is_one_of(OTHER));
        let word = |word: &str| rest.iter().any(|token| token.is(word));
        // "I know Anna Brandt", "Anna Brandt called me".
        let meets = (word("know") && !word("as")) || (word("called") && !word("was") && !word("be"));
        let is_other = name != speaker.name() && end - starts <= MOST_NAMES;
        if !(only && own && tells && is_other) || meets || sentence.asks {
            return None;
        }
        let span = sentence.tokens.first()?.span.start..sentence.tokens.last()?.span.end;
        Some(Candidate {
            subject: speaker.clone(),
            predicate: "same_as",
            key: String::new(),
            object: Some(Object::Entity(EntityRef::new("person", &name).ok()?)),
            polarity: Polarity::Affirm,
            when: When::Said { form: Form::State, clause: span.end..span.end },
            modality: Modality::Actual,
            authority: self.authority,
            confidence: 0.8,
            span,
            context: Vec::new(),
            rule: "belonging.same_as/1",
        })
    }
}
