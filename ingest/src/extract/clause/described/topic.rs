//! What a clause is about, where that is a thing or a doing and is named.

use bygone_engine::EntityRef;

use super::super::lexicon;
use super::super::mood::ADVERBS;
use super::super::phrase::{Clause, lower_first};
use super::super::reader::Reader;
use super::super::token::{Kind, Token};
use super::super::verb::{VerbForm, readings};
use super::WEIGHING;

/// What is spoken of: where it ends, and what it is called.
pub(super) struct Topic {
    /// What it is called.
    pub(super) entity: EntityRef,
    /// The position behind it.
    pub(super) end: usize,
}

impl Reader<'_> {
    /// Reads what a clause is about: a named thing in front of its verb.
    pub(super) fn topic_of(&self, clause: &Clause<'_>, at: usize, speaker: &EntityRef) -> Option<Topic> {
        const VERBS: &[&str] = &[
            "is",
            "are",
            "was",
            "were",
            "'s",
            "has",
            "have",
            "helps",
            "help",
            "helped",
            "lets",
            "allows",
            "allowed",
            "gives",
            "keeps",
            "makes",
            "taught",
            "inspires",
            "motivates",
            "matters",
            "matter",
            "means",
            "mean",
        ];
        const LONGEST: usize = 8;
        let end = (at + 1..clause.tokens.len().min(at + 1 + LONGEST)).find(|at| {
            clause.is_one_of(*at, VERBS)
                && !(clause.is(*at, "'s")
                    && clause.token(at + 1).is_some_and(|next| owned_by(clause, at + 1, next)))
        })?;
        let owned = clause.is_one_of(at, &["my", "our"]);
        let pointed = clause.is_one_of(at, &["the", "a", "an", "some", "most"]);
        let from = at + usize::from(owned || pointed);
        let words = clause.tokens.get(from..end).filter(|words| !words.is_empty())?;
        let plain = words.iter().all(|token| {
            matches!(token.kind, Kind::Opaque | Kind::Comma)
                || (token.kind == Kind::Word
                    && !lexicon::is_pointing(&token.lower)
                    && !token.is_one_of(&[
                        "or", "so", "but", "not", "must", "may", "might", "could", "would", "should",
                    ]))
        });
        let first = &words[0];
        let said = &self.text[first.span.clone()];
        let capital = first.capital && at > 0;
        let gerund = first.lower.len() > 5 && first.lower.ends_with("ing");
        let shouted = said.len() > 1 && !said.contains(char::is_lowercase);
        // "Family support", but no order: "keep friends".
        let acts = readings(&first.lower).iter().any(|(_, form)| *form == VerbForm::Base);
        let bare = (words.len() == 1 && (first.lower.len() > 3 || shouted))
            || (words.len() <= 3 && !acts && first.lower.len() > 3);
        if words.iter().any(|token| token.kind == Kind::Comma) && !words.iter().any(|token| token.is("and")) {
            return None;
        }
        let titled = first.kind == Kind::Opaque;
        let named = owned || pointed || capital || gerund || bare || titled || lexicon::is_given_name(said);
        let last = &words[words.len() - 1];
        let vague = lexicon::is_abstract(&last.lower)
            || lexicon::is_deictic(&last.lower)
            || lexicon::is_calendar(&last.lower);
        let hollow = lexicon::is_quality(&last.lower)
            || last.lower.ends_with("ed")
            || lexicon::is_boundary(&last.lower);
        if !plain
            || !named
            || vague
            || hollow
            || (bare && !owned && lexicon::is_no_name(&first.lower) && !gerund)
        {
            return None;
        }
        let mut named_to = end;
        while named_to > from + 1
            && (clause.is_one_of(named_to - 1, ADVERBS) || clause.is(named_to - 1, "sure"))
        {
            named_to -= 1;
        }
        let words = clause.words(from..named_to);
        let words = words.trim_matches(|c| matches!(c, '"' | '“' | '”'));
        let (kind, name) = match () {
            () if owned => ("thing", format!("{}'s {words}", speaker.name())),
            () if gerund => ("activity", lower_first(words)),
            () if lexicon::is_given_name(said) && last.capital && !words.contains(" and ") => {
                ("person", words.to_owned())
            }
            () if lexicon::is_place(words) => ("place", words.to_owned()),
            () if from == 0
                && bare
                && !shouted
                && !clause.tokens[from + 1..end].iter().any(|token| token.capital || token.is("'s")) =>
            {
                ("thing", lower_first(words))
            }
            () => ("thing", words.to_owned()),
        };
        if kind == "person" && self.is_animal(&name) {
            return EntityRef::new("animal", &name).ok().map(|entity| Topic { entity, end });
        }
        EntityRef::new(kind, &name).ok().map(|entity| Topic { entity, end })
    }
}

/// Says whether an "'s" belongs to the owner of what follows: "children's hospital".
fn owned_by(clause: &Clause<'_>, at: usize, next: &Token) -> bool {
    let telling = next.is_one_of(&["a", "an", "the", "my", "our", "been", "not"])
        || next.is_one_of(ADVERBS)
        || next.is_one_of(WEIGHING)
        || lexicon::is_quality(&next.lower);
    !telling && clause.token(at + 1).is_some()
}
